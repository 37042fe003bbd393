// SPDX-License-Identifier: MIT
// Every memory atomic in LDS, global memory, through FLAT's apertures and through buffers, against references
// written in plain C: old values returned or not, lanes meeting at one address, special values, rounding and
// denormal modes, misalignment, rights, ranges.
// Facts shown: TRAP-273 to 279, 286, 291, 308, 309, 346 to 351, 353, 355, 356, BUF-30, BUF-33.
#include "exec/body/atomics.h"
#include "memory_env.h"

#include <math.h>

MEMORY_TABLES(ds_atomic)
MEMORY_TABLES(global_atomic)
MEMORY_TABLES(flat_atomic)
MEMORY_TABLES(buffer_atomic)

enum { V_ADDRESS = 2, V_DATA = 8, V_DATA1 = 16, V_DST = 24, CELLS = 24 };
#define EACH_LEVEL(level) for (unsigned level = 0; level < level_count(); level++)
#define BOTH_SIZES(e)                                                                                        \
    for (unsigned lanes_ = 32; lanes_ <= 64; lanes_ += 32)                                                   \
        for (struct env *e = env_create(lanes_); e; env_destroy(e), e = NULL)

// ---- References ----
static float f32_of(uint32_t v) {
    float f;
    memcpy(&f, &v, 4);
    return f;
}
static uint32_t of_f32(float f) {
    uint32_t v;
    memcpy(&v, &f, 4);
    return v;
}
static double f64_of(uint64_t v) {
    double f;
    memcpy(&f, &v, 8);
    return f;
}
static uint64_t of_f64(double f) {
    uint64_t v;
    memcpy(&v, &f, 8);
    return v;
}

struct mode {
    bool in32, out32, in64, out64;
}; // flushes
static float denormal_gone(float f, bool flush) {
    return flush && fpclassify(f) == FP_SUBNORMAL ? copysignf(0, f) : f;
}
static double denormal_gone64(double f, bool flush) {
    return flush && fpclassify(f) == FP_SUBNORMAL ? copysign(0, f) : f;
}

static uint32_t sum32(uint32_t a, uint32_t b, struct mode m) {
    if (isnan(f32_of(a))) return a | 0x400000;
    if (isnan(f32_of(b))) return b | 0x400000;
    volatile float x = denormal_gone(f32_of(a), m.in32), y = denormal_gone(f32_of(b), m.in32), r = x + y;
    return isnan(r) ? 0xffc00000 : of_f32(denormal_gone(r, m.out32));
}
// Denormals stay, whatever MODE says (CDNA3 table 52, RDNA4 13.2).
static uint64_t sum64(uint64_t a, uint64_t b) {
    if (isnan(f64_of(a))) return a | 1ull << 51;
    if (isnan(f64_of(b))) return b | 1ull << 51;
    volatile double x = f64_of(a), y = f64_of(b), r = x + y;
    return isnan(r) ? 0xfff8000000000000 : of_f64(r);
}
// A 16-bit float with `e` exponent bits as a double, and back with one rounding to nearest even.
static double half_value(uint16_t h, unsigned e) {
    const unsigned digits = 15 - e, bias = (1u << (e - 1)) - 1, x = h >> digits & ((1u << e) - 1),
                   m = h & ((1u << digits) - 1);
    double v = x == (1u << e) - 1 ? (m ? NAN : INFINITY)
               : x                ? ldexp(m + (1u << digits), (int)x - (int)bias - (int)digits)
                                  : ldexp(m, 1 - (int)bias - (int)digits);
    return h & 0x8000 ? -v : v;
}
static uint16_t half_bits(double v, unsigned e) {
    const int digits = 15 - (int)e, bias = (1 << (e - 1)) - 1;
    uint16_t sign = signbit(v) ? 0x8000 : 0;
    v = fabs(v);
    if (v == 0) return sign;
    int x;
    frexp(v, &x);
    if (isinf(v)) return (uint16_t)(sign | ((1 << e) - 1) << digits);
    int place = x - 1 - digits < 1 - bias - digits ? 1 - bias - digits : x - 1 - digits;
    double units = rint(ldexp(v, -place)); // host default: nearest even
    if (units >= ldexp(1, digits + 1)) units /= 2, place++;
    if (units < ldexp(1, digits)) return (uint16_t)(sign | (unsigned)units);
    int exponent = place + digits + bias;
    if (exponent >= (1 << e) - 1) return (uint16_t)(sign | ((1 << e) - 1) << digits);
    return (uint16_t)(sign | exponent << digits | ((unsigned)units & ((1u << digits) - 1)));
}
static uint16_t sum_half(uint16_t a, uint16_t b, unsigned e, bool in, bool out) {
    const unsigned digits = 15 - e, quiet = 1u << (digits - 1), exponent = ((1u << e) - 1) << digits;
    if ((a & 0x7fff) > exponent) return (uint16_t)(a | quiet);
    if ((b & 0x7fff) > exponent) return (uint16_t)(b | quiet);
    if (in && !(a & exponent)) a &= 0x8000;
    if (in && !(b & exponent)) b &= 0x8000;
    double r = half_value(a, e) + half_value(b, e);
    if (isnan(r)) return (uint16_t)(exponent | quiet);
    uint16_t h = half_bits(r, e);
    return out && !(h & exponent) ? h & 0x8000 : h;
}
static uint32_t both_halves(uint32_t a, uint32_t b, unsigned e, struct mode m, bool like32) {
    bool in = like32 ? m.in32 : m.in64, out = like32 ? m.out32 : m.out64;
    return sum_half((uint16_t)a, (uint16_t)b, e, in, out) |
           (uint32_t)sum_half((uint16_t)(a >> 16), (uint16_t)(b >> 16), e, in, out) << 16;
}
static uint32_t gone32(uint32_t v, struct mode m) {
    return isnan(f32_of(v)) ? v : of_f32(denormal_gone(f32_of(v), m.in32));
}
static uint64_t gone64(uint64_t v, struct mode m) {
    return isnan(f64_of(v)) ? v : of_f64(denormal_gone64(f64_of(v), m.in64));
}
static bool number_wins(double old, double src, bool max) { // src replaces old
    if (isnan(src)) return false;
    if (isnan(old)) return true;
    if (src == old) return max ? signbit(old) && !signbit(src) : signbit(src) && !signbit(old);
    return max ? src > old : src < old;
}
static const char *name_of(enum atomic k) {
    static const char *const names[] = {
        "no operation",
#define ATOMIC(name, bytes, traits) #name,
#include "isa/atomics.def"
#undef ATOMIC
    };
    return names[k];
}
static uint64_t reference(enum atomic k, uint64_t old, uint64_t a, uint64_t b, struct mode m) {
    const uint32_t o = (uint32_t)old, s = (uint32_t)a;
    switch (k) {
    case ATOMIC_swap_b32:
    case ATOMIC_swap_b64: return a;
    case ATOMIC_cmpswap_b32:
    case ATOMIC_cmpswap_b64:
    case ATOMIC_cmpstore_b32:
    case ATOMIC_cmpstore_b64: return old == b ? a : old;
    case ATOMIC_cmpst_b32:
    case ATOMIC_cmpst_b64: return old == a ? b : old;
    case ATOMIC_cmpswap_f32:
    case ATOMIC_cmpstore_f32:
        return denormal_gone(f32_of(o), m.in32) == denormal_gone(f32_of((uint32_t)b), m.in32) ? gone32(s, m)
                                                                                              : old;
    case ATOMIC_cmpst_f32:
        return denormal_gone(f32_of(o), m.in32) == denormal_gone(f32_of(s), m.in32) ? gone32((uint32_t)b, m)
                                                                                    : old;
    case ATOMIC_cmpswap_f64:
    case ATOMIC_cmpstore_f64:
        return denormal_gone64(f64_of(old), m.in64) == denormal_gone64(f64_of(b), m.in64) ? gone64(a, m)
                                                                                          : old;
    case ATOMIC_cmpst_f64:
        return denormal_gone64(f64_of(old), m.in64) == denormal_gone64(f64_of(a), m.in64) ? gone64(b, m)
                                                                                          : old;
    case ATOMIC_add_u32:
    case ATOMIC_add_u64: return old + a;
    case ATOMIC_sub_u32:
    case ATOMIC_sub_u64: return old - a;
    case ATOMIC_rsub_u32:
    case ATOMIC_rsub_u64: return a - old;
    case ATOMIC_ordered_add_b64: return o == s ? (((o + 1) & 0xfff) | ((old >> 32) + (a >> 32)) << 32) : old;
    case ATOMIC_csub_u32:
    case ATOMIC_sub_clamp_u32: return o > s ? o - s : 0;
    case ATOMIC_cond_sub_u32: return o >= s ? o - s : o;
    case ATOMIC_min_i32: return (int32_t)o < (int32_t)s ? o : s;
    case ATOMIC_max_i32: return (int32_t)o > (int32_t)s ? o : s;
    case ATOMIC_min_i64: return (int64_t)old < (int64_t)a ? old : a;
    case ATOMIC_max_i64: return (int64_t)old > (int64_t)a ? old : a;
    case ATOMIC_min_u32:
    case ATOMIC_min_u64: return old < a ? old : a;
    case ATOMIC_max_u32:
    case ATOMIC_max_u64: return old > a ? old : a;
    case ATOMIC_and_b32:
    case ATOMIC_and_b64: return old & a;
    case ATOMIC_or_b32:
    case ATOMIC_or_b64: return old | a;
    case ATOMIC_xor_b32:
    case ATOMIC_xor_b64: return old ^ a;
    case ATOMIC_mskor_b32:
    case ATOMIC_mskor_b64: return (old & ~a) | b;
    case ATOMIC_inc_u32:
    case ATOMIC_inc_u64: return old >= a ? 0 : old + 1;
    case ATOMIC_dec_u32:
    case ATOMIC_dec_u64: return old == 0 || old > a ? a : old - 1;
    case ATOMIC_add_f32: return sum32(o, s, m);
    case ATOMIC_add_f64: return sum64(old, a);
    case ATOMIC_min_f32:
    case ATOMIC_max_f32:
        if (isnan(f32_of(o)) && !(o & 0x400000)) return o | 0x400000;
        if (isnan(f32_of(s)) && !(s & 0x400000)) return s | 0x400000;
        return number_wins(denormal_gone(f32_of(o), m.in32), denormal_gone(f32_of(s), m.in32),
                           k == ATOMIC_max_f32)
                   ? a
                   : old;
    case ATOMIC_min_f64:
    case ATOMIC_max_f64:
        if (isnan(f64_of(old)) && !(old >> 51 & 1)) return old | 1ull << 51;
        if (isnan(f64_of(a)) && !(a >> 51 & 1)) return a | 1ull << 51;
        return number_wins(denormal_gone64(f64_of(old), m.in64), denormal_gone64(f64_of(a), m.in64),
                           k == ATOMIC_max_f64)
                   ? a
                   : old;
    case ATOMIC_min_num_f32:
    case ATOMIC_max_num_f32:
        if (isnan(f32_of(o)) && isnan(f32_of(s))) return s | 0x400000;
        return number_wins(f32_of(gone32(o, m)), f32_of(gone32(s, m)), k == ATOMIC_max_num_f32)
                   ? gone32(s, m)
                   : gone32(o, m);
    case ATOMIC_min_num_f64:
    case ATOMIC_max_num_f64:
        if (isnan(f64_of(old)) && isnan(f64_of(a))) return a | 1ull << 51;
        return number_wins(f64_of(gone64(old, m)), f64_of(gone64(a, m)), k == ATOMIC_max_num_f64)
                   ? gone64(a, m)
                   : gone64(old, m);
    case ATOMIC_pk_add_f16: return both_halves(o, s, 5, m, false);
    case ATOMIC_pk_add_bf16: return both_halves(o, s, 8, m, false);
    default:
        fail_msg("%s has no case in reference() of tests/device/test_memory_atomic.c", name_of(k));
        return 0;
    }
}

// ---- The operations ----
enum { TUPLE = 1, DATA1 = 2, FLOATS = 4 };
struct operation {
    enum atomic k;
    const char *name;
    unsigned bytes;
};
static const struct operation operations[] = {
#define ATOMIC(name, bytes, traits) {ATOMIC_##name, #name, bytes},
#include "isa/atomics.def"
#undef ATOMIC
};
static unsigned traits(enum atomic k) {
    switch (k) {
    case ATOMIC_cmpswap_b32:
    case ATOMIC_cmpswap_b64:
    case ATOMIC_cmpswap_f32:
    case ATOMIC_cmpswap_f64: return TUPLE;
    case ATOMIC_cmpst_b32:
    case ATOMIC_cmpst_b64:
    case ATOMIC_cmpst_f32:
    case ATOMIC_cmpst_f64:
    case ATOMIC_cmpstore_b32:
    case ATOMIC_cmpstore_b64:
    case ATOMIC_cmpstore_f32:
    case ATOMIC_cmpstore_f64:
    case ATOMIC_mskor_b32:
    case ATOMIC_mskor_b64: return DATA1;
    default: return 0;
    }
}
static uint32_t value32(void) { // integers and floats, denormals, infinities and NaNs among them
    static const uint32_t special[] = {0,          0x80000000, 1,          0x80000001, 0x007fffff,
                                       0x00800000, 0x80800000, 0x3f800000, 0xbf800001, 0x7f7fffff,
                                       0x7f800000, 0xff800000, 0x7f800001, 0x7fc12345, 0xffffffff,
                                       5,          0x00013c00, 0x7c00fc00, 0x83ff0400, 0x3f803f80};
    const uint64_t r = random64();
    return r & 3 ? special[(r >> 8) % (sizeof special / 4)] : (uint32_t)(r >> 32);
}
static uint64_t value64(void) {
    static const uint64_t special[] = {0,
                                       1ull << 63,
                                       1,
                                       0x800fffffffffffff,
                                       0x0010000000000000,
                                       0x3ff0000000000000,
                                       0x7fefffffffffffff,
                                       0x7ff0000000000000,
                                       0xfff0000000000000,
                                       0x7ff0000000000001,
                                       0x7ff8000000001234,
                                       ~0ull,
                                       5};
    const uint64_t r = random64();
    return r & 3 ? special[(r >> 8) % (sizeof special / 8)] : random64();
}
static uint64_t value(unsigned bytes) { return bytes == 8 ? value64() : value32(); }

struct round {
    uint64_t a[64], b[64], old[64];
    uint32_t offset[64]; // of the lane's cell
    bool in[64];         // the access happens
    struct mode mode;
};
static uint64_t cell_at(const uint8_t *p, unsigned bytes) { return bytes == 8 ? rd64(p) : rd32(p); }
static void set_cell(uint8_t *p, unsigned bytes, uint64_t v) {
    if (bytes == 8)
        wr64(p, v);
    else
        wr32(p, (uint32_t)v);
}
static void prepare(struct env *e, const struct operation *o, struct round *r, uint8_t *cells, unsigned i) {
    randomize_registers(e);
    e->w->exec = pattern_exec(i);
    e->mo = (struct mem_op){.atomic = (uint8_t)o->k,
                            .returns = i & 1,
                            .slot = 7,
                            .vaddr = vgpr(e->w, V_ADDRESS),
                            .data = vgpr(e->w, V_DATA),
                            .data1 = vgpr(e->w, V_DATA1),
                            .dst = vgpr(e->w, V_DST),
                            .flat_scratch = WAVE_OFFSET(scratch_base),
                            .lds_mask = ~0u,
                            .saddr = sgpr_offset(10),
                            .soffset = sgpr_offset(20),
                            .srsrc = sgpr_offset(12)};
    for (unsigned c = 0; c < CELLS; c++) set_cell(cells + c * o->bytes, o->bytes, value(o->bytes));
    const uint32_t second = traits(o->k) & DATA1 ? vgpr(e->w, V_DATA1) : vgpr(e->w, V_DATA + o->bytes / 4);
    for (unsigned l = 0; l < 64; l++) {
        r->offset[l] = (uint32_t)random64() % CELLS * o->bytes;
        r->a[l] = value(o->bytes);
        r->b[l] = random64() & 1 ? cell_at(cells + r->offset[l], o->bytes) : value(o->bytes);
        if (o->k == ATOMIC_cmpst_b32 || o->k == ATOMIC_cmpst_b64 || o->k == ATOMIC_cmpst_f32 ||
            o->k == ATOMIC_cmpst_f64) {
            uint64_t t = r->a[l];
            r->a[l] = r->b[l];
            r->b[l] = t;
        }
        r->in[l] = l < e->w->lanes && e->w->exec >> l & 1;
        if (l >= e->w->lanes) continue;
        if (o->bytes == 8)
            set_pair(e->w, vgpr(e->w, V_DATA), l, r->a[l]), set_pair(e->w, second, l, r->b[l]);
        else {
            lanes_of(e->w, vgpr(e->w, V_DATA))[l] = (uint32_t)r->a[l];
            if (traits(o->k)) lanes_of(e->w, second)[l] = (uint32_t)r->b[l];
        }
    }
}
static void expect(struct env *e, const struct operation *o, struct round *r, uint8_t *cells) {
    for (unsigned l = 0; l < e->w->lanes; l++) {
        r->old[l] = 0;
        if (!r->in[l]) continue;
        uint8_t *p = cells + r->offset[l];
        r->old[l] = cell_at(p, o->bytes);
        uint64_t v = reference(o->k, r->old[l], r->a[l], r->b[l], r->mode);
        set_cell(p, o->bytes, v);
    }
}
static void check(struct env *e, const struct operation *o, const struct round *r, const uint32_t *before,
                  uint32_t dst, const uint8_t *cells, const uint8_t *want, unsigned level,
                  const char *where) {
    for (unsigned c = 0; c < CELLS; c++)
        if (cell_at(cells + c * o->bytes, o->bytes) != cell_at(want + c * o->bytes, o->bytes))
            fail_msg("%s %s %s wave%u: cell %u is %llx, not %llx", where, o->name, levels[level].name,
                     e->w->lanes, c, (unsigned long long)cell_at(cells + c * o->bytes, o->bytes),
                     (unsigned long long)cell_at(want + c * o->bytes, o->bytes));
    for (unsigned l = 0; l < e->w->lanes; l++)
        for (unsigned d = 0; d < o->bytes / 4; d++) {
            bool active = e->w->exec >> l & 1 && e->mo.returns;
            uint32_t got = lanes_of(e->w, dst + d * e->w->stride)[l],
                     expected = active ? (uint32_t)(r->old[l] >> 32 * d) : before[64 * d + l];
            if (got != expected)
                fail_msg("%s %s %s: lane %u returned %08x, not %08x", where, o->name, levels[level].name, l,
                         got, expected);
        }
}
static void keep(struct env *e, uint32_t dst, uint32_t *before) {
    for (unsigned d = 0; d < 2; d++)
        memcpy(before + 64 * d, lanes_of(e->w, dst + d * e->w->stride), 4 * e->w->lanes);
}
#define EACH_OPERATION(o)                                                                                    \
    for (const struct operation *o = operations; o < operations + sizeof operations / sizeof *operations; o++)

// MODE decides about denormals in LDS, and rounding never changes.
static void in_lds(void **state) {
    (void)state;
    BOTH_SIZES(e) EACH_LEVEL(n) EACH_OPERATION(o) for (unsigned i = 0; i < 32; i++) {
        struct round r;
        uint32_t before[128];
        uint8_t *cells = e->lds + 64, want[CELLS * 8];
        prepare(e, o, &r, cells, i);
        e->w->mode = i / 2 % 16 << 4;
        e->w->mxcsr = i & 4 ? 0x1f80 | 0x6000 | 0x8040 : 0x1f80; // toward zero, flushing
        r.mode = (struct mode){!(e->w->mode & 0x10), !(e->w->mode & 0x20), !(e->w->mode & 0x40),
                               !(e->w->mode & 0x80)};
        e->mo.offset = 32;
        for (unsigned l = 0; l < e->w->lanes; l++) {
            lanes_of(e->w, e->mo.vaddr)[l] = r.offset[l] + 32;
            if (i % 8 == 7 && l % 9 == 0) { // outside: dropped, returns zero
                lanes_of(e->w, e->mo.vaddr)[l] = LDS_SIZE - 32 + (l & 16 ? 1u << 20 : 0);
                r.in[l] = false;
            }
        }
        keep(e, e->mo.dst, before);
        memcpy(want, cells, sizeof want);
        expect(e, o, &r, want);
        assert_true(run_memory(e, ds_atomic_bodies[n]->table, o->k));
        check(e, o, &r, before, e->mo.dst, cells, want, n, "LDS");
    }
}
static void in_global_memory(void **state) {
    (void)state;
    BOTH_SIZES(e) EACH_LEVEL(n) EACH_OPERATION(o) for (unsigned i = 0; i < 16; i++) {
        struct round r;
        uint32_t before[128];
        uint8_t *cells = e->arena + ARENA / 2 - CELLS / 2 * o->bytes,
                want[CELLS * 8]; // on both sides of the border
        prepare(e, o, &r, cells, i);
        e->mo.has_saddr = i & 2;
        e->mo.flushes_f32 = i & 4;
        e->mo.offset = i & 8 ? -16 : 24;
        e->w->mode = 0;
        e->w->mxcsr = 0x1f80 | 0x6000 | 0x8040;
        r.mode = (struct mode){i & 4, i & 4, false, false};
        const uint64_t base = address_of(cells) - (uint64_t)e->mo.offset;
        wr64(&e->w->s[10], base);
        for (unsigned l = 0; l < e->w->lanes; l++) {
            if (e->mo.has_saddr)
                lanes_of(e->w, e->mo.vaddr)[l] = r.offset[l];
            else
                set_pair(e->w, e->mo.vaddr, l, base + r.offset[l]);
        }
        keep(e, e->mo.dst, before);
        memcpy(want, cells, sizeof want);
        // Lanes below the border run before those above if the first lane is below; cells are disjoint, so
        // order holds per cell.
        expect(e, o, &r, want);
        const bool flat = i & 1 && !e->mo.has_saddr;
        assert_true(run_memory(e, (flat ? flat_atomic_bodies : global_atomic_bodies)[n]->table, o->k));
        check(e, o, &r, before, e->mo.dst, cells, want, n, flat ? "flat" : "global");
    }
}
static void through_apertures(void **state) {
    (void)state;
    BOTH_SIZES(e) EACH_LEVEL(n) EACH_OPERATION(o) for (unsigned i = 0; i < 4; i++) {
        struct round r;
        uint32_t before[128];
        uint8_t *cells = e->lds + 8, want[CELLS * 8];
        prepare(e, o, &r, cells, i);
        e->w->mode = 0xf0;
        e->w->mxcsr = 0x1f80;
        r.mode = (struct mode){0};
        e->mo.offset = 8;
        for (unsigned l = 0; l < e->w->lanes; l++)
            set_pair(e->w, e->mo.vaddr, l, SW_SHARED_APERTURE + r.offset[l]);
        keep(e, e->mo.dst, before);
        memcpy(want, cells, sizeof want);
        expect(e, o, &r, want);
        assert_true(run_memory(e, flat_atomic_bodies[n]->table, o->k));
        check(e, o, &r, before, e->mo.dst, cells, want, n, "flat LDS");

        // Scratch: 32-bit atomics work, 64-bit ones are violations (TRAP-291).
        e->w->exec = 1ull << 7;
        e->mo.returns = true;
        set_pair(e->w, e->mo.vaddr, 7, SW_PRIVATE_APERTURE + 12);
        uint8_t *p = host_pointer(e->w->scratch_base + 20 / 4 * e->w->lanes * 4 + 7 * 4);
        wr32(p, 77);
        assert_int_equal(run_memory(e, flat_atomic_bodies[n]->table, o->k), o->bytes == 4);
        if (o->bytes == 4) {
            assert_int_equal(lanes_of(e->w, e->mo.dst)[7], 77);
            assert_int_equal(rd32(p), (uint32_t)reference(o->k, 77, r.a[7], r.b[7], r.mode));
        } else
            assert_int_equal(e->dispatch.fault.kind, FAULT_ATOMIC);
    }
}
static void through_buffers(void **state) { // all or nothing (TRAP-309)
    (void)state;
    BOTH_SIZES(e) EACH_LEVEL(n) EACH_OPERATION(o) for (unsigned i = 0; i < 8; i++) {
        struct round r;
        uint32_t before[128];
        uint8_t *cells = e->arena + 0x100, want[CELLS * 8];
        prepare(e, o, &r, cells, i);
        e->mo.srd = i & 2 ? SRD_GFX9 : SRD_GFX11;
        e->mo.soffset_counts = !(i & 2);
        e->mo.offen = true;
        e->mo.dst = e->mo.data;
        e->mo.offset = 4;
        e->w->s[20] = 12;
        e->w->s[12] = (uint32_t)address_of(cells - 16);
        e->w->s[13] = (uint32_t)(address_of(cells - 16) >> 32);
        const uint32_t size = (CELLS - 3) * o->bytes -
                              (i & 4 && !(i & 2) ? 2 : 0); // the last cells are out; GFX9 knows no partly
        e->w->s[14] = size + (i & 2 ? 4 : 16);             // GFX11 takes soffset off the records
        e->w->s[15] = i & 2 ? 0x27000 : 0x30014000;        // with a format: unbound without
        r.mode = (struct mode){0};
        e->w->mxcsr = 0x1f80;
        for (unsigned l = 0; l < e->w->lanes; l++) {
            lanes_of(e->w, e->mo.vaddr)[l] = r.offset[l];
            if (r.offset[l] + o->bytes > size) r.in[l] = false;
        }
        keep(e, e->mo.dst, before);
        memcpy(want, cells, sizeof want);
        expect(e, o, &r, want);
        assert_true(run_memory(e, &buffer_atomic_bodies[n]->fn[ATOMIC_ANY_FN], 0));
        check(e, o, &r, before, e->mo.dst, cells, want, n, "buffer");
    }
}
static void violations(void **state) {
    (void)state;
    BOTH_SIZES(e) EACH_LEVEL(n) EACH_OPERATION(o) {
        struct round r;
        prepare(e, o, &r, e->arena + 64, 1);
        e->w->exec = 0x180;
        const uint64_t wrong[] = {address_of(e->arena) + 66, address_of(e->arena) - 8, address_of(e->locked),
                                  address_of(e->locked) + 4096};
        uint8_t same[256];
        for (unsigned i = 0; i < 4; i++) {
            memcpy(same, e->arena, sizeof same);
            set_pair(e->w, e->mo.vaddr, 7, address_of(e->arena) + 128);
            set_pair(e->w, e->mo.vaddr, 8, wrong[i]);
            assert_false(run_memory(e, global_atomic_bodies[n]->table, o->k));
            assert_int_equal(e->dispatch.fault.kind, i ? FAULT_ATOMIC : FAULT_ALIGNMENT);
            assert_int_equal(e->dispatch.fault.lane, 8);
            assert_true(e->dispatch.fault.address == wrong[i]);
            memcpy(e->arena, same, sizeof same); // lane 7 may have acted
        }
        lanes_of(e->w, e->mo.vaddr)[7] = 2;
        assert_false(run_memory(e, ds_atomic_bodies[n]->table, o->k));
        assert_int_equal(e->dispatch.fault.kind, FAULT_ALIGNMENT);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(in_lds),
        cmocka_unit_test(in_global_memory),
        cmocka_unit_test(through_apertures),
        cmocka_unit_test(through_buffers),
        cmocka_unit_test(violations),
    };
    return RUN_AT_BOTH(tests);
}
