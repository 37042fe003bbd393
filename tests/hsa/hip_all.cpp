// SPDX-License-Identifier: MIT
// All the HIP programs of the tests as one, so that their headers are read once for each processor.
// usage: hip_all PROGRAM ARG...
#include "check.h"

#include <atomic>
#include <cassert>
#include <string>

#include <hip/hip_cooperative_groups.h>
#include <hip/hiprtc.h>

#define main program
namespace memory {
#include "hip_memory.cpp"
}
namespace streams {
#include "hip_streams.cpp"
}
namespace kernels {
#include "hip_kernels.cpp"
}
namespace services {
#include "hip_services.cpp"
}
namespace errors {
#include "hip_errors.cpp"
}
namespace devices {
#include "hip_devices.cpp"
}
namespace cooperative {
#include "hip_cooperative.cpp"
}
#undef main

static const struct {
    const char *name;
    int (*run)(int, char **);
} programs[] = {
    {"memory", memory::program},           {"streams", streams::program}, {"kernels", kernels::program},
    {"services", services::program},       {"errors", errors::program},   {"devices", devices::program},
    {"cooperative", cooperative::program},
};

int main(int argc, char **argv) {
    for (const auto &p : programs)
        if (argc > 1 && !strcmp(argv[1], p.name)) return p.run(argc - 1, argv + 1);
    return 2;
}
