// The shapes of a .def, a kernel each.
#define SHAPE(name)    static CALLED int name(int x, int n)
#ifndef FUNCTION
#define FUNCTION static __attribute__((noinline))
#endif
#include SHAPE_FILE
#define KERNEL(name)                                                                                         \
    __kernel void k_##name(__global int *o, __global const int *a, int n) {                                  \
        o[get_global_id(0)] = name(a[get_global_id(0)], n);                                                  \
    }
SHAPES(KERNEL)
