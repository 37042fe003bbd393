// SPDX-License-Identifier: MIT
// Program state to what the machine reads.
#include "terascale/machine/bind.h"

#include "base/bytes.h"

sw_status ts_write_settings(struct ts_state *s, const struct ts_symbol *f, const char *file,
                            const sw_sink *sink) {
    for (uint32_t i = 0; i < f->setting_count; i++) {
        const uint32_t reg = rd32(f->settings + 8 * i);
        if (ts_state_set(s, reg, rd32(f->settings + 8 * i + 4))) continue;
        const sw_location at = {.file = file, .within = ".AMDGPU.config"};
        return diag_fail(sink, SW_BAD_INPUT, &at, "no register at 0x%x", reg);
    }
    return SW_OK;
}

sw_status ts_write_callers(struct ts_state *s, const sw_terascale_setting *settings, size_t count,
                           const sw_sink *sink) {
    for (size_t i = 0; i < count; i++)
        if (!ts_state_set(s, settings[i].reg, settings[i].value))
            return diag_fail(sink, SW_USAGE, NULL, "setting %zu: no register at 0x%x", i, settings[i].reg);
    return SW_OK;
}

// Address and size in units of 256 bytes, for the sixteen buffers of PS, VS and GS.
static void bind_buffers(struct ts_machine *m, enum ts_set set) {
    if (set > TS_SET_GS) return;
    for (unsigned i = 0; i < TS_BUFFERS; i++) {
        const uint64_t address = (uint64_t)ts_state_get(m->state, 0x28940 + 0x40 * (unsigned)set + 4 * i)
                                 << 8,
                       size = (uint64_t)ts_state_get(m->state, 0x28140 + 0x40 * (unsigned)set + 4 * i) << 8;
        if (!size || address >> 32 || size >> 32) continue;
        for (size_t k = 0; k < m->memory_count; k++) {
            struct ts_memory *b = &m->memory[k];
            if (address < b->address || address - b->address >= b->size) continue;
            const uint64_t at = address - b->address, left = b->size - at;
            m->constants[i] = (struct ts_memory){b->data + at, size < left ? size : left, 0, false};
        }
    }
}

void ts_bind_state(struct ts_machine *m) {
    const bool newer = m->chip->family >= TS_EVERGREEN;
    const enum ts_set set = ts_set_of(m->chip->family, m->stage);
    for (unsigned i = 0; i < 32; i++)
        if (!m->loops[i])
            m->loops[i] = ts_state_get(m->state, (newer ? 0x3a200 : 0x3e200) + 128 * (unsigned)set + 4 * i);
    m->booleans |= ts_state_get(m->state, (newer ? 0x3a500 : 0x3e380) + 4 * (unsigned)set);
    if (!newer && !m->file && set <= TS_SET_VS)
        m->file = &m->state->value[(0x30000 + 0x1000 * (unsigned)set - TS_STATE_FIRST) / 4];
    bind_buffers(m, set);
}
