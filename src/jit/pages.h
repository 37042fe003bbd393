// SPDX-License-Identifier: MIT
// Pages for native code and its constants, all of a process within 2 GiB. Thread-safe.
#ifndef JIT_PAGES_H
#define JIT_PAGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Writable pages; NULL: there are none.
void *native_pages(size_t bytes);
// They cannot be written any more, but executed. False: the host forbids it.
bool native_seal(void *pages, size_t bytes, bool executable);
void native_give_back(void *pages, size_t bytes);

#endif
