// SPDX-License-Identifier: MIT
// What `softwave exec` can tell before the program runs: whether it has code for the GPUs, and whether its
// HIP library knows them. A program without code for its GPU ends in errors of HIP's that name neither;
// HIP 5.2 with a GPU that it does not know ends in a crash.
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "cli/exec.h"
#include "softwave/object.h"

enum { PATH = EXEC_PATH };

bool exec_find_program(const char *name, char out[EXEC_PATH]) {
    if (strchr(name, '/')) return snprintf(out, PATH, "%s", name) < PATH && !access(out, R_OK);
    const char *path = getenv("PATH");
    for (size_t n; path && *path; path += n + (path[n] == ':')) {
        n = strcspn(path, ":");
        snprintf(out, PATH, "%.*s/%s", (int)n, n ? path : ".", name);
        if (!access(out, X_OK)) return !access(out, R_OK);
    }
    return false;
}

static bool is_elf(const struct file *f) { return f->size > 64 && !memcmp(f->data, "\177ELF", 4); }

static const char *base_name(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

// ---- Code for the GPUs ----

static bool fits_any(const sw_entry *e, const sw_target *gpus, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (sw_target_compatible(&e->target, e->generic_version, &gpus[i])) return true;
    return false;
}

// Adds a name that the list does not have yet.
static void list_name(struct text *list, const char *name) {
    const size_t length = strlen(name);
    for (const char *s = list->data; s && (s = strstr(s, name)); s += length)
        if (s[length] == ',' || !s[length]) return;
    text_printf(list, "%s%s", list->length ? ", " : "", name);
}

static void check_code(const char *path, const struct file *f, const sw_target *gpus, size_t count) {
    sw_container *container;
    const sw_container_options o = {.size = sizeof o, .name = path};
    if (sw_container_open(f->data, f->size, &o, &container, NULL) != SW_OK) return;
    const sw_entry *e;
    struct text has = {0}, wanted = {0};
    char id[SW_TARGET_TEXT], first[SW_TARGET_TEXT] = "";
    bool fits = false;
    for (size_t i = 0; (e = sw_container_entry(container, i)); i++) {
        if (!e->is_device || !e->has_target || !e->target.processor) continue;
        fits |= fits_any(e, gpus, count);
        sw_target_format(&e->target, id);
        list_name(&has, id);
        if (!*first) snprintf(first, sizeof first, "%s", id);
    }
    for (size_t i = 0; i < count; i++) {
        sw_target_format(&gpus[i], id);
        list_name(&wanted, id);
    }
    if (has.length && wanted.length && !fits)
        fprintf(stderr,
                "softwave exec: %s has code for %s, none for %s: use --gpu=%s, or compile with "
                "--offload-arch=%s\n",
                base_name(path), has.data, wanted.data, first, sw_processor_name(gpus[0].processor));
    text_free(&has);
    text_free(&wanted);
    sw_container_close(container);
}

// ---- The HIP library ----

// The file that the loader takes for the program's libamdhip64: the loader itself is asked.
static bool find_hip(const char *program, char out[PATH]) {
    struct text command = {0};
    char line[2 * PATH];
    bool found = false;
    text_puts(&command, "LD_TRACE_LOADED_OBJECTS=1 '");
    for (const char *s = program; *s; s++) text_puts(&command, *s == '\'' ? "'\\''" : (char[]){*s, 0});
    text_puts(&command, "' 2> /dev/null");
    FILE *f = command.failed ? NULL : popen(command.data, "r");
    while (f && !found && fgets(line, sizeof line, f)) {
        const char *path = strstr(line, "libamdhip64.so") ? strstr(line, "=> ") : NULL;
        if (!path) continue;
        path += strlen("=> ");
        line[strcspn(line, "(")] = 0;
        size_t n = strlen(path);
        while (n && isspace((unsigned char)path[n - 1])) n--;
        char own[2 * PATH];
        snprintf(own, sizeof own, "%.*s", (int)n, path);
        found = realpath(own, out) != NULL;
    }
    if (f) pclose(f);
    text_free(&command);
    return found;
}

static bool holds(const struct file *f, const char *word) {
    const size_t length = strlen(word);
    const uint8_t *p = f->data, *end = p + f->size;
    while ((p = memmem(p, (size_t)(end - p), word, length))) {
        p += length;
        if (p == end || !isxdigit(*p)) return true; // "gfx90" is no gfx900
    }
    return false;
}

static void check_hip(const char *program, const char *folder, const sw_target *gpus, size_t count) {
    char path[PATH];
    struct file f;
    if (!find_hip(program, path) || file_open(&f, path, NULL) != SW_OK) return;
    exec_check_symbols(path, folder);
    const char *version = strstr(base_name(path), ".so.");
    struct text known = {0};
    for (size_t i = 0; i < sw_processor_count(); i++) {
        sw_processor_info info = {.size = sizeof info};
        sw_processor_get_info(sw_processor_at(i), &info);
        if (info.isa_major && holds(&f, info.name)) list_name(&known, info.name);
    }
    for (size_t i = 0; known.length && i < count; i++) {
        const char *name = sw_processor_name(gpus[i].processor);
        if (holds(&f, name)) continue;
        fprintf(stderr,
                "softwave exec: the program's HIP (libamdhip64 %s) does not know %s, and may crash; it knows "
                "%s\n",
                version ? version + strlen(".so.") : "", name, known.data);
    }
    text_free(&known);
    file_close(&f);
}

void exec_check_program(const char *program, const char *folder, const sw_target *gpus, size_t count) {
    char path[PATH];
    struct file f;
    if (!exec_find_program(program, path) || file_open(&f, path, NULL) != SW_OK) return;
    if (is_elf(&f)) {
        check_code(path, &f, gpus, count);
        if (memmem(f.data, f.size, "libamdhip64.so", strlen("libamdhip64.so")))
            check_hip(path, folder, gpus, count);
        exec_check_symbols(path, folder);
    }
    file_close(&f);
}
