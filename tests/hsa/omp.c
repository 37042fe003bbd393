// SPDX-License-Identifier: MIT
// OpenMP on a device: maps, reductions, teams, nested parallel regions, tasks that depend, the math library,
// text.
#include <math.h>
#include <omp.h>
#include <stdio.h>

#pragma omp declare target
static int table[100];
static int fill(int i) { return table[i] = i * i; }
#pragma omp end declare target

int main(void) {
    enum { N = 1000 };
    int a[N], b[N], on_device = 0;
    double sum = 0, product = 1, roots = 0;
    for (int i = 0; i < N; i++) a[i] = i;
#pragma omp target map(from : on_device)
    on_device = !omp_is_initial_device();
    printf("device %d\n", on_device);
#pragma omp target teams distribute parallel for map(to : a) map(from : b) reduction(+ : sum)
    for (int i = 0; i < N; i++) {
        b[i] = 2 * a[i];
        sum += b[i];
    }
    printf("sum %.1f last %d\n", sum, b[N - 1]);
#pragma omp target parallel for reduction(* : product)
    for (int i = 1; i <= 10; i++) product *= i;
    printf("product %.1f\n", product);
#pragma omp target parallel for map(tofrom : roots) reduction(+ : roots)
    for (int i = 0; i < N; i++) roots += sqrt((double)i);
    printf("roots %.6f\n", roots);
    int counted = 0;
#pragma omp target map(tofrom : counted)
    for (int i = 0; i < 10; i++) {
#pragma omp parallel for
        for (int j = 0; j < 100; j++)
#pragma omp atomic
            counted++;
    }
    printf("counted %d\n", counted);
    int first = 0, second = 0;
#pragma omp target enter data map(to : a)
#pragma omp target nowait depend(out : first) map(tofrom : first)
    first = 20;
#pragma omp target nowait depend(in : first) depend(out : second) map(tofrom : second) map(to : first)
    second = first + 1;
#pragma omp taskwait
#pragma omp target map(from : b)
    for (int i = 0; i < N; i++) b[i] = a[i] + 1;
#pragma omp target exit data map(delete : a)
    printf("tasks %d %d data %d\n", first, second, b[500]);
    int squares = 0;
#pragma omp target map(tofrom : squares)
    {
        for (int i = 0; i < 100; i++) squares += fill(i);
    }
    printf("squares %d\n", squares);
#pragma omp target
    printf("hello, %d and %.2f and %s\n", 42, 2.5, "text");
    return 0;
}
