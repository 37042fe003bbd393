// SPDX-License-Identifier: MIT
// Control flow against a scalar model: random structured programs become control-flow words in every form
// that a family has, and each lane does what the program says of it alone (R7-04, R7-05, R7-16, R7-17,
// R7-18).
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/text.h"
#include "softwave/terascale.h"
#include "terascale/isa/table.h"
#include "terascale/said.h"

// ---- Programs ----

enum kind { OPERATE, IF, BOOL_IF, LOOP, COUNTED, BREAK_IF, CONTINUE_IF, BREAK_BOOL, CALL, KILL_IF };
struct node {
    enum kind kind;
    uint32_t number; // of the operation, the bit that is tested, or how often a loop runs
    bool takes_out;  // IF: killed lanes are out when it ends (VALID_PIXEL_MODE)
    bool by_bool;    // LOOP, CALL: only if a boolean constant is set
    bool jumps;      // BOOL_IF: nothing is pushed, so that nothing brings lanes back
    struct node *body, *other, *next;
};

static struct node pool[400];
static unsigned pooled;

static struct node *grow(unsigned depth, unsigned loops, unsigned calls) {
    struct node *first = NULL, **at = &first;
    const unsigned count = 1 + random32() % 4;
    for (unsigned i = 0; i < count && pooled < 300; i++) {
        struct node *n = &pool[pooled++];
        *n = (struct node){.kind = OPERATE, .number = random32()};
        const unsigned dice = random32() % 12;
        n->takes_out = random32() % 3 == 0;
        n->by_bool = random32() % 4 == 0;
        n->jumps = random32() & 1;
        if (depth && dice < 4) {
            n->kind = random32() % 4 ? IF : BOOL_IF;
            n->body = grow(depth - 1, loops, calls);
            if (n->kind == IF && random32() & 1) n->other = grow(depth - 1, loops, calls);
        } else if (depth && dice < 6 && loops < 3) {
            n->kind = random32() % 3 ? LOOP : COUNTED;
            n->body = grow(depth - 1, loops + 1, calls);
        } else if (loops && dice == 6)
            n->kind = BREAK_IF;
        else if (loops && dice == 7)
            n->kind = CONTINUE_IF;
        else if (calls && dice == 8)
            n->kind = CALL;
        else if (loops && dice == 9)
            n->kind = BREAK_BOOL;
        else if (dice == 10)
            n->kind = KILL_IF;
        *at = n;
        at = &n->next;
    }
    return first;
}

// ---- One lane ----

// The function that the program calls, and the one that this calls.
static struct node *functions[2];
enum outcome { ON, BROKE, CONTINUED, OUT };

static uint32_t booleans; // constants, the same for all lanes
static uint32_t tested(uint32_t acc, const struct node *n) { return acc >> (n->number & 31) & 1; }
static bool is_set(const struct node *n) { return booleans >> (n->number & 31) & 1; }

struct lane {
    uint32_t acc;
    bool killed;
};

static enum outcome model(const struct node *n, struct lane *l, unsigned level);

// A lane that is out comes back for the other branch, and behind the branches unless it is taken out again.
static enum outcome model_if(const struct node *n, struct lane *l, unsigned level) {
    const bool first = n->kind == BOOL_IF ? is_set(n) : tested(l->acc, n);
    enum outcome o = first ? model(n->body, l, level) : OUT;
    if (n->kind == BOOL_IF && n->jumps) return first ? o : ON;
    if (o == OUT) o = n->other ? model(n->other, l, level) : ON;
    if (o == OUT) o = ON;
    return o == ON && n->kind == IF && n->takes_out && l->killed ? OUT : o;
}

static enum outcome model(const struct node *n, struct lane *l, unsigned level) {
    for (; n; n = n->next) {
        enum outcome o = ON;
        switch (n->kind) {
        case OPERATE:
            l->acc += n->number;
            l->acc ^= l->acc + l->acc;
            break;
        case BOOL_IF:
        case IF: o = model_if(n, l, level); break;
        case LOOP:
        case COUNTED:
            if (n->kind == LOOP && n->by_bool && !is_set(n)) break;
            for (uint32_t i = 0; i < 1 + n->number % 4; i++) {
                const enum outcome round = model(n->body, l, level);
                if (round == BROKE || round == OUT) break;
            }
            break;
        case BREAK_IF:
            if (tested(l->acc, n)) return BROKE;
            break;
        case CONTINUE_IF:
            if (tested(l->acc, n)) return CONTINUED;
            break;
        case BREAK_BOOL:
            if (is_set(n)) return BROKE;
            break;
        case CALL:
            if (!n->by_bool || is_set(n)) model(functions[level], l, level + 1);
            break;
        case KILL_IF: l->killed |= tested(l->acc, n); break;
        }
        if (o != ON) return o;
    }
    return ON;
}

// ---- Words ----

struct writer {
    struct text t;
    unsigned labels, group;
    bool cayman, old; // R600 and R700 have words that do two things
    bool quads;       // the lanes of each quad do the same, so that whole quads are no others
    unsigned level;   // of functions that have been called
};

static void slot(struct writer *w, const char *format, ...) {
    va_list args;
    char line[200];
    va_start(args, format);
    vsnprintf(line, sizeof line, format, args);
    va_end(args);
    text_printf(&w->t, "  %u %s\n", w->group++, line);
}

// R3.x is what a lane computes; the condition goes to R5.x.
static void condition(struct writer *w, const struct node *n) {
    slot(w, "x: AND_INT R5.x, R3.x, (0x%x)", 1u << (n->number & 31));
}

static void predicate(struct writer *w, bool wanted, const char *more) {
    slot(w, "x: PRED_SET%s_INT ____, R5.x, 0 UPDATE_EXEC_MASK UPDATE_PRED%s", wanted ? "NE" : "E", more);
}

static void emit(struct writer *w, const struct node *n, unsigned depth);

// Words that may say that they are of whole quads.
static const char *whole(const struct writer *w, const char *plain, const char *cayman) {
    static char text[40];
    const bool on = w->quads && random32() & 1;
    snprintf(text, sizeof text, "%s", on && w->cayman ? cayman : plain);
    return text;
}
static const char *whole_bit(const struct writer *w) {
    return w->quads && !w->cayman && random32() & 1 ? " WHOLE_QUAD" : "";
}

static void begin_alu(struct writer *w, const char *word) {
    text_printf(&w->t, "%s:%s\n", word, whole_bit(w));
}

// The clause that begins a branch: PUSH and ALU in one word or in two.
static void push(struct writer *w, const struct node *n, bool wanted) {
    if (random32() & 1)
        begin_alu(w, "ALU_PUSH_BEFORE");
    else {
        const unsigned next = w->labels++;
        text_printf(&w->t, "%s ADDR(.L%u)%s\n.L%u:\n", whole(w, "PUSH", "PUSH_WQM"), next, whole_bit(w),
                    next);
        begin_alu(w, "ALU");
    }
    condition(w, n);
    predicate(w, wanted, "");
}

static void nothing(struct writer *w, const char *word) {
    begin_alu(w, word);
    slot(w, "x: NOP ____");
}

static void pops(struct writer *w, unsigned count) {
    if (w->old && random32() % 3 == 0) {
        const unsigned next = w->labels++;
        text_printf(&w->t, "POP_JUMP POP_CNT(%u) ADDR(.L%u)\n.L%u:\n", count, next, next);
        return;
    }
    if (random32() & 1) {
        nothing(w, count == 2 ? "ALU_POP2_AFTER" : "ALU_POP_AFTER");
        return;
    }
    const unsigned next = w->labels++;
    text_printf(&w->t, "%s POP_CNT(%u) ADDR(.L%u)%s\n.L%u:\n", whole(w, "POP", "POP_WQM"), count, next,
                whole_bit(w), next);
}
static void pop(struct writer *w) { pops(w, 1); }

// The end of a branch behind which killed lanes are out.
static void pop_and_take_out(struct writer *w) {
    const unsigned next = w->labels++;
    text_printf(&w->t, "POP POP_CNT(1) ADDR(.L%u) VALID_PIX\n.L%u:\n", next, next);
}

// A branch within a branch, both without another: one pop for both.
static bool ends_with_branch(const struct node *n) {
    while (n && n->next) n = n->next;
    return n && n->kind == IF && !n->other && !n->takes_out;
}

static void emit_nested(struct writer *w, const struct node *n, unsigned depth) {
    const unsigned end = w->labels++, both = w->labels++;
    struct node *inner = n->body, *before = NULL;
    for (; inner->next; inner = inner->next) before = inner;
    push(w, n, true);
    if (random32() & 1) text_printf(&w->t, "JUMP ADDR(.L%u) POP_CNT(1)\n", end);
    if (before) {
        before->next = NULL;
        emit(w, n->body, depth);
        before->next = inner;
    }
    push(w, inner, true);
    if (random32() & 1) text_printf(&w->t, "JUMP ADDR(.L%u)\n", both);
    emit(w, inner->body, depth);
    text_printf(&w->t, ".L%u:\n", both);
    pops(w, 2);
    text_printf(&w->t, ".L%u:\n", end);
}

static void emit_if(struct writer *w, const struct node *n, unsigned depth) {
    const unsigned otherwise = w->labels++, end = w->labels++, popped = w->labels++;
    const bool jumps = random32() & 1, direct = !n->takes_out; // else jumps lead to the pop
    const unsigned to = direct ? popped : end, count = direct;
    push(w, n, true);
    if (!n->other) {
        if (jumps) text_printf(&w->t, "JUMP ADDR(.L%u) POP_CNT(%u)\n", to, count);
        emit(w, n->body, depth);
    } else {
        if (jumps) text_printf(&w->t, "JUMP ADDR(.L%u)\n", otherwise);
        emit(w, n->body, depth);
        if (!jumps && random32() & 1)
            nothing(w, "ALU_ELSE_AFTER");
        else
            text_printf(&w->t, ".L%u:\n%s ADDR(.L%u) POP_CNT(%u)%s\n", otherwise,
                        whole(w, "ELSE", "ELSE_WQM"), to, count, whole_bit(w));
        emit(w, n->other, depth);
    }
    text_printf(&w->t, ".L%u:\n", end);
    if (direct)
        pop(w);
    else
        pop_and_take_out(w);
    text_printf(&w->t, ".L%u:\n", popped);
}

// Two branches one after the other, with one word between them.
static void emit_pair(struct writer *w, const struct node *n, unsigned depth) {
    const unsigned between = w->labels++, end = w->labels++;
    const bool constant = n->next->kind == BOOL_IF;
    push(w, n, true);
    if (random32() & 1) text_printf(&w->t, "JUMP ADDR(.L%u)\n", between);
    emit(w, n->body, depth);
    text_printf(&w->t, ".L%u:\n", between);
    if (constant)
        text_printf(&w->t, "%s COND(%s) CF_CONST(%u) POP_CNT(1) ADDR(.L%u)\n",
                    n->number & 32 ? "POP_PUSH" : "POP_PUSH_ELSE", n->number & 32 ? "BOOL" : "NOT_BOOL",
                    n->next->number & 31, end);
    else {
        text_printf(&w->t, "POP_PUSH POP_CNT(1) ADDR(.L%u)\nALU:\n", end);
        condition(w, n->next);
        predicate(w, true, "");
    }
    emit(w, n->next->body, depth);
    pop(w);
    text_printf(&w->t, ".L%u:\n", end);
}

// A branch that all lanes take or none, by a boolean constant.
static void emit_bool(struct writer *w, const struct node *n, unsigned depth) {
    const unsigned end = w->labels++, number = n->number & 31;
    const unsigned form = n->jumps ? 0 : 1 + random32() % (w->old ? 2 : 1);
    if (form == 0)
        text_printf(&w->t, "%s COND(BOOL) CF_CONST(%u) ADDR(.L%u)\n",
                    w->cayman && random32() & 1 ? "JUMP_ANY" : "JUMP", number, end);
    else
        text_printf(&w->t, "%s COND(%s) CF_CONST(%u) ADDR(.L%u)%s\n",
                    form == 1 ? whole(w, "PUSH", "PUSH_WQM") : "PUSH_ELSE", form == 1 ? "BOOL" : "NOT_BOOL",
                    number, end, form == 1 ? "" : " POP_CNT(1)");
    emit(w, n->body, depth);
    if (form) pop(w);
    text_printf(&w->t, ".L%u:\n", end);
}

// Lanes whose condition holds leave the loop, or its round.
static void emit_leave(struct writer *w, const struct node *n, bool breaks, unsigned end) {
    if (random32() & 1) {
        const unsigned after = w->labels++;
        push(w, n, true);
        if (random32() & 1) text_printf(&w->t, "JUMP ADDR(.L%u) POP_CNT(1)\n", after);
        text_printf(&w->t, "LOOP_%s ADDR(.L%u)\n", breaks ? "BREAK" : "CONTINUE", end);
        pop(w);
        text_printf(&w->t, ".L%u:\n", after);
    } else if (w->cayman) {
        text_puts(&w->t, "ALU:\n");
        condition(w, n);
        predicate(w, false, breaks ? " EXECUTE_MASK_OP(BREAK)" : " EXECUTE_MASK_OP(CONTINUE)");
    } else {
        text_printf(&w->t, "ALU_%s:\n", breaks ? "BREAK" : "CONTINUE");
        condition(w, n);
        predicate(w, false, "");
    }
}

// Lanes whose condition holds are killed, by an operation, a word or what becomes of lanes that fail.
static void emit_kill(struct writer *w, const struct node *n) {
    const unsigned form = random32() % (w->cayman ? 3 : 2);
    if (form == 1) {
        push(w, n, true);
        text_puts(&w->t, "KILL\n");
        pop(w);
        return;
    }
    text_puts(&w->t, "ALU:\n");
    condition(w, n);
    if (form)
        predicate(w, false, " EXECUTE_MASK_OP(KILL)");
    else
        slot(w, "x: KILLNE_INT ____, R5.x, 0");
}

static unsigned loop_end[10];

static void emit_loop(struct writer *w, const struct node *n, unsigned depth) {
    const unsigned start = w->labels++, end = w->labels++, after = w->labels++, counter = 10 + depth;
    if (n->kind == COUNTED)
        text_printf(&w->t, "LOOP_START%s CF_CONST(%u) ADDR(.L%u)\n.L%u:\n", random32() & 1 ? "" : "_NO_AL",
                    n->number % 4, after, start);
    else {
        text_puts(&w->t, "ALU:\n");
        slot(w, "x: MOV R%u.x, 0", counter);
        text_printf(&w->t, "LOOP_START_DX10 ADDR(.L%u)", after);
        if (n->by_bool) text_printf(&w->t, " COND(BOOL) CF_CONST(%u)", n->number & 31);
        text_printf(&w->t, "\n.L%u:\n", start);
        // Leaves when the lane has had its rounds.
        text_puts(&w->t, "ALU_PUSH_BEFORE:\n");
        slot(w, "x: PRED_SETGT_INT ____, R%u.x, (%u) UPDATE_EXEC_MASK UPDATE_PRED", counter, n->number % 4);
        text_printf(&w->t, "LOOP_BREAK ADDR(.L%u)\n", end);
        pop(w);
        text_puts(&w->t, "ALU:\n");
        slot(w, "x: ADD_INT R%u.x, R%u.x, 1", counter, counter);
    }
    loop_end[depth] = end;
    emit(w, n->body, depth + 1);
    text_printf(&w->t, ".L%u:\nLOOP_END ADDR(.L%u)\n.L%u:\n", end, start, after);
}

static void emit(struct writer *w, const struct node *n, unsigned depth) {
    for (; n; n = n->next) switch (n->kind) {
        case OPERATE:
            text_puts(&w->t, "ALU:\n");
            slot(w, "x: ADD_INT R3.x, R3.x, (0x%x)", n->number);
            slot(w, "x: ADD_INT R6.x, R3.x, R3.x");
            slot(w, "x: XOR_INT R3.x, R3.x, PV.x");
            break;
        case BOOL_IF: emit_bool(w, n, depth); break;
        case IF:
            if (w->old && !n->takes_out && !n->other && n->next && !n->next->other &&
                ((n->next->kind == BOOL_IF && !n->next->jumps) ||
                 (n->next->kind == IF && !n->next->takes_out))) {
                emit_pair(w, n, depth);
                n = n->next;
            } else if (!n->other && !n->takes_out && ends_with_branch(n->body) && random32() & 1)
                emit_nested(w, n, depth);
            else
                emit_if(w, n, depth);
            break;
        case LOOP:
        case COUNTED: emit_loop(w, n, depth); break;
        case BREAK_IF: emit_leave(w, n, true, loop_end[depth - 1]); break;
        case CONTINUE_IF: emit_leave(w, n, false, loop_end[depth - 1]); break;
        case BREAK_BOOL:
            text_printf(&w->t, "LOOP_BREAK COND(BOOL) CF_CONST(%u) ADDR(.L%u)\n", n->number & 31,
                        loop_end[depth - 1]);
            break;
        case CALL:
            text_printf(&w->t, "CALL ADDR(.Lfunction%u)", w->level);
            if (n->by_bool) text_printf(&w->t, " COND(BOOL) CF_CONST(%u)", n->number & 31);
            text_puts(&w->t, "\n");
            break;
        case KILL_IF: emit_kill(w, n); break;
        }
}

static void emit_program(struct writer *w, const struct node *program) {
    text_puts(&w->t, "main:\n");
    emit(w, program, 0);
    text_puts(&w->t, !w->old && random32() & 1 ? "HALT\n" : w->cayman ? "CF_END\n" : "NOP END_OF_PROGRAM\n");
    for (w->level = 1; w->level < 3; w->level++) {
        text_printf(&w->t, ".Lfunction%u:\n", w->level - 1);
        emit(w, functions[w->level - 1], 2 + 2 * w->level);
        text_puts(&w->t, "RETURN\n");
    }
}

static void run_both(const char *chip, uint32_t seed) {
    const struct ts_chip *c = ts_chip_find(chip, strlen(chip));
    struct writer w = {.cayman = c->family == TS_CAYMAN, .old = c->family <= TS_R700};
    static sw_terascale_wave wave;
    uint32_t before[64];
    // Counts of the loops: 1 to 4 rounds, aL from 5 in steps of -2.
    uint32_t loops[4];
    for (uint32_t i = 0; i < 4; i++) loops[i] = (i + 1) | 5 << 12 | 0xfeu << 24;
    drawn = seed;
    pooled = 0;
    booleans = random32();
    w.quads = seed % 3 == 0;
    functions[1] = grow(1, 0, 0);
    functions[0] = grow(1, 0, 1);
    struct node *program = grow(4, 0, 1);
    emit_program(&w, program);
    wave = (sw_terascale_wave){.size = sizeof wave, .valid = ~0ull};
    for (unsigned l = 0; l < 64; l++)
        before[l] = wave.gpr[3][0][l] = w.quads && l % 4 ? before[l - 1] : random32();
    const sw_terascale_as_options a = {.size = sizeof a, .processor = sw_processor_find(chip, strlen(chip))};
    uint8_t *object;
    size_t size;
    *message = 0;
    if (sw_terascale_assemble(w.t.data, w.t.length, &a, &object, &size, &sink))
        fail_msg("%s: %s\n%s", chip, message, w.t.data);
    const sw_terascale_wave_options o = {.size = sizeof o,
                                         .setup = &(sw_terascale_setup){.size = sizeof(sw_terascale_setup),
                                                                        .booleans = booleans,
                                                                        .loops = loops,
                                                                        .loop_count = 4,
                                                                        .max_steps = 1000000,
                                                                        .strict = true}};
    if (sw_terascale_run_wave(object, size, &o, &wave, &sink))
        fail_msg("%s, seed %u: %s\n%s", chip, seed, message, w.t.data);
    for (unsigned l = 0; l < c->wave; l++) {
        struct lane lane = {before[l], false};
        model(program, &lane, 0);
        if (lane.acc != wave.gpr[3][0][l] || lane.killed == (wave.valid >> l & 1))
            fail_msg("%s, seed %u, lane %u: 0x%x, %svalid; the model has 0x%x, %svalid\n%s", chip, seed, l,
                     wave.gpr[3][0][l], wave.valid >> l & 1 ? "" : "in", lane.acc, lane.killed ? "in" : "",
                     w.t.data);
    }
    sw_free(object);
    text_free(&w.t);
}

static void lanes_do_as_they_would_alone(void **unused) {
    (void)unused;
    static const char *const chips[] = {"rv670", "rs880", "rv770", "cedar", "cypress", "cayman"};
    for (uint32_t seed = 1; seed <= 400; seed++)
        for (unsigned i = 0; i < 6; i++) run_both(chips[i], seed);
}

// ---- Programs that go wrong ----

static sw_status run_text(const char *chip, const char *text, uint64_t steps) {
    const sw_terascale_as_options a = {.size = sizeof a, .processor = sw_processor_find(chip, strlen(chip))};
    uint8_t *object;
    size_t size;
    *message = 0;
    if (sw_terascale_assemble(text, strlen(text), &a, &object, &size, &sink))
        fail_msg("%s: %s\n%s", chip, message, text);
    uint32_t data[64] = {0};
    const sw_terascale_buffer buffer = {data, sizeof data, 0x1000, true};
    const sw_terascale_run_options o = {.size = sizeof o,
                                        .groups = {1, 1, 1},
                                        .group_size = {40, 1, 1},
                                        .setup = &(sw_terascale_setup){.size = sizeof(sw_terascale_setup),
                                                                       .buffers = &buffer,
                                                                       .buffer_count = 1,
                                                                       .max_steps = steps,
                                                                       .strict = true}};
    const sw_status status = sw_terascale_run(object, size, &o, &sink);
    sw_free(object);
    return status;
}

static void faults_say_where(void **unused) {
    (void)unused;
    static const struct {
        const char *text, *message;
        sw_status status;
    } cases[] = {
        {".L0:\nJUMP ADDR(.L0) COND(FALSE)\nCF_END\n", "stopped after 1000 control-flow instructions",
         SW_FAULTED},
        {"POP POP_CNT(1)\nCF_END\n", "a pop finds nothing that was pushed", SW_FAULTED},
        {"ELSE ADDR(1)\nCF_END\n", "an ELSE without a push", SW_FAULTED},
        {"LOOP_END ADDR(0)\nCF_END\n", "the end of a loop that was not started", SW_FAULTED},
        {"LOOP_BREAK ADDR(0)\nCF_END\n", "a break or continue outside of a loop", SW_FAULTED},
        {"RETURN\nCF_END\n", "a return without a call", SW_FAULTED},
        {"JUMP ADDR(9999) COND(FALSE)\nCF_END\n", "a jump to word 9999", SW_FAULTED},
        {"ALU: ADDR(5000) CNT(1)\nCF_END\n", "the clause is outside of the program", SW_FAULTED},
        {".L0:\nCALL ADDR(.L0)\nCF_END\n", "the stack has more than 4096 frames", SW_FAULTED},
        {"NOP\nNOP\n", "the program has no end", SW_FAULTED},
        {".L0:\nPUSH ADDR(.L1)\n.L1:\nJUMP ADDR(.L0) COND(FALSE)\nCF_END\n",
         "the stack has more than 4096 frames", SW_FAULTED},
        {".L0:\nLOOP_START_DX10 ADDR(.L1)\nJUMP ADDR(.L0) COND(FALSE)\n.L1:\nCF_END\n",
         "the stack has more than 4096 frames", SW_FAULTED},
        {".L0:\nALU_PUSH_BEFORE:\n0 x: NOP ____\nJUMP ADDR(.L0) COND(FALSE)\nCF_END\n",
         "the stack has more than 4096 frames", SW_FAULTED},
        {".L0:\nJUMP ADDR(.L1) COND(FALSE)\nNOP\n.L1:\nJUMP ADDR(.L0) COND(FALSE)\nCF_END\n",
         "stopped after 1000 control-flow instructions", SW_FAULTED},
        {".L0:\nLOOP_START_DX10 ADDR(.L1)\n.L2:\nLOOP_END ADDR(.L2)\n.L1:\nCF_END\n",
         "stopped after 1000 control-flow instructions", SW_FAULTED},
        {"TC: ADDR(5000) CNT(1)\nCF_END\n", "the clause is outside of the program", SW_FAULTED},
        {"GDS: ADDR(16777214) CNT(1)\nCF_END\n", "the clause is outside of the program", SW_FAULTED},
        {"LOOP_CONTINUE ADDR(0)\nCF_END\n", "a break or continue outside of a loop", SW_FAULTED},
        {"ALU_BREAK:\n0 x: PRED_SETE_INT ____, R0.x, 0 UPDATE_EXEC_MASK\nCF_END\n",
         "a break or continue outside of a loop", SW_FAULTED},
        {"ALU_POP2_AFTER:\n0 x: NOP ____\nCF_END\n", "a pop finds nothing that was pushed", SW_FAULTED},
        {"ALU_ELSE_AFTER:\n0 x: NOP ____\nCF_END\n", "an ELSE without a push", SW_FAULTED},
        {"LOOP_START_DX10 ADDR(.L1)\nPOP POP_CNT(1)\n.L1:\nCF_END\n", "a pop finds nothing that was pushed",
         SW_FAULTED},
        {"LOOP_START_DX10 ADDR(.L1)\nCALL ADDR(.L1)\n.L1:\nLOOP_BREAK ADDR(.L1)\nCF_END\n",
         "a break or continue outside of a loop", SW_FAULTED}, // the loop is the caller's
        {"PUSH ADDR(.L1)\n.L1:\nRETURN\nCF_END\n", "a return without a call", SW_FAULTED},
        {"END_PROGRAM\nCF_END\n", "END_PROGRAM: its number is reserved", SW_UNSUPPORTED},
        {"NOP VALID_PIX WHOLE_QUAD END_OF_PROGRAM\n", "VALID_PIX and WHOLE_QUAD exclude each other",
         SW_FAULTED},
        {"EMIT_VERTEX\nCF_END\n", "EMIT_VERTEX: nobody takes vertices", SW_UNSUPPORTED},
        {"JUMPTABLE\nCF_END\n", "JUMPTABLE: how its table is laid out is not known", SW_UNSUPPORTED},
        {"CF_0x77\nCF_END\n", "no instruction has this number", SW_UNSUPPORTED},
        {"TC:\nSAMPLE R0, R0, t0, s0\nCF_END\n", "resource 0 is no texture", SW_FAULTED},
        {"ALU:\n0 x: SET_MODE R0.x, R1.x, R1.x\nCF_END\n", "SET_MODE: what its sources mean is not known",
         SW_UNSUPPORTED},
        {"ALU:\n0 x: LDS_WRITE2 R0.x, R1.x, R2.x\nCF_END\n",
         "LDS_WRITE2: which operands are its two addresses is not known", SW_UNSUPPORTED},
        {"ALU:\n0 x: MOV R0.x, PV.y\nCF_END\n", "PV.y is read, which the group before did not write",
         SW_FAULTED}, // R7-12
        {"ALU:\n0 x: MOV R0.x, R0.x\n1 x: MOV R0.x, PS\nCF_END\n", "PS.x is read, which the group before",
         SW_FAULTED}, // R7-13
        {"ALU:\n0 x: MOV R0.x, R[AR.x+1].x\nCF_END\n", "the address register is read before",
         SW_FAULTED}, // R7-10
        {"ALU:\n0 x: MOVA_INT ____, R0.x\nALU:\n0 x: MOV R0.x, R[AR.x+1].x\nCF_END\n",
         "the address register is read before", SW_FAULTED},
        {"ALU:\n0 x: MOV R0.x, R1.x PRED_SEL_ONE\nCF_END\n", "the predicate is read before",
         SW_FAULTED}, // R7-15
        {"ALU:\n0 x: MOV R0.x, LDS_OQ_A_POP\nCF_END\n", "a queue of LDS is read that is empty", SW_FAULTED},
        {"ALU:\n0 x: LDS_READ_RET R0.x\nCF_END\n", "a clause leaves results of LDS in a queue", SW_FAULTED},
        {"ALU: UNCHECKED\n0 x: MOV R0.x, KC0[0].x\nCF_END\n", "KC0 is read, which the clause does not lock",
         SW_FAULTED},
        {"ALU: KCACHE0(CB7:0-15)\n0 x: MOV R0.x, KC0[0].x\nCF_END\n", "constant buffer 7 is not there",
         SW_FAULTED},
        {"TC:\nVFETCH R0, R0.x, b1 FORMAT(32)\nCF_END\n",
         "lane 0: a fetch of 4 bytes at 0x0, outside of every buffer", SW_FAULTED},
        {"TC:\nVFETCH R0, R0.x, b77 FORMAT(32)\nCF_END\n", "vertex buffer 77 is not there", SW_FAULTED},
        {"TC:\nVFETCH R0, R0.x, b3 FORMAT(63)\nCF_END\n", "data format 63: no data format has this number",
         SW_UNSUPPORTED},
        {"MEM_RAT: STORE_RAW, RAT(0)[R0], R0.x___\nCF_END\n",
         "lane 0: a write at 0x0, outside of every buffer", SW_FAULTED},
        {"ALU:\n0 x: MOV R1.x, (0x400)\nMEM_RAT: STORE_RAW, RAT(0)[R1], R0.x___\nCF_END\n",
         "a write at 0x1000, outside", SW_FAULTED}, // read-only
    };
    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[400];
        snprintf(text, sizeof text, "main:\n%s", cases[i].text);
        const sw_status status = run_text("cypress", text, strstr(cases[i].message, "frames") ? 20000 : 1000);
        if (status != cases[i].status || !strstr(message, cases[i].message))
            fail_msg("%s: %d '%s', expected '%s'", cases[i].text, status, message, cases[i].message);
    }
}

// ---- Quads and valid lanes ----

static sw_terascale_wave shared;
static void run_shared(const char *chip, const char *text, uint64_t valid) {
    const sw_terascale_as_options a = {.size = sizeof a, .processor = sw_processor_find(chip, strlen(chip))};
    const sw_terascale_wave_options o = {
        .size = sizeof o,
        .setup =
            &(sw_terascale_setup){.size = sizeof(sw_terascale_setup), .max_steps = 1000, .strict = true}};
    struct text t = {0};
    uint8_t *object;
    size_t size;
    text_printf(&t, "main:\n%s%s", text, !strcmp(chip, "cayman") ? "CF_END\n" : "NOP END_OF_PROGRAM\n");
    shared = (sw_terascale_wave){.size = sizeof shared, .valid = valid};
    for (unsigned l = 0; l < 64; l++) shared.gpr[0][0][l] = l;
    if (sw_terascale_assemble(t.data, t.length, &a, &object, &size, &sink))
        fail_msg("%s: %s\n%s", chip, message, text);
    if (sw_terascale_run_wave(object, size, &o, &shared, &sink)) fail_msg("%s: %s\n%s", chip, message, text);
    sw_free(object);
    text_free(&t);
}

static uint64_t lanes_with(unsigned gpr, uint32_t value) {
    uint64_t lanes = 0;
    for (unsigned l = 0; l < 64; l++) lanes |= (uint64_t)(shared.gpr[gpr][0][l] == value) << l;
    return lanes;
}

#define ONLY_5 "ALU_PUSH_BEFORE:\n0 x: PRED_SETE_INT ____, R0.x, (5) UPDATE_EXEC_MASK UPDATE_PRED\n"

// R7-16, R7-17: a quad executes as a whole, with lanes that were never valid, but without those that left the
// loop. Behind a pop or in a clause VALID_PIXEL_MODE leaves killed lanes out.
static void whole_quads_and_valid_lanes(void **unused) {
    (void)unused;
    const uint64_t most = ~(1ull << 6);
    run_shared("cypress", ONLY_5 "ALU: WHOLE_QUAD\n0 x: MOV R4.x, 1\nALU_POP_AFTER:\n0 x: MOV R5.x, 1\n",
               most);
    assert_true(lanes_with(4, 1) == 0xf0);
    assert_true(lanes_with(5, 1) == 1 << 5); // the clause pops when it ends
    run_shared("cypress",
               ONLY_5
               "PUSH ADDR(.L0) WHOLE_QUAD\n.L0:\nALU:\n0 x: MOV R4.x, 1\nPOP POP_CNT(1) ADDR(.L1)\n.L1:\n"
               "ALU:\n0 x: MOV R5.x, 1\nPOP POP_CNT(1) ADDR(.L2) WHOLE_QUAD\n.L2:\nALU:\n0 x: MOV R6.x, 1\n",
               most);
    assert_true(lanes_with(4, 1) == 0xf0 && lanes_with(5, 1) == 1 << 5 && lanes_with(6, 1) == ~0ull);
    run_shared("cayman",
               ONLY_5
               "PUSH_WQM ADDR(.L0)\n.L0:\nALU:\n0 x: MOV R4.x, 1\nPOP POP_CNT(1) ADDR(.L1)\n.L1:\n"
               "ELSE_WQM ADDR(.L2) POP_CNT(1)\nALU:\n0 x: MOV R5.x, 1\nPOP_WQM POP_CNT(1) ADDR(.L2)\n.L2:\n"
               "ALU:\n0 x: MOV R6.x, 1\n",
               most);
    assert_true(lanes_with(4, 1) == 0xf0 && lanes_with(5, 1) == ~0ull && lanes_with(6, 1) == ~0ull);
    // Lane 5 has left the loop.
    run_shared("cayman",
               "LOOP_START_DX10 ADDR(.L9)\n.L0:\nALU:\n0 x: PRED_SETNE_INT ____, R0.x, (5) UPDATE_EXEC_MASK "
               "UPDATE_PRED "
               "EXECUTE_MASK_OP(BREAK)\nPUSH_WQM ADDR(.L1)\n.L1:\nALU:\n0 x: ADD_INT R4.x, R4.x, 1\n"
               "POP POP_CNT(1) ADDR(.L2)\n.L2:\nLOOP_BREAK ADDR(.L3)\n.L3:\nLOOP_END ADDR(.L0)\n.L9:\n",
               ~0ull);
    assert_true(lanes_with(4, 1) == ~(1ull << 5) && lanes_with(4, 0) == 1 << 5);
    // Killed lanes go on until they are taken out.
    run_shared("cayman",
               "ALU:\n0 x: KILLE_INT ____, R0.x, (9)\nALU:\n0 x: MOV R4.x, 1\nALU_VALID_PIXEL_MODE:\n0 x: "
               "MOV R5.x, 1\n"
               "PUSH ADDR(.L0)\n.L0:\nPOP POP_CNT(1) ADDR(.L1) VALID_PIX\n.L1:\nALU:\n0 x: MOV R6.x, 1\n",
               ~0ull);
    assert_true(shared.valid == ~(1ull << 9));
    assert_true(lanes_with(4, 1) == ~0ull && lanes_with(5, 1) == ~(1ull << 9) &&
                lanes_with(6, 1) == ~(1ull << 9));
    // With VALID_PIX a jump asks valid lanes only, and an ELSE turns to them only.
    run_shared("cypress",
               "ALU_PUSH_BEFORE:\n0 x: PRED_SETE_INT ____, R0.x, (9) UPDATE_EXEC_MASK UPDATE_PRED\nKILL\n"
               "JUMP ADDR(.L0) VALID_PIX\nALU:\n0 x: MOV R4.x, 1\n.L0:\nELSE ADDR(.L1) POP_CNT(1) VALID_PIX\n"
               "ELSE ADDR(.L1) POP_CNT(1) VALID_PIX\nALU_POP_AFTER:\n0 x: MOV R5.x, 1\n.L1:\nALU:\n0 x: MOV "
               "R6.x, 1\n",
               ~0ull);
    assert_true(lanes_with(4, 1) == 0 && lanes_with(5, 1) == 0 && lanes_with(6, 1) == ~(1ull << 9));
}

// ---- Random words ----

// Control flow and clauses of operations that exist, with everything else at random: a result or a message,
// in bounded time, and no access outside of what the machine has.
static void random_programs_are_harmless(void **unused) {
    (void)unused;
    static const char *const chips[] = {"cypress", "cayman", "cedar", "rv770", "rv670"};
    static uint32_t areas[SW_TERASCALE_SPACES][64];
    sw_terascale_memory memories[SW_TERASCALE_SPACES];
    for (unsigned k = 0; k < SW_TERASCALE_SPACES; k++)
        memories[k] = (sw_terascale_memory){.size = sizeof *memories,
                                            .space = (sw_terascale_space)k,
                                            .data = areas[k],
                                            .bytes = sizeof areas[k],
                                            .stride = 4};
    for (uint32_t seed = 1; seed <= 6000; seed++) {
        const char *chip = chips[seed % 5];
        const unsigned family = ts_chip_find(chip, strlen(chip))->family;
        const uint32_t words = 48;
        struct text t = {0};
        struct ts_insn in;
        drawn = seed;
        text_puts(&t, "main:\n");
        for (uint32_t i = 0; i < words; i++) {
            unsigned r;
            const unsigned from = i < 16 ? TS_CF_NOP : i < 40 ? TS_OP2_ADD : TS_TEX_LD;
            const unsigned to = i < 16 ? TS_RAT_NOP : i < 40 ? TS_TEX_LD : TS_ROWS;
            do r = from + random32() % (to - from);
            while (!ts_begin(family, &ts_rows[r], &in));
            for (unsigned k = 0; k < in.format->part_count; k++) {
                const struct ts_part *p = &in.format->parts[k];
                const unsigned f = p->field;
                if (f == TS_CF_INST || f == TS_ALU_INST || f == TS_LDS_OP || f == TS_VC_INST ||
                    f == TS_MEM_INST || f == TS_MEM_OP || f == TS_GDS_OP || f == TS_TEX_INST)
                    continue;
                uint32_t v = random32();
                if (f == TS_END_OF_PROGRAM || f == TS_WHOLE_QUAD_MODE || f == TS_VALID_PIXEL_MODE)
                    v = v % 16 == 0;
                if (f == TS_LAST) v = v % 3 == 0;
                if (f == TS_POP_COUNT) v = v % 4 ? 0 : 1;
                if (f == TS_COND) v = v % 8 ? 0 : v >> 8;
                if (f == TS_ADDR)
                    v = in.row->flags & TS_CLAUSE ? (in.format->id == TSF_CF_ALU ? 16 : 40) : v % 18;
                if (f == TS_COUNT) v %= in.format->id == TSF_CF_ALU ? 24 : 4;
                ts_set(&in, f, v);
            }
            text_printf(&t, "%u .long 0x%x, 0x%x%s\n", i, in.w[0], in.w[1], "");
            if (in.format->words == 4) text_printf(&t, "%u .long 0x%x, 0x%x\n", ++i, in.w[2], in.w[3]);
        }
        const sw_terascale_as_options a = {.size = sizeof a,
                                           .processor = sw_processor_find(chip, strlen(chip))};
        uint8_t *object;
        size_t size;
        assert_int_equal(sw_terascale_assemble(t.data, t.length, &a, &object, &size, &sink), SW_OK);
        uint32_t data[64] = {0};
        const sw_terascale_buffer buffer = {data, sizeof data, 0, false};
        const sw_terascale_run_options o = {
            .size = sizeof o,
            .groups = {2, 1, 1},
            .group_size = {70, 1, 1},
            .dynamic_lds = 64,
            .setup = &(sw_terascale_setup){
                .size = sizeof(sw_terascale_setup), .buffers = &buffer, .buffer_count = 1, .max_steps = 500}};
        *message = 0;
        const sw_terascale_wave_options one = {
            .size = sizeof one,
            .lds = 64,
            .setup = &(sw_terascale_setup){.size = sizeof(sw_terascale_setup),
                                           .buffers = &buffer,
                                           .buffer_count = 1,
                                           .max_steps = 500,
                                           .memories = memories,
                                           .memory_count = SW_TERASCALE_SPACES}};
        shared.size = sizeof shared; // registers of the program before
        shared.valid = random32() | ~0ull << 33;
        const sw_status status = family < TS_EVERGREEN
                                     ? sw_terascale_run_wave(object, size, &one, &shared, &sink)
                                     : sw_terascale_run(object, size, &o, &sink);
        assert_true(status == SW_OK || *message);
        sw_free(object);
        text_free(&t);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lanes_do_as_they_would_alone),
        cmocka_unit_test(faults_say_where),
        cmocka_unit_test(whole_quads_and_valid_lanes),
        cmocka_unit_test(random_programs_are_harmless),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
