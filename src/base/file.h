// SPDX-License-Identifier: MIT
// Whole files in and out. Output appears complete or not at all.
#ifndef BASE_FILE_H
#define BASE_FILE_H

#include "base/diag.h"

struct file {
    const uint8_t *data; // read-only, mapped where the system can
    size_t size;
    bool mapped;
};

// Opens `path` for reading ("-" is standard input).
sw_status file_open(struct file *f, const char *path, const sw_sink *sink);
void file_close(struct file *f);
// Writes a temporary neighbour and renames it over `path`; "-" goes to standard output.
sw_status file_write(const char *path, const void *data, size_t size, const sw_sink *sink);

#endif
