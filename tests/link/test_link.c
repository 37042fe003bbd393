// SPDX-License-Identifier: MIT
// The linker as a library, with no other tool: what it makes of assembled text, what it says about what
// cannot be linked, and that damaged and absurd inputs end in bounded time. tests/link/ld.sh compares its
// output with ld.lld's.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "piece.h"
#include "link/link.h"
#include "softwave/asm.h"

struct heard {
    char text[8192];
    unsigned errors;
};

static void hear(void *context, const sw_diagnostic *d) {
    struct heard *h = context;
    size_t used = strlen(h->text);
    snprintf(h->text + used, sizeof h->text - used, "%s: %s: %s\n", d->at.file ? d->at.file : "",
             d->at.within ? d->at.within : "", d->message);
    h->errors += d->severity == SW_SEVERITY_ERROR;
}

struct bytes {
    uint8_t *data;
    size_t size;
};

static struct bytes assemble_for(const char *target, const char *text) {
    struct bytes b;
    struct heard h = {0};
    sw_asm_options o = {.size = sizeof o, .os = SW_OS_AMDHSA, .name = "t.s", .no_files = true};
    assert_int_equal(sw_target_parse(target, strlen(target), &o.target, NULL), SW_OK);
    if (sw_assemble(text, strlen(text), &o, &b.data, &b.size, &(sw_sink){hear, &h})) fail_msg("%s", h.text);
    return b;
}
static struct bytes assemble(const char *text) { return assemble_for("gfx90a", text); }

enum { MOST = 8 };
struct run {
    sw_link_options o;
    sw_link_input inputs[MOST];
    size_t count;
    struct heard heard;
    struct bytes out;
    sw_object *object; // the output, opened
};

static void add(struct run *r, const char *name, struct bytes b) {
    assert_true(r->count < MOST);
    r->inputs[r->count++] =
        (sw_link_input){.size = sizeof *r->inputs, .name = name, .bytes = b.data, .length = b.size};
}

static sw_status link_it(struct run *r) {
    r->o.size = sizeof r->o;
    r->heard = (struct heard){0};
    sw_sink sink = {hear, &r->heard};
    sw_status s = sw_link(r->inputs, r->count, &r->o, &r->out.data, &r->out.size, &sink);
    r->object = NULL;
    if (s) {
        assert_null(r->out.data);
        assert_true(r->heard.errors > 0);
        return s;
    }
    if (sw_object_open(r->out.data, r->out.size, NULL, &r->object, &sink)) fail_msg("%s", r->heard.text);
    return s;
}

static void must_link(struct run *r) {
    if (link_it(r)) fail_msg("%s", r->heard.text);
}

static void must_fail(struct run *r, sw_status status, const char *message) {
    assert_int_equal(link_it(r), status);
    if (!strstr(r->heard.text, message)) fail_msg("expected '%s', heard: %s", message, r->heard.text);
}

static void done(struct run *r) {
    sw_object_close(r->object);
    sw_free(r->out.data);
    r->object = NULL;
    r->out.data = NULL;
}

static const sw_symbol *symbol(const struct run *r, sw_symbol_table table, const char *name) {
    const sw_symbol *s;
    for (size_t i = 0; (s = sw_object_symbol(r->object, table, i)); i++)
        if (!strcmp(s->name, name)) return s;
    return NULL;
}

static const sw_section *section(const struct run *r, const char *name) {
    const sw_section *s;
    for (size_t i = 0; (s = sw_object_section(r->object, i)); i++)
        if (!strcmp(s->name, name)) return s;
    return NULL;
}

// The 4 or 8 bytes of the output at a symbol's address plus `offset`.
static const uint8_t *at(const struct run *r, const char *name, uint64_t offset) {
    const sw_symbol *s = symbol(r, SW_SYMTAB, name);
    assert_non_null(s);
    const sw_section *c = sw_object_section(r->object, s->section);
    assert_non_null(c);
    assert_true(s->value + offset - c->address + 8 <= c->size);
    return c->data + (s->value + offset - c->address);
}

// ---- Results ----

// OBJ-40 to OBJ-51: each static type against a place and a number whose addresses the output tells.
static void relocations_are_computed(void **state) {
    (void)state;
    struct bytes a = assemble(PIECE("relocations_are_computed"));
    struct bytes b = assemble(PIECE("relocations_are_computed, 2"));
    struct run r = {0};
    add(&r, "a.o", a);
    add(&r, "b.o", b);
    must_link(&r);
    uint64_t there = symbol(&r, SW_SYMTAB, "there")->value, here = symbol(&r, SW_SYMTAB, "here")->value,
             data = symbol(&r, SW_SYMTAB, "data")->value, got = section(&r, ".got")->address;
    uint64_t delta = there + 4 - (here + 8);
    assert_int_equal(rd32(at(&r, "here", 8)), (uint32_t)delta);                               // REL32_LO
    assert_int_equal(rd32(at(&r, "here", 16)), (uint32_t)((there + 12 - (here + 16)) >> 32)); // REL32_HI
    assert_int_equal(rd32(at(&r, "here", 24)), (uint32_t)(got + 4 - (here + 24)));            // GOTPCREL32_LO
    assert_int_equal(rd32(at(&r, "here", 32)), (uint32_t)((got + 12 - (here + 32)) >> 32));   // GOTPCREL32_HI
    assert_int_equal(rd32(at(&r, "here", 40)), 0x456789ab);                                   // ABS32_LO
    assert_int_equal(rd32(at(&r, "here", 48)), 0x123);                                        // ABS32_HI
    assert_int_equal(rd64(at(&r, "data", 8)), 0x123456789ab);                                 // ABS64
    assert_int_equal(rd32(at(&r, "data", 16)), 0xfffffffe);                                   // ABS32
    assert_int_equal(rd32(at(&r, "data", 20)), (uint32_t)(there - (data + 20)));              // REL32
    assert_int_equal(rd64(at(&r, "data", 24)), there - (data + 24));                          // REL64
    // RELATIVE64 for the pointer and for the slot, by address.
    const size_t count = sw_object_relocation_count(r.object);
    assert_int_equal(count, 2);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(sw_object_relocation(r.object, i)->type, R_AMDGPU_RELATIVE64);
        assert_int_equal(sw_object_relocation(r.object, i)->addend, there);
    }
    assert_int_equal(sw_object_relocation(r.object, 0)->offset, got < data ? got : data);
    assert_int_equal(sw_object_relocation(r.object, 1)->offset, got < data ? data : got);
    done(&r);
    sw_free(a.data);
    sw_free(b.data);
}

// OBJ-05, OBJ-06, OBJ-10: header fields; AMB-16: types of the dynamic tables.
static void header_says_what_it_is(void **state) {
    (void)state;
    struct bytes a = assemble_for("gfx9-4-generic", ".globl f\nf: s_endpgm\n");
    struct run r = {0};
    add(&r, "a.o", a);
    must_link(&r);
    const sw_header *h = sw_object_header(r.object);
    assert_int_equal(h->type, ET_DYN);
    assert_int_equal(h->machine, EM_AMDGPU);
    assert_int_equal(h->entry, 0);
    assert_int_equal(h->generic_version, 1);
    assert_int_equal(h->code_object_version, 6);
    assert_int_equal(section(&r, ".dynsym")->type, SHT_DYNSYM);
    assert_int_equal(section(&r, ".dynstr")->type, SHT_STRTAB);
    assert_int_equal(section(&r, ".dynamic")->type, SHT_DYNAMIC);
    assert_non_null(symbol(&r, SW_DYNSYM, "f"));
    done(&r);
    // Stripped of section headers the object still opens, through DT_HASH.
    r.o.strip = SW_STRIP_ALL;
    must_link(&r);
    assert_null(section(&r, ".symtab"));
    assert_non_null(symbol(&r, SW_DYNSYM, "f"));
    done(&r);
    sw_free(a.data);
}

static void visibility_decides_who_is_exported(void **state) {
    (void)state;
    struct bytes a = assemble(".globl d, p, h, v\n.protected p\n.hidden h\n.weak w\n"
                              "d: p: h: v: w: s_endpgm\nlocal: s_nop 0\n");
    struct run r = {0};
    add(&r, "a.o", a);
    must_link(&r);
    assert_non_null(symbol(&r, SW_DYNSYM, "d"));
    assert_non_null(symbol(&r, SW_DYNSYM, "p"));
    assert_non_null(symbol(&r, SW_DYNSYM, "w"));
    assert_null(symbol(&r, SW_DYNSYM, "h"));
    assert_int_equal(symbol(&r, SW_SYMTAB, "h")->binding, STB_LOCAL);
    assert_int_equal(symbol(&r, SW_SYMTAB, "w")->binding, STB_WEAK);
    done(&r);
    static const char script[] = "{ global: d; [p-q]*; local: *; };";
    r.o.version_script = (sw_link_text){"s", script, sizeof script - 1};
    must_link(&r);
    assert_non_null(symbol(&r, SW_DYNSYM, "d"));
    assert_non_null(symbol(&r, SW_DYNSYM, "p"));
    assert_null(symbol(&r, SW_DYNSYM, "v"));
    assert_null(symbol(&r, SW_DYNSYM, "w"));
    done(&r);
    r.o.version_script = (sw_link_text){0};
    r.o.pie = true;
    must_link(&r);
    assert_null(symbol(&r, SW_DYNSYM, "d"));
    done(&r);
    sw_free(a.data);
}

static void unused_sections_go(void **state) {
    (void)state;
    struct bytes a = assemble(PIECE("unused_sections_go"));
    struct run r = {.o = {.gc_sections = true}};
    add(&r, "a.o", a);
    must_link(&r);
    assert_non_null(symbol(&r, SW_SYMTAB, "helper"));
    assert_non_null(symbol(&r, SW_SYMTAB, "called"));
    assert_null(symbol(&r, SW_SYMTAB, "unused"));
    done(&r);
    sw_free(a.data);
}

// Members of thin archives are the caller's to find; without its help they are unsupported.
static sw_status open_member(void *context, const char *path, const uint8_t **bytes, size_t *length) {
    const struct bytes *object = context;
    if (strcmp(path, "folder/f.o")) return SW_BAD_INPUT;
    *bytes = object->data;
    *length = object->size;
    return SW_OK;
}

static void thin_archives(void **state) {
    (void)state;
    struct bytes a = assemble(".globl f\nf: s_endpgm\n"), out, plain;
    char archive[256];
    const char *name = "f.o/\n\n";
    snprintf(archive, sizeof archive, "!<thin>\n%-48s%-10zu`\n%s%-48s%-10zu`\n", "//", strlen(name), name,
             "/0", a.size);
    sw_link_input in = {.size = sizeof in,
                        .name = "folder/thin.a",
                        .bytes = (const uint8_t *)archive,
                        .length = strlen(archive),
                        .whole_archive = true};
    sw_link_input object = {.size = sizeof object, .bytes = a.data, .length = a.size};
    sw_link_options o = {.size = sizeof o, .open_context = &a};
    assert_int_equal(sw_link(&in, 1, &o, &out.data, &out.size, NULL), SW_UNSUPPORTED);
    o.open = open_member;
    assert_int_equal(sw_link(&in, 1, &o, &out.data, &out.size, NULL), SW_OK);
    assert_int_equal(sw_link(&object, 1, &o, &plain.data, &plain.size, NULL), SW_OK);
    assert_int_equal(out.size, plain.size);
    assert_memory_equal(out.data, plain.data, plain.size);
    sw_free(out.data);
    sw_free(plain.data);
    in.name = "thin.a";
    assert_int_equal(sw_link(&in, 1, &o, &out.data, &out.size, NULL), SW_BAD_INPUT);
    sw_free(a.data);
}

// An old caller, whose options end earlier, gets the defaults for the rest.
static void options_may_be_short_or_absent(void **state) {
    (void)state;
    struct bytes a = assemble(".globl f\nf: s_endpgm\n");
    sw_link_input in = {.size = sizeof in, .bytes = a.data, .length = a.size};
    sw_link_options o = {.size = offsetof(sw_link_options, relocatable)};
    memset((char *)&o + o.size, 0xff, sizeof o - o.size);
    struct bytes with, without;
    assert_int_equal(sw_link(&in, 1, &o, &with.data, &with.size, NULL), SW_OK);
    assert_int_equal(sw_link(&in, 1, NULL, &without.data, &without.size, NULL), SW_OK);
    assert_int_equal(with.size, without.size);
    assert_memory_equal(with.data, without.data, with.size);
    sw_free(with.data);
    sw_free(without.data);
    o = (sw_link_options){.size = sizeof o, .max_page_size = 3000};
    assert_int_equal(sw_link(&in, 1, &o, &with.data, &with.size, NULL), SW_USAGE);
    sw_free(a.data);
}

// Values of XXH3's specification, one of each branch.
static void hash_is_xxh3(void **state) {
    (void)state;
    assert_int_equal(hash64((const uint8_t *)"", 0), 0x2d06800538d394c2);
    assert_int_equal(hash64((const uint8_t *)"a", 1), 0xe6c632b61e964e1f);
    assert_int_equal(hash64((const uint8_t *)"abc", 3), 0x78af5f94892f3950);
}

// ---- Refusals ----

static void what_cannot_be_is_named(void **state) {
    (void)state;
    struct bytes a = assemble(".globl f\nf: s_endpgm\n"), again = assemble(".globl f\nf: s_nop 0\n"),
                 needs = assemble("s_getpc_b64 s[0:1]\ns_add_u32 s0, s0, g@rel32@lo+4\n"),
                 other = assemble_for("gfx1100", "s_endpgm\n");
    struct run r = {0};
    must_fail(&r, SW_BAD_INPUT, "no object to link");
    add(&r, "a.o", a);
    add(&r, "again.o", again);
    must_fail(&r, SW_BAD_INPUT, "again.o: : duplicate symbol: f, first defined in a.o");
    r.o.allow_duplicates = true;
    must_link(&r);
    done(&r);
    r.count = 1;
    add(&r, "other.o", other);
    must_fail(&r, SW_BAD_INPUT, "incompatible processor: it is for gfx1100, but a.o for gfx90a");
    r.count = 1;
    add(&r, "needs.o", needs);
    must_fail(&r, SW_BAD_INPUT,
              "needs.o: .text: relocation R_AMDGPU_REL32_LO at 0x8 cannot be used against symbol 'g'");
    r.o.no_undefined = true;
    must_fail(&r, SW_BAD_INPUT, "needs.o: .text: undefined symbol: g, referenced at 0x8");
    r.count = 1;
    add(&r, "b.bc", (struct bytes){(uint8_t *)"BC\xc0\xde....", 8});
    must_fail(&r, SW_UNSUPPORTED, "b.bc: : unsupported: LLVM bitcode");
    r.count = 1;
    add(&r, "t", (struct bytes){(uint8_t *)"hello", 5});
    must_fail(&r, SW_BAD_INPUT, "t: : neither an ELF object nor an archive");
    sw_free(a.data);
    sw_free(again.data);
    sw_free(needs.data);
    sw_free(other.data);
}

// ---- Archives ----

static void put(struct bytes *archive, const char *header_name, struct bytes b) {
    size_t old = archive->size, size = old + 60 + b.size + (b.size & 1);
    archive->data = realloc(archive->data, size);
    assert_non_null(archive->data);
    char header[64];
    snprintf(header, sizeof header, "%-16s%-12d%-6d%-6d%-8d%-10zu`\n", header_name, 0, 0, 0, 644, b.size);
    memcpy(archive->data + old, header, 60);
    memcpy(archive->data + old + 60, b.data, b.size);
    archive->data[size - 1] = b.size & 1 ? '\n' : archive->data[size - 1];
    archive->size = size;
}

// A chain of members, each asking for the one before, is taken without recursion, whatever its length.
static void archives_give_what_is_asked_for(void **state) {
    (void)state;
    enum { CHAIN = 3000 };
    struct bytes archive = {malloc(8), 8}, first = assemble(".globl start\n.data\n.quad f2999\n");
    memcpy(archive.data, "!<arch>\n", 8);
    for (int i = 0; i < CHAIN; i++) {
        char text[128], name[32];
        snprintf(text, sizeof text, ".data\n.globl f%d\nf%d: .quad %s%.0d\n", i, i, i ? "f" : "0",
                 i ? i - 1 : 0);
        if (i == 1) snprintf(text, sizeof text, ".data\n.globl f1\nf1: .quad f0\n");
        struct bytes b = assemble(text);
        snprintf(name, sizeof name, "m%d.o/", i);
        put(&archive, name, b);
        sw_free(b.data);
    }
    struct bytes never = assemble(".globl never\nnever: s_endpgm\n");
    put(&archive, "never.o/", never);
    struct run r = {0};
    add(&r, "lib.a", archive); // before the file that asks: order does not matter
    add(&r, "a.o", first);
    clock_t start = clock();
    must_link(&r);
    assert_true(clock() - start < 20 * CLOCKS_PER_SEC);
    assert_non_null(symbol(&r, SW_DYNSYM, "f0"));
    assert_null(symbol(&r, SW_SYMTAB, "never"));
    done(&r);
    r.inputs[0].whole_archive = true;
    must_link(&r);
    assert_non_null(symbol(&r, SW_SYMTAB, "never"));
    done(&r);
    free(archive.data);
    sw_free(first.data);
    sw_free(never.data);
}

// ---- Damage ----

static const char *rich(void) { return PIECE("rich"); }

static void link_damaged(struct bytes b, bool gc) {
    struct heard h = {0};
    sw_sink sink = {hear, &h};
    sw_link_options o = {.size = sizeof o, .gc_sections = gc, .max_output = 1 << 24};
    sw_link_input in = {.size = sizeof in, .name = "b", .bytes = b.data, .length = b.size};
    uint8_t *image;
    size_t size;
    if (sw_link(&in, 1, &o, &image, &size, &sink)) {
        assert_true(h.errors > 0);
        assert_null(image);
    }
    sw_free(image);
}

static void damaged_objects_end_in_messages(void **state) {
    (void)state;
    struct bytes b = assemble(rich());
    for (size_t n = 0; n < b.size; n++) {
        uint8_t *copy = malloc(n + 1); // so that reading past the end is noticed
        memcpy(copy, b.data, n);
        link_damaged((struct bytes){copy, n}, n & 1);
        free(copy);
    }
    uint32_t random = 1;
    for (size_t i = 0; i < 4 * b.size; i++) {
        uint8_t kept[3];
        size_t where[3];
        for (int n = 0; n < 3; n++) {
            random = random * 1664525 + 1013904223;
            where[n] =
                i % 4 == 3 && b.size > 64 ? (random >> 8) % b.size : (i / 4 + (unsigned)n * 8) % b.size;
            kept[n] = b.data[where[n]];
            b.data[where[n]] = (uint8_t)(random >> 24);
        }
        link_damaged(b, i & 1);
        for (int n = 2; n >= 0; n--) b.data[where[n]] = kept[n];
    }
    sw_free(b.data);
}

// Many sections, symbols, strings and relocations cost no more than in proportion.
static void large_inputs_are_linked_in_time(void **state) {
    (void)state;
    enum { N = 4000 };
    struct text t = {0};
    for (int i = 0; i < N; i++)
        text_printf(&t,
                    ".section .data.v%d,\"aw\",@progbits\n.globl v%d\nv%d: .quad v%d, l%d\n"
                    ".section s%d,\"aMS\",@progbits,1\nl%d: .asciz \"string %d\"\n",
                    i, i, i, (i * 7) % N, i, i, i, i % 1000);
    struct bytes b = assemble(t.data);
    text_free(&t);
    struct run r = {.o = {.gc_sections = true, .merge = SW_MERGE_TAILS}};
    add(&r, "b.o", b);
    clock_t start = clock();
    must_link(&r);
    assert_true(clock() - start < 20 * CLOCKS_PER_SEC);
    assert_non_null(symbol(&r, SW_DYNSYM, "v3999"));
    done(&r);
    sw_free(b.data);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(relocations_are_computed),
        cmocka_unit_test(header_says_what_it_is),
        cmocka_unit_test(visibility_decides_who_is_exported),
        cmocka_unit_test(unused_sections_go),
        cmocka_unit_test(thin_archives),
        cmocka_unit_test(options_may_be_short_or_absent),
        cmocka_unit_test(hash_is_xxh3),
        cmocka_unit_test(what_cannot_be_is_named),
        cmocka_unit_test(archives_give_what_is_asked_for),
        cmocka_unit_test(damaged_objects_end_in_messages),
        cmocka_unit_test(large_inputs_are_linked_in_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
