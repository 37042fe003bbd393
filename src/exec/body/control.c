// SPDX-License-Identifier: MIT
// Control flow, barriers and the state registers: the bodies that decide which op comes next.
#include "exec/body/flags.h"
#include "exec/body/hop.h"

// ---- Branches ----
// op->target is found at the first jump and kept. op->e is the target's byte offset in the code; op->d is
// 1 for a jump backwards, which costs budget: that is how an endless loop gives way (see group.c).

#define YIELD PASTE(control_, yield, LEVEL)
const struct op *YIELD(struct wave *w, const struct op *op);
#if !defined(STENCIL)
static __attribute__((noinline)) const struct op *jump(struct wave *w, const struct op *op) {
    const struct op *target = OUT(state_link(w, op));
    if (!target) return wave_fault(w, op, FAULT_JUMP, -1, w->code_base + op->e);
    NEXT_OP(w, target);
}

__attribute__((noinline)) const struct op *YIELD(struct wave *w, const struct op *op) {
    w->status = WAVE_YIELDED;
    w->pc = w->code_base + op->e;
    w->loop_end = w->code_base + op->pc;
    w->resume = __atomic_load_n(&op->target, __ATOMIC_ACQUIRE);
    return NULL;
}
#endif

// Counts a jump backwards: whether the wave is to give way. That is looked at every eighth time, as loads
// would cost short loops a tenth.
enum { LOOK_EVERY = 8 };
INLINE bool used_up(struct wave *w) {
    if (LIKELY(--w->budget & (LOOK_EVERY - 1))) return false;
    return w->budget <= 0 || __atomic_load_n(w->interrupt, __ATOMIC_RELAXED);
}

#if !defined(STENCIL)
INLINE const struct op *taken(struct wave *w, const struct op *op) {
    if (op->d && UNLIKELY(used_up(w))) return YIELD(w, op);
    const struct op *target = __atomic_load_n(&op->target, __ATOMIC_ACQUIRE);
    if (UNLIKELY(!target)) return jump(w, op);
    NEXT_OP(w, target);
}

#define BRANCH(name, condition)                                                                              \
    SPECIAL(name) {                                                                                          \
        if (condition) return taken(w, op);                                                                  \
        NEXT;                                                                                                \
    }
#else // one piece for jumps forward, one for those back
#define BRANCH_PIECE(name, condition, back)                                                                  \
    __attribute__((used)) static const struct op *name(PIECE_PARAMETERS) {                                   \
        if (!(condition)) NEXT;                                                                              \
        if (back && UNLIKELY(used_up(w))) return HOLE_YIELD(w);                                              \
        return hole_target(w);                                                                               \
    }
#define BRANCH(name, condition)                                                                              \
    BRANCH_PIECE(name##_special, condition, false)                                                           \
    BRANCH_PIECE(name##_special__back, condition, true)                                                      \
    BODY(name, .shape = SHAPE_SPECIAL, .fn = {name##_special});
#endif

BRANCH(s_branch, true)
BRANCH(s_cbranch_scc0, !w->scc)
BRANCH(s_cbranch_scc1, w->scc)
BRANCH(s_cbranch_vccz, !any_lane_of(w, &w->vcc))
BRANCH(s_cbranch_vccnz, any_lane_of(w, &w->vcc))
BRANCH(s_cbranch_execz, !any_lane_of(w, &w->exec))
BRANCH(s_cbranch_execnz, any_lane_of(w, &w->exec))

#if !defined(STENCIL)
// A block goes on where another begins.
op_fn PASTE(step_, go_to, LEVEL);
const struct op *PASTE(step_, go_to, LEVEL)(struct wave *w, const struct op *op) {
    const struct op *target = __atomic_load_n(&op->target, __ATOMIC_ACQUIRE);
    if (UNLIKELY(!target)) return jump(w, op);
    NEXT_OP(w, target);
}

// The op at an address; NULL: the wave stops.
static const struct op *op_at(struct wave *w, const struct op *op, uint64_t address) {
    address &= 0xfffffffffffcull; // 48 bits, low two dropped (TRAP-065)
    if (UNLIKELY(used_up(w))) {
        w->status = WAVE_YIELDED;
        w->pc = address;
        w->loop_end = w->code_base + op->pc;
        return NULL;
    }
    const struct op *target = OUT(state_jump(w, address));
    return target ? target : wave_fault(w, op, FAULT_JUMP, -1, address);
}
#define JUMP(address)                                                                                        \
    const struct op *target = op_at(w, op, address);                                                         \
    if (!target) return NULL;                                                                                \
    NEXT_OP(w, target)

#endif
// These are four bytes long, so the next instruction is at pc + 4.
#define NEXT_PC (w->code_base + op->pc + 4)
SPECIAL(s_getpc_b64) {
    put64(w, op->d, NEXT_PC);
    NEXT;
}
#if !defined(STENCIL)
SPECIAL(s_setpc_b64) { JUMP(get64(w, op, op->a)); }
SPECIAL(s_swappc_b64) {
    uint64_t address = get64(w, op, op->a);
    put64(w, op->d, NEXT_PC);
    JUMP(address);
}
// By an offset from the next instruction, whose place in the code is op->e.
SPECIAL(s_add_pc_i64) { JUMP(w->code_base + op->e + get64(w, op, op->a)); }
SPECIAL(s_call_b64) {
    put64(w, op->d, NEXT_PC);
    JUMP(w->code_base + op->e);
}

// ---- Loops over the halves of a wave ----
// op->a: the register that keeps the other half's EXEC, op->b: the same as a destination.

SPECIAL(s_subvector_loop_begin) {
    if (!w->exec) return taken(w, op);
    put32(w, op->b, low_half(&w->exec) ? high_half(&w->exec) : 0);
    if (low_half(&w->exec)) w->exec = low_half(&w->exec);
    NEXT;
}
SPECIAL(s_subvector_loop_end) {
    const uint32_t kept = get32(w, op, op->a), low = low_half(&w->exec), high = high_half(&w->exec);
    if (high) {
        w->exec = kept | (uint64_t)high << 32;
        NEXT;
    }
    if (!kept) NEXT;
    put32(w, op->b, low);
    w->exec = (uint64_t)kept << 32;
    return taken(w, op);
}

// ---- Fork and join ----
// The waiting lanes of a fork and where they go on are four SGPRs, EXEC below the address; the top three bits
// of MODE count the forks.

enum { CSP_SHIFT = 29, CSP_MASK = 7, FORK_SGPRS = 4 };
INLINE uint32_t *fork_entry(struct wave *w) { return w->s + FORK_SGPRS * (w->mode >> CSP_SHIFT); }
INLINE void count_forks(struct wave *w, uint32_t by) {
    const uint32_t csp = ((w->mode >> CSP_SHIFT) + by) & CSP_MASK;
    w->mode = (w->mode & ~((uint32_t)CSP_MASK << CSP_SHIFT)) | csp << CSP_SHIFT;
}
// Whether the wave goes to the target. The smaller part goes first, those that do not pass only if they are
// fewer.
static bool fork_lanes(struct wave *w, uint64_t mask, uint64_t target, uint64_t next) {
    const uint64_t pass = mask & w->exec, fail = ~mask & w->exec;
    if (pass == w->exec) return true;
    if (fail == w->exec) return false;
    const bool fails_first = __builtin_popcountll(fail) < __builtin_popcountll(pass);
    uint32_t *entry = fork_entry(w);
    wr64(entry, fails_first ? pass : fail);
    wr64(entry + 2, fails_first ? target : next);
    count_forks(w, 1);
    w->exec = fails_first ? fail : pass;
    return !fails_first;
}
SPECIAL(s_cbranch_g_fork) {
    const uint64_t to = get64(w, op, op->b);
    if (!fork_lanes(w, get64(w, op, op->a), to, w->code_base + op->e)) NEXT;
    JUMP(to);
}
SPECIAL(s_cbranch_i_fork) {
    if (!fork_lanes(w, get64(w, op, op->a), w->code_base + op->e, NEXT_PC)) NEXT;
    return taken(w, op);
}
SPECIAL(s_cbranch_join) {
    if (w->mode >> CSP_SHIFT == get32(w, op, op->a)) NEXT;
    count_forks(w, CSP_MASK);
    const uint32_t *entry = fork_entry(w);
    const uint64_t to = rd64(entry + 2);
    w->exec = rd64(entry);
    JUMP(to);
}

#endif

// ---- End, barriers, sleep ----

SPECIAL(s_endpgm) {
    (void)op;
    w->status = WAVE_ENDED;
    return NULL;
}
#if !defined(STENCIL)
SPECIAL(s_setkill) {
    if (!(op->imm & 1)) NEXT;
    w->status = WAVE_ENDED;
    return NULL;
}
BODY(s_nop, .shape = SHAPE_NOTHING);
BODY(v_mfma_ld_scale_b32, .shape = SHAPE_NOTHING); // without an operation behind it that asks for scales
SPECIAL(s_sendmsg) {
    OUT(state_send(w, (uint32_t)op->imm & 0xff, get32(w, op, op->e)));
    NEXT;
}
SPECIAL(s_sleep) {
    w->status = WAVE_SLEEPING;
    w->pc = NEXT_PC;
    w->resume = op + 1;
    return NULL;
}
SPECIAL(s_barrier) {
    if (!w->barrier_signalled) state_barrier_arrive(w);
    if (state_barrier_done(w)) NEXT;
    return wait_at_barrier(w, op);
}
SPECIAL(s_trap) {
    if (OUT(state_passes_trap(w, op->imm & 0xff))) NEXT;
    return wave_fault(w, op, FAULT_TRAP, -1, op->imm & 0xff);
}
// Returning from a trap handler: programs do not run in one.
SPECIAL(s_rfe_b64) {
    return wave_fault_because(w, op, FAULT_ILLEGAL, -1, 0, "a return outside of a trap handler");
}
SPECIAL(v_illegal) { return wave_fault(w, op, FAULT_ILLEGAL, -1, 0); }
SPECIAL(s_code_end) { return wave_fault(w, op, FAULT_ILLEGAL, -1, 0); } // TRAP-378

// ---- MODE and hardware registers ----
// The registers live behind state_read_hwreg; op->imm is the simm16 {size-1, offset, id} (TRAP-384).

enum { TRAPSTS = 3, MODE_TRAPS = 0x7f << 12 };
// What s_setreg writes is MODE now and then.
#define END_WITH_MODE                                                                                        \
    do {                                                                                                     \
        if (!host_has_mode(w->mode))                                                                         \
            return wave_fault_because(w, op, FAULT_UNSUPPORTED, -1, 0, HOST_LACKS_MODE);                     \
        NEXT;                                                                                                \
    } while (0)
SPECIAL(s_round_mode) {
    w->mode = (w->mode & ~0xfu) | (op->imm & 0xf);
    OUT(wave_mode_changed(w));
    END_WITH_MODE;
}
SPECIAL(s_denorm_mode) {
    w->mode = (w->mode & ~0xf0u) | (op->imm & 0xf) << 4;
    OUT(wave_mode_changed(w));
    END_WITH_MODE;
}
SPECIAL(s_setvskip) { // TRAP-079
    const uint32_t bit = get32(w, op, op->a) >> (get32(w, op, op->b) & 31) & 1;
    w->mode = bit ? w->mode | MODE_VSKIP : w->mode & ~MODE_VSKIP;
    NEXT;
}
SPECIAL(s_getreg_b32) {
    unsigned id = op->imm & 63, shift = op->imm >> 6 & 31, size = (op->imm >> 11 & 31) + 1;
    uint64_t v = OUT(state_read_hwreg(w, id));
    if (op->e & MODE_HAS_MSB) v = (v & ~0xff000ull) | (op->e & 0xff000);
    put32(w, op->d, (uint32_t)(v >> shift & (~0ull >> (64 - size))));
    NEXT;
}
SPECIAL(s_setreg_b32) {
    unsigned id = op->e & 63, shift = op->e >> 6 & 31, size = (op->e >> 11 & 31) + 1;
    uint64_t mask = (~0ull >> (64 - size)) << shift;
    uint32_t value = (uint32_t)((uint64_t)get32(w, op, op->a) << shift);
    OUT(state_write_hwreg(w, id, value, (uint32_t)mask));
    if (w->mode & MODE_TRAPS && w->hwregs[TRAPSTS] == HWREG_TRAPSTS) // later ones have other bits there
        return wave_fault_because(w, op, FAULT_UNSUPPORTED, -1, 0, "traps at arithmetic exceptions");
    END_WITH_MODE;
}
// Halting is a debugger's business: bit 0, and 2 for the halt that trap handlers do not lift. A wave that
// runs is not halted, so that resuming it changes nothing (TRAP-376).
static __attribute__((noinline)) const struct op *halt(struct wave *w, const struct op *op) {
    return wave_fault_because(w, op, FAULT_UNSUPPORTED, -1, w->code_base + op->pc,
                              "a halted wave, which only a debugger resumes");
}
SPECIAL(s_sethalt) {
    if (op->imm & 5) return halt(w, op);
    NEXT;
}
SPECIAL(s_sendmsghalt) {
    OUT(state_send(w, (uint32_t)op->imm & 0xff, get32(w, op, op->e)));
    return halt(w, op);
}
SPECIAL(s_memtime) {
    put64(w, op->d, OUT(state_clock(w, 0)));
    NEXT;
}
SPECIAL(s_get_shader_cycles_u64) {
    put64(w, op->d, OUT(state_clock(w, 0)));
    NEXT;
}
SPECIAL(s_memrealtime) {
    put64(w, op->d, OUT(state_clock(w, 1)));
    NEXT;
}
SPECIAL(s_sendmsg_rtn_b32) {
    const uint64_t v = OUT(state_message(w, op->e & 0xff));
    if (op->b)
        put64(w, op->d, v);
    else
        put32(w, op->d, (uint32_t)v);
    NEXT;
}
// VGPR index mode (TRAP-118): the index is M0[7:0] (op->b), the roles M0[15:12].
SPECIAL(s_set_gpr_idx) {
    uint32_t m0 = get32(w, op, op->b);
    if (op->e & INDEX_VALUE) m0 = (m0 & ~0xffu) | (get32(w, op, op->a) & 0xff);
    if (op->e & INDEX_MODE) m0 = (m0 & ~0xf000u) | (uint32_t)(op->imm & 0xf) << 12;
    put32(w, op->b, m0);
    NEXT;
}
#endif
