// SPDX-License-Identifier: MIT
// Fetch clauses: vertex fetches with every data format of up to 128 bits.
#include "base/bytes.h"
#include "terascale/machine/machine.h"
#include "terascale/text/print.h"

// ---- Vertex fetches ----

struct fetch {
    const struct ts_insn *in;
    struct ts_conversion conversion;
    unsigned bytes;
    uint8_t sel[4]; // of the resource
    struct ts_vertex_resource resource;
    bool flat;     // the one space: outside of it is a fault
    uint8_t *data; // of a buffer that is not in the one space
    uint32_t add;  // to the index
};

static struct ts_conversion conversion_in(const struct ts_insn *in) {
    const uint8_t comp = (uint8_t)ts_get(in, TS_FORMAT_COMP_ALL);
    return (struct ts_conversion){.format = (uint8_t)ts_get(in, TS_DATA_FORMAT),
                                  .number = (uint8_t)ts_get(in, TS_NUM_FORMAT_ALL),
                                  .comp = {comp, comp, comp, comp},
                                  .endian = (uint8_t)ts_get(in, TS_ENDIAN_SWAP),
                                  .no_zero = ts_get(in, TS_SRF_MODE_ALL)};
}

// A buffer of the conventions of compute programs, where no resource is set.
static bool take_conventional(struct ts_machine *m, const struct ts_wave *w, struct fetch *f) {
    uint32_t id = ts_get(f->in, TS_BUFFER_ID);
    const unsigned by = ts_get(f->in, TS_BUFFER_INDEX_MODE);
    if (by) id += w->cf_index[(by - 1) & 1];
    if (id > 255 || !(m->flat[id] || m->buffers[id].data))
        return ts_fault(m, -1, "vertex buffer %u is not there", id);
    f->flat = m->flat[id];
    f->data = m->buffers[id].data;
    f->resource = (struct ts_vertex_resource){.size = m->buffers[id].size, .stride = m->stride[id]};
    if (ts_get(f->in, TS_USE_CONST_FIELDS))
        return ts_fault(m, -1, "USE_CONST_FIELDS without a resource for vertex buffer %u", id);
    return true;
}

static bool take_buffer(struct ts_machine *m, const struct ts_wave *w, struct fetch *f) {
    unsigned number = 0;
    for (unsigned i = 0; i < 4; i++) f->sel[i] = (uint8_t)i;
    f->conversion = conversion_in(f->in);
    if (!ts_fetch_resource(m, w, f->in, ts_get(f->in, TS_BUFFER_ID), ts_get(f->in, TS_BUFFER_INDEX_MODE),
                           &number))
        return false;
    if (ts_resource_type(m->state, number) == TS_RESOURCE_TEXTURE)
        return ts_fault(m, -1, "resource %u is a texture", ts_get(f->in, TS_BUFFER_ID));
    if (ts_resource_type(m->state, number) != TS_RESOURCE_BUFFER) return take_conventional(m, w, f);
    ts_vertex_resource_of(m->state, number, &f->resource);
    if (!ts_get(f->in, TS_USE_CONST_FIELDS)) return true;
    f->conversion = f->resource.conversion;
    for (unsigned i = 0; i < 4; i++) f->sel[i] = f->resource.sel[i];
    return true;
}

static bool take(struct ts_machine *m, const struct ts_wave *w, const struct ts_insn *in, struct fetch *f) {
    static const uint32_t bases[4] = {TS_REG_VTX_BASE, TS_REG_START_INST};
    const unsigned type = ts_get(in, TS_FETCH_TYPE);
    *f = (struct fetch){.in = in};
    if (!take_buffer(m, w, f)) return false;
    const char *problem = ts_conversion_problem(&f->conversion, false, m->chip->family >= TS_EVERGREEN);
    if (problem) return ts_refuse(m, "data format %u: %s", f->conversion.format, problem);
    f->bytes = ts_element_of(f->conversion.format).bytes;
    if (type > 2) return ts_refuse(m, "no fetch type has the number 3");
    if (type < 2) f->add = ts_state_get(m->state, bases[type]);
    if (ts_get(in, TS_STRUCTURED_READ) || ts_get(in, TS_LDS_REQ) || ts_get(in, TS_COALESCED_READ))
        return ts_refuse(m, "structured and coalesced reads are not executed");
    return true;
}

// Outside of a resource 0 is read, or NaN where it says so; outside of memory is a fault.
static bool fetch_lane(struct ts_machine *m, const struct fetch *f, unsigned lane, uint32_t index,
                       uint32_t out[4]) {
    const uint32_t stride = ts_get(f->in, TS_CONST_BUF_NO_STRIDE) ? 1 : f->resource.stride;
    const uint64_t at = (uint64_t)(uint32_t)(index + f->add) * stride + ts_get(f->in, TS_OFFSET);
    const uint8_t zeros[16] = {0}, *data = zeros;
    const bool inside = f->flat || in_range(at, f->bytes, f->resource.size);
    const uint64_t address = f->flat ? (uint32_t)at : f->resource.address + at;
    if (inside && f->data)
        data = f->data + at;
    else if (inside) {
        data = address >> 32 ? NULL : ts_memory_at(m, (uint32_t)address, f->bytes, false);
        if (!data)
            return ts_fault(m, (int)lane, "a fetch of %u bytes at 0x%llx, outside of every buffer", f->bytes,
                            (unsigned long long)address);
    }
    ts_convert(&f->conversion, data, 0, 0, out);
    for (unsigned i = 0; i < 4 && !inside && f->resource.clamp_to_nan; i++) out[i] = 0x7fc00000;
    return true;
}

static bool run_vertex(struct ts_machine *m, struct ts_wave *w, const struct ts_insn *in, uint64_t lanes) {
    struct fetch f;
    uint32_t results[4][TS_LANES];
    if (!take(m, w, in, &f)) return false;
    const uint32_t one = ts_one(&f.conversion);
    const uint32_t src = ts_fetch_gpr(w, ts_get(in, TS_SRC_GPR), ts_get(in, TS_SRC_REL));
    const uint32_t *indexes = w->gpr[src < TS_GPRS ? src : 0][ts_get(in, TS_SRC_SEL_X)];
    if (ts_get(in, TS_FETCH_WHOLE_QUAD)) lanes = ts_whole_quads(w, lanes);
    FOR_LANES(l, lanes) {
        uint32_t v[4];
        if (!fetch_lane(m, &f, l, indexes[l], v)) return false;
        for (unsigned i = 0; i < 4; i++) {
            const unsigned sel = f.sel[i];
            results[i][l] = sel < 4 ? v[sel] : sel == 5 ? one : 0;
        }
    }
    ts_fetch_write(w, in, results, one, lanes);
    return true;
}

// SEMFETCH: the register is that of the first entry of SQ_VTX_SEMANTIC_0 to 31 with this number, behind R0;
// without one the fetch is dropped.
static bool run_semantic(struct ts_machine *m, struct ts_wave *w, const struct ts_insn *in, uint64_t lanes) {
    const uint32_t id = ts_get(in, TS_SEMANTIC_ID);
    for (unsigned i = 0; i < 32; i++) {
        if ((ts_state_get(m->state, TS_REG_SEMANTIC + 4 * i) & 0xff) != id) continue;
        struct ts_insn plain = *in;
        plain.format = ts_isas[in->family].formats[TSF_VTX_GPR];
        plain.w[1] &= ~0xffu; // where SEMANTIC_ID was
        ts_set(&plain, TS_DST_GPR, i + 1);
        return run_vertex(m, w, &plain, lanes);
    }
    return true;
}

// GET_BUFFER_RESINFO: how many elements the buffer has.
static bool run_buffer_size(struct ts_machine *m, struct ts_wave *w, const struct ts_insn *in,
                            uint64_t lanes) {
    struct ts_vertex_resource r;
    unsigned number;
    uint32_t results[4][TS_LANES] = {{0}};
    if (!ts_fetch_resource(m, w, in, ts_get(in, TS_BUFFER_ID), ts_get(in, TS_BUFFER_INDEX_MODE), &number))
        return false;
    if (ts_resource_type(m->state, number) != TS_RESOURCE_BUFFER)
        return ts_fault(m, -1, "resource %u is no buffer", ts_get(in, TS_BUFFER_ID));
    ts_vertex_resource_of(m->state, number, &r);
    FOR_LANES(l, lanes) { results[0][l] = (uint32_t)(r.stride ? r.size / r.stride : r.size); }
    ts_fetch_write(w, in, results, 1, lanes);
    return true;
}

bool ts_run_fetches(struct ts_machine *m, struct ts_wave *w, const struct ts_insn *cf, uint64_t lanes) {
    const struct ts_clause c = ts_clause_of(cf);
    if (c.begin >= m->words || c.words > m->words - c.begin)
        return ts_fault(m, -1, "the clause is outside of the program");
    w->has_gradient[0] = w->has_gradient[1] = w->has_offsets = false;
    for (uint32_t i = 0; i < c.words; i += 2) {
        struct ts_insn in;
        ts_decode_fetch(m->chip->family, m->code + 2 * (size_t)(c.begin + i), &in);
        bool good;
        if (in.row && in.format->id == TSF_VTX_GPR && ts_is(&in, TS_VTX_VFETCH))
            good = run_vertex(m, w, &in, lanes);
        else if (ts_is(&in, TS_VTX_SEMFETCH))
            good = run_semantic(m, w, &in, lanes);
        else if (ts_is(&in, TS_VTX_GET_BUFFER_RESINFO))
            good = run_buffer_size(m, w, &in, lanes);
        else if (in.row && in.format->id == TSF_TEX)
            good = ts_run_texture(m, w, &in, lanes);
        else if (in.row && (in.row->space == TS_GDS_SPACE || in.row->space == TS_MEM_SPACE))
            good = ts_run_memory_fetch(m, w, &in, lanes);
        else
            good =
                ts_refuse(m, "%s is not executed", in.row ? ts_row_name(in.row) : "a fetch without a name");
        if (!good) return false;
    }
    return true;
}
