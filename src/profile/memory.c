// SPDX-License-Identifier: MIT
// What loads, stores and atomics of a wave ask of memory: how many bytes, how many 64-byte lines these lie
// in, and of LDS, how often lanes want different dwords of one bank. Images, scratch, typed and swizzled
// buffers and the second address of DS are not looked at.
#include <stdlib.h>
#include <string.h>

#include "profile/profile.h"

enum { BANKS = 32, LINE = 64 };

// ---- Decoding ----

static int code_of(const sw_operand *all, size_t count, const char *field) {
    for (size_t i = 0; i < count; i++)
        if (all[i].field && !strcmp(all[i].field, field))
            return all[i].kind == SW_OPERAND_VGPR || all[i].kind == SW_OPERAND_SGPR ||
                           (all[i].kind == SW_OPERAND_SPECIAL && all[i].count)
                       ? all[i].code
                       : -1;
    return -1;
}

static unsigned registers_of(const sw_operand *all, size_t count, const char *field) {
    for (size_t i = 0; i < count; i++)
        if (all[i].field && !strcmp(all[i].field, field)) return all[i].count;
    return 0;
}

// Of a buffer: a constant in the place of a register.
static int64_t constant_of(const sw_operand *all, size_t count, const char *field) {
    for (size_t i = 0; i < count; i++)
        if (all[i].field && !strcmp(all[i].field, field) && all[i].kind == SW_OPERAND_INLINE)
            return all[i].value;
    return 0;
}

static int64_t field(const struct site *s, const sw_isa_mode *mode, const char *name) {
    int64_t v;
    return sw_insn_field(mode, &s->insn, name, &v) ? v : 0;
}

void memory_decode(struct site *s, const sw_isa_mode *mode) {
    struct memory_site *m = &s->memory;
    sw_operand all[SW_MAX_OPERANDS];
    const size_t count = sw_insn_operands(mode, &s->insn, all, SW_MAX_OPERANDS, sizeof *all);
    const char *format = sw_insn_format_name(&s->insn);
    if (s->flags & SW_INSN_ATOMIC && !m->bytes) {
        const unsigned data = registers_of(all, count, s->flags & SW_INSN_LDS ? "data0" : "vdata");
        m->bytes = (uint8_t)(4 * (data ? data : 1));
    }
    if (!(s->flags & (SW_INSN_LOAD | SW_INSN_STORE | SW_INSN_ATOMIC)) || !m->bytes) return;
    m->vaddr = code_of(all, count, s->flags & SW_INSN_LDS ? "addr" : "vaddr");
    m->saddr = code_of(all, count, "saddr");
    m->srsrc = m->soffset = -1;
    m->offset = field(s, mode, "offset");
    if (s->flags & SW_INSN_LDS) {
        m->offset = field(s, mode, "offset0") | field(s, mode, "offset1") << 8;
        if (m->vaddr >= 0 && !field(s, mode, "gds")) m->kind = MEMORY_LDS;
    } else if (s->flags & SW_INSN_FLAT) {
        m->vaddr64 = registers_of(all, count, "vaddr") == 2;
        if (format && strcmp(format, "SCRATCH") && (m->vaddr64 || m->saddr >= 0)) m->kind = MEMORY_GLOBAL;
    } else if (s->flags & SW_INSN_BUFFER && format && !strcmp(format, "MUBUF")) {
        m->srsrc = code_of(all, count, "srsrc");
        m->soffset = code_of(all, count, "soffset");
        if (m->soffset < 0) m->offset += constant_of(all, count, "soffset");
        m->idxen = field(s, mode, "idxen") != 0;
        m->offen = field(s, mode, "offen") != 0;
        if (m->srsrc >= 0 && !field(s, mode, "addr64") && !field(s, mode, "lds")) m->kind = MEMORY_BUFFER;
    }
}

// ---- Counting ----

static uint32_t scalar(const sw_step *step, int code) {
    const uint32_t *r = sw_step_register(step, (unsigned)code);
    return r ? *r : 0;
}
static uint64_t scalar_pair(const sw_step *step, int code) {
    return scalar(step, code) | (uint64_t)scalar(step, code + 1) << 32;
}
static uint32_t lane_of(const sw_step *step, int code, unsigned lane) {
    const uint32_t *r = code < 0 ? NULL : sw_step_register(step, (unsigned)code);
    return r ? r[lane] : 0;
}

// Addresses of the active lanes; how many. What goes elsewhere (flat addresses of LDS and scratch) is left
// out.
static unsigned addresses(const struct memory_site *m, const sw_step *step, uint64_t out[64]) {
    unsigned n = 0;
    uint64_t base = (uint64_t)m->offset, stride = 0;
    if (m->kind == MEMORY_BUFFER) {
        const uint32_t high = scalar(step, m->srsrc + 1);
        if (high >> 31) return 0; // swizzled
        base += scalar(step, m->srsrc) | (uint64_t)(high & 0xffff) << 32;
        stride = high >> 16 & 0x3fff;
        if (m->soffset >= 0) base += scalar(step, m->soffset);
    } else if (m->saddr >= 0)
        base += scalar_pair(step, m->saddr);
    for (unsigned lane = 0; lane < step->lanes; lane++) {
        if (!(step->exec >> lane & 1)) continue;
        uint64_t a = base;
        if (m->kind == MEMORY_BUFFER) {
            if (m->idxen) a += stride * lane_of(step, m->vaddr, lane);
            if (m->offen) a += lane_of(step, m->vaddr + m->idxen, lane);
        } else {
            a += lane_of(step, m->vaddr, lane);
            if (m->vaddr64) a += (uint64_t)lane_of(step, m->vaddr + 1, lane) << 32;
        }
        if (m->kind == MEMORY_GLOBAL && a >> 48) continue;
        out[n++] = a;
    }
    return n;
}

static int by_value(const void *a, const void *b) {
    const uint64_t *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

static uint64_t lines_of(uint64_t *a, unsigned n, unsigned bytes) {
    uint64_t lines = 0, next = 0; // the first line that is not counted
    qsort(a, n, sizeof *a, by_value);
    for (unsigned i = 0; i < n; i++) {
        uint64_t first = a[i] / LINE, last = (a[i] + bytes - 1) / LINE;
        if (first < next) first = next;
        if (last + 1 > first) lines += last + 1 - first, next = last + 1;
    }
    return lines;
}

// Lanes are served together as far as they ask for a dword of each bank: 32 of them for dwords, 16 for pairs.
static uint64_t conflicts(const uint64_t *a, unsigned n, unsigned bytes) {
    const unsigned dwords = bytes < 4 ? 1 : bytes / 4, together = BANKS / dwords ? BANKS / dwords : 1;
    uint64_t more = 0;
    for (unsigned first = 0; first < n; first += together) {
        uint64_t seen[BANKS * 4];
        unsigned in_bank[BANKS] = {0}, most = 1, count = 0;
        for (unsigned i = first; i < n && i < first + together; i++)
            for (unsigned d = 0; d < dwords && count < sizeof seen / sizeof *seen; d++) {
                const uint64_t dword = a[i] / 4 + d;
                unsigned k = 0;
                while (k < count && seen[k] != dword) k++;
                if (k < count) continue;
                seen[count++] = dword;
                if (++in_bank[dword % BANKS] > most) most = in_bank[dword % BANKS];
            }
        more += most - 1;
    }
    return more;
}

void memory_count(struct site *s, const sw_step *step) {
    uint64_t a[64];
    const struct memory_site *m = &s->memory;
    const unsigned n = addresses(m, step, a);
    s->counts.asked += (uint64_t)n * m->bytes;
    if (m->kind == MEMORY_LDS)
        s->counts.conflicts += conflicts(a, n, m->bytes);
    else
        s->counts.touched += LINE * lines_of(a, n, m->bytes);
}
