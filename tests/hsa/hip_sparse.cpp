// SPDX-License-Identifier: MIT
// rocSPARSE against the CPU: products of a sparse matrix with a vector and a matrix, a triangular solve, an
// incomplete factorisation, conversions and sorting.
#include "check.h"

#include <algorithm>
#include <cmath>
#include <rocsparse/rocsparse.h>

#define SPARSE(...) EXPECT((__VA_ARGS__) == rocsparse_status_success)
static const int N = 500;

struct Matrix { // by rows
    std::vector<int> row, column;
    std::vector<double> value;
};
// A band with a strong diagonal.
static Matrix make(bool lower) {
    Matrix m;
    m.row.push_back(0);
    for (int i = 0; i < N; i++) {
        for (int j : {i - 7, i - 1, i, i + 1, i + 7}) {
            if (j < 0 || j >= N || (lower && j > i)) continue;
            m.column.push_back(j);
            m.value.push_back(i == j ? 10 + i % 3 : -1 - 0.01 * ((i + j) % 5));
        }
        m.row.push_back((int)m.column.size());
    }
    return m;
}
template <typename T> static T *to_device(const std::vector<T> &v) {
    T *p = nullptr;
    if (hipMalloc((void **)&p, v.size() * sizeof(T)) != hipSuccess ||
        hipMemcpy(p, v.data(), v.size() * sizeof(T), hipMemcpyHostToDevice) != hipSuccess)
        return nullptr;
    return p;
}
template <typename T> static std::vector<T> to_host(const T *p, size_t n) {
    std::vector<T> v(n);
    if (hipMemcpy(v.data(), p, n * sizeof(T), hipMemcpyDeviceToHost) != hipSuccess) v.clear();
    return v;
}
static bool near(const std::vector<double> &a, const std::vector<double> &b) {
    for (size_t i = 0; i < a.size(); i++)
        if (!(fabs(a[i] - b[i]) <= 1e-9 * (1 + fabs(b[i])))) return false;
    return a.size() == b.size();
}
static rocsparse_handle handle;
static rocsparse_mat_descr descr;

static void vector_product() {
    Matrix m = make(false);
    std::vector<double> x(N), y(N, 1), want(N);
    for (int i = 0; i < N; i++) x[i] = 0.5 + i % 11;
    for (int i = 0; i < N; i++) {
        want[i] = 3 * y[i];
        for (int k = m.row[i]; k < m.row[i + 1]; k++) want[i] += 2 * m.value[k] * x[m.column[k]];
    }
    int *row = to_device(m.row), *column = to_device(m.column);
    double *value = to_device(m.value), *dx = to_device(x), *dy = to_device(y), alpha = 2, beta = 3;
    SPARSE(rocsparse_dcsrmv(handle, rocsparse_operation_none, N, N, (int)m.value.size(), &alpha, descr, value,
                            row, column, nullptr, dx, &beta, dy));
    EXPECT(near(to_host(dy, N), want));
}
static void matrix_product() {
    enum { COLUMNS = 6 };
    Matrix m = make(false);
    std::vector<double> b(N * COLUMNS), c(N * COLUMNS, 0), want(N * COLUMNS, 0);
    for (size_t i = 0; i < b.size(); i++) b[i] = (double)(i % 13) - 4;
    for (int j = 0; j < COLUMNS; j++)
        for (int i = 0; i < N; i++)
            for (int k = m.row[i]; k < m.row[i + 1]; k++)
                want[j * N + i] += m.value[k] * b[j * N + m.column[k]];
    int *row = to_device(m.row), *column = to_device(m.column);
    double *value = to_device(m.value), *db = to_device(b), *dc = to_device(c), alpha = 1, beta = 0;
    SPARSE(rocsparse_dcsrmm(handle, rocsparse_operation_none, rocsparse_operation_none, N, COLUMNS, N,
                            (int)m.value.size(), &alpha, descr, value, row, column, db, N, &beta, dc, N));
    EXPECT(near(to_host(dc, c.size()), want));
}
static void triangular_solve() {
    Matrix m = make(true);
    std::vector<double> x(N), y(N, 0), want(N);
    for (int i = 0; i < N; i++) x[i] = 1 + i % 7;
    for (int i = 0; i < N; i++) {
        double s = x[i], d = 1;
        for (int k = m.row[i]; k < m.row[i + 1]; k++)
            if (m.column[k] == i)
                d = m.value[k];
            else
                s -= m.value[k] * want[m.column[k]];
        want[i] = s / d;
    }
    rocsparse_mat_info info;
    rocsparse_mat_descr lower;
    SPARSE(rocsparse_create_mat_info(&info));
    SPARSE(rocsparse_create_mat_descr(&lower));
    SPARSE(rocsparse_set_mat_fill_mode(lower, rocsparse_fill_mode_lower));
    int *row = to_device(m.row), *column = to_device(m.column);
    double *value = to_device(m.value), *dx = to_device(x), *dy = to_device(y), alpha = 1;
    size_t size;
    void *room;
    SPARSE(rocsparse_dcsrsv_buffer_size(handle, rocsparse_operation_none, N, (int)m.value.size(), lower,
                                        value, row, column, info, &size));
    CALL(hipMalloc(&room, size));
    SPARSE(rocsparse_dcsrsv_analysis(handle, rocsparse_operation_none, N, (int)m.value.size(), lower, value,
                                     row, column, info, rocsparse_analysis_policy_force,
                                     rocsparse_solve_policy_auto, room));
    SPARSE(rocsparse_dcsrsv_solve(handle, rocsparse_operation_none, N, (int)m.value.size(), &alpha, lower,
                                  value, row, column, info, dx, dy, rocsparse_solve_policy_auto, room));
    EXPECT(near(to_host(dy, N), want));
}
static void factorisation() {
    Matrix m = make(false);
    std::vector<double> want = m.value;
    auto at = [&](int i, int j) {
        for (int k = m.row[i]; k < m.row[i + 1]; k++)
            if (m.column[k] == j) return k;
        return -1;
    };
    for (int i = 0; i < N; i++)
        for (int k = m.row[i]; k < m.row[i + 1] && m.column[k] < i; k++) {
            const int p = m.column[k];
            want[k] /= want[at(p, p)];
            for (int l = k + 1; l < m.row[i + 1]; l++) {
                const int q = at(p, m.column[l]);
                if (q >= 0) want[l] -= want[k] * want[q];
            }
        }
    rocsparse_mat_info info;
    SPARSE(rocsparse_create_mat_info(&info));
    int *row = to_device(m.row), *column = to_device(m.column);
    double *value = to_device(m.value);
    size_t size;
    void *room;
    SPARSE(rocsparse_dcsrilu0_buffer_size(handle, N, (int)m.value.size(), descr, value, row, column, info,
                                          &size));
    CALL(hipMalloc(&room, size));
    SPARSE(rocsparse_dcsrilu0_analysis(handle, N, (int)m.value.size(), descr, value, row, column, info,
                                       rocsparse_analysis_policy_force, rocsparse_solve_policy_auto, room));
    SPARSE(rocsparse_dcsrilu0(handle, N, (int)m.value.size(), descr, value, row, column, info,
                              rocsparse_solve_policy_auto, room));
    EXPECT(near(to_host(value, want.size()), want));
}
static void conversions() {
    Matrix m = make(false);
    const int entries = (int)m.value.size();
    int *row = to_device(m.row), *rows;
    CALL(hipMalloc(&rows, entries * 4));
    SPARSE(rocsparse_csr2coo(handle, row, entries, N, rows, rocsparse_index_base_zero));
    std::vector<int> r = to_host(rows, entries);
    for (int i = 0; i < N; i++)
        for (int k = m.row[i]; k < m.row[i + 1]; k++) EXPECT(r[k] == i);
    int *back;
    CALL(hipMalloc(&back, (N + 1) * 4));
    SPARSE(rocsparse_coo2csr(handle, rows, entries, N, back, rocsparse_index_base_zero));
    EXPECT(to_host(back, N + 1) == m.row);
    // Columns of each row in disorder are sorted again.
    std::vector<int> mixed = m.column;
    for (int i = 0; i < N; i++) std::reverse(mixed.begin() + m.row[i], mixed.begin() + m.row[i + 1]);
    int *column = to_device(mixed), *permutation;
    CALL(hipMalloc(&permutation, entries * 4));
    size_t size;
    void *room;
    SPARSE(rocsparse_csrsort_buffer_size(handle, N, N, entries, row, column, &size));
    CALL(hipMalloc(&room, size));
    SPARSE(rocsparse_create_identity_permutation(handle, entries, permutation));
    SPARSE(rocsparse_csrsort(handle, N, N, entries, descr, row, column, permutation, room));
    EXPECT(to_host(column, entries) == m.column);
}

int main(int argc, char **argv) {
    arguments = argc, names = argv;
    if (rocsparse_create_handle(&handle) != rocsparse_status_success ||
        rocsparse_create_mat_descr(&descr) != rocsparse_status_success)
        return 2;
    CASE(vector_product);
    CASE(matrix_product);
    CASE(triangular_solve);
    CASE(factorisation);
    CASE(conversions);
    return wrong;
}
