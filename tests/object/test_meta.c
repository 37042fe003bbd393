// SPDX-License-Identifier: MIT
// The metadata checker against the tables (META-04 to META-38, PAL-02 to PAL-17): a tree with every key
// passes; without a required key, with a value of another type, or with a value that the key cannot have it
// is refused in a message that names the key. Which keys are required is written down here once more.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "meta/meta.h"

// ---- Trees ---------------------------------------------------------------------------------------------

static sw_node text(const char *s) { return (sw_node){.kind = SW_NODE_STRING, .as.string = {s, strlen(s)}}; }
static sw_node number(uint64_t n) { return (sw_node){.kind = SW_NODE_UINT, .as.uint = n}; }

static void *blocks[65536];
static size_t block_count;
static void *take(size_t size) {
    assert_true(block_count < sizeof blocks / sizeof *blocks);
    return blocks[block_count++] = calloc(1, size ? size : 1);
}
static int free_trees(void **state) {
    (void)state;
    while (block_count) free(blocks[--block_count]);
    return 0;
}

static sw_node list(sw_node item, unsigned count) {
    sw_node *items = take(count * sizeof *items);
    for (unsigned i = 0; i < count; i++) items[i] = item;
    return (sw_node){.kind = SW_NODE_ARRAY, .count = count, .as.items = items};
}

// What to change in the tree: `key` of `map`.
static struct change {
    const struct meta_key *key;
    enum { KEEP, LEAVE_OUT, OTHER_TYPE, OTHER_VALUE } how;
} change;

static sw_node whole_map(enum meta_map map, unsigned version);

static sw_node valid_value(const struct meta_key *k, unsigned version) {
    switch ((enum meta_type)k->type) {
    case META_TEXT:
        return strcmp(k->name, "amdhsa.target") ? text("text") : text("amdgcn-amd-amdhsa--gfx90a");
    case META_NUMBER:
        return number(k->rule == META_WAVE_SIZE                      ? 64
                      : !strcmp(k->name, ".kernarg_segment_size")    ? 4096
                      : !strcmp(k->name, ".max_flat_workgroup_size") ? 1024
                                                                     : 8);
    case META_FLAG: return (sw_node){.kind = SW_NODE_BOOL};
    case META_FLAG_OR_NUMBER: return number(1);
    case META_PAIR: {
        sw_node pair = list(number(1), 2);
        if (!strcmp(k->name, "amdhsa.version")) {
            ((sw_node *)pair.as.items)[1] = number(version <= 3 ? 0 : version == 4 ? 1 : 2);
        }
        return pair;
    }
    case META_TRIPLE: return list(number(4), 3);
    case META_HASH: return list(number(~0ull), 2);
    case META_TEXTS: return list(text("1:2:4:8:%d:%s"), 2);
    case META_CHOICE:
    case META_CHOICE_TEXT: return text(k->values[k->values[0][0] ? 0 : 1]);
    case META_CHOICES: return list(text(k->values[0]), 2);
    case META_MAP: return whole_map((enum meta_map)k->map_of, version);
    case META_MAPS: return list(whole_map((enum meta_map)k->map_of, version), 1);
    case META_NAMED_MAPS: {
        sw_node *items = take(2 * sizeof *items);
        items[0] = text("function");
        items[1] = whole_map((enum meta_map)k->map_of, version);
        return (sw_node){.kind = SW_NODE_MAP, .count = 1, .as.items = items};
    }
    case META_BYTES: return (sw_node){.kind = SW_NODE_BYTES, .as.string = {"\1\2", 2}};
    case META_REGISTERS: {
        sw_node *items = take(2 * sizeof *items);
        items[0] = items[1] = number(0x2e12);
        return (sw_node){.kind = SW_NODE_MAP, .count = 1, .as.items = items};
    }
    }
    return number(0);
}

// A value of the type that the key cannot have, or false when it can have any.
static bool wrong_value(const struct meta_key *k, sw_node *v) {
    switch ((enum meta_type)k->type) {
    case META_CHOICE:
    case META_CHOICE_TEXT: return *v = text("nonsense"), true;
    case META_CHOICES: return *v = list(text(".xs"), 1), true;
    case META_NUMBER:
        return *v = number(k->rule ? (k->rule == META_POWER_OF_TWO ? 12 : 0) : 1ull << 32), true;
    case META_FLAG_OR_NUMBER: return *v = number(2), true;
    case META_PAIR: return *v = list(number(1), 3), true;
    case META_TRIPLE:
        *v = list(number(1), 3);
        ((sw_node *)v->as.items)[1] = number(k->rule == META_ALL_OR_NONE ? 0 : 1ull << 32);
        return true;
    case META_HASH: return *v = list(number(1), 1), true;
    case META_TEXTS: return *v = list(text("1:2:4:%d"), 1), k->rule == META_PRINTF;
    case META_TEXT: return *v = (sw_node){.kind = SW_NODE_STRING, .as.string = {"a\0b", 3}}, true;
    default: return false;
    }
}

static sw_node whole_map(enum meta_map map, unsigned version) {
    sw_node *items = take(64 * sizeof *items);
    uint32_t count = 0;
    for (size_t i = 0; i < meta_key_count; i++) {
        const struct meta_key *k = &meta_keys[i];
        const bool changed = change.key == k;
        if (k->map != map || (version && k->since > version) || (changed && change.how == LEAVE_OUT))
            continue;
        if (k->only && map == META_ARGUMENT && !(k->only >> SW_VALUE_GLOBAL_BUFFER & 1)) {
            if (!changed) continue; // keys that exclude each other: the argument is a buffer
        }
        sw_node v = valid_value(k, version);
        if (!strcmp(k->name, ".value_kind")) v = text("global_buffer");
        if (changed && change.how == OTHER_TYPE) v = (sw_node){.kind = SW_NODE_REAL, .as.real = 1};
        if (changed && change.how == OTHER_VALUE) wrong_value(k, &v);
        items[2 * count] = text(k->name);
        items[2 * count++ + 1] = v;
    }
    return (sw_node){.kind = SW_NODE_MAP, .count = count, .as.items = items};
}

// ---- Checking ------------------------------------------------------------------------------------------

static struct heard {
    size_t errors, warnings;
    char last[640], all[16384];
} heard;
static void hear(void *context, const sw_node *at, sw_severity severity, const char *path,
                 const char *message) {
    (void)context;
    (void)at;
    if (severity == SW_SEVERITY_ERROR)
        heard.errors++;
    else
        heard.warnings++;
    snprintf(heard.last, sizeof heard.last, "%s: %s", path, message);
    size_t n = strlen(heard.all);
    snprintf(heard.all + n, sizeof heard.all - n, "%s\n", heard.last);
}

static bool check(const sw_node *root, unsigned version, bool as_text) {
    heard = (struct heard){0};
    const struct meta_check c = {.version = version,
                                 .text = as_text,
                                 .processor = sw_processor_find("gfx90a", 6),
                                 .target = "amdgcn-amd-amdhsa--gfx90a",
                                 .report = hear};
    return meta_check(root, &c);
}

static enum meta_map top_of(unsigned version) { return version ? META_TOP : META_PAL_TOP; }
static bool in_version(const struct meta_key *k, unsigned version) {
    return version ? k->map <= META_ARGUMENT && k->since <= version : k->map >= META_PAL_TOP;
}

static void whole_trees_pass(void **state) {
    (void)state;
    for (unsigned version = 3; version <= 7; version++) {
        const unsigned v = version == 7 ? 0 : version; // 0: PAL
        change = (struct change){0};
        sw_node root = whole_map(top_of(v), v);
        if (!check(&root, v, false)) fail_msg("V%u: %s", v, heard.all);
        assert_int_equal(heard.errors, 0);
        // gfx90a has no work-group processor mode; else nothing is to be said
        assert_int_equal(heard.warnings, v >= 5);
    }
}

static void every_key(void **state) {
    (void)state;
    unsigned refused = 0;
    for (unsigned version = 2; version <= 6; version++) {
        const unsigned v = version == 2 ? 0 : version;
        for (size_t i = 0; i < meta_key_count; i++) {
            const struct meta_key *k = &meta_keys[i];
            if (!in_version(k, v)) continue;
            sw_node ignored;
            for (int how = LEAVE_OUT; how <= OTHER_VALUE; how++) {
                if (how == LEAVE_OUT && k->need == META_OPTIONAL) continue;
                if (how == OTHER_VALUE && !wrong_value(k, &ignored)) continue;
                change = (struct change){k, how};
                sw_node root = whole_map(top_of(v), v);
                if (check(&root, v, false))
                    fail_msg("V%u, %s, change %d: nothing was wrong", v, k->name, how);
                if (!strstr(heard.all, k->name))
                    fail_msg("V%u, %s, change %d: %s", v, k->name, how, heard.all);
                refused++;
            }
            free_trees(NULL);
        }
    }
    assert_true(refused > 400);
}

// The tables' "Required" column, written down apart from keys.def (META-13, META-14, META-21, META-27, PAL-02
// ff.).
static void required_keys(void **state) {
    (void)state;
    static const struct {
        enum meta_map map;
        unsigned count;
        const char *names[12];
    } required[] = {
        {META_TOP, 3, {"amdhsa.version", "amdhsa.kernels", "amdhsa.target"}},
        {META_KERNEL,
         10,
         {".name", ".symbol", ".kernarg_segment_size", ".group_segment_fixed_size",
          ".private_segment_fixed_size", ".kernarg_segment_align", ".wavefront_size", ".sgpr_count",
          ".vgpr_count", ".max_flat_workgroup_size"}},
        {META_ARGUMENT, 3, {".size", ".offset", ".value_kind"}},
        {META_PAL_TOP, 2, {"amdpal.version", "amdpal.pipelines"}},
        {META_PIPELINE, 2, {".internal_pipeline_hash", ".registers"}},
        {META_SHADER, 2, {".api_shader_hash", ".hardware_mapping"}},
    };
    for (size_t m = 0; m < sizeof required / sizeof *required; m++) {
        unsigned found = 0;
        for (size_t i = 0; i < meta_key_count; i++) {
            const struct meta_key *k = &meta_keys[i];
            bool listed = false;
            for (unsigned n = 0; n < required[m].count; n++) listed |= !strcmp(required[m].names[n], k->name);
            if (k->map != required[m].map) continue;
            if (listed != (k->need != META_OPTIONAL)) fail_msg("%s", k->name);
            found += listed;
        }
        assert_int_equal(found, required[m].count);
    }
}

// Every key of every map, written down apart from keys.def.
static void all_keys(void **state) {
    (void)state;
    static const struct {
        enum meta_map map;
        bool v2;
        const char *names;
    } maps[] = {
        {META_TOP, false, " amdhsa.version amdhsa.target amdhsa.printf amdhsa.kernels "},
        {META_KERNEL, false,
         " .name .symbol .language .language_version .args .reqd_workgroup_size .workgroup_size_hint "
         ".vec_type_hint "
         ".device_enqueue_symbol .kernarg_segment_size .group_segment_fixed_size .private_segment_fixed_size "
         ".kernarg_segment_align .wavefront_size .sgpr_count .vgpr_count .agpr_count "
         ".max_flat_workgroup_size "
         ".sgpr_spill_count .vgpr_spill_count .kind .max_num_work_groups_x .max_num_work_groups_y "
         ".max_num_work_groups_z .uses_dynamic_stack .workgroup_processor_mode .uniform_work_group_size "
         ".cluster_dims "},
        {META_ARGUMENT, false,
         " .name .type_name .size .offset .value_kind .value_type .pointee_align .address_space .access "
         ".actual_access .is_const .is_restrict .is_volatile .is_pipe "},
        {META_PAL_TOP, false, " amdpal.version amdpal.pipelines "},
        {META_PIPELINE, false,
         " .name .type .internal_pipeline_hash .shaders .hardware_stages .shader_functions .registers "
         ".user_data_limit .spill_threshold .uses_viewport_array_index .es_gs_lds_size .nggSubgroupSize "
         ".num_interpolants .mesh_scratch_memory_size .api .api_create_info "},
        {META_SHADERS, false, " .compute .vertex .hull .domain .geometry .pixel "},
        {META_SHADER, false, " .api_shader_hash .hardware_mapping "},
        {META_STAGES, false, " .ls .hs .es .gs .vs .ps .cs "},
        {META_STAGE, false,
         " .entry_point .entry_point_symbol .scratch_memory_size .lds_size .perf_data_buffer_size "
         ".vgpr_count "
         ".agpr_count .sgpr_count .dynamic_vgpr_saved_count .vgpr_limit .sgpr_limit .threadgroup_dimensions "
         ".wavefront_size .uses_uavs .uses_rovs .writes_uavs .writes_depth .uses_append_consume "
         ".uses_prim_id "},
        {META_FUNCTION, false,
         " .api_shader_hash .scratch_memory_size .lds_size .vgpr_count .sgpr_count "
         ".stack_frame_size_in_bytes "
         ".shader_subtype "},
        {META_TOP, true, " Version Printf Kernels "},
        {META_KERNEL, true, " Name SymbolName Language LanguageVersion Args "},
        {META_ATTRIBUTES, true, " ReqdWorkGroupSize WorkGroupSizeHint VecTypeHint RuntimeHandle "},
        {META_ARGUMENT, true,
         " Name TypeName Size ValueKind ValueType PointeeAlign AddrSpaceQual AccQual ActualAccQual IsConst "
         "IsRestrict "
         "IsVolatile IsPipe "}, // and Align, which V3 has no key for
        {META_CODE_PROPS, true,
         " KernargSegmentSize GroupSegmentFixedSize PrivateSegmentFixedSize KernargSegmentAlign "
         "WavefrontSize "
         "NumSGPRs NumVGPRs MaxFlatWorkGroupSize NumSpilledSGPRs NumSpilledVGPRs "},
    };
    for (size_t m = 0; m < sizeof maps / sizeof *maps; m++) {
        size_t listed = 0, found = 0;
        for (const char *p = maps[m].names; *p; p++) listed += *p == ' ';
        for (size_t i = 0; i < meta_key_count; i++) {
            const struct meta_key *k = &meta_keys[i];
            char name[64];
            const char *own = maps[m].v2 ? k->v2 : k->name;
            if ((maps[m].v2 ? k->v2_map : k->map) != maps[m].map || !own) continue;
            snprintf(name, sizeof name, " %s ", own);
            if (!strstr(maps[m].names, name)) fail_msg("%s is in no list", own);
            found++;
        }
        if (found + 1 != listed) fail_msg("%zu keys of %zu:%s", found, listed - 1, maps[m].names);
    }
}

// Keys and values by name, V2 and V3 (META-07, META-08): each pair of spellings is one thing.
static void names_of_v2(void **state) {
    (void)state;
    static const char *const pairs[][2] = {{"ByValue", "by_value"},
                                           {"DynamicSharedPointer", "dynamic_shared_pointer"},
                                           {"HiddenGlobalOffsetX", "hidden_global_offset_x"},
                                           {"HiddenMultiGridSyncArg", "hidden_multigrid_sync_arg"},
                                           {"HiddenPrintfBuffer", "hidden_printf_buffer"}};
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        const int a = meta_choice(meta_value_kinds, pairs[i][0], strlen(pairs[i][0]), true);
        assert_true(a > 0);
        assert_int_equal(a, meta_choice(meta_value_kinds, pairs[i][1], strlen(pairs[i][1]), false));
        assert_int_equal(meta_choice(meta_value_kinds, pairs[i][0], strlen(pairs[i][0]), false), -1);
        assert_int_equal(meta_choice(meta_value_kinds, pairs[i][1], strlen(pairs[i][1]), true), -1);
    }
    assert_int_equal(meta_choice(meta_accesses, "ReadOnly", 8, true), SW_ACCESS_READ_ONLY);
    assert_int_equal(meta_choice(meta_address_spaces, "Region", 6, true), SW_SPACE_REGION);
    assert_int_equal(meta_choice(meta_languages, "OpenCL C++", 10, true), 1);
    assert_int_equal(meta_choice(meta_value_kinds, "", 0, false), -1);
    assert_non_null(meta_find(META_CODE_PROPS, "NumVGPRs", 8, true));
    assert_null(meta_find(META_KERNEL, "NumVGPRs", 8, true));
}

// One change of a value in a tree for code object V4: the message that it must give, "" for none.
static void meaning(void **state) {
    (void)state;
    static const struct {
        enum meta_map map;
        const char *key, *value, *message;
    } cases[] = {
        {META_TOP, "amdhsa.target", "amdgcn-amd-amdhsa--gfx908", "not the target"},
        {META_TOP, "amdhsa.target", "gfx90a", "not the target"},
        {META_ARGUMENT, ".value_kind", "hidden_grid_dims", "is of code object V5"},
        {META_ARGUMENT, ".value_kind", "by_value", "no such key"},
        {META_KERNEL, ".language", "Assembler", ""},
    };
    change = (struct change){0};
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        sw_node root = whole_map(META_TOP, 4);
        sw_node *map = &root;
        const sw_node *kernels = meta_get(map, "amdhsa.kernels");
        if (cases[c].map != META_TOP) map = (sw_node *)&kernels->as.items[0];
        if (cases[c].map == META_ARGUMENT) map = (sw_node *)&meta_get(map, ".args")->as.items[0];
        *(sw_node *)meta_get(map, cases[c].key) = text(cases[c].value);
        check(&root, 4, false);
        if (!strstr(heard.all, cases[c].message)) fail_msg("%s: %s", cases[c].value, heard.all);
        if (!*cases[c].message) assert_string_equal(heard.all, "");
    }
    // another version's number
    sw_node root = whole_map(META_TOP, 4);
    assert_false(check(&root, 5, false));
    assert_non_null(strstr(heard.all, "1.1, expected 1.2 in code object V5"));
    // the argument ends behind the kernarg segment
    root = whole_map(META_TOP, 4);
    const sw_node *kernel = &meta_get(&root, "amdhsa.kernels")->as.items[0];
    *(sw_node *)meta_get(&meta_get(kernel, ".args")->as.items[0], ".offset") = number(4090);
    assert_false(check(&root, 4, false));
    assert_non_null(
        strstr(heard.all, "kernel 'text', argument 0, .offset: offset 4090 and size 8 lie outside"));
    // a key twice, a key that is no text, an unknown key, another vendor's
    sw_node twice[] = {
        text("amdhsa.version"), list(number(1), 2), text("amdhsa.version"), number(1), number(7), number(7),
        text("amdhsa.x"),       number(1),          text("acme.x"),         number(1)};
    root = (sw_node){.kind = SW_NODE_MAP, .count = 5, .as.items = twice};
    assert_false(check(&root, 4, false));
    assert_non_null(strstr(heard.all, "amdhsa.version: the key is there twice"));
    assert_non_null(strstr(heard.all, "a key is not a string"));
    assert_non_null(strstr(heard.all, "amdhsa.x: unknown key"));
    assert_null(strstr(heard.all, "acme"));
    root = text("no map");
    assert_false(check(&root, 4, false));
    assert_non_null(strstr(heard.all, "expected a map"));
}

// Scalars of YAML are text and are what they read as.
static void as_text(void **state) {
    (void)state;
    static const struct {
        const char *text;
        bool is_number;
        uint64_t value;
    } numbers[] = {{"0", true, 0},     {"64", true, 64}, {"0x40", true, 64}, {"", false, 0},
                   {"-1", false, 0},   {"6a", false, 0}, {"1.0", false, 0},  {" 1", false, 0},
                   {"true", false, 0}, {"0xg", false, 0}};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        sw_node n = text(numbers[i].text);
        uint64_t v = 0;
        assert_false(meta_number(&n, false, &v));
        assert_int_equal(meta_number(&n, true, &v), numbers[i].is_number);
        if (numbers[i].is_number) assert_int_equal(v, numbers[i].value);
    }
    bool on;
    sw_node t = text("true"), f = text("FALSE"), other = text("yes");
    assert_true(meta_flag(&t, true, &on) && on);
    assert_true(meta_flag(&f, true, &on) && !on);
    assert_false(meta_flag(&other, true, &on));
    assert_false(meta_flag(&t, false, &on));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(whole_trees_pass, free_trees),
        cmocka_unit_test_teardown(every_key, free_trees),
        cmocka_unit_test_teardown(required_keys, free_trees),
        cmocka_unit_test_teardown(names_of_v2, free_trees),
        cmocka_unit_test_teardown(meaning, free_trees),
        cmocka_unit_test_teardown(as_text, free_trees),
        cmocka_unit_test(all_keys),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
