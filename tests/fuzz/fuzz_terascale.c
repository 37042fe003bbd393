// SPDX-License-Identifier: MIT
// The R600 family with any bytes: listed code that assembles to the same words, objects, text, and programs
// that run on one wave with memory of every kind. The first byte chooses the processor, the second what is
// done.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "softwave/terascale.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void swallow_message(void *context, const sw_diagnostic *d) {
    (void)context;
    (void)d;
}
static const sw_sink sink = {swallow_message, NULL};

static bool keep(void *context, const char *text, size_t length) {
    text_add(context, text, length);
    return true;
}

static void list(const sw_processor *p, const uint8_t *code, size_t size, bool llvm) {
    struct text t = {0};
    const sw_terascale_output out = {keep, &t};
    const sw_terascale_dis_options d = {.size = sizeof d, .processor = p, .llvm = llvm};
    const sw_terascale_as_options a = {.size = sizeof a, .processor = p, .raw = true};
    uint8_t *back = NULL;
    size_t length;
    size = size / 8 * 8;
    if (size && !sw_terascale_list(code, size, &d, &out, &sink) && !llvm) {
        if (sw_terascale_assemble(t.data, t.length, &a, &back, &length, &sink) || length != size ||
            memcmp(back, code, size))
            abort();
        sw_terascale_free(back);
    }
    text_free(&t);
}

static void emitted(void *context, const sw_terascale_emission *e) { *(uint64_t *)context += e->lanes; }
static void exported(void *context, const sw_terascale_export *e) {
    for (unsigned c = 0; c < 4; c++)
        for (unsigned l = 0; e->values[c] && l < 64; l++) *(uint64_t *)context += e->values[c][l];
}

// The words as a program, on one wave of which each lane has other registers.
static void run(const sw_processor *p, const uint8_t *code, size_t size) {
    static sw_terascale_wave wave;
    static uint32_t areas[SW_TERASCALE_SPACES][256];
    sw_terascale_memory memories[SW_TERASCALE_SPACES];
    struct text t = {0};
    uint8_t *object = NULL;
    size_t length;
    uint64_t sum = 0;
    text_puts(&t, "f:\n");
    for (size_t i = 0; i + 8 <= size && i < 2048; i += 8) {
        uint32_t w[2];
        memcpy(w, code + i, 8);
        text_printf(&t, "%zu .long 0x%x, 0x%x\n", i / 8, w[0], w[1]);
    }
    const sw_terascale_as_options a = {.size = sizeof a, .processor = p};
    if (!sw_terascale_assemble(t.data, t.length, &a, &object, &length, &sink)) {
        for (unsigned k = 0; k < SW_TERASCALE_SPACES; k++)
            memories[k] = (sw_terascale_memory){.size = sizeof *memories,
                                                .space = (sw_terascale_space)k,
                                                .data = areas[k],
                                                .bytes = sizeof areas[k],
                                                .stride = 16,
                                                .type = SW_TERASCALE_UNORM,
                                                .format = 26,
                                                .pitch = 4};
        const sw_terascale_buffer buffer = {areas[0], sizeof areas[0], 0, false};
        const sw_terascale_wave_options o = {.size = sizeof o,
                                             .buffers = &buffer,
                                             .buffer_count = 1,
                                             .lds = 512,
                                             .max_steps = 300,
                                             .exported = exported,
                                             .context = &sum,
                                             .memories = memories,
                                             .memory_count = SW_TERASCALE_SPACES,
                                             .emitted = emitted};
        wave.size = sizeof wave;
        wave.valid = 0x7ffffffffffffff5;
        for (unsigned g = 0; g < 128; g++)
            for (unsigned c = 0; c < 4; c++)
                for (unsigned l = 0; l < 64; l++) wave.gpr[g][c][l] = g % 8 * l + c;
        sw_terascale_run_wave(object, length, &o, &wave, &sink);
    }
    sw_terascale_free(object);
    text_free(&t);
}

static void object(const uint8_t *data, size_t size) {
    struct text t = {0};
    const sw_terascale_output out = {keep, &t};
    const sw_terascale_dis_options d = {.size = sizeof d, .name = "o"};
    const sw_terascale_run_options o = {
        .size = sizeof o, .groups = {2, 1, 1}, .group_size = {33, 1, 1}, .max_steps = 200};
    sw_terascale_operation all[8] = {{.size = sizeof *all}};
    size_t count;
    sw_terascale_list_object(data, size, &d, &out, &sink);
    sw_terascale_show_object(data, size, "o", &out, &sink);
    sw_terascale_operations(data, size, NULL, all, 8, &count, &sink);
    sw_terascale_run(data, size, &o, &sink);
    text_free(&t);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static const char *const names[] = {"r600",  "rs880",   "rv670",   "rv710", "rv770",
                                        "cedar", "cypress", "redwood", "turks", "cayman"};
    if (size < 3 || size > 8192) return 0;
    const char *name = names[data[0] % 10];
    const sw_processor *p = sw_processor_find(name, strlen(name));
    const sw_terascale_as_options a = {.size = sizeof a, .processor = p, .name = "f"};
    uint8_t *made = NULL;
    size_t length;
    switch (data[1] % 5) {
    case 0: list(p, data + 2, size - 2, false); break;
    case 1: list(p, data + 2, size - 2, true); break;
    case 2: run(p, data + 2, size - 2); break;
    case 3: object(data + 2, size - 2); break;
    default:
        if (!sw_terascale_assemble((const char *)data + 2, size - 2, &a, &made, &length, &sink))
            object(made, length);
        sw_terascale_free(made);
        break;
    }
    return 0;
}
