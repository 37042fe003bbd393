// SPDX-License-Identifier: MIT
// Every body has a case: each `sem` of the instruction table that is executed was run by a test that says
// what it must do. tests/all.sh runs this when all other tests have left the names of what they ran in
// SEMS_DIR.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "isa/isa.h"

static char names[1 << 20]; // a line each

static bool read_names(const char *folder) {
    size_t length = 1;
    names[0] = '\n';
    DIR *d = opendir(folder);
    for (struct dirent *e; d && (e = readdir(d));) {
        char path[4096];
        if (*e->d_name == '.') continue;
        snprintf(path, sizeof path, "%s/%s", folder, e->d_name);
        FILE *f = fopen(path, "r");
        if (!f) continue;
        length += fread(names + length, 1, sizeof names - 1 - length, f);
        fclose(f);
    }
    if (d) closedir(d);
    return length > 1;
}

static bool has_case(const char *sem) {
    char line[130];
    snprintf(line, sizeof line, "\n%s\n", sem);
    return strstr(names, line);
}

static void every_sem_has_a_case(void **state) {
    (void)state;
    const char *folder = getenv("SEMS_DIR");
    unsigned missing = 0, found = 0;
    if (!folder || !read_names(folder)) skip(); // on its own: nothing has been run
    for (unsigned r = 0; r < isa_row_count; r++) {
        const struct row *row = &isa_rows[r];
        bool first = !row_gap(row) && strcmp(row_sem(row), "unsupported");
        for (unsigned before = 0; first && before < r; before++)
            first = strcmp(row_sem(&isa_rows[before]), row_sem(row)) != 0;
        if (!first) continue;
        if (has_case(row_sem(row))) {
            found++;
            continue;
        }
        missing++;
        print_message("%s: no test runs its body, %s: add a line to tests/device/sems.txt, or a case\n",
                      row_id(row), row_sem(row));
    }
    print_message("%u bodies have a case, %u do not\n", found, missing);
    assert_int_equal(missing, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_sem_has_a_case)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
