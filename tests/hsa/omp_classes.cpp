// SPDX-License-Identifier: MIT
// OpenMP on a device from C++: templates, objects and their members, lambdas, the standard library's small
// types.
#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <cstdio>
#include <omp.h>

#pragma omp declare target
template <typename T> struct Point {
    T x, y;
    T dot(const Point &o) const { return x * o.x + y * o.y; }
};
#pragma omp end declare target

template <typename T, int N> struct Grid {
    T cells[N][N];
    T total;
    void fill(T by) {
#pragma omp target teams distribute parallel for collapse(2) map(tofrom : this [0:1])
        for (int i = 0; i < N; i++)
            for (int j = 0; j < N; j++) cells[i][j] = (T)(i * N + j) * by;
    }
    void add() {
        T sum = 0;
#pragma omp target teams distribute parallel for map(to : this [0:1]) reduction(+ : sum)
        for (int i = 0; i < N; i++)
            for (int j = 0; j < N; j++) sum += cells[i][j];
        total = sum;
    }
};
static void more() {
    Grid<float, 24> g;
    g.fill(0.25f);
    g.add();
    printf("grid %.2f %.2f\n", g.cells[23][23], g.total);
    Grid<long, 9> h;
    h.fill(-3);
    h.add();
    printf("grid %ld %ld\n", h.cells[8][8], h.total);
    const int k = 7;
    int v[100];
#pragma omp target teams distribute parallel for map(from : v)
    for (int i = 0; i < 100; i++) {
        const auto f = [=](int by) { return i * by + 1; };
        v[i] = f(k);
    }
    std::complex<double> z(0, 0);
    std::array<int, 8> a = {5, 3, 8, 1, 9, 2, 7, 4};
    int largest = 0;
#pragma omp target map(tofrom : z, a) map(from : largest)
    {
        for (int i = 1; i < 10; i++) z = z * std::complex<double>(0.5, 0.25) + std::complex<double>(i, -i);
        std::sort(a.begin(), a.end());
        largest = *std::max_element(a.begin(), a.end());
    }
    printf("lambda %d complex %.6f %.6f sorted %d %d %d\n", v[99], z.real(), z.imag(), a[0], a[7], largest);
    int counts[3] = {0, 0, 0}, another = 0, &second = another;
#pragma omp target map(tofrom : counts, second)
    {
        counts[0] = 4;
        second += 5;
    }
    printf("reference %d %d\n", counts[0], another);
}

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
    more();
    return 0;
}
