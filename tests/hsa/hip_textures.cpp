// SPDX-License-Identifier: MIT
// Textures and surfaces of HIP: arrays of one, two and three dimensions, layers, pitched and linear memory;
// texels read at their middles, between them, outside of the picture, as integers, floats and normalised.
#include <cmath>

#include "check.h"

enum { W = 19, H = 11, D = 5 };

__global__ void read_1d(hipTextureObject_t t, float *out) {
    out[threadIdx.x] = tex1D<float>(t, threadIdx.x + 0.5f);
}
__global__ void read_linear(hipTextureObject_t t, float4 *out) {
    out[threadIdx.x] = tex1Dfetch<float4>(t, threadIdx.x);
}
template <typename T> __global__ void read_2d(hipTextureObject_t t, T *out, float dx, float dy) {
    out[blockIdx.x * W + threadIdx.x] = tex2D<T>(t, threadIdx.x + dx, blockIdx.x + dy);
}
__global__ void read_3d(hipTextureObject_t t, float *out) {
    const int x = threadIdx.x, y = blockIdx.x, z = blockIdx.y;
    out[(z * H + y) * W + x] = tex3D<float>(t, x + 0.5f, y + 0.5f, z + 0.5f);
}
__global__ void read_layer(hipTextureObject_t t, float *out) {
    const int x = threadIdx.x, y = blockIdx.x, z = blockIdx.y;
    out[(z * H + y) * W + x] = tex2DLayered<float>(t, x + 0.5f, y + 0.5f, z);
}
__global__ void turn(hipSurfaceObject_t from, hipSurfaceObject_t to) {
    const int x = threadIdx.x, y = blockIdx.x;
    float v;
    surf2Dread(&v, from, x * 4, y);
    surf2Dwrite(v + 1, to, (W - 1 - x) * 4, H - 1 - y);
}

static hipResourceDesc of_array(hipArray_t a) {
    hipResourceDesc r = {};
    r.resType = hipResourceTypeArray;
    r.res.array.array = a;
    return r;
}
static hipTextureDesc how(hipTextureFilterMode filter, hipTextureAddressMode address,
                          hipTextureReadMode read) {
    hipTextureDesc d = {};
    d.addressMode[0] = d.addressMode[1] = d.addressMode[2] = address;
    d.filterMode = filter;
    d.readMode = read;
    return d;
}
static float value(int x, int y, int z) { return (float)(x * 3 + y * 50 + z * 1000); }

static void two() {
    float host[H][W], got[H][W], *out;
    for (int y = 0; y < H; y++)
        for (int x = 0; x < W; x++) host[y][x] = value(x, y, 0);
    hipArray_t array;
    const hipChannelFormatDesc f = hipCreateChannelDesc<float>();
    CALL(hipMallocArray(&array, &f, W, H));
    CALL(hipMemcpy2DToArray(array, 0, 0, host, W * 4, W * 4, H, hipMemcpyHostToDevice));
    CALL(hipMalloc((void **)&out, sizeof got));
    const hipResourceDesc r = of_array(array);
    for (int linear = 0; linear < 2; linear++)
        for (int border = 0; border < 2; border++) {
            const hipTextureDesc d =
                how(linear ? hipFilterModeLinear : hipFilterModePoint,
                    border ? hipAddressModeBorder : hipAddressModeClamp, hipReadModeElementType);
            hipTextureObject_t t;
            CALL(hipCreateTextureObject(&t, &r, &d, nullptr));
            for (int step = 0; step < 3; step++) { // the middle, a quarter on, far to the right
                const float dx = step == 2 ? 100 : 0.5f + 0.25f * step;
                read_2d<float><<<H, W>>>(t, out, dx, 0.5f);
                CALL(hipMemcpy(got, out, sizeof got, hipMemcpyDeviceToHost));
                for (int y = 0; y < H; y++)
                    for (int x = 0; x < W; x++) {
                        float want = host[y][x];
                        if (step == 2) want = border ? 0 : host[y][W - 1];
                        const float next = x < W - 1 ? host[y][x + 1] : border ? 0 : host[y][x];
                        if (step == 1 && linear) want += (next - want) * 0.25f;
                        EXPECT(fabsf(got[y][x] - want) < 1e-3f);
                    }
            }
            CALL(hipDestroyTextureObject(t));
        }
    CALL(hipFree(out));
    CALL(hipFreeArray(array));
}

static void normalised() {
    uchar4 host[H][W];
    float4 got[H][W], *out;
    for (int i = 0; i < W * H; i++)
        host[i / W][i % W] =
            make_uchar4((unsigned char)i, (unsigned char)(255 - i), (unsigned char)(i * 7), 255);
    hipArray_t array;
    const hipChannelFormatDesc f = hipCreateChannelDesc(8, 8, 8, 8, hipChannelFormatKindUnsigned);
    CALL(hipMallocArray(&array, &f, W, H));
    CALL(hipMemcpy2DToArray(array, 0, 0, host, W * 4, W * 4, H, hipMemcpyHostToDevice));
    CALL(hipMalloc((void **)&out, sizeof got));
    const hipResourceDesc r = of_array(array);
    const hipTextureDesc d = how(hipFilterModePoint, hipAddressModeClamp, hipReadModeNormalizedFloat);
    hipTextureObject_t t;
    CALL(hipCreateTextureObject(&t, &r, &d, nullptr));
    read_2d<float4><<<H, W>>>(t, out, 0.5f, 0.5f);
    CALL(hipMemcpy(got, out, sizeof got, hipMemcpyDeviceToHost));
    for (int y = 0; y < H; y++)
        for (int x = 0; x < W; x++) {
            EXPECT(fabsf(got[y][x].x - host[y][x].x / 255.0f) < 1e-6f);
            EXPECT(fabsf(got[y][x].y - host[y][x].y / 255.0f) < 1e-6f);
            EXPECT(fabsf(got[y][x].z - host[y][x].z / 255.0f) < 1e-6f && got[y][x].w == 1);
        }
    CALL(hipDestroyTextureObject(t));
    CALL(hipFree(out));
    CALL(hipFreeArray(array));
}

static void volume(bool layered) {
    static float host[D][H][W], got[D][H][W];
    float *out;
    for (int z = 0; z < D; z++)
        for (int y = 0; y < H; y++)
            for (int x = 0; x < W; x++) host[z][y][x] = value(x, y, z);
    hipArray_t array;
    const hipChannelFormatDesc f = hipCreateChannelDesc<float>();
    CALL(hipMalloc3DArray(&array, &f, make_hipExtent(W, H, D), layered ? hipArrayLayered : hipArrayDefault));
    hipMemcpy3DParms p = {};
    p.srcPtr = make_hipPitchedPtr(host, W * 4, W, H);
    p.dstArray = array;
    p.extent = make_hipExtent(W, H, D);
    p.kind = hipMemcpyHostToDevice;
    CALL(hipMemcpy3D(&p));
    CALL(hipMalloc((void **)&out, sizeof got));
    const hipResourceDesc r = of_array(array);
    const hipTextureDesc d = how(hipFilterModePoint, hipAddressModeClamp, hipReadModeElementType);
    hipTextureObject_t t;
    CALL(hipCreateTextureObject(&t, &r, &d, nullptr));
    if (layered)
        read_layer<<<dim3(H, D), W>>>(t, out);
    else
        read_3d<<<dim3(H, D), W>>>(t, out);
    CALL(hipMemcpy(got, out, sizeof got, hipMemcpyDeviceToHost));
    EXPECT(!memcmp(got, host, sizeof got));
    CALL(hipDestroyTextureObject(t));
    CALL(hipFree(out));
    CALL(hipFreeArray(array));
}
static void three() { volume(false); }
static void layers() { volume(true); }

static void one() {
    float host[W], got[W], *out;
    for (int x = 0; x < W; x++) host[x] = value(x, 0, 0);
    hipArray_t array;
    const hipChannelFormatDesc f = hipCreateChannelDesc<float>();
    CALL(hipMallocArray(&array, &f, W, 0));
    CALL(hipMemcpy2DToArray(array, 0, 0, host, sizeof host, sizeof host, 1, hipMemcpyHostToDevice));
    CALL(hipMalloc((void **)&out, sizeof got));
    const hipResourceDesc r = of_array(array);
    const hipTextureDesc d = how(hipFilterModePoint, hipAddressModeClamp, hipReadModeElementType);
    hipTextureObject_t t;
    CALL(hipCreateTextureObject(&t, &r, &d, nullptr));
    read_1d<<<1, W>>>(t, out);
    CALL(hipMemcpy(got, out, sizeof got, hipMemcpyDeviceToHost));
    EXPECT(!memcmp(got, host, sizeof got));
    CALL(hipDestroyTextureObject(t));
    CALL(hipFree(out));
    CALL(hipFreeArray(array));
}

static void linear_memory() {
    float4 host[W], got[W], *memory, *out;
    for (int x = 0; x < W; x++) host[x] = make_float4((float)x, 1, -2.5f, (float)x * x);
    CALL(hipMalloc((void **)&memory, sizeof host));
    CALL(hipMalloc((void **)&out, sizeof got));
    CALL(hipMemcpy(memory, host, sizeof host, hipMemcpyHostToDevice));
    hipResourceDesc r = {};
    r.resType = hipResourceTypeLinear;
    r.res.linear.devPtr = memory;
    r.res.linear.desc = hipCreateChannelDesc<float4>();
    r.res.linear.sizeInBytes = sizeof host;
    const hipTextureDesc d = how(hipFilterModePoint, hipAddressModeClamp, hipReadModeElementType);
    hipTextureObject_t t;
    CALL(hipCreateTextureObject(&t, &r, &d, nullptr));
    read_linear<<<1, W>>>(t, out);
    CALL(hipMemcpy(got, out, sizeof got, hipMemcpyDeviceToHost));
    EXPECT(!memcmp(got, host, sizeof got));
    CALL(hipDestroyTextureObject(t));
    CALL(hipFree(memory));
    CALL(hipFree(out));
}

static void pitched() {
    float host[H][W], got[H][W], *memory, *out;
    size_t pitch;
    for (int y = 0; y < H; y++)
        for (int x = 0; x < W; x++) host[y][x] = value(x, y, 3);
    CALL(hipMallocPitch((void **)&memory, &pitch, W * 4, H));
    CALL(hipMemcpy2D(memory, pitch, host, W * 4, W * 4, H, hipMemcpyHostToDevice));
    CALL(hipMalloc((void **)&out, sizeof got));
    hipResourceDesc r = {};
    r.resType = hipResourceTypePitch2D;
    r.res.pitch2D.devPtr = memory;
    r.res.pitch2D.desc = hipCreateChannelDesc<float>();
    r.res.pitch2D.width = W, r.res.pitch2D.height = H, r.res.pitch2D.pitchInBytes = pitch;
    const hipTextureDesc d = how(hipFilterModePoint, hipAddressModeClamp, hipReadModeElementType);
    hipTextureObject_t t;
    CALL(hipCreateTextureObject(&t, &r, &d, nullptr));
    read_2d<float><<<H, W>>>(t, out, 0.5f, 0.5f);
    CALL(hipMemcpy(got, out, sizeof got, hipMemcpyDeviceToHost));
    EXPECT(!memcmp(got, host, sizeof got));
    CALL(hipDestroyTextureObject(t));
    CALL(hipFree(memory));
    CALL(hipFree(out));
}

static void surfaces() {
    float host[H][W], got[H][W];
    for (int i = 0; i < W * H; i++) host[i / W][i % W] = i * 77 - 5000.5f;
    hipArray_t arrays[2];
    hipSurfaceObject_t s[2];
    const hipChannelFormatDesc f = hipCreateChannelDesc<float>();
    for (int i = 0; i < 2; i++) {
        CALL(hipMallocArray(&arrays[i], &f, W, H));
        const hipResourceDesc r = of_array(arrays[i]);
        CALL(hipCreateSurfaceObject(&s[i], &r));
    }
    CALL(hipMemcpy2DToArray(arrays[0], 0, 0, host, W * 4, W * 4, H, hipMemcpyHostToDevice));
    turn<<<H, W>>>(s[0], s[1]);
    CALL(hipMemcpy2DFromArray(got, W * 4, arrays[1], 0, 0, W * 4, H, hipMemcpyDeviceToHost));
    for (int y = 0; y < H; y++)
        for (int x = 0; x < W; x++) EXPECT(got[H - 1 - y][W - 1 - x] == host[y][x] + 1);
    for (int i = 0; i < 2; i++) {
        CALL(hipDestroySurfaceObject(s[i]));
        CALL(hipFreeArray(arrays[i]));
    }
}

int main(int argc, char **argv) {
    arguments = argc, names = argv;
    run_case("one", one);
    run_case("two", two);
    run_case("normalised", normalised);
    run_case("three", three);
    run_case("layers", layers);
    run_case("linear_memory", linear_memory);
    run_case("pitched", pitched);
    run_case("surfaces", surfaces);
    return wrong;
}
