// SPDX-License-Identifier: MIT
// What a handle for another process holds: a place in a file of this process, which the other opens.
#ifndef HSA_MEMORY_IPC_H
#define HSA_MEMORY_IPC_H

#include "hsa/service/abi.h"

struct ticket {
    uint32_t process, file;
    uint64_t offset, size, inode; // size 0: a signal
};
_Static_assert(sizeof(struct ticket) == sizeof(struct ipc_handle), "a ticket fills a handle");
int ticket_open(const struct ticket *t); // -1: the file is not there, or no longer that one

#endif
