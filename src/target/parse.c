// SPDX-License-Identifier: MIT
// Target ids and triples from text: "gfx90a:sramecc+:xnack-", "amdgcn-amd-amdhsa--gfx906", and the
// "gfx906+xnack" syntax of code object V2-V3. Every refusal names the part, says why, and points at it.
// Text is any bytes; nothing is allocated.
#include "target/parse.h"

#include <stdio.h>
#include <string.h>

#include "base/sized.h"

sw_status id_error(const struct id_reader *r, struct span at, const char *format, ...) {
    sw_location where = {.file = "target id", .line_text = r->all.text, .line_length = r->all.length};
    where.column = (uint32_t)(at.text - r->all.text) + 1;
    if (!r->all.length || r->all.length > 256 || memchr(r->all.text, '\n', r->all.length))
        where.line_text = NULL; // no caret line
    va_list args;
    va_start(args, format);
    diag_reportv(r->sink, SW_SEVERITY_ERROR, &where, format, args);
    va_end(args);
    return SW_BAD_INPUT;
}

struct quoted span_quote(struct span s) {
    struct quoted q;
    size_t n = s.length < sizeof q.text ? s.length : sizeof q.text - 4;
    for (size_t i = 0; i < n; i++) q.text[i] = s.text[i] >= ' ' && s.text[i] < 127 ? s.text[i] : '?';
    memcpy(q.text + n, n < s.length ? "..." : "", n < s.length ? 4 : 1);
    return q;
}

bool span_is(struct span s, const char *word) {
    return strlen(word) == s.length && !memcmp(s.text, word, s.length);
}

struct span span_from(struct span s, size_t start) {
    return (struct span){s.text + start, s.length - start};
}

struct span span_until(struct span s, char c, struct span *rest) {
    const char *at = s.length ? memchr(s.text, c, s.length) : NULL;
    *rest = at ? span_from(s, (size_t)(at - s.text) + 1) : (struct span){0};
    return (struct span){s.text, at ? (size_t)(at - s.text) : s.length};
}

// -- Triples -----------------------------------------------------------------------------------------

// The processor name at the start of "gfx906:xnack+" or "gfx906+xnack".
static struct span processor_part(struct span s) {
    size_t n = 0;
    while (n < s.length && s.text[n] != ':' && s.text[n] != '+') n++;
    return (struct span){s.text, n};
}

static bool is_processor(struct span s) {
    s = processor_part(s);
    return sw_processor_find(s.text, s.length) != NULL;
}

static sw_status read_vendor_and_os(const struct id_reader *r, struct span vendor, struct span os,
                                    sw_triple *out) {
    if (!os.length || span_is(os, "unknown"))
        out->os = SW_OS_NONE;
    else if (span_is(os, "amdhsa"))
        out->os = SW_OS_AMDHSA;
    else if (span_is(os, "amdpal"))
        out->os = SW_OS_AMDPAL;
    else if (span_is(os, "mesa3d"))
        out->os = SW_OS_MESA3D;
    else
        return id_error(r, os,
                        "unknown operating system '%s' in the triple: amdhsa, amdpal, mesa3d or nothing",
                        span_quote(os).text);
    if (span_is(vendor, "mesa")) {
        if (out->os != SW_OS_MESA3D)
            return id_error(r, vendor, "vendor 'mesa' needs operating system 'mesa3d'");
    } else if (vendor.length && !span_is(vendor, "amd") && !span_is(vendor, "unknown")) {
        return id_error(r, vendor, "unknown vendor '%s' in the triple: amd or mesa", span_quote(vendor).text);
    }
    if (out->os == SW_OS_AMDHSA && !strcmp(out->architecture, "r600"))
        return id_error(r, os, "amdhsa is not supported by architecture r600");
    out->vendor = vendor.text;
    out->vendor_length = vendor.length;
    return SW_OK;
}

sw_status read_triple(const struct id_reader *r, struct span *s, sw_triple *out, bool *found) {
    struct span rest, vendor, os;
    struct span arch = span_until(*s, '-', &rest);
    *found = false;
    if (!rest.text) return SW_OK;
    if (span_is(arch, "amdgcn"))
        out->architecture = "amdgcn";
    else if (span_is(arch, "r600"))
        out->architecture = "r600";
    else
        return SW_OK;
    *found = true;
    vendor = span_until(rest, '-', &rest);
    if (!rest.text) return id_error(r, vendor, "the triple has no operating system part");
    os = span_until(rest, '-', &rest);
    sw_status status = read_vendor_and_os(r, vendor, os, out);
    if (status) return status;
    // The environment may be left out before a processor: "amdgcn-amd-amdhsa-gfx906".
    out->environment = "";
    out->environment_length = 0;
    struct span after = {0}, environment = {0};
    if (rest.text && !is_processor(rest)) environment = span_until(rest, '-', &after);
    if (after.text) {
        out->environment = environment.text;
        out->environment_length = environment.length;
        rest = after;
    }
    if (!rest.text) rest = span_from(os, os.length);
    *s = rest;
    return SW_OK;
}

sw_status sw_triple_parse(const char *text, size_t length, sw_triple *out, const sw_sink *sink) {
    const struct sized kind = SIZED(sw_triple, environment_length);
    sw_status status = sized_check(kind, out, sink);
    if (status) return status;
    struct id_reader r = {{text, length}, sink};
    struct span s = r.all, rest;
    struct span arch = span_until(s, '-', &rest);
    sw_triple t = {.vendor = "", .environment = ""};
    if (span_is(arch, "amdgcn"))
        t.architecture = "amdgcn";
    else if (span_is(arch, "r600"))
        t.architecture = "r600";
    else
        return id_error(&r, arch, "unknown architecture '%s' in the triple: amdgcn or r600",
                        span_quote(arch).text);
    struct span end = span_from(s, s.length), vendor = end, os = end, environment = end;
    if (rest.text) vendor = span_until(rest, '-', &rest);
    if (rest.text) os = span_until(rest, '-', &rest);
    if (rest.text) environment = span_until(rest, '-', &rest);
    if (rest.text && rest.length) return id_error(&r, rest, "the triple has more than four parts");
    status = read_vendor_and_os(&r, vendor, os, &t);
    if (status) return status;
    t.environment = environment.text;
    t.environment_length = environment.length;
    sized_fill(kind, out, &t);
    return SW_OK;
}

// -- Features ----------------------------------------------------------------------------------------

// Where a target keeps the feature; NULL after an error. `v3` also knows the spelling of LLVM 9 to 14.
static sw_setting *feature_setting(const struct id_reader *r, struct span name, bool v3, sw_target *t) {
    const sw_processor *p = t->processor;
    sw_setting *setting = NULL;
    enum capability needed = CAP_xnack;
    if (span_is(name, "xnack"))
        setting = &t->xnack;
    else if (span_is(name, "sramecc") || (v3 && span_is(name, "sram-ecc")))
        setting = &t->sramecc, needed = CAP_sramecc;
    if (setting) {
        if (has(p, needed)) return setting;
        id_error(r, name, "%s has no feature '%s'", p->name, span_quote(name).text);
    } else if (!name.length) {
        id_error(r, name, "feature name expected");
    } else if (span_is(name, "cumode") || span_is(name, "tgsplit") || span_is(name, "wavefrontsize64")) {
        id_error(r, name, "'%s' is not part of a target id; it is set by -m%s", span_quote(name).text,
                 span_quote(name).text);
    } else {
        id_error(r, name, "unknown feature '%s'", span_quote(name).text);
    }
    return NULL;
}

// One feature, "xnack+" or in V2-V3 "xnack". `seen` holds a bit for each feature met before.
static sw_status read_feature(const struct id_reader *r, struct span s, bool v3, sw_target *t,
                              unsigned *seen) {
    struct span name = s;
    sw_setting value = SW_SETTING_ON;
    if (!v3) {
        char sign = s.length ? s.text[s.length - 1] : 0;
        if (sign == '+' || sign == '-')
            name.length--;
        else if (s.length)
            return id_error(r, span_from(s, s.length), "feature '%s' needs '+' or '-' after its name",
                            span_quote(s).text);
        value = sign == '+' ? SW_SETTING_ON : SW_SETTING_OFF;
    }
    sw_setting *setting = feature_setting(r, name, v3, t);
    if (!setting) return SW_BAD_INPUT;
    unsigned bit = setting == &t->xnack ? 1 : 2;
    if (*seen & bit) return id_error(r, name, "feature '%s' is given twice", span_quote(name).text);
    *seen |= bit;
    *setting = value;
    return SW_OK;
}

// -- Target ids --------------------------------------------------------------------------------------

static sw_status find_processor(const struct id_reader *r, struct span name, const char *architecture,
                                bool v3, sw_target *t) {
    if (!name.length) return id_error(r, name, "processor name expected");
    const sw_processor *p = sw_processor_find(name.text, name.length);
    if (!p) {
        char product[NAME_OF_PRODUCT];
        const char *similar = similar_processor(name.text, name.length, product);
        return id_error(r, name, "unknown processor '%s'%s%s%s", span_quote(name).text,
                        similar ? "; did you mean '" : "", similar ? similar : "", similar ? "'?" : "");
    }
    bool r600 = p->generation == GEN_R600;
    if (architecture && r600 != !strcmp(architecture, "r600"))
        return id_error(r, name, "processor %s is not of architecture %s", p->name, architecture);
    if (v3 && p->generic_version) return id_error(r, name, "%s needs code object V6", p->name);
    sw_setting initial = v3 ? SW_SETTING_OFF : SW_SETTING_ANY; // TGT-65, TGT-78
    *t = (sw_target){
        .processor = p,
        .xnack = has(p, CAP_xnack) ? initial : SW_SETTING_NONE,
        .sramecc = has(p, CAP_sramecc) ? initial : SW_SETTING_NONE,
    };
    return SW_OK;
}

sw_status read_target(const struct id_reader *r, struct span s, bool v3, sw_target *out) {
    sw_triple triple = {0};
    bool has_triple;
    sw_status status = read_triple(r, &s, &triple, &has_triple);
    if (status) return status;

    sw_target t;
    struct span name = processor_part(s), rest = span_from(s, name.length);
    char separator = v3 ? '+' : ':';
    status = find_processor(r, name, has_triple ? triple.architecture : NULL, v3, &t);
    if (status) return status;
    if (rest.length && *rest.text != separator)
        return id_error(r, rest,
                        v3 ? "the V2-V3 syntax separates features by '+' and has no sign after them"
                           : "'+feature' is V2-V3 syntax; write ':feature+'");
    unsigned seen = 0;
    while (rest.length) {
        // A '+' belongs to the sign unless this is V2-V3 text, so only the separator ends a feature.
        struct span after, feature = span_until(span_from(rest, 1), separator, &after);
        status = read_feature(r, feature, v3, &t, &seen);
        if (status) return status;
        if (after.text && !after.length) return id_error(r, after, "feature name expected");
        rest = after.text ? (struct span){after.text - 1, after.length + 1} : (struct span){0};
    }
    *out = t;
    return SW_OK;
}

sw_status sw_target_parse(const char *text, size_t length, sw_target *out, const sw_sink *sink) {
    struct id_reader r = {{text, length}, sink};
    return read_target(&r, r.all, false, out);
}

sw_status sw_target_parse_v3(const char *text, size_t length, sw_target *out, const sw_sink *sink) {
    struct id_reader r = {{text, length}, sink};
    return read_target(&r, r.all, true, out);
}
