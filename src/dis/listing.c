// SPDX-License-Identifier: MIT
// The listing: decode in step with the symbols, which restart decoding where they lie, as linkers place
// data between functions. Lines collect in a fixed buffer.
#include "dis/listing.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/bytes.h"
#include "base/sorted.h"
#include "dis/kept.h"

enum { BUFFER = 65536, LINE = INSN_TEXT + 1024 };

struct lister {
    struct listing *l;
    const uint8_t *code;
    uint64_t address, start, stop; // code lies at `address`
    size_t size;
    size_t symbol;     // next symbol to reach
    size_t relocation; // next relocation to show
    const struct listing_symbol *current;
    uint8_t vgpr_msb;        // upper bits of VGPRs here, as far as the text before tells
    ARRAY(uint64_t) targets; // ascending, when labels were asked for
    char label[32];
    size_t used;
    bool stopped;
    struct kept kept;
    struct text remark;
    char buffer[BUFFER];
};

bool insn_target(const struct insn *in, uint64_t address, uint64_t *target) {
    for (int i = 0; i < ROW_SRC; i++) {
        if (in->row->src[i].type != T_LABEL) continue;
        *target = address + 4 + (uint64_t)((int64_t)(int16_t)in->f[in->row->src[i].field] * 4);
        return true;
    }
    return false;
}

static void flush(struct lister *s) {
    if (s->used && !s->stopped && !s->l->write(s->l->context, s->buffer, s->used)) s->stopped = true;
    s->used = 0;
}

static void add(struct lister *s, const char *text, size_t length) {
    if (s->used + length > BUFFER) flush(s);
    if (length > BUFFER) { // a symbol's name may be of any length
        if (!s->stopped && !s->l->write(s->l->context, text, length)) s->stopped = true;
        return;
    }
    memcpy(s->buffer + s->used, text, length);
    s->used += length;
}

static void add_text(struct lister *s, const char *text) { add(s, text, strlen(text)); }

static void paint(struct lister *s, const char *escape) {
    if (s->l->colour) add_text(s, escape);
}
static const char HEADING[] = "\33[1m", SOURCE[] = "\33[32m", PLACE[] = "\33[2m", RELOCATION[] = "\33[33m",
                  PLAIN[] = "\33[0m";

// All eight digits at once: a nibble to each byte, then '0' or 'A' - 10 added.
static char *hex_word(char *p, uint32_t word) {
    uint64_t v = word;
    v = (v << 16 | v) & 0x0000ffff0000ffff;
    v = (v << 8 | v) & 0x00ff00ff00ff00ff;
    v = (v << 4 | v) & 0x0f0f0f0f0f0f0f0f;
    uint64_t letters = (v + 0x0606060606060606) >> 4 & 0x0101010101010101;
    v += 0x3030303030303030 + letters * 7;
    uint64_t ordered = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? __builtin_bswap64(v) : v;
    return mempcpy(p, &ordered, 8);
}

static char *hex_address(char *p, uint64_t at) {
    char high[8];
    hex_word(high, (uint32_t)(at >> 32));
    p = at >> 48 ? mempcpy(p, high, 8) : mempcpy(p, high + 4, 4);
    return hex_word(p, (uint32_t)at);
}

// ---- Labels ----

static int by_value(const void *a, const void *b) {
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

static size_t find_target(const struct lister *s, uint64_t address) {
    const size_t at = SORTED_PREFIX(s->targets.count, i, s->targets.items[i] < address);
    return at < s->targets.count && s->targets.items[at] == address ? at : SIZE_MAX;
}

// The last symbol at or before an address.
static const struct listing_symbol *symbol_before(const struct lister *s, uint64_t address) {
    const size_t before = SORTED_PREFIX(s->l->symbol_count, i, s->l->symbols[i].address <= address);
    return before ? &s->l->symbols[before - 1] : NULL;
}

static bool symbol_at(const struct lister *s, uint64_t address) {
    const struct listing_symbol *y = symbol_before(s, address);
    return y && y->address == address;
}

// What a branch target is called: by its symbol, or by a number; NULL: by the distance.
static const char *label_of(void *context, uint64_t address) {
    struct lister *s = context;
    const struct listing_symbol *y = symbol_before(s, address);
    if (y && y->address == address && (y->is_label || s->l->labels)) return y->name;
    size_t i = find_target(s, address);
    if (i == SIZE_MAX) return NULL;
    snprintf(s->label, sizeof s->label, "L%zu", i);
    return s->label;
}

static bool inside(const struct lister *s, uint64_t address) {
    return address >= s->address && address - s->address < s->size;
}

// ---- Walking ----

static inline uint64_t next_symbol_address(const struct lister *s) {
    return s->symbol < s->l->symbol_count ? s->l->symbols[s->symbol].address : UINT64_MAX;
}

// Bytes that may be decoded at `offset` without running into the next symbol.
static size_t available(const struct lister *s, size_t offset) {
    uint64_t next = next_symbol_address(s), here = s->address + offset;
    size_t left = s->size - offset;
    return next > here && next - here < left ? (size_t)(next - here) : left;
}

static sw_status collect_targets(struct lister *s, const struct isa *isa) {
    struct insn in;
    for (size_t offset = 0; offset < s->size; offset += in.size ? in.size : 1) {
        while (next_symbol_address(s) <= s->address + offset) s->symbol++;
        uint64_t target;
        if (insn_decode(isa, s->code + offset, available(s, offset), &in) != DECODE_OK) continue;
        if (!insn_target(&in, s->address + offset, &target) || !inside(s, target) || symbol_at(s, target))
            continue;
        if (!array_push(&s->targets, target)) return SW_NO_MEMORY;
    }
    s->symbol = 0;
    uint64_t *t = s->targets.items;
    if (s->targets.count) qsort(t, s->targets.count, sizeof *t, by_value);
    size_t n = 0;
    for (size_t i = 0; i < s->targets.count; i++)
        if (!n || t[n - 1] != t[i]) t[n++] = t[i];
    s->targets.count = n;
    return SW_OK;
}

static bool shown(const struct lister *s, uint64_t at) { return at >= s->start && at < s->stop; }

// "0000000000001600 <name>:" between an empty line and what follows.
static void add_heading(struct lister *s, uint64_t address, const char *name) {
    char head[32];
    snprintf(head, sizeof head, "%016" PRIx64 " ", address);
    add(s, "\n", 1);
    paint(s, HEADING);
    if (!s->l->no_address) add_text(s, head);
    add(s, "<", 1);
    add_text(s, name);
    add(s, ">:", 2);
    paint(s, PLAIN);
    add(s, "\n", 1);
}

static void pass_symbols(struct lister *s, uint64_t at) {
    while (next_symbol_address(s) <= at) {
        const struct listing_symbol *y = &s->l->symbols[s->symbol++];
        s->current = y;
        s->vgpr_msb = 0;
        if (y->address != at || !shown(s, at) || s->l->json) continue;
        add_heading(s, at, y->name);
    }
    if (s->l->json || !s->l->labels || !shown(s, at)) return;
    if (find_target(s, at) != SIZE_MAX) add_heading(s, at, label_of(s, at));
}

// "<kernel+0x40>" behind a branch; the symbol is the last one at or before its target.
static void add_target(struct lister *s, uint64_t target) {
    const struct listing_symbol *found = symbol_before(s, target);
    if (!found) return;
    char plus[24], *p = plus + sizeof plus;
    *--p = '>';
    if (target > found->address) { // "+0x40"
        uint64_t distance = target - found->address;
        do *--p = "0123456789abcdef"[distance & 15];
        while (distance >>= 4);
        p -= 3;
        memcpy(p, "+0x", 3);
    }
    add_text(s, s->l->no_address && s->l->no_words ? " // <" : " <");
    add_text(s, found->name);
    add(s, p, (size_t)(plus + sizeof plus - p));
}

static bool wave32_here(const struct lister *s) {
    return s->current && s->current->wave_size ? s->current->wave_size == 32 : s->l->wave32;
}

static void add_json(struct lister *s, const char *text, const uint8_t *bytes, size_t size, uint64_t at) {
    char line[LINE], *p = line;
    p += sprintf(p, "%s\n{\"address\": %" PRIu64 ", \"words\": [", s->l->json_started ? "," : "", at);
    for (size_t i = 0; i + 4 <= size; i += 4) p += sprintf(p, "%s%" PRIu32, i ? ", " : "", rd32(bytes + i));
    p += sprintf(p, "], \"text\": \"");
    for (; *text; text++) { // quotes occur in swizzle patterns
        if (*text == '"' || *text == '\\') *p++ = '\\';
        *p++ = *text;
    }
    p += sprintf(p, "\"");
    add(s, line, (size_t)(p - line));
    s->l->json_started = true;
}

// Behind the line of an instruction, or within its object.
static void add_remark(struct lister *s, const struct insn *in) {
    s->remark.length = 0;
    s->l->remark(&s->remark, s->l, in, wave32_here(s));
    if (s->remark.failed || !s->remark.length) return;
    if (!s->l->json) paint(s, SOURCE);
    add_text(s, s->l->json ? ", " : "\t; ");
    add(s, s->remark.data, s->remark.length);
    if (!s->l->json) paint(s, PLAIN);
    if (!s->l->json) add(s, "\n", 1);
}

// Behind the text: address and words. Returns where the line goes on.
static char *add_place(const struct listing *l, char *p, const uint8_t *bytes, size_t size, uint64_t at) {
    if (!l->no_address) {
        p = hex_address(p, at);
        *p++ = ':';
    }
    for (size_t i = 0; i + 4 <= size && !l->no_words; i += 4) {
        if (i || !l->no_address) *p++ = ' ';
        p = hex_word(p, rd32(bytes + i));
    }
    return p;
}

static void add_line(struct lister *s, const char *text, size_t length, const uint8_t *bytes, size_t size,
                     uint64_t at) {
    if (s->used + LINE > BUFFER) flush(s);
    char *line = s->buffer + s->used, *p = line;
    *p++ = '\t';
    memcpy(p, text, length);
    p += length;
    const struct listing *l = s->l;
    if (l->no_address && l->no_words) {
        s->used += (size_t)(p - line);
        return;
    }
    if (length < TEXT_COLUMN) p = (char *)memset(p, ' ', TEXT_COLUMN - length) + (TEXT_COLUMN - length);
    if (l->colour) p = mempcpy(p, PLACE, sizeof PLACE - 1);
    p = add_place(l, mempcpy(p, "// ", 3), bytes, size, at);
    if (l->colour) p = mempcpy(p, PLAIN, sizeof PLAIN - 1);
    s->used += (size_t)(p - line);
}

static void add_kept(struct lister *s, const struct kept_line *kept, const uint8_t *bytes, uint64_t at) {
    if (s->used + LINE > BUFFER) flush(s);
    char *line = s->buffer + s->used;
    memcpy(line, kept->text, sizeof kept->text);
    char *p = add_place(s->l, line + KEPT_LINE, bytes, kept->size, at);
    *p++ = '\n';
    s->used += (size_t)(p - line);
}

// Runs of at least eight zero bytes up to the next symbol are padding.
static size_t zeroes(const struct lister *s, size_t offset) {
    size_t limit = available(s, offset), n = 0;
    while (n < limit && !s->code[offset + n]) n++;
    return n < 8 ? 0 : n & ~(size_t)3;
}

static void keep(struct lister *s, const struct insn *in, const uint8_t *bytes, const char *text,
                 size_t length) {
    uint64_t target;
    if (insn_target(in, 0, &target)) return;
    if (s->vgpr_msb || in->row->class == CLASS_VGPR_MSB) return; // its text depends on more than its bytes
    if (in->format->id == FMT_VOP3P && !in->row->dst[0].type) return; // it may join what follows
    kept_add(&s->kept, bytes, in->size, wave32_here(s), text, length);
}

const char *data_reason(const struct isa *isa, const uint8_t *bytes, size_t available) {
    struct insn in;
    switch (insn_decode(isa, bytes, available, &in)) {
    case DECODE_TRUNCATED: return "the code ends within the instruction";
    case DECODE_UNKNOWN: return "no instruction has this encoding";
    case DECODE_BAD_OPERAND: return "an operand that the instruction does not take";
    default: return "operands or bits that no assembler writes";
    }
}

static void list_one(struct lister *s, const struct insn *in, bool known, size_t offset) {
    uint64_t at = s->address + offset, target;
    char text[INSN_TEXT];
    size_t length;
    if (known) {
        struct print_options o = {.processor = s->l->processor,
                                  .isa = s->l->isa,
                                  .wave32 = wave32_here(s),
                                  .vgpr_msb = s->vgpr_msb,
                                  .address = at};
        o.label = label_of, o.context = s;
        length = insn_print(in, &o, text);
        if (!s->l->json) keep(s, in, s->code + offset, text, length);
    } else {
        uint32_t word = 0;
        memcpy(&word, s->code + offset, in->size);
        length = (size_t)snprintf(text, sizeof text,
                                  in->size == 4 ? ".long 0x%08" PRIx32 : ".byte 0x%02" PRIx32, word);
        const struct isa *isa = s->l->isa ? s->l->isa : isa_of(s->l->processor);
        if (s->l->reasons)
            length += (size_t)snprintf(text + length, sizeof text - length, " ; %s",
                                       data_reason(isa, s->code + offset, available(s, offset)));
    }
    if (s->l->json) {
        add_json(s, text, s->code + offset, in->size, at);
        if (known && s->l->remark) add_remark(s, in);
        add(s, "}", 1);
        return;
    }
    add_line(s, text, length, s->code + offset, in->size, at);
    if (known && insn_target(in, at, &target) && !label_of(s, target)) add_target(s, target);
    add(s, "\n", 1);
    if (known && s->l->remark) add_remark(s, in);
}

static void add_source(struct lister *s, uint64_t at) {
    const char *text = s->l->source(s->l->source_context, at);
    while (text && *text) {
        size_t n = strcspn(text, "\n");
        paint(s, SOURCE);
        add(s, "; ", 2);
        add(s, text, n);
        paint(s, PLAIN);
        add(s, "\n", 1);
        text += n + (text[n] != 0);
    }
}

// Those within the instruction; those before it lie in code that is not shown.
static void add_relocations(struct lister *s, uint64_t at, size_t size) {
    for (; s->relocation < s->l->relocation_count; s->relocation++) {
        const struct listing_relocation *r = &s->l->relocations[s->relocation];
        if (r->address >= at + size) return;
        if (r->address < at) continue;
        char head[128];
        snprintf(head, sizeof head, "%016" PRIx64 ":  ", r->address);
        paint(s, RELOCATION);
        add(s, "\t\t", 2);
        if (!s->l->no_address) add_text(s, head);
        add_text(s, r->type);
        add(s, "\t", 1);
        add_text(s, r->symbol);
        uint64_t distance = r->addend < 0 ? -(uint64_t)r->addend : (uint64_t)r->addend;
        snprintf(head, sizeof head, "%c0x%" PRIx64, r->addend < 0 ? '-' : '+', distance);
        if (distance) add_text(s, head);
        paint(s, PLAIN);
        add(s, "\n", 1);
    }
}

sw_status list_code(struct listing *l, const uint8_t *code, size_t size, uint64_t address, uint64_t start,
                    uint64_t stop) {
    const struct isa *isa = l->isa ? l->isa : isa_of(l->processor);
    if (!isa) return SW_UNSUPPORTED;
    struct lister *s = calloc(1, sizeof *s);
    if (!s) return SW_NO_MEMORY;
    s->l = l;
    s->code = code;
    s->size = size;
    s->address = address;
    s->start = start;
    s->stop = stop;
    sw_status status = !kept_open(&s->kept, size) ? SW_NO_MEMORY
                       : l->labels                ? collect_targets(s, isa)
                                                  : SW_OK;
    struct insn in;
    const bool plain = !l->no_address && !l->no_words && !l->colour && !l->remark; // as lines are kept
    for (size_t offset = 0; !status && offset < size && !s->stopped; offset += in.size) {
        uint64_t at = address + offset;
        if (at >= stop) break;
        pass_symbols(s, at);
        if (l->source && !l->json && shown(s, at)) add_source(s, at);
        size_t left = available(s, offset);
        bool padding = left >= 8 && !rd32(code + offset) && !l->zeroes && !l->json;
        size_t skip = padding ? zeroes(s, offset) : 0;
        if (skip) {
            if (shown(s, at)) add_text(s, "\t\t...\n");
            offset += skip;
            in.size = 0;
            continue;
        }
        const struct kept_line *kept =
            plain && !s->vgpr_msb ? kept_find(&s->kept, code + offset, left, wave32_here(s)) : NULL;
        if (kept) {
            in.size = kept->size;
            if (shown(s, at)) add_kept(s, kept, code + offset, at);
            if (shown(s, at) && l->relocation_count) add_relocations(s, at, in.size);
            continue;
        }
        bool known = insn_decode(isa, code + offset, left, &in) == DECODE_OK;
        if (known && !insn_is_canonical(isa, &in, wave32_here(s)))
            known = false, in.size = 4;         // data, most likely
        if (!known) in.size = left < 4 ? 1 : 4; // a rest that is no dword is listed byte by byte
        if (shown(s, at)) list_one(s, &in, known, offset);
        if (known && in.row->class == CLASS_VGPR_MSB)
            s->vgpr_msb = (uint8_t)in.f[F_simm16];
        else if (known && in.row->flags & ROW_TERMINATOR)
            s->vgpr_msb = 0;
        if (shown(s, at) && l->relocation_count && !l->json) add_relocations(s, at, in.size);
    }
    flush(s);
    array_free(&s->targets);
    kept_close(&s->kept);
    text_free(&s->remark);
    free(s);
    return status;
}
