// SPDX-License-Identifier: MIT
// Bundles through the library: ids and their rules, MD5 by RFC 1321's own vectors, archives, text bundles,
// and the limit on what compressed bundles may take.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/md5.h"
#include "softwave/bundle.h"

static char heard[512];
static void hear(void *context, const sw_diagnostic *d) {
    (void)context;
    if (d->severity != SW_SEVERITY_NOTE) snprintf(heard, sizeof heard, "%s", d->message);
}
static const sw_sink sink = {hear, NULL};

static void md5_vectors(void **state) {
    (void)state;
    static const struct {
        const char *text, *digest;
    } vectors[] = {
        {"", "d41d8cd98f00b204e9800998ecf8427e"},
        {"abc", "900150983cd24fb0d6963f7d28e17f72"},
        {"message digest", "f96b697d7cb7938d525a2f31aaf161d0"},
        {"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789",
         "d174ab98d277d9f5a5611c2c9f419d9f"},
        {"12345678901234567890123456789012345678901234567890123456789012345678901234567890",
         "57edf4a22be3c955ac49da2e2107b67a"},
    };
    for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++) {
        uint8_t digest[16];
        char text[33] = "";
        md5((const uint8_t *)vectors[i].text, strlen(vectors[i].text), digest);
        for (int b = 0; b < 16; b++) snprintf(text + 2 * b, 3, "%02x", digest[b]);
        assert_string_equal(text, vectors[i].digest);
    }
}

static void standard_ids(void **state) {
    (void)state;
    static const struct {
        const char *id, *standard;
    } good[] = {
        {"hip-amdgcn-amd-amdhsa-gfx906", "hip-amdgcn-amd-amdhsa--gfx906"},
        {"hipv4-amdgcn-amd-amdhsa--gfx90a:xnack-:sramecc+",
         "hipv4-amdgcn-amd-amdhsa--gfx90a:sramecc+:xnack-"},
        {"openmp-amdgcn-amd-amdhsa--fiji", "openmp-amdgcn-amd-amdhsa--gfx803"},
        {"hip-amdgcn-amd-amdhsa--gfx9-4-generic:xnack+", "hip-amdgcn-amd-amdhsa--gfx9-4-generic:xnack+"},
        {"hip-amdgcn-amd-amdhsa-gfx10-1-generic", "hip-amdgcn-amd-amdhsa--gfx10-1-generic"},
        {"host-x86_64-unknown-linux", "host-x86_64-unknown-linux--"},
        {"host-x86_64-unknown-linux-gnu", "host-x86_64-unknown-linux-gnu-"},
        {"openmp-nvptx64-nvidia-cuda--sm_80", "openmp-nvptx64-nvidia-cuda--sm_80"},
        {"host-aarch64-unknown-linux-gnu-", "host-aarch64-unknown-linux-gnu-"},
    };
    char text[SW_BUNDLE_ID_TEXT];
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        assert_int_equal(sw_bundle_id_standardize(good[i].id, text, &sink), SW_OK);
        assert_string_equal(text, good[i].standard);
    }
    static const char *const bad[] = {"",
                                      "hip",
                                      "hip-amdgcn-amd",
                                      "spam-amdgcn-amd-amdhsa--gfx906",
                                      "hip-amdgcn-amd-amdhsa--gfx906:xnack",
                                      "hip-amdgcn-amd-amdhsa--gfx906:xnack+:xnack-",
                                      "hip-amdgcn-amd-amdhsa--gfx1100:xnack+",
                                      "hip-amdgcn-amd-amdhsa--sm_80",
                                      "host-vax-dec-ultrix-"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        *heard = 0;
        assert_int_equal(sw_bundle_id_standardize(bad[i], text, &sink), SW_BAD_INPUT);
        assert_true(*heard);
    }
    char endless[4096];
    memset(endless, '-', sizeof endless - 1);
    endless[sizeof endless - 1] = 0;
    assert_int_equal(sw_bundle_id_standardize(endless, text, &sink), SW_BAD_INPUT);
}

static void compatible_ids(void **state) {
    (void)state;
    const char *any = "hip-amdgcn-amd-amdhsa--gfx906", *on = "hip-amdgcn-amd-amdhsa--gfx906:xnack+",
               *off = "hipv4-amdgcn-amd-amdhsa--gfx906:xnack-",
               *both = "hip-amdgcn-amd-amdhsa--gfx906:sramecc-:xnack+";
    assert_true(sw_bundle_id_compatible(any, on, false));
    assert_true(sw_bundle_id_compatible(any, off, false)); // hip and hipv4 count as one
    assert_true(sw_bundle_id_compatible(on, both, false));
    assert_false(sw_bundle_id_compatible(both, on, false));
    assert_false(sw_bundle_id_compatible(on, any, false));
    assert_false(sw_bundle_id_compatible(on, off, false));
    assert_false(sw_bundle_id_compatible(any, "hip-amdgcn-amd-amdhsa--gfx908", false));
    assert_false(sw_bundle_id_compatible(any, "hip-amdgcn-amd-amdpal--gfx906", false));
    assert_false(sw_bundle_id_compatible(any, "openmp-amdgcn-amd-amdhsa--gfx906", false));
    assert_true(sw_bundle_id_compatible(any, "openmp-amdgcn-amd-amdhsa--gfx906", true));
    assert_false(sw_bundle_id_compatible("", any, true));
}

static void conflicts(void **state) {
    (void)state;
    const char *host = "host-x86_64-unknown-linux--", *any = "openmp-amdgcn-amd-amdhsa--gfx906",
               *on = "openmp-amdgcn-amd-amdhsa--gfx906:xnack+",
               *off = "openmp-amdgcn-amd-amdhsa--gfx906:xnack-",
               *other = "openmp-amdgcn-amd-amdhsa--gfx906:sramecc-", *hip = "hip-amdgcn-amd-amdhsa--gfx906";
    assert_int_equal(sw_bundle_ids_check((const char *[]){host, on, off, hip}, 4, &sink), SW_OK);
    assert_int_equal(sw_bundle_ids_check((const char *[]){hip}, 1, &sink), SW_OK);
    assert_int_equal(sw_bundle_ids_check((const char *[]){host, any, on}, 3, &sink), SW_BAD_INPUT);
    assert_int_equal(sw_bundle_ids_check((const char *[]){host, on, other}, 3, &sink), SW_BAD_INPUT);
    assert_int_equal(sw_bundle_ids_check((const char *[]){host, on, on}, 3, &sink), SW_BAD_INPUT);
    assert_int_equal(sw_bundle_ids_check((const char *[]){any}, 1, &sink), SW_BAD_INPUT);
    assert_int_equal(sw_bundle_ids_check((const char *[]){host, host}, 2, &sink), SW_BAD_INPUT);
}

static const sw_bundle_part parts[] = {{"host-x86_64-unknown-linux--", (const uint8_t *)"", 0},
                                       {"hip-amdgcn-amd-amdhsa--gfx906", (const uint8_t *)"first", 5},
                                       {"hip-amdgcn-amd-amdhsa--gfx1100", (const uint8_t *)"second", 6}};

static void expect_parts(const uint8_t *data, size_t size) {
    sw_container *c;
    assert_int_equal(sw_container_open(data, size, NULL, &c, &sink), SW_OK);
    const size_t count = sw_container_entry_count(c);
    assert_int_equal(count, 3);
    for (size_t i = 0; i < 3; i++) {
        const uint8_t *bytes;
        size_t length;
        assert_string_equal(sw_container_entry(c, i)->id, parts[i].id);
        assert_int_equal(sw_container_data(c, i, &bytes, &length, &sink), SW_OK);
        assert_int_equal(length, parts[i].length);
        assert_memory_equal(bytes, parts[i].data, length);
    }
    sw_container_close(c);
}

static void every_form(void **state) {
    (void)state;
    static const sw_bundle_options forms[] = {
        {.size = sizeof(sw_bundle_options)},
        {.size = sizeof(sw_bundle_options), .alignment = 64},
        {.size = sizeof(sw_bundle_options), .compression = SW_BUNDLE_ZLIB, .ccob_version = 1},
        {.size = sizeof(sw_bundle_options), .compression = SW_BUNDLE_ZLIB, .level = 9},
        {.size = sizeof(sw_bundle_options), .compression = SW_BUNDLE_ZSTD, .ccob_version = 1},
        {.size = sizeof(sw_bundle_options), .compression = SW_BUNDLE_ZSTD, .ccob_version = 3},
    };
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
        for (int text = 0; text < 2; text++) {
            uint8_t *out;
            size_t length;
            if (text && forms[i].compression) continue;
            assert_int_equal(sw_bundle_write(text ? SW_BUNDLE_TEXT : SW_BUNDLE_BINARY, parts, 3, &forms[i],
                                             &out, &length, &sink),
                             SW_OK);
            expect_parts(out, length);
            sw_free(out);
        }
}

// A bundle compressed to a fraction may not expand beyond the limit, and what is announced is not believed.
static void bombs(void **state) {
    (void)state;
    const size_t big = 1 << 20;
    uint8_t *zeros = calloc(1, big), *out;
    size_t length;
    sw_bundle_part part = {"hip-amdgcn-amd-amdhsa--gfx906", zeros, big};
    sw_bundle_options o = {.size = sizeof o, .compression = SW_BUNDLE_ZSTD};
    assert_int_equal(sw_bundle_write(SW_BUNDLE_BINARY, &part, 1, &o, &out, &length, &sink), SW_OK);
    assert_true(length < 4096);
    sw_container *c;
    sw_container_options small = {.size = sizeof small, .max_decompressed = 1 << 16};
    assert_int_equal(sw_container_open(out, length, &small, &c, &sink), SW_BAD_INPUT);
    assert_non_null(strstr(heard, "not credible"));
    // the header promises less than the frame holds, and more
    for (int off = -1; off <= 1; off += 2) {
        uint32_t size = (uint32_t)big + 32 + 53 + (uint32_t)off;
        memcpy(out + 12, &size, 4);
        if (sw_container_open(out, length, NULL, &c, &sink))
            continue; // the entry lies outside what is promised
        const uint8_t *bytes;
        size_t got;
        assert_int_not_equal(sw_container_data(c, 0, &bytes, &got, &sink), SW_OK);
        sw_container_close(c);
    }
    // two that fit one by one but not together
    sw_free(out);
    uint8_t *row = NULL;
    assert_int_equal(sw_bundle_write(SW_BUNDLE_BINARY, &part, 1, &o, &out, &length, &sink), SW_OK);
    assert_non_null(row = malloc(2 * length));
    memcpy(row, out, length);
    memcpy(row + length, out, length);
    small.max_decompressed = big + big / 2;
    assert_int_equal(sw_container_open(row, 2 * length, &small, &c, &sink), SW_OK);
    const uint8_t *bytes;
    size_t got;
    assert_int_equal(sw_container_data(c, 0, &bytes, &got, &sink), SW_OK);
    assert_int_equal(sw_container_data(c, 1, &bytes, &got, &sink), SW_BAD_INPUT);
    assert_non_null(strstr(heard, "exceed the limit"));
    sw_container_close(c);
    free(row);
    sw_free(out);
    free(zeros);
}

static void archives(void **state) {
    (void)state;
    uint8_t *bundle, *archive, *out;
    size_t bundle_length, length, out_length, found;
    assert_int_equal(sw_bundle_write(SW_BUNDLE_BINARY, parts, 3, NULL, &bundle, &bundle_length, &sink),
                     SW_OK);
    sw_bundle_part members[] = {{"a.o", bundle, bundle_length},
                                {"a member with a long name.o", bundle, bundle_length},
                                {"text", (const uint8_t *)"not code", 8}};
    assert_int_equal(sw_archive_write(members, 3, &archive, &length, &sink), SW_OK);
    sw_container *c;
    assert_int_equal(sw_container_open(archive, length, NULL, &c, &sink), SW_OK);
    assert_int_equal(sw_container_get_kind(c), SW_CONTAINER_ARCHIVE);
    const size_t count = sw_container_entry_count(c);
    assert_int_equal(count, 6);
    assert_string_equal(sw_container_entry(c, 5)->member, "a member with a long name.o");
    assert_int_equal(sw_bundle_check_container(c, &sink), SW_OK);
    assert_int_equal(sw_bundle_unpack_archive(c, "hip-amdgcn-amd-amdhsa--gfx1100", false, &out, &out_length,
                                              &found, &sink),
                     SW_OK);
    assert_int_equal(found, 2);
    assert_non_null(memmem(out, out_length, "second", 6));
    assert_null(memmem(out, out_length, "first", 5));
    sw_free(out);
    sw_container_close(c);
    // cut anywhere, it is refused or shorter, never read beyond its end
    for (size_t n = 0; n < length; n++) {
        uint8_t *cut = malloc(n ? n : 1);
        assert_non_null(cut);
        memcpy(cut, archive, n);
        if (!sw_container_open(cut, n, NULL, &c, NULL)) sw_container_close(c);
        free(cut);
    }
    free(archive);
    free(bundle);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(md5_vectors), cmocka_unit_test(standard_ids), cmocka_unit_test(compatible_ids),
        cmocka_unit_test(conflicts),   cmocka_unit_test(every_form),   cmocka_unit_test(bombs),
        cmocka_unit_test(archives),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
