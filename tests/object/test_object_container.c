// SPDX-License-Identifier: MIT
// Files with code objects in them (TGT-80): bundles plain and compressed, offload binaries, host files; which
// one is picked for a device (TGT-61, TGT-68, TGT-71); and that damaged ones are refused.
#include "object_support.h"

#include <zlib.h>
#include <zstd.h>

// A growing file.
struct bytes {
    uint8_t data[1 << 16];
    size_t size;
};

static void put(struct bytes *b, const void *data, size_t size) {
    assert_true(b->size + size <= sizeof b->data);
    memcpy(b->data + b->size, data, size);
    b->size += size;
}
static void put64(struct bytes *b, uint64_t v) { put(b, &v, 8); }
static void pad(struct bytes *b, size_t alignment) {
    while (b->size % alignment) put(b, "", 1);
}

// The ELF header of a code object that is empty otherwise: e_flags 0x33f is gfx90a with sramecc and xnack
// off.
static void code_object(uint8_t out[64], uint32_t flags, unsigned abi) {
    memset(out, 0, 64);
    memcpy(out,
           "\x7f"
           "ELF\2\1\1\x40",
           8);
    out[8] = (uint8_t)abi;
    wr16(out + 16, ET_DYN), wr16(out + 18, 224), wr32(out + 20, 1), wr32(out + 48, flags), wr16(out + 52, 64);
}

struct image {
    const char *id;
    uint32_t flags; // 0: no data
    unsigned abi;
};

static void put_bundle(struct bytes *b, const struct image *images, size_t count) {
    size_t start = b->size, table = 32, data;
    for (size_t i = 0; i < count; i++) table += 24 + strlen(images[i].id);
    data = align_up(table, 64);
    put(b, "__CLANG_OFFLOAD_BUNDLE__", 24);
    put64(b, count);
    for (size_t i = 0; i < count; i++) {
        put64(b, data), put64(b, images[i].flags ? 64 : 0), put64(b, strlen(images[i].id));
        put(b, images[i].id, strlen(images[i].id));
        if (images[i].flags) data += 64;
    }
    while ((b->size - start) % 64) put(b, "", 1);
    for (size_t i = 0; i < count; i++) {
        uint8_t elf[64];
        if (!images[i].flags) continue;
        code_object(elf, images[i].flags, images[i].abi);
        put(b, elf, 64);
    }
}

// V4 flags: xnack 0x100 any, 0x200 off, 0x300 on; sramecc 0x400 any, 0x800 off, 0xc00 on.
static const struct image several[] = {
    {"host-x86_64-unknown-linux--", 0, 0},
    {"hipv4-amdgcn-amd-amdhsa--gfx906:sramecc-:xnack-", 0xa2f, 2},
    {"hipv4-amdgcn-amd-amdhsa--gfx90a:xnack+", 0x73f, 2},
    {"hipv4-amdgcn-amd-amdhsa--gfx90a:xnack-", 0x63f, 2},
    {"hipv4-amdgcn-amd-amdhsa--gfx1100", 0x41, 3},
    {"hipv4-amdgcn-amd-amdhsa--gfx11-generic", 0x1000054, 4},
};
enum { SEVERAL = sizeof several / sizeof *several };

static sw_container *open_bytes(const uint8_t *data, size_t size) {
    struct heard h = {0};
    sw_sink sink = {hear, &h};
    sw_container *c;
    if (sw_container_open(data, size, NULL, &c, &sink)) fail_msg("%s", h.text);
    return c;
}

static const char *refusal(const uint8_t *data, size_t size) {
    static struct heard h;
    h = (struct heard){0};
    sw_sink sink = {hear, &h};
    sw_container *c;
    if (!sw_container_open(data, size, NULL, &c, &sink)) sw_container_close(c);
    return h.text;
}

static void expect_target(const sw_entry *e, const char *target) {
    char text[SW_TARGET_TEXT];
    assert_true(e->is_device && e->has_target);
    sw_target_format(&e->target, text);
    assert_string_equal(text, target);
}

// ---- Formats -------------------------------------------------------------------------------------------

static void bundle(void **state) {
    (void)state;
    struct bytes b = {.size = 0};
    put_bundle(&b, several, SEVERAL);
    pad(&b, 4096); // as in .hip_fatbin: the next one begins a page
    put_bundle(&b, several, 2);
    put(&b, "\0\0\0\0\0\0\0\0\0", 9);
    sw_container *c = open_bytes(b.data, b.size);
    const size_t count = sw_container_entry_count(c);
    assert_int_equal(sw_container_get_kind(c), SW_CONTAINER_BUNDLE);
    assert_int_equal(count, SEVERAL + 2);
    assert_false(sw_container_entry(c, 0)->is_device);
    assert_string_equal(sw_container_entry(c, 0)->id, "host-x86_64-unknown-linux--");
    assert_string_equal(sw_container_entry(c, 2)->id, several[2].id);
    expect_target(sw_container_entry(c, 1), "gfx906:sramecc-:xnack-");
    expect_target(sw_container_entry(c, 2), "gfx90a:xnack+");
    expect_target(sw_container_entry(c, 4), "gfx1100");
    assert_int_equal(sw_container_entry(c, 5)->generic_version, 1);
    assert_int_equal(sw_container_entry(c, 4)->generic_version, 0);
    for (size_t i = 0; i < SEVERAL; i++) assert_int_equal(sw_container_entry(c, i)->bundle, 0);
    assert_int_equal(sw_container_entry(c, SEVERAL + 1)->bundle, 1);
    assert_int_equal(sw_container_entry(c, SEVERAL + 1)->offset % 64, 0);
    assert_true(sw_container_entry(c, SEVERAL + 1)->offset > 4096);
    const uint8_t *data;
    size_t length;
    assert_int_equal(sw_container_data(c, 4, &data, &length, NULL), SW_OK);
    assert_ptr_equal(data, b.data + sw_container_entry(c, 4)->offset); // in place
    assert_int_equal(length, 64);
    assert_int_equal(sw_container_data(c, 99, &data, &length, NULL), SW_USAGE);
    sw_container_close(c);
}

// Versions 1 to 3 of the header, both methods, two bundles in a row.
static void put_compressed(struct bytes *b, const struct bytes *plain, unsigned version, unsigned method) {
    static uint8_t packed[1 << 16];
    uint8_t header[32] = "CCOB";
    size_t length = sizeof packed, head = version == 1 ? 20 : version == 2 ? 24 : 32;
    if (method) {
        length = ZSTD_compress(packed, sizeof packed, plain->data, plain->size, 3);
        assert_false(ZSTD_isError(length));
    } else {
        uLongf n = sizeof packed;
        assert_int_equal(compress(packed, &n, plain->data, plain->size), Z_OK);
        length = n;
    }
    wr16(header + 4, (uint16_t)version), wr16(header + 6, (uint16_t)method);
    if (version == 1)
        wr32(header + 8, (uint32_t)plain->size);
    else if (version == 2)
        wr32(header + 8, (uint32_t)(head + length)), wr32(header + 12, (uint32_t)plain->size);
    else
        wr64(header + 8, head + length), wr64(header + 16, plain->size);
    put(b, header, head);
    put(b, packed, length);
}

static void compressed(void **state) {
    (void)state;
    struct bytes plain = {.size = 0};
    put_bundle(&plain, several, SEVERAL);
    for (unsigned version = 1; version <= 3; version++)
        for (unsigned method = 0; method < 2; method++) {
            struct bytes b = {.size = 0};
            put_compressed(&b, &plain, version, method);
            pad(&b, 4096);
            put_compressed(&b, &plain, version, method);
            sw_container *c = open_bytes(b.data, b.size);
            size_t count, length;
            count = sw_container_entry_count(c);
            assert_int_equal(sw_container_get_kind(c), SW_CONTAINER_COMPRESSED);
            assert_int_equal(count, 2 * SEVERAL);
            assert_null(sw_container_entry(c, SEVERAL + 3)->data); // still packed, known by its id
            expect_target(sw_container_entry(c, SEVERAL + 3), "gfx90a:xnack-");
            assert_int_equal(sw_container_entry(c, SEVERAL + 5)->generic_version, 0);
            const uint8_t *data;
            assert_int_equal(sw_container_data(c, SEVERAL + 3, &data, &length, NULL), SW_OK);
            uint8_t expected[64];
            code_object(expected, several[3].flags, several[3].abi);
            assert_memory_equal(data, expected, 64);
            assert_int_equal(sw_container_entry(c, SEVERAL + 5)->generic_version, 1); // and now by its header
            assert_null(sw_container_entry(c, 3)->data);
            sw_container_close(c);
            // cut off, and with a wrong size
            for (size_t n = 0; n < 100; n++) assert_string_not_equal(refusal(b.data, n), "");
            size_t where = version == 1 ? 8 : version == 2 ? 12 : 16;
            wr32(b.data + where, (uint32_t)plain.size + 1);
            c = open_bytes(b.data, b.size);
            assert_int_equal(sw_container_data(c, 3, &data, &length, NULL), SW_BAD_INPUT);
            sw_container_close(c);
            wr32(b.data + where, 0xfffffff0); // a bomb, said to make 4 GiB out of a few hundred bytes
            assert_non_null(
                strstr(refusal(b.data, b.size), "decompressed size of 0xfffffff0 bytes is not credible"));
        }
}

// An entry table longer than the part that is unpacked first.
static void compressed_long_table(void **state) {
    (void)state;
    static struct image images[600];
    static struct bytes plain, b;
    for (size_t i = 0; i < 600; i++) images[i] = several[1 + i % 3];
    images[599].flags = 0x41, images[599].abi = 3;
    images[599].id = "hipv4-amdgcn-amd-amdhsa--gfx1100";
    for (size_t i = 0; i < 599; i++) images[i].flags = 0;
    plain.size = b.size = 0;
    put_bundle(&plain, images, 600);
    assert_true(plain.size > 20000);
    put_compressed(&b, &plain, 3, 1);
    sw_container *c = open_bytes(b.data, b.size);
    size_t count, index;
    count = sw_container_entry_count(c);
    assert_int_equal(count, 600);
    sw_target t;
    assert_int_equal(sw_target_parse("gfx1100", 7, &t, NULL), SW_OK);
    assert_int_equal(sw_container_pick(c, &t, NULL, &index, NULL), SW_OK);
    assert_int_equal(index, 599);
    sw_container_close(c);
}

static void offload_binary(void **state) {
    (void)state;
    need("$LLVM_OFFLOAD_BINARY");
    uint8_t elf[64];
    struct heard h = {0};
    char path[128];
    for (int i = 0; i < 2; i++) {
        snprintf(path, sizeof path, "%s/i%d", directory, i);
        code_object(elf, several[2 + i].flags, 2);
        if (file_write(path, elf, 64, &(sw_sink){hear, &h})) fail_msg("%s", h.text);
    }
    run("$LLVM_OFFLOAD_BINARY --image=file=i0,triple=amdgcn-amd-amdhsa,arch=gfx90a:xnack+,kind=openmp"
        " --image=file=i1,triple=amdgcn-amd-amdhsa,arch=gfx90a:xnack-,kind=hip -o two.bin");
    struct file f = open_input("two.bin");
    sw_container *c = open_bytes(f.data, f.size);
    const size_t count = sw_container_entry_count(c);
    assert_int_equal(sw_container_get_kind(c), SW_CONTAINER_OFFLOAD_BINARY);
    assert_int_equal(count, 2);
    assert_string_equal(sw_container_entry(c, 0)->id, "openmp-amdgcn-amd-amdhsa--gfx90a:xnack+");
    assert_string_equal(sw_container_entry(c, 1)->id, "hipv4-amdgcn-amd-amdhsa--gfx90a:xnack-");
    expect_target(sw_container_entry(c, 1), "gfx90a:xnack-");
    sw_container_close(c);
    uint8_t *copy = malloc(f.size);
    memcpy(copy, f.data, f.size);
    wr32(copy + 4, 7);
    assert_string_equal(refusal(copy, f.size), "offload binary: version is 7, only 1 is known\n");
    free(copy);
    file_close(&f);
}

static void embed(const char *section, const char *blob, const char *out) {
    run("objcopy --add-section %s=%s --set-section-flags %s=alloc,readonly %s %s 2>/dev/null", section, blob,
        section, "host.o", out);
}

// Host files: bundles in .hip_fatbin, binaries in .llvm.offloading, a bare code object in .rodata.
static void host_files(void **state) {
    (void)state;
    need("cc");
    need("objcopy");
    struct bytes b = {.size = 0};
    struct heard h = {0};
    sw_sink sink = {hear, &h};
    char path[128];
    put_bundle(&b, several, SEVERAL);
    pad(&b, 4096);
    put_bundle(&b, several, SEVERAL);
    snprintf(path, sizeof path, "%s/blob", directory);
    if (file_write(path, b.data, b.size, &sink)) fail_msg("%s", h.text);
    uint8_t elf[64];
    code_object(elf, 0x41, 3);
    snprintf(path, sizeof path, "%s/bare", directory);
    if (file_write(path, elf, 64, &sink)) fail_msg("%s", h.text);
    write_input("host.c", "int main(void) { return 0; }\n");
    run("cc -c host.c -o host.o");
    embed(".hip_fatbin", "blob", "fat.o");
    embed(".rodata.code", "bare", "gcc.o");
    run("cc fat.o -o fat; ld -r -b binary bare -o bare.o; cc -shared gcc.o -o gcc.so");
    for (int linked = 0; linked < 2; linked++) {
        struct file f = open_input(linked ? "fat" : "fat.o");
        sw_container *c = open_bytes(f.data, f.size);
        size_t count = sw_container_entry_count(c);
        assert_int_equal(sw_container_get_kind(c), SW_CONTAINER_HOST);
        assert_int_equal(count, 2 * SEVERAL);
        expect_target(sw_container_entry(c, SEVERAL + 4), "gfx1100");
        assert_int_equal(sw_container_entry(c, SEVERAL + 4)->bundle, 1);
        sw_container_close(c);
        file_close(&f);
        f = open_input(linked ? "gcc.so" : "gcc.o");
        c = open_bytes(f.data, f.size);
        count = sw_container_entry_count(c);
        assert_int_equal(count, 1);
        expect_target(sw_container_entry(c, 0), "gfx1100");
        sw_container_close(c);
        file_close(&f);
    }
    // clang-offload-bundler puts one image in a section named after its entry id
    embed("__CLANG_OFFLOAD_BUNDLE__hipv4-amdgcn-amd-amdhsa--gfx1100", "bare", "named.o");
    struct file f = open_input("named.o");
    sw_container *c = open_bytes(f.data, f.size);
    const size_t count = sw_container_entry_count(c);
    assert_int_equal(count, 1);
    assert_string_equal(sw_container_entry(c, 0)->id, "hipv4-amdgcn-amd-amdhsa--gfx1100");
    expect_target(sw_container_entry(c, 0), "gfx1100");
    sw_container_close(c);
    file_close(&f);
    f = open_input("host.o");
    assert_non_null(strstr(refusal(f.data, f.size), "host ELF file: no device code"));
    file_close(&f);
}

// What GCC's own offload compiler embeds.
static void gcc_offload(void **state) {
    (void)state;
    if (!has_tool("x86_64-linux-gnu-accel-amdgcn-amdhsa-gcc-12") &&
        access("/usr/lib/gcc/x86_64-linux-gnu/12/accel/amdgcn-amdhsa/mkoffload", X_OK))
        skip();
    write_input("omp.c",
                "int main(void) { int a = 1;\n#pragma omp target map(tofrom: a)\n a = 2;\n return a; }\n");
    run("gcc-12 -fopenmp -foffload=amdgcn-amdhsa omp.c -o omp 2>/dev/null || rm -f omp");
    char path[128];
    snprintf(path, sizeof path, "%s/omp", directory);
    if (access(path, R_OK)) skip();
    struct file f = open_input("omp");
    sw_container *c = open_bytes(f.data, f.size);
    size_t count, length, kernels;
    count = sw_container_entry_count(c);
    assert_int_equal(count, 1);
    const uint8_t *data;
    assert_int_equal(sw_container_data(c, 0, &data, &length, NULL), SW_OK);
    struct heard h = {0};
    sw_sink sink = {hear, &h};
    sw_object *o;
    if (sw_object_open(data, length, NULL, &o, &sink)) fail_msg("%s", h.text);
    // three objects were linked, each with its own note
    kernels = sw_object_kernel_count(o);
    assert_int_equal(kernels, 3);
    assert_int_equal(sw_object_header(o)->code_object_version, 3);
    const sw_kernel *k = sw_object_find_kernel(o, "main._omp_fn.0");
    assert_non_null(k);
    assert_int_equal(k->kernarg_segment_size, 8);
    assert_true(k->has_descriptor && sw_object_find_kernel(o, "_init_array")->has_metadata);
    uint8_t *m = aligned_alloc(4096, sw_object_layout(o)->size);
    sw_load_options options = {
        .size = sizeof options, .memory = m, .length = sw_object_layout(o)->size, .address = 1 << 20};
    if (sw_object_load(o, &options, &sink)) fail_msg("%s", h.text);
    free(m);
    sw_object_close(o);
    sw_container_close(c);
    file_close(&f);
}

// ---- Picking -------------------------------------------------------------------------------------------

// The entry picked for a device, or the message.
static const char *pick(sw_container *c, const char *device, const char *kernel) {
    static struct heard h;
    static char number[16];
    h = (struct heard){0};
    sw_sink sink = {hear, &h};
    sw_target t;
    size_t index;
    if (device && sw_target_parse(device, strlen(device), &t, &sink)) return h.text;
    if (sw_container_pick(c, device ? &t : NULL, kernel, &index, &sink)) return h.text;
    snprintf(number, sizeof number, "%zu", index);
    return number;
}

static void picking(void **state) {
    (void)state;
    struct bytes b = {.size = 0};
    put_bundle(&b, several, SEVERAL);
    sw_container *c = open_bytes(b.data, b.size);
    assert_string_equal(pick(c, "gfx90a:xnack+", NULL), "2");
    assert_string_equal(pick(c, "gfx90a:sramecc+:xnack-", NULL), "3");
    assert_string_equal(pick(c, "gfx1100", NULL), "4"); // its own code before generic code
    assert_string_equal(pick(c, "gfx1103", NULL), "5"); // TGT-61
    assert_string_equal(pick(c, "gfx906:sramecc-:xnack-", NULL), "1");
#define THERE                                                                                                \
    "there is code for: gfx906:sramecc-:xnack-, gfx90a:xnack+, gfx90a:xnack-, gfx1100, gfx11-generic\n"
    assert_string_equal(pick(c, "gfx906:sramecc+:xnack-", NULL),
                        ": no code object for gfx906:sramecc+:xnack-; " THERE); // TGT-68
    assert_string_equal(pick(c, "gfx803", NULL), ": no code object for gfx803; " THERE);
    assert_string_equal(pick(c, "gfx90a", NULL),
                        ": 2 code objects for gfx90a; name a target or a kernel; " THERE);
    assert_string_equal(pick(c, NULL, NULL),
                        ": 5 code objects for any target; name a target or a kernel; " THERE);
    assert_string_equal(pick(c, "gfx1100", "add"), ": no code object for gfx1100 with kernel 'add'; " THERE);
    sw_container_close(c);
    static const struct image any[] = {{"hipv4-amdgcn-amd-amdhsa--gfx90a", 0x53f, 2},
                                       {"hipv4-amdgcn-amd-amdhsa--gfx90a:xnack+", 0x73f, 2}};
    b.size = 0;
    put_bundle(&b, any, 2);
    c = open_bytes(b.data, b.size);
    assert_string_equal(pick(c, "gfx90a:xnack-", NULL), "0");
    assert_string_equal(pick(c, "gfx90a:xnack+", NULL), "1"); // exact before any
    assert_string_equal(pick(c, "gfx90a", NULL), "0");
    sw_container_close(c);
}

// ---- Hostile -------------------------------------------------------------------------------------------

static void damaged(void **state) {
    (void)state;
    struct bytes b = {.size = 0};
    put_bundle(&b, several, SEVERAL);
    assert_string_equal(refusal(b.data, 0), ": the file is empty\n");
    assert_string_equal(refusal((const uint8_t *)"hello", 5),
                        ": neither an ELF file nor an offload bundle\n");
    for (size_t n = 1; n < b.size; n++) {
        uint8_t *exact = malloc(n);
        memcpy(exact, b.data, n);
        assert_string_not_equal(refusal(exact, n), "");
        free(exact);
    }
    struct bytes d = b;
    wr64(d.data + 24, 1ull << 60);
    assert_non_null(
        strstr(refusal(d.data, d.size), "offload bundle: 1152921504606846976 entries do not fit"));
    d = b;
    wr64(d.data + 48, 5000);
    assert_string_equal(refusal(d.data, d.size), "offload bundle: the id of entry 0 has 5000 characters\n");
    d = b;
    wr64(d.data + 32, 1ull << 63);
    assert_non_null(
        strstr(refusal(d.data, d.size), "entry 'host-x86_64-unknown-linux--' (offset 0x8000000000000000"));
    d = b;
    d.data[56] = 0;
    assert_string_equal(refusal(d.data, d.size), "offload bundle: the id of entry 0 contains a NUL\n");
    uint64_t seed = 88172645463325252ull;
    for (unsigned i = 0; i < 20000; i++) {
        d = b;
        for (unsigned j = 0; j < 3; j++) {
            seed ^= seed << 13, seed ^= seed >> 7, seed ^= seed << 17;
            d.data[seed % d.size] = (uint8_t)(seed >> 32);
        }
        refusal(d.data, d.size);
    }
}

// ---- Real libraries ------------------------------------------------------------------------------------

// Every code object of a library opens, with metadata and a descriptor for every kernel.
static void whole_library(const char *path, size_t bundles, size_t devices, size_t kernels) {
    struct file f;
    if (access(path, R_OK)) {
        print_message("%s is not installed\n", path);
        skip();
    }
    struct heard h = {0};
    sw_sink sink = {hear, &h};
    if (file_open(&f, path, &sink)) fail_msg("%s", h.text);
    sw_container *c = open_bytes(f.data, f.size);
    size_t count, found = 0, opened = 0;
    count = sw_container_entry_count(c);
    assert_int_equal(sw_container_entry(c, count - 1)->bundle + 1, bundles);
    for (size_t i = 0; i < count; i++) {
        if (!sw_container_entry(c, i)->is_device) continue;
        sw_object *o;
        size_t n;
        opened++;
        if (sw_object_open(sw_container_entry(c, i)->data, sw_container_entry(c, i)->size, NULL, &o, &sink) ||
            h.warnings)
            fail_msg("%zu: %s", i, h.text);
        n = sw_object_kernel_count(o);
        for (size_t j = 0; j < n; j++) {
            const sw_kernel *k = sw_object_kernel(o, j);
            assert_true(k->has_descriptor && k->has_metadata);
            assert_int_equal(k->descriptor->group_segment_fixed_size, k->group_segment_fixed_size);
            assert_int_equal(k->descriptor->private_segment_fixed_size, k->private_segment_fixed_size);
            assert_int_equal(k->descriptor->wavefront_size, k->wavefront_size);
            assert_true(k->descriptor->vgprs >= k->vgpr_count);
            assert_true(k->descriptor->sgprs >= k->sgpr_count);
            assert_true(k->descriptor->user_sgprs_enabled <= k->descriptor->user_sgpr_count);
        }
        found += n;
        sw_object_close(o);
    }
    assert_int_equal(opened, devices);
    assert_int_equal(found, kernels);
    sw_container_close(c);
    file_close(&f);
}

static void librocrand(void **state) {
    (void)state;
    whole_library("/usr/lib/x86_64-linux-gnu/librocrand.so.1", 1, 7, 560);
}

static void librocsparse(void **state) {
    (void)state;
    whole_library("/usr/lib/x86_64-linux-gnu/librocsparse.so.0", 111, 777, 88137);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bundle),
        cmocka_unit_test(compressed),
        cmocka_unit_test(compressed_long_table),
        cmocka_unit_test(offload_binary),
        cmocka_unit_test(host_files),
        cmocka_unit_test(gcc_offload),
        cmocka_unit_test(picking),
        cmocka_unit_test(damaged),
        cmocka_unit_test(librocrand),
        cmocka_unit_test(librocsparse),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
