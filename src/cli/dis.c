// SPDX-License-Identifier: MIT
// `softwave dis`: code objects, raw code or hexadecimal words as assembly text.
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/bytes.h"
#include "base/file.h"
#include "cli/commands.h"
#include "cli/terascale/terascale.h"
#include "softwave/isa.h"
#include "softwave/list.h"
#include "softwave/terascale.h"

enum option {
    TARGET,
    KERNEL,
    START,
    STOP,
    LABELS,
    WAVE,
    MATTR,
    ZEROES,
    LINES,
    EFFECTS,
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
    CFG,
    LLC,
    ALL,
    SCAN_RESULTS,
};
static const struct cli_option options[] = {
    {TARGET, 0, "target", "ID",
     "the target: it chooses one of several code objects, or is the processor of --raw and --hex"},
    {KERNEL, 'k', "kernel", "NAME",
     "only this kernel or function: its symbol, or the C++ name of a kernel, with or without parameters"},
    {START, 0, "start", "ADDRESS", "only instructions at this address or above"},
    {START, 0, "start-address", "ADDRESS", NULL},
    {STOP, 0, "stop", "ADDRESS", "only instructions below this address"},
    {STOP, 0, "stop-address", "ADDRESS", NULL},
    {LABELS, 0, "labels", NULL, "name the targets of branches L0, L1, ..."},
    {LABELS, 0, "symbolize-operands", NULL, NULL},
    {WAVE, 0, "wave", "32|64",
     "the wave size (default: the kernel's own; without a kernel 32 if the processor has it)"},
    {MATTR, 0, "mattr", "[+-]F,...",
     "switch features on or off: wavefrontsize32, wavefrontsize64, real-true16"},
    {ZEROES, 'z', "zeroes", NULL, "print runs of zeros in full"},
    {ZEROES, 0, "disassemble-zeroes", NULL, NULL},
    {LINES, 'l', "line-numbers", NULL, "print the source location of the code as comments, FILE:LINE"},
    {SOURCE, 'S', "source", NULL, "print the source lines of the code as comments"},
    {RELOCATIONS, 'r', "reloc", NULL, "print each relocation behind the instruction that it changes"},
    {DEMANGLE, 'C', "demangle", NULL, "print C++ names as in the source"},
    {NO_WORDS, 0, "no-show-raw-insn", NULL, "omit the words of instructions"},
    {NO_ADDRESS, 0, "no-leading-addr", NULL, "omit addresses"},
    {SYMBOLS, 0, "disassemble-symbols", "NAME,...", "only these functions"},
    {COLOUR, 0, "color", "[=auto|always|never]", "use colours (default: on a terminal)"},
    {CFG, 0, "cfg", NULL, "print the control-flow graph of each function, for Graphviz dot"},
    {LLC, 0, "llvm", NULL,
     "R600 family: print the text and the encodings of llc, which cannot be assembled again"},
    {EFFECTS, 0, "effects", NULL,
     "print behind each instruction what it reads and writes, its access to memory, the counters that it "
     "raises and waits for"},
    {REASONS, 0, "reasons", NULL, "if a word is printed as data, say why"},
    {RAW, 0, "raw", NULL, "FILE holds nothing but code, at address 0"},
    {HEX, 0, "hex", NULL, "FILE is text; each line has the bytes of one or more instructions"},
    {JSON, 0, "json", NULL, "print JSON: an array of {address, words, text}"},
    {DISASSEMBLE, 'd', "disassemble", NULL, "for compatibility with objdump; no effect"},
    {ALL, 'D', "disassemble-all", NULL, "also list data sections that are loaded, such as .rodata"},
};

struct request {
    const char *file, *target_text, *kernel;
    sw_target target;
    bool raw, hex, several, llvm;
    ARRAY(char *) only; // functions to list; none: all
    sw_list_options list;
};

static bool write_out(void *context, const char *text, size_t length) {
    struct request *r = context;
    r->list.json_continues |= length != 0;
    return fwrite(text, 1, length, stdout) == length;
}

// ---- --hex ----

static sw_status hex_mode(const struct request *r, sw_isa_mode *mode) {
    mode->size = sizeof *mode;
    if (sw_isa_mode_init(mode, r->target.processor))
        return diag_fail(&cli_sink, SW_UNSUPPORTED, NULL, "no disassembler for %s", r->target_text);
    if (r->list.wave_size == 64) mode->wave32 = false;
    const char *p = r->list.features;
    return p ? sw_isa_mode_set_features(mode, p, &cli_sink) : SW_OK;
}

static sw_status list_hex_line(struct request *r, const sw_isa_mode *mode, const char *line, size_t length,
                               unsigned number) {
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
    if (r->list.effects) { // a listing, without places
        sw_list_options o = r->list;
        o.no_address = o.no_words = true;
        return sw_list_code(r->target.processor, bytes, count, 0, &o, &cli_sink);
    }
    sw_insn in = {.size = sizeof in};
    char text[SW_INSN_TEXT_SIZE];
    for (size_t i = 0; i < count; i += in.length) {
        const char *why = r->list.reasons ? sw_insn_data_reason(mode, bytes + i, count - i) : "";
        if (sw_insn_decode(mode, bytes + i, count - i, &in) == SW_DECODED &&
            sw_insn_is_canonical(mode, &in)) {
            sw_insn_format(mode, &in, 0, text, sizeof text);
            puts(text);
        } else if (count - i >= 4)
            in.length = 4, printf(".long 0x%08x%s%s\n", rd32(bytes + i), r->list.reasons ? " ; " : "", why);
        else
            printf(".byte 0x%02x%s%s\n", bytes[(in.length = 1, i)], r->list.reasons ? " ; " : "", why);
    }
    return SW_OK;
}

static sw_status list_hex(struct request *r, const struct file *f) {
    sw_isa_mode mode;
    sw_status status = hex_mode(r, &mode);
    if (status) return status;
    const char *p = (const char *)f->data, *end = p + f->size;
    for (unsigned number = 1; p < end; number++) {
        const char *newline = memchr(p, '\n', (size_t)(end - p));
        size_t length = newline ? (size_t)(newline - p) : (size_t)(end - p);
        sw_status s = list_hex_line(r, &mode, p, length, number);
        if (s) status = s;
        p += length + 1;
    }
    return status;
}

// ---- Objects ----

static sw_status list_object(struct request *r, const uint8_t *data, size_t length) {
    sw_object *object;
    // Metadata can be large, and tells nothing here that descriptors do not.
    sw_object_options o = {.size = sizeof o, .name = r->file, .no_metadata = true};
    sw_status status = sw_object_open(data, length, &o, &object, &cli_sink);
    if (status) return status;
    char id[SW_TARGET_TEXT];
    struct text heading = {0};
    sw_target_format(sw_object_target(object), id);
    text_printf(&heading, "\n%s:\tfile format elf64-amdgpu%s%s\n", r->file, r->several ? ", " : "",
                r->several ? id : "");
    r->list.heading = r->list.json || r->list.graph ? NULL : heading.data;
    status = sw_list_object(object, &r->list, &cli_sink);
    text_free(&heading);
    sw_object_close(object);
    return status;
}

static sw_status list_container(struct request *r, const struct file *f) {
    sw_container *container;
    sw_container_options o = {.size = sizeof o, .name = r->file};
    sw_status status = sw_container_open(f->data, f->size, &o, &container, &cli_sink);
    if (status) return status;
    const size_t count = sw_container_entry_count(container);
    size_t only = SIZE_MAX, length;
    if (r->target_text) status = sw_container_pick(container, &r->target, r->kernel, &only, &cli_sink);
    r->several = count > 1 && only == SIZE_MAX;
    const uint8_t *data;
    for (size_t i = 0; i < count && !status; i++) {
        if (only == SIZE_MAX ? !sw_container_entry(container, i)->is_device : i != only) continue;
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
    r->list.colour = automatic ? cli_has_colours(stdout) : !when || strcmp(when, "never");
    return automatic || !when || !strcmp(when, "always") || !strcmp(when, "never");
}

static int cmd_dis(int argc, char **argv) {
    struct request r = {.list = {.size = sizeof r.list, .write = write_out}};
    r.list.context = &r;
    r.list.colour = cli_has_colours(stdout);
    struct scan scan = cli_scan(&command_dis, argc, argv);
    uint64_t number;
    for (int id; (id = cli_next(&scan)) != SCAN_END;) {
        switch ((enum option)id) {
        case TARGET: r.target_text = scan.value; break;
        case KERNEL: r.kernel = scan.value; break;
        case START:
        case STOP:
            if (parse_number(scan.value, id == START ? &r.list.start : &r.list.stop)) break;
            return cli_usage("dis", "'%s' is no address", scan.value);
        case LABELS: r.list.labels = true; break;
        case WAVE:
            if (!parse_number(scan.value, &number) || (number != 32 && number != 64))
                return cli_usage("dis", "a wave has 32 or 64 lanes");
            r.list.wave_size = (unsigned)number;
            break;
        case MATTR: r.list.features = scan.value; break;
        case ZEROES: r.list.zeroes = true; break;
        case LINES: r.list.lines = true; break;
        case EFFECTS: r.list.effects = true; break;
        case REASONS: r.list.reasons = true; break;
        case RAW:
        case HEX: *(id == RAW ? &r.raw : &r.hex) = true; break;
        case JSON: r.list.json = true; break;
        case DISASSEMBLE: break;
        case ALL: r.list.all = true; break;
        case LLC: r.llvm = true; break;
        case SOURCE: r.list.source_text = true; break;
        case RELOCATIONS: r.list.relocations = true; break;
        case NO_WORDS: r.list.no_words = true; break;
        case NO_ADDRESS: r.list.no_address = true; break;
        case CFG: r.list.graph = true; break;
        case DEMANGLE: r.list.demangle = true; break;
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
        case SCAN_ERROR:
        case SCAN_HELP: return cli_early(id);
        }
    }
    if (!r.file) return cli_usage("dis", "FILE is missing");
    if (r.list.graph && (r.hex || r.list.json)) return cli_usage("dis", "--cfg excludes --hex and --json");
    if ((r.raw || r.hex) && !r.target_text)
        return cli_usage("dis", "--%s needs --target", r.raw ? "raw" : "hex");
    if (r.target_text && sw_target_choose(r.target_text, strlen(r.target_text), &r.target, &cli_sink))
        return SW_USAGE;
    struct file f;
    sw_status status = file_open(&f, r.file, &cli_sink);
    if (status) return status;
    const bool coded = r.raw || r.hex;
    if (coded ? sw_terascale_processor(r.target.processor) : sw_terascale_is_object(f.data, f.size)) {
        const struct terascale_dis d = {r.file, r.kernel, r.target.processor, coded, r.hex, r.llvm};
        status = terascale_dis(&f, &d);
        file_close(&f);
        return cli_written(stdout, "standard output", status);
    }
    if (r.llvm) {
        file_close(&f);
        return cli_usage("dis", "--llvm is for the R600 family; other text is in LLVM's spelling anyway");
    }
    if (r.list.graph) r.list.colour = false;
    r.list.name = r.file;
    r.list.function = r.kernel;
    r.list.functions = (const char *const *)r.only.items;
    r.list.function_count = r.only.count;
    if (r.list.json) fputs("[", stdout);
    if (r.list.graph) fputs("digraph code {\n  node [shape=box, fontname=monospace];\n", stdout);
    if (r.hex)
        status = list_hex(&r, &f);
    else if (r.raw)
        status = sw_list_code(r.target.processor, f.data, f.size, 0, &r.list, &cli_sink);
    else
        status = list_container(&r, &f);
    if (r.list.json) fputs("\n]\n", stdout);
    if (r.list.graph) fputs("}\n", stdout);
    for (size_t i = 0; i < r.only.count; i++) free(r.only.items[i]);
    array_free(&r.only);
    file_close(&f);
    return cli_written(stdout, "standard output", status);
}

const struct cli_command command_dis = {
    .name = "dis",
    .run = cmd_dis,
    .what = "disassemble GPU code",
    .synopsis = "[OPTION...] FILE",
    .about = "Disassembles the code sections of a code object. FILE may also be an offload bundle or a host "
             "program with code objects in it. Each line shows an instruction, its address and its words, as "
             "llvm-objdump prints them.",
    CLI_OPTIONS(options),
    .examples = "softwave dis --target=gfx90a -k saxpy --labels program\n"
                "echo '02 03 04 06' | softwave dis --hex --target=gfx1100 -\n",
    .operand = "FILE",
};
