// SPDX-License-Identifier: MIT
// What kernels ask of the host under HIP: printf, malloc, assert, abort. A mode is the first argument.
#include "check.h"

#include <cassert>

__global__ void say(int by) {
    const int n = printf("item %d of %s says %.2f\n", (int)threadIdx.x * by, "group", threadIdx.x * 0.25);
    if (threadIdx.x == 0) printf("returned %d\n", n);
}
__global__ void many() { printf("%d\n", (int)(blockIdx.x * blockDim.x + threadIdx.x)); }

struct Node {
    Node *next;
    int value;
};
__global__ void list(int *out) {
    Node *first = nullptr;
    for (int i = 0; i < 10; i++) {
        Node *n = (Node *)malloc(sizeof(Node));
        if (!n) return;
        n->next = first;
        n->value = i + threadIdx.x;
        first = n;
    }
    int sum = 0;
    while (first) {
        Node *n = first;
        first = n->next;
        sum += n->value;
        free(n);
    }
    out[threadIdx.x] = sum;
}
__global__ void check(int limit) { assert(limit > (int)threadIdx.x); }
__global__ void stop() { abort(); }
__global__ void trap() { __builtin_trap(); }

static void allocate() {
    int *p, out[64];
    CALL(hipMalloc(&p, sizeof out));
    for (int round = 0; round < 3; round++) {
        list<<<1, 64>>>(p);
        CALL(hipMemcpy(out, p, sizeof out, hipMemcpyDeviceToHost));
        for (int i = 0; i < 64; i++) EXPECT(out[i] == 45 + 10 * i);
    }
}

int main(int argc, char **argv) {
    const char *mode = argc > 1 ? argv[1] : "";
    if (!strcmp(mode, "printf")) say<<<1, 3>>>(2);
    if (!strcmp(mode, "many")) many<<<16, 64>>>();
    if (!strcmp(mode, "malloc")) {
        CASE(allocate);
        argc = 0;
        allocate();
    }
    if (!strcmp(mode, "assert")) check<<<1, 64>>>(10);
    if (!strcmp(mode, "assert-holds")) check<<<1, 64>>>(100);
    if (!strcmp(mode, "abort")) stop<<<1, 1>>>();
    if (!strcmp(mode, "trap")) trap<<<1, 1>>>();
    const hipError_t e = hipDeviceSynchronize();
    if (e != hipSuccess) printf("%s\n", hipGetErrorName(e));
    return wrong || e != hipSuccess;
}
