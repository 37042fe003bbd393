// SPDX-License-Identifier: MIT
// HIP's textures, surfaces and arrays: every address mode, filter and dimension against sums in double
// precision, as the guides of CUDA and HIP define them. WITHOUT_IMAGES: what GPUs say that have none.
#include "check.h"

#include <algorithm>
#include <cmath>

static const int W = 37, H = 23, D = 5, N = 512;

#ifndef WITHOUT_IMAGES
// ---- Channels ----
template <typename T> struct channels {
    static const int count = 1;
    static hipChannelFormatDesc format() { return hipCreateChannelDesc<T>(); }
    static T make(const double *v) { return (T)v[0]; }
    static double get(T t, int) { return (double)t; }
};
template <> struct channels<float2> {
    static const int count = 2;
    static hipChannelFormatDesc format() { return hipCreateChannelDesc<float2>(); }
    static float2 make(const double *v) { return make_float2((float)v[0], (float)v[1]); }
    static double get(float2 t, int c) { return c ? t.y : t.x; }
};
template <> struct channels<float4> {
    static const int count = 4;
    static hipChannelFormatDesc format() { return hipCreateChannelDesc<float4>(); }
    static float4 make(const double *v) {
        return make_float4((float)v[0], (float)v[1], (float)v[2], (float)v[3]);
    }
    static double get(float4 t, int c) { return (&t.x)[c]; }
};
template <> struct channels<uchar4> {
    static const int count = 4;
    // HIP 5.2 takes uchar4 for signed.
    static hipChannelFormatDesc format() {
        return hipCreateChannelDesc(8, 8, 8, 8, hipChannelFormatKindUnsigned);
    }
    static uchar4 make(const double *v) {
        return make_uchar4((unsigned char)v[0], (unsigned char)v[1], (unsigned char)v[2],
                           (unsigned char)v[3]);
    }
    static double get(uchar4 t, int c) { return (&t.x)[c]; }
};
template <> struct channels<int4> {
    static const int count = 4;
    static hipChannelFormatDesc format() { return hipCreateChannelDesc<int4>(); }
    static int4 make(const double *v) { return make_int4((int)v[0], (int)v[1], (int)v[2], (int)v[3]); }
    static double get(int4 t, int c) { return (&t.x)[c]; }
};

// The texel at a place, channel c: a number from 0 to 251.
static double texel(int x, int y, int z, int c) {
    return (double)((x * 7 + y * 31 + z * 53 + c * 101) % 252);
}
template <typename T> static std::vector<T> texels(int w, int h, int d) {
    std::vector<T> all((size_t)w * h * d);
    for (int z = 0; z < d; z++)
        for (int y = 0; y < h; y++)
            for (int x = 0; x < w; x++) {
                double v[4];
                for (int c = 0; c < 4; c++) v[c] = texel(x, y, z, c);
                all[((size_t)z * h + y) * w + x] = channels<T>::make(v);
            }
    return all;
}

// ---- The reference ----

// The index of a texel, or -1: the border.
static int wrapped(double i, int size, hipTextureAddressMode mode) {
    if (mode == hipAddressModeWrap) return (int)(i - size * std::floor(i / size));
    if (mode == hipAddressModeMirror) {
        const double r = i - 2 * size * std::floor(i / (2 * size));
        return (int)(r < size ? r : 2 * size - 1 - r);
    }
    if (mode == hipAddressModeClamp) return (int)std::min(std::max(i, 0.0), size - 1.0);
    return i < 0 || i >= size ? -1 : (int)i;
}
// Sampled at u, v, w in texels; `dims` of them count. `scale` is what a texel of 1 gives.
static double sampled(const double *at, const int *size, int dims, hipTextureAddressMode mode, bool linear,
                      int c, double scale) {
    double sum = 0;
    for (int corner = 0; corner < (linear ? 1 << dims : 1); corner++) {
        int index[3] = {0};
        double weight = 1;
        bool border = false;
        for (int d = 0; d < dims; d++) {
            const double a = linear ? at[d] - 0.5 : at[d], low = std::floor(a);
            const bool high = corner >> d & 1;
            if (linear) weight *= high ? a - low : 1 - (a - low);
            index[d] = wrapped(low + high, size[d], mode);
            border |= index[d] < 0;
        }
        if (!border) sum += weight * texel(index[0], index[1], index[2], c) * scale;
    }
    return sum;
}

// ---- Kernels ----
template <typename R> __global__ void sample1(hipTextureObject_t t, const float *at, R *out) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = tex1D<R>(t, at[i]);
}
template <typename R> __global__ void sample2(hipTextureObject_t t, const float *at, R *out) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = tex2D<R>(t, at[i], at[N + i]);
}
template <typename R> __global__ void sample3(hipTextureObject_t t, const float *at, R *out) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = tex3D<R>(t, at[i], at[N + i], at[2 * N + i]);
}
template <typename R> __global__ void sample_layer(hipTextureObject_t t, const float *at, int layer, R *out) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = tex2DLayered<R>(t, at[i], at[N + i], layer);
}
template <typename R> __global__ void fetch(hipTextureObject_t t, R *out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = tex1Dfetch<R>(t, i);
}

// ---- Textures ----

// Places in texels: inside, at edges, outside on both sides.
static float place(int i, int d, int size) {
    const uint32_t r = (uint32_t)(i * 3 + d + 1) * 2654435761u >> 8;
    return (float)(r % 4096) / 4096 * (float)(size * 3) - (float)size;
}
// `kind`: 0 is 2D of an array, 1 of pitched memory.
template <typename T, typename R>
static void one_texture(int dims, hipTextureAddressMode mode, bool linear, bool normalized, bool floats,
                        double scale, bool pitched = false) {
    const int size[3] = {W, dims > 1 ? H : 1, dims > 2 ? D : 1};
    const std::vector<T> data = texels<T>(size[0], size[1], size[2]);
    hipArray_t array = NULL;
    T *memory = NULL;
    size_t pitch = 0;
    hipResourceDesc resource = {};
    const hipChannelFormatDesc format = channels<T>::format();
    if (pitched) {
        CALL(hipMallocPitch((void **)&memory, &pitch, W * sizeof(T), H));
        CALL(hipMemcpy2D(memory, pitch, data.data(), W * sizeof(T), W * sizeof(T), H, hipMemcpyHostToDevice));
        resource.resType = hipResourceTypePitch2D;
        resource.res.pitch2D.devPtr = memory;
        resource.res.pitch2D.desc = format;
        resource.res.pitch2D.width = W;
        resource.res.pitch2D.height = H;
        resource.res.pitch2D.pitchInBytes = pitch;
    } else {
        if (dims == 3) {
            CALL(hipMalloc3DArray(&array, &format, make_hipExtent(W, H, D), hipArrayDefault));
            hipMemcpy3DParms p = {};
            p.srcPtr = make_hipPitchedPtr((void *)data.data(), W * sizeof(T), W, H);
            p.dstArray = array;
            p.extent = make_hipExtent(W, H, D);
            p.kind = hipMemcpyHostToDevice;
            CALL(hipMemcpy3D(&p));
        } else {
            CALL(hipMallocArray(&array, &format, W, dims > 1 ? H : 0, hipArrayDefault));
            CALL(hipMemcpy2DToArray(array, 0, 0, data.data(), W * sizeof(T), W * sizeof(T), size[1],
                                    hipMemcpyHostToDevice));
        }
        resource.resType = hipResourceTypeArray;
        resource.res.array.array = array;
    }
    hipTextureDesc how = {};
    for (int d = 0; d < 3; d++) how.addressMode[d] = mode;
    how.filterMode = linear ? hipFilterModeLinear : hipFilterModePoint;
    how.readMode = floats ? hipReadModeNormalizedFloat : hipReadModeElementType;
    how.normalizedCoords = normalized;
    hipTextureObject_t t;
    CALL(hipCreateTextureObject(&t, &resource, &how, NULL));
    std::vector<float> at(3 * N);
    for (int d = 0; d < 3; d++)
        for (int i = 0; i < N; i++) at[d * N + i] = place(i, d, size[d]) / (float)(normalized ? size[d] : 1);
    float *d_at;
    R *d_out;
    CALL(hipMalloc(&d_at, at.size() * 4));
    CALL(hipMalloc(&d_out, N * sizeof(R)));
    CALL(hipMemcpy(d_at, at.data(), at.size() * 4, hipMemcpyHostToDevice));
    if (dims == 1)
        sample1<R><<<N / 64, 64>>>(t, d_at, d_out);
    else if (dims == 2)
        sample2<R><<<N / 64, 64>>>(t, d_at, d_out);
    else
        sample3<R><<<N / 64, 64>>>(t, d_at, d_out);
    std::vector<R> out(N);
    CALL(hipMemcpy(out.data(), d_out, N * sizeof(R), hipMemcpyDeviceToHost));
    // Weights have 8 bits: 1/256 of the range in each dimension, and as much for the coordinate's steps.
    const double allowed = linear ? 252 * scale * dims * 1.5 / 256 : 252 * scale * 1e-6;
    for (int i = 0; i < N; i++) {
        double u[3];
        bool near_edge = false;
        for (int d = 0; d < 3; d++) {
            u[d] = (double)at[d * N + i] * (normalized ? size[d] : 1);
            near_edge |= d < dims && !linear && std::fabs(u[d] - std::nearbyint(u[d])) < 1.0 / 128;
        }
        if (near_edge) continue; // either texel is right
        for (int c = 0; c < channels<T>::count; c++) {
            const double want = sampled(u, size, dims, mode, linear, c, scale);
            const double got = channels<R>::get(out[i], c);
            // A wrap of linear filters may count the steps of the edge's weight.
            if (!(std::fabs(got - want) <= allowed + 252 * scale * (linear ? 1.0 / 64 : 0)))
                printf("dims %d mode %d linear %d normalized %d at %g %g %g channel %d: %.9g, not %.9g\n",
                       dims, mode, linear, normalized, u[0], u[1], u[2], c, got, want),
                    wrong = 1;
            if (wrong) return;
        }
    }
    CALL(hipDestroyTextureObject(t));
    if (array) CALL(hipFreeArray(array));
    if (memory) CALL(hipFree(memory));
    CALL(hipFree(d_at));
    CALL(hipFree(d_out));
}

static const hipTextureAddressMode modes[] = {hipAddressModeClamp, hipAddressModeBorder, hipAddressModeWrap,
                                              hipAddressModeMirror};
template <typename T, typename R> static void all_modes(bool floats, double scale, bool may_filter) {
    for (int dims = 1; dims <= 3; dims++)
        for (hipTextureAddressMode mode : modes)
            for (int linear = 0; linear <= may_filter; linear++)
                for (int normalized = 0; normalized < 2; normalized++) {
                    const bool repeats = mode == hipAddressModeWrap || mode == hipAddressModeMirror;
                    if (repeats && !normalized) continue; // not allowed then
                    one_texture<T, R>(dims, mode, linear, normalized, floats, scale);
                    if (wrong) return;
                }
}
static void textures_of_floats() {
    all_modes<float, float>(false, 1, true);
    if (!wrong) all_modes<float4, float4>(false, 1, true);
    if (!wrong) all_modes<float2, float2>(false, 1, true);
}
static void textures_of_integers() { all_modes<int4, int4>(false, 1, false); }
static void textures_of_normalized_bytes() { all_modes<uchar4, float4>(true, 1.0 / 255, true); }
static void textures_of_pitched_memory() {
    one_texture<float, float>(2, hipAddressModeClamp, false, false, false, 1, true);
    if (!wrong) one_texture<float4, float4>(2, hipAddressModeClamp, true, true, false, 1, true);
}

static void textures_of_memory() {
    const int n = 1000;
    const std::vector<int4> data = texels<int4>(n, 1, 1);
    int4 *in, *out;
    CALL(hipMalloc(&in, n * sizeof(int4)));
    CALL(hipMalloc(&out, n * sizeof(int4)));
    CALL(hipMemcpy(in, data.data(), n * sizeof(int4), hipMemcpyHostToDevice));
    hipResourceDesc resource = {};
    resource.resType = hipResourceTypeLinear;
    resource.res.linear.devPtr = in;
    resource.res.linear.desc = hipCreateChannelDesc<int4>();
    resource.res.linear.sizeInBytes = n * sizeof(int4);
    hipTextureDesc how = {};
    hipTextureObject_t t;
    CALL(hipCreateTextureObject(&t, &resource, &how, NULL));
    fetch<int4><<<16, 64>>>(t, out, n);
    std::vector<int4> got(n);
    CALL(hipMemcpy(got.data(), out, n * sizeof(int4), hipMemcpyDeviceToHost));
    EXPECT(!memcmp(got.data(), data.data(), n * sizeof(int4)));
    CALL(hipDestroyTextureObject(t));
    CALL(hipFree(in));
    CALL(hipFree(out));
}

static void layers() {
    const hipChannelFormatDesc format = hipCreateChannelDesc<float>();
    const std::vector<float> data = texels<float>(W, H, D);
    hipArray_t array;
    CALL(hipMalloc3DArray(&array, &format, make_hipExtent(W, H, D), hipArrayLayered));
    hipMemcpy3DParms p = {};
    p.srcPtr = make_hipPitchedPtr((void *)data.data(), W * sizeof(float), W, H);
    p.dstArray = array;
    p.extent = make_hipExtent(W, H, D);
    p.kind = hipMemcpyHostToDevice;
    CALL(hipMemcpy3D(&p));
    hipResourceDesc resource = {};
    resource.resType = hipResourceTypeArray;
    resource.res.array.array = array;
    hipTextureDesc how = {};
    for (int d = 0; d < 3; d++) how.addressMode[d] = hipAddressModeClamp;
    hipTextureObject_t t;
    CALL(hipCreateTextureObject(&t, &resource, &how, NULL));
    std::vector<float> at(3 * N), out(N);
    for (int i = 0; i < N; i++) at[i] = (float)(i % W) + 0.5f, at[N + i] = (float)(i / W % H) + 0.5f;
    float *d_at, *d_out;
    CALL(hipMalloc(&d_at, at.size() * 4));
    CALL(hipMalloc(&d_out, N * 4));
    CALL(hipMemcpy(d_at, at.data(), at.size() * 4, hipMemcpyHostToDevice));
    for (int layer = 0; layer < D; layer++) {
        sample_layer<float><<<N / 64, 64>>>(t, d_at, layer, d_out);
        CALL(hipMemcpy(out.data(), d_out, N * 4, hipMemcpyDeviceToHost));
        for (int i = 0; i < N; i++) EXPECT(out[i] == (float)texel(i % W, i / W % H, layer, 0));
    }
    CALL(hipDestroyTextureObject(t));
    CALL(hipFreeArray(array));
    CALL(hipFree(d_at));
    CALL(hipFree(d_out));
}

// Places exactly on the edges of texels, half an image away, some behind its end: the texel behind the edge
// is taken. AMD's example texture_management relies on it.
static const int SIDE = 256;
__global__ void shift(hipTextureObject_t t, unsigned char *out) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    const float u = (float)x / SIDE + 0.5f, v = (float)y / SIDE + 0.5f;
    out[y * SIDE + x] = tex2D<unsigned char>(t, u, v);
}
static void edges() {
    const hipChannelFormatDesc format = hipCreateChannelDesc(8, 0, 0, 0, hipChannelFormatKindUnsigned);
    std::vector<unsigned char> data(SIDE * SIDE), got(SIDE * SIDE);
    for (size_t i = 0; i < data.size(); i++) data[i] = (unsigned char)(i * 2654435761u >> 24);
    hipArray_t array;
    unsigned char *out;
    CALL(hipMallocArray(&array, &format, SIDE, SIDE, hipArrayDefault));
    CALL(hipMemcpy2DToArray(array, 0, 0, data.data(), SIDE, SIDE, SIDE, hipMemcpyHostToDevice));
    CALL(hipMalloc(&out, got.size()));
    hipResourceDesc resource = {};
    resource.resType = hipResourceTypeArray;
    resource.res.array.array = array;
    hipTextureDesc how = {};
    for (int d = 0; d < 3; d++) how.addressMode[d] = hipAddressModeWrap;
    how.normalizedCoords = 1;
    hipTextureObject_t t;
    CALL(hipCreateTextureObject(&t, &resource, &how, NULL));
    shift<<<dim3(SIDE / 16, SIDE / 16), dim3(16, 16)>>>(t, out);
    CALL(hipMemcpy(got.data(), out, got.size(), hipMemcpyDeviceToHost));
    for (int y = 0; y < SIDE; y++)
        for (int x = 0; x < SIDE; x++)
            EXPECT(got[y * SIDE + x] == data[(y + SIDE / 2) % SIDE * SIDE + (x + SIDE / 2) % SIDE]);
    CALL(hipDestroyTextureObject(t));
    CALL(hipFreeArray(array));
    CALL(hipFree(out));
}

// ---- Surfaces ----
__global__ void turn(hipSurfaceObject_t from, hipSurfaceObject_t to) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    float4 v;
    if (x >= W || y >= H) return;
    surf2Dread(&v, from, x * (int)sizeof v, y);
    v.x += 1;
    surf2Dwrite(v, to, (W - 1 - x) * (int)sizeof v, H - 1 - y);
}
static void surfaces() {
    const hipChannelFormatDesc format = hipCreateChannelDesc<float4>();
    const std::vector<float4> data = texels<float4>(W, H, 1);
    hipArray_t arrays[2];
    hipSurfaceObject_t s[2];
    for (int i = 0; i < 2; i++) {
        CALL(hipMallocArray(&arrays[i], &format, W, H, hipArrayDefault));
        hipResourceDesc resource = {};
        resource.resType = hipResourceTypeArray;
        resource.res.array.array = arrays[i];
        CALL(hipCreateSurfaceObject(&s[i], &resource));
    }
    CALL(hipMemcpy2DToArray(arrays[0], 0, 0, data.data(), W * 16, W * 16, H, hipMemcpyHostToDevice));
    turn<<<dim3(3, 3), dim3(16, 16)>>>(s[0], s[1]);
    std::vector<float4> out(W * H);
    CALL(hipMemcpy2DFromArray(out.data(), W * 16, arrays[1], 0, 0, W * 16, H, hipMemcpyDeviceToHost));
    for (int y = 0; y < H; y++)
        for (int x = 0; x < W; x++) {
            const float4 a = data[y * W + x], b = out[(H - 1 - y) * W + W - 1 - x];
            EXPECT(a.x + 1 == b.x && a.y == b.y && a.z == b.z && a.w == b.w);
        }
    for (int i = 0; i < 2; i++) {
        CALL(hipDestroySurfaceObject(s[i]));
        CALL(hipFreeArray(arrays[i]));
    }
}

#else
// What the runtime says of a GPU without images.
static void none() {
    const hipChannelFormatDesc format = hipCreateChannelDesc<float>();
    hipArray_t array;
    int has = 1;
    CALL(hipDeviceGetAttribute(&has, hipDeviceAttributeImageSupport, 0));
    EXPECT(has == 0 || hipMallocArray(&array, &format, W, H, hipArrayDefault) != hipSuccess);
}

#endif

int main(int argc, char **argv) {
    arguments = argc, names = argv;
#ifdef WITHOUT_IMAGES
    CASE(none);
#else
    CASE(textures_of_memory);
    CASE(textures_of_floats);
    CASE(textures_of_integers);
    CASE(textures_of_normalized_bytes);
    CASE(textures_of_pitched_memory);
    CASE(layers);
    CASE(edges);
    CASE(surfaces);
#endif
    return wrong;
}
