// SPDX-License-Identifier: MIT
// Programs of the R600 family that run: text, or words with registers of state around them, as a wave and as
// the shaders of a small picture.
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "softwave/terascale.h"

enum { SIDE = 8, BYTES = 4096, SETTINGS = 64 };

static const char *const chips[] = {"r600", "rs880", "rv770", "cedar", "cypress", "cayman"};

static void run(const char *text, size_t length, const char *chip, const sw_terascale_setting *settings,
                size_t count) {
    static uint8_t memory[BYTES];
    static float colours[SIDE * SIDE * 4], parameters[32][4][3];
    static sw_terascale_wave wave;
    const sw_terascale_buffer buffer = {memory, sizeof memory, 0x1000, false};
    const sw_terascale_as_options a = {.size = sizeof a, .processor = sw_processor_find(chip, strlen(chip))};
    const sw_terascale_wave_options w = {.size = sizeof w,
                                         .lds = 256,
                                         .parameters = parameters,
                                         .setup = &(sw_terascale_setup){.size = sizeof(sw_terascale_setup),
                                                                        .buffers = &buffer,
                                                                        .buffer_count = 1,
                                                                        .max_steps = 300,
                                                                        .settings = settings,
                                                                        .setting_count = count}};
    const sw_terascale_draw_options d = {.size = sizeof d,
                                         .primitive = (sw_terascale_primitive)(length & 3),
                                         .count = 6,
                                         .width = SIDE,
                                         .height = SIDE,
                                         .targets = {colours},
                                         .setup = &(sw_terascale_setup){.size = sizeof(sw_terascale_setup),
                                                                        .buffers = &buffer,
                                                                        .buffer_count = 1,
                                                                        .max_steps = 300,
                                                                        .settings = settings,
                                                                        .setting_count = count}};
    uint8_t *object;
    size_t size;
    if (sw_terascale_assemble(text, length, &a, &object, &size, NULL)) return;
    wave.size = sizeof wave;
    wave.valid = ~0ull;
    for (unsigned i = 0; i < BYTES; i++) memory[i] = (uint8_t)(i * 37);
    sw_terascale_run_wave(object, size, &w, &wave, NULL);
    sw_terascale_draw(object, size, &d, NULL);
    sw_free(object);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    sw_terascale_setting settings[SETTINGS];
    size_t count = 0;
    if (size < 2) return 0;
    const char *chip = chips[data[0] % 6];
    const bool words = data[1] & 128;
    size_t most = data[1] & 63;
    data += 2, size -= 2;
    if (!words) {
        run((const char *)data, size, chip, NULL, 0);
        return 0;
    }
    for (; count < most && size >= 6; data += 6, size -= 6) { // resources, samplers, and the rest
        uint32_t value;
        const uint32_t n = data[0] | (uint32_t)data[1] << 8;
        memcpy(&value, data + 2, 4);
        settings[count++] = (sw_terascale_setting){
            n & 0x8000 ? 0x28000 + (n & 0x3ff) * 4 : 0x30000 + (n & 0x3fff) * 4, value};
    }
    struct text t = {0};
    for (unsigned k = 0; k < 2; k++) {
        text_printf(&t, "%s:\n.stage %s\n", k ? "p" : "v", k ? "pixel" : "vertex");
        for (size_t i = 0; i + 8 <= size && i < 1024; i += 8) {
            uint32_t w[2];
            memcpy(w, data + i, 8);
            text_printf(&t, ".long 0x%x, 0x%x\n", w[0], w[1]);
        }
    }
    run(t.data, t.length, chip, settings, count);
    text_free(&t);
    return 0;
}
