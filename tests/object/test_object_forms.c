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
#include "object/code/object.h"
#include "object/print/print.h"

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
    assert_true(sw_container_entry(c, 0)->is_device);
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
    } registers[] = {{0x2c06, "SPI_SHADER_PGM_CHKSUM_PS"},
                     {0x2c07, "SPI_SHADER_PGM_RSRC3_PS"},
                     {0x2c08, "SPI_SHADER_PGM_LO_PS"},
                     {0x2c09, "SPI_SHADER_PGM_HI_PS"},
                     {0x2c0a, "SPI_SHADER_PGM_RSRC1_PS"},
                     {0x2c0b, "SPI_SHADER_PGM_RSRC2_PS"},
                     {0x2c46, "SPI_SHADER_PGM_CHKSUM_VS"},
                     {0x2c47, "SPI_SHADER_PGM_RSRC3_VS"},
                     {0x2c48, "SPI_SHADER_PGM_LO_VS"},
                     {0x2c49, "SPI_SHADER_PGM_HI_VS"},
                     {0x2c4a, "SPI_SHADER_PGM_RSRC1_VS"},
                     {0x2c4b, "SPI_SHADER_PGM_RSRC2_VS"},
                     {0x2c80, "SPI_SHADER_PGM_CHKSUM_GS"},
                     {0x2c81, "SPI_SHADER_PGM_RSRC4_GS"},
                     {0x2cc6, "SPI_SHADER_PGM_CHKSUM_ES"},
                     {0x2cc7, "SPI_SHADER_PGM_RSRC3_ES"},
                     {0x2cc8, "SPI_SHADER_PGM_LO_ES"},
                     {0x2cc9, "SPI_SHADER_PGM_HI_ES"},
                     {0x2cca, "SPI_SHADER_PGM_RSRC1_ES"},
                     {0x2ccb, "SPI_SHADER_PGM_RSRC2_ES"},
                     {0x2d06, "SPI_SHADER_PGM_CHKSUM_HS"},
                     {0x2d07, "SPI_SHADER_PGM_RSRC3_HS"},
                     {0x2d08, "SPI_SHADER_PGM_LO_HS"},
                     {0x2d09, "SPI_SHADER_PGM_HI_HS"},
                     {0x2d0a, "SPI_SHADER_PGM_RSRC1_HS"},
                     {0x2d0b, "SPI_SHADER_PGM_RSRC2_HS"},
                     {0x2d46, "SPI_SHADER_PGM_CHKSUM_LS"},
                     {0x2d47, "SPI_SHADER_PGM_RSRC3_LS"},
                     {0x2d48, "SPI_SHADER_PGM_LO_LS"},
                     {0x2d49, "SPI_SHADER_PGM_HI_LS"},
                     {0x2d4a, "SPI_SHADER_PGM_RSRC1_LS"},
                     {0x2d4b, "SPI_SHADER_PGM_RSRC2_LS"},
                     {0x2e00, "COMPUTE_DISPATCH_INITIATOR"},
                     {0x2e07, "COMPUTE_NUM_THREAD_X"},
                     {0x2e08, "COMPUTE_NUM_THREAD_Y"},
                     {0x2e09, "COMPUTE_NUM_THREAD_Z"},
                     {0x2e0c, "COMPUTE_PGM_LO"},
                     {0x2e0d, "COMPUTE_PGM_HI"},
                     {0x2e12, "COMPUTE_PGM_RSRC1"},
                     {0x2e13, "COMPUTE_PGM_RSRC2"},
                     {0x2e18, "COMPUTE_TMPRING_SIZE"},
                     {0x2e24, "COMPUTE_USER_ACCUM_0"},
                     {0x2e27, "COMPUTE_USER_ACCUM_3"},
                     {0x2e28, "COMPUTE_PGM_RSRC3"},
                     {0x2e2a, "COMPUTE_SHADER_CHKSUM"},
                     {0x2e40, "COMPUTE_USER_DATA_0"},
                     {0x2e4f, "COMPUTE_USER_DATA_15"},
                     {0xa08f, "CB_SHADER_MASK"},
                     {0xa191, "SPI_PS_INPUT_CNTL_0"},
                     {0xa1b0, "SPI_PS_INPUT_CNTL_31"},
                     {0xa1b1, "SPI_VS_OUT_CONFIG"},
                     {0xa1b3, "SPI_PS_INPUT_ENA"},
                     {0xa1b4, "SPI_PS_INPUT_ADDR"},
                     {0xa1b6, "SPI_PS_IN_CONTROL"},
                     {0xa1ba, "SPI_TMPRING_SIZE"},
                     {0xa1c2, "SPI_SHADER_IDX_FORMAT"},
                     {0xa1c3, "SPI_SHADER_POS_FORMAT"},
                     {0xa1c4, "SPI_SHADER_Z_FORMAT"},
                     {0xa1c5, "SPI_SHADER_COL_FORMAT"},
                     {0xa203, "DB_SHADER_CONTROL"},
                     {0xa204, "PA_CL_CLIP_CNTL"},
                     {0xa2d5, "VGT_SHADER_STAGES_EN"},
                     {0x10000021, "LS_NUM_USED_VGPRS"},
                     {0x10000022, "HS_NUM_USED_VGPRS"},
                     {0x10000023, "ES_NUM_USED_VGPRS"},
                     {0x10000024, "GS_NUM_USED_VGPRS"},
                     {0x10000025, "VS_NUM_USED_VGPRS"},
                     {0x10000026, "PS_NUM_USED_VGPRS"},
                     {0x10000027, "CS_NUM_USED_VGPRS"},
                     {0x10000028, "LS_NUM_USED_SGPRS"},
                     {0x10000029, "HS_NUM_USED_SGPRS"},
                     {0x1000002a, "ES_NUM_USED_SGPRS"},
                     {0x1000002b, "GS_NUM_USED_SGPRS"},
                     {0x1000002c, "VS_NUM_USED_SGPRS"},
                     {0x1000002d, "PS_NUM_USED_SGPRS"},
                     {0x1000002e, "CS_NUM_USED_SGPRS"},
                     {0x10000044, "LS_SCRATCH_SIZE"},
                     {0x10000045, "HS_SCRATCH_SIZE"},
                     {0x10000046, "ES_SCRATCH_SIZE"},
                     {0x10000047, "GS_SCRATCH_SIZE"},
                     {0x10000048, "VS_SCRATCH_SIZE"},
                     {0x10000049, "PS_SCRATCH_SIZE"},
                     {0x1000004a, "CS_SCRATCH_SIZE"},
                     {0x2c0c, "SPI_SHADER_USER_DATA_PS_0"},
                     {0x2c2b, "SPI_SHADER_USER_DATA_PS_31"},
                     {0x2d4c, "SPI_SHADER_USER_DATA_LS_0"},
                     {0x2ccc, "SPI_SHADER_USER_DATA_ES_0"}};
    char name[48];
    for (size_t i = 0; i < sizeof registers / sizeof *registers; i++) {
        assert_true(pal_register_name(registers[i].number, name));
        assert_string_equal(name, registers[i].name);
    }
    assert_false(pal_register_name(0, name));
    assert_false(pal_register_name(0xffffffff, name));
    assert_false(pal_register_name(0x2c3f, name));
    // one behind each family
    static const uint32_t none[] = {0x2e28 + 1, 0x2e50, 0x10000020, 0x1000002f, 0x10000043, 0x1000004b};
    for (size_t i = 0; i < sizeof none / sizeof *none; i++) assert_false(pal_register_name(none[i], name));
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
