// SPDX-License-Identifier: MIT
// The public interface to single-statement assembly: the instruction half with a host that knows numbers
// only.
#include "asm/insn/constant_host.h"
#include "base/diag.h"
#include "isa/api.h"

struct host {
    const struct isa *isa;
    struct asm_host calls;
    const char *text;
    size_t length;
    const sw_sink *sink;
    bool failed;
};

static bool expression(void *context, const char **at, const char *end, struct mc_value *out) {
    struct host *h = context;
    return constant_expression(h->isa, &h->calls, at, end, out);
}

static void error(void *context, const char *where, const char *message) {
    struct host *h = context;
    sw_location at = {
        .line = 1, .column = (uint32_t)(where - h->text) + 1, .line_text = h->text, .line_length = h->length};
    if (!h->failed) diag_fail(h->sink, SW_BAD_INPUT, &at, "%s", message);
    h->failed = true;
}

sw_status sw_insn_assemble(const sw_isa_mode *mode, const char *text, size_t length,
                           uint8_t bytes[SW_INSN_MAX_BYTES], size_t *size, const sw_sink *sink) {
    struct mc_mode am;
    struct api_mode m = api_mode_of(mode, &am.isa);
    *size = 0;
    if (!m.isa) return diag_fail(sink, SW_USAGE, NULL, "the mode names no processor with instructions");
    if (m.isa != &am.isa) am.isa = *m.isa;
    am.processor = m.mode.processor;
    am.wave32 = m.mode.wave32;
    am.any_wave = false;
    struct host h = {
        .isa = &am.isa, .calls = {expression, error, &h}, .text = text, .length = length, .sink = sink};
    struct asm_insn out;
    const char *start = text, *end = text + length;
    while (start < end && (*start == ' ' || *start == '\t')) start++;
    while (end > start && (end[-1] == ' ' || end[-1] == '\t' || end[-1] == '\n' || end[-1] == '\r')) end--;
    if (!asm_instruction(&am, &h.calls, start, end, &out) || out.fixup_count) {
        if (!h.failed) error(&h, start, "the statement is no instruction");
        return SW_BAD_INPUT;
    }
    memcpy(bytes, out.bytes, out.size);
    *size = out.size;
    return SW_OK;
}
