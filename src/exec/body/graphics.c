// SPDX-License-Identifier: MIT
// What only graphics has use for: interpolation of attributes whose parameters lie in the lanes of a quad,
// and the parts of the screen that shader engines have.
#define LONG_BODIES
#include "exec/body/body.h"
#include "exec/body/float.h"

// ---- Interpolation: parameters come from other lanes of the quad, whether they execute or not ----

enum { P0, P10, P20 }; // by lane
INLINE u32v of_quad(u32v v, unsigned lane) {
    u32v r;
    for (unsigned n = 0; n < LANES; n++) r[n] = v[(n & ~3u) + lane];
    return r;
}
INLINE f32v interpolate(f32v a, f32v b, f32v c) {
    f32v r = fma32(a, b, c);
    FIX_NAN32(r, a, b, c);
    return r;
}
#define INTERP(name, csr, A, C, out)                                                                         \
    TEMPLATE(name) {                                                                                         \
        UNUSED_OPERANDS;                                                                                     \
        GUARD_CSR(w, csr, EACH_CHUNK(w, f32v r = interpolate((A), (f32v)B32_, (C)); D32(out)));              \
    }                                                                                                        \
    VECTOR3(name)
#define TO_ZERO             (w->mxcsr | CONTROL_ROUND)
#define WHOLE_OF(v, lane)   ((f32v)of_quad(v, lane))
#define HALF_OF(v, lane)    half_in(w, of_quad(v, lane))
INTERP(v_interp_p10_f32, w->mxcsr, WHOLE_OF(A32, P10), WHOLE_OF(C32, P0), r)
INTERP(v_interp_p2_inreg_f32, w->mxcsr, WHOLE_OF(A32, P20), (f32v)C32, r)
INTERP(v_interp_p10_f16_f32, w->mxcsr, HALF_OF(A32, P10), HALF_OF(C32, P0), r)
INTERP(v_interp_p10_rtz_f16_f32, TO_ZERO, HALF_OF(A32, P10), HALF_OF(C32, P0), r)
INTERP(v_interp_p2_rtz_f16_f32, TO_ZERO, HALF_OF(A32, P20), (f32v)C32, half_out(w, r))
// Rounded again to F16: all sums first, as the control word may change in between.
TEMPLATE(v_interp_p2_f16_f32) {
    UNUSED_OPERANDS;
    f32v sum[MAX_LANES / LANES];
    EACH_BITS(w, f32v r = interpolate(HALF_OF(A32, P20), (f32v)B32_, (f32v)C32); PIN(r); sum[i] = r);
    GUARD_CSR(w, csr_f32_to_f16(w), EACH_CHUNK(w, f32v r = sum[i]; PIN(r); D32(half_out(w, r))));
}
VECTOR3(v_interp_p2_f16_f32)

// ---- The screen ----

// Which of four shader engines have part of a rectangle of the screen: four bits for each of 256 positions
// and sizes.
static const uint64_t screen_partition[16] = {
    0xfffffff7fff5f731, 0xffffffbfffafe62f, 0xfffffdfff5ffc4fd, 0xffffefffafff8fb9,
    0xfffefff6fdc4ffff, 0xffdff99fb98fffff, 0xfbfff9ff31f7ffff, 0x7fff6ff62fe6ffff,
    0xfffafb32fffffffb, 0xff5fd91fffffff7f, 0xfaffc8fefffffeff, 0x5fff4f76ffffdfff,
    0xfec8fffffffdfff9, 0x764fffffffeff66f, 0x32fbfffff7fff6ff, 0x1fd9ffffbfff9ff9,
};
INLINE u32v screen_engines(u32v a) {
    u32v r;
    for (unsigned n = 0; n < LANES; n++) r[n] = screen_partition[a[n] >> 4 & 15] >> 4 * (a[n] & 15) & 15;
    return r;
}
UNOP(v_screen_partition_4se_b32, u32v, screen_engines(a))

// ---- The wave ----

SPECIAL(s_get_waveid_in_workgroup) {
    put32(w, op->d, w->wave_in_group);
    NEXT;
}
