// SPDX-License-Identifier: MIT
// Buffers and variables of `softwave run`, from their texts to memory.
#include <elf.h>
#include <string.h>

#include "base/bytes.h"
#include "base/file.h"
#include "cli/run/run.h"

sw_status run_bad(const char *argument, const char *why) {
    return diag_fail(&cli_sink, SW_USAGE, NULL, "argument '%s': %s", argument, why);
}

uint64_t run_buffer_address(const struct buffer *b) {
    return b->image ? run_image_address(b) : (uint64_t)(uintptr_t)b->memory;
}

// ---- Finding one ----

// The offset behind "@NAME": nothing, or +NUMBER.
static bool parse_offset(const char *s, uint64_t *out) {
    *out = 0;
    return !*s || (*s == '+' && run_parse_bytes(s + 1, strlen(s + 1), out));
}

sw_status run_find_buffer(struct run *r, const char *text, uint64_t *address) {
    size_t n = strcspn(text + 1, "+");
    uint64_t offset, i;
    struct buffer *found = NULL;
    if (!parse_offset(text + 1 + n, &offset)) return run_bad(text, "expected +OFFSET behind the name");
    if (run_parse_number(text + 1, n, &i)) {
        if (i < r->argument_buffers.count && r->argument_buffers.items[i])
            found = &r->buffers.items[r->argument_buffers.items[i] - 1];
    } else
        for (i = 0; i < r->buffers.count; i++) {
            const char *name = r->buffers.items[i].name;
            if (name && strlen(name) == n && !memcmp(name, text + 1, n)) found = &r->buffers.items[i];
        }
    if (!found) return run_bad(text, "no such buffer before it");
    if (found->image && offset) return run_bad(text, "an image is passed without an offset");
    *address = run_buffer_address(found) + offset;
    return SW_OK;
}

// ptr=OFFSET:@NAME: the address of an earlier buffer, in this one.
static sw_status store_pointer(struct run *r, const struct buffer *b, const char *spec) {
    const char *end = strchr(spec, ':');
    uint64_t offset, address;
    if (!end || end[1] != '@' || !run_parse_bytes(spec, (size_t)(end - spec), &offset))
        return run_bad(spec, "ptr= needs OFFSET:@NAME");
    if (!r->device) return run_bad(spec, "ptr= is not for the R600 family");
    if (!in_range(offset, 8, b->size)) return run_bad(spec, "ptr= lies outside of its buffer");
    sw_status status = run_find_buffer(r, end + 1, &address);
    if (status == SW_OK) memcpy(b->memory + offset, &address, 8);
    return status;
}

// ---- Making one ----

// What the text of a buffer says.
struct spec {
    struct buffer b;
    struct image_spec image;
    const char *whole; // as it was given
    const char *text, *in, *fill;
    size_t fill_length;
    bool sized, typed;
    const char *pointers[16];
    size_t pointer_count;
};

static sw_status take_show(struct spec *p, const char *v) {
    size_t n = strcspn(v, ":");
    p->b.type = value_type_of(v, n);
    if (p->b.type == VALUE_TYPES) {
        const char *meant = run_type_of_word(v, n);
        return diag_fail(&cli_sink, SW_USAGE, NULL,
                         "argument '%s': show= needs a type: u8 i8 u16 i16 u32 i32 u64 i64 f16 f32 f64%s%s%s",
                         p->whole, meant ? "; did you mean " : "", meant ? meant : "", meant ? "?" : "");
    }
    p->b.shown = p->typed = true;
    p->b.show_count = 16;
    if (v[n] && !run_parse_bytes(v + n + 1, strlen(v + n + 1), &p->b.show_count))
        return run_bad(p->whole, "show= needs a number behind the colon");
    return SW_OK;
}

// The first part: NAME=SIZE or SIZE, in bytes or, of an image, texels. False: it is neither.
static bool take_size(struct spec *p, const char *s, size_t n) {
    p->sized =
        p->image.is_image ? run_parse_extent(s, n, p->image.extent) : run_parse_bytes(s, n, &p->b.size);
    return p->sized;
}

// One part, "KEY=VALUE" or "VALUE"; `variable`: the name comes first, and the size is known.
static sw_status take_part(struct run *r, struct spec *p, const char *s, size_t n, bool variable) {
    const char *eq = memchr(s, '=', n);
    size_t key = eq ? (size_t)(eq - s) : 0, vn = n - (eq ? key + 1 : 0);
    char *v = arena_copy(&r->texts, eq ? eq + 1 : s, vn);
    if (!v) return SW_NO_MEMORY;
#define KEY(word) (key == strlen(word) && !memcmp(s, word, key))
    if (s == p->text && variable) {
        p->b.name = arena_copy(&r->texts, s, eq ? key : n);
        if (eq) p->in = v;
        return p->b.name ? SW_OK : SW_NO_MEMORY;
    }
    if (p->image.is_image && key) {
        bool known;
        const sw_status status = run_image_part(&p->image, p->whole, s, key, v, &known);
        if (known) return status;
        if (KEY("ptr") || KEY("at")) return run_bad(p->whole, "images take neither ptr= nor at=");
    }
    if (KEY("in"))
        p->in = v;
    else if (KEY("out"))
        p->b.out = v;
    else if (KEY("expect"))
        p->b.expect = v;
    else if (KEY("tol")) {
        if (!run_parse_number(v, vn, &p->b.tolerance))
            return run_bad(p->whole, "tol= needs a number of units in the last place");
    } else if (KEY("ptr")) {
        if (p->pointer_count == sizeof p->pointers / sizeof *p->pointers)
            return run_bad(p->whole, "more than 16 ptr=");
        p->pointers[p->pointer_count++] = v;
    } else if (KEY("at")) {
        if (r->device) return run_bad(p->whole, "at= is for the R600 family");
        if (!run_parse_number(v, vn, &p->b.address) || !p->b.address || p->b.address & 255 ||
            p->b.address > UINT32_MAX)
            return run_bad(p->whole, "at= needs a multiple of 256 below 4G");
    } else if (KEY("fill"))
        p->fill = v, p->fill_length = vn;
    else if (KEY("show"))
        return take_show(p, v);
    else if (s == p->text && key) {
        if (!(p->b.name = arena_copy(&r->texts, s, key))) return SW_NO_MEMORY;
        if (!take_size(p, v, vn))
            return run_bad(p->whole, p->image.is_image ? "expected a size behind the name, such as 256x256"
                                                       : "expected a size behind the name, such as 64K");
    } else if (variable || key || !take_size(p, s, n))
        return run_bad(
            p->whole,
            p->image.is_image
                ? "unknown part; known are WxHxD, format=, kind=, layers=, levels=, in=, fill=, "
                  "out=, show=, expect=, tol="
                : "unknown part; known are SIZE, in=, fill=, out=, show=, expect=, tol=, ptr=, at=");
    return SW_OK;
}

static sw_status read_spec(struct run *r, struct spec *p, bool variable) {
    for (const char *s = p->text; *s;) {
        size_t n = strcspn(s, ",");
        sw_status status = take_part(r, p, s, n, variable);
        if (status != SW_OK) return status;
        s += n + (s[n] == ',');
    }
    return SW_OK;
}

// Contents of memory that is there.
static sw_status fill_in(struct run *r, struct spec *p, const struct file *f) {
    struct buffer *b = &p->b;
    enum value_type shown = b->type;
    if (p->fill && !run_fill(b, p->fill, p->fill_length))
        return run_bad(p->whole, "fill= needs TYPE:VALUE, TYPE:iota or TYPE:rand[:SEED]");
    if (p->typed) b->type = shown;
    if (f->size) memcpy(b->memory, f->data, f->size < b->size ? f->size : b->size);
    sw_status status = SW_OK;
    for (size_t i = 0; status == SW_OK && i < p->pointer_count; i++)
        status = store_pointer(r, b, p->pointers[i]);
    if (status == SW_OK && b->image) status = run_image_fill(b);
    if (status == SW_OK && !array_push(&r->buffers, *b)) status = SW_NO_MEMORY;
    return status;
}

static sw_status open_input(const struct spec *p, struct file *f) {
    *f = (struct file){0};
    if (!p->in) return SW_OK;
    return p->sized && !p->image.is_image ? file_open_begin(f, p->in, p->b.size, &cli_sink)
                                          : file_open(f, p->in, &cli_sink);
}

// Memory for a buffer, or for an image and its rows; *contents is what is copied to it.
static sw_status make_memory(struct run *r, struct spec *p, const struct file *f, struct file *contents) {
    if (p->image.is_image) return run_image_begin(r, &p->b, &p->image, f, p->whole, contents);
    *contents = *f;
    if (!p->in && !p->sized) return run_bad(p->text, "a buffer needs a size or in=FILE");
    if (!p->sized) p->b.size = f->size;
    // Without a device (R600 family) it is memory of ours, for as long as the names.
    p->b.memory = r->device ? sw_device_alloc(r->device, p->b.size) : arena_alloc(&r->texts, p->b.size);
    const unsigned rights = SW_RIGHT_READ | SW_RIGHT_WRITE | SW_RIGHT_STAYS | SW_RIGHT_ALONE;
    if (r->device && p->b.memory && sw_device_map(r->device, p->b.memory, p->b.size, rights) != SW_OK)
        p->b.memory = NULL;
    return p->b.memory ? SW_OK
                       : diag_fail(&cli_sink, SW_NO_MEMORY, NULL, "argument '%s': out of memory", p->text);
}

sw_status run_create_buffer(struct run *r, size_t job, size_t argument, const char *text) {
    const bool is_image = !strncmp(text, "image:", 6), prefixed = argument != SIZE_MAX || is_image;
    struct spec p = {.text = prefixed ? strchr(text, ':') + 1 : text,
                     .whole = text,
                     .image = {.is_image = is_image},
                     .b = {.type = is_image ? U8 : U32, .job = job, .argument = argument}};
    struct file f, contents;
    sw_status status = read_spec(r, &p, false);
    if (status == SW_OK) status = open_input(&p, &f);
    if (status != SW_OK) return status;
    status = make_memory(r, &p, &f, &contents);
    if (status == SW_OK) status = fill_in(r, &p, &contents);
    file_close(&f);
    return status;
}

// ---- Variables of the code object ----

static const sw_symbol *find_variable(const sw_object *object, const char *name) {
    const sw_symbol *found = sw_object_find_symbol(object, name);
    for (int table = 0; !found && table < 2; table++) { // as C++ has it
        const sw_symbol *s;
        char text[1024];
        for (size_t i = 0; (s = sw_object_symbol(object, (sw_symbol_table)table, i)); i++)
            if (s->type == STT_OBJECT && sw_demangle(s->name, text, sizeof text) && !strcmp(text, name))
                found = s;
    }
    return found;
}

static void list_variables(const sw_object *object, struct text *names) {
    const sw_symbol_table table = sw_object_symbol_count(object, SW_SYMTAB) ? SW_SYMTAB : SW_DYNSYM;
    const sw_symbol *s;
    size_t shown = 0;
    for (size_t i = 0; shown < 20 && (s = sw_object_symbol(object, table, i)); i++) {
        size_t n = strlen(s->name);
        uint64_t offset;
        if (s->type != STT_OBJECT || !s->size || (n > 3 && !strcmp(s->name + n - 3, ".kd")) ||
            !sw_object_symbol_offset(object, s, &offset))
            continue;
        text_printf(names, "%s%s", shown++ ? ", " : "", s->name);
    }
    if (!shown) text_puts(names, "none");
}

static sw_status no_variable(const sw_object *object, const char *name) {
    struct text names = {0};
    list_variables(object, &names);
    sw_status status = diag_fail(&cli_sink, SW_BAD_INPUT, NULL, "no variable '%s' in memory; there are: %s",
                                 name, names.data ? names.data : "");
    text_free(&names);
    return status;
}

static sw_status one_variable(struct run *r, const sw_object *object, const char *text) {
    struct spec p = {.text = text,
                     .whole = text,
                     .sized = true,
                     .b = {.type = U32, .job = SIZE_MAX, .argument = SIZE_MAX}};
    sw_status status = read_spec(r, &p, true);
    if (status != SW_OK) return status;
    if (!p.b.name) return run_bad(text, "--symbol needs the name of a variable");
    const sw_symbol *s = find_variable(object, p.b.name);
    uint64_t offset;
    if (!s || !sw_object_symbol_offset(object, s, &offset) ||
        !in_range(offset, s->size, sw_object_layout(object)->size))
        return no_variable(object, p.b.name);
    p.b.memory = (uint8_t *)(uintptr_t)(sw_executable_base(r->executable) + offset);
    p.b.size = s->size;
    struct file f;
    if ((status = open_input(&p, &f)) != SW_OK) return status;
    if (p.in && f.size != s->size)
        status = diag_fail(&cli_sink, SW_USAGE, NULL, "'%s' has %zu bytes, the variable '%s' %llu", p.in,
                           f.size, s->name, (unsigned long long)s->size);
    if (status == SW_OK) status = fill_in(r, &p, &f);
    file_close(&f);
    return status;
}

sw_status run_variables(struct run *r, const sw_object *object, const char *const *texts, size_t count) {
    sw_status status = SW_OK;
    for (size_t i = 0; status == SW_OK && i < count; i++) status = one_variable(r, object, texts[i]);
    return status;
}
