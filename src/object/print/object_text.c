// SPDX-License-Identifier: MIT
// A code object as text: header, tables, notes, metadata, kernels. json.c says the same in JSON.
#include "object/print/print.h"
#include "object/code/object.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

const char *sw_container_kind_text(sw_container_kind k) {
    static const char *const names[] = {"code object",    "offload bundle", "compressed offload bundle",
                                        "offload binary", "host file",      "archive",
                                        "bundle of texts"};
    return names[k];
}

static void name(struct text *t, const char *s) { text_name(t, s, strlen(s)); }

// A number's name, or the number.
static void named(struct text *t, const char *known, unsigned number) {
    if (known)
        text_puts(t, known);
    else
        text_printf(t, "0x%x", number);
}

// ---- Header and tables ---------------------------------------------------------------------------------

static void header(struct text *t, const sw_object *o) {
    static const char *const os[] = {"none", "amdhsa", "amdpal", "mesa3d"};
    const sw_header *h = &o->header;
    char target[SW_TARGET_TEXT];
    if (o->target.processor)
        sw_target_format(&o->target, target);
    else
        strcpy(target, "unknown");
    text_printf(t, "Code object");
    if (h->code_object_version) text_printf(t, " V%u", h->code_object_version);
    text_printf(t, " for %s", target);
    if (h->generic_version) text_printf(t, " version %u", h->generic_version);
    text_printf(t, "\n  type            %s\n",
                h->relocatable       ? "ET_REL, relocatable"
                : h->type == ET_DYN  ? "ET_DYN, linked"
                : h->type == ET_CORE ? "ET_CORE, memory and state of a process"
                                     : "ET_EXEC");
    text_printf(t, "  os              %s (EI_OSABI %u, EI_ABIVERSION %u)\n", os[h->os], h->os_abi,
                h->abi_version);
    static const char *const settings[] = {"unsupported", "any", "off", "on"};
    text_printf(t, "  e_flags         0x%08x", h->flags);
    if (o->target.processor)
        text_printf(t, " (%s%s, sramecc %s, xnack %s)", h->code_object_version == 2 ? "by its note " : "",
                    sw_processor_name(o->target.processor), settings[o->target.sramecc],
                    settings[o->target.xnack]);
    text_printf(t, "\n  e_entry         0x%" PRIx64 "\n", h->entry);
    text_printf(t, "  memory          0x%" PRIx64 " bytes, aligned to 0x%" PRIx64 "\n", o->layout.size,
                o->layout.alignment);
    if (o->layout.lds_size) text_printf(t, "  LDS variables   %u bytes\n", o->layout.lds_size);
}

static void section_flags(struct text *t, uint64_t flags) {
    static const struct {
        uint64_t bit;
        char letter;
    } letters[] = {{SHF_WRITE, 'W'},   {SHF_ALLOC, 'A'},     {SHF_EXECINSTR, 'X'},  {SHF_MERGE, 'M'},
                   {SHF_STRINGS, 'S'}, {SHF_INFO_LINK, 'I'}, {SHF_LINK_ORDER, 'L'}, {SHF_GROUP, 'G'},
                   {SHF_TLS, 'T'},     {SHF_EXCLUDE, 'E'}};
    char out[16] = "-";
    size_t n = 0;
    for (size_t i = 0; i < sizeof letters / sizeof *letters; i++)
        if (flags & letters[i].bit) out[n++] = letters[i].letter, out[n] = 0;
    text_puts(t, out);
}

static void sections(struct text *t, const sw_object *o) {
    if (!o->section_count) return;
    text_printf(
        t,
        "\nSections (%zu)\n  number  type          flags  address     offset      size        align  name\n",
        o->section_count);
    for (size_t i = 0; i < o->section_count; i++) {
        const sw_section *s = &o->sections[i];
        text_printf(t, "  %6zu  ", i);
        named(t, name_of_section_type(s->type), s->type);
        text_pad(t, 24);
        section_flags(t, s->flags);
        text_pad(t, 31);
        text_printf(t, "0x%08" PRIx64 "  0x%08" PRIx64 "  0x%08" PRIx64 "  %5" PRIu64 "  ", s->address,
                    s->offset, s->size, s->alignment);
        name(t, s->name);
        text_puts(t, "\n");
    }
}

static void segments(struct text *t, const sw_object *o) {
    if (!o->segment_count) return;
    text_printf(
        t, "\nSegments (%zu)\n  type        rights  address     offset      file        memory      align\n",
        o->segment_count);
    for (size_t i = 0; i < o->segment_count; i++) {
        const sw_segment *s = &o->segments[i];
        text_puts(t, "  ");
        named(t, name_of_segment_type(s->type), s->type);
        text_pad(t, 14);
        text_printf(t,
                    "%c%c%c     0x%08" PRIx64 "  0x%08" PRIx64 "  0x%08" PRIx64 "  0x%08" PRIx64
                    "  0x%" PRIx64 "\n",
                    s->flags & PF_R ? 'r' : '-', s->flags & PF_W ? 'w' : '-', s->flags & PF_X ? 'x' : '-',
                    s->address, s->offset, s->file_size, s->memory_size, s->alignment);
    }
}

static void section_name(struct text *t, const sw_object *o, uint32_t index) {
    if (index == SHN_UNDEF)
        text_puts(t, "undefined");
    else if (index == SHN_ABS)
        text_puts(t, "absolute");
    else if (index == SHN_COMMON)
        text_puts(t, "common");
    else if (index == SW_SHN_AMDGPU_LDS)
        text_puts(t, "lds");
    else if (index < o->section_count)
        name(t, o->sections[index].name);
    else
        text_printf(t, "%u", index);
}

static void symbols(struct text *t, const sw_object *o, sw_symbol_table table) {
    static const char *const bindings[] = {"local", "global", "weak"}, *const visibilities[] = {
                                                                           "default", "internal", "hidden",
                                                                           "protected"};
    const struct symbols *s = &o->symbols[table];
    if (!s->count) return;
    text_printf(t,
                "\n%s (%zu)\n  value       size      type     binding  visible    section             name\n",
                table == SW_SYMTAB ? "Symbols" : "Dynamic symbols", s->count);
    for (size_t i = 1; i < s->count; i++) {
        const sw_symbol *y = &s->items[i];
        text_printf(t, "  0x%08" PRIx64 "  %8" PRIu64 "  ", y->value, y->size);
        named(t, name_of_symbol_type(y->type), y->type);
        text_pad(t, 33);
        named(t, y->binding < 3 ? bindings[y->binding] : NULL, y->binding);
        text_pad(t, 42);
        text_puts(t, visibilities[y->visibility & 3]);
        text_pad(t, 53);
        section_name(t, o, y->section);
        text_pad(t, 72);
        text_puts(t, " ");
        name(t, y->name);
        text_puts(t, "\n");
    }
}

static void relocations(struct text *t, const sw_object *o) {
    if (!o->relocation_count) return;
    text_printf(
        t,
        "\nRelocations (%zu)\n  offset      section             type                    symbol and addend\n",
        o->relocation_count);
    for (size_t i = 0; i < o->relocation_count; i++) {
        const sw_relocation *r = &o->relocations[i];
        text_printf(t, "  0x%08" PRIx64 "  ", r->offset);
        if (r->section)
            name(t, o->sections[r->section].name);
        else
            text_puts(t, "dynamic");
        text_pad(t, 33);
        text_puts(t, " ");
        named(t, name_of_relocation(r->type), r->type);
        text_pad(t, 58);
        const sw_symbol *y = r->symbol ? &o->symbols[r->table].items[r->symbol] : NULL;
        if (y && y->type == STT_SECTION)
            section_name(t, o, y->section);
        else if (y)
            name(t, y->name);
        if (r->implicit_addend)
            text_puts(t, " + in place");
        else if (r->addend < 0)
            text_printf(t, " - 0x%" PRIx64, -(uint64_t)r->addend);
        else if (r->addend || !y)
            text_printf(t, "%s0x%" PRIx64, y ? " + " : "", (uint64_t)r->addend);
        text_puts(t, "\n");
    }
}

// ---- Notes ---------------------------------------------------------------------------------------------

static void v2_note(struct text *t, const sw_note *n) {
    if (n->type == NOTE_V2_VERSION && n->size >= 8)
        text_printf(t, "    version %u.%u\n", rd32(n->data), rd32(n->data + 4));
    else if (n->type == NOTE_V2_HSAIL && n->size >= 11)
        text_printf(t, "    HSAIL %u.%u, profile %u, machine model %u, default float rounding %u\n",
                    rd32(n->data), rd32(n->data + 4), n->data[8], n->data[9], n->data[10]);
    else if (n->type == NOTE_V2_ISA_VERSION && n->size >= 16) {
        uint32_t vendor = rd16(n->data), architecture = rd16(n->data + 2);
        text_printf(t, "    ISA %u.%u.%u", rd32(n->data + 4), rd32(n->data + 8), rd32(n->data + 12));
        if (vendor && architecture && 16u + vendor + architecture <= n->size) {
            text_puts(t, ", vendor ");
            text_name(t, (const char *)n->data + 16, vendor - 1);
            text_puts(t, ", architecture ");
            text_name(t, (const char *)n->data + 16 + vendor, architecture - 1);
        }
        text_puts(t, "\n");
    } else if (n->type == NOTE_V2_METADATA || n->type == NOTE_V2_ISA_NAME) {
        for (size_t i = 0; i < n->size && n->data[i];) {
            size_t length = strcspn((const char *)n->data + i, "\n");
            if (length > n->size - i) length = n->size - i;
            text_puts(t, "    ");
            text_name(t, (const char *)n->data + i, length);
            text_puts(t, "\n");
            i += length + 1;
        }
    }
}

static void notes(struct text *t, const sw_object *o) {
    if (!o->note_count) return;
    text_printf(t, "\nNotes (%zu)\n", o->note_count);
    for (size_t i = 0; i < o->note_count; i++) {
        const sw_note *n = &o->notes[i];
        text_printf(t, "  0x%08" PRIx64 "  %s %s", n->offset, n->vendor,
                    name_of_note(n) ? name_of_note(n) : "");
        text_printf(t, " (type %u), %zu bytes\n", n->type, n->size);
        if (n->type == NOTE_CORE_STATE && !strcmp(n->vendor, "AMDGPU"))
            print_core_state(t, n);
        else if (is_pal_pairs(n))
            print_pal_pairs(t, o, n);
        else if (!strcmp(n->vendor, "AMD"))
            v2_note(t, n);
    }
    if (!o->metadata) return;
    text_puts(t, "\nMetadata\n");
    print_yaml(t, o->metadata);
}

// ---- Kernels -------------------------------------------------------------------------------------------

static void arguments(struct text *t, const sw_kernel *k) {
    if (!k->argument_count) return;
    text_puts(t, "  arguments\n    number  offset    size  kind                        name\n");
    for (size_t i = 0; i < k->argument_count; i++) {
        const sw_argument *a = &k->arguments[i];
        text_printf(t, "    %6zu  %6u  %6u  ", i, a->offset, a->size);
        name(t, a->value_kind_name);
        text_pad(t, 54);
        if (a->is_const) text_puts(t, "const ");
        if (a->is_restrict) text_puts(t, "restrict ");
        if (a->is_volatile) text_puts(t, "volatile ");
        if (a->is_pipe) text_puts(t, "pipe ");
        if (a->address_space) text_printf(t, "%s ", name_of_address_space(a->address_space));
        if (a->access) text_printf(t, "%s ", name_of_access(a->access));
        if (a->type_name) name(t, a->type_name), text_puts(t, " ");
        if (a->name) name(t, a->name);
        while (t->length && t->data[t->length - 1] == ' ') t->data[--t->length] = 0;
        text_puts(t, "\n");
    }
}

static void problem(void *context, const sw_diagnostic *d) {
    text_printf(context, "    warning: %s\n", d->message);
}

static void descriptor(struct text *t, const sw_object *o, const sw_kernel *k) {
    const sw_processor *p = o->target.processor;
    text_printf(t, "  kernel descriptor\n    bits     value       field\n");
    sw_descriptor_field f = SW_INIT(sw_descriptor_field);
    for (size_t i = 0; sw_descriptor_field_at(k->descriptor_bytes, p, i, &f); i++) {
        char range[16];
        if (f.width == 1)
            snprintf(range, sizeof range, "%u", f.bit);
        else
            snprintf(range, sizeof range, "%u:%u", f.bit + f.width - 1, f.bit);
        text_printf(t, "    %-8s ", range);
        if (f.width == 64)
            text_printf(t, "%-11" PRId64 " %s", (int64_t)f.value, f.name);
        else
            text_printf(t, "%-11" PRIu64 " %s", f.value, f.name);
        if (*f.meaning) text_pad(t, 60), text_printf(t, " %s", f.meaning);
        if (f.must_be_zero && f.value) text_puts(t, "  (must be 0)");
        text_puts(t, "\n");
    }
    sw_kernel_descriptor d = SW_INIT(sw_kernel_descriptor);
    sw_sink sink = {problem, t};
    sw_descriptor_decode(k->descriptor_bytes, p, &d, &sink);
}

static void resources(struct text *t, const sw_object *o, const sw_kernel *k) {
    const sw_kernel_descriptor *d = k->descriptor;
    const char *limit;
    unsigned waves = sw_kernel_occupancy(k, o->target.processor, 0, 0, &limit);
    text_printf(t, "  resources       wave%u, %u VGPRs", d->wavefront_size, d->vgprs);
    if (d->first_agpr) text_printf(t, " (AGPRs from %u)", d->first_agpr);
    text_printf(t, ", %u SGPRs, %u bytes LDS, %u bytes scratch a work-item\n", d->sgprs,
                d->group_segment_fixed_size, d->private_segment_fixed_size);
    text_printf(t, "  occupancy       %u of %u waves on a SIMD", waves,
                fact(o->target.processor, FACT_waves_per_simd));
    if (strcmp(limit, "waves")) text_printf(t, ", limited by %s", limit);
    text_puts(t, "\n");
    if (k->has_metadata && (k->sgpr_spill_count || k->vgpr_spill_count))
        text_printf(t, "  spills          %u SGPRs, %u VGPRs\n", k->sgpr_spill_count, k->vgpr_spill_count);
}

static void kernel(struct text *t, const sw_object *o, const sw_kernel *k) {
    static const char *const kinds[] = {"normal", "init", "fini"};
    text_puts(t, "\nKernel ");
    name(t, k->name);
    text_puts(t, "\n");
    if (k->has_descriptor)
        text_printf(t,
                    "  descriptor      image offset 0x%" PRIx64 "\n  entry           image offset 0x%" PRIx64
                    ", %" PRIu64 " bytes of code\n",
                    k->descriptor_offset, k->entry_offset, k->code_size);
    else if (o->header.code_object_version != 2)
        text_puts(t, "  descriptor      none\n");
    if (k->language)
        text_printf(t, "  language        "), name(t, k->language),
            text_printf(t, " %u.%u\n", k->language_version[0], k->language_version[1]);
    if (k->kind) text_printf(t, "  kind            %s\n", kinds[k->kind]);
    if (k->has_metadata)
        text_printf(t, "  kernarg         %u bytes, aligned to %u\n  work-group      at most %u work-items",
                    k->kernarg_segment_size, k->kernarg_segment_align, k->max_flat_workgroup_size);
    if (k->reqd_workgroup_size[0])
        text_printf(t, ", required %u x %u x %u", k->reqd_workgroup_size[0], k->reqd_workgroup_size[1],
                    k->reqd_workgroup_size[2]);
    if (k->has_metadata) text_puts(t, "\n");
    if (k->has_descriptor) resources(t, o, k);
    arguments(t, k);
    if (k->has_descriptor) descriptor(t, o, k);
    if (o->header.code_object_version == 2) print_kernel_code(t, o, k);
}

struct problems {
    struct text *out;
    size_t errors, warnings;
};

// Errors are shown; compilers leave so many warnings that they are counted only.
static void note_problem(void *context, const sw_diagnostic *d) {
    struct problems *p = context;
    p->warnings += d->severity == SW_SEVERITY_WARNING;
    if (d->severity != SW_SEVERITY_ERROR) return;
    if (!p->errors++) text_puts(p->out, "\nProblems\n");
    text_puts(p->out, "  error: ");
    name(p->out, d->at.within);
    text_puts(p->out, ": ");
    name(p->out, d->message);
    text_puts(p->out, "\n");
}

static void problems(struct text *t, const sw_object *o) {
    struct problems p = {.out = t};
    const sw_sink sink = {note_problem, &p};
    sw_object_check(o, &sink);
    if (p.warnings)
        text_printf(t, "%s  %zu warnings: --check shows them\n", p.errors ? "" : "\nProblems\n", p.warnings);
}

void print_object(struct text *t, const sw_object *o, const char *only) {
    if (!only) {
        header(t, o);
        sections(t, o);
        segments(t, o);
        symbols(t, o, SW_SYMTAB);
        symbols(t, o, SW_DYNSYM);
        relocations(t, o);
        notes(t, o);
        print_pal(t, o);
    }
    for (size_t i = 0; i < o->kernel_count; i++)
        if (!only || !strcmp(only, o->kernels[i].name) || !strcmp(only, o->kernels[i].symbol))
            kernel(t, o, &o->kernels[i]);
    if (only) return;
    print_line_summary(t, o);
    problems(t, o);
}
