// SPDX-License-Identifier: MIT
#include "cli/png.h"

#include <stdlib.h>
#include <zlib.h>

static void big_endian(uint8_t out[4], uint32_t v) {
    for (int i = 0; i < 4; i++) out[i] = (uint8_t)(v >> (24 - 8 * i));
}

static void chunk(struct text *t, const char *type, const uint8_t *data, uint32_t length) {
    uint8_t head[8], tail[4];
    big_endian(head, length);
    memcpy(head + 4, type, 4);
    big_endian(tail, (uint32_t)crc32(crc32(0, head + 4, 4), data, length));
    text_add(t, (const char *)head, sizeof head);
    text_add(t, (const char *)data, length);
    text_add(t, (const char *)tail, sizeof tail);
}

void png_add(struct text *t, const uint8_t *rgb, uint32_t width, uint32_t height) {
    const size_t line = 3 * (size_t)width, raw_size = (line + 1) * height;
    uLongf packed = compressBound(raw_size);
    uint8_t *raw = malloc(raw_size + 1), *data = malloc(packed);
    uint8_t header[13] = {[8] = 8, [9] = 2}; // 8 bits of red, green and blue
    big_endian(header, width);
    big_endian(header + 4, height);
    for (uint32_t y = 0; raw && y < height; y++) {
        raw[(line + 1) * y] = 0; // no filter
        memcpy(raw + (line + 1) * y + 1, rgb + line * y, line);
    }
    if (raw && data && packed <= UINT32_MAX && compress(data, &packed, raw, raw_size) == Z_OK) {
        text_add(t, "\x89PNG\r\n\x1a\n", 8);
        chunk(t, "IHDR", header, sizeof header);
        chunk(t, "IDAT", data, (uint32_t)packed);
        chunk(t, "IEND", header, 0);
    } else
        t->failed = true;
    free(raw);
    free(data);
}
