// SPDX-License-Identifier: MIT
// Showing a code object to people and to programs; what `softwave obj` prints.
#ifndef OBJECT_PRINT_H
#define OBJECT_PRINT_H

#include "base/text.h"
#include "softwave/object.h"

// Everything about an object as text, or as members of the JSON object that is open. `kernel` (NULL: all)
// limits the output to one kernel. What is wrong with a descriptor is part of the output.
void print_object(struct text *t, const sw_object *o, const char *kernel);
void print_object_json(struct json *j, const sw_object *o, const char *kernel);

// PAL: pipelines and registers; the registers of the old note.
void print_pal(struct text *t, const sw_object *o);
void print_pal_json(struct json *j, const sw_object *o);
void print_pal_pairs(struct text *t, const sw_object *o, const sw_note *n);

// V2's amd_kernel_code_t; false when the kernel's symbol leads to none.
bool print_kernel_code(struct text *t, const sw_object *o, const sw_kernel *k);
void print_kernel_code_json(struct json *j, const sw_object *o, const sw_kernel *k);
// The GPU state in a core file.
void print_core_state(struct text *t, const sw_note *n);

// The object's line table: a line for each file, or (print_lines) each row as OFFSET FILE:LINE:COLUMN.
void print_line_summary(struct text *t, const sw_object *o);
void print_line_summary_json(struct json *j, const sw_object *o);
sw_status print_lines(struct text *t, const sw_object *o, const sw_sink *sink);

// A metadata tree as YAML, in the form that llvm-readelf prints.
void print_yaml(struct text *t, const sw_node *root);
void print_node_json(struct json *j, const char *key, const sw_node *n);

#endif
