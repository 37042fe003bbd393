// SPDX-License-Identifier: MIT
// An instruction on the global data share, decoded (decode/gds_ops.c), for who has that memory
// (sched/gds.c).
#ifndef EXEC_GDS_H
#define EXEC_GDS_H

#include "exec/wave.h"

enum { GDS_BYTES = 1 << 16, GDS_MOST_COUNTERS = 4 };
enum { GDS_REGISTERS = 16, GDS_FIRST_WIDE = 8 }; // that count: from this one on of 64 bits

enum gds_kind { GDS_LANES, GDS_ORDERED, GDS_ADD_REGISTER, GDS_SUB_REGISTER };

struct gds_op {
    uint8_t kind;
    bool one_lane;     // of GDS_LANES: the first that executes alone
    bool in_registers; // of GDS_ORDERED: the counter is a register
    bool exchanges;    // the counter becomes the value; else that is added
    bool releases;     // the next wave may pass
    uint8_t number;    // of the counter or register
    uint8_t dwords;    // of GDS_ORDERED: counters, from that one on, one for each of the first lanes
    uint32_t m0, data, dst;
    struct op ops[2]; // of GDS_LANES: the access as if to LDS, and one that ends it
};

#endif
