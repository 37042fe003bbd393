// SPDX-License-Identifier: MIT
// The public interface to instructions (include/softwave/isa.h), used as an embedder would, without internal
// headers. Every line of tests/isa goes bytes -> decoded -> bytes and text -> bytes; each kind of operand has
// an instruction that shows it; any bytes and any truncation end in a result.
#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "piece.h"
#include "softwave/isa.h"

static sw_isa_mode mode_of(const char *name) {
    sw_isa_mode mode = {.size = sizeof mode};
    assert_int_equal(sw_isa_mode_init(&mode, sw_processor_find(name, strlen(name))), SW_OK);
    return mode;
}

static size_t hex(const char *text, uint8_t *out) {
    size_t n = 0;
    for (unsigned byte; n < SW_INSN_MAX_BYTES && sscanf(text + 2 * n, "%2x", &byte) == 1; n++) {
        if (text[2 * n] == ' ') break;
        out[n] = (uint8_t)byte;
    }
    return n;
}

static sw_insn assemble(const sw_isa_mode *mode, const char *text) {
    uint8_t bytes[SW_INSN_MAX_BYTES];
    size_t size;
    sw_insn insn = {.size = sizeof insn};
    if (sw_insn_assemble(mode, text, strlen(text), bytes, &size, NULL) != SW_OK ||
        sw_insn_decode(mode, bytes, size, &insn) != SW_DECODED)
        fail_msg("%s: %s", sw_processor_name(mode->processor), text);
    assert_int_equal(insn.length, size);
    return insn;
}

// ---- Round trip over the golden lines ----

struct counts {
    size_t lines, assembled, failures;
};

static void check_line(const sw_isa_mode *mode, const char *line, struct counts *c) {
    const char *text = strstr(line, "  ");
    uint8_t bytes[SW_INSN_MAX_BYTES], again[SW_INSN_MAX_BYTES];
    size_t count = hex(line, bytes), size;
    char printed[SW_INSN_TEXT_SIZE];
    sw_insn insn = {.size = sizeof insn};
    assert_non_null(text);
    text += 2;
    c->lines++;
    bool ok = sw_insn_decode(mode, bytes, count, &insn) == SW_DECODED && insn.length == count;
    ok = ok && sw_insn_is_canonical(mode, &insn);
    ok = ok && sw_insn_format(mode, &insn, 0, printed, sizeof printed) == strlen(text) &&
         !strcmp(printed, text);
    ok = ok && sw_insn_encode(mode, &insn, again, &size, NULL) == SW_OK && size == count &&
         !memcmp(bytes, again, size);
    sw_operand operands[SW_MAX_OPERANDS];
    size_t n = ok ? sw_insn_operands(mode, &insn, operands, SW_MAX_OPERANDS, sizeof *operands) : 0;
    ok = ok && n < SW_MAX_OPERANDS;
    for (size_t i = 0; ok && i < n; i++) {
        const sw_operand *o = &operands[i];
        ok = o->kind >= SW_OPERAND_VGPR && o->kind <= SW_OPERAND_LABEL && o->access && o->type &&
             (o->implicit || o->field) && (o->kind != SW_OPERAND_SPECIAL || o->name);
        // What is a field can be read by its name.
        int64_t value;
        if (ok && o->field && o->kind != SW_OPERAND_IMMEDIATE)
            ok = sw_insn_field(mode, &insn, o->field, &value);
        if (!ok)
            snprintf(printed, sizeof printed, "operand %zu, kind %d, field %s", i, o->kind,
                     o->field ? o->field : "-");
    }
    // Text that has two encodings may give the other one; its bytes must then print the same.
    if (ok && sw_insn_assemble(mode, text, strlen(text), again, &size, NULL) == SW_OK) {
        c->assembled++;
        if (size != count || memcmp(again, bytes, size)) {
            sw_insn other = {.size = sizeof other};
            ok = sw_insn_decode(mode, again, size, &other) == SW_DECODED &&
                 sw_insn_format(mode, &other, 0, printed, sizeof printed) && !strcmp(printed, text);
        }
    }
    if (!ok && c->failures++ < 10)
        print_error("%s: %s\n  %s\n", sw_processor_name(mode->processor), line, printed);
}

static void golden_lines_go_round(void **state) {
    (void)state;
    char folder[4096], path[8192], file[16384], line[1024];
    path_beside(folder, __FILE__, "golden");
    DIR *d = opendir(folder);
    assert_non_null(d);
    struct counts c = {0};
    for (struct dirent *e; (e = readdir(d));) {
        const sw_processor *p = *e->d_name == '.' ? NULL : sw_processor_find(e->d_name, strlen(e->d_name));
        snprintf(path, sizeof path, "%s/%s", folder, e->d_name);
        DIR *sub = p ? opendir(path) : NULL;
        if (!sub) continue;
        sw_isa_mode mode = mode_of(e->d_name);
        for (struct dirent *t; (t = readdir(sub));) {
            if (*t->d_name == '.') continue;
            snprintf(file, sizeof file, "%s/%s", path, t->d_name);
            FILE *f = fopen(file, "r");
            assert_non_null(f);
            while (fgets(line, sizeof line, f)) {
                line[strcspn(line, "\n")] = 0;
                if (*line && *line != '#') check_line(&mode, line, &c);
            }
            fclose(f);
        }
        closedir(sub);
    }
    closedir(d);
    print_message("%zu lines, %zu assembled\n", c.lines, c.assembled);
    assert_true(c.lines > 20000);
    assert_int_equal(c.failures, 0);
    assert_int_equal(c.assembled, c.lines);
}

// ---- Operands ----

static sw_operand find(const char *processor, const char *text, const char *field) {
    sw_isa_mode mode = mode_of(processor);
    sw_insn insn = assemble(&mode, text);
    sw_operand o[SW_MAX_OPERANDS];
    size_t n = sw_insn_operands(&mode, &insn, o, SW_MAX_OPERANDS, sizeof *o);
    for (size_t i = 0; i < n; i++)
        if (o[i].field ? !strcmp(o[i].field, field) : o[i].name && !strcmp(o[i].name, field)) return o[i];
    fail_msg("%s: no operand %s", text, field);
    return o[0];
}

static void kinds_of_operands(void **state) {
    (void)state;
    static const struct {
        const char *processor, *text, *field;
        uint8_t kind, access;
        uint16_t first, count;
        int64_t value;
    } cases[] = {
        {"gfx900", "v_add_f64 v[2:3], v[4:5], s[6:7]", "vdst", SW_OPERAND_VGPR, SW_OPERAND_WRITE, 2, 2, 0},
        {"gfx900", "v_add_f64 v[2:3], v[4:5], s[6:7]", "src1", SW_OPERAND_SGPR, SW_OPERAND_READ, 6, 2, 0},
        {"gfx90a", "v_mfma_f32_32x32x1f32 a[0:31], v0, a1, a[0:31]", "vdst", SW_OPERAND_AGPR,
         SW_OPERAND_WRITE, 0, 32, 0},
        {"gfx90a", "v_mfma_f32_32x32x1f32 a[0:31], v0, a1, a[0:31]", "src1", SW_OPERAND_AGPR, SW_OPERAND_READ,
         1, 1, 0},
        {"gfx900", "s_mov_b64 ttmp[2:3], vcc", "sdst", SW_OPERAND_TTMP, SW_OPERAND_WRITE, 2, 2, 0},
        {"gfx900", "s_mov_b64 ttmp[2:3], vcc", "ssrc0", SW_OPERAND_SPECIAL, SW_OPERAND_READ, 0, 2, 0},
        {"gfx900", "v_add_f32 v0, 1.0, v1", "src0", SW_OPERAND_INLINE, SW_OPERAND_READ, 0, 0, 0x3f800000},
        {"gfx900", "v_add_f16 v0, 1.0, v1", "src0", SW_OPERAND_INLINE, SW_OPERAND_READ, 0, 0, 0x3c00},
        {"gfx900", "v_add_f64 v[0:1], v[2:3], -4.0", "src1", SW_OPERAND_INLINE, SW_OPERAND_READ, 0, 0,
         (int64_t)0xc010000000000000},
        {"gfx900", "s_mov_b32 s0, -16", "ssrc0", SW_OPERAND_INLINE, SW_OPERAND_READ, 0, 0, 0xfffffff0},
        {"gfx900", "s_mov_b32 s0, 0x12345678", "ssrc0", SW_OPERAND_LITERAL, SW_OPERAND_READ, 0, 0,
         0x12345678},
        {"gfx900", "s_movk_i32 s0, 0x7fff", "simm16", SW_OPERAND_IMMEDIATE, SW_OPERAND_READ, 0, 0, 0x7fff},
        {"gfx900", "s_branch 65534", "simm16", SW_OPERAND_LABEL, SW_OPERAND_READ, 0, 0, -4},
        {"gfx900", "v_mac_f32 v1, v2, v3", "vdst", SW_OPERAND_VGPR, SW_OPERAND_READ | SW_OPERAND_WRITE, 1, 1,
         0},
        {"gfx900", "v_mac_f32 v1, v2, v3", "exec", SW_OPERAND_SPECIAL, SW_OPERAND_READ, 0, 2, 0},
        {"gfx1100", "v_mov_b32 v1, v2", "exec_lo", SW_OPERAND_SPECIAL, SW_OPERAND_READ, 0, 1, 0},
        {"gfx900", "s_add_u32 s0, s1, s2", "scc", SW_OPERAND_SPECIAL, SW_OPERAND_WRITE, 0, 1, 0},
        {"gfx900", "s_addc_u32 s0, s1, s2", "scc", SW_OPERAND_SPECIAL, SW_OPERAND_READ | SW_OPERAND_WRITE, 0,
         1, 0},
        {"gfx900", "ds_add_u32 v0, v1", "m0", SW_OPERAND_SPECIAL, SW_OPERAND_READ, 0, 1, 0},
        {"gfx900", "v_add_f32 v0, v1, v2", "mode", SW_OPERAND_SPECIAL, SW_OPERAND_READ, 0, 1, 0},
        {"gfx900", "s_load_dwordx4 s[4:7], s[2:3], 0x40", "offset", SW_OPERAND_IMMEDIATE, SW_OPERAND_READ, 0,
         0, 0x40},
        {"gfx900", "s_load_dwordx4 s[4:7], s[2:3], 0x40", "sdata", SW_OPERAND_SGPR, SW_OPERAND_WRITE, 4, 4,
         0},
        {"gfx900", "global_load_dwordx2 v[0:1], v2, s[4:5]", "vaddr", SW_OPERAND_VGPR, SW_OPERAND_READ, 2, 1,
         0},
        {"gfx900", "global_load_dwordx2 v[0:1], v2, s[4:5]", "saddr", SW_OPERAND_SGPR, SW_OPERAND_READ, 4, 2,
         0},
        {"gfx900", "buffer_load_dword v0, v[2:3], s[4:7], s8 idxen offen", "vaddr", SW_OPERAND_VGPR,
         SW_OPERAND_READ, 2, 2, 0},
        {"gfx1030", "image_sample v[0:3], [v4, v6], s[0:7], s[8:11] dmask:0xf dim:SQ_RSRC_IMG_2D", "vaddr1",
         SW_OPERAND_VGPR, SW_OPERAND_READ, 6, 1, 0},
        {"gfx1030", "image_sample v[0:3], [v4, v6], s[0:7], s[8:11] dmask:0xf dim:SQ_RSRC_IMG_2D", "vdata",
         SW_OPERAND_VGPR, SW_OPERAND_WRITE, 0, 4, 0},
        {"gfx1100", "v_dual_add_f32 v0, v1, v2 :: v_dual_mul_f32 v3, s4, v5", "vdsty", SW_OPERAND_VGPR,
         SW_OPERAND_WRITE, 3, 1, 0},
        {"gfx1100", "v_dual_add_f32 v0, v1, v2 :: v_dual_mul_f32 v3, s4, v5", "src0y", SW_OPERAND_SGPR,
         SW_OPERAND_READ, 4, 1, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        sw_operand o = find(cases[i].processor, cases[i].text, cases[i].field);
        if (o.kind != cases[i].kind || o.access != cases[i].access || o.value != cases[i].value ||
            o.count != cases[i].count || (o.kind <= SW_OPERAND_TTMP && o.first != cases[i].first))
            fail_msg("%s, %s: kind %d, access %d, first %d, count %d, value %llx", cases[i].text,
                     cases[i].field, o.kind, o.access, o.first, o.count, (long long)o.value);
    }
}

static void modifiers_of_operands(void **state) {
    (void)state;
    sw_operand o = find("gfx900", "v_add_f32_e64 v0, -v1, |v2|", "src0");
    assert_true(o.neg && !o.abs && !o.sext);
    o = find("gfx900", "v_add_f32_e64 v0, -v1, |v2|", "src1");
    assert_true(!o.neg && o.abs);
    o = find(
        "gfx900",
        "v_add_u32_sdwa v0, sext(v1), v2 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:BYTE_0 src1_sel:DWORD",
        "src0");
    assert_true(o.sext);
    o = find("gfx900", "v_add_f32_dpp v0, -v1, v2 row_mirror", "src0");
    assert_true(o.neg && !o.abs);
    o = find("gfx1100", "v_add_f16 v0.l, v1.h, v2.l", "src0");
    assert_int_equal(o.half, SW_HALF_HIGH);
    assert_int_equal(o.first, 1);
    assert_false(find("gfx900", "s_add_u32 s0, s1, s2", "sdst").implicit);
    assert_true(find("gfx900", "s_add_u32 s0, s1, s2", "scc").implicit);
}

static void an_older_caller_gets_what_it_knows(void **state) {
    (void)state;
    sw_isa_mode mode = mode_of("gfx900");
    sw_insn insn = assemble(&mode, "v_add_f32 v0, s1, v2");
    uint8_t small[8][2];
    memset(small, 0xaa, sizeof small);
    assert_int_equal(sw_insn_operands(&mode, &insn, (sw_operand *)small, 2, 2), 5);
    assert_int_equal(small[0][0], SW_OPERAND_VGPR);
    assert_int_equal(small[1][0], SW_OPERAND_SGPR);
    assert_int_equal(small[2][0], 0xaa); // beyond the capacity
    insn.size = 16;
    assert_int_equal(sw_insn_decode(&mode, "", 0, &insn), SW_DECODE_USAGE);
    mode.size = 0;
    insn.size = sizeof insn;
    assert_int_equal(sw_insn_decode(&mode, "\0\0\0\0", 4, &insn), SW_DECODE_USAGE);
    mode.size = sizeof mode;
    assert_int_equal(sw_isa_mode_init(&mode, sw_processor_find("cayman", 6)), SW_UNSUPPORTED);
    assert_int_equal(sw_insn_decode(&mode, "\0\0\0\0", 4, &insn), SW_DECODE_USAGE);
}

// Upper bits of VGPR numbers come with the mode: numbers go on to 1023, text says both.
static void vgprs_have_upper_bits(void **state) {
    (void)state;
    sw_isa_mode mode = mode_of("gfx1250"), old = mode_of("gfx90a");
    static const struct {
        const char *line, *text;
        uint8_t msb;
        uint16_t numbers[4]; // of VGPRs, as sw_insn_operands lists them
    } cases[] = {
        {"v_add_nc_u32 v4, v5, v6", "v_add_nc_u32_e32 v4 /*v260*/, v5, v6", 0x40, {260, 5, 6}},
        {"v_add_nc_u32 v4, v5, v6", "v_add_nc_u32_e32 v4, v5 /*v517*/, v6 /*v774*/", 0x0e, {4, 517, 774}},
        {"v_fma_f32 v4, v5, v6, v7", "v_fma_f32 v4 /*v772*/, v5, v6, v7 /*v519*/", 0xe0, {772, 5, 6, 519}},
        {"global_store_b32 v4, v5, s[0:1]",
         "global_store_b32 v4 /*v260*/, v5 /*v517*/, s[0:1]",
         9,
         {260, 517}},
        {"buffer_load_b32 v4, v5, s[0:3], null offen",
         "buffer_load_b32 v4 /*v772*/, v5 /*v517*/, s[0:3], null offen",
         0xc2,
         {772, 517}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        sw_insn insn = assemble(&mode, cases[i].line), with = {.size = sizeof with};
        uint8_t bytes[SW_INSN_MAX_BYTES];
        size_t size, n = 0;
        char text[SW_INSN_TEXT_SIZE];
        sw_operand operands[SW_MAX_OPERANDS];
        assert_int_equal(sw_insn_encode(&mode, &insn, bytes, &size, NULL), SW_OK);
        mode.vgpr_msb = cases[i].msb;
        assert_int_equal(sw_insn_decode(&mode, bytes, size, &with), SW_DECODED);
        sw_insn_format(&mode, &with, 0, text, sizeof text);
        assert_string_equal(text, cases[i].text);
        const size_t count = sw_insn_operands(&mode, &with, operands, SW_MAX_OPERANDS, sizeof *operands);
        for (size_t k = 0; k < count; k++)
            if (operands[k].kind == SW_OPERAND_VGPR) {
                assert_int_equal(operands[k].first, cases[i].numbers[n]);
                assert_int_equal(operands[k].code, 256 + cases[i].numbers[n++]);
            } else
                assert_int_not_equal(operands[k].kind, SW_OPERAND_AGPR);
        assert_true(n && (n == 4 || !cases[i].numbers[n]));
        mode.vgpr_msb = 0;
    }
    old.vgpr_msb = 0xff; // it has no such bits
    sw_insn insn = assemble(&old, "v_add_u32 v4, v5, v6");
    uint8_t bytes[SW_INSN_MAX_BYTES];
    size_t size;
    char text[SW_INSN_TEXT_SIZE];
    assert_int_equal(sw_insn_encode(&old, &insn, bytes, &size, NULL), SW_OK);
    assert_int_equal(sw_insn_decode(&old, bytes, size, &insn), SW_DECODED);
    sw_insn_format(&old, &insn, 0, text, sizeof text);
    assert_string_equal(text, "v_add_u32_e32 v4, v5, v6");
}

// ---- Fields ----

static void expect_text(const sw_isa_mode *mode, const sw_insn *insn, const char *want) {
    uint8_t bytes[SW_INSN_MAX_BYTES];
    size_t size;
    char text[SW_INSN_TEXT_SIZE];
    assert_int_equal(sw_insn_encode(mode, insn, bytes, &size, NULL), SW_OK);
    sw_insn back = {.size = sizeof back};
    assert_int_equal(sw_insn_decode(mode, bytes, size, &back), SW_DECODED);
    sw_insn_format(mode, &back, 0, text, sizeof text);
    assert_string_equal(text, want);
}

static void fields_are_read_and_set(void **state) {
    (void)state;
    sw_isa_mode mode = mode_of("gfx900");
    sw_insn insn = assemble(&mode, "global_load_dword v1, v[2:3], off offset:-8");
    int64_t v;
    assert_true(sw_insn_field(&mode, &insn, "offset", &v) && v == -8);
    assert_false(sw_insn_field(&mode, &insn, "src0", &v));
    assert_false(sw_insn_field(&mode, &insn, "nothing", &v));
    assert_int_equal(sw_insn_set_field(&mode, &insn, "offset", 4095, NULL), SW_OK);
    assert_int_equal(sw_insn_set_field(&mode, &insn, "glc", 1, NULL), SW_OK);
    assert_int_equal(sw_insn_set_field(&mode, &insn, "vdst", 256 + 77, NULL), SW_OK);
    expect_text(&mode, &insn, "global_load_dword v77, v[2:3], off offset:4095 glc");
    assert_int_equal(sw_insn_set_field(&mode, &insn, "offset", 4096, NULL), SW_BAD_INPUT);
    assert_int_equal(sw_insn_set_field(&mode, &insn, "offset", -4097, NULL), SW_BAD_INPUT);
    assert_int_equal(sw_insn_set_field(&mode, &insn, "vdst", 5, NULL), SW_BAD_INPUT); // no VGPR
    assert_int_equal(sw_insn_set_field(&mode, &insn, "op", 5, NULL), SW_BAD_INPUT);
    assert_int_equal(sw_insn_set_field(&mode, &insn, "src0", 5, NULL), SW_BAD_INPUT);
    insn = assemble(&mode, "s_add_u32 s0, s1, s2");
    uint8_t bytes[SW_INSN_MAX_BYTES];
    size_t size;
    assert_int_equal(sw_insn_set_field(&mode, &insn, "ssrc1", 255, NULL), SW_OK);
    assert_int_equal(sw_insn_encode(&mode, &insn, bytes, &size, NULL),
                     SW_BAD_INPUT); // its literal is missing
    assert_int_equal(size, 0);
    assert_int_equal(sw_insn_set_field(&mode, &insn, "literal", 0xdeadbeef, NULL), SW_OK);
    expect_text(&mode, &insn, "s_add_u32 s0, s1, 0xdeadbeef");
    assert_int_equal(sw_insn_set_field(&mode, &insn, "ssrc1", 2, NULL), SW_OK); // the literal is dropped
    expect_text(&mode, &insn, "s_add_u32 s0, s1, s2");
    insn = assemble(&mode, "v_add_f32_dpp v0, v1, v2 row_mirror");
    assert_int_equal(sw_insn_set_field(&mode, &insn, "src0", 256 + 9, NULL), SW_OK);
    assert_int_equal(sw_insn_set_field(&mode, &insn, "literal", 1, NULL), SW_BAD_INPUT);
    assert_true(sw_insn_field(&mode, &insn, "row_mask", &v) && v == 15);
    assert_string_equal(sw_insn_suffix_name(&insn), "DPP16");
    expect_text(&mode, &insn, "v_add_f32_dpp v0, v9, v2 row_mirror row_mask:0xf bank_mask:0xf");
    sw_isa_mode other = mode_of("gfx1100");
    // The same opcode is another operation there.
    assert_int_equal(sw_insn_encode(&other, &insn, bytes, &size, NULL), SW_BAD_INPUT);
    insn = assemble(&mode, "v_add_f64 v[0:1], v[2:3], v[4:5]");
    assert_int_equal(sw_insn_encode(&other, &insn, bytes, &size, NULL), SW_USAGE);
    // Destinations of both halves of a VOPD share their lowest bit (found by fuzz_isa_api).
    insn = assemble(&other, "v_dual_mul_f32 v96, v0, v100 :: v_dual_add_f32 v37, v1, v101");
    assert_true(sw_insn_field(&other, &insn, "vdsty", &v));
    assert_int_equal(sw_insn_set_field(&other, &insn, "vdsty", v + 2, NULL), SW_OK);
    expect_text(&other, &insn, "v_dual_mul_f32 v96, v0, v100 :: v_dual_add_f32 v39, v1, v101");
    assert_int_equal(sw_insn_set_field(&other, &insn, "vdsty", 38, NULL), SW_BAD_INPUT); // no VGPR
    assert_int_equal(sw_insn_set_field(&other, &insn, "vdsty", v + 1, NULL), SW_OK);
    assert_int_equal(sw_insn_encode(&other, &insn, bytes, &size, NULL), SW_BAD_INPUT);
}

// ---- Text ----

static void assemble_expressions(void **state) {
    (void)state;
    sw_isa_mode mode = mode_of("gfx900");
    static const struct {
        const char *text;
        int64_t value;
    } cases[] = {
        {"(3+4)*2", 14}, {"1+2*3", 7},   {"1|6+8", 15}, {"1<<4|1", 17},   {"~0&0xff", 255}, {"-(5)+6", 1},
        {"7%4", 3},      {"0b101^1", 4}, {"010+0", 8},  {"((((1))))", 1}, {"0x10/-2+9", 1}, {"!0+1", 2},
        {"2>1", 65535},  {"3==3&&2", 1}, {"0||0", 0},   {"5<>5", 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[64];
        int64_t v;
        snprintf(text, sizeof text, "s_movk_i32 s0, %s", cases[i].text);
        sw_insn insn = assemble(&mode, text);
        assert_true(sw_insn_field(&mode, &insn, "simm16", &v));
        if ((v & 0xffff) != (cases[i].value & 0xffff)) fail_msg("%s: %lld", text, (long long)v);
    }
}

struct message {
    uint32_t column;
    char text[200];
    unsigned count;
};
static void keep(void *context, const sw_diagnostic *d) {
    struct message *m = context;
    m->column = d->at.column;
    m->count++;
    snprintf(m->text, sizeof m->text, "%s", d->message);
}

static void assemble_errors(void **state) {
    (void)state;
    sw_isa_mode mode = mode_of("gfx900");
    static const struct {
        const char *text, *message;
        uint32_t column;
    } cases[] = {
        {"v_foo v1", "gfx900 has no instruction 'v_foo'", 1},
        {"s_movk_i32 s0, 1/0", "division by zero", 17},
        {"s_movk_i32 s0, (1", "expected ')'", 16},
        {"s_movk_i32 s0, 1+somewhere", "symbols have no meaning here", 18},
        {"s_movk_i32 s0, 99999999999999999999", "the number does not fit 64 bits", 16},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct message m = {0};
        sw_sink sink = {keep, &m};
        uint8_t bytes[SW_INSN_MAX_BYTES];
        size_t size = 99;
        assert_int_equal(sw_insn_assemble(&mode, cases[i].text, strlen(cases[i].text), bytes, &size, &sink),
                         SW_BAD_INPUT);
        assert_int_equal(size, 0);
        assert_string_equal(m.text, cases[i].message);
        assert_int_equal(m.column, cases[i].column);
        assert_int_equal(m.count, 1);
    }
    // Depth is bounded, and nothing beyond the length is read.
    char deep[5000] = "s_movk_i32 s0, ";
    memset(deep + 15, '(', sizeof deep - 16);
    uint8_t bytes[SW_INSN_MAX_BYTES];
    size_t size;
    char *exact = malloc(4000);
    memcpy(exact, deep, 4000);
    assert_int_equal(sw_insn_assemble(&mode, exact, 4000, bytes, &size, NULL), SW_BAD_INPUT);
    free(exact);
    assert_int_equal(sw_insn_assemble(&mode, "", 0, bytes, &size, NULL), SW_BAD_INPUT);
}

static const char *name_target(void *context, uint64_t address) {
    *(uint64_t *)context = address;
    return "somewhere";
}

static void text_is_cut_and_labels_are_named(void **state) {
    (void)state;
    sw_isa_mode mode = mode_of("gfx900");
    sw_insn insn = assemble(&mode, "s_branch 65534");
    char text[10];
    assert_int_equal(sw_insn_format(&mode, &insn, 0x1000, text, sizeof text), 14);
    assert_string_equal(text, "s_branch ");
    assert_int_equal(sw_insn_format(&mode, &insn, 0x1000, NULL, 0), 14);
    uint64_t target = 0;
    char whole[SW_INSN_TEXT_SIZE];
    mode.label = name_target;
    mode.label_context = &target;
    sw_insn_format(&mode, &insn, 0x1000, whole, sizeof whole);
    assert_string_equal(whole, "s_branch somewhere");
    assert_int_equal(target, 0xffc);
    mode = mode_of("gfx1100");
    insn = assemble(&mode, "v_mov_b16 v0.l, v1.l");
    sw_insn_format(&mode, &insn, 0, whole, sizeof whole);
    assert_non_null(strstr(whole, "v0.l"));
    mode.real_true16 = SW_SETTING_OFF;
    sw_insn_format(&mode, &insn, 0, whole, sizeof whole);
    assert_null(strstr(whole, "v0.l"));
}

// ---- Operations ----

static void operations_and_their_facts(void **state) {
    (void)state;
    const sw_processor *gfx803 = sw_processor_find("gfx803", 6), *gfx900 = sw_processor_find("gfx900", 6);
    size_t cursor = 0, found = 0;
    const sw_insn_info *info = sw_insn_info_by_id("v_add_co_u32", 12);
    assert_non_null(info);
    assert_string_equal(sw_insn_mnemonic(info, gfx803), "v_add_u32");
    assert_string_equal(sw_insn_mnemonic(info, gfx900), "v_add_co_u32");
    assert_null(sw_insn_mnemonic(info, sw_processor_find("cayman", 6)));
    for (const sw_insn_info *i; (i = sw_insn_info_find(gfx803, "v_add_u32", 9, &cursor));) found += i == info;
    assert_int_equal(found, 1);
    static const struct {
        const char *id;
        uint32_t with, without;
    } cases[] = {
        {"s_branch", SW_INSN_BRANCH | SW_INSN_TERMINATOR | SW_INSN_NO_FALL_THROUGH | SW_INSN_SCALAR,
         SW_INSN_LOAD},
        {"s_call_b64", SW_INSN_CALL, SW_INSN_LOAD},
        {"global_load_b32", SW_INSN_LOAD | SW_INSN_COUNTS_VM | SW_INSN_FLAT, SW_INSN_ATOMIC | SW_INSN_SCALAR},
        {"global_atomic_add_u32", SW_INSN_ATOMIC, SW_INSN_BRANCH},
        {"s_load_b32", SW_INSN_LOAD | SW_INSN_COUNTS_LGKM | SW_INSN_SCALAR, SW_INSN_COUNTS_VM},
        {"ds_add_u32", SW_INSN_LDS | SW_INSN_COUNTS_LGKM | SW_INSN_ATOMIC, SW_INSN_FLAT},
        {"v_sqrt_f32", SW_INSN_TRANSCENDENTAL, SW_INSN_MATRIX},
        {"v_mfma_f32_16x16x8_xf32", SW_INSN_MATRIX, SW_INSN_DUAL},
        {"v_wmma_f32_16x16x16_f16", SW_INSN_MATRIX, SW_INSN_SCALAR},
        {"image_load", SW_INSN_IMAGE | SW_INSN_LOAD, SW_INSN_BUFFER},
        {"export", SW_INSN_EXPORT | SW_INSN_COUNTS_EXP, SW_INSN_LOAD},
        {"v_add_f32",
         SW_INSN_DUAL | SW_INSN_CLAMP | SW_INSN_OMOD | SW_INSN_NEG_ABS | SW_INSN_DPP | SW_INSN_SDWA,
         SW_INSN_MATRIX},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        sw_insn_facts f = {.size = sizeof f};
        const sw_insn_info *x = sw_insn_info_by_id(cases[i].id, strlen(cases[i].id));
        if (!x) fail_msg("no %s", cases[i].id);
        sw_insn_get_facts(x, &f);
        assert_string_equal(f.id, cases[i].id);
        if ((f.flags & cases[i].with) != cases[i].with || f.flags & cases[i].without)
            fail_msg("%s: flags %x", cases[i].id, f.flags);
    }
    sw_insn_facts f = {.size = sizeof f};
    sw_insn_get_facts(sw_insn_info_by_id("s_add_co_ci_u32", 15), &f);
    assert_int_equal(f.reads, SW_IMPLICIT_SCC);
    assert_int_equal(f.writes, SW_IMPLICIT_SCC);
    assert_null(f.gap);
    sw_insn_get_facts(sw_insn_info_by_id("v_readlane_b32", 14), &f);
    assert_int_equal(f.reads & SW_IMPLICIT_EXEC, 0);
    assert_null(sw_insn_info_at(sw_insn_info_count()));
    // Every id is unique, found again, and has an encoding whose picture accounts for it.
    for (size_t i = 0; i < sw_insn_info_count(); i++) {
        const sw_insn_info *x = sw_insn_info_at(i);
        assert_ptr_equal(sw_insn_info_by_id(sw_insn_id(x), strlen(sw_insn_id(x))), x);
        size_t encodings = 0;
        for (size_t p = 0; p < sw_processor_count() && !encodings; p++) {
            sw_encoding e[8];
            encodings = sw_insn_encodings(x, sw_processor_at(p), e, 8, sizeof *e);
            assert_true(encodings <= 8);
            for (size_t k = 0; k < encodings; k++) assert_non_null(e[k].format);
        }
        if (!encodings) fail_msg("%s is nowhere", sw_insn_id(x));
    }
}

static void pictures_of_formats(void **state) {
    (void)state;
    sw_format_part parts[64];
    const sw_processor *p = sw_processor_find("gfx900", 6);
    size_t n = sw_format_parts(p, "VOP2", parts, 64, sizeof *parts);
    assert_int_equal(n, 5);
    assert_null(parts[0].field);
    assert_int_equal(parts[0].width, 1);
    assert_string_equal(parts[1].field, "op");
    assert_int_equal(parts[1].low, 25);
    assert_string_equal(parts[2].field, "vdst");
    assert_int_equal(parts[2].bias, 256);
    assert_int_equal(sw_format_parts(p, "VOPD", parts, 64, sizeof *parts), 0);
    assert_int_equal(sw_format_parts(p, "nothing", parts, 64, sizeof *parts), 0);
}

// ---- Hostile bytes ----

static uint32_t next_random(uint64_t *s) {
    *s ^= *s << 13;
    *s ^= *s >> 7;
    *s ^= *s << 17;
    return (uint32_t)(*s >> 16);
}

static bool check_any(const sw_isa_mode *mode, const uint8_t *bytes, size_t available) {
    sw_insn insn = {.size = sizeof insn};
    sw_operand operands[SW_MAX_OPERANDS];
    char text[SW_INSN_TEXT_SIZE];
    uint8_t again[SW_INSN_MAX_BYTES];
    size_t size;
    uint8_t *exact = malloc(available + !available); // so that reading behind the end is seen
    memcpy(exact, bytes, available);
    sw_decode s = sw_insn_decode(mode, exact, available, &insn);
    free(exact);
    assert_true(s <= SW_DECODE_BAD_OPERAND);
    assert_true(insn.length <= available && (insn.length || !available));
    if (s != SW_DECODED) {
        assert_null(insn.info);
        assert_int_equal(sw_insn_format(mode, &insn, 0, text, sizeof text), 0);
        assert_int_equal(sw_insn_operands(mode, &insn, operands, SW_MAX_OPERANDS, sizeof *operands), 0);
        return false;
    }
    assert_true(sw_insn_format(mode, &insn, 0, text, sizeof text) < SW_INSN_TEXT_SIZE);
    size_t n = sw_insn_operands(mode, &insn, operands, SW_MAX_OPERANDS, sizeof *operands);
    assert_true(n < SW_MAX_OPERANDS);
    sw_insn_is_canonical(mode, &insn);
    // Encoding clears what hardware ignores; decoding that gives the same instruction.
    sw_insn back = {.size = sizeof back};
    char text2[SW_INSN_TEXT_SIZE];
    if (sw_insn_encode(mode, &insn, again, &size, NULL) != SW_OK) fail_msg("%s does not encode", text);
    assert_int_equal(size, insn.length);
    assert_int_equal(sw_insn_decode(mode, again, size, &back), SW_DECODED);
    sw_insn_format(mode, &back, 0, text2, sizeof text2);
    assert_string_equal(text, text2);
    return true;
}

static void any_bytes_end_in_a_result(void **state) {
    (void)state;
    static const uint8_t crash[] = {0x9b, 0xf5, 0x99, 0xea,
                                    0x39, 0x3f, 0x69, 0xff}; // crashes LLVM 22 (GFX8-10)
    static const char *const crashing[] = {"gfx803", "gfx900", "gfx1030"};
    for (size_t i = 0; i < 3; i++) {
        sw_isa_mode mode = mode_of(crashing[i]);
        for (size_t n = 0; n <= sizeof crash; n++) check_any(&mode, crash, n);
    }
    uint64_t seed = 88172645463325252u;
    size_t decoded = 0;
    for (size_t i = 0; i < sw_processor_count(); i++) {
        sw_isa_mode mode = {.size = sizeof mode};
        if (sw_isa_mode_init(&mode, sw_processor_at(i)) != SW_OK) continue;
        for (unsigned top = 0; top < 0x10000; top += 7) { // upper halves of first words
            uint32_t words[5];
            for (int k = 0; k < 5; k++) words[k] = next_random(&seed);
            words[0] = top << 16 | (words[0] & 0xffff);
            decoded +=
                check_any(&mode, (const uint8_t *)words, top % 3 ? sizeof words : next_random(&seed) % 21);
        }
    }
    assert_true(decoded > 100000);
}

static void changed_fields_never_change_the_operation(void **state) {
    (void)state;
    static const char *const fields[] = {"src0", "src1",    "ssrc0", "ssrc1", "offset", "nsa",
                                         "imm",  "literal", "vdst",  "sdst",  "simm16", "saddr",
                                         "acc",  "cbsz",    "dim",   "op_sel"};
    uint64_t seed = 362436069;
    for (size_t i = 0; i < sw_processor_count(); i += 5) {
        sw_isa_mode mode = {.size = sizeof mode};
        if (sw_isa_mode_init(&mode, sw_processor_at(i)) != SW_OK) continue;
        for (int round = 0; round < 20000; round++) {
            uint32_t words[5];
            uint8_t bytes[SW_INSN_MAX_BYTES];
            size_t size;
            sw_insn insn = {.size = sizeof insn}, back = {.size = sizeof back};
            for (int k = 0; k < 5; k++) words[k] = next_random(&seed);
            if (sw_insn_decode(&mode, words, sizeof words, &insn) != SW_DECODED) continue;
            for (int k = 0; k < 3; k++)
                sw_insn_set_field(&mode, &insn, fields[next_random(&seed) % 16], next_random(&seed) % 600,
                                  NULL);
            if (sw_insn_encode(&mode, &insn, bytes, &size, NULL) != SW_OK) continue;
            assert_int_equal(sw_insn_decode(&mode, bytes, size, &back), SW_DECODED);
            assert_ptr_equal(back.info, insn.info);
            assert_int_equal(back.length, size);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(golden_lines_go_round),
        cmocka_unit_test(kinds_of_operands),
        cmocka_unit_test(modifiers_of_operands),
        cmocka_unit_test(an_older_caller_gets_what_it_knows),
        cmocka_unit_test(vgprs_have_upper_bits),
        cmocka_unit_test(fields_are_read_and_set),
        cmocka_unit_test(assemble_expressions),
        cmocka_unit_test(assemble_errors),
        cmocka_unit_test(text_is_cut_and_labels_are_named),
        cmocka_unit_test(operations_and_their_facts),
        cmocka_unit_test(pictures_of_formats),
        cmocka_unit_test(any_bytes_end_in_a_result),
        cmocka_unit_test(changed_fields_never_change_the_operation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
