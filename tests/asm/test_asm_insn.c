// SPDX-License-Identifier: MIT
// The instruction half of the assembler on its own. Every "hex  assembly" line of tests/isa assembles to what
// prints as the same line, and to the same bytes except for those that hardware ignores; files in tests/asm
// hold lines with the bytes that llvm-mc-22 makes of them (encodings.txt) and with the column and message of
// their refusal (errors.txt). AS-11, TRAP-019, TRAP-049, TRAP-252.
#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "piece.h"
#include "asm/insn/parse.h"
#include "dis/listing.h"

// A host that knows integers, the predefined names, '|' and parentheses, and keeps the first message.
struct host {
    const struct mc_mode *mode;
    struct asm_host host;
    const char *text;
    char message[512];
    long column;
};

static void keep(void *context, const char *where, const char *message) {
    struct host *h = context;
    if (*h->message) return; // the first counts
    h->column = where - h->text + 1;
    snprintf(h->message, sizeof h->message, "%s", message);
}

static bool term(const struct host *h, const char **at, const char *end, int64_t *out, int depth);

static bool alternatives(const struct host *h, const char **at, const char *end, int64_t *out, int depth) {
    int64_t v;
    if (!term(h, at, end, out, depth)) return false;
    for (*at = skip_spaces(*at, end); *at < end && **at == '|'; *at = skip_spaces(*at, end)) {
        *at = skip_spaces(*at + 1, end);
        if (!term(h, at, end, &v, depth)) return false;
        *out |= v;
    }
    return true;
}

static bool term(const struct host *h, const char **at, const char *end, int64_t *out, int depth) {
    const char *p = *at;
    if (p < end && *p == '(' && depth < 9) {
        ++*at;
        return alternatives(h, at, end, out, depth + 1) && *at < end && *(*at)++ == ')';
    }
    if (p < end && is_digit(*p)) {
        for (*out = 0; *at < end && is_digit(**at) && *out < 1000000; ++*at) *out = *out * 10 + (**at - '0');
        return *at >= end || !is_name_char(**at);
    }
    *at = skip_name(p, end);
    return *at > p && asm_predefined(&h->mode->isa, p, (size_t)(*at - p), out);
}

static bool expression(void *context, const char **at, const char *end, struct mc_value *out) {
    const char *start = *at;
    *out = (struct mc_value){0};
    if (parse_plain_integer(at, end, &out->number) || alternatives(context, at, end, &out->number, 0))
        return true;
    keep(context, start, "no symbols here");
    return false;
}

static struct host new_host(void) { return (struct host){.host = {expression, keep, NULL}}; }

static bool assemble(struct host *h, const struct mc_mode *mode, const char *text, struct asm_insn *out) {
    h->host.context = h;
    h->mode = mode;
    h->text = text;
    *h->message = 0;
    return asm_instruction(mode, &h->host, text, text + strlen(text), out);
}

static struct mc_mode mode_of(const char *name) {
    const sw_processor *p = sw_processor_find(name, strlen(name));
    assert_non_null(p);
    return (struct mc_mode){.processor = p, .isa = *isa_of(p), .wave32 = has(p, CAP_wave32)};
}

struct counts {
    size_t lines, same, ignored, wrong;
};

static void check_line(const struct mc_mode *mode, const char *path, unsigned number, const uint8_t *bytes,
                       size_t count, const char *text, struct counts *n) {
    struct host h = new_host();
    struct asm_insn out;
    char again[INSN_TEXT] = "";
    struct print_options o = {.processor = mode->processor, .wave32 = mode->wave32};
    n->lines++;
    bool ok = assemble(&h, mode, text, &out);
    if (ok && out.size == count && !memcmp(out.bytes, bytes, count)) {
        n->same++;
        return;
    }
    struct insn in;
    if (ok && out.size == count && insn_decode(&mode->isa, out.bytes, out.size, &in) == DECODE_OK)
        insn_print(&in, &o, again);
    if (!strcmp(again, text))
        n->ignored++;
    else if (n->wrong++ < 20)
        print_error("%s:%u: %s\n  %s\n", path, number, text, ok ? again : h.message);
}

static void check_file(const struct mc_mode *mode, const char *path, struct counts *n) {
    FILE *f = fopen(path, "r");
    assert_non_null(f);
    char line[1024];
    for (unsigned number = 1; fgets(line, sizeof line, f); number++) {
        line[strcspn(line, "\n")] = 0;
        char *text = strstr(line, "  ");
        if (!*line || *line == '#' || !text) continue;
        uint8_t bytes[INSN_MAX_BYTES];
        size_t bad, length = (size_t)(text - line),
                    count = parse_hex_bytes(line, length, bytes, sizeof bytes, &bad);
        check_line(mode, path, number, bytes, count, text + 2, n);
    }
    fclose(f);
}

static void every_line_of_the_tables(void **state) {
    (void)state;
    char root[4096], path[16384];
    path_beside(root, __FILE__, "../isa/golden");
    DIR *d = opendir(root);
    assert_non_null(d);
    struct counts n = {0};
    for (struct dirent *e; (e = readdir(d));) {
        if (*e->d_name == '.') continue;
        struct mc_mode mode = mode_of(e->d_name);
        snprintf(path, sizeof path, "%s/%s", root, e->d_name);
        DIR *sub = opendir(path);
        if (!sub) continue;
        for (struct dirent *t; (t = readdir(sub));) {
            if (*t->d_name == '.') continue;
            snprintf(path, sizeof path, "%s/%s/%s", root, e->d_name, t->d_name);
            check_file(&mode, path, &n);
        }
        closedir(sub);
    }
    closedir(d);
    print_message("%zu lines: %zu same bytes, %zu same but for ignored bits, %zu wrong\n", n.lines, n.same,
                  n.ignored, n.wrong);
    assert_true(n.lines > 30000);
    assert_int_equal(n.wrong, 0);
}

// processor | hex | text
static void encodings(void **state) {
    (void)state;
    char path[4096], line[1024];
    path_beside(path, __FILE__, "encodings.txt");
    FILE *f = fopen(path, "r");
    assert_non_null(f);
    size_t lines = 0, wrong = 0;
    for (unsigned number = 1; fgets(line, sizeof line, f); number++) {
        line[strcspn(line, "\n")] = 0;
        if (!*line || *line == '#') continue;
        char *save, *name = strtok_r(line, " ", &save), *hex = strtok_r(NULL, " ", &save), *text = save;
        assert_non_null(hex);
        struct mc_mode mode = mode_of(name);
        struct host h = new_host();
        struct asm_insn out;
        char got[2 * INSN_MAX_BYTES + 1] = "";
        if (assemble(&h, &mode, text, &out))
            for (int i = 0; i < out.size; i++) snprintf(got + 2 * i, 3, "%02x", out.bytes[i]);
        lines++;
        if (!strcmp(got, hex)) continue;
        wrong++;
        print_error("%s:%u: %s: expected %s, got %s%s\n", path, number, text, hex, got,
                    *got ? "" : h.message);
    }
    fclose(f);
    assert_true(lines > 100);
    assert_int_equal(wrong, 0);
}

// processor | column | message | text
static void errors(void **state) {
    (void)state;
    char path[4096], line[1024];
    path_beside(path, __FILE__, "errors.txt");
    FILE *f = fopen(path, "r");
    assert_non_null(f);
    size_t lines = 0, wrong = 0;
    for (unsigned number = 1; fgets(line, sizeof line, f); number++) {
        line[strcspn(line, "\n")] = 0;
        if (!*line || *line == '#') continue;
        char *name = line, *column = strstr(line, " | "),
             *message = column ? strstr(column + 3, " | ") : NULL,
             *text = message ? strstr(message + 3, " | ") : NULL;
        assert_non_null(text);
        *column = *message = *text = 0;
        struct mc_mode mode = mode_of(name);
        struct host h = new_host();
        struct asm_insn out;
        lines++;
        bool ok = assemble(&h, &mode, text + 3, &out);
        if (!ok && !strcmp(h.message, message + 3) && h.column == atol(column + 3)) continue;
        wrong++;
        print_error("%s:%u: %s\n  got %ld | %s\n", path, number, text + 3, ok ? 0 : h.column,
                    ok ? "(it assembles)" : h.message);
    }
    fclose(f);
    assert_true(lines >= 30);
    assert_int_equal(wrong, 0);
}

// Any text ends in bytes or in one message, whatever is cut off or put in.
static void mangled_text(void **state) {
    (void)state;
    static const char *const lines[] = {
        "v_add_f32_e64 v0, -|v1|, s2 clamp mul:2",
        "image_sample v[0:3], [v4, v5, v[6:7]], s[8:15], s[16:19] dmask:0xf dim:SQ_RSRC_IMG_2D",
        "s_waitcnt vmcnt(0) & lgkmcnt(0)",
        "v_dual_add_f32 v0, v1, v2 :: v_dual_mul_f32 v3, v4, v5",
        "ds_swizzle_b32 v0, v1 offset:swizzle(BITMASK_PERM, \"01pip\")",
        "s_getreg_b32 s0, hwreg({id: 1, offset: 2, size: 3})",
        "buffer_load_dword v0, v1, s[0:3], 0 offen offset:4095 glc",
        "v_mov_b32_dpp v0, v1 quad_perm:[0,1,2,3] row_mask:0xf bank_mask:0xf",
        "tbuffer_load_format_x v0, v1, s[0:3], 0 format:[BUF_FMT_32_FLOAT] idxen",
        "s_load_dword s0, s[2:3], lit(0x10)",
        "v_mov_b32 v0, 1.5e10",
    };
    static const char *const names[] = {"gfx600", "gfx803", "gfx90a", "gfx1030", "gfx1100", "gfx1201"};
    static const char odd[] = "|([{)]},:;'\"-+*/%&^~!@.$#\\ \t0xv9_";
    uint32_t seed = 1;
    for (size_t n = 0; n < sizeof names / sizeof *names; n++) {
        struct mc_mode mode = mode_of(names[n]);
        for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
            for (int round = 0; round < 400; round++) {
                size_t length = strlen(lines[i]);
                char *text = malloc(length + 1); // of exact size, so that reading beyond it is found
                memcpy(text, lines[i], length);
                for (int k = 0; k < 1 + round % 3; k++) {
                    seed = seed * 1664525 + 1013904223;
                    text[seed % length] = odd[(seed >> 16) % (sizeof odd - 1)];
                }
                size_t cut = round & 1 ? (seed >> 8) % length : length;
                char *exact = malloc(cut ? cut : 1);
                memcpy(exact, text, cut);
                struct host h = new_host();
                h.host.context = &h;
                h.mode = &mode;
                h.text = exact;
                struct asm_insn out;
                bool ok = asm_instruction(&mode, &h.host, exact, exact + cut, &out);
                assert_true(ok || *h.message);
                free(exact);
                free(text);
            }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_line_of_the_tables),
        cmocka_unit_test(encodings),
        cmocka_unit_test(errors),
        cmocka_unit_test(mangled_text),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
