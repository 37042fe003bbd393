// SPDX-License-Identifier: MIT
// For tests/mutate/mutate.sh: every "hex  assembly" line under tests/isa is decoded, printed and assembled.
// Prints the place of each line that fails, or with --rows the place of each line and the operation it shows.
#include <dirent.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "softwave/isa.h"

static size_t hex(const char *text, uint8_t *out) {
    size_t n = 0;
    for (unsigned byte; n < SW_INSN_MAX_BYTES && sscanf(text + 2 * n, "%2x", &byte) == 1; n++) {
        if (text[2 * n] == ' ') break;
        out[n] = (uint8_t)byte;
    }
    return n;
}

static bool holds(const sw_isa_mode *mode, const char *line, const char **id) {
    const char *text = strstr(line, "  ");
    uint8_t bytes[SW_INSN_MAX_BYTES], again[SW_INSN_MAX_BYTES];
    size_t count = hex(line, bytes), size;
    char printed[SW_INSN_TEXT_SIZE];
    sw_insn insn = {.size = sizeof insn};
    *id = "-";
    if (!text || sw_insn_decode(mode, bytes, count, &insn) != SW_DECODED || insn.length != count)
        return false;
    *id = sw_insn_id(insn.info);
    if (!sw_insn_is_canonical(mode, &insn)) return false;
    sw_insn_format(mode, &insn, 0, printed, sizeof printed);
    if (strcmp(printed, text + 2)) return false;
    return sw_insn_assemble(mode, printed, strlen(printed), again, &size, NULL) == SW_OK && size == count &&
           !memcmp(again, bytes, size);
}

static void check_file(const sw_isa_mode *mode, const char *path, bool rows) {
    char line[1024];
    FILE *f = fopen(path, "r");
    for (unsigned number = 1; f && fgets(line, sizeof line, f); number++) {
        line[strcspn(line, "\n")] = 0;
        if (!*line || *line == '#') continue;
        const char *id;
        bool ok = holds(mode, line, &id);
        if (rows)
            printf("%s:%u %s\n", path, number, id);
        else if (!ok)
            printf("%s:%u\n", path, number);
    }
    if (f) fclose(f);
}

int main(int argc, char **argv) {
    bool rows = argc > 2 && !strcmp(argv[2], "--rows");
    char folder[2048], path[4096];
    DIR *d = argc > 1 ? opendir(argv[1]) : NULL;
    if (!d) return 1;
    for (struct dirent *e; (e = readdir(d));) {
        sw_isa_mode mode = {.size = sizeof mode};
        const sw_processor *p = sw_processor_find(e->d_name, strlen(e->d_name));
        if (*e->d_name == '.' || !p || sw_isa_mode_init(&mode, p) != SW_OK) continue;
        snprintf(folder, sizeof folder, "%s/%s", argv[1], e->d_name);
        DIR *sub = opendir(folder);
        for (struct dirent *t; sub && (t = readdir(sub));) {
            if (*t->d_name == '.') continue;
            snprintf(path, sizeof path, "%s/%s", folder, t->d_name);
            check_file(&mode, path, rows);
        }
        if (sub) closedir(sub);
    }
    closedir(d);
    return 0;
}
