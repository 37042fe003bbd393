// SPDX-License-Identifier: MIT
// Pieces of target-id text that the parsers of src/target share.
#ifndef TARGET_PARSE_H
#define TARGET_PARSE_H

#include "base/diag.h"
#include "target/target.h"

// A stretch of the text being parsed.
struct span {
    const char *text;
    size_t length;
};

// The whole text (for the caret line) and where its problems go.
struct id_reader {
    struct span all;
    const sw_sink *sink;
};

// Reports at `at`, a span inside r->all. A "%s" of user text goes through span_quote().
sw_status id_error(const struct id_reader *r, struct span at, const char *format, ...) PRINTF_LIKE(3, 4);

// The span as a printable NUL-terminated string: control bytes become '?', long text ends in "...".
struct quoted {
    char text[48];
};
struct quoted span_quote(struct span s);

bool span_is(struct span s, const char *word);
struct span span_from(struct span s, size_t start);
// The part before the first `c`; *rest is what follows that character, with rest->text NULL if there is none.
struct span span_until(struct span s, char c, struct span *rest);

// The processor or product whose name is nearest to this one, or NULL; `product` holds a product's name.
enum { NAME_OF_PRODUCT = 48 };
const char *similar_processor(const char *name, size_t length, char product[NAME_OF_PRODUCT]);

// Parses "[triple-]processor[features]". A `v3` target id uses the "+feature" syntax.
sw_status read_target(const struct id_reader *r, struct span s, bool v3, sw_target *out);
// Splits "amdgcn-vendor-os-[environment-]" off *s. Leaves *s and `*found` false if it does not begin so.
sw_status read_triple(const struct id_reader *r, struct span *s, sw_triple *out, bool *found);

#endif
