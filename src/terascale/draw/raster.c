// SPDX-License-Identifier: MIT
// Clipping and coverage. Vertices snap to 256ths of a pixel, edges are exact from there on.
#include "terascale/draw/raster.h"

#include <math.h>
#include <string.h>

enum { SUBPIXELS = 256, CORNERS_MOST = 9 };
#define GUARD 8.0 // how far beyond the picture's edges nothing is cut
#define NEAR  1e-6

// A corner of what is left of the triangle: its position, and what the triangle's vertices weigh there.
struct corner {
    double v[4], weight[3];
};
struct polygon {
    struct corner corner[CORNERS_MOST];
    unsigned count;
};

// ---- Clipping ----

// Inside of x and y within GUARD times w, and w positive.
static double distance_to(const struct corner *c, unsigned plane) {
    if (plane == 4) return c->v[3] - NEAR;
    return GUARD * c->v[3] + (plane & 1 ? -1 : 1) * c->v[plane / 2];
}

static struct corner between(const struct corner *a, const struct corner *b, double t) {
    struct corner c;
    for (unsigned i = 0; i < 4; i++) c.v[i] = a->v[i] + t * (b->v[i] - a->v[i]);
    for (unsigned i = 0; i < 3; i++) c.weight[i] = a->weight[i] + t * (b->weight[i] - a->weight[i]);
    return c;
}

static void clip(struct polygon *p, unsigned plane) {
    struct polygon out = {.count = 0};
    for (unsigned i = 0; i < p->count; i++) {
        const struct corner *a = &p->corner[i], *b = &p->corner[(i + 1) % p->count];
        const double da = distance_to(a, plane), db = distance_to(b, plane);
        if (da >= 0 && out.count < CORNERS_MOST) out.corner[out.count++] = *a;
        if ((da >= 0) != (db >= 0) && out.count < CORNERS_MOST)
            out.corner[out.count++] = between(a, b, da / (da - db));
    }
    *p = out;
}

// ---- Coverage ----

struct point {
    int64_t x, y;
};
struct triangle {
    struct point at[3];
    const struct corner *corner[3];
    int64_t area; // twice, positive
    const float (*position)[4];
    bool front;
};

// Positive right of the way from a to b, with y downwards.
static int64_t side(struct point a, struct point b, struct point p) {
    return (b.x - a.x) * (p.y - a.y) - (b.y - a.y) * (p.x - a.x);
}

// Pixels on an edge are in the triangle of which it is the top or a left one.
static bool holds(struct point a, struct point b, int64_t side) {
    if (side) return side > 0;
    return b.y < a.y || (b.y == a.y && b.x > a.x);
}

// Weights on the screen, then those of the whole triangle's vertices with perspective; from these what they
// weigh on the screen.
static void weigh(const struct triangle *t, const int64_t sides[3], unsigned k, struct ts_quad *q) {
    double over = 0, z = 0, part[3], whole[3] = {0}, flat = 0;
    for (unsigned i = 0; i < 3; i++) {
        part[i] = (double)sides[i] / (double)t->area;
        over += part[i] / t->corner[i]->v[3];
        z += part[i] * (t->corner[i]->v[2] / t->corner[i]->v[3]);
    }
    q->z[k] = z;
    q->w[k] = 1 / over;
    for (unsigned i = 0; i < 3; i++)
        for (unsigned n = 0; n < 3; n++)
            whole[n] += part[i] / t->corner[i]->v[3] / over * t->corner[i]->weight[n];
    for (unsigned n = 0; n < 3; n++) flat += whole[n] * (double)t->position[n][3];
    for (unsigned n = 0; n < 2; n++) {
        q->perspective[k][n] = whole[n + 1];
        q->linear[k][n] = whole[n + 1] * (double)t->position[n + 1][3] / flat;
    }
}

static bool take_quad(const struct ts_raster *r, const struct triangle *t, uint32_t x, uint32_t y) {
    struct ts_quad q = {.x = x, .y = y, .front = t->front};
    for (unsigned k = 0; k < 4; k++) {
        const uint32_t px = x + (k & 1), py = y + (k >> 1);
        const struct point p = {(int64_t)px * SUBPIXELS + SUBPIXELS / 2,
                                (int64_t)py * SUBPIXELS + SUBPIXELS / 2};
        int64_t sides[3];
        bool inside = px < r->width && py < r->height;
        for (unsigned i = 0; i < 3; i++) {
            const struct point a = t->at[(i + 1) % 3], b = t->at[(i + 2) % 3];
            sides[i] = side(a, b, p);
            inside = inside && holds(a, b, sides[i]);
        }
        weigh(t, sides, k, &q);
        q.covered |= (unsigned)inside << k;
    }
    return !q.covered || r->take(r->context, &q);
}

static uint32_t bounded(int64_t subpixels, uint32_t size) {
    const int64_t pixel = subpixels < 0 ? 0 : subpixels / SUBPIXELS;
    return (uint32_t)(pixel > size ? size : pixel);
}

static bool fill(const struct ts_raster *r, const struct triangle *t) {
    int64_t low[2] = {INT64_MAX, INT64_MAX}, high[2] = {INT64_MIN, INT64_MIN};
    for (unsigned i = 0; i < 3; i++) {
        const int64_t v[2] = {t->at[i].x, t->at[i].y};
        for (unsigned d = 0; d < 2; d++) {
            if (v[d] < low[d]) low[d] = v[d];
            if (v[d] > high[d]) high[d] = v[d];
        }
    }
    if (high[0] < 0 || high[1] < 0) return true;
    const uint32_t x0 = bounded(low[0], r->width) & ~1u, x1 = bounded(high[0], r->width),
                   y0 = bounded(low[1], r->height) & ~1u, y1 = bounded(high[1], r->height);
    for (uint32_t y = y0; y <= y1 && y < r->height; y += 2)
        for (uint32_t x = x0; x <= x1 && x < r->width; x += 2)
            if (!take_quad(r, t, x, y)) return false;
    return true;
}

static struct point snap(const struct ts_raster *r, const struct corner *c) {
    const double x = c->v[0] / c->v[3], y = c->v[1] / c->v[3];
    return (struct point){(int64_t)rint((x + 1) / 2 * r->width * SUBPIXELS),
                          (int64_t)rint((1 - y) / 2 * r->height * SUBPIXELS)};
}

static bool draw_part(const struct ts_raster *r, const float position[3][4], const struct corner *a,
                      const struct corner *b, const struct corner *c) {
    struct triangle t = {{snap(r, a), snap(r, b), snap(r, c)}, {a, b, c}, 0, position, false};
    t.area = side(t.at[0], t.at[1], t.at[2]);
    if (!t.area) return true;
    if (t.area < 0) { // counterclockwise, as y points down here
        const struct point p = t.at[1];
        t = (struct triangle){{t.at[0], t.at[2], p}, {a, c, b}, -t.area, position, true};
    }
    return fill(r, &t);
}

bool ts_rasterize(const struct ts_raster *r, const float position[3][4]) {
    struct polygon p = {.count = 3};
    for (unsigned i = 0; i < 3; i++) {
        for (unsigned k = 0; k < 4; k++) {
            p.corner[i].v[k] = (double)position[i][k];
            if (!isfinite(p.corner[i].v[k])) return true; // nowhere
        }
        for (unsigned k = 0; k < 3; k++) p.corner[i].weight[k] = k == i;
    }
    for (unsigned plane = 0; plane < 5 && p.count; plane++) clip(&p, 4 - plane);
    for (unsigned i = 2; i < p.count; i++)
        if (!draw_part(r, position, &p.corner[0], &p.corner[i - 1], &p.corner[i])) return false;
    return true;
}
