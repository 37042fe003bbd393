// SPDX-License-Identifier: MIT
// Rare ways to memory, as whole instructions: scalar atomics, LDS operations whose operand comes from LDS,
// transposed loads, and registers that exchange groups of lanes.
// Facts shown: TRAP-088, 265, 278 to 280; SM9 atomics.
#include "exec/decode/control_ops.h"
#include "exec/decode/translate.h"
#include "memory_env.h"

#define EACH_LEVEL(level) for (unsigned level = 0; level < level_count(); level++)

// False: the instruction faulted.
static bool run_hex(struct env *e, const char *gpu, unsigned level, const char *hex) {
    const sw_processor *p = sw_processor_find(gpu, strlen(gpu));
    const bool null = has(p, CAP_null_register);
    struct code_facts facts = {.processor = p,
                               .isa = isa_of(p),
                               .stride = e->w->stride,
                               .vgprs = VGPRS,
                               .agpr_base = VGPRS,
                               .wave32 = e->w->lanes == 32,
                               .m0 = null ? 125 : 124,
                               .null = null ? 124 : 0,
                               .bodies = levels[level].bodies,
                               .steps = levels[level].steps};
    struct arena arena = {0};
    uint32_t slots = 0;
    struct translator t = {.facts = &facts, .arena = &arena, .next_slot = &slots};
    uint8_t bytes[20] = {0};
    for (size_t i = 0; i < strlen(hex) / 2; i++) assert_int_equal(sscanf(hex + 2 * i, "%2hhx", &bytes[i]), 1);
    struct insn in;
    assert_int_equal(insn_decode(facts.isa, bytes, strlen(hex) / 2, &in), DECODE_OK);
    covered(row_sem(in.row));
    const struct body *body = facts.bodies[in.row - isa_rows];
    if (!(body->shape == SHAPE_MEMORY ? translate_memory(&t, &in, body)
          : in.format->id == FMT_DS   ? translate_exchange(&t, &in, body)
                                      : translate_vector(&t, &in)))
        fail_msg("%s: %s", hex, t.gap);
    e->w->status = WAVE_RUNNING;
    memset(&e->dispatch.fault, 0, sizeof e->dispatch.fault);
    struct op ops[80] = {{.fn = NULL}};
    assert_true(t.ops.count < 80);
    for (size_t i = 0; i < t.ops.count; i++) ops[i] = t.ops.items[i];
    ops[t.ops.count].fn = bare_stop;
    for (const struct op *op = ops; op;) op = op->fn(e->w, op);
    array_free(&t.ops);
    arena_free(&arena);
    return e->w->status == WAVE_RUNNING;
}

static void scalar_atomics(void **state) {
    (void)state;
    EACH_LEVEL(level) {
        struct env *e = env_create(64);
        uint32_t *s = e->w->s;
        const uint64_t base = address_of(e->arena) + 0x400;
        uint8_t *m = e->arena + 0x400;
        s[2] = (uint32_t)base, s[3] = (uint32_t)(base >> 32);
        wr32(m + 0x10, 5);
        s[8] = 7, s[9] = 99;
        assert_true(run_hex(e, "gfx900", level, "01020bc210000000")); // s_atomic_add s8, s[2:3], 0x10 glc
        assert_int_equal(rd32(m + 0x10), 12);
        assert_int_equal(s[8], 5);
        assert_int_equal(s[9], 99);
        assert_true(run_hex(e, "gfx900", level, "01020ac210000000")); // without glc
        assert_int_equal(rd32(m + 0x10), 17);
        assert_int_equal(s[8], 5);
        wr64(m + 0x20, 0x1234567890); // s_atomic_cmpswap_x2 s[8:11], s[2:3], s20 glc
        s[20] = 0x20;
        wr64((char *)&s[8], 0x1111), wr64((char *)&s[10], 0x1234567890);
        assert_true(run_hex(e, "gfx900", level, "010285c214000000"));
        assert_true(rd64(m + 0x20) == 0x1111);
        assert_true(rd64((char *)&s[8]) == 0x1234567890);
        assert_true(rd64((char *)&s[10]) == 0x1234567890);
        wr64((char *)&s[8], 0x1111); // s_atomic_inc_x2 s[8:9], s[2:3], 0x20 glc
        assert_true(run_hex(e, "gfx900", level, "0102afc220000000"));
        assert_true(rd64(m + 0x20) == 0);
        // s_buffer_atomic_umax s8, s[4:7], 0x8 glc: in and out of the buffer
        s[4] = (uint32_t)base, s[5] = (uint32_t)(base >> 32), s[6] = 12, s[7] = 0;
        wr32(m + 8, 3);
        s[8] = 77;
        assert_true(run_hex(e, "gfx900", level, "02021fc108000000"));
        assert_int_equal(rd32(m + 8), 77);
        assert_int_equal(s[8], 3);
        s[6] = 8, s[8] = 100;
        assert_true(run_hex(e, "gfx900", level, "02021fc108000000"));
        assert_int_equal(rd32(m + 8), 77);
        assert_int_equal(s[8], 0);
        // Memory that is not there, and an address that is no multiple of the size.
        s[3] += 0x100;
        assert_false(run_hex(e, "gfx900", level, "01020bc210000000"));
        assert_int_equal(e->dispatch.fault.kind, SW_FAULT_ATOMIC);
        s[3] -= 0x100;
        assert_false(run_hex(e, "gfx900", level, "0102afc224000000"));
        assert_int_equal(e->dispatch.fault.kind, SW_FAULT_ALIGNMENT);
        env_destroy(e);
    }
}

static void operand_from_lds(void **state) {
    (void)state;
    EACH_LEVEL(level) {
        struct env *e = env_create(64);
        uint32_t *address = lanes_of(e->w, vgpr(e->w, 2));
        for (unsigned i = 0; i < LDS_SIZE / 4; i++) wr32(e->lds + 4 * i, i * i);
        e->w->exec = 0x5;
        address[0] = 0x100, address[2] = 0x200;
        assert_true(run_hex(e, "gfx900", level, "030000d902000000")); // ds_add_src2_u32 v2, 3 dwords on
        assert_int_equal(rd32(e->lds + 0x100), 0x40 * 0x40 + 0x43 * 0x43);
        assert_int_equal(rd32(e->lds + 0x200), 0x80 * 0x80 + 0x83 * 0x83);
        assert_int_equal(rd32(e->lds + 0x10c), 0x43 * 0x43);
        address[0] = 0x300, address[2] = LDS_SIZE - 4; // two back: the offset has 15 bits with sign
        assert_true(run_hex(e, "gfx900", level, "fe7f1ad902000000")); // ds_write_src2_b32
        assert_int_equal(rd32(e->lds + 0x300), 0xbe * 0xbe);
        assert_int_equal(rd32(e->lds + LDS_SIZE - 4), (LDS_SIZE / 4 - 3) * (LDS_SIZE / 4 - 3));
        address[0] = 0x40 | 5u << 17; // distances in the addresses: 5 and -1
        address[2] = 0x80 | 0x7fffu << 17;
        assert_true(run_hex(e, "gfx900", level, "008000d902000000"));
        assert_int_equal(rd32(e->lds + 0x40), 0x10 * 0x10 + 0x15 * 0x15);
        assert_int_equal(rd32(e->lds + 0x80), 0x20 * 0x20 + 0x1f * 0x1f);
        env_destroy(e);
    }
}

// What 16 lanes read is rows of 16 elements; lane n gets column n.
static void transposed(void **state) {
    (void)state;
    static const struct {
        const char *hex;
        unsigned bits, count;
    } forms[] = {{"1000c6d902000008", 16, 4},

                 {"1000c0d902000008", 4, 16},
                 {"1000c2d902000008", 6, 16}};
    EACH_LEVEL(level) for (unsigned f = 0; f < 3; f++) {
        struct env *e = env_create(64);
        const unsigned bits = forms[f].bits, bytes = bits * forms[f].count / 8;
        randomize(e->lds, LDS_SIZE);
        e->w->exec = 1; // all lanes act
        for (unsigned l = 0; l < 64; l++) lanes_of(e->w, vgpr(e->w, 2))[l] = 32 + l * bytes;
        assert_true(run_hex(e, "gfx950", level, forms[f].hex));
        for (unsigned l = 0; l < 64; l++)
            for (unsigned j = 0; j < forms[f].count; j++) {
                uint32_t got = 0, want = 0;
                for (unsigned b = 0; b < bits; b++) {
                    const unsigned at = j * bits + b,
                                   from = (l / 16 * 16 * forms[f].count + j * 16 + l % 16) * bits + b;
                    got |= (lanes_of(e->w, vgpr(e->w, 8 + at / 32))[l] >> at % 32 & 1) << b;
                    want |= (uint32_t)(e->lds[48 + from / 8] >> from % 8 & 1) << b;
                }
                assert_int_equal(got, want);
            }
        env_destroy(e);
    }
}
// The layout that others measured for 16 bits: element n of lane l is from lane (l / 4) % 4 + 4 n of its 16.
static void measured(void **state) {
    (void)state;
    struct env *e = env_create(64);
    for (unsigned l = 0; l < 64; l++) {
        const unsigned at = 16 + (63 - l) * 8;
        lanes_of(e->w, vgpr(e->w, 2))[l] = at - 16;
        for (unsigned h = 0; h < 4; h++) wr16(e->lds + at + 2 * h, (uint16_t)(l << 8 | h));
    }
    assert_true(run_hex(e, "gfx950", 0, "1000c6d902000008"));
    for (unsigned l = 0; l < 64; l++)
        for (unsigned n = 0; n < 4; n++) {
            const unsigned from = (l & ~15u) + (l / 4 & 3) + 4 * n;
            assert_int_equal(lanes_of(e->w, vgpr(e->w, 8 + n / 2))[l] >> 16 * (n % 2) & 0xffff,
                             from << 8 | (l & 3));
        }
    env_destroy(e);
}

static void exchanges(void **state) {
    (void)state;
    static const struct {
        const char *hex;
        unsigned size;
    } forms[] = {{"04b3067e", 16}, {"04b5067e", 32}}; // v_permlane16_swap_b32 v3, v4; v_permlane32_swap_b32
    EACH_LEVEL(level) for (unsigned f = 0; f < 2; f++) for (unsigned n = 0; n < 4; n++) {
        struct env *e = env_create(64);
        randomize_registers(e);
        e->w->exec = n ? random64() : ~0ull;
        uint32_t d[64], s[64];
        memcpy(d, lanes_of(e->w, vgpr(e->w, 3)), 256), memcpy(s, lanes_of(e->w, vgpr(e->w, 4)), 256);
        assert_true(run_hex(e, "gfx950", level, forms[f].hex));
        for (unsigned l = 0; l < 64; l++) {
            const bool odd = l & forms[f].size, on = e->w->exec >> l & 1;
            assert_int_equal(lanes_of(e->w, vgpr(e->w, 3))[l], odd && on ? s[l - forms[f].size] : d[l]);
            assert_int_equal(lanes_of(e->w, vgpr(e->w, 4))[l], !odd && on ? d[l + forms[f].size] : s[l]);
        }
        env_destroy(e);
    }
}

// ds_bpermute_fi_b32 reads lanes that do not execute; ds_bpermute_b32 reads zero there.
static void permuted(void **state) {
    (void)state;
    EACH_LEVEL(level) for (unsigned n = 0; n < 8; n++) {
        struct env *e = env_create(n & 1 ? 64 : 32);
        randomize_registers(e);
        e->w->exec = random64();
        uint32_t d[64], a[64], b[64];
        memcpy(d, lanes_of(e->w, vgpr(e->w, 3)), e->w->stride),
            memcpy(a, lanes_of(e->w, vgpr(e->w, 4)), e->w->stride);
        memcpy(b, lanes_of(e->w, vgpr(e->w, 5)), e->w->stride);
        // ds_bpermute_fi_b32 v3, v4, v5 offset:8; ds_bpermute_b32
        assert_true(run_hex(e, "gfx1200", level, n & 2 ? "080034db04050003" : "0800ccda04050003"));
        for (unsigned l = 0; l < e->w->lanes; l++) {
            const unsigned from = (a[l] + 8) / 4 % e->w->lanes;
            const uint32_t got = n & 2 || e->w->exec >> from & 1 ? b[from] : 0;
            assert_int_equal(lanes_of(e->w, vgpr(e->w, 3))[l], e->w->exec >> l & 1 ? got : d[l]);
        }
        env_destroy(e);
    }
}

static void swapped_halves(void **state) {
    (void)state;
    static const struct {
        const char *hex;
        bool high, other_high;
    } forms[] = {{"04cd067e", false, false},
                 {"84cd067e", false, true},
                 {"04cd067f", true, false},
                 {"03cd067f", true, false}};
    EACH_LEVEL(level) for (unsigned f = 0; f < 4; f++) { // v_swap_b16 v3.l, v4.l and so on; v3.h, v3.l
        struct env *e = env_create(32);
        randomize_registers(e);
        e->w->exec = random64();
        uint32_t d[32], s[32];
        memcpy(d, lanes_of(e->w, vgpr(e->w, 3)), 128), memcpy(s, lanes_of(e->w, vgpr(e->w, 4)), 128);
        assert_true(run_hex(e, "gfx1100", level, forms[f].hex));
        for (unsigned l = 0; l < 32; l++) {
            uint32_t a = d[l], b = s[l];
            const unsigned da = forms[f].high ? 16 : 0, sb = forms[f].other_high ? 16 : 0;
            if (e->w->exec >> l & 1) {
                if (f == 3)
                    a = a << 16 | a >> 16;
                else {
                    const uint32_t x = a >> da & 0xffff, y = b >> sb & 0xffff;
                    a = (a & ~(0xffffu << da)) | y << da;
                    b = (b & ~(0xffffu << sb)) | x << sb;
                }
            }
            assert_int_equal(lanes_of(e->w, vgpr(e->w, 3))[l], a);
            assert_int_equal(lanes_of(e->w, vgpr(e->w, 4))[l], b);
        }
        env_destroy(e);
    }
}

// RDNA4: 8 lanes read 8 rows of 8 halves, lane n gets column n (TRAP-302, TRAP-303).
static void transposed_global(void **state) {
    (void)state;
    EACH_LEVEL(level) {
        struct env *e = env_create(32);
        const uint64_t base = address_of(e->arena) + 0x400;
        randomize(e->arena, ARENA);
        for (unsigned l = 0; l < 32; l++) set_pair(e->w, vgpr(e->w, 2), l, base + 0x50 * l);
        // global_load_tr_b128 v[9:12], v[2:3], off offset:16
        assert_true(run_hex(e, "gfx1200", level, "7cc015ee0900000002100000"));
        for (unsigned l = 0; l < 32; l++)
            for (unsigned j = 0; j < 8; j++)
                assert_int_equal(lanes_of(e->w, vgpr(e->w, 9 + j / 2))[l] >> 16 * (j % 2) & 0xffff,
                                 rd16(e->arena + 0x410 + 0x50 * (l / 8 * 8 + j) + 2 * (l % 8)));
        env_destroy(e);
    }
}

// M0 has a bit for each register; the others and their memory are left alone.
static void blocks(void **state) {
    (void)state;
    EACH_LEVEL(level) for (unsigned n = 0; n < 8; n++) {
        struct env *e = env_create(32);
        const uint64_t base = address_of(e->arena) + 0x400;
        const uint32_t bits = e->w->s[125] = n == 0 ? 0 : n == 1 ? ~0u : (uint32_t)random64();
        randomize(e->arena, ARENA);
        randomize_registers(e);
        e->w->exec = pattern_exec(n);
        uint32_t old[32][32];
        uint8_t memory[0x1800];
        for (unsigned r = 0; r < 32; r++) memcpy(old[r], lanes_of(e->w, vgpr(e->w, 9 + r)), 128);
        memcpy(memory, e->arena + 0x400, sizeof memory);
        for (unsigned l = 0; l < 32; l++) set_pair(e->w, vgpr(e->w, 2), l, base + 0xa0 * l);
        // global_load_block v[9:40], v[2:3], off offset:16, then global_store_block
        const bool load = n & 1;
        assert_true(
            run_hex(e, "gfx1200", level, load ? "7cc014ee0900000002100000" : "7c0015ee0000800402100000"));
        for (unsigned l = 0; l < 32; l++)
            for (unsigned r = 0; r < 32; r++) {
                uint8_t *at = memory + 0xa0 * l + 16 + 4 * r;
                if (e->w->exec >> l & 1 && bits >> r & 1) {
                    if (load)
                        old[r][l] = rd32(at);
                    else
                        wr32(at, old[r][l]);
                }
                assert_int_equal(lanes_of(e->w, vgpr(e->w, 9 + r))[l], old[r][l]);
            }
        assert_memory_equal(memory, e->arena + 0x400, sizeof memory);
        env_destroy(e);
    }
}

// The same to a lane's own scratch and back.
static void scratch_blocks(void **state) {
    (void)state;
    EACH_LEVEL(level) for (unsigned n = 0; n < 8; n++) {
        struct env *e = env_create(32);
        const uint32_t bits = e->w->s[125] = n ? (uint32_t)random64() : ~0u;
        randomize_registers(e);
        const uint64_t exec = e->w->exec = pattern_exec(n);
        uint32_t stored[32][32];
        for (unsigned r = 0; r < 32; r++) memcpy(stored[r], lanes_of(e->w, vgpr(e->w, 9 + r)), 128);
        // scratch_store_block off, v[9:40], off offset:16; other registers; scratch_load_block
        assert_true(run_hex(e, "gfx1200", level, "7c0015ed0000800400100000"));
        e->w->exec = e->w->all_lanes;
        randomize_registers(e);
        e->w->exec = exec;
        uint32_t before[32][32];
        for (unsigned r = 0; r < 32; r++) memcpy(before[r], lanes_of(e->w, vgpr(e->w, 9 + r)), 128);
        assert_true(run_hex(e, "gfx1200", level, "7cc014ed0900000000100000"));
        for (unsigned l = 0; l < 32; l++)
            for (unsigned r = 0; r < 32; r++)
                assert_int_equal(lanes_of(e->w, vgpr(e->w, 9 + r))[l],
                                 exec >> l & 1 && bits >> r & 1 ? stored[r][l] : before[r][l]);
        env_destroy(e);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(scalar_atomics),    cmocka_unit_test(operand_from_lds), cmocka_unit_test(transposed),
        cmocka_unit_test(measured),          cmocka_unit_test(exchanges),        cmocka_unit_test(blocks),
        cmocka_unit_test(transposed_global), cmocka_unit_test(swapped_halves),   cmocka_unit_test(permuted),
        cmocka_unit_test(scratch_blocks)};
    return RUN_AT_BOTH(tests);
}
