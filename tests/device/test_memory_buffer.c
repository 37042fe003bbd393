// SPDX-License-Identifier: MIT
// Buffer loads and stores, and scalar memory. Descriptors of every layout: raw, structured, swizzled, with
// lane ids, the private segment buffer, each out-of-range rule. Scalar loads and stores: offsets, alignment,
// the null register, bounds of buffers. Facts shown: TRAP-082 to 087, 090, 091, 306 to 311, 314, 316 to 318;
// BUF-30, 31, 35 to 49, 57; SM9-14 to 19, 28 to 31, 47; SM11-05 to 13, 23.
#include "buffer_rules.h"
#include "memory_env.h"

MEMORY_TABLES(buffer_load)
MEMORY_TABLES(buffer_store)
MEMORY_TABLES(s_load)
MEMORY_TABLES(s_store)
MEMORY_TABLES(s_buffer_load)
MEMORY_TABLES(s_buffer_store)
MEMORY_TABLES(s_scratch_load)
MEMORY_TABLES(s_scratch_store)

enum { V_ADDRESS = 2, V_DATA = 8, V_DST = 24 };
#define EACH_LEVEL(level) for (unsigned level = 0; level < level_count(); level++)
#define BOTH_SIZES(e)                                                                                        \
    for (unsigned lanes_ = 32; lanes_ <= 64; lanes_ += 32)                                                   \
        for (struct env *e = env_create(lanes_); e; env_destroy(e), e = NULL)

static struct buffer random_buffer(struct env *e, unsigned i) {
    static const uint32_t strides[] = {0, 4, 16, 24, 64, 0x4010};
    struct buffer b = {.kind = (enum srd_kind)(i % 6),
                       .base = address_of(e->arena) + 0x40 + (i % 7 == 0 ? 2 : 0),
                       .stride = strides[random64() % 5],
                       .index_stride = 8u << random64() % 4,
                       .element = 4,
                       .swizzled = random64() & 1,
                       .add_tid = random64() & 1,
                       .oob = (unsigned)random64() % 4,
                       .unbound = random64() % 16 == 0};
    b.soffset_counts = b.kind != SRD_GFX6 && (b.kind != SRD_GFX9 || i / 6 & 1);
    if (b.kind <= SRD_GFX8 || b.kind >= SRD_GFX11) b.element = random64() & 1 ? 16 : 4;
    if ((b.kind == SRD_GFX8 || b.kind == SRD_GFX9) && b.add_tid && random64() % 4 == 0)
        b.stride = 0x4010 / 0x4000 * 0x4000;
    const bool records = b.stride && random64() & 1;
    b.records = records ? (uint32_t)random64() % 40 : (uint32_t)random64() % 700;
    return b;
}
static bool executes(const struct env *e, unsigned l) { return e->w->exec >> l & 1; }

static void descriptors(void **state) {
    (void)state;
    unsigned done = 0, some_out = 0, all_in = 0;
    BOTH_SIZES(e) EACH_LEVEL(n) for (unsigned f = 0; f < LOAD_FORMS; f++) for (unsigned i = 0; i < 240; i++) {
        const struct form *form = &load_forms[f];
        const unsigned size = form->size, step = size < 4 ? size : 4, lanes = e->w->lanes;
        struct buffer b = random_buffer(e, i);
        uint32_t want[4][64];
        uint64_t at[64][4];
        bool in[64][4], reachable = true;
        if (b.swizzled && b.element < size && b.element != 4) continue;
        randomize(e->arena, ARENA);
        randomize_registers(e);
        e->w->exec = pattern_exec(i / 6);
        e->mo = (struct mem_op){.srd = (uint8_t)b.kind,
                                .soffset_counts = b.soffset_counts,
                                .whole_dwords = b.kind < SRD_GFX10 && random64() & 1,
                                .idxen = random64() & 1,
                                .offen = random64() & 1,
                                .offset = (int64_t)(random64() % 64),
                                .slot = 5,
                                .vaddr = vgpr(e->w, V_ADDRESS),
                                .srsrc = sgpr_offset(8),
                                .soffset = sgpr_offset(20),
                                .data = vgpr(e->w, V_DATA),
                                .dst = vgpr(e->w, V_DST)};
        e->w->s[20] = (uint32_t)random64() % 8 * 4;
        if (b.swizzled) e->mo.offset &= ~15, e->w->s[20] &= ~15u; // one access stays in one element (BUF-43)
        e->mo.access = (uint8_t)form->k;
        lay_out(&b, &e->w->s[8]);
        const unsigned shape = (unsigned)random64() % 4;
        for (unsigned l = 0; l < lanes; l++) {
            uint32_t index = (uint32_t)random64() % 24, offset = shape == 0   ? l * size
                                                                 : shape == 1 ? 16
                                                                              : (uint32_t)random64() % 256;
            if (b.swizzled) offset &= ~15u;
            if (shape == 3 && l % 5 == 0) offset = 0xfffffff0;
            uint32_t reg = V_ADDRESS;
            if (e->mo.idxen)
                lanes_of(e->w, vgpr(e->w, reg++))[l] = index;
            else
                index = 0;
            if (e->mo.offen)
                lanes_of(e->w, vgpr(e->w, reg))[l] = offset;
            else
                offset = 0;
            index += b.add_tid ? l : 0;
            for (unsigned d = 0; d < (size + 3) / 4; d++) {
                want[d][l] = lanes_of(e->w, vgpr(e->w, V_DST + d))[l];
                in[l][d] = locate(&b, e->mo.idxen, e->mo.whole_dwords, index, (uint64_t)e->mo.offset + offset,
                                  e->w->s[20], size, d, &at[l][d]);
                if (executes(e, l) && in[l][d] &&
                    (at[l][d] < address_of(e->arena) || at[l][d] + step > address_of(e->arena) + ARENA))
                    reachable = false;
            }
        }
        if (!reachable) { // in the descriptor's range but not memory
            assert_false(run_memory(e, buffer_load_bodies[n]->table, form->k));
            continue;
        }
        done++;
        bool out = false;
        for (unsigned l = 0; l < lanes; l++) {
            uint8_t bytes[16] = {0};
            uint32_t regs[4];
            if (!executes(e, l)) continue;
            for (unsigned d = 0; d < (size + 3) / 4; d++) {
                regs[d] = want[d][l];
                if (in[l][d])
                    memcpy(bytes + 4 * d, host_pointer(at[l][d]), step);
                else
                    out = true;
            }
            expect_loaded(form, bytes, regs, 1);
            for (unsigned d = 0; d < (size + 3) / 4; d++) want[d][l] = regs[d];
        }
        out ? some_out++ : all_in++;
        assert_true(run_memory(e, buffer_load_bodies[n]->table, form->k));
        for (unsigned d = 0; d < (size + 3) / 4; d++)
            for (unsigned l = 0; l < lanes; l++)
                if (lanes_of(e->w, vgpr(e->w, V_DST + d))[l] != want[d][l])
                    fail_msg("load %u %s wave%u kind %u stride %u swizzled %u tid %u idxen %u oob %u: lane "
                             "%u dword %u is %08x, not %08x",
                             f, levels[n].name, lanes, b.kind, b.stride, b.swizzled, b.add_tid, e->mo.idxen,
                             b.oob, l, d, lanes_of(e->w, vgpr(e->w, V_DST + d))[l], want[d][l]);
        if (!buffer_store_bodies[n]->table[form->k]) continue;
        // Stores: only where no two dwords meet, so that order plays no part.
        static uint8_t expect[ARENA], owner[ARENA];
        memcpy(expect, e->arena, ARENA);
        memset(owner, 0, ARENA);
        bool meet = false;
        for (unsigned l = 0; l < lanes; l++) {
            uint8_t bytes[16];
            uint32_t regs[4];
            for (unsigned d = 0; d < (size + 3) / 4; d++) regs[d] = lanes_of(e->w, vgpr(e->w, V_DATA + d))[l];
            expect_stored(form, regs, 1, bytes);
            for (unsigned x = 0; x < size && executes(e, l); x++) {
                if (!in[l][x / 4]) continue;
                uint64_t to = at[l][x / 4] + x % 4 - address_of(e->arena);
                meet |= owner[to]++;
                expect[to] = bytes[x];
            }
        }
        if (meet) continue;
        e->mo.slot = 6;
        assert_true(run_memory(e, buffer_store_bodies[n]->table, form->k));
        assert_memory_equal(e->arena, expect, ARENA);
    }
    assert_true(done > 3000 && some_out > 500 && all_in > 500);
}
// The buffer through which kernels without scratch instructions reach their private segment is the same
// memory as scratch (AS-20, AS-21, TRAP-297).
static void private_segment(void **state) {
    (void)state;
    BOTH_SIZES(e) EACH_LEVEL(n) for (unsigned f = 0; f < LOAD_FORMS; f++) for (unsigned i = 0; i < 24; i++) {
        const struct form *form = &load_forms[f];
        const unsigned lanes = e->w->lanes, size = form->size;
        struct buffer b = {.kind = i & 1 ? SRD_GFX10 : SRD_GFX9,
                           .base = e->w->scratch_base,
                           .records = 4096,
                           .index_stride = lanes,
                           .element = 4,
                           .swizzled = true,
                           .add_tid = true,
                           .oob = 2};
        randomize(e->arena, ARENA);
        randomize_registers(e);
        e->w->exec = pattern_exec(i / 4);
        e->mo = (struct mem_op){.srd = (uint8_t)b.kind,
                                .offen = i & 2,
                                .offset = 8,
                                .slot = 5,
                                .vaddr = vgpr(e->w, V_ADDRESS),
                                .srsrc = sgpr_offset(0),
                                .soffset = sgpr_offset(20),
                                .data = vgpr(e->w, V_DATA),
                                .dst = vgpr(e->w, V_DST)};
        e->w->s[20] = 0;
        e->mo.access = (uint8_t)form->k;
        lay_out(&b, &e->w->s[0]);
        for (unsigned l = 0; l < lanes; l++) {
            uint32_t own = (i & 8 ? 32 : (uint32_t)random64() % 128) / size * size / (size > 4 ? size : 1) *
                           (size > 4 ? size : 1);
            lanes_of(e->w, vgpr(e->w, V_ADDRESS))[l] = own &= size >= 4 ? ~3u : ~0u;
            if (!(i & 2)) own = 0;
            for (unsigned x = 0; x < size; x++)
                *host_pointer(e->w->scratch_base + (own + 8 + x) / 4 * lanes * 4 + l * 4 +
                              (own + 8 + x) % 4) = (uint8_t)(l * 16 + x);
        }
        assert_true(run_memory(e, buffer_load_bodies[n]->table, form->k));
        for (unsigned l = 0; l < lanes; l++) {
            uint8_t bytes[16];
            uint32_t regs[4] = {0}, got[4] = {0};
            if (!executes(e, l)) continue;
            for (unsigned x = 0; x < size; x++) bytes[x] = (uint8_t)(l * 16 + x);
            for (unsigned d = 0; d < (size + 3) / 4; d++)
                got[d] = regs[d] = lanes_of(e->w, vgpr(e->w, V_DST + d))[l];
            expect_loaded(form, bytes, regs, 1);
            assert_memory_equal(got, regs, sizeof got);
        }
    }
}
static void other_descriptors(void **state) {
    (void)state;
    BOTH_SIZES(e) EACH_LEVEL(n) {
        // Unbound: loads give zero, stores vanish (TRAP-310).
        memset(&e->w->s[8], 0, 16);
        randomize_registers(e);
        e->w->exec = ~0ull;
        for (unsigned kind = SRD_GFX6; kind <= SRD_GFX12; kind++) {
            e->mo = (struct mem_op){.srd = (uint8_t)kind,
                                    .slot = 5,
                                    .srsrc = sgpr_offset(8),
                                    .soffset = sgpr_offset(20),
                                    .vaddr = vgpr(e->w, V_ADDRESS),
                                    .data = vgpr(e->w, V_DATA),
                                    .dst = vgpr(e->w, V_DST)};
            memset(lanes_of(e->w, e->mo.dst), 0xff, e->w->stride);
            assert_true(run_memory(e, buffer_load_bodies[n]->table, ACCESS_B32));
            for (unsigned l = 0; l < e->w->lanes; l++) assert_int_equal(lanes_of(e->w, e->mo.dst)[l], 0);
            e->mo.slot = 6;
            assert_true(run_memory(e, buffer_store_bodies[n]->table, ACCESS_B32));
            // An image descriptor: nothing happens (TRAP-311).
            e->w->s[11] = 2u << 30;
            memset(lanes_of(e->w, e->mo.dst), 0xff, e->w->stride);
            assert_true(run_memory(e, buffer_load_bodies[n]->table, ACCESS_B32));
            for (unsigned l = 0; l < e->w->lanes; l++)
                assert_int_equal(lanes_of(e->w, e->mo.dst)[l], 0xffffffff);
            e->w->s[11] = 0;
        }
        // 64-bit vector addresses of GFX6 and GFX7 need no size.
        e->mo = (struct mem_op){.srd = SRD_GFX6,
                                .addr64 = true,
                                .offset = 4,
                                .slot = 5,
                                .srsrc = sgpr_offset(8),
                                .soffset = sgpr_offset(20),
                                .vaddr = vgpr(e->w, V_ADDRESS),
                                .dst = vgpr(e->w, V_DST)};
        e->w->s[20] = 8;
        wr64(&e->w->s[8], 0x100);
        e->w->s[11] = 4 << 15; // 32
        for (unsigned l = 0; l < e->w->lanes; l++) {
            set_pair(e->w, e->mo.vaddr, l, address_of(e->arena) - 0x100 + ARENA / 2 - 128 + 4 * l);
            wr32(e->arena + ARENA / 2 - 128 + 12 + 4 * l, l * 3);
        }
        assert_true(run_memory(e, buffer_load_bodies[n]->table, ACCESS_B32));
        for (unsigned l = 0; l < e->w->lanes; l++) assert_int_equal(lanes_of(e->w, e->mo.dst)[l], l * 3);
        e->w->s[20] = 0;
    }
}

// ---- Scalar memory ----
static void scalar_loads(void **state) {
    (void)state;
    static const struct {
        enum access k;
        unsigned size;
        bool sign;
    } kinds[] = {{ACCESS_U8, 1, 0},    {ACCESS_I8, 1, 1},   {ACCESS_U16, 2, 0},  {ACCESS_I16, 2, 1},
                 {ACCESS_B32, 4, 0},   {ACCESS_B64, 8, 0},  {ACCESS_B96, 12, 0}, {ACCESS_B128, 16, 0},
                 {ACCESS_B256, 32, 0}, {ACCESS_B512, 64, 0}};
    BOTH_SIZES(e) EACH_LEVEL(n) for (unsigned f = 0; f < 10; f++) for (unsigned i = 0; i < 40; i++) {
        const unsigned size = kinds[f].size;
        const uint64_t mask = size >= 4 ? ~3ull : ~(uint64_t)(size - 1);
        randomize(e->arena, ARENA);
        randomize(e->w->s, 4 * 106);
        e->w->exec = i & 1 ? ~0ull : 0; // EXEC plays no part
        e->mo = (struct mem_op){.scalar = true,
                                .slot = 5,
                                .saddr = sgpr_offset(4),
                                .soffset = sgpr_offset(9),
                                .offen = i & 2,
                                .offset = (int64_t)(random64() % 400) - 200,
                                .dst = sgpr_offset(i & 4 ? 20 : 4),
                                .null = i % 8 == 7};
        const uint64_t base = address_of(e->arena) + 0x800 + random64() % 8;
        wr64(&e->w->s[4], base);
        e->w->s[9] = (uint32_t)random64() % 300;
        uint64_t a = (base & mask) + ((uint64_t)e->mo.offset & mask) +
                     (i & 2 ? e->w->s[9] & mask : 0); // TRAP-082, TRAP-083
        uint32_t want[128];
        memcpy(want, e->w->s, sizeof want);
        if (!e->mo.null) {
            const uint8_t *p = host_pointer(a);
            uint32_t *d = want + (i & 4 ? 20 : 4);
            if (size >= 4)
                memcpy(d, p, size);
            else if (size == 1)
                *d = kinds[f].sign ? (uint32_t)(int8_t)*p : *p;
            else
                *d = kinds[f].sign ? (uint32_t)(int16_t)rd16(p) : rd16(p);
        }
        assert_true(run_memory(e, s_load_bodies[n]->table, kinds[f].k));
        assert_memory_equal(want, e->w->s, sizeof want);
        if (size < 4) continue;

        // Buffers: each dword alone against size = (stride ? stride : 1) * records; no swizzle.
        const uint32_t stride = i & 8 ? 12 : 0, records = (uint32_t)random64() % (stride ? 20 : 200);
        const uint64_t bytes = (uint64_t)(stride ? stride : 1) * records;
        e->mo.offset = (int64_t)(random64() % 200);
        e->mo.dst = sgpr_offset(20);
        e->mo.null = false;
        e->w->s[4] = (uint32_t)base;
        e->w->s[5] = (uint32_t)(base >> 32) | stride << 16 | (i & 16 ? 1u << 31 : 0);
        e->w->s[6] = records;
        memcpy(want, e->w->s, sizeof want);
        // RDNA4 8.1.2 drops the low bits of every part, of the size as well; RDNA3 8.1.2 those of the sum.
        const bool parts = i & 1;
        e->mo.srd = parts ? SRD_GFX12 : SRD_GFX9 + (uint8_t)(i / 2 % 3);
        const uint64_t a1 = (uint64_t)e->mo.offset, a2 = i & 2 ? e->w->s[9] : 0;
        const uint64_t offset = parts ? (a1 & ~3ull) + (a2 & ~3ull) : a1 + a2;
        const uint64_t end = parts ? bytes & ~3ull : bytes;
        for (unsigned d = 0; d < size / 4; d++)
            want[20 + d] =
                offset + 4 * d < end ? rd32(host_pointer((base & ~3ull) + (offset & ~3ull) + 4 * d)) : 0;
        assert_true(run_memory(e, s_buffer_load_bodies[n]->table, kinds[f].k));
        assert_memory_equal(want, e->w->s, sizeof want);
    }
}
static void scalar_stores(void **state) {
    (void)state;
    static const struct {
        enum access k;
        unsigned size;
    } kinds[] = {{ACCESS_B32, 4}, {ACCESS_B64, 8}, {ACCESS_B128, 16}};
    static uint8_t want[ARENA];
    BOTH_SIZES(e) EACH_LEVEL(n) for (unsigned f = 0; f < 3; f++) for (unsigned i = 0; i < 16; i++) {
        randomize(e->arena, ARENA);
        randomize(e->w->s, 4 * 106);
        e->mo = (struct mem_op){.scalar = true,
                                .slot = 6,
                                .saddr = sgpr_offset(4),
                                .soffset = sgpr_offset(9),
                                .offen = i & 2,
                                .offset = 64,
                                .data = sgpr_offset(12)};
        wr64(&e->w->s[4], address_of(e->arena) + 0x100);
        e->w->s[9] = 40;
        memcpy(want, e->arena, ARENA);
        const bool scratch = i & 1;
        memcpy(want + 0x100 + 64 + (i & 2 ? scratch ? 40 * 64 : 40 : 0), &e->w->s[12],
               kinds[f].size); // TRAP-091
        assert_true(run_memory(e, (scratch ? s_scratch_store_bodies : s_store_bodies)[n]->table, kinds[f].k));
        assert_memory_equal(want, e->arena, ARENA);
        e->mo.slot = 5;
        e->mo.dst = sgpr_offset(40);
        assert_true(run_memory(e, (scratch ? s_scratch_load_bodies : s_load_bodies)[n]->table, kinds[f].k));
        assert_memory_equal(&e->w->s[40], &e->w->s[12], kinds[f].size);

        e->w->s[6] = 64 + (i & 2 ? 40 : 0) + i % 5 * 4;
        for (unsigned d = 0; d < kinds[f].size / 4 && d < i % 5; d++)
            wr32(want + 0x100 + 64 + (i & 2 ? 40 : 0) + 4 * d, ~e->w->s[12 + d]);
        for (unsigned d = 0; d < 4; d++) e->w->s[12 + d] = ~e->w->s[12 + d];
        e->mo.slot = 6;
        assert_true(run_memory(e, s_buffer_store_bodies[n]->table, kinds[f].k));
        assert_memory_equal(want, e->arena, ARENA);
    }
}
static void scalar_faults(void **state) {
    (void)state;
    BOTH_SIZES(e) EACH_LEVEL(n) {
        e->mo = (struct mem_op){.scalar = true, .slot = 5, .saddr = sgpr_offset(4), .dst = sgpr_offset(20)};
        wr64(&e->w->s[4], address_of(e->arena) + ARENA - 60);
        assert_false(run_memory(e, s_load_bodies[n]->table, ACCESS_B512));
        assert_int_equal(e->dispatch.fault.kind, FAULT_READ);
        assert_int_equal(e->dispatch.fault.lane, -1);
        assert_true(run_memory(e, s_load_bodies[n]->table, ACCESS_B256));
        wr64(&e->w->s[4], address_of(e->locked));
        assert_true(run_memory(e, s_load_bodies[n]->table, ACCESS_B256));
        e->mo.slot = 6;
        assert_false(run_memory(e, s_store_bodies[n]->table, ACCESS_B32));
        assert_int_equal(e->dispatch.fault.kind, FAULT_WRITE);
        // A negative offset into a buffer (TRAP-087).
        e->mo.slot = 5;
        e->w->s[6] = 100;
        e->mo.offset = -4;
        assert_false(run_memory(e, s_buffer_load_bodies[n]->table, ACCESS_B32));
        e->mo.offen = true;
        e->mo.soffset = sgpr_offset(9);
        e->w->s[9] = 8;
        assert_true(run_memory(e, s_buffer_load_bodies[n]->table, ACCESS_B32));
        e->mo.negative_faults = true;
        assert_false(run_memory(e, s_buffer_load_bodies[n]->table, ACCESS_B32));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(descriptors),       cmocka_unit_test(private_segment),
        cmocka_unit_test(other_descriptors), cmocka_unit_test(scalar_loads),
        cmocka_unit_test(scalar_stores),     cmocka_unit_test(scalar_faults),
    };
    return RUN_AT_BOTH(tests);
}
