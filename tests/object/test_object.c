// SPDX-License-Identifier: MIT
// Reading code objects: tables, notes, metadata, kernels (OBJ-01 to OBJ-35, OBJ-55 to OBJ-59, META-01 to
// META-38). Inputs are compiled here by clang-22 and llvm-mc; what we read is compared with what LLVM's own
// tools read. Without these tools the tests concerned are skipped.
#include "object_support.h"

// ---- Against llvm-readelf --------------------------------------------------------------------------------

static const char *const cpus[] = {"gfx700",  "gfx803",        "gfx900",  "gfx906:sramecc+:xnack-",
                                   "gfx908",  "gfx90a:xnack+", "gfx942",  "gfx950",
                                   "gfx1010", "gfx1030",       "gfx1100", "gfx1150",
                                   "gfx1200", "gfx1201"};

// The metadata as YAML is what llvm-readelf prints, character by character.
static void compare_metadata(const char *file, const sw_object *o) {
    run("$LLVM_READELF --notes %s | sed -n '/^ *---$/,/^\\.\\.\\.$/p' | sed 's/^ *---/---/' > notes.txt",
        file);
    struct file f = open_input("notes.txt");
    struct text t = {0};
    print_yaml(&t, sw_object_metadata(o));
    assert_int_equal(t.length, f.size);
    assert_memory_equal(t.data, f.data, f.size);
    text_free(&t);
    file_close(&f);
}

// Every line that llvm-readelf prints of symbols and relocations is one of ours, in order.
static void compare_tables(const char *file, const sw_object *o) {
    run("$LLVM_READELF -sW %s > symbols.txt; $LLVM_READELF -rW %s > relocations.txt", file, file);
    struct file f = open_input("symbols.txt");
    char *copy = strndup((const char *)f.data, f.size), *save = NULL;
    sw_symbol_table table = SW_SYMTAB;
    size_t count = 0, index = 0, compared = 0;
    for (char *line = strtok_r(copy, "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
        unsigned long number, value, size;
        char type[16], binding[16], visibility[16], section[32], name[256] = "";
        if (!strncmp(line, "Symbol table", 12)) {
            table = strstr(line, ".dynsym") ? SW_DYNSYM : SW_SYMTAB;
            count = sw_object_symbol_count(o, table);
            index = 0;
        }
        if (sscanf(line, " %lu: %lx %li %15s %15s %15s %31s %255s", &number, &value, (long *)&size, type,
                   binding, visibility, section, name) < 7)
            continue;
        assert_true(index < count);
        const sw_symbol *s = sw_object_symbol(o, table, index++);
        assert_int_equal(s->value, value);
        assert_int_equal(s->size, size);
        if (strcmp(type, "SECTION")) assert_string_equal(s->name, name);
        assert_int_equal(s->type == STT_FUNC, !strcmp(type, "FUNC"));
        assert_int_equal(s->type == STT_OBJECT, !strcmp(type, "OBJECT"));
        assert_int_equal(s->binding == STB_LOCAL, !strcmp(binding, "LOCAL"));
        assert_int_equal(s->visibility == STV_PROTECTED, !strcmp(visibility, "PROTECTED"));
        assert_int_equal(s->section == SHN_UNDEF, !strcmp(section, "UND"));
        compared++;
    }
    assert_true(compared > 5);
    free(copy);
    file_close(&f);
    f = open_input("relocations.txt");
    copy = strndup((const char *)f.data, f.size);
    count = sw_object_relocation_count(o);
    index = 0;
    for (char *line = strtok_r(copy, "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
        unsigned long offset, info;
        char type[64];
        if (sscanf(line, "%lx %lx %63s", &offset, &info, type) != 3 || strncmp(type, "R_AMDGPU", 8)) continue;
        assert_true(index < count);
        assert_int_equal(sw_object_relocation(o, index)->offset, offset);
        assert_int_equal(sw_object_relocation(o, index)->symbol, info >> 32);
        assert_string_equal(name_of_relocation(sw_object_relocation(o, index)->type), type);
        index++;
    }
    assert_int_equal(index, count);
    free(copy);
    file_close(&f);
}

// OBJ-01 to OBJ-06, OBJ-09, OBJ-10, OBJ-15 to OBJ-19, OBJ-21, OBJ-31, OBJ-32, META-27, META-28.
static void versions(void **state) {
    (void)state;
    need_llvm_22();
    need("$CLANG");
    need("$LLVM_READELF");
    write_input("k.cl", opencl);
    for (size_t i = 0; i < sizeof cpus / sizeof *cpus; i++)
        for (int version = 4; version <= 6; version++) {
            compile("v", cpus[i], version);
            for (int linked = 0; linked < 2; linked++) {
                const char *name = linked ? "v.co" : "v.o";
                struct file f = open_input(name);
                sw_object *o = open_object(&f);
                const sw_header *h = sw_object_header(o);
                char target[SW_TARGET_TEXT];
                sw_target_format(sw_object_target(o), target);
                assert_string_equal(target, cpus[i]);
                assert_int_equal(h->code_object_version, version);
                assert_int_equal(h->type, linked ? ET_DYN : ET_REL);
                assert_int_equal(h->machine, 224);
                assert_int_equal(h->os_abi, 64);
                assert_int_equal(h->abi_version, version - 2);
                compare_metadata(name, o);
                compare_tables(name, o);
                const size_t kernels = sw_object_kernel_count(o);
                assert_int_equal(kernels, 3);
                assert_string_equal(sw_object_kernel(o, 0)->name, "add");
                assert_string_equal(sw_object_kernel(o, 1)->symbol, "copy.kd");
                sw_object_close(o);
                file_close(&f);
            }
        }
}

// TGT-60: generic processors carry their version in e_flags of V6.
static void generic(void **state) {
    (void)state;
    need("$CLANG");
    if (!clang_knows("gfx9-4-generic")) skip();
    write_input("k.cl", opencl);
    compile("g", "gfx9-4-generic", 6);
    struct file f = open_input("g.co");
    sw_object *o = open_object(&f);
    assert_string_equal(sw_processor_name(sw_object_target(o)->processor), "gfx9-4-generic");
    assert_int_equal(sw_object_header(o)->generic_version, 1);
    sw_object_close(o);
    file_close(&f);
}

// META-14, META-21, META-22, META-24, META-25, META-29 and KD-02, KD-04, KD-06 of one compiled object.
static void kernels(void **state) {
    (void)state;
    need("$CLANG");
    write_input("k.cl", opencl);
    compile("k", "gfx1100", 5);
    struct file f = open_input("k.co");
    sw_object *o = open_object(&f);
    const sw_kernel *k = sw_object_find_kernel(o, "copy");
    assert_non_null(k);
    assert_ptr_equal(k, sw_object_find_kernel(o, "copy.kd"));
    assert_null(sw_object_find_kernel(o, "cop"));
    assert_null(sw_object_find_kernel(o, "copz.kd"));
    assert_int_equal(k->reqd_workgroup_size[0], 64);
    assert_int_equal(k->max_flat_workgroup_size, 64);
    assert_int_equal(k->wavefront_size, 32);
    assert_int_equal(k->descriptor->wavefront_size, 32);
    assert_int_equal(k->group_segment_fixed_size, 128);
    assert_int_equal(k->descriptor->group_segment_fixed_size, 128);
    assert_int_equal(k->kernarg_segment_size, 16);
    assert_int_equal(k->descriptor->kernarg_size, 16);
    assert_int_equal(k->kernarg_segment_align, 8);
    assert_string_equal(k->language, "OpenCL C");
    assert_int_equal(k->language_version[0], 2);
    assert_true(k->workgroup_processor_mode);
    assert_int_equal(k->descriptor->wgp_mode, 1);
    assert_int_equal(k->descriptor->reserved_bits, 0);
    assert_int_equal(k->argument_count, 2);
    assert_true(sw_kernel_argument(k, 0)->is_restrict && !sw_kernel_argument(k, 0)->is_const &&
                !sw_kernel_argument(k, 0)->is_volatile);
    assert_true(sw_kernel_argument(k, 1)->is_volatile && sw_kernel_argument(k, 1)->is_const &&
                !sw_kernel_argument(k, 1)->is_restrict);
    assert_string_equal(sw_kernel_argument(k, 1)->type_name, "int*");
    assert_int_equal(sw_kernel_argument(k, 1)->address_space, SW_SPACE_GLOBAL);
    assert_int_equal(sw_kernel_argument(k, 1)->actual_access, SW_ACCESS_READ_ONLY); // META-26
    assert_int_equal(k->entry_offset % 256, 0);
    const sw_symbol *entry = sw_object_find_symbol(o, "copy"), *kd = sw_object_find_symbol(o, "copy.kd");
    assert_int_equal(entry->value, k->entry_offset);
    assert_int_equal(entry->size, k->code_size);
    assert_int_equal(kd->value, k->descriptor_offset);

    k = sw_object_find_kernel(o, "add");
    static const struct {
        sw_value_kind kind;
        unsigned offset, size;
        sw_pointer_space space;
    } add[] = {{SW_VALUE_GLOBAL_BUFFER, 0, 8, SW_SPACE_GLOBAL},
               {SW_VALUE_GLOBAL_BUFFER, 8, 8, SW_SPACE_GLOBAL},
               {SW_VALUE_BY_VALUE, 16, 4, SW_SPACE_UNKNOWN},
               {SW_VALUE_BY_VALUE, 20, 4, SW_SPACE_UNKNOWN},
               {SW_VALUE_DYNAMIC_SHARED_POINTER, 24, 4, SW_SPACE_LOCAL}};
    assert_int_equal(k->argument_count, 5);
    for (size_t i = 0; i < 5; i++) {
        assert_int_equal(sw_kernel_argument(k, i)->value_kind, add[i].kind);
        assert_int_equal(sw_kernel_argument(k, i)->offset, add[i].offset);
        assert_int_equal(sw_kernel_argument(k, i)->size, add[i].size);
        assert_int_equal(sw_kernel_argument(k, i)->address_space, add[i].space);
    }
    assert_int_equal(sw_kernel_argument(k, 4)->pointee_align, 4);
    k = sw_object_find_kernel(o, "picture");
    assert_int_equal(sw_kernel_argument(k, 0)->value_kind, SW_VALUE_IMAGE);
    assert_int_equal(sw_kernel_argument(k, 0)->access, SW_ACCESS_READ_ONLY);
    assert_int_equal(sw_kernel_argument(k, 1)->access, SW_ACCESS_WRITE_ONLY);
    assert_int_equal(sw_kernel_argument(k, 2)->value_kind, SW_VALUE_SAMPLER);
    sw_object_close(o);
    file_close(&f);
}

// META-30: an integer that is there when it is 1.
static void uniform(void **state) {
    (void)state;
    need("$CLANG");
    write_input("u.cl", "kernel void k(global int *p) { *p = 1; }\n");
    for (unsigned on = 0; on < 2; on++) {
        run("$CLANG -x cl -cl-std=CL2.0 -target amdgcn-amd-amdhsa -mcpu=gfx1100 -nogpulib "
            "-mcode-object-version=5 %s u.cl -o u.co",
            on ? "-cl-uniform-work-group-size" : "");
        struct file f = open_input("u.co");
        sw_object *o = open_object(&f);
        const sw_kernel *k = sw_object_find_kernel(o, "k");
        assert_non_null(k);
        assert_int_equal(k->uniform_work_group_size, on);
        sw_object_close(o);
        file_close(&f);
    }
}

// ---- V3 and V2 -------------------------------------------------------------------------------------------

static const char v3_source[] =
    ".amdgcn_target \"amdgcn-amd-amdhsa--gfx906%s\"\n"
    ".text\n.p2align 8\n.globl k\n.type k,@function\nk: s_endpgm\n.Le:\n.size k, .Le-k\n"
    ".rodata\n.p2align 6\n.amdhsa_kernel k\n .amdhsa_next_free_vgpr 5\n"
    " .amdhsa_next_free_sgpr 20\n.end_amdhsa_kernel\n"
    ".amdgpu_metadata\n---\namdhsa.version: [1, 0]\n"
    "amdhsa.printf: ['1:1:4:%%d\\n', '2:0:hello']\n"
    "vendor.thing: {.inner: [1, -5, 2.5, true]}\n"
    "amdhsa.kernels:\n"
    "  - .name: k\n    .symbol: k.kd\n    .kernarg_segment_size: 24\n"
    "    .group_segment_fixed_size: 0\n    .private_segment_fixed_size: 0\n"
    "    .kernarg_segment_align: 8\n    .wavefront_size: 64\n    .sgpr_count: 26\n"
    "    .vgpr_count: 5\n    .max_flat_workgroup_size: 256\n    .kind: init\n"
    "    .language: Assembler\n    .device_enqueue_symbol: k.handle\n"
    "    .workgroup_size_hint: [8, 4, 2]\n    .vec_type_hint: float4\n"
    "    .max_num_work_groups_y: 7\n    .sgpr_spill_count: 3\n"
    "    .args:\n"
    "      - {.size: 8, .offset: 0, .value_kind: hidden_global_offset_x}\n"
    "      - {.size: 8, .offset: 8, .value_kind: hidden_printf_buffer, .address_space: global}\n"
    "      - {.size: 8, .offset: 16, .value_kind: pipe, .is_pipe: true, .access: read_write}\n"
    "...\n.end_amdgpu_metadata\n";

// OBJ-08, META-13 to META-19, META-03, META-22: V3 by an old assembler.
static void version3(void **state) {
    (void)state;
    static const struct {
        const char *tool, *flags, *target;
    } tools[] = {
        {"llvm-mc-13", "--amdhsa-code-object-version=3", "+sram-ecc"},
        {"llvm-mc-14", "--amdhsa-code-object-version=3", "+sram-ecc"},
        {"llvm-mc-15", "--amdhsa-code-object-version=3", "+sram-ecc"},
    };
    unsigned tried = 0;
    for (size_t i = 0; i < sizeof tools / sizeof *tools; i++) {
        if (!has_tool(tools[i].tool)) continue;
        tried++;
        char source[4096];
        snprintf(source, sizeof source, v3_source, tools[i].target);
        write_input("3.s", source);
        run("%s -triple=amdgcn-amd-amdhsa -mcpu=gfx906 -mattr=+sramecc,-xnack %s -filetype=obj 3.s -o 3.o",
            tools[i].tool, tools[i].flags);
        struct file f = open_input("3.o");
        sw_object *o = open_object(&f);
        assert_int_equal(sw_object_header(o)->code_object_version, 3);
        assert_int_equal(sw_object_header(o)->flags, 0x22f);
        assert_int_equal(sw_object_target(o)->sramecc, SW_SETTING_ON);
        assert_int_equal(sw_object_target(o)->xnack, SW_SETTING_OFF);
        const sw_kernel *k = sw_object_find_kernel(o, "k");
        assert_non_null(k);
        assert_int_equal(k->kind, SW_KERNEL_INIT);
        assert_string_equal(k->language, "Assembler");
        assert_string_equal(k->device_enqueue_symbol, "k.handle");
        assert_string_equal(k->vec_type_hint, "float4");
        assert_int_equal(k->workgroup_size_hint[1], 4);
        assert_int_equal(k->max_num_workgroups[1], 7);
        assert_int_equal(k->sgpr_spill_count, 3);
        assert_int_equal(k->argument_count, 3);
        assert_int_equal(sw_kernel_argument(k, 0)->value_kind, SW_VALUE_HIDDEN_GLOBAL_OFFSET_X);
        assert_true(sw_value_kind_is_hidden(sw_kernel_argument(k, 1)->value_kind));
        assert_int_equal(sw_kernel_argument(k, 2)->value_kind, SW_VALUE_PIPE);
        assert_true(sw_kernel_argument(k, 2)->is_pipe);
        assert_int_equal(sw_kernel_argument(k, 2)->access, SW_ACCESS_READ_WRITE);
        size_t strings;
        const sw_node *s = sw_object_printf(o, &strings);
        assert_int_equal(strings, 2);
        assert_memory_equal(s[1].as.string.data, "2:0:hello", 9);
        const sw_node *inner = node_get(node_get(sw_object_metadata(o), "vendor.thing"), ".inner");
        assert_int_equal(inner->count, 4);
        assert_int_equal(inner->as.items[1].as.sint, -5);
        assert_int_equal(inner->as.items[2].kind, SW_NODE_NULL); // what these assemblers make of 2.5
        assert_true(inner->as.items[3].as.boolean);
        sw_object_close(o);
        file_close(&f);
    }
    if (!tried) skip();
}

// OBJ-22 to OBJ-30: a V2 object, made by hand, is described; loading it is refused.
static void version2(void **state) {
    (void)state;
    uint8_t b[256] = {0x7f, 'E', 'L', 'F', 2, 1, 1, 64, 0};
    wr16(b + 16, ET_DYN), wr16(b + 18, 224), wr32(b + 20, 1), wr64(b + 32, 64), wr16(b + 52, 64),
        wr16(b + 54, 56);
    wr16(b + 56, 1); // one PT_NOTE
    uint8_t *p = b + 64, *n = b + 120;
    wr32(p, PT_NOTE), wr64(p + 8, 120), wr64(p + 32, 20 + 8 - 8 + 16 + 27 + 1), wr64(p + 40, 64);
    wr32(n, 4), wr32(n + 4, 8), wr32(n + 8, 1), memcpy(n + 12, "AMD", 4), wr32(n + 16, 2), wr32(n + 20, 1);
    n += 24;
    wr32(n, 4), wr32(n + 4, 27), wr32(n + 8, 3), memcpy(n + 12, "AMD", 4);
    wr16(n + 16, 4), wr16(n + 18, 7), wr32(n + 20, 8), wr32(n + 24, 0), wr32(n + 28, 1);
    memcpy(n + 32, "AMD\0AMDGPU", 11);
    wr64(p + 32, 24 + 16 + 28);
    struct heard h = {0};
    sw_sink sink = {hear, &h};
    sw_object *o;
    if (sw_object_open(b, sizeof b, NULL, &o, &sink)) fail_msg("%s", h.text);
    char target[SW_TARGET_TEXT];
    sw_target_format(sw_object_target(o), target);
    assert_string_equal(target, "gfx801:xnack+");
    assert_int_equal(sw_object_header(o)->code_object_version, 2);
    struct text t = {0};
    print_object(&t, o, NULL);
    assert_non_null(strstr(t.data, "NT_AMD_HSA_CODE_OBJECT_VERSION (type 1), 8 bytes\n    version 2.1\n"));
    assert_non_null(strstr(t.data, "    ISA 8.0.1, vendor AMD, architecture AMDGPU\n"));
    text_free(&t);
    sw_load_options options = {.size = sizeof options};
    assert_int_equal(sw_object_load(o, &options, &sink), SW_OK);
    sw_object_close(o);
    wr32(n + 20, 10); // OBJ-30: no processor 10.0.1 in V2
    assert_int_equal(sw_object_open(b, sizeof b, NULL, &o, NULL), SW_BAD_INPUT);
    assert_null(o);
}

// META-02, META-04 to META-12: V2's YAML gives the same kernels as V3's MessagePack would.
static size_t v2_object(uint8_t *b, const char *yaml) {
    const size_t length = strlen(yaml), isa = 12 + 4 + 28;
    memset(b, 0, 256);
    memcpy(b,
           "\x7f"
           "ELF\2\1\1\x40",
           8);
    wr16(b + 16, ET_DYN), wr16(b + 18, 224), wr32(b + 20, 1), wr64(b + 32, 64);
    wr16(b + 52, 64), wr16(b + 54, 56), wr16(b + 56, 1);
    wr32(b + 64, PT_NOTE), wr64(b + 72, 120), wr64(b + 96, isa + 16 + length), wr64(b + 104, 4);
    uint8_t *n = b + 120;
    wr32(n, 4), wr32(n + 4, 27), wr32(n + 8, 3), memcpy(n + 12, "AMD", 4);
    wr16(n + 16, 4), wr16(n + 18, 7), wr32(n + 20, 9), wr32(n + 24, 0), wr32(n + 28, 0);
    memcpy(n + 32, "AMD\0AMDGPU", 11);
    n += isa;
    wr32(n, 4), wr32(n + 4, (uint32_t)length), wr32(n + 8, 10), memcpy(n + 12, "AMD", 4);
    memcpy(n + 16, yaml, length);
    return (size_t)(n + 16 - b) + length;
}
static const char v2_head[] = "---\nVersion: [ 1, 0 ]\nPrintf:\n  - '1:1:4:%d\\n'\nKernels:\n";
static const char v2_kernels[] =
    "  - Name: zeta\n    SymbolName: 'zeta@kd'\n    Language: OpenCL C\n    LanguageVersion: [ 2, 0 ]\n"
    "    Attrs:\n      ReqdWorkGroupSize: [ 64, 2, 1 ]\n      VecTypeHint: float4\n"
    "      RuntimeHandle: handle\n"
    "    Args:\n"
    "      - Name: n\n        TypeName: char\n        Size: 1\n        Align: 1\n        ValueKind: ByValue\n"
    "        ValueType: I8\n        AccQual: Default\n"
    "      - Size: 8\n        Align: 8\n        ValueKind: GlobalBuffer\n        AddrSpaceQual: Global\n"
    "        IsConst: true\n        IsVolatile: false\n        ActualAccQual: ReadOnly\n"
    "      - Size: 4\n        Align: 4\n        ValueKind: DynamicSharedPointer\n        PointeeAlign: 16\n"
    "        AddrSpaceQual: Local\n"
    "      - Size: 8\n        Align: 8\n        ValueKind: Pipe\n        AccQual: WriteOnly\n"
    "        IsPipe: true\n"
    "      - { Size: 8, Align: 8, ValueKind: HiddenGlobalOffsetX }\n"
    "      - { Size: 8, Align: 8, ValueKind: HiddenMultiGridSyncArg }\n"
    "    CodeProps:\n      KernargSegmentSize: 48\n      GroupSegmentFixedSize: 5\n"
    "      PrivateSegmentFixedSize: 12\n      KernargSegmentAlign: 8\n      WavefrontSize: 64\n"
    "      NumSGPRs: 14\n      NumVGPRs: 7\n      MaxFlatWorkGroupSize: 128\n      NumSpilledSGPRs: 3\n"
    "      NumSpilledVGPRs: 4\n"
    "  - Name: alpha\n    SymbolName: 'alpha@kd'\n    CodeProps:\n      KernargSegmentSize: 0\n"
    "      GroupSegmentFixedSize: 0\n      PrivateSegmentFixedSize: 0\n      KernargSegmentAlign: 4\n"
    "      WavefrontSize: 64\n      NumSGPRs: 1\n      NumVGPRs: 1\n      MaxFlatWorkGroupSize: 256\n...\n";

static void version2_metadata(void **state) {
    (void)state;
    static uint8_t b[8192];
    char yaml[4096];
    snprintf(yaml, sizeof yaml, "%s%s", v2_head, v2_kernels);
    struct heard h = {0};
    sw_sink sink = {hear, &h};
    sw_object *o;
    if (sw_object_open(b, v2_object(b, yaml), NULL, &o, &sink)) fail_msg("%s", h.text);
    assert_string_equal(h.text, "");
    size_t count;
    const sw_node *formats = sw_object_printf(o, &count);
    assert_int_equal(count, 1);
    assert_true(node_is(&formats[0], "1:1:4:%d\\n"));
    assert_string_equal(sw_object_kernel(o, 0)->name, "alpha");
    assert_int_equal(sw_object_kernel_count(o), 2);
    assert_null(sw_object_kernel(o, 2));
    const sw_kernel *k = sw_object_find_kernel(o, "zeta");
    assert_non_null(k);
    assert_string_equal(k->symbol, "zeta@kd");
    assert_string_equal(k->language, "OpenCL C");
    assert_int_equal(k->language_version[0], 2);
    assert_int_equal(k->reqd_workgroup_size[1], 2);
    assert_string_equal(k->vec_type_hint, "float4");
    assert_string_equal(k->device_enqueue_symbol, "handle");
    assert_int_equal(k->kernarg_segment_size, 48);
    assert_int_equal(k->group_segment_fixed_size, 5);
    assert_int_equal(k->private_segment_fixed_size, 12);
    assert_int_equal(k->kernarg_segment_align, 8);
    assert_int_equal(k->wavefront_size, 64);
    assert_int_equal(k->sgpr_count, 14);
    assert_int_equal(k->vgpr_count, 7);
    assert_int_equal(k->max_flat_workgroup_size, 128);
    assert_int_equal(k->sgpr_spill_count, 3);
    assert_int_equal(k->vgpr_spill_count, 4);
    static const struct {
        uint32_t offset, size;
        sw_value_kind kind;
    } arguments[] = {{0, 1, SW_VALUE_BY_VALUE},
                     {8, 8, SW_VALUE_GLOBAL_BUFFER},
                     {16, 4, SW_VALUE_DYNAMIC_SHARED_POINTER},
                     {24, 8, SW_VALUE_PIPE},
                     {32, 8, SW_VALUE_HIDDEN_GLOBAL_OFFSET_X},
                     {40, 8, SW_VALUE_HIDDEN_MULTIGRID_SYNC_ARG}};
    assert_int_equal(k->argument_count, 6);
    for (unsigned i = 0; i < 6; i++) {
        assert_int_equal(sw_kernel_argument(k, i)->offset, arguments[i].offset);
        assert_int_equal(sw_kernel_argument(k, i)->size, arguments[i].size);
        assert_int_equal(sw_kernel_argument(k, i)->value_kind, arguments[i].kind);
    }
    assert_string_equal(sw_kernel_argument(k, 0)->type_name, "char");
    assert_string_equal(sw_kernel_argument(k, 0)->value_type, "i8");
    assert_int_equal(sw_kernel_argument(k, 0)->access, SW_ACCESS_UNKNOWN);
    assert_true(sw_kernel_argument(k, 1)->is_const);
    assert_false(sw_kernel_argument(k, 1)->is_volatile);
    assert_int_equal(sw_kernel_argument(k, 1)->actual_access, SW_ACCESS_READ_ONLY);
    assert_int_equal(sw_kernel_argument(k, 2)->pointee_align, 16);
    assert_int_equal(sw_kernel_argument(k, 3)->access, SW_ACCESS_WRITE_ONLY);
    assert_true(sw_kernel_argument(k, 3)->is_pipe);
    sw_object_close(o);

    // Every cut of the text ends in a result or a message.
    const size_t whole = v2_object(b, yaml), length = strlen(yaml);
    for (size_t n = 0; n < length; n++) {
        const size_t size = v2_object(b, yaml) - n;
        wr32(b + 120 + 44 + 4, (uint32_t)(length - n));
        wr64(b + 96, 44 + 16 + length - n);
        assert_true(size <= whole);
        if (!sw_object_open(b, size, NULL, &o, NULL)) sw_object_close(o);
    }
    static const struct {
        const char *text, *message;
    } bad[] = {
        {"a: &x [ 1 ]\nb: *x\n", "V2 metadata: aliases are not allowed\n"},
        {"[[[[[[[[[[[[[[[[[[[[[[[[\n", "V2 metadata: nested too deeply\n"},
        {"Version: { a: b", "V2 metadata: did not find expected ',' or '}'\n"},
        {"Version: one\n", "V2 metadata: Version: expected a list\n"},
        {"Version: [ 1, -1 ]\n", "V2 metadata: Version: expected a number\n"},
        {"Kernels: 3\n", "V2 metadata: Kernels: expected a list\n"},
        {"Kernels: [ { Attrs: 3 } ]\n", "V2 metadata: Attrs: expected a map\n"},
        {"Kernels: [ { Args: [ { Size: 8 } ] } ]\n",
         "V2 metadata: Args: an argument without Size or Align\n"},
        {"Kernels: [ { Args: [ { Size: 8, Align: 3 } ] } ]\n",
         "V2 metadata: Align: expected a power of two\n"},
        {"Kernels: [ { Args: [ { IsConst: yes } ] } ]\n", "V2 metadata: IsConst: expected true or false\n"},
        {"Version: [ 1, 0 ]\nKernels: [ { Name: k } ]\n",
         "metadata of kernel 'k', .symbol: the key is missing\n"}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        h = (struct heard){0};
        assert_int_equal(sw_object_open(b, v2_object(b, bad[i].text), NULL, &o, &sink), SW_BAD_INPUT);
        assert_string_equal(h.text, bad[i].message);
    }
}

// ---- Metadata by hand ------------------------------------------------------------------------------------

// A V5 object that holds only these MessagePack bytes in its note.
static size_t with_metadata(uint8_t *b, const char *bytes, size_t length) {
    memset(b, 0, 160);
    memcpy(b,
           "\x7f"
           "ELF\2\1\1\x40\3",
           9);
    wr16(b + 16, ET_DYN), wr16(b + 18, 224), wr32(b + 20, 1), wr64(b + 32, 64), wr32(b + 48, 0x52f);
    wr16(b + 52, 64), wr16(b + 54, 56), wr16(b + 56, 1);
    wr32(b + 64, PT_NOTE), wr64(b + 72, 120), wr64(b + 96, 20 + length);
    wr32(b + 120, 7), wr32(b + 124, (uint32_t)length), wr32(b + 128, 32), memcpy(b + 132, "AMDGPU", 7);
    memcpy(b + 140, bytes, length);
    return 140 + length;
}

static const char *metadata_message(const char *bytes, size_t length) {
    static struct heard h;
    static uint8_t b[1024];
    h = (struct heard){0};
    sw_sink sink = {hear, &h};
    sw_object *o;
    if (!sw_object_open(b, with_metadata(b, bytes, length), NULL, &o, &sink)) sw_object_close(o);
    return h.text;
}
#define MESSAGE(bytes) metadata_message(bytes, sizeof(bytes) - 1)
#define VERSION                                                                                              \
    "\xae"                                                                                                   \
    "amdhsa.version\x92\1\2"
#define TARGET                                                                                               \
    "\xad"                                                                                                   \
    "amdhsa.target\xd9\x28"                                                                                  \
    "amdgcn-amd-amdhsa--gfx906:sramecc-:xnack"

static void metadata_errors(void **state) {
    (void)state;
    assert_string_equal(MESSAGE("\xc1"), "metadata: byte 0xc1 is not MessagePack\n");
    assert_string_equal(MESSAGE("\xdd\xff\xff\xff\xff"),
                        "metadata: more items are announced than bytes follow\n");
    assert_string_equal(MESSAGE("\xdf\x00\x00\x00\x01\x01"),
                        "metadata: more items are announced than bytes follow\n");
    assert_string_equal(MESSAGE("\xdb\xff\xff\xff\xff"
                                "abc"),
                        "metadata: the value is cut off\n");
    assert_string_equal(MESSAGE("\xcf\0\0"), "metadata: the value is cut off\n");
    assert_string_equal(MESSAGE("\x80\x01"), "metadata: bytes follow the value\n");
    char deep[64];
    memset(deep, 0x91, sizeof deep);
    deep[63] = 0;
    assert_string_equal(metadata_message(deep, sizeof deep), "metadata: nested too deeply\n");
    assert_string_equal(MESSAGE("\x01"), "metadata: expected a map\n");
    assert_string_equal(MESSAGE("\x80"), "amdhsa.version: expected an array of 2 numbers\n");
    assert_string_equal(MESSAGE("\x81\xae"
                                "amdhsa.version\x92\2\0"),
                        "amdhsa.version: version 2.0, expected 1.x\n");
    assert_non_null(strstr(MESSAGE("\x81" VERSION), "amdhsa.kernels: the key is missing"));
    assert_non_null(strstr(MESSAGE("\x82" VERSION "\xae"
                                   "amdhsa.kernels\1"),
                           "amdhsa.kernels: expected an array\n"));
    assert_non_null(strstr(MESSAGE("\x82" VERSION "\xad"
                                   "amdhsa.printf\x91\1"),
                           "amdhsa.printf: expected an array of strings\n"));
    assert_non_null(strstr(MESSAGE("\x82" VERSION "\xae"
                                   "amdhsa.kernels\x91\x80"),
                           "metadata of kernel 0, .name: the key is missing\n"));
    assert_non_null(strstr(MESSAGE("\x82" VERSION "\xae"
                                   "amdhsa.kernels\x91\x82\xa5.name\xa1k\xa7.symbol\1"),
                           "metadata of kernel 'k', .symbol: expected a string\n"));
    assert_non_null(
        strstr(MESSAGE("\x82" VERSION "\xae"
                       "amdhsa.kernels\x91\x84\xa5.name\xa1k\xa7.symbol\xa4k.kd"
                       "\xb5.kernarg_segment_size\x08\xa5.args\x91\x83\xa5.size\4\xa7.offset\6"
                       "\xab.value_kind\xa8"
                       "by_value"),
               "metadata of kernel 'k', argument 0, .offset: offset 6 and size 4 lie outside the kernarg"
               " segment of 8 bytes\n"));
}

// ---- URIs ------------------------------------------------------------------------------------------------

static const char *uri(const char *text) {
    static char out[256];
    struct heard h = {0};
    sw_sink sink = {hear, &h};
    sw_uri u = SW_INIT(sw_uri);
    if (sw_uri_parse(text, strlen(text), &u, &sink))
        snprintf(out, sizeof out, "%.200s", h.text);
    else if (u.is_memory)
        snprintf(out, sizeof out, "pid %lu %lu+%lu", u.process, u.offset, u.bytes);
    else
        snprintf(out, sizeof out, "%.200s %d %lu+%lu", u.path, u.has_offset, u.offset, u.bytes);
    return out;
}

// OBJ-55 to OBJ-59.
static void uris(void **state) {
    (void)state;
    assert_string_equal(uri("file:///dir1/dir2/file1"), "/dir1/dir2/file1 0 0+0");
    assert_string_equal(uri("file:///dir3/dir4/file2#offset=0x2000&size=3000"),
                        "/dir3/dir4/file2 1 8192+3000");
    assert_string_equal(uri("memory://1234#offset=0x20000&size=3000"), "pid 1234 131072+3000");
    assert_string_equal(uri("memory://1234?offset=010&size=0"), "pid 1234 8+0");
    assert_string_equal(uri("file:///a%20b%C3%A9"), "/a b\xc3\xa9 0 0+0");
    assert_string_equal(uri("memory://1234"), ": expected '#' or '?'\n");
    assert_string_equal(uri("memory://0x10#offset=0&size=1"), ": expected '#' or '?'\n");
    assert_string_equal(uri("file:///a#offset=1"), ": expected '&size='\n");
    assert_string_equal(uri("file:///a#offset=09&size=1"), ": expected a number\n");
    assert_string_equal(uri("file:///a#offset=0x10000000000000000&size=1"), ": the number exceeds 64 bits\n");
    assert_string_equal(uri("file:///a%2"), ": expected two hexadecimal digits behind '%'\n");
    assert_string_equal(uri("file:///a%00"), ": the path contains a NUL\n");
    assert_string_equal(uri("http://a"), ": expected 'file://' or 'memory://'\n");
    sw_uri u = {.size = sizeof u,
                .has_offset = true,
                .has_size = true,
                .offset = 0x2000,
                .bytes = 3000,
                .path = "/x y/\xe9~"};
    char out[64];
    assert_int_equal(sw_uri_format(&u, out, sizeof out), 42);
    assert_string_equal(out, "file:///x%20y/%E9~#offset=0x2000&size=3000");
    assert_int_equal(sw_uri_format(&u, out, 20), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(versions),          cmocka_unit_test(generic),         cmocka_unit_test(kernels),
        cmocka_unit_test(uniform),           cmocka_unit_test(version3),        cmocka_unit_test(version2),
        cmocka_unit_test(version2_metadata), cmocka_unit_test(metadata_errors), cmocka_unit_test(uris),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
