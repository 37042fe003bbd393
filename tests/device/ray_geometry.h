// SPDX-License-Identifier: MIT
// Geometry in double precision, by planes and areas, for tests of rays.
#ifndef TESTS_RAY_GEOMETRY_H
#define TESTS_RAY_GEOMETRY_H

#include "image_rig.h"

static inline double chance(double low, double high) {
    return low + (high - low) * (double)(image_random() % 1000003) / 1000003;
}
// Where the ray enters and leaves a box, as parameters of it. False: it never does.
static inline bool crosses(const float origin[3], const float direction[3], const float low[3],
                           const float high[3], double *in, double *out) {
    *in = -1e30, *out = 1e30;
    for (unsigned i = 0; i < 3; i++) {
        const double d = (double)direction[i], o = (double)origin[i];
        double a = ((double)low[i] - o) / d, b = ((double)high[i] - o) / d;
        if (a > b) {
            const double c = a;
            a = b, b = c;
        }
        if (a > *in) *in = a;
        if (b < *out) *out = b;
    }
    return *in <= *out;
}

// The signed area of the triangle of three points as seen along the ray's direction.
static inline double area(const double d[3], const double p[3], const float a[3], const float b[3]) {
    double u[3], v[3];
    for (unsigned i = 0; i < 3; i++) u[i] = (double)a[i] - p[i], v[i] = (double)b[i] - p[i];
    return d[0] * (u[1] * v[2] - u[2] * v[1]) + d[1] * (u[2] * v[0] - u[0] * v[2]) +
           d[2] * (u[0] * v[1] - u[1] * v[0]);
}

// Where the ray meets the plane of a triangle, and the second and third barycentric coordinates there. False:
// too near to an edge, to the ray's beginning, or to the plane's direction to tell.
static inline bool meets_triangle(const float origin[3], const float direction[3], const float a[3],
                                  const float b[3], const float c[3], double *t, double *u, double *w) {
    double d[3], o[3], normal[3], e1[3], e2[3], above = 0, along = 0, sizes[2] = {0};
    for (unsigned i = 0; i < 3; i++) {
        d[i] = (double)direction[i], o[i] = (double)origin[i];
        e1[i] = (double)b[i] - (double)a[i], e2[i] = (double)c[i] - (double)a[i];
    }
    for (unsigned i = 0; i < 3; i++) {
        const unsigned j = (i + 1) % 3, k = (i + 2) % 3;
        normal[i] = e1[j] * e2[k] - e1[k] * e2[j];
        above += normal[i] * ((double)a[i] - o[i]);
        along += normal[i] * d[i];
        sizes[0] += normal[i] * normal[i], sizes[1] += d[i] * d[i];
    }
    const double whole = area(d, o, a, b) + area(d, o, b, c) + area(d, o, c, a);
    *t = above / along, *u = area(d, o, c, a) / whole, *w = area(d, o, a, b) / whole;
    return fabs(*u) >= 1e-3 && fabs(*w) >= 1e-3 && fabs(1 - *u - *w) >= 1e-3 && fabs(*t) >= 1e-3 &&
           fabs(along) >= 0.05 * sqrt(sizes[0] * sizes[1]);
}

#endif
