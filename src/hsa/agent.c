// SPDX-License-Identifier: MIT
// Agents: one for the CPU and one for each software GPU, with the facts of a product that has that processor.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "hsa/trace.h"

// ---- Handles ----

struct agent *agent_at(unsigned i) {
    struct runtime *r = running();
    return !i ? &r->cpu : i <= r->gpu_count ? &r->gpus[i - 1] : NULL;
}
struct agent *agent_of(handle_t handle) {
    struct agent *a;
    for (unsigned i = 0; (a = agent_at(i)); i++)
        if (handle_of(a) == handle) return a;
    return NULL;
}
struct agent *agent_gpu(handle_t handle) {
    struct agent *a = agent_of(handle);
    return a && a->is_gpu ? a : NULL;
}
uint32_t gpu_bit(const struct agent *a) { return a->is_gpu ? 1u << a->gpu : 0; }
uint32_t all_gpus(void) {
    const unsigned n = running()->gpu_count;
    return n >= 32 ? UINT32_MAX : (1u << n) - 1;
}

// ---- What they are ----

static void read_cpu_name(char *out, size_t room) {
    snprintf(out, room, "CPU");
    FILE *f = fopen("/proc/cpuinfo", "r");
    char line[256], name[64];
    while (f && fgets(line, sizeof line, f))
        if (sscanf(line, "model name%*[^:]: %63[^\n]", name) == 1) {
            snprintf(out, room, "%s", name);
            break;
        }
    if (f) fclose(f);
}

static void add_pool(struct agent *a, enum segment segment, uint32_t flags, uint64_t size) {
    a->pools[a->pool_count++] = (struct pool){.agent = a, .segment = segment, .flags = flags, .size = size};
}
static void add_cache(struct agent *a, uint32_t level, uint32_t kib) {
    if (!kib) return;
    struct cache *c = &a->caches[a->cache_count++];
    *c = (struct cache){.level = level, .bytes = kib << 10};
    snprintf(c->name, sizeof c->name, "%.10s L%u", a->is_gpu ? a->name : "CPU", level);
}

static void describe_cpu(struct agent *a) {
    const uint64_t memory = host_memory();
    read_cpu_name(a->name, sizeof a->name);
    snprintf(a->product_name, sizeof a->product_name, "%s", a->name);
    snprintf(a->vendor, sizeof a->vendor, "CPU");
    snprintf(a->uuid, sizeof a->uuid, "CPU-XX");
    const long n = sysconf(_SC_NPROCESSORS_ONLN);
    a->product.cus = n > 0 ? (uint32_t)n : 1;
    add_pool(a, SEGMENT_GLOBAL, FLAG_FINE, memory);
    add_pool(a, SEGMENT_GLOBAL, FLAG_KERNARG | FLAG_FINE, memory);
    add_pool(a, SEGMENT_GLOBAL, FLAG_COARSE, memory);
    long size;
    if ((size = sysconf(_SC_LEVEL1_DCACHE_SIZE)) > 0) add_cache(a, 1, (uint32_t)(size >> 10));
    if ((size = sysconf(_SC_LEVEL2_CACHE_SIZE)) > 0) add_cache(a, 2, (uint32_t)(size >> 10));
    if ((size = sysconf(_SC_LEVEL3_CACHE_SIZE)) > 0) add_cache(a, 3, (uint32_t)(size >> 10));
}

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

// What all waves of a GPU at once could ask for, and no more than its memory.
static uint64_t scratch_most(const struct agent *a) {
    if (!a->is_gpu) return 0;
    const uint64_t lanes = (uint64_t)a->product.cus * a->info.simds_per_cu * a->info.waves_per_simd * 64;
    const uint64_t most = lanes * SCRATCH_BYTES;
    return most < a->pools[0].size ? most : a->pools[0].size;
}

static void describe_gpu(struct agent *a) {
    snprintf(a->name, sizeof a->name, "%s", sw_processor_name(a->target.processor));
    snprintf(a->vendor, sizeof a->vendor, "AMD");
    uint64_t id = 0xcbf29ce484222325u ^ a->gpu; // FNV-1a of the ISA's name
    for (const char *p = a->isa->name; *p; p++) id = (id ^ (uint8_t)*p) * 0x100000001b3u;
    snprintf(a->uuid, sizeof a->uuid, "GPU-%016llx", (unsigned long long)id);
    const uint64_t memory = a->product.gib ? (uint64_t)a->product.gib << 30 : host_memory();
    add_pool(a, SEGMENT_GLOBAL, FLAG_COARSE, memory);
    add_pool(a, SEGMENT_GROUP, 0, a->info.lds_bytes);
    add_cache(a, 1, a->product.l1_kib);
    add_cache(a, 2, a->product.l2_kib);
    add_cache(a, 3, a->product.l3_kib);
    a->scratch_limit = scratch_most(a);
}

void agent_describe(struct agent *a) {
    a->pool_count = a->cache_count = 0;
    if (a->is_gpu)
        describe_gpu(a);
    else
        describe_cpu(a);
}

// ---- Opening the GPUs that the environment names ----

// Features that the program leaves open are what drivers set: no XNACK, and SRAM ECC on cards for servers.
static void settle_features(sw_target *t) {
    const char *xnack = getenv("HSA_XNACK");
    if (t->xnack == SW_ANY) t->xnack = xnack && !strcmp(xnack, "1") ? SW_ON : SW_OFF;
    static const char *const with_ecc[] = {"gfx908", "gfx90a", "gfx942", "gfx950"};
    if (t->sramecc != SW_ANY) return;
    t->sramecc = SW_OFF;
    for (size_t i = 0; i < sizeof with_ecc / sizeof *with_ecc; i++)
        if (!strcmp(sw_processor_name(t->processor), with_ecc[i])) t->sramecc = SW_ON;
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
    complain("SOFTWAVE_GPU: %s%s", d->message, (const char *)context_);
}

static uint64_t number_of(const char *text, const char *end) {
    char own[32];
    if (end - text >= (long)sizeof own) return 0;
    memcpy(own, text, (size_t)(end - text));
    own[end - text] = 0;
    char *rest;
    uint64_t n = strtoull(own, &rest, 0);
    const char *const letters = "kKmMgG", *letter = *rest ? strchr(letters, *rest) : NULL;
    const unsigned shift = letter ? 10 * (1 + (unsigned)(letter - letters) / 2) : 0;
    if (letter) rest++;
    return *rest || *own < '0' || *own > '9' || n > UINT64_MAX >> shift ? 0 : n << shift;
}

bool setting(const char *name, uint64_t *out) {
    const char *text = getenv(name);
    if (!text || !*text) return true;
    const uint64_t n = number_of(text, text + strlen(text));
    if (n)
        *out = n;
    else
        complain("%s: '%s' is not a number above 0, which may end in K, M or G", name, text);
    return n;
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
            complain("SOFTWAVE_GPU: '%.*s' is neither cus=N, from 1 to %u, nor memory=BYTES",
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
    complain("SOFTWAVE_TIER: there is no tier '%s', only 0, which interprets, 1, native code, and 2, "
             "compiled code",
             given);
    return SW_TIER_BEST;
}

static status open_device(struct runtime *r, struct agent *a, unsigned threads) {
    char reason[1] = "";
    const sw_sink sink = {report, reason};
    sw_device_options o = {.size = sizeof o,
                           .target = a->target,
                           .threads = threads,
                           .compute_units = a->product.cus,
                           .count = trace_counts(),
                           .pass_breakpoints = true,
                           .host_memory = a->target.xnack == SW_ON,
                           .closed_begin = ARENA_BASE,
                           .closed_end = ARENA_END,
                           .tier = wanted_tier(),
                           .written = signals_written,
                           .written_context = a};
    (void)r;
    if (sw_device_create(&o, &a->device, &sink) != SW_OK) return ST_OUT_OF_RESOURCES;
    return signals_map(a);
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
                complain("SOFTWAVE_GPU: more than %d GPUs", MAX_GPUS);
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
                r->xnack &= a->target.xnack == SW_ON;
            }
        }
        p += n + (p[n] != 0);
    }
    if (!named) {
        complain("SOFTWAVE_GPU: '%s' names no GPU", list);
        return ST_ERROR;
    }
    r->xnack &= r->gpu_count > 0;
    const long processors = sysconf(_SC_NPROCESSORS_ONLN);
    uint64_t threads = r->gpu_count && processors > 0 ? (uint64_t)processors / r->gpu_count : 1;
    if (!setting("SOFTWAVE_THREADS", &threads)) return ST_ERROR;
    if (threads > 1024) threads = 1024;
    for (unsigned i = 0; i < r->gpu_count; i++) {
        const status st = open_device(r, &r->gpus[i], threads ? (unsigned)threads : 1);
        if (st != ST_SUCCESS) return st;
    }
    return ST_SUCCESS;
}

void gpus_close(struct runtime *r) {
    for (unsigned i = 0; i < r->gpu_count; i++)
        if (r->gpus[i].device) sw_device_destroy(r->gpus[i].device);
    r->gpu_count = 0;
}

// ---- Asking ----

HSA(status, hsa_iterate_agents, status (*callback)(handle_t, void *), void *data) {
    NEED_RUNTIME;
    NEED(callback, ST_INVALID_ARGUMENT);
    struct agent *a;
    for (unsigned i = 0; (a = agent_at(i)); i++) {
        const status st = callback(handle_of(a), data);
        if (st != ST_SUCCESS) return st;
    }
    return ST_SUCCESS;
}

#define PUT(type, ...) (*(type *)value = (type)(__VA_ARGS__))
static void put_text(void *value, const char *text, size_t room) {
    memset(value, 0, room);
    memcpy(value, text, strnlen(text, room - 1));
}

static uint32_t memory_width(const struct agent *a) { return a->is_gpu ? a->product.bus_bits : 0; }

static status standard_info(const struct agent *a, uint32_t attribute, void *value) {
    const bool gpu = a->is_gpu;
    switch (attribute) {
    case 0: put_text(value, a->name, 64); break;
    case 1: put_text(value, a->vendor, 64); break;
    case 2: PUT(uint32_t, gpu ? FEATURE_KERNEL_DISPATCH : 0); break;
    case 3: PUT(uint32_t, 1); break; // large machine model
    case 4: PUT(uint32_t, gpu ? PROFILE_BASE : PROFILE_FULL); break;
    case 5: PUT(uint32_t, 2); break; // rounding to nearest
    case 6: PUT(uint32_t, gpu ? (a->info.wave_sizes & 32 ? 32 : 64) : 0); break;
    case 7:
        for (int i = 0; i < 3; i++) ((uint16_t *)value)[i] = gpu ? 1024 : 0;
        break;
    case 8: PUT(uint32_t, gpu ? 1024 : 0); break;
    case 9:
        for (int i = 0; i < 3; i++) ((uint32_t *)value)[i] = gpu ? UINT32_MAX : 0;
        break;
    case 10: PUT(uint32_t, gpu ? UINT32_MAX : 0); break;
    case 11: PUT(uint32_t, gpu ? 32 : 0); break;
    case 12: PUT(uint32_t, gpu ? 128 : 0); break;
    case 13: PUT(uint32_t, gpu ? 64 : 0); break;
    case 14: PUT(uint32_t, gpu ? 131072 : 0); break;
    case 15: PUT(uint32_t, QUEUE_MULTI); break;
    case 16: PUT(uint32_t, a->index); break;
    case 17: PUT(uint32_t, gpu ? DEVICE_GPU : DEVICE_CPU); break;
    case 18:
        memset(value, 0, 16);
        for (unsigned i = 0; i < a->cache_count; i++)
            ((uint32_t *)value)[a->caches[i].level - 1] = a->caches[i].bytes;
        break;
    case 19: PUT(handle_t, gpu ? handle_of(a->isa) : 0); break;
    case 20:
        memset(value, 0, 128);
        if (gpu) ((uint8_t *)value)[EXT_IMAGES / 8] |= 1 << EXT_IMAGES % 8;
        break;
    case 21: PUT(uint16_t, 1); break;
    case 22: PUT(uint16_t, 1); break;
    case 23: PUT(uint32_t, 2); break;
    case 24: PUT(bool, gpu && a->info.isa_major >= 8); break; // fast half precision
    default: return ST_INVALID_ARGUMENT;
    }
    return ST_SUCCESS;
}

// Limits of images, which programs ask for before they use pitched memory.
static status image_info(const struct agent *a, uint32_t attribute, void *value) {
    static const uint32_t limits[] = {16384, 16384, 1u << 27, 0, 0, 0, 0, 0, 2048, 128, 64, 16, 256};
    NEED(a->is_gpu && attribute - 0x3000 < sizeof limits / sizeof *limits, ST_INVALID_ARGUMENT);
    switch (attribute) {
    case 0x3003:
    case 0x3004:
    case 0x3005:
    case 0x3006: ((uint32_t *)value)[0] = ((uint32_t *)value)[1] = 16384; break;
    case 0x3007:
        for (int i = 0; i < 3; i++) ((uint32_t *)value)[i] = 2048;
        break;
    default: PUT(uint32_t, limits[attribute - 0x3000]); break;
    }
    return ST_SUCCESS;
}

HSA(status, hsa_amd_agent_set_async_scratch_limit, handle_t agent, size_t limit) {
    NEED_RUNTIME;
    struct agent *a = agent_gpu(agent);
    NEED(a, ST_INVALID_AGENT);
    NEED(limit <= scratch_most(a), ST_INVALID_ARGUMENT);
    __atomic_store_n(&a->scratch_limit, limit, __ATOMIC_RELAXED);
    return ST_SUCCESS;
}

static status amd_info(struct agent *a, uint32_t attribute, void *value) {
    const struct product *p = &a->product;
    const bool gpu = a->is_gpu;
    switch (attribute) {
    case 0xa000: PUT(uint32_t, p->chip); break;
    case 0xa001: PUT(uint32_t, 64); break;
    case 0xa002: PUT(uint32_t, p->cus); break;
    case 0xa003: PUT(uint32_t, p->mhz); break;
    case 0xa004: PUT(uint32_t, a->index); break;
    case 0xa005: PUT(uint32_t, gpu ? 4 : 1); break;
    case 0xa006: PUT(uint32_t, gpu ? 0x300 + 0x100 * a->gpu : 0); break;
    case 0xa007: PUT(uint32_t, memory_width(a)); break;
    case 0xa008: PUT(uint32_t, p->memory_mhz); break;
    case 0xa009: put_text(value, a->product_name, 64); break;
    case 0xa00a: PUT(uint32_t, gpu ? a->info.simds_per_cu * a->info.waves_per_simd : 0); break;
    case 0xa00b: PUT(uint32_t, gpu ? a->info.simds_per_cu : 0); break;
    case 0xa00c: PUT(uint32_t, p->engines); break;
    case 0xa00d: PUT(uint32_t, p->arrays); break;
    case 0xa00e: memset(value, 0, 16); break; // no flush is needed
    case 0xa00f: PUT(uint32_t, 0); break;
    case 0xa010: PUT(bool, gpu && a->info.isa_major >= 9); break; // with global wave sync
    case 0xa011: put_text(value, a->uuid, 21); break;
    case 0xa012: PUT(uint32_t, gpu ? 1 : 0); break;
    case 0xa013: PUT(bool, gpu && a->target.xnack == SW_ON); break;
    case 0xa014: PUT(uint32_t, p->cus); break;
    case 0xa015:
        PUT(uint64_t,
            gpu ? a->pools[0].size - __atomic_load_n(&a->pools[0].used, __ATOMIC_RELAXED) : host_memory());
        break;
    case 0xa016: PUT(uint64_t, 100000000); break;
    case 0xa107: PUT(uint32_t, 0); break; // family
    case 0xa108: PUT(uint32_t, 0); break; // no firmware
    case 0xa109: PUT(uint32_t, 0); break;
    case 0xa10a: PUT(uint32_t, gpu ? 2 : 0); break; // engines that copy
    case 0xa10b: PUT(uint32_t, 0); break;
    case 0xa110: PUT(uint32_t, 0); break;
    case 0xa111: PUT(uint32_t, gpu ? p->xccs : 0); break;
    case 0xa112: PUT(uint32_t, a->index); break;
    case 0xa113: PUT(handle_t, handle_of(&running()->cpu)); break;
    case 0xa114: memset(value, 0, 8); break;
    case 0xa115: memset(value, 0, 8); break;
    case 0xa116: PUT(uint64_t, scratch_most(a)); break;
    case 0xa117: PUT(uint64_t, gpu ? __atomic_load_n(&a->scratch_limit, __ATOMIC_RELAXED) : 0); break;
    case 0xa118: { // clocks of the GPU, the CPU and the system, which are one; ticks in a second
        const uint64_t now = monotonic_ns();
        for (int i = 0; i < 3; i++) ((uint64_t *)value)[i] = now;
        ((uint64_t *)value)[3] = 1000000000;
        break;
    }
    default: return ST_INVALID_ARGUMENT;
    }
    return ST_SUCCESS;
}

HSA(status, hsa_agent_get_info, handle_t agent, uint32_t attribute, void *value) {
    NEED_RUNTIME;
    struct agent *a = agent_of(agent);
    NEED(a, ST_INVALID_AGENT);
    NEED(value, ST_INVALID_ARGUMENT);
    if (attribute >= 0xa000) return amd_info(a, attribute, value);
    if (attribute >= 0x3000) return image_info(a, attribute, value);
    return standard_info(a, attribute, value);
}

HSA(status, hsa_amd_image_get_info_max_dim, handle_t agent, uint32_t attribute, void *value) {
    NEED_RUNTIME;
    struct agent *a = agent_gpu(agent);
    NEED(a, ST_INVALID_AGENT);
    NEED(value, ST_INVALID_ARGUMENT);
    return image_info(a, attribute, value);
}

HSA(status, hsa_agent_get_exception_policies, handle_t agent, int profile, uint16_t *mask) {
    NEED_RUNTIME;
    NEED(agent_of(agent), ST_INVALID_AGENT);
    NEED(mask && (profile == PROFILE_BASE || profile == PROFILE_FULL), ST_INVALID_ARGUMENT);
    *mask = DETECT_POLICY;
    return ST_SUCCESS;
}

// ---- Caches ----

static struct cache *cache_of(handle_t handle) {
    struct agent *a;
    for (unsigned i = 0; (a = agent_at(i)); i++)
        for (unsigned c = 0; c < a->cache_count; c++)
            if (handle_of(&a->caches[c]) == handle) return &a->caches[c];
    return NULL;
}

HSA(status, hsa_cache_get_info, handle_t cache, int attribute, void *value) {
    NEED_RUNTIME;
    const struct cache *c = cache_of(cache);
    NEED(c, ST_INVALID_CACHE);
    NEED(value, ST_INVALID_ARGUMENT);
    switch (attribute) {
    case 0: PUT(uint32_t, strlen(c->name)); break;
    case 1: memcpy(value, c->name, strlen(c->name)); break;
    case 2: PUT(uint8_t, c->level); break;
    case 3: PUT(uint32_t, c->bytes); break;
    default: return ST_INVALID_ARGUMENT;
    }
    return ST_SUCCESS;
}

HSA(status, hsa_agent_iterate_caches, handle_t agent, status (*callback)(handle_t, void *), void *data) {
    NEED_RUNTIME;
    struct agent *a = agent_of(agent);
    NEED(a, ST_INVALID_AGENT);
    NEED(callback, ST_INVALID_ARGUMENT);
    for (unsigned i = 0; i < a->cache_count; i++) {
        const status st = callback(handle_of(&a->caches[i]), data);
        if (st != ST_SUCCESS) return st;
    }
    return ST_SUCCESS;
}
