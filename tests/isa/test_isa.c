// SPDX-License-Identifier: MIT
// Instruction table and disassembler. tests/isa/golden/<processor>/<format>.txt holds "hex  assembly" lines,
// agreed with LLVM 22: each must decode to its whole length and print as written. Beyond these, any bytes at
// all end in a result (TRAP-461 and the like are cited where a case is about them).
#include <dirent.h>
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "piece.h"
#include "dis/listing.h"

static bool has_line[8192]; // rows

static size_t check_file(const char *path, const sw_processor *p, size_t *failures) {
    FILE *f = fopen(path, "r");
    assert_non_null(f);
    struct print_options o = {.processor = p, .wave32 = has(p, CAP_wave32)};
    char line[1024], text[INSN_TEXT];
    size_t lines = 0;
    for (unsigned number = 1; fgets(line, sizeof line, f); number++) {
        line[strcspn(line, "\n")] = 0;
        char *assembly = strstr(line, "  ");
        if (!*line || *line == '#') continue;
        assert_non_null(assembly);
        uint8_t bytes[INSN_MAX_BYTES];
        size_t bad, length = (size_t)(assembly - line),
                    count = parse_hex_bytes(line, length, bytes, sizeof bytes, &bad);
        assert_int_equal(bad, length);
        struct insn in;
        lines++;
        if (insn_decode(isa_of(p), bytes, count, &in) != DECODE_OK)
            snprintf(text, sizeof text, "(does not decode)");
        else if (!insn_is_canonical(isa_of(p), &in, o.wave32))
            snprintf(text, sizeof text, "(taken for data)");
        else
            insn_print(&in, &o, text);
        if (!strcmp(text, assembly + 2) && in.size == count) {
            has_line[in.row - isa_rows] = true;
            if (in.row_y) has_line[in.row_y - isa_rows] = true;
            continue;
        }
        if ((*failures)++ < 20)
            print_error("%s:%u: %.*s\n  expected %s\n  got      %s (%u bytes)\n", path, number, (int)length,
                        line, assembly + 2, text, in.size);
    }
    fclose(f);
    return lines;
}

static bool some_processor_has(unsigned row) {
    for (size_t n = 0; n < sw_processor_count(); n++) {
        const struct isa *isa = isa_of(sw_processor_at(n));
        if (isa && isa->row_codings[row] != isa->row_codings[row + 1]) return true;
    }
    return false;
}

static void every_line_of_the_tables(void **state) {
    (void)state;
    char root[4096], folder[8192], path[16384];
    path_beside(root, __FILE__, "golden");
    DIR *d = opendir(root);
    assert_non_null(d);
    size_t failures = 0;
    uint64_t generations = 0;
    for (struct dirent *e; (e = readdir(d));) {
        if (*e->d_name == '.') continue;
        const sw_processor *p = sw_processor_find(e->d_name, strlen(e->d_name));
        assert_non_null(p);
        snprintf(folder, sizeof folder, "%s/%s", root, e->d_name);
        DIR *sub = opendir(folder);
        if (!sub) continue;
        size_t lines = 0;
        for (struct dirent *t; (t = readdir(sub));) {
            if (*t->d_name == '.') continue;
            snprintf(path, sizeof path, "%s/%s", folder, t->d_name);
            lines += check_file(path, p, &failures);
        }
        closedir(sub);
        assert_true(lines > 4000); // an emptied folder must not pass
        generations |= 1ull << isa_of(p)->generation;
    }
    closedir(d);
    for (size_t n = 0; n < sw_processor_count(); n++) {
        const struct isa *isa = isa_of(sw_processor_at(n));
        if (isa && !(generations >> isa->generation & 1) && ++failures)
            print_error("no processor of the generation of %s has a folder in tests/isa/golden\n",
                        sw_processor_name(sw_processor_at(n)));
    }
    for (unsigned row = 0; row < isa_row_count; row++)
        if (!has_line[row] && some_processor_has(row) && ++failures)
            print_error("%s has no line in tests/isa/golden/<gfx>/<format>.txt\n", row_id(&isa_rows[row]));
    assert_int_equal(failures, 0);
}

// xorshift: the same words in every run.
static uint32_t next_random(uint64_t *s) {
    *s ^= *s << 13;
    *s ^= *s >> 7;
    *s ^= *s << 17;
    return (uint32_t)(*s >> 16);
}

static void check_total(const sw_processor *p, const uint8_t *bytes, size_t available) {
    struct insn in;
    enum decode_status s = insn_decode(isa_of(p), bytes, available, &in);
    assert_true(in.size <= available || (available < 4 && in.size == available));
    assert_true(available == 0 || in.size > 0);
    if (s != DECODE_OK) return;
    assert_true(in.size >= 4 && in.size <= INSN_MAX_BYTES && in.size % 4 == 0);
    for (int wave32 = 0; wave32 < 2; wave32++) {
        struct print_options o = {.processor = p, .wave32 = wave32};
        char text[INSN_TEXT];
        memset(text, 1, sizeof text);
        size_t length = insn_print(&in, &o, text);
        assert_true(length > 0 && length < INSN_TEXT - 1);
        assert_int_equal(strlen(text), length);
    }
}

static void any_bytes_decode_to_something(void **state) {
    (void)state;
    uint64_t seed = 88172645463325252u;
    for (size_t n = 0; n < sw_processor_count(); n++) {
        const sw_processor *p = sw_processor_at(n);
        if (!isa_of(p)) continue;
        uint32_t words[5];
        for (uint32_t top = 0; top < 0x10000; top++) { // every upper half of a first dword
            for (int i = 0; i < 5; i++) words[i] = next_random(&seed);
            words[0] = top << 16 | (words[0] & 0xffff);
            check_total(p, (const uint8_t *)words, sizeof words);
        }
        for (int i = 0; i < 20000; i++) { // cut off anywhere
            for (int k = 0; k < 5; k++) words[k] = next_random(&seed);
            check_total(p, (const uint8_t *)words, next_random(&seed) % 21);
        }
    }
}

// Bytes on which LLVM's disassembler of GFX8 to GFX10 crashes: SDWA with a reserved selection.
static void bytes_that_crash_others(void **state) {
    (void)state;
    static const uint8_t bytes[] = {0x9b, 0xf5, 0x99, 0xea, 0x39, 0x3f, 0x69, 0xff};
    for (size_t n = 0; n < sw_processor_count(); n++)
        if (isa_of(sw_processor_at(n))) check_total(sw_processor_at(n), bytes, sizeof bytes);
}

static bool collect(void *context, const char *text, size_t length) {
    char **end = context;
    memcpy(*end, text, length);
    *end += length;
    **end = 0;
    return true;
}

static void a_listing_as_objdump_writes_it(void **state) {
    (void)state;
    const uint32_t code[] = {0xbf850001, 0x7e020300, 0xbf82fffd, 0x02020301, 0, 0, 0xbf810000, 0xffffffff};
    const struct listing_symbol symbols[] = {{0x1000, "first", 0}, {0x1018, "second", 0}};
    char out[4096] = "", *end = out;
    struct listing l = {.processor = sw_processor_find("gfx90a", 6),
                        .symbols = symbols,
                        .symbol_count = 2,
                        .write = collect,
                        .context = &end};
    assert_int_equal(list_code(&l, (const uint8_t *)code, sizeof code, 0x1000, 0, UINT64_MAX), SW_OK);
    assert_string_equal(
        out,
        "\n0000000000001000 <first>:\n"
        "\ts_cbranch_scc1 1                                           // 000000001000: BF850001 <first+0x8>\n"
        "\tv_mov_b32_e32 v1, v0                                       // 000000001004: 7E020300\n"
        "\ts_branch 65533                                             // 000000001008: BF82FFFD <first>\n"
        "\tv_add_f32_e32 v1, v1, v1                                   // 00000000100C: 02020301\n"
        "\t\t...\n"
        "\n0000000000001018 <second>:\n"
        "\ts_endpgm                                                   // 000000001018: BF810000\n"
        "\t.long 0xffffffff                                           // 00000000101C: FFFFFFFF\n");
    end = out;
    l.labels = true;
    assert_int_equal(list_code(&l, (const uint8_t *)code, sizeof code, 0x1000, 0x1000, 0x100c), SW_OK);
    assert_string_equal(
        out, "\n0000000000001000 <first>:\n"
             "\ts_cbranch_scc1 L0                                          // 000000001000: BF850001\n"
             "\tv_mov_b32_e32 v1, v0                                       // 000000001004: 7E020300\n"
             "\n0000000000001008 <L0>:\n"
             "\ts_branch first                                             // 000000001008: BF82FFFD\n");
}

// The rules of hazards ask columns. Names say the same, so that a new row does not lack them.
static bool has_type(const char *id, const char *type) {
    const size_t length = strlen(id), n = strlen(type);
    return length >= n && !strcmp(id + length - n, type);
}
static void columns_of_hazards_say_what_names_say(void **state) {
    (void)state;
    unsigned dots = 0, matrices = 0, wrong = 0;
    for (unsigned i = 0; i < isa_row_count; i++) {
        const struct row *r = &isa_rows[i];
        const char *id = row_id(r);
        const bool is_dot = r->class == CLASS_DOT || r->class == CLASS_DOT2 || r->class == CLASS_DOT4_FP8;
        bool right = is_dot == !strncmp(id, "v_dot", 5);
        dots += is_dot;
        const bool sparse = !strncmp(id, "v_smfmac", 8),
                   wmma = r->class == CLASS_WMMA || r->class == CLASS_SWMMAC;
        if (sparse || !strncmp(id, "v_mfma", 6)) {
            matrices++;
            right &= !(r->flags & ROW_MATRIX_4) == !strstr(id, "_4x4x");
            right &= !(r->flags & ROW_MATRIX_32) == !strstr(id, "_32x32x");
            right &= !(r->flags & ROW_MATRIX_F32) == !(has_type(id, "f32") && !strstr(id, "_xf32"));
            right &= (r->src[0].type == T_F64) == has_type(id, "f64");
        }
        if (sparse || r->class == CLASS_SWMMAC) right &= r->src[3].type && r->src[3].field == F_vdst;
        if (wmma) right &= !(r->flags & ROW_CLAMP) == !strstr(id, "_iu");
        if (wmma && r->class != CLASS_SWMMAC) right &= !r->src[3].type || r->src[3].field != F_vdst;
        if (right) continue;
        print_error("%s\n", id);
        wrong++;
    }
    assert_true(dots > 15 && matrices > 60);
    assert_int_equal(wrong, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_line_of_the_tables),
        cmocka_unit_test(any_bytes_decode_to_something),
        cmocka_unit_test(bytes_that_crash_others),
        cmocka_unit_test(a_listing_as_objdump_writes_it),
        cmocka_unit_test(columns_of_hazards_say_what_names_say),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
