// SPDX-License-Identifier: MIT
// Program headers, addresses and file offsets. Each segment begins on a page of its own, at the same place in
// the page as in the file, so that the file needs no padding between segments. Leaves every section and
// segment placed and the file's size known.
#include <string.h>

#include "link/link.h"

// Far more than any GPU has; keeps every sum of addresses from overflowing.
static const uint64_t MAX_ADDRESS = 1ull << 46;

// ---- Segments ----

static void extend(struct link_segment *g, struct output_section *o) {
    if (!g->first) g->first = o;
    g->last = o;
    if (o->alignment > g->alignment) g->alignment = o->alignment;
}

static struct link_segment *add_segment(struct link *l, uint32_t type, uint32_t flags) {
    struct link_segment g = {
        .type = type, .flags = flags, .alignment = type == PT_LOAD ? l->options->max_page_size : 0};
    return link_push(l, &l->segments, g) ? &l->segments.items[l->segments.count - 1] : NULL;
}

static void add_one(struct link *l, uint32_t type, uint32_t flags, struct output_section *o) {
    struct link_segment *g = add_segment(l, type, flags);
    if (g) extend(g, o);
}

static uint32_t rights_of(const struct output_section *o) {
    return PF_R | (o->flags & SHF_WRITE ? PF_W : 0u) | (o->flags & SHF_EXECINSTR ? PF_X : 0u);
}

// What the loader may make read-only once it has relocated: a row of sections.
static struct link_segment relro_row(struct link *l, struct output_section **behind) {
    struct link_segment g = {.type = PT_GNU_RELRO, .flags = PF_R};
    bool inside = false;
    *behind = NULL;
    for (size_t i = 0; i < l->sections.count; i++) {
        struct output_section *o = l->sections.items[i];
        if (!(o->flags & SHF_ALLOC)) continue;
        if (o->relro)
            extend(&g, o);
        else if (inside && !*behind)
            *behind = o;
        inside = o->relro;
    }
    g.alignment = 1;
    return g;
}

static void add_loads(struct link *l, const struct output_section *relro_end) {
    uint32_t flags = PF_R;
    struct link_segment *g = add_segment(l, PT_LOAD, PF_R);
    if (!g) return;
    extend(g, &l->header);
    extend(g, &l->program_headers);
    for (size_t i = 0; i < l->sections.count && g; i++) {
        struct output_section *o = l->sections.items[i];
        if (!(o->flags & SHF_ALLOC)) continue;
        uint32_t rights = rights_of(o), differ = flags ^ rights;
        if (l->options->single_read_only_segment && !(rights & PF_W)) differ &= ~(uint32_t)PF_X;
        // What has no bytes in the file can only end a segment.
        bool goes_on = !differ && o != relro_end && (o->type == SHT_NOBITS || g->last->type != SHT_NOBITS);
        if (goes_on)
            g->flags |= rights;
        else {
            g = add_segment(l, PT_LOAD, rights);
            flags = rights;
        }
        if (g) extend(g, o);
    }
}

static void add_notes(struct link *l) {
    struct link_segment *g = NULL;
    for (size_t i = 0; i < l->sections.count; i++) {
        struct output_section *o = l->sections.items[i];
        if (o->type != SHT_NOTE || !(o->flags & SHF_ALLOC)) {
            g = NULL;
            continue;
        }
        if (!g || g->last->alignment != o->alignment) g = add_segment(l, PT_NOTE, PF_R);
        if (g) extend(g, o);
    }
}

void segments_create(struct link *l) {
    struct output_section *relro_end;
    struct link_segment relro = relro_row(l, &relro_end);
    add_one(l, PT_PHDR, PF_R, &l->program_headers);
    add_loads(l, relro_end);
    struct output_section *dynamic = l->own[OWN_DYNAMIC].out;
    add_one(l, PT_DYNAMIC, rights_of(dynamic), dynamic);
    if (relro.first) link_push(l, &l->segments, relro);
    if (!l->options->no_gnu_stack_header) add_segment(l, PT_GNU_STACK, PF_R | PF_W);
    add_notes(l);
    if (l->segments.count >= PN_XNUM)
        link_error(l, NULL, NULL, "%zu program headers, more than a file can have", l->segments.count);
    l->program_headers.size = l->segments.count * sizeof(Elf64_Phdr);
    for (size_t i = 0; i < l->segments.count; i++) {
        struct link_segment *g = &l->segments.items[i];
        if (g->type != PT_LOAD) continue;
        bool inside = g->first == &l->header;
        for (size_t n = 0; n < l->sections.count; n++) {
            struct output_section *o = l->sections.items[n];
            if (o == g->first) inside = true;
            if (inside && (o->flags & SHF_ALLOC) && !o->load) o->load = g;
            if (o == g->last) break;
        }
        if (g->last == &l->program_headers)
            for (size_t n = 0; n < l->sections.count; n++)
                if (l->sections.items[n]->load == g) l->sections.items[n]->load = NULL;
    }
}

// ---- Addresses ----

// Where the first section of a segment may begin: on a new page, at the file's place in it.
static uint64_t segment_start(const struct link *l, uint64_t at, const struct link_segment *g,
                              const struct link_segment *before) {
    uint64_t page = l->options->max_page_size, next = align_up(at, page);
    if (l->options->separate_code && before && ((before->flags ^ g->flags) & PF_X)) return next;
    return next + at % page;
}

static bool place_inputs(struct link *l, struct output_section *o) {
    uint64_t at = o->address;
    for (size_t i = 0; i < o->inputs.count; i++) {
        struct input_section *s = o->inputs.items[i];
        at = align_up(at, s->alignment);
        s->place = at - o->address;
        at += s->size;
        if (s->alignment > MAX_ADDRESS || s->size > MAX_ADDRESS || at > MAX_ADDRESS) {
            link_error(l, s->file, s->name, "size 0x%llx with alignment 0x%llx does not fit any memory",
                       (unsigned long long)s->size, (unsigned long long)s->alignment);
            return false;
        }
    }
    o->size = at - o->address;
    return true;
}

static void assign_addresses(struct link *l) {
    uint64_t at = sizeof(Elf64_Ehdr) + l->program_headers.size;
    l->header.size = l->program_headers.address = l->program_headers.offset = sizeof(Elf64_Ehdr);
    const struct link_segment *before = NULL;
    for (size_t i = 0; i < l->sections.count; i++) {
        struct output_section *o = l->sections.items[i];
        bool loaded = o->flags & SHF_ALLOC;
        if (!loaded)
            o->address = 0;
        else {
            if (o->load && o->load->first == o) at = segment_start(l, at, o->load, before);
            if (o->load) before = o->load;
            o->address = align_up(at, o->alignment);
        }
        if (!place_inputs(l, o)) return;
        if (loaded) at = o->address + o->size;
        // Fills its page up for the loader's sake, but what follows goes on where it began.
        if (o == l->own[OWN_RELRO_PADDING].out) o->size = align_up(at, 4096) - at;
    }
}

// ---- File offsets ----

// The smallest offset from `at` on that equals `address` within units of `alignment`.
static uint64_t congruent(uint64_t at, uint64_t alignment, uint64_t address) {
    return at + ((address - at) & (alignment - 1));
}

static uint64_t file_offset(const struct output_section *o, uint64_t at) {
    if (o->load && o->load->first == o) return congruent(at, o->load->alignment, o->address);
    if (o->type == SHT_NOBITS) return at;
    if (!o->load) return align_up(at, o->alignment);
    return o->load->first->offset + (o->address - o->load->first->address);
}

static void assign_offsets(struct link *l) {
    uint64_t at = sizeof(Elf64_Ehdr) + l->program_headers.size;
    const struct link_segment *last_code = NULL;
    for (size_t i = 0; i < l->segments.count; i++)
        if (l->segments.items[i].type == PT_LOAD && (l->segments.items[i].flags & PF_X))
            last_code = &l->segments.items[i];
    for (int loaded = 1; loaded >= 0; loaded--)
        for (size_t i = 0; i < l->sections.count; i++) {
            struct output_section *o = l->sections.items[i];
            if (loaded != !!(o->flags & SHF_ALLOC)) continue;
            at = o->offset = loaded ? file_offset(o, at) : align_up(at, o->alignment);
            if (!loaded || o->type != SHT_NOBITS) at += o->size;
            if (l->options->separate_code && last_code && last_code->last == o)
                at = align_up(at, l->options->max_page_size);
        }
    l->section_headers = align_up(at, 8);
    l->file_size = l->section_headers + (l->sections.count + 1) * sizeof(Elf64_Shdr);
    if (l->file_size > l->options->max_output)
        link_error(l, NULL, NULL, "the output would take %llu bytes, at most %llu are allowed",
                   (unsigned long long)l->file_size, (unsigned long long)l->options->max_output);
}

// An empty segment would make a loader map nothing.
static void drop_empty_loads(struct link *l) {
    size_t kept = 0;
    for (size_t i = 0; i < l->segments.count; i++) {
        struct link_segment *g = &l->segments.items[i];
        bool empty = g->type == PT_LOAD && g->last->address + g->last->size == g->first->address;
        for (size_t n = 0; g->type == PT_LOAD && n < l->sections.count; n++) { // there are few of these
            struct output_section *o = l->sections.items[n];
            if (o->load == g) o->load = empty ? NULL : &l->segments.items[kept];
        }
        if (!empty) l->segments.items[kept++] = *g;
    }
    l->segments.count = kept;
}

static void finish_segments(struct link *l) {
    for (size_t i = 0; i < l->segments.count; i++) {
        struct link_segment *g = &l->segments.items[i];
        if (!g->first) continue;
        g->file_size = g->last->offset - g->first->offset + (g->last->type == SHT_NOBITS ? 0 : g->last->size);
        g->memory_size = g->last->address + g->last->size - g->first->address;
        g->offset = g->first->offset;
        g->address = g->first->address;
    }
}

void layout_assign(struct link *l) {
    assign_addresses(l);
    bool ordered = false;
    for (size_t i = 0; i < l->sections.count; i++)
        ordered |= (l->sections.items[i]->flags & SHF_LINK_ORDER) != 0;
    if (ordered && !link_failed(l)) { // what they describe has its place now
        output_link_order(l);
        assign_addresses(l);
    }
    if (link_failed(l)) return;
    drop_empty_loads(l);
    assign_offsets(l);
    finish_segments(l);
}
