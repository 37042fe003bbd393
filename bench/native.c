// SPDX-License-Identifier: MIT
// The native side: times the same kernels on the first OpenCL device (PoCL on the CPU), in the same format
// as bench.c. Usage: native KERNELS.cl; the thread count is PoCL's POCL_MAX_PTHREAD_COUNT.
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "bench/kernels.h"

static void need(cl_int error, const char *what) {
    if (!error) return;
    fprintf(stderr, "native: %s: OpenCL error %d\n", what, error);
    exit(1);
}

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double run(cl_context context, cl_command_queue queue, cl_program program,
                  const struct bench_kernel *b) {
    cl_int error;
    cl_kernel kernel = clCreateKernel(program, b->name, &error);
    need(error, b->name);
    cl_uint argument = 0;
    cl_mem memory[3];
    for (int i = 0; i < b->buffers; i++) {
        memory[i] = clCreateBuffer(context, CL_MEM_READ_WRITE, b->size[i], NULL, &error);
        need(error, "buffer");
        void *p =
            clEnqueueMapBuffer(queue, memory[i], CL_TRUE, CL_MAP_WRITE, 0, b->size[i], 0, NULL, NULL, &error);
        need(error, "map");
        bench_fill(p, b->size[i]);
        clEnqueueUnmapMemObject(queue, memory[i], p, 0, NULL, NULL);
        need(clSetKernelArg(kernel, argument++, sizeof memory[i], &memory[i]), "argument");
    }
    if (b->has_f32) need(clSetKernelArg(kernel, argument++, 4, &b->f32), "argument");
    if (b->has_f64) need(clSetKernelArg(kernel, argument++, 8, &b->f64), "argument");
    for (int i = 0; i < b->scalars; i++)
        need(clSetKernelArg(kernel, argument++, 4, &b->scalar[i]), "argument");
    size_t grid[2] = {b->grid[0], b->grid[1]}, block[2] = {b->block[0], b->block[1]};
    double best = 1e9;
    for (int i = 0; i < BENCH_RUNS; i++) {
        double start = now();
        need(clEnqueueNDRangeKernel(queue, kernel, b->grid[1] > 1 ? 2 : 1, NULL, grid, block, 0, NULL, NULL),
             b->name);
        need(clFinish(queue), "finish");
        double t = now() - start;
        if (i && t < best) best = t;
    }
    for (int i = 0; i < b->buffers; i++) clReleaseMemObject(memory[i]);
    clReleaseKernel(kernel);
    return best;
}

int main(int argc, char **argv) {
    static char source[1 << 16];
    FILE *f = argc > 1 ? fopen(argv[1], "rb") : NULL;
    if (!f) return 1;
    size_t length = fread(source, 1, sizeof source - 1, f);
    fclose(f);
    const char *text = source;
    cl_platform_id platform;
    cl_device_id device;
    cl_int error;
    need(clGetPlatformIDs(1, &platform, NULL), "platform");
    need(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL), "device");
    cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &error);
    need(error, "context");
    cl_command_queue queue = clCreateCommandQueue(context, device, 0, &error);
    need(error, "queue");
    cl_program program = clCreateProgramWithSource(context, 1, &text, &length, &error);
    need(error, "program");
    need(clBuildProgram(program, 1, &device, "-cl-std=CL1.2", NULL, NULL), "build");
    for (int i = 0; i < BENCH_KERNELS; i++) {
        printf("%-12s %9.3f\n", bench_kernels[i].name, 1e3 * run(context, queue, program, &bench_kernels[i]));
        fflush(stdout);
    }
}
