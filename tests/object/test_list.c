// SPDX-License-Identifier: MIT
// Listings and descriptions through the public interface: parts of an object, the caller's function, what is
// refused. What the text is, tests/cli/dis.sh and tests/object/obj.sh compare with LLVM's.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "piece.h"
#include "softwave/asm.h"
#include "softwave/list.h"

static const char *source(void) { return PIECE("source"); }

struct taken {
    char text[8192];
    size_t length, most; // bytes after which the taker refuses
};

static bool take(void *context, const char *text, size_t length) {
    struct taken *t = context;
    if (t->length + length > t->most) return false;
    memcpy(t->text + t->length, text, length);
    t->text[t->length += length] = 0;
    return true;
}

static sw_object *object;
static uint8_t *bytes;

static int open_object(void **state) {
    (void)state;
    size_t size;
    sw_asm_options o = {.size = sizeof o};
    sw_object_options oo = {.size = sizeof oo, .name = "list.o"};
    if (sw_target_parse("gfx1100", 7, &o.target, NULL)) return 1;
    if (sw_assemble(source(), strlen(source()), &o, &bytes, &size, NULL)) return 1;
    return sw_object_open(bytes, size, &oo, &object, NULL) != SW_OK;
}

static int close_object(void **state) {
    (void)state;
    sw_object_close(object);
    sw_free(bytes);
    return 0;
}

static sw_status list(sw_list_options o, struct taken *t) {
    if (!t->most) t->most = sizeof t->text - 1;
    o.size = sizeof o;
    o.write = take;
    o.context = t;
    return sw_list_object(object, &o, NULL);
}

static void parts(void **state) {
    (void)state;
    struct taken all = {0}, one = {0}, named = {0}, some = {0}, from = {0};
    const char *names[] = {"second(int)"};
    assert_int_equal(list((sw_list_options){0}, &all), SW_OK);
    assert_non_null(strstr(all.text, "s_nop 1"));
    assert_non_null(strstr(all.text, "s_nop 2"));
    assert_null(strstr(all.text, "Disassembly"));
    assert_int_equal(list((sw_list_options){.function = "first"}, &one), SW_OK);
    assert_non_null(strstr(one.text, "s_nop 1"));
    assert_null(strstr(one.text, "s_nop 2"));
    assert_int_equal(
        list((sw_list_options){.functions = names, .function_count = 1, .demangle = true}, &some), SW_OK);
    assert_non_null(strstr(some.text, "second(int)"));
    assert_null(strstr(some.text, "s_nop 1"));
    assert_int_equal(list((sw_list_options){.start = 8, .stop = 12, .heading = "file\n"}, &from), SW_OK);
    assert_memory_equal(from.text, "file\n", 5);
    assert_non_null(strstr(from.text, "Disassembly of section .text:"));
    assert_non_null(strstr(from.text, "s_nop 2"));
    assert_null(strstr(from.text, "s_endpgm"));
    assert_int_equal(list((sw_list_options){.function = "third"}, &named), SW_BAD_INPUT);
    assert_int_equal(named.length, 0);
}

// Elements of several objects make one array.
static void json_of_several(void **state) {
    (void)state;
    struct taken t = {0};
    assert_int_equal(list((sw_list_options){.json = true}, &t), SW_OK);
    const size_t first = t.length;
    assert_int_not_equal(t.text[strspn(t.text, " \n")], ',');
    assert_int_equal(list((sw_list_options){.json = true, .json_continues = true}, &t), SW_OK);
    assert_int_equal(t.text[first + strspn(t.text + first, " \n")], ',');
}

static void graphs_and_bare_code(void **state) {
    (void)state;
    struct taken t = {.most = 8000}, bare = {.most = 8000};
    assert_int_equal(list((sw_list_options){.graph = true}, &t), SW_OK);
    assert_non_null(strstr(t.text, "subgraph"));
    static const uint8_t code[] = {0x03, 0x00, 0x80, 0xbf}; // s_nop 3
    sw_list_options o = {.size = sizeof o, .write = take, .context = &bare, .no_words = true};
    const sw_processor *gfx900 = sw_processor_find("gfx900", 6), *r600 = sw_processor_find("rv770", 5);
    assert_int_equal(sw_list_code(gfx900, code, sizeof code, 0x100, &o, NULL), SW_OK);
    assert_non_null(strstr(bare.text, "s_nop 3"));
    assert_non_null(strstr(bare.text, "100"));
    assert_non_null(r600);
    assert_int_equal(sw_list_code(NULL, code, sizeof code, 0, &o, NULL), SW_UNSUPPORTED);
}

static void refused(void **state) {
    (void)state;
    struct taken t = {.most = 10};
    sw_list_options o = {.size = sizeof o}, none = {.write = take};
    assert_int_equal(sw_list_object(object, &o, NULL), SW_USAGE);
    assert_int_equal(sw_list_object(object, &none, NULL), SW_USAGE);
    assert_int_equal(list((sw_list_options){0}, &t), SW_OK); // the taker had enough at once
    assert_int_equal(t.length, 0);
    assert_int_equal(list((sw_list_options){.wave_size = 16}, &t), SW_USAGE);
    assert_int_equal(list((sw_list_options){.features = "+real-true16"}, &(struct taken){0}), SW_OK);
    assert_int_equal(list((sw_list_options){.features = "wavefrontsize64"}, &t), SW_USAGE);
}

static void descriptions(void **state) {
    (void)state;
    struct taken all = {.most = 8000}, json = {.most = 8000}, rows = {.most = 8000};
    sw_describe_options o = {.size = sizeof o, .write = take, .context = &all};
    assert_int_equal(sw_describe_object(object, &o, NULL), SW_OK);
    assert_non_null(strstr(all.text, "gfx1100"));
    o.context = &json, o.json_depth = 1;
    assert_int_equal(sw_describe_object(object, &o, NULL), SW_OK);
    assert_non_null(strstr(json.text, "\"target"));
    o.json_depth = 0, o.context = &rows, o.what = SW_DESCRIBE_METADATA;
    assert_int_equal(sw_describe_object(object, &o, NULL), SW_OK);
    assert_int_equal(rows.length, 0); // it has none
    o.write = NULL;
    assert_int_equal(sw_describe_object(object, &o, NULL), SW_USAGE);
    o.write = take, o.what = (sw_description)99;
    assert_int_equal(sw_describe_object(object, &o, NULL), SW_USAGE);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parts),   cmocka_unit_test(json_of_several), cmocka_unit_test(graphs_and_bare_code),
        cmocka_unit_test(refused), cmocka_unit_test(descriptions),
    };
    return cmocka_run_group_tests(tests, open_object, close_object);
}
