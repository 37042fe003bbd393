// SPDX-License-Identifier: MIT
// Escape times to a picture: `picture FILE WIDTH HEIGHT LIMIT OUT.png` writes a PNG and draws the picture in
// the terminal, in colour where it is one. FILE holds WIDTH*HEIGHT 32-bit integers.
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

static void colour(int n, int limit, uint8_t rgb[3]) {
    if (n >= limit) {
        memset(rgb, 0, 3);
        return;
    }
    double t = sqrt((double)n / limit);
    rgb[0] = (uint8_t)(255 * (0.5 - 0.5 * cos(3.1 * t + 0.3)));
    rgb[1] = (uint8_t)(255 * (0.5 - 0.5 * cos(6.3 * t + 0.5)));
    rgb[2] = (uint8_t)(255 * (0.5 - 0.5 * cos(9.4 * t + 2.2)));
}

static void chunk(FILE *f, const char *type, const uint8_t *data, uint32_t length) {
    uint8_t head[8] = {(uint8_t)(length >> 24), (uint8_t)(length >> 16), (uint8_t)(length >> 8),
                       (uint8_t)length};
    memcpy(head + 4, type, 4);
    uLong crc = crc32(crc32(0, head + 4, 4), data, length);
    uint8_t tail[4] = {(uint8_t)(crc >> 24), (uint8_t)(crc >> 16), (uint8_t)(crc >> 8), (uint8_t)crc};
    fwrite(head, 1, 8, f);
    fwrite(data, 1, length, f);
    fwrite(tail, 1, 4, f);
}

static int write_png(const char *path, const int32_t *n, int width, int height, int limit) {
    size_t row = 1 + 3 * (size_t)width;
    uint8_t *raw = malloc(row * (size_t)height);
    uLongf packed = compressBound(row * (size_t)height);
    uint8_t *data = malloc(packed);
    FILE *f = fopen(path, "wb");
    if (!raw || !data || !f) return 1;
    for (int y = 0; y < height; y++) {
        raw[row * (size_t)y] = 0;
        for (int x = 0; x < width; x++) colour(n[y * width + x], limit, raw + row * (size_t)y + 1 + 3 * x);
    }
    compress(data, &packed, raw, row * (size_t)height);
    uint8_t header[13] = {(uint8_t)(width >> 24),
                          (uint8_t)(width >> 16),
                          (uint8_t)(width >> 8),
                          (uint8_t)width,
                          (uint8_t)(height >> 24),
                          (uint8_t)(height >> 16),
                          (uint8_t)(height >> 8),
                          (uint8_t)height,
                          8,
                          2};
    fwrite("\x89PNG\r\n\x1a\n", 1, 8, f);
    chunk(f, "IHDR", header, 13);
    chunk(f, "IDAT", data, (uint32_t)packed);
    chunk(f, "IEND", NULL, 0);
    free(raw);
    free(data);
    return fclose(f);
}

// Two pixels a character: the upper half block in the colour of the upper one.
static void draw(const int32_t *n, int width, int height, int limit) {
    int columns = 78, rows = 22, plain = !isatty(STDOUT_FILENO) || getenv("NO_COLOR") != NULL;
    for (int r = 0; r < rows; r++) {
        for (int c = 0; c < columns; c++) {
            int x = c * width / columns, top = n[2 * r * height / (2 * rows) * width + x];
            int bottom = n[(2 * r + 1) * height / (2 * rows) * width + x];
            uint8_t a[3], b[3];
            if (plain) {
                double t = sqrt((double)top / limit);
                putchar(top >= limit ? '@' : " .:-=+*#%"[(int)(8.99 * t)]);
                continue;
            }
            colour(top, limit, a);
            colour(bottom, limit, b);
            printf("\33[38;2;%d;%d;%dm\33[48;2;%d;%d;%dm\u2580", a[0], a[1], a[2], b[0], b[1], b[2]);
        }
        puts(plain ? "" : "\33[0m");
    }
}

int main(int argc, char **argv) {
    if (argc != 6) return 1;
    int width = atoi(argv[2]), height = atoi(argv[3]), limit = atoi(argv[4]);
    int32_t *n = malloc(4 * (size_t)width * (size_t)height);
    FILE *f = fopen(argv[1], "rb");
    if (!n || !f || fread(n, 4, (size_t)width * (size_t)height, f) != (size_t)width * (size_t)height) {
        fprintf(stderr, "picture: cannot read %s\n", argv[1]);
        return 1;
    }
    fclose(f);
    draw(n, width, height, limit);
    int status = write_png(argv[5], n, width, height, limit);
    free(n);
    return status;
}
