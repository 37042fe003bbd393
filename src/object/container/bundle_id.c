// SPDX-License-Identifier: MIT
// Ids of bundle entries as bundlers treat them: parts found in the text, written in standard form, compared,
// and refused where two may not stand in one bundle. AMD's target ids go through the target parser; those of
// other vendors are text.
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "base/diag.h"
#include "softwave/bundle.h"
#include "target/target.h"

struct piece {
    const char *text;
    size_t length;
};

// "hip" "amdgcn" "amd" "amdhsa" "" "gfx906:xnack+"
struct id {
    struct piece kind, triple[4], target;
};

enum { FEATURES = 8 };
struct features {
    struct piece processor, name[FEATURES];
    bool on[FEATURES];
    size_t count;
};

static bool same(struct piece a, struct piece b) {
    return a.length == b.length && !memcmp(a.text, b.text, a.length);
}
static bool is(struct piece a, const char *text) { return same(a, (struct piece){text, strlen(text)}); }

static bool begins(struct piece a, const char *text) {
    const size_t n = strlen(text);
    return a.length >= n && !memcmp(a.text, text, n);
}

// A device's name, which cannot be an environment: "gfx90a", "sm_80", "fiji".
static bool is_processor(struct piece p) {
    return begins(p, "gfx") || begins(p, "sm_") || (p.length && sw_processor_find(p.text, p.length));
}

// Splits "KIND-ARCH-VENDOR-OS[-ENV][-PROCESSOR[:FEATURE]...]". False when there are too few or too many
// parts.
static bool split(const char *text, struct id *id) {
    struct piece parts[6];
    size_t count = 0;
    const char *at = text;
    const char *features = strchr(text, ':');
    const char *end = features ? features : text + strlen(text);
    *id = (struct id){.target = {"", 0}};
    while (count < 6) {
        const char *dash = memchr(at, '-', (size_t)(end - at));
        if (count == 5) dash = NULL; // names of processors may contain dashes: "gfx9-4-generic"
        const bool generic = count == 4 && is_processor((struct piece){at, (size_t)(end - at)});
        if (generic) dash = NULL;
        parts[count++] = (struct piece){at, (size_t)((dash ? dash : end) - at)};
        if (!dash) break;
        at = dash + 1;
    }
    if (count < 4) return false;
    id->kind = parts[0];
    for (size_t i = 0; i < 3; i++) id->triple[i] = parts[1 + i];
    id->triple[3] = (struct piece){"", 0};
    const bool short_form = count == 5 && is_processor(parts[4]); // no environment before the processor
    if (count > 4 && !short_form) id->triple[3] = parts[4];
    if (count == 6 || short_form)
        id->target = (struct piece){parts[count - 1].text, strlen(parts[count - 1].text)};
    else if (features)
        return false;
    return true;
}

static bool known_architecture(struct piece a) {
    static const char *const names[] = {
        "amdgcn",     "r600",    "x86_64",  "i386",        "i486",    "i586",      "i686",        "aarch64",
        "aarch64_be", "ppc64",   "ppc64le", "ppc",         "powerpc", "powerpc64", "powerpc64le", "s390x",
        "riscv32",    "riscv64", "wasm32",  "loongarch64", "nvptx",   "nvptx64",   "spir",        "spir64",
        "spirv",      "spirv32", "spirv64", "sparc",       "sparcv9", "hexagon"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (is(a, names[i])) return true;
    return begins(a, "arm") || begins(a, "thumb") || begins(a, "mips");
}

static bool known_kind(struct piece k) {
    return is(k, "host") || is(k, "hip") || is(k, "hipv4") || is(k, "openmp");
}

// Puts the id's text into a message.
static void relocate(void *context, const sw_diagnostic *d) {
    const sw_sink *sink = ((const sw_sink *const *)context)[0];
    sw_diagnostic copy = *d;
    copy.at.file = NULL;
    sink->report(sink->context, &copy);
}

sw_status sw_bundle_id_standardize(const char *text, char out[SW_BUNDLE_ID_TEXT], const sw_sink *sink) {
    struct id id;
    if (!split(text, &id))
        return diag_fail(sink, SW_BAD_INPUT, NULL,
                         "'%.200s': expected KIND-ARCH-VENDOR-OS[-ENVIRONMENT][-PROCESSOR[:FEATURE+|-]...]",
                         text);
    if (!known_kind(id.kind))
        return diag_fail(sink, SW_BAD_INPUT, NULL,
                         "'%.200s': unknown offload kind '%.*s': host, hip, hipv4 or openmp", text,
                         (int)id.kind.length, id.kind.text);
    if (!known_architecture(id.triple[0]))
        return diag_fail(sink, SW_BAD_INPUT, NULL, "'%.200s': unknown architecture '%.*s'", text,
                         (int)id.triple[0].length, id.triple[0].text);
    char canonical[SW_TARGET_TEXT];
    struct piece target = id.target;
    if (is(id.triple[0], "amdgcn") && target.length && !is(id.kind, "host")) {
        sw_target t;
        const sw_sink *context[] = {sink};
        sw_sink through = {relocate, context};
        sw_status s = sw_target_parse(target.text, target.length, &t, sink && sink->report ? &through : NULL);
        if (s) return s;
        target = (struct piece){canonical, sw_target_format(&t, canonical)};
    }
    int n = snprintf(out, SW_BUNDLE_ID_TEXT, "%.*s-%.*s-%.*s-%.*s-%.*s-%.*s", (int)id.kind.length,
                     id.kind.text, (int)id.triple[0].length, id.triple[0].text, (int)id.triple[1].length,
                     id.triple[1].text, (int)id.triple[2].length, id.triple[2].text, (int)id.triple[3].length,
                     id.triple[3].text, (int)target.length, target.text);
    if (n < 0 || n >= SW_BUNDLE_ID_TEXT)
        return diag_fail(sink, SW_BAD_INPUT, NULL, "'%.200s...': the id is too long", text);
    return SW_OK;
}

// ---- Comparing -----------------------------------------------------------------------------------------

// "gfx906:sramecc-:xnack+", and "gfx906+xnack" of V2 and V3 as text. False when malformed.
static bool read_features(struct piece target, struct features *f) {
    *f = (struct features){.processor = target};
    const char *at = memchr(target.text, ':', target.length), *end = target.text + target.length;
    if (!at) return true;
    f->processor.length = (size_t)(at - target.text);
    while (at < end) {
        const char *next = memchr(at + 1, ':', (size_t)(end - at - 1));
        if (!next) next = end;
        const size_t length = (size_t)(next - at - 1);
        if (length < 2 || f->count == FEATURES || (next[-1] != '+' && next[-1] != '-')) return false;
        f->name[f->count] = (struct piece){at + 1, length - 1};
        f->on[f->count++] = next[-1] == '+';
        at = next;
    }
    return true;
}

static const bool *find_feature(const struct features *f, struct piece name) {
    for (size_t i = 0; i < f->count; i++)
        if (same(f->name[i], name)) return &f->on[i];
    return NULL;
}

static bool kinds_fit(struct piece a, struct piece b, bool hip_is_openmp) {
    const bool hip_a = is(a, "hip") || is(a, "hipv4"), hip_b = is(b, "hip") || is(b, "hipv4");
    if (same(a, b) || (hip_a && hip_b)) return true;
    return hip_is_openmp && ((hip_a && is(b, "openmp")) || (hip_b && is(a, "openmp")));
}

bool sw_bundle_id_compatible(const char *code, const char *wanted, bool hip_is_openmp) {
    struct id a, b;
    struct features have, want;
    if (!strcmp(code, wanted)) return true;
    if (!split(code, &a) || !split(wanted, &b) || !kinds_fit(a.kind, b.kind, hip_is_openmp)) return false;
    for (int i = 0; i < 4; i++)
        if (!same(a.triple[i], b.triple[i])) return false;
    if (!read_features(a.target, &have) || !read_features(b.target, &want)) return false;
    if (!same(have.processor, want.processor)) return false;
    for (size_t i = 0; i < have.count; i++) {
        const bool *on = find_feature(&want, have.name[i]);
        if (!on || *on != have.on[i]) return false;
    }
    return true;
}

// Two ids of one kind, triple and processor must set the same features (the values may differ).
static bool conflict(const char *first, const char *second) {
    struct id a, b;
    struct features x, y;
    if (!split(first, &a) || !split(second, &b) || !same(a.kind, b.kind)) return false;
    for (int i = 0; i < 4; i++)
        if (!same(a.triple[i], b.triple[i])) return false;
    if (!a.target.length || !b.target.length) return false;
    if (!read_features(a.target, &x) || !read_features(b.target, &y) || !same(x.processor, y.processor))
        return false;
    if (x.count != y.count) return true;
    for (size_t i = 0; i < x.count; i++)
        if (!find_feature(&y, x.name[i])) return true;
    return false;
}

sw_status sw_bundle_ids_check(const char *const *ids, size_t count, const sw_sink *sink) {
    size_t hosts = 0;
    bool only_hip = true;
    for (size_t i = 0; i < count; i++) {
        hosts += !strncmp(ids[i], "host-", 5);
        only_hip &= !strncmp(ids[i], "hip-", 4) || !strncmp(ids[i], "hipv4-", 6);
        for (size_t j = 0; j < i; j++) {
            if (!strcmp(ids[i], ids[j]))
                return diag_fail(sink, SW_BAD_INPUT, NULL, "the target '%s' is there twice", ids[i]);
            if (conflict(ids[j], ids[i]))
                return diag_fail(sink, SW_BAD_INPUT, NULL,
                                 "'%s' and '%s' conflict: a feature that one sets the other must set too",
                                 ids[j], ids[i]);
        }
    }
    if (hosts > 1 || (!hosts && !only_hip))
        return diag_fail(sink, SW_BAD_INPUT, NULL, "exactly one host target is expected, not %zu", hosts);
    return SW_OK;
}
