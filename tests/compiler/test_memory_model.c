// SPDX-License-Identifier: MIT
// The memory model as compiled: for each row of the code sequence tables (MM-GFX69-10 to MM-GFX12-67, and
// those of GFX12.5, which LLVM's manual alone has: the ids in memory_model.def), on each processor and in
// each mode that it names (those of global memory also by pointers into buffers), a kernel with accesses of 8
// bits, then the access or fence of the row, then accesses of 16 bits. The counters of what is outstanding
// are simulated over the assembly, and at each step of the row what it waits for must be over; cache
// maintenance must stand in order between the accesses, and the bits of the access must be those asked for. A
// wait may come earlier, be merged or split. Then each wait, each instruction of cache maintenance and each
// bit of it is taken away from what was found good: the checker must notice.
// So are shown: each scope, with and without "one-as" (SCOPE-06 to SCOPE-11, MM-GFX12-08 to MM-GFX12-12);
// which accesses are LDS's and which vector memory's, and what counts in which counter (MM-COM-04, MM-COM-16
// to MM-COM-18); that fences order all spaces but where metadata names one (MM-COM-14, MM-COM-15); how GFX6
// spells invalidation (MM-GFX69-04), what bits of GFX942 mean (MM-GFX942-01, MM-GFX942-02, MM-GFX942-03,
// MM-GFX942-05); and that the last level of GFX10.3 and GFX11 changes nothing (MM-GFX1011-04).
#include <ctype.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "softwave/compiler.h"

// ---- The oracle ----

static const char *const targets[] = {
#define TARGETS(number, text) [number] = text,
#define MUST(row, operation, order, targets, cases, sequence, one_as)
#include "memory_model.def"
#undef TARGETS
#undef MUST
};
static const struct must {
    const char *row, *operation, *order;
    unsigned targets;
    const char *cases, *sequence, *one_as;
} musts[] = {
#define TARGETS(number, text)
#define MUST(row, operation, order, targets, cases, sequence, one_as)                                        \
    {row, operation, order, targets, cases, sequence, one_as},
#include "memory_model.def"
#undef TARGETS
#undef MUST
};
enum { MUSTS = sizeof musts / sizeof *musts, WORD = 64 };

static bool next_word(const char **list, char word[WORD]) {
    *list += strspn(*list, " ");
    const size_t n = strcspn(*list, " ");
    if (!n || n >= WORD) return false;
    memcpy(word, *list, n);
    word[n] = 0;
    *list += n;
    return true;
}
static bool has_word(const char *list, const char *wanted) {
    char word[WORD];
    while (next_word(&list, word))
        if (!strcmp(word, wanted)) return true;
    return false;
}

// ---- Kernels ----

struct source {
    char *text;
    size_t length, room;
};
static void put(struct source *s, const char *format, ...) {
    va_list arguments;
    if (s->room - s->length < 8192) {
        s->room = s->room * 2 + 65536;
        s->text = realloc(s->text, s->room);
        assert_non_null(s->text);
    }
    va_start(arguments, format);
    s->length += (size_t)vsnprintf(s->text + s->length, s->room - s->length, format, arguments);
    va_end(arguments);
}

struct made { // a kernel
    const struct must *must;
    char word[WORD]; // the case
    bool one_as;
    bool in_buffer;                             // global memory by a pointer into a buffer
    enum { EVERYTHING, LOCAL, GLOBAL } ordered; // what a fence names by metadata
};

static void put_access(struct source *s, const struct made *k) {
    char scope[WORD], *space = scope, syncscope[WORD + 32] = "", *special = NULL;
    const char *op = k->must->operation, *order = k->must->order;
    snprintf(scope, sizeof scope, "%s", k->word);
    if ((space = strchr(scope, '_'))) *space++ = 0;
    if (space && (special = strchr(space, '_'))) *special++ = 0;
    if (!special) special = scope + strlen(scope);
    const bool system = !strcmp(scope, "system");
    if (k->one_as)
        snprintf(syncscope, sizeof syncscope, "syncscope(\"%s%sone-as\") ", system ? "" : scope,
                 system ? "" : "-");
    else if (!system && strcmp(scope, "none"))
        snprintf(syncscope, sizeof syncscope, "syncscope(\"%s\") ", scope);
    const char *pointer = k->in_buffer                 ? "ptr addrspace(7) %b1"
                          : !strcmp(space, "global")   ? "ptr addrspace(1) %p1"
                          : !strcmp(space, "local")    ? "ptr addrspace(3) %l1"
                          : !strcmp(space, "constant") ? "ptr addrspace(4) %c1"
                          : !strcmp(space, "private")  ? "ptr addrspace(5) %mine"
                                                       : "ptr %f1";
    const char *how = !strcmp(special, "volatile") ? "volatile " : "";
    const char *nontemporal = !strcmp(special, "nontemporal") ? ", !nontemporal !0" : "";
    const bool atomic = strstr(op, "atomic");
    if (!strcmp(op, "fence"))
        put(s, "  fence %s%s%s\n  %%r = add i32 0, 0\n", syncscope, order,
            k->ordered == LOCAL    ? ", !mmra !1"
            : k->ordered == GLOBAL ? ", !mmra !2"
                                   : "");
    else if (!strncmp(op, "load", 4) && atomic)
        put(s, "  %%r = load atomic i32, %s %s%s, align 4\n", pointer, syncscope, order);
    else if (!strncmp(op, "load", 4))
        put(s, "  %%r = load %si32, %s, align 4%s\n", how, pointer, nontemporal);
    else if (!strncmp(op, "store", 5) && atomic)
        put(s, "  store atomic i32 %%v1, %s %s%s, align 4\n  %%r = add i32 0, 0\n", pointer, syncscope,
            order);
    else if (!strncmp(op, "store", 5))
        put(s, "  store %si32 %%v1, %s, align 4%s\n  %%r = add i32 0, 0\n", how, pointer, nontemporal);
    else if (!strcmp(special, "cmpxchg"))
        put(s, "  %%x = cmpxchg %s, i32 7, i32 %%v1 %s%s %s\n  %%r = extractvalue {i32, i1} %%x, 0\n",
            pointer, syncscope, !strcmp(order, "unordered") ? "monotonic" : order,
            !strcmp(order, "acquire") || !strcmp(order, "acq_rel") ? "acquire"
            : !strcmp(order, "seq_cst")                            ? "seq_cst"
                                                                   : "monotonic");
    else
        put(s, "  %%%s = atomicrmw add %s, i32 %%v1 %s%s%s\n%s", !strcmp(special, "ret") ? "r" : "unused",
            pointer, syncscope, !strcmp(order, "unordered") ? "monotonic" : order,
            ", !amdgpu.no.remote.memory !0", !strcmp(special, "ret") ? "" : "  %r = add i32 0, 0\n");
}

// `local`: LDS may be used (it may not where work-groups are split).
static void put_kernel(struct source *s, const struct made *k, size_t number, bool local) {
    put(s,
        "define amdgpu_kernel void @k%zu(ptr addrspace(1) %%q, ptr addrspace(3) %%m, ptr addrspace(1) %%p, "
        "ptr addrspace(3) %%l, ptr %%f, ptr addrspace(4) %%c, i32 %%v, ptr addrspace(1) %%o) #0 {\n"
        "  %%id = call i32 @llvm.amdgcn.workitem.id.x()\n"
        "  %%q1 = getelementptr i8, ptr addrspace(1) %%q, i32 %%id\n"
        "  %%m1 = getelementptr i8, ptr addrspace(3) %%m, i32 %%id\n"
        "  %%p1 = getelementptr i32, ptr addrspace(1) %%p, i32 %%id\n"
        "  %%l1 = getelementptr i32, ptr addrspace(3) %%l, i32 %%id\n"
        "  %%f1 = getelementptr i32, ptr %%f, i32 %%id\n"
        "  %%c1 = getelementptr i32, ptr addrspace(4) %%c, i32 %%id\n"
        "  %%v1 = add i32 %%v, %%id\n"
        "  %%b = call ptr addrspace(7) @llvm.amdgcn.make.buffer.rsrc.p7.p1(ptr addrspace(1) %%p, i16 0, i64 "
        "65536, "
        "i32 805466112)\n"
        "  %%b1 = getelementptr i32, ptr addrspace(7) %%b, i32 %%id\n"
        "%s"
        "  %%ga = load i8, ptr addrspace(1) %%q1\n"
        "  store i8 1, ptr addrspace(1) %%q1\n",
        number,
        // The stack stays memory, as its address is not known and something is stored there.
        strstr(k->word, "private") ? "  %s = alloca [64 x i32], addrspace(5)\n"
                                     "  %s0 = getelementptr i8, ptr addrspace(5) %s, i32 %id\n"
                                     "  store volatile i8 1, ptr addrspace(5) %s0\n"
                                     "  %mine = getelementptr i32, ptr addrspace(5) %s, i32 %v\n"
                                   : "");
    if (local) put(s, "  %%la = load i8, ptr addrspace(3) %%m1\n  store i8 1, ptr addrspace(3) %%m1\n");
    put_access(s, k);
    put(s, "  %%gb = load i16, ptr addrspace(1) %%q1\n");
    if (local) put(s, "  %%lb = load i16, ptr addrspace(3) %%m1\n");
    put(s, "  %%t1 = zext i8 %%ga to i32\n  %%t2 = zext i16 %%gb to i32\n  %%s1 = add i32 %%t1, %%t2\n"
           "  %%s2 = add i32 %%s1, %%r\n");
    if (local)
        put(s, "  %%t3 = zext i8 %%la to i32\n  %%t4 = zext i16 %%lb to i32\n  %%s3 = add i32 %%t3, %%t4\n"
               "  %%s4 = add i32 %%s2, %%s3\n  %%w = zext i32 %%s4 to i64\n");
    else
        put(s, "  %%w = zext i32 %%s2 to i64\n");
    put(s,
        "  %%o1 = getelementptr i64, ptr addrspace(1) %%o, i32 %%id\n  store i64 %%w, ptr addrspace(1) %%o1\n"
        "  ret void\n}\n");
}

// ---- What a line of assembly is ----

enum event { OTHER, WAIT, BEFORE, ACCESS, AFTER, CACHE };
enum counter { VM, VS, DS, SAMPLE, BVH, KM, EXP, X, COUNTERS };
static const char *const counter_names[][COUNTERS] = {
    {"vmcnt", "vscnt", "lgkmcnt", NULL, NULL, NULL, "expcnt", NULL},
    {"loadcnt", "storecnt", "dscnt", "samplecnt", "bvhcnt", "kmcnt", "expcnt", "xcnt"}};
static int counter_named(const char *name, size_t n) {
    for (unsigned s = 0; s < 2; s++)
        for (int c = 0; c < COUNTERS; c++)
            if (counter_names[s][c] && strlen(counter_names[s][c]) == n &&
                !memcmp(counter_names[s][c], name, n))
                return c;
    return -1;
}

struct line {
    enum event event;
    char kind[8];        // of an access: load, store, atomic
    char name[WORD];     // of cache maintenance
    char bits[96];       // as the oracle has them
    unsigned counts;     // counters in which it is outstanding from now on
    int waits[COUNTERS]; // -1: not for this one
};
struct family {
    bool has_vs, split; // stores have a counter of their own; GFX12
    bool replays;       // accesses may be issued once more until their addresses are translated (gfx1250)
};

static void add_bit(struct line *l, const char *bit) {
    if (*l->bits) strcat(l->bits, " ");
    strncat(l->bits, bit, sizeof l->bits - strlen(l->bits) - 1);
}
// Bits in the oracle's order, which is that of the alphabet.
static void find_bits(struct line *l, const char *line) {
    const char *text = line;
    static const char *const bits[] = {"dlc", "glc", "nt", "sc0", "sc1", "slc"};
    char bit[WORD];
    for (size_t i = 0; i < sizeof bits / sizeof *bits; i++)
        if (has_word(text, bits[i])) {
            snprintf(bit, sizeof bit, "%s=1", bits[i]);
            add_bit(l, bit);
        }
    while (next_word(&text, bit))
        if (!strncmp(bit, "scope:", 6)) add_bit(l, bit);
    while (next_word(&line, bit))
        if (!strncmp(bit, "th:", 3)) add_bit(l, bit);
}

static struct line read_line(const char *text, const struct family *f) {
    struct line l = {.waits = {-1, -1, -1, -1, -1, -1, -1, -1}};
    char name[WORD];
    const char *rest = text + strspn(text, "\t ");
    const size_t n = strcspn(rest, "\t ");
    if (n >= WORD) return l;
    memcpy(name, rest, n);
    name[n] = 0;
    rest += n;
    if (!strcmp(name, "s_waitcnt")) {
        l.event = WAIT;
        for (const char *s = rest; (s += strspn(s, " &,")), *s; s += strcspn(s, ")") + 1) {
            const int c = counter_named(s, strcspn(s, "("));
            if (c >= 0) l.waits[c] = atoi(s + strcspn(s, "(") + 1);
        }
        return l;
    }
    if (!strcmp(name, "s_waitcnt_vscnt")) {
        l.event = WAIT;
        l.waits[VS] = (int)strtol(strchr(rest, ',') + 1, NULL, 0);
        return l;
    }
    if (!strncmp(name, "s_wait_", 7)) {
        const int c = counter_named(name + 7, n - 7);
        l.event = WAIT;
        if (c >= 0) l.waits[c] = (int)strtol(rest, NULL, 0);
        return l;
    }
    const bool flat = !strncmp(name, "flat_", 5), ds = !strncmp(name, "ds_", 3),
               vector = flat || !strncmp(name, "global_", 7) || !strncmp(name, "buffer_", 7) ||
                        !strncmp(name, "scratch_", 8);
    if (!strncmp(name, "s_load", 6)) l.counts = 1u << (f->split ? KM : DS) | (unsigned)f->replays << X;
    if (!vector && !ds) return l;
    find_bits(&l, rest);
    if (vector && (strstr(name, "inv") || strstr(name, "wb"))) {
        l.event = CACHE;
        snprintf(l.name, sizeof l.name, "%s", name);
        // What is written back is waited for; to invalidate is over at once for what comes behind.
        if (strstr(name, "wb") && !strstr(name, "inv")) l.counts = 1u << (f->has_vs ? VS : VM);
        return l;
    }
    const bool load = strstr(name, "load") || strstr(name, "read");
    const bool atomic =
        strstr(name, "atomic") || (ds && !load && !strstr(name, "write") && !strstr(name, "store"));
    const bool exchange = ds && (strstr(name, "cmpst") || strstr(name, "xchg"));
    const bool is_atomic = atomic || exchange;
    strcpy(l.kind, is_atomic ? "atomic" : load ? "load" : "store");
    l.event = is_atomic                                     ? ACCESS
              : strstr(name, "byte") || strstr(name, "8")   ? BEFORE
              : strstr(name, "short") || strstr(name, "16") ? AFTER
              : strstr(name, "x2") || strstr(name, "64")    ? OTHER
                                                            : ACCESS;
    const bool returns =
        load ||
        (is_atomic && (strstr(l.bits, "glc=1") || strstr(l.bits, "sc0=1") || strstr(l.bits, "RETURN")));
    if (vector) l.counts |= 1u << (!returns && f->has_vs ? VS : VM) | (unsigned)f->replays << X;
    if (flat || ds) l.counts |= 1u << DS;
    return l;
}

// ---- The simulation ----

struct outstanding { // of one counter, in order of issue: the numbers of lines
    int lines[64], count;
};
static bool is_outstanding(const struct outstanding *o, int line) {
    for (int i = 0; i < o->count; i++)
        if (o->lines[i] == line) return true;
    return false;
}

enum { LINES = 256 };
static char why[256];
static bool no(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(why, sizeof why, format, arguments);
    va_end(arguments);
    return false;
}

// True if nothing of the lines before `until` that are of these events is outstanding in the counters of a
// step "W a&b".
static bool waited(const struct outstanding *o, const struct line *lines, int until, unsigned events,
                   const char *step) {
    for (const char *s = step + 2; *s && *s != ';';) {
        const size_t n = strcspn(s, "&;");
        const int c = counter_named(s, n);
        if (c < 0) return no("the oracle names no counter: %s", step);
        for (int i = 0; i < until; i++)
            if (events >> lines[i].event & 1 && is_outstanding(&o[c], i))
                return no("line %d is outstanding in %s", i,
                          counter_names[0][c] ? counter_names[0][c] : counter_names[1][c]);
        s += n;
        if (*s == '&') s++;
    }
    return true;
}

static const char *next_step(const char *step) {
    step += strcspn(step, ";");
    return step + strspn(step, "; ");
}
static bool is_step(const char *step, const char *text) {
    const size_t n = strcspn(step, ";");
    return strlen(text) == n && !memcmp(step, text, n);
}

// Walks over the kernel; the steps of the row must come true in order. Waits are looked at where the next
// step stands: at cache maintenance, at the access, at the first access behind.
static bool check(const struct line *lines, int count, const char *sequence) {
    struct outstanding o[COUNTERS] = {0};
    const char *step = sequence;
    bool after = false, accessed = false;
    for (int i = 0; i < count; i++) {
        const struct line *l = &lines[i];
        char text[160];
        if ((l->event == CACHE || l->event == ACCESS || l->event == AFTER) && !after) {
            // In front of the access its predecessors count, behind it the access itself, and write-backs
            // always.
            while (!strncmp(step, "W ", 2)) {
                const unsigned events = accessed ? 1u << ACCESS | 1u << CACHE : 1u << BEFORE | 1u << CACHE;
                if (!waited(o, lines, i, events, step)) return false;
                step = next_step(step);
            }
            snprintf(text, sizeof text, "%s%s%s", l->event == CACHE ? l->name : l->kind, *l->bits ? " " : "",
                     l->bits);
            if (l->event == AFTER) {
                after = true;
                if (*step) return no("'%s' is missing", step);
            } else if (!is_step(step, text))
                return no("'%s' stands where the next step is '%s'", text, step);
            else
                step = next_step(step);
            accessed |= l->event == ACCESS;
        }
        for (int c = 0; c < COUNTERS; c++) {
            int left = l->waits[c];
            // A wait for accesses is one for so many translations of addresses.
            for (int k = 0; c == X && k < X; k++)
                if ((k == VM || k == VS || k == KM) && l->waits[k] >= 0 && (left < 0 || l->waits[k] < left))
                    left = l->waits[k];
            if (l->event == WAIT && left >= 0 && left < o[c].count) {
                memmove(o[c].lines, o[c].lines + o[c].count - left, (size_t)left * sizeof(int));
                o[c].count = left;
            }
            if (l->counts >> c & 1 && o[c].count < 64) o[c].lines[o[c].count++] = i;
        }
    }
    return after ? true : no("no access stands behind");
}

// ---- Mutants ----

// Of waits for addresses, the last one before the access is the model's, where it has one; others are for
// registers that are written again.
static bool is_models(const struct line *lines, int i, int c, const char *sequence) {
    if (c != X) return true;
    if (!strstr(sequence, "xcnt")) return false;
    for (i++; lines[i].event == OTHER || lines[i].event == WAIT; i++) {
        const int *w = lines[i].waits;
        if (lines[i].event == WAIT && (w[VM] >= 0 || w[VS] >= 0 || w[KM] >= 0 || w[X] >= 0)) return false;
    }
    return lines[i].event == ACCESS;
}

// Takes away each wait and each piece of cache maintenance between the accesses before and behind, and each
// bit.
static unsigned mutate(struct line *lines, int count, const char *sequence, unsigned *unnoticed, char *first,
                       size_t room) {
    int begin = 0, end = 0;
    unsigned tried = 0;
    for (int i = count; i-- > 0;) {
        if (lines[i].event == AFTER) end = i;
        if (lines[i].event == BEFORE && !begin) begin = i + 1;
    }
    for (int i = begin; i < end; i++) {
        const struct line whole = lines[i];
        for (int c = 0; c < COUNTERS && whole.event == WAIT; c++) {
            if (whole.waits[c] || c == EXP || !is_models(lines, i, c, sequence)) continue;
            lines[i].waits[c] = -1;
            tried++;
            if (check(lines, count, sequence)) {
                if (!(*unnoticed)++)
                    snprintf(first, room, "a wait for counter %d in line %d of '%s'", c, i, sequence);
            }
            lines[i] = whole;
        }
        if (whole.event == CACHE || (whole.event == ACCESS && *whole.bits)) {
            if (whole.event == CACHE)
                lines[i].event = OTHER, lines[i].counts = 0;
            else
                *lines[i].bits = 0;
            tried++;
            if (check(lines, count, sequence)) {
                if (!(*unnoticed)++)
                    snprintf(first, room, "'%s%s' in '%s'", whole.name, whole.bits, sequence);
            }
            lines[i] = whole;
        }
    }
    return tried;
}

// ---- The test ----

static char heard[1024];
static void hear(void *context, const sw_diagnostic *d) {
    (void)context;
    if (d->severity == SW_SEVERITY_ERROR) snprintf(heard, sizeof heard, "%s", d->message);
}
static const sw_sink sink = {hear, NULL};
static sw_compiler *compiler;

static bool compile(const char *text, size_t length, const char *processor, uint8_t **out, size_t *size) {
    sw_compile_options o = {.size = sizeof o, .level = 2, .output = SW_COMPILE_TEXT, .verify = true};
    sw_target t;
    assert_int_equal(sw_target_parse(processor, strlen(processor), &t, NULL), SW_OK);
    o.target = &t;
    *heard = 0;
    const sw_status status = sw_compile(compiler, "t", text, length, &o, out, size, &sink);
    if (status == SW_UNSUPPORTED && strstr(heard, "libllvm22")) return false;
    if (status != SW_OK) fail_msg("%s: %s", processor, heard);
    return true;
}

// The lines of a kernel, up to its end. Returns their count.
static int read_kernel(const char *assembly, size_t number, const struct family *f, struct line *lines) {
    char label[32];
    snprintf(label, sizeof label, "\nk%zu:\n", number);
    const char *s = strstr(assembly, label);
    int count = 0;
    assert_non_null(s);
    for (s += strlen(label); count < LINES; s += strcspn(s, "\n") + 1) {
        char text[256];
        const size_t n = strcspn(s, "\n");
        assert_true(n < sizeof text);
        memcpy(text, s, n);
        text[n] = 0;
        if (strstr(text, "s_endpgm")) return count;
        lines[count++] = read_line(text, f);
    }
    fail_msg("k%zu is long", number);
    return 0;
}

static struct { unsigned cases, mutants, unnoticed, rows, wrong; } total;
static bool shown[MUSTS]; // the oracle's lines that some kernel came from

// The sequence of a fence that orders one address space (MM-COM-15): of LDS, its counter alone; of global
// memory, all but that.
static const char *narrow(const char *sequence, bool local, char *out, size_t room) {
    *out = 0;
    for (const char *step = sequence; *step; step = next_step(step)) {
        char kept[128] = "";
        if (strncmp(step, "W ", 2)) {
            if (!local) snprintf(kept, sizeof kept, "%.*s", (int)strcspn(step, ";"), step);
        } else
            for (const char *s = step + 2; *s && *s != ';'; s += *s == '&') {
                const size_t n = strcspn(s, "&;");
                if ((counter_named(s, n) == DS) == local)
                    snprintf(kept + strlen(kept), sizeof kept - strlen(kept), "%s%.*s", *kept ? "&" : "W ",
                             (int)n, s);
                s += n;
            }
        if (*kept) snprintf(out + strlen(out), room - strlen(out), "%s%s", *out ? "; " : "", kept);
    }
    return out;
}

// All cases of a processor in a mode.
static bool one_target(const char *target) {
    static struct made made[4096];
    struct source s = {0};
    char processor[WORD];
    size_t count = 0;
    const bool split_groups = strstr(target, "+tgsplit"), cu = strstr(target, "+cumode");
    snprintf(processor, sizeof processor, "%.*s", (int)strcspn(target, "+-"), target);
    for (size_t i = 0; i < MUSTS; i++) {
        const char *cases = musts[i].cases;
        char word[WORD];
        if (!has_word(targets[musts[i].targets], target)) continue;
        while (next_word(&cases, word)) {
            // LLVM reads no cmpxchg of an order that an atomicrmw may have.
            if (strstr(word, "cmpxchg") && !strcmp(musts[i].order, "unordered")) continue;
            if (!strcmp(musts[i].order, "unordered") && !strcmp(musts[i].operation, "atomicrmw")) continue;
            const bool fence = !strcmp(musts[i].operation, "fence");
            for (unsigned way = 0; way < (fence ? 4 : 3); way++) {
                if (way == 1 && !strncmp(word, "none_", 5)) continue;
                const bool in_buffer = way == 2 && !fence;
                if (in_buffer && !strstr(word, "_global")) continue;
                assert_true(count < sizeof made / sizeof *made);
                made[count] = (struct made){.must = &musts[i], .one_as = way == 1, .in_buffer = in_buffer};
                made[count].ordered = way == 2 && fence ? LOCAL : way == 3 ? GLOBAL : EVERYTHING;
                strcpy(made[count].word, word);
                put_kernel(&s, &made[count], count, !split_groups);
                count++;
            }
            shown[i] = true;
        }
    }
    put(&s,
        "declare i32 @llvm.amdgcn.workitem.id.x()\n"
        "declare ptr addrspace(7) @llvm.amdgcn.make.buffer.rsrc.p7.p1(ptr addrspace(1), i16, i64, i32)\n!0 = "
        "!{i32 1}\n"
        "!1 = !{!\"amdgpu-synchronize-as\", !\"local\"}\n!2 = !{!\"amdgpu-synchronize-as\", !\"global\"}\n"
        "attributes #0 = { \"amdgpu-flat-work-group-size\"=\"1,64\"%s }\n",
        cu             ? " \"target-features\"=\"+cumode\""
        : split_groups ? " \"target-features\"=\"+tgsplit\""
                       : "");
    uint8_t *out = NULL;
    size_t size;
    const bool there = compile(s.text, s.length, processor, &out, &size);
    const struct family f = {.has_vs =
                                 out && (strstr((char *)out, "vscnt") || strstr((char *)out, "storecnt")),
                             .split = out && strstr((char *)out, "s_wait_"),
                             .replays = !strncmp(processor, "gfx125", 6)};
    for (size_t k = 0; k < count && there; k++) {
        static struct line lines[LINES];
        const int n = read_kernel((char *)out, k, &f, lines);
        char narrowed[256];
        const char *sequence =
            made[k].one_as && made[k].must->one_as ? made[k].must->one_as : made[k].must->sequence;
        if (made[k].ordered) sequence = narrow(sequence, made[k].ordered == LOCAL, narrowed, sizeof narrowed);
        char first[256];
        unsigned unnoticed = 0;
        total.cases++;
        // The one-as scopes may leave out the other address space's counter, or not.
        if (!check(lines, n, sequence) && !(made[k].one_as && check(lines, n, made[k].must->sequence))) {
            if (total.wrong++ < 20)
                print_message("%s %s %s %s %s%s: %s\n", made[k].must->row, target, made[k].must->operation,
                              made[k].must->order, made[k].word,
                              made[k].one_as              ? " one-as"
                              : made[k].ordered == LOCAL  ? " of local"
                              : made[k].ordered == GLOBAL ? " of global"
                              : made[k].in_buffer         ? " in a buffer"
                                                          : "",
                              why);
        } else if (!made[k].one_as && !made[k].ordered) {
            total.mutants += mutate(lines, n, sequence, &unnoticed, first, sizeof first);
            if (unnoticed && total.unnoticed++ < 20)
                print_message("%s %s %s: not noticed: %s\n", made[k].must->row, target, made[k].word, first);
        }
    }
    sw_free(out);
    free(s.text);
    return there;
}

static void every_row(void **state) {
    (void)state;
    static const char *const all[] = {"gfx600",         "gfx700",         "gfx803",         "gfx900",
                                      "gfx906",         "gfx908",         "gfx90a-tgsplit", "gfx90a+tgsplit",
                                      "gfx942-tgsplit", "gfx942+tgsplit", "gfx950-tgsplit", "gfx1010-cumode",
                                      "gfx1010+cumode", "gfx1030-cumode", "gfx1030+cumode", "gfx1100-cumode",
                                      "gfx1100+cumode", "gfx1151-cumode", "gfx1200-cumode", "gfx1200+cumode",
                                      "gfx1201-cumode", "gfx1250",        "gfx1251"};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (!one_target(all[i])) skip();
    const char *last = "";
    for (size_t i = 0; i < MUSTS; i++) {
        bool any = false;
        if (!strcmp(last, musts[i].row)) continue;
        last = musts[i].row;
        for (size_t k = 0; k < MUSTS; k++) any |= shown[k] && !strcmp(musts[k].row, last);
        total.rows += any;
        // Their operations are none that LLVM has.
        if (!any && strcmp(musts[i].order, "unordered")) fail_msg("%s is not tried", last);
    }
    print_message("%u rows, %u cases, %u mutants\n", total.rows, total.cases, total.mutants);
    assert_int_equal(total.wrong, 0);
    assert_int_equal(total.unnoticed, 0);
    assert_true(total.mutants > 1000);
}

static int set_up(void **state) {
    (void)state;
    return sw_compiler_open(NULL, &compiler, &sink) == SW_OK ? 0 : -1;
}
static int tear_down(void **state) {
    (void)state;
    sw_compiler_close(compiler);
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_row)};
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
