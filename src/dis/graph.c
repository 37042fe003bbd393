// SPDX-License-Identifier: MIT
// Basic blocks as nodes of a graph in the language of Graphviz' dot: what ends a block and where it goes on
// is known from the instructions' flags and branch targets. A jump to the return address "returns"; one to
// another register goes somewhere unknown, "?". Edges back are blue, branches taken green, falls through
// grey.
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/bytes.h"
#include "dis/listing.h"

struct graph {
    struct listing *l;
    const struct isa *isa;
    const uint8_t *code;
    uint64_t address, start, stop; // of the function: [start, stop)
    bool wave32;
    ARRAY(uint64_t) leaders; // ascending
    bool stopped;
};

static void out(struct graph *g, const char *text) {
    if (!g->stopped && !g->l->write(g->l->context, text, strlen(text))) g->stopped = true;
}

// Text within double quotes.
static void out_quoted(struct graph *g, const char *text) {
    char piece[3] = {'\\', 0, 0};
    for (; *text && !g->stopped; text++) {
        piece[1] = *text;
        out(g, piece + !(*text == '"' || *text == '\\'));
    }
}

// The instruction at an address: false, of one dword, when it is data.
static bool decode(const struct graph *g, uint64_t at, struct insn *in) {
    size_t left = (size_t)(g->stop - at);
    bool known = insn_decode(g->isa, g->code + (at - g->address), left, in) == DECODE_OK &&
                 insn_is_canonical(g->isa, in, g->wave32);
    if (!known) in->size = left < 4 ? 1 : 4;
    return known;
}

static int by_value(const void *a, const void *b) {
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

static bool inside(const struct graph *g, uint64_t at) { return at >= g->start && at < g->stop; }

static bool ends_block(const struct insn *in) { return in->row->flags & (ROW_TERMINATOR | ROW_BRANCH); }

// Where blocks begin: at the function, at targets, behind what ends a block.
static bool find_leaders(struct graph *g) {
    struct insn in;
    g->leaders.count = 0;
    if (!array_push(&g->leaders, g->start)) return false;
    for (uint64_t at = g->start, target; at < g->stop; at += in.size) {
        if (!decode(g, at, &in)) continue;
        if (insn_target(&in, at, &target) && !(in.row->flags & ROW_CALL) && inside(g, target) &&
            !array_push(&g->leaders, target))
            return false;
        if (ends_block(&in) && at + in.size < g->stop && !array_push(&g->leaders, at + in.size)) return false;
    }
    uint64_t *p = g->leaders.items;
    qsort(p, g->leaders.count, sizeof *p, by_value);
    size_t n = 0;
    for (size_t i = 0; i < g->leaders.count; i++)
        if (!n || p[n - 1] != p[i]) p[n++] = p[i];
    g->leaders.count = n;
    return true;
}

static void out_insn(struct graph *g, uint64_t at, const struct insn *in, bool known, unsigned times) {
    char text[INSN_TEXT];
    struct print_options o = {
        .processor = g->l->processor, .isa = g->l->isa, .wave32 = g->wave32, .address = at};
    if (known)
        insn_print(in, &o, text);
    else if (in->size == 4)
        snprintf(text, sizeof text, ".long 0x%08" PRIx32, rd32(g->code + (at - g->address)));
    else
        snprintf(text, sizeof text, ".byte 0x%02x", g->code[at - g->address]);
    out_quoted(g, text);
    if (times > 1) {
        snprintf(text, sizeof text, "  (%u times)", times);
        out(g, text);
    }
    out(g, "\\l");
}

static void out_edge(struct graph *g, uint64_t from, uint64_t to, const char *attributes) {
    char text[128];
    snprintf(text, sizeof text, "    b%" PRIx64 " -> b%" PRIx64 "%s;\n", from, to, attributes);
    out(g, text);
}

// Calls leave their return address in s[30:31].
static bool is_return(const struct insn *in) {
    enum { RETURN_ADDRESS = 30 };
    return in->row->flags & ROW_NO_FALL_THROUGH && in->f[F_ssrc0] == RETURN_ADDRESS;
}

static void out_branch(struct graph *g, uint64_t block, uint64_t at, const struct insn *in, bool falls) {
    uint64_t target;
    if (insn_target(in, at, &target) && inside(g, target)) {
        out_edge(g, block, target,
                 target <= block ? " [label=\"loop\", color=blue, fontcolor=blue, penwidth=2]"
                 : falls         ? " [label=\"taken\", color=darkgreen, fontcolor=darkgreen]"
                                 : "");
        return;
    }
    char text[128];
    const char *where = !insn_target(in, at, &target) && is_return(in) ? "returns" : "?";
    snprintf(text, sizeof text,
             "    b%" PRIx64 " -> \"?%" PRIx64 "\";\n    \"?%" PRIx64 "\" [label=\"%s\", shape=plaintext];\n",
             block, block, block, where);
    out(g, text);
}

// The edges behind a block that ends with this instruction, at `at`.
static void out_edges(struct graph *g, uint64_t block, uint64_t at, const struct insn *in, bool known) {
    const uint64_t next = at + in->size, flags = known ? in->row->flags : 0;
    const bool falls = !(flags & ROW_NO_FALL_THROUGH);
    if (flags & ROW_BRANCH) out_branch(g, block, at, in, falls);
    if (falls && next < g->stop)
        out_edge(g, block, next,
                 flags & ROW_BRANCH ? " [label=\"fall through\", color=gray40, fontcolor=gray40]" : "");
}

// How often the bytes at `at` follow each other before `end`.
static unsigned repetitions(const struct graph *g, uint64_t at, uint64_t end, unsigned size) {
    const uint8_t *p = g->code + (at - g->address);
    unsigned n = 1;
    while (at + (uint64_t)size * (n + 1) <= end && !memcmp(p, p + (size_t)size * n, size)) n++;
    return n;
}

static void out_block(struct graph *g, size_t index) {
    const uint64_t first = g->leaders.items[index];
    const uint64_t end = index + 1 < g->leaders.count ? g->leaders.items[index + 1] : g->stop;
    char text[64];
    snprintf(text, sizeof text, "    b%" PRIx64 " [label=\"%" PRIx64 ":\\l", first, first);
    out(g, text);
    struct insn in;
    bool known = false;
    uint64_t at = first, last = first;
    for (; at < end && !g->stopped; at += in.size) {
        known = decode(g, at, &in);
        const unsigned times = repetitions(g, at, end, in.size);
        out_insn(g, at, &in, known, times > 3 ? times : 1);
        if (times > 3) at += (uint64_t)in.size * (times - 1);
        last = at;
    }
    out(g, "\"];\n");
    out_edges(g, first, last, &in, known);
}

// Fill between functions is no part of them: zeros, and one instruction over and over that goes nowhere.
static uint64_t trim(const struct graph *g) {
    enum { LEAST = 4 };
    uint64_t stop = g->stop;
    for (;;) {
        const uint8_t *end = g->code + (stop - g->address);
        uint64_t n = 1;
        if (stop - g->start < 4) return stop;
        const uint32_t word = rd32(end - 4);
        while ((n + 1) * 4 <= stop - g->start && rd32(end - 4 * (n + 1)) == word) n++;
        if (word && n < LEAST) return stop;
        stop -= 4 * n;
    }
}

// clang gives each OpenCL kernel a function for calls from others, which nothing calls in most programs.
static bool is_copy_of_kernel(const char *name) {
    static const char prefix[] = "__clang_ocl_kern_imp_";
    return strlen(name) > sizeof prefix - 1 && !memcmp(name, prefix, sizeof prefix - 1);
}

static sw_status out_function(struct graph *g, const char *name) {
    g->stop = trim(g);
    if (g->stop <= g->start) return SW_OK;
    if (!find_leaders(g)) return SW_NO_MEMORY;
    out(g, "  subgraph \"cluster_");
    out_quoted(g, name);
    out(g, "\" {\n    label=\"");
    out_quoted(g, name);
    out(g, "\";\n");
    for (size_t i = 0; i < g->leaders.count && !g->stopped; i++) out_block(g, i);
    out(g, "  }\n");
    return SW_OK;
}

sw_status list_graph(struct listing *l, const uint8_t *code, size_t size, uint64_t address, uint64_t start,
                     uint64_t stop) {
    struct graph g = {
        .l = l, .isa = l->isa ? l->isa : isa_of(l->processor), .code = code, .address = address};
    if (!g.isa) return SW_UNSUPPORTED;
    const struct listing_symbol whole = {address, "code", 0, false};
    const struct listing_symbol *symbols = l->symbol_count ? l->symbols : &whole;
    const size_t count = l->symbol_count ? l->symbol_count : 1;
    sw_status status = SW_OK;
    for (size_t i = 0; i < count && !status && !g.stopped; i++) {
        uint64_t from = symbols[i].address, to = i + 1 < count ? symbols[i + 1].address : address + size;
        if (from < address || to > address + size || from >= to || from < start || from >= stop) continue;
        if (is_copy_of_kernel(symbols[i].name) && start < from) continue;
        g.start = from;
        g.stop = to;
        g.wave32 = symbols[i].wave_size ? symbols[i].wave_size == 32 : l->wave32;
        status = out_function(&g, symbols[i].name);
    }
    array_free(&g.leaders);
    return status;
}
