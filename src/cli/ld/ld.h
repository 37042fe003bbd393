// SPDX-License-Identifier: MIT
// `softwave ld` in three parts: ld.c the command, options.c its options, files.c response files, the
// search for libraries, input files.
#ifndef CLI_LD_H
#define CLI_LD_H

#include "base/array.h"
#include "base/file.h"
#include "cli/cli.h"
#include "softwave/link.h"

typedef ARRAY(char *) ld_words;

// Appends `arg`, or the words of the file for "@file", which may name further ones. What ld.lld's link-time
// optimiser would take (--lto-...) is left out. `read` counts the bytes of such files against their limit.
int ld_expand(ld_words *out, const char *arg, size_t *read, int depth);
// The path of -lNAME, to be freed; NULL with a message when no folder has it.
char *ld_find_library(const char *name, char *const *folders, size_t count);

struct ld_inputs {
    ARRAY(sw_link_input) list;
    ARRAY(struct file) files;
    ld_words names;
};
// Opens the file and appends it.
int ld_add_input(struct ld_inputs *in, const char *path, bool whole_archive, bool lazy);
// sw_link_options.open: members of thin archives.
sw_status ld_open_member(void *context, const char *path, const uint8_t **bytes, size_t *length);
void ld_free_inputs(struct ld_inputs *in);

struct ld_request {
    sw_link_options o;
    const char *output;
    ld_words words, folders;
    ARRAY(const char *) undefined, definitions;
    const char *map; // file, or NULL
    int map_status;
    struct ld_inputs in;
    struct file version_script, dynamic_list;
    uint8_t build_id[64];
    bool whole, lazy, saved_whole, print_version, done, no_output;
};

int cmd_ld(int argc, char **argv);
// Takes an option's value; the options about inputs change how the files behind them are taken.
int ld_take(struct ld_request *r, int id, char *value);

#endif
