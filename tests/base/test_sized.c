// SPDX-License-Identifier: MIT
// Every public struct that states its size: none, too little, as in the first release, today's, more. What
// callers say is honoured or refused, and nothing behind their struct is read or written.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "rig.h"
#include "softwave/list.h"
#include "softwave/profile.h"
#include "softwave/bundle.h"
#include "softwave/image.h"
#include "softwave/isa.h"
#include "softwave/link.h"

static struct rig rig;
static const char registers[] = ".amdhsa_next_free_vgpr 4\n.amdhsa_next_free_sgpr 8\n";
static const char gcn[] = "amdgcn-amd-amdhsa-";
#define END(type, member) (offsetof(type, member) + sizeof(((type *)0)->member))

static int errors;
static void count_error(void *context, const sw_diagnostic *d) {
    (void)context;
    errors += d->severity == SW_SEVERITY_ERROR;
}
static const sw_sink sink = {.report = count_error};

static sw_dispatch dispatch(void) {
    return rig_dispatch(rig.object, rig.executable, "k", sw_device_alloc(rig.device, 64), 128, 64);
}

// ---- Options: a call with the struct at `p` ----

static void fill_asm(void *p) {
    *(sw_asm_options *)p = (sw_asm_options){.target = *sw_object_target(rig.object), .os = SW_OS_AMDHSA};
}
static sw_status call_asm(const void *p) {
    uint8_t *object;
    size_t size;
    const sw_status s = sw_assemble("s_endpgm\n", 9, p, &object, &size, &sink);
    assert_true(!object == !!s);
    sw_free(object);
    return s;
}
static uint8_t *image; // a code object
static size_t image_size;
static sw_status call_container(const void *p) {
    sw_container *c;
    const sw_status s = sw_container_open(image, image_size, p, &c, &sink);
    sw_container_close(c);
    return s;
}
static sw_status call_object(const void *p) {
    sw_object *o;
    const sw_status s = sw_object_open(image, image_size, p, &o, &sink);
    sw_object_close(o);
    return s;
}
static void fill_load(void *p) {
    static _Alignas(4096) uint8_t memory[16384];
    *(sw_load_options *)p =
        (sw_load_options){.memory = memory, .length = sizeof memory, .address = (uintptr_t)memory};
}
static sw_status call_load(const void *p) { return sw_object_load(rig.object, p, &sink); }
static sw_status call_bundle(const void *p) {
    const sw_bundle_part part = {"host-x86_64-unknown-linux-gnu", image, 16};
    uint8_t *out;
    size_t length;
    const sw_status s = sw_bundle_write(SW_BUNDLE_BINARY, &part, 1, p, &out, &length, &sink);
    if (!s) free(out);
    return s;
}
static void fill_link_input(void *p) {
    *(sw_link_input *)p = (sw_link_input){.name = "input", .bytes = image, .length = image_size};
}
static sw_status link_with(const void *input, const void *options) {
    uint8_t *out;
    size_t length;
    const sw_status s = sw_link(input, 1, options, &out, &length, &sink);
    sw_free(out);
    return s;
}
static sw_status call_link_input(const void *p) { return link_with(p, NULL); }
static sw_status call_link(const void *p) {
    sw_link_input in;
    fill_link_input(&in);
    in.size = sizeof in;
    return link_with(&in, p);
}
static void fill_device(void *p) {
    *(sw_device_options *)p = (sw_device_options){.target = *sw_object_target(rig.object), .threads = 1};
}
static sw_status call_device(const void *p) {
    sw_device *d;
    const sw_status s = sw_device_create(p, &d, &sink);
    sw_device_destroy(d);
    return s;
}
static void fill_dispatch(void *p) { *(sw_dispatch *)p = dispatch(); }
static sw_status call_run(const void *p) { return sw_device_run(rig.device, p, NULL, NULL, &sink); }
static sw_status call_resident(const void *p) {
    const bool works = sw_device_resident_groups(rig.device, p) > 0;
    errors += !works; // it has no sink
    return works ? SW_OK : SW_USAGE;
}
static sw_status call_hidden(const void *p) {
    uint8_t kernarg[4096];
    const sw_status s =
        sw_device_fill_hidden_arguments(rig.device, sw_object_find_kernel(rig.object, "k"), p, 0, kernarg);
    errors += s != SW_OK;
    return s;
}
static sw_status call_submit(const void *p) {
    const sw_dispatch q = dispatch();
    sw_job *job;
    const sw_status s = sw_device_submit(rig.device, &q, p, &job, &sink);
    return s ? s : sw_job_finish(job, NULL, NULL, &sink);
}
static void fill_memory(void *p) { *(sw_memory_options *)p = (sw_memory_options){.bytes = 64}; }
static sw_status call_memory(const void *p) {
    void *memory;
    return sw_device_allocate(rig.device, p, &memory, &sink);
}
static void fill_mode(void *p) {
    ((sw_isa_mode *)p)->size = sizeof(sw_isa_mode);
    sw_isa_mode_init(p, sw_object_target(rig.object)->processor);
}
static sw_status call_mode(const void *p) {
    uint8_t bytes[SW_INSN_MAX_BYTES];
    size_t size;
    return sw_insn_assemble(p, "s_nop 0", 7, bytes, &size, &sink);
}
static void fill_entry(void *p) {
    *(sw_bundle_entry *)p = (sw_bundle_entry){.kind = SW_BUNDLE_HOST, .triple = "x86_64", .triple_length = 6};
}
static sw_status call_entry(const void *p) {
    char text[SW_BUNDLE_ENTRY_TEXT];
    const bool works = sw_bundle_entry_format(p, text) > 0;
    errors += !works;
    return works ? SW_OK : SW_USAGE;
}

static bool take_nothing(void *context, const char *text, size_t length) {
    return !context && text && length;
}
static void fill_list(void *p) { *(sw_list_options *)p = (sw_list_options){.write = take_nothing}; }
static sw_status call_list(const void *p) { return sw_list_object(rig.object, p, &sink); }
static sw_status call_list_code(const void *p) {
    return sw_list_code(sw_object_target(rig.object)->processor, "", 0, 0, p, &sink);
}
static void fill_describe(void *p) {
    *(sw_describe_options *)p = (sw_describe_options){.write = take_nothing};
}
static sw_status call_describe(const void *p) { return sw_describe_object(rig.object, p, &sink); }

static void fill_profile(void *p) { *(sw_profile_options *)p = (sw_profile_options){.write = take_nothing}; }
static sw_status call_profile(const void *p) {
    sw_profile *profile;
    sw_status s = sw_profile_create(sw_object_target(rig.object)->processor, &profile, &sink);
    if (!s) s = sw_profile_write(profile, p, &sink);
    sw_profile_destroy(profile);
    return s;
}

// No image of gfx90a, which the rig has: another processor's.
static void fill_image(void *p) {
    *(sw_image *)p = (sw_image){
        .processor = sw_processor_find("gfx1030", 7), .dimension = SW_IMAGE_2D, .width = 4, .height = 4};
}
static sw_status call_image(const void *p) {
    uint32_t words[8];
    return sw_image_resource(p, 0, words, &sink);
}
static void fill_sampler(void *p) {
    *(sw_sampler *)p = (sw_sampler){.processor = sw_processor_find("gfx1030", 7)};
}
static sw_status call_sampler(const void *p) {
    uint32_t words[4];
    return sw_sampler_resource(p, words, &sink);
}

static const struct {
    const char *name;
    size_t first, size;
    void (*fill)(void *p);
    sw_status (*call)(const void *p);
} options[] = {
#define ROW(type, last, fill, call)                                                                          \
    { #type " " #call, END(type, last), sizeof(type), fill, call }
    ROW(sw_asm_options, triple, fill_asm, call_asm),
    ROW(sw_container_options, max_decompressed, NULL, call_container),
    ROW(sw_object_options, no_metadata, NULL, call_object),
    ROW(sw_load_options, context, fill_load, call_load),
    ROW(sw_bundle_options, ccob_version, NULL, call_bundle),
    ROW(sw_link_input, lazy, fill_link_input, call_link_input),
    ROW(sw_link_options, open_context, NULL, call_link),
    ROW(sw_device_options, level, fill_device, call_device),
    ROW(sw_dispatch, print_context, fill_dispatch, call_run),
    ROW(sw_dispatch, print_context, fill_dispatch, call_resident),
    ROW(sw_dispatch, print_context, fill_dispatch, call_hidden),
    ROW(sw_submit_options, context, NULL, call_submit),
    ROW(sw_memory_options, flags, fill_memory, call_memory),
    ROW(sw_isa_mode, real_true16, fill_mode, call_mode),
    ROW(sw_bundle_entry, triple_length, fill_entry, call_entry),
    ROW(sw_list_options, source_text, fill_list, call_list),
    ROW(sw_list_options, source_text, fill_list, call_list_code),
    ROW(sw_describe_options, json_depth, fill_describe, call_describe),
    ROW(sw_profile_options, base, fill_profile, call_profile),
    ROW(sw_image, levels, fill_image, call_image),
    ROW(sw_sampler, most_level, fill_sampler, call_sampler),
};

// The struct in memory of just that size, which AddressSanitizer watches.
static void check_options(size_t row, size_t size, char behind, sw_status expected) {
    const size_t known = options[row].size;
    char *full = calloc(1, known > size ? known : size), *own = calloc(1, size > 8 ? size : 8);
    if (options[row].fill) options[row].fill(full);
    memcpy(full, &size, sizeof size);
    memcpy(own, full, size > 8 ? size : 8);
    if (size > known) own[size - 1] = behind;
    errors = 0;
    const sw_status s = options[row].call(own);
    if (s != expected || errors != (s != SW_OK))
        fail_msg("%s: size %zu of %zu: status %d, %d errors", options[row].name, size, known, s, errors);
    free(full);
    free(own);
}
static void options_are_honoured_or_refused(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof options / sizeof *options; i++) {
        check_options(i, 0, 0, SW_USAGE);
        check_options(i, options[i].first - 1, 0, SW_USAGE);
        check_options(i, options[i].first, 0, SW_OK);
        check_options(i, options[i].size, 0, SW_OK);
        check_options(i, options[i].size + 24, 0, SW_OK);
        check_options(i, options[i].size + 24, 1, SW_USAGE); // a member of the future, set
        check_options(i, 1 << 20, 0, SW_USAGE);
    }
}

// ---- Results: a call that fills the struct at `p` ----

static sw_status get_triple(void *p) { return sw_triple_parse(gcn, strlen(gcn), p, &sink); }
static sw_status get_entry(void *p) { return sw_bundle_entry_parse("host-x86_64", 11, p, &sink); }
static sw_status get_mode(void *p) {
    const sw_status s = sw_isa_mode_init(p, sw_object_target(rig.object)->processor);
    errors += s != SW_OK;
    return s;
}
static sw_status get_insn(void *p) {
    sw_isa_mode mode;
    fill_mode(&mode);
    const sw_decode s = sw_insn_decode(&mode, "\0\0\x80\xbf", 4, p);
    errors += s != SW_DECODED;
    return s == SW_DECODED ? SW_OK : SW_USAGE;
}
static sw_status get_fault(void *p) {
    const sw_dispatch q = dispatch();
    return sw_device_run(rig.device, &q, p, NULL, &sink);
}
static sw_status get_counts(void *p) {
    const sw_dispatch q = dispatch();
    return sw_device_run(rig.device, &q, NULL, p, &sink);
}
static sw_status get_job_fault(void *p) {
    const sw_dispatch q = dispatch();
    sw_job *job;
    assert_int_equal(sw_device_submit(rig.device, &q, NULL, &job, NULL), SW_OK);
    const sw_status s = sw_job_finish(job, p, NULL, &sink);
    if (s) assert_int_equal(sw_job_finish(job, NULL, NULL, NULL), SW_OK); // it is still there
    return s;
}
static sw_status get_operation(void *p) {
    const size_t n = sw_executable_operations(rig.device, rig.executable, p, 1);
    errors += !n;
    return n ? SW_OK : SW_USAGE;
}
static sw_status get_wave(void *p) {
    sw_dispatch q = dispatch();
    q.waves = p;
    q.wave_capacity = 1;
    return sw_device_run(rig.device, &q, NULL, NULL, &sink);
}
static sw_status get_memory(void *p) {
    const sw_status s = sw_device_memory_info(rig.device, 0, p);
    errors += s != SW_OK;
    return s;
}
static sw_status get_place(void *p) {
    sw_object_place(rig.object, 0, p);
    return SW_OK;
}
static sw_status get_info(void *p) {
    sw_processor_get_info(sw_object_target(rig.object)->processor, p);
    return SW_OK;
}
static sw_status get_facts(void *p) {
    sw_insn_get_facts(sw_insn_info_at(0), p);
    return SW_OK;
}
static sw_status get_image(void *p) {
    sw_image i = {.size = sizeof i};
    fill_image(&i);
    i.size = sizeof i;
    return sw_image_measure(&i, p, &sink);
}
static const uint8_t descriptor[SW_DESCRIPTOR_SIZE];
static sw_status get_descriptor(void *p) {
    return sw_descriptor_decode(descriptor, sw_object_target(rig.object)->processor, p, &sink);
}
static sw_status get_field(void *p) {
    const bool there = sw_descriptor_field_at(descriptor, sw_object_target(rig.object)->processor, 0, p);
    errors += !there;
    return there ? SW_OK : SW_USAGE;
}
static sw_status get_uri(void *p) { return sw_uri_parse("file:///a", 9, p, &sink); }
static sw_status get_kernel(void *p) {
    sw_kernel_descriptor d = SW_INIT(sw_kernel_descriptor);
    return sw_kernel_with_descriptor(rig.object, sw_object_kernel(rig.object, 0), p, &d, &sink);
}

static const struct {
    const char *name;
    size_t first, size;
    bool silent; // cannot refuse
    sw_status (*call)(void *p);
} results[] = {
#undef ROW
#define ROW(type, last, silent, call)                                                                        \
    { #type " " #call, END(type, last), sizeof(type), silent, call }
    ROW(sw_triple, environment_length, false, get_triple),
    ROW(sw_bundle_entry, triple_length, false, get_entry),
    ROW(sw_isa_mode, real_true16, false, get_mode),
    {"sw_insn", sizeof(sw_insn), sizeof(sw_insn), false, get_insn},
    ROW(sw_fault, reason, false, get_fault),
    ROW(sw_fault, reason, false, get_job_fault),
    ROW(sw_counts, seconds, false, get_counts),
    ROW(sw_operation, approximate, false, get_operation),
    ROW(sw_wave_state, expected, false, get_wave),
    ROW(sw_image_memory, component_bits, false, get_image),
    ROW(sw_memory_info, rights, false, get_memory),
    ROW(sw_place, section, true, get_place),
    ROW(sw_processor_info, lds_granule, true, get_info),
    ROW(sw_insn_facts, access_bits, true, get_facts),
    ROW(sw_kernel_descriptor, reserved_bits, false, get_descriptor),
    ROW(sw_descriptor_field, meaning, false, get_field),
    ROW(sw_uri, path, false, get_uri),
    ROW(sw_kernel, metadata, false, get_kernel),
};

static void check_result(size_t row, size_t size, sw_status expected) {
    enum { ROOM = 8192 };
    static _Alignas(16) uint8_t p[ROOM];
    memset(p, 0x5a, sizeof p);
    memcpy(p, &size, sizeof size);
    errors = 0;
    const sw_status s = results[row].call(p);
    const char *name = results[row].name;
    if (s != expected || errors != (s != SW_OK))
        fail_msg("%s: size %zu of %zu: status %d, %d errors", name, size, results[row].size, s, errors);
    if (s) return;
    size_t now, least = size < 8 ? 8 : size < results[row].size ? size : results[row].size;
    memcpy(&now, p, sizeof now);
    if (now != size) fail_msg("%s: size %zu became %zu", name, size, now);
    for (size_t i = least; i < sizeof p; i++)
        if (p[i] != 0x5a) fail_msg("%s: size %zu: byte %zu written", name, size, i);
}
static void results_fill_what_the_caller_has(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof results / sizeof *results; i++) {
        const sw_status refused = results[i].silent ? SW_OK : SW_USAGE;
        check_result(i, 0, refused);
        check_result(i, results[i].first - 1, refused);
        check_result(i, results[i].first, SW_OK);
        check_result(i, results[i].size, SW_OK);
        check_result(i, results[i].size + 24, SW_OK);
    }
}

// ---- Arrays, whose first element states the size of all ----

static void arrays_of_another_size(void **state) {
    (void)state;
    struct longer {
        sw_wave_state state;
        uint64_t more;
    } waves[2] = {{.state = {.size = sizeof *waves}, .more = 7}, {.more = 8}};
    struct rig r;
    assert_true(rig_open(&r, "gfx906", "l: s_branch l\n", registers));
    sw_dispatch q = rig_dispatch(r.object, r.executable, "k", NULL, 128, 128);
    q.timeout = 0.05;
    q.waves = &waves[0].state;
    q.wave_capacity = 2;
    sw_fault fault = {.size = END(sw_fault, reason), .waves = 99};
    assert_int_equal(sw_device_run(r.device, &q, &fault, NULL, NULL), SW_FAULTED);
    assert_int_equal(fault.kind, SW_FAULT_TIMEOUT);
    assert_int_equal(fault.waves, 99); // behind the end of the caller's struct
    for (unsigned i = 0; i < 2; i++) {
        assert_int_equal(waves[i].state.size, sizeof *waves);
        assert_int_equal(waves[i].state.wave, i);
        assert_int_equal(waves[i].state.lanes, 64);
        assert_int_equal(waves[i].more, 7 + i);
    }
    struct {
        sw_operation operation;
        uint64_t more;
    } all[4] = {{.operation.size = sizeof *all}};
    assert_int_equal(sw_executable_operations(r.device, r.executable, &all[0].operation, 4), 1);
    assert_string_equal(all[0].operation.mnemonic, "s_branch");
    rig_close(&r);

    struct {
        sw_link_input input;
        uint64_t more;
    } in[2] = {{.input = {sizeof *in, "a", image, image_size, false, false}},
               {.input = {sizeof *in, "b", image, image_size, false, true}}};
    assert_int_equal(link_with(in, NULL), SW_OK);
    uint8_t *out;
    size_t length;
    assert_int_equal(sw_link(&in[0].input, 2, NULL, &out, &length, NULL), SW_OK);
    sw_free(out);
    in[1].input.size = sizeof(sw_link_input);
    assert_int_equal(sw_link(&in[0].input, 2, NULL, &out, &length, NULL), SW_USAGE);
    assert_null(out);
}

static int open_rig(void **state) {
    (void)state;
    static const char text[] = ".globl f\nf: s_endpgm\n";
    if (!rig_open(&rig, "gfx906", "s_nop 0\n s_endpgm\n", registers)) return -1;
    sw_asm_options o;
    fill_asm(&o);
    o.size = sizeof o;
    return sw_assemble(text, strlen(text), &o, &image, &image_size, NULL) ? -1 : 0;
}
static int close_rig(void **state) {
    (void)state;
    sw_free(image);
    rig_close(&rig);
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(options_are_honoured_or_refused),
        cmocka_unit_test(results_fill_what_the_caller_has),
        cmocka_unit_test(arrays_of_another_size),
    };
    return cmocka_run_group_tests(tests, open_rig, close_rig);
}
