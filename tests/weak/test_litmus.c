// SPDX-License-Identifier: MIT
// The weak machine on litmus tests (litmus.def), each compiled from LLVM IR for every memory model and run
// with many seeds. What is forbidden never shows; what no interleaving gives shows where the machine should
// show it. Then each wait, each cache operation and each bit that the compiler put there for the memory model
// is taken away from the programs that need some: the forbidden outcome must show for one of them.
// A thread of the host carries out its operations between two instructions of the GPU, relaxed ones in any
// order, as hosts may; a second GPU runs its kernel there. One more work-group gives them time.
// So are shown: one happens-before over all spaces (MM-COM-02, LANG-03), over scopes that differ (SCOPE-12);
// LDS beyond its work-group (MM-COM-07); acquire, release, both, none and sequential consistency (MM-COM-10
// to MM-COM-13); and the caches and orders of return that each family's sequences are for: MM-GFX69-01 to
// MM-GFX69-03, MM-GFX69-07, MM-GFX90A-01 to MM-GFX90A-05, MM-GFX942-04, MM-GFX942-06, MM-GFX1011-01 to
// MM-GFX1011-03, MM-GFX1011-05, MM-GFX12-01 to MM-GFX12-05.
#include <ctype.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "rig.h"
#include "softwave/compiler.h"

enum on { EVERY, SPLIT, WGP, SEVERAL_L2 };
enum shows { NEVER, ALWAYS, TWO_CACHES };
static const struct litmus {
    const char *name;
    enum on on;
    enum shows shows;
    const char *threads, *allowed, *weak, *forbidden;
} litmus[] = {
#define LITMUS(name, on, shows, threads, allowed, weak, forbidden)                                           \
    {name, on, shows, threads, allowed, weak, forbidden},
#include "litmus.def"
#undef LITMUS
};
enum { TESTS = sizeof litmus / sizeof *litmus };
enum { SILENT, SHOWN };
static const struct race {
    bool is_shown;
    const char *name, *threads, *shows;
} races[] = {
#define RACE(is_shown, name, threads, shows) {is_shown, name, threads, shows},
#include "races.def"
#undef RACE
};
enum { RACES = sizeof races / sizeof *races };

static const struct gpu {
    const char *processor, *features;
    unsigned lanes;
    bool split, wgp, several_l2;
    bool
        quiet; // what its caches and its order of return show is not known: only what must not show is tested
} gpus[] = {
    {"gfx803", "", 64, false, false, false},         {"gfx90a", "", 64, false, false, false},
    {"gfx90a", "+tgsplit", 64, true, false, false},  {"gfx942", "", 64, false, false, true},
    {"gfx942", "+tgsplit", 64, true, false, true},   {"gfx1030", "", 32, false, true, false},
    {"gfx1030", "+cumode", 32, false, false, false}, {"gfx1100", "", 32, false, true, false},
    {"gfx1201", "", 32, false, true, false},         {"gfx1250", "", 32, false, false, false, true},
};
enum { GPUS = sizeof gpus / sizeof *gpus };
enum { LEAST_SEEDS = 40, MOST_SEEDS = 10000, MUTANT_SEEDS = 150, SOME_SEEDS = 10 };
// To make a device costs more than to run a program on it, so some runs share one. What rarely shows needs
// new ones: a device keeps the policy that its seed chose.
enum { SHARED_BY = 5 };
// Seeds that have shown what rarely shows: they are tried before the other seeds, which saves time and
// decides nothing.
static const unsigned rare[] = {2127, 1770, 1404, 3278, 3368, 890, 590, 4492,
                                7283, 436,  674,  537,  1422, 383, 337};
enum { RARE = sizeof rare / sizeof *rare };

// ---- Programs ----

enum { MOST_THREADS = 4, MOST_OPS = 8, REGISTERS = 2, HOST = -1 };
struct operation {
    char name[12], order[8], scope[12];
    char at; // x, y, z or l; 0: no location
    bool local;
    int expected, value, value_of; // value_of: a register instead of the value, or -1
    int to;                        // register, or -1
    int when, when_is;             // a register, or -1
};
struct thread {
    int agent, group, wave, lane, phase;
    unsigned count;
    struct operation ops[MOST_OPS];
};
struct program {
    struct thread threads[MOST_THREADS];
    unsigned count;
    bool uses_lds;
    int phases, agents;
};

static const char *word(const char *s, char *out, size_t room) {
    size_t n = 0;
    while (*s == ' ') s++;
    while (*s && *s != ' ' && n + 1 < room) out[n++] = *s++;
    out[n] = 0;
    return s;
}
static bool is_order(const char *w) {
    return !strcmp(w, "na") || !strcmp(w, "rlx") || !strcmp(w, "acq") || !strcmp(w, "rel") ||
           !strcmp(w, "acq_rel") || !strcmp(w, "sc");
}

static struct operation parse_operation(const char *s) {
    struct operation o = {.value_of = -1, .to = -1, .when = -1};
    char w[32];
    s = word(s, o.name, sizeof o.name);
    const bool is_load = !strcmp(o.name, "load"), is_cas = !strcmp(o.name, "cas");
    unsigned numbers = 0;
    while (s = word(s, w, sizeof w), *w)
        if (is_order(w)) {
            strcpy(o.order, w);
            s = word(s, o.scope, sizeof o.scope);
        } else if (!strcmp(w, "if")) {
            s = word(s, w, sizeof w);
            o.when = w[1] - '0';
            s = word(s, w, sizeof w);
            o.when_is = atoi(w);
        } else if (*w == 'r' && isdigit((unsigned char)w[1])) {
            if (is_load || numbers)
                o.to = w[1] - '0';
            else
                o.value_of = w[1] - '0', numbers++;
        } else if (isdigit((unsigned char)*w)) {
            *(is_cas && !numbers ? &o.expected : &o.value) = atoi(w);
            numbers++;
        } else {
            o.at = *w;
            o.local = w[1] == '*';
        }
    return o;
}

static struct program parse(const char *text) {
    struct program p = {.phases = 1, .agents = 1};
    char all[1024];
    assert_true((size_t)snprintf(all, sizeof all, "%s", text) < sizeof all);
    for (char *t = all, *next; t; t = next) {
        next = strstr(t, " | ");
        if (next) *next = 0, next += 3;
        struct thread *thread = &p.threads[p.count++];
        assert_true(p.count <= MOST_THREADS);
        char *ops = strstr(t, ": ");
        assert_non_null(ops);
        thread->agent = HOST;
        if (!strncmp(t, "host", 4))
            sscanf(t, "host@%d", &thread->phase);
        else
            assert_true(sscanf(t, "%d.%d.%d.%d@%d", &thread->agent, &thread->group, &thread->wave,
                               &thread->lane, &thread->phase) >= 4);
        if (thread->phase >= p.phases) p.phases = thread->phase + 1;
        if (thread->agent >= p.agents) p.agents = thread->agent + 1;
        for (char *o = ops + 2, *more; o; o = more) {
            more = strstr(o, "; ");
            if (more) *more = 0, more += 2;
            assert_true(thread->count < MOST_OPS);
            thread->ops[thread->count] = parse_operation(o);
            p.uses_lds |= thread->ops[thread->count++].local;
        }
    }
    return p;
}

// ---- LLVM IR ----

struct text {
    char data[1 << 16];
    size_t length;
};
static void put(struct text *t, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    t->length += (size_t)vsnprintf(t->data + t->length, sizeof t->data - t->length, format, arguments);
    va_end(arguments);
    assert_true(t->length < sizeof t->data);
}

static const char *order_name(const char *order) {
    static const char *const names[][2] = {{"rlx", "monotonic"},   {"acq", "acquire"}, {"rel", "release"},
                                           {"acq_rel", "acq_rel"}, {"sc", "seq_cst"},  {"na", ""}};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (!strcmp(order, names[i][0])) return names[i][1];
    fail_msg("no order '%s'", order);
    return "";
}
static const char *scope_of(const char *scope) {
    static char text[64];
    text[0] = 0;
    if (strcmp(scope, "system")) snprintf(text, sizeof text, "syncscope(\"%s\") ", scope);
    return text;
}

static void put_operation(struct text *t, const struct operation *o, const char *result, const char *value) {
    char pointer[40];
    snprintf(pointer, sizeof pointer, o->local ? "ptr addrspace(3) @l%c" : "ptr addrspace(1) %%%c", o->at);
    const char *order = *o->order ? order_name(o->order) : "", *scope = scope_of(o->scope);
    const bool atomic = *order;
    if (!strcmp(o->name, "load"))
        put(t, "  %s = load %si32, %s %s%s, align 4\n", result, atomic ? "atomic " : "", pointer,
            atomic ? scope : "", order);
    else if (!strcmp(o->name, "store"))
        put(t, "  store %si32 %s, %s %s%s, align 4\n", atomic ? "atomic " : "", value, pointer,
            atomic ? scope : "", order);
    else if (!strcmp(o->name, "fence"))
        put(t, "  fence %s%s\n", scope, order);
    else if (!strcmp(o->name, "cas")) {
        put(t, "  %s.pair = cmpxchg %s, i32 %d, i32 %s %s%s monotonic\n", result, pointer, o->expected, value,
            scope, order);
        put(t, "  %s = extractvalue {i32, i1} %s.pair, 0\n", result, result);
    } else if (!strcmp(o->name, "barrier") || !strcmp(o->name, "bare")) {
        const bool fenced = !strcmp(o->name, "barrier");
        if (fenced) put(t, "  fence syncscope(\"workgroup\") release\n");
        put(t, "  call void @llvm.amdgcn.s.barrier()\n");
        if (fenced) put(t, "  fence syncscope(\"workgroup\") acquire\n");
    } else
        put(t, "  %s = atomicrmw %s %s, i32 %s %s%s\n", result, o->name, pointer, value, scope, order);
}

// Registers that are not loaded are -1. They are stored at the end, so that nothing is waited for before.
static void put_thread(struct text *t, const struct thread *thread, unsigned index) {
    char now[REGISTERS][24] = {"-1", "-1"}, block[24];
    snprintf(block, sizeof block, "t%u", index);
    put(t, "%s:\n", block);
    for (unsigned i = 0; i < thread->count; i++) {
        const struct operation *o = &thread->ops[i];
        char result[24], value[24];
        snprintf(result, sizeof result, "%%v%u.%u", index, i);
        snprintf(value, sizeof value, "%d", o->value);
        if (o->value_of >= 0) strcpy(value, now[o->value_of]);
        if (o->when >= 0) {
            put(t,
                "  %%c%u.%u = icmp eq i32 %s, %d\n  br i1 %%c%u.%u, label %%y%u.%u, label %%n%u.%u\n"
                "y%u.%u:\n",
                index, i, now[o->when], o->when_is, index, i, index, i, index, i, index, i);
        }
        put_operation(t, o, result, value);
        if (o->when >= 0) {
            put(t, "  br label %%n%u.%u\nn%u.%u:\n", index, i, index, i);
            if (o->to >= 0)
                put(t, "  %%p%u.%u = phi i32 [%s, %%y%u.%u], [%s, %%%s]\n", index, i, result, index, i,
                    now[o->to], block);
            snprintf(block, sizeof block, "n%u.%u", index, i);
            snprintf(result, sizeof result, "%%p%u.%u", index, i);
        }
        if (o->to >= 0) strcpy(now[o->to], result);
    }
    for (unsigned r = 0; r < REGISTERS; r++)
        put(t,
            "  %%o%u.%u = getelementptr i32, ptr addrspace(1) %%out, i64 %u\n"
            "  store i32 %s, ptr addrspace(1) %%o%u.%u\n",
            index, r, index * REGISTERS + r, now[r], index, r);
    put(t, "  ret void\n");
}

static bool needs_time(const struct program *p) {
    bool needs = p->agents > 1;
    for (unsigned t = 0; t < p->count; t++) needs |= p->threads[t].agent == HOST;
    return needs;
}

static void put_kernel(struct text *t, const struct program *p, int agent, unsigned lanes) {
    put(t,
        "define amdgpu_kernel void @k%d(ptr addrspace(1) %%x, ptr addrspace(1) %%y, ptr addrspace(1) %%z, "
        "ptr addrspace(1) %%l, ptr addrspace(1) %%out, i32 %%phase) #0 {\n"
        "  %%group = call i32 @llvm.amdgcn.workgroup.id.x()\n"
        "  %%item = call i32 @llvm.amdgcn.workitem.id.x()\n",
        agent);
    if (p->uses_lds)
        put(t, "  store i32 0, ptr addrspace(3) @lx\n  store i32 0, ptr addrspace(3) @ly\n"
               "  fence syncscope(\"workgroup\") release\n  call void @llvm.amdgcn.s.barrier()\n"
               "  fence syncscope(\"workgroup\") acquire\n");
    put(t, "  br label %%s0\n");
    for (unsigned i = 0; i < p->count; i++) {
        const struct thread *th = &p->threads[i];
        put(t, "s%u:\n", i);
        if (th->agent != agent) {
            put(t, "  br label %%s%u\n", i + 1);
            continue;
        }
        put(t,
            "  %%g%u = icmp eq i32 %%group, %d\n  %%i%u = icmp eq i32 %%item, %u\n"
            "  %%h%u = icmp eq i32 %%phase, %d\n  %%gi%u = and i1 %%g%u, %%i%u\n"
            "  %%gih%u = and i1 %%gi%u, %%h%u\n  br i1 %%gih%u, label %%t%u, label %%s%u\n",
            i, th->group, i, (unsigned)th->wave * lanes + (unsigned)th->lane, i, th->phase, i, i, i, i, i, i,
            i, i, i + 1);
        put_thread(t, th, i);
    }
    put(t, "s%u:\n", p->count);
    for (unsigned n = 0; needs_time(p) && n < 48; n++)
        put(t, "  call void asm sideeffect \"s_nop 0\", \"\"()\n");
    put(t, "  ret void\n}\n");
}

static void put_module(struct text *t, const struct program *p, const struct gpu *g) {
    t->length = 0;
    put(t, "target triple = \"amdgcn-amd-amdhsa\"\n"
           "@lx = internal addrspace(3) global i32 poison\n@ly = internal addrspace(3) global i32 poison\n"
           "declare i32 @llvm.amdgcn.workgroup.id.x()\ndeclare i32 @llvm.amdgcn.workitem.id.x()\n"
           "declare void @llvm.amdgcn.s.barrier()\n");
    for (int a = 0; a < p->agents; a++) put_kernel(t, p, a, g->lanes);
    put(t,
        "attributes #0 = { \"amdgpu-flat-work-group-size\"=\"1,128\" \"target-cpu\"=\"%s\" "
        "\"target-features\"=\"%s\" }\n",
        g->processor, g->features);
}

static sw_compiler *compiler;
static char said[512];
static void hear(void *context, const sw_diagnostic *d) {
    (void)context;
    snprintf(said, sizeof said, "%s", d->message);
}
static const sw_sink sink = {.report = hear};

static uint8_t *compile(const struct program *p, const struct gpu *g, size_t *size) {
    static struct text t;
    put_module(&t, p, g);
    sw_target target;
    assert_int_equal(sw_target_parse(g->processor, strlen(g->processor), &target, NULL), SW_OK);
    const sw_compile_options o = {.size = sizeof o, .target = &target, .level = 1, .output = SW_COMPILE_TEXT};
    uint8_t *out = NULL;
    const sw_status s = sw_compile(compiler, "litmus", t.data, t.length, &o, &out, size, &sink);
    if (s == SW_UNSUPPORTED && strstr(said, "LLVM")) return NULL;
    if (s != SW_OK) fail_msg("%s\n%s", said, t.data);
    return out;
}

// ---- Running ----

enum { PLACE = 4096, LOCATIONS = 4, MEMORY = 64 * 1024 };
struct bed { // a program on its devices
    const struct program *p;
    const struct gpu *gpu;
    sw_object *object;
    sw_device *device[2];
    sw_executable *executable[2];
    uint8_t *memory;
    bool shared; // by SHARED_BY runs
};
struct run {
    const struct bed *bed;
    uint32_t *out;
    uint64_t random;
    unsigned done[MOST_THREADS]; // operations of threads of the host
    bool faulted;
    bool second_ran, swaps; // relaxed operations of the host change places
    int phase;
};
static volatile uint32_t *place(const struct run *r, char at) {
    const char *const all = "xyzl";
    return (volatile uint32_t *)(r->bed->memory + PLACE * (1 + (strchr(all, at) - all)));
}
static unsigned choose(struct run *r, unsigned below) {
    r->random = r->random * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)(r->random >> 33) % below;
}

// Two relaxed operations on different places, which do not depend on each other.
static bool may_swap(const struct thread *t) {
    const struct operation *a = &t->ops[0], *b = &t->ops[1];
    return t->count == 2 && a->at && b->at && a->at != b->at && !strcmp(a->order, "rlx") &&
           !strcmp(b->order, "rlx") && b->when < 0 && b->value_of < 0;
}
static void host_operation(struct run *r, unsigned thread) {
    const struct thread *t = &r->bed->p->threads[thread];
    const unsigned n = r->done[thread]++;
    const struct operation *o = &t->ops[r->swaps && may_swap(t) ? 1 - n : n];
    uint32_t *registers = r->out + thread * REGISTERS;
    if (o->when >= 0 && registers[o->when] != (uint32_t)o->when_is) return;
    const uint32_t value = o->value_of >= 0 ? registers[o->value_of] : (uint32_t)o->value;
    uint32_t old = 0;
    if (!strcmp(o->name, "load"))
        old = *place(r, o->at);
    else if (!strcmp(o->name, "store"))
        *place(r, o->at) = value;
    else if (!strcmp(o->name, "add"))
        old = __atomic_fetch_add(place(r, o->at), value, __ATOMIC_SEQ_CST);
    else if (strcmp(o->name, "fence"))
        fail_msg("the host has no %s", o->name);
    if (o->to >= 0) registers[o->to] = old;
}
static bool host_goes_on(struct run *r) {
    for (unsigned t = 0; t < r->bed->p->count; t++)
        if (r->bed->p->threads[t].agent == HOST && r->bed->p->threads[t].phase <= r->phase &&
            r->done[t] < r->bed->p->threads[t].count) {
            host_operation(r, t);
            return true;
        }
    return false;
}

static void launch(struct run *r, int agent, uint32_t phase);
static void between(void *context, const sw_step *step) {
    struct run *r = context;
    (void)step;
    if (!choose(r, 6)) host_goes_on(r);
    if (r->bed->device[1] && !r->second_ran && !choose(r, 12)) launch(r, 1, 0);
}
static void launch(struct run *r, int agent, uint32_t phase) {
    struct {
        void *at[5];
        uint32_t phase;
    } *arguments = (void *)(r->bed->memory + PLACE * (8 + (agent == 1)));
    const char *const all = "xyzl";
    for (int i = 0; i < LOCATIONS; i++) arguments->at[i] = (void *)(uintptr_t)place(r, all[i]);
    arguments->at[4] = r->out;
    arguments->phase = phase;
    uint32_t groups = 1, waves = 1;
    for (unsigned t = 0; t < r->bed->p->count; t++) {
        const struct thread *th = &r->bed->p->threads[t];
        if (th->agent != agent) continue;
        if ((uint32_t)th->group >= groups) groups = (uint32_t)th->group + 1;
        if ((uint32_t)th->wave >= waves) waves = (uint32_t)th->wave + 1;
    }
    groups += needs_time(r->bed->p);
    if (agent == 1) r->second_ran = true;
    const uint32_t block = waves * r->bed->gpu->lanes;
    sw_dispatch q = rig_dispatch(r->bed->object, r->bed->executable[agent], agent ? "k1" : "k0", arguments,
                                 groups * block, block);
    if (!agent) q.observe = between, q.observe_context = r;
    sw_fault fault = {.size = sizeof fault};
    const sw_status s = sw_device_run(r->bed->device[agent], &q, &fault, NULL, &sink);
    r->faulted |= s != SW_OK;
}

// What is left: the locations that the test looks at, then registers.
static void outcome(const struct run *r, const struct litmus *l, char out[256]) {
    size_t n = 0;
    strcpy(out, r->faulted ? "a fault" : "");
    if (r->faulted) return;
    for (const char *at = "xyz"; *at; at++) {
        const char name[] = {'[', *at, ']', 0};
        if (strstr(l->allowed, name))
            n += (size_t)snprintf(out + n, 256 - n, "%s[%c]=%u", n ? " " : "", *at, *place(r, *at));
    }
    for (unsigned i = 0; i < r->bed->p->count * REGISTERS; i++)
        if (r->out[i] != UINT32_MAX)
            n += (size_t)snprintf(out + n, 256 - n, "%st%u.r%u=%u", n ? " " : "", i / REGISTERS,
                                  i % REGISTERS, r->out[i]);
}
static bool is_among(const char *list, const char *what) {
    const size_t length = strlen(what);
    if (!length) return false; // no thread came as far as a result
    for (const char *at = list; (at = strstr(at, what)); at++)
        if ((at == list || at[-1] == ' ') && (!at[length] || at[length] == ';') &&
            (at == list || at[-2] == ';'))
            return true;
    return false;
}
static void bed_close(struct bed *b) {
    sw_device_destroy(b->device[1]);
    sw_device_destroy(b->device[0]);
    b->device[0] = b->device[1] = NULL;
}
static void bed_open(struct bed *b, uint64_t seed) {
    bed_close(b);
    for (int a = 0; a < b->p->agents; a++) {
        sw_device_options o = {.size = sizeof o, .weak = seed + 1000003u * (unsigned)a, .cache = ""};
        assert_int_equal(sw_target_parse(b->gpu->processor, strlen(b->gpu->processor), &o.target, NULL),
                         SW_OK);
        assert_int_equal(sw_device_create(&o, &b->device[a], &sink), SW_OK);
        assert_int_equal(sw_device_load(b->device[a], b->object, NULL, NULL, &b->executable[a], &sink),
                         SW_OK);
    }
    b->memory = sw_device_alloc(b->device[0], MEMORY);
    assert_non_null(b->memory);
    if (b->device[1])
        assert_int_equal(
            sw_device_share(b->device[0], b->memory, b->device[1], SW_RIGHT_READ | SW_RIGHT_WRITE), SW_OK);
}
// Seeds come from 1 on; the last devices are left to bed_close.
static void run_seed(const struct litmus *l, struct bed *b, uint64_t seed, char out[256]) {
    if (!b->shared || seed % SHARED_BY == 1) bed_open(b, seed);
    struct run r = {.bed = b, .random = seed, .swaps = seed % 3 == 0};
    r.out = (uint32_t *)(b->memory + PLACE * 6);
    memset(b->memory, 0, MEMORY);
    memset(r.out, 255, MOST_THREADS * REGISTERS * 4);
    for (; r.phase < b->p->phases; r.phase++) launch(&r, 0, (uint32_t)r.phase);
    if (b->device[1] && !r.second_ran) launch(&r, 1, 0);
    while (host_goes_on(&r)) {}
    outcome(&r, l, out);
}

static sw_object *open_text(const uint8_t *text, const struct gpu *g, uint8_t **image) {
    return rig_object(g->processor, (const char *)text, image);
}

static bool applies(const struct litmus *l, const struct program *p, const struct gpu *g) {
    if (p->uses_lds && g->split) return false;
    return l->on == EVERY || (l->on == SPLIT && g->split) || (l->on == WGP && g->wgp) ||
           (l->on == SEVERAL_L2 && g->several_l2);
}
static bool should_show(const struct litmus *l, const struct gpu *g) {
    return l->shows == ALWAYS || (l->shows == TWO_CACHES && (g->split || g->wgp));
}

// ---- Tests ----

static void outcomes_are_allowed(void **state) {
    (void)state;
    unsigned runs = 0, programs = 0, shown = 0, wrong = 0;
    const bool slow = getenv("SANITIZED"); // ten times: what must not show, then, not what must
    const unsigned least = slow ? LEAST_SEEDS / 8 : LEAST_SEEDS;
    for (unsigned i = 0; i < TESTS; i++)
        for (unsigned n = 0; n < GPUS; n++) {
            const struct litmus *l = &litmus[i];
            const struct gpu *g = &gpus[n];
            const struct program p = parse(l->threads);
            if (!applies(l, &p, g)) continue;
            size_t size;
            uint8_t *text = compile(&p, g, &size), *image;
            if (!text) skip(); // without LLVM's library
            sw_object *object = open_text(text, g, &image);
            if (!object) fail_msg("%s", text);
            const bool wanted = !slow && !g->quiet && should_show(l, g);
            bool seen = false, all_allowed = true;
            struct bed bed = {.p = &p, .gpu = g, .object = object};
            for (unsigned turn = 1; turn <= least || (wanted && !seen && turn <= MOST_SEEDS);
                 turn++, runs++) {
                const bool hint = turn > least && turn <= least + RARE;
                const unsigned seed = hint ? rare[turn - least - 1] : turn > least ? turn - RARE : turn;
                char out[256];
                bed.shared = turn <= least;
                run_seed(l, &bed, seed, out);
                seen |= is_among(l->weak, out);
                if (is_among(l->allowed, out)) continue;
                print_error("%s, %s %s, seed %u: '%s' is not allowed\n", l->name, g->processor, g->features,
                            seed, out);
                wrong++;
                all_allowed = false;
                break;
            }
            if (wanted && !seen && all_allowed) {
                print_error("%s, %s %s: %u seeds do not show %s\n", l->name, g->processor, g->features,
                            (unsigned)MOST_SEEDS, l->weak);
                wrong++;
            }
            shown += seen;
            programs++;
            bed_close(&bed);
            sw_object_close(object);
            sw_free(image);
            sw_free(text);
        }
    print_message("%u programs, %u runs; %u show what no interleaving gives\n", programs, runs, shown);
    assert_int_equal(wrong, 0);
}

// Anything may be left, but the program ends; and on some GPU a result shows that the race is for.
static bool has_words(const char *all, const char *list) {
    char words[64], *rest = words;
    snprintf(words, sizeof words, "%s", list);
    for (char *word; (word = strtok_r(rest, " ", &rest));)
        if (!strstr(all, word)) return false;
    return true;
}
static bool is_shown_by(const struct race *c, const struct program *p, const struct gpu *g, unsigned seeds) {
    const struct litmus l = {.name = c->name, .allowed = ""};
    size_t size;
    uint8_t *text = compile(p, g, &size), *image;
    if (!text) skip(); // without LLVM's library
    sw_object *object = open_text(text, g, &image);
    assert_non_null(object);
    struct bed bed = {.p = p, .gpu = g, .object = object};
    bool shown = false;
    for (unsigned seed = 1; seed <= seeds && !shown; seed++) {
        char out[256];
        run_seed(&l, &bed, seed, out);
        if (!strcmp(out, "a fault")) fail_msg("%s, %s, seed %u: a fault", c->name, g->processor, seed);
        shown = has_words(out, c->shows);
    }
    bed_close(&bed);
    sw_object_close(object);
    sw_free(image);
    sw_free(text);
    return shown;
}
static void races_show(void **state) {
    (void)state;
    unsigned shown = 0, pairs = 0, wrong = 0;
    const bool slow = getenv("SANITIZED"); // some races do not show on the first GPUs
    for (unsigned i = 0; i < RACES; i++) {
        const struct program p = parse(races[i].threads);
        unsigned here = 0;
        for (unsigned n = 0; n < (slow ? 4u : GPUS); n++) {
            if (p.uses_lds && gpus[n].split) continue;
            here +=
                is_shown_by(&races[i], &p, &gpus[n], here || !races[i].is_shown ? SOME_SEEDS : MUTANT_SEEDS);
            pairs++;
        }
        shown += here;
        if (here || !races[i].is_shown || slow) continue;
        print_error("%s: no GPU shows it\n", races[i].name);
        wrong++;
    }
    print_message("%u programs with a race, on %u GPUs each: %u of %u show it\n", RACES, GPUS, shown, pairs);
    assert_int_equal(wrong, 0);
}

// ---- Programs that lack something ----

// What the compiler puts there for the memory model, and so many of them that were taken away and noticed.
struct taken {
    char what[32];
    unsigned all, noticed;
};
static bool is_for_memory(const char *line, size_t length, char what[32]) {
    static const char *const begins[] = {"s_waitcnt", "s_wait_",    "buffer_wb", "buffer_inv",
                                         "buffer_gl", "global_inv", "global_wb"};
    const char *const hazard = "s_wait_alu"; // of registers
    while (length && isspace((unsigned char)*line)) line++, length--;
    for (size_t i = 0; i < sizeof begins / sizeof *begins; i++)
        if (length >= strlen(begins[i]) && !strncmp(line, begins[i], strlen(begins[i]))) {
            size_t n = 0;
            while (n < length && n < 31 && !isspace((unsigned char)line[n])) what[n] = line[n], n++;
            what[n] = 0;
            return strcmp(what, hazard) != 0;
        }
    return false;
}
static struct taken *taken_of(struct taken *all, unsigned *count, const char *gpu, const char *what) {
    char name[32];
    snprintf(name, sizeof name, "%s %.20s", gpu, what);
    for (unsigned i = 0; i < *count; i++)
        if (!strcmp(all[i].what, name)) return &all[i];
    assert_true(*count < 96);
    strcpy(all[*count].what, name);
    return &all[(*count)++];
}
static bool goes_wrong(const struct litmus *l, const struct program *p, const struct gpu *g,
                       const char *text) {
    uint8_t *image;
    sw_object *object = open_text((const uint8_t *)text, g, &image);
    struct bed bed = {.p = p, .gpu = g, .object = object, .shared = true};
    bool wrong = false;
    assert_non_null(object);
    for (unsigned seed = 1; seed <= MUTANT_SEEDS && !wrong; seed++) {
        char out[256];
        run_seed(l, &bed, seed, out);
        wrong = !is_among(l->allowed, out);
    }
    bed_close(&bed);
    sw_object_close(object);
    sw_free(image);
    return wrong;
}
// Messages that are passed: data, then a flag.
static bool passes_messages(const struct litmus *l) {
    return *l->forbidden && strstr(l->name, "MP") && !strstr(l->name, "host") && !strstr(l->name, "agent");
}

// These are for other agents' memory: one device with one L2 needs neither.
static bool is_for_agents(const char *what) {
    return !strcmp(what, "gfx90a buffer_wbl2") || !strcmp(what, "gfx1201 global_wb");
}

static void what_lacks_something_goes_wrong(void **state) {
    (void)state;
    static struct taken all[96];
    unsigned count = 0, lines = 0, noticed = 0, dead = 0;
    const unsigned gpu_count = getenv("SANITIZED") ? 2 : GPUS;
    for (unsigned i = 0; i < TESTS; i++)
        for (unsigned n = 0; n < gpu_count; n++) {
            const struct litmus *l = &litmus[i];
            const struct program p = parse(l->threads);
            if (gpus[n].quiet || !passes_messages(l) || !applies(l, &p, &gpus[n])) continue;
            size_t size;
            char *text = (char *)compile(&p, &gpus[n], &size), what[32];
            if (!text) skip();
            for (char *line = text, *end; (end = strchr(line, '\n')); line = end + 1) {
                if (!is_for_memory(line, (size_t)(end - line), what)) continue;
                const char was = *line;
                *line = ';'; // a comment
                const bool wrong = goes_wrong(l, &p, &gpus[n], text);
                *line = was;
                struct taken *t = taken_of(all, &count, gpus[n].processor, what);
                t->all++, t->noticed += wrong;
                lines++, noticed += wrong;
            }
            sw_free(text);
        }
    for (unsigned i = 0; i < count; i++) {
        print_message("%-34s %u of %u\n", all[i].what, all[i].noticed, all[i].all);
        dead += !all[i].noticed && !is_for_agents(all[i].what);
    }
    print_message("%u lines taken away, %u noticed\n", lines, noticed);
    assert_int_equal(dead, 0);
}

int main(void) {
    if (sw_compiler_open(NULL, &compiler, &sink) != SW_OK) return 1;
    const struct CMUnitTest tests[] = {cmocka_unit_test(outcomes_are_allowed), cmocka_unit_test(races_show),
                                       cmocka_unit_test(what_lacks_something_goes_wrong)};
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    sw_compiler_close(compiler);
    return failed;
}
