// SPDX-License-Identifier: MIT
// Loads LLVM's libraries when they are first wanted, and keeps LLVM's fatal errors from ending the process.
#include "llvm/llvm.h"

#include <dlfcn.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

// A library and which lists of functions were found in it.
struct library {
    struct llvm l;
    bool is_others, native, reading;
};
enum { MOST_LIBRARIES = 4, NAME_BYTES = 64 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct library libraries[MOST_LIBRARIES]; // Lock: lock. An entry stays where it is.
static unsigned library_count;                   // Lock: lock.
static unsigned failed;                          // the version that llvm_load found none of. Lock: lock.

// ---- Opening a library ----

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

// With `apart` the library and all that it needs are loaded a second time, in a namespace of their own.
static void *open_by_stub(const struct llvm_stub *stub, bool apart) {
#if defined(RTLD_DEEPBIND) && defined(__linux__)
    void *library = NULL;
    const size_t size = (size_t)(stub->end - stub->begin);
    const int file = memfd_create("llvm", MFD_CLOEXEC);
    if (file < 0) return NULL;
    char path[NAME_BYTES];
    snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    const int flags = RTLD_NOW | RTLD_LOCAL | RTLD_DEEPBIND;
    if (write(file, stub->begin, size) == (ssize_t)size)
        library = apart ? dlmopen(LM_ID_NEWLM, path, flags) : dlopen(path, flags);
    close(file);
    return library;
#else
    (void)stub, (void)apart;
    return NULL;
#endif
}

// A process that has the library already, as HIP's compiler has, would end it at exit: such a process gets a
// copy.
static void *open_version(unsigned major, const struct llvm_stub *stub, bool *is_others) {
    *is_others = !stub;
    if (!stub) return open_by_name(major, RTLD_NOW | RTLD_LOCAL);
    void *theirs = open_by_name(major, RTLD_NOW | RTLD_LOCAL | RTLD_NOLOAD);
    void *library = open_by_stub(stub, theirs != NULL);
    *is_others = !library && theirs;
    if (*is_others) return theirs;
    if (theirs) dlclose(theirs);
    return library;
}

// ---- Its functions ----

#define LLVM_FIND(result, name, parameters)                                                                  \
    *(void **)&l->name = dlsym(l->library, "LLVM" #name);                                                    \
    if (!l->name) return "LLVM" #name;

// Each returns NULL or the name of a function that the library lacks.
static const char *find_common(struct llvm *l) {
#define LLVM_COMMON LLVM_FIND
#include "llvm/functions.def"
    unsigned minor, patch;
    l->GetVersion(&l->major, &minor, &patch);
    return NULL;
}
static const char *find_native(struct llvm *l) {
#define LLVM_NATIVE LLVM_FIND
#include "llvm/functions.def"
    return NULL;
}
static const char *find_reading(struct llvm *l) {
#define LLVM_READING LLVM_FIND
#include "llvm/functions.def"
    return NULL;
}

// ---- What it would end the process for ----

enum { ERROR = 0 }; // LLVMDSError

struct way_out {
    jmp_buf to;
    char *why; // LLVM_WHY bytes, or NULL
};
static __thread struct way_out *way_out;
static bool gave_up; // atomic

static void copy_line(char out[LLVM_WHY], const char *text) {
    snprintf(out, LLVM_WHY, "%.*s", (int)strcspn(text, "\n"), text);
}

static void leave(const char *why) {
    __atomic_store_n(&gave_up, true, __ATOMIC_RELAXED);
    if (way_out->why) copy_line(way_out->why, why);
    longjmp(way_out->to, 1);
}
// Returning leaves the error to other users of the library, for whom LLVM ends the process.
static void on_fatal(const char *reason) {
    if (way_out) leave(reason);
}
static void on_diagnostic(llvm_ref info, void *context) {
    const struct llvm *l = context;
    if (way_out && l->GetDiagInfoSeverity(info) == ERROR) leave("an error diagnostic");
}
static void on_message(llvm_ref info, void *context) {
    struct llvm_messages *m = context;
    if (m->l->GetDiagInfoSeverity(info) != ERROR || m->errors++) return;
    char *text = m->l->GetDiagInfoDescription(info);
    copy_line(m->first, text ? text : "");
    m->l->DisposeMessage(text);
}

llvm_ref llvm_context(const struct llvm *l) {
    llvm_ref context = l->ContextCreate();
    l->ContextSetDiagnosticHandler(context, on_diagnostic, (void *)(uintptr_t)l);
    return context;
}

llvm_ref llvm_context_with(struct llvm_messages *messages) {
    llvm_ref context = messages->l->ContextCreate();
    messages->l->ContextSetDiagnosticHandler(context, on_message, messages);
    return context;
}

static bool has_given_up(void) { return __atomic_load_n(&gave_up, __ATOMIC_RELAXED); }

static const char *const met_fatal = "LLVM met what it ends processes for";

bool llvm_try_why(void (*work)(void *context), void *context, char why[LLVM_WHY]) {
    struct way_out out = {.why = why};
    if (why) copy_line(why, met_fatal);
    if (has_given_up()) return false;
    way_out = &out;
    if (!setjmp(out.to)) work(context);
    way_out = NULL;
    return !has_given_up();
}

bool llvm_try(void (*work)(void *context), void *context) { return llvm_try_why(work, context, NULL); }

const char *llvm_why_not(void) {
    return has_given_up() ? met_fatal : "there is no LLVM library of the version that this build is for";
}

// ---- Loading ----

const char *llvm_file(const struct llvm *l) {
    Dl_info info;
    void *function;
    memcpy(&function, &l->ContextCreate, sizeof function);
    return dladdr(function, &info) && info.dli_fname && *info.dli_fname == '/' ? info.dli_fname : NULL;
}

bool llvm_is_others(const struct llvm *l) {
    return ((const struct library *)(const void *)l)->is_others; // set before anybody has `l`
}

// Adds an opened library, or finds the entry of the same one. NULL: it is no LLVM, or there are too many;
// *missing is then a function that it lacks, or NULL. Lock: lock.
static struct library *keep(void *opened, bool is_others, const char **missing) {
    struct library found = {.l.library = opened, .is_others = is_others};
    *missing = NULL;
    if (!opened) return NULL;
    *missing = find_common(&found.l);
    for (unsigned i = 0; !*missing && i < library_count; i++)
        if (libraries[i].l.ContextCreate == found.l.ContextCreate) {
            dlclose(opened);
            return &libraries[i];
        }
    if (*missing || library_count == MOST_LIBRARIES) {
        dlclose(opened);
        return NULL;
    }
    found.l.InstallFatalErrorHandler(on_fatal);
    libraries[library_count] = found;
    return &libraries[library_count++];
}

static const char *path_of_environment(void) {
    const char *path = getenv("SOFTWAVE_LLVM");
    return path && *path ? path : NULL;
}

// The library of a version: one that is kept, the environment's if it has that version, or the system's.
// Lock: lock.
static struct library *of_version(unsigned major, const struct llvm_stub *stub, const char **missing) {
    const char *path = path_of_environment();
    struct library *named = path ? keep(dlopen(path, RTLD_NOW | RTLD_LOCAL), true, missing) : NULL;
    if (named && named->l.major == major) return named;
    for (unsigned i = 0; i < library_count; i++)
        if (libraries[i].l.major == major) return &libraries[i];
    bool is_others;
    void *opened = open_version(major, stub, &is_others);
    struct library *library = keep(opened, is_others, missing);
    return library && library->l.major == major ? library : NULL;
}

// LLVM's allocator of registers looks for regions to split live ranges in until a budget of 10,000 is used
// up, for each of hundreds of them: most of the time that long kernels take to compile. A tenth of that gives
// code as fast. Its reduction of strength makes a counter of each address of a loop, of which code for many
// lanes has more than the host has registers: without it the inner loop of a matrix product takes a fifth
// less time, and others as long. Options count for the whole library, so they are set where nobody else uses
// it. LLVM says nothing of options that it does not have, and goes on without them.
static void set_options(const struct library *library) {
    static const char *const options[] = {"softwave", "-grow-region-complexity-budget=1000", "-disable-lsr"};
    if (!library->is_others)
        library->l.ParseCommandLineOptions(sizeof options / sizeof *options, options, "");
}

static bool prepare_native(struct library *library) {
    struct llvm *l = &library->l;
    if (library->native) return true;
    if (find_native(l)) return false;
    l->InitializeX86TargetInfo();
    l->InitializeX86Target();
    l->InitializeX86TargetMC();
    l->InitializeX86AsmPrinter();
    l->InitializeX86AsmParser();
    set_options(library);
    return library->native = true;
}

const struct llvm *llvm_load(unsigned major, const struct llvm_stub *stub) {
    const struct llvm *result = NULL;
    const char *missing;
    pthread_mutex_lock(&lock);
    if (failed != major) {
        struct library *library = of_version(major, stub, &missing);
        if (library && prepare_native(library))
            result = &library->l;
        else
            failed = major;
    }
    pthread_mutex_unlock(&lock);
    return has_given_up() ? NULL : result;
}

// ---- Loading to read ----

static struct library *open_path(const char *path, char why[LLVM_WHY]) {
    const char *missing;
    void *opened = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!opened) {
        const char *text = dlerror();
        snprintf(why, LLVM_WHY, "cannot load LLVM's library: %s", text ? text : path);
        return NULL;
    }
    struct library *library = keep(opened, true, &missing);
    if (!library)
        snprintf(why, LLVM_WHY, "%s is no library of LLVM%s%s", path, missing ? ": it lacks " : "",
                 missing ? missing : "");
    return library;
}

static struct library *open_to_read(const char *path, const struct llvm_stub *stub, char why[LLVM_WHY]) {
    if (!path) path = path_of_environment();
    if (path) return open_path(path, why);
    for (unsigned major = LLVM_READS_FROM; major <= LLVM_READS_UNTIL; major++) {
        const char *missing;
        struct library *library = of_version(major, stub && stub->major == major ? stub : NULL, &missing);
        if (library) return library;
    }
    snprintf(why, LLVM_WHY,
             "reading LLVM IR needs libLLVM.so.%u.1 (apt-get install libllvm%u; --llvm=PATH names another)",
             LLVM_READS_FROM, LLVM_READS_FROM);
    return NULL;
}

static bool prepare_reading(struct library *library, char why[LLVM_WHY]) {
    if (library->reading) return true;
    const char *missing = library->l.major < LLVM_READS_FROM ? NULL : find_reading(&library->l);
    if (library->l.major < LLVM_READS_FROM)
        snprintf(why, LLVM_WHY, "reading LLVM IR needs LLVM %u or newer; this library is LLVM %u",
                 LLVM_READS_FROM, library->l.major);
    else if (missing)
        snprintf(why, LLVM_WHY, "LLVM %u cannot be used to read IR: it lacks %s", library->l.major, missing);
    else
        library->reading = true;
    return library->reading;
}

const struct llvm *llvm_load_to_read(const char *path, const struct llvm_stub *stub, char why[LLVM_WHY]) {
    pthread_mutex_lock(&lock);
    struct library *library = open_to_read(path, stub, why);
    if (library && !prepare_reading(library, why)) library = NULL;
    pthread_mutex_unlock(&lock);
    if (!library || !has_given_up()) return library ? &library->l : NULL;
    copy_line(why, met_fatal);
    return NULL;
}
