// SPDX-License-Identifier: MIT
// same_text LEFT RIGHT [SHOWN]: compares two listings line by line, runs of blanks being one blank, empty
// lines and the line with the file's name left out. Prints how many lines are equal and the first SHOWN (5)
// pairs that differ; a difference in the number of lines ends the comparison. Exit 1 when anything differs.
#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LINE = 1 << 16 };

// The next line that counts, squeezed; false at the end.
static bool next_line(FILE *f, char *line) {
    while (fgets(line, LINE, f)) {
        if (strstr(line, "file format ")) continue;
        char *to = line;
        for (const char *p = line; *p; p++) {
            if (!isspace((unsigned char)*p))
                *to++ = *p;
            else if (to > line && to[-1] != ' ')
                *to++ = ' ';
        }
        if (to > line && to[-1] == ' ') to--;
        *to = 0;
        if (to > line) return true;
    }
    return false;
}

int main(int argc, char **argv) {
    if (argc < 3) return fprintf(stderr, "usage: same_text LEFT RIGHT [SHOWN]\n"), 2;
    FILE *left = fopen(argv[1], "r"), *right = fopen(argv[2], "r");
    if (!left || !right) return perror("same_text"), 2;
    unsigned long equal = 0, different = 0, shown = argc > 3 ? strtoul(argv[3], NULL, 10) : 5;
    static char a[LINE], b[LINE];
    for (;;) {
        bool have_a = next_line(left, a), have_b = next_line(right, b);
        if (!have_a && !have_b) break;
        if (have_a && have_b && !strcmp(a, b)) {
            equal++;
            continue;
        }
        if (different++ < shown) printf("  < %s\n  > %s\n", have_a ? a : "(end)", have_b ? b : "(end)");
        if (!have_a || !have_b) break;
    }
    printf("%lu lines equal, %lu different\n", equal, different);
    return different != 0;
}
