// SPDX-License-Identifier: MIT
// How code gets to a device under HIP and what is known of it: modules from files and memory, code compiled
// at run time, occupancy, attributes of functions, ways to launch, templates, classes, pointers to functions.
#include "check.h"

#include <string>

#include <hip/hip_ext.h>
#include <hip/hip_fp16.h>
#include <hip/hiprtc.h>

template <typename T> static std::vector<T> fetch(const T *p, size_t n) {
    std::vector<T> v(n);
    if (hipMemcpy(v.data(), p, n * sizeof(T), hipMemcpyDeviceToHost) != hipSuccess) v.clear();
    return v;
}

static const char *const module_text = R"(
#include "part.h"
__device__ int bias = 3;
__constant__ float weights[4] = {1, 2, 3, 4};
extern "C" __global__ void apply(float *p, int n) {
    extern __shared__ float line[];
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    line[threadIdx.x] = i < n ? p[i] : 0;
    __syncthreads();
    if (i < n) p[i] = line[blockDim.x - 1 - threadIdx.x] * weights[i & 3] + PART + bias;
}
template <typename T, int K> __global__ void times(T *p) { p[threadIdx.x] *= K; }
)";
static bool compile(const char *text, std::vector<char> *code, std::string *lowered, std::string *log) {
    hiprtcProgram program;
    hipDeviceProp_t properties;
    if (hipGetDeviceProperties(&properties, 0) != hipSuccess) return false;
    const std::string arch = std::string("--offload-arch=") + properties.gcnArchName;
    const char *options[] = {arch.c_str(), "-DPART=0.5f"}, *header = "// PART is an option\n",
               *name = "part.h";
    if (hiprtcCreateProgram(&program, text, "module.hip", 1, &header, &name) != HIPRTC_SUCCESS) return false;
    if (lowered && hiprtcAddNameExpression(program, "times<double, 6>") != HIPRTC_SUCCESS) return false;
    const bool is = hiprtcCompileProgram(program, 2, options) == HIPRTC_SUCCESS;
    size_t size = 0;
    if (hiprtcGetProgramLogSize(program, &size) != HIPRTC_SUCCESS) return false;
    log->resize(size);
    if (size && hiprtcGetProgramLog(program, &(*log)[0]) != HIPRTC_SUCCESS) return false;
    if (is) {
        const char *mangled = "";
        if (lowered && hiprtcGetLoweredName(program, "times<double, 6>", &mangled) != HIPRTC_SUCCESS)
            return false;
        if (lowered) *lowered = mangled;
        if (hiprtcGetCodeSize(program, &size) != HIPRTC_SUCCESS) return false;
        code->resize(size);
        if (hiprtcGetCode(program, code->data()) != HIPRTC_SUCCESS) return false;
    }
    return hiprtcDestroyProgram(&program) == HIPRTC_SUCCESS && is;
}
static void modules() {
    enum { N = 1000 };
    std::vector<char> code;
    std::string lowered, log;
    EXPECT(compile(module_text, &code, &lowered, &log));
    FILE *f = fopen("module.co", "wb"); // and by way of a file
    EXPECT(f && fwrite(code.data(), 1, code.size(), f) == code.size());
    fclose(f);
    hipModule_t m;
    hipFunction_t apply, times;
    hipDeviceptr_t bias;
    size_t size;
    CALL(hipModuleLoad(&m, "module.co"));
    CALL(hipModuleGetFunction(&apply, m, "apply"));
    CALL(hipModuleGetFunction(&times, m, lowered.c_str()));
    CALL(hipModuleGetGlobal(&bias, &size, m, "bias"));
    EXPECT(size == 4);
    const int ten = 10;
    CALL(hipMemcpyHtoD(bias, (void *)&ten, 4));
    CALL(hipModuleGetGlobal(&bias, &size, m, "weights"));
    EXPECT(size == 16);
    EXPECT(hipModuleGetFunction(&times, m, "nothing") == hipErrorNotFound);
    CALL(hipModuleGetFunction(&times, m, lowered.c_str()));
    float *p;
    std::vector<float> v(N);
    for (int i = 0; i < N; i++) v[i] = (float)i;
    CALL(hipMalloc(&p, N * 4));
    CALL(hipMemcpy(p, v.data(), N * 4, hipMemcpyHostToDevice));
    struct { // the arguments as one buffer
        float *p;
        int n;
    } arguments = {p, N};
    size_t bytes = sizeof arguments;
    void *config[] = {HIP_LAUNCH_PARAM_BUFFER_POINTER, &arguments, HIP_LAUNCH_PARAM_BUFFER_SIZE, &bytes,
                      HIP_LAUNCH_PARAM_END};
    CALL(hipModuleLaunchKernel(apply, N / 100, 1, 1, 100, 1, 1, 100 * 4, nullptr, nullptr, config));
    v = fetch(p, N);
    EXPECT(v.size() == N);
    for (int i = 0; i < N; i++)
        EXPECT(v[i] == (float)(i / 100 * 100 + 99 - i % 100) * (float)((i & 3) + 1) + 10.5f);
    double *q, d[32];
    for (int i = 0; i < 32; i++) d[i] = i * 0.125;
    CALL(hipMalloc(&q, sizeof d));
    CALL(hipMemcpy(q, d, sizeof d, hipMemcpyHostToDevice));
    void *list[] = {&q};
    CALL(hipModuleLaunchKernel(times, 1, 1, 1, 32, 1, 1, 0, nullptr, list, nullptr));
    CALL(hipMemcpy(d, q, sizeof d, hipMemcpyDeviceToHost));
    for (int i = 0; i < 32; i++) EXPECT(d[i] == i * 0.75);
    int groups, smallest, block;
    CALL(hipModuleOccupancyMaxActiveBlocksPerMultiprocessor(&groups, apply, 256, 32768));
    EXPECT(groups == 2); // of 64 KiB
    CALL(hipModuleOccupancyMaxPotentialBlockSize(&smallest, &block, apply, 0, 0));
    EXPECT(smallest > 0 && block > 0 && block % 32 == 0);
    int shared;
    CALL(hipFuncGetAttribute(&shared, HIP_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES, apply));
    EXPECT(shared == 0);
    CALL(hipModuleUnload(m));
    CALL(hipFree(p));
    CALL(hipFree(q));
}
static void errors_at_run_time() {
    std::vector<char> code;
    std::string log;
    EXPECT(!compile("__global__ void broken() { no_such_function(); }", &code, nullptr, &log));
    EXPECT(log.find("no_such_function") != std::string::npos);
    hipModule_t m;
    EXPECT(hipModuleLoad(&m, "there-is-no-such-file") == hipErrorFileNotFound);
    const std::vector<char> junk(4096, 'x');
    EXPECT(hipModuleLoadData(&m, junk.data()) != hipSuccess);
}

__global__ void __launch_bounds__(256) plain(int *p) { p[blockIdx.x * blockDim.x + threadIdx.x] += 1; }
__global__ void __launch_bounds__(1024) with_lds(int *p) {
    __shared__ int room[4096];
    extern __shared__ int more[];
    for (int i = threadIdx.x; i < 4096; i += blockDim.x) room[i] = i;
    more[threadIdx.x] = 1;
    __syncthreads();
    p[threadIdx.x] = room[4095 - threadIdx.x] + more[blockDim.x - 1 - threadIdx.x];
}
__global__ void with_scratch(int *p, int n) {
    volatile int room[300];
    for (int i = 0; i < 300; i++) room[i] = i * n;
    int sum = 0;
    for (int i = 0; i < 300; i++) sum += room[(i * 7 + threadIdx.x) % 300];
    p[threadIdx.x] = sum;
}
static void attributes_and_occupancy() {
    hipFuncAttributes a;
    CALL(hipFuncGetAttributes(&a, (const void *)with_lds));
    EXPECT(a.sharedSizeBytes == 16384 && a.maxThreadsPerBlock == 1024 && a.numRegs > 0);
    CALL(hipFuncGetAttributes(&a, (const void *)plain));
    EXPECT(a.sharedSizeBytes == 0 && a.maxThreadsPerBlock == 256);
    CALL(hipFuncGetAttributes(&a, (const void *)with_scratch));
    EXPECT(a.localSizeBytes >= 1200);
    int groups, wave, simds_waves;
    hipDeviceProp_t d;
    CALL(hipGetDeviceProperties(&d, 0));
    wave = d.warpSize;
    simds_waves = d.maxThreadsPerMultiProcessor / wave;
    // LDS decides: 16 KiB of its own, then also what is asked for, of 64 KiB.
    CALL(hipOccupancyMaxActiveBlocksPerMultiprocessor(&groups, (const void *)with_lds, 64, 0));
    EXPECT(groups == 4);
    CALL(hipOccupancyMaxActiveBlocksPerMultiprocessor(&groups, (const void *)with_lds, 64, 16384));
    EXPECT(groups == 2);
    CALL(hipOccupancyMaxActiveBlocksPerMultiprocessor(&groups, (const void *)with_lds, 64, 49152 - 64));
    EXPECT(groups == 1);
    CALL(hipOccupancyMaxActiveBlocksPerMultiprocessor(&groups, (const void *)plain, 256, 0));
    EXPECT(groups > 0 && groups * 256 / wave <= simds_waves);
    int *p;
    CALL(hipMalloc(&p, 4096));
    CALL(hipFuncSetAttribute((const void *)with_lds, hipFuncAttributeMaxDynamicSharedMemorySize, 49152));
    with_lds<<<1, 1024, 49152>>>(p); // all 64 KiB
    CALL(hipGetLastError());
    std::vector<int> v = fetch(p, 1024);
    for (int i = 0; i < 1024; i++) EXPECT(v[i] == 4096 - i);
    with_scratch<<<1, 64>>>(p, 3);
    v = fetch(p, 64);
    for (int i = 0; i < 64; i++) EXPECT(v[i] == 3 * 300 * 299 / 2);
    CALL(hipFree(p));
}

// The sizes that a kernel reads, of grids in all directions and ends that fill no group.
__global__ void sizes(int *out) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y,
              z = blockIdx.z * blockDim.z + threadIdx.z;
    const int w = gridDim.x * blockDim.x, h = gridDim.y * blockDim.y;
    out[(z * h + y) * w + x] = (x << 20 | y << 10 | z) ^ (int)(gridDim.x * 16 + gridDim.y * 4 + gridDim.z)
                                                             << 3;
}
static void ways_to_launch() {
    const int n = 6 * 10 * 6;
    int *p;
    hipEvent_t begin, end;
    hipStream_t s;
    float ms = -1;
    CALL(hipEventCreate(&begin));
    CALL(hipEventCreate(&end));
    CALL(hipStreamCreate(&s));
    CALL(hipMalloc(&p, n * 4));
    const auto right = [&]() {
        const std::vector<int> v = fetch(p, n);
        for (int i = 0; i < n; i++) {
            const int x = i % 6, y = i / 6 % 10, z = i / 60;
            if (v[i] != ((x << 20 | y << 10 | z) ^ (2 * 16 + 2 * 4 + 3) << 3)) return false;
        }
        return hipMemset(p, 0, n * 4) == hipSuccess;
    };
    const dim3 grid(2, 2, 3), block(3, 5, 2);
    sizes<<<grid, block>>>(p);
    EXPECT(right());
    hipLaunchKernelGGL(sizes, grid, block, 0, 0, p);
    EXPECT(right());
    void *arguments[] = {&p};
    CALL(hipLaunchKernel((const void *)sizes, grid, block, arguments, 0, 0));
    EXPECT(right());
    CALL(hipExtLaunchKernel((const void *)sizes, grid, block, arguments, 0, s, begin, end, 0));
    CALL(hipStreamSynchronize(s));
    CALL(hipEventElapsedTime(&ms, begin, end));
    EXPECT(ms >= 0 && ms < 10000);
    EXPECT(right());
    hipExtLaunchKernelGGL(sizes, grid, block, 0, s, nullptr, nullptr, 0, p);
    CALL(hipStreamSynchronize(s));
    EXPECT(right());
    CALL(hipEventDestroy(begin));
    CALL(hipEventDestroy(end));
    CALL(hipStreamDestroy(s));
    CALL(hipFree(p));
}

template <typename T, int... K> struct Polynomial {
    __host__ __device__ static T at(T x) {
        T sum = 0;
        const int k[] = {K...};
        for (int c : k) sum = sum * x + (T)c;
        return sum;
    }
};
template <typename T, typename F, typename... A> __global__ void map(T *out, F f, A... a) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = f((T)i, a...);
}
struct Half {
    __device__ float operator()(float x) const {
        const __half h = __float2half(x * 0.25f);
        const __half2 both = __hfma2(__half2half2(h), __half2half2(__float2half(2.0f)), __half2half2(h));
        return __low2float(both) + __half2float(__hadd(__high2half(both), h));
    }
};
static void templates_and_lambdas() {
    double *p;
    float *q;
    long long *r;
    CALL(hipMalloc(&p, 256 * 8));
    CALL(hipMalloc(&q, 256 * 4));
    CALL(hipMalloc(&r, 256 * 8));
    map<<<4, 64>>>(p, [] __device__(double x) { return Polynomial<double, 1, -2, 0, 5>::at(x); });
    const std::vector<double> a = fetch(p, 256);
    for (int i = 0; i < 256; i++) EXPECT(a[i] == Polynomial<double, 1, -2, 0, 5>::at(i));
    map<<<4, 64>>>(q, Half());
    const std::vector<float> b = fetch(q, 256);
    for (int i = 0; i < 256; i++) EXPECT(b[i] == (float)i * 0.25f * 7);
    const long long base = 1ll << 40;
    map<<<4, 64>>>(
        r,
        [base] __device__(long long i, int by, const char *, double z) {
            return base + i * by + (long long)z;
        },
        -7, "text", 2.9);
    const std::vector<long long> c = fetch(r, 256);
    for (int i = 0; i < 256; i++) EXPECT(c[i] == base - 7 * i + 2);
    CALL(hipFree(p));
    CALL(hipFree(q));
    CALL(hipFree(r));
}

struct Sound {
    int volume;
    __device__ virtual int loud() const { return volume; }
    __device__ virtual ~Sound() {}
};
struct Sight {
    int far;
    __device__ virtual int seen() const = 0;
};
struct Bell : Sound, Sight {
    __device__ Bell(int v, int f) { volume = v, far = f; }
    __device__ int loud() const override { return volume * 10; }
    __device__ int seen() const override { return far - volume; }
};
__global__ void construct(Sound **sounds, Sight **sights) {
    Bell *b = new Bell(threadIdx.x, 100);
    sounds[threadIdx.x] = b, sights[threadIdx.x] = b;
}
__global__ void use(Sound **sounds, Sight **sights, int *out) {
    out[threadIdx.x] = sounds[threadIdx.x]->loud() * 1000 + sights[threadIdx.x]->seen();
    delete sounds[threadIdx.x];
}
// Objects outlive the kernel that made them.
static void objects_with_virtual_functions() {
    Sound **sounds;
    Sight **sights;
    int *p;
    CALL(hipMalloc(&sounds, 512));
    CALL(hipMalloc(&sights, 512));
    CALL(hipMalloc(&p, 256));
    construct<<<1, 64>>>(sounds, sights);
    use<<<1, 64>>>(sounds, sights, p);
    const std::vector<int> v = fetch(p, 64);
    EXPECT(v.size() == 64);
    for (int i = 0; i < 64; i++) EXPECT(v[i] == i * 10000 + 100 - i);
    CALL(hipFree(sounds));
    CALL(hipFree(sights));
    CALL(hipFree(p));
}

typedef float (*Operation)(float, float);
__device__ float plus(float a, float b) { return a + b; }
__device__ float minus(float a, float b) { return a - b; }
__device__ Operation operation_plus = plus, operation_minus = minus;
__global__ void call(Operation f, float *out) { out[threadIdx.x] = f((float)threadIdx.x, 10); }
static void pointers_to_functions() {
    Operation f;
    float *p;
    CALL(hipMalloc(&p, 256));
    CALL(hipMemcpyFromSymbol(&f, HIP_SYMBOL(operation_plus), sizeof f));
    call<<<1, 64>>>(f, p);
    std::vector<float> v = fetch(p, 64);
    for (int i = 0; i < 64; i++) EXPECT(v[i] == (float)i + 10);
    CALL(hipMemcpyFromSymbol(&f, HIP_SYMBOL(operation_minus), sizeof f));
    call<<<1, 64>>>(f, p);
    v = fetch(p, 64);
    for (int i = 0; i < 64; i++) EXPECT(v[i] == (float)i - 10);
    CALL(hipFree(p));
}

// Clocks go forward only, and over some work they go on. The counter that GFX10.3 reads here has 20 bits and
// begins anew.
__global__ void clocks(unsigned long long *out) {
    for (int i = 0; i < 20; i++) {
        out[i] = clock64(), out[20 + i] = __builtin_readcyclecounter(), out[40 + i] = clock();
        for (int k = 0; k < 200; k++) __builtin_amdgcn_s_sleep(1);
    }
}
static void clocks_go_on() {
    unsigned long long *p;
    CALL(hipMalloc(&p, 60 * 8));
    clocks<<<1, 1>>>(p);
    const std::vector<unsigned long long> v = fetch(p, 60);
    EXPECT(v.size() == 60);
    for (int i = 0; i < 60; i++) EXPECT(i % 20 == 0 || v[i] >= v[i - 1] || v[i - 1] < 1 << 20);
    for (int i = 0; i < 60; i += 20) EXPECT(v[i + 19] != v[i]);
    CALL(hipFree(p));
}

int main(int argc, char **argv) {
    arguments = argc, names = argv;
    // First: HIP 5.2.3 hears no kernel's calls any more once a stream that had such kernels (at -O0: any) is
    // gone.
    CASE(objects_with_virtual_functions);
    CASE(modules);
    CASE(errors_at_run_time);
    CASE(attributes_and_occupancy);
    CASE(ways_to_launch);
    CASE(templates_and_lambdas);
    CASE(pointers_to_functions);
    CASE(clocks_go_on);
    return wrong;
}
