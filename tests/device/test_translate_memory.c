// SPDX-License-Identifier: MIT
// What memory instructions mean, from their bytes: which registers and modes the op gets. Encodings are
// LLVM 22's. An expectation names, in this order: vector address (v, or vv for 64 bits), scalar base, data,
// destination, immediate and its modes; z is a zero operand.
// Facts shown: TRAP-045, 048, 049, 081, 088 to 092, 264, 265, 267, 292 to 296, 306, 312, 318, 344, 345, 396.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <stdio.h>

#include "bare_wave.h"
#include "exec/decode/translate.h"

enum { VGPRS = 32, AGPRS = 16 };

struct fixture {
    struct code_facts facts;
    struct arena arena;
    struct translator t;
    uint32_t slots;
};
static void set_up(struct fixture *f, const char *name) {
    memset(f, 0, sizeof *f);
    const sw_processor *p = sw_processor_find(name, strlen(name));
    assert_non_null(p);
    const bool null = has(p, CAP_null_register),
               late = null && has(p, CAP_architected_flat_scratch); // NULL is 124 from GFX11 on
    f->facts = (struct code_facts){.processor = p,
                                   .isa = isa_of(p),
                                   .wave32 = has(p, CAP_wave32),
                                   .stride = 256,
                                   .vgprs = VGPRS,
                                   .agprs = has(p, CAP_agprs) ? AGPRS : 0,
                                   .agpr_base = VGPRS,
                                   .m0 = late ? 125 : 124,
                                   .null = null ? late ? 124 : 125 : 0,
                                   .bodies = levels[0].bodies,
                                   .steps = levels[0].steps};
    f->t = (struct translator){.facts = &f->facts, .arena = &f->arena, .next_slot = &f->slots};
}
static void tear_down(struct fixture *f) {
    array_free(&f->t.ops);
    arena_free(&f->arena);
}
static bool translate_hex(struct fixture *f, const char *hex) {
    uint8_t bytes[20] = {0};
    size_t n = strlen(hex) / 2;
    for (size_t i = 0; i < n; i++) {
        unsigned v;
        assert_int_equal(sscanf(hex + 2 * i, "%2x", &v), 1);
        bytes[i] = (uint8_t)v;
    }
    struct insn in;
    assert_int_equal(insn_decode(f->facts.isa, bytes, n, &in), DECODE_OK);
    return translate_memory(&f->t, &in, f->facts.bodies[in.row - isa_rows]);
}

static char *put_register(char *out, uint32_t offset) {
    const uint32_t v = WAVE_OFFSET(v), s = WAVE_OFFSET(s);
    if (offset == WAVE_OFFSET(zeros)) return out + sprintf(out, "z");
    if (offset >= v) {
        unsigned n = (offset - v) / 256;
        return out + sprintf(out, "%c%u", n >= VGPRS ? 'a' : 'v', n % VGPRS);
    }
    if (offset < s + 512) return out + sprintf(out, "s%u", (offset - s) / 4);
    if (offset >= WAVE_OFFSET(constant32) && offset < WAVE_OFFSET(constant32) + 512)
        return out + sprintf(out, "c%u", (offset - WAVE_OFFSET(constant32)) / 4 + 128);
    return out + sprintf(out, "?");
}
// The facts of the op that are not at rest.
static void describe(const struct fixture *f, const struct insn *in, char *out) {
    const struct mem_op *mo = f->t.ops.items[f->t.ops.count - 1].extra;
    const unsigned id = in->format->id;
    *out = 0;
#define PUT(label, offset) out = put_register(out + sprintf(out, " " label), offset)
    if (id == FMT_SMEM || mo->has_saddr) PUT("base ", mo->saddr);
    if (id == FMT_GLOBAL || id == FMT_FLAT)
        PUT("address ", mo->vaddr), out += sprintf(out, mo->vaddr64 ? ":64" : "");
    if (id == FMT_SCRATCH && mo->has_vaddr) PUT("address ", mo->vaddr);
    if (id == FMT_DS && mo->vaddr) PUT("address ", mo->vaddr);
    if (id == FMT_MUBUF) {
        PUT("buffer ", mo->srsrc);
        PUT("soffset ", mo->soffset);
        if (mo->idxen || mo->offen || mo->addr64) PUT("address ", mo->vaddr);
        out += sprintf(out, "%s%s%s kind %u", mo->idxen ? " idxen" : "", mo->offen ? " offen" : "",
                       mo->addr64 ? " addr64" : "", mo->srd);
    }
    if (id == FMT_SMEM && mo->offen) PUT("soffset ", mo->soffset);
    if (mo->data) PUT("data ", mo->data);
    if (mo->data1) PUT("data1 ", mo->data1);
    if (mo->null)
        out += sprintf(out, " to null");
    else if (mo->dst)
        PUT("to ", mo->dst);
    if (mo->offset) out += sprintf(out, " %+lld", (long long)mo->offset);
    if (mo->offset1) out += sprintf(out, " %+lld", (long long)mo->offset1);
    if (id == FMT_SCRATCH || id == FMT_FLAT) {
        if (mo->flat_scratch == WAVE_OFFSET(scratch_base))
            out += sprintf(out, " scratch");
        else
            PUT("scratch ", mo->flat_scratch);
    }
    if (mo->atomic)
        out += sprintf(out, "%s%s", mo->returns ? " returns" : "", mo->flushes_f32 ? " flushes" : "");
    if (id != FMT_DS) out += sprintf(out, " slot %u", mo->slot);
}

struct expectation {
    const char *gpu, *hex, *facts, *text;
};
static const struct expectation expectations[] = {
    {"gfx900", "f89f50dc02007f01", "address v2:64 to v1 -8 slot 1",
     "global_load_dword v1, v[2:3], off offset:-8"},
    {"gfx900", "108050dc02000401", "base s4 address v2 to v1 +16 slot 1",
     "global_load_dword v1, v2, s[4:5] offset:16"},
    {"gfx90a", "008054dc0400ff02", "address v4:64 to a2 slot 1", "global_load_dwordx2 a[2:3], v[4:5], off"},
    {"gfx90a", "008074dc0402ff00", "address v4:64 data a2 slot 2",
     "global_store_dwordx2 v[4:5], a[2:3], off"},
    {"gfx1030", "008030dc02007d01", "address v2:64 to v1 slot 1", "global_load_dword v1, v[2:3], off"},
    {"gfx1030", "008830dc02000401", "base s4 address v2 to v1 -2048 slot 1",
     "global_load_dword v1, v2, s[4:5] offset:-2048"},
    {"gfx1100", "000052dc02007c01", "address v2:64 to v1 slot 1", "global_load_b32 v1, v[2:3], off"},
    {"gfx1200", "06c005ee0400000002000080", "base s6 address v2 to v4 -8388608 slot 1",
     "global_load_b128 v[4:7], v2, s[6:7] offset:-8388608"},
    {"gfx900", "ff0f50dc02000001", "address v2:64 to v1 +4095 scratch s102 slot 1",
     "flat_load_dword v1, v[2:3] offset:4095"},
    {"gfx1030", "000030dc02007d01", "address v2:64 to v1 scratch slot 1", "flat_load_dword v1, v[2:3]"},
    {"gfx1200", "7c0005ec0100000002fcffff", "address v2:64 to v1 -4 scratch slot 1",
     "flat_load_b32 v1, v[2:3] offset:-4"},
    {"gfx700", "000070dc02010000", "address v2:64 data v1 scratch slot 2", "flat_store_dword v[2:3], v1"},
    {"gfx900", "044050dc02007f01", "address v2 to v1 +4 scratch s102 slot 1",
     "scratch_load_dword v1, v2, off offset:4"},
    {"gfx900", "004050dc00000301", "base s3 to v1 scratch s102 slot 1", "scratch_load_dword v1, off, s3"},
    {"gfx942", "006050dc02000301", "base s3 address v2 to v1 scratch slot 1",
     "scratch_load_dword v1, v2, s3"},
    {"gfx942", "044050dc00007f01", "to v1 +4 scratch slot 1", "scratch_load_dword v1, off, off offset:4"},
    {"gfx1030", "004030dc02007d01", "address v2 to v1 scratch slot 1", "scratch_load_dword v1, v2, off"},
    {"gfx1030", "004030dc00000301", "base s3 to v1 scratch slot 1", "scratch_load_dword v1, off, s3"},
    {"gfx1030", "044030dc00007f01", "to v1 +4 scratch slot 1", "scratch_load_dword v1, off, off offset:4"},
    {"gfx1100", "000051dc02008301", "base s3 address v2 to v1 scratch slot 1", "scratch_load_b32 v1, v2, s3"},
    {"gfx1100", "040051dc00007c01", "to v1 +4 scratch slot 1", "scratch_load_b32 v1, off, off offset:4"},
    {"gfx1200", "7c8006ed0000820002000000", "address v2 data v1 scratch slot 2",
     "scratch_store_b32 v2, v1, off"},
    {"gfx900", "ffff6cd802000001", "address v2 to v1 +65535", "ds_read_b32 v1, v2 offset:65535"},
    {"gfx900", "03ff6ed801000002", "address v1 to v2 +12 +1020",
     "ds_read2_b32 v[2:3], v1 offset0:3 offset1:255"},
    {"gfx900", "0302f0d801000002", "address v1 to v2 +1536 +1024",
     "ds_read2st64_b64 v[2:5], v1 offset0:3 offset1:2"},
    {"gfx900", "000040d802030001", "address v2 data v3 to v1 returns", "ds_add_rtn_u32 v1, v2, v3"},
    {"gfx900", "080000d802030000", "address v2 data v3 +8", "ds_add_u32 v2, v3 offset:8"},
    {"gfx1100", "0000c0d902040600", "address v2 data v4 data1 v6 to v0 returns",
     "ds_cmpstore_rtn_b64 v[0:1], v2, v[4:5], v[6:7]"},
    {"gfx900", "08003ad800010000", "data v1 +8", "ds_write_addtid_b32 v1 offset:8"},
    {"gfx900", "008009dd02047f01", "address v2:64 data v4 to v1 returns slot 3",
     "global_atomic_add v1, v[2:3], v4, off glc"},
    {"gfx900", "008008dd02047f00", "address v2:64 data v4 slot 3", "global_atomic_add v[2:3], v4, off"},
    {"gfx942", "008034dd02047f00", "address v2:64 data v4 flushes slot 3",
     "global_atomic_add_f32 v[2:3], v4, off"},
    {"gfx1200", "7c400dee0100100202000000", "address v2:64 data v4 to v1 returns slot 3",
     "global_atomic_add_u32 v1, v[2:3], v4, off th:TH_ATOMIC_RETURN"},
    {"gfx1200", "7c400dee0000200202000000", "address v2:64 data v4 slot 3",
     "global_atomic_add_u32 v[2:3], v4, off th:TH_ATOMIC_NT"},
    {"gfx900", "ff1f50e002010108", "buffer s4 soffset s8 address v2 offen kind 2 to v1 +4095 slot 1",
     "buffer_load_dword v1, v2, s[4:7], s8 offen offset:4095"},
    {"gfx900", "003050e002010180", "buffer s4 soffset c128 address v2 idxen offen kind 2 to v1 slot 1",
     "buffer_load_dword v1, v[2:3], s[4:7], 0 idxen offen"},
    {"gfx900", "006004e101020183",
     "buffer s4 soffset c131 address v1 idxen kind 2 data v2 to v2 returns slot 3",
     "buffer_atomic_cmpswap v[2:3], v1, s[4:7], 3 idxen glc"},
    {"gfx700", "008030e002010180", "buffer s4 soffset c128 address v2 addr64 kind 0 to v1 slot 1",
     "buffer_load_dword v1, v[2:3], s[4:7], 0 addr64"},
    {"gfx1100", "00006ce00002017c", "buffer s4 soffset z kind 4 data v2 slot 2",
     "buffer_store_b64 v[2:3], off, s[4:7], null"},
    {"gfx1200", "7d0005c40108804002ffff7f",
     "buffer s4 soffset s125 address v2 offen kind 5 to v1 +8388607 slot 1",
     "buffer_load_b32 v1, v2, s[4:7], m0 offen offset:8388607"},
    {"gfx801", "000050e000010108", "buffer s4 soffset s8 kind 1 to v1 slot 1",
     "buffer_load_dword v1, off, s[4:7], s8"},
    {"gfx600", "048300c0", "base s2 to s1 +16 slot 1", "s_load_dword s1, s[2:3], 0x4"},
    {"gfx700", "ff8200c023010000", "base s2 to s1 +1164 slot 1", "s_load_dword s1, s[2:3], 0x123"},
    {"gfx700", "078200c0", "base s2 soffset s7 to s1 slot 1", "s_load_dword s1, s[2:3], s7"},
    {"gfx801", "820006c0ffff0f00", "base s4 to s2 +1048575 slot 1", "s_load_dwordx2 s[2:3], s[4:5], 0xfffff"},
    {"gfx801", "410000c07c000000", "base s2 soffset s124 to s1 slot 1", "s_load_dword s1, s[2:3], m0"},
    {"gfx900", "410002c0f0ff1f00", "base s2 to s1 -16 slot 1", "s_load_dword s1, s[2:3], -0x10"},
    {"gfx900", "410000c007000000", "base s2 soffset s7 to s1 slot 1", "s_load_dword s1, s[2:3], s7"},
    {"gfx900", "414002c01400000e", "base s2 soffset s7 to s1 +20 slot 1",
     "s_load_dword s1, s[2:3], s7 offset:0x14"},
    {"gfx900", "02022ac008000000", "base s4 to s8 +8 slot 1", "s_buffer_load_dwordx4 s[8:11], s[4:7], 0x8"},
    {"gfx1030", "020208f4000000fa", "base s4 to s8 slot 1", "s_load_dwordx4 s[8:11], s[4:5], null"},
    {"gfx1030", "821a00f40000000e", "base s4 soffset s7 to s106 slot 1", "s_load_dword vcc_lo, s[4:5], s7"},
    {"gfx1100", "021f04f4080000f8", "base s4 to null +8 slot 1", "s_load_b64 null, s[4:5], 0x8"},
    {"gfx1100", "020410f408000012", "base s4 soffset s9 to s16 +8 slot 1",
     "s_load_b512 s[16:31], s[4:5], s9 offset:0x8"},
    {"gfx1200", "02a200f4080000f8", "base s4 to s8 +8 slot 1", "s_load_b96 s[8:10], s[4:5], 0x8"},
    {"gfx1200", "422001f4ffffff12", "base s4 soffset s9 to s1 -1 slot 1",
     "s_load_u8 s1, s[4:5], s9 offset:-0x1"},
    {"gfx900", "410015c007000000", "base s2 soffset s7 to s1 slot 1",
     "s_scratch_load_dword s1, s[2:3], s7 glc"},
};
static void facts(void **state) {
    (void)state;
    unsigned wrong = 0;
    for (size_t i = 0; i < sizeof expectations / sizeof *expectations; i++) {
        const struct expectation *x = &expectations[i];
        struct fixture f;
        char got[300];
        set_up(&f, x->gpu);
        assert_true(translate_hex(&f, x->hex));
        assert_int_equal(f.t.ops.count, 1);
        uint8_t bytes[20] = {0};
        for (size_t b = 0; b < strlen(x->hex) / 2; b++) sscanf(x->hex + 2 * b, "%2hhx", &bytes[b]);
        struct insn in;
        insn_decode(f.facts.isa, bytes, strlen(x->hex) / 2, &in);
        describe(&f, &in, got);
        assert_int_equal(((const struct mem_op *)f.t.ops.items[0].extra)->access, in.row->access);
        if (strcmp(got + 1, x->facts)) {
            print_message("%s %s:\n  got  \"%s\"\n  want \"%s\"\n", x->gpu, x->text, got + 1, x->facts);
            wrong++;
        }
        tear_down(&f);
    }
    assert_int_equal(wrong, 0);
}

// A destination beyond the wave's registers: the instruction does nothing (TRAP-396); so does a scalar load
// past VCC (SM9-44).
static void out_of_range(void **state) {
    (void)state;
    static const char *const none[][2] = {
        {"gfx900", "008050dc02007f20"}, // global_load_dword v32, v[2:3], off
        {"gfx900", "00805cdc02007f1d"}, // global_load_dwordx4 v[29:32], v[2:3], off
        {"gfx90a", "008054dc0400ff0f"}, // global_load_dwordx2 a[15:16], v[4:5], off
        {"gfx900", "008009dd02047f20"}, // global_atomic_add v32, v[2:3], v4, off glc
        {"gfx900", "021b0ac000000000"}, // s_load_dwordx4 s[108:111], s[4:5], s0
    };
    for (size_t i = 0; i < sizeof none / sizeof *none; i++) {
        struct fixture f;
        set_up(&f, none[i][0]);
        assert_true(translate_hex(&f, none[i][1]));
        assert_int_equal(f.t.ops.count, 0);
        tear_down(&f);
    }
    struct fixture f; // a source beyond them reads v0 (TRAP-394)
    set_up(&f, "gfx900");
    assert_true(translate_hex(&f, "008050dc1f007f01")); // global_load_dword v1, v[31:32], off
    assert_int_equal(((const struct mem_op *)f.t.ops.items[0].extra)->vaddr, WAVE_OFFSET(v));
    tear_down(&f);
}
static void gaps(void **state) {
    (void)state;
    static const char *const missing[][3] = {
        {"gfx900", "00006dd900000001", "addresses by lane in the global data share"}, // ds_read_addtid_b32
        {"gfx90a", "00006dd802000001", // ds_read_b32 v1, v2 gds
         "a global data share that this processor does not have"},
    };
    for (size_t i = 0; i < sizeof missing / sizeof *missing; i++) {
        struct fixture f;
        set_up(&f, missing[i][0]);
        assert_false(translate_hex(&f, missing[i][1]));
        assert_string_equal(f.t.gap, missing[i][2]);
        tear_down(&f);
    }
}
// However many instructions there are, a slot number tells the rights of all who share it.
static void slots(void **state) {
    (void)state;
    struct fixture f;
    set_up(&f, "gfx900");
    unsigned used = 0;
    bool seen[RANGE_SLOTS] = {false};
    for (unsigned i = 0; i < 3000; i++) {
        static const char *const hex[] = {"f89f50dc02007f01", "008074dc04027f00",
                                          "008009dd02047f01"}; // load, store, atomic
        assert_true(translate_hex(&f, hex[i % 3]));
        const struct mem_op *mo = f.t.ops.items[f.t.ops.count - 1].extra;
        assert_true(mo->slot < RANGE_SLOTS);
        assert_int_equal(mo->slot & 3, i % 3 == 0   ? RIGHT_READ
                                       : i % 3 == 1 ? RIGHT_WRITE
                                                    : RIGHT_READ | RIGHT_WRITE);
        used += !seen[mo->slot];
        seen[mo->slot] = true;
    }
    assert_int_equal(used, RANGE_SLOTS / 4 * 3);
    tear_down(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(facts), cmocka_unit_test(out_of_range),
                                       cmocka_unit_test(gaps), cmocka_unit_test(slots)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
