// SPDX-License-Identifier: MIT
// Images sampled by two OpenCL runtimes in one process, a CPU's (PoCL) and that of the GPU: each kind of
// image, each format of its table that both have, every address mode and filter. Nearest texels are equal;
// filtered ones differ by what the GPU's weights of 8 bits may. A line for each kind: "ok KIND, F formats, N
// samplers, M texels". Ends with 1 if something was wrong, or if nothing was compared.
#define CL_TARGET_OPENCL_VERSION 120
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <math.h>

#include "cl_client.h"

enum { W = 16, H = 8, D = 4, POINTS = 512, MOST_BYTES = W * H * D * 16 };

static const char *source =
    "#define SAMPLES(kind, image, place) \\\n"
    "kernel void kind##_f(read_only image from, sampler_t s, global const float4 *at, global float4 *to) { "
    "\\\n"
    "    const float4 p = at[get_global_id(0)]; to[get_global_id(0)] = read_imagef(from, s, place); } \\\n"
    "kernel void kind##_i(read_only image from, sampler_t s, global const float4 *at, global int4 *to) { \\\n"
    "    const float4 p = at[get_global_id(0)]; to[get_global_id(0)] = read_imagei(from, s, place); } \\\n"
    "kernel void kind##_ui(read_only image from, sampler_t s, global const float4 *at, global uint4 *to) { "
    "\\\n"
    "    const float4 p = at[get_global_id(0)]; to[get_global_id(0)] = read_imageui(from, s, place); }\n"
    "SAMPLES(row, image1d_t, p.x)\n"
    "SAMPLES(rows, image1d_array_t, p.xy)\n"
    "SAMPLES(plane, image2d_t, p.xy)\n"
    "SAMPLES(planes, image2d_array_t, p)\n"
    "SAMPLES(volume, image3d_t, p)\n";

static const struct kind {
    const char *name;
    cl_mem_object_type type;
    size_t size[3];
    int filtered; // directions: those behind them are layers
} kinds[] = {
    {"row", CL_MEM_OBJECT_IMAGE1D, {W, 1, 1}, 1},    {"rows", CL_MEM_OBJECT_IMAGE1D_ARRAY, {W, H, 1}, 1},
    {"plane", CL_MEM_OBJECT_IMAGE2D, {W, H, 1}, 2},  {"planes", CL_MEM_OBJECT_IMAGE2D_ARRAY, {W, H, D}, 2},
    {"volume", CL_MEM_OBJECT_IMAGE3D, {W, H, D}, 3},
};
static const struct format {
    cl_image_format is;
    const char *read;
    unsigned bytes;
} formats[] = {
    {{CL_RGBA, CL_FLOAT}, "f", 16},           {{CL_RGBA, CL_HALF_FLOAT}, "f", 8},
    {{CL_RGBA, CL_UNORM_INT8}, "f", 4},       {{CL_RGBA, CL_SNORM_INT8}, "f", 4},
    {{CL_BGRA, CL_UNORM_INT8}, "f", 4},       {{CL_RGBA, CL_UNORM_INT16}, "f", 8},
    {{CL_RGBA, CL_SNORM_INT16}, "f", 8},      {{CL_R, CL_FLOAT}, "f", 4},
    {{CL_R, CL_UNORM_INT8}, "f", 1},          {{CL_RG, CL_UNORM_INT8}, "f", 2},
    {{CL_A, CL_UNORM_INT8}, "f", 1},          {{CL_INTENSITY, CL_FLOAT}, "f", 4},
    {{CL_LUMINANCE, CL_FLOAT}, "f", 4},       {{CL_RGBA, CL_SIGNED_INT8}, "i", 4},
    {{CL_RGBA, CL_SIGNED_INT32}, "i", 16},    {{CL_R, CL_SIGNED_INT16}, "i", 2},
    {{CL_RGBA, CL_UNSIGNED_INT8}, "ui", 4},   {{CL_RGBA, CL_UNSIGNED_INT16}, "ui", 8},
    {{CL_RGBA, CL_UNSIGNED_INT32}, "ui", 16}, {{CL_RG, CL_UNSIGNED_INT16}, "ui", 4},
};
enum { KINDS = sizeof kinds / sizeof *kinds, FORMATS = sizeof formats / sizeof *formats };

static struct runtime {
    cl_device_id device;
    cl_context context;
    cl_command_queue queue;
    cl_program program;
} runtimes[2]; // the CPU's, the GPU's
static void open_runtimes(void) {
    cl_platform_id platforms[8];
    cl_uint count = 0;
    need(clGetPlatformIDs(8, platforms, &count), "clGetPlatformIDs");
    for (cl_uint i = 0; i < count && i < 8; i++) {
        char name[128] = "";
        clGetPlatformInfo(platforms[i], CL_PLATFORM_NAME, sizeof name, name, NULL);
        const int is_gpu = !strstr(name, "Portable");
        struct runtime *r = &runtimes[is_gpu];
        if (r->device || clGetDeviceIDs(platforms[i], CL_DEVICE_TYPE_ALL, 1, &r->device, NULL)) continue;
        cl_int error;
        r->context = clCreateContext(NULL, 1, &r->device, NULL, NULL, &error);
        need(error, "clCreateContext");
        r->queue = clCreateCommandQueue(r->context, r->device, 0, &error);
        need(error, "clCreateCommandQueue");
        r->program = clCreateProgramWithSource(r->context, 1, &source, NULL, &error);
        error =
            clBuildProgram(r->program, 1, &r->device, is_gpu ? "-cl-std=CL2.0" : "-cl-std=CL3.0", NULL, NULL);
        static char log[4096];
        if (error)
            clGetProgramBuildInfo(r->program, r->device, CL_PROGRAM_BUILD_LOG, sizeof log - 1, log, NULL);
        printf("%s", log);
        need(error, name);
    }
    if (runtimes[0].device && runtimes[1].device) return;
    printf("two runtimes are needed: PoCL and the GPU's\n");
    exit(1);
}
static int has_format(const struct runtime *r, const struct kind *k, const struct format *f) {
    static cl_image_format all[512];
    cl_uint count = 0;
    if (clGetSupportedImageFormats(r->context, CL_MEM_READ_ONLY, k->type, 512, all, &count)) return 0;
    for (cl_uint i = 0; i < count && i < 512; i++)
        if (all[i].image_channel_order == f->is.image_channel_order &&
            all[i].image_channel_data_type == f->is.image_channel_data_type)
            return 1;
    return 0;
}

static uint32_t random_state = 1;
static uint32_t next_random(void) { return random_state = random_state * 1664525 + 1013904223; }
static double unit(void) { return (next_random() >> 8) / 16777216.0; }

// Halves and floats are numbers from -1 to 1.
static void fill(const struct format *f, uint8_t *texels) {
    for (unsigned i = 0; i < MOST_BYTES; i++) texels[i] = (uint8_t)(next_random() >> 24);
    for (unsigned i = 0; i < MOST_BYTES / 4 && f->is.image_channel_data_type == CL_FLOAT; i++)
        ((float *)(void *)texels)[i] = (float)(2 * unit() - 1);
    for (unsigned i = 0; i < MOST_BYTES / 2 && f->is.image_channel_data_type == CL_HALF_FLOAT; i++)
        ((uint16_t *)(void *)texels)[i] =
            (uint16_t)((next_random() >> 16 & 0x83ff) | (8 + next_random() % 7) << 10);
}
// Places inside and beside the image. Those of nearest texels keep away from what is between two of them.
static void choose_points(const struct kind *k, int normal, int nearest, float *at) {
    for (unsigned i = 0; i < POINTS; i++)
        for (int c = 0; c < 4; c++) {
            const int layers = c >= k->filtered, size = c < 3 ? (int)k->size[c] : 1;
            double p = (int)(next_random() >> 8) % (3 * size) - size;
            p += nearest ? 0.1 + 0.8 * unit() : unit();
            if (layers) p = (int)(next_random() >> 8) % (size + 2) - 1;
            at[4 * i + c] = (float)(normal && !layers ? p / size : p);
        }
}
static void sample(const struct runtime *r, const struct kind *k, const struct format *f, void *texels,
                   cl_bool normal, cl_addressing_mode mode, cl_filter_mode filter, float *at, void *to) {
    const cl_image_desc desc = {.image_type = k->type,
                                .image_width = k->size[0],
                                .image_height = k->type == CL_MEM_OBJECT_IMAGE1D_ARRAY ? 1 : k->size[1],
                                .image_depth = k->size[2],
                                .image_array_size =
                                    k->type == CL_MEM_OBJECT_IMAGE1D_ARRAY ? k->size[1] : k->size[2]};
    cl_int error;
    char name[32];
    cl_mem image =
        clCreateImage(r->context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, &f->is, &desc, texels, &error);
    need(error, "clCreateImage");
    cl_mem places = clCreateBuffer(r->context, CL_MEM_COPY_HOST_PTR, POINTS * 16, at, &error);
    need(error, "clCreateBuffer");
    cl_mem out = clCreateBuffer(r->context, CL_MEM_READ_WRITE, POINTS * 16, NULL, &error);
    need(error, "clCreateBuffer");
    cl_sampler sampler = clCreateSampler(r->context, normal, mode, filter, &error);
    need(error, "clCreateSampler");
    snprintf(name, sizeof name, "%s_%s", k->name, f->read);
    cl_kernel kernel = clCreateKernel(r->program, name, &error);
    need(error, name);
    clSetKernelArg(kernel, 0, sizeof image, &image);
    clSetKernelArg(kernel, 1, sizeof sampler, &sampler);
    clSetKernelArg(kernel, 2, sizeof places, &places);
    clSetKernelArg(kernel, 3, sizeof out, &out);
    const size_t points = POINTS;
    need(clEnqueueNDRangeKernel(r->queue, kernel, 1, NULL, &points, NULL, 0, NULL, NULL), name);
    need(clEnqueueReadBuffer(r->queue, out, CL_TRUE, 0, POINTS * 16, to, 0, NULL, NULL),
         "clEnqueueReadBuffer");
    clReleaseKernel(kernel), clReleaseSampler(sampler);
    clReleaseMemObject(out), clReleaseMemObject(places), clReleaseMemObject(image);
}

static unsigned compare(const struct kind *k, const struct format *f, cl_bool normal, cl_addressing_mode mode,
                        cl_filter_mode filter) {
    static uint8_t texels[MOST_BYTES];
    static float at[4 * POINTS];
    static uint32_t got[2][4 * POINTS];
    fill(f, texels);
    choose_points(k, normal, filter == CL_FILTER_NEAREST, at);
    for (int i = 0; i < 2; i++) sample(&runtimes[i], k, f, texels, normal, mode, filter, at, got[i]);
    // The values lie in -1 to 1; a weight is off by 1/512 in each direction at the most.
    const double margin = filter == CL_FILTER_NEAREST ? 1e-6 : 2.0 * k->filtered / 512 + 1e-4;
    for (unsigned i = 0; i < 4 * POINTS; i++) {
        float a, b;
        memcpy(&a, &got[0][i], 4), memcpy(&b, &got[1][i], 4);
        if (*f->read == 'f' ? fabs((double)a - (double)b) <= margin : got[0][i] == got[1][i]) continue;
        if (!wrong++ || wrong < 20)
            printf("%s order %x type %x, %s address %x filter %x, at %g %g %g, channel %u: GPU %g (%x), CPU "
                   "%g (%x)\n",
                   k->name, f->is.image_channel_order, f->is.image_channel_data_type,
                   normal ? "normalized" : "plain", mode, filter, at[i / 4 * 4], at[i / 4 * 4 + 1],
                   at[i / 4 * 4 + 2], i % 4, (double)b, got[1][i], (double)a, got[0][i]);
        break;
    }
    return POINTS;
}

int main(void) {
    unsigned all = 0;
    open_runtimes();
    for (unsigned n = 0; n < KINDS; n++) {
        unsigned both = 0, samplers = 0, texels = 0, before = (unsigned)wrong;
        for (unsigned i = 0; i < FORMATS; i++) {
            const struct format *f = &formats[i];
            if (!has_format(&runtimes[0], &kinds[n], f) || !has_format(&runtimes[1], &kinds[n], f)) continue;
            both++;
            for (int normal = 0; normal < 2; normal++)
                for (int linear = 0; linear < 1 + (*f->read == 'f'); linear++)
                    for (cl_addressing_mode mode = CL_ADDRESS_CLAMP_TO_EDGE;
                         mode <= (normal ? CL_ADDRESS_MIRRORED_REPEAT : CL_ADDRESS_CLAMP); mode++, samplers++)
                        texels += compare(&kinds[n], f, (cl_bool)normal, mode,
                                          linear ? CL_FILTER_LINEAR : CL_FILTER_NEAREST);
        }
        printf("%s %s, %u formats, %u samplers, %u texels\n", (unsigned)wrong == before ? "ok" : "wrong",
               kinds[n].name, both, samplers, texels);
        all += texels;
    }
    return wrong || !all;
}
