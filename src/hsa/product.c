// SPDX-License-Identifier: MIT
// The cards that processors stand for when nobody says otherwise: what drivers and data sheets say of one
// product each. Processors that are not here are "Softwave gfxNNN" with the compute units of the table of
// processors.
#include "hsa/hsa.h"

// clang-format off
const struct product products[] = {
    //           name                                chip    C   MHz   SE SA XCC  L1 L2    L3      GiB bits MHz
    {"gfx803",  "Radeon R9 Fury X",                 0x7300,  64, 1050,  4, 1, 1, 16,  2048,      0,   4, 4096,  500},
    {"gfx900",  "Radeon RX Vega 64",                0x687f,  64, 1630,  4, 1, 1, 16,  4096,      0,   8, 2048,  945},
    {"gfx906",  "AMD Instinct MI50",                0x66a1,  60, 1725,  4, 1, 1, 16,  8192,      0,  16, 4096, 1000},
    {"gfx908",  "AMD Instinct MI100",               0x738c, 120, 1502,  8, 1, 1, 16,  8192,      0,  32, 4096, 1200},
    {"gfx90a",  "AMD Instinct MI210",               0x740f, 104, 1700,  8, 1, 1, 16,  8192,      0,  64, 4096, 1600},
    {"gfx942",  "AMD Instinct MI300X",              0x74a1, 304, 2100, 32, 1, 8, 32,  4096, 262144, 192, 8192, 1300},
    {"gfx950",  "AMD Instinct MI355X",              0x75a3, 256, 2400, 32, 1, 8, 32,  4096, 262144, 288, 8192, 2000},
    {"gfx1010", "AMD Radeon RX 5700 XT",            0x731f,  40, 2100,  2, 2, 1, 16,  4096,      0,   8,  256,  875},
    {"gfx1030", "AMD Radeon RX 6800 XT",            0x73bf,  72, 2575,  4, 2, 1, 16,  4096, 131072,  16,  256, 1000},
    {"gfx1100", "AMD Radeon RX 7900 XTX",           0x744c,  96, 2482,  6, 2, 1, 32,  6144,  98304,  24,  384, 1249},
    {"gfx1151", "AMD Radeon 8060S",                 0x1586,  40, 2900,  2, 2, 1, 32,  2048,  32768,   0,  256, 1000},
    {"gfx1201", "AMD Radeon RX 9070 XT",            0x7550,  64, 2970,  4, 2, 1, 32,  8192,  65536,  16,  256, 1258},
};
// clang-format on
const size_t product_count = sizeof products / sizeof *products;
