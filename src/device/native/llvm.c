// SPDX-License-Identifier: MIT
// Loading LLVM's library when it is first wanted.
#include "device/native/llvm.h"

#include <dlfcn.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct llvm loaded;
static bool is_others;  // under the lock
static unsigned failed; // the version that was looked for in vain

enum { NAME_BYTES = 64 };
// As distributions name it.
static const char *const names[] = {"libLLVM.so.%u.1", "libLLVM-%u.so.1", "libLLVM-%u.so",
                                    "/usr/lib/llvm-%u/lib/libLLVM.so.1"};
static void *open_by_name(unsigned major, int flags) {
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char name[NAME_BYTES];
        snprintf(name, sizeof name, names[i], major);
        void *library = dlopen(name, flags);
        if (library) return library;
    }
    return NULL;
}

static void *open_by_stub(const struct llvm_stub *stub) {
#if defined(RTLD_DEEPBIND) && defined(__linux__)
    void *library = NULL;
    const size_t size = (size_t)(stub->end - stub->begin);
    const int file = memfd_create("llvm", MFD_CLOEXEC);
    if (file < 0) return NULL;
    char path[NAME_BYTES];
    snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    if (write(file, stub->begin, size) == (ssize_t)size)
        library = dlopen(path, RTLD_NOW | RTLD_LOCAL | RTLD_DEEPBIND);
    close(file);
    return library;
#else
    (void)stub;
    return NULL;
#endif
}

static void *open_library(unsigned major, const struct llvm_stub *stub) {
    if (!stub) return open_by_name(major, RTLD_NOW | RTLD_LOCAL);
    void *library = open_by_name(major, RTLD_NOW | RTLD_LOCAL | RTLD_NOLOAD);
    is_others = library != NULL;
    return library ? library : open_by_stub(stub);
}

static bool find_all(struct llvm *l) {
#define LLVM_FIND(result, name, parameters)                                                                  \
    *(void **)&l->name = dlsym(l->library, "LLVM" #name);                                                    \
    if (!l->name) return false;
    LLVM_FUNCTIONS(LLVM_FIND)
    unsigned minor, patch;
    l->GetVersion(&l->major, &minor, &patch);
    return true;
}

// ---- What it would end the process for ----

enum { ERROR = 0 }; // LLVMDSError

static __thread jmp_buf *way_out;
static bool gave_up; // atomic

static void leave(void) {
    __atomic_store_n(&gave_up, true, __ATOMIC_RELAXED);
    longjmp(*way_out, 1);
}
// Whoever else uses the library gets what it does by itself, as this returns.
static void on_fatal(const char *reason) {
    (void)reason;
    if (way_out) leave();
}
static void on_diagnostic(llvm_ref info, void *context) {
    const struct llvm *l = context;
    if (way_out && l->GetDiagInfoSeverity(info) == ERROR) leave();
}

llvm_ref llvm_context(const struct llvm *l) {
    llvm_ref context = l->ContextCreate();
    l->ContextSetDiagnosticHandler(context, on_diagnostic, (void *)(uintptr_t)l);
    return context;
}

bool llvm_try(void (*work)(void *context), void *context) {
    jmp_buf out;
    way_out = &out;
    const bool done = !setjmp(out);
    if (done) work(context);
    way_out = NULL;
    return !__atomic_load_n(&gave_up, __ATOMIC_RELAXED);
}

const char *llvm_why_not(void) {
    return __atomic_load_n(&gave_up, __ATOMIC_RELAXED)
               ? "LLVM met what it ends processes for"
               : "there is no LLVM library of the version that this build is for";
}

// ---- Loading ----

const char *llvm_file(const struct llvm *l) {
    Dl_info info;
    void *function;
    memcpy(&function, &l->ContextCreate, sizeof function);
    return dladdr(function, &info) && info.dli_fname && *info.dli_fname == '/' ? info.dli_fname : NULL;
}

bool llvm_is_others(void) {
    pthread_mutex_lock(&lock);
    const bool others = is_others;
    pthread_mutex_unlock(&lock);
    return others;
}

const struct llvm *llvm_load(unsigned major, const struct llvm_stub *stub) {
    const struct llvm *result = NULL;
    pthread_mutex_lock(&lock);
    if (!loaded.library && failed != major) {
        struct llvm l = {.library = open_library(major, stub)};
        if (l.library && find_all(&l) && l.major == major) {
            l.InstallFatalErrorHandler(on_fatal);
            l.InitializeX86TargetInfo();
            l.InitializeX86Target();
            l.InitializeX86TargetMC();
            l.InitializeX86AsmPrinter();
            l.InitializeX86AsmParser();
            loaded = l;
        } else {
            if (l.library) dlclose(l.library);
            failed = major;
        }
    }
    if (loaded.library && loaded.major == major && !__atomic_load_n(&gave_up, __ATOMIC_RELAXED))
        result = &loaded;
    pthread_mutex_unlock(&lock);
    return result;
}
