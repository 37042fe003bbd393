// SPDX-License-Identifier: MIT
// Formatted buffers: the numbering of formats against their names; loads and stores of random elements of
// every format against a reference that reads widths off the names and rounds long doubles; component
// selection, D16, ranges, faults; loads to LDS and texture fail enable as whole instructions.
// Facts shown: BUF-02, 03, 09 to 11, 14, 17 to 20, 22 to 25, 27, 32, 33, 58; TRAP-308, 309, 319 to 321, 332.
#include <math.h>

#include "exec/decode/translate.h"
#include "format_reference.h"
#include "isa/names.h"
#include "memory_env.h"

MEMORY_TABLES(format_load)
MEMORY_TABLES(format_store)

enum { V_ADDRESS = 2, V_DATA = 8, V_DST = 24 };
#define EACH_LEVEL(level) for (unsigned level = 0; level < level_count(); level++)

static void numbering(void **state) {
    (void)state;
    static const char *const names[] = {"gfx1030", "gfx1100", "gfx1201"};
    for (unsigned p = 0; p < 3; p++) {
        const struct isa *isa = isa_of(sw_processor_find(names[p], strlen(names[p])));
        unsigned found = 0;
        for (unsigned n = 0; n < 128; n++) {
            const struct texel_format f = texel_unified(n, p > 0);
            const char *name = isa_name(isa, NAME_BUFFER_FORMAT, n);
            if (!name || n == 0) {
                assert_int_equal(f.layout, LAYOUT_INVALID);
                continue;
            }
            char want[60];
            sprintf(want, "BUF_FMT_%s_%s", data_names[f.layout], number_names[f.number]);
            assert_string_equal(want, name);
            found++;
        }
        assert_int_equal(found, p ? 63 : 77);
    }
}

static void prepare(struct env *e, unsigned data, unsigned number, unsigned components, enum d16 d16) {
    unsigned width[4], n = widths(data, width), size = 0;
    for (unsigned c = 0; c < n; c++) size += width[c] / 8.0 > 0 ? width[c] : 0;
    size /= 8;
    const uint64_t base = address_of(e->arena) + 0x400;
    randomize(e->arena, ARENA);
    randomize_registers(e);
    for (unsigned l = 0; l < e->w->lanes; l++) lanes_of(e->w, vgpr(e->w, V_ADDRESS))[l] = l;
    e->w->exec = pattern_exec((unsigned)random64());
    e->mo = (struct mem_op){.srd = SRD_GFX10,
                            .idxen = true,
                            .slot = 4,
                            .vaddr = vgpr(e->w, V_ADDRESS),
                            .srsrc = sgpr_offset(8),
                            .soffset = sgpr_offset(20),
                            .data = vgpr(e->w, V_DATA),
                            .dst = vgpr(e->w, V_DST),
                            .format_here = true,
                            .data_format = (uint8_t)data,
                            .number_format = (uint8_t)number,
                            .components = (uint8_t)components,
                            .d16 = (uint8_t)d16};
    e->w->s[8] = (uint32_t)base;
    e->w->s[9] = (uint32_t)(base >> 32) | size << 16;
    e->w->s[10] = 60;       // records: in wave64 the last lanes are out of range
    e->w->s[11] = 20 << 12; // 32_UINT: bound
    e->w->s[20] = 0;
}
static bool executes(const struct env *e, unsigned l) { return e->w->exec >> l & 1; }
static uint32_t component(struct env *e, unsigned first, unsigned c, enum d16 d16, unsigned l) {
    const uint32_t v = lanes_of(e->w, vgpr(e->w, first + (d16 == D16_PACKED ? c / 2 : c)))[l];
    return d16 == D16_HIGH || (d16 == D16_PACKED && c & 1) ? v >> 16 : v;
}

static void loads(void **state) {
    (void)state;
    unsigned done = 0;
    for (unsigned lanes = 32; lanes <= 64; lanes += 32) EACH_LEVEL(level) {
            struct env *e = env_create(lanes);
            for (unsigned data = 0; data < 15; data++)
                for (unsigned number = 0; number < 8; number++)
                    for (unsigned components = 1; components <= 4; components++)
                        for (enum d16 d16 = D16_NONE; d16 <= D16_HIGH; d16++) {
                            unsigned width[4] = {0}, n = data ? widths(data, width) : 0, size = 0;
                            if (data && !exists(data, number)) continue;
                            if (d16 == D16_HIGH && components > 1) continue;
                            prepare(e, data, number, components, d16);
                            e->w->mode = (e->w->mode & ~0xffu) | (uint32_t)(random64() & 0xff);
                            for (unsigned c = 0; c < n; c++) size += width[c];
                            size /= 8;
                            assert_true(run_memory(e, format_load_bodies[level]->table, 0));
                            for (unsigned l = 0; l < lanes; l++) {
                                if (!executes(e, l)) continue;
                                for (unsigned c = 0, at = 0; c < components;
                                     at += c < n ? width[c] : 0, c++) {
                                    uint32_t want = 0;
                                    if (c < n && l < 60)
                                        want = expected_register(
                                            take_bits(e->arena + 0x400 + l * size, at, width[c]), width[c],
                                            number, d16 != D16_NONE);
                                    const uint32_t got = component(e, V_DST, c, d16, l);
                                    if (!same_register(got, want, is_int(number), d16 != D16_NONE))
                                        fail_msg("%s %s component %u of %u d16 %d lane %u: got %x want %x",
                                                 data_names[data], number_names[number], c, components,
                                                 (int)d16, l, got, want);
                                    done++;
                                }
                            }
                        }
            env_destroy(e);
        }
    assert_true(done > 10000);
}

static void stores(void **state) {
    (void)state;
    unsigned done = 0;
    EACH_LEVEL(level) {
        struct env *e = env_create(64);
        for (unsigned data = 1; data < 15; data++)
            for (unsigned number = 0; number < 8; number++)
                for (unsigned components = 1; components <= 4; components++)
                    for (enum d16 d16 = D16_NONE; d16 <= D16_HIGH; d16++) {
                        unsigned width[4] = {0}, n = widths(data, width), size = 0;
                        if (!exists(data, number) || (d16 == D16_HIGH && components > 1)) continue;
                        if (width[0] > 11 && number != NUMBER_FLOAT && !is_int(number) && components > 1)
                            continue;
                        prepare(e, data, number, components, d16);
                        for (unsigned c = 0; c < n; c++) size += width[c];
                        size /= 8;
                        for (unsigned r = 0; r < 4; r++)
                            for (unsigned l = 0; l < 64 && !is_int(number); l++) {
                                uint32_t *v = &lanes_of(e->w, vgpr(e->w, V_DATA + r))[l];
                                const float scale = number == NUMBER_FLOAT ? 1e5f : l % 3 ? 1.2f : 300.0f;
                                const float f = (float)((double)(int32_t)*v / 0x80000000u) * scale *
                                                (number == NUMBER_FLOAT && l % 4 == 0 ? 1e-9f : 1);
                                if (l % 8 == 7) continue;
                                *v = d16 == D16_NONE ? float_bits(f)
                                                     : as_half(f, false) | as_half(1.1L * f, false) << 16;
                            }
                        uint8_t before[0x1000];
                        memcpy(before, e->arena + 0x400, sizeof before);
                        assert_true(run_memory(e, format_store_bodies[level]->table, 0));
                        for (unsigned l = 0; l < 64; l++) {
                            const uint8_t *element = e->arena + 0x400 + l * size;
                            if (!executes(e, l) || l >= 60) {
                                assert_memory_equal(element, before + l * size, size);
                                continue;
                            }
                            for (unsigned c = 0, at = 0; c < n; at += width[c], c++) {
                                uint32_t raw = take_bits(element, at, width[c]);
                                uint32_t from = component(e, V_DATA, c < components ? c : 0, d16, l);
                                const uint32_t all = width[c] == 32 ? ~0u : (1u << width[c]) - 1;
                                done++;
                                if (is_int(number)) { // clamped
                                    const bool sign = number == NUMBER_SINT;
                                    if (d16 != D16_NONE)
                                        from = sign ? (uint32_t)(int16_t)from : from & 0xffff;
                                    const int64_t v = sign ? (int64_t)(int32_t)from : (int64_t)from;
                                    const int64_t most = (int64_t)(sign ? all >> 1 : all);
                                    const int64_t least = sign ? -most - 1 : 0;
                                    assert_int_equal(raw, (v > most ? most : v < least ? least : v) & all);
                                    continue;
                                }
                                if (l % 16 && width[c] > 11 && number != NUMBER_FLOAT) continue; // slow
                                const long double v = d16 == D16_NONE
                                                          ? (long double)bits_float(from)
                                                          : meaning(from & 0xffff, 16, NUMBER_FLOAT);
                                if (!nearest(raw, width[c], number, v, d16 == D16_NONE))
                                    fail_msg(
                                        "%s %s component %u of %u d16 %d lane %u: %Lg stored as %x (%Lg)",
                                        data_names[data], number_names[number], c, components, (int)d16, l, v,
                                        raw, meaning(raw, width[c], number));
                            }
                        }
                    }
        env_destroy(e);
    }
    assert_true(done > 1000);
}

// MUBUF: format and selection from the descriptor, where each generation has them.
static void descriptors(void **state) {
    (void)state;
    static const struct {
        enum srd_kind kind;
        uint32_t word;
    } forms[] = {{SRD_GFX6, 10 << 15 | NUMBER_UINT << 12},
                 {SRD_GFX8, 10 << 15 | NUMBER_UINT << 12},
                 {SRD_GFX9, 10 << 15 | NUMBER_UINT << 12},
                 {SRD_GFX10, 60 << 12},
                 {SRD_GFX11, 46 << 12},
                 {SRD_GFX12, 46 << 12}};
    EACH_LEVEL(level) for (unsigned f = 0; f < 6; f++) {
        struct env *e = env_create(64);
        prepare(e, 10, NUMBER_UINT, 4, D16_NONE);
        e->mo.format_here = false;
        e->mo.data_format = e->mo.number_format = 0;
        e->mo.srd = (uint8_t)forms[f].kind;
        e->w->s[11] = forms[f].word | 6 | 1 << 3 | 4 << 6 | 0 << 9; // Z, 1, X, 0
        e->w->exec = ~0ull;
        if (forms[f].kind == SRD_GFX8) e->w->s[10] *= 4; // bytes where nothing is swizzled
        assert_true(run_memory(e, format_load_bodies[level]->table, 0));
        for (unsigned l = 0; l < 64; l++) {
            const uint8_t *b = e->arena + 0x400 + 4 * l;
            assert_int_equal(lanes_of(e->w, vgpr(e->w, V_DST))[l], l < 60 ? b[2] : 0);
            assert_int_equal(lanes_of(e->w, vgpr(e->w, V_DST + 1))[l], 1); // BUF-32
            assert_int_equal(lanes_of(e->w, vgpr(e->w, V_DST + 2))[l], l < 60 ? b[0] : 0);
            assert_int_equal(lanes_of(e->w, vgpr(e->w, V_DST + 3))[l], 0);
        }
        for (unsigned r = 0; r < 3; r++) lanes_of(e->w, vgpr(e->w, V_DATA + r))[5] &= 0xff;
        uint32_t data[3] = {lanes_of(e->w, vgpr(e->w, V_DATA))[5], 0,
                            lanes_of(e->w, vgpr(e->w, V_DATA + 2))[5]};
        assert_true(run_memory(e, format_store_bodies[level]->table, 0));
        const uint8_t *b = e->arena + 0x400 + 20;
        assert_int_equal(b[0], (uint8_t)data[2]); // X of memory is selected by the third component
        assert_int_equal(b[1], (uint8_t)data[0]); // none: the first
        assert_int_equal(b[2], (uint8_t)data[0]);
        // No format: loads give zero, stores nothing (BUF-58).
        e->w->s[11] = 0;
        uint8_t before[0x200];
        memcpy(before, e->arena + 0x400, sizeof before);
        assert_true(run_memory(e, format_store_bodies[level]->table, 0));
        assert_memory_equal(before, e->arena + 0x400, sizeof before);
        assert_true(run_memory(e, format_load_bodies[level]->table, 0));
        assert_int_equal(lanes_of(e->w, vgpr(e->w, V_DST))[3], 0);
        // Memory without rights is a fault.
        e->w->s[11] = forms[f].word;
        e->w->s[9] += 0x100;
        assert_false(run_memory(e, format_load_bodies[level]->table, 0));
        assert_int_equal(e->dispatch.fault.kind, SW_FAULT_READ);
        assert_false(run_memory(e, format_store_bodies[level]->table, 0));
        assert_int_equal(e->dispatch.fault.kind, SW_FAULT_WRITE);
        env_destroy(e);
    }
}

// ---- Whole instructions ----
static void run_hex(struct env *e, const char *gpu, unsigned level, const char *hex) {
    const sw_processor *p = sw_processor_find(gpu, strlen(gpu));
    const bool null = has(p, CAP_null_register), late = null && has(p, CAP_architected_flat_scratch);
    struct code_facts facts = {.processor = p,
                               .isa = isa_of(p),
                               .wave32 = e->w->lanes == 32,
                               .stride = e->w->stride,
                               .vgprs = VGPRS,
                               .agpr_base = VGPRS,
                               .m0 = late ? 125 : 124,
                               .null = null ? late ? 124 : 125 : 0,
                               .bodies = levels[level].bodies,
                               .steps = levels[level].steps};
    struct arena arena = {0};
    uint32_t slots = 0;
    struct translator t = {.facts = &facts, .arena = &arena, .next_slot = &slots};
    uint8_t bytes[20] = {0};
    const size_t n = strlen(hex) / 2;
    for (size_t i = 0; i < n; i++) {
        unsigned v;
        assert_int_equal(sscanf(hex + 2 * i, "%2x", &v), 1);
        bytes[i] = (uint8_t)v;
    }
    struct insn in;
    assert_int_equal(insn_decode(facts.isa, bytes, n, &in), DECODE_OK);
    assert_true(translate_memory(&t, &in, facts.bodies[in.row - isa_rows]));
    e->w->status = WAVE_RUNNING;
    for (size_t i = 0; i < t.ops.count; i++) run_op(e->w, t.ops.items[i], t.ops.items[i].fn);
    array_free(&t.ops);
    arena_free(&arena);
}

static void to_lds(void **state) {
    (void)state;
    static const struct {
        const char *gpu, *hex;
        unsigned size;
        bool buffer;
    } cases[] = {
        {"gfx900", "081051e002000180", 4, true},   // buffer_load_dword v2, s[4:7], 0 offen offset:8 lds
        {"gfx900", "081045e002000180", 1, true},   // buffer_load_sbyte
        {"gfx942", "0880a8dc02000400", 4, false},  // global_load_lds_dword v2, s[4:5] offset:8
        {"gfx942", "08809cdc02000400", 1, false},  // global_load_lds_sbyte
        {"gfx950", "0880f4dd02000400", 16, false}, // global_load_lds_dwordx4
        {"gfx950", "0880f8dd02000400", 12, false}, // global_load_lds_dwordx3
        {"gfx950", "08105de002000180", 16, true},  // buffer_load_dwordx4
    };
    EACH_LEVEL(level) for (unsigned k = 0; k < sizeof cases / sizeof *cases; k++) {
        struct env *e = env_create(64);
        const uint64_t base = address_of(e->arena) + 0x400;
        const unsigned dwords = (cases[k].size + 3) / 4, apart = dwords == 3 ? 4 : dwords; // TRAP-322
        randomize(e->arena, ARENA);
        randomize(e->lds, LDS_SIZE);
        randomize_registers(e);
        uint8_t want[LDS_SIZE];
        memcpy(want, e->lds, sizeof want);
        e->w->exec = random64();
        e->w->s[4] = (uint32_t)base, e->w->s[5] = (uint32_t)(base >> 32);
        e->w->s[6] = 0x1000, e->w->s[7] = 4 << 15;
        e->w->s[124] = 0xabcc0140; // M0: bits 15:0 count, on gfx950 17:0
        for (unsigned l = 0; l < 64; l++) {
            uint32_t *v = &lanes_of(e->w, vgpr(e->w, 2))[l];
            *v = *v % 0x100 * 4;
            if (l % 9 == 0 && cases[k].buffer) *v = 0x2000; // out of range: zero is written
            if (!executes(e, l)) continue;
            for (unsigned d = 0; d < dwords; d++) {
                uint32_t x = *v == 0x2000 ? 0 : rd32(e->arena + 0x400 + *v + 8 + 4 * d);
                if (cases[k].size == 1) x = (uint32_t)(int8_t)x;
                wr32(want + 0x140 + 8 + (l * apart + d) * 4, x);
            }
        }
        run_hex(e, cases[k].gpu, level, cases[k].hex);
        assert_memory_equal(want, e->lds, sizeof want);
        env_destroy(e);
    }
}

static void whole(void **state) {
    (void)state;
    static const char *const forms[][2] = {
        {"gfx900", "089028ea02180180"}, // tbuffer_load_format_xy v[24:25], v2, s[4:7], 16_16 uint
        {"gfx1030", "0810d9e802180180"}, {"gfx1201", "7c4020c41808804d02080000"},
        {"gfx900", "081050e002188180"}, // buffer_load_dword v[24:25], v2, s[4:7], 0 offen offset:8 tfe
        {"gfx900", "081098e002180180"}, // buffer_load_format_d16_hi_x v24, v2, s[4:7], 0 offen offset:8
    };
    EACH_LEVEL(level) for (unsigned k = 0; k < 5; k++) {
        struct env *e = env_create(64);
        const uint64_t base = address_of(e->arena) + 0x400;
        randomize(e->arena, ARENA);
        randomize_registers(e);
        e->w->exec = random64();
        e->w->s[4] = (uint32_t)base, e->w->s[5] = (uint32_t)(base >> 32);
        e->w->s[6] = 0x1000, e->w->s[7] = 4 | 5 << 15 | NUMBER_UINT << 12 | 3u << 28;
        if (k == 3 || k == 4 || k == 0) e->w->s[7] &= ~(3u << 28);
        uint32_t *x = lanes_of(e->w, vgpr(e->w, 24)), *y = lanes_of(e->w, vgpr(e->w, 25)), old[2][64];
        memcpy(old[0], x, 256), memcpy(old[1], y, 256);
        for (unsigned l = 0; l < 64; l++)
            lanes_of(e->w, vgpr(e->w, 2))[l] %= 0x400, lanes_of(e->w, vgpr(e->w, 2))[l] &= ~3u;
        run_hex(e, forms[k][0], level, forms[k][1]);
        for (unsigned l = 0; l < 64; l++) {
            const uint32_t in = rd32(e->arena + 0x408 + lanes_of(e->w, vgpr(e->w, 2))[l]);
            uint32_t a = k == 3 ? in : k == 4 ? (old[0][l] & 0xffff) | in << 16 : in & 0xffff;
            uint32_t b = k == 3 ? 0 : k == 4 ? old[1][l] : in >> 16;
            if (!executes(e, l)) a = old[0][l], b = old[1][l];
            assert_int_equal(x[l], a);
            assert_int_equal(y[l], b);
        }
        env_destroy(e);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(numbering), cmocka_unit_test(loads),
                                       cmocka_unit_test(stores),    cmocka_unit_test(descriptors),
                                       cmocka_unit_test(to_lds),    cmocka_unit_test(whole)};
    return RUN_AT_BOTH(tests);
}
