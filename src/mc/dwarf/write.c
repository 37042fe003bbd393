// SPDX-License-Identifier: MIT
// The order in which debug sections come: frames, the description of the text, the line table.
#include <stdlib.h>

#include "mc/dwarf/dwarf.h"

void dwarf_free(struct program *program) {
    struct dwarf *d = program->dwarf;
    if (!d) return;
    for (struct line_program *p = d->programs; p; p = p->next) array_free(&p->rows);
    for (size_t i = 0; i < d->frames.count; i++) array_free(&d->frames.items[i]->cfi);
    if (d->source) dwarf_free_source(d->source);
    array_free(&d->frames);
    array_free(&d->open_frames);
    array_free(&d->files);
    array_free(&d->directory_names);
    free(d->directories.slots);
}

bool dwarf_write(struct program *program) {
    if (!program->dwarf) return true;
    program->loc_pending = false; // nothing came behind the last .loc
    struct section *here = program->section;
    bool ok = dwarf_write_frames(program) && dwarf_write_source(program) && dwarf_write_lines(program);
    program->section = here;
    return ok;
}
