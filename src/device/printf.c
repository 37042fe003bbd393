// SPDX-License-Identifier: MIT
// printf in kernels, by the buffer that OpenCL's runtime hands out as hidden_printf_buffer.
//
// The buffer begins with two dwords: how many bytes of records follow them, and the size of the whole buffer.
// A call takes room by an atomic on the first and is dropped when none is left. Its record is the dword id
// of the format and the arguments, each of as many bytes as the metadata's "ID:N:S1:...:SN:FORMAT" says; %s
// of a constant string holds the string itself (LLVM 22 stores four bytes less than it says where the length
// of the string is a multiple of 4; nothing in the record tells, so what follows is read wrong there). After
// the last dispatch that shares the buffer has ended, the records become text, which goes to the caller: the
// library itself prints nothing. What a kernel leaves in the buffer is not trusted.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "device/device.h"
#include "exec/body/lanes.h"

enum { BUFFER_BYTES = 1 << 20, HEADER_BYTES = 8, MAX_ARGUMENTS = 256, WIDEST = 1000, MOST_TEXT = 1 << 26 };

struct print_format {
    uint32_t id, count;
    uint32_t *sizes;
    char *text;
};

struct printf_buffer {
    uint8_t *memory; // of the device
    unsigned running;
    size_t count;
    struct print_format formats[];
};

// ---- Formats of the metadata ---------------------------------------------------------------------------

static bool read_number(const char **at, const char *end, uint32_t *out) {
    uint64_t n = 0;
    const char *p = *at;
    for (; p < end && *p >= '0' && *p <= '9' && n <= UINT32_MAX; p++) n = 10 * n + (uint64_t)(*p - '0');
    if (p == *at || p == end || *p != ':' || n > UINT32_MAX) return false;
    *at = p + 1;
    *out = (uint32_t)n;
    return true;
}

// Backslash sequences as in C, with octal numbers (a colon is \72).
static char *unescape(const char *p, const char *end) {
    char *text = malloc((size_t)(end - p) + 1), *to = text;
    static const char letters[] = "abfnrtv", values[] = "\a\b\f\n\r\t\v";
    while (text && p < end) {
        if (*p != '\\' || p + 1 == end) {
            *to++ = *p++;
            continue;
        }
        const char *letter = p[1] ? strchr(letters, p[1]) : NULL;
        unsigned code = 0, digits = 0;
        for (; digits < 3 && p + 1 + digits < end && p[1 + digits] >= '0' && p[1 + digits] <= '7'; digits++)
            code = 8 * code + (unsigned)(p[1 + digits] - '0');
        *to++ = digits ? (char)code : letter ? values[letter - letters] : p[1];
        p += digits ? 1 + digits : 2;
    }
    if (text) *to = 0;
    return text;
}

static bool read_format(const sw_node *n, struct print_format *f) {
    const char *p = n->as.string.data, *end = p + n->as.string.length;
    if (!read_number(&p, end, &f->id) || !read_number(&p, end, &f->count) || f->count > MAX_ARGUMENTS)
        return false;
    if (!(f->sizes = calloc(f->count + 1, sizeof *f->sizes))) return false;
    for (uint32_t i = 0; i < f->count; i++)
        if (!read_number(&p, end, &f->sizes[i]) || f->sizes[i] > BUFFER_BYTES) return false;
    return (f->text = unescape(p, end)) != NULL;
}

sw_status printf_create(sw_device *d, const sw_object *object, sw_executable *e, const sw_sink *sink) {
    size_t count;
    const sw_node *list = sw_object_printf(object, &count);
    if (!count) return SW_OK;
    struct printf_buffer *b = calloc(1, sizeof *b + count * sizeof *b->formats);
    e->print = b;
    if (b) b->memory = device_reserve(d, BUFFER_BYTES);
    if (!b || !b->memory) return diag_fail(sink, SW_NO_MEMORY, NULL, "out of memory");
    wr32(b->memory + 4, BUFFER_BYTES);
    b->count = count;
    for (size_t i = 0; i < count; i++)
        if (!read_format(&list[i], &b->formats[i]))
            return diag_fail(sink, SW_BAD_INPUT, NULL, "format %zu of amdhsa.printf is not ID:N:SIZES:FORMAT",
                             i);
    return SW_OK;
}

void printf_free(sw_device *d, sw_executable *e) {
    struct printf_buffer *b = e->print;
    if (!b) return;
    for (size_t i = 0; i < b->count; i++) {
        free(b->formats[i].sizes);
        free(b->formats[i].text);
    }
    if (b->memory) device_release(d, b->memory);
    free(b);
}

uint64_t printf_address(const sw_executable *e) {
    return e && e->print ? (uint64_t)(uintptr_t)e->print->memory : 0;
}

// ---- Records as text -----------------------------------------------------------------------------------

// The arguments of one record.
struct arguments {
    const uint8_t *at;
    const uint32_t *sizes;
    uint32_t left;
};
// The next one's bytes; zeros where the format asks for more than there are.
static const uint8_t *next_argument(struct arguments *a, uint32_t *size) {
    static const uint8_t none[8];
    *size = 4;
    if (!a->left) return none;
    const uint8_t *p = a->at;
    *size = *a->sizes++;
    a->at += *size;
    a->left--;
    return p;
}
static uint64_t integer_at(const uint8_t *p, uint32_t size) {
    uint64_t v = 0;
    memcpy(&v, p, size < 8 ? size : 8);
    return v;
}
static double real_at(const uint8_t *p, uint32_t size) {
    double d = 0;
    float f;
    if (size == 2) return (double)f16_to_f32(rd16(p));
    if (size < 8) return size < 4 ? 0 : (memcpy(&f, p, 4), (double)f);
    memcpy(&d, p, 8);
    return d;
}

// One conversion: "%", flags, width and precision of `spec`, then `letter`.
static void put_value(struct text *t, const char *spec, char letter, const uint8_t *p, uint32_t size,
                      uint32_t given) {
    char format[64], out[2 * WIDEST + 400];
    const bool real = strchr("aAeEfFgG", letter) != NULL;
    snprintf(format, sizeof format, "%s%s%c", spec, real || letter == 'c' ? "" : "ll",
             letter == 'p' ? 'x' : letter);
    const uint64_t v = integer_at(p, size);
    const unsigned drop = 64 - 8 * (given && given < size ? given : size < 8 ? size : 8);
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
    if (real)
        snprintf(out, sizeof out, format, real_at(p, size));
    else if (letter == 'c')
        snprintf(out, sizeof out, format, (int)(v & 0xff));
    else if (letter == 'd' || letter == 'i')
        snprintf(out, sizeof out, format, (long long)((int64_t)(v << (drop & 63)) >> (drop & 63)));
    else
        snprintf(out, sizeof out, format, (unsigned long long)(v << (drop & 63) >> (drop & 63)));
#pragma GCC diagnostic pop
    if (letter == 'p') text_puts(t, "0x");
    text_puts(t, out);
}

static unsigned read_width(const char **p, struct arguments *a, bool *negative) {
    unsigned n = 0;
    if (**p == '*') {
        uint32_t size;
        const uint8_t *at = next_argument(a, &size);
        int32_t v = size >= 4 ? (int32_t)rd32(at) : 0;
        *negative = v < 0;
        n = v < 0 ? 0u - (uint32_t)v : (uint32_t)v;
        ++*p;
    }
    for (; **p >= '0' && **p <= '9'; ++*p) n = n < WIDEST ? 10 * n + (unsigned)(**p - '0') : n;
    return n < WIDEST ? n : WIDEST;
}

// A conversion behind its '%'; returns what follows it.
static const char *put_conversion(struct text *t, const char *p, struct arguments *a) {
    char spec[40] = "%";
    size_t used = 1;
    bool negative = false, exact = false;
    for (; *p && strchr("-+ #0", *p) && used < 8; p++) spec[used++] = *p;
    const unsigned width = read_width(&p, a, &negative);
    unsigned precision = 0;
    if (negative) spec[used++] = '-';
    if (width) used += (size_t)snprintf(spec + used, sizeof spec - used, "%u", width);
    if (*p == '.') {
        p++;
        negative = false;
        precision = read_width(&p, a, &negative);
        exact = !negative;
        if (exact) snprintf(spec + used, sizeof spec - used, ".%u", precision);
    }
    spec[sizeof spec - 1] = 0;
    uint32_t elements = 1, given = 0, size;
    if (*p == 'v') { // OpenCL's vectors
        p++;
        bool sign;
        const unsigned n = read_width(&p, a, &sign);
        elements = n >= 1 && n <= 16 ? n : 1;
    }
    for (; *p == 'h' || *p == 'l'; p++) // h, hh, l, and hl of vectors, which is 4 bytes
        given = *p == 'h' ? (given == 2 ? 1 : 2) : given == 2 ? 4 : 8;
    if (!*p) return p;
    const char letter = *p++;
    if (letter == '%') {
        text_add(t, "%", 1);
    } else if (letter == 's') {
        const uint8_t *at = next_argument(a, &size);
        size_t n = strnlen((const char *)at, size);
        if (exact && n > precision) n = precision;
        const size_t pad = width > n ? width - n : 0;
        const bool left = memchr(spec, '-', used) != NULL;
        if (!left) text_printf(t, "%*s", (int)pad, "");
        text_add(t, (const char *)at, n);
        if (left) text_printf(t, "%*s", (int)pad, "");
    } else if (strchr("diouxXcpaAeEfFgG", letter)) {
        const uint8_t *at = next_argument(a, &size);
        // Vectors of three take the room of four.
        const uint32_t each = elements == 1 ? size : size / (elements == 3 ? 4 : elements);
        for (uint32_t i = 0; i < elements; i++) {
            if (i) text_add(t, ",", 1);
            put_value(t, spec, letter, at + i * each, each, given);
        }
    }
    return p;
}

// A few bytes of a record may become megabytes of text: it ends where that is more than `most`.
static void put_record(struct text *t, const struct print_format *f, const uint8_t *arguments,
                       uint64_t most) {
    struct arguments a = {arguments, f->sizes, f->count};
    for (const char *p = f->text; *p && t->length <= most;) {
        const size_t n = strcspn(p, "%");
        text_add(t, p, n);
        p += n;
        if (*p) p = put_conversion(t, p + 1, &a);
    }
}

static void stop(sw_fault *fault, sw_fault_kind kind, uint64_t address, const char *reason) {
    if (fault->kind) return; // the first one counts
    *fault =
        (sw_fault){.size = sizeof *fault, .kind = kind, .lane = -1, .address = address, .reason = reason};
}

static sw_status put_records(const struct printf_buffer *b, const sw_dispatch *q, const uint8_t *p,
                             uint32_t left, uint64_t deadline, sw_fault *fault, const sw_sink *sink) {
    const uint64_t most = q->print_limit ? q->print_limit : MOST_TEXT;
    uint64_t printed = 0;
    while (left >= 4) {
        const uint32_t id = rd32(p);
        size_t n = 0;
        while (n < b->count && b->formats[n].id != id) n++;
        uint64_t size = 4;
        for (uint32_t i = 0; n < b->count && i < b->formats[n].count; i++) size += b->formats[n].sizes[i];
        if (n == b->count || size > left) {
            diag_warn(sink, NULL, "the printf buffer holds no record of format %u at byte %u from its end",
                      id, left);
            return SW_OK;
        }
        if (deadline && monotonic_ns() > deadline) {
            stop(fault, SW_FAULT_TIMEOUT, 0, "while what the kernel printed was written");
            return SW_OK;
        }
        struct text t = {0};
        put_record(&t, &b->formats[n], p + 4, most - printed);
        const bool failed = t.failed, over = t.length > most - printed;
        if (over) t.length = (size_t)(most - printed);
        if (!failed && t.length) q->print(q->print_context, t.data, t.length);
        printed += t.length;
        text_free(&t);
        if (failed) return diag_fail(sink, SW_NO_MEMORY, NULL, "out of memory");
        if (over) {
            stop(fault, SW_FAULT_STOPPED, most, "the kernel printed more text than the limit");
            return SW_OK;
        }
        p += size;
        left -= (uint32_t)size;
    }
    return SW_OK;
}

// ---- Around a dispatch ---------------------------------------------------------------------------------

void printf_begin(sw_device *d, sw_executable *e) {
    if (!e->print) return;
    pthread_mutex_lock(&d->pool.lock);
    e->print->running++;
    pthread_mutex_unlock(&d->pool.lock);
}

sw_status printf_end(sw_device *d, const sw_dispatch *q, uint64_t deadline, sw_fault *fault,
                     const sw_sink *sink) {
    struct printf_buffer *b = q->executable->print;
    if (!b) return SW_OK;
    uint8_t *copy = NULL;
    uint32_t used = 0;
    bool failed = false;
    pthread_mutex_lock(&d->pool.lock);
    if (--b->running == 0) {
        used = rd32(b->memory);
        if (used > BUFFER_BYTES - HEADER_BYTES) used = BUFFER_BYTES - HEADER_BYTES;
        if (used && q->print) {
            copy = malloc(used);
            if (copy) memcpy(copy, b->memory + HEADER_BYTES, used);
            failed = !copy;
        }
        wr32(b->memory, 0);
        wr32(b->memory + 4, BUFFER_BYTES);
    }
    pthread_mutex_unlock(&d->pool.lock);
    if (failed) return diag_fail(sink, SW_NO_MEMORY, NULL, "out of memory");
    sw_status status = copy ? put_records(b, q, copy, used, deadline, fault, sink) : SW_OK;
    free(copy);
    return status;
}
