// SPDX-License-Identifier: MIT
// What operands and registers are made of: characters, integers, expressions that are numbers.
#ifndef ASM_SCAN_H
#define ASM_SCAN_H

#include "asm/insn/asm.h"

// Reports to the host; returns false.
bool asm_fail(const struct asm_host *host, const char *where, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

// ---- Characters (all stop at `end`) ----
static inline bool is_name_start(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '.' || c == '$';
}
static inline bool is_digit(char c) { return c >= '0' && c <= '9'; }
static inline bool is_name_char(char c) { return is_name_start(c) || is_digit(c) || c == '@'; }
static inline const char *skip_spaces(const char *p, const char *end) {
    while (p < end && (*p == ' ' || *p == '\t')) p++;
    return p;
}
static inline const char *skip_name(const char *p, const char *end) {
    while (p < end && is_name_char(*p)) p++;
    return p;
}
static inline bool text_is(const char *at, const char *end, const char *word) {
    while (at < end && *word && *at == *word) at++, word++;
    return at == end && !*word;
}

// ---- Numbers ----
bool scan_operator(char c); // that an expression could go on with
// A plain integer at *at, decimal or 0x..., that no operator follows (within bars: but |): *at moves behind
// it.
bool scan_integer(const char **at, const char *end, bool bars, int64_t *out);
bool parse_plain_integer(const char **at, const char *end, int64_t *out);
// An integer expression without symbols of unknown value; reports.
bool parse_absolute(const struct asm_host *host, const char **at, const char *end, int64_t *out);

#endif
