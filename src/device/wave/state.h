// SPDX-License-Identifier: MIT
// What bodies ask of the rest of the device: jumps, barriers, hardware registers, clocks. state.c.
#ifndef DEVICE_STATE_H
#define DEVICE_STATE_H

#include "device/wave/wave.h"

// Tells the device's listener of a message.
bool state_passes_trap(const struct wave *w, unsigned number);
void state_send(struct wave *w, uint32_t id, uint32_t m0);
// The block at op->e in the code that runs, kept in op->target. NULL: not code.
const struct op *state_link(struct wave *w, const struct op *op);
// The block at a GPU address, entering another executable if need be. NULL: not code.
const struct op *state_jump(struct wave *w, uint64_t address);

void state_barrier_signal(struct wave *w);
// Whether the barrier that the wave signalled has completed; if so the wave is past it.
bool state_barrier_done(struct wave *w);
// Waves of the work-group that signalled it since it last completed.
uint32_t state_barrier_arrived(const struct wave *w);
// As s_get_barrier_state gives it: those in 22:16, the waves that have not ended in 10:4, bit 0 valid.
uint32_t state_barrier_status(const struct wave *w);

// What a wave asks of a resource of global wave sync. False: the wave is to ask again.
enum gws_kind { GWS_NONE, GWS_INIT, GWS_BARRIER, GWS_RELEASE, GWS_RELEASE_ALL, GWS_TAKE };
bool state_gws(struct wave *w, enum gws_kind kind, unsigned number, uint32_t count);

uint64_t state_read_hwreg(struct wave *w, unsigned id);
void state_write_hwreg(struct wave *w, unsigned id, uint32_t value, uint32_t mask);
// 0: shader clock, 1: constant 100 MHz clock.
uint64_t state_clock(struct wave *w, int realtime);
bool state_message(struct wave *w, unsigned id, uint64_t *value);

#endif
