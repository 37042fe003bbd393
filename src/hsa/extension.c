// SPDX-License-Identifier: MIT
// Extensions: which there are, and their tables of functions.
#include <string.h>

#include "hsa/code/code.h"
#include "hsa/image.h"

static const struct {
    uint16_t id, minor;
    const char *name;
    size_t (*table)(void *, size_t);
} extensions[] = {
    {EXT_FINALIZER, 0, "HSA_EXTENSION_FINALIZER", NULL},
    {EXT_IMAGES, 0, "HSA_EXTENSION_IMAGES", image_table},
    {2, 0, "HSA_EXTENSION_PERFORMANCE_COUNTERS", NULL},
    {3, 0, "HSA_EXTENSION_PROFILING_EVENTS", NULL},
    {0x200, 0, "HSA_EXTENSION_AMD_PROFILER", NULL},
    {EXT_LOADER, 3, "HSA_EXTENSION_AMD_LOADER", loader_table},
    {EXT_AQLPROFILE, 0, "HSA_EXTENSION_AMD_AQLPROFILE", NULL},
    {0x203, 0, "HSA_EXTENSION_AMD_PC_SAMPLING", NULL},
};
enum { COUNT = sizeof extensions / sizeof *extensions };

static int find(uint16_t id) {
    for (int i = 0; i < COUNT; i++)
        if (extensions[i].id == id) return i;
    return -1;
}

HSA(status, hsa_extension_get_name, uint16_t extension, const char **name) {
    NEED_RUNTIME;
    NEED(name && find(extension) >= 0, ST_INVALID_ARGUMENT);
    *name = extensions[find(extension)].name;
    return ST_SUCCESS;
}

HSA(status, hsa_system_major_extension_supported, uint16_t extension, uint16_t major, uint16_t *minor,
    bool *result) {
    NEED_RUNTIME;
    const int i = find(extension);
    NEED(i >= 0 && minor && result, ST_INVALID_ARGUMENT);
    *result = extensions[i].table && major == 1;
    if (*result) *minor = extensions[i].minor;
    return ST_SUCCESS;
}
HSA(status, hsa_system_extension_supported, uint16_t extension, uint16_t major, uint16_t minor,
    bool *result) {
    uint16_t have = 0;
    const status st = hsa_system_major_extension_supported(extension, major, &have, result);
    if (st == ST_SUCCESS && have < minor) *result = false;
    return st;
}

HSA(status, hsa_system_get_major_extension_table, uint16_t extension, uint16_t major, size_t length,
    void *table) {
    NEED_RUNTIME;
    NEED(table && length, ST_INVALID_ARGUMENT);
    const int i = find(extension);
    NEED(i >= 0 && extensions[i].table && major == 1, ST_ERROR);
    extensions[i].table(table, length);
    return ST_SUCCESS;
}
// Of exactly this version, so long as tables of it are known to be.
HSA(status, hsa_system_get_extension_table, uint16_t extension, uint16_t major, uint16_t minor, void *table) {
    static const size_t loader[] = {24, 40, 48, 56};
    NEED_RUNTIME;
    if (extension == EXT_LOADER && minor < sizeof loader / sizeof *loader)
        return hsa_system_get_major_extension_table(extension, major, loader[minor], table);
    if (extension == EXT_IMAGES && !minor)
        return hsa_system_get_major_extension_table(extension, major, 10 * sizeof(void *), table);
    return table ? ST_ERROR : ST_INVALID_ARGUMENT;
}

// Of an agent: images.
HSA(status, hsa_agent_major_extension_supported, uint16_t extension, handle_t agent, uint16_t major,
    uint16_t *minor, bool *result) {
    NEED_RUNTIME;
    const struct agent *a = agent_of(agent);
    NEED(a, ST_INVALID_AGENT);
    NEED(find(extension) >= 0 && minor && result, ST_INVALID_ARGUMENT);
    *result = a->is_gpu && extension == EXT_IMAGES && major == 1;
    if (*result) *minor = 0;
    return ST_SUCCESS;
}
HSA(status, hsa_agent_extension_supported, uint16_t extension, handle_t agent, uint16_t major, uint16_t minor,
    bool *result) {
    uint16_t have = 0;
    const status st = hsa_agent_major_extension_supported(extension, agent, major, &have, result);
    if (st == ST_SUCCESS && have < minor) *result = false;
    return st;
}

// ---- The finaliser, which does not exist: its functions say that it is not there ----

#define NO_FINALISER(name, ...)                                                                              \
    status hsa_ext_program_##name(__VA_ARGS__);                                                              \
    status hsa_ext_program_##name(__VA_ARGS__) { return ST_NOT_INITIALIZED; }
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-parameter"
NO_FINALISER(create, int model, int profile, int rounding, const char *options, handle_t *program)
NO_FINALISER(destroy, handle_t program)
NO_FINALISER(add_module, handle_t program, void *module)
NO_FINALISER(iterate_modules, handle_t program, void *callback, void *data)
NO_FINALISER(get_info, handle_t program, int attribute, void *value)
NO_FINALISER(finalize, handle_t program, handle_t isa, int32_t convention, const void *control,
             const char *options, int type, handle_t *code)
#pragma GCC diagnostic pop
