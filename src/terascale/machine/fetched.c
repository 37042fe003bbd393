// SPDX-License-Identifier: MIT
// What vertex and texture fetches have alike: GPRs, the resource, where results go.
#include "terascale/machine/machine.h"

uint32_t ts_fetch_gpr(const struct ts_wave *w, uint32_t gpr, bool relative) {
    return gpr + (relative ? (uint32_t)w->index : 0);
}

// VS and GS have each other's constants with ALT_CONST. In a fetch shader, from Evergreen on, resources are
// its own; before they are the vertex shader's, behind whose 160 those of fetch shaders lie.
bool ts_fetch_resource(struct ts_machine *m, const struct ts_wave *w, const struct ts_insn *in, uint32_t id,
                       unsigned index_mode, unsigned *number) {
    enum ts_set set = ts_set_of(m->chip->family, m->stage);
    if (m->in_fetch_shader && m->chip->family >= TS_EVERGREEN) set = TS_SET_FS;
    if (ts_get(in, TS_ALT_CONST)) {
        if (set != TS_SET_VS && set != TS_SET_GS)
            return ts_refuse(m, "ALT_CONST is known of vertex and geometry shaders only");
        set = set == TS_SET_VS ? TS_SET_GS : TS_SET_VS;
    }
    if (index_mode) id += w->cf_index[(index_mode - 1) & 1];
    const int n = ts_resource_number(m->chip->family, set, id);
    if (n < 0) return ts_fault(m, -1, "resource %u is not there", id);
    *number = (unsigned)n;
    return true;
}

void ts_fetch_write(struct ts_wave *w, const struct ts_insn *in, uint32_t (*results)[TS_LANES], uint32_t one,
                    uint64_t lanes) {
    static const enum ts_field sels[4] = {TS_DST_SEL_X, TS_DST_SEL_Y, TS_DST_SEL_Z, TS_DST_SEL_W};
    const uint32_t gpr = ts_fetch_gpr(w, ts_get(in, TS_DST_GPR), ts_get(in, TS_DST_REL));
    for (unsigned c = 0; c < 4 && gpr < TS_GPRS; c++) {
        const unsigned sel = ts_get(in, sels[c]);
        if (sel > 5) continue; // masked
        FOR_LANES(l, lanes) { w->gpr[gpr][c][l] = sel == 4 ? 0 : sel == 5 ? one : results[sel][l]; }
    }
}
