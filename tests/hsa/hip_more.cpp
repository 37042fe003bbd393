// SPDX-License-Identifier: MIT
// The HIP programs of the tests that are not in hip_all.cpp, as one. usage: hip_more PROGRAM [CASE...]
#include "check.h"

#include <atomic>
#include <cmath>
#include <string>
#include <sys/wait.h>
#include <unistd.h>

#include <hip/hip_cooperative_groups.h>
#include <hip/hip_ext.h>
#include <hip/hip_fp16.h>
#include <hip/hiprtc.h>

#define main program
namespace atomic_operations {
#include "hip_atomics.cpp"
}
namespace waves {
#undef VCC
#include "hip_waves.cpp"
} // namespace waves
namespace graphs {
#include "hip_graphs.cpp"
}
namespace copies {
#include "hip_copies.cpp"
}
namespace code {
#include "hip_code.cpp"
}
namespace math {
#include "hip_math.cpp"
}
#undef main

static const struct {
    const char *name;
    int (*run)(int, char **);
} programs[] = {
    {"atomics", atomic_operations::program},
    {"waves", waves::program},
    {"graphs", graphs::program},
    {"copies", copies::program},
    {"code", code::program},
    {"math", math::program},
};

int main(int argc, char **argv) {
    for (const auto &p : programs)
        if (argc > 1 && !strcmp(argv[1], p.name)) return p.run(argc - 1, argv + 1);
    return 2;
}
