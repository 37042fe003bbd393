// SPDX-License-Identifier: MIT
// Random kernels at all tiers: the interpreter, stencils and LLVM leave the same memory and the same fault,
// on every processor in turn, at every vector level that has compiled code, with guarded memory and without.
//
//     tiers SECONDS [SEED [PROCESSOR]]
//
// Kernels are text of our assembler. They work on what compiled code makes assumptions of: ids that count up,
// sums, shifts and masks of them, lane masks that live in any 16-lane part of the wave alone, selects, EXEC,
// loops, memory at addresses from all of these, atomics and divisions. Every register that a kernel reads was
// written before, so nothing of it is undefined. The end says what was drawn: processors, wave sizes, guard,
// parts of masks, wave loop. Exit code 1: tiers differ, or something that was to be drawn was not.
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "device/device.h"
#include "isa/isa.h"
#include "rig.h"
#include "torture/torture.h"

enum { REGISTERS = 8, MASKS = 4, GROUP = 256, ITEMS = 2 * GROUP, TABLE = 1024, TEXT = 1 << 15 };
enum { DRAWS_FOR_ALL = 40 }; // after so many rounds of all processors, everything must have been drawn

// ---- What a processor calls things ----

struct dialect {
    const char *name;
    bool has_wave32, has_wave64;
    const char *add, *subtract, *carry; // `carry`: what stands behind vdst
    const char *add_co, *add_ci;        // with a carry out into VCC; with one in as well
    const char *load, *store;           // of memory at s[4:5] plus a byte offset in a VGPR; printf formats
    const char *to_lds, *from_lds;      // the same of LDS at a byte offset in a VGPR
    const char *atomic; // an operation on memory at s[6:7] plus an offset, and what it has behind
    bool old_atomics;   // whose names say no type
    bool by_buffer, has_dpp, has_bcast, has_share, has_not1, has_loadcnt, has_split_barriers;
    const struct sw_processor *p;
    unsigned drawn, wave[2], guarded[2];
};

// Processors with both wave sizes take waves of 64 only where the assembler is told.
static sw_object *object_of(const char *processor, const char *text, const char *features, uint8_t **image) {
    sw_asm_options o = {.size = sizeof o, .os = SW_OS_AMDHSA, .no_files = true, .features = features};
    size_t size = 0;
    sw_object *object = NULL;
    *image = NULL;
    if (sw_target_parse(processor, strlen(processor), &o.target, NULL) == SW_OK &&
        sw_assemble(text, strlen(text), &o, image, &size, NULL) == SW_OK)
        sw_object_open(*image, size, NULL, &object, NULL);
    return object;
}
static bool assembles(const char *processor, const char *features, const char *line) {
    uint8_t *image;
    sw_object *object = object_of(processor, line, features, &image);
    sw_object_close(object);
    sw_free(image);
    return object;
}
static bool find_dialect(struct dialect *d, const char *processor) {
    *d = (struct dialect){.name = processor};
    d->has_wave32 = assembles(processor, "+wavefrontsize32", "s_endpgm");
    d->has_wave64 = !d->has_wave32 || assembles(processor, "+wavefrontsize64", "s_endpgm");
    const char *w64 = d->has_wave32 && d->has_wave64 ? "+wavefrontsize64" : NULL;
    if (assembles(processor, w64, "v_add_nc_u32 v0, v1, v2"))
        d->add = "v_add_nc_u32", d->subtract = "v_sub_nc_u32", d->carry = "";
    else if (assembles(processor, w64, "v_add_u32 v0, v1, v2"))
        d->add = "v_add_u32", d->subtract = "v_sub_u32", d->carry = "";
    else if (assembles(processor, w64, "v_add_u32 v0, vcc, v1, v2"))
        d->add = "v_add_u32", d->subtract = "v_sub_u32", d->carry = " vcc,";
    else
        d->add = "v_add_i32", d->subtract = "v_sub_i32", d->carry = " vcc,";
    if (assembles(processor, w64, "global_load_b32 v0, v1, s[4:5]"))
        d->load = "global_load_b32 v%u, v%u, s[4:5]\n", d->store = "global_store_b32 v%u, v%u, s[6:7]\n";
    else if (assembles(processor, w64, "global_load_dword v0, v1, s[4:5]"))
        d->load = "global_load_dword v%u, v%u, s[4:5]\n", d->store = "global_store_dword v%u, v%u, s[6:7]\n";
    else
        d->by_buffer = true, d->load = "buffer_load_dword v%u, v%u, s[36:39], 0 offen\n",
        d->store = "buffer_store_dword v%u, v%u, s[40:43], 0 offen\n";
    d->old_atomics = !assembles(processor, w64, "global_atomic_add_u32 v0, v1, s[6:7]");
    d->atomic = d->by_buffer ? "buffer_%s v%u, v%u, s[40:43], 0 offen\n" : "global_%s v%u, v%u, s[6:7]\n";
    const bool new_lds = assembles(processor, w64, "ds_load_b32 v0, v1");
    d->to_lds = new_lds ? "ds_store_b32 v%u, v%u\n" : "ds_write_b32 v%u, v%u\n";
    d->from_lds = new_lds ? "ds_load_b32 v%u, v%u\n" : "ds_read_b32 v%u, v%u\n";
    static const char *const carries[][2] = {
        {"v_add_co_u32", "v_add_co_ci_u32"}, {"v_add_co_u32", "v_addc_co_u32"}, {"v_add_u32", "v_addc_u32"}};
    d->add_co = "v_add_i32", d->add_ci = "v_addc_u32";
    for (size_t i = 3; i--;) {
        const char *vcc = d->has_wave64 ? "vcc" : "vcc_lo";
        char line[96];
        snprintf(line, sizeof line, "%s v0, %s, s1, v1\n%s v0, %s, 0, v1, %s", carries[i][0], vcc,
                 carries[i][1], vcc, vcc);
        if (assembles(processor, w64, line)) d->add_co = carries[i][0], d->add_ci = carries[i][1];
    }
    d->p = sw_processor_find(processor, strlen(processor));
    d->has_not1 = assembles(processor, w64, "s_and_not1_b32 s0, s1, s2");
    d->has_loadcnt = assembles(processor, w64, "s_wait_loadcnt 0x0");
    d->has_split_barriers = assembles(processor, w64, "s_barrier_wait -1");
    d->has_dpp =
        assembles(processor, w64, "v_mov_b32_dpp v0, v1 quad_perm:[1,0,3,2] row_mask:0xf bank_mask:0xf");
    d->has_bcast = assembles(processor, w64, "v_mov_b32_dpp v0, v1 row_bcast:15 row_mask:0xf bank_mask:0xf");
    d->has_share = assembles(processor, w64, "v_mov_b32_dpp v0, v1 row_share:1 row_mask:0xf bank_mask:0xf");
    return d->has_wave32 || d->has_wave64;
}

// ---- Text ----

struct text {
    char all[TEXT];
    size_t count;
    const struct dialect *d;
    bool wave32;
    unsigned columns; // of the group; 0: it is a line
    unsigned labels, depth;
    bool barriers;
};
static unsigned atomics_drawn, divisions_drawn, changed_drawn; // `changed`: operands of steps of divisions
static unsigned barriers_drawn;                                // not as often as waves come to them
static unsigned parts_drawn[2][4], lone_parts_drawn[2][4];     // of lane masks, by wave size

__attribute__((format(printf, 2, 3))) static void put(struct text *t, const char *format, ...) {
    va_list list;
    va_start(list, format);
    const int n = vsnprintf(t->all + t->count, TEXT - t->count, format, list);
    va_end(list);
    if (n > 0 && t->count + (size_t)n < TEXT) t->count += (size_t)n;
}

// Data registers are v[10..], masks s[20..], scalars s[28..]; v0 is the id in the row of the group, v1 in the
// grid.
static unsigned data(void) { return 10 + below(REGISTERS); }
static unsigned scalar(void) { return 28 + below(4); }
static const char *mask_of(const struct text *t, unsigned n, char out[16]) {
    if (t->wave32)
        snprintf(out, 16, "s%u", 20 + 2 * n);
    else
        snprintf(out, 16, "s[%u:%u]", 20 + 2 * n, 21 + 2 * n);
    return out;
}
static const char *mask_type(const struct text *t) { return t->wave32 ? "b32" : "b64"; }
static const char *exec(const struct text *t) { return t->wave32 ? "exec_lo" : "exec"; }
static const char *vcc(const struct text *t) { return t->wave32 ? "vcc_lo" : "vcc"; }

// A number: often a small one, a power of two, or one less.
static uint32_t some_number(void) {
    switch (below(5)) {
    case 0: return below(65);
    case 1: return 1u << below(32);
    case 2: return (1u << below(32)) - 1;
    case 3: return 0u - below(20);
    default: return next_random();
    }
}
// A source of a vector instruction: a register, sometimes a scalar or a number.
static const char *source(char out[16]) {
    switch (below(6)) {
    case 0: snprintf(out, 16, "%u", below(65)); break;
    case 1: snprintf(out, 16, "s%u", scalar()); break;
    case 2: snprintf(out, 16, "v%u", below(2)); break; // ids
    default: snprintf(out, 16, "v%u", data());
    }
    return out;
}

// Lanes of one part alone, half of the time; else of several.
static uint64_t some_lanes(const struct text *t) {
    const unsigned parts = t->wave32 ? 2 : 4;
    uint64_t lanes = 0;
    if (below(2)) {
        const unsigned part = below(parts);
        lanes = 0xffffull << 16 * part;
        lone_parts_drawn[t->wave32][part]++;
        if (below(3) == 0) lanes &= (uint64_t)next_random() << 16 * part | lanes << 1;
    } else if (below(4)) {
        for (unsigned part = 0; part < parts; part++)
            if (below(2)) lanes |= 0xffffull << 16 * part;
    } else
        lanes = (uint64_t)next_random() << 32 | next_random();
    for (unsigned part = 0; part < parts; part++)
        parts_drawn[t->wave32][part] += (lanes >> 16 * part & 0xffff) != 0;
    return lanes;
}
static void put_lanes(struct text *t, unsigned mask, uint64_t lanes) {
    put(t, "s_mov_b32 s%u, 0x%x\n", 20 + 2 * mask, (uint32_t)lanes);
    if (!t->wave32) put(t, "s_mov_b32 s%u, 0x%x\n", 21 + 2 * mask, (uint32_t)(lanes >> 32));
}

static void put_wait(struct text *t) {
    put(t, t->d->has_loadcnt ? "s_wait_loadcnt 0x0\ns_wait_storecnt 0x0\ns_wait_kmcnt 0x0\n"
                             : "s_waitcnt vmcnt(0) lgkmcnt(0)\n");
    if (t->d->has_loadcnt) put(t, "s_wait_dscnt 0x0\n");
}

// ---- Instructions ----

static void put_arithmetic(struct text *t) {
    static const char *const binary[] = {"v_and_b32",     "v_or_b32",      "v_xor_b32",     "v_mul_u32_u24",
                                         "v_min_u32",     "v_max_u32",     "v_min_i32",     "v_max_i32",
                                         "v_mul_i32_i24", "v_lshlrev_b32", "v_lshrrev_b32", "v_ashrrev_i32",
                                         "v_lshlrev_b32", "v_and_b32"};
    char a[16];
    const unsigned d = data();
    switch (below(8)) {
    case 0:
    case 1:
        put(t, "%s v%u,%s %s, v%u\n", below(2) ? t->d->add : t->d->subtract, d, t->d->carry, source(a),
            data());
        break;
    case 2: put(t, "v_mul_lo_u32 v%u, v%u, v%u\n", d, data(), data()); break;
    case 3:
        put(t, "v_bfe_%s v%u, v%u, %u, %u\n", below(2) ? "u32" : "i32", d, data(), below(32), below(33));
        break;
    case 4: {
        const unsigned n = below(2) ? below(33) : 0;
        if (n)
            put(t, "v_lshlrev_b32 v%u, %u, v%u\n", d, n & 31, below(2) ? data() : 0);
        else
            put(t, "v_and_b32 v%u, 0x%x, v%u\n", d, some_number(), data());
        break;
    }
    case 5: put(t, "v_alignbit_b32 v%u, v%u, v%u, %u\n", d, data(), data(), below(32)); break;
    default: put(t, "%s v%u, %s, v%u\n", binary[below(14)], d, source(a), data());
    }
}
static void put_compare(struct text *t) {
    static const char *const relations[] = {"eq", "ne", "lt", "le", "gt", "ge"};
    char a[16], m[16];
    const char *type = below(2) ? "u32" : "i32", *relation = relations[below(6)];
    if (below(2))
        put(t, "v_cmp_%s_%s %s, %s, v%u\n", relation, type, vcc(t), source(a), data());
    else // two registers: constants have less room there
        put(t, "v_cmp_%s_%s_e64 %s, v%u, v%u\n", relation, type, mask_of(t, below(MASKS), m),
            below(2) ? data() : 0, data());
}
// Bits of ids that alternate, as conditions.
static void put_bit(struct text *t) {
    const unsigned d = data();
    put(t, "v_and_b32 v%u, 0x%x, v%u\n", d, 1u << below(7), below(2));
    put(t, "v_cmp_%s_u32 %s, 0, v%u\n", below(2) ? "ne" : "eq", vcc(t), d);
}
static void put_masks(struct text *t) {
    static const char *const ops[] = {"s_and", "s_or", "s_xor", "s_andn2", "s_orn2", "s_nand"};
    static const char *const new_ops[] = {"s_and", "s_or", "s_xor", "s_and_not1", "s_or_not1", "s_nand"};
    char a[16], b[16], c[16];
    const unsigned m = below(MASKS);
    switch (below(5)) {
    case 0: put_lanes(t, m, some_lanes(t)); return;
    case 1: put(t, "s_mov_%s %s, %s\n", mask_type(t), mask_of(t, m, a), vcc(t)); return;
    case 2: put(t, "s_mov_%s %s, %s\n", mask_type(t), vcc(t), mask_of(t, m, a)); return;
    case 3:
        put_lanes(t, m, some_lanes(t));
        put(t, "s_and_%s %s, %s, %s\n", mask_type(t), vcc(t), vcc(t), mask_of(t, m, a));
        return;
    default:
        put(t, "%s_%s %s, %s, %s\n", (t->d->has_not1 ? new_ops : ops)[below(6)], mask_type(t),
            below(2) ? vcc(t) : mask_of(t, m, a), mask_of(t, below(MASKS), b),
            below(2) ? vcc(t) : mask_of(t, below(MASKS), c));
    }
}
static void put_select(struct text *t) {
    char m[16];
    if (below(2))
        put(t, "v_cndmask_b32 v%u, v%u, v%u, %s\n", data(), data(), data(), vcc(t));
    else
        put(t, "v_cndmask_b32_e64 v%u, v%u, v%u, %s\n", data(), below(2) ? data() : 0, data(),
            mask_of(t, below(MASKS), m));
}
static void put_scalar(struct text *t) {
    static const char *const ops[] = {"s_add_u32", "s_sub_u32", "s_and_b32", "s_or_b32",
                                      "s_xor_b32", "s_mul_i32", "s_lshl_b32"};
    switch (below(4)) {
    case 0: put(t, "v_readfirstlane_b32 s%u, v%u\n", scalar(), data()); break;
    case 1: put(t, "v_readlane_b32 s%u, v%u, %u\n", scalar(), data(), below(t->wave32 ? 32 : 64)); break;
    case 2: put(t, "s_mov_b32 s%u, 0x%x\n", scalar(), some_number()); break;
    default: put(t, "%s s%u, s%u, s%u\n", ops[below(7)], scalar(), scalar(), scalar());
    }
}
static void put_dpp(struct text *t) {
    static const char *const rows[] = {"row_shl", "row_shr", "row_ror"},
                             *const shared[] = {"row_share", "row_xmask"}, *const across[] = {"row_bcast:15",
                                                                                              "row_bcast:31",
                                                                                              "wave_shl:1",
                                                                                              "wave_shr:1",
                                                                                              "wave_rol:1",
                                                                                              "wave_ror:1"};
    const unsigned kind = below(5);
    put(t, "v_mov_b32_dpp v%u, v%u ", data(), data());
    if (kind == 3 && t->d->has_share) { // those of GFX10 and later
        put(t, "dpp8:[%u,%u,%u,%u,%u,%u,%u,%u]\n", below(8), below(8), below(8), below(8), below(8), below(8),
            below(8), below(8));
        return;
    }
    if (kind == 0)
        put(t, "%s", below(2) ? "row_mirror" : "row_half_mirror");
    else if (kind == 1)
        put(t, "%s:%u", rows[below(3)], 1 + below(15));
    else if (kind == 2 && t->d->has_bcast)
        put(t, "%s", across[below(6)]);
    else if (kind == 2 && t->d->has_share)
        put(t, "%s:%u", shared[below(2)], below(16));
    else
        put(t, "quad_perm:[%u,%u,%u,%u]", below(4), below(4), below(4), below(4));
    const bool all = below(2);
    put(t, " row_mask:0x%x bank_mask:0x%x%s\n", all ? 15 : 1 + below(15), all ? 15 : 1 + below(15),
        below(2) ? " bound_ctrl:0" : "");
}
static void put_lane(struct text *t) {
    switch (below(3)) {
    case 0: put(t, "v_writelane_b32 v%u, s%u, %u\n", data(), scalar(), below(t->wave32 ? 32 : 64)); break;
    case 1: put(t, "v_mov_b32 v%u, v%u\n", data(), below(2)); break;
    default:
        if (t->d->has_dpp) put_dpp(t);
    }
}
// An index into the table from any register, and the dword there; or the item's own place, or one beside it.
static void put_load(struct text *t) {
    const unsigned index = 18, d = data();
    switch (below(4)) {
    case 0: put(t, "v_and_b32 v%u, 0x%x, v%u\n", index, (TABLE - 1), data()); break;
    case 1: put(t, "v_and_b32 v%u, 0x%x, v%u\n", index, some_number() & (TABLE - 1), data()); break;
    case 2: put(t, "v_mov_b32 v%u, v%u\n", index, below(2)); break;
    default: put(t, "%s v%u,%s %u, v1\n", t->d->add, index, t->d->carry, below(64));
    }
    put(t, "v_lshlrev_b32 v%u, 2, v%u\n", index, index);
    put(t, t->d->load, d, index);
    put_wait(t);
}
static void put_store(struct text *t) { // own memory, in any of its places
    put(t, "v_mov_b32 v18, %u\n", 4 * below(16));
    put(t, "%s v18,%s v18, v2\n", t->d->add, t->d->carry);
    put(t, t->d->store, t->d->by_buffer ? data() : 18, t->d->by_buffer ? 18 : data());
}

// On own memory, or on a dword that other lanes, waves and groups change, too.
static void put_atomic(struct text *t) {
    static const char *const old[] = {"atomic_add", "atomic_sub", "atomic_and",  "atomic_or",  "atomic_xor",
                                      "atomic_inc", "atomic_dec", "atomic_umin", "atomic_smax"};
    static const char *const new[] = {"atomic_add_u32", "atomic_sub_u32", "atomic_and_b32",
                                      "atomic_or_b32",  "atomic_xor_b32", "atomic_inc_u32",
                                      "atomic_dec_u32", "atomic_min_u32", "atomic_max_i32"};
    const unsigned operation = below(9), value = data();
    if (below(2)) {
        put(t, "v_mov_b32 v18, %u\n%s v18,%s v18, v2\n", 4 * below(16), t->d->add, t->d->carry);
    } else {
        put(t, "v_and_b32 v18, 0x%x, v%u\n", some_number() & 1023, data());
        put(t, "v_lshlrev_b32 v18, 2, v18\n%s v18,%s 0x%x, v18\n", t->d->add, t->d->carry, 64 * ITEMS);
    }
    atomics_drawn++;
    put(t, t->d->atomic, t->d->old_atomics ? old[operation] : new[operation], t->d->by_buffer ? value : 18,
        t->d->by_buffer ? 18 : value);
}

// An operand of a step of a division: mostly as it is.
static const char *changed(unsigned reg, bool takes_abs, char out[16]) {
    const unsigned how = below(12);
    snprintf(out, 16, how == 0 ? "-v%u" : how == 1 && takes_abs ? "|v%u|" : "v%u", reg);
    changed_drawn += how == 0 || (how == 1 && takes_abs);
    return out;
}
static void put_fma(struct text *t, unsigned d, const char *sign, unsigned a, unsigned b, const char *c) {
    char x[16];
    put(t, "v_fma_f32 v%u, %sv%u, %s, %s%s\n", d, sign, a, changed(b, true, x), c,
        below(16)  ? ""
        : below(2) ? " clamp"
                   : " mul:2");
}
// A division as compilers write it, of any two registers: mostly of numbers in the middle of the range. Its
// own registers are v6 to v9 and v19.
static void put_division(struct text *t) {
    char a[16], b[16], c[16], third[16];
    const unsigned n = data(), d = data();
    divisions_drawn++;
    if (below(4)) put(t, "v_cvt_f32_i32 v%u, v%u\n", n, n);
    if (below(4)) put(t, "v_cvt_f32_u32 v%u, v%u\n", d, d);
    put(t, "v_div_scale_f32 v6, %s, %s, %s, %s\n", vcc(t), changed(d, false, a), changed(d, false, b),
        changed(n, false, c));
    put(t, "v_div_scale_f32 v7, %s, %s, %s, %s\n", vcc(t), changed(n, false, a), changed(d, false, b),
        changed(n, false, c));
    put(t, "v_rcp_f32 v8, v6\n");
    put_fma(t, 9, "-", 6, 8, "1.0");
    put_fma(t, 8, "", 9, 8, "v8");
    put(t, "v_mul_f32 v9, v7, v8\n");
    put_fma(t, 19, "-", 6, 9, "v7");
    put_fma(t, 9, "", 19, 8, "v9");
    snprintf(third, sizeof third, "%sv7", below(12) ? "" : "-");
    put_fma(t, 19, "-", 6, 9, third);
    if (below(8) == 0) put_compare(t); // VCC is of something else
    put(t, "v_div_fmas_f32 v9, %s, %s, %s\n", changed(19, true, a), changed(8, true, b), changed(9, true, c));
    put(t, "v_div_fixup_f32 v%u, %s, %s, %s%s\n", data(), changed(9, true, a), changed(d, true, b),
        changed(n, true, c), below(12) ? "" : " clamp");
}

// A barrier; mostly with a dword of LDS that items leave for others before it. Waves may come to it with any
// EXEC, or not at all: then the others wait only until these have ended.
static void put_barrier(struct text *t) {
    const bool exchanges = below(4), replaces = below(3) == 0;
    barriers_drawn++;
    if (exchanges) put(t, t->d->to_lds, 4, data());
    put_wait(t);
    if (t->d->has_split_barriers) {
        put(t, "s_barrier_signal -1\n");
        if (below(3) == 0) put(t, "v_xor_b32 v%u, v%u, v%u\n", data(), data(), data());
        if (below(3) == 0) put(t, "s_mov_b32 vcc_lo, exec_lo\n");
        put(t, "s_barrier_wait -1\n");
    } else
        put(t, "s_barrier\n");
    if (!exchanges) return;
    if (below(2)) // in rows, or in any order
        put(t, "%s v5,%s 0x%x, v4\n", t->d->add, t->d->carry, 4 * below(GROUP));
    else
        put(t, "v_xor_b32 v5, 0x%x, v4\n", 4 * below(GROUP));
    put(t, t->d->from_lds, data(), 5);
    put_wait(t);
    if (replaces) put(t, t->d->to_lds, 4, data()); // which later waves read
}

static void put_some(struct text *t, unsigned count);
// EXEC narrowed by a condition, with a branch over it where no lane is left.
static void put_if(struct text *t) {
    const unsigned label = t->labels++, saved = 44 + 2 * t->depth;
    char m[16], s[16];
    if (t->depth == 2) return;
    if (t->wave32)
        snprintf(s, sizeof s, "s%u", saved);
    else
        snprintf(s, sizeof s, "s[%u:%u]", saved, saved + 1);
    put(t, "s_and_saveexec_%s %s, %s\n", mask_type(t), s, below(2) ? vcc(t) : mask_of(t, below(MASKS), m));
    if (below(2)) put(t, "s_cbranch_execz l%u\n", label);
    t->depth++;
    put_some(t, 1 + below(6));
    t->depth--;
    put(t, "l%u:\n", label);
    if (below(3) == 0 && t->depth < 2) { // the others
        put(t, "s_xor_%s %s, %s, %s\n", mask_type(t), exec(t), exec(t), s);
        t->depth++;
        put_some(t, 1 + below(4));
        t->depth--;
    }
    put(t, "s_mov_%s %s, %s\n", mask_type(t), exec(t), s);
}
static void put_loop(struct text *t) {
    const unsigned label = t->labels++, counter = 52 + t->depth;
    if (t->depth == 2) return;
    put(t, "s_mov_b32 s%u, %u\nl%u:\n", counter, 1 + below(5), label);
    t->depth++;
    put_some(t, 1 + below(6));
    t->depth--;
    put(t, "s_sub_u32 s%u, s%u, 1\ns_cmp_lg_u32 s%u, 0\ns_cbranch_scc1 l%u\n", counter, counter, counter,
        label);
}

// A loop by strides: an index and a number of 64 bits in two registers count up, as addresses do; the low
// half may wrap between two lanes. Lanes end at a limit, or all at once. The index stays in the table.
static void put_strides(struct text *t) {
    const unsigned label = t->labels++, counter = 54, saved = 56, index = 20, low = 21, high = 22;
    const unsigned stride = below(3) ? 64 * below(8) : below(512), times = 1 + below(6), limit = 58;
    const bool narrows = below(2);
    char s[16];
    if (t->depth) return;
    if (t->wave32)
        snprintf(s, sizeof s, "s%u", saved);
    else
        snprintf(s, sizeof s, "s[%u:%u]", saved, saved + 1);
    put(t, "s_mov_%s %s, %s\n", mask_type(t), s, exec(t));
    put(t, "s_mov_b32 s%u, %u\ns_mov_b32 s%u, %u\ns_mov_b32 s55, 0x%x\n", counter, times, limit,
        64 * below(48) + below(64), below(2) ? 4 * stride : some_number());
    put(t, "v_mov_b32 v%u, v%u\nv_lshlrev_b32 v%u, 2, v%u\n", index, below(2), low, index);
    put(t, "s_mov_b32 s59, 0x%x\n%s v%u,%s s59, v%u\n", below(2) ? 0u - 4 * below(2048) : some_number(),
        t->d->add, low, t->d->carry, low);
    put(t, "v_mov_b32 v%u, v%u\nl%u:\n", high, below(2) ? index : data(), label);
    put(t, "v_lshlrev_b32 v18, 2, v%u\n", index);
    put(t, t->d->load, data(), 18);
    put_wait(t);
    t->depth = 2; // straight code
    put_some(t, below(4));
    t->depth = 0;
    if (below(2)) put_store(t);
    put(t, "v_xor_b32 v%u, v%u, v%u\n", data(), low, data());
    put(t, "%s v%u,%s 0x%x, v%u\n", t->d->add, index, t->d->carry, stride, index);
    put(t, "%s v%u, %s, s55, v%u\n%s v%u, %s, 0, v%u, %s\n", t->d->add_co, low, vcc(t), low, t->d->add_ci,
        high, vcc(t), high, vcc(t));
    if (narrows) {
        put(t, "v_cmp_gt_u32 %s, s%u, v%u\ns_and_%s %s, %s, %s\n", vcc(t), limit, index, mask_type(t),
            exec(t), exec(t), vcc(t));
        if (below(2)) put(t, "s_cbranch_execz l%u\n", t->labels);
    }
    put(t, "s_sub_u32 s%u, s%u, 1\ns_cmp_lg_u32 s%u, 0\ns_cbranch_scc1 l%u\nl%u:\n", counter, counter,
        counter, label, t->labels++);
    put(t, "s_mov_%s %s, %s\n", mask_type(t), exec(t), s);
    put(t, "v_xor_b32 v%u, v%u, v%u\nv_xor_b32 v%u, v%u, v%u\n", data(), high, data(), data(), low, data());
}

static void put_some(struct text *t, unsigned count) {
    for (unsigned i = 0; i < count; i++) switch (below(t->barriers ? 27 : 23)) {
        case 0:
        case 1:
        case 2: put_compare(t); break;
        case 3: put_bit(t); break;
        case 4:
        case 5:
        case 6: put_masks(t); break;
        case 7:
        case 8: put_select(t); break;
        case 9: put_scalar(t); break;
        case 10: put_lane(t); break;
        case 11:
        case 12:
        case 13: put_load(t); break;
        case 14: put_store(t); break;
        case 15: put_if(t); break;
        case 16: put_loop(t); break;
        case 17: put_strides(t); break;
        case 18: put_atomic(t); break;
        case 19: put_division(t); break;
        case 23:
        case 24:
        case 25:
        case 26: put_barrier(t); break;
        default: put_arithmetic(t);
        }
}

static void put_kernel(struct text *t) {
    put(t, "%s s[4:7], s[0:1], 0x0\n", t->d->has_not1 ? "s_load_b128" : "s_load_dwordx4");
    if (has(t->d->p, CAP_architected_workgroup_ids)) put(t, "s_mov_b32 s2, ttmp9\n");
    put_wait(t);
    const bool packed = has(t->d->p, CAP_packed_workitem_ids);
    if (t->columns) put(t, packed ? "v_bfe_u32 v3, v0, 10, 10\n" : "v_mov_b32 v3, v1\n");
    put(t, "v_and_b32 v0, 0x3ff, v0\n");
    put(t, "s_lshl_b32 s3, s2, 8\n%s v1,%s s3, v0\n", t->d->add, t->d->carry);
    if (t->columns) {
        put(t, "v_mul_u32_u24 v3, %u, v3\n", t->columns);
        put(t, "%s v1,%s v3, v1\n", t->d->add, t->d->carry);
    }
    put(t, "v_lshlrev_b32 v2, 6, v1\n");
    if (t->barriers) { // v4: the item's dword of LDS
        put(t, "v_and_b32 v4, 0xff, v1\nv_lshlrev_b32 v4, 2, v4\nv_mov_b32 v5, 0\ns_mov_b32 m0, -1\n");
        put(t, t->d->to_lds, 4, 5);
        put(t, "%s v5,%s 0x400, v4\nv_mov_b32 v18, 0\n", t->d->add, t->d->carry);
        put(t, t->d->to_lds, 5, 18);
    }
    // Descriptors of all memory from there on.
    put(t, "s_mov_b32 s36, s4\ns_mov_b32 s37, s5\ns_mov_b32 s38, -1\ns_mov_b32 s39, 0x%x\n", 0x27000);
    put(t, "s_mov_b32 s40, s6\ns_mov_b32 s41, s7\ns_mov_b32 s42, -1\ns_mov_b32 s43, 0x%x\n", 0x27000);
    for (unsigned m = 0; m < MASKS; m++) put_lanes(t, m, some_lanes(t));
    for (unsigned i = 0; i < 4; i++) put(t, "s_mov_b32 s%u, 0x%x\n", 28 + i, some_number());
    put(t, "s_mov_%s %s, 0\n", mask_type(t), vcc(t));
    for (unsigned i = 0; i < REGISTERS; i++) switch (below(4)) {
        case 0: put(t, "v_mov_b32 v%u, 0x%x\n", 10 + i, some_number()); break;
        case 1: put(t, "v_lshlrev_b32 v%u, %u, v%u\n", 10 + i, below(8), below(2)); break;
        default: put(t, "v_mov_b32 v%u, v%u\n", 10 + i, below(2));
        }
    put_some(t, 6 + below(30));
    if (below(40) == 0) put(t, ".long 0xfffffff0\n"); // no instruction
    put(t, "s_mov_%s %s, -1\n", mask_type(t), exec(t));
    for (unsigned i = 0; i < REGISTERS; i++) {
        put(t, "v_mov_b32 v18, %u\n%s v18,%s v18, v2\n", 4 * i, t->d->add, t->d->carry);
        put(t, t->d->store, t->d->by_buffer ? 10 + i : 18, t->d->by_buffer ? 18 : 10 + i);
    }
    char m[16];
    for (unsigned n = 0; n < MASKS; n++) {
        put(t, "v_cndmask_b32_e64 v19, 0, 1, %s\n", mask_of(t, n, m));
        put(t, "v_mov_b32 v18, %u\n%s v18,%s v18, v2\n", 4 * (REGISTERS + n), t->d->add, t->d->carry);
        put(t, t->d->store, t->d->by_buffer ? 19 : 18, t->d->by_buffer ? 18 : 19);
    }
    put(t, "s_endpgm\n");
}

// ---- Runs ----

struct outcome {
    sw_status status;
    int fault;
    uint64_t where; // of the fault, in the code
    uint32_t out[ITEMS * 16 + 4096];
};
static unsigned wave_loop_drawn, chunk_rows_drawn, kernels_drawn, faults_drawn, compiled_drawn, cut_drawn,
    alone_drawn;
static unsigned group_loop_drawn[2], group_loop_ended[2]; // by wave size

// LLVM compiles nothing more once it met what it ends processes for: a mistake in what it was given.
static bool gave_up(sw_tier tier, const sw_device *d) {
    const char *why;
    if (tier != SW_TIER_COMPILED || !compiled_drawn || sw_device_tier(d, &why) == tier) return false;
    fprintf(stderr, "LLVM compiles no more: %s\n", why ? why : "no reason");
    return true;
}

// What a kernel is run with: `alone` is said of its memory, `columns` is the width of a group (0: all of it),
// compiled code has parts of so many bytes (0: one).
struct setting {
    bool guarded, alone;
    uint32_t items, columns, part;
};
static bool run(const struct dialect *d, const char *text, bool wave32, sw_tier tier, const char *level,
                const struct setting *with, struct outcome *o) {
    struct rig r = {0};
    sw_fault fault = {.size = sizeof fault};
    const char *features = !d->has_wave32 ? NULL : wave32 ? "+wavefrontsize32" : "+wavefrontsize64";
    *o = (struct outcome){.status = SW_OK};
    if (!(r.object = object_of(d->name, text, features, &r.image))) {
        fprintf(stderr, "%s: the kernel does not assemble\n%s", d->name, text);
        exit(1);
    }
    const sw_device_options options = {.size = sizeof options,
                                       .threads = 1,
                                       .level = level,
                                       .target = *sw_object_target(r.object),
                                       .tier = tier,
                                       .cache = ""};
    const bool created = sw_device_create(&options, &r.device, NULL) == SW_OK;
    if (!created || sw_device_tier(r.device, NULL) != tier) {
        o->status = SW_UNSUPPORTED;
        const bool wrong = created && gave_up(tier, r.device);
        rig_close(&r);
        return wrong;
    }
    if (with->guarded) sw_device_guard_memory(r.device);
    r.device->pool.tier_up.part = with->part;
    if (sw_device_load(r.device, r.object, NULL, NULL, &r.executable, NULL) != SW_OK) exit(1);
    uint32_t *table = sw_device_alloc(r.device, (TABLE + 4096) * 4),
             *out = sw_device_alloc(r.device, sizeof o->out);
    uint64_t *kernarg = sw_device_alloc(r.device, 64);
    const unsigned alone = SW_RIGHT_READ | SW_RIGHT_WRITE | SW_RIGHT_STAYS | SW_RIGHT_ALONE;
    if (with->alone && sw_device_map(r.device, out, sizeof o->out, alone) != SW_OK) exit(1);
    uint32_t x = 1;
    for (unsigned i = 0; i < TABLE + 4096; i++) table[i] = x = x * 1664525 + 1013904223;
    memset(out, 0x5a, sizeof o->out);
    kernarg[0] = (uint64_t)(uintptr_t)table, kernarg[1] = (uint64_t)(uintptr_t)out;
    const uint32_t width = with->columns ? with->columns : GROUP;
    sw_dispatch q = rig_dispatch(r.object, r.executable, "k", kernarg, with->items / GROUP * width, width);
    q.grid[1] = q.block[1] = GROUP / width;
    for (int twice = 0; twice < 2 && o->status == SW_OK; twice++)
        o->status = sw_device_run(r.device, &q, &fault, NULL, NULL);
    o->fault = fault.kind;
    o->where = o->status ? fault.code_offset : 0;
    if (o->status == SW_OK) memcpy(o->out, out, sizeof o->out);
    if (tier == SW_TIER_COMPILED) {
        if (gave_up(tier, r.device)) o->status = SW_UNSUPPORTED;
        compiled_drawn++;
        cut_drawn += with->part != 0;
        alone_drawn += with->alone;
    }
    const unsigned chunk = r.device->pool.tier_up.chunk;
    for (unsigned i = 0; i < r.device->pool.thread_count; i++) {
        const bool looped = r.device->pool.workers[i].wave_loop_of;
        wave_loop_drawn += looped;
        const bool across = looped && (strstr(text, "s_barrier\n") || strstr(text, "s_barrier_wait"));
        group_loop_drawn[wave32] += across;
        group_loop_ended[wave32] += across && !r.device->pool.workers[i].wave_loop_cost;
        chunk_rows_drawn += looped && chunk && with->columns && !(with->columns % chunk);
    }
    rig_close(&r);
    return true;
}

static bool is_equal(const struct outcome *a, const struct outcome *b) {
    return a->status == b->status && a->fault == b->fault && a->where == b->where &&
           !memcmp(a->out, b->out, sizeof a->out);
}

// One kernel on one processor at all tiers.
static bool draw(struct dialect *d, uint64_t seed) {
    static struct outcome right, got;
    static struct text t;
    static const char *const levels[] = {"v4", "v3"};
    random_state = seed * 0x9e3779b97f4a7c15ull + 1;
    t = (struct text){.d = d, .wave32 = d->has_wave32 && (!d->has_wave64 || below(2))};
    struct setting with = {.guarded = below(2)};
    const size_t compiled = below(2);    // the level: compiling takes nearly all of the time
    with.items = GROUP * (1 + below(2)); // whole waves: lanes outside of the grid hold anything
    static const uint8_t widths[] = {0, 0, 0, 4, 8, 16, 16, 32}; // of rows; 0: the group is one
    with.columns = t.columns = widths[below(sizeof widths)];
    static const uint16_t parts[] = {0, 0, 0, 0, 0, 700, 2500, 8000}; // compiled in parts of so many bytes
    with.part = parts[below(sizeof parts / sizeof *parts)];
    t.barriers = below(2);
    with.alone = below(2);
    put_kernel(&t);
    char *all = malloc(2 * TEXT), directives[512];
    snprintf(directives, sizeof directives,
             ".amdhsa_next_free_vgpr 24\n.amdhsa_next_free_sgpr 64\n.amdhsa_user_sgpr_kernarg_segment_ptr 1\n"
             ".amdhsa_system_sgpr_workgroup_id_x 1\n.amdhsa_group_segment_fixed_size 2048\n%s%s%s",
             t.columns ? ".amdhsa_system_vgpr_workitem_id 1\n" : "",
             has(d->p, CAP_unified_vgprs) ? ".amdhsa_accum_offset 24\n" : "",
             !d->has_wave32 ? ""
             : t.wave32     ? ".amdhsa_wavefront_size32 1\n"
                            : ".amdhsa_wavefront_size32 0\n");
    if (!all || !rig_text(all, 2 * TEXT, t.all, directives)) return false;
    bool equal = true;
    run(d, all, t.wave32, SW_TIER_INTERPRETER, NULL, &with, &right);
    for (size_t l = 0; l < 2 && equal; l++)
        for (sw_tier tier = SW_TIER_NATIVE; tier <= SW_TIER_COMPILED && equal; tier++) {
            if (tier == SW_TIER_COMPILED && l != compiled) continue;
            if (!run(d, all, t.wave32, tier, levels[l], &with, &got) || is_equal(&right, &got)) continue;
            equal = false;
            unsigned i = 0;
            while (i < sizeof got.out / 4 - 1 && right.out[i] == got.out[i]) i++;
            fprintf(
                stderr,
                "%s wave%u seed %llu: tier %d at %s differs%s: status %d, fault %d, not %d, %d; dword %u "
                "of item %u "
                "is %x, not %x\n",
                d->name, t.wave32 ? 32 : 64, (unsigned long long)seed, tier - SW_TIER_INTERPRETER, levels[l],
                with.guarded ? ", guarded"
                : with.part  ? ", in parts"
                             : "",
                got.status, got.fault, right.status, right.fault, i % 16, i / 16, got.out[i], right.out[i]);
            if (getenv("SHOW")) fputs(all, stderr);
        }
    d->drawn++, d->wave[t.wave32]++, d->guarded[with.guarded]++;
    kernels_drawn++;
    faults_drawn += right.status != SW_OK;
    free(all);
    return equal;
}

static bool all_drawn(const struct dialect *dialects, size_t count, unsigned rounds) {
    unsigned least = UINT32_MAX;
    bool all = atomics_drawn && divisions_drawn && changed_drawn &&
               (!compiled_drawn || (cut_drawn && alone_drawn)) &&
               (!wave_loop_drawn || chunk_rows_drawn || rounds < DRAWS_FOR_ALL);
    for (size_t i = 0; i < count; i++)
        if (dialects[i].drawn < least) least = dialects[i].drawn;
    printf("random kernels at all tiers: %u of %zu processors, %u each at least, %u ended in a fault, %u "
           "runs of compiled code, %u in parts, %u with memory of their own, %u in wave loops, of which %u "
           "had rows of whole chunks\n"
           "%u atomics, %u divisions with %u changed operands\n"
           "%u barriers; runs in group loops: %u of wave64, of which %u ended there, %u of wave32, of which "
           "%u did\n"
           "masks with lanes in each part: wave64",
           kernels_drawn, count, least, faults_drawn, compiled_drawn, cut_drawn, alone_drawn, wave_loop_drawn,
           chunk_rows_drawn, atomics_drawn, divisions_drawn, changed_drawn, barriers_drawn,
           group_loop_drawn[0], group_loop_ended[0], group_loop_drawn[1], group_loop_ended[1]);
    for (int w = 0; w < 2; w++) {
        if (w) printf("; wave32");
        for (unsigned p = 0; p < (w ? 2u : 4u); p++) {
            printf(" %u (%u alone)", parts_drawn[w][p], lone_parts_drawn[w][p]);
            if (rounds >= DRAWS_FOR_ALL) all &= lone_parts_drawn[w][p] > 0;
        }
    }
    printf("\n");
    for (size_t i = 0; i < count && rounds >= DRAWS_FOR_ALL; i++) {
        const struct dialect *d = &dialects[i];
        all &= d->guarded[0] && d->guarded[1] && (!d->has_wave32 || d->wave[1]) &&
               (!d->has_wave64 || d->wave[0]);
        all &= !wave_loop_drawn ||
               ((!d->has_wave32 || group_loop_drawn[1]) && (!d->has_wave64 || group_loop_drawn[0]));
    }
    return all;
}

int main(int argc, char **argv) {
    static struct dialect dialects[256];
    const double seconds = argc > 1 ? atof(argv[1]) : 10;
    const uint64_t seed = argc > 2 ? strtoull(argv[2], NULL, 10) : (uint64_t)time(NULL) * 1000003u;
    const char *only = argc > 3 ? argv[3] : NULL;
    size_t count = 0;
    bool equal = true;
    unsigned rounds = 0;
    leave_text_at_crashes();
    for (size_t i = 0; i < sw_processor_count() && count < 256; i++) {
        const sw_processor *p = sw_processor_at(i);
        if (!isa_of(p) || (only && strcmp(only, sw_processor_name(p)))) continue;
        if (find_dialect(&dialects[count], sw_processor_name(p)))
            count++;
        else
            fprintf(stderr, "%s: nothing assembles\n", sw_processor_name(p)), equal = false;
    }
    const double end = now() + seconds;
    for (uint64_t n = 0; count && equal && (n == 0 || now() < end); n++) {
        struct dialect *d = &dialects[n % count];
        snprintf(crash_text, sizeof crash_text, "\ncrash: tiers 0 %llu %s\n", (unsigned long long)(seed + n),
                 d->name);
        equal = draw(d, seed + n);
        rounds = (unsigned)(n / count);
    }
    return !(all_drawn(dialects, count, rounds) && equal && count);
}
