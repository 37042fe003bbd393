// SPDX-License-Identifier: MIT
// The rows as constants, names of values, processors and registers.
#include <string.h>

#include "terascale/isa/table.h"

#define NO                 (-1)
#define OP(r6, r7, eg, cm) .op = {(r6) + 1, (r7) + 1, (eg) + 1, (cm) + 1}
#define NOWHERE            TS_NOWHERE
#define ANY                TS_ANY
#define VEC                TS_VEC
#define TRANS              TS_TRANS
#define ALL                TS_ALL
#define TRIPLE             TS_TRIPLE
#define ON(r6, r7, eg, cm)                                                                                   \
    { r6, r7, eg, cm }
#define ID(name) .id = #name
#define B32      TS_B32
#define F32      TS_F32
#define I32      TS_I32
#define U32      TS_U32
#define F64      TS_F64

// clang-format off
const struct ts_row ts_rows[TS_ROWS] = {
#define CF(name, ops, fmt, ...)  {ID(name), ops, .space = TS_CF_SPACE, .format = TSF_##fmt, __VA_ARGS__},
#define CFA(name, ops, fmt, ...) {ID(name), ops, .space = TS_CFA_SPACE, .format = TSF_##fmt, __VA_ARGS__},
#define EXP(name, ops, fmt, ...) {ID(name), ops, .space = TS_CF_SPACE, .format = TSF_##fmt, __VA_ARGS__},
#define RAT(name, ops, ...)      {ID(name), ops, .space = TS_RAT_SPACE, .format = TSF_CF_ALLOC_EXPORT_RAT, __VA_ARGS__},
#define ALU2(name, ops, on, n, to, from, ...)                                                                \
    {ID(name), ops, .space = TS_OP2_SPACE, .format = TSF_ALU_OP2, .slots = on, .sources = n, .dst = to, .src = from, __VA_ARGS__},
#define ALU3(name, ops, on, n, to, from, ...)                                                                \
    {ID(name), ops, .space = TS_OP3_SPACE, .format = TSF_ALU_OP3, .slots = on, .sources = n, .dst = to, .src = from, __VA_ARGS__},
#define LDS(name, ops, n, ...)   {ID(name), ops, .space = TS_LDS_SPACE, .format = TSF_LDS_IDX_OP, .slots = {0, 0, TS_VEC, TS_VEC}, .sources = n, __VA_ARGS__},
#define TEX(name, mod, ops, ...) {ID(name), ops, .space = TS_TEX_SPACE, .format = TSF_TEX, .inst_mod = mod, __VA_ARGS__},
#define VTX(name, ops, fmt, ...) {ID(name), ops, .space = TS_VTX_SPACE, .format = TSF_##fmt, __VA_ARGS__},
#define MEM(name, ops, fmt, ...) {ID(name), ops, .space = TS_MEM_SPACE, .format = TSF_##fmt, __VA_ARGS__},
#define GDS(name, ops, n, out, ...)                                                                          \
    {ID(name), ops, .space = TS_GDS_SPACE, .format = TSF_MEM_GDS, .sources = n, .returns = out, __VA_ARGS__},
#include "terascale/isa/rows.def"
};
// clang-format on

const char *ts_row_name(const struct ts_row *row) { return row->name ? row->name : row->id; }

// ---- Names of fields and values ----

const char *const ts_field_text[TS_FIELDS] = {
#define FIELD(name, text, values) text,
#include "terascale/isa/fields.def"
#undef FIELD
};
const uint8_t ts_field_values[TS_FIELDS] = {
#define FIELD(name, text, values) TSV_##values,
#include "terascale/isa/fields.def"
#undef FIELD
};

static const struct {
    uint8_t values, number;
    const char *text;
} names[] = {
#define VALUE(values, number, text) {TSV_##values, number, text},
#include "terascale/isa/enums.def"
#undef VALUE
};
enum { NAMES = sizeof names / sizeof *names };

const char *ts_value_name(enum ts_values values, unsigned number) {
    for (unsigned i = 0; values && i < NAMES; i++)
        if (names[i].values == values && names[i].number == number) return names[i].text;
    return NULL;
}

int ts_value_number(enum ts_values values, const char *name, size_t length) {
    for (unsigned i = 0; values && i < NAMES; i++)
        if (names[i].values == values && strlen(names[i].text) == length &&
            !memcmp(names[i].text, name, length))
            return names[i].number;
    return -1;
}

// ---- Processors ----

static const struct ts_chip chips[] = {
#define CHIP(name, family, wave, subentries, fetches, facts)                                                 \
    {name, TS_##family, wave, subentries, fetches, facts},
#include "terascale/isa/chips.def"
#undef CHIP
};

const struct ts_chip *ts_chip_find(const char *name, size_t length) {
    for (unsigned i = 0; i < sizeof chips / sizeof *chips; i++)
        if (strlen(chips[i].name) == length && !memcmp(chips[i].name, name, length)) return &chips[i];
    return NULL;
}

const struct ts_chip *ts_chip_of(const sw_processor *p) {
    const char *name = p ? sw_processor_name(p) : "";
    return ts_chip_find(name, strlen(name));
}

// ---- Registers ----

enum { R6 = 1 << TS_R600, R7 = 1 << TS_R700, EG = 1 << TS_EVERGREEN, CM = 1 << TS_CAYMAN };
const struct ts_register ts_registers[] = {
#define REGISTER(families, offset, name, count, fields) {families, count, offset, name, fields},
#include "terascale/isa/registers.def"
#undef REGISTER
};
const unsigned ts_register_count = sizeof ts_registers / sizeof *ts_registers;

const struct ts_register *ts_register_at(enum ts_family family, uint32_t offset) {
    for (unsigned i = 0; i < ts_register_count; i++) {
        const struct ts_register *r = &ts_registers[i];
        if (r->families >> family & 1 && offset >= r->offset && offset < r->offset + 4u * r->count) return r;
    }
    return NULL;
}
