// The shapes of flow.h, a kernel each.
#define SHAPE(name) static int name(int x, int n)
#include "flow.h"
#define KERNEL(name)                                                                                         \
    __kernel void k_##name(__global int *o, __global const int *a, int n) {                                  \
        o[get_global_id(0)] = name(a[get_global_id(0)], n);                                                  \
    }
SHAPES(KERNEL)
