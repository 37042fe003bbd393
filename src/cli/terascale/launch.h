// SPDX-License-Identifier: MIT
// A program of the R600 family with its buffers and arguments, as `run` and `draw` take them.
#ifndef CLI_TERASCALE_LAUNCH_H
#define CLI_TERASCALE_LAUNCH_H

#include "cli/run/run.h"
#include "cli/terascale/terascale.h"

enum { ARGUMENTS_MOST = 4096 };
struct launch {
    struct run run;
    const struct run_settings *o;
    const uint8_t *object;
    uint8_t *made; // the object, where it was assembled here
    size_t size;
    uint8_t arguments[ARGUMENTS_MOST];
    size_t length;
    uint32_t lds;                       // of the function, then with what arguments add
    ARRAY(sw_terascale_buffer) buffers; // at 32-bit addresses, as in run.buffers
};

// Takes an object, or assembles a text for o->target. The file stays open as long as the launch.
sw_status launch_open(struct launch *l, const struct file *f, const struct run_settings *o);
// Makes the buffers and arguments that the job names.
sw_status launch_place(struct launch *l, const struct job *j);
// How sure the operations of this function are.
sw_status launch_show_fidelity(const struct launch *l, const char *name, struct text *t);
void launch_close(struct launch *l);

#endif
