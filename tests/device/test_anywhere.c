// SPDX-License-Identifier: MIT
// Loads and stores of every size in LDS and in global memory, with lanes in a row, at one address, in records
// and anywhere, whichever are on: stencils and compiled code leave what the interpreter leaves. In LDS some
// lanes are over the end (TRAP-260 to TRAP-262), and addresses are at any byte.
#include "anywhere.h"

#define LDS_LOAD(name) "ds_read_" name ", v4 offset:4"
static const struct kernel kernels[] = {
    {"loads from LDS",
     true,
     false,
     {LDS_LOAD("u8 v4"), LDS_LOAD("i8 v4"), LDS_LOAD("u16 v4"), LDS_LOAD("i16 v4"), LDS_LOAD("b32 v4"),
      LDS_LOAD("b64 v[4:5]"), LDS_LOAD("b96 v[4:6]"), LDS_LOAD("b128 v[4:7]"), LDS_LOAD("u8_d16 v4"),
      LDS_LOAD("u8_d16_hi v4"), LDS_LOAD("i8_d16 v4"), LDS_LOAD("u16_d16 v4"), LDS_LOAD("u16_d16_hi v4"),
      "ds_read2_b32 v[4:5], v4 offset0:1 offset1:7", "ds_read2_b64 v[4:7], v4 offset0:3 offset1:1",
      "ds_read2st64_b32 v[4:5], v4 offset1:1"}},
    {"stores to LDS",
     true,
     true,
     {"ds_write_b8 v4, v12 offset:4", "ds_write_b16 v4, v12 offset:4", "ds_write_b32 v4, v12",
      "ds_write_b64 v4, v[12:13] offset:4", "ds_write_b96 v4, v[12:14]",
      "ds_write_b128 v4, v[12:15] offset:4", "ds_write_b8_d16_hi v4, v12", "ds_write_b16_d16_hi v4, v12",
      "ds_write2_b32 v4, v12, v13 offset0:1 offset1:7",
      "ds_write2_b64 v4, v[12:13], v[14:15] offset0:3 offset1:1",
      "ds_write2st64_b32 v4, v12, v13 offset1:1"}},
    {"loads from memory, scalar base",
     false,
     false,
     {"global_load_ubyte v4, v4, s[8:9] offset:4", "global_load_sshort v4, v4, s[8:9]",
      "global_load_dword v4, v4, s[8:9]", "global_load_dwordx2 v[4:5], v4, s[8:9]",
      "global_load_dwordx3 v[4:6], v4, s[8:9] offset:4", "global_load_dwordx4 v[4:7], v4, s[8:9] offset:4",
      "global_load_ubyte_d16_hi v4, v4, s[8:9]", "global_load_short_d16 v4, v4, s[8:9]",
      "global_load_ubyte v4, v4, s[8:9] offset:3", "global_load_ushort v4, v4, s[8:9] offset:1"}},
    {"loads from memory, vector base",
     false,
     false,
     {"global_load_sbyte v4, v[4:5], off", "global_load_ushort v4, v[4:5], off offset:4",
      "global_load_dwordx2 v[4:5], v[4:5], off offset:4", "global_load_dwordx3 v[4:6], v[4:5], off",
      "global_load_dwordx4 v[4:7], v[4:5], off", "global_load_sbyte_d16 v4, v[4:5], off",
      "global_load_short_d16_hi v4, v[4:5], off"}},
    {"flat loads",
     false,
     false,
     {"flat_load_ubyte v4, v[4:5]", "flat_load_dword v4, v[4:5] offset:4", "flat_load_dwordx2 v[4:5], v[4:5]",
      "flat_load_dwordx4 v[4:7], v[4:5]", "flat_load_short_d16_hi v4, v[4:5]"}},
    {"flat stores",
     false,
     true,
     {"flat_store_byte v[4:5], v12", "flat_store_dword v[4:5], v12", "flat_store_dwordx2 v[4:5], v[12:13]",
      "flat_store_dwordx4 v[4:5], v[12:15] offset:4"}},
    {"stores to memory",
     false,
     true,
     {"global_store_byte v4, v12, s[8:9]", "global_store_short v4, v12, s[8:9] offset:4",
      "global_store_dword v4, v12, s[8:9]", "global_store_dwordx2 v4, v[12:13], s[8:9]",
      "global_store_dwordx3 v4, v[12:14], s[8:9]", "global_store_dwordx4 v4, v[12:15], s[8:9]",
      "global_store_byte_d16_hi v[4:5], v12, off", "global_store_dword v[4:5], v12, off",
      "global_store_dwordx2 v[4:5], v[12:13], off", "global_store_dwordx3 v[4:5], v[12:14], off offset:4",
      "global_store_dwordx4 v[4:5], v[12:15], off offset:4"}}};

static void loads_and_stores(void **state) {
    (void)state;
    tiers_agree(kernels, sizeof kernels / sizeof *kernels);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(loads_and_stores)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
