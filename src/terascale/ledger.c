// SPDX-License-Identifier: MIT
// The fidelity ledger: which operations of a program are known, which rest on memory or on one of two
// readings, and which are not executed.
#include "terascale/ledger.h"

#include <stdlib.h>
#include <string.h>

#include "softwave/terascale.h"
#include "terascale/isa/needs.h"
#include "terascale/machine/bind.h"
#include "terascale/object/object.h"

static const struct {
    uint16_t row;
    const char *why;
} unsure[] = {
#define UNSURE(row, why) {TS_##row, why},
#include "terascale/ledger.def"
#undef UNSURE
};

const char *ts_unsure(const struct ts_row *row) {
    for (unsigned i = 0; i < sizeof unsure / sizeof *unsure; i++)
        if (unsure[i].row == ts_row_number(row)) return unsure[i].why;
    return NULL;
}

static sw_terascale_certainty certainty_of(const struct ts_row *row) {
    return row->gap ? SW_TERASCALE_UNSUPPORTED : ts_unsure(row) ? SW_TERASCALE_UNSURE : SW_TERASCALE_SURE;
}

static int by_name(const void *a, const void *b) {
    const sw_terascale_operation *x = a, *y = b;
    return strcmp(x->name, y->name);
}

sw_status sw_terascale_operations(const uint8_t *object, size_t size, const char *function,
                                  sw_terascale_operation *out, size_t most, size_t *count,
                                  const sw_sink *sink) {
    struct ts_object o;
    struct ts_needs needs;
    const struct ts_symbol *f = NULL;
    *count = 0;
    if (most && out->size < sizeof *out)
        return diag_fail(sink, SW_USAGE, NULL,
                         "sw_terascale_operation.size is not sizeof(sw_terascale_operation)");
    sw_status status = ts_object_open(object, size, NULL, &o, sink);
    if (status) return status;
    status = ts_find_function(&o, function, &f, sink);
    const uint32_t words = status ? 0 : (o.text_size + 7) / 8 - f->value / 8;
    if (!status && !ts_program_needs(o.chip, o.code + f->value / 4, words, &needs))
        status = diag_fail(sink, SW_NO_MEMORY, NULL, "out of memory");
    for (unsigned r = 0; !status && r < TS_ROWS; r++) {
        if (!needs.uses[r]) continue;
        const struct ts_row *row = &ts_rows[r];
        if (*count < most)
            out[*count] = (sw_terascale_operation){.size = sizeof *out,
                                                   .name = ts_row_name(row),
                                                   .certainty = certainty_of(row),
                                                   .why = row->gap ? row->gap : ts_unsure(row)};
        ++*count;
    }
    if (!status && most) qsort(out, *count < most ? *count : most, sizeof *out, by_name);
    ts_object_close(&o);
    return status;
}
