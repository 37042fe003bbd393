// SPDX-License-Identifier: MIT
// The state of one wave and the form of its decoded program.
//
// A wave is one flat block: what the host keeps, scalar registers and constants, temporaries, then VGPRs (and
// AGPRs) as [register][lane] dwords. Ops name operands by byte offset from the first scalar register, so
// every scalar register, inline constant and vector register is just an offset, and nothing of the host's has
// one. An offset with its top bit set is relative to the op itself: that is how literals are read. A register
// stride is 4 * wave size bytes. extent.c checks every offset of an op once, when it is made.
#ifndef EXEC_WAVE_H
#define EXEC_WAVE_H

#include "base/bytes.h"
#include "softwave/base.h"

struct wave;
struct op;

#if defined(STENCIL)
#include "exec/holes.h"
#endif

// Builds for testing stop where an op reaches what it must not.
#if defined(SW_GUARD)
#define CHECKED(condition)                                                                                   \
    if (!(condition)) __builtin_trap()
#else
#define CHECKED(condition) (void)0
#endif

#if !defined(STENCIL)
// The offset of an operand.
typedef uint32_t wave_place;

// A handler executes one op and continues with the next: a tail call in release builds, else by returning
// the next op to the loop in wave_run. NULL stops the wave (status and pc are set).
typedef const struct op *op_fn(struct wave *w, const struct op *op);

struct op {
    op_fn *fn; // what runs: the body, or the observer in observed programs
    op_fn *body;
    uint32_t d, a, b, c; // byte offsets of destination and sources; other meanings are the body's business
    union {
        uint64_t imm;            // literal or immediate
        const struct op *target; // of a branch
        const void *extra;       // further decoded facts (struct mem_op, ...), immutable
    };
    uint32_t pc : 27;   // byte offset of the instruction from the start of its code
    uint32_t class : 4; // enum sw_insn_class, for observers
    uint32_t first : 1; // first op of its instruction
    uint32_t e;         // small immediate
};
_Static_assert(sizeof(struct op) == 48, "ops are dense");
#endif

enum {
    OP_RELATIVE = 0x80000000u,                                 // offset is from the op
    OP_IMM = OP_RELATIVE | (uint32_t)offsetof(struct op, imm), // the op's own imm
};

#if defined(STENCIL)
#define TAIL_DISPATCH 1
#define NEXT          return hole_next(w)
#elif defined(SW_LOOP_DISPATCH) || defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) ||          \
    !defined(__OPTIMIZE__)
#define TAIL_DISPATCH  0
#define NEXT_OP(w, op) return (op)
#else
#define TAIL_DISPATCH 1
#if defined(__has_attribute) && __has_attribute(musttail)
#define NEXT_OP(w, op) __attribute__((musttail)) return (op)->fn(w, op)
#else // gcc before 15 makes a jump of it when it optimises; tests/device/tailcalls.sh looks
#define NEXT_OP(w, op) return (op)->fn(w, op)
#endif
#endif
#if !defined(STENCIL)
#define NEXT NEXT_OP(w, op + 1)
#endif

enum wave_status { WAVE_RUNNING, WAVE_YIELDED, WAVE_SLEEPING, WAVE_AT_BARRIER, WAVE_ENDED, WAVE_FAULTED };

// Temporaries for the steps around one instruction; the widest tuples of vector and of scalar registers.
enum { TEMP_REGISTERS = 24, MAX_LANES = 64, VECTOR_TUPLE = 32, SCALAR_TUPLE = 16 };

enum { AT_ANEW = 1 };

// A wave. The first part is the host's: operands count from `s` upwards, so no op can name what stands before
// it, and nothing from there on holds a host pointer.
struct wave {
    uint32_t lanes;            // 32 or 64
    uint32_t end;              // offset behind the last register that may be read
    uint32_t stride;           // bytes of a vector register: 4 * lanes
    uint64_t all_lanes;        // a bit for each lane of the wave size
    uint64_t not_lanes;        // ~all_lanes
    uint64_t saved_exec;       // EXEC before a DPP operation narrowed it
    uint32_t mode;             // MODE register: round 3:0, denorm 7:4, dx10_clamp 8, ieee 9, fp16_ovfl 23
    uint32_t mxcsr;            // host control word for F32 under mode
    uint32_t mxcsr64;          // and for F64 and F16
    uint32_t mixed;            // mxcsr != mxcsr64
    uint32_t trap_status;      // sticky exception bits readable by s_getreg
    uint32_t status;           // enum wave_status
    int64_t budget;            // back-edges left before yielding
    const uint32_t *interrupt; // of the worker: not 0, the wave is to yield at a back-edge soon; atomic
    uint64_t pc;               // where to resume, when not running
    const struct op
        *resume;       // the op there, or NULL; in programs other than the kernel's own it does not last
    uint64_t loop_end; // of the jump back that made the wave give way last
    uint32_t wave_in_group;
    uint32_t barrier_signalled; // 1: it did, 2: as the last one, and gives way
    uint32_t barrier_phase;
    uint32_t gws_kind, gws_number, gws_phase; // enum gws_kind it waits for, GWS_NONE: it does not
    uint32_t lds_size;                        // bytes of the work-group's allocation
    uint32_t lds_limit;    // bytes that DS instructions reach: lds_size, or less where M0 limits it
    uint64_t scratch_size; // bytes a lane
    uint64_t code_base;    // address of byte 0 of the running code
    // Memory range last used by each cache slot: a hit needs lo <= address and address <= last.
    struct range {
        uint64_t lo, last;
    } * ranges;
    // For guard.c: the access to memory that ran last. One byte more, AT_ANEW: an op where the wave can begin
    // anew, as it has written no memory from there on, and no register here.
    const struct op *at;
    struct group *group;   // whose wave it is, and
    struct worker *worker; // who runs it: known to its machine alone
    struct barrier *barrier;
    const struct machine *machine; // (machine.h)
    uint8_t *lds;
    const uint8_t *hwregs; // enum hwreg by hardware register number

    // ---- What operands name ----
    // Scalar registers by their source-operand number: 0-105 SGPRs, 106 VCC, 108 TTMPs, 124/125 M0 and NULL,
    // 126 EXEC.
    union {
        _Alignas(64) uint32_t s[128];
        struct {
            uint32_t s_0_105[106];
            uint64_t vcc;
            uint32_t s_108_125[18];
            uint64_t exec;
        };
    };
    uint32_t s_beyond[SCALAR_TUPLE]; // where a tuple that begins at the last registers ends: nobody's
    uint32_t scc;
    uint64_t vccz, execz;               // 1: no lane; as the step before their reader found it
    uint64_t literal;                   // the op's own imm, in native code
    uint64_t shared_base, private_base; // apertures
    uint64_t scratch_base;              // GPU address of this wave's scratch, swizzled by dword
    uint32_t zeros[SCALAR_TUPLE];       // what the NULL register reads as
    uint32_t null_sink[SCALAR_TUPLE];   // writes to it land here
    // Inline constants by source-operand number (128-255 at index 0), for each operand width.
    uint32_t constant32[128];
    uint32_t constant16[128]; // F16 patterns for 240-248
    uint64_t constant64[128];
    uint32_t constant_bf16[128];
    _Alignas(64) uint32_t temp[TEMP_REGISTERS][MAX_LANES];
    // [register][lane]: VGPRs, AGPRs, then VECTOR_TUPLE registers that nobody writes: sources outside the
    // wave's registers read zeros there, and a tuple that begins at the last register ends there.
    _Alignas(64) uint32_t v[];
};

// Offsets of operands, in bytes from `s`.
#define WAVE_OFFSET(member) ((uint32_t)(offsetof(struct wave, member) - offsetof(struct wave, s)))
static inline uint32_t sgpr_offset(unsigned n) { return 4 * n; }
static inline uint32_t temp_offset(unsigned n) {
    return WAVE_OFFSET(temp) + (uint32_t)sizeof(uint32_t[MAX_LANES]) * n;
}
static inline void *wave_at(struct wave *w, wave_place offset) {
    CHECKED(offset < w->end);
#if defined(STENCIL)
    HOLE_FENCE();
#endif
    return (char *)w->s + offset;
}

// The wave size, and the bytes of a vector register.
static inline uint32_t wave_lanes(const struct wave *w) {
#if defined(STENCIL)
    (void)w;
    return STENCIL;
#else
    return w->lanes;
#endif
}
static inline uint32_t wave_stride(const struct wave *w) {
#if defined(STENCIL)
    (void)w;
    return 4 * STENCIL;
#else
    return w->stride;
#endif
}

// Address of an operand: in the wave, or in the op for literals. Native code puts these into the wave.
static inline void *operand_at(struct wave *w, const struct op *op, wave_place offset) {
#if defined(STENCIL)
    (void)op;
    return wave_at(w, offset);
#else
    char *base = (int32_t)offset < 0 ? (char *)(uintptr_t)op : (char *)w->s;
    return base + (offset & ~OP_RELATIVE);
#endif
}
static inline uint32_t get32(struct wave *w, const struct op *op, wave_place offset) {
    return *(uint32_t *)operand_at(w, op, offset);
}
static inline uint64_t get64(struct wave *w, const struct op *op, wave_place offset) {
    return rd64(operand_at(w, op, offset));
}
static inline void put32(struct wave *w, wave_place offset, uint32_t v) {
    *(uint32_t *)wave_at(w, offset) = v;
}
static inline void put64(struct wave *w, wave_place offset, uint64_t v) { wr64(wave_at(w, offset), v); }

// Hardware registers by meaning; their numbers differ by generation.
enum hwreg {
    HWREG_NONE,
    HWREG_MODE,
    HWREG_STATUS,
    HWREG_STATE_PRIV,
    HWREG_TRAPSTS,
    HWREG_HW_ID,
    HWREG_HW_ID1, // where compute units are halves of work-group processors
    HWREG_XCC_ID,
    HWREG_GPR_ALLOC,
    HWREG_LDS_ALLOC,
    HWREG_SH_MEM_BASES,
    HWREG_FLAT_SCR_LO,
    HWREG_FLAT_SCR_HI,
    HWREG_SCRATCH_BASE_LO, // these are read only
    HWREG_SCRATCH_BASE_HI,
    HWREG_SHADER_CYCLES,
    HWREG_SHADER_CYCLES_LO,
    HWREG_SHADER_CYCLES_HI,
};

// Executing lanes. Hosts make a load that is wider than the store before it wait until that has reached the
// cache: programs of 32 lanes, which write 32 bits of EXEC, have widen_exec behind that.
static inline uint64_t exec_of(const struct wave *w) {
#if defined(FUSED)
    return w->not_lanes ? ~0ull >> (64 - STENCIL) : STENCIL == 32 ? (uint32_t)w->exec : w->exec;
#elif defined(STENCIL) && STENCIL == 32
    return (uint32_t)w->exec;
#elif defined(STENCIL)
    return w->exec;
#else
    return w->exec & w->all_lanes;
#endif
}
static inline bool exec_full(const struct wave *w) {
#if defined(FUSED) // of the copy of a wave that compiled code works on: it is compiled twice
    return w->not_lanes;
#elif defined(STENCIL)
    return exec_of(w) == ~0ull >> (64 - STENCIL);
#else
    return (w->exec | w->not_lanes) == ~0ull;
#endif
}
static inline uint32_t low_half(const uint64_t *v) { return ((const uint32_t *)v)[0]; }
static inline uint32_t high_half(const uint64_t *v) { return ((const uint32_t *)v)[1]; }
static inline void widen_exec(struct wave *w, uint32_t low) {
    w->exec = low | (uint64_t)high_half(&w->exec) << 32;
}
// Whether a mask of lanes, EXEC or VCC, has any: by halves, see above.
static inline bool any_lane_of(const struct wave *w, const uint64_t *mask) {
#if defined(STENCIL) && STENCIL == 32
    (void)w;
    return low_half(mask);
#elif defined(STENCIL)
    (void)w;
    return *mask;
#else
    return low_half(mask) | (high_half(mask) & high_half(&w->all_lanes));
#endif
}

enum fault_kind {
    FAULT_NONE,
    FAULT_READ,
    FAULT_WRITE,
    FAULT_ATOMIC,
    FAULT_ALIGNMENT,
    FAULT_JUMP,
    FAULT_ILLEGAL,
    FAULT_UNSUPPORTED,
    FAULT_TRAP,
    FAULT_TIMEOUT,
    FAULT_DEADLOCK,
    FAULT_STOPPED,
};

// Records the first fault of the dispatch and stops the wave: `return wave_fault(...)` from a handler.
const struct op *wave_fault(struct wave *w, const struct op *op, enum fault_kind kind, int lane,
                            uint64_t address);
// With a constant text that says why.
const struct op *wave_fault_because(struct wave *w, const struct op *op, enum fault_kind kind, int lane,
                                    uint64_t address, const char *reason);

#if defined(STENCIL) // the op that they are told of is the one in the program
#define wave_fault(w, op, ...)         wave_fault(w, ((void)(op), REAL_OP), __VA_ARGS__)
#define wave_fault_because(w, op, ...) wave_fault_because(w, ((void)(op), REAL_OP), __VA_ARGS__)
#endif

// What operands name that no instruction changes: inline constants and apertures.
void wave_fill_constants(struct wave *w);
// Sets mode, and mxcsr, mxcsr64 and mixed accordingly.
void wave_set_mode(struct wave *w, uint32_t mode);
// Loads the host control word for F32.
void wave_load_control(const struct wave *w);
// Both, after mode was written.
void wave_mode_changed(struct wave *w);

#endif
