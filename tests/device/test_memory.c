// SPDX-License-Identifier: MIT
// Loads and stores of global, flat, scratch memory and LDS against byte-by-byte references: every size and
// widening, consecutive, equal, strided and random addresses, across a 4 GiB border, any EXEC, both wave
// sizes, every vector level. Memory maps, rights and faults. Facts shown: AS-14, AS-20, TRAP-048, TRAP-260 to
// 262, 264, 265, 267 to 272, 286, 287, 292, 293, 297.
#include "memory_env.h"

MEMORY_TABLES(global_load)
MEMORY_TABLES(global_store)
MEMORY_TABLES(global_load_addtid)
MEMORY_TABLES(global_store_addtid)
MEMORY_TABLES(flat_load)
MEMORY_TABLES(flat_store)
MEMORY_TABLES(scratch_load)
MEMORY_TABLES(scratch_store)
MEMORY_TABLES(ds_load)
MEMORY_TABLES(ds_store)
MEMORY_TABLES(ds_load_2addr) MEMORY_TABLES(ds_store_2addr) MEMORY_TABLES(ds_load_2addr_stride64)
    MEMORY_TABLES(ds_storexchg_2addr) MEMORY_TABLES(ds_load_addtid) MEMORY_TABLES(ds_store_addtid)
        MEMORY_TABLES(ds_append) MEMORY_TABLES(ds_consume) MEMORY_TABLES(ds_wrap_rtn_b32)
            MEMORY_TABLES(ds_condxchg32_rtn_b64)

                enum {
                    V_ADDRESS = 2,
                    V_DATA = 8,
                    V_DATA1 = 16,
                    V_DST = 24,
                    ROUNDS = 24
                };

// Offsets of the lanes into a region of `room` bytes, in one of several shapes.
static void shape_offsets(unsigned shape, unsigned size, uint32_t room, uint32_t *out) {
    const uint32_t r = (uint32_t)random64();
    for (unsigned l = 0; l < 64; l++) {
        uint32_t o;
        switch (shape % 8) {
        case 0: o = r % (room - 64 * size) / size * size + l * size; break; // consecutive
        case 1: o = r % (room - 64 * size) + l * size; break;               // and misaligned
        case 2: o = r % (room - size); break;                               // equal
        case 3: o = (uint32_t)random64() % (room - size); break;
        case 4: o = (uint32_t)random64() % (room / 4 - 4) * 4; break;
        case 5: o = r % (room - 64 * size) + (63 - l) * size; break;  // backwards
        case 6: o = r % (room - 64 * size * 2) + l * size * 2; break; // with gaps
        default: o = room - 64 * size + l * size; break;              // up to the last byte
        }
        out[l] = o > room - size ? room - size : o;
    }
}
static void set_addresses(struct env *e, const uint64_t *at) {
    for (unsigned l = 0; l < e->w->lanes; l++) set_pair(e->w, vgpr(e->w, V_ADDRESS), l, at[l]);
}

struct snapshot {
    uint32_t v[VGPRS][64];
};
static void snapshot(struct env *e, struct snapshot *s) {
    for (unsigned n = 0; n < VGPRS; n++) memcpy(s->v[n], lanes_of(e->w, vgpr(e->w, n)), 4 * e->w->lanes);
}
static void assert_registers(struct env *e, const struct snapshot *s, const char *what, const char *level) {
    for (unsigned n = 0; n < VGPRS; n++)
        for (unsigned l = 0; l < e->w->lanes; l++)
            if (lanes_of(e->w, vgpr(e->w, n))[l] != s->v[n][l])
                fail_msg("%s %s wave%u: v%u lane %u is %08x, not %08x", what, level, e->w->lanes, n, l,
                         lanes_of(e->w, vgpr(e->w, n))[l], s->v[n][l]);
}
static bool executes(const struct env *e, unsigned l) { return e->w->exec >> l & 1; }

#define EACH_LEVEL(level) for (unsigned level = 0; level < level_count(); level++)
#define BOTH_SIZES(e)                                                                                        \
    for (unsigned lanes_ = 32; lanes_ <= 64; lanes_ += 32)                                                   \
        for (struct env *e = env_create(lanes_); e; env_destroy(e), e = NULL)

// ---- GLOBAL ----
static void prepare_global(struct env *e, unsigned round, unsigned size, uint64_t *at) {
    uint32_t offset[64];
    const bool scalar = round & 1;
    e->w->exec = pattern_exec((unsigned)(random64() >> 32));
    e->mo = (struct mem_op){.has_saddr = scalar,
                            .offset = (int64_t)(random64() % 0x2000) - 0x1000,
                            .slot = 5,
                            .vaddr = vgpr(e->w, V_ADDRESS),
                            .saddr = sgpr_offset(10),
                            .data = vgpr(e->w, V_DATA),
                            .dst = vgpr(e->w, V_DST)};
    shape_offsets(round / 2, size, ARENA, offset);
    randomize_registers(e);
    const uint64_t base = address_of(e->arena);
    for (unsigned l = 0; l < 64; l++) at[l] = base + offset[l];
    if (scalar) { // base + unsigned 32-bit offset + immediate (TRAP-292)
        wr64(&e->w->s[10], base - 0x80000000u - (uint64_t)e->mo.offset);
        for (unsigned l = 0; l < e->w->lanes; l++)
            lanes_of(e->w, vgpr(e->w, V_ADDRESS))[l] = offset[l] + 0x80000000u;
    } else {
        uint64_t v[64];
        for (unsigned l = 0; l < 64; l++) v[l] = at[l] - (uint64_t)e->mo.offset;
        set_addresses(e, v);
    }
}
static void global_loads(void **state) {
    (void)state;
    BOTH_SIZES(e)
    EACH_LEVEL(n)
    for (unsigned f = 0; f < LOAD_FORMS; f++)
        for (unsigned round = 0; round < ROUNDS; round++) {
            const struct form *form = &load_forms[f];
            uint64_t at[64];
            struct snapshot s;
            randomize(e->arena, ARENA);
            prepare_global(e, round, form->size, at);
            snapshot(e, &s);
            for (unsigned l = 0; l < e->w->lanes; l++)
                if (executes(e, l)) expect_loaded(form, host_pointer(at[l]), &s.v[V_DST][l], 64);
            assert_true(run_memory(e, global_load_bodies[n]->table, form->k));
            assert_registers(e, &s, "global load", levels[n].name);
        }
}
// A load may overwrite its own address registers.
static void load_over_address(void **state) {
    (void)state;
    BOTH_SIZES(e) EACH_LEVEL(n) for (unsigned round = 0; round < ROUNDS; round++) {
        uint64_t at[64];
        struct snapshot s;
        randomize(e->arena, ARENA);
        prepare_global(e, round, 16, at);
        e->mo.dst = vgpr(e->w, V_ADDRESS);
        snapshot(e, &s);
        for (unsigned l = 0; l < e->w->lanes; l++)
            if (executes(e, l)) expect_loaded(&load_forms[7], host_pointer(at[l]), &s.v[V_ADDRESS][l], 64);
        assert_true(run_memory(e, global_load_bodies[n]->table, ACCESS_B128));
        assert_registers(e, &s, "load over address", levels[n].name);
    }
}
static void global_stores(void **state) {
    (void)state;
    uint8_t *expect = malloc(ARENA);
    BOTH_SIZES(e)
    EACH_LEVEL(n)
    for (unsigned f = 0; f < STORE_FORMS; f++)
        for (unsigned round = 0; round < ROUNDS; round++) {
            const struct form *form = &store_forms[f];
            uint64_t at[64];
            struct snapshot s;
            randomize(e->arena, ARENA);
            memcpy(expect, e->arena, ARENA);
            prepare_global(e, round, form->size, at);
            snapshot(e, &s);
            // Lanes of a chunk act in order, but those below the 4 GiB border apart from those above: no
            // element lies on it.
            for (unsigned l = 0; l < 64; l++)
                if (round / 2 % 8 == 3 && at[l] - address_of(e->arena) - (ARENA / 2 - 16) < 32)
                    e->w->exec &= ~(1ull << l);
            for (unsigned l = 0; l < e->w->lanes; l++)
                if (executes(e, l))
                    expect_stored(form, &s.v[V_DATA][l], 64, expect + (at[l] - address_of(e->arena)));
            assert_true(run_memory(e, global_store_bodies[n]->table, form->k));
            assert_registers(e, &s, "global store", levels[n].name);
            assert_memory_equal(e->arena, expect, ARENA);
        }
    free(expect);
}
static void addtid(void **state) { // TRAP-293
    (void)state;
    BOTH_SIZES(e) EACH_LEVEL(n) for (unsigned round = 0; round < 6; round++) {
        struct snapshot s;
        randomize(e->arena, ARENA);
        randomize_registers(e);
        e->w->exec = pattern_exec(round);
        e->mo = (struct mem_op){.has_saddr = true,
                                .offset = -8,
                                .saddr = sgpr_offset(4),
                                .data = vgpr(e->w, V_DATA),
                                .dst = vgpr(e->w, V_DST),
                                .slot = 1};
        wr64(&e->w->s[4], address_of(e->arena) + 0x108);
        snapshot(e, &s);
        for (unsigned l = 0; l < e->w->lanes; l++)
            if (executes(e, l)) s.v[V_DST][l] = rd32(e->arena + 0x100 + 4 * l);
        assert_true(run_memory(e, global_load_addtid_bodies[n]->table, ACCESS_B32));
        assert_registers(e, &s, "addtid", levels[n].name);
        e->mo.slot = 2;
        assert_true(run_memory(e, global_store_addtid_bodies[n]->table, ACCESS_B32));
        for (unsigned l = 0; l < e->w->lanes; l++)
            if (executes(e, l)) assert_int_equal(rd32(e->arena + 0x100 + 4 * l), s.v[V_DATA][l]);
    }
}

// ---- Faults ----
static void global_faults(void **state) {
    (void)state;
    BOTH_SIZES(e)
    EACH_LEVEL(n)
    for (unsigned f = 0; f < STORE_FORMS; f++)
        for (unsigned where = 0; where < 5; where++)
            for (unsigned store = 0; store < 2; store++) {
                const struct form *form = &store_forms[f];
                if (!store && form->half == 1) continue;
                const unsigned bad = (unsigned)random64() % e->w->lanes;
                const uint64_t arena = address_of(e->arena), locked = address_of(e->locked);
                const uint64_t wrong[] = {arena - 1, arena + ARENA + 1 - form->size, 0,
                                          locked + (store ? 0 : 4096), 0xdeadbeef0000};
                uint64_t at[64];
                uint32_t offset[64];
                shape_offsets(where, form->size, ARENA / 2, offset);
                for (unsigned l = 0; l < 64; l++) at[l] = arena + offset[l];
                at[bad] = wrong[where];
                randomize_registers(e);
                randomize(e->arena, ARENA);
                e->w->exec = ~0ull;
                e->mo = (struct mem_op){.slot = store ? 6 : 5,
                                        .vaddr = vgpr(e->w, V_ADDRESS),
                                        .data = vgpr(e->w, V_DATA),
                                        .dst = vgpr(e->w, V_DST)};
                set_addresses(e, at);
                struct snapshot s;
                snapshot(e, &s);
                uint8_t guard[8192];
                memcpy(guard, e->locked, sizeof guard);
                assert_false(
                    run_memory(e, (store ? global_store_bodies : global_load_bodies)[n]->table, form->k));
                assert_int_equal(e->dispatch.fault.kind, store ? FAULT_WRITE : FAULT_READ);
                assert_int_equal(e->dispatch.fault.lane, bad);
                assert_true(e->dispatch.fault.address == wrong[where]);
                assert_memory_equal(guard, e->locked, sizeof guard);
                assert_int_equal(lanes_of(e->w, vgpr(e->w, V_DST))[bad], s.v[V_DST][bad]);
                // An inactive lane may point anywhere.
                e->w->exec = ~(1ull << bad);
                assert_true(
                    run_memory(e, (store ? global_store_bodies : global_load_bodies)[n]->table, form->k));
            }
}
// Offsets are 32 bits but sums are not: a run that wraps is not consecutive, and the first bytes have no
// dword below.
static void ends_of_offsets(void **state) {
    (void)state;
    BOTH_SIZES(e)
    EACH_LEVEL(n) for (unsigned f = 0; f < 8; f++) for (unsigned partial = 0; partial < 2; partial++) {
        const struct form *form = &load_forms[f];
        struct snapshot s;
        e->w->exec = partial ? 0xfffe : ~0ull;
        e->mo = (struct mem_op){.has_saddr = true,
                                .slot = 5,
                                .vaddr = vgpr(e->w, V_ADDRESS),
                                .saddr = sgpr_offset(10),
                                .dst = vgpr(e->w, V_DST)};
        wr64(&e->w->s[10], address_of(e->arena) + 0x1000 - (1ull << 32));
        for (unsigned l = 0; l < e->w->lanes; l++)
            lanes_of(e->w, e->mo.vaddr)[l] = 0u - 3 * form->size + l * form->size;
        assert_false(run_memory(e, global_load_bodies[n]->table, form->k));
        assert_int_equal(e->dispatch.fault.lane, 3);
        randomize(e->arena, ARENA);
        wr64(&e->w->s[10], address_of(e->arena) + 3);
        for (unsigned l = 0; l < e->w->lanes; l++) lanes_of(e->w, e->mo.vaddr)[l] = (uint32_t)random64() % 4;
        snapshot(e, &s);
        for (unsigned l = 0; l < e->w->lanes; l++)
            if (executes(e, l)) expect_loaded(form, e->arena + 3 + s.v[V_ADDRESS][l], &s.v[V_DST][l], 64);
        assert_true(run_memory(e, global_load_bodies[n]->table, form->k));
        assert_registers(e, &s, "first bytes", levels[n].name);
    }
}
static void read_only_and_write_only(void **state) {
    (void)state;
    BOTH_SIZES(e) EACH_LEVEL(n) {
        uint64_t at[64];
        for (unsigned l = 0; l < 64; l++) at[l] = address_of(e->locked) + 4 * l;
        e->w->exec = ~0ull;
        set_addresses(e, at);
        e->mo = (struct mem_op){
            .slot = 5, .vaddr = vgpr(e->w, V_ADDRESS), .data = vgpr(e->w, V_DATA), .dst = vgpr(e->w, V_DST)};
        assert_true(run_memory(e, global_load_bodies[n]->table, ACCESS_B32));
        e->mo.slot = 6;
        assert_false(run_memory(e, global_store_bodies[n]->table, ACCESS_B32));
        for (unsigned l = 0; l < 64; l++) at[l] += 4096;
        set_addresses(e, at);
        assert_true(run_memory(e, global_store_bodies[n]->table, ACCESS_B32));
        e->mo.slot = 5;
        assert_false(run_memory(e, global_load_bodies[n]->table, ACCESS_B32));
    }
}
static void maps(void **state) {
    (void)state;
    struct map *m = calloc(1, sizeof *m);
    m->ranges = calloc(4, sizeof m->ranges[0]);
    struct range r;
    assert_false(map_find(m, 0, RIGHT_READ, &r));
    m->count = 4;
    m->ranges[0] = (struct map_range){0x1000, 0x2000, RIGHT_READ};
    m->ranges[1] = (struct map_range){0x2000, 0x3000, RIGHT_READ | RIGHT_WRITE};
    m->ranges[2] = (struct map_range){0x3000, 0x4000, RIGHT_READ | RIGHT_WRITE};
    m->ranges[3] = (struct map_range){0x5000, 0x6000, RIGHT_READ | RIGHT_EXECUTE};
    assert_false(map_find(m, 0xfff, RIGHT_READ, &r));
    assert_true(map_find(m, 0x1000, RIGHT_READ, &r));
    assert_true(r.lo == 0x1000 && r.last == 0x3fff); // across borders without gaps
    assert_true(map_find(m, 0x3fff, RIGHT_WRITE, &r));
    assert_true(r.lo == 0x2000 && r.last == 0x3fff);
    assert_false(map_find(m, 0x1fff, RIGHT_WRITE, &r));
    assert_false(map_find(m, 0x4000, RIGHT_READ, &r));
    assert_true(map_find(m, 0x5fff, RIGHT_EXECUTE, &r));
    assert_false(map_find(m, 0x6000, RIGHT_READ, &r));
    assert_false(map_find(NULL, 0x6000, RIGHT_READ, &r));
    free(m->ranges);
    free(m);
}

// ---- Scratch and FLAT ----
static uint8_t *scratch_byte(struct env *e, uint32_t offset, unsigned lane) { // AS-20
    return host_pointer(e->w->scratch_base + offset / 4 * e->w->lanes * 4 + lane * 4 + offset % 4);
}
static void read_scratch(struct env *e, uint32_t offset, unsigned lane, unsigned size, uint8_t *out) {
    for (unsigned b = 0; b < size; b++) out[b] = *scratch_byte(e, offset + b, lane);
}
static void scratch(void **state) {
    (void)state;
    BOTH_SIZES(e)
    EACH_LEVEL(n) for (unsigned f = 0; f < LOAD_FORMS; f++) for (unsigned round = 0; round < 32; round++) {
        const struct form *form = &load_forms[f];
        struct snapshot s;
        uint32_t offset[64];
        const bool vector = round & 1, scalar = round & 2;
        shape_offsets(round & 4 ? 2 : 4, form->size, SCRATCH_SIZE - 16, offset);
        if (round & 16)
            for (unsigned l = 0; l < 64; l++) offset[l] &= ~3u;
        randomize(e->arena, ARENA);
        randomize_registers(e);
        e->w->exec = pattern_exec(round / 4);
        e->mo = (struct mem_op){.has_vaddr = vector,
                                .has_saddr = scalar,
                                .offset = (int64_t)(round & 8 ? 8 : -8),
                                .slot = 5,
                                .saddr = sgpr_offset(3),
                                .flat_scratch = WAVE_OFFSET(scratch_base),
                                .vaddr = vgpr(e->w, V_ADDRESS),
                                .data = vgpr(e->w, V_DATA),
                                .dst = vgpr(e->w, V_DST)};
        if (!vector && !scalar) e->mo.offset = 12;
        e->w->s[3] = vector ? 8 : (uint32_t)(random64() % 100 + 8);
        uint32_t fixed = (uint32_t)e->mo.offset + (scalar ? e->w->s[3] : 0);
        for (unsigned l = 0; l < e->w->lanes; l++)
            lanes_of(e->w, vgpr(e->w, V_ADDRESS))[l] = offset[l] + (scalar ? 0 : 8);
        snapshot(e, &s);
        uint8_t bytes[16];
        for (unsigned l = 0; l < e->w->lanes; l++) {
            read_scratch(e, fixed + (vector ? s.v[V_ADDRESS][l] : 0), l, form->size, bytes);
            if (executes(e, l)) expect_loaded(form, bytes, &s.v[V_DST][l], 64);
        }
        assert_true(run_memory(e, scratch_load_bodies[n]->table, form->k));
        assert_registers(e, &s, "scratch load", levels[n].name);
        if (!scratch_store_bodies[n]->table[form->k]) continue;
        uint8_t *expect = malloc(ARENA);
        memcpy(expect, e->arena, ARENA);
        for (unsigned l = 0; l < e->w->lanes; l++) {
            if (!executes(e, l)) continue;
            expect_stored(form, &s.v[V_DATA][l], 64, bytes);
            uint32_t o = fixed + (vector ? s.v[V_ADDRESS][l] : 0);
            for (unsigned b = 0; b < form->size; b++) expect[scratch_byte(e, o + b, l) - e->arena] = bytes[b];
        }
        e->mo.slot = 6;
        assert_true(run_memory(e, scratch_store_bodies[n]->table, form->k));
        assert_memory_equal(e->arena, expect, ARENA);
        free(expect);
    }
}
static void scratch_limit(void **state) {
    (void)state;
    BOTH_SIZES(e) EACH_LEVEL(n) for (unsigned f = 0; f < 8; f++) {
        const struct form *form = &load_forms[f];
        e->mo = (struct mem_op){.slot = 5,
                                .flat_scratch = WAVE_OFFSET(scratch_base),
                                .offset = SCRATCH_SIZE - form->size,
                                .dst = vgpr(e->w, V_DST)};
        e->w->exec = 0x30;
        assert_true(run_memory(e, scratch_load_bodies[n]->table, form->k));
        e->mo.offset++;
        assert_false(run_memory(e, scratch_load_bodies[n]->table, form->k));
        assert_int_equal(e->dispatch.fault.lane, 4);
        e->mo.offset = -1;
        assert_false(run_memory(e, scratch_load_bodies[n]->table, form->k));
        // A base that is not memory, as a kernel may put into FLAT_SCRATCH.
        e->mo.offset = 0;
        e->mo.flat_scratch = sgpr_offset(102);
        wr64(&e->w->s[102], 0x1000);
        assert_false(run_memory(e, scratch_load_bodies[n]->table, form->k));
        wr64(&e->w->s[102], e->w->scratch_base);
        assert_true(run_memory(e, scratch_load_bodies[n]->table, form->k));
    }
}
static uint8_t *flat_byte(struct env *e, unsigned space, uint32_t offset, unsigned lane) {
    return space == 0 ? e->arena + offset : space == 1 ? e->lds + offset : scratch_byte(e, offset, lane);
}
static void flat(void **state) { // one instruction, every aperture (TRAP-286)
    (void)state;
    static const uint64_t bases[] = {0, SW_SHARED_APERTURE, SW_PRIVATE_APERTURE};
    BOTH_SIZES(e)
    EACH_LEVEL(n) for (unsigned f = 0; f < LOAD_FORMS; f++) for (unsigned round = 0; round < 24; round++) {
        const struct form *form = &load_forms[f];
        struct snapshot s;
        uint32_t offset[64];
        uint64_t at[64];
        unsigned space[64];
        uint8_t bytes[16], *expect = malloc(ARENA), lds[LDS_SIZE];
        shape_offsets(round / 4, form->size, 2000, offset);
        randomize(e->arena, ARENA);
        randomize(e->lds, LDS_SIZE);
        randomize_registers(e);
        e->w->exec = pattern_exec(round);
        e->mo = (struct mem_op){.slot = 5,
                                .offset = 40,
                                .flat_scratch = WAVE_OFFSET(scratch_base),
                                .lds_mask = 0x1ffff,
                                .vaddr = vgpr(e->w, V_ADDRESS),
                                .data = vgpr(e->w, V_DATA),
                                .dst = vgpr(e->w, V_DST)};
        for (unsigned l = 0; l < 64; l++) {
            space[l] = round & 1 ? (unsigned)random64() % 3 : round / 2 % 3;
            if (space[l] == 2) offset[l] %= SCRATCH_SIZE - 16 - 40;
            at[l] = (space[l] ? bases[space[l]] : address_of(e->arena)) + offset[l];
        }
        set_addresses(e, at);
        snapshot(e, &s);
        for (unsigned l = 0; l < e->w->lanes; l++) {
            for (unsigned b = 0; b < form->size; b++)
                bytes[b] = *flat_byte(e, space[l], offset[l] + 40 + b, l);
            if (executes(e, l)) expect_loaded(form, bytes, &s.v[V_DST][l], 64);
        }
        assert_true(run_memory(e, flat_load_bodies[n]->table, form->k));
        assert_registers(e, &s, "flat load", levels[n].name);
        if (flat_store_bodies[n]->table[form->k]) {
            uint8_t arena[ARENA];
            memcpy(arena, e->arena, ARENA);
            memcpy(lds, e->lds, LDS_SIZE);
            // Spaces do not overlap; within one, lanes act in order.
            for (unsigned l = 0; l < e->w->lanes; l++) {
                if (!executes(e, l)) continue;
                expect_stored(form, &s.v[V_DATA][l], 64, bytes);
                for (unsigned b = 0; b < form->size; b++)
                    *flat_byte(e, space[l], offset[l] + 40 + b, l) = bytes[b];
            }
            memcpy(expect, e->arena, ARENA);
            uint8_t expect_lds[LDS_SIZE];
            memcpy(expect_lds, e->lds, LDS_SIZE);
            memcpy(e->arena, arena, ARENA);
            memcpy(e->lds, lds, LDS_SIZE);
            e->mo.slot = 6;
            assert_true(run_memory(e, flat_store_bodies[n]->table, form->k));
            assert_memory_equal(e->arena, expect, ARENA);
            assert_memory_equal(e->lds, expect_lds, LDS_SIZE);
        }
        free(expect);
    }
}
static void flat_aperture_before_immediate(void **state) { // TRAP-287, TRAP-288
    (void)state;
    BOTH_SIZES(e) EACH_LEVEL(n) {
        e->w->exec = 2;
        e->mo = (struct mem_op){.slot = 5,
                                .offset = -4,
                                .lds_mask = 0x1ffff,
                                .vaddr = vgpr(e->w, V_ADDRESS),
                                .dst = vgpr(e->w, V_DST)};
        wr32(e->lds + 8, 0x12345678);
        set_pair(e->w, e->mo.vaddr, 1, SW_SHARED_APERTURE + 0x2000c); // 17 bits stay
        assert_true(run_memory(e, flat_load_bodies[n]->table, ACCESS_B32));
        assert_int_equal(lanes_of(e->w, e->mo.dst)[1], 0x12345678);
        set_pair(e->w, e->mo.vaddr, 1, SW_SHARED_APERTURE); // still LDS, at 0x1fffc: zero
        assert_true(run_memory(e, flat_load_bodies[n]->table, ACCESS_B32));
        assert_int_equal(lanes_of(e->w, e->mo.dst)[1], 0);
        set_pair(e->w, e->mo.vaddr, 1, SW_SHARED_APERTURE - 4); // not an aperture even if the sum is
        e->mo.offset = 12;
        assert_false(run_memory(e, flat_load_bodies[n]->table, ACCESS_B32));
        assert_true(e->dispatch.fault.address == SW_SHARED_APERTURE + 8);
    }
}

// ---- LDS ----
static void lds_reference(const uint8_t *lds, uint32_t a, unsigned size,
                          uint8_t *out) { // zero dword by dword
    const unsigned step = size < 4 ? size : 4;
    for (unsigned b = 0; b < size; b += step)
        for (unsigned i = 0; i < step; i++)
            out[b + i] = (uint64_t)a + b + step <= LDS_SIZE ? lds[a + b + i] : 0;
}
static void lds(void **state) {
    (void)state;
    BOTH_SIZES(e)
    EACH_LEVEL(n) for (unsigned f = 0; f < LOAD_FORMS; f++) for (unsigned round = 0; round < 32; round++) {
        const struct form *form = &load_forms[f];
        struct snapshot s;
        uint32_t offset[64];
        uint8_t bytes[16], expect[LDS_SIZE + 64];
        shape_offsets(round, form->size, round & 16 ? LDS_SIZE + 40 : LDS_SIZE - 100, offset);
        randomize(e->lds, sizeof e->lds);
        randomize_registers(e);
        e->w->exec = pattern_exec((unsigned)random64());
        e->mo = (struct mem_op){.offset = round & 1 ? 100 : 0,
                                .vaddr = vgpr(e->w, V_ADDRESS),
                                .data = vgpr(e->w, V_DATA),
                                .dst = vgpr(e->w, V_DST)};
        if (round % 8 == 3)
            offset[5] = 0xfffffff8 - (uint32_t)e->mo.offset; // far outside, and wrapping for wide ones
        for (unsigned l = 0; l < e->w->lanes; l++) lanes_of(e->w, e->mo.vaddr)[l] = offset[l];
        snapshot(e, &s);
        for (unsigned l = 0; l < e->w->lanes; l++) {
            lds_reference(e->lds, offset[l] + (uint32_t)e->mo.offset, form->size, bytes);
            if (executes(e, l)) expect_loaded(form, bytes, &s.v[V_DST][l], 64);
        }
        assert_true(run_memory(e, ds_load_bodies[n]->table, form->k));
        assert_registers(e, &s, "ds load", levels[n].name);
        if (!ds_store_bodies[n]->table[form->k]) continue;
        memcpy(expect, e->lds, sizeof expect);
        for (unsigned l = 0; l < e->w->lanes; l++) {
            if (!executes(e, l)) continue;
            expect_stored(form, &s.v[V_DATA][l], 64, bytes);
            for (unsigned b = 0; b < form->size; b++)
                if ((uint64_t)offset[l] + e->mo.offset + b < LDS_SIZE)
                    expect[offset[l] + e->mo.offset + b] = bytes[b];
        }
        assert_true(run_memory(e, ds_store_bodies[n]->table, form->k));
        assert_memory_equal(e->lds, expect, sizeof expect);
    }
}
static void lds_pairs(void **state) {
    (void)state;
    BOTH_SIZES(e)
    EACH_LEVEL(n) for (unsigned wide = 0; wide < 2; wide++) for (unsigned round = 0; round < 24; round++) {
        const struct form *form = &load_forms[4 + wide];
        const unsigned dwords = 1 + wide;
        struct snapshot s;
        uint32_t offset[64];
        uint8_t bytes[8], expect[LDS_SIZE + 64];
        shape_offsets(round, form->size, LDS_SIZE + 8, offset);
        randomize(e->lds, sizeof e->lds);
        randomize_registers(e);
        e->w->exec = pattern_exec(round / 3);
        e->mo = (struct mem_op){.offset = 4 * form->size,
                                .offset1 = 64 * form->size,
                                .vaddr = vgpr(e->w, V_ADDRESS),
                                .data = vgpr(e->w, V_DATA),
                                .data1 = vgpr(e->w, V_DATA1),
                                .dst = vgpr(e->w, V_DST)};
        const uint32_t at[2] = {4 * form->size, 64 * form->size};
        for (unsigned l = 0; l < e->w->lanes; l++) lanes_of(e->w, e->mo.vaddr)[l] = offset[l] &= ~3u;
        snapshot(e, &s);
        for (unsigned l = 0; l < e->w->lanes; l++)
            for (unsigned h = 0; h < 2 && executes(e, l); h++) {
                lds_reference(e->lds, offset[l] + at[h], form->size, bytes);
                expect_loaded(form, bytes, &s.v[V_DST + h * dwords][l], 64);
            }
        assert_true(run_memory(
            e, (round & 1 ? ds_load_2addr_bodies : ds_load_2addr_stride64_bodies)[n]->table, form->k));
        assert_registers(e, &s, "ds_load_2addr", levels[n].name);
        const bool exchange = round & 1;
        memcpy(expect, e->lds, sizeof expect);
        if (!exchange && round % 8 == 3) continue;
        for (unsigned l = 0; l < e->w->lanes; l++)
            for (unsigned h = 0; h < 2 && executes(e, l); h++) {
                if (exchange) {
                    lds_reference(expect, offset[l] + at[h], form->size, bytes);
                    expect_loaded(form, bytes, &s.v[V_DST + h * dwords][l], 64);
                }
                expect_stored(form, &s.v[h ? V_DATA1 : V_DATA][l], 64, bytes);
                for (unsigned b = 0; b < form->size; b++)
                    if (offset[l] + at[h] + b < LDS_SIZE) expect[offset[l] + at[h] + b] = bytes[b];
            }
        if (!exchange) { // a whole chunk stores its first elements before its second ones
            bool clash = false;
            for (unsigned a = 0; a < 64; a++)
                for (unsigned b = 0; b < 64; b++)
                    clash |= offset[a] + at[1] < offset[b] + at[0] + form->size &&
                             offset[b] + at[0] < offset[a] + at[1] + form->size;
            if (clash) continue;
        }
        assert_true(
            run_memory(e, (exchange ? ds_storexchg_2addr_bodies : ds_store_2addr_bodies)[n]->table, form->k));
        assert_registers(e, &s, "ds pair", levels[n].name);
        assert_memory_equal(e->lds, expect, sizeof expect);
    }
}
static void lds_rest(void **state) {
    (void)state;
    BOTH_SIZES(e) EACH_LEVEL(n) for (unsigned round = 0; round < 6; round++) {
        struct snapshot s;
        randomize(e->lds, sizeof e->lds);
        randomize_registers(e);
        e->w->exec = pattern_exec(round);
        e->w->s[124] = 0xabc00200; // only bits 15:0 count (TRAP-267)
        e->mo = (struct mem_op){.offset = 16,
                                .m0 = sgpr_offset(124),
                                .vaddr = vgpr(e->w, V_ADDRESS),
                                .data = vgpr(e->w, V_DATA),
                                .data1 = vgpr(e->w, V_DATA1),
                                .dst = vgpr(e->w, V_DST)};
        snapshot(e, &s);
        for (unsigned l = 0; l < e->w->lanes; l++)
            if (executes(e, l)) s.v[V_DST][l] = rd32(e->lds + 0x210 + 4 * l);
        assert_true(run_memory(e, ds_load_addtid_bodies[n]->table, ACCESS_B32));
        assert_registers(e, &s, "ds_load_addtid", levels[n].name);
        assert_true(run_memory(e, ds_store_addtid_bodies[n]->table, ACCESS_B32));
        for (unsigned l = 0; l < e->w->lanes; l++)
            if (executes(e, l)) assert_int_equal(rd32(e->lds + 0x210 + 4 * l), s.v[V_DATA][l]);

        const uint32_t old = rd32(e->lds + 16),
                       active = (uint32_t)__builtin_popcountll(e->w->exec & e->w->all_lanes); // TRAP-270
        assert_true(run_memory(e, ds_append_bodies[n]->table, 0));
        assert_int_equal(rd32(e->lds + 16), old + active);
        for (unsigned l = 0; l < e->w->lanes; l++)
            if (executes(e, l)) s.v[V_DST][l] = old;
        assert_registers(e, &s, "ds_append", levels[n].name);
        assert_true(run_memory(e, ds_consume_bodies[n]->table, 0));
        assert_int_equal(rd32(e->lds + 16), old);

        for (unsigned l = 0; l < e->w->lanes; l++) lanes_of(e->w, e->mo.vaddr)[l] = l % 5 * 4;
        snapshot(e, &s);
        uint8_t expect[64];
        memcpy(expect, e->lds, 64);
        for (unsigned l = 0; l < e->w->lanes; l++) { // TRAP-272
            if (!executes(e, l)) continue;
            uint8_t *p = expect + 16 + l % 5 * 4;
            uint32_t v = s.v[V_DST][l] = rd32(p);
            wr32(p, v >= s.v[V_DATA][l] ? v - s.v[V_DATA][l] : v + s.v[V_DATA1][l]);
        }
        assert_true(run_memory(e, ds_wrap_rtn_b32_bodies[n]->table, 0));
        assert_registers(e, &s, "ds_wrap", levels[n].name);
        assert_memory_equal(e->lds, expect, 64);
        for (unsigned l = 0; l < e->w->lanes; l++) { // TRAP-269
            if (!executes(e, l)) continue;
            uint8_t *p = expect + ((16 + l % 5 * 4) & ~7);
            for (unsigned d = 0; d < 2; d++) {
                s.v[V_DST + d][l] = rd32(p + 4 * d);
                if (s.v[V_DATA + d][l] >> 31) wr32(p + 4 * d, s.v[V_DATA + d][l] & 0x7fffffff);
            }
        }
        assert_true(run_memory(e, ds_condxchg32_rtn_b64_bodies[n]->table, 0));
        assert_registers(e, &s, "ds_condxchg32", levels[n].name);
        assert_memory_equal(e->lds, expect, 64);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(maps),
        cmocka_unit_test(global_loads),
        cmocka_unit_test(load_over_address),
        cmocka_unit_test(global_stores),
        cmocka_unit_test(addtid),
        cmocka_unit_test(global_faults),
        cmocka_unit_test(ends_of_offsets),
        cmocka_unit_test(read_only_and_write_only),
        cmocka_unit_test(scratch),
        cmocka_unit_test(scratch_limit),
        cmocka_unit_test(flat),
        cmocka_unit_test(flat_aperture_before_immediate),
        cmocka_unit_test(lds),
        cmocka_unit_test(lds_pairs),
        cmocka_unit_test(lds_rest),
    };
    return RUN_AT_BOTH(tests);
}
