// SPDX-License-Identifier: MIT
// OpenACC on a device: loops, reductions, data regions, queues.
#include <openacc.h>
#include <stdio.h>

int main(void) {
    enum { N = 2000 };
    static float x[N], y[N];
    float sum = 0, most = 0;
    int on_device = 0;
    for (int i = 0; i < N; i++) x[i] = (float)(i % 17), y[i] = 1;
#pragma acc parallel copyout(on_device)
    on_device = acc_on_device(acc_device_radeon);
    printf("device %d\n", on_device);
#pragma acc data copyin(x) copy(y)
    {
#pragma acc parallel loop
        for (int i = 0; i < N; i++) y[i] += 2 * x[i];
#pragma acc parallel loop reduction(+ : sum) reduction(max : most)
        for (int i = 0; i < N; i++) {
            sum += y[i];
            if (y[i] > most) most = y[i];
        }
    }
    printf("sum %.1f most %.1f last %.1f\n", sum, most, y[N - 1]);
#pragma acc parallel loop gang vector async(1) copy(x)
    for (int i = 0; i < N; i++) x[i] *= 3;
#pragma acc parallel loop async(2) copy(y)
    for (int i = 0; i < N; i++) y[i] -= 1;
#pragma acc wait
    printf("x %.1f y %.1f\n", x[16], y[16]);
    int m[20][30];
#pragma acc parallel loop collapse(2) copyout(m)
    for (int i = 0; i < 20; i++)
        for (int j = 0; j < 30; j++) m[i][j] = i * 100 + j;
    printf("m %d\n", m[19][29]);
    return 0;
}
