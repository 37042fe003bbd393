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
#include "terascale/table.h"

static uint64_t state = 1;
static uint32_t random32(void) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(state >> 32);
}

// ---- Programs ----

enum kind { OPERATE, IF, BOOL_IF, LOOP, COUNTED, BREAK_IF, CONTINUE_IF, CALL };
struct node {
    enum kind kind;
    uint32_t number; // of the operation, the bit that is tested, or how often a loop runs
    struct node *body, *other, *next;
};

static struct node pool[400];
static unsigned pooled;

static struct node *grow(unsigned depth, unsigned loops, bool calls) {
    struct node *first = NULL, **at = &first;
    const unsigned count = 1 + random32() % 4;
    for (unsigned i = 0; i < count && pooled < 300; i++) {
        struct node *n = &pool[pooled++];
        *n = (struct node){.kind = OPERATE, .number = random32()};
        const unsigned dice = random32() % 10;
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
        *at = n;
        at = &n->next;
    }
    return first;
}

// ---- One lane ----

static struct node *function;
enum outcome { ON, BROKE, CONTINUED };

static uint32_t booleans; // constants, the same for all lanes
static uint32_t tested(uint32_t acc, const struct node *n) { return acc >> (n->number & 31) & 1; }

static enum outcome model(const struct node *n, uint32_t *acc) {
    for (; n; n = n->next) {
        enum outcome o = ON;
        switch (n->kind) {
        case OPERATE:
            *acc += n->number;
            *acc ^= *acc + *acc;
            break;
        case BOOL_IF: o = booleans >> (n->number & 31) & 1 ? model(n->body, acc) : ON; break;
        case IF: o = model(tested(*acc, n) ? n->body : n->other, acc); break;
        case LOOP:
        case COUNTED:
            for (uint32_t i = 0; i < 1 + n->number % 4; i++)
                if (model(n->body, acc) == BROKE) break;
            break;
        case BREAK_IF:
            if (tested(*acc, n)) return BROKE;
            break;
        case CONTINUE_IF:
            if (tested(*acc, n)) return CONTINUED;
            break;
        case CALL: model(function, acc); break;
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

// The clause that begins a branch: PUSH and ALU in one word or in two.
static void push(struct writer *w, const struct node *n, bool wanted) {
    if (random32() & 1)
        text_puts(&w->t, "ALU_PUSH_BEFORE:\n");
    else {
        const unsigned next = w->labels++;
        text_printf(&w->t, "PUSH ADDR(.L%u)\n.L%u:\nALU:\n", next, next);
    }
    condition(w, n);
    predicate(w, wanted, "");
}

static void pop(struct writer *w) {
    if (w->old && random32() % 3 == 0) {
        const unsigned next = w->labels++;
        text_printf(&w->t, "POP_JUMP POP_CNT(1) ADDR(.L%u)\n.L%u:\n", next, next);
        return;
    }
    if (random32() & 1) {
        text_puts(&w->t, "ALU_POP_AFTER:\n");
        slot(w, "x: NOP ____");
        return;
    }
    const unsigned next = w->labels++;
    text_printf(&w->t, "POP POP_CNT(1) ADDR(.L%u)\n.L%u:\n", next, next);
}

static void emit_if(struct writer *w, const struct node *n, unsigned depth) {
    const unsigned otherwise = w->labels++, end = w->labels++;
    const bool jumps = random32() & 1;
    push(w, n, true);
    if (!n->other) {
        if (jumps) text_printf(&w->t, "JUMP ADDR(.L%u) POP_CNT(1)\n", end);
        emit(w, n->body, depth);
        pop(w);
        text_printf(&w->t, ".L%u:\n", end);
        return;
    }
    if (jumps) text_printf(&w->t, "JUMP ADDR(.L%u)\n", otherwise);
    emit(w, n->body, depth);
    if (!jumps && random32() & 1) {
        text_puts(&w->t, "ALU_ELSE_AFTER:\n");
        slot(w, "x: NOP ____");
    } else
        text_printf(&w->t, ".L%u:\nELSE ADDR(.L%u) POP_CNT(1)\n", otherwise, end);
    emit(w, n->other, depth);
    pop(w);
    text_printf(&w->t, ".L%u:\n", end);
}

// Two branches one after the other, with one word between them.
static void emit_pair(struct writer *w, const struct node *n, unsigned depth) {
    const unsigned between = w->labels++, end = w->labels++;
    push(w, n, true);
    if (random32() & 1) text_printf(&w->t, "JUMP ADDR(.L%u)\n", between);
    emit(w, n->body, depth);
    text_printf(&w->t, ".L%u:\nPOP_PUSH POP_CNT(1) ADDR(.L%u)\nALU:\n", between, end);
    condition(w, n->next);
    predicate(w, true, "");
    emit(w, n->next->body, depth);
    pop(w);
    text_printf(&w->t, ".L%u:\n", end);
}

// A branch that all lanes take or none, by a boolean constant.
static void emit_bool(struct writer *w, const struct node *n, unsigned depth) {
    const unsigned end = w->labels++, number = n->number & 31;
    const unsigned form = random32() % (w->old ? 3 : 2);
    if (form == 0)
        text_printf(&w->t, "JUMP COND(BOOL) CF_CONST(%u) ADDR(.L%u)\n", number, end);
    else
        text_printf(&w->t, "%s COND(%s) CF_CONST(%u) ADDR(.L%u)%s\n", form == 1 ? "PUSH" : "PUSH_ELSE",
                    form == 1 ? "BOOL" : "NOT_BOOL", number, end, form == 1 ? "" : " POP_CNT(1)");
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

static unsigned loop_end[8];

static void emit_loop(struct writer *w, const struct node *n, unsigned depth) {
    const unsigned start = w->labels++, end = w->labels++, after = w->labels++, counter = 10 + depth;
    if (n->kind == COUNTED)
        text_printf(&w->t, "LOOP_START%s CF_CONST(%u) ADDR(.L%u)\n.L%u:\n", random32() & 1 ? "" : "_NO_AL",
                    n->number % 4, after, start);
    else {
        text_puts(&w->t, "ALU:\n");
        slot(w, "x: MOV R%u.x, 0", counter);
        text_printf(&w->t, "LOOP_START_DX10 ADDR(.L%u)\n.L%u:\n", after, start);
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
            if (w->old && !n->other && n->next && n->next->kind == IF && !n->next->other) {
                emit_pair(w, n, depth);
                n = n->next;
            } else
                emit_if(w, n, depth);
            break;
        case LOOP:
        case COUNTED: emit_loop(w, n, depth); break;
        case BREAK_IF: emit_leave(w, n, true, loop_end[depth - 1]); break;
        case CONTINUE_IF: emit_leave(w, n, false, loop_end[depth - 1]); break;
        case CALL: text_puts(&w->t, "CALL ADDR(.Lfunction)\n"); break;
        }
}

static void emit_program(struct writer *w, const struct node *program) {
    text_puts(&w->t, "main:\n");
    emit(w, program, 0);
    text_puts(&w->t, w->cayman ? "CF_END\n" : "NOP END_OF_PROGRAM\n");
    text_puts(&w->t, ".Lfunction:\n");
    emit(w, function, 4);
    text_puts(&w->t, "RETURN\n");
}

static char message[300];
static void take_message(void *context, const sw_diagnostic *d) {
    (void)context;
    if (d->severity == SW_ERROR) snprintf(message, sizeof message, "%u: %s", d->at.line, d->message);
}
static const sw_sink sink = {take_message, NULL};

static void run_both(const char *chip, uint32_t seed) {
    const struct ts_chip *c = ts_chip_find(chip, strlen(chip));
    struct writer w = {.cayman = c->family == TS_CAYMAN, .old = c->family <= TS_R700};
    static sw_terascale_wave wave;
    uint32_t before[64];
    // Counts of the loops: 1 to 4 rounds, aL from 5 in steps of -2.
    uint32_t loops[4];
    for (uint32_t i = 0; i < 4; i++) loops[i] = (i + 1) | 5 << 12 | 0xfeu << 24;
    state = seed;
    pooled = 0;
    booleans = random32();
    function = grow(1, 0, false);
    struct node *program = grow(4, 0, true);
    emit_program(&w, program);
    wave = (sw_terascale_wave){.size = sizeof wave, .valid = ~0ull};
    for (unsigned l = 0; l < 64; l++) before[l] = wave.gpr[3][0][l] = random32();
    const sw_terascale_as_options a = {.size = sizeof a, .processor = sw_processor_find(chip, strlen(chip))};
    uint8_t *object;
    size_t size;
    *message = 0;
    if (sw_terascale_assemble(w.t.data, w.t.length, &a, &object, &size, &sink))
        fail_msg("%s: %s\n%s", chip, message, w.t.data);
    const sw_terascale_wave_options o = {.size = sizeof o,
                                         .booleans = booleans,
                                         .loops = loops,
                                         .loop_count = 4,
                                         .max_steps = 1000000,
                                         .strict = true};
    if (sw_terascale_run_wave(object, size, &o, &wave, &sink))
        fail_msg("%s, seed %u: %s\n%s", chip, seed, message, w.t.data);
    for (unsigned l = 0; l < c->wave; l++) {
        uint32_t acc = before[l];
        model(program, &acc);
        if (acc != wave.gpr[3][0][l])
            fail_msg("%s, seed %u, lane %u: 0x%x, the model has 0x%x\n%s", chip, seed, l, wave.gpr[3][0][l],
                     acc, w.t.data);
    }
    sw_terascale_free(object);
    text_free(&w.t);
}

static void lanes_do_as_they_would_alone(void **unused) {
    (void)unused;
    static const char *const chips[] = {"rv670", "rs880", "rv770", "cedar", "cypress", "cayman"};
    for (uint32_t seed = 1; seed <= 1000; seed++)
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
                                        .buffers = &buffer,
                                        .buffer_count = 1,
                                        .max_steps = steps,
                                        .strict = true};
    const sw_status status = sw_terascale_run(object, size, &o, &sink);
    sw_terascale_free(object);
    return status;
}

static void faults_say_where(void **unused) {
    (void)unused;
    static const struct {
        const char *text, *message;
        sw_status status;
    } cases[] = {
        {".L0:\nJUMP ADDR(.L0) COND(FALSE)\nCF_END\n", "stopped after 1000 control-flow instructions",
         SW_FAULT},
        {"POP POP_CNT(1)\nCF_END\n", "a pop finds nothing that was pushed", SW_FAULT},
        {"ELSE ADDR(1)\nCF_END\n", "an ELSE without a push", SW_FAULT},
        {"LOOP_END ADDR(0)\nCF_END\n", "the end of a loop that was not started", SW_FAULT},
        {"LOOP_BREAK ADDR(0)\nCF_END\n", "a break or continue outside of a loop", SW_FAULT},
        {"RETURN\nCF_END\n", "a return without a call", SW_FAULT},
        {"JUMP ADDR(9999) COND(FALSE)\nCF_END\n", "a jump to word 9999", SW_FAULT},
        {"ALU: ADDR(5000) CNT(1)\nCF_END\n", "the clause is outside of the program", SW_FAULT},
        {".L0:\nCALL ADDR(.L0)\nCF_END\n", "the stack has more than 4096 frames", SW_FAULT},
        {"NOP\nNOP\n", "the program has no end", SW_FAULT},
        {"NOP VALID_PIX WHOLE_QUAD END_OF_PROGRAM\n", "VALID_PIX and WHOLE_QUAD exclude each other",
         SW_FAULT},
        {"EMIT_VERTEX\nCF_END\n", "EMIT_VERTEX: nobody takes vertices", SW_UNSUPPORTED},
        {"JUMPTABLE\nCF_END\n", "JUMPTABLE: how its table is laid out is not known", SW_UNSUPPORTED},
        {"CF_0x77\nCF_END\n", "no instruction has this number", SW_UNSUPPORTED},
        {"TC:\nSAMPLE R0, R0, t0, s0\nCF_END\n", "resource 0 is no texture", SW_FAULT},
        {"ALU:\n0 x: SET_MODE R0.x, R1.x, R1.x\nCF_END\n", "SET_MODE: what its sources mean is not known",
         SW_UNSUPPORTED},
        {"ALU:\n0 x: LDS_WRITE2 R0.x, R1.x, R2.x\nCF_END\n",
         "LDS_WRITE2: which operands are its two addresses is not known", SW_UNSUPPORTED},
        {"ALU:\n0 x: MOV R0.x, PV.y\nCF_END\n", "PV.y is read, which the group before did not write",
         SW_FAULT}, // R7-12
        {"ALU:\n0 x: MOV R0.x, R0.x\n1 x: MOV R0.x, PS\nCF_END\n", "PS.x is read, which the group before",
         SW_FAULT}, // R7-13
        {"ALU:\n0 x: MOV R0.x, R[AR.x+1].x\nCF_END\n", "the address register is read before",
         SW_FAULT}, // R7-10
        {"ALU:\n0 x: MOVA_INT ____, R0.x\nALU:\n0 x: MOV R0.x, R[AR.x+1].x\nCF_END\n",
         "the address register is read before", SW_FAULT},
        {"ALU:\n0 x: MOV R0.x, R1.x PRED_SEL_ONE\nCF_END\n", "the predicate is read before",
         SW_FAULT}, // R7-15
        {"ALU:\n0 x: MOV R0.x, LDS_OQ_A_POP\nCF_END\n", "a queue of LDS is read that is empty", SW_FAULT},
        {"ALU:\n0 x: LDS_READ_RET R0.x\nCF_END\n", "a clause leaves results of LDS in a queue", SW_FAULT},
        {"ALU: UNCHECKED\n0 x: MOV R0.x, KC0[0].x\nCF_END\n", "KC0 is read, which the clause does not lock",
         SW_FAULT},
        {"ALU: KCACHE0(CB7:0-15)\n0 x: MOV R0.x, KC0[0].x\nCF_END\n", "constant buffer 7 is not there",
         SW_FAULT},
        {"TC:\nVFETCH R0, R0.x, b1 FORMAT(32)\nCF_END\n",
         "lane 0: a fetch of 4 bytes at 0x0, outside of every buffer", SW_FAULT},
        {"TC:\nVFETCH R0, R0.x, b77 FORMAT(32)\nCF_END\n", "vertex buffer 77 is not there", SW_FAULT},
        {"TC:\nVFETCH R0, R0.x, b3 FORMAT(63)\nCF_END\n", "data format 63: no data format has this number",
         SW_UNSUPPORTED},
        {"MEM_RAT: STORE_RAW, RAT(0)[R0], R0.x___\nCF_END\n",
         "lane 0: a write at 0x0, outside of every buffer", SW_FAULT},
        {"ALU:\n0 x: MOV R1.x, (0x400)\nMEM_RAT: STORE_RAW, RAT(0)[R1], R0.x___\nCF_END\n",
         "a write at 0x1000, outside", SW_FAULT}, // read-only
    };
    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[400];
        snprintf(text, sizeof text, "main:\n%s", cases[i].text);
        const sw_status status = run_text("cypress", text, 1000 + 9000 * (strstr(text, "CALL") != NULL));
        if (status != cases[i].status || !strstr(message, cases[i].message))
            fail_msg("%s: %d '%s', expected '%s'", cases[i].text, status, message, cases[i].message);
    }
}

// ---- Random words ----

// Control flow and clauses of operations that exist, with everything else at random: a result or a message,
// in bounded time, and no access outside of what the machine has.
static void random_programs_are_harmless(void **unused) {
    (void)unused;
    static const char *const chips[] = {"cypress", "cayman", "cedar"};
    for (uint32_t seed = 1; seed <= 6000; seed++) {
        const char *chip = chips[seed % 3];
        const unsigned family = ts_chip_find(chip, strlen(chip))->family;
        const uint32_t words = 48;
        struct text t = {0};
        struct ts_insn in;
        state = seed;
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
        const sw_terascale_run_options o = {.size = sizeof o,
                                            .groups = {2, 1, 1},
                                            .group_size = {70, 1, 1},
                                            .buffers = &buffer,
                                            .buffer_count = 1,
                                            .dynamic_lds = 64,
                                            .max_steps = 500};
        *message = 0;
        const sw_status status = sw_terascale_run(object, size, &o, &sink);
        assert_true(status == SW_OK || *message);
        sw_terascale_free(object);
        text_free(&t);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lanes_do_as_they_would_alone),
        cmocka_unit_test(faults_say_where),
        cmocka_unit_test(random_programs_are_harmless),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
