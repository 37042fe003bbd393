// SPDX-License-Identifier: MIT
// Registers by name: v0, s[2:3], ttmp4, a[0:3], v5.h, vcc_lo and the other special ones, as numbers of the
// source space. Whether a register exists on the processor is decided here; whether it fits, by who asks.
#include "asm/insn/register.h"
#include "isa/names.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

// Special registers; the number may differ by generation, so each is confirmed by its name there.
static const struct special {
    const char *name;     // as accepted
    const char *spelling; // as isa_scalar has it
    uint8_t codes[2];
    uint8_t dwords; // 0: as asked for
} specials[] = {
    {"vcc", "vcc", {106}, 2},
    {"vcc_lo", "vcc_lo", {106}, 1},
    {"vcc_hi", "vcc_hi", {107}, 1},
    {"exec", "exec", {126}, 2},
    {"exec_lo", "exec_lo", {126}, 1},
    {"exec_hi", "exec_hi", {127}, 1},
    {"m0", "m0", {124, 125}, 1},
    {"null", "null", {124, 125}, 0},
    {"flat_scratch", "flat_scratch", {102, 104}, 2},
    {"flat_scratch_lo", "flat_scratch_lo", {102, 104}, 1},
    {"flat_scratch_hi", "flat_scratch_hi", {103, 105}, 1},
    {"xnack_mask", "xnack_mask", {104}, 2},
    {"xnack_mask_lo", "xnack_mask_lo", {104}, 1},
    {"xnack_mask_hi", "xnack_mask_hi", {105}, 1},
    {"tba", "tba", {108}, 2},
    {"tba_lo", "tba_lo", {108}, 1},
    {"tba_hi", "tba_hi", {109}, 1},
    {"tma", "tma", {110}, 2},
    {"tma_lo", "tma_lo", {110}, 1},
    {"tma_hi", "tma_hi", {111}, 1},
    {"src_flat_scratch_base_lo", "src_flat_scratch_base_lo", {230}, 0},
    {"src_flat_scratch_base_hi", "src_flat_scratch_base_hi", {231}, 1},
    {"src_shared_base", "src_shared_base", {235}, 0},
    {"shared_base", "src_shared_base", {235}, 0},
    {"src_shared_limit", "src_shared_limit", {236}, 0},
    {"shared_limit", "src_shared_limit", {236}, 0},
    {"src_private_base", "src_private_base", {237}, 0},
    {"private_base", "src_private_base", {237}, 0},
    {"src_private_limit", "src_private_limit", {238}, 0},
    {"private_limit", "src_private_limit", {238}, 0},
    {"src_pops_exiting_wave_id", "src_pops_exiting_wave_id", {239}, 0},
    {"pops_exiting_wave_id", "src_pops_exiting_wave_id", {239}, 0},
    {"src_vccz", "src_vccz", {251}, 0},
    {"vccz", "src_vccz", {251}, 0},
    {"src_execz", "src_execz", {252}, 0},
    {"execz", "src_execz", {252}, 0},
    {"src_scc", "src_scc", {253}, 0},
    {"scc", "src_scc", {253}, 0},
    {"src_lds_direct", "src_lds_direct", {254}, 1},
    {"lds_direct", "src_lds_direct", {254}, 1},
};

// Names are also tried where something else may stand; then nothing is reported.
static void statement_fail(const struct statement *st, const char *where, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
static void statement_fail(const struct statement *st, const char *where, const char *format, ...) {
    if (st->trying) return;
    char message[160];
    va_list args;
    va_start(args, format);
    vsnprintf(message, sizeof message, format, args);
    va_end(args);
    st->host->error(st->host->context, where, message);
}

// Names that the table of registers knows for more processors than have them.
static bool is_there(const struct statement *st, unsigned code) {
    const sw_processor *p = st->mode->processor;
    if (code == 104 || code == 105) return has(p, CAP_xnack) || st->mode->isa.sgprs > 102;
    if (code == 124 || code == 125) return st->mode->isa.null_register != 0;
    return isa_has_special(&st->mode->isa, code);
}

static int special_register(struct statement *st, const char *at, size_t length, struct parsed *out) {
    const struct isa *isa = &st->mode->isa;
    for (size_t i = 0; i < sizeof specials / sizeof *specials; i++) {
        const struct special *s = &specials[i];
        if (s->name[0] != *at || strncmp(s->name, at, length) || s->name[length]) continue;
        for (int k = 0; k < 2 && s->codes[k]; k++) {
            struct scalar r = isa_scalar(isa, s->codes[k], s->dwords ? s->dwords : 1);
            if (r.kind != SCALAR_SPECIAL || strcmp(r.name, s->spelling)) continue;
            if (!is_there(st, s->codes[k]) && strcmp(s->spelling, "m0")) continue;
            out->kind = PARSED_REGISTER;
            out->special = true;
            out->code = s->codes[k];
            out->dwords = s->dwords;
            out->end = at + length;
            return 1;
        }
        if (!strcmp(s->name, "null")) return 0; // an export target
        statement_fail(st, at, "%s does not exist on %s", s->name, st->mode->processor->name);
        return -1;
    }
    return 0;
}

// The file of a numbered register: its first number in the source space and how many there are.
struct file {
    unsigned first, count;
};

static bool file_of(const struct statement *st, const char *at, size_t length, struct file *out) {
    const struct isa *isa = &st->mode->isa;
    if (length == 1 && *at == 'v')
        *out = (struct file){SRC_VGPR0, 256};
    else if (length == 1 && *at == 's')
        *out = (struct file){0, isa->sgprs};
    else if ((length == 1 && *at == 'a') || (length == 3 && !memcmp(at, "acc", 3)))
        *out = (struct file){SRC_AGPR0, 256};
    else if (length == 4 && !memcmp(at, "ttmp", 4)) {
        unsigned first = isa_scalar(isa, 108, 1).kind == SCALAR_TTMP ? 108 : 112;
        *out = (struct file){first, 124 - first};
    } else
        return false;
    return true;
}

static int numbered(struct statement *st, const char *at, const struct file *file, int64_t lo, int64_t hi,
                    struct parsed *out) {
    if (lo < 0 || hi < lo || hi - lo >= 32) {
        statement_fail(st, at, "invalid register range");
        return -1;
    }
    if (hi >= file->count) {
        statement_fail(st, at, "%.*s does not exist on %s", (int)(out->end - at < 40 ? out->end - at : 40),
                       at, st->mode->processor->name);
        return -1;
    }
    unsigned dwords = (unsigned)(hi - lo + 1), align = dwords > 2 ? 4 : dwords;
    if (file->first < SRC_VGPR0 && lo % align) { // tuples start at multiples of their size, of 4 at most
        statement_fail(st, at, "a register tuple of this size starts at a multiple of %u", align);
        return -1;
    }
    out->kind = PARSED_REGISTER;
    out->code = (uint16_t)(file->first + lo);
    out->dwords = (uint8_t)dwords;
    return 1;
}

int parse_register(struct statement *st, const char *at, const char *end, struct parsed *out) {
    const char *letters = at;
    while (letters < end && ((*letters | 32) >= 'a' && (*letters | 32) <= 'z')) letters++;
    struct file file;
    if (letters == at) return 0;
    const char *p = letters;
    if (letters - at <= 4 && file_of(st, at, (size_t)(letters - at), &file)) {
        if (p < end && is_digit(*p)) {
            int64_t n = 0;
            while (p < end && is_digit(*p) && n < 100000) n = n * 10 + (*p++ - '0');
            out->half = HALF_NONE;
            if (end - p > 1 && *p == '.' && (p[1] == 'l' || p[1] == 'h') && file.first >= SRC_VGPR0) {
                out->half = p[1] == 'l' ? HALF_LOW : HALF_HIGH;
                p += 2;
            }
            if (p < end && is_name_char(*p)) return 0; // a symbol such as s1_end
            out->end = p;
            return numbered(st, at, &file, n, n, out);
        }
        p = skip_spaces(p, end);
        if (p < end && *p == '[') {
            int64_t lo, hi;
            p++;
            if (!parse_absolute(st->host, &p, end, &lo)) return -1;
            hi = lo;
            p = skip_spaces(p, end);
            if (p < end && *p == ':') {
                p++;
                if (!parse_absolute(st->host, &p, end, &hi)) return -1;
                p = skip_spaces(p, end);
            }
            if (p >= end || *p != ']') {
                statement_fail(st, p, "expected a closing square bracket");
                return -1;
            }
            out->end = ++p;
            return numbered(st, at, &file, lo, hi, out);
        }
    }
    const char *name_end = skip_name(at, end);
    return special_register(st, at, (size_t)(name_end - at), out);
}
