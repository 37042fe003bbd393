// SPDX-License-Identifier: MIT
// A program of LLVM's offload library: offload CODE-OBJECT [trap]. Memory of each kind, a kernel, fills,
// symbols; or a kernel that traps.
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <offload/OffloadAPI.h>

#define CALL(...)                                                                                            \
    do {                                                                                                     \
        const struct ol_error_struct_t *e_ = __VA_ARGS__;                                                    \
        if (e_) {                                                                                            \
            printf("%d: %s: %s\n", __LINE__, #__VA_ARGS__, e_->Details);                                     \
            exit(1);                                                                                         \
        }                                                                                                    \
    } while (0)
#define CHECK(...)                                                                                           \
    do {                                                                                                     \
        if (!(__VA_ARGS__)) {                                                                                \
            printf("%d: not so: %s\n", __LINE__, #__VA_ARGS__);                                              \
            exit(1);                                                                                         \
        }                                                                                                    \
    } while (0)

static ol_device_handle_t gpu, host;
static bool note(ol_device_handle_t device, void *data) {
    ol_device_type_t type;
    (void)data;
    CALL(olGetDeviceInfo(device, OL_DEVICE_INFO_TYPE, sizeof type, &type));
    if (type == OL_DEVICE_TYPE_GPU) gpu = device;
    if (type == OL_DEVICE_TYPE_HOST) host = device;
    return true;
}

int main(int argc, char **argv) {
    enum { N = 5000 };
    static char bytes[1 << 20];
    FILE *f = argc > 1 ? fopen(argv[1], "rb") : NULL;
    CHECK(f);
    const size_t size = fread(bytes, 1, sizeof bytes, f);
    fclose(f);
    CALL(olInit());
    CALL(olIterateDevices(note, NULL));
    CHECK(gpu && host);
    ol_queue_handle_t queue;
    ol_program_handle_t program;
    ol_symbol_handle_t kernel, table;
    CALL(olCreateQueue(gpu, &queue));
    CALL(olCreateProgram(gpu, bytes, size, &program));
    CALL(olGetSymbol(program, "vector_copy", OL_SYMBOL_KIND_KERNEL, &kernel));
    CALL(olGetSymbol(program, "table", OL_SYMBOL_KIND_GLOBAL_VARIABLE, &table));
    int *device, *managed, *pinned, data[N], table_data[4];
    CALL(olMemAlloc(gpu, OL_ALLOC_TYPE_DEVICE, sizeof data, (void **)&device));
    CALL(olMemAlloc(gpu, OL_ALLOC_TYPE_MANAGED, sizeof data, (void **)&managed));
    CALL(olMemAlloc(gpu, OL_ALLOC_TYPE_HOST, sizeof data, (void **)&pinned));
    for (int i = 0; i < N; i++) data[i] = i * 3;
    CALL(olMemcpy(queue, device, gpu, data, host, sizeof data));
    ol_kernel_launch_size_args_t sizes = {1, {(N + 63) / 64, 1, 1}, {64, 1, 1}, 0};
    struct {
        int *from, *to;
        int n;
    } args = {device, managed, N};
    CALL(olLaunchKernel(queue, gpu, kernel, &args, sizeof args, &sizes));
    args.from = managed, args.to = pinned;
    CALL(olLaunchKernel(queue, gpu, kernel, &args, sizeof args, &sizes));
    CALL(olSyncQueue(queue));
    for (int i = 0; i < N; i++) CHECK(managed[i] == i * 3 && pinned[i] == i * 3);
    if (argc > 2) {
        ol_symbol_handle_t trap;
        CALL(olGetSymbol(program, "trap", OL_SYMBOL_KIND_KERNEL, &trap));
        managed[0] = 1;
        CALL(olLaunchKernel(queue, gpu, trap, &managed, sizeof managed, &sizes));
        CALL(olSyncQueue(queue));
    }
    const int pattern = 0x1234;
    CALL(olMemFill(queue, device, sizeof pattern, &pattern, sizeof data));
    CALL(olMemcpy(queue, data, host, device, gpu, sizeof data));
    void *address;
    CALL(olGetSymbolInfo(table, OL_SYMBOL_INFO_GLOBAL_VARIABLE_ADDRESS, sizeof address, &address));
    CALL(olMemcpy(queue, table_data, host, address, gpu, sizeof table_data));
    CALL(olSyncQueue(queue));
    for (int i = 0; i < N; i++) CHECK(data[i] == pattern);
    CHECK(table_data[0] == 1 && table_data[3] == 4);
    CALL(olMemFree(device));
    CALL(olMemFree(managed));
    CALL(olMemFree(pinned));
    CALL(olDestroyQueue(queue));
    CALL(olDestroyProgram(program));
    CALL(olShutDown());
    printf("ok offload\n");
    return 0;
}
