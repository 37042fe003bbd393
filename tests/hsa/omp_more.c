// SPDX-License-Identifier: MIT
// OpenMP on a device: each kind of map and of reduction, memory of the device by its functions, tasks that
// depend, what teams and threads share, the math library.
#include <complex.h>
#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N = 1200 };
#pragma omp declare target
struct pair {
    double first;
    int second;
};
static int calls;
static int recursive(int n) { return n < 2 ? 1 : n * recursive(n - 1) % 10007; }
static int compare(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
#pragma omp end declare target
static int linked[N];
#pragma omp declare target link(linked)

#pragma omp declare reduction(larger                                                                         \
                              : struct pair                                                                  \
                              : omp_out = omp_in.first > omp_out.first ? omp_in : omp_out)                   \
    initializer(omp_priv = (struct pair){-1, -1})

static void maps(void) {
    int to[N], from[N], both[N], alloc[N], plain = 7;
    int *heap = malloc(N * sizeof *heap);
    struct pair p = {2.5, 4};
    for (int i = 0; i < N; i++)
        to[i] = i, from[i] = -1, both[i] = i, alloc[i] = -1, heap[i] = i, linked[i] = 2 * i;
#pragma omp target teams distribute parallel for map(to                                                      \
                                                     : to, heap [10:100]) map(from                           \
                                                                              : from) map(tofrom             \
                                                                                          : both, p)         \
    map(alloc                                                                                                \
        : alloc) firstprivate(plain)
    for (int i = 0; i < N; i++) {
        alloc[i] = to[i] + plain;
        from[i] = alloc[i] * 2 + (i >= 10 && i < 110 ? heap[i] : 0);
        both[i] += i;
        if (i == 5) p.second = 50, p.first *= 2;
    }
    long sum = 0;
    for (int i = 0; i < N; i++) sum += from[i] * 3L + both[i];
    printf("maps %ld %d %.1f\n", sum, p.second, p.first);
#pragma omp target data map(tofrom : both)
    {
#pragma omp target
        for (int i = 0; i < N; i++) both[i] += 1000;
#pragma omp target update from(both [0:10])
        printf("update %d\n", both[3]);
        both[4] = 5;
#pragma omp target update to(both [4:1])
#pragma omp target
        both[4] *= 3;
    }
    printf("after %d %d\n", both[4], both[11]);
#pragma omp target map(tofrom : linked)
    for (int i = 0; i < N; i++) linked[i] += i;
    printf("link %d\n", linked[N - 1]);
    int there = omp_get_default_device();
#pragma omp target enter data map(to : to)
    if (!omp_is_initial_device()) printf("never\n");
#pragma omp target map(from : to)
    for (int i = 0; i < N; i++) to[i] = i * 5;
#pragma omp target exit data map(from : to)
    printf("exit %d\n", to[N - 1]);
#pragma omp target if (there < 0)
    plain = 8;
    free(heap);
}

static void reductions(void) {
    int sum = 0, product = 1, all = -1, any = 0, odd = 0, yes = 1, maybe = 0, least = 1000, most = -1000,
        apart = 0;
    double real = 0;
    double complex z = 0;
    int each[4] = {0, 0, 0, 0};
    struct pair best = {-1, -1};
#pragma omp target teams distribute parallel for map(tofrom : sum, product, all, any, odd, yes, maybe, least, most, apart, real) \
    reduction(+ : sum, real) reduction(* : product) reduction(& : all) reduction(| : any) reduction(^ : odd) reduction(&& : yes)  \
    reduction(|| : maybe) reduction(min : least) reduction(max : most) reduction(- : apart)
    for (int i = 1; i <= N; i++) {
        sum += i, real += 0.5 * i;
        if (i % 300 == 0) product *= i / 300;
        all &= ~(i & 12), any |= i, odd ^= i * 7, yes = yes && i > 0, maybe = maybe || i == N;
        if (i * 7 % 1201 < least) least = i * 7 % 1201;
        if (i * 7 % 1201 > most) most = i * 7 % 1201;
        apart -= i;
    }
    printf("reductions %d %d %d %d %d %d %d %d %d %d %.1f\n", sum, product, all, any, odd, yes, maybe, least,
           most, apart, real);
#pragma omp target parallel for map(tofrom : each) reduction(+ : each)
    for (int i = 0; i < N; i++) each[i & 3] += i;
    printf("array %d %d %d %d\n", each[0], each[1], each[2], each[3]);
#pragma omp target parallel for map(tofrom : best) reduction(larger : best)
    for (int i = 0; i < N; i++) {
        struct pair p = {(double)(i * 37 % N), i};
        if (p.first > best.first) best = p;
    }
    printf("own %.0f %d\n", best.first, best.second);
#pragma omp target map(tofrom : z)
    for (int i = 0; i < 8; i++) z += (1 + I * i) * (2 - I);
    printf("complex %.1f %.1f\n", creal(z), cimag(z));
}

static void device_memory(void) {
    const int device = omp_get_default_device(), host = omp_get_initial_device();
    double *p = omp_target_alloc(N * sizeof *p, device), here[N];
    for (int i = 0; i < N; i++) here[i] = i * 0.5;
    omp_target_memcpy(p, here, N * sizeof *p, 0, 0, device, host);
#pragma omp target teams distribute parallel for is_device_ptr(p)
    for (int i = 0; i < N; i++) p[i] = p[i] * 2 + 1;
    omp_target_memcpy(here, p, (N - 10) * sizeof *p, 10 * sizeof *p, 0, host, device);
    printf("device memory %.1f %.1f\n", here[9], here[N - 1]);
    double box[6][8], out[6][8];
    for (int i = 0; i < 48; i++) (&box[0][0])[i] = i;
    memset(out, 0, sizeof out);
    size_t volume[2] = {3, 4}, to[2] = {1, 2}, from[2] = {2, 1}, dims[2] = {6, 8};
    omp_target_memcpy(p, box, sizeof box, 0, 0, device, host);
    printf("rect %d ",
           omp_target_memcpy_rect(out, p, sizeof(double), 2, volume, to, from, dims, dims, host, device));
    printf("%.0f %.0f %.0f\n", out[1][2], out[3][5], out[4][5]);
    omp_target_free(p, device);
    double *mapped = here;
#pragma omp target data map(tofrom : mapped [0:N]) use_device_ptr(mapped)
    {
#pragma omp target is_device_ptr(mapped)
        mapped[1] = 77;
    }
    printf("use_device_ptr %.0f\n", here[1]);
}

static void tasks(void) {
    int a[64], b[64], c[64];
    for (int i = 0; i < 64; i++) a[i] = i, b[i] = c[i] = 0;
#pragma omp target enter data map(to : a, b, c)
    for (int round = 0; round < 5; round++) {
#pragma omp target nowait depend(inout : a)
        for (int i = 0; i < 64; i++) a[i] += 1;
#pragma omp target nowait depend(in : a) depend(out : b)
        for (int i = 0; i < 64; i++) b[i] = a[i] * 2;
#pragma omp target nowait depend(in : a, b) depend(inout : c)
        for (int i = 0; i < 64; i++) c[i] += b[i] - a[i];
    }
#pragma omp taskwait
#pragma omp target exit data map(from : a, b, c)
    printf("tasks %d %d %d\n", a[63], b[63], c[63]);
}

static void teams_and_threads(void) {
    int teams = 0, shared = 0, once = 0, sections = 0, ordered = 0, captured[200], in_place = 0, deep = 0,
        sorted[50];
    for (int i = 0; i < 200; i++) captured[i] = 0;
#pragma omp target teams num_teams(5) thread_limit(4) map(tofrom : teams, shared)
    {
#pragma omp parallel
        {
            if (omp_get_thread_num() == 0) {
#pragma omp atomic
                teams++;
            }
#pragma omp atomic
            shared += omp_get_team_num() >= 0 && omp_get_team_num() < omp_get_num_teams() &&
                      omp_get_thread_num() < omp_get_num_threads();
        }
    }
    printf("teams %d %d\n", teams > 0 && teams <= 5, shared >= teams);
#pragma omp target parallel num_threads(8) map(tofrom : once, sections, ordered, captured, in_place)
    {
#pragma omp single
        once += 1;
#pragma omp sections
        {
#pragma omp section
#pragma omp atomic
            sections += 1;
#pragma omp section
#pragma omp atomic
            sections += 10;
        }
#pragma omp for schedule(dynamic, 3)
        for (int i = 0; i < 200; i++) {
            int at;
#pragma omp atomic capture
            at = in_place++;
            captured[at] = 1;
#pragma omp critical
            ordered += i;
        }
#pragma omp barrier
#pragma omp master
        once += 100;
    }
    int missing = 0;
    for (int i = 0; i < 200; i++) missing += !captured[i];
    printf("parallel %d %d %d %d %d\n", once, sections, ordered, missing, in_place);
#pragma omp target map(tofrom : deep)
    {
#pragma omp parallel for
        for (int i = 0; i < 6; i++)
#pragma omp parallel for
            for (int j = 0; j < 6; j++)
#pragma omp atomic
                deep += i * j;
    }
    printf("nested %d\n", deep);
    int table[20][30];
#pragma omp target teams distribute parallel for simd collapse(2) map(from : table)
    for (int i = 0; i < 20; i++)
        for (int j = 0; j < 30; j++) table[i][j] = recursive(i % 7) + j;
    printf("table %d %d\n", table[19][29], table[6][0]);
#pragma omp target map(from : sorted)
    {
        int *room = malloc(sizeof sorted);
        for (int i = 0; i < 50; i++) room[i] = i * 37 % 50;
        qsort(room, 50, sizeof *room, compare);
        memcpy(sorted, room, sizeof sorted);
        free(room);
        calls++;
    }
    for (int i = 0; i < 50; i++) missing += sorted[i] != i;
    printf("sorted %d\n", missing);
}

// All to the digits that two libraries may be expected to agree on.
// clang-format off
#define FUNCTIONS(F)                                                                                         \
    F(sin) F(cos) F(tan) F(asin) F(acos) F(atan) F(sinh) F(cosh) F(tanh) F(asinh) F(atanh) F(exp) F(exp2)    \
    F(expm1) F(log1p) F(cbrt) F(erf) F(erfc) F(tgamma) F(floor) F(ceil) F(trunc) F(round)
// clang-format on
static void mathematics(void) {
    double out[40], x[] = {0.3, -0.7, 0.01, 0.99};
    float single[40];
    for (int k = 0; k < 4; k++) {
        double v = x[k];
        int n = 0, m = 0;
#pragma omp target map(from : out, single) map(tofrom : n, m)
        {
#define IN_DOUBLE(f) out[n++] = f(v);
#define IN_FLOAT(g)  single[m++] = g##f((float)v);
            FUNCTIONS(IN_DOUBLE)
            FUNCTIONS(IN_FLOAT)
            out[n++] = pow(v * v + 1, 2.5), out[n++] = atan2(v, 2), out[n++] = fmod(10 * v, 0.7),
            out[n++] = hypot(v, 3);
            out[n++] = log(v * v + 2), out[n++] = log2(v * v + 2), out[n++] = log10(v * v + 2),
            out[n++] = sqrt(v * v), out[n++] = ldexp(v, 5);
        }
        printf("math %d", n);
        for (int i = 0; i < n; i++) printf(" %.11g", out[i] + 0.0);
        printf("\nsingle %d", m);
        for (int i = 0; i < m; i++) printf(" %.4g", single[i] + 0.0);
        printf("\n");
    }
}

int main(void) {
    int on_device = 0;
#pragma omp target map(from : on_device)
    on_device = !omp_is_initial_device();
    printf("device %d\n", on_device);
    maps();
    reductions();
    device_memory();
    tasks();
    teams_and_threads();
    mathematics();
#pragma omp target
    {
        char text[80];
        snprintf(text, sizeof text, "%s %5d|%-5d|%05.1f|%x|%c|%lld", "from the device", 42, 42, 2.25, 255,
                 'z', 1ll << 40);
        puts(text);
        printf("%s %e %g\n", text, 12345.678, 0.0001);
    }
    return 0;
}
