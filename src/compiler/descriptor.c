// SPDX-License-Identifier: MIT
// The kernel descriptor, as directives: what the hardware is asked for, how many registers, the modes.
#include "compiler/passes.h"

static bool wants(const struct ir_function *f, enum ir_input i) { return f->facts.inputs >> i & 1; }

unsigned compiler_hidden_bytes(const struct ir_function *f) {
    if (f->facts.hidden_bytes) return f->facts.hidden_bytes;
    return f->module->code_object_version >= 5 ? 256 : 56;
}

bool compiler_has_hidden(const struct ir_function *f) {
    return wants(f, INPUT_HIDDEN) || !(f->facts.without >> WITHOUT_ALL & 1);
}

static void line(struct text *t, const char *key, unsigned value) {
    text_printf(t, "\t\t.amdhsa_%s %u\n", key, value);
}

unsigned compiler_all_vgprs(const struct compiler *c, const struct ir_facts *facts) {
    const unsigned vgprs = facts->all_vgprs ? facts->all_vgprs : 1, agprs = facts->all_agprs;
    if (!agprs) return vgprs;
    if (has(c->processor, CAP_unified_vgprs)) return (vgprs + 3) / 4 * 4 + agprs;
    return vgprs > agprs ? vgprs : agprs;
}

void compiler_descriptor(struct compiler *c) {
    struct text *t = c->assembly;
    const struct ir_function *f = c->f;
    const struct ir_facts *facts = &f->facts;
    const sw_processor *p = c->processor;
    const bool unified = has(p, CAP_unified_vgprs);
    const unsigned vgprs = facts->all_vgprs ? facts->all_vgprs : 1;
    sw_processor_info info = SW_INIT(sw_processor_info);
    sw_processor_get_info(p, &info);
    text_puts(t, "\t.section .rodata,\"a\",@progbits\n\t.p2align 6, 0x0\n");
    compiler_put_line(t, "\t.amdhsa_kernel ", f->name, "\n");
    line(t, "group_segment_fixed_size", facts->lds);
    line(t, "private_segment_fixed_size", facts->all_stack);
    line(t, "kernarg_size",
         compiler_has_hidden(f) ? facts->hidden_offset + compiler_hidden_bytes(f) : facts->kernarg_bytes);
    line(t, "user_sgpr_count", facts->user_sgprs);
    if (!has(p, CAP_architected_flat_scratch))
        line(t, "user_sgpr_private_segment_buffer", facts->stack_buffer);
    line(t, "user_sgpr_dispatch_ptr", wants(f, INPUT_DISPATCH_POINTER));
    line(t, "user_sgpr_queue_ptr", wants(f, INPUT_QUEUE_POINTER));
    line(t, "user_sgpr_kernarg_segment_ptr", wants(f, INPUT_KERNARG));
    line(t, "user_sgpr_dispatch_id", wants(f, INPUT_DISPATCH_ID));
    if (wants(f, INPUT_FLAT_SCRATCH)) line(t, "user_sgpr_flat_scratch_init", 1);
    line(t,
         has(p, CAP_architected_flat_scratch) ? "enable_private_segment"
                                              : "system_sgpr_private_segment_wavefront_offset",
         facts->stack_buffer || facts->stack || facts->calls);
    line(t, "system_sgpr_workgroup_id_x", wants(f, INPUT_GROUP_X));
    line(t, "system_sgpr_workgroup_id_y", wants(f, INPUT_GROUP_Y));
    line(t, "system_sgpr_workgroup_id_z", wants(f, INPUT_GROUP_Z));
    line(t, "system_vgpr_workitem_id", wants(f, INPUT_ITEM_Z) ? 2 : wants(f, INPUT_ITEM_Y) ? 1 : 0);
    if (facts->all_barriers) line(t, "named_barrier_count", (facts->all_barriers + 3) / 4);
    if (facts->dynamic_stack) line(t, "uses_dynamic_stack", 1);
    line(t, "next_free_vgpr", compiler_all_vgprs(c, facts));
    line(t, "next_free_sgpr", facts->all_sgprs);
    if (unified) line(t, "accum_offset", (vgprs + 3) / 4 * 4);
    line(t, "reserve_vcc", facts->uses_vcc);
    if (info.wave_sizes == (32 | 64)) line(t, "wavefront_size32", facts->wave == 32);
    if (has(p, CAP_cumode) && facts->cumode) line(t, "workgroup_processor_mode", 0);
    if (has(p, CAP_tgsplit) && facts->tgsplit) line(t, "tg_split", 1);
    line(t, "float_denorm_mode_32", facts->denormal32);
    line(t, "float_denorm_mode_16_64", facts->denormal64);
    if (has(p, CAP_ieee_mode)) {
        line(t, "dx10_clamp", facts->dx10_clamp);
        line(t, "ieee_mode", facts->ieee);
    }
    text_puts(t, "\t.end_amdhsa_kernel\n");
}
