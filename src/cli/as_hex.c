// SPDX-License-Identifier: MIT
// `softwave as --disassemble`: lines of bytes to lines of text, as llvm-mc does.
#include <stdio.h>
#include <string.h>

#include "cli/as_hex.h"
#include "softwave/isa.h"

enum { MOST = 256, COLUMN = 48, TAB = 8 };

// The tab counts as eight columns.
static void put_encoding(struct text *t, const uint8_t *bytes, size_t length, size_t width) {
    text_printf(t, "%*s; encoding: [", width + TAB < COLUMN ? (int)(COLUMN - width - TAB) : 1, "");
    for (size_t i = 0; i < length; i++) text_printf(t, "%s0x%02x", i ? "," : "", bytes[i]);
    text_puts(t, "]");
}

static sw_status line_to_text(const struct hex_request *r, const sw_isa_mode *mode, const char *line,
                              size_t length, unsigned number, struct text *t) {
    uint8_t bytes[MOST];
    size_t bad, count = parse_hex_bytes(line, length, bytes, sizeof bytes, &bad);
    sw_location at = {.file = r->name,
                      .line = number,
                      .column = (uint32_t)bad + 1,
                      .line_text = line,
                      .line_length = length};
    if (bad < length)
        return diag_fail(&cli_sink, SW_BAD_INPUT, &at, "%s",
                         count == sizeof bytes ? "too many bytes on one line"
                                               : "expected two hexadecimal digits");
    sw_insn in = {.size = sizeof in};
    char text[SW_INSN_TEXT_SIZE];
    at.column = 1;
    for (size_t i = 0; i < count; i += in.length) {
        if (sw_insn_decode(mode, bytes + i, count - i, &in) != SW_DECODED)
            return diag_fail(&cli_sink, SW_BAD_INPUT, &at, "these bytes are no instruction of %s",
                             sw_processor_name(r->processor));
        sw_insn_format(mode, &in, 0, text, sizeof text);
        text_printf(t, "\t%s", text);
        if (r->encoding) put_encoding(t, bytes + i, in.length, strlen(text));
        text_puts(t, "\n");
    }
    return SW_OK;
}

sw_status as_disassemble(const struct hex_request *r, const struct file *f) {
    sw_isa_mode mode = {.size = sizeof mode};
    struct text t = {0};
    if (sw_isa_mode_init(&mode, r->processor))
        return diag_fail(&cli_sink, SW_UNSUPPORTED, NULL,
                         "--disassemble has no instructions of %s; use `softwave dis --hex`",
                         sw_processor_name(r->processor));
    sw_status status = r->features ? sw_isa_mode_set_features(&mode, r->features, &cli_sink) : SW_OK;
    if (status != SW_OK) return status;
    const char *p = (const char *)f->data, *end = p + f->size;
    for (unsigned number = 1; p < end; number++) {
        const char *next = memchr(p, '\n', (size_t)(end - p));
        const sw_status line = line_to_text(r, &mode, p, (size_t)((next ? next : end) - p), number, &t);
        if (status == SW_OK) status = line;
        p = next ? next + 1 : end;
    }
    return (sw_status)cli_finish(&t, status);
}
