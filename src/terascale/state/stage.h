// SPDX-License-Identifier: MIT
// Stages of shaders, and the registers that hold what a program of one needs.
#ifndef TERASCALE_STAGE_H
#define TERASCALE_STAGE_H

#include "terascale/isa/table.h"

// The shader stages that programs are for; which registers hold their resources.
enum ts_stage {
    TS_STAGE_COMPUTE,
    TS_STAGE_VERTEX,
    TS_STAGE_PIXEL,
    TS_STAGE_GEOMETRY,
    TS_STAGE_EXPORT,
    TS_STAGES
};
uint32_t ts_resources_register(enum ts_family family, enum ts_stage stage);
enum { TS_REG_DB_SHADER_CONTROL = 0x2880c, TS_REG_LDS_ALLOC = 0x288e8 };

#endif
