// SPDX-License-Identifier: MIT
#include "base/trace_filter.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool number(const char *s, size_t length, uint64_t *out) {
    char *end;
    if (!length || *s < '0' || *s > '9') return false;
    errno = 0;
    *out = strtoull(s, &end, 0);
    return !errno && end == s + length;
}

static bool pc_range(struct trace_filter *f, const char *s, size_t n) {
    const char *dash = memchr(s, '-', n);
    const size_t first = dash ? (size_t)(dash - s) : n;
    if (!number(s, first, &f->lo)) return false;
    f->hi = f->lo;
    return !dash || number(dash + 1, n - first - 1, &f->hi);
}

static bool classes(struct trace_filter *f, const char *s, size_t n) {
    f->classes = 0;
    for (const char *end = s + n;;) {
        const char *plus = memchr(s, '+', (size_t)(end - s));
        const size_t length = (size_t)((plus ? plus : end) - s);
        int c = 0;
        while (c < SW_CLASSES && (strlen(sw_insn_class_name((sw_insn_class)c)) != length ||
                                  memcmp(sw_insn_class_name((sw_insn_class)c), s, length)))
            c++;
        if (c == SW_CLASSES) return false;
        f->classes |= 1u << c;
        if (!plus) return true;
        s = plus + 1;
    }
}

// ---- Registers ----

enum { VGPRS = 256, AGPRS = 512, SGPRS = 106, FILE_SIZE = 256 };
static const struct {
    const char *name;
    unsigned code;
} named[] = {{"vcc_lo", 106}, {"vcc_hi", 107}, {"exec_lo", 126}, {"exec_hi", 127}};
enum { NAMED = sizeof named / sizeof *named };

void trace_register_name(unsigned code, char out[16]) {
    for (size_t i = 0; i < NAMED; i++)
        if (named[i].code == code) {
            snprintf(out, 16, "%s", named[i].name);
            return;
        }
    const char file = code >= AGPRS ? 'a' : code >= VGPRS ? 'v' : 's';
    snprintf(out, 16, "%c%u", file, code % FILE_SIZE);
}
static bool register_code(const char *s, size_t n, uint16_t *code) {
    uint64_t i;
    for (size_t k = 0; k < NAMED; k++)
        if (strlen(named[k].name) == n && !memcmp(named[k].name, s, n))
            return *code = (uint16_t)named[k].code, true;
    const char *file = n > 1 ? memchr("sva", *s, 3) : NULL;
    if (!file || !number(s + 1, n - 1, &i) || i >= (*file == 's' ? SGPRS : FILE_SIZE)) return false;
    *code = (uint16_t)(i + (*file == 's' ? 0 : *file == 'v' ? VGPRS : AGPRS));
    return true;
}
static bool registers(struct trace_filter *f, const char *s, size_t n) {
    f->register_count = 0;
    for (const char *end = s + n;;) {
        const char *plus = memchr(s, '+', (size_t)(end - s));
        if (f->register_count == TRACE_REGISTERS ||
            !register_code(s, (size_t)((plus ? plus : end) - s), &f->registers[f->register_count++]))
            return false;
        if (!plus) return true;
        s = plus + 1;
    }
}

static bool small(int64_t *out, const char *s, size_t n, uint64_t most) {
    uint64_t v;
    if (!number(s, n, &v) || v > most) return false;
    *out = (int64_t)v;
    return true;
}

static bool starts(const char **s, size_t *n, const char *word) {
    const size_t length = strlen(word);
    if (*n < length || memcmp(*s, word, length)) return false;
    *s += length;
    *n -= length;
    return true;
}

static bool part(struct trace_filter *f, const char *s, size_t n) {
    if (starts(&s, &n, "pc=")) return pc_range(f, s, n);
    if (starts(&s, &n, "wave=")) return small(&f->wave, s, n, INT64_MAX);
    if (starts(&s, &n, "lane=")) return small(&f->lane, s, n, 63);
    if (starts(&s, &n, "class=")) return classes(f, s, n);
    if (starts(&s, &n, "registers=")) return registers(f, s, n);
    if (!starts(&s, &n, "kernel=") || !n || n >= sizeof f->kernel) return false;
    memcpy(f->kernel, s, n);
    f->kernel[n] = 0;
    return true;
}

// A wrong value of one of these is no file name.
static bool is_filter(const char *s, size_t n) {
    static const char *const keys[] = {"pc=", "wave=", "lane=", "class=", "registers=", "kernel="};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (n >= strlen(keys[i]) && !memcmp(s, keys[i], strlen(keys[i]))) return true;
    return false;
}

const char *trace_spec_parse(const char *spec, struct trace_filter *f, char *path, size_t size,
                             size_t *length) {
    *f = (struct trace_filter){.hi = UINT64_MAX, .wave = -1, .lane = -1, .classes = UINT32_MAX};
    *path = 0;
    for (const char *s = spec; *s;) {
        const size_t n = strcspn(s, ",");
        if (n && !part(f, s, n)) {
            *length = n;
            if (s != spec || n >= size || is_filter(s, n)) return s;
            memcpy(path, s, n);
            path[n] = 0;
        }
        s += n + (s[n] == ',');
    }
    return NULL;
}

bool trace_filter_kernel(const struct trace_filter *f, const char *symbol) {
    if (!*f->kernel) return true;
    const size_t n = strlen(symbol), length = n > 3 && !strcmp(symbol + n - 3, ".kd") ? n - 3 : n;
    if (strlen(f->kernel) == length && !memcmp(f->kernel, symbol, length)) return true;
    char plain[1024], name[1024];
    if (length >= sizeof plain) return false;
    memcpy(plain, symbol, length);
    plain[length] = 0;
    return sw_demangle(plain, name, sizeof name) && strstr(name, f->kernel);
}

bool trace_filter_step(const struct trace_filter *f, const sw_step *s) {
    const uint64_t pc = s->pc - s->kernel;
    if (pc < f->lo || pc > f->hi || (f->wave >= 0 && f->wave != s->wave)) return false;
    return (f->classes >> s->insn_class & 1) && (f->lane < 0 || (s->exec >> f->lane & 1));
}
