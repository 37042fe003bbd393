// SPDX-License-Identifier: MIT
// Checks and draws the Mandelbrot set: `picture WIDTH HEIGHT LIMIT OUT.png FILE...`. Each FILE holds
// WIDTH*HEIGHT 32-bit integers, the steps that a GPU counted. All must equal those that the host counts here.
// Then the first is written as a PNG and drawn in the terminal, in colour if that is one. The comparison is
// exact. Every operation (+, -, *, /) of the kernel is rounded as IEEE 754 says, in single precision and in
// the same order as here, and no product is contracted with a sum (-ffp-contract=off).
#include <float.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/png.h"

_Static_assert(FLT_EVAL_METHOD == 0, "single precision has to be computed in single precision");

struct picture {
    int width, height, limit;
    int32_t *steps;
};

static float real_part(const struct picture *p, int x) { return -2.2f + 3.2f * (float)x / (float)p->width; }
static float imaginary_part(const struct picture *p, int y) {
    return -1.25f + 2.5f * (float)y / (float)p->height;
}

static int32_t count_steps(float cr, float ci, int limit) {
    float zr = 0, zi = 0;
    int32_t n = 0;
    for (; n < limit && zr * zr + zi * zi < 4; n++) {
        float next = zr * zr - zi * zi + cr;
        zi = 2 * (zr * zi) + ci;
        zr = next;
    }
    return n;
}

// Prints the first difference from the host's own count. Returns how many there are.
static long check(const struct picture *p, const char *path) {
    long different = 0;
    for (int y = 0; y < p->height; y++)
        for (int x = 0; x < p->width; x++) {
            int32_t host = count_steps(real_part(p, x), imaginary_part(p, y), p->limit);
            int32_t gpu = p->steps[y * p->width + x];
            if (gpu == host || different++) continue;
            fprintf(stderr, "picture: %s: pixel %d,%d: %d steps on the GPU, %d on the host\n", path, x, y,
                    gpu, host);
        }
    if (different) fprintf(stderr, "picture: %s: %ld pixels differ\n", path, different);
    return different;
}

// The colour of a pixel changes smoothly between steps: by how far the point went beyond the circle. The
// GPU's number says how many steps that takes; a wrong one shows as an edge.
static void colour(const struct picture *p, int x, int y, uint8_t rgb[3]) {
    int32_t steps = p->steps[y * p->width + x];
    memset(rgb, 0, 3);
    if (steps >= p->limit) return;
    double cr = real_part(p, x), ci = imaginary_part(p, y), zr = 0, zi = 0;
    for (int32_t i = 0; i < steps + 3; i++) {
        double next = zr * zr - zi * zi + cr;
        zi = 2 * zr * zi + ci;
        zr = next;
    }
    double smooth = steps + 3 - log2(log2(zr * zr + zi * zi));
    double t = 0.55 * log(fmax(smooth, 1)); // dark blue, white, gold, brown and dark blue again
    static const double middle[3] = {0.50, 0.47, 0.50}, phase[3] = {0.02, 0.10, 0.30};
    for (int i = 0; i < 3; i++)
        rgb[i] = (uint8_t)(255 * (middle[i] - 0.46 * cos(6.2832 * (t + phase[i] - 0.1))) + 0.5);
}

static int write_png(const struct picture *p, const char *path) {
    const size_t row = 3 * (size_t)p->width;
    struct text png = {0};
    uint8_t *rgb = malloc(row * (size_t)p->height);
    FILE *f = fopen(path, "wb");
    for (int y = 0; rgb && y < p->height; y++)
        for (int x = 0; x < p->width; x++) colour(p, x, y, rgb + row * (size_t)y + 3 * x);
    if (rgb) png_add(&png, rgb, (uint32_t)p->width, (uint32_t)p->height);
    bool written = f && png.length && !png.failed && fwrite(png.data, 1, png.length, f) == png.length;
    if (f) written &= !fclose(f);
    if (!written) fprintf(stderr, "picture: cannot write %s\n", path);
    text_free(&png);
    free(rgb);
    return !written;
}

// Two pixels a character: the upper half block in the colour of the upper one.
static void draw(const struct picture *p) {
    int columns = 78, rows = 22, plain = !isatty(STDOUT_FILENO) || getenv("NO_COLOR") != NULL;
    for (int r = 0; r < rows; r++) {
        for (int c = 0; c < columns; c++) {
            int x = c * p->width / columns, top = 2 * r * p->height / (2 * rows);
            int bottom = (2 * r + 1) * p->height / (2 * rows);
            uint8_t a[3], b[3];
            if (plain) {
                int32_t n = p->steps[top * p->width + x];
                putchar(n >= p->limit ? '@' : " .:-=+*#%"[(int)(8.99 * sqrt((double)n / p->limit))]);
                continue;
            }
            colour(p, x, top, a);
            colour(p, x, bottom, b);
            printf("\33[38;2;%d;%d;%dm\33[48;2;%d;%d;%dm\u2580", a[0], a[1], a[2], b[0], b[1], b[2]);
        }
        puts(plain ? "" : "\33[0m");
    }
}

static int read_steps(struct picture *p, const char *path) {
    size_t count = (size_t)p->width * (size_t)p->height;
    FILE *f = fopen(path, "rb");
    int whole = f && fread(p->steps, 4, count, f) == count && fgetc(f) == EOF;
    if (f) fclose(f);
    if (!whole) fprintf(stderr, "picture: %s does not hold %zu numbers\n", path, count);
    return whole;
}

int main(int argc, char **argv) {
    if (argc < 6) {
        fputs("usage: picture WIDTH HEIGHT LIMIT OUT.png FILE...\n", stderr);
        return 1;
    }
    struct picture p = {atoi(argv[1]), atoi(argv[2]), atoi(argv[3]), NULL};
    if (p.width < 1 || p.height < 1 || p.width > 10000 || p.height > 10000) {
        fputs("picture: WIDTH and HEIGHT are from 1 to 10000\n", stderr);
        return 1;
    }
    p.steps = malloc(4 * (size_t)p.width * (size_t)p.height);
    if (!p.steps) return 1;
    int status = 0;
    for (int i = argc - 1; i >= 5 && !status; i--) status = !read_steps(&p, argv[i]) || check(&p, argv[i]);
    if (!status) {
        draw(&p);
        status = write_png(&p, argv[4]);
    }
    free(p.steps);
    return status;
}
