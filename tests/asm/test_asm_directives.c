// SPDX-License-Identifier: MIT
// What is refused of directives that make code objects: each line of objects/errors.txt is one text whose
// first error must stand there with that message (ASM-19 to ASM-34, KD and PAL rows, META rows of the
// assembler). And that objects are made whole: systems, versions, and hostile texts.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "softwave/asm.h"

struct first {
    char message[1024];
    unsigned line, column, errors;
};

static void keep_first(void *context, const sw_diagnostic *d) {
    struct first *f = context;
    if (d->severity != SW_SEVERITY_ERROR || f->errors++) return;
    snprintf(f->message, sizeof f->message, "%s", d->message);
    f->line = d->at.line;
    f->column = d->at.column;
}

// "gfx900@amdpal", "gfx900@2"
static sw_asm_options options_of(const char *target) {
    sw_asm_options o = {.size = sizeof o, .os = SW_OS_AMDHSA, .name = "t.s", .no_files = true};
    const char *at = strchr(target, '@');
    size_t length = at ? (size_t)(at - target) : strlen(target);
    if (sw_target_parse(target, length, &o.target, NULL)) fail_msg("no target %s", target);
    if (at && at[1] >= '2' && at[1] <= '6') o.code_object_version = (unsigned)(at[1] - '0');
    if (at && !strcmp(at + 1, "amdpal")) o.os = SW_OS_AMDPAL;
    if (at && !strcmp(at + 1, "mesa3d")) o.os = SW_OS_MESA3D;
    o.max_output = 1 << 24;
    o.max_expansion = 1 << 22;
    return o;
}

static sw_status assemble(const char *target, const char *text, size_t length, struct first *f,
                          size_t *size) {
    sw_asm_options o = options_of(target);
    uint8_t *object;
    *f = (struct first){0};
    sw_status s = sw_assemble(text, length, &o, &object, size, &(sw_sink){keep_first, f});
    assert_int_equal(object == NULL, s != SW_OK);
    sw_free(object);
    return s;
}

static char *unescape(char *text) {
    char *to = text;
    for (const char *p = text; *p; p++)
        if (p[0] == '\\' && p[1] == 'n')
            *to++ = '\n', p++;
        else
            *to++ = *p;
    *to++ = '\n';
    *to = 0;
    return text;
}

static void messages(void **state) {
    (void)state;
    FILE *f = fopen("tests/asm/objects/errors.txt", "r");
    if (!f) f = fopen("../tests/asm/objects/errors.txt", "r");
    assert_non_null(f);
    static char line[8192];
    unsigned count = 0, wrong = 0;
    while (fgets(line, sizeof line - 2, f)) {
        if (*line == '#') continue;
        line[strcspn(line, "\n")] = 0;
        char *part[4] = {line};
        for (unsigned i = 1; i < 4; i++) {
            char *bar = strstr(part[i - 1], " | ");
            if (!bar) fail_msg("malformed: %s", line);
            *bar = 0;
            part[i] = bar + 3;
        }
        struct first first;
        size_t size;
        char place[32];
        const char *text = unescape(part[3]);
        sw_status s = assemble(part[0] + (*part[0] == '*'), text, strlen(text), &first, &size);
        snprintf(place, sizeof place, "%u:%u", first.line, first.column);
        count++;
        if (s != SW_OK && !strcmp(first.message, part[2]) && !strcmp(place, part[1])) continue;
        print_message("%s%s: expected %s %s\n  found %s %s\n", part[0], s ? "" : " accepted", part[1],
                      part[2], place, first.message);
        wrong++;
    }
    fclose(f);
    assert_true(count > 180);
    assert_int_equal(wrong, 0);
}

// The first bytes of each kind of object: EI_OSABI, EI_ABIVERSION, e_flags (OBJ-03, OBJ-04, OBJ-08 to
// OBJ-10).
static void headers(void **state) {
    (void)state;
    static const struct {
        const char *target;
        uint8_t osabi, abi;
        uint32_t flags;
    } kinds[] = {{"gfx90a", 64, 4, 0x53f},
                 {"gfx90a@4", 64, 2, 0x53f},
                 {"gfx90a:xnack-@5", 64, 3, 0x63f},
                 {"gfx90a@3", 64, 1, 0x33f},
                 {"gfx90a:sramecc-@3", 64, 1, 0x13f},
                 {"gfx900@2", 64, 0, 0x12c},
                 {"gfx900@amdpal", 65, 0, 0x12c},
                 {"gfx900@mesa3d", 66, 0, 0x12c},
                 {"gfx9-generic", 64, 4, 0x01000151}};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        sw_asm_options o = options_of(kinds[i].target);
        uint8_t *object;
        size_t size;
        assert_int_equal(sw_assemble("s_endpgm\n", 9, &o, &object, &size, NULL), SW_OK);
        uint32_t flags;
        memcpy(&flags, object + 48, 4);
        assert_int_equal(object[7], kinds[i].osabi);
        assert_int_equal(object[8], kinds[i].abi);
        if (flags != kinds[i].flags) fail_msg("%s: e_flags 0x%x", kinds[i].target, flags);
        sw_free(object);
    }
}

// Each ends, soon, in an error.
static void hostile(void **state) {
    (void)state;
    static const char *const texts[][2] = {
        {"gfx900@2", ".amd_kernel_code_t\n"},
        {"gfx900@2", ".amd_amdgpu_hsa_metadata\n&a [*a]\n.end_amd_amdgpu_hsa_metadata\n"},
        {"gfx900@amdpal",
         ".amdgpu_pal_metadata\n{amdpal.pipelines: 5, amdpal.pipelines: [{}]}\n.end_amdgpu_pal_metadata\n"},
        {"gfx900@amdpal", ".amd_amdgpu_pal_metadata\n"},
        {"gfx900", ".amdgpu_metadata\n? [a]\n: b\n.end_amdgpu_metadata\n"},
        {"gfx900", ".section .x,\"a\",@progbits,unique\n"},
        {"gfx900", ".symver \"\", \"@\"\n.symver a, @@@\n.symver a, @@@@@\n.long 1/0\n"},
        {"gfx900", ".weakref a, b\n.weakref b, a\n.quad a, b\n.weakref c, c\n"},
        {"gfx900", ".weakref a, a2\n.set a2, a\n.quad a\n.err\n"},
        {"gfx900", ".cg_profile a, b, 1\n.cg_profile .La, .Lb, 1\n"},
        {"gfx900", ".reloc 0x7fffffffffffffff, R_AMDGPU_ABS64, .Lnone\n"},
        {"gfx900", ".text 5\n.org 0x7fffffffffffffff\n"},
        {"gfx900", ".bss\n.amdgpu_lds a, 4\n.text 3\ns_branch .Lx\n"},
    };
    struct first f;
    size_t size;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        if (assemble(texts[i][0], texts[i][1], strlen(texts[i][1]), &f, &size) == SW_OK)
            fail_msg("accepted: %s", texts[i][1]);
    // Many of everything.
    enum { MANY = 20000, ROOM = 2 << 20 };
    char *text = malloc(ROOM);
    static const char *const lines[] = {".section .s%u,\"aG\",@progbits,g%u\n.long 1\n",
                                        ".text %u\n.p2align 3\n.long %u\n",
                                        ".symver a%u, b@v%u\n",
                                        ".weakref w%u, t%u\n.quad w1\n",
                                        ".amd_amdgpu_pal_metadata %u,%u\n",
                                        ".addrsig_sym q%u\n.long q%u\n"};
    for (size_t k = 0; k < sizeof lines / sizeof *lines; k++) {
        size_t n = 0;
        for (unsigned i = 0; i < MANY && n < ROOM - 128; i++)
            n += (size_t)snprintf(text + n, ROOM - n, k < 4 || k == 5 ? lines[k] : lines[k], MANY - i,
                                  i % 100);
        assemble(k == 4 ? "gfx900@amdpal" : "gfx900", text, n, &f, &size);
    }
    free(text);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(messages),
        cmocka_unit_test(headers),
        cmocka_unit_test(hostile),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
