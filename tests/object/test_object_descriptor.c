// SPDX-License-Identifier: MIT
// Kernel descriptors (KD-01 to KD-70): each field as llvm-mc encodes it, each bit that must be 0, occupancy
// as clang reports it.
#include "object_support.h"

// One descriptor field: what the assembler is told, what the descriptor then has to say.
struct directive {
    const char *text;
    unsigned value; // 0: the number in the text
    size_t member;
    const char *on; // processors, as letters of `letters`
};

static const char *const letters = "789aclst"; // gfx700 gfx803 gfx900 gfx90a gfx1030 gfx1100 gfx1201 gfx942
static const char *const letter_cpus[] = {"gfx700",  "gfx803",  "gfx900",  "gfx90a",
                                          "gfx1030", "gfx1100", "gfx1201", "gfx942"};

#define M(m) offsetof(sw_kernel_descriptor, m)
static const struct directive directives[] = {
    {"group_segment_fixed_size 1234", 0, M(group_segment_fixed_size), "789aclst"},
    {"private_segment_fixed_size 52", 0, M(private_segment_fixed_size), "789aclst"},
    {"kernarg_size 777", 0, M(kernarg_size), "789aclst"},
    {"user_sgpr_private_segment_buffer 1", 0, M(enable_sgpr_private_segment_buffer), "789ac"},
    {"user_sgpr_dispatch_ptr 1", 0, M(enable_sgpr_dispatch_ptr), "789aclst"},
    {"user_sgpr_queue_ptr 1", 0, M(enable_sgpr_queue_ptr), "789aclst"},
    {"user_sgpr_kernarg_segment_ptr 1", 0, M(enable_sgpr_kernarg_segment_ptr), "789aclst"},
    {"user_sgpr_dispatch_id 1", 0, M(enable_sgpr_dispatch_id), "789aclst"},
    {"user_sgpr_flat_scratch_init 1", 0, M(enable_sgpr_flat_scratch_init), "789ac"},
    {"user_sgpr_private_segment_size 1", 0, M(enable_sgpr_private_segment_size), "789aclst"},
    {"wavefront_size32 0", 64, M(wavefront_size), "cls"},
    {"wavefront_size32 1", 0, M(enable_wavefront_size32), "cls"},
    {"wavefront_size32 1", 32, M(wavefront_size), "cls"},
    {"uses_dynamic_stack 1", 0, M(uses_dynamic_stack), "789aclst"},
    {"system_sgpr_private_segment_wavefront_offset 1", 0, M(enable_private_segment), "789ac"},
    {"enable_private_segment 1", 0, M(enable_private_segment), "lst"},
    {"system_sgpr_workgroup_id_x 1", 0, M(enable_sgpr_workgroup_id_x), "789aclst"},
    {"system_sgpr_workgroup_id_y 1", 0, M(enable_sgpr_workgroup_id_y), "789aclst"},
    {"system_sgpr_workgroup_id_z 1", 0, M(enable_sgpr_workgroup_id_z), "789aclst"},
    {"system_sgpr_workgroup_info 1", 0, M(enable_sgpr_workgroup_info), "789aclst"},
    {"system_vgpr_workitem_id 2", 0, M(enable_vgpr_workitem_id), "789aclst"},
    {"float_round_mode_32 3", 0, M(float_round_mode_32), "789aclst"},
    {"float_round_mode_16_64 1", 0, M(float_round_mode_16_64), "789aclst"},
    {"float_denorm_mode_32 2", 0, M(float_denorm_mode_32), "789aclst"},
    {"float_denorm_mode_16_64 1", 0, M(float_denorm_mode_16_64), "789aclst"},
    {"dx10_clamp 1", 0, M(enable_dx10_clamp), "789aclt"},
    {"ieee_mode 1", 0, M(enable_ieee_mode), "789aclt"},
    {"round_robin_scheduling 1", 0, M(wg_rr_en), "s"},
    {"fp16_overflow 1", 0, M(fp16_ovfl), "9aclst"},
    {"tg_split 1", 0, M(tg_split), "at"},
    {"accum_offset 12", 12, M(first_agpr), "at"},
    {"accum_offset 12", 2, M(accum_offset), "at"},
    {"workgroup_processor_mode 1", 0, M(wgp_mode), "cls"},
    {"memory_ordered 1", 0, M(mem_ordered), "cls"},
    {"forward_progress 1", 0, M(fwd_progress), "cls"},
    {"shared_vgpr_count 3", 0, M(shared_vgpr_count), "cl"},
    {"shared_vgpr_count 3\n .amdhsa_wavefront_size32 0", 24, M(shared_vgprs), "cl"},
    {"inst_pref_size 5", 0, M(inst_pref_size), "ls"},
    {"inst_pref_size 5", 640, M(prefetch_bytes), "ls"},
    {"inst_pref_size 255", 0, M(inst_pref_size), "s"},
    {"exception_fp_ieee_invalid_op 1", 0, M(enable_exception_invalid), "789aclst"},
    {"exception_fp_denorm_src 1", 0, M(enable_exception_denormal), "789aclst"},
    {"exception_fp_ieee_div_zero 1", 0, M(enable_exception_division_by_zero), "789aclst"},
    {"exception_fp_ieee_overflow 1", 0, M(enable_exception_overflow), "789aclst"},
    {"exception_fp_ieee_underflow 1", 0, M(enable_exception_underflow), "789aclst"},
    {"exception_fp_ieee_inexact 1", 0, M(enable_exception_inexact), "789aclst"},
    {"exception_int_div_zero 1", 0, M(enable_exception_int_division_by_zero), "789aclst"},
    {"user_sgpr_count 11", 0, M(user_sgpr_count), "789aclst"},
    {"user_sgpr_kernarg_preload_length 3", 0, M(kernarg_preload_length), "at"},
    {"user_sgpr_kernarg_preload_offset 4", 0, M(kernarg_preload_offset), "at"},
    // KD-23 to KD-25: rounded up to the granule of processor and wave size
    {"next_free_vgpr 41", 44, M(vgprs), "789"},
    {"next_free_vgpr 41", 48, M(vgprs), "cls"}, // wave32 by default
    {"next_free_vgpr 41\n .amdhsa_wavefront_size32 0", 44, M(vgprs), "cls"},
    {"next_free_vgpr 41", 48, M(vgprs), "at"},
    {"next_free_vgpr 1", 4, M(vgprs), "789"},
    {"next_free_vgpr 256", 256, M(vgprs), "789cls"},
    {"next_free_vgpr 512", 512, M(vgprs), "at"},
    // KD-26, KD-27: 20 named SGPRs, 2 of VCC; FLAT_SCRATCH and XNACK_MASK are refused below
    {"next_free_sgpr 20\n .amdhsa_reserve_flat_scratch 0", 24, M(sgprs), "7"},
    {"next_free_sgpr 20\n .amdhsa_reserve_flat_scratch 0", 32, M(sgprs), "9"},
    {"next_free_sgpr 40\n .amdhsa_reserve_flat_scratch 0\n .amdhsa_reserve_vcc 0", 48, M(sgprs), "9"},
};
#undef M

static void decode_directives(const char *cpu, char letter) {
    static char source[65536];
    size_t count = sizeof directives / sizeof *directives, n = 0;
    n += (size_t)snprintf(source + n, sizeof source - n,
                          ".amdgcn_target \"amdgcn-amd-amdhsa--%s\"\n.text\n.p2align 8\n", cpu);
    for (size_t i = 0; i < count; i++) {
        if (!strchr(directives[i].on, letter)) continue;
        n += (size_t)snprintf(source + n, sizeof source - n,
                              ".p2align 8\nk%zu: s_endpgm\n.rodata\n.amdhsa_kernel k%zu\n .amdhsa_%s\n", i, i,
                              directives[i].text);
        // the three mandatory ones, unless they are the one at test
        if (!strstr(directives[i].text, "next_free_vgpr"))
            n += (size_t)snprintf(source + n, sizeof source - n, " .amdhsa_next_free_vgpr %d\n", 24);
        if (!strstr(directives[i].text, "next_free_sgpr"))
            n += (size_t)snprintf(source + n, sizeof source - n, " .amdhsa_next_free_sgpr %d\n", 16);
        if (strchr("at", letter) && !strstr(directives[i].text, "accum_offset"))
            n += (size_t)snprintf(source + n, sizeof source - n, " .amdhsa_accum_offset %d\n", 8);
        n += (size_t)snprintf(source + n, sizeof source - n, ".end_amdhsa_kernel\n.text\n");
    }
    write_input("d.s", source);
    run("$LLVM_MC -triple=amdgcn-amd-amdhsa -mcpu=%s -filetype=obj d.s -o d.o", cpu);
    struct file f = open_input("d.o");
    sw_object *o = open_object(&f);
    for (size_t i = 0; i < count; i++) {
        char name[16];
        if (!strchr(directives[i].on, letter)) continue;
        snprintf(name, sizeof name, "k%zu", i);
        const sw_kernel *k = sw_object_find_kernel(o, name);
        assert_non_null(k);
        assert_true(k->has_descriptor && !k->has_metadata);
        unsigned value = directives[i].value;
        if (!value) value = (unsigned)atoi(strchr(directives[i].text, ' '));
        unsigned got;
        memcpy(&got, (const char *)k->descriptor + directives[i].member, sizeof got);
        if (got != value) fail_msg("%s: %s gives %u, expected %u", cpu, directives[i].text, got, value);
        if (k->descriptor->reserved_bits) fail_msg("%s: %s sets reserved bits", cpu, directives[i].text);
        assert_int_equal(k->entry_offset, sw_object_find_symbol(o, name)->value + o->section_place[2]);
    }
    sw_object_close(o);
    file_close(&f);
}

// KD-01 to KD-66 as llvm-mc encodes them.
static void descriptors(void **state) {
    (void)state;
    need_llvm_22();
    need("$LLVM_MC");
    for (size_t i = 0; i < sizeof letter_cpus / sizeof *letter_cpus; i++)
        decode_directives(letter_cpus[i], letters[i]);
}

// Which bits a descriptor may set on each processor, and which are reported: every bit once.
static void descriptor_bits(void **state) {
    (void)state;
    static const struct {
        const char *cpu;
        unsigned rsrc3, rsrc1, rsrc2, properties, preload; // bits that are nobody's or must be 0
    } expected[] = {
        {"gfx700", 0xffffffff, 0xff500c00, 0x80ffe040, 0xf780, 0xffff}, // KD-07, KD-40
        {"gfx803", 0xffffffff, 0xff500c00, 0x80ffe040, 0xf780, 0xffff},
        {"gfx900", 0xffffffff, 0xfb500c00, 0x80ffe040, 0xf780, 0xffff},
        {"gfx90a", 0xfffeffc0, 0xfb500c00, 0x80ffe040, 0xf780, 0},
        {"gfx942", 0xfffeffc0, 0xfb500c00, 0x80ffe040, 0xf7a1, 0},
        {"gfx1030", 0xfffffff0, 0x1b500fc0, 0x80ffe040, 0xf380, 0xffff},
        {"gfx1100", 0x7ffffc00, 0x1b500fc0, 0x80ffe040, 0xf3a1, 0xffff},
        {"gfx1201", 0x7fffd00f, 0x1bd00fc0, 0x80ffe000, 0xf3a1, 0xffff},
        {"gfx1250", 0x7ffc100f, 0x3bd00fc0, 0x80ffe000, 0xf3a1, 0},
    };
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        uint8_t reserved[SW_DESCRIPTOR_SIZE] = {0};
        memset(reserved + 12, 0xff, 4); // KD-05
        memset(reserved + 24, 0xff, 20);
        memset(reserved + 60, 0xff, 4);
        wr32(reserved + 44, expected[i].rsrc3);
        wr32(reserved + 48, expected[i].rsrc1);
        wr32(reserved + 52, expected[i].rsrc2);
        wr16(reserved + 56, (uint16_t)expected[i].properties);
        wr16(reserved + 58, (uint16_t)expected[i].preload);
        for (unsigned bit = 0; bit < 512; bit++) {
            uint8_t bytes[SW_DESCRIPTOR_SIZE] = {0};
            sw_kernel_descriptor d = SW_INIT(sw_kernel_descriptor);
            bytes[bit / 8] = (uint8_t)(1 << bit % 8);
            assert_int_equal(sw_descriptor_decode(bytes, processor(expected[i].cpu), &d, NULL), SW_OK);
            if ((int)d.reserved_bits != (reserved[bit / 8] >> bit % 8 & 1))
                fail_msg("%s: bit %u is %sreported", expected[i].cpu, bit, d.reserved_bits ? "" : "not ");
        }
    }
}

static sw_kernel_descriptor decode_words(const char *cpu, uint32_t rsrc3, uint32_t rsrc1, uint32_t rsrc2,
                                         uint32_t properties, struct heard *h) {
    uint8_t bytes[SW_DESCRIPTOR_SIZE] = {0};
    sw_kernel_descriptor d = SW_INIT(sw_kernel_descriptor);
    sw_sink sink = {hear, h};
    memset(h, 0, sizeof *h);
    wr32(bytes + 44, rsrc3);
    wr32(bytes + 48, rsrc1);
    wr32(bytes + 52, rsrc2);
    wr32(bytes + 56, properties);
    assert_int_equal(sw_descriptor_decode(bytes, processor(cpu), &d, &sink), SW_OK);
    return d;
}

// Contradictions are named: KD-21, KD-46, KD-62, KD-70, and must-be-zero fields KD-30, KD-51, KD-52.
static void descriptor_problems(void **state) {
    (void)state;
    struct heard h;
    sw_kernel_descriptor d = decode_words("gfx900", 0, 3 << 10, 0, 0, &h);
    assert_int_equal(d.priority, 3);
    assert_int_equal(d.reserved_bits, 2);
    assert_string_equal(h.text, "PRIORITY: PRIORITY is 3 and must be 0\n");
    d = decode_words("gfx900", 0, 0, 5 << 1, 0xb, &h); // 4 + 2 + 2 user SGPRs
    assert_int_equal(d.user_sgprs_enabled, 8);
    assert_string_equal(h.text, "USER_SGPR_COUNT: USER_SGPR_COUNT is 5, but 8 user SGPRs are enabled\n");
    decode_words("gfx900", 0, 0, 8 << 1, 0xb, &h);
    assert_string_equal(h.text, "");
    decode_words("gfx900", 0, 0, 3 << 11, 0, &h);
    assert_string_equal(h.text, "ENABLE_VGPR_WORKITEM_ID: ENABLE_VGPR_WORKITEM_ID value 3 is undefined\n");
    decode_words("gfx1030", 2, 0, 0, 1 << 10, &h);
    assert_string_equal(h.text, "SHARED_VGPR_COUNT: SHARED_VGPR_COUNT must be 0 for wavefront size 32\n");
    decode_words("gfx1030", 1, 63, 0, 0, &h);
    assert_string_equal(h.text, "SHARED_VGPR_COUNT: SHARED_VGPR_COUNT 256 + 8 VGPRs exceed 256\n");
    decode_words("gfx90a", 3, 0, 0, 0, &h); // AGPRs from 16 on, 8 registers
    assert_string_equal(h.text, "ACCUM_OFFSET: ACCUM_OFFSET AGPRs begin at register 16 of 8\n");
    decode_words("gfx900", 1 << 9, 0, 0, 0, &h);
    assert_string_equal(h.text, ": reserved bits 0x00000200 of bits 352 to 383 are set\n");
}

// Fields in bit order with the manual's names and meanings (KD-67, KD-69, KD-70).
static void descriptor_fields(void **state) {
    (void)state;
    uint8_t bytes[SW_DESCRIPTOR_SIZE] = {0};
    wr32(bytes + 48, 1 << 12 | 2 << 14 | 1 << 16 | 3 << 18 | 9);
    wr64(bytes + 16, (uint64_t)-256);
    sw_descriptor_field f = SW_INIT(sw_descriptor_field);
    unsigned previous = 0;
    struct text t = {0};
    for (size_t i = 0; sw_descriptor_field_at(bytes, processor("gfx1100"), i, &f); i++) {
        assert_true(i == 0 || f.bit > previous);
        previous = f.bit;
        if (f.value) text_printf(&t, "%s@%u+%u %s\n", f.name, f.bit, f.width, f.meaning);
    }
    assert_string_equal(t.data, "KERNEL_CODE_ENTRY_BYTE_OFFSET@128+64 entry point from the descriptor\n"
                                "GRANULATED_WORKITEM_VGPR_COUNT@384+6 40 VGPRs\n"
                                "FLOAT_ROUND_MODE_32@396+2 plus infinity\n"
                                "FLOAT_ROUND_MODE_16_64@398+2 minus infinity\n"
                                "FLOAT_DENORM_MODE_32@400+2 flush destination\n"
                                "FLOAT_DENORM_MODE_16_64@402+2 keep\n");
    text_free(&t);
}

// Where every field stands (KD-02 to KD-66), whether it must be 0, and on which of these processors it
// exists; written down apart from descriptor_fields.def.
static const char *const with_fields[] = {"gfx700",  "gfx906",  "gfx90a", "gfx1030",
                                          "gfx1100", "gfx1200", "gfx1250"};
static const struct {
    const char *name;
    unsigned bit, width;
    bool must_be_zero;
    const char *processors; // x: has it
} places[] = {
    {"GROUP_SEGMENT_FIXED_SIZE", 0, 32, 0, "xxxxxxx"},
    {"PRIVATE_SEGMENT_FIXED_SIZE", 32, 32, 0, "xxxxxxx"},
    {"KERNARG_SIZE", 64, 32, 0, "xxxxxxx"},
    {"KERNEL_CODE_ENTRY_BYTE_OFFSET", 128, 64, 0, "xxxxxxx"},
    {"ACCUM_OFFSET", 352, 6, 0, "..x...."},
    {"SHARED_VGPR_COUNT", 352, 4, 0, "...xx.."},
    {"INST_PREF_SIZE", 356, 6, 0, "....x.."},
    {"INST_PREF_SIZE", 356, 8, 0, ".....xx"},
    {"TRAP_ON_START", 362, 1, 1, "....x.."},
    {"TRAP_ON_END", 363, 1, 1, "....x.."},
    {"GLG_EN", 365, 1, 0, ".....xx"},
    {"NAMED_BAR_CNT", 366, 3, 0, "......x"},
    {"TG_SPLIT", 368, 1, 0, "..x...."},
    {"ENABLE_DYNAMIC_VGPR", 369, 1, 0, "......x"},
    {"IMAGE_OP", 383, 1, 0, "....xxx"},
    {"GRANULATED_WORKITEM_VGPR_COUNT", 384, 6, 0, "xxxxxxx"},
    {"GRANULATED_WAVEFRONT_SGPR_COUNT", 390, 4, 0, "xxx...."},
    {"GRANULATED_WAVEFRONT_SGPR_COUNT", 390, 4, 1, "...xxxx"},
    {"PRIORITY", 394, 2, 1, "xxxxxxx"},
    {"FLOAT_ROUND_MODE_32", 396, 2, 0, "xxxxxxx"},
    {"FLOAT_ROUND_MODE_16_64", 398, 2, 0, "xxxxxxx"},
    {"FLOAT_DENORM_MODE_32", 400, 2, 0, "xxxxxxx"},
    {"FLOAT_DENORM_MODE_16_64", 402, 2, 0, "xxxxxxx"},
    {"PRIV", 404, 1, 1, "xxxxxxx"},
    {"ENABLE_DX10_CLAMP", 405, 1, 0, "xxxxx.."},
    {"WG_RR_EN", 405, 1, 0, ".....xx"},
    {"DEBUG_MODE", 406, 1, 1, "xxxxxxx"},
    {"DISABLE_PERF", 407, 1, 1, ".....xx"},
    {"ENABLE_IEEE_MODE", 407, 1, 0, "xxxxx.."},
    {"BULKY", 408, 1, 1, "xxxxxxx"},
    {"CDBG_USER", 409, 1, 1, "xxxxxxx"},
    {"FP16_OVFL", 410, 1, 0, ".xxxxxx"},
    {"WGP_MODE", 413, 1, 0, "...xxx."},
    {"MEM_ORDERED", 414, 1, 0, "...xxxx"},
    {"FWD_PROGRESS", 415, 1, 0, "...xxxx"},
    {"ENABLE_PRIVATE_SEGMENT", 416, 1, 0, "xxxxxxx"},
    {"USER_SGPR_COUNT", 417, 5, 0, "xxxxxx."},
    {"USER_SGPR_COUNT", 417, 6, 0, "......x"},
    {"ENABLE_DYNAMIC_VGPR", 422, 1, 0, ".....x."},
    {"ENABLE_TRAP_HANDLER", 422, 1, 1, "xxxxx.."},
    {"ENABLE_SGPR_WORKGROUP_ID_X", 423, 1, 0, "xxxxxxx"},
    {"ENABLE_SGPR_WORKGROUP_ID_Y", 424, 1, 0, "xxxxxxx"},
    {"ENABLE_SGPR_WORKGROUP_ID_Z", 425, 1, 0, "xxxxxxx"},
    {"ENABLE_SGPR_WORKGROUP_INFO", 426, 1, 0, "xxxxxxx"},
    {"ENABLE_VGPR_WORKITEM_ID", 427, 2, 0, "xxxxxxx"},
    {"ENABLE_EXCEPTION_ADDRESS_WATCH", 429, 1, 1, "xxxxxxx"},
    {"ENABLE_EXCEPTION_MEMORY", 430, 1, 1, "xxxxxxx"},
    {"GRANULATED_LDS_SIZE", 431, 9, 1, "xxxxxxx"},
    {"ENABLE_EXCEPTION_IEEE_754_FP_INVALID_OPERATION", 440, 1, 0, "xxxxxxx"},
    {"ENABLE_EXCEPTION_FP_DENORMAL_SOURCE", 441, 1, 0, "xxxxxxx"},
    {"ENABLE_EXCEPTION_IEEE_754_FP_DIVISION_BY_ZERO", 442, 1, 0, "xxxxxxx"},
    {"ENABLE_EXCEPTION_IEEE_754_FP_OVERFLOW", 443, 1, 0, "xxxxxxx"},
    {"ENABLE_EXCEPTION_IEEE_754_FP_UNDERFLOW", 444, 1, 0, "xxxxxxx"},
    {"ENABLE_EXCEPTION_IEEE_754_FP_INEXACT", 445, 1, 0, "xxxxxxx"},
    {"ENABLE_EXCEPTION_INT_DIVIDE_BY_ZERO", 446, 1, 0, "xxxxxxx"},
    {"ENABLE_SGPR_PRIVATE_SEGMENT_BUFFER", 448, 1, 0, "xxxx..."},
    {"ENABLE_SGPR_DISPATCH_PTR", 449, 1, 0, "xxxxxxx"},
    {"ENABLE_SGPR_QUEUE_PTR", 450, 1, 0, "xxxxxxx"},
    {"ENABLE_SGPR_KERNARG_SEGMENT_PTR", 451, 1, 0, "xxxxxxx"},
    {"ENABLE_SGPR_DISPATCH_ID", 452, 1, 0, "xxxxxxx"},
    {"ENABLE_SGPR_FLAT_SCRATCH_INIT", 453, 1, 0, "xxxx..."},
    {"ENABLE_SGPR_PRIVATE_SEGMENT_SIZE", 454, 1, 0, "xxxxxxx"},
    {"ENABLE_WAVEFRONT_SIZE32", 458, 1, 0, "...xxxx"},
    {"USES_DYNAMIC_STACK", 459, 1, 0, "xxxxxxx"},
    {"KERNARG_PRELOAD_SPEC_LENGTH", 464, 7, 0, "..x...x"},
    {"KERNARG_PRELOAD_SPEC_OFFSET", 471, 9, 0, "..x...x"},
};

static void descriptor_places(void **state) {
    (void)state;
    static const uint8_t zeros[SW_DESCRIPTOR_SIZE];
    for (size_t p = 0; p < sizeof with_fields / sizeof *with_fields; p++) {
        size_t field = 0;
        sw_descriptor_field f = SW_INIT(sw_descriptor_field);
        for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
            if (places[i].processors[p] != 'x') continue;
            assert_true(sw_descriptor_field_at(zeros, processor(with_fields[p]), field++, &f));
            assert_string_equal(f.name, places[i].name);
            assert_int_equal(f.bit, places[i].bit);
            assert_int_equal(f.width, places[i].width);
            assert_int_equal(f.must_be_zero, places[i].must_be_zero);
        }
        assert_false(sw_descriptor_field_at(zeros, processor(with_fields[p]), field, &f));
    }
}

static const char *const cpus[] = {"gfx700",  "gfx803",        "gfx900",  "gfx906:sramecc+:xnack-",
                                   "gfx908",  "gfx90a:xnack+", "gfx942",  "gfx950",
                                   "gfx1010", "gfx1030",       "gfx1100", "gfx1150",
                                   "gfx1200", "gfx1201"};

// Kernels that run into each limit: VGPRs, SGPRs, LDS, none.
static const char hungry[] =
    "__kernel void few(__global int *a) { a[0] = 1; }\n"
    "__kernel void vgprs(__global int *a) { __asm volatile(\"\" ::: \"v100\"); a[0] = 1; }\n"
    "__kernel void more(__global int *a) { __asm volatile(\"\" ::: \"v47\"); a[0] = 1; }\n"
    "__kernel void sgprs(__global int *a) { __asm volatile(\"\" ::: \"s95\"); a[0] = 1; }\n"
    "__kernel __attribute__((reqd_work_group_size(64,1,1))) void lds(__global int *a) {\n"
    "  __local int t[3000]; t[a[0]] = 1; a[1] = t[a[2]]; }\n"
    "__kernel __attribute__((reqd_work_group_size(256,1,1))) void wide(__global int *a) {\n"
    "  __local int t[5000]; t[a[0]] = 1; a[1] = t[a[2]]; }\n"
    // group sizes that do not fill the SIMDs, with barriers and LDS of a compute unit or of two
    "#define K(name, size, lds) __kernel __attribute__((amdgpu_flat_work_group_size(size,size))) \\\n"
    "  void name(__global int *a) { __local int t[lds]; t[a[0]] = 1; a[1] = t[a[2]]; }\n"
    "K(g_a, 32, 64) K(g_b, 128, 64) K(g_c, 192, 64) K(g_d, 320, 64) K(g_e, 384, 64) K(g_f, 768, 64)\n"
    "K(g_g, 1024, 64) K(g_h, 128, 8250) K(g_i, 256, 8250) K(g_j, 768, 8250) K(g_k, 1024, 8250)\n";

// What clang says of occupancy, we say too.
static void occupancy(void **state) {
    (void)state;
    need("$CLANG");
    write_input("k.cl", hungry);
    for (size_t i = 0; i < sizeof cpus / sizeof *cpus * 2; i++) {
        const char *cpu = cpus[i / 2];
        const bool wgp = has(sw_processor_find(cpu, strcspn(cpu, ":")), CAP_wave32);
        if ((i % 2 && !wgp) || !clang_knows(cpu)) continue;
        run("$CLANG -w -x cl -cl-std=CL2.0 -target amdgcn-amd-amdhsa -mcpu=%s %s -nogpulib -O2 -c k.cl -o "
            "k.o"
            " -Rpass-analysis=kernel-resource-usage 2>&1 | sed -n 's/.*Name: \\([a-z_]*\\) .*/\\1/p;"
            "s/.*Occupancy [^:]*: \\([0-9]*\\).*/\\1/p' > occupancy.txt",
            cpu, i % 2 ? "-mcumode -mwavefrontsize64" : "");
        struct file f = open_input("k.o"), said = open_input("occupancy.txt");
        sw_object *o = open_object(&f);
        char *copy = strndup((const char *)said.data, said.size), *save = NULL;
        size_t compared = 0;
        for (char *name = strtok_r(copy, "\n", &save); name; name = strtok_r(NULL, "\n", &save)) {
            const sw_kernel *k = sw_object_find_kernel(o, name);
            unsigned waves = (unsigned)atoi(strtok_r(NULL, "\n", &save));
            if (!k) continue; // the kernel's body as a function
            const char *limit = NULL;
            unsigned ours = sw_kernel_occupancy(k, sw_object_target(o)->processor, 0, 0, &limit);
            // clang leaves out that SGPRs and LDS are handed out in granules, which may cost a wave
            bool granule = ours + 1 == waves && (!strcmp(limit, "sgprs") || !strcmp(limit, "lds"));
            if (ours != waves && !granule)
                fail_msg("%s %s: %u waves (%s), clang says %u", cpu, name, ours, limit, waves);
            compared++;
        }
        assert_int_equal(compared, 17);
        free(copy);
        sw_object_close(o);
        file_close(&f);
        file_close(&said);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(descriptors),         cmocka_unit_test(descriptor_bits),
        cmocka_unit_test(descriptor_problems), cmocka_unit_test(descriptor_fields),
        cmocka_unit_test(occupancy),           cmocka_unit_test(descriptor_places),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
