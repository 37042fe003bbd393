// SPDX-License-Identifier: MIT
// OpenACC on a device: gangs, workers and vectors, reductions of each kind, data by directives and by
// functions, queues, atomics, routines.
#include <math.h>
#include <openacc.h>
#include <stdio.h>
#include <stdlib.h>

enum { N = 1500 };
#pragma acc routine seq
static int collatz(int n) {
    int steps = 0;
    while (n != 1) n = n % 2 ? 3 * n + 1 : n / 2, steps++;
    return steps;
}
#pragma acc routine vector
static void scale(float *p, int n, float by) {
#pragma acc loop vector
    for (int i = 0; i < n; i++) p[i] *= by;
}

int main(void) {
    static float x[N], m[40][64];
    static int steps[N], counts[8];
    int on_device = 0;
#pragma acc parallel copyout(on_device)
    on_device = acc_on_device(acc_device_radeon);
    printf("device %d\n", on_device);
    for (int i = 0; i < N; i++) x[i] = (float)(i % 23);

#pragma acc parallel loop gang worker vector num_gangs(8) num_workers(4) vector_length(64) copyout(steps)
    for (int i = 0; i < N; i++) steps[i] = collatz(i + 1);
    printf("steps %d %d\n", steps[26], steps[N - 1]);

    int sum = 0, product = 1, all = -1, any = 0, odd = 0, yes = 1, maybe = 0, least = 1 << 20, most = -1;
#pragma acc parallel loop copyin(steps) reduction(+ : sum) reduction(* : product) reduction(& : all) reduction(| : any) reduction(^ : odd) \
    reduction(&& : yes) reduction(|| : maybe) reduction(min : least) reduction(max : most)
    for (int i = 0; i < N; i++) {
        sum += steps[i];
        if (i % 400 == 3) product *= i / 400 + 1;
        all &= ~(i & 12), any |= i, odd ^= i, yes = yes && i >= 0, maybe = maybe || i == 7;
        if (steps[i] < least) least = steps[i];
        if (steps[i] > most) most = steps[i];
    }
    printf("reductions %d %d %d %d %d %d %d %d %d\n", sum, product, all, any, odd, yes, maybe, least, most);

#pragma acc enter data copyin(x) create(m)
#pragma acc parallel loop gang present(m)
    for (int i = 0; i < 40; i++) {
#pragma acc loop vector
        for (int j = 0; j < 64; j++) m[i][j] = (float)(i * 100 + j);
    }
#pragma acc parallel loop gang present(m)
    for (int i = 0; i < 40; i++) scale(m[i], 64, 0.5f);
#pragma acc update self(m [0:2])
    printf("m %.1f\n", m[1][63]);
#pragma acc exit data copyout(m)
    printf("m %.1f\n", m[39][63]);

#pragma acc parallel loop copy(counts) present(x)
    for (int i = 0; i < N; i++) {
#pragma acc atomic
        counts[(int)x[i] & 7]++;
    }
    printf("counts %d %d %d\n", counts[0], counts[6], counts[7]);

    int tens[N];
#pragma acc data create(tens)
    {
#pragma acc parallel loop async(0)
        for (int i = 0; i < 300; i++) tens[i] = i * 10;
#pragma acc parallel loop async(1)
        for (int i = 300; i < 600; i++) tens[i] = i * 10;
#pragma acc parallel loop async(2)
        for (int i = 600; i < 900; i++) tens[i] = i * 10;
#pragma acc parallel loop async(3)
        for (int i = 900; i < 1200; i++) tens[i] = i * 10;
#pragma acc wait(0, 1, 2, 3) async(5)
#pragma acc parallel loop async(5) present(x)
        for (int i = 0; i < 1200; i++) x[i] += (float)tens[i];
#pragma acc wait(5)
    }
#pragma acc exit data copyout(x)
    printf("x %.1f %.1f\n", x[1199], x[1200]);

    float *d = acc_malloc(N * sizeof *d), back[N];
    acc_memcpy_to_device(d, x, sizeof back);
#pragma acc parallel loop deviceptr(d)
    for (int i = 0; i < N; i++) d[i] = sqrtf(d[i]) + 1;
    acc_memcpy_from_device(back, d, sizeof back);
    acc_free(d);
    printf("root %.3f\n", back[100]);
    int triangle = 0, mine = 5;
#pragma acc kernels copyin(mine) copy(triangle)
    for (int i = 0; i < 100; i++) triangle += i + mine;
#pragma acc serial copy(triangle)
    triangle *= 2;
    printf("triangle %d\n", triangle);
#pragma acc parallel num_gangs(1)
    printf("a gang says %d and %.2f\n", 5, 1.5);
    return 0;
}
