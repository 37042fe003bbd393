// SPDX-License-Identifier: MIT
// OpenMP on a device from C++: templates and objects.
#include <cstdio>
#include <omp.h>

#pragma omp declare target
template <typename T> struct Point {
    T x, y;
    T dot(const Point &o) const { return x * o.x + y * o.y; }
};
#pragma omp end declare target

int main() {
    const int n = 500;
    Point<double> p[n];
    int on_device = 0;
    double sum = 0;
    for (int i = 0; i < n; i++) p[i] = {i * 0.5, i * 0.25};
#pragma omp target map(from : on_device)
    on_device = !omp_is_initial_device();
    printf("device %d\n", on_device);
#pragma omp target teams distribute parallel for map(to : p) reduction(+ : sum)
    for (int i = 0; i < n; i++) sum += p[i].dot(p[n - 1 - i]);
    printf("sum %.3f\n", sum);
    return 0;
}
