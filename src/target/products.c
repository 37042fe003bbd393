// SPDX-License-Identifier: MIT
// Products by the names that people know: "mi300x", "RX 7900 XTX", "Strix Halo".
#include <string.h>

#include "base/similar.h"
#include "base/sized.h"
#include "target/parse.h"

struct row {
    const char *processor;
    sw_product p;
};
static const struct row rows[] = {
#define PRODUCT(processor_, name_) {#processor_, {.name = name_}},
#define CARD(processor_, name_, chip_, cus, mhz_, engines_, arrays_, xccs_, l1, l2, l3, gib, bits, memory)   \
    {#processor_,                                                                                            \
     {.name = name_,                                                                                         \
      .chip = chip_,                                                                                         \
      .compute_units = cus,                                                                                  \
      .mhz = mhz_,                                                                                           \
      .engines = engines_,                                                                                   \
      .arrays = arrays_,                                                                                     \
      .xccs = xccs_,                                                                                         \
      .l1_kib = l1,                                                                                          \
      .l2_kib = l2,                                                                                          \
      .l3_kib = l3,                                                                                          \
      .memory_gib = gib,                                                                                     \
      .bus_bits = bits,                                                                                      \
      .memory_mhz = memory}},
#include "target/products.def"
};
enum { ROWS = sizeof rows / sizeof *rows };

size_t sw_product_count(void) { return ROWS; }

void sw_product_get(size_t index, sw_product *out) {
    const struct sized kind = SIZED(sw_product, memory_mhz);
    if (index >= ROWS || sized_check(kind, out, NULL)) return;
    sw_product p = rows[index].p;
    p.processor = sw_processor_find(rows[index].processor, strlen(rows[index].processor));
    sized_fill(kind, out, &p);
}

// ---- Names ----

enum { NAME = 48 };

// Words that a name means the same without.
static bool is_noise(const char *word, size_t length) {
    static const char *const noise[] = {"amd", "radeon", "instinct", "rx", "pro", "ryzen", "graphics"};
    for (size_t i = 0; i < sizeof noise / sizeof *noise; i++)
        if (strlen(noise[i]) == length && !memcmp(noise[i], word, length)) return true;
    return false;
}

// Lower case, without spaces, dashes and noise: "AMD Radeon RX 7900 XTX" and "rx7900xtx" become "7900xtx".
static size_t plain_name(const char *s, size_t length, char out[NAME]) {
    size_t n = 0, word = 0;
    for (size_t i = 0; i <= length; i++) {
        const char c = i < length ? s[i] : ' ';
        const bool is_digit = c >= '0' && c <= '9', ends = c == ' ' || c == '-' || c == '_';
        if ((ends || is_digit) && is_noise(out + word, n - word)) n = word;
        if (ends)
            word = n;
        else if (n + 1 == NAME)
            return 0;
        else
            out[n++] = c >= 'A' && c <= 'Z' ? (char)(c + 32) : c;
    }
    out[n] = 0;
    return n;
}

static const struct row *find(const char *name, size_t length) {
    char wanted[NAME], has[NAME];
    const size_t n = plain_name(name, length, wanted);
    for (size_t i = 0; n && i < ROWS; i++)
        if (plain_name(rows[i].p.name, strlen(rows[i].p.name), has) == n && !memcmp(has, wanted, n))
            return &rows[i];
    return NULL;
}

sw_status sw_target_choose(const char *text, size_t length, sw_target *out, const sw_sink *sink) {
    size_t n = 0;
    while (n < length && text[n] != ':') n++;
    const struct row *row = sw_processor_find(text, n) ? NULL : find(text, n);
    char id[SW_TARGET_TEXT + 32];
    const size_t name = row ? strlen(row->processor) : 0;
    if (!row || name + length - n >= sizeof id) return sw_target_parse(text, length, out, sink);
    memcpy(id, row->processor, name);
    memcpy(id + name, text + n, length - n);
    return sw_target_parse(id, name + length - n, out, sink);
}

// ---- Did you mean ----

const char *similar_processor(const char *name, size_t length, char product[NAME_OF_PRODUCT]) {
    struct similar s = similar_to(name, length);
    for (size_t i = 0; i < sw_processor_count(); i++) {
        const struct sw_processor *p = sw_processor_at(i);
        similar_consider(&s, p->name);
        for (size_t k = 0; p->alternatives && p->alternatives[k]; k++)
            similar_consider(&s, p->alternatives[k]);
    }
    char wanted[NAME], has[NAME];
    const size_t n = plain_name(name, length, wanted);
    struct similar of_product = similar_to(wanted, n);
    if (s.best && s.limit < of_product.limit) of_product.limit = s.limit;
    for (size_t i = 0; n && i < ROWS; i++) {
        plain_name(rows[i].p.name, strlen(rows[i].p.name), has);
        const unsigned d = similar_distance(wanted, n, has, strlen(has), of_product.limit);
        if (d >= of_product.limit || d >= n || n < 4) continue;
        of_product.limit = d;
        memcpy(product, has, strlen(has) + 1);
        of_product.best = s.best = product;
    }
    return s.best;
}
