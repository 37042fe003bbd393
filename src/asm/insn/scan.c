// SPDX-License-Identifier: MIT
// What operands and registers are made of: integers, and expressions that are numbers.
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "asm/insn/scan.h"

bool asm_fail(const struct asm_host *host, const char *where, const char *format, ...) {
    char message[256];
    va_list args;
    va_start(args, format);
    vsnprintf(message, sizeof message, format, args);
    va_end(args);
    host->error(host->context, where, message);
    return false;
}

// ---- Numbers ----

bool scan_operator(char c) { return c && strchr("+-*/%<>&|^=!", c) != NULL; }

bool scan_integer(const char **at, const char *end, bool bars, int64_t *out) {
    const char *p = *at;
    bool minus = p < end && *p == '-';
    p += minus;
    uint64_t v = 0;
    const char *digits = p;
    if (end - p > 2 && *p == '0' && (p[1] | 32) == 'x') {
        digits = p += 2;
        for (; p < end; p++) {
            unsigned c = (unsigned char)*p, d = c - '0' < 10         ? c - '0'
                                                : (c | 32) - 'a' < 6 ? (c | 32) - 'a' + 10
                                                                     : 16;
            if (d == 16) break;
            if (v >> 60) return false;
            v = v << 4 | d;
        }
    } else {
        if (end - p > 1 && *p == '0' && is_name_char(p[1])) return false; // octal, binary: the host's
        for (; p < end && is_digit(*p); p++) {
            if (v > (UINT64_MAX >> 1) / 10 - 1) return false;
            v = v * 10 + (unsigned)(*p - '0');
        }
    }
    if (p == digits || (p < end && is_name_char(*p))) return false; // 1.0, 1b
    const char *behind = skip_spaces(p, end);
    if (behind < end && scan_operator(*behind) && !(bars && *behind == '|')) return false;
    *out = minus ? (int64_t)-v : (int64_t)v;
    *at = p;
    return true;
}

bool parse_plain_integer(const char **at, const char *end, int64_t *out) {
    return scan_integer(at, end, false, out);
}

bool parse_absolute(const struct asm_host *host, const char **at, const char *end, int64_t *out) {
    *at = skip_spaces(*at, end);
    if (parse_plain_integer(at, end, out)) return true;
    const char *start = *at;
    struct mc_value v;
    if (!host->expression(host->context, at, end, &v)) return false;
    if (v.expr) return asm_fail(host, start, "expected an absolute expression");
    *out = v.number;
    return true;
}
