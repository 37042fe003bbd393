// SPDX-License-Identifier: MIT
// The files of `softwave ld`: response files, libraries that -l names, inputs with their archives.
#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/cli.h"
#include "cli/ld/ld.h"

static int add_word(ld_words *out, const char *text, size_t length) {
    char *copy = strndup(text, length);
    if (copy && array_push(out, copy)) return SW_OK;
    free(copy);
    return SW_NO_MEMORY;
}

// The next word of a response file: blanks separate, quotes and backslashes protect. False at the end.
static bool next_word(const char **at, const char *end, struct text *word) {
    const char *p = *at;
    while (p < end && isspace((unsigned char)*p)) p++;
    if (p == end) return false;
    char quote = 0;
    word->length = 0;
    text_add(word, "", 0);
    for (; p < end && (quote || !isspace((unsigned char)*p)); p++) {
        if (quote ? *p == quote : *p == '"' || *p == '\'')
            quote = quote ? 0 : *p;
        else if (*p == '\\' && quote != '\'' && p + 1 < end)
            text_add(word, ++p, 1);
        else
            text_add(word, p, 1);
    }
    *at = p;
    return true;
}

int ld_expand(ld_words *out, const char *arg, size_t *read, int depth) {
    if (!strncmp(arg, "--lto-", 6)) return SW_OK;
    if (arg[0] != '@') return add_word(out, arg, strlen(arg));
    if (depth > 8) return cli_usage("ld", "%s: response files name one another too deeply", arg);
    struct file f;
    int status = file_open_most(&f, arg + 1, FILE_WORDS_MOST, true, &cli_sink);
    if (status) return status;
    *read += f.size + 256; // opening one costs, too
    if (*read > FILE_WORDS_MOST) {
        file_close(&f);
        return cli_usage("ld", "response files have more than %d bytes in all", FILE_WORDS_MOST);
    }
    const char *at = (const char *)f.data, *end = at + f.size;
    struct text word = {0};
    while (!status && next_word(&at, end, &word))
        status = word.failed ? SW_NO_MEMORY : ld_expand(out, word.length ? word.data : "", read, depth + 1);
    text_free(&word);
    file_close(&f);
    return status;
}

char *ld_find_library(const char *name, char *const *folders, size_t count) {
    bool exact = name[0] == ':';
    for (size_t i = 0; i < count; i++) {
        struct text path = {0};
        text_printf(&path, exact ? "%s/%s" : "%s/lib%s.a", folders[i], exact ? name + 1 : name);
        if (!path.failed && !access(path.data, R_OK)) return path.data;
        text_free(&path);
    }
    fprintf(stderr, "softwave ld: error: unable to find library -l%s\n", name);
    return NULL;
}

sw_status ld_open_member(void *context, const char *path, const uint8_t **bytes, size_t *length) {
    struct ld_inputs *in = context;
    struct file f;
    struct stat st; // an archive may name anything, such as a device without an end
    if (!stat(path, &st) && !S_ISREG(st.st_mode)) return SW_BAD_INPUT;
    sw_status status = file_open(&f, path, &cli_sink);
    if (status) return status;
    if (!array_push(&in->files, f)) {
        file_close(&f);
        return SW_NO_MEMORY;
    }
    *bytes = f.data;
    *length = f.size;
    return SW_OK;
}

int ld_add_input(struct ld_inputs *in, const char *path, bool whole_archive, bool lazy) {
    struct file f;
    int status = file_open(&f, path, &cli_sink);
    if (status) return status;
    if (add_word(&in->names, strcmp(path, "-") ? path : "<stdin>", strlen(path) + 8)) {
        file_close(&f);
        return SW_NO_MEMORY;
    }
    sw_link_input input = {.size = sizeof input,
                           .name = in->names.items[in->names.count - 1],
                           .bytes = f.data,
                           .length = f.size,
                           .whole_archive = whole_archive,
                           .lazy = lazy};
    if (!array_push(&in->files, f)) {
        file_close(&f);
        return SW_NO_MEMORY;
    }
    return array_push(&in->list, input) ? SW_OK : SW_NO_MEMORY;
}

void ld_free_inputs(struct ld_inputs *in) {
    for (size_t i = 0; i < in->files.count; i++) file_close(&in->files.items[i]);
    for (size_t i = 0; i < in->names.count; i++) free(in->names.items[i]);
    array_free(&in->files);
    array_free(&in->names);
    array_free(&in->list);
}
