// SPDX-License-Identifier: MIT
// Which entries of a bundle, or of an archive of bundles, answer to the ids asked for.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/array.h"
#include "object/container/bundle.h"
#include "softwave/object.h"

enum { MOST = 512 }; // entries of a bundle that are compared with each other

// The entry's id in standard form where it has one, else as it stands.
static const char *id_of(const sw_entry *e, char text[SW_BUNDLE_ID_TEXT]) {
    return sw_bundle_id_standardize(e->id, text, NULL) ? e->id : text;
}

void sw_bundle_choose(const sw_container *container, const char *const *wanted, size_t count,
                      bool hip_is_openmp, ptrdiff_t *chosen) {
    const size_t entries = sw_container_entry_count(container);
    char text[SW_BUNDLE_ID_TEXT];
    for (size_t i = 0; i < count; i++) chosen[i] = -1;
    for (int exact = 1; exact >= 0; exact--)
        for (size_t i = 0; i < entries; i++) {
            const char *id = id_of(sw_container_entry(container, i), text);
            bool taken = false;
            for (size_t w = 0; w < count; w++) taken |= chosen[w] == (ptrdiff_t)i;
            for (size_t w = 0; w < count && !taken; w++) {
                if (chosen[w] >= 0) continue;
                if (exact ? strcmp(id, wanted[w]) != 0
                          : !sw_bundle_id_compatible(id, wanted[w], hip_is_openmp))
                    continue;
                chosen[w] = (ptrdiff_t)i;
                taken = true;
            }
        }
}

sw_status sw_bundle_check_container(const sw_container *container, const sw_sink *sink) {
    const sw_entry *e, *before;
    for (size_t i = 0; (e = sw_container_entry(container, i)); i++) {
        const sw_location at = {.offset = e->offset, .has_offset = true, .within = e->member};
        if (i >= MOST && sw_container_entry(container, i - MOST)->bundle == e->bundle)
            return diag_fail(sink, SW_BAD_INPUT, &at, "more than %d entries in one bundle", MOST);
        for (size_t j = i; j-- > 0 && (before = sw_container_entry(container, j))->bundle == e->bundle;) {
            char a[SW_BUNDLE_ID_TEXT], b[SW_BUNDLE_ID_TEXT];
            const char *ids[] = {"host-x86_64-unknown-linux--", id_of(before, a), id_of(e, b)};
            const bool hosts = !strncmp(ids[1], "host-", 5) || !strncmp(ids[2], "host-", 5);
            sw_status s = sw_bundle_ids_check(hosts ? ids + 1 : ids, hosts ? 2 : 3, sink);
            if (!s) continue;
            diag_note(sink, &at, "in bundle %zu", e->bundle);
            return s;
        }
    }
    return SW_OK;
}

// "libx.o" and "hip-amdgcn-amd-amdhsa--gfx906:xnack+" as "libx-hip-amdgcn-amd-amdhsa--gfx906_xnack+libx.bc".
static const char *member_name(struct arena *arena, const sw_entry *e) {
    const char *member = e->member ? e->member : "";
    const char *slash = strrchr(member, '/');
    if (slash) member = slash + 1;
    const char *dot = strrchr(member, '.');
    const int stem = dot && dot > member ? (int)(dot - member) : (int)strlen(member);
    const char *extension = strstr(e->id, "gfx") ? ".bc" : strstr(e->id, "sm_") ? ".cubin" : dot ? dot : "";
    const size_t room = 2 * strlen(member) + strlen(e->id) + 16;
    char *name = arena_alloc(arena, room);
    if (!name) return NULL;
    snprintf(name, room, "%.*s-%s%.*s%s", stem, member, e->id, stem, member, extension);
    for (char *p = name; *p; p++)
        if (*p == ':' || *p == '/' || *p == '\n') *p = '_';
    return name;
}

sw_status sw_bundle_unpack_archive(sw_container *container, const char *wanted, bool hip_is_openmp,
                                   uint8_t **out, size_t *length, size_t *found, const sw_sink *sink) {
    const sw_entry *e;
    ARRAY(sw_bundle_part) members = {0};
    struct arena arena = {0};
    sw_status s = SW_OK;
    char text[SW_BUNDLE_ID_TEXT];
    *out = NULL;
    for (size_t i = 0; !s && (e = sw_container_entry(container, i)); i++) {
        if (!e->member || !sw_bundle_id_compatible(id_of(e, text), wanted, hip_is_openmp)) continue;
        sw_bundle_part part = {.id = member_name(&arena, e)};
        s = sw_container_data(container, i, &part.data, &part.length, sink);
        if (!s && (!part.id || !array_push(&members, part))) s = bundle_no_memory(sink);
    }
    *found = members.count;
    if (!s) s = sw_archive_write(members.items, members.count, out, length, sink);
    array_free(&members);
    arena_free(&arena);
    return s;
}
