// SPDX-License-Identifier: MIT
// The HIP programs of the tests that need HIP 6 or later, as one: tests/corpus/rocm.sh builds it with the
// hipcc of its root. usage: hip_today PROGRAM [CASE...]
#include "check.h"

#include <algorithm>
#include <string>

#include <hip/hip_cooperative_groups.h>
#include <hip/hip_ext.h>
#include <hip/hiprtc.h>

#define main program
namespace allocators {
#include "hip_allocators.cpp"
}
namespace addresses {
#include "hip_addresses.cpp"
}
namespace launches {
#include "hip_launches.cpp"
}
namespace linking {
#include "hip_linking.cpp"
}
#undef main

static const struct {
    const char *name;
    int (*run)(int, char **);
} programs[] = {
    {"allocators", allocators::program},
    {"addresses", addresses::program},
    {"launches", launches::program},
    {"linking", linking::program},
};

int main(int argc, char **argv) {
    for (const auto &p : programs)
        if (argc > 1 && !strcmp(argv[1], p.name)) return p.run(argc - 1, argv + 1);
    return 2;
}
