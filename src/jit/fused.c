// SPDX-License-Identifier: MIT
// From a hot program to compiled code that its waves enter.
#include "jit/fused.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

#include "exec/body/steps.h"
#include "jit/bitstream.h"
#include "jit/cache.h"
#include "jit/cut.h"
#include "jit/fuse.h"
#include "jit/join.h"
#include "jit/pages.h"
#include "jit/object_load.h"
#include "jit/verify.h"
#include "softwave/device.h"

enum { MAX_BLOCKS = 2000, MAX_FUSIONS = 64 };

// ---- Bitcode ----

struct bitcode {
    const char *level;
    const uint8_t *begin[2], *end[2]; // of 32 and of 64 lanes; compressed
    unsigned vector_bytes;            // of the level's widest registers
};
#if defined(HAVE_FUSED)
#define DECLARE(level)                                                                                       \
    extern const uint8_t fused_##level##_w32[], fused_##level##_w32_end[], fused_##level##_w64[],            \
        fused_##level##_w64_end[];
#define ENTRY(level, vector_bytes)                                                                           \
    {#level,                                                                                                 \
     {fused_##level##_w32, fused_##level##_w64},                                                             \
     {fused_##level##_w32_end, fused_##level##_w64_end},                                                     \
     vector_bytes},
#else
#define DECLARE(level)
#define ENTRY(level, vector_bytes)
#define HAVE_FUSED 0
#endif
#if defined(HAVE_STENCILS_v3)
DECLARE(v3)
#endif
#if defined(HAVE_STENCILS_v4)
DECLARE(v4)
#endif
static const struct bitcode bitcodes[] = {
#if defined(HAVE_STENCILS_v3)
    ENTRY(v3, 32)
#endif
#if defined(HAVE_STENCILS_v4)
        ENTRY(v4, 64)
#endif
            {0},
};

static const struct bitcode *bitcode_of(const char *level) {
    for (const struct bitcode *b = bitcodes; b->level; b++)
        if (!strcmp(b->level, level) && b->begin[0] != b->end[0]) return b;
    return NULL;
}

#if HAVE_FUSED
extern const uint8_t fused_stub[], fused_stub_end[];
static const struct llvm *load(void) {
    return llvm_load(HAVE_FUSED, &(struct llvm_stub){fused_stub, fused_stub_end, HAVE_FUSED});
}
#else
static const struct llvm *load(void) { return NULL; }
#endif

static uint8_t *unpack(const struct bitcode *b, bool wave32, size_t *size) {
    const uint8_t *from = b->begin[!wave32];
    const size_t compressed = (size_t)(b->end[!wave32] - from);
    const size_t count = (size_t)ZSTD_getFrameContentSize(from, compressed);
    uint8_t *numbers = malloc(count), *bitcode = NULL;
    if (numbers && ZSTD_decompress(numbers, count, from, compressed) == count)
        bitcode = bitstream_from_numbers(numbers, count, size);
    free(numbers);
    return bitcode;
}

bool fused_built(const char *level, const char **why) {
    *why = bitcode_of(level) ? NULL : "this build has no bitcode of its bodies for this vector level";
    return !*why;
}

bool fused_possible(const char *level, const char **why) {
    if (fused_built(level, why) && !load()) *why = llvm_why_not();
    return !*why;
}

#if !defined(__SANITIZE_THREAD__)
// ---- Entering it ----

static const struct op *come_back(struct wave *w, const struct op *op) {
    (void)w;
    return op;
}

// Of each step the op, and one that can be called and comes back.
static struct op *copy_ops(const struct program *p, const struct plan *plan) {
    struct op *copies = calloc(2 * plan->steps.count, sizeof *copies);
    for (size_t i = 0; copies && i < plan->steps.count; i++) {
        memcpy(&copies[2 * i], plan->ops.items[i], sizeof *copies);
        if (plan->steps.items[i].goes_on) {
            copies[2 * i].body = p->facts.steps->go_to;
            copies[2 * i].target = plan->ops.items[i];
        }
        copies[2 * i].fn = copies[2 * i].body;
        copies[2 * i + 1].fn = copies[2 * i + 1].body = come_back;
    }
    return copies;
}

// push rdi; mov esi, ENTRY; call FUNCTION; pop rdi; test rax, rax; je 1f; mov rsi, rax; jmp [rax + 8]; 1: ret
enum { STUB_BYTES = 24 };
_Static_assert(offsetof(struct op, body) == 8, "the stub goes on by it");
static void put_stub(uint8_t *to, uint32_t entry, int32_t distance) {
    static const uint8_t stub[STUB_BYTES] = {0x57, 0xbe, 0,    0,    0,    0,    0xe8, 0,
                                             0,    0,    0,    0x5f, 0x48, 0x85, 0xc0, 0x74,
                                             0x06, 0x48, 0x89, 0xc6, 0xff, 0x60, 0x08, 0xc3};
    memcpy(to, stub, sizeof stub);
    memcpy(to + 2, &entry, 4);
    memcpy(to + 7, &distance, 4);
}

static size_t entry_count(const struct plan *plan) {
    size_t n = 0;
    for (size_t i = 0; i < plan->steps.count; i++) n += plan->steps.items[i].is_entry;
    return n;
}

static void put_table(const struct plan *plan, const struct native_image *image, const struct op *copies,
                      uint64_t *table) {
    for (size_t i = 0; i < plan->steps.count; i++) {
        const struct op *op = plan->steps.items[i].goes_on ? &copies[2 * i] : plan->ops.items[i];
        table[2 * i] = (uint64_t)(uintptr_t)op;
        table[2 * i + 1] = (uint64_t)(uintptr_t)&copies[2 * i];
    }
    table[2 * plan->steps.count] = (uint64_t)(uintptr_t)image->set->yield;
}

static struct wave_loop_code find_wave_loop(const uint8_t *object, size_t size, const char *run,
                                            const char *restore, const uint8_t *code) {
    struct wave_loop_code wave_loop = {0};
    size_t start = 0;
    if (compiled_find(object, size, run, &start)) wave_loop.run = (wave_loop_fn *)(uintptr_t)(code + start);
    if (restore && compiled_find(object, size, restore, &start))
        wave_loop.restore = (wave_loop_restore_fn *)(uintptr_t)(code + start);
    return wave_loop;
}

// Whether there is a function that waves enter by an op: *first. Else the code has loops alone, of which that
// is one.
static bool has_usual(const uint8_t *object, size_t size, const char **first) {
    static const char *const names[] = {FUSED_FUNCTION, FUSED_GROUP, FUSED_ROWS, FUSED_WAVE_LOOP};
    size_t start, i = 0;
    while (i + 1 < sizeof names / sizeof *names && !compiled_find(object, size, names[i], &start)) i++;
    *first = names[i];
    return !i;
}

// Code without LDS is the same for groups of one wave and of several.
static unsigned rows_of(const struct plan *plan) {
    bool has_lds = false;
    for (size_t i = 0; i < plan->steps.count; i++) has_lds |= plan->steps.items[i].class == SW_CLASS_LDS;
    return plan->rows == ROWS_WAVE && !has_lds ? ROWS_WAVES : plan->rows;
}

// Code, the table that it refers to, and stubs that enter it.
static bool publish(struct program *p, const struct plan *plan, const struct native_image *image,
                    const uint8_t *object, size_t size) {
    const size_t code_bytes = compiled_size(object, size), table_bytes = 8 * fused_table_size(plan);
    const size_t stubs = (code_bytes + table_bytes + 63) & ~(size_t)63;
    const char *first;
    const size_t count = has_usual(object, size, &first) ? entry_count(plan) : 0;
    const size_t bytes = stubs + count * STUB_BYTES;
    struct op *copies = copy_ops(p, plan);
    struct native_region *region = calloc(1, sizeof *region);
    struct native_entry *entries = calloc(count + 1, sizeof *entries);
    uint8_t *code = copies && region && entries && code_bytes ? native_pages(bytes) : NULL;
    size_t start = 0;
    bool ok = code != NULL;
    ok = ok && compiled_place(object, size, code, (uint64_t)(uintptr_t)code, first, FUSED_TABLE,
                              (uint64_t)(uintptr_t)code + code_bytes, &start);
    if (ok) {
        uint8_t *stub = code + stubs;
        put_table(plan, image, copies, (uint64_t *)(code + code_bytes));
        for (size_t i = 0; count && i < plan->steps.count; i++) {
            if (!plan->steps.items[i].is_entry) continue;
            put_stub(stub, (uint32_t)i, (int32_t)(code + start - (stub + 11)));
            stub += STUB_BYTES;
        }
    }
    ok = ok && native_seal(code, bytes, true);
    if (!ok) {
        if (code) native_give_back(code, bytes);
        free(region);
        free(copies);
        free(entries);
        return false;
    }
    *region = (struct native_region){
        .next = p->native, .code = code, .bytes = bytes, .copies = copies, .root = plan->ops.items[0]};
    region->wave_loop = find_wave_loop(object, size, FUSED_WAVE_LOOP, FUSED_RESTORE, code);
    region->rows = find_wave_loop(object, size, FUSED_ROWS, NULL, code);
    region->group = find_wave_loop(object, size, FUSED_GROUP, NULL, code);
    region->group.is_group_loop = true;
    region->rows_kind = rows_of(plan);
    p->native = region;
    uint8_t *stub = code + stubs;
    for (size_t i = 0; count && i < plan->steps.count; i++) {
        if (!plan->steps.items[i].is_entry) continue;
        entries[region->entry_count++] =
            (struct native_entry){.op = plan->ops.items[i], .own = (op_fn *)(uintptr_t)stub};
        stub += STUB_BYTES;
    }
    region->entries = entries;
    return fused_enter(region, true);
}

#endif

static bool has_loops(const struct native_region *r) {
    return r->wave_loop.run || r->rows.run || r->group.run;
}
static bool enter_one(struct native_region *region, bool enter) {
    for (size_t i = 0; i < region->entry_count; i++) {
        struct native_entry *e = &region->entries[i];
        op_fn **fn = (op_fn **)&e->op->fn, *now = __atomic_load_n(fn, __ATOMIC_RELAXED);
        if (enter == (now == e->own)) continue;
        if (enter) e->former = now;
        __atomic_store_n(fn, enter ? e->own : e->former, __ATOMIC_RELEASE);
    }
    return region->entry_count || has_loops(region);
}
bool fused_enter(struct native_region *region, bool enter) {
    bool any = false;
    for (struct native_region *r = region; r; r = r->beside) any |= enter_one(r, enter);
    return any;
}
void fused_refuse(struct native_region *region) {
    for (struct native_region *r = region; r; r = r->beside) r->refused = true;
}
bool fused_is_of(const struct native_region *region, const struct op *op) { return region->root == op; }

unsigned fused_chunk(const char *level) {
    const struct bitcode *b = bitcode_of(level);
    return b ? b->vector_bytes / 4 : 0;
}

struct wave_loop_choice fused_wave_loop(struct program *p, const struct op *op, enum wave_rows rows) {
    struct wave_loop_choice wave_loop = {0};
    pthread_mutex_lock(&p->lock);
    for (const struct native_region *r = p->native; r && !wave_loop.usual.run && !p->retired; r = r->next)
        if (r->root == op && !r->refused) { // the newest first
            const struct wave_loop_code *in_rows = r->group.run ? &r->group : &r->rows;
            const bool any_count = r->group.run || r->rows_kind == ROWS_WAVES; // of waves in a group
            const bool fits =
                r->rows_kind == rows || (any_count && rows_of_waves(rows) && rows_of_waves(r->rows_kind));
            wave_loop.usual = rows && fits && in_rows->run ? *in_rows : r->wave_loop;
            wave_loop.careful = r->wave_loop;
        }
    pthread_mutex_unlock(&p->lock);
    return wave_loop;
}

bool fused_has(const struct program *p, const struct op *op) {
    const uint8_t *fn = (const uint8_t *)(uintptr_t)__atomic_load_n(&op->fn, __ATOMIC_RELAXED);
    for (const struct native_region *r = p->native; r; r = r->next)
        if (r->copies && fn >= (uint8_t *)r->code && fn < (uint8_t *)r->code + r->bytes) return true;
    return false;
}

struct native_region *fused_newest(const struct program *p) {
    return p->native;
}
struct native_region *fused_beside(const struct program *p, struct native_region *other) {
    p->native->beside = other;
    return p->native;
}

bool fused_was_made(const struct program *p, const struct op *op) {
    for (const struct native_region *r = p->native; r; r = r->next)
        for (size_t i = 0; i < r->entry_count; i++)
            if (r->entries[i].op == op) return true;
    return fused_has(p, op);
}

// ---- What to compile ----

void fused_decode(struct program *p) {
    for (size_t b = 0;; b++) {
        pthread_mutex_lock(&p->lock);
        const size_t count = p->built.count;
        const struct op_block block = b < count ? p->built.items[b] : (struct op_block){0};
        pthread_mutex_unlock(&p->lock);
        if (b >= count || count > MAX_BLOCKS) return;
        for (size_t i = 0; i < block.count; i++)
            if (block.ops[i].class == SW_CLASS_BRANCH || block.ops[i].body == p->facts.steps->go_to)
                program_block(p, block.ops[i].e);
    }
}

// ---- Compiling it ----

struct work {
    struct fuse_job job;
    struct fused_code *code;
};
static void compile(void *context) {
    struct work *w = context;
    w->code->object = fuse(&w->job, &w->code->size);
}

static void compile_by_llvm(struct fused_maker *m, struct fused_code *code, struct plan *plan,
                            const struct bitcode *b, const char **maker) {
    struct work w = {.job = {.llvm = load(), .plan = plan, .vector_bytes = b->vector_bytes, .dump = m->dump},
                     .code = code};
    if (w.job.llvm && m->behind && llvm_is_others(w.job.llvm)) {
        code->why = "the process has LLVM of its own, which ends with it while a kernel may be compiled";
        return;
    }
    if (w.job.llvm && !m->bitcode) m->bitcode = unpack(b, plan->wave32, &m->bitcode_bytes);
    w.job.bitcode = m->bitcode;
    w.job.bitcode_bytes = m->bitcode_bytes;
    if (w.job.llvm && m->bitcode && !llvm_try(compile, &w)) w.job.llvm = NULL;
    if (!w.job.llvm) code->why = llvm_why_not();
    *maker = w.job.llvm ? llvm_file(w.job.llvm) : NULL;
}
void fused_maker_end(struct fused_maker *m) { free(m->bitcode); }

#if HAVE_FUSED
extern const uint64_t fused_sources; // a sum of all sources and of the bitcode
#else
static const uint64_t fused_sources;
#endif

// All that code depends on but the library that makes it. What the host has is in the level: code is made for
// that, whichever processor it is. Code with claims is other code.
static bool find_key(const struct plan *plan, const char *level, struct plan_bytes *key) {
    char head[128];
    const int n = snprintf(head, sizeof head, "%s %llx %s %d %d", sw_version(),
                           (unsigned long long)fused_sources, level, HAVE_FUSED, VERIFIES);
    return plan_put_bytes(key, head, (size_t)n) && plan_put(plan, key);
}

// What was kept for the plan, and its key, which has no bytes where memory is out.
static uint8_t *find_kept(const struct plan *plan, const char *level, const char *cache,
                          struct plan_bytes *key, size_t *size) {
    key->all.count = 0;
    if (find_key(plan, level, key))
        return cache_get(cache, (struct cache_key){key->all.items, key->all.count}, size);
    key->all.count = 0;
    return NULL;
}

void fused_find(const struct fused_maker *m, const struct plan *plan, enum plan_functions functions,
                struct fused_code *code) {
    struct plan other = *plan;
    struct plan_bytes key = {0};
    other.quick = false;
    other.functions = (uint8_t)functions;
    *code = (struct fused_code){.full = true, .kept = true};
    if (m->cache) code->object = find_kept(&other, m->level, m->cache, &key, &code->size);
    array_free(&key.all);
}

void fused_compile(struct fused_maker *m, struct plan *plan, struct fused_code *code) {
    *code = (struct fused_code){.full = !plan->quick};
    const struct bitcode *b = bitcode_of(m->level);
    struct plan_bytes key = {0};
    const char *maker = NULL;
    if (!b) return;
    if (m->cache) code->object = find_kept(plan, m->level, m->cache, &key, &code->size);
    code->kept = code->object;
    if (!code->object) {
        compile_by_llvm(m, code, plan, b, &maker);
        if (!code->object)
            code->refused = plan->too_large ? "the kernel is too large for its compiler"
                                            : "the kernel's compiler gave up";
        else if (m->cache && maker && key.all.count)
            cache_put(m->cache, (struct cache_key){key.all.items, key.all.count}, maker, code->object,
                      code->size, CACHE_BYTES);
    }
    array_free(&key.all);
}

void fused_in_parts(struct fused_maker *m, const struct plan *whole, struct fused_code *code,
                    fused_take *take, void *context) {
    struct cuts cuts;
    bool *some = cut_find_some(whole);
    bool goes_on = cut_plan(whole, m->part, &cuts) && some;
    *code = (struct fused_code){0};
    for (size_t n = 0; n < cuts.parts.count && goes_on; n++) {
        struct plan part;
        fused_code_free(code);
        *code = (struct fused_code){0};
        if (cut_part(whole, &cuts.parts.items[n], some, &part)) fused_compile(m, &part, code);
        goes_on = take(context, &part, code, n + 1 == cuts.parts.count);
        plan_free(&part);
    }
    free(some);
    cuts_free(&cuts);
}

void fused_code_free(struct fused_code *code) { free(code->object); }

#if defined(__SANITIZE_THREAD__)
// Which is shown the handing over (native.c): a record of each op that is decoded.
bool fused_plan(struct plan *plan, struct program *p, const char *level, const struct op *root, size_t most,
                bool partial) {
    (void)level, (void)root, (void)partial;
    *plan = (struct plan){0};
    for (size_t b = 0; b < p->built.count; b++)
        for (size_t i = 0; i < p->built.items[b].count; i++)
            if (!array_push(&plan->ops, &p->built.items[b].ops[i]) ||
                !array_push(&plan->steps, ((struct step){.kind = STEP_LEAVE})))
                return false;
    return plan->steps.count <= most;
}
bool fused_publish(struct program *p, const char *level, const struct plan *plan,
                   const struct fused_code *code) {
    (void)level, (void)code;
    return !p->retired && native_stand_in_compiled(p, plan->ops.items, plan->ops.count);
}
#else
bool fused_plan(struct plan *plan, struct program *p, const char *level, const struct op *root, size_t most,
                bool partial) {
    const struct native_image *image = native_image_of(level);
    *plan = (struct plan){0};
    return image && !p->retired && plan_make(plan, p, image, root, most, partial);
}
bool fused_publish(struct program *p, const char *level, const struct plan *plan,
                   const struct fused_code *code) {
    return code->object && !p->retired && publish(p, plan, native_image_of(level), code->object, code->size);
}
#endif

// ---- At once ----

// Code that could not be made. It cannot be made of the same blocks either, so no launch tries again.
struct refusal {
    struct refusal *next;
    const struct op *root;
    size_t blocks; // of the program
    enum wave_rows rows;
    bool guarded;
    const char *why;
};
static const char *why_refused(const struct program *p, const struct op *root, enum wave_rows rows) {
    for (const struct refusal *r = p->refusals; r; r = r->next)
        if (r->root == root && r->blocks == p->built.count && r->rows == rows && r->guarded == p->guarded)
            return r->why;
    return NULL;
}
static void refuse(struct program *p, struct refusal refusal) {
    struct refusal *r = malloc(sizeof *r);
    if (!r) return;
    *r = refusal;
    r->next = p->refusals;
    p->refusals = r;
}
void fused_forget(struct program *p) {
    for (struct refusal *r = p->refusals, *next; r; r = next) {
        next = r->next;
        free(r);
    }
    p->refusals = NULL;
}

// True if the code is to be made; else the reason why not, or NULL as it is there.
static bool plan_at_once(struct plan *plan, struct program *p, const struct tier_up *t, struct refusal *r) {
    r->why = NULL;
    if (fused_has(p, r->root) || (r->why = why_refused(p, r->root, r->rows))) return false;
    r->why = p->retired                  ? "its code was replaced while it may run"
             : p->fusions >= MAX_FUSIONS ? "as many kernels of its code object were compiled as may be"
                                         : NULL;
    if (r->why) return false;
    r->blocks = p->built.count;
    r->guarded = p->guarded;
    if (fused_plan(plan, p, t->level, r->root, TIER_UP_CUT_STEPS, false)) {
        plan->quick = t->part || plan_is_longer(plan, TIER_UP_LONG_STEPS); // in parts
        return true;
    }
    plan_free(plan);
    r->why = "the kernel is too long to be compiled";
    refuse(p, *r);
    return false;
}

struct at_once {
    struct program *program;
    const char *level;
    bool enters;
};
static bool enter_at_once(void *context, const struct plan *plan, const struct fused_code *code,
                          bool is_last) {
    struct at_once *a = context;
    (void)is_last;
    pthread_mutex_lock(&a->program->lock);
    a->enters |= fused_publish(a->program, a->level, plan, code);
    pthread_mutex_unlock(&a->program->lock);
    return true;
}

static void as_parts(struct plan *plan) {
    plan->quick = true;
    plan->functions = FUNCTIONS_USUAL;
}

bool fused_at_once(struct program *p, struct tier_up *t, const struct op *root, enum wave_rows rows) {
    struct refusal refusal = {.root = root, .rows = rows};
    struct at_once a = {.program = p, .level = t->level};
    struct plan plan = {0};
    struct fused_code code = {0};
    pthread_mutex_lock(&p->lock);
    const bool is_due = plan_at_once(&plan, p, t, &refusal);
    p->fusions += is_due;
    plan.rows = (uint8_t)rows;
    plan.functions = FUNCTIONS_ALL;
    plan.most = t->most;
    if (plan.quick) as_parts(&plan);
    pthread_mutex_unlock(&p->lock);
    if (is_due) {
        struct fused_maker maker = {
            .level = t->level, .cache = t->cache, .dump = &t->dump, .part = t->part ? t->part : TIER_UP_PART};
        if (!plan.quick) fused_compile(&maker, &plan, &code);
        if (plan.too_large) as_parts(&plan);
        if (plan.quick)
            fused_in_parts(&maker, &plan, &code, enter_at_once, &a);
        else
            enter_at_once(&a, &plan, &code, true);
        fused_maker_end(&maker);
        if (!a.enters) refusal.why = code.why ? code.why : code.refused;
    }
    pthread_mutex_lock(&p->lock);
    if (is_due && refusal.why) refuse(p, refusal);
    pthread_mutex_unlock(&p->lock);
    if (a.enters)
        __atomic_add_fetch(&t->compiled, 1, __ATOMIC_RELAXED);
    else if (refusal.why && !t->why) // the first: later ones may be those of its budget
        __atomic_store_n(&t->why, refusal.why, __ATOMIC_RELAXED);
    fused_code_free(&code);
    plan_free(&plan);
    return a.enters;
}
