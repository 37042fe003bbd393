// SPDX-License-Identifier: MIT
// A reader of assembly for memory.sh: no register may be named while a load has yet to write it, on any way
// through a kernel. The device that runs compiled code has every load done at once, so that nothing else
// would show a missing wait. Nor may one be written while an access has yet to read it: on GFX6 stores do so
// late, on gfx1250 accesses may be issued once more until their addresses are translated. usage: pending
// FILE.s [WAITS]: prints violations, and what it read. So many of the waits, evenly chosen, are taken away,
// one at a time; where fewer than half of them are missed, or something is wrong already, it fails.
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { VM, VS, LGKM, EXP, KM, X, OTHER, COUNTERS };
enum { VECTOR = 1, FLAT = 2, LDS = 4, SCALAR = 8 };
enum {
    SCALARS = 128,
    PLACES = SCALARS + 512,
    VCC = 106,
    EXEC = 126,
    MOST = 100,
    LINES = 60000,
    BLOCKS = 12000
};

struct line {
    char text[160];
    int label, target; // block numbers; -1
    bool ends, jumps;  // nothing goes on behind; may go elsewhere
    int waits[COUNTERS];
    bool is_wait;
    int kinds[COUNTERS]; // of what it begins
    bool loads, stores;
};
static struct line lines[LINES];
static int line_count;
static char labels[BLOCKS][80];
static int label_count, label_line[BLOCKS];
static bool gfx12, has_vs;
static int reads; // the counter of accesses that have yet to read their operands: EXP, X, or OTHER, which
                  // nothing has

struct state {
    signed char later[PLACES][COUNTERS]; // operations behind the one that will write it; -1: none will
    signed char data[PLACES];            // accesses behind the one that has yet to read it
    unsigned char kinds[COUNTERS];
    bool reached;
};

static bool begins(const char *s, const char *with) { return !strncmp(s, with, strlen(with)); }

static int label_of(const char *s, size_t n) {
    for (int i = 0; i < label_count; i++)
        if (strlen(labels[i]) == n && !memcmp(labels[i], s, n)) return i;
    snprintf(labels[label_count], sizeof labels[0], "%.*s", (int)n, s);
    label_line[label_count] = -1;
    return label_count++;
}

// The next register that a text names: its first place and how many. NULL: none.
static const char *next_register(const char *s, int *first, int *count) {
    for (; *s; s++) {
        unsigned a, b;
        int used = 0;
        const bool begin = s[-1] == ' ' || s[-1] == ',' || s[-1] == '|' || s[-1] == '-';
        if (begin && (begins(s, "exec") || begins(s, "vcc"))) {
            *first = *s == 'e' ? EXEC : VCC;
            *count = 1;
            return s + 3;
        }
        if (!begin || (*s != 's' && *s != 'v' && *s != 'a')) continue;
        const int base = *s == 's' ? 0 : *s == 'v' ? SCALARS : SCALARS + 256;
        if (sscanf(s + 1, "[%u:%u]%n", &a, &b, &used) == 2 && used)
            *count = (int)(b - a) + 1;
        else if (sscanf(s + 1, "%u%n", &a, &used) == 1 && used &&
                 !strchr("_abcdefghijklmnopqrstuvwxyz", s[1 + used]))
            *count = 1;
        else if (sscanf(s + 1, "%u%n", &a, &used) == 1 && used && !s[1 + used])
            *count = 1;
        else
            continue;
        *first = base + (int)a;
        return s + 1 + used;
    }
    return NULL;
}

// ---- Reading ----

static void read_wait(struct line *l, const char *s) {
    static const char *const names[] = {"vmcnt(", "vscnt(", "lgkmcnt(", "expcnt("};
    l->is_wait = true;
    if (begins(s, "s_waitcnt_vscnt"))
        l->waits[VS] = (int)strtol(strchr(s, ',') + 1, NULL, 0);
    else if (begins(s, "s_waitcnt "))
        for (int c = 0; c < 4; c++) {
            const char *at = strstr(s, names[c]);
            if (at) l->waits[c] = atoi(at + strlen(names[c]));
        }
    else {
        const int n = (int)strtol(strchr(s, ' ') + 1, NULL, 0);
        const int c = begins(s, "s_wait_loadcnt")    ? VM
                      : begins(s, "s_wait_storecnt") ? VS
                      : begins(s, "s_wait_dscnt")    ? LGKM
                      : begins(s, "s_wait_kmcnt")    ? KM
                      : begins(s, "s_wait_expcnt")   ? EXP
                      : begins(s, "s_wait_xcnt")     ? X
                                                     : OTHER;
        l->waits[c] = n;
    }
}

static void read_access(struct line *l, const char *s) {
    const bool ds = begins(s, "ds_"), flat = begins(s, "flat_"),
               vector = flat || begins(s, "global_") || begins(s, "buffer_") || begins(s, "scratch_");
    const bool scalar = begins(s, "s_load") || begins(s, "s_buffer_load") || begins(s, "s_memtime") ||
                        begins(s, "s_memrealtime");
    if (strstr(s, "_inv") || strstr(s, "_wb") || (!ds && !vector && !scalar)) return;
    const bool load =
        strstr(s, "load") || strstr(s, "_read") || scalar || strstr(s, "permute") || strstr(s, "swizzle");
    const bool returns = load || strstr(s, "_rtn") || strstr(s, " glc") ||
                         (strstr(s, "atomic") && strstr(s, " sc0")) || strstr(s, "RETURN");
    l->loads = returns;
    l->stores = !load;
    if (scalar) l->kinds[gfx12 ? KM : LGKM] = SCALAR;
    if (vector) l->kinds[!returns && has_vs ? VS : VM] = flat ? FLAT : VECTOR;
    if (ds || flat) l->kinds[LGKM] = flat ? FLAT : LDS;
    if (vector && reads == EXP && l->stores) l->kinds[EXP] = VECTOR;
    if ((vector || scalar) && reads == X) l->kinds[X] = scalar ? SCALAR : VECTOR;
}

static void read_line(const char *s) {
    struct line *l = &lines[line_count];
    const size_t n = strcspn(s, "\n");
    *l = (struct line){.label = -1, .target = -1};
    for (int c = 0; c < COUNTERS; c++) l->waits[c] = -1;
    if (n && s[n - 1] == ':' && *s != '\t') {
        l->label = label_of(s, n - 1);
        label_line[l->label] = line_count++;
        return;
    }
    s += strspn(s, "\t ");
    if (!n || *s == '.' || *s == '\n') return;
    snprintf(l->text, sizeof l->text, "%.*s", (int)strcspn(s, "\n"), s);
    s = l->text;
    if (begins(s, "s_wait") && !begins(s, "s_wait_alu") && !begins(s, "s_waitcnt_depctr"))
        read_wait(l, s);
    else
        read_access(l, s);
    l->ends = begins(s, "s_endpgm") || begins(s, "s_branch") || begins(s, "s_setpc") || begins(s, "s_set_pc");
    l->jumps = begins(s, "s_branch") || begins(s, "s_cbranch");
    if (l->jumps) l->target = label_of(strchr(s, ' ') + 1, strlen(strchr(s, ' ') + 1));
    line_count++;
}

// ---- The walk ----

static struct state *at; // by line, of labels and first lines alone
static int violations;
static bool quiet;

static bool pending(const struct state *s, int place) {
    for (int c = 0; c < COUNTERS; c++)
        if (s->later[place][c] >= 0) return true;
    return false;
}

static void wait_until(struct state *s, const struct line *l) {
    for (int c = 0; c < COUNTERS; c++) {
        int n = l->waits[c];
        // A wait for accesses is one for so many translations of addresses.
        for (int k = 0; c == X && k < X; k++)
            if ((k == VM || k == VS || k == KM) && l->waits[k] >= 0 && (n < 0 || l->waits[k] < n))
                n = l->waits[k];
        if (n < 0) continue;
        const bool in_order = s->kinds[c] == VECTOR || s->kinds[c] == LDS;
        if (n && !in_order) continue;
        for (int p = 0; p < PLACES; p++) {
            if (s->later[p][c] >= n) s->later[p][c] = -1;
            if (c == reads && s->data[p] >= n) s->data[p] = -1;
        }
        if (!n) s->kinds[c] = 0;
    }
}

// True if the first register that an instruction names is one that it writes.
static bool writes_first(const struct line *l) {
    if (l->loads || begins(l->text, "v_")) return true;
    return reads == X && begins(l->text, "s_") && !begins(l->text, "s_cmp") && !begins(l->text, "s_bitcmp") &&
           !begins(l->text, "s_set") && !l->kinds[X];
}
static bool changes_exec(const struct line *l) {
    return strstr(l->text, "saveexec") || begins(l->text, "v_cmpx");
}

// What a line names must be there; then what it begins is outstanding.
static void step(struct state *s, int number) {
    const struct line *l = &lines[number];
    int first, count, order = 0;
    if (l->is_wait) {
        wait_until(s, l);
        return;
    }
    const char *text = strchr(l->text, ' ');
    for (const char *r = text ? text + 1 : NULL; r && (r = next_register(r, &first, &count)); order++)
        for (int p = first; p < first + count && p < PLACES; p++) {
            const bool writes = !order && writes_first(l);
            if (pending(s, p) || (writes && s->data[p] >= 0)) {
                violations++;
                if (!quiet) printf("line %d: '%s' names a register that is pending\n", number + 1, l->text);
                return;
            }
        }
    if (changes_exec(l) && s->data[EXEC] >= 0) {
        violations++;
        if (!quiet) printf("line %d: '%s' changes EXEC, which an access may need\n", number + 1, l->text);
        return;
    }
    for (int c = 0; c < COUNTERS; c++) {
        if (!l->kinds[c]) continue;
        s->kinds[c] |= (unsigned char)l->kinds[c];
        for (int p = 0; p < PLACES; p++) {
            if (s->later[p][c] >= 0 && s->later[p][c] < MOST) s->later[p][c]++;
            if (c == reads && s->data[p] >= 0 && s->data[p] < MOST) s->data[p]++;
        }
    }
    order = 0;
    for (const char *r = text ? text + 1 : NULL; r && (r = next_register(r, &first, &count)); order++)
        for (int p = first; p < first + count && p < PLACES; p++) {
            if (!order && l->loads)
                for (int c = 0; c < COUNTERS; c++)
                    if (l->kinds[c] && c != EXP && c != X) s->later[p][c] = 0;
            if (l->kinds[reads] && (order || !l->loads)) s->data[p] = 0;
        }
    if (l->kinds[X] == VECTOR) s->data[EXEC] = 0;
}

static bool merge(struct state *to, const struct state *from) {
    bool more = !to->reached;
    if (!to->reached) {
        *to = *from;
        to->reached = true;
        return true;
    }
    for (int p = 0; p < PLACES; p++) {
        for (int c = 0; c < COUNTERS; c++)
            if (from->later[p][c] >= 0 && (to->later[p][c] < 0 || from->later[p][c] < to->later[p][c]))
                to->later[p][c] = from->later[p][c], more = true;
        if (from->data[p] >= 0 && (to->data[p] < 0 || from->data[p] < to->data[p]))
            to->data[p] = from->data[p], more = true;
    }
    for (int c = 0; c < COUNTERS; c++)
        if (from->kinds[c] & ~to->kinds[c]) to->kinds[c] |= from->kinds[c], more = true;
    return more;
}

// From a label to where the way ends, joining what is known at the labels that are met.
static bool walk(int from) {
    struct state now = at[lines[from].label];
    bool changed = false;
    for (int n = from; n < line_count; n++) {
        const struct line *l = &lines[n];
        if (l->label >= 0 && n != from) return changed | merge(&at[l->label], &now);
        step(&now, n);
        if (l->jumps && label_line[l->target] >= 0) changed |= merge(&at[l->target], &now);
        if (l->ends) return changed;
    }
    return changed;
}

// Other names at the beginning of a line are those of metadata.
static bool is_kernel(int label) { return !strchr(labels[label], '.') && label_line[label] >= 0; }

static int check(void) {
    bool noisy = quiet;
    for (int i = 0; i < label_count; i++) at[i].reached = false;
    for (int i = 0; i < label_count; i++)
        if (is_kernel(i)) { // a kernel
            memset(&at[i], -1, sizeof at[i]);
            memset(at[i].kinds, 0, sizeof at[i].kinds);
            at[i].reached = true;
        }
    quiet = true;
    for (bool changed = true; changed;) {
        changed = false;
        for (int i = 0; i < label_count; i++)
            if (label_line[i] >= 0 && at[i].reached) changed |= walk(label_line[i]);
    }
    quiet = noisy;
    violations = 0;
    for (int i = 0; i < label_count; i++)
        if (label_line[i] >= 0 && at[i].reached) walk(label_line[i]);
    return violations;
}

int main(int count, char **arguments) {
    static char text[1 << 22];
    FILE *f = count > 1 ? fopen(arguments[1], "r") : NULL;
    if (!f) return 2;
    text[fread(text, 1, sizeof text - 1, f)] = 0;
    fclose(f);
    const char *target = strstr(text, "--gfx");
    if (!target) return 2;
    const int generation = atoi(target + 5) / 100; // gfx90a counts as gfx900 does
    gfx12 = generation == 12;
    has_vs = generation >= 10;
    reads = generation == 6 ? EXP : begins(target, "--gfx125") ? X : OTHER;
    int kernels = 0, waits = 0, missed = 0;
    for (const char *s = text; *s && line_count < LINES; s += strcspn(s, "\n") + 1) read_line(s);
    at = calloc((size_t)label_count + 1, sizeof *at);
    if (!at) return 2;
    for (int i = 0; i < label_count; i++) kernels += is_kernel(i);
    const int found = check();
    quiet = true;
    const int wanted = count > 2 ? atoi(arguments[2]) : 0;
    int all = 0;
    for (int n = 0; n < line_count; n++)
        for (int c = 0; c < COUNTERS; c++) all += lines[n].waits[c] >= 0 && c != VS;
    const int each = wanted && all > wanted ? all / wanted : 1;
    for (int n = 0, number = 0; n < line_count && !found && wanted; n++)
        for (int c = 0; c < COUNTERS; c++) {
            const int was = lines[n].waits[c];
            if (was < 0 || c == VS || number++ % each) continue;
            lines[n].waits[c] = -1;
            waits++;
            missed += check() != 0;
            lines[n].waits[c] = was;
        }
    printf("%d kernels, %d waits; without each of %d, %d times something is wrong\n", kernels, all, waits,
           missed);
    free(at);
    return found || missed * 2 < waits ? 1 : 0;
}
