// Runs the kernels of large.awk: as OpenCL, one work-item each; on this host, all of them, and writes files
// of what they leave. usage on the host: large N
#ifdef __OPENCL_C_VERSION__
typedef unsigned uint;
typedef unsigned long ulong;
#define KERNEL(name)                                                                                         \
    static uint name##_of(__global const uint *in, uint n, uint id, uint k0);                                \
    __kernel void name(__global uint *out, __global const uint *in, uint n, uint k0) {                       \
        const uint id = get_global_id_0();                                                                   \
        out[id] = name##_of(in, n, id, k0);                                                                  \
    }                                                                                                        \
    static uint name##_of(__global const uint *in, uint n, uint id, uint k0)
#define get_global_id_0() (__builtin_amdgcn_workgroup_id_x() * 64 + __builtin_amdgcn_workitem_id_x())
#include KERNELS
#else
#include <stdio.h>
#include <stdlib.h>
typedef unsigned uint;
typedef unsigned long ulong;
#define KERNEL(name) static uint name(const uint *in, uint n, uint id, uint k0)
#include KERNELS
static uint in[64];
static void run(const char *name, uint (*kernel)(const uint *, uint, uint, uint), uint n) {
    char path[64];
    snprintf(path, sizeof path, "%s.cpu", name);
    FILE *f = fopen(path, "wb");
    for (uint id = 0; f && id < 128; id++) {
        const uint v = kernel(in, n, id, 77);
        fwrite(&v, 4, 1, f);
    }
    if (!f || fclose(f)) exit(1);
}
int main(int count, char **arguments) {
    const uint n = count > 1 ? (uint)atoi(arguments[1]) : 5;
    FILE *f = fopen("in", "wb");
    for (uint i = 0; i < 64; i++) in[i] = i * 2654435761u + 12345;
    if (!f || fwrite(in, 4, 64, f) != 64 || fclose(f)) return 1;
    run("turns_wave", turns_wave, n);
    run("turns_lanes", turns_lanes, n);
    run("far_lanes", far_lanes, n);
    run("far_wave", far_wave, n);
    return 0;
}
#endif
