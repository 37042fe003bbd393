// SPDX-License-Identifier: MIT
// Image instructions on each generation: operands of every shape (runs of registers and lists, 16 and 32
// bits, each order), masks, status dwords, lanes; loads, stores and atomics against what the formats' text
// says; samples of pictures whose colour is a linear function of the place, so that every linear filter must
// give that function again.
#include "covered.h"
#include "image_rig.h"

enum { V_ADDRESS = 20, V_DATA = 2 };
enum dim { D_1D, D_2D, D_3D, D_CUBE, D_1D_ARRAY, D_2D_ARRAY };
static const char *const dim_names[] = {"1D", "2D", "3D", "CUBE", "1D_ARRAY", "2D_ARRAY"};

__attribute__((constructor)) static void cover(void) {
    covered("image_load"), covered("image_store"), covered("image_atomic"), covered("image_sample");
    covered("image_gather4"), covered("image_get_lod"), covered("image_get_resinfo");
}

static bool has_dim(const struct machine_kind *m) { return m->layout >= L_GFX10; }
static bool has_a16(const struct machine_kind *m) { return m->layout >= L_GFX9; }

// ---- Text of an instruction ----

// The address in `words` dwords: one run from V_ADDRESS on, or scattered where the processor can. Sets where
// each dword is.
static void address_text(const struct machine_kind *m, unsigned words, bool list, bool samples, char *out,
                         unsigned place[13]) {
    const unsigned fields = m->layout == L_GFX12 ? samples ? 4 : 5 : m->layout == L_GFX11 ? 5 : 13;
    if (m->layout == L_GFX12) list = true;
    if (!has_dim(m) || words < 2 || (m->layout == L_GFX10 && words > 5)) list = false;
    unsigned at = V_ADDRESS;
    for (unsigned i = 0; i < words; i++) {
        place[i] = at;
        at += list && i + 1 < fields ? 2 : 1;
    }
    if (words == 1)
        sprintf(out, "v%u", V_ADDRESS);
    else if (!list)
        sprintf(out, "v[%u:%u]", V_ADDRESS, V_ADDRESS + words - 1);
    else {
        char *p = out + sprintf(out, "[v%u", place[0]);
        const unsigned plain = words <= fields ? words : fields - 1;
        for (unsigned i = 1; i < plain; i++) p += sprintf(p, ", v%u", place[i]);
        if (plain < words) p += sprintf(p, ", v[%u:%u]", place[plain], place[words - 1]);
        sprintf(p, "]");
    }
}
// The registers that the text of older processors may name: no name but a place.
static unsigned named_words(const struct machine_kind *m, unsigned words) {
    return has_dim(m) || words <= 4 || words >= 8 ? words : 8;
}
static void registers_text(unsigned first, unsigned count, char *out) {
    if (count == 1)
        sprintf(out, "v%u", first);
    else
        sprintf(out, "v[%u:%u]", first, first + count - 1);
}
struct shape {
    const char *name;
    enum dim dim;
    unsigned words, data, dmask;
    bool list, sampler, a16, d16, tfe, r128, returns;
};
static void instruction_text(const struct machine_kind *m, const struct shape *s, char *out,
                             unsigned place[13]) {
    char address[128], data[32];
    registers_text(V_DATA, s->data + s->tfe, data);
    if (has_dim(m))
        address_text(m, s->words, s->list, s->sampler, address, place);
    else {
        for (unsigned i = 0; i < s->words; i++) place[i] = V_ADDRESS + i;
        registers_text(V_ADDRESS, named_words(m, s->words), address);
    }
    out += sprintf(out, "%s %s, %s, s[%u:%u]", s->name, data, address, T_AT,
                   T_AT + (s->r128 && m->layout != L_GFX9 ? 3 : 7));
    if (s->sampler) out += sprintf(out, ", s[%u:%u]", S_AT, S_AT + 3);
    out += sprintf(out, " dmask:0x%x", s->dmask);
    if (has_dim(m)) out += sprintf(out, " dim:SQ_RSRC_IMG_%s", dim_names[s->dim]);
    if (!s->sampler && m->layout != L_GFX12) out += sprintf(out, " unorm");
    if (s->returns) out += sprintf(out, m->layout == L_GFX12 ? " th:TH_ATOMIC_RETURN" : " glc");
    if (s->r128) out += sprintf(out, " r128");
    if (s->a16) out += sprintf(out, " a16");
    if (s->tfe) out += sprintf(out, " tfe");
    if (!has_dim(m) && (s->dim == D_1D_ARRAY || s->dim == D_2D_ARRAY)) out += sprintf(out, " da");
    if (s->d16) sprintf(out, " d16");
}

// ---- Formats, from their text in the manuals ----

static double half_value(uint16_t h) {
    const int e = h >> 10 & 31, f = h & 1023;
    const double v = e == 31 ? f ? NAN : INFINITY : e ? ldexp(1024 + f, e - 25) : ldexp(f, -24);
    return h >> 15 ? -v : v;
}
// Colour of a texel as numbers; integers as well.
static void decode(enum pixel_name p, const uint8_t *b, double out[4]) {
    uint32_t w[4] = {0};
    memcpy(w, b, pixels[p].bytes);
    out[0] = out[1] = out[2] = 0, out[3] = 1;
    switch (p) {
    case P_R8: out[0] = b[0] / 255.0; break;
    case P_RGBA8:
        for (int c = 0; c < 4; c++) out[c] = b[c] / 255.0;
        break;
    case P_RGBA8UI:
        for (int c = 0; c < 4; c++) out[c] = b[c];
        break;
    case P_RGBA8SI:
        for (int c = 0; c < 4; c++) out[c] = (int8_t)b[c];
        break;
    case P_R32UI: out[0] = w[0]; break;
    case P_R32F: out[0] = (double)float_of(w[0]); break;
    case P_RG32UI: out[0] = w[0], out[1] = w[1]; break;
    case P_RGBA16F:
        for (int c = 0; c < 4; c++) out[c] = half_value((uint16_t)(w[c / 2] >> 16 * (c & 1)));
        break;
    case P_RGBA32F:
        for (int c = 0; c < 4; c++) out[c] = (double)float_of(w[c]);
        break;
    case P_RGB10A2:
        for (int c = 0; c < 3; c++) out[c] = (w[0] >> 10 * c & 1023) / 1023.0;
        out[3] = (w[0] >> 30) / 3.0;
        break;
    case P_565:
        out[0] = (w[0] & 31) / 31.0, out[1] = (w[0] >> 5 & 63) / 63.0, out[2] = (w[0] >> 11 & 31) / 31.0;
        break;
    case P_RG16SN:
        for (int c = 0; c < 2; c++) out[c] = fmax((int16_t)(w[0] >> 16 * c) / 32767.0, -1);
        break;
    case P_SRGB8:
        for (int c = 0; c < 4; c++) {
            const double v = b[c] / 255.0;
            out[c] = c == 3 ? v : v <= 0.04045 ? v / 12.92 : pow((v + 0.055) / 1.055, 2.4);
        }
        break;
    case P_RGBA32UI:
        for (int c = 0; c < 4; c++) out[c] = w[c];
        break;
    }
}
static bool is_integer(enum pixel_name p) { return pixels[p].number == 4 || pixels[p].number == 5; }
// Numbers where NaNs would be compared.
static void fill(enum pixel_name p, uint8_t *memory, size_t n) {
    for (size_t i = 0; i + 4 <= n; i += 4) {
        uint32_t v = image_random();
        if (p == P_R32F || p == P_RGBA32F) v = bits_of((float)(int32_t)v / 65536);
        if (p == P_RGBA16F) v &= 0xbbffbbff;
        memcpy(memory + i, &v, 4);
    }
}

static unsigned compared, instructions;
static bool is_value(enum pixel_name p, bool half, uint32_t got, double want) {
    compared++;
    if (half && is_integer(p)) return (got & 0xffff) == ((uint32_t)(int64_t)want & 0xffff);
    if (half)
        return fabs(half_value((uint16_t)got) - want) <= fabs(want) / 1024 + 0x1p-24 ||
               half_value((uint16_t)got) == want;
    if (is_integer(p)) return got == (uint32_t)(int64_t)want;
    return fabs((double)float_of(got) - want) <= fabs(want) * 0x1p-22;
}

static void randomize(struct image_run *r) {
    for (unsigned v = 0; v < IMG_REGISTERS; v++)
        for (unsigned l = 0; l < 64; l++) r->before[v][l] = image_random();
    const uint64_t any = (uint64_t)image_random() << 32 | image_random();
    r->exec = image_random() % 3 ? ~0ull : any;
    if (r->lanes == 32) r->exec &= 0xffffffff;
}
static bool executes(const struct image_run *r, unsigned lane) { return r->exec >> lane & 1; }

// Word `n` of a lane's address, 32 bits or a half of it.
static void put_word(struct image_run *r, const unsigned *place, unsigned n, unsigned lane, uint32_t v) {
    r->before[place[n]][lane] = v;
}
static void put_half(struct image_run *r, const unsigned *place, unsigned half, unsigned lane, uint32_t v) {
    uint32_t *w = &r->before[place[half / 2]][lane];
    *w = half & 1 ? (*w & 0xffff) | v << 16 : (*w & 0xffff0000) | (v & 0xffff);
}

// Registers that an instruction does not write stay.
static void nothing_else_changed(const struct image_run *r, unsigned first, unsigned count) {
    for (unsigned v = 0; v < IMG_REGISTERS; v++)
        for (unsigned l = 0; l < r->lanes; l++)
            if (v < first || v >= first + count || !executes(r, l))
                assert_int_equal(r->after[v][l], r->before[v][l]);
}

static const struct {
    unsigned type;
    enum dim dim;
    unsigned coordinates;
} kinds[] = {{TYPE_1D, D_1D, 1},
             {TYPE_2D, D_2D, 2},
             {TYPE_3D, D_3D, 3},
             {TYPE_1D_ARRAY, D_1D_ARRAY, 2},
             {TYPE_2D_ARRAY, D_2D_ARRAY, 3},
             {TYPE_CUBE, D_CUBE, 3}};
enum { KINDS = sizeof kinds / sizeof *kinds };

static struct picture_facts picture_of(enum pixel_name p, unsigned kind) {
    struct picture_facts f = {.pixel = p, .type = kinds[kind].type, .width = 37, .height = 1, .depth = 1};
    if (kinds[kind].dim != D_1D && kinds[kind].dim != D_1D_ARRAY) f.height = 21;
    if (kinds[kind].coordinates == 3 || kinds[kind].dim == D_1D_ARRAY) f.depth = 5;
    if (kinds[kind].dim == D_CUBE) f.height = f.width = 24, f.depth = 6;
    return f;
}
// x, y and slice or z of a lane's address; of one lane in six outside.
static void random_texel(const struct picture_facts *f, unsigned kind, unsigned at[3], bool *inside) {
    const unsigned limit[3] = {f->width, f->height, f->depth};
    at[0] = image_random() % f->width, at[1] = image_random() % f->height, at[2] = image_random() % f->depth;
    *inside = image_random() % 6;
    const bool one = kinds[kind].dim == D_1D, two = kinds[kind].dim == D_2D;
    if (*inside) return;
    const unsigned d = one                             ? 0
                       : two                           ? image_random() % 2
                       : kinds[kind].dim == D_1D_ARRAY ? image_random() % 2 * 2
                                                       : image_random() % 3;
    at[d] = limit[d] + (image_random() % 2 ? 0 : image_random() % 30000);
}
// The words of the address for x, y, z.
static unsigned coordinates_of(unsigned kind, const unsigned at[3], unsigned out[3]) {
    if (kinds[kind].dim == D_1D_ARRAY) {
        out[0] = at[0], out[1] = at[2];
        return 2;
    }
    memcpy(out, at, 3 * sizeof *out);
    return kinds[kind].coordinates;
}

// ---- Loads and stores ----

static void loads(void **state) {
    (void)state;
    for (unsigned n = 0; n < MACHINES; n++) {
        struct image_run r;
        image_open(&r, &machines[n]);
        for (unsigned trial = 0; trial < PIXELS * KINDS * 2; trial++) {
            const enum pixel_name p = (enum pixel_name)(trial % PIXELS);
            const unsigned kind = trial / PIXELS % KINDS;
            struct picture_facts f = picture_of(p, kind);
            if (trial % 5 == 0) f.select = 6 | 5 << 3 | 4 << 6 | 1 << 9; // blue, green, red, one
            if (f.type == TYPE_2D_ARRAY && trial % 2) f.first_slice = 2;
            fill(p, r.memory, 120000);
            struct shape s = {.name = "image_load", .dim = kinds[kind].dim, .dmask = 1 + image_random() % 15};
            s.a16 = has_a16(r.m) && trial % 3 == 1;
            s.d16 = r.m->layout != L_GFX6 ? trial % 4 == 2 : r.m->apart && trial % 4 == 2;
            s.tfe = trial % 7 == 3 && !r.m->few, s.list = trial % 2;
            s.r128 = kind < 2 && r.m->layout != L_GFX9 && trial % 9 == 4; // without a depth and a pitch
            s.words = s.a16 ? (kinds[kind].coordinates + 1) / 2 : kinds[kind].coordinates;
            const unsigned count = (unsigned)__builtin_popcount(s.dmask);
            s.data = s.d16 && !r.m->apart ? (count + 1) / 2 : count;
            char text[256];
            unsigned place[13];
            instruction_text(r.m, &s, text, place);
            make_resource(r.m, &f, r.memory, r.t);
            randomize(&r);
            unsigned at[64][3];
            bool inside[64];
            for (unsigned l = 0; l < r.lanes; l++) {
                unsigned words[3];
                random_texel(&f, kind, at[l], &inside[l]);
                const unsigned k = coordinates_of(kind, at[l], words);
                for (unsigned i = 0; i < k; i++)
                    if (s.a16)
                        put_half(&r, place, i, l, words[i]);
                    else
                        put_word(&r, place, i, l, words[i]);
            }
            instructions++;
            if (image_run(&r, text))
                print_error("%s: %s of %s: %s\n", r.m->name, text, pixels[p].name,
                            r.fault.reason ? r.fault.reason : "fault");
            assert_int_equal(r.fault.kind, 0);
            nothing_else_changed(&r, V_DATA, s.data + s.tfe);
            for (unsigned l = 0; l < r.lanes; l++) {
                if (!executes(&r, l)) continue;
                double rgba[4] = {0, 0, 0,
                                  pixels[p].bytes == 4 * (p == P_R32F || p == P_R32UI) || p == P_R8 ||
                                      p == P_565 || p == P_RG16SN || p == P_RG32UI},
                       all[4];
                if (inside[l])
                    decode(p, r.memory + place_in(r.m, &f, at[l][0], at[l][1], at[l][2] + f.first_slice),
                           rgba);
                memcpy(all, rgba, sizeof all);
                if (f.select) all[0] = rgba[2], all[2] = rgba[0], all[3] = 1;
                for (unsigned c = 0, k = 0; c < 4; c++) {
                    if (!(s.dmask >> c & 1)) continue;
                    const bool packed = s.d16 && !r.m->apart;
                    const uint32_t v =
                        r.after[V_DATA + (packed ? k / 2 : k)][l] >> (packed && k & 1 ? 16 : 0);
                    if (!is_value(p, s.d16, v, all[c])) {
                        print_error("%s, %s of %s: lane %u, component %u of %u %u %u is %08x, not %g\n",
                                    r.m->name, text, pixels[p].name, l, c, at[l][0], at[l][1], at[l][2], v,
                                    all[c]);
                        fail();
                    }
                    k++;
                }
                if (s.tfe) assert_int_equal(r.after[V_DATA + s.data][l], 0);
            }
        }
        image_close(&r);
    }
}

// What is stored is what a load gives, and no other byte changes.
static void stores(void **state) {
    (void)state;
    static const enum pixel_name stored[] = {P_R8,     P_RGBA8,   P_RGBA8UI, P_RGBA8SI, P_R32UI, P_R32F,
                                             P_RG32UI, P_RGBA16F, P_RGBA32F, P_RGB10A2, P_RG16SN};
    enum { STORED = sizeof stored / sizeof *stored, SIZE = 120000 };
    static uint8_t copy[SIZE];
    for (unsigned n = 0; n < MACHINES; n++) {
        struct image_run r;
        image_open(&r, &machines[n]);
        for (unsigned trial = 0; trial < STORED * KINDS; trial++) {
            const enum pixel_name p = stored[trial % STORED];
            const unsigned kind = trial / STORED % KINDS;
            const struct picture_facts f = picture_of(p, kind);
            fill(p, r.memory, SIZE);
            memcpy(copy, r.memory, SIZE);
            struct shape s = {
                .name = "image_store", .dim = kinds[kind].dim, .dmask = 15, .data = 4, .list = trial % 2};
            s.words = kinds[kind].coordinates;
            char text[256];
            unsigned place[13], at[64][3];
            bool inside[64];
            instruction_text(r.m, &s, text, place);
            make_resource(r.m, &f, r.memory, r.t);
            randomize(&r);
            for (unsigned l = 0; l < r.lanes; l++) {
                unsigned words[3];
                random_texel(&f, kind, at[l], &inside[l]);
                at[l][0] = inside[l] ? l % f.width : at[l][0]; // lanes apart
                const unsigned k = coordinates_of(kind, at[l], words);
                for (unsigned i = 0; i < k; i++) put_word(&r, place, i, l, words[i]);
                for (unsigned c = 0; c < 4; c++)
                    r.before[V_DATA + c][l] = is_integer(p) ? image_random() & (p == P_RGBA8SI ? 0x7f : 0xff)
                                                            : bits_of((float)(image_random() % 1001) / 1000);
            }
            instructions++;
            assert_int_equal(image_run(&r, text), SW_OK);
            nothing_else_changed(&r, 0, 0);
            for (unsigned l = 0; l < r.lanes; l++) {
                if (!executes(&r, l) || !inside[l]) continue;
                const size_t place_at = place_in(r.m, &f, at[l][0], at[l][1], at[l][2]);
                bool later = false;
                for (unsigned k = l + 1; k < r.lanes; k++)
                    later |= executes(&r, k) && inside[k] &&
                             place_at == place_in(r.m, &f, at[k][0], at[k][1], at[k][2]);
                memcpy(copy + place_at, r.memory + place_at, pixels[p].bytes);
                if (later) continue;
                double got[4];
                decode(p, r.memory + place_at, got);
                const double step = p == P_RGBA8 || p == P_R8 ? 0.5 / 255
                                    : p == P_RGB10A2          ? 0.5 / 3
                                    : p == P_RG16SN           ? 0.5 / 32767
                                    : p == P_RGBA16F          ? 0x1p-11
                                                              : 0;
                const unsigned components = p == P_R8 || p == P_R32UI || p == P_R32F ? 1
                                            : p == P_RG32UI || p == P_RG16SN         ? 2
                                                                                     : 4;
                for (unsigned c = 0; c < components; c++) {
                    const double want =
                        is_integer(p) ? r.before[V_DATA + c][l] : (double)float_of(r.before[V_DATA + c][l]);
                    const double bound = p == P_RGB10A2 && c < 3 ? 0.5 / 1023 : step;
                    compared++;
                    if (fabs(got[c] - want) > bound + 1e-7)
                        print_error("%s %s %s: %g, not %g\n", r.m->name, text, pixels[p].name, got[c], want);
                    assert_true(fabs(got[c] - want) <= bound + 1e-7);
                }
            }
            assert_memory_equal(copy, r.memory, SIZE);
        }
        image_close(&r);
    }
}

static uint16_t half_bits(double d) { // of numbers that F16 has
    if (d == 0) return 0;
    int e;
    const double m = frexp(fabs(d), &e);
    const uint16_t sign = d < 0 ? 0x8000 : 0;
    if (e < -13) return (uint16_t)(sign | lrint(ldexp(fabs(d), 24)));
    return (uint16_t)(sign | (e + 14) << 10 | (lrint(ldexp(m, 11)) & 1023));
}

// ---- Atomics ----

static uint64_t after_atomic(const char *op, uint64_t old, uint64_t src, uint64_t compare, unsigned bits) {
    const uint64_t all = bits == 64 ? ~0ull : 0xffffffff;
    const int64_t so = bits == 64 ? (int64_t)old : (int32_t)old,
                  ss = bits == 64 ? (int64_t)src : (int32_t)src;
    if (!strcmp(op, "swap")) return src;
    if (!strcmp(op, "cmpswap")) return old == compare ? src : old;
    if (!strncmp(op, "add", 3)) return (old + src) & all;
    if (!strncmp(op, "sub", 3)) return (old - src) & all;
    if (!strcmp(op, "smin") || !strcmp(op, "min_int")) return ss < so ? src : old;
    if (!strcmp(op, "umin") || !strcmp(op, "min_uint")) return src < old ? src : old;
    if (!strcmp(op, "smax") || !strcmp(op, "max_int")) return ss > so ? src : old;
    if (!strcmp(op, "umax") || !strcmp(op, "max_uint")) return src > old ? src : old;
    if (!strcmp(op, "and")) return old & src;
    if (!strcmp(op, "or")) return old | src;
    if (!strcmp(op, "xor")) return old ^ src;
    if (!strncmp(op, "inc", 3)) return old >= src ? 0 : old + 1;
    return old == 0 || old > src ? src : old - 1; // dec
}
static void atomics(void **state) {
    (void)state;
    static const char *const older[] = {"swap", "cmpswap", "add", "sub", "smin", "umin", "smax",
                                        "umax", "and",     "or",  "xor", "inc",  "dec"};
    static const char *const newer[] = {"swap",     "cmpswap",  "add_uint", "sub_uint", "min_int",
                                        "min_uint", "max_int",  "max_uint", "and",      "or",
                                        "xor",      "inc_uint", "dec_uint"};
    for (unsigned n = 0; n < MACHINES; n++) {
        struct image_run r;
        image_open(&r, &machines[n]);
        for (unsigned trial = 0; trial < 13 * 4; trial++) {
            const char *op = (r.m->layout == L_GFX12 ? newer : older)[trial % 13];
            const bool wide = trial / 13 & 1, returns = trial / 26 & 1, swaps = !strcmp(op, "cmpswap");
            const struct picture_facts f = picture_of(wide ? P_RG32UI : P_R32UI, 1);
            char name[64], text[256];
            unsigned place[13];
            sprintf(name, "image_atomic_%s", op);
            const unsigned words = (wide ? 2 : 1) * (swaps ? 2 : 1);
            const struct shape s = {.name = name,
                                    .dim = D_2D,
                                    .words = 2,
                                    .data = words,
                                    .dmask = (1u << words) - 1,
                                    .returns = returns,
                                    .list = trial & 1};
            instruction_text(r.m, &s, text, place);
            make_resource(r.m, &f, r.memory, r.t);
            randomize(&r);
            fill(P_R32UI, r.memory, 20000);
            uint64_t expected[64], old[64] = {0};
            bool inside[64];
            for (unsigned l = 0; l < r.lanes; l++) {
                unsigned at[3];
                random_texel(&f, 1, at, &inside[l]);
                if (inside[l]) at[0] = l % f.width, at[1] = l / f.width; // lanes apart
                put_word(&r, place, 0, l, at[0]), put_word(&r, place, 1, l, at[1]);
                if (!inside[l]) continue;
                memcpy(&old[l], r.memory + place_in(r.m, &f, at[0], at[1], 0), wide ? 8 : 4);
                if (swaps && l % 2) memcpy(&r.before[V_DATA + (wide ? 2 : 1)][l], &old[l], 4);
                if (swaps && l % 2 && wide) r.before[V_DATA + 3][l] = (uint32_t)(old[l] >> 32);
                const uint64_t src =
                    r.before[V_DATA][l] | (wide ? (uint64_t)r.before[V_DATA + 1][l] << 32 : 0);
                const uint64_t second = wide ? r.before[V_DATA + 2][l] | (uint64_t)r.before[V_DATA + 3][l]
                                                                             << 32
                                             : r.before[V_DATA + 1][l];
                expected[l] = after_atomic(op, old[l], src, second, wide ? 64 : 32);
            }
            instructions++;
            if (image_run(&r, text)) print_error("%s: %s fault %u\n", r.m->name, text, r.fault.kind);
            assert_int_equal(r.fault.kind, 0);
            nothing_else_changed(&r, V_DATA, returns ? (wide ? 2 : 1) : 0);
            for (unsigned l = 0; l < r.lanes; l++) {
                if (!executes(&r, l)) continue;
                if (returns) assert_int_equal(r.after[V_DATA][l], (uint32_t)old[l]);
                if (returns && wide) assert_int_equal(r.after[V_DATA + 1][l], (uint32_t)(old[l] >> 32));
                if (!inside[l]) continue;
                uint64_t now = 0;
                memcpy(&now, r.memory + place_in(r.m, &f, l % f.width, l / f.width, 0), wide ? 8 : 4);
                assert_true(now == expected[l]);
                compared += 2;
            }
        }
        image_close(&r);
    }
}

// Of floats, where there are such.
static void float_atomics(void **state) {
    (void)state;
    static const char *const older[] = {"fmin", "fmax", "fcmpswap"};
    static const char *const newer[] = {"min_flt", "max_flt", "add_flt", "pk_add_f16", "pk_add_bf16"};
    for (unsigned n = 0; n < MACHINES; n++) {
        const bool is_new = machines[n].layout == L_GFX12;
        if (!is_new && strcmp(machines[n].name, "gfx600") && machines[n].layout != L_GFX10 &&
            machines[n].layout != L_GFX10_3)
            continue;
        struct image_run r;
        image_open(&r, &machines[n]);
        for (unsigned trial = 0; trial < (is_new ? 5 : 3); trial++) {
            const char *op = (is_new ? newer : older)[trial];
            const bool swaps = !strcmp(op, "fcmpswap"), packed = !strncmp(op, "pk", 2);
            const struct picture_facts f = picture_of(packed ? P_R32UI : P_R32F, 1);
            char name[64], text[256];
            unsigned place[13];
            sprintf(name, "image_atomic_%s", op);
            const struct shape s = {.name = name,
                                    .dim = D_2D,
                                    .words = 2,
                                    .data = swaps ? 2 : 1,
                                    .dmask = swaps ? 3 : 1,
                                    .returns = true};
            instruction_text(r.m, &s, text, place);
            make_resource(r.m, &f, r.memory, r.t);
            randomize(&r);
            float old[64], src[64];
            for (unsigned l = 0; l < r.lanes; l++) {
                put_word(&r, place, 0, l, l % f.width), put_word(&r, place, 1, l, l / f.width);
                old[l] = (float)(image_random() % 64) / 4, src[l] = (float)(image_random() % 64) / 4;
                uint32_t v = bits_of(old[l]), d = bits_of(src[l]);
                // Two halves of 16 bits, the upper one 1.5: F16 and BF16 have these numbers.
                if (!strcmp(op, "pk_add_f16"))
                    v = half_bits((double)old[l]) | 0x3e000000, d = half_bits((double)src[l]) | 0x3e000000;
                if (!strcmp(op, "pk_add_bf16")) v = v >> 16 | 0x3fc00000, d = d >> 16 | 0x3fc00000;
                memcpy(r.memory + place_in(r.m, &f, l % f.width, l / f.width, 0), &v, 4);
                r.before[V_DATA][l] = d;
                if (swaps) r.before[V_DATA + 1][l] = l % 2 ? v : bits_of(-1);
            }
            instructions++;
            assert_int_equal(image_run(&r, text), SW_OK);
            for (unsigned l = 0; l < r.lanes; l++) {
                if (!executes(&r, l)) continue;
                uint32_t now;
                memcpy(&now, r.memory + place_in(r.m, &f, l % f.width, l / f.width, 0), 4);
                const float sum = old[l] + src[l];
                const uint32_t want = !strcmp(op, "pk_add_f16")    ? half_bits((double)sum) | 0x42000000
                                      : !strcmp(op, "pk_add_bf16") ? bits_of(sum) >> 16 | 0x40400000
                                      : !strcmp(op, "add_flt")     ? bits_of(sum)
                                      : swaps                      ? bits_of(l % 2 ? src[l] : old[l])
                                      : strstr(op, "min")          ? bits_of(fminf(old[l], src[l]))
                                                                   : bits_of(fmaxf(old[l], src[l]));
                assert_int_equal(now, want);
                if (!packed) assert_int_equal(r.after[V_DATA][l], bits_of(old[l]));
                compared += 2;
            }
        }
        image_close(&r);
    }
}

// Components as they lie in memory, with and without their signs, and put back.
static void raw_texels(void **state) {
    (void)state;
    for (unsigned n = 0; n < MACHINES; n++) {
        struct image_run r;
        image_open(&r, &machines[n]);
        for (unsigned trial = 0; trial < 3; trial++) {
            static const char *const names[] = {"image_load_pck", "image_load_pck_sgn", "image_store_pck"};
            const struct picture_facts f = picture_of(trial ? P_RGBA8 : P_RGBA8SI, 1);
            const struct shape s = {.name = names[trial], .dim = D_2D, .words = 2, .data = 4, .dmask = 15};
            char text[256];
            unsigned place[13];
            fill(f.pixel, r.memory, 20000);
            instruction_text(r.m, &s, text, place);
            make_resource(r.m, &f, r.memory, r.t);
            randomize(&r);
            for (unsigned l = 0; l < r.lanes; l++)
                put_word(&r, place, 0, l, l % f.width), put_word(&r, place, 1, l, l / f.width);
            instructions++;
            assert_int_equal(image_run(&r, text), SW_OK);
            for (unsigned l = 0; l < r.lanes; l++)
                for (unsigned c = 0; c < 4 && executes(&r, l); c++) {
                    const uint8_t b = r.memory[place_in(r.m, &f, l % f.width, l / f.width, 0) + c];
                    if (trial == 2)
                        assert_int_equal(b, r.before[V_DATA + c][l] & 255);
                    else
                        assert_int_equal(r.after[V_DATA + c][l], trial ? (uint32_t)(int8_t)b : b);
                    compared++;
                }
        }
        image_close(&r);
    }
}

// ---- Samples ----

enum part {
    P_OFFSET = 1,
    P_BIAS = 2,
    P_REFERENCE = 4,
    P_GRADIENTS = 8,
    P_LEVEL = 16,
    P_G16 = 32,
    P_GATHER = 64,
    P_LIMIT = 128,
    P_ZERO = 256
};
static const struct variant {
    const char *name;
    unsigned parts, from, until; // layouts that have it
} variants[] = {
    {"image_sample", 0, 0, 9},
    {"image_sample_l", P_LEVEL, 0, 9},
    {"image_sample_lz", P_ZERO, 0, 9},
    {"image_sample_b", P_BIAS, 0, 9},
    {"image_sample_d", P_GRADIENTS, 0, 9},
    {"image_sample_cl", P_LEVEL | P_LIMIT, 0, 9},
    {"image_sample_d_cl", P_GRADIENTS | P_LEVEL | P_LIMIT, 0, 9},
    {"image_sample_b_cl", P_BIAS | P_LEVEL | P_LIMIT, 0, 9},
    {"image_sample_o", P_OFFSET, 0, 9},
    {"image_sample_c", P_REFERENCE, 0, 9},
    {"image_sample_c_l", P_REFERENCE | P_LEVEL, 0, 9},
    {"image_sample_c_lz_o", P_REFERENCE | P_OFFSET | P_ZERO, 0, 9},
    {"image_sample_l_o", P_LEVEL | P_OFFSET, 0, 9},
    {"image_sample_b_o", P_BIAS | P_OFFSET, 0, 9},
    {"image_sample_d_o", P_GRADIENTS | P_OFFSET, 0, 9},
    {"image_sample_c_b_o", P_REFERENCE | P_BIAS | P_OFFSET, 0, 9},
    {"image_sample_c_d_o", P_REFERENCE | P_GRADIENTS | P_OFFSET, 0, 9},
    {"image_sample_c_d_cl_o", P_REFERENCE | P_GRADIENTS | P_OFFSET | P_LEVEL | P_LIMIT, 0, 9},
    {"image_sample_c_b_cl_o", P_REFERENCE | P_BIAS | P_OFFSET | P_LEVEL | P_LIMIT, 0, 9},
    {"image_sample_cd", P_GRADIENTS, 0, L_GFX10_3},
    {"image_sample_c_cd_cl_o", P_REFERENCE | P_GRADIENTS | P_OFFSET | P_LEVEL | P_LIMIT, 0, L_GFX10_3},
    {"image_sample_d_g16", P_GRADIENTS | P_G16, L_GFX10, 9},
    {"image_sample_c_d_cl_o_g16", P_REFERENCE | P_GRADIENTS | P_OFFSET | P_LEVEL | P_LIMIT | P_G16, L_GFX10,
     9},
    {"image_gather4", P_GATHER, 0, 9},
    {"image_gather4_l", P_GATHER | P_LEVEL, 0, 9},
    {"image_gather4_lz_o", P_GATHER | P_OFFSET | P_ZERO, 0, 9},
    {"image_gather4_c", P_GATHER | P_REFERENCE, 0, 9},
    {"image_gather4_c_lz_o", P_GATHER | P_REFERENCE | P_OFFSET | P_ZERO, 0, 9},
};
enum { VARIANTS = sizeof variants / sizeof *variants };

// Writes operands in their order; counts halves of dwords.
struct operands {
    struct image_run *r;
    const unsigned *place;
    unsigned next, lane;
};
static void operand(struct operands *o, double v, bool half) {
    if (!half) o->next = (o->next + 1) & ~1u;
    if (o->r && half) put_half(o->r, o->place, o->next, o->lane, half_bits(v));
    if (o->r && !half) put_word(o->r, o->place, o->next / 2, o->lane, bits_of((float)v));
    o->next += half ? 1 : 2;
}
static void raw_operand(struct operands *o, uint32_t v) {
    o->next = (o->next + 1) & ~1u;
    if (o->r) put_word(o->r, o->place, o->next / 2, o->lane, v);
    o->next += 2;
}
struct lane_values {
    double at[3], gradient[2][3], bias, reference, level;
    int offset[3];
};
// The order of the manuals; the number of dwords.
static unsigned put_operands(struct image_run *r, const struct machine_kind *m, const unsigned *place,
                             unsigned lane, unsigned parts, unsigned kind, bool a16,
                             const struct lane_values *v) {
    static const unsigned spaces[] = {1, 2, 3, 1, 2, 2};
    struct operands o = {r, place, 0, lane};
    const bool short_gradients = parts & P_G16 || (a16 && m->layout == L_GFX9);
    const unsigned space = spaces[kind];
    if (parts & P_OFFSET)
        raw_operand(&o, (uint32_t)(v->offset[0] & 63) | (uint32_t)(v->offset[1] & 63) << 8 |
                            (uint32_t)(v->offset[2] & 63) << 16);
    if (parts & P_BIAS) operand(&o, v->bias, a16);
    o.next = (o.next + 1) & ~1u;
    if (parts & P_REFERENCE) operand(&o, v->reference, false);
    if (parts & P_GRADIENTS)
        for (unsigned d = 0; d < 2; d++) {
            o.next = (o.next + 1) & ~1u;
            for (unsigned i = 0; i < space; i++) operand(&o, v->gradient[d][i], short_gradients);
        }
    o.next = (o.next + 1) & ~1u;
    for (unsigned i = 0; i < kinds[kind].coordinates; i++) operand(&o, v->at[i], a16);
    if (parts & P_LEVEL) operand(&o, v->level, a16);
    return (o.next + 1) / 2;
}

// Coordinates, slices, offsets and references stand where each operation has them.
static void samples(void **state) {
    (void)state;
    enum { W = 32, H = 16, D = 8 };
    for (unsigned n = 0; n < MACHINES; n++) {
        struct image_run r;
        image_open(&r, &machines[n]);
        for (unsigned trial = 0; trial < VARIANTS * KINDS * 2; trial++) {
            const struct variant *x = &variants[trial % VARIANTS];
            const unsigned kind = trial / VARIANTS % KINDS;
            const enum dim dim = kinds[kind].dim;
            const bool a16 = has_a16(r.m) && trial / VARIANTS >= KINDS, cube = dim == D_CUBE,
                       one = dim == D_1D || dim == D_1D_ARRAY;
            const bool gather = x->parts & P_GATHER, has_slices = dim == D_1D_ARRAY || dim == D_2D_ARRAY;
            if (r.m->layout < x->from || r.m->layout > x->until || (r.m->few && trial % VARIANTS) ||
                (gather && dim != D_2D && dim != D_2D_ARRAY && !cube))
                continue;
            struct picture_facts f = {.pixel = P_R32F,
                                      .type = kinds[kind].type,
                                      .width = W,
                                      .height = one    ? 1
                                                : cube ? W
                                                       : H,
                                      .depth = dim == D_3D || has_slices ? D
                                               : cube                    ? 6
                                                                         : 1};
            for (unsigned z = 0; z < f.depth; z++)
                for (unsigned y = 0; y < f.height; y++)
                    for (unsigned i = 0; i < W; i++) {
                        const float v = (float)(i + 32.0 * y + 1024.0 * z);
                        memcpy(r.memory + place_in(r.m, &f, i, y, z), &v, 4);
                    }
            make_resource(r.m, &f, r.memory, r.t);
            const bool linear = trial & 1 || gather;
            const struct sampler_facts sampler = {
                .clamp = {2, 2, 2}, .filter = linear, .compare = 1, .most = 15};
            make_sampler(r.m, &sampler, r.s);
            struct lane_values none = {.at = {0}};
            struct shape s = {.name = x->name,
                              .dim = dim,
                              .data = gather ? 4 : 1,
                              .dmask = 1,
                              .list = trial % 3 == 0,
                              .sampler = true,
                              .a16 = a16};
            s.words = put_operands(NULL, r.m, NULL, 0, x->parts, kind, a16, &none);
            char text[256];
            unsigned place[13];
            instruction_text(r.m, &s, text, place);
            randomize(&r);
            double want[64][4];
            for (unsigned l = 0; l < r.lanes; l++) {
                struct lane_values v = {.bias = 1, .level = 0, .reference = l % 2 ? -5 : 1e6};
                double texel[3] = {0};
                // By quarters of a texel, inside; a point filter is never between two.
                for (unsigned i = 0; i < 2; i++) {
                    const double size = i ? f.height : W;
                    texel[i] =
                        size == 1 ? 0.5 : 5 + image_random() % 5 + (linear ? image_random() % 4 / 4.0 : 0.5);
                    v.at[i] = texel[i] / size + (cube ? 1 : 0);
                    v.gradient[0][i] = v.gradient[1][i] = 0.125;
                    v.offset[i] = (int)(image_random() % 7) - 3;
                }
                double slice = 0;
                if (has_slices || cube) slice = v.at[one ? 1 : 2] = image_random() % (cube ? 6 : D);
                if (dim == D_3D) {
                    texel[2] = 4 + image_random() % 2 + (linear ? 0.25 : 0.5);
                    v.at[2] = texel[2] / D;
                    v.offset[2] = (int)(image_random() % 3) - 1;
                }
                assert_int_equal(put_operands(&r, r.m, place, l, x->parts, kind, a16, &v), s.words);
                if (!(x->parts & P_OFFSET) || cube) memset(v.offset, 0, sizeof v.offset);
                static const int8_t corners[4][2] = {{0, 1}, {1, 1}, {1, 0}, {0, 0}};
                for (unsigned k = 0; k < (gather ? 4u : 1u); k++) {
                    double t[3];
                    for (unsigned i = 0; i < 3; i++) t[i] = texel[i] - 0.5 + v.offset[i];
                    if (gather) t[0] = floor(t[0]) + corners[k][0], t[1] = floor(t[1]) + corners[k][1];
                    if (one) t[1] = 0;
                    if (dim != D_3D) t[2] = slice;
                    want[l][k] = x->parts & P_REFERENCE ? !(l % 2) ? 0 : 1 : t[0] + 32 * t[1] + 1024 * t[2];
                }
            }
            instructions++;
            if (image_run(&r, text)) print_error("%s: %s fault %u\n", r.m->name, text, r.fault.kind);
            assert_int_equal(r.fault.kind, 0);
            nothing_else_changed(&r, V_DATA, s.data);
            for (unsigned l = 0; l < r.lanes; l++)
                for (unsigned k = 0; executes(&r, l) && k < s.data; k++) {
                    compared++;
                    if (fabs((double)float_of(r.after[V_DATA + k][l]) - want[l][k]) > 0.001) {
                        print_error("%s: %s, lane %u, result %u: %g, not %g\n", r.m->name, text, l, k,
                                    (double)float_of(r.after[V_DATA + k][l]), want[l][k]);
                        fail();
                    }
                }
        }
        image_close(&r);
    }
}

// Levels: each has one colour, 100 times its number, written by image_store_mip.
static void levels(void **state) {
    (void)state;
    enum { SIZE = 32, LEVELS = 4 };
    for (unsigned n = 0; n < MACHINES; n++) {
        struct image_run r;
        image_open(&r, &machines[n]);
        const struct picture_facts f = {.pixel = P_R32F,
                                        .type = TYPE_2D,
                                        .width = SIZE,
                                        .height = SIZE,
                                        .depth = 1,
                                        .last_level = LEVELS - 1};
        make_resource(r.m, &f, r.memory, r.t);
        char text[256];
        unsigned place[13];
        for (unsigned level = 0; level < LEVELS; level++) {
            const unsigned size = SIZE >> level;
            const struct shape s = {
                .name = "image_store_mip", .dim = D_2D, .words = 3, .data = 1, .dmask = 1};
            instruction_text(r.m, &s, text, place);
            for (unsigned first = 0; first < size * size; first += r.lanes) {
                randomize(&r);
                r.exec = r.lanes == 64 ? ~0ull : 0xffffffff;
                for (unsigned l = 0; l < r.lanes; l++) {
                    put_word(&r, place, 0, l, (first + l) % size),
                        put_word(&r, place, 1, l, (first + l) / size);
                    put_word(&r, place, 2, l, level);
                    r.before[V_DATA][l] = bits_of(100.0f * (float)level);
                }
                assert_int_equal(image_run(&r, text), SW_OK);
            }
        }
        for (unsigned trial = 0; trial < VARIANTS * 4; trial++) {
            const struct variant *x = &variants[trial % VARIANTS];
            const bool a16 = has_a16(r.m) && trial / VARIANTS % 2;
            if (r.m->layout < x->from || r.m->layout > x->until || (r.m->few && trial % VARIANTS) ||
                x->parts & (P_GATHER | P_REFERENCE))
                continue;
            const struct sampler_facts sampler = {.clamp = {2, 2, 2},
                                                  .filter = 1,
                                                  .mip = 2,
                                                  .most = trial % 3 ? 15 : 2.25,
                                                  .bias = trial % 5 ? 0 : 0.25};
            make_sampler(r.m, &sampler, r.s);
            struct lane_values none = {.at = {0}};
            struct shape s = {.name = x->name,
                              .dim = D_2D,
                              .data = 1,
                              .dmask = 1,
                              .list = trial % 2,
                              .sampler = true,
                              .a16 = a16};
            s.words = put_operands(NULL, r.m, NULL, 0, x->parts, 1, a16, &none);
            instruction_text(r.m, &s, text, place);
            randomize(&r);
            double want[64];
            for (unsigned l = 0; l < r.lanes; l++) {
                static unsigned across, down;
                if (l % 4 == 0)
                    across = image_random() % 5, down = image_random() % 5; // powers of two, in texels
                struct lane_values v = {.bias = (double)(image_random() % 9) / 8 - 0.5,
                                        .level = (double)(image_random() % 33) / 8 - 0.5};
                v.at[0] = 0.25 + (l & 1) * ldexp(1, (int)across) / SIZE;
                v.at[1] = 0.25 + (l >> 1 & 1) * ldexp(1, (int)down) / SIZE;
                if (x->parts & P_GRADIENTS)
                    v.at[0] = v.at[1] = 0.5, v.gradient[0][0] = ldexp(1, (int)across) / SIZE,
                    v.gradient[1][1] = ldexp(1, (int)down) / SIZE;
                put_operands(&r, r.m, place, l, x->parts, 1, a16, &v);
                double level = across > down ? across : down;
                if (x->parts & P_LEVEL && !(x->parts & P_LIMIT)) level = v.level;
                if (x->parts & P_BIAS) level += v.bias;
                level = fmin(level + sampler.bias, sampler.most);
                if (x->parts & P_LIMIT) level = fmax(level, v.level);
                if (x->parts & P_ZERO) level = 0;
                want[l] = 100 * fmin(fmax(level, 0), LEVELS - 1);
            }
            instructions++;
            assert_int_equal(image_run(&r, text), SW_OK);
            for (unsigned l = 0; l < r.lanes; l++) {
                if (!executes(&r, l)) continue;
                compared++;
                if (fabs((double)float_of(r.after[V_DATA][l]) - want[l]) > 100 / 256.0 + 1e-3) {
                    print_error("%s: %s, lane %u: %g, not %g\n", r.m->name, text, l,
                                (double)float_of(r.after[V_DATA][l]), want[l]);
                    fail();
                }
            }
        }
        // What an image says of itself.
        const struct shape q = {.name = "image_get_resinfo", .dim = D_2D, .words = 1, .data = 4, .dmask = 15};
        instruction_text(r.m, &q, text, place);
        randomize(&r);
        for (unsigned l = 0; l < r.lanes; l++) put_word(&r, place, 0, l, l % 6);
        assert_int_equal(image_run(&r, text), SW_OK);
        for (unsigned l = 0; l < r.lanes; l++) {
            if (!executes(&r, l)) continue;
            const bool there = l % 6 < LEVELS;
            assert_int_equal(r.after[V_DATA][l], there ? SIZE >> l % 6 : 0);
            assert_int_equal(r.after[V_DATA + 1][l], there ? SIZE >> l % 6 : 0);
            assert_int_equal(r.after[V_DATA + 3][l], there ? LEVELS : 0);
            compared += 3;
        }
        image_close(&r);
    }
}

// ---- Errors ----

// Memory that is not the device's: a fault that names lane and address. No resource: nothing is there.
static void bad_resources(void **state) {
    (void)state;
    for (unsigned n = 0; n < MACHINES; n++) {
        struct image_run r;
        image_open(&r, &machines[n]);
        struct picture_facts f = picture_of(P_R32F, 1);
        const struct shape s = {.name = "image_load", .dim = D_2D, .words = 2, .data = 1, .dmask = 1};
        char text[256];
        unsigned place[13];
        instruction_text(r.m, &s, text, place);
        make_resource(r.m, &f, (const void *)(uintptr_t)0x123400000000, r.t);
        randomize(&r);
        r.exec = 0xf0;
        for (unsigned l = 0; l < r.lanes; l++) put_word(&r, place, 0, l, 3), put_word(&r, place, 1, l, 2);
        assert_int_equal(image_run(&r, text), SW_FAULT);
        assert_int_equal(r.fault.kind, SW_FAULT_READ);
        assert_int_equal(r.fault.lane, 4);
        assert_true(r.fault.address == 0x123400000000 + place_in(r.m, &f, 3, 2, 0));
        memset(r.t, 0, sizeof r.t); // unbound
        r.t[3] = 9u << 28;
        assert_int_equal(image_run(&r, text), SW_OK);
        for (unsigned l = 4; l < 8; l++) assert_int_equal(r.after[V_DATA][l], 0);
        r.t[0] = 64, r.t[3] = 0; // a buffer's: nothing happens
        assert_int_equal(image_run(&r, text), SW_OK);
        nothing_else_changed(&r, 0, 0);
        instructions += 3, compared += 8;
        image_close(&r);
    }
}

// Any bits as resource, sampler and address: an end in little time, a result, a fault or a reason.
static void hostile(void **state) {
    (void)state;
    static const char *const names[] = {"image_load",        "image_store",   "image_sample",
                                        "image_sample_l",    "image_gather4", "image_atomic_and",
                                        "image_get_resinfo", "image_get_lod"};
    unsigned ended[16] = {0};
    for (unsigned n = 0; n < MACHINES; n++) {
        struct image_run r;
        image_open(&r, &machines[n]);
        for (unsigned trial = 0; trial < 240; trial++) {
            const unsigned kind = trial % KINDS, which = image_random() % 8;
            if (r.m->few && (which == 3 || which == 4 || which == 7)) continue;
            const bool samples_it = which >= 2 && which != 5 && which != 6;
            struct picture_facts f = picture_of((enum pixel_name)(image_random() % PIXELS), kind);
            make_resource(r.m, &f, r.memory, r.t);
            struct sampler_facts sampler = {.filter = 1, .most = 15};
            make_sampler(r.m, &sampler, r.s);
            for (unsigned i = 0; i < 8; i++)
                if (i && trial % 4 == 0)
                    r.t[i] = image_random();
                else if (trial % 4 < 3)
                    r.t[i] ^= image_random() & image_random() & image_random() & image_random();
            if (trial % 7 == 0) memcpy(r.t, r.before[image_random() % 9], 32);
            for (unsigned i = 0; i < 4; i++) r.s[i] = image_random();
            struct shape s = {.name = names[which],
                              .dim = kinds[kind].dim,
                              .data = which == 4 ? 4 : 1,
                              .dmask = 1,
                              .sampler = samples_it};
            s.words = which == 6 ? 1 : kinds[kind].coordinates + (which == 3);
            char text[256];
            unsigned place[13];
            instruction_text(r.m, &s, text, place);
            randomize(&r);
            instructions++;
            const sw_status status = image_run(&r, text);
            assert_true(status == SW_OK || status == SW_FAULT || status == SW_UNSUPPORTED);
            ended[r.fault.kind < 16 ? r.fault.kind : 15]++;
        }
        image_close(&r);
    }
    for (unsigned k = 0; k < 16; k++)
        if (ended[k]) print_message("  fault kind %u: %u\n", k, ended[k]);
}

static void count(void **state) {
    (void)state;
    print_message("%u instructions, %u values compared\n", instructions, compared);
    assert_true(instructions > 2000 && compared > 100000);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(loads),         cmocka_unit_test(stores),        cmocka_unit_test(atomics),
        cmocka_unit_test(float_atomics), cmocka_unit_test(raw_texels),    cmocka_unit_test(samples),
        cmocka_unit_test(levels),        cmocka_unit_test(bad_resources), cmocka_unit_test(hostile),
        cmocka_unit_test(count),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
