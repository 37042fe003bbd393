// SPDX-License-Identifier: MIT
// What a kernel's explicit arguments are, in the words of its source, and what to write for each.
#include <stdio.h>
#include <string.h>

#include "cli/run/run.h"

// Parameter `index` of "name(A, B<C, D>, E)": its first character and length; 0: there is none.
static size_t parameter(const char *signature, size_t index, const char **out) {
    const char *s = strchr(signature, '('), *begin = s ? s + 1 : NULL;
    int depth = 0;
    for (s = begin; s && *s; s++) {
        if (*s == '(' || *s == '<' || *s == '[') depth++;
        if (depth && (*s == ')' || *s == '>' || *s == ']')) {
            depth--;
            continue;
        }
        if (depth || (*s != ',' && *s != ')')) continue;
        if (!index--) return *out = begin, (size_t)(s - begin);
        if (*s == ')') return 0;
        begin = s + 1 + (s[1] == ' ');
    }
    return 0;
}

void run_argument_type(const sw_kernel *k, const sw_argument *a, size_t number, char *out, size_t size) {
    char name[4096];
    const char *type;
    const size_t length = sw_demangle(k->name, name, sizeof name) ? parameter(name, number, &type) : 0;
    if (a->type_name)
        snprintf(out, size, "%s", a->type_name);
    else if (length)
        snprintf(out, size, "%.*s", (int)length, type);
    else if (a->value_kind == SW_VALUE_BY_VALUE)
        snprintf(out, size, "%u byte%s", a->size, a->size == 1 ? "" : "s");
    else
        snprintf(out, size, "%s",
                 a->value_kind == SW_VALUE_DYNAMIC_SHARED_POINTER ? "local pointer" : "pointer");
}

static const struct {
    const char *word, *type;
} words[] = {
    {"float", "f32"},
    {"double", "f64"},
    {"half", "f16"},
    {"_Float16", "f16"},
    {"int", "i32"},
    {"uint", "u32"},
    {"unsigned int", "u32"},
    {"unsigned", "u32"},
    {"long", "i64"},
    {"ulong", "u64"},
    {"unsigned long", "u64"},
    {"size_t", "u64"},
    {"long long", "i64"},
    {"unsigned long long", "u64"},
    {"short", "i16"},
    {"ushort", "u16"},
    {"unsigned short", "u16"},
    {"char", "i8"},
    {"uchar", "u8"},
    {"unsigned char", "u8"},
    {"byte", "u8"},
    {"bool", "u8"},
    {"int32_t", "i32"},
    {"uint32_t", "u32"},
    {"int64_t", "i64"},
    {"uint64_t", "u64"},
};

const char *run_type_of_word(const char *word, size_t length) {
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strlen(words[i].word) == length && !memcmp(words[i].word, word, length)) return words[i].type;
    return NULL;
}

void run_argument_form(const sw_kernel *k, const sw_argument *a, size_t number, const char *value, char *out,
                       size_t size) {
    char type[512];
    run_argument_type(k, a, number, type, sizeof type);
    const char *ours = run_type_of_word(type, strlen(type));
    static const char *const by_size[] = {[1] = "u8", [2] = "u16", [4] = "u32", [8] = "u64"};
    const size_t letters = strcspn(type, "0123456789");
    const int lanes =
        type[letters] >= '2' && type[letters] <= '8' && !type[letters + 1] ? type[letters] - '0' : 0;
    if (a->value_kind == SW_VALUE_DYNAMIC_SHARED_POINTER)
        snprintf(out, size, "lds:BYTES");
    else if (a->value_kind == SW_VALUE_IMAGE)
        snprintf(out, size, "image:WIDTHxHEIGHT");
    else if (a->value_kind == SW_VALUE_SAMPLER)
        snprintf(out, size, "sampler:linear");
    else if (a->value_kind != SW_VALUE_BY_VALUE)
        snprintf(out, size, "buf:SIZE");
    else if (ours)
        snprintf(out, size, "%s:%s", ours, value);
    else if (lanes && (ours = run_type_of_word(type, letters)))
        snprintf(out, size, "%s:[%s,%s%s]", ours, value, value, lanes > 2 ? ",..." : "");
    else if (a->size <= 8 && by_size[a->size])
        snprintf(out, size, "%s:%s", by_size[a->size], value);
    else
        snprintf(out, size, "hex:BYTES");
}

// On standard error, a line for each explicit argument, and a line to copy.
void run_list_arguments(const sw_kernel *k) {
    struct text t = {0}, example = {0};
    for (size_t i = 0, n = 0; i < k->argument_count; i++) {
        const sw_argument *a = sw_kernel_argument(k, i);
        char type[512], form[64];
        if (sw_value_kind_is_hidden(a->value_kind)) continue;
        run_argument_type(k, a, n, type, sizeof type);
        run_argument_form(k, a, n, "V", form, sizeof form);
        text_printf(&t, "  %zu  ", n++);
        if (a->name) text_name(&t, a->name, strlen(a->name));
        text_puts(&t, a->name ? "  " : "");
        text_name(&t, type, strlen(type));
        text_puts(&t, "\n");
        text_printf(&example, " %s", form);
    }
    if (t.data) fprintf(stderr, "%sgive for example:%s\n", t.data, example.data ? example.data : "");
    text_free(&t);
    text_free(&example);
}

// Why the text is no argument, and what may be meant.
sw_status run_unknown_form(const char *text, const sw_kernel *k, const sw_argument *a, size_t number) {
    char meant[600] = "", value[64];
    double ignored;
    char end;
    const char *colon = strchr(text, ':');
    const char *type = colon ? run_type_of_word(text, (size_t)(colon - text)) : NULL;
    snprintf(value, sizeof value, "%s", text);
    if (type)
        snprintf(meant, sizeof meant, "%s%s", type, colon);
    else if (sscanf(text, "%lf%c", &ignored, &end) == 1 && strlen(text) < sizeof value) {
        if (a->value_kind == SW_VALUE_BY_VALUE && a->size && k->argument_count)
            run_argument_form(k, a, number, value, meant, sizeof meant);
        else
            snprintf(meant, sizeof meant, "%s:%s", strpbrk(text, ".eE") ? "f32" : "i32", value);
    } else if (!colon && (strchr(text, '.') || strchr(text, '/')))
        snprintf(meant, sizeof meant, "buf:in=%.500s", text);
    if (*meant)
        return diag_fail(&cli_sink, SW_USAGE, NULL, "argument %zu, '%s': unknown form; did you mean %s?",
                         number, text, meant);
    return diag_fail(&cli_sink, SW_USAGE, NULL, "argument %zu, '%s': unknown form; see 'softwave run --help'",
                     number, text);
}
