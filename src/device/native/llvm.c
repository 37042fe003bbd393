// SPDX-License-Identifier: MIT
// Loading LLVM's library when it is first wanted.
#include "device/native/llvm.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct llvm loaded;
static unsigned failed; // the version that was looked for in vain

static void *open_library(unsigned major) {
    // As distributions name it.
    static const char *const names[] = {"libLLVM.so.%u.1", "libLLVM-%u.so.1", "libLLVM-%u.so",
                                        "/usr/lib/llvm-%u/lib/libLLVM.so.1"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char name[64];
        snprintf(name, sizeof name, names[i], major);
        void *library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
        if (library) return library;
    }
    return NULL;
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

const struct llvm *llvm_load(unsigned major) {
    const struct llvm *result = NULL;
    pthread_mutex_lock(&lock);
    if (!loaded.library && failed != major) {
        struct llvm l = {.library = open_library(major)};
        if (l.library && find_all(&l) && l.major == major) {
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
    if (loaded.library && loaded.major == major) result = &loaded;
    pthread_mutex_unlock(&lock);
    return result;
}
