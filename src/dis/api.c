// SPDX-License-Identifier: MIT
// The public interface to the printer.
#include "dis/dis.h"
#include "dis/listing.h"
#include "isa/api.h"

size_t sw_insn_format(const sw_isa_mode *mode, const sw_insn *insn, uint64_t address, char *buffer,
                      size_t capacity) {
    struct isa copy;
    struct api_mode m = api_mode_of(mode, &copy);
    if (buffer && capacity) *buffer = 0;
    if (!m.isa || !api_has_insn(insn)) return 0;
    struct print_options o = {.processor = m.mode.processor,
                              .isa = m.isa,
                              .wave32 = m.mode.wave32,
                              .vgpr_msb = api_insn(insn)->vgpr_msb,
                              .address = address,
                              .label = m.mode.label,
                              .context = m.mode.label_context};
    struct insn as_encoded = *api_insn(insn);
    as_encoded.vgpr_msb = 0;
    char text[INSN_TEXT];
    size_t length = insn_print(&as_encoded, &o, text);
    if (!buffer || !capacity) return length;
    size_t n = length < capacity ? length : capacity - 1;
    memcpy(buffer, text, n);
    buffer[n] = 0;
    return length;
}

const char *sw_insn_data_reason(const sw_isa_mode *mode, const void *bytes, size_t available) {
    struct isa copy;
    struct api_mode m = api_mode_of(mode, &copy);
    return m.isa ? data_reason(m.isa, bytes, available) : "the mode names no processor with instructions";
}
