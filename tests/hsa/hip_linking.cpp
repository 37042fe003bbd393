// SPDX-License-Identifier: MIT
// Programs compiled and linked at run time under HIP 6 and later: bitcode of two sources joined by hipRTC's
// linker, from memory and from a file, with what is wrong in them said.
#include "check.h"

#include <string>

#include <hip/hiprtc.h>

#define RTC(...)                                                                                             \
    do {                                                                                                     \
        hiprtcResult r_ = __VA_ARGS__;                                                                       \
        if (r_ != HIPRTC_SUCCESS) {                                                                          \
            printf("%s:%d: %s: %s\n", __FILE__, __LINE__, #__VA_ARGS__, hiprtcGetErrorString(r_));           \
            wrong = 1;                                                                                       \
            return;                                                                                          \
        }                                                                                                    \
    } while (0)

static const char *const caller = R"(
extern __device__ int twist(int x, int y);
extern __device__ int bias;
extern "C" __global__ void apply(int *p, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) p[i] = twist(p[i], i) + bias;
}
)";
static const char *const callee = R"(
__device__ int bias = 40;
__device__ int twist(int x, int y) { return x * 3 - (y ^ 5); }
)";

static bool bitcode(const char *text, const char *name, std::vector<char> *out) {
    hipDeviceProp_t d;
    hiprtcProgram program;
    size_t size = 0;
    if (hipGetDeviceProperties(&d, 0) != hipSuccess) return false;
    const std::string arch = std::string("--offload-arch=") + d.gcnArchName;
    const char *options[] = {arch.c_str(), "-fgpu-rdc"};
    if (hiprtcCreateProgram(&program, text, name, 0, nullptr, nullptr) != HIPRTC_SUCCESS) return false;
    if (hiprtcCompileProgram(program, 2, options) != HIPRTC_SUCCESS) return false;
    if (hiprtcGetBitcodeSize(program, &size) != HIPRTC_SUCCESS) return false;
    out->resize(size);
    return hiprtcGetBitcode(program, out->data()) == HIPRTC_SUCCESS &&
           hiprtcDestroyProgram(&program) == HIPRTC_SUCCESS;
}
static void run(void *binary) {
    enum { N = 1000 };
    hipModule_t m;
    hipFunction_t f;
    int *p, n = N, v[N];
    for (int i = 0; i < N; i++) v[i] = i * 2;
    CALL(hipModuleLoadData(&m, binary));
    CALL(hipModuleGetFunction(&f, m, "apply"));
    CALL(hipMalloc((void **)&p, sizeof v));
    CALL(hipMemcpy(p, v, sizeof v, hipMemcpyHostToDevice));
    void *list[] = {&p, &n};
    CALL(hipModuleLaunchKernel(f, (N + 63) / 64, 1, 1, 64, 1, 1, 0, nullptr, list, nullptr));
    CALL(hipMemcpy(v, p, sizeof v, hipMemcpyDeviceToHost));
    for (int i = 0; i < N; i++) EXPECT(v[i] == i * 6 - (i ^ 5) + 40);
    CALL(hipFree(p));
    CALL(hipModuleUnload(m));
}

static void bitcode_from_memory() {
    std::vector<char> a, b;
    EXPECT(bitcode(caller, "caller.hip", &a) && bitcode(callee, "callee.hip", &b));
    hiprtcLinkState state;
    void *binary;
    size_t size;
    RTC(hiprtcLinkCreate(0, nullptr, nullptr, &state));
    RTC(hiprtcLinkAddData(state, HIPRTC_JIT_INPUT_LLVM_BITCODE, a.data(), a.size(), "caller", 0, nullptr,
                          nullptr));
    RTC(hiprtcLinkAddData(state, HIPRTC_JIT_INPUT_LLVM_BITCODE, b.data(), b.size(), "callee", 0, nullptr,
                          nullptr));
    RTC(hiprtcLinkComplete(state, &binary, &size));
    EXPECT(size > 0);
    run(binary);
    RTC(hiprtcLinkDestroy(state));
}
static void bitcode_from_a_file() {
    std::vector<char> a, b;
    EXPECT(bitcode(caller, "caller.hip", &a) && bitcode(callee, "callee.hip", &b));
    const char *name = "callee.bc";
    FILE *f = fopen(name, "wb");
    EXPECT(f && fwrite(b.data(), 1, b.size(), f) == b.size() && !fclose(f));
    hiprtcLinkState state;
    void *binary;
    size_t size;
    RTC(hiprtcLinkCreate(0, nullptr, nullptr, &state));
    RTC(hiprtcLinkAddData(state, HIPRTC_JIT_INPUT_LLVM_BITCODE, a.data(), a.size(), "caller", 0, nullptr,
                          nullptr));
    RTC(hiprtcLinkAddFile(state, HIPRTC_JIT_INPUT_LLVM_BITCODE, name, 0, nullptr, nullptr));
    RTC(hiprtcLinkComplete(state, &binary, &size));
    remove(name);
    run(binary);
    RTC(hiprtcLinkDestroy(state));
}
static void what_is_missing() {
    std::vector<char> a;
    EXPECT(bitcode(caller, "caller.hip", &a));
    hiprtcLinkState state;
    void *binary = nullptr;
    size_t size = 0;
    RTC(hiprtcLinkCreate(0, nullptr, nullptr, &state));
    RTC(hiprtcLinkAddData(state, HIPRTC_JIT_INPUT_LLVM_BITCODE, a.data(), a.size(), "caller", 0, nullptr,
                          nullptr));
    EXPECT(hiprtcLinkComplete(state, &binary, &size) != HIPRTC_SUCCESS);
}

int main(int argc, char **argv) {
    arguments = argc, names = argv;
    CASE(bitcode_from_memory);
    CASE(bitcode_from_a_file);
    CASE(what_is_missing);
    return wrong;
}
