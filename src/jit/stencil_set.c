// SPDX-License-Identifier: MIT
// Unpacking stencils, once a process and level, and finding those of a handler.
#include "jit/stencil_set.h"
#include "base/hash.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

#include "exec/body/body.h"
#include "jit/pages.h"

extern const struct stencil_set stencils_v3, stencils_v4;
static const struct stencil_set *const sets[] = {
#if defined(HAVE_STENCILS_v3)
    &stencils_v3,
#endif
#if defined(HAVE_STENCILS_v4)
    &stencils_v4,
#endif
    NULL,
};
enum { SETS = sizeof sets / sizeof *sets };
static struct native_image images[SETS];
static bool tried[SETS];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static size_t number_of(const char *level) {
    size_t i = 0;
    while (sets[i] && strcmp(sets[i]->level, level)) i++;
    return i;
}
bool native_image_exists(const char *level) { return sets[number_of(level)]; }

static uint32_t hash(op_fn *handler) { return (uint32_t)(hash_number((uint64_t)(uintptr_t)handler) >> 40); }

static op_fn *handler_of(const struct stencil_set *set, const struct stencil_key *k) {
    op_fn *const *at = (op_fn *const *)((const char *)set->objects[k->object] + k->offset);
    return k->entry == NO_ENTRY ? *at : (*(op_fn *const *const *)at)[k->entry];
}

static bool make_table(struct native_image *image) {
    uint32_t size = 64;
    while (size < 2 * image->set->key_count) size *= 2;
    image->mask = size - 1;
    image->by_handler = calloc(size, sizeof *image->by_handler);
    image->handlers = calloc(size, sizeof *image->handlers);
    if (!image->by_handler || !image->handlers) return false;
    for (uint32_t i = 0; i < image->set->key_count; i++) {
        op_fn *handler = handler_of(image->set, &image->set->keys[i]);
        uint32_t at = hash(handler) & image->mask;
        while (image->handlers[at] && image->handlers[at] != handler) at = (at + 1) & image->mask;
        image->handlers[at] = handler;
        image->by_handler[at] = &image->set->keys[i];
    }
    return true;
}

// Stencils and places as they were before they were made easy to compress. `all` becomes the image's.
static void take_tables(struct native_image *image, uint8_t *all, struct stencil *stencils,
                        struct stencil_place *places, const char **names) {
    const struct stencil_image *head = (const struct stencil_image *)all;
    const uint8_t *from = all + sizeof *head;
    stencil_unsplit(stencils, from, sizeof *stencils, head->stencils);
    stencil_unsplit(places, from + head->stencils * sizeof *stencils, sizeof *places, head->places);
    for (uint32_t i = 1; i < head->stencils; i++) {
        stencils[i].code = stencils[i - 1].code + stencils[i - 1].size;
        stencils[i].places = stencils[i - 1].places + stencils[i - 1].place_count;
    }
    for (uint32_t i = 1; i < head->places; i++) places[i].at = (uint16_t)(places[i].at + places[i - 1].at);
    from += head->stencils * sizeof *stencils + head->places * sizeof *places;
    const char *name = (const char *)from;
    for (uint32_t i = 0; i < head->stencils; i++, name += strlen(name) + 1) names[i] = name;
    image->stencils = stencils;
    image->places = places;
    image->names = names;
    image->code = from + head->name_bytes + head->pool_bytes;
}

static bool take_pool(struct native_image *image, size_t size) {
    void *pages = native_pages(size ? size : 1);
    if (!pages) return false;
    memcpy(pages, image->code - size, size);
    image->pool = pages;
    return native_seal(pages, size ? size : 1, false);
}

static bool unpack(struct native_image *image, const struct stencil_set *set) {
    uint8_t *all = malloc(set->image_bytes);
    const size_t compressed = (size_t)(set->image_end - set->image);
    const struct stencil_image *head = (const struct stencil_image *)all;
    bool ok = all && ZSTD_decompress(all, set->image_bytes, set->image, compressed) == set->image_bytes;
    struct stencil *stencils = ok ? malloc(head->stencils * sizeof *stencils) : NULL;
    struct stencil_place *places = ok ? malloc(head->places * sizeof *places) : NULL;
    const char **names = ok ? malloc(head->stencils * sizeof *names) : NULL;
    image->set = set;
    ok = stencils && places && names;
    if (ok) take_tables(image, all, stencils, places, names);
    if (ok && take_pool(image, head->pool_bytes) && make_table(image)) return true;
    free(all);
    free(stencils);
    free(places);
    free(names);
    return false;
}

const struct native_image *native_image_of(const char *level) {
    const size_t n = number_of(level);
    if (!sets[n]) return NULL;
    struct native_image *image = &images[n];
    pthread_mutex_lock(&lock);
    if (!tried[n]) {
        tried[n] = true;
        if (!unpack(image, sets[n])) image->code = NULL;
    }
    pthread_mutex_unlock(&lock);
    return image->code ? image : NULL;
}

const struct stencil_key *native_image_find(const struct native_image *image, op_fn *handler) {
    for (uint32_t at = hash(handler) & image->mask; image->handlers[at]; at = (at + 1) & image->mask)
        if (image->handlers[at] == handler) return image->by_handler[at];
    return NULL;
}
