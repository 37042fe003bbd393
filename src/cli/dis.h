// SPDX-License-Identifier: MIT
// What `softwave dis` says about the source of code.
#ifndef CLI_DIS_H
#define CLI_DIS_H

#include "dis/listing.h"
#include "softwave/object.h"

// For a section of an object: makes the listing ask for its source, as FILE:LINE, as text, or both.
struct dis_source;
sw_status dis_source_open(struct dis_source **out, const sw_object *object, uint32_t section, bool lines,
                          bool text, struct listing *l);
void dis_source_close(struct dis_source *s);

#endif
