// SPDX-License-Identifier: MIT
// `as`, `dis` and `obj` for the R600 family.
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/terascale/terascale.h"
#include "softwave/terascale.h"

static bool print(void *context, const char *text, size_t length) {
    (void)context;
    return fwrite(text, 1, length, stdout) == length;
}

// Text of bytes in hexadecimal, `0x` and commas allowed: one program.
static sw_status read_hex(const struct file *f, const char *name, uint8_t **out, size_t *size) {
    *out = malloc(f->size / 2 + 1);
    *size = 0;
    if (!*out) return SW_NO_MEMORY;
    for (size_t i = 0; i < f->size;) {
        const uint8_t *p = f->data + i;
        if (isspace(*p) || *p == ',' || *p == '[' || *p == ']')
            i++;
        else if (f->size - i > 1 && p[0] == '0' && (p[1] | 32) == 'x')
            i += 2;
        else if (f->size - i > 1 && isxdigit(p[0]) && isxdigit(p[1])) {
            const char digits[3] = {(char)p[0], (char)p[1], 0};
            (*out)[(*size)++] = (uint8_t)strtoul(digits, NULL, 16);
            i += 2;
        } else {
            sw_location at = {.file = name, .offset = i, .has_offset = true};
            free(*out);
            return diag_fail(&cli_sink, SW_BAD_INPUT, &at, "expected two hexadecimal digits");
        }
    }
    return SW_OK;
}

int terascale_dis(const struct file *f, const struct terascale_dis *d) {
    const sw_terascale_output out = {print, NULL};
    const sw_terascale_dis_options o = {.size = sizeof o,
                                        .processor = d->processor,
                                        .name = d->file,
                                        .function = d->function,
                                        .llvm = d->llvm};
    if (!d->code) return sw_terascale_list_object(f->data, f->size, &o, &out, &cli_sink);
    if (!d->hex) return sw_terascale_list(f->data, f->size, &o, &out, &cli_sink);
    uint8_t *bytes;
    size_t size;
    sw_status status = read_hex(f, d->file, &bytes, &size);
    if (status) return status;
    status = sw_terascale_list(bytes, size, &o, &out, &cli_sink);
    free(bytes);
    return status;
}

sw_status terascale_as(const struct file *f, const sw_asm_options *options, uint8_t **object, size_t *size) {
    if (options->listing)
        return (sw_status)cli_usage(
            "as", "--show-encoding is not for the R600 family; `softwave dis` shows what was made");
    const sw_terascale_as_options o = {
        .size = sizeof o, .processor = options->target.processor, .name = options->name};
    return sw_terascale_assemble((const char *)f->data, f->size, &o, object, size, &cli_sink);
}

static bool add(void *context, const char *text, size_t length) {
    struct text *t = context;
    text_add(t, text, length);
    return !t->failed;
}

sw_status terascale_obj(const struct file *f, const char *name, struct text *t) {
    const sw_terascale_output out = {add, t};
    return sw_terascale_show_object(f->data, f->size, name, &out, &cli_sink);
}
