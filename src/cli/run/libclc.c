// SPDX-License-Identifier: MIT
// libclc's get_global_id under code object V5 and later (ERR-01): where it means the grid's offset, it reads
// the number of work-groups in the next dimension, and adds that to the work-item's id. Such a kernel is
// recognised by exactly this: from its entry to the first branch, a dword loaded from hidden_block_count_y or
// _z is added to the id in v0 to v2, and hidden_global_offset is never loaded. Correct code has no reason to
// add these two.
#include <string.h>

#include "base/bytes.h"
#include "cli/run/run.h"
#include "softwave/isa.h"

enum { ENTRY_OFFSET = 16, SGPRS = 128, VGPRS = 256, MOST_BYTES = 1 << 16 };
enum tag { NOTHING, BLOCK_COUNT, ITEM_ID };

struct scan_state {
    const sw_kernel *kernel;
    uint32_t kernarg;       // the SGPR pair with the arguments' address
    uint64_t begin, end;    // hidden_block_count_y and _z in the block
    uint64_t offset, limit; // hidden_global_offset_x to _z
    uint8_t sgpr[SGPRS], vgpr[VGPRS];
    bool reads_offset, adds;
};

static bool find_arguments(struct scan_state *s) {
    for (size_t i = 0; i < s->kernel->argument_count; i++) {
        const sw_argument *a = sw_kernel_argument(s->kernel, i);
        if (a->value_kind == SW_VALUE_HIDDEN_BLOCK_COUNT_Y) s->begin = a->offset, s->end = a->offset + 8;
        if (a->value_kind == SW_VALUE_HIDDEN_GLOBAL_OFFSET_X)
            s->offset = a->offset, s->limit = a->offset + 24;
    }
    return s->end && s->limit;
}

static uint8_t *tag_of(struct scan_state *s, const sw_operand *o, unsigned part) {
    const unsigned n = o->first + part;
    if (o->kind == SW_OPERAND_SGPR && n < SGPRS) return &s->sgpr[n];
    if (o->kind == SW_OPERAND_VGPR && n < VGPRS) return &s->vgpr[n];
    return NULL;
}

static bool begins(const char *text, const char *with) { return !strncmp(text, with, strlen(with)); }

// A scalar load of arguments: which of them it reads.
static void take_load(struct scan_state *s, const sw_operand *o, size_t count) {
    const sw_operand *base = NULL, *offset = NULL, *to = NULL;
    for (size_t i = 0; i < count; i++) {
        if (o[i].implicit) continue;
        if (o[i].access & SW_OPERAND_WRITE)
            to = &o[i];
        else if (o[i].kind == SW_OPERAND_SGPR && o[i].count == 2)
            base = &o[i];
        else if (o[i].kind == SW_OPERAND_IMMEDIATE)
            offset = &o[i];
    }
    const bool ours = base && to && base->first == s->kernarg;
    for (unsigned i = 0; to && i < to->count; i++) {
        const uint64_t at = (uint64_t)(offset ? offset->value : 0) + 4 * (uint64_t)i;
        uint8_t *tag = tag_of(s, to, i);
        if (tag) *tag = ours && at >= s->begin && at < s->end ? BLOCK_COUNT : NOTHING;
        s->reads_offset |= ours && at >= s->offset && at < s->limit;
    }
}

static void take_insn(struct scan_state *s, const char *text, const sw_operand *o, size_t count) {
    unsigned seen = 0;
    uint8_t kept = NOTHING;
    if (begins(text, "s_load_")) {
        take_load(s, o, count);
        return;
    }
    for (size_t i = 0; i < count; i++) {
        const uint8_t *tag = o[i].access & SW_OPERAND_READ ? tag_of(s, &o[i], 0) : NULL;
        if (tag && *tag) seen |= 1u << *tag, kept = *tag;
    }
    s->adds |= begins(text, "v_add") && seen == (1u << BLOCK_COUNT | 1u << ITEM_ID);
    const bool copies = begins(text, "v_mov_b32") || begins(text, "s_mov_b32") || begins(text, "s_add_") ||
                        (kept == ITEM_ID && (begins(text, "v_and_b32") || begins(text, "v_bfe_u32")));
    for (size_t i = 0; i < count; i++)
        for (unsigned k = 0; o[i].access & SW_OPERAND_WRITE && k < (o[i].count ? o[i].count : 1); k++) {
            uint8_t *tag = tag_of(s, &o[i], k);
            if (tag) *tag = copies && !k ? kept : NOTHING;
        }
}

static void scan_code(struct scan_state *s, const sw_processor *p, const uint8_t *code, size_t size) {
    sw_isa_mode mode = {.size = sizeof mode};
    if (sw_isa_mode_init(&mode, p)) return;
    mode.wave32 = s->kernel->descriptor->wavefront_size == 32;
    for (size_t at = 0; at < size;) {
        sw_insn in = {.size = sizeof in};
        sw_insn_facts facts = {.size = sizeof facts};
        sw_operand o[SW_MAX_OPERANDS];
        char text[SW_INSN_TEXT_SIZE];
        if (sw_insn_decode(&mode, code + at, size - at, &in) != SW_DECODED) return;
        sw_insn_get_facts(in.info, &facts);
        if (facts.flags & (SW_INSN_TERMINATOR | SW_INSN_BRANCH)) return;
        sw_insn_format(&mode, &in, 0, text, sizeof text);
        take_insn(s, text, o, sw_insn_operands(&mode, &in, o, SW_MAX_OPERANDS, sizeof *o));
        at += in.length;
    }
}

void run_warn_libclc(const sw_object *object, const sw_kernel *k, const sw_processor *p, uint64_t image,
                     const char *file) {
    struct scan_state s = {.kernel = k};
    const sw_kernel_descriptor *d = k->descriptor;
    const uint64_t size = sw_object_layout(object)->size, place = k->descriptor_offset;
    if (place > size || size - place < 64) return;
    // Where it is loaded: in a relocatable object the distance to the code is not known before.
    const uint64_t entry = place + rd64((const void *)(uintptr_t)(image + place + ENTRY_OFFSET));
    if (sw_object_header(object)->code_object_version < 5 || !d->enable_sgpr_kernarg_segment_ptr ||
        entry >= size || !find_arguments(&s))
        return;
    s.kernarg = 4 * d->enable_sgpr_private_segment_buffer + 2 * d->enable_sgpr_dispatch_ptr +
                2 * d->enable_sgpr_queue_ptr;
    s.vgpr[0] = s.vgpr[1] = s.vgpr[2] = ITEM_ID;
    const uint64_t rest = size - entry;
    scan_code(&s, p, (const uint8_t *)(uintptr_t)(image + entry),
              rest < MOST_BYTES ? (size_t)rest : MOST_BYTES);
    if (s.adds && !s.reads_offset)
        diag_warn(&cli_sink, &(sw_location){.file = file},
                  "kernel '%s': libclc's get_global_id is wrong under code object V%u: ids are too high, "
                  "here as on a GPU; "
                  "compile with -mcode-object-version=4 (ERR-01 in doc/errata.md)",
                  k->name, sw_object_header(object)->code_object_version);
}
