// SPDX-License-Identifier: MIT
// Forms of files beside linked and relocatable objects: core files with the state of GPUs (CORE-02 to
// CORE-10), and the names of PAL's registers and encodings (PAL-18 to PAL-28).
#include <elf.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/bytes.h"
#include "object/object.h"
#include "object/print.h"

enum {
    NOTE = 120,
    STATE = NOTE + 20,
    RUNTIME = 16,
    AGENT = 144,
    QUEUE = 64,
    SIZE = STATE + 32 + RUNTIME + AGENT + QUEUE
};

// A core file: header, one PT_NOTE, one note.
static void make_core(uint8_t b[SIZE], uint32_t flags) {
    memset(b, 0, SIZE);
    Elf64_Ehdr h = {.e_ident = {0x7f, 'E', 'L', 'F', ELFCLASS64, ELFDATA2LSB, EV_CURRENT, OSABI_HSA, 3},
                    .e_type = ET_CORE,
                    .e_machine = EM_AMDGPU,
                    .e_version = 1,
                    .e_phoff = 64,
                    .e_flags = flags,
                    .e_ehsize = 64,
                    .e_phentsize = 56,
                    .e_phnum = 1};
    Elf64_Phdr p = {.p_type = PT_NOTE, .p_offset = NOTE, .p_filesz = SIZE - NOTE, .p_align = 4};
    memcpy(b, &h, sizeof h);
    memcpy(b + 64, &p, sizeof p);
    wr32(b + NOTE, 7);
    wr32(b + NOTE + 4, SIZE - STATE);
    wr32(b + NOTE + 8, 33);
    memcpy(b + NOTE + 12, "AMDGPU", 7);
    uint8_t *s = b + STATE;
    wr32(s, 1);
    wr32(s + 4, 17);
    wr64(s + 8, RUNTIME);
    wr32(s + 16, 1);
    wr32(s + 20, AGENT);
    wr32(s + 24, 1);
    wr32(s + 28, QUEUE);
    uint8_t *a = s + 32 + RUNTIME, *q = a + AGENT;
    wr32(a + 56, 0xbeef);
    wr32(a + 88, 90010);
    wr32(a + 92, 440);
    wr32(a + 96, 8);
    wr32(q + 40, 5);
    wr32(q + 44, 0xbeef);
    wr32(q + 48, 65536);
    wr64(q + 8, 0x7f0000000000);
}

static void hear(void *context, const sw_diagnostic *d) {
    (void)context;
    print_message("%s: %s\n", d->at.within ? d->at.within : "", d->message);
}

static char *print_core(uint8_t *b) {
    const sw_sink sink = {hear, NULL};
    sw_object *o;
    struct text t = {0};
    assert_int_equal(sw_object_open(b, SIZE, NULL, &o, &sink), SW_OK);
    print_object(&t, o, NULL);
    struct text json = {0};
    struct json j = {.out = &json};
    json_open(&j, NULL, '{');
    print_object_json(&j, o, NULL);
    json_close(&j, '}');
    assert_non_null(strstr(json.data, "\"ET_CORE\""));
    text_free(&json);
    sw_object_close(o);
    return t.data;
}

static void expect_core(uint8_t *b, const char *text) {
    char *printed = print_core(b);
    if (!strstr(printed, text)) fail_msg("no '%s' in %s", text, printed);
    free(printed);
}

static void core_files(void **state) {
    (void)state;
    uint8_t b[SIZE];
    make_core(b, 0x3f);
    expect_core(b, "ET_CORE");
    expect_core(b, "for gfx90a");
    expect_core(b, "NT_AMDGPU_KFD_CORE_STATE");
    expect_core(b, "driver interface 1.17, 1 agents, 1 queues");
    expect_core(b, "agent 0: GPU 0xbeef, gfx90a, device 0x0000, 440 SIMDs of 8 waves");
    expect_core(b, "queue 5 of GPU 0xbeef: 65536 bytes at 0x7f0000000000");
    make_core(b, 0); // the GPU is in the notes only
    expect_core(b, "for unknown");
    make_core(b, 0x3f); // of the host, GPUs' state beside its own
    wr16(b + 18, EM_X86_64);
    b[EI_OSABI] = 0;
    expect_core(b, "queue 5 of GPU 0xbeef");
    sw_container *c;
    assert_int_equal(sw_container_open(b, SIZE, NULL, &c, NULL), SW_OK);
    size_t count;
    assert_true(sw_container_entries(c, &count)->is_device);
    sw_container_close(c);
    // parts that do not fit
    static const struct {
        unsigned at;
        uint32_t value;
        const char *message;
    } bad[] = {{8, 12, "not a multiple of 8"},          {8, 4096, "the runtime's state runs past"},
               {16, 0x10000000, "the agents run past"}, {20, 0xfffffff8, "the agents run past"},
               {24, 2, "the queues run past"},          {28, 0xfffffff8, "the queues run past"}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        make_core(b, 0x3f);
        wr32(b + STATE + bad[i].at, bad[i].value);
        expect_core(b, bad[i].message);
    }
    make_core(b, 0x3f);
    wr32(b + NOTE + 4, 20);
    wr64(b + 64 + 32, 20 + 20); // and the segment ends with it
    expect_core(b, "shorter than its header");
    // entries too small for what is known of them are counted only
    make_core(b, 0x3f);
    wr32(b + STATE + 20, 8);
    expect_core(b, "1 agents");
}

static void pal_names(void **state) {
    (void)state;
    static const struct {
        uint32_t number;
        const char *name;
    } registers[] = {{0x2c0a, "SPI_SHADER_PGM_RSRC1_PS"},   {0x2c0b, "SPI_SHADER_PGM_RSRC2_PS"},
                     {0x2c0c, "SPI_SHADER_USER_DATA_PS_0"}, {0x2c2b, "SPI_SHADER_USER_DATA_PS_31"},
                     {0x2c8a, "SPI_SHADER_PGM_RSRC1_GS"},   {0x2d0a, "SPI_SHADER_PGM_RSRC1_HS"},
                     {0x2d4c, "SPI_SHADER_USER_DATA_LS_0"}, {0x2e12, "COMPUTE_PGM_RSRC1"},
                     {0x2e4f, "COMPUTE_USER_DATA_15"},      {0xa1b3, "SPI_PS_INPUT_ENA"},
                     {0xa1b0, "SPI_PS_INPUT_CNTL_31"},      {0x10000021, "LS_NUM_USED_VGPRS"},
                     {0x10000027, "CS_NUM_USED_VGPRS"},     {0x1000002e, "CS_NUM_USED_SGPRS"},
                     {0x1000004a, "CS_SCRATCH_SIZE"},       {0x2c81, "SPI_SHADER_PGM_RSRC4_GS"}};
    char name[48];
    for (size_t i = 0; i < sizeof registers / sizeof *registers; i++) {
        assert_true(pal_register_name(registers[i].number, name));
        assert_string_equal(name, registers[i].name);
    }
    assert_false(pal_register_name(0, name));
    assert_false(pal_register_name(0xffffffff, name));
    assert_false(pal_register_name(0x2c3f, name));
    static const struct {
        uint32_t value;
        const char *name;
    } encodings[] = {
        {0, "user data entry 0"},       {127, "user data entry 127"},   {0x10000000, "GlobalTable"},
        {0x10000001, "PerShaderTable"}, {0x10000006, "Workgroup"},      {0x1000000a, "EsGsLdsSize"},
        {0x10000010, "UavExportTable"}, {0x10000011, "NggCullingData"}, {0x10000015, "FetchShaderPtr"}};
    for (size_t i = 0; i < sizeof encodings / sizeof *encodings; i++) {
        assert_true(pal_user_data(encodings[i].value, name));
        assert_string_equal(name, encodings[i].name);
    }
    // PAL-28: the gaps
    static const uint32_t gaps[] = {128,        0x10000007, 0x10000008, 0x10000009, 0x1000000e,
                                    0x10000012, 0x10000014, 0x10000016, 0xffffffff};
    for (size_t i = 0; i < sizeof gaps / sizeof *gaps; i++) assert_false(pal_user_data(gaps[i], name));
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(core_files), cmocka_unit_test(pal_names)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
