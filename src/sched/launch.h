// SPDX-License-Identifier: MIT
// What the scheduler runs: a launch, which is what all work-groups of a dispatch have in common, or a
// transfer.
#ifndef SCHED_LAUNCH_H
#define SCHED_LAUNCH_H

#include "exec/decode/program.h"
#include "jit/hot.h"
#include "jit/wave_loop.h"
#include "softwave/device.h"

struct group;
struct worker;

// Facts common to every group of a dispatch (device/launch.c).
enum { BEGIN_SGPRS = 80, NO_SGPR = 0xff };
struct launch {
    const sw_dispatch *dispatch;
    sw_kernel_descriptor descriptor;
    struct program *program;
    const struct op *entry;
    struct hot_kernel *hot;            // NULL: nobody asks how hot it is
    struct wave_loop_choice wave_loop; // run waves from there one after the other
    uint64_t entry_address;
    uint64_t code_object; // where the code object lies that the kernel is of
    uint64_t code_begin;  // of the kernel: what preloads arguments stands before the entry
    uint32_t lanes, waves_per_group, group_items;
    uint32_t groups[3]; // work-groups in each dimension,
    uint32_t whole[3];  // and those that have all work-items there
    uint32_t lds_size;
    uint32_t private_bytes, scratch_bytes; // a lane: as the kernel sees it, and as allocated
    uint32_t vgprs, agprs, agpr_base;
    uint32_t mode;
    uint8_t named_barriers; // of each group; NO_NAMED_BARRIERS: the processor has none
    bool packed_ids, architected_ids, architected_scratch, gfx10_scratch;
    bool element_sizes;   // scratch descriptors say how wide swizzled elements are (before GFX9)
    struct wave_ids *ids; // work-item ids of each wave of a full group, packed if the hardware does
    struct launch_block *block;
    uint64_t packet, queue; // what pointers in SGPRs name
    uint32_t preload[32];   // arguments that waves begin with in SGPRs
    uint64_t number;        // of the launch: what its contexts were prepared for
    // SGPRs that waves begin with; those that hold what differs by group or wave, 0xff: none.
    uint32_t sgprs[BEGIN_SGPRS];
    unsigned sgpr_count;
    uint8_t buffer_sgpr, scratch_sgpr, id_sgpr[3], info_sgpr, zero_sgpr;
    unsigned id_registers;  // VGPRs with work-item ids
    uint32_t unit_mask[32]; // compute units that it may use
    unsigned unit_words;    // of the mask; 0: all
};

// A copy, or without `from` a fill: slices of rows of bytes. Pieces are bytes of a single row, or rows.
struct transfer {
    char *to;
    const char *from;
    uint64_t bytes, rows, slices, to_pitch, from_pitch, to_slice, from_slice;
    uint64_t value;
    unsigned value_bytes;
    uint64_t piece; // bytes or rows
};
void transfer_piece(const struct transfer *t, uint64_t number);

// Work-item ids of a wave in a group of the given size, in the registers that the kernel asks for. Returns
// the lanes that have an item.
uint64_t launch_ids(const struct launch *l, const uint32_t size[3], uint32_t wave,
                    uint32_t ids[3][MAX_LANES]);
// Which SGPRs waves begin with, as the descriptor says; the values that all waves share.
void launch_find_sgprs(struct launch *l);

// Sets the initial state of the waves of a group from the first that has not begun yet (INIT rows).
void launch_waves(const struct launch *l, struct worker *worker, struct group *g, uint32_t first);
// The same for one wave of a group that is not partial, and no other; and for the wave that a wave loop takes
// what the waves have in common from.
struct wave *launch_wave(const struct launch *l, struct worker *worker, struct group *g, uint32_t number);
struct wave *launch_image(const struct launch *l, struct worker *worker, struct group *g);
// Where that has the number of its group in the first dimension.
uint32_t *launch_image_id(const struct launch *l, struct wave *image);

#endif
