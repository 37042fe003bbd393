// SPDX-License-Identifier: MIT
// The register file of program state: addresses, names, what is written through an index.
#include "terascale/state/state.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Registers that there are several of, at larger steps than a dword. `first` is that of the row in
// registers.def, whose name has the number 0 last or, of samplers, behind the word SAMPLER.
struct array {
    uint8_t families;
    uint32_t first, words, step, count;
};
enum { R6R7 = 1 << TS_R600 | 1 << TS_R700, EGCM = 1 << TS_EVERGREEN | 1 << TS_CAYMAN };
static const struct array arrays[] = {
    {R6R7, 0x38000, 7, 28, 496},  // resources
    {EGCM, 0x30000, 8, 32, 1008}, //
    {R6R7, 0x3c000, 3, 12, 54},   // samplers
    {EGCM, 0x3c000, 3, 12, 108},  //
    {R6R7, 0x30000, 4, 16, 512},  // the constant file
    {R6R7, 0x0a400, 4, 16, 18},   // borders of PS
    {R6R7, 0x0a600, 4, 16, 18},   // VS
    {R6R7, 0x0a800, 4, 16, 18},   // GS
    {R6R7, 0x0aa00, 1, 4, 18},    // Cleartype kernels
};

// ---- Names ----

static const struct array *array_of(enum ts_family family, uint32_t reg) {
    for (unsigned i = 0; i < sizeof arrays / sizeof *arrays; i++) {
        const struct array *a = &arrays[i];
        if (a->families >> family & 1 && reg >= a->first && reg < a->first + a->step * a->count) return a;
    }
    return NULL;
}

// Where the number 0 of a name stands that counts: behind SAMPLER, else at the end. NULL: it counts nothing.
static const char *number_in(const char *name) {
    const char *sampler = strstr(name, "_SAMPLER");
    if (sampler && sampler[8] == '0') return sampler + 8;
    const size_t n = strlen(name);
    return n > 2 && name[n - 1] == '0' && name[n - 2] == '_' ? name + n - 1 : NULL;
}

const struct ts_register *ts_register_find(enum ts_family family, uint32_t reg, char name[64]) {
    const struct array *a = array_of(family, reg);
    uint32_t n = a ? (reg - a->first) / a->step : 0;
    const struct ts_register *r = ts_register_at(family, a ? reg - n * a->step : reg);
    if (!r) return NULL;
    if (!a) n = (reg - r->offset) / 4;
    const char *at = r->count > 1 || a ? number_in(r->name) : NULL;
    if (at)
        snprintf(name, 64, "%.*s%u%s", (int)(at - r->name), r->name, n, at + 1);
    else
        snprintf(name, 64, "%s", r->name);
    return r;
}

// The number that a name has where the row's has 0; -1: it is not of this row.
static int64_t number_of(const struct ts_register *r, const char *name, size_t length) {
    const char *at = number_in(r->name);
    if (strlen(r->name) == length && !memcmp(r->name, name, length)) return 0;
    if (!at) return -1;
    const size_t before = (size_t)(at - r->name), behind = strlen(at + 1);
    if (length <= before + behind || memcmp(name, r->name, before) ||
        memcmp(name + length - behind, at + 1, behind))
        return -1;
    int64_t n = 0;
    for (size_t i = before; i < length - behind; i++) {
        if (name[i] < '0' || name[i] > '9' || n > 9999) return -1;
        n = 10 * n + name[i] - '0';
    }
    return n;
}

const struct ts_register *ts_register_named(enum ts_family family, const char *name, size_t length,
                                            uint32_t *reg) {
    for (unsigned i = 0; i < ts_register_count; i++) {
        const struct ts_register *r = &ts_registers[i];
        const int64_t n = r->families >> family & 1 ? number_of(r, name, length) : -1;
        if (n < 0) continue;
        const struct array *a = array_of(family, r->offset);
        if (n >= (a ? (int64_t)a->count : r->count)) continue;
        *reg = r->offset + (uint32_t)n * (a ? a->step : 4);
        return r;
    }
    return NULL;
}

// ---- Values ----

struct ts_state *ts_state_new(enum ts_family family) {
    struct ts_state *s = calloc(1, sizeof *s);
    if (s) s->family = family;
    return s;
}

void ts_state_free(struct ts_state *s) { free(s); }

// TD_xS_SAMPLER0_BORDER_INDEX, _RED, _GREEN, _BLUE, _ALPHA of each stage: the colours go to what INDEX says.
static void set_border(struct ts_state *s, uint32_t reg, uint32_t value) {
    const uint32_t first = 0xa400, step = 20, n = (reg - first) / step, part = (reg - first) % step / 4;
    if (n >= TS_SET_FS || !part) return;
    s->border[n][ts_state_get(s, first + n * step) & 31][part - 1] = value;
}

bool ts_state_set(struct ts_state *s, uint32_t reg, uint32_t value) {
    if (reg & 3 || reg < TS_STATE_FIRST || reg >= TS_STATE_END) return false;
    s->value[(reg - TS_STATE_FIRST) / 4] = value;
    if (s->family >= TS_EVERGREEN && reg >= 0xa400 && reg < 0xa400 + 20 * TS_SET_FS)
        set_border(s, reg, value);
    return true;
}

// ---- Stages ----

enum ts_set ts_set_of(enum ts_family family, enum ts_stage stage) {
    switch (stage) {
    case TS_STAGE_PIXEL: return TS_SET_PS;
    case TS_STAGE_GEOMETRY: return TS_SET_GS;
    case TS_STAGE_COMPUTE: return family < TS_EVERGREEN ? TS_SET_VS : TS_SET_CS;
    default: return TS_SET_VS; // ES runs vertex shaders
    }
}

int ts_resource_number(enum ts_family family, enum ts_set set, uint32_t id) {
    // R600 and R700: 160 of each stage and 16 of fetch shaders behind those of VS (R7-21).
    static const uint16_t first[2][TS_SETS] = {{0, 160, 336, 0, 0, 160, 320},
                                               {0, 176, 336, 496, 656, 816, 992}};
    const bool newer = family >= TS_EVERGREEN;
    const uint64_t n = (uint64_t)first[newer][set] + id;
    return n < (newer ? 1008 : 496) ? (int)n : -1;
}

uint32_t ts_resources_register(enum ts_family family, enum ts_stage stage) {
    static const uint32_t registers[2][TS_STAGES] = {{0x28868, 0x28868, 0x28850, 0x2887c, 0x28890},
                                                     {0x288d4, 0x28860, 0x28844, 0x28878, 0x28890}};
    return registers[family >= TS_EVERGREEN][stage];
}
