// SPDX-License-Identifier: MIT
// The files of AMD's kernel driver, for programs that look for them before they ask the runtime: rocminfo,
// for one, gives up without /dev/kfd. They are made in a folder for this run, and a preloaded library
// (src/hsa/driver/paths.c) has the program find them. No right and no name space is needed, and nobody else
// sees them.
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "cli/exec.h"

enum { PATH = EXEC_PATH };
#define NODES "/sys/class/kfd/kfd/topology/nodes"

// ---- Whether the program looks for them ----

bool exec_driver_is_wanted(const char *program) {
    static const char *const words[] = {"/dev/kfd", "/class/kfd", "/module/amdgpu", "lsmod"};
    char path[PATH];
    struct file f;
    if (!access("/dev/kfd", F_OK)) return false; // the system's own is there
    if (!exec_find_program(program, path) || file_open(&f, path, NULL) != SW_OK) return false;
    bool found = false;
    for (size_t i = 0; i < sizeof words / sizeof *words && !found; i++)
        found = memmem(f.data, f.size, words[i], strlen(words[i])) != NULL;
    file_close(&f);
    return found;
}

// ---- The files ----

// Makes the folders above `path`, and the file.
static bool put(const char *folder, const char *path, mode_t mode, const char *text) {
    char own[PATH];
    if (snprintf(own, sizeof own, "%s%s", folder, path) >= (int)sizeof own) return false;
    for (char *s = own + strlen(folder) + 1; (s = strchr(s, '/')); *s++ = '/') {
        *s = 0;
        if (mkdir(own, 0755) && errno != EEXIST) return false;
    }
    const int file = open(own, O_WRONLY | O_CREAT | O_CLOEXEC, mode);
    if (file < 0) return false;
    const bool written = write(file, text, strlen(text)) == (ssize_t)strlen(text);
    return !close(file) && written;
}

// What the driver says of a processor (node 0) and of each GPU.
static bool put_node(const char *folder, size_t node, const sw_target *gpu) {
    char path[128], text[1024];
    unsigned version = 0, wave = 0, simds = 0, waves = 0;
    const long cores = sysconf(_SC_NPROCESSORS_ONLN);
    if (gpu) {
        sw_processor_info info = {.size = sizeof info};
        sw_processor_get_info(gpu->processor, &info);
        version = info.isa_major * 10000 + info.isa_minor * 100 + info.isa_stepping;
        wave = info.wave_sizes & 32 ? 32 : 64;
        simds = info.compute_units * info.simds_per_cu;
        waves = info.waves_per_simd;
    }
    snprintf(text, sizeof text,
             "cpu_cores_count %ld\nsimd_count %u\nmem_banks_count 1\nmax_waves_per_simd %u\n"
             "wave_front_size %u\ngfx_target_version %u\nvendor_id %u\nlocation_id %zu\n",
             gpu ? 0 : cores, simds, waves, wave, version, gpu ? 4098u : 0, gpu ? 0x200 + 0x100 * node : 0);
    snprintf(path, sizeof path, NODES "/%zu/properties", node);
    if (!put(folder, path, 0644, text)) return false;
    snprintf(path, sizeof path, NODES "/%zu/name", node);
    snprintf(text, sizeof text, "%s\n", gpu ? sw_processor_name(gpu->processor) : "");
    if (!put(folder, path, 0644, text)) return false;
    snprintf(path, sizeof path, NODES "/%zu/gpu_id", node);
    snprintf(text, sizeof text, "%zu\n", gpu ? 1000 + node : 0);
    return put(folder, path, 0644, text);
}

static bool put_all(const char *folder, const sw_target *gpus, size_t count) {
    bool made =
        put(folder, "/dev/kfd", 0666, "") && put(folder, "/sys/module/amdgpu/initstate", 0644, "live\n") &&
        put(folder, "/bin/lsmod", 0755, "#!/bin/sh\necho 'amdgpu 1 0'\n") && put_node(folder, 0, NULL);
    for (size_t i = 0; made && i < count; i++) made = put_node(folder, i + 1, &gpus[i]);
    return made;
}

static int remove_one(const char *path, const struct stat *s, int kind, struct FTW *place) {
    (void)s, (void)kind, (void)place;
    return remove(path);
}
void exec_driver_end(const char *folder) {
    if (*folder) nftw(folder, remove_one, 8, FTW_DEPTH | FTW_PHYS);
}

static void prepend(const char *name, const char *value) {
    const char *old = getenv(name);
    struct text t = {0};
    text_printf(&t, "%s%s%s", value, old && *old ? ":" : "", old ? old : "");
    if (t.data) setenv(name, t.data, 1);
    text_free(&t);
}

bool exec_driver_offer(const char *library, const sw_target *gpus, size_t count, char folder[EXEC_FOLDER]) {
    char path[PATH + 64];
    const char *temporary = getenv("TMPDIR");
    *folder = 0;
    snprintf(path, sizeof path, "%s/libsoftwave-driver.so", library);
    if (access(path, R_OK)) return false;
    if (snprintf(folder, EXEC_FOLDER, "%s/softwave.XXXXXX", temporary && *temporary ? temporary : "/tmp") >=
            EXEC_FOLDER ||
        !mkdtemp(folder)) {
        *folder = 0;
        return false;
    }
    if (!put_all(folder, gpus, count)) return false;
    setenv("SOFTWAVE_DRIVER_FILES", folder, 1);
    prepend("LD_PRELOAD", path);
    snprintf(path, sizeof path, "%s/bin", folder);
    prepend("PATH", path);
    return true;
}
