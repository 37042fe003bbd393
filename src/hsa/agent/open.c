// SPDX-License-Identifier: MIT
// Opening the GPUs that the environment names: SOFTWAVE_GPU, HSA_CU_MASK, HSA_XNACK, ROCR_VISIBLE_DEVICES,
// SOFTWAVE_TIER, SOFTWAVE_THREADS.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/weak_request.h"
#include "hsa/agent/agent.h"
#include "hsa/tell/trace.h"

static void choose_product(struct agent *a) {
    const char *name = sw_processor_name(a->target.processor);
    struct product *p = &a->product;
    sw_product known = {.size = sizeof known};
    for (size_t i = 0; i < sw_product_count() && !p->cus; i++) {
        sw_product_get(i, &known);
        if (known.processor != a->target.processor || !known.compute_units) continue;
        *p = (struct product){known.chip,   known.compute_units, known.mhz,      known.engines,
                              known.arrays, known.xccs,          known.l1_kib,   known.l2_kib,
                              known.l3_kib, known.memory_gib,    known.bus_bits, known.memory_mhz};
        snprintf(a->product_name, sizeof a->product_name, "%s", known.name);
    }
    if (!p->cus) {
        *p = (struct product){.mhz = 1000,
                              .engines = 1,
                              .arrays = 1,
                              .xccs = 1,
                              .l1_kib = 16,
                              .l2_kib = 1024,
                              .gib = 8,
                              .bus_bits = 128,
                              .memory_mhz = 1000};
        p->cus = a->info.compute_units;
        snprintf(a->product_name, sizeof a->product_name, "Softwave %s", name);
    }
}

// Features that the program leaves open are what drivers set: no XNACK, and SRAM ECC on cards for servers.
static void settle_features(sw_target *t) {
    const char *xnack = getenv("HSA_XNACK");
    if (t->xnack == SW_SETTING_ANY) t->xnack = xnack && !strcmp(xnack, "1") ? SW_SETTING_ON : SW_SETTING_OFF;
    static const char *const with_ecc[] = {"gfx908", "gfx90a", "gfx942", "gfx950"};
    if (t->sramecc != SW_SETTING_ANY) return;
    t->sramecc = SW_SETTING_OFF;
    for (size_t i = 0; i < sizeof with_ecc / sizeof *with_ecc; i++)
        if (!strcmp(sw_processor_name(t->processor), with_ecc[i])) t->sramecc = SW_SETTING_ON;
}

// "0-3,8": whether the number is one of the list that ends at `end`. False also where that is no list.
static bool in_list(const char *list, const char *end, unsigned long number) {
    while (list < end) {
        char *at;
        const unsigned long lo = strtoul(list, &at, 10);
        unsigned long hi = lo;
        if (at == list) return false;
        if (*at == '-' && at < end) hi = strtoul(at + 1, &at, 10);
        if (number >= lo && number <= hi) return true;
        if (at >= end || *at != ',') return false;
        list = at + 1;
    }
    return false;
}

// HSA_CU_MASK is GPUS:UNITS, several apart by ';'. GPUs that it does not name have all their units.
static void mask_units(struct agent *a) {
    const char *text = getenv("HSA_CU_MASK");
    bool some = false;
    for (const char *end; text && *text; text = *end ? end + 1 : end) {
        end = text + strcspn(text, ";");
        const char *colon = memchr(text, ':', (size_t)(end - text));
        if (!colon || !in_list(text, colon, a->gpu)) continue;
        for (unsigned i = 0; i < a->product.cus && i < 32 * CU_MASK_WORDS; i++)
            if (in_list(colon + 1, end, i)) a->cu_mask[i / 32] |= 1u << i % 32, some = true;
    }
    a->is_masked = some;
}

static void report(void *context_, const sw_diagnostic *d) {
    runtime_complain("SOFTWAVE_GPU: %s%s", d->message, (const char *)context_);
}

// "gfx90a:xnack+,cus=8,memory=4G"
static bool parse_gpu(struct agent *a, const char *text, const char *end, uint64_t *memory) {
    const sw_sink sink = {report, (void *)""};
    const char *comma = memchr(text, ',', (size_t)(end - text));
    const char *stop = comma ? comma : end;
    if (sw_target_choose(text, (size_t)(stop - text), &a->target, &sink) != SW_OK) return false;
    settle_features(&a->target);
    a->info.size = sizeof a->info;
    sw_processor_get_info(a->target.processor, &a->info);
    choose_product(a);
    while (stop < end) {
        const char *key = stop + 1;
        stop = memchr(key, ',', (size_t)(end - key));
        if (!stop) stop = end;
        uint64_t n = 0;
        if (!strncmp(key, "cus=", 4) && (n = number_of(key + 4, stop)) && n <= a->product.cus)
            a->product.cus = (uint32_t)n;
        else if (!strncmp(key, "memory=", 7) && (n = number_of(key + 7, stop)))
            *memory = n;
        else {
            runtime_complain("SOFTWAVE_GPU: '%.*s' is neither cus=N, from 1 to %u, nor memory=BYTES",
                             (int)(stop - key), key, a->product.cus);
            return false;
        }
    }
    return true;
}

static bool is_visible(unsigned index, const char *uuid) {
    const char *list = getenv("ROCR_VISIBLE_DEVICES");
    if (!list) return true;
    while (*list) {
        const size_t n = strcspn(list, ",");
        char *end;
        const unsigned long number = strtoul(list, &end, 10);
        if ((end == list + n && n && number == index) || (n == strlen(uuid) && !strncmp(list, uuid, n)))
            return true;
        list += n + (list[n] == ',');
    }
    return false;
}

static sw_tier wanted_tier(void) {
    const char *given = getenv("SOFTWAVE_TIER");
    if (!given || !*given) return SW_TIER_BEST;
    if (!strcmp(given, "0")) return SW_TIER_INTERPRETER;
    if (!strcmp(given, "1")) return SW_TIER_NATIVE;
    if (!strcmp(given, "2")) return SW_TIER_COMPILED;
    runtime_complain("SOFTWAVE_TIER: there is no tier '%s', only 0, which interprets, 1, native code, and 2, "
                     "compiled code",
                     given);
    return SW_TIER_BEST;
}

static bool is_strict(void) {
    const char *given = getenv("SOFTWAVE_STRICT");
    return given && !strcmp(given, "1");
}

static bool read_weak(struct weak_request *out) {
    const char *text = getenv("SOFTWAVE_WEAK");
    *out = (struct weak_request){0};
    if (!text || !*text || (weak_request_parse(text, out) && !out->last)) return true;
    runtime_complain("SOFTWAVE_WEAK: '%s' is not a number above 0, perhaps with ',hazards' behind it", text);
    return false;
}

static status open_device(struct runtime *r, struct agent *a, unsigned threads, struct weak_request weak) {
    const sw_sink sink = {report, (void *)""};
    const sw_device_hooks hooks = {.size = sizeof hooks, .context = a, .written = r->up->written};
    sw_device_options o = {.size = sizeof o,
                           .target = a->target,
                           .threads = threads,
                           .compute_units = a->product.cus,
                           .count = trace_counts(),
                           .pass_breakpoints = true,
                           .host_memory = a->target.xnack == SW_SETTING_ON,
                           .closed_begin = ARENA_BASE,
                           .closed_end = ARENA_END,
                           .tier = wanted_tier(),
                           .weak = weak.first,
                           .weak_hazards = weak.hazards,
                           .exact_only = is_strict(),
                           .hooks = &hooks};
    return sw_device_create(&o, &a->device, &sink) == SW_OK ? ST_SUCCESS : ST_OUT_OF_RESOURCES;
}

status gpus_open(struct runtime *r, const char *list) {
    r->xnack = true;
    unsigned named = 0;
    for (const char *p = list; *p;) {
        const size_t n = strcspn(p, "; ");
        if (n) {
            struct agent *a = &r->gpus[r->gpu_count];
            uint64_t memory = 0;
            if (r->gpu_count == MAX_GPUS) {
                runtime_complain("SOFTWAVE_GPU: more than %d GPUs", MAX_GPUS);
                return ST_OUT_OF_RESOURCES;
            }
            *a = (struct agent){.is_gpu = true, .gpu = r->gpu_count, .index = r->gpu_count + 1};
            if (!parse_gpu(a, p, p + n, &memory)) return ST_ERROR;
            a->isa = isa_of_target(&a->target);
            agent_describe(a);
            mask_units(a);
            if (memory) a->pools[0].size = memory;
            if (is_visible(named++, a->uuid)) {
                r->gpu_count++;
                r->xnack &= a->target.xnack == SW_SETTING_ON;
            }
        }
        p += n + (p[n] != 0);
    }
    if (!named) {
        runtime_complain("SOFTWAVE_GPU: '%s' names no GPU", list);
        return ST_ERROR;
    }
    r->xnack &= r->gpu_count > 0;
    const long processors = sysconf(_SC_NPROCESSORS_ONLN);
    struct weak_request weak;
    uint64_t threads = r->gpu_count && processors > 0 ? (uint64_t)processors / r->gpu_count : 1;
    if (!runtime_setting("SOFTWAVE_THREADS", &threads) || !read_weak(&weak)) return ST_ERROR;
    if (threads > 1024) threads = 1024;
    for (unsigned i = 0; i < r->gpu_count; i++) {
        const status st = open_device(r, &r->gpus[i], threads ? (unsigned)threads : 1, weak);
        if (st != ST_SUCCESS) return st;
    }
    return ST_SUCCESS;
}

void gpus_close(struct runtime *r) {
    for (unsigned i = 0; i < r->gpu_count; i++)
        if (r->gpus[i].device) sw_device_destroy(r->gpus[i].device);
    r->gpu_count = 0;
}
