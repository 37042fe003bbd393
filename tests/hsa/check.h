// SPDX-License-Identifier: MIT
// What the HIP programs of the tests share. Each case prints "ok NAME" or says what was wrong; a program ends
// with 1 when something was.
#ifndef TESTS_HSA_CHECK_H
#define TESTS_HSA_CHECK_H

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include <hip/hip_runtime.h>

static int wrong;
static const char *case_name;

#define CALL(...)                                                                                            \
    do {                                                                                                     \
        hipError_t e_ = __VA_ARGS__;                                                                         \
        if (e_ != hipSuccess) {                                                                              \
            printf("%s:%d: %s: %s\n", __FILE__, __LINE__, #__VA_ARGS__, hipGetErrorName(e_));                \
            wrong = 1;                                                                                       \
            return;                                                                                          \
        }                                                                                                    \
    } while (0)
#define EXPECT(...)                                                                                          \
    do {                                                                                                     \
        if (!(__VA_ARGS__)) {                                                                                \
            printf("%s:%d: not so: %s\n", __FILE__, __LINE__, #__VA_ARGS__);                                 \
            wrong = 1;                                                                                       \
            return;                                                                                          \
        }                                                                                                    \
    } while (0)
// Runs a case, unless the command line names others.
static int arguments;
static char **names;
static void run_case(const char *name, void (*function)()) {
    bool chosen = arguments < 2;
    for (int i = 1; i < arguments; i++) chosen |= !strcmp(names[i], name);
    if (!chosen) return;
    const int before = wrong;
    wrong = 0;
    case_name = name;
    function();
    if (!wrong) printf("ok %s\n", name);
    fflush(stdout);
    wrong |= before;
}
#define CASE(function) run_case(#function, function)

#endif
