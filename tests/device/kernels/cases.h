// SPDX-License-Identifier: MIT
// The rows of table.txt: kernels, their arguments, how to compare, and what the host computed.
#ifndef TESTS_KERNELS_CASES_H
#define TESTS_KERNELS_CASES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { CASE_ARGUMENTS = 12 };

enum type { U8, I8, U16, I16, U32, I32, U64, I64, F16, F32, F64, TYPES };
enum argument_kind { ARGUMENT_VALUE, ARGUMENT_BUFFER, ARGUMENT_LDS };
enum compare { COMPARE_EXACT, COMPARE_ULP, COMPARE_PIXELS, COMPARE_EMITTED };

struct buffer {
    enum type type;
    size_t size;
    uint8_t *initial;
    uint8_t *expected[2][2]; // [wave64][fused]; NULL until computed
};

struct argument {
    enum argument_kind kind;
    enum type type;
    uint8_t value[8];
    uint32_t size; // lds
    struct buffer buffer;
};

struct test {
    char file[32], kernel[64];
    uint32_t grid[3], block[3];
    struct {
        enum compare how;
        double limit;
    } strict, defaults;
    bool together;  // work-groups wait for each other
    uint32_t stack; // scratch bytes a work-item; 0: as the kernel says
    struct argument arguments[CASE_ARGUMENTS];
    unsigned argument_count;
    void (*reference[2])(void); // strict, fused
    bool computed[2][2];
};

struct tests {
    struct test *items;
    unsigned count;
};

// Reads the table; `references` is the folder of the kernels built for the host. False after a message.
bool tests_read(struct tests *out, const char *path, const char *references);

// Compares what the device left in `memory` (by argument) with the host's result. NULL, or what differs.
const char *test_compare(struct test *t, void *const memory[CASE_ARGUMENTS], unsigned wave, bool defaults,
                         char *why, size_t capacity);

#endif
