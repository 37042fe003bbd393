// SPDX-License-Identifier: MIT
// Code objects on their way onto agents, as the files of this room see them.
#ifndef HSA_CODE_EXECUTABLE_H
#define HSA_CODE_EXECUTABLE_H

#include <pthread.h>

#include "hsa/code/code.h"

struct reader {
    struct reader *next;
    const uint8_t *bytes;
    uint64_t size, mapped; // mapped: of a file, to be unmapped
    const void *map;
    uint32_t storage;
    char *uri;
};
struct definition { // of a variable, by the program
    char *name;
    uint64_t address;
    struct agent *agent; // NULL: of all
    bool readonly;
    struct symbol symbol;
};
struct executable {
    struct executable *next;
    bool frozen;
    int profile, rounding;
    struct loaded *loaded;
    ARRAY(struct definition *) definitions;
};

extern pthread_rwlock_t executables_lock;
extern struct executable *executables;
extern struct reader *readers;

// Called with the lock held.
struct executable *executable_of(handle_t handle);
struct reader *reader_of(handle_t handle);
status executable_load(struct executable *e, struct agent *a, const uint8_t *bytes, uint64_t size,
                       uint32_t storage, const char *uri, struct loaded **out);
void executable_free(struct executable *e);
status hsa_code_object_reader_destroy(handle_t handle);
char *memory_uri(const void *bytes, uint64_t size);
struct symbol *symbol_of(handle_t handle); // NULL: none of a live executable

#endif
