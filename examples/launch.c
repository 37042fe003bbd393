// SPDX-License-Identifier: MIT
// A kernel from assembly text to its results, through the C interface: cc launch.c -lsoftwave. It is also a
// C++ program: c++ -x c++ launch.c -lsoftwave.
#include <stdio.h>
#include <string.h>

#include "softwave/softwave.h"

// y[i] = a * x[i], for one dimension. The arguments lie one behind the other: y, x, a.
static const char text[] = ".text\n"
                           ".globl scale\n"
                           ".p2align 8\n"
                           ".type scale,@function\n"
                           "scale:\n"
                           "    s_load_dwordx4 s[4:7], s[0:1], 0x0\n"
                           "    s_load_dword s8, s[0:1], 0x10\n"
                           "    s_lshl_b32 s9, s2, 6\n"
                           "    v_add_lshl_u32 v0, v0, s9, 2\n"
                           "    s_waitcnt lgkmcnt(0)\n"
                           "    global_load_dword v1, v0, s[6:7]\n"
                           "    s_waitcnt vmcnt(0)\n"
                           "    v_mul_f32 v1, s8, v1\n"
                           "    global_store_dword v0, v1, s[4:5]\n"
                           "    s_endpgm\n"
                           ".section .rodata,\"a\"\n"
                           ".p2align 6\n"
                           ".amdhsa_kernel scale\n"
                           "    .amdhsa_next_free_vgpr 4\n"
                           "    .amdhsa_next_free_sgpr 16\n"
                           "    .amdhsa_accum_offset 4\n"
                           "    .amdhsa_user_sgpr_kernarg_segment_ptr 1\n"
                           "    .amdhsa_kernarg_size 24\n"
                           ".end_amdhsa_kernel\n";

static void report(void *context, const sw_diagnostic *d) {
    (void)context;
    fprintf(stderr, "%s:%u: %s\n", d->at.file ? d->at.file : "launch", d->at.line, d->message);
}
static const sw_sink sink = {report, NULL};

// Loads the code on a device. The object must stay open for launches by name.
static sw_status load(const sw_target *target, uint8_t **code, sw_object **object, sw_device **device,
                      sw_executable **executable) {
    size_t size;
    sw_asm_options how = SW_INIT(sw_asm_options);
    how.target = *target;
    how.os = SW_OS_AMDHSA;
    how.name = "scale.s";
    sw_status status = sw_assemble(text, strlen(text), &how, code, &size, &sink);
    if (status == SW_OK) status = sw_object_open(*code, size, NULL, object, &sink);
    sw_device_options gpu = SW_INIT(sw_device_options);
    gpu.target = *target;
    if (status == SW_OK) status = sw_device_create(&gpu, device, &sink);
    if (status == SW_OK) status = sw_device_load(*device, *object, NULL, NULL, executable, &sink);
    return status;
}

static sw_status run(sw_device *device, sw_executable *executable, const sw_object *object) {
    enum { COUNT = 256 };
    float *x = (float *)sw_device_alloc(device, COUNT * sizeof *x);
    float *y = (float *)sw_device_alloc(device, COUNT * sizeof *y);
    const float a = 2.5f;
    if (!x || !y) return SW_NO_MEMORY;
    for (int i = 0; i < COUNT; i++) x[i] = (float)i; // memory of the device is memory of this process

    const sw_kernel_value arguments[] = {{&y, sizeof y}, {&x, sizeof x}, {&a, sizeof a}};
    sw_launch launch = SW_INIT(sw_launch);
    launch.executable = executable;
    launch.object = object;
    launch.kernel = "scale";
    launch.grid[0] = COUNT;
    launch.block[0] = 64;
    launch.arguments = arguments;
    launch.argument_count = sizeof arguments / sizeof *arguments;
    sw_fault fault = SW_INIT(sw_fault);
    const sw_status status = sw_device_launch(device, &launch, &fault, &sink);
    if (status != SW_OK) return status;
    printf("%g %g %g ... %g\n", y[0], y[1], y[2], y[COUNT - 1]);

    // What a fault looks like: the kernel reads through a null pointer. One work-group, as of several any may
    // be first.
    const float *nothing = NULL;
    const sw_kernel_value wrong[] = {{&y, sizeof y}, {&nothing, sizeof nothing}, {&a, sizeof a}};
    launch.arguments = wrong;
    launch.grid[0] = 64;
    char words[256];
    if (sw_device_launch(device, &launch, &fault, NULL) != SW_FAULTED) return SW_CHECK;
    sw_fault_describe(&fault, words, sizeof words);
    printf("with a null pointer the kernel %s\n", words);
    return SW_OK;
}

int main(int argc, char **argv) {
    const char *name = argc > 1 ? argv[1] : "gfx90a";
    sw_target target;
    uint8_t *code = NULL;
    sw_object *object = NULL;
    sw_device *device = NULL;
    sw_executable *executable = NULL;
    if (sw_version_number() < SW_VERSION_NUMBER) fprintf(stderr, "the library is older than its header\n");
    sw_status status = sw_target_choose(name, strlen(name), &target, &sink);
    if (status == SW_OK) status = load(&target, &code, &object, &device, &executable);
    if (status == SW_OK) status = run(device, executable, object);
    if (status != SW_OK) fprintf(stderr, "launch: %s\n", sw_status_text(status));
    sw_device_destroy(device);
    sw_object_close(object);
    sw_free(code);
    return (int)status;
}
