// SPDX-License-Identifier: MIT
// Address modes by the formulas of Vulkan and OpenGL, for the tests of samples. Numbers are those of
// samplers.
#ifndef TESTS_IMAGE_WRAP_H
#define TESTS_IMAGE_WRAP_H

#include <math.h>
#include <stdint.h>

enum { REPEAT, MIRRORED, TO_EDGE, MIRROR_TO_EDGE, HALF, MIRROR_HALF, TO_BORDER, MIRROR_TO_BORDER };

static inline int64_t mirror(int64_t n) { return n >= 0 ? n : -(1 + n); }
static inline int64_t mod(int64_t a, int64_t n) { return (a % n + n) % n; }
static inline int64_t clamp_to(int64_t i, int64_t n) { return i < 0 ? 0 : i > n - 1 ? n - 1 : i; }

// Vulkan, "Wrapping Operation"; -1: the border.
static inline int64_t wrapped(unsigned clamp, int64_t i, int64_t n) {
    switch (clamp) {
    case REPEAT: return mod(i, n);
    case MIRRORED: return (n - 1) - mirror(mod(i, 2 * n) - n);
    case TO_EDGE: return clamp_to(i, n);
    case MIRROR_TO_EDGE: return clamp_to(mirror(i), n);
    case TO_BORDER:
    case HALF: return i < 0 || i >= n ? -1 : i;
    default: return mirror(i) >= n ? -1 : mirror(i);
    }
}
// The coordinate in texels, as Direct3D 9 and OpenGL's GL_CLAMP limit it.
static inline double unwrapped(unsigned clamp, double s, double n) {
    if (clamp == HALF) s = fmin(fmax(s, 0), 1);
    if (clamp == MIRROR_HALF) s = fmin(fmax(s, -1), 1);
    return s * n;
}

#endif
