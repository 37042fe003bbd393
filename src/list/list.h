// SPDX-License-Identifier: MIT
// Listings of whole objects: the parts of softwave/list.h.
#ifndef LIST_LIST_H
#define LIST_LIST_H

#include "dis/listing.h"
#include "softwave/list.h"

// The source of a section's code: makes the listing ask for it, as FILE:LINE, as text, or both (source.c).
// What is damaged or missing takes nothing from the listing.
struct list_source;
sw_status list_source_open(struct list_source **out, const sw_object *object, uint32_t section,
                           const sw_list_options *options, struct listing *l, const sw_sink *sink);
void list_source_close(struct list_source *s);

// What an instruction reads, writes and does: a line of text, or members of a JSON object (effects.c).
void list_effects(struct text *t, const struct listing *l, const struct insn *in, bool wave32);

#endif
