// SPDX-License-Identifier: MIT
// What all parts of the machine share: how it stops, the one space of memory, quads.
#include "terascale/machine/machine.h"

#include <stdarg.h>
#include <stdio.h>

#include "base/bytes.h"
#include "terascale/text/print.h"

// ---- Faults ----

bool ts_stop(struct ts_machine *m, sw_status status, int lane, const char *what) {
    if (m->status) return false;
    char at[160] = "", who[96] = "";
    const struct ts_wave *w = m->wave;
    if (w) {
        struct text t = {0};
        struct ts_insn in;
        if (w->pc < m->words) {
            ts_decode_cf(m->chip->family, m->code + 2 * (size_t)w->pc, &in);
            ts_print_cf(&t, &in);
        }
        snprintf(at, sizeof at, ", at %04u %s", w->pc, t.data && !t.failed ? t.data : "");
        text_free(&t);
        if (lane >= 0)
            snprintf(who, sizeof who, "group %u,%u,%u wave %u lane %d: ", m->group[0], m->group[1],
                     m->group[2], w->number, lane);
        else
            snprintf(who, sizeof who, "group %u,%u,%u wave %u: ", m->group[0], m->group[1], m->group[2],
                     w->number);
    }
    const sw_location place = {.file = m->name};
    m->status = diag_fail(m->sink, status, &place, "%s%s%s", who, what, at);
    return false;
}

bool ts_fault(struct ts_machine *m, int lane, const char *format, ...) {
    char what[200];
    va_list args;
    va_start(args, format);
    vsnprintf(what, sizeof what, format, args);
    va_end(args);
    return ts_stop(m, SW_FAULTED, lane, what);
}

bool ts_refuse(struct ts_machine *m, const char *format, ...) {
    char what[200];
    va_list args;
    va_start(args, format);
    vsnprintf(what, sizeof what, format, args);
    va_end(args);
    return ts_stop(m, SW_UNSUPPORTED, -1, what);
}

// ---- Memory and lanes ----

uint8_t *ts_memory_at(const struct ts_machine *m, uint32_t address, uint32_t size, bool write) {
    for (size_t i = 0; i < m->memory_count; i++) {
        const struct ts_memory *b = &m->memory[i];
        if (address < b->address || !in_range(address - b->address, size, b->size)) continue;
        return !write || b->writable ? b->data + (address - b->address) : NULL;
    }
    return NULL;
}

// All lanes of a quad in which one is active.
uint64_t ts_whole_quads(const struct ts_wave *w, uint64_t lanes) {
    lanes |= lanes >> 1 & 0x7777777777777777u;
    lanes |= lanes >> 2 & 0x3333333333333333u;
    lanes &= 0x1111111111111111u;
    return (lanes * 15) & w->present;
}
