// SPDX-License-Identifier: MIT
// Agents: one for the CPU and one for each software GPU, with the facts of a product that has that processor.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "hsa/agent/agent.h"
#include "base/hash.h"

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

// What all waves of a GPU at once could ask for, and no more than its memory.
uint64_t scratch_most(const struct agent *a) {
    if (!a->is_gpu) return 0;
    const uint64_t lanes = (uint64_t)a->product.cus * a->info.simds_per_cu * a->info.waves_per_simd * 64;
    const uint64_t most = lanes * SCRATCH_BYTES;
    return most < a->pools[0].size ? most : a->pools[0].size;
}

static void describe_gpu(struct agent *a) {
    snprintf(a->name, sizeof a->name, "%s", sw_processor_name(a->target.processor));
    snprintf(a->vendor, sizeof a->vendor, "AMD");
    const uint64_t id = hash_bytes(HASH_BEGIN ^ a->gpu, a->isa->name, strlen(a->isa->name));
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
