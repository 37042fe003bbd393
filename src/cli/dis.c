// SPDX-License-Identifier: MIT
// `softwave dis`: code objects, raw code or hexadecimal words as assembly text.
#include <ctype.h>
#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/array.h"
#include "base/bytes.h"
#include "base/file.h"
#include "cli/commands.h"
#include "cli/dis.h"
#include "dis/listing.h"
#include "isa/names.h"
#include "object/object.h"
#include "softwave/object.h"

enum {
    TARGET,
    KERNEL,
    START,
    STOP,
    LABELS,
    WAVE,
    MATTR,
    ZEROES,
    LINES,
    REASONS,
    RAW,
    HEX,
    JSON,
    DISASSEMBLE,
    SOURCE,
    RELOCATIONS,
    NO_WORDS,
    NO_ADDRESS,
    SYMBOLS,
    COLOUR,
    DEMANGLE,
    CFG
};
static const struct cli_option options[] = {
    {TARGET, 0, "target", "ID", "which code object of several; the processor of --raw and --hex"},
    {TARGET, 0, "mcpu", "ID", NULL},
    {KERNEL, 'k', "kernel", "NAME",
     "only this kernel or function: a symbol, or a kernel's C++ name, also without parameters"},
    {START, 0, "start", "ADDRESS", "only instructions from this address on"},
    {START, 0, "start-address", "ADDRESS", NULL},
    {STOP, 0, "stop", "ADDRESS", "only instructions before this address"},
    {STOP, 0, "stop-address", "ADDRESS", NULL},
    {LABELS, 0, "labels", NULL, "name branch targets L0, L1, ..."},
    {LABELS, 0, "symbolize-operands", NULL, NULL},
    {WAVE, 0, "wave", "32|64", "wave size (default: the kernel's own, else 32 where the processor has it)"},
    {MATTR, 0, "mattr", "[+-]F,...", "switch features: wavefrontsize32, wavefrontsize64, real-true16"},
    {ZEROES, 'z', "zeroes", NULL, "write out runs of zeros"},
    {ZEROES, 0, "disassemble-zeroes", NULL, NULL},
    {LINES, 'l', "line-numbers", NULL, "where the code comes from, as comments: FILE:LINE"},
    {SOURCE, 'S', "source", NULL, "the source text that code comes from, as comments"},
    {RELOCATIONS, 'r', "reloc", NULL, "relocations, behind the instructions that they change"},
    {DEMANGLE, 'C', "demangle", NULL, "names of C++ as they are written there"},
    {NO_WORDS, 0, "no-show-raw-insn", NULL, "leave out the instructions' words"},
    {NO_ADDRESS, 0, "no-leading-addr", NULL, "leave out addresses"},
    {SYMBOLS, 0, "disassemble-symbols", "NAME,...", "only these functions"},
    {COLOUR, 0, "color", "[=auto|always|never]", "with colours (default: on a terminal)"},
    {CFG, 0, "cfg", NULL, "the basic blocks of each function as a graph, for Graphviz' dot"},
    {REASONS, 0, "reasons", NULL, "say why a word is listed as data"},
    {RAW, 0, "raw", NULL, "FILE is code and nothing else, at address 0"},
    {HEX, 0, "hex", NULL, "FILE is text, the bytes of one or more instructions a line"},
    {JSON, 0, "json", NULL, "an array of {address, words, text}"},
    {DISASSEMBLE, 'd', "disassemble", NULL, "as objdump's; there is nothing else to do"},
};

struct request {
    const char *file, *target_text, *kernel, *features;
    sw_target target;
    uint64_t start, stop;
    unsigned wave;  // 0: not given
    struct isa isa; // with the features that --mattr switches
    bool raw, hex, headings, several, lines, source, relocations, cfg, demangle;
    struct arena names; // demangled
    ARRAY(char *) only; // functions to list; none: all
    struct listing listing;
};

typedef ARRAY(struct listing_symbol) symbol_list;

static bool write_out(void *context, const char *text, size_t length) {
    (void)context;
    return fwrite(text, 1, length, stdout) == length;
}

static bool default_wave32(const struct request *r) {
    return r->wave != 64 && has(r->listing.processor, CAP_wave32);
}

// The processor's tables with the asked features. A feature that it does not have is a usage error.
static sw_status choose_features(struct request *r) {
    const struct isa *isa = isa_of(r->listing.processor);
    if (!r->features || !isa) return SW_OK;
    r->isa = *isa;
    bool wave32 = r->listing.wave32;
    for (const char *p = r->features; *p;) {
        size_t length = strcspn(p, ",");
        bool sign = *p == '+' || *p == '-';
        if (!sign || !isa_set_feature(&r->isa, &wave32, p + 1, length - 1, *p == '+'))
            return cli_usage("dis", "%s has no feature '%.*s'", r->listing.processor->name, (int)length, p);
        p += length + (p[length] == ',');
    }
    r->listing.isa = &r->isa;
    if (wave32 != r->listing.wave32) r->wave = wave32 ? 32 : 64; // whatever the kernels say
    r->listing.wave32 = wave32;
    return SW_OK;
}

static sw_status list_hex_line(struct request *r, const char *line, size_t length, unsigned number) {
    uint8_t bytes[256];
    size_t bad, count = parse_hex_bytes(line, length, bytes, sizeof bytes, &bad);
    if (bad < length) {
        sw_location at = {.file = r->file,
                          .line = number,
                          .column = (uint32_t)bad + 1,
                          .line_text = line,
                          .line_length = length};
        const char *why =
            count == sizeof bytes ? "too many bytes on one line" : "expected two hexadecimal digits";
        return diag_fail(&cli_sink, SW_BAD_INPUT, &at, "%s", why);
    }
    const struct isa *isa = r->listing.isa ? r->listing.isa : isa_of(r->listing.processor);
    struct print_options o = {.processor = r->listing.processor, .isa = isa, .wave32 = r->listing.wave32};
    struct insn in;
    char text[INSN_TEXT];
    bool reasons = r->listing.reasons;
    for (size_t i = 0; i < count; i += in.size) {
        const char *why = reasons ? data_reason(isa, bytes + i, count - i) : "";
        bool known = insn_decode(isa, bytes + i, count - i, &in) == DECODE_OK;
        if (known && insn_is_canonical(isa, &in, o.wave32)) {
            insn_print(&in, &o, text);
            puts(text);
        } else if (count - i >= 4)
            in.size = 4, printf(".long 0x%08x%s%s\n", rd32(bytes + i), reasons ? " ; " : "", why);
        else
            printf(".byte 0x%02x%s%s\n", bytes[(in.size = 1, i)], reasons ? " ; " : "", why);
    }
    return SW_OK;
}

static sw_status list_hex(struct request *r, const struct file *f) {
    sw_status status = SW_OK;
    const char *p = (const char *)f->data, *end = p + f->size;
    for (unsigned number = 1; p < end; number++) {
        const char *newline = memchr(p, '\n', (size_t)(end - p));
        size_t length = newline ? (size_t)(newline - p) : (size_t)(end - p);
        sw_status s = list_hex_line(r, p, length, number);
        if (s) status = s;
        p += length + 1;
    }
    return status;
}

static int by_address(const void *a, const void *b) {
    const struct listing_symbol *x = a, *y = b;
    return x->address != y->address ? (x->address > y->address ? 1 : -1) : strcmp(x->name, y->name);
}

// Code symbols of a section, one for an address; the section itself names what lies before the first.
static sw_status collect_symbols(const sw_object *object, uint32_t section, symbol_list *list) {
    size_t count;
    const sw_section *home = &sw_object_sections(object, &count)[section];
    const sw_symbol *symbols = sw_object_symbols(object, SW_SYMTAB, &count);
    if (!count) symbols = sw_object_symbols(object, SW_DYNSYM, &count);
    for (size_t i = 0; i < count; i++) {
        const sw_symbol *y = &symbols[i];
        if (y->section != section || !*y->name || y->type == STT_SECTION || y->type == STT_FILE) continue;
        const sw_kernel *k = sw_object_find_kernel(object, y->name);
        unsigned wave = k && k->has_descriptor ? k->descriptor.wavefront_size : 0;
        if (wave != 32 && wave != 64) wave = 0;
        if (!array_push(list,
                        (struct listing_symbol){y->value, y->name, (uint8_t)wave, y->type == STT_NOTYPE}))
            return SW_NO_MEMORY;
    }
    if (!array_reserve(list, 1)) return SW_NO_MEMORY;
    qsort(list->items, list->count, sizeof *list->items, by_address);
    size_t n = 0;
    for (size_t i = 0; i < list->count; i++)
        if (!n || list->items[n - 1].address != list->items[i].address) list->items[n++] = list->items[i];
    if (!n || list->items[0].address > home->address) {
        memmove(list->items + 1, list->items, n++ * sizeof *list->items);
        list->items[0] = (struct listing_symbol){home->address, home->name, 0, false};
    }
    list->count = n;
    return SW_OK;
}

typedef ARRAY(struct listing_relocation) relocation_list;

static int by_place(const void *a, const void *b) {
    const struct listing_relocation *x = a, *y = b;
    return (x->address > y->address) - (x->address < y->address);
}

// The relocations of a section, or dynamic ones within it.
static sw_status collect_relocations(const sw_object *object, uint32_t index, const sw_section *section,
                                     relocation_list *list) {
    size_t count, symbol_count, section_count;
    const sw_relocation *all = sw_object_relocations(object, &count);
    const sw_section *sections = sw_object_sections(object, &section_count);
    for (size_t i = 0; i < count; i++) {
        const sw_relocation *r = &all[i];
        const uint64_t address = r->section ? section->address + r->offset : r->offset;
        if (r->section ? r->section != index
                       : r->offset < section->address || r->offset - section->address >= section->size)
            continue;
        const sw_symbol *symbols = sw_object_symbols(object, r->table, &symbol_count);
        const sw_symbol *y = r->symbol && r->symbol < symbol_count ? &symbols[r->symbol] : NULL;
        const char *name = !y ? "*ABS*" : y->name;
        if (y && y->type == STT_SECTION && y->section < section_count) name = sections[y->section].name;
        const struct listing_relocation shown = {address, name_of_relocation(r->type), name, r->addend};
        if (!array_push(list, shown)) return SW_NO_MEMORY;
    }
    if (list->count) qsort(list->items, list->count, sizeof *list->items, by_place);
    return SW_OK;
}

// Functions that --disassemble-symbols names, in the order of their addresses.
static bool is_chosen(const struct request *r, const char *name) {
    for (size_t i = 0; i < r->only.count; i++)
        if (!strcmp(r->only.items[i], name)) return true;
    return false;
}

static sw_status list_range(struct request *r, const sw_section *section, uint64_t start, uint64_t stop) {
    return r->cfg ? list_graph(&r->listing, section->data, section->size, section->address, start, stop)
                  : list_code(&r->listing, section->data, section->size, section->address, start, stop);
}

static void list_heading(const struct request *r, const sw_section *section) {
    if (r->headings) printf("\nDisassembly of section %s:\n", section->name);
}

// The function of -k: a symbol, or the one kernel that is called so, as `run` takes names.
static const sw_symbol *find_function(const sw_object *object, const char *name) {
    const sw_symbol *y = sw_object_find_symbol(object, name);
    const sw_kernel *kernel = NULL;
    if (y || sw_object_match_kernels(object, name, &kernel, 1) != 1) return y;
    return sw_object_find_symbol(object, kernel->name);
}

// The whole section, the function that -k names, or those of --disassemble-symbols, each up to the next
// symbol.
static sw_status list_parts(struct request *r, const sw_object *object, uint32_t index,
                            const sw_section *section) {
    const struct listing *l = &r->listing;
    uint64_t start = r->start, stop = r->stop;
    if (r->kernel) {
        const sw_symbol *y = find_function(object, r->kernel);
        if (!y || y->section != index) return SW_OK;
        if (start < y->value) start = y->value;
        if (y->size && stop > y->value + y->size) stop = y->value + y->size;
    }
    if (!r->only.count) {
        list_heading(r, section);
        return list_range(r, section, start, stop);
    }
    sw_status status = SW_OK;
    for (size_t i = 0, shown = 0; i < l->symbol_count && !status; i++) {
        const uint64_t from = l->symbols[i].address;
        const uint64_t to = i + 1 < l->symbol_count ? l->symbols[i + 1].address : UINT64_MAX;
        if (!is_chosen(r, l->symbols[i].name)) continue;
        if (!shown++) list_heading(r, section);
        status = list_range(r, section, start > from ? start : from, stop < to ? stop : to);
    }
    return status;
}

// With -C, what C++ calls it.
static const char *shown_name(struct request *r, const char *name) {
    char plain[4096];
    size_t n = r->demangle ? sw_demangle(name, plain, sizeof plain) : 0;
    const char *copy = n ? arena_copy(&r->names, plain, n) : NULL;
    return copy ? copy : name;
}

static sw_status list_section(struct request *r, const sw_object *object, uint32_t index,
                              const sw_section *section) {
    symbol_list symbols = {0};
    relocation_list relocations = {0};
    struct dis_source *source = NULL;
    sw_status status = collect_symbols(object, index, &symbols);
    if (!status && r->relocations) status = collect_relocations(object, index, section, &relocations);
    for (size_t i = 0; r->wave && i < symbols.count; i++) symbols.items[i].wave_size = 0;
    for (size_t i = 0; i < symbols.count; i++) symbols.items[i].name = shown_name(r, symbols.items[i].name);
    for (size_t i = 0; i < relocations.count; i++)
        relocations.items[i].symbol = shown_name(r, relocations.items[i].symbol);
    struct listing *l = &r->listing;
    l->symbols = symbols.items;
    l->symbol_count = symbols.count;
    l->relocations = relocations.items;
    l->relocation_count = relocations.count;
    if (!status && (r->lines || r->source))
        status = dis_source_open(&source, object, index, r->lines, r->source, l);
    if (!status) status = list_parts(r, object, index, section);
    dis_source_close(source);
    l->source = NULL;
    array_free(&symbols);
    array_free(&relocations);
    return status;
}

static sw_status list_object(struct request *r, const uint8_t *data, size_t length) {
    sw_object *object;
    // Metadata can be large, and tells nothing here that descriptors do not.
    sw_object_options o = {.size = sizeof o, .name = r->file, .no_metadata = true};
    sw_status status = sw_object_open(data, length, &o, &object, &cli_sink);
    if (status) return status;
    char id[SW_TARGET_TEXT];
    r->listing.processor = sw_object_target(object)->processor;
    r->listing.wave32 = default_wave32(r);
    sw_target_format(sw_object_target(object), id);
    status = choose_features(r);
    if (status)
        ;
    else if (!isa_of(r->listing.processor))
        status = diag_fail(&cli_sink, SW_UNSUPPORTED, &(sw_location){.file = r->file},
                           "no disassembler for %s", id);
    else if (r->kernel && !find_function(object, r->kernel))
        status = diag_fail(&cli_sink, SW_BAD_INPUT, &(sw_location){.file = r->file},
                           "no kernel or function '%s'", r->kernel);
    for (size_t i = 0; i < r->only.count && !status; i++)
        if (!r->demangle && !sw_object_find_symbol(object, r->only.items[i]))
            diag_warn(&cli_sink, &(sw_location){.file = r->file}, "no function '%s'", r->only.items[i]);
    if (r->headings && !status)
        printf("\n%s:\tfile format elf64-amdgpu%s%s\n", r->file, r->several ? ", " : "",
               r->several ? id : "");
    size_t count;
    const sw_section *sections = sw_object_sections(object, &count);
    for (size_t i = 0; i < count && !status; i++)
        if (sections[i].flags & SHF_EXECINSTR && sections[i].type == SHT_PROGBITS)
            status = list_section(r, object, (uint32_t)i, &sections[i]);
    sw_object_close(object);
    return status;
}

static sw_status list_container(struct request *r, const struct file *f) {
    sw_container *container;
    sw_container_options o = {.size = sizeof o, .name = r->file};
    sw_status status = sw_container_open(f->data, f->size, &o, &container, &cli_sink);
    if (status) return status;
    size_t count, only = SIZE_MAX, length;
    const sw_entry *entries = sw_container_entries(container, &count);
    if (r->target_text) status = sw_container_pick(container, &r->target, r->kernel, &only, &cli_sink);
    r->several = count > 1 && only == SIZE_MAX;
    const uint8_t *data;
    for (size_t i = 0; i < count && !status; i++) {
        if (only == SIZE_MAX ? !entries[i].is_device : i != only) continue;
        status = sw_container_data(container, i, &data, &length, &cli_sink);
        if (!status) status = list_object(r, data, length);
    }
    sw_container_close(container);
    return status;
}

static bool parse_number(const char *text, uint64_t *out) {
    char *end;
    *out = strtoull(text, &end, 0);
    return isdigit((unsigned char)*text) && !*end;
}

static bool choose_functions(struct request *r, const char *names) {
    while (*names) {
        size_t n = strcspn(names, ",");
        char *name = strndup(names, n);
        if (!name || !array_push(&r->only, name)) return free(name), false;
        names += n + (names[n] == ',');
    }
    return true;
}

static bool choose_colour(struct request *r, const char *when) {
    bool automatic = when && !strcmp(when, "auto");
    r->listing.colour = automatic ? cli_has_colours(stdout) : !when || strcmp(when, "never");
    return automatic || !when || !strcmp(when, "always") || !strcmp(when, "never");
}

static int cmd_dis(int argc, char **argv) {
    struct request r = {.stop = UINT64_MAX, .listing = {.write = write_out}};
    r.listing.colour = cli_has_colours(stdout);
    struct scan scan = cli_scan(&command_dis, argc, argv);
    uint64_t number;
    for (int id; (id = cli_next(&scan)) != SCAN_END;) {
        switch (id) {
        case TARGET: r.target_text = scan.value; break;
        case KERNEL: r.kernel = scan.value; break;
        case START:
        case STOP:
            if (parse_number(scan.value, id == START ? &r.start : &r.stop)) break;
            return cli_usage("dis", "'%s' is no address", scan.value);
        case LABELS: r.listing.labels = true; break;
        case WAVE:
            if (!parse_number(scan.value, &number) || (number != 32 && number != 64))
                return cli_usage("dis", "a wave has 32 or 64 lanes");
            r.wave = (unsigned)number;
            break;
        case MATTR: r.features = scan.value; break;
        case ZEROES: r.listing.zeroes = true; break;
        case LINES: r.lines = true; break;
        case REASONS: r.listing.reasons = true; break;
        case RAW:
        case HEX: *(id == RAW ? &r.raw : &r.hex) = true; break;
        case JSON: r.listing.json = true; break;
        case DISASSEMBLE: break;
        case SOURCE: r.source = true; break;
        case RELOCATIONS: r.relocations = true; break;
        case NO_WORDS: r.listing.no_words = true; break;
        case NO_ADDRESS: r.listing.no_address = true; break;
        case CFG: r.cfg = true; break;
        case DEMANGLE: r.demangle = true; break;
        case SYMBOLS:
            if (!choose_functions(&r, scan.value)) return SW_NO_MEMORY;
            break;
        case COLOUR:
            if (!choose_colour(&r, scan.value))
                return cli_usage("dis", "--color takes auto, always or never, not '%s'", scan.value);
            break;
        case SCAN_POSITIONAL:
            if (r.file) return cli_usage("dis", "one FILE at a time");
            r.file = scan.value;
            break;
        default: return cli_early(id);
        }
    }
    if (!r.file) return cli_usage("dis", "FILE is missing");
    if (r.cfg && (r.hex || r.listing.json)) return cli_usage("dis", "--cfg excludes --hex and --json");
    if ((r.raw || r.hex) && !r.target_text)
        return cli_usage("dis", "--%s needs --target", r.raw ? "raw" : "hex");
    if (r.target_text && sw_target_parse(r.target_text, strlen(r.target_text), &r.target, &cli_sink))
        return SW_USAGE;
    struct file f;
    sw_status status = file_open(&f, r.file, &cli_sink);
    if (status) return status;
    r.headings = !r.raw && !r.hex && !r.listing.json && !r.cfg;
    if (r.cfg) r.listing.colour = false;
    r.listing.processor = r.target.processor;
    r.listing.wave32 = r.target_text && default_wave32(&r);
    if (r.listing.json) fputs("[", stdout);
    if (r.cfg) fputs("digraph code {\n  node [shape=box, fontname=monospace];\n", stdout);
    if (r.hex || r.raw) {
        if (!isa_of(r.listing.processor))
            status = diag_fail(&cli_sink, SW_UNSUPPORTED, NULL, "no disassembler for %s", r.target_text);
        else if (!(status = choose_features(&r)))
            status = r.hex   ? list_hex(&r, &f)
                     : r.cfg ? list_graph(&r.listing, f.data, f.size, 0, r.start, r.stop)
                             : list_code(&r.listing, f.data, f.size, 0, r.start, r.stop);
    } else
        status = list_container(&r, &f);
    if (r.listing.json) fputs("\n]\n", stdout);
    if (r.cfg) fputs("}\n", stdout);
    for (size_t i = 0; i < r.only.count; i++) free(r.only.items[i]);
    array_free(&r.only);
    arena_free(&r.names);
    file_close(&f);
    return cli_written(stdout, "standard output", status);
}

const struct cli_command command_dis = {
    .name = "dis",
    .run = cmd_dis,
    .what = "disassemble code",
    .synopsis = "[OPTION...] FILE",
    .about = "Disassembles every code section of a code object, or of those inside a bundle or host program. "
             "Lines "
             "are as llvm-objdump writes them: the instruction, its address, its words.",
    CLI_OPTIONS(options),
    .examples = "softwave dis --target=gfx90a -k saxpy --labels program\n"
                "echo '02 03 04 06' | softwave dis --hex --target=gfx1100 -\n",
    .operand = "FILE",
};
