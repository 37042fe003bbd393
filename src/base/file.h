// SPDX-License-Identifier: MIT
// Whole files in and out. Output appears complete or not at all.
#ifndef BASE_FILE_H
#define BASE_FILE_H

#include <stdio.h>

#include "base/diag.h"

struct file {
    const uint8_t *data; // read-only, mapped where the system can
    size_t size;
    bool mapped;
    bool too_long; // why it could not be opened
};

// What is no regular file (standard input, pipes, devices) may have no end: so much of it is read at the
// most.
enum { FILE_STREAM_MOST = 1 << 30, FILE_TEXT_MOST = 1 << 28, FILE_WORDS_MOST = 1 << 24 };

// Opens `path` for reading ("-" is standard input).
sw_status file_open(struct file *f, const char *path, const sw_sink *sink);
// The same with a limit of its own for streams, and for regular files as well if `whole`.
sw_status file_open_most(struct file *f, const char *path, size_t most, bool whole, const sw_sink *sink);
// The first `most` bytes of a stream, all of a regular file.
sw_status file_open_begin(struct file *f, const char *path, size_t most, const sw_sink *sink);
void file_close(struct file *f);
// Writes a temporary neighbour and renames it over `path`, whose permissions it takes; "-" goes to standard
// output. Signals that end a program wait meanwhile, so that none leaves the temporary file behind.
sw_status file_write(const char *path, const void *data, size_t size, const sw_sink *sink);

// A file that is written piece by piece through `stream`. It appears, or replaces what was there, when it is
// closed with `keep` and all of it could be written. A program that ends before leaves nothing behind where
// the file system has files without a name. Standard output ("-"), devices and pipes are written as it goes.
struct file_output {
    FILE *stream;
    char *place, *temporary; // NULL: written where it is
    unsigned mode;
};
sw_status file_output_open(struct file_output *o, const char *path, const sw_sink *sink);
// `path` is for messages. SW_BAD_INPUT: it could not be written. Does nothing if it was never opened.
sw_status file_output_close(struct file_output *o, const char *path, bool keep, const sw_sink *sink);

#endif
