// SPDX-License-Identifier: MIT
// Any bytes as the inputs of a link. The first byte chooses options, the second how the rest is read: as up
// to four inputs, each prefixed by its length in three bytes, or as changes (two bytes of offset, one of
// content) to an object of every kind of section and relocation, linked with itself unchanged as an archive
// behind it. What links must open again. Build with clang -fsanitize=fuzzer,address,undefined.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "softwave/asm.h"
#include "softwave/link.h"
#include "softwave/object.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char rich[] =
    ".globl k\n.protected k\n.p2align 8\nk: s_getpc_b64 s[0:1]\n s_add_u32 s0, s0, d@gotpcrel32@lo+4\n"
    " s_addc_u32 s1, s1, d@gotpcrel32@hi+12\n s_add_u32 s0, s0, h@rel32@lo+4\n s_branch h\n s_endpgm\n"
    ".section .text.h,\"axG\",@progbits,h,comdat\n.weak h\n.hidden h\nh: s_endpgm\n"
    ".section .rodata.s,\"aMS\",@progbits,1\nt: .asciz \"hello\"\n .asciz \"lo\"\n"
    ".section .data.rel.ro,\"aw\",@progbits\n .quad t, k, u\n.weak u\n"
    ".section .init_array.7,\"aw\",@init_array\n .quad k\n"
    ".data\n.globl d\nd: .quad d, __start_named, _end\n.comm c, 64, 16\n"
    ".section .debug_x,\"\",@progbits\n .quad k\n .long d2\n.globl d2\nd2 = 5\n"
    ".section named,\"aw\",@nobits\n .zero 12\n.section .note,\"a\",@note\n .long 4, 4, 1, 0x414141, 7\n";

struct bytes {
    uint8_t *data;
    size_t size;
};

static struct bytes assemble(void) {
    static struct bytes object; // made once
    sw_asm_options o = {.size = sizeof o, .os = SW_OS_AMDHSA, .no_files = true};
    if (!object.data && (sw_target_parse("gfx90a", 6, &o.target, NULL) ||
                         sw_assemble(rich, sizeof rich - 1, &o, &object.data, &object.size, NULL)))
        abort();
    return object;
}

// Every member of a thin archive is the same file.
static sw_status open_member(void *context, const char *path, const uint8_t **bytes, size_t *length) {
    (void)context;
    *bytes = assemble().data;
    *length = assemble().size;
    return strchr(path, 'x') ? SW_BAD_INPUT : SW_OK;
}

static void take_map(void *context, const char *text, size_t length) {
    (void)context;
    if (memchr(text, 0, length)) abort();
}

static void reopen(const uint8_t *image, size_t length) {
    sw_object *o;
    if (!sw_object_open(image, length, NULL, &o, NULL)) sw_object_close(o);
}

static void link_all(const sw_link_input *inputs, size_t count, const sw_link_options *options) {
    uint8_t *image;
    size_t length;
    if (!sw_link(inputs, count, options, &image, &length, NULL)) reopen(image, length);
    sw_free(image);
}

static void link_changed(const uint8_t *data, size_t size, const sw_link_options *options) {
    struct bytes whole = assemble();
    uint8_t *changed = malloc(whole.size), *archive = malloc(whole.size + 69);
    if (changed && archive) {
        memcpy(changed, whole.data, whole.size);
        for (; size >= 3; data += 3, size -= 3) changed[rd16(data) % whole.size] = data[2];
        snprintf((char *)archive, 69, "!<arch>\n%-16s%-12d%-6d%-6d%-8d%-10zu`\n", "m.o/", 0, 0, 0, 644,
                 whole.size);
        memcpy(archive + 68, whole.data, whole.size);
        sw_link_input inputs[2] = {
            {.size = sizeof *inputs, .name = "a.o", .bytes = changed, .length = whole.size},
            {.size = sizeof *inputs, .name = "b.a", .bytes = archive, .length = whole.size + 68}};
        link_all(inputs, 2, options);
    }
    free(changed);
    free(archive);
}

static void link_parts(const uint8_t *data, size_t size, const sw_link_options *options, unsigned choice) {
    enum { INPUTS = 4 };
    sw_link_input inputs[INPUTS];
    size_t count = 0, at = 0;
    while (count < INPUTS && size - at >= 3) {
        size_t length = data[at] | data[at + 1] << 8 | (size_t)data[at + 2] << 16;
        at += 3;
        if (!in_range(at, length, size) || count == INPUTS - 1) length = size - at;
        inputs[count++] = (sw_link_input){.size = sizeof *inputs,
                                          .name = "input",
                                          .bytes = data + at,
                                          .length = length,
                                          .whole_archive = choice & 4,
                                          .lazy = at > 3 && (choice & 8)};
        at += length;
    }
    link_all(inputs, count, options);
    // A version script and a dynamic list are text of strangers, too.
    sw_link_options with = *options;
    with.version_script = with.dynamic_list = (sw_link_text){"script", (const char *)data, size};
    link_all(inputs, count, &with);
    char *text = strndup((const char *)data, size < 200 ? size : 200);
    with = *options;
    with.definitions = (const char *const *)&text;
    with.definition_count = text != NULL;
    link_all(inputs, count, &with);
    free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size < 5) return 0;
    unsigned choice = data[0];
    sw_link_options options = {.size = sizeof options,
                               .pie = choice & 1,
                               .gc_sections = choice & 2,
                               .keep_named_sections = choice & 2,
                               .merge = (choice >> 2) % 3,
                               .symbolic = choice & 16 ? SW_SYMBOLIC_ALL : SW_SYMBOLIC_NONE,
                               .text_relocations = choice & 32,
                               .allow_duplicates = choice & 64,
                               .build_id = choice & 128 ? SW_BUILD_ID_20 : SW_BUILD_ID_NONE,
                               .max_output = 1 << 22,
                               .open = open_member,
                               .relocatable = data[1] & 2,
                               .definitions =
                                   (const char *const[]){"a = k + 4", "h=d-k+a", "c=0x10", "e=c - t"},
                               .definition_count = (data[1] >> 2) % 5,
                               .map = data[1] & 64 ? take_map : NULL};
    if (data[1] & 1)
        link_changed(data + 2, size - 2, &options);
    else
        link_parts(data + 2, size - 2, &options, choice);
    return 0;
}
