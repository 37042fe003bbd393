// SPDX-License-Identifier: MIT
// --weak=A..B: the kernels once as they are, then with weak memory by each seed from A to B. What is looked
// for is the first seed that leaves other bytes in some buffer.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/progress.h"
#include "base/weak_request.h"
#include "cli/run/run.h"

struct seeds {
    ARRAY(uint8_t *) plain; // contents of each buffer behind the run without a seed
    uint64_t seed;          // of this run; 0: the one without
    bool differs;
};

bool run_parse_seeds(const char *s, struct run_settings *o) {
    struct weak_request r;
    if (!weak_request_parse(s, &r)) return false;
    o->device.weak = r.first, o->weak_last = r.last;
    o->device.weak_hazards = r.hazards;
    return true;
}

static sw_status keep(struct seeds *s, const struct run *r) {
    for (size_t i = 0; i < r->buffers.count; i++) {
        const struct buffer *b = &r->buffers.items[i];
        uint8_t *copy = malloc(b->size + 1);
        if (!copy || !array_push(&s->plain, copy)) {
            free(copy);
            return diag_fail(&cli_sink, SW_NO_MEMORY, NULL, "out of memory");
        }
        memcpy(copy, b->memory, b->size);
    }
    return SW_OK;
}

static void tell(const struct seeds *s, const struct buffer *b, const uint8_t *plain, struct text *t) {
    const size_t step = value_size(b->type);
    uint64_t wrong = 0, first = 0;
    for (uint64_t at = 0; at + step <= b->size; at += step)
        if (memcmp(b->memory + at, plain + at, step) && !wrong++) first = at / step;
    text_printf(t, "seed %llu: ", (unsigned long long)s->seed);
    if (b->name)
        text_printf(t, "%s", b->name);
    else
        text_printf(t, "@%zu", b->argument);
    if (wrong) {
        text_printf(t, " differs from the plain run in %llu of %llu values; the first is [%llu]: ",
                    (unsigned long long)wrong, (unsigned long long)(b->size / step),
                    (unsigned long long)first);
        value_print(t, b->type, b->memory + first * step);
        text_puts(t, ", without --weak ");
        value_print(t, b->type, plain + first * step);
        text_puts(t, "\n");
    } else
        text_puts(t, " differs from the plain run in its last bytes\n");
}

// Buffers hold no addresses that differ: devices give the same ones in each run.
sw_status run_seed_outputs(struct run_settings *o, struct run *r, struct text *t) {
    struct seeds *s = o->seeds;
    if (!s->seed) {
        const sw_status status = run_outputs(r, t), kept = keep(s, r);
        return kept ? kept : status;
    }
    for (size_t i = 0; i < r->buffers.count; i++) {
        const struct buffer *b = &r->buffers.items[i];
        if (b->image) run_image_fetch(b);
        if (!memcmp(b->memory, s->plain.items[i], b->size)) continue;
        s->differs = true;
        tell(s, b, s->plain.items[i], t);
    }
    return s->differs ? SW_CHECK : SW_OK;
}

static sw_status each_seed(struct run_settings *o, sw_object *object, struct text *t, run_all_fn *run_all,
                           uint64_t first) {
    struct progress p = {.kernel = "the run with each seed",
                         .gpu = sw_processor_name(o->device.target.processor),
                         .all = o->weak_last - first + 1};
    sw_status status = SW_OK;
    for (uint64_t seed = first; status == SW_OK && seed <= o->weak_last; seed++) {
        struct text unseen = {0}; // statistics
        o->seeds->seed = o->device.weak = seed;
        status = run_all(o, object, &unseen);
        if (o->seeds->differs) text_puts(t, unseen.data ? unseen.data : "");
        text_free(&unseen);
        if (status && !o->seeds->differs)
            text_printf(t, "seed %llu: the run does not come to its end\n", (unsigned long long)seed);
        p.done = seed - first + 1;
        if (progress_is_possible()) progress_show(&p);
        if (seed == UINT64_MAX) break;
    }
    if (progress_is_possible()) progress_clear();
    return status;
}

sw_status run_seeds(struct run_settings *o, sw_object *object, struct text *t, run_all_fn *run_all) {
    struct seeds s = {0};
    const uint64_t first = o->device.weak;
    const bool hazards = o->device.weak_hazards;
    o->seeds = &s;
    o->device.weak = 0, o->device.weak_hazards = false;
    sw_status status = run_all(o, object, t);
    o->device.weak_hazards = hazards;
    o->stats = false;
    if (status == SW_OK) status = each_seed(o, object, t, run_all, first);
    if (status == SW_OK)
        text_printf(t, "seeds %llu to %llu: every buffer is as without --weak\n", (unsigned long long)first,
                    (unsigned long long)o->weak_last);
    for (size_t i = 0; i < s.plain.count; i++) free(s.plain.items[i]);
    array_free(&s.plain);
    o->seeds = NULL;
    return status;
}
