// SPDX-License-Identifier: MIT
// Entry ids of offload bundles: KIND-TRIPLE-[TARGET ID], as in "hipv4-amdgcn-amd-amdhsa--gfx906:xnack-" or
// "host-x86_64-unknown-linux--" (TGT-80). Device entries are parsed to a target, host entries keep their
// triple as text.
#include <string.h>

#include "base/sized.h"
#include "target/parse.h"

static const char *const kinds[] = {
    [SW_BUNDLE_HOST] = "host",
    [SW_BUNDLE_HIP] = "hip",
    [SW_BUNDLE_HIPV4] = "hipv4",
    [SW_BUNDLE_OPENMP] = "openmp",
};
static const struct sized entry_kind = SIZED(sw_bundle_entry, triple_length);
enum { KINDS = sizeof kinds / sizeof *kinds };

// The V2-V3 syntax is marked by a '+' before any ':'. "hip" is also the kind of V2-V3 code with no feature.
static bool is_v3(sw_bundle_kind kind, struct span id) {
    const char *colon = memchr(id.text, ':', id.length), *plus = memchr(id.text, '+', id.length);
    if (plus && (!colon || plus < colon)) return true;
    return kind == SW_BUNDLE_HIP && !colon;
}

sw_status sw_bundle_entry_parse(const char *text, size_t length, sw_bundle_entry *out, const sw_sink *sink) {
    sw_status status = sized_check(entry_kind, out, sink);
    if (status) return status;
    struct id_reader r = {{text, length}, sink};
    struct span rest, kind = span_until(r.all, '-', &rest);
    sw_bundle_entry e = {0};
    int k = 0;
    while (k < KINDS && !span_is(kind, kinds[k])) k++;
    if (k == KINDS)
        return id_error(&r, kind, "unknown offload kind '%s': host, hip, hipv4 or openmp",
                        span_quote(kind).text);
    e.kind = (sw_bundle_kind)k;
    if (!rest.text || !rest.length)
        return id_error(&r, span_from(r.all, length), "triple expected after '%s-'", kinds[k]);
    if (e.kind == SW_BUNDLE_HOST) {
        while (rest.length && rest.text[rest.length - 1] == '-') rest.length--;
        if (!rest.length) return id_error(&r, rest, "triple expected after 'host-'");
        e.triple = rest.text;
        e.triple_length = rest.length;
    } else {
        struct span arch_rest, arch = span_until(rest, '-', &arch_rest);
        if (!span_is(arch, "amdgcn"))
            return id_error(&r, arch, "the device architecture is '%s', not amdgcn", span_quote(arch).text);
        e.v3 = is_v3(e.kind, rest);
        status = read_target(&r, rest, e.v3, &e.target);
        if (status) return status;
    }
    sized_fill(entry_kind, out, &e);
    return SW_OK;
}

size_t sw_bundle_entry_format(const sw_bundle_entry *entry, char out[SW_BUNDLE_ENTRY_TEXT]) {
    sw_bundle_entry taken, *e = &taken;
    if (sized_take(entry_kind, e, entry, NULL)) return 0;
    char id[SW_TARGET_TEXT] = "";
    const char *triple = "amdgcn-amd-amdhsa-";
    size_t triple_length = strlen(triple), id_length = 0;
    if (e->kind == SW_BUNDLE_HOST) {
        triple = e->triple;
        triple_length = e->triple_length;
        int dashes = 0;
        for (size_t i = 0; i < triple_length; i++) dashes += triple[i] == '-';
        if (dashes < 3) id[id_length++] = '-'; // an empty environment before the empty target id
    } else {
        id_length = e->v3 ? sw_target_format_v3(&e->target, id) : sw_target_format(&e->target, id);
    }
    size_t kind_length = strlen(kinds[e->kind]);
    if (kind_length + 1 + triple_length + 1 + id_length >= SW_BUNDLE_ENTRY_TEXT) return 0;
    char *at = out;
    at = (char *)memcpy(at, kinds[e->kind], kind_length) + kind_length;
    *at++ = '-';
    at = (char *)memcpy(at, triple, triple_length) + triple_length;
    *at++ = '-';
    at = (char *)memcpy(at, id, id_length) + id_length;
    *at = 0;
    return (size_t)(at - out);
}
