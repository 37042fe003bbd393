// SPDX-License-Identifier: MIT
// Compressed offload bundles: "CCOB", u16 version, u16 method, sizes, a hash, then one zlib stream or zstd
// frame. Sizes are u32 in versions 1 and 2 and u64 in 3; version 1 has no size of the whole, so that the
// stream itself has to say where it ends.
//
// The announced size is believed only within what the method could make of the payload and the caller's
// limit, so a bomb costs at most that limit and only when its bundle is asked for.
#include "object/container/container.h"
#include "base/md5.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>
#include <zstd.h>

static const char within[] = "compressed bundle";

static sw_status stream_end(struct sw_container *c, struct bundle *b, const sw_sink *sink) {
    if (b->method == COMPRESS_ZSTD) {
        size_t n = ZSTD_findFrameCompressedSize(b->payload, b->payload_size);
        if (ZSTD_isError(n))
            return container_bad(c, sink, b->offset, within, "zstd: %s", ZSTD_getErrorName(n));
        b->payload_size = n;
        return SW_OK;
    }
    z_stream z = {0};
    uint8_t waste[8192];
    if (inflateInit(&z) != Z_OK) return container_no_memory(c, sink);
    const uint8_t *in = b->payload;
    uint64_t left = b->payload_size, produced = 0;
    int r = Z_OK;
    while (r == Z_OK && produced <= b->plain_size) {
        if (!z.avail_in && left) {
            z.next_in = (uint8_t *)in;
            z.avail_in = left > 1u << 30 ? 1u << 30 : (unsigned)left;
            in += z.avail_in;
            left -= z.avail_in;
        }
        z.next_out = waste;
        z.avail_out = sizeof waste;
        r = inflate(&z, Z_NO_FLUSH);
        produced += sizeof waste - z.avail_out;
    }
    if (r == Z_STREAM_END) b->payload_size -= left + z.avail_in;
    inflateEnd(&z);
    // Each stream may make a thousand times its size, and a file hold many.
    if (produced > c->max_decompressed - c->measured)
        return container_bad(c, sink, b->offset, within,
                             "the streams up to here exceed the limit of 0x%llx bytes",
                             (unsigned long long)c->max_decompressed);
    c->measured += produced;
    return r == Z_STREAM_END ? SW_OK
                             : container_bad(c, sink, b->offset, within, "the zlib stream is damaged");
}

sw_status compressed_header(struct sw_container *c, uint64_t offset, uint64_t limit, struct bundle *b,
                            uint64_t *end, const sw_sink *sink) {
    static const uint8_t sizes[] = {0, 20, 24, 32};
    const uint8_t *p = c->bytes + offset;
    unsigned version = limit - offset >= 8 ? rd16(p + 4) : 0;
    if (limit - offset < 20) return container_bad(c, sink, offset, within, "the header is cut off");
    if (version < 1 || version > 3)
        return container_bad(c, sink, offset + 4, within, "version is %u, expected 1 to 3", version);
    if (limit - offset < sizes[version])
        return container_bad(c, sink, offset, within, "the header is cut off");
    b->method = rd16(p + 6);
    if (b->method != COMPRESS_ZLIB && b->method != COMPRESS_ZSTD)
        return container_bad(c, sink, offset + 6, within, "method is %d, expected 0 (zlib) or 1 (zstd)",
                             b->method);
    uint64_t whole = version == 1 ? limit - offset : version == 2 ? rd32(p + 8) : rd64(p + 8);
    b->plain_size = version == 1 ? rd32(p + 8) : version == 2 ? rd32(p + 12) : rd64(p + 16);
    if (whole < sizes[version] || whole > limit - offset)
        return container_bad(c, sink, offset + 8, within,
                             "its 0x%llx bytes do not fit the 0x%llx that follow", (unsigned long long)whole,
                             (unsigned long long)(limit - offset));
    b->hash = rd64(p + sizes[version] - 8);
    b->payload = p + sizes[version];
    b->payload_size = whole - sizes[version];
    // zlib reaches 1:1032; a zstd block of 4 bytes can stand for 128 KiB
    uint64_t ratio = b->method == COMPRESS_ZLIB ? 1032 : 1 << 15;
    if (b->plain_size < 32 || b->plain_size > c->max_decompressed || b->plain_size / ratio > b->payload_size)
        return container_bad(c, sink, offset + 8, within, "decompressed size of 0x%llx bytes is not credible",
                             (unsigned long long)b->plain_size);
    sw_status s = version == 1 ? stream_end(c, b, sink) : SW_OK;
    *end = (uint64_t)(b->payload - c->bytes) + b->payload_size;
    return s;
}

static sw_status inflate_some(const struct sw_container *c, const struct bundle *b, uint8_t *out,
                              size_t *length, const sw_sink *sink) {
    z_stream z = {0};
    if (inflateInit(&z) != Z_OK) return container_no_memory(c, sink);
    uint64_t in = 0, got = 0, want = *length;
    int r = Z_OK;
    while (r == Z_OK && got < want) {
        if (!z.avail_in) {
            uint64_t n = b->payload_size - in > 1u << 30 ? 1u << 30 : b->payload_size - in;
            z.next_in = (uint8_t *)b->payload + in;
            z.avail_in = (unsigned)n;
            in += n;
        }
        uint64_t room = want - got > 1u << 30 ? 1u << 30 : want - got;
        z.next_out = out + got;
        z.avail_out = (unsigned)room;
        r = inflate(&z, Z_NO_FLUSH);
        got += room - z.avail_out;
    }
    inflateEnd(&z);
    *length = got;
    if (r == Z_OK || r == Z_STREAM_END) return SW_OK;
    return container_bad(c, sink, b->offset, within, "the zlib stream is damaged");
}

static sw_status zstd_some(const struct sw_container *c, const struct bundle *b, uint8_t *out, size_t *length,
                           const sw_sink *sink) {
    ZSTD_DCtx *d = ZSTD_createDCtx();
    if (!d) return container_no_memory(c, sink);
    // Large bundles are compressed over long distances, but no window need exceed what comes out.
    int window = 27;
    while (window < 31 && b->plain_size >> window) window++;
    ZSTD_DCtx_setParameter(d, ZSTD_d_windowLogMax, window);
    ZSTD_inBuffer from = {b->payload, b->payload_size, 0};
    ZSTD_outBuffer to = {out, *length, 0};
    size_t r = 1;
    while (r && !ZSTD_isError(r) && to.pos < to.size) {
        size_t in = from.pos, made = to.pos;
        r = ZSTD_decompressStream(d, &to, &from);
        if (from.pos == in && to.pos == made) break; // the frame is cut off
    }
    ZSTD_freeDCtx(d);
    *length = to.pos;
    return ZSTD_isError(r) ? container_bad(c, sink, b->offset, within, "zstd: %s", ZSTD_getErrorName(r))
                           : SW_OK;
}

sw_status compressed_peek(const struct sw_container *c, const struct bundle *b, uint8_t *out, size_t *length,
                          const sw_sink *sink) {
    if (*length > b->plain_size) *length = b->plain_size;
    return b->method == COMPRESS_ZLIB ? inflate_some(c, b, out, length, sink)
                                      : zstd_some(c, b, out, length, sink);
}

// The header's 64 bits of the MD5 of what was compressed. Other hashes have been written, so no error.
static void check_hash(const struct sw_container *c, const struct bundle *b, const sw_sink *sink) {
    uint8_t digest[16];
    md5(b->plain, b->plain_size, digest);
    if (b->hash == rd64(digest)) return;
    sw_location at = {.file = c->name, .offset = b->offset, .has_offset = true, .within = within};
    diag_warn(sink, &at, "the hash of the contents is 0x%016llx, the header says 0x%016llx",
              (unsigned long long)rd64(digest), (unsigned long long)b->hash);
}

sw_status compressed_expand(struct sw_container *c, struct bundle *b, const sw_sink *sink) {
    if (b->plain) return SW_OK;
    if (b->plain_size > c->max_decompressed - c->decompressed)
        return container_bad(c, sink, b->offset, within,
                             "its 0x%llx bytes exceed the limit of 0x%llx for all bundles of the file",
                             (unsigned long long)b->plain_size, (unsigned long long)c->max_decompressed);
    uint8_t *plain = malloc(b->plain_size);
    if (!plain) return container_no_memory(c, sink);
    size_t length = b->plain_size;
    sw_status s = SW_OK;
    if (b->method == COMPRESS_ZLIB)
        s = inflate_some(c, b, plain, &length, sink);
    else { // at once: the output is the window, whatever distance the frame was compressed over
        length = ZSTD_decompress(plain, b->plain_size, b->payload, b->payload_size);
        if (ZSTD_isError(length))
            s = container_bad(c, sink, b->offset, within, "zstd: %s", ZSTD_getErrorName(length));
    }
    if (!s && length != b->plain_size)
        s = container_bad(c, sink, b->offset, within, "decompressed to %zu bytes, expected %llu", length,
                          (unsigned long long)b->plain_size);
    if (s)
        free(plain);
    else {
        b->plain = plain;
        c->decompressed += b->plain_size;
        check_hash(c, b, sink);
    }
    return s;
}
