// SPDX-License-Identifier: MIT
// `softwave run --exports[=FILE]`: what waves export, a line for each lane. Workers tell it as it happens;
// the lines are in the order of launches, groups and waves, and of the exports of each.
#include <inttypes.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "cli/run/run.h"

struct exported {
    uint64_t launch;
    uint32_t place[4]; // group: z, y, x; wave
    size_t number;     // in the order in which they came
    size_t at, length; // of its lines in `lines`
};

struct exports {
    pthread_mutex_t lock;
    struct text lines;
    ARRAY(struct exported) all;
    bool failed; // no memory
};

struct exports *exports_open(void) {
    struct exports *e = calloc(1, sizeof *e);
    if (e) pthread_mutex_init(&e->lock, NULL);
    return e;
}

void exports_put_values(struct text *t, const sw_export *x, unsigned lane) {
    for (unsigned i = 0; i < (x->compressed ? 2 : 4); i++)
        if (x->values[i])
            text_printf(t, " 0x%08x", x->values[i][lane]);
        else
            text_puts(t, " off");
}

static void put_lane(struct text *t, const sw_export *x, unsigned lane) {
    text_printf(t, "%" PRIu64 " %u,%u,%u %u %u %s", x->dispatch_id, x->group[0], x->group[1], x->group[2],
                x->wave, lane, x->target_name);
    exports_put_values(t, x, lane);
    if (x->compressed) text_puts(t, " compr");
    if (x->done) text_puts(t, " done");
    if (x->valid_mask) text_puts(t, " vm");
    if (x->row >= 0) text_printf(t, " row %d", x->row);
    text_puts(t, "\n");
}

void exports_take(struct exports *e, const sw_export *x) {
    pthread_mutex_lock(&e->lock);
    struct exported one = {.launch = x->dispatch_id,
                           .place = {x->group[2], x->group[1], x->group[0], x->wave},
                           .number = e->all.count,
                           .at = e->lines.length};
    for (uint64_t left = x->lanes; left; left &= left - 1)
        put_lane(&e->lines, x, (unsigned)__builtin_ctzll(left));
    one.length = e->lines.length - one.at;
    if (!array_push(&e->all, one)) e->failed = true;
    pthread_mutex_unlock(&e->lock);
}

static int by_place(const void *a_, const void *b_) {
    const struct exported *a = a_, *b = b_;
    if (a->launch != b->launch) return a->launch < b->launch ? -1 : 1;
    for (unsigned i = 0; i < 4; i++)
        if (a->place[i] != b->place[i]) return a->place[i] < b->place[i] ? -1 : 1;
    return a->number < b->number ? -1 : 1;
}

sw_status exports_close(struct exports *e, const char *file, sw_status status, struct text *t) {
    struct text own = {0}, *out = file ? &own : t;
    if (!e) return status;
    if (e->all.count) qsort(e->all.items, e->all.count, sizeof *e->all.items, by_place);
    const bool ran = !status || status == SW_FAULTED;
    if (ran) text_puts(out, "launch group wave lane target values\n");
    for (size_t i = 0; i < e->all.count && !e->lines.failed; i++)
        text_printf(out, "%.*s", (int)e->all.items[i].length, e->lines.data + e->all.items[i].at);
    if (e->failed || e->lines.failed || out->failed) {
        if (!status) status = SW_NO_MEMORY;
    } else if (file && ran) {
        const sw_status written = file_write(file, own.data, own.length, &cli_sink);
        if (!status) status = written;
    }
    text_free(&own);
    text_free(&e->lines);
    array_free(&e->all);
    pthread_mutex_destroy(&e->lock);
    free(e);
    return status;
}
