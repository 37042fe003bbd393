// SPDX-License-Identifier: MIT
// Putting pieces behind each other.
#ifndef DEVICE_NATIVE_JOIN_H
#define DEVICE_NATIVE_JOIN_H

#include "device/native/image.h"
#include "device/translate/program.h"

// Code that stays where it is until nobody runs the program any more.
struct native_region {
    struct native_region *next;
    void *code; // or the records of a stand-in
    size_t bytes;
    size_t records;
};

// Native code for blocks [first, count) of the program, and handlers that lead there. Called with the
// program's lock held. False: no memory for it, or the host forbids it; nothing changed.
bool native_join(struct program *p, const struct image *image, size_t first, size_t count);

// The same where sanitizers look: a record for each op instead of code, and a handler that finds it.
// The kernel's own program of the wave; queue/state.c.
struct program *native_program_of(const struct wave *w);
bool native_stand_in(struct program *p, size_t first, size_t count);

#endif
