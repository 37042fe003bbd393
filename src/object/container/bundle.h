// SPDX-License-Identifier: MIT
// What the writers of bundles share.
#ifndef OBJECT_BUNDLE_H
#define OBJECT_BUNDLE_H

#include "base/diag.h"
#include "base/text.h"
#include "softwave/bundle.h"

sw_status bundle_no_memory(const sw_sink *sink);
sw_status bundle_finish(struct text *t, uint8_t **out, size_t *length, const sw_sink *sink);
// The host part with a section for every part (bundle_object.c).
sw_status bundle_write_object(const sw_bundle_part *parts, size_t count, struct text *t, const sw_sink *sink);

#endif
