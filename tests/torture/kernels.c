// SPDX-License-Identifier: MIT
// Random kernels on every processor and vector level, in a build whose waves and LDS end at guard pages and
// whose bodies check every register that they reach (SW_GUARD). Whatever a kernel does, this process must
// stay whole: it ends, or faults.
//
//     kernels SECONDS [SEED [PROCESSOR [LEVEL]]]
//
// Each kernel loads the addresses of its buffers, sets M0, and runs a few random instructions: a row that the
// processor has, whose fields are random or point to registers that hold something. A crash leaves the seed
// and number of the kernel on standard error, which run it again alone.
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "isa/isa.h"
#include "rig.h"
#include "torture/torture.h"

enum { SLOTS = 256, SLOT_BYTES = 512, BUFFER = 1 << 16, RANDOM_INSNS = 10 };

static void note_kernel(const char *processor, const char *level, uint64_t seed) {
    snprintf(crash_text, sizeof crash_text, "\ncrash: kernels 1 %llu %s %s\n", (unsigned long long)seed,
             processor, level);
}

// ---- Families that index registers ----
enum family {
    F_OTHER,
    F_GPR_INDEX,
    F_MOVREL,
    F_SMOVREL,
    F_BLOCK,
    F_LANE_SWAP,
    F_LANE,
    F_PERMLANE,
    F_TUPLE,
    F_LDS,
    FAMILIES
};
static const char *const family_names[FAMILIES] = {
    "other", "VGPR index mode", "v_movrel",    "s_movrel", "block load/store", "swaps of lanes",
    "lane",  "permlane",        "wide tuples", "LDS"};

static bool begins(const char *text, const char *with) { return !strncmp(text, with, strlen(with)); }
static enum family family_of(const struct row *row) {
    const char *sem = row_sem(row);
    if (begins(sem, "s_set_gpr_idx")) return F_GPR_INDEX;
    if (begins(sem, "v_movrel") || begins(sem, "v_swaprel")) return F_MOVREL;
    if (begins(sem, "s_movrel")) return F_SMOVREL;
    if (strstr(sem, "_block")) return F_BLOCK;
    if (begins(sem, "v_swap") || (begins(sem, "v_permlane") && strstr(sem, "swap"))) return F_LANE_SWAP;
    if (begins(sem, "v_readlane") || begins(sem, "v_writelane") || begins(sem, "v_readfirst")) return F_LANE;
    if (begins(sem, "v_permlane")) return F_PERMLANE;
    if (begins(sem, "v_mfma") || begins(sem, "v_smfmac") || begins(sem, "v_wmma") || begins(sem, "v_swmmac"))
        return F_TUPLE;
    return begins(sem, "ds_") ? F_LDS : F_OTHER;
}

// ---- A processor's codings, by family ----
struct list {
    const struct coding **items;
    size_t count;
};
struct machine {
    const char *name;
    const struct isa *isa;
    struct list families[FAMILIES];
};

static bool wanted(const struct row *row) {
    // Jumps leave the kernel and sleep takes time: a few of them are enough (see put_insn).
    return !row_gap(row) && !(row->flags & (ROW_BRANCH | ROW_CALL | ROW_TERMINATOR | ROW_NO_FALL_THROUGH)) &&
           !begins(row_sem(row), "s_sleep") && !begins(row_sem(row), "s_setpc") &&
           !begins(row_sem(row), "s_barrier");
}
static void list_codings(struct machine *m) {
    const unsigned total = m->isa->row_codings[isa_row_count];
    for (int f = 0; f < FAMILIES; f++) m->families[f].items = calloc(total + 1, sizeof(void *));
    for (unsigned i = 0; i < total; i++) {
        const struct coding *c = &m->isa->codings[i];
        const struct row *row = &isa_rows[c->row];
        if (!wanted(row) || !m->isa->formats[c->format]) continue; // halves of VOPD have none: see put_insn
        struct list *l = &m->families[family_of(row)];
        l->items[l->count++] = c;
    }
}

// ---- Random instructions ----
static void set_part(uint32_t *words, const struct part *p, uint32_t v) {
    const uint32_t mask = (uint32_t)((1ull << p->width) - 1) << p->lo;
    words[p->word] = (words[p->word] & ~mask) | (v << p->lo & mask);
}
// What a field of this width may well hold: registers of the prolog, constants, borders.
static uint32_t likely(unsigned width) {
    static const uint16_t borders[] = {102, 104, 105, 106, 107, 108, 123, 124, 125, 126, 127,
                                       235, 237, 249, 250, 251, 252, 253, 254, 255, 511};
    switch (width) {
    case 9:
        return below(8) < 5 ? 256 + below(12)
               : below(2)   ? 4 + below(8)
               : below(3)   ? 128 + below(121)
                            : borders[below(21)];
    case 8: return below(8) < 6 ? below(12) : below(2) ? 240 + below(16) : borders[below(11)];
    case 7: return below(8) < 6 ? below(12) : borders[below(11)];
    case 5: return 1 + below(4);
    default: return below(4) ? 0 : next_random();
    }
}
static unsigned put_coding(const struct machine *m, const struct coding *c, uint32_t words[5]) {
    const struct format *format = m->isa->formats[c->format];
    const bool sane = below(4);
    for (int i = 0; i < 5; i++) words[i] = next_random();
    words[0] = (words[0] & ~format->mask) | format->match;
    for (unsigned i = 0; i < format->op_parts; i++)
        set_part(words, &format->parts[i], (uint32_t)c->op >> format->parts[i].at);
    if (sane)
        for (unsigned i = format->op_parts; i < format->part_count; i++)
            if (below(8)) set_part(words, &format->parts[i], likely(format->parts[i].width));
    struct insn in;
    uint8_t bytes[20];
    for (int i = 0; i < 5; i++) wr32(bytes + 4 * i, words[i]);
    return insn_decode(m->isa, bytes, sizeof bytes, &in) == DECODE_OK ? in.size / 4 : 1;
}

static long family_runs[FAMILIES];
static unsigned put_insn(const struct machine *m, uint32_t words[5], bool first) {
    if (below(50) == 0) { // anything at all
        for (int i = 0; i < 5; i++) words[i] = next_random();
        return 1;
    }
    if (m->isa->vopd[0][0] && below(20) == 0) { // of two dwords, or of three
        const bool wide = m->isa->vopd[1][0] && below(2);
        for (int i = 0; i < 3; i++) words[i] = next_random() & (below(2) ? ~0u : 0xfff3f9ff);
        words[0] = wide ? (words[0] & 0x00ffffff) | 0xcf000000 : (words[0] & 0x03ffffff) | 0xc8000000;
        return wide ? 3 : 2;
    }
    enum family f = F_OTHER;
    if (below(3) == 0) f = (enum family)(1 + below(FAMILIES - 1));
    if (!m->families[f].count) f = F_OTHER;
    if (first) family_runs[f]++;
    return put_coding(m, m->families[f].items[below((uint32_t)m->families[f].count)], words);
}

// ---- One launch ----
struct bed {
    struct machine *m;
    const char *level;
    struct rig rig;
    uint8_t *code, *descriptor, prolog[SLOT_BYTES];
    size_t prolog_bytes;
    uint64_t entry; // of the prolog as assembled
    bool accum;     // the descriptor says where AGPRs begin
    uint8_t *buffer;
    uint32_t *kernarg;
};

static bool open_bed(struct bed *b) {
    static const char *const prologs[] = {
        "s_load_dwordx8 s[4:11], s[0:1], 0x0\n s_waitcnt lgkmcnt(0)\n",
        "s_load_b256 s[4:11], s[0:1], 0x0\n",
    };
    char code[1024];
    for (size_t i = 0; i < 2; i++) {
        snprintf(code, sizeof code,
                 "%s v_lshlrev_b32 v3, 2, v0\n v_mov_b32 v1, s8\n v_mov_b32 v2, s9\n v_mov_b32 v4, v3\n"
                 "v_mov_b32 v5, 1.0\n s_mov_b32 s2, 1\n s_mov_b32 m0, 0x12345678\n e: s_nop 0\n s_endpgm\n"
                 ".fill %d, 4, 0",
                 prologs[i], SLOTS * SLOT_BYTES / 4);
        char text[2048];
        static const char *const more[] = {"", ".amdhsa_accum_offset 16\n"};
        for (int accum = 0; accum < 2; accum++) {
            char directives[256];
            snprintf(directives, sizeof directives,
                     ".amdhsa_next_free_vgpr 32\n.amdhsa_next_free_sgpr 90\n"
                     ".amdhsa_user_sgpr_kernarg_segment_ptr 1\n%s",
                     more[accum]);
            rig_text(text, sizeof text, code, directives);
            b->accum = accum;
            if ((b->rig.object = rig_object(b->m->name, text, &b->rig.image))) goto assembled;
        }
    }
    return false;
assembled:
    b->rig.device = rig_device(b->m->name, 1, b->level);
    if (b->rig.device && (rig_tier() == SW_TIER_BEST || sw_device_tier(b->rig.device, NULL) == rig_tier()))
        return true; // this level has the tier
    rig_close(&b->rig);
    return false;
}

// Loads the object anew and fills its slots with random kernels.
static bool fill_bed(struct bed *b) {
    if (sw_device_load(b->rig.device, b->rig.object, NULL, NULL, &b->rig.executable, NULL) != SW_OK)
        return false;
    const sw_kernel *k = sw_object_find_kernel(b->rig.object, "k");
    uint8_t *base = (uint8_t *)(uintptr_t)sw_executable_base(b->rig.executable);
    b->descriptor = base + k->descriptor_offset;
    b->code = base + k->entry_offset;
    if (!b->prolog_bytes) { // up to M0's value, which is replaced
        while (rd32(b->code + b->prolog_bytes) != 0x12345678) b->prolog_bytes += 4;
        b->prolog_bytes += 4;
        memcpy(b->prolog, b->code, b->prolog_bytes);
        b->entry = rd64(b->descriptor + 16);
    }
    return true;
}
static void fill_slot(struct bed *b, unsigned slot, unsigned keep) {
    static const uint32_t m0[] = {0, 1, 2, 5, 0x1000, 0x3f, 0xff, 0xf000, 0x10001, 0xffffffff, 0x80000000};
    uint8_t *at = b->code + (size_t)slot * SLOT_BYTES, *end = at + SLOT_BYTES - 40;
    memcpy(at, b->prolog, b->prolog_bytes);
    wr32(at + b->prolog_bytes - 4, below(2) ? m0[below(11)] : next_random());
    at += b->prolog_bytes;
    for (int i = 0; i < RANDOM_INSNS && at + 20 < end; i++) {
        uint32_t words[5];
        const unsigned n = put_insn(b->m, words, i == 0);
        if (!(keep >> i & 1)) continue;
        for (unsigned j = 0; j < n; j++, at += 4) wr32(at, words[j]);
    }
    for (int i = 0; i < 6; i++, at += 4)
        wr32(at, generation_within(b->m->isa->generation, GFX11) ? 0xbfb00000 : 0xbf810000);
}

// The same random numbers are drawn for a kernel that is skipped.
static void run_slot(struct bed *b, unsigned slot, sw_fault *fault, bool skip) {
    wr64(b->descriptor + 16, b->entry + (uint64_t)slot * SLOT_BYTES);
    // Granules of VGPRs and float modes; where AGPRs begin; wave size (KD-25, KD-29 to KD-32, KD-18).
    const uint32_t rsrc1 = rd32(b->descriptor + 48);
    wr32(b->descriptor + 48,
         (rsrc1 & ~0xff03fu) | below(8) | (below(2) ? 0xc0u : next_random() & 0xff) << 12);
    if (b->accum) wr32(b->descriptor + 44, below(4));
    if (generation_within(b->m->isa->generation, GFX10))
        wr16(b->descriptor + 56, (uint16_t)((rd16(b->descriptor + 56) & ~0x400u) | below(2) << 10));
    wr32(b->descriptor, below(3) ? below(4) * 64 : below(2000)); // LDS
    static const uint32_t blocks[] = {1, 32, 64, 64, 64, 100, 256};
    const uint32_t block = blocks[below(7)];
    sw_dispatch q = rig_dispatch(b->rig.object, b->rig.executable, "k", b->kernarg,
                                 block * (1 + below(2)) - below(3) * (block > 2), block);
    q.private_segment_size = below(3) ? 0 : 16 * below(20);
    q.timeout = 0.1;
    if (!skip) sw_device_run(b->rig.device, &q, fault, NULL, NULL);
}

// What looks like an address of this process, outside the memory of kernels.
static void look_for_addresses(const struct bed *b) {
    const uint64_t stack = (uint64_t)(uintptr_t)&stack >> 32, heap = (uint64_t)(uintptr_t)b->m >> 32;
    for (size_t i = 0; i < BUFFER; i += 8) {
        const uint64_t v = rd64(b->buffer + i) >> 32;
        if (v == stack || v == heap) {
            fprintf(stderr, "%s: the buffer holds %llx at %zu\n", b->m->name,
                    (unsigned long long)rd64(b->buffer + i), i);
            raise(SIGABRT);
        }
    }
}

// Compiling takes its time. Of the kernels in an executable only a few run at that tier, others for each
// seed, so that all processors have their turn.
enum { COMPILED_SLOTS = 4 };
static bool is_turn(unsigned slot, uint64_t seed) {
    return rig_tier() != SW_TIER_COMPILED || slot / COMPILED_SLOTS == seed % (SLOTS / COMPILED_SLOTS);
}

static long runs, outcomes[16];
// One executable full of kernels. `only` is the number of kernels for a seed given by hand: 1.
static bool run_bed(struct bed *b, uint64_t seed) {
    random_state = seed * 0x9e3779b97f4a7c15ull + 1;
    if (!fill_bed(b)) return false;
    memset(b->buffer, 0, BUFFER);
    const char *only = getenv("KERNEL"), *keep = getenv("KEEP");
    const unsigned mask = keep ? (unsigned)strtoul(keep, NULL, 0) : ~0u;
    for (unsigned slot = 0; slot < SLOTS; slot++) fill_slot(b, slot, mask);
    for (unsigned slot = 0; slot < SLOTS; slot++) {
        sw_fault fault = {.size = sizeof fault};
        const bool skip = only ? slot != strtoul(only, NULL, 10) : !is_turn(slot, seed);
        run_slot(b, slot, &fault, skip);
        if (skip) continue;
        runs++;
        outcomes[fault.kind & 15]++;
        if (slot % 16 == 0) look_for_addresses(b);
    }
    return sw_device_unload(b->rig.device, b->rig.executable, NULL) == SW_OK;
}

static bool start_bed(struct bed *b) {
    if (!open_bed(b)) return false;
    b->buffer = sw_device_alloc(b->rig.device, BUFFER);
    b->kernarg = sw_device_alloc(b->rig.device, 64);
    const uint64_t at = (uint64_t)(uintptr_t)b->buffer;
    const uint32_t words[8] = {(uint32_t)at,
                               (uint32_t)(at >> 32),
                               BUFFER / 2,
                               0x27000,
                               (uint32_t)(at + BUFFER / 2),
                               (uint32_t)(at >> 32),
                               16,
                               0};
    memcpy(b->kernarg, words, sizeof words);
    if (generation_within(b->m->isa->generation, GFX10)) b->kernarg[3] = 0x31014000;
    return true;
}

enum { MOST_BEDS = 1024 };
static struct bed beds[MOST_BEDS];
static struct machine machines[MOST_BEDS];

static size_t make_beds(const char *only, const char *only_level) {
    static const char *const levels[] = {"v4", "v3", "v2", "plain"};
    size_t count = 0, machine_count = 0;
    for (size_t i = 0; i < sw_processor_count(); i++) {
        const sw_processor *p = sw_processor_at(i);
        if (!isa_of(p) || (only && strcmp(only, sw_processor_name(p)))) continue;
        struct machine *m = &machines[machine_count++];
        m->name = sw_processor_name(p);
        m->isa = isa_of(p);
        list_codings(m);
        for (size_t l = 0; l < 4 && count < MOST_BEDS; l++) {
            struct bed *b = &beds[count];
            *b = (struct bed){.m = m, .level = levels[l]};
            if (only_level && strcmp(only_level, levels[l])) continue;
            if (start_bed(b)) count++;
        }
    }
    return count;
}

int main(int argc, char **argv) {
    const double seconds = argc > 1 ? atof(argv[1]) : 10;
    const uint64_t seed = argc > 2 ? strtoull(argv[2], NULL, 10) : (uint64_t)time(NULL) * 1000003u;
    leave_text_at_crashes();
    const size_t count = make_beds(argc > 3 ? argv[3] : NULL, argc > 4 ? argv[4] : NULL);
    if (!count) {
        fprintf(stderr, "no such processor or level\n");
        return 1;
    }
    printf("random kernels: seed %llu, %zu processors and levels\n", (unsigned long long)seed, count);
    fflush(stdout);
    const double end = now() + seconds;
    uint64_t beds_run = 0;
    for (uint64_t n = 0; n == 0 || now() < end; n++) {
        beds_run = n + 1;
        struct bed *b = &beds[n % count];
        const uint64_t mine = argc > 4 ? seed + n : seed + n / count;
        note_kernel(b->m->name, b->level, mine);
        if (!run_bed(b, mine)) {
            fprintf(stderr, "%s %s: seed %llu cannot be loaded or unloaded\n", b->m->name, b->level,
                    (unsigned long long)mine);
            return 1;
        }
    }
    for (size_t i = 0; i < count; i++) rig_close(&beds[i].rig);
    for (size_t i = 0; i < MOST_BEDS; i++)
        for (int f = 0; f < FAMILIES; f++) free(machines[i].families[f].items);
    printf("%llu of %zu processors and levels\n", (unsigned long long)(beds_run < count ? beds_run : count),
           count);
    printf("%ld kernels: %ld ended, %ld read, %ld wrote, %ld other atomics outside, %ld misaligned, %ld "
           "jumped away,\n"
           "    %ld illegal, %ld unsupported, %ld trapped, %ld timed out, %ld deadlocked\n",
           runs, outcomes[SW_FAULT_NONE], outcomes[SW_FAULT_READ], outcomes[SW_FAULT_WRITE],
           outcomes[SW_FAULT_ATOMIC], outcomes[SW_FAULT_ALIGNMENT], outcomes[SW_FAULT_JUMP],
           outcomes[SW_FAULT_ILLEGAL], outcomes[SW_FAULT_UNSUPPORTED], outcomes[SW_FAULT_TRAP],
           outcomes[SW_FAULT_TIMEOUT], outcomes[SW_FAULT_DEADLOCK]);
    printf("first instructions of each family:");
    for (int f = 0; f < FAMILIES; f++) printf("%s %s %ld", f ? "," : "", family_names[f], family_runs[f]);
    printf("\n");
    return 0;
}
