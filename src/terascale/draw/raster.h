// SPDX-License-Identifier: MIT
// Triangles in clip space to quads of pixels.
#ifndef TERASCALE_RASTER_H
#define TERASCALE_RASTER_H

#include <stdbool.h>
#include <stdint.h>

// Four pixels: (0, 0), (1, 0), (0, 1), (1, 1) from x, y on. All have coordinates; those in `covered` are in
// the triangle.
struct ts_quad {
    uint32_t x, y;
    unsigned covered; // bits 0 to 3
    bool front;       // counterclockwise
    // What the second and the third vertex weigh: with perspective, and as if flat on the screen.
    double perspective[4][2], linear[4][2];
    double z[4], w[4]; // of the position: z / w, and w
};

struct ts_raster {
    uint32_t width, height;
    // Takes a quad; false stops.
    bool (*take)(void *context, const struct ts_quad *q);
    void *context;
};

// False: `take` stopped it.
bool ts_rasterize(const struct ts_raster *r, const float position[3][4]);

#endif
