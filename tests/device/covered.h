// SPDX-License-Identifier: MIT
// What has a case: tests name the `sem` of each body that they run, and test_sems, which runs last, fails for
// those that no test named. Names go to a file of this process in SEMS_DIR, if that is set (tests/all.sh).
#ifndef TESTS_COVERED_H
#define TESTS_COVERED_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static inline void covered(const char *sem) {
    static char names[1 << 16] = "\n";
    static size_t length = 1;
    const char *folder = getenv("SEMS_DIR");
    char path[4096], line[128];
    if (!folder) return;
    const int n = snprintf(line, sizeof line, "\n%s\n", sem);
    if (strstr(names, line) || length + (size_t)n >= sizeof names) return;
    memcpy(names + length, line + 1, (size_t)n);
    length += (size_t)n - 1;
    snprintf(path, sizeof path, "%s/%d", folder, (int)getpid());
    FILE *f = fopen(path, "a");
    if (!f || fputs(line + 1, f) < 0 || fclose(f)) abort();
}

#endif
