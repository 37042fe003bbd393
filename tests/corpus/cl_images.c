// SPDX-License-Identifier: MIT
// Images of an OpenCL runtime: each format of each kind of image that it says it supports is written, copied
// by a kernel, by copies of images and by way of a buffer, mapped and filled; the bytes must come back. A
// line for each kind of image: "ok KIND, N formats". Ends with 1 if something was wrong or there are none.
#define CL_TARGET_OPENCL_VERSION 200
#include "cl_client.h"

enum { W = 37, H = 11, D = 5, MOST_FORMATS = 256, MOST_BYTES = W * H * D * 16 };

// A kernel for each kind of image and class of channels. PLACE is the texel of this work-item.
static const char *source =
    "#define KERNELS(kind, image, place, ...) COPY(kind, image, place, f, float4) COPY(kind, image, place, "
    "i, int4) "
    "COPY(kind, image, place, ui, uint4)\n"
    "#define COPY(kind, image, place, c, colour) \\\n"
    "kernel void copy_##kind##_##c(read_only image from, write_only image to) { \\\n"
    "    const int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2); \\\n"
    "    write_image##c(to, place, read_image##c(from, place)); } \\\n"
    "kernel void paint_##kind##_##c(write_only image to, colour with) { \\\n"
    "    const int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2); \\\n"
    "    write_image##c(to, place, with); }\n"
    "KERNELS(row, image1d_t, x)\n"
    "KERNELS(buffer, image1d_buffer_t, x)\n"
    "KERNELS(rows, image1d_array_t, (int2)(x, y))\n"
    "KERNELS(plane, image2d_t, (int2)(x, y))\n"
    "KERNELS(planes, image2d_array_t, (int4)(x, y, z, 0))\n"
    "KERNELS(volume, image3d_t, (int4)(x, y, z, 0))\n";

static const struct kind {
    const char *name;
    cl_mem_object_type type;
    size_t size[3];
} kinds[] = {
    {"row", CL_MEM_OBJECT_IMAGE1D, {W, 1, 1}},          {"buffer", CL_MEM_OBJECT_IMAGE1D_BUFFER, {W, 1, 1}},
    {"rows", CL_MEM_OBJECT_IMAGE1D_ARRAY, {W, H, 1}},   {"plane", CL_MEM_OBJECT_IMAGE2D, {W, H, 1}},
    {"planes", CL_MEM_OBJECT_IMAGE2D_ARRAY, {W, H, D}}, {"volume", CL_MEM_OBJECT_IMAGE3D, {W, H, D}},
};

static cl_context context;
static cl_command_queue queue;
static cl_program program;
static const size_t origin[3];

// ---- Formats ----

static const char *class_of(cl_channel_type type) {
    switch (type) {
    case CL_SIGNED_INT8:
    case CL_SIGNED_INT16:
    case CL_SIGNED_INT32: return "i";
    case CL_UNSIGNED_INT8:
    case CL_UNSIGNED_INT16:
    case CL_UNSIGNED_INT32: return "ui";
    default: return "f";
    }
}
// Numbers that come back as the same bytes: no NaNs, and of the two that are -1 the larger one.
static void make_texels(uint8_t *to, size_t bytes, cl_channel_type type) {
    uint32_t random = 12345;
    for (size_t i = 0; i < bytes; i++)
        random = random * 1664525 + 1013904223, to[i] = (uint8_t)(random >> 24);
    for (size_t i = 0; i < bytes / 4; i++) {
        uint32_t *word = (uint32_t *)(void *)to + i;
        if (type == CL_FLOAT) *word = (*word & 0x807fffff) | (100 + *word % 50) << 23;
    }
    for (size_t i = 0; i < bytes / 2; i++) {
        uint16_t *word = (uint16_t *)(void *)to + i;
        if (type == CL_HALF_FLOAT) *word = (uint16_t)((*word & 0x83ff) | (1 + *word % 29) << 10);
        if (type == CL_SNORM_INT16 && *word == 0x8000) *word = 0x8001;
    }
    for (size_t i = 0; i < bytes; i++)
        if (type == CL_SNORM_INT8 && to[i] == 0x80) to[i] = 0x81;
}

// ---- One format ----

struct image {
    cl_mem image, memory; // of a buffer's image
};
static struct image make_image(const struct kind *k, const cl_image_format *format, size_t texel) {
    struct image m = {0};
    char what_for[96];
    cl_int error;
    cl_image_desc what = {.image_type = k->type, .image_width = k->size[0], .image_height = k->size[1]};
    if (k->type == CL_MEM_OBJECT_IMAGE3D) what.image_depth = k->size[2];
    if (k->type == CL_MEM_OBJECT_IMAGE1D_ARRAY) what.image_array_size = k->size[1];
    if (k->type == CL_MEM_OBJECT_IMAGE2D_ARRAY) what.image_array_size = k->size[2];
    if (k->type == CL_MEM_OBJECT_IMAGE1D_BUFFER) {
        m.memory = clCreateBuffer(context, CL_MEM_READ_WRITE, W * texel, NULL, &error);
        need(error, "clCreateBuffer");
        what.buffer = m.memory;
    }
    m.image = clCreateImage(context, CL_MEM_READ_WRITE, format, &what, NULL, &error);
    snprintf(what_for, sizeof what_for, "clCreateImage of a %s, order %#x, type %#x", k->name,
             format->image_channel_order, format->image_channel_data_type);
    need(error, what_for);
    return m;
}
static void drop_image(struct image m) {
    clReleaseMemObject(m.image);
    if (m.memory) clReleaseMemObject(m.memory);
}
static void run(const struct kind *k, const char *what, const char *channels, cl_mem first,
                const void *second, size_t bytes) {
    char name[64];
    cl_int error;
    snprintf(name, sizeof name, "%s_%s_%s", what, k->name, channels);
    cl_kernel kernel = clCreateKernel(program, name, &error);
    need(error, name);
    need(clSetKernelArg(kernel, 0, sizeof first, &first), name);
    need(clSetKernelArg(kernel, 1, bytes, second), name);
    need(clEnqueueNDRangeKernel(queue, kernel, 3, NULL, k->size, NULL, 0, NULL, NULL), name);
    need(clFinish(queue), name);
    clReleaseKernel(kernel);
}
// Of a byte of texels, where packed types have bits that no channel has.
static unsigned bits_of_channels(cl_channel_type type, size_t byte) {
    if (type == CL_UNORM_SHORT_555 && byte % 2 == 1) return 0x7f;
    return type == CL_UNORM_INT_101010 && byte % 4 == 3 ? 0x3f : 0xff;
}
static int differs(const char *what, const struct kind *k, const cl_image_format *f, const uint8_t *want,
                   const uint8_t *got, size_t bytes) {
    for (size_t i = 0; i < bytes; i++) {
        const unsigned channels = bits_of_channels(f->image_channel_data_type, i);
        if ((want[i] ^ got[i]) & channels) {
            printf("%s, order %#x, type %#x: %s: byte %zu is %#x, not %#x\n", k->name, f->image_channel_order,
                   f->image_channel_data_type, what, i, got[i], want[i]);
            return wrong = 1;
        }
    }
    return 0;
}
static void read_back(const struct kind *k, cl_mem image, uint8_t *to) {
    need(clEnqueueReadImage(queue, image, CL_TRUE, origin, k->size, 0, 0, to, 0, NULL, NULL),
         "clEnqueueReadImage");
}
// The rows of a mapped image, with its pitches.
static void read_mapped(const struct kind *k, cl_mem image, uint8_t *to, size_t texel) {
    size_t row = 0, slice = 0;
    cl_int error;
    const uint8_t *from = clEnqueueMapImage(queue, image, CL_TRUE, CL_MAP_READ, origin, k->size, &row, &slice,
                                            0, NULL, NULL, &error);
    need(error, "clEnqueueMapImage");
    if (k->type == CL_MEM_OBJECT_IMAGE1D_ARRAY) row = slice;
    for (size_t z = 0; z < k->size[2]; z++)
        for (size_t y = 0; y < k->size[1]; y++, to += W * texel)
            memcpy(to, from + z * slice + y * row, W * texel);
    need(clEnqueueUnmapMemObject(queue, image, (void *)(uintptr_t)from, 0, NULL, NULL),
         "clEnqueueUnmapMemObject");
    need(clFinish(queue), "clFinish");
}

static void one_format(const struct kind *k, const cl_image_format *f) {
    static uint8_t want[MOST_BYTES], got[MOST_BYTES];
    size_t texel;
    cl_int error;
    struct image probe = make_image(k, f, 16);
    need(clGetImageInfo(probe.image, CL_IMAGE_ELEMENT_SIZE, sizeof texel, &texel, NULL), "clGetImageInfo");
    drop_image(probe);
    const struct image a = make_image(k, f, texel), b = make_image(k, f, texel);
    const size_t bytes = k->size[0] * k->size[1] * k->size[2] * texel;
    const char *channels = class_of(f->image_channel_data_type);

    make_texels(want, bytes, f->image_channel_data_type);
    need(clEnqueueWriteImage(queue, a.image, CL_TRUE, origin, k->size, 0, 0, want, 0, NULL, NULL),
         "clEnqueueWriteImage");
    read_back(k, a.image, got);
    int stop = differs("written and read", k, f, want, got, bytes);
    if (!stop) {
        read_mapped(k, a.image, got, texel);
        stop = differs("mapped", k, f, want, got, bytes);
    }
    if (!stop) {
        run(k, "copy", channels, a.image, &b.image, sizeof b.image);
        read_back(k, b.image, got);
        stop = differs("copied by a kernel", k, f, want, got, bytes);
    }
    if (!stop) { // the image turns by a texel
        const size_t to[3] = {1, 0, 0}, end[3] = {W - 1, 0, 0}, part[3] = {W - 1, k->size[1], k->size[2]},
                     last[3] = {1, k->size[1], k->size[2]};
        need(clEnqueueCopyImage(queue, a.image, b.image, origin, to, part, 0, NULL, NULL),
             "clEnqueueCopyImage");
        need(clEnqueueCopyImage(queue, a.image, b.image, end, origin, last, 0, NULL, NULL),
             "clEnqueueCopyImage");
        read_back(k, b.image, got);
        for (size_t row = 0; row < bytes / (W * texel); row++) {
            uint8_t *at = got + row * W * texel, first[16];
            memcpy(first, at, texel);
            memmove(at, at + texel, (W - 1) * texel);
            memcpy(at + (W - 1) * texel, first, texel);
        }
        stop = differs("copied in parts", k, f, want, got, bytes);
    }
    if (!stop) {
        cl_mem buffer = clCreateBuffer(context, CL_MEM_READ_WRITE, bytes, NULL, &error);
        need(error, "clCreateBuffer");
        need(clEnqueueCopyImageToBuffer(queue, a.image, buffer, origin, k->size, 0, 0, NULL, NULL),
             "clEnqueueCopyImageToBuffer");
        need(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, bytes, got, 0, NULL, NULL),
             "clEnqueueReadBuffer");
        stop = differs("copied to a buffer", k, f, want, got, bytes);
        need(clEnqueueCopyBufferToImage(queue, buffer, b.image, 0, origin, k->size, 0, NULL, NULL),
             "clEnqueueCopyBufferToImage");
        read_back(k, b.image, got);
        stop |= differs("copied from a buffer", k, f, want, got, bytes);
        clReleaseMemObject(buffer);
    }
    if (!stop) {
        static const cl_float4 f4 = {{0.25f, 0.75f, 1.0f, 0.5f}};
        static const cl_int4 i4 = {{-3, 100, 7, -128}};
        static const cl_uint4 u4 = {{3, 100, 255, 0}};
        const void *colour = *channels == 'f'   ? (const void *)&f4
                             : *channels == 'i' ? (const void *)&i4
                                                : &u4;
        need(clEnqueueFillImage(queue, a.image, colour, origin, k->size, 0, NULL, NULL),
             "clEnqueueFillImage");
        run(k, "paint", channels, b.image, colour, 16);
        read_back(k, a.image, want);
        read_back(k, b.image, got);
        stop = differs("filled", k, f, want, got, bytes);
        for (size_t i = texel; i < bytes && !stop; i++)
            if (want[i] != want[i - texel])
                stop = differs("filled, texels differ", k, f, want + i - texel, want + i, 1);
    }
    drop_image(a);
    drop_image(b);
}

int main(void) {
    cl_platform_id platform;
    cl_device_id device;
    cl_int error;
    cl_bool images = 0;
    need(clGetPlatformIDs(1, &platform, NULL), "clGetPlatformIDs");
    need(clGetDeviceIDs(platform, CL_DEVICE_TYPE_GPU, 1, &device, NULL), "clGetDeviceIDs");
    need(clGetDeviceInfo(device, CL_DEVICE_IMAGE_SUPPORT, sizeof images, &images, NULL),
         "CL_DEVICE_IMAGE_SUPPORT");
    if (!images) return puts("no images"), 1;
    context = clCreateContext(NULL, 1, &device, NULL, NULL, &error);
    need(error, "clCreateContext");
    queue = clCreateCommandQueueWithProperties(context, device, NULL, &error);
    need(error, "clCreateCommandQueueWithProperties");
    program = clCreateProgramWithSource(context, 1, &source, NULL, &error);
    need(error, "clCreateProgramWithSource");
    need(clBuildProgram(program, 1, &device, "-cl-std=CL2.0", NULL, NULL), "clBuildProgram");
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        cl_image_format formats[MOST_FORMATS];
        cl_uint count = 0;
        const int before = wrong;
        wrong = 0;
        need(clGetSupportedImageFormats(context, CL_MEM_READ_WRITE, kinds[i].type, MOST_FORMATS, formats,
                                        &count),
             "clGetSupportedImageFormats");
        if (count > MOST_FORMATS) count = MOST_FORMATS;
        for (cl_uint n = 0; n < count; n++) one_format(&kinds[i], &formats[n]);
        if (!wrong) printf("ok %s, %u formats\n", kinds[i].name, count);
        wrong |= before;
        fflush(stdout);
    }
    return wrong;
}
