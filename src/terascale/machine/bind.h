// SPDX-License-Identifier: MIT
// What program state means for the machine: constants of the stage that runs.
#ifndef TERASCALE_BIND_H
#define TERASCALE_BIND_H

#include "terascale/machine/machine.h"
#include "terascale/object/object.h"

// What the caller sets up; NULL: nothing. And whether addresses of all buffers have 32 bits.
sw_status ts_take_setup(const sw_terascale_setup *from, sw_terascale_setup *to, const sw_sink *sink);
sw_status ts_check_buffers(const sw_terascale_setup *s, const char *name, const sw_sink *sink);
// A function by its name; NULL: the only one that is worth running.
sw_status ts_find_function(const struct ts_object *o, const char *name, const struct ts_symbol **out,
                           const sw_sink *sink);
// What the machine executes, and what CALL_FS calls. False: out of memory.
bool ts_set_program(struct ts_machine *m, const struct ts_object *o, const struct ts_symbol *f);
bool ts_set_fetch_shader(struct ts_machine *m, const struct ts_object *o, const struct ts_symbol *f);
// A wave at its beginning, registers 0; active and valid lanes are the caller's to say.
void ts_reset_wave(struct ts_wave *w, unsigned lanes, unsigned number, struct ts_queue (*queue)[2]);

// Writes what an object sets for a function, then what the caller sets. SW_USAGE: no register at an address.
sw_status ts_write_settings(struct ts_state *s, const struct ts_symbol *f, const char *file,
                            const sw_sink *sink);
sw_status ts_write_callers(struct ts_state *s, const sw_terascale_setting *settings, size_t count,
                           const sw_sink *sink);
// Loop and boolean constants, the constant file and constant buffers of m->stage, where the caller of the
// run gave none.
void ts_bind_state(struct ts_machine *m);

#endif
