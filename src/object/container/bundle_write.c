// SPDX-License-Identifier: MIT
// Writing offload bundles, compressed ones, bundles of texts, and archives. bundle_object.c writes host
// objects with a section for each part.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>
#include <zstd.h>

#include "base/bytes.h"
#include "base/sized.h"
#include "base/text.h"
#include "object/container/bundle.h"
#include "base/md5.h"

static const char magic[] = "__CLANG_OFFLOAD_BUNDLE__";

static void put64(struct text *t, uint64_t v) { text_add(t, (const char *)&v, sizeof v); }

sw_status bundle_no_memory(const sw_sink *sink) {
    return diag_fail(sink, SW_NO_MEMORY, NULL, "out of memory");
}

// Hands the text's memory to the caller.
sw_status bundle_finish(struct text *t, uint8_t **out, size_t *length, const sw_sink *sink) {
    if (!t->data) text_add(t, "", 0);
    if (t->failed) {
        text_free(t);
        return bundle_no_memory(sink);
    }
    *out = (uint8_t *)t->data;
    *length = t->length;
    return SW_OK;
}

static void pad(struct text *t, uint64_t to) {
    static const char zeros[256];
    while (!t->failed && t->length < to) text_add(t, zeros, to - t->length < 256 ? to - t->length : 256);
}

static uint64_t aligned(uint64_t v, uint64_t to) { return (v + to - 1) / to * to; }

static sw_status write_binary(const sw_bundle_part *parts, size_t count, uint64_t alignment, struct text *t,
                              const sw_sink *sink) {
    uint64_t at = strlen(magic) + 8;
    if (alignment > 1u << 30)
        return diag_fail(sink, SW_USAGE, NULL, "an alignment of %llu is absurd",
                         (unsigned long long)alignment);
    for (size_t i = 0; i < count; i++) at += 24 + strlen(parts[i].id);
    text_puts(t, magic);
    put64(t, count);
    for (size_t i = 0; i < count; i++) {
        at = aligned(at, alignment);
        put64(t, at);
        put64(t, parts[i].length);
        put64(t, strlen(parts[i].id));
        text_puts(t, parts[i].id);
        at += parts[i].length;
    }
    for (size_t i = 0; i < count; i++) {
        pad(t, aligned(t->length, alignment));
        text_add(t, (const char *)parts[i].data, parts[i].length);
    }
    return SW_OK;
}

static sw_status write_text(const sw_bundle_part *parts, size_t count, const char *comment, struct text *t,
                            const sw_sink *sink) {
    for (size_t i = 0; i < count; i++) {
        if (parts[i].length && memmem(parts[i].data, parts[i].length, magic, strlen(magic)))
            return diag_fail(sink, SW_BAD_INPUT, NULL, "the text for '%s' is a bundle itself", parts[i].id);
        text_printf(t, "\n%s %s__START__ %s\n", comment, magic, parts[i].id);
        text_add(t, (const char *)parts[i].data, parts[i].length);
        text_printf(t, "\n%s %s__END__ %s\n", comment, magic, parts[i].id);
    }
    return SW_OK;
}

// ---- Compression ---------------------------------------------------------------------------------------

static size_t zstd_into(uint8_t *to, size_t room, const uint8_t *from, size_t size, int level) {
    ZSTD_CCtx *z = ZSTD_createCCtx();
    if (!z) return 0;
    ZSTD_CCtx_setParameter(z, ZSTD_c_compressionLevel, level);
    // The entries of a bundle repeat each other, further apart than an ordinary window reaches.
    ZSTD_CCtx_setParameter(z, ZSTD_c_enableLongDistanceMatching, 1);
    size_t n = ZSTD_compress2(z, to, room, from, size);
    ZSTD_freeCCtx(z);
    return ZSTD_isError(n) ? 0 : n;
}

static sw_status compress_bundle(struct text *t, const sw_bundle_options *o, const sw_sink *sink) {
    const bool zstd = o->compression == SW_BUNDLE_ZSTD;
    const uint8_t *plain = (const uint8_t *)t->data;
    const size_t size = t->length, room = zstd ? ZSTD_compressBound(size) : compressBound(size);
    uint8_t *packed = malloc(room), digest[16];
    if (!packed) return bundle_no_memory(sink);
    size_t n = 0;
    if (zstd)
        n = zstd_into(packed, room, plain, size, o->level ? o->level : 3);
    else {
        uLongf length = room;
        if (compress2(packed, &length, plain, size, o->level ? o->level : Z_DEFAULT_COMPRESSION) == Z_OK)
            n = length;
    }
    if (!n) {
        free(packed);
        return diag_fail(sink, SW_USAGE, NULL, "cannot compress at level %d", o->level);
    }
    const bool large = size > UINT32_MAX || n + 32 > UINT32_MAX;
    const unsigned version = o->ccob_version ? o->ccob_version : large ? 3 : 2;
    if (version > 3 || (large && version < 3)) {
        free(packed);
        return diag_fail(sink, SW_USAGE, NULL, "version %u of compressed bundles cannot hold %zu bytes",
                         version, size);
    }
    md5(plain, size, digest);
    struct text c = {0};
    uint8_t head[8] = "CCOB";
    wr16(head + 4, (uint16_t)version);
    wr16(head + 6, zstd);
    text_add(&c, (const char *)head, sizeof head);
    const uint64_t whole = n + (version == 1 ? 20 : version == 2 ? 24 : 32);
    if (version > 1) text_add(&c, (const char *)&whole, version == 2 ? 4 : 8);
    const uint64_t plain_size = size;
    text_add(&c, (const char *)&plain_size, version == 3 ? 8 : 4);
    text_add(&c, (const char *)digest, 8);
    text_add(&c, (const char *)packed, n);
    free(packed);
    text_free(t);
    *t = c;
    return SW_OK;
}

sw_status sw_bundle_write(sw_bundle_form form, const sw_bundle_part *parts, size_t count,
                          const sw_bundle_options *options, uint8_t **out, size_t *length,
                          const sw_sink *sink) {
    sw_bundle_options o;
    struct text t = {0};
    *out = NULL;
    sw_status s = sized_take(SIZED(sw_bundle_options, ccob_version), &o, options, sink);
    if (s) return s;
    s = form == SW_BUNDLE_BINARY ? write_binary(parts, count, o.alignment ? o.alignment : 1, &t, sink)
        : form == SW_BUNDLE_TEXT ? write_text(parts, count, o.comment ? o.comment : "#", &t, sink)
                                 : bundle_write_object(parts, count, &t, sink);
    if (!s && t.failed) s = bundle_no_memory(sink);
    if (!s && o.compression != SW_BUNDLE_PLAIN) s = compress_bundle(&t, &o, sink);
    if (!s) return bundle_finish(&t, out, length, sink);
    text_free(&t);
    return s;
}

// ---- Archives ------------------------------------------------------------------------------------------

sw_status sw_archive_write(const sw_bundle_part *members, size_t count, uint8_t **out, size_t *length,
                           const sw_sink *sink) {
    struct text t = {0}, names = {0};
    *out = NULL;
    text_puts(&t, "!<arch>\n");
    for (size_t i = 0; i < count; i++)
        if (strlen(members[i].id) > 15) text_printf(&names, "%s/\n", members[i].id);
    if (names.length & 1) text_puts(&names, "\n");
    if (names.length) {
        text_printf(&t, "%-48s%-10zu`\n", "//", names.length);
        text_add(&t, names.data, names.length);
    }
    size_t at = 0;
    for (size_t i = 0; i < count; i++) {
        char name[24];
        if (strlen(members[i].id) > 15) {
            snprintf(name, sizeof name, "/%zu", at);
            at += strlen(members[i].id) + 2;
        } else
            snprintf(name, sizeof name, "%s/", members[i].id);
        text_printf(&t, "%-16s%-12d%-6d%-6d%-8s%-10zu`\n", name, 0, 0, 0, "644", members[i].length);
        text_add(&t, (const char *)members[i].data, members[i].length);
        if (members[i].length & 1) text_puts(&t, "\n");
    }
    if (names.failed) t.failed = true;
    text_free(&names);
    return bundle_finish(&t, out, length, sink);
}
