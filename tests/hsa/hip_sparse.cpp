// SPDX-License-Identifier: MIT
// rocSPARSE against the CPU: products of sparse matrices with vectors and matrices, triangular and
// tridiagonal solvers, incomplete factorisations, conversions between all formats, sorting.
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

// ---- Formats ----
static void *room_of(size_t size) {
    void *p = nullptr;
    return hipMalloc(&p, size ? size : 4) == hipSuccess ? p : nullptr;
}
template <typename T> static T *blank(size_t n) { return to_device(std::vector<T>(n)); }
struct OnDevice { // a matrix by rows
    int *row, *column;
    double *value;
    int entries;
    explicit OnDevice(const Matrix &m)
        : row(to_device(m.row)), column(to_device(m.column)), value(to_device(m.value)),
          entries((int)m.value.size()) {}
    explicit OnDevice(int entries)
        : row(blank<int>(N + 1)), column(blank<int>(entries)), value(blank<double>(entries)),
          entries(entries) {}
    ~OnDevice() { (void)hipFree(row), (void)hipFree(column), (void)hipFree(value); }
    bool is(const Matrix &m) const {
        return to_host(row, N + 1) == m.row && to_host(column, entries) == m.column &&
               to_host(value, entries) == m.value;
    }
};
static std::vector<double> dense_of(const Matrix &m) { // by columns
    std::vector<double> d((size_t)N * N);
    for (int i = 0; i < N; i++)
        for (int k = m.row[i]; k < m.row[i + 1]; k++) d[(size_t)m.column[k] * N + i] = m.value[k];
    return d;
}
static Matrix by_columns(const Matrix &m) { // the transposed matrix by rows
    Matrix t;
    t.row.push_back(0);
    std::vector<std::vector<std::pair<int, double>>> columns(N);
    for (int i = 0; i < N; i++)
        for (int k = m.row[i]; k < m.row[i + 1]; k++) columns[m.column[k]].push_back({i, m.value[k]});
    for (const auto &c : columns) {
        for (const auto &e : c) t.column.push_back(e.first), t.value.push_back(e.second);
        t.row.push_back((int)t.column.size());
    }
    return t;
}
static std::vector<double> times(const Matrix &m, const std::vector<double> &x) {
    std::vector<double> y(N, 0.0);
    for (int i = 0; i < N; i++)
        for (int k = m.row[i]; k < m.row[i + 1]; k++) y[i] += m.value[k] * x[m.column[k]];
    return y;
}
static std::vector<double> some_vector() {
    std::vector<double> x(N);
    for (int i = 0; i < N; i++) x[i] = 0.5 + i % 11;
    return x;
}
// A matrix that is no band: rows of every length, also none.
static Matrix uneven() {
    Matrix m;
    m.row.push_back(0);
    for (int i = 0; i < N; i++) {
        for (int j = i % 17; i % 5 && j < N; j += 3 + (i * 7) % 40)
            m.column.push_back(j), m.value.push_back((i * 31 + j * 17) % 101 + 0.5);
        m.row.push_back((int)m.column.size());
    }
    return m;
}
static void columns_and_dense() {
    const Matrix m = uneven(), t = by_columns(m);
    OnDevice a(m), c(a.entries), back(a.entries);
    size_t size;
    SPARSE(rocsparse_csr2csc_buffer_size(handle, N, N, a.entries, a.row, a.column, rocsparse_action_numeric,
                                         &size));
    SPARSE(rocsparse_dcsr2csc(handle, N, N, a.entries, a.value, a.row, a.column, c.value, c.column, c.row,
                              rocsparse_action_numeric, rocsparse_index_base_zero, room_of(size)));
    EXPECT(c.is(t));
    const std::vector<double> d = dense_of(m);
    double *dense = blank<double>((size_t)N * N);
    SPARSE(rocsparse_dcsr2dense(handle, N, N, descr, a.value, a.row, a.column, dense, N));
    EXPECT(to_host(dense, d.size()) == d);
    CALL(hipMemset(dense, 0x77, d.size() * 8));
    SPARSE(rocsparse_dcsc2dense(handle, N, N, descr, c.value, c.row, c.column, dense, N));
    EXPECT(to_host(dense, d.size()) == d);
    int *each = blank<int>(N), total = 0;
    SPARSE(rocsparse_dnnz(handle, rocsparse_direction_row, N, N, descr, dense, N, each, &total));
    EXPECT(total == a.entries);
    SPARSE(rocsparse_ddense2csr(handle, N, N, descr, dense, N, each, back.value, back.row, back.column));
    EXPECT(back.is(m));
    int *rows = blank<int>(a.entries);
    SPARSE(rocsparse_ddense2coo(handle, N, N, descr, dense, N, each, back.value, rows, back.column));
    EXPECT(to_host(back.column, a.entries) == m.column && to_host(back.value, a.entries) == m.value);
    CALL(hipMemset(dense, 0x77, d.size() * 8));
    SPARSE(rocsparse_dcoo2dense(handle, N, N, a.entries, descr, back.value, rows, back.column, dense, N));
    EXPECT(to_host(dense, d.size()) == d);
    SPARSE(rocsparse_dnnz(handle, rocsparse_direction_column, N, N, descr, dense, N, each, &total));
    SPARSE(rocsparse_ddense2csc(handle, N, N, descr, dense, N, each, back.value, back.row, back.column));
    EXPECT(back.is(t));
}
static void ell_and_hybrid_of(const Matrix &m, bool even) {
    OnDevice a(m), back(a.entries), again(a.entries);
    const std::vector<double> x = some_vector(), want = times(m, x);
    double *dx = to_device(x), *y = blank<double>(N), one = 1, zero = 0;
    int width = 0, most = 0, entries = 0;
    for (int i = 0; i < N; i++) most = std::max(most, m.row[i + 1] - m.row[i]);
    SPARSE(rocsparse_csr2ell_width(handle, N, descr, a.row, descr, &width));
    EXPECT(width == most);
    double *value = blank<double>((size_t)N * width);
    int *column = blank<int>((size_t)N * width);
    SPARSE(rocsparse_dcsr2ell(handle, N, descr, a.value, a.row, a.column, descr, width, value, column));
    SPARSE(rocsparse_dellmv(handle, rocsparse_operation_none, N, N, &one, descr, value, column, width, dx,
                            &zero, y));
    EXPECT(near(to_host(y, N), want));
    SPARSE(rocsparse_ell2csr_nnz(handle, N, N, descr, width, column, descr, back.row, &entries));
    EXPECT(entries == a.entries);
    SPARSE(rocsparse_dell2csr(handle, N, N, descr, width, value, column, descr, back.value, back.row,
                              back.column));
    EXPECT(back.is(m));
    for (rocsparse_hyb_partition partition :
         {rocsparse_hyb_partition_auto, rocsparse_hyb_partition_user, rocsparse_hyb_partition_max}) {
        // No part by width may be more than twice as wide as a row is on average.
        if (partition == rocsparse_hyb_partition_max && !even) continue;
        rocsparse_hyb_mat hybrid;
        size_t size;
        SPARSE(rocsparse_create_hyb_mat(&hybrid));
        SPARSE(rocsparse_dcsr2hyb(handle, N, N, descr, a.value, a.row, a.column, hybrid,
                                  partition == rocsparse_hyb_partition_user ? 3 : 0, partition));
        CALL(hipMemset(y, 0x77, N * 8));
        SPARSE(rocsparse_dhybmv(handle, rocsparse_operation_none, &one, descr, hybrid, dx, &zero, y));
        EXPECT(near(to_host(y, N), want));
        SPARSE(rocsparse_hyb2csr_buffer_size(handle, descr, hybrid, again.row, &size));
        SPARSE(
            rocsparse_dhyb2csr(handle, descr, hybrid, again.value, again.row, again.column, room_of(size)));
        EXPECT(again.is(m));
        SPARSE(rocsparse_destroy_hyb_mat(hybrid));
    }
}
static void ell_and_hybrid() {
    ell_and_hybrid_of(uneven(), false);
    if (!wrong) ell_and_hybrid_of(make(false), true);
}
static void blocks() {
    enum { B = 4 };
    const Matrix m = make(false);
    OnDevice a(m);
    const std::vector<double> x = some_vector(), want = times(m, x);
    double *dx = to_device(x), *y = blank<double>(N), one = 1, zero = 0;
    const int in_rows = N / B;
    int *row = blank<int>(in_rows + 1), entries;
    for (rocsparse_direction direction : {rocsparse_direction_row, rocsparse_direction_column}) {
        SPARSE(
            rocsparse_csr2bsr_nnz(handle, direction, N, N, descr, a.row, a.column, B, descr, row, &entries));
        int *column = blank<int>(entries);
        double *value = blank<double>((size_t)entries * B * B);
        SPARSE(rocsparse_dcsr2bsr(handle, direction, N, N, descr, a.value, a.row, a.column, B, descr, value,
                                  row, column));
        SPARSE(rocsparse_dbsrmv(handle, direction, rocsparse_operation_none, in_rows, in_rows, entries, &one,
                                descr, value, row, column, B, dx, &zero, y));
        EXPECT(near(to_host(y, N), want));
        OnDevice back(entries * B * B);
        SPARSE(rocsparse_dbsr2csr(handle, direction, in_rows, in_rows, descr, value, row, column, B, descr,
                                  back.value, back.row, back.column));
        Matrix n; // with the zeros of its blocks
        n.row = to_host(back.row, N + 1), n.column = to_host(back.column, back.entries),
        n.value = to_host(back.value, back.entries);
        EXPECT(n.row[N] == entries * B * B && dense_of(n) == dense_of(m));
    }
}
static void coordinates() {
    const Matrix m = uneven();
    const int entries = (int)m.value.size();
    std::vector<int> rows, columns, order(entries);
    for (int i = 0; i < N; i++)
        for (int k = m.row[i]; k < m.row[i + 1]; k++) rows.push_back(i), columns.push_back(m.column[k]);
    std::vector<int> r = rows, c = columns;
    for (int i = entries - 1, x = 1; i > 0; i--) { // in disorder
        x = (int)((unsigned)x * 1103515245u + 12345u);
        const int k = (int)((unsigned)x >> 8) % (i + 1);
        std::swap(r[i], r[k]), std::swap(c[i], c[k]);
    }
    int *dr = to_device(r), *dc = to_device(c), *permutation = blank<int>(entries);
    size_t size;
    SPARSE(rocsparse_coosort_buffer_size(handle, N, N, entries, dr, dc, &size));
    void *room = room_of(size);
    SPARSE(rocsparse_create_identity_permutation(handle, entries, permutation));
    SPARSE(rocsparse_coosort_by_row(handle, N, N, entries, dr, dc, permutation, room));
    EXPECT(to_host(dr, entries) == rows && to_host(dc, entries) == columns);
    order = to_host(permutation, entries);
    for (int i = 0; i < entries; i++) EXPECT(r[order[i]] == rows[i] && c[order[i]] == columns[i]);
    SPARSE(rocsparse_coosort_by_column(handle, N, N, entries, dr, dc, nullptr, room));
    const std::vector<int> sorted_r = to_host(dr, entries), sorted_c = to_host(dc, entries);
    for (int i = 1; i < entries; i++)
        EXPECT(sorted_c[i - 1] < sorted_c[i] ||
               (sorted_c[i - 1] == sorted_c[i] && sorted_r[i - 1] < sorted_r[i]));
    const std::vector<double> x = some_vector();
    double *y = blank<double>(N), one = 1, zero = 0;
    SPARSE(rocsparse_dcoomv(handle, rocsparse_operation_none, N, N, entries, &one, descr, to_device(m.value),
                            to_device(rows), to_device(columns), to_device(x), &zero, y));
    EXPECT(near(to_host(y, N), times(m, x)));
}
// ---- Other products, solvers, factorisations ----
static void transposed_and_analysed() {
    const Matrix m = uneven();
    OnDevice a(m);
    const std::vector<double> x = some_vector();
    double *dx = to_device(x), *y = blank<double>(N), one = 1, zero = 0;
    SPARSE(rocsparse_dcsrmv(handle, rocsparse_operation_transpose, N, N, a.entries, &one, descr, a.value,
                            a.row, a.column, nullptr, dx, &zero, y));
    EXPECT(near(to_host(y, N), times(by_columns(m), x)));
    rocsparse_mat_info info; // the adaptive algorithm
    SPARSE(rocsparse_create_mat_info(&info));
    SPARSE(rocsparse_dcsrmv_analysis(handle, rocsparse_operation_none, N, N, a.entries, descr, a.value, a.row,
                                     a.column, info));
    SPARSE(rocsparse_dcsrmv(handle, rocsparse_operation_none, N, N, a.entries, &one, descr, a.value, a.row,
                            a.column, info, dx, &zero, y));
    EXPECT(near(to_host(y, N), times(m, x)));
    std::vector<rocsparse_double_complex> v, w(N), z;
    for (double e : m.value) v.push_back({e, -e / 2});
    for (int i = 0; i < N; i++) w[i] = {x[i], 1.0 - x[i]};
    const rocsparse_double_complex cone = {1, 0}, czero = {0, 0};
    rocsparse_double_complex *dz = blank<rocsparse_double_complex>(N);
    SPARSE(rocsparse_zcsrmv(handle, rocsparse_operation_none, N, N, a.entries, &cone, descr, to_device(v),
                            a.row, a.column, nullptr, to_device(w), &czero, dz));
    z = to_host(dz, N);
    for (int i = 0; i < N; i++) {
        double re = 0, im = 0;
        for (int k = m.row[i]; k < m.row[i + 1]; k++) {
            const double p = m.value[k], q = -p / 2, s = x[m.column[k]], t = 1 - s;
            re += p * s - q * t, im += p * t + q * s;
        }
        EXPECT(fabs(((const double *)&z[i])[0] - re) <= 1e-9 * (1 + fabs(re)) &&
               fabs(((const double *)&z[i])[1] - im) <= 1e-9 * (1 + fabs(im)));
    }
}
static void sums_and_products_of_matrices() {
    const Matrix m = make(false), n = uneven();
    OnDevice a(m), b(n);
    int entries;
    int *row = blank<int>(N + 1);
    const double two = 2, three = 3, one = 1;
    SPARSE(rocsparse_csrgeam_nnz(handle, N, N, descr, a.entries, a.row, a.column, descr, b.entries, b.row,
                                 b.column, descr, row, &entries));
    OnDevice sum(entries);
    CALL(hipMemcpy(sum.row, row, (N + 1) * 4, hipMemcpyDeviceToDevice));
    SPARSE(rocsparse_dcsrgeam(handle, N, N, &two, descr, a.entries, a.value, a.row, a.column, &three, descr,
                              b.entries, b.value, b.row, b.column, descr, sum.value, sum.row, sum.column));
    const std::vector<double> da = dense_of(m), db = dense_of(n);
    const auto fetched = [](const OnDevice &d) {
        Matrix r;
        r.row = to_host(d.row, N + 1), r.column = to_host(d.column, d.entries),
        r.value = to_host(d.value, d.entries);
        return dense_of(r);
    };
    std::vector<double> want(da.size());
    for (size_t i = 0; i < want.size(); i++) want[i] = 2 * da[i] + 3 * db[i];
    EXPECT(near(fetched(sum), want));
    rocsparse_mat_info info;
    size_t size;
    SPARSE(rocsparse_create_mat_info(&info));
    SPARSE(rocsparse_dcsrgemm_buffer_size(handle, rocsparse_operation_none, rocsparse_operation_none, N, N, N,
                                          &one, descr, a.entries, a.row, a.column, descr, b.entries, b.row,
                                          b.column, nullptr, nullptr, 0, nullptr, nullptr, info, &size));
    void *room = room_of(size);
    SPARSE(rocsparse_csrgemm_nnz(handle, rocsparse_operation_none, rocsparse_operation_none, N, N, N, descr,
                                 a.entries, a.row, a.column, descr, b.entries, b.row, b.column, nullptr, 0,
                                 nullptr, nullptr, descr, row, &entries, info, room));
    OnDevice product(entries);
    CALL(hipMemcpy(product.row, row, (N + 1) * 4, hipMemcpyDeviceToDevice));
    SPARSE(rocsparse_dcsrgemm(handle, rocsparse_operation_none, rocsparse_operation_none, N, N, N, &one,
                              descr, a.entries, a.value, a.row, a.column, descr, b.entries, b.value, b.row,
                              b.column, nullptr, nullptr, 0, nullptr, nullptr, nullptr, descr, product.value,
                              product.row, product.column, info, room));
    std::fill(want.begin(), want.end(), 0.0);
    for (int i = 0; i < N; i++)
        for (int k = m.row[i]; k < m.row[i + 1]; k++)
            for (int l = n.row[m.column[k]]; l < n.row[m.column[k] + 1]; l++)
                want[(size_t)n.column[l] * N + i] += m.value[k] * n.value[l];
    EXPECT(near(fetched(product), want));
}
static void cholesky() {
    Matrix m = make(false); // made symmetric
    for (int i = 0; i < N; i++)
        for (int k = m.row[i]; k < m.row[i + 1]; k++)
            m.value[k] = m.column[k] == i ? 12 : -1 - 0.01 * ((i + m.column[k]) % 5);
    std::vector<double> want = m.value;
    const auto at = [&](int i, int j) {
        for (int k = m.row[i]; k < m.row[i + 1]; k++)
            if (m.column[k] == j) return k;
        return -1;
    };
    for (int i = 0; i < N; i++)
        for (int k = m.row[i]; k < m.row[i + 1] && m.column[k] <= i; k++) {
            const int j = m.column[k];
            double sum = want[k];
            for (int l = m.row[i]; l < m.row[i + 1] && m.column[l] < j; l++) {
                const int q = at(j, m.column[l]);
                if (q >= 0) sum -= want[l] * want[q];
            }
            want[k] = j == i ? sqrt(sum) : sum / want[at(j, j)];
        }
    OnDevice a(m);
    rocsparse_mat_info info;
    size_t size;
    SPARSE(rocsparse_create_mat_info(&info));
    SPARSE(rocsparse_dcsric0_buffer_size(handle, N, a.entries, descr, a.value, a.row, a.column, info, &size));
    void *room = room_of(size);
    SPARSE(rocsparse_dcsric0_analysis(handle, N, a.entries, descr, a.value, a.row, a.column, info,
                                      rocsparse_analysis_policy_force, rocsparse_solve_policy_auto, room));
    SPARSE(rocsparse_dcsric0(handle, N, a.entries, descr, a.value, a.row, a.column, info,
                             rocsparse_solve_policy_auto, room));
    const std::vector<double> got = to_host(a.value, a.entries);
    for (int i = 0; i < N; i++)
        for (int k = m.row[i]; k < m.row[i + 1]; k++)
            if (m.column[k] <= i) EXPECT(fabs(got[k] - want[k]) <= 1e-9 * (1 + fabs(want[k])));
}
static void several_right_sides() { // and the upper half
    enum { SIDES = 3 };
    const Matrix m = by_columns(make(true));
    OnDevice a(m);
    std::vector<double> b(N * SIDES), want(N * SIDES);
    for (size_t i = 0; i < b.size(); i++) b[i] = 1 + (double)(i % 7);
    for (int s = 0; s < SIDES; s++)
        for (int i = N - 1; i >= 0; i--) {
            double sum = b[s * N + i], d = 1;
            for (int k = m.row[i]; k < m.row[i + 1]; k++)
                if (m.column[k] == i)
                    d = m.value[k];
                else
                    sum -= m.value[k] * want[s * N + m.column[k]];
            want[s * N + i] = sum / d;
        }
    rocsparse_mat_info info;
    rocsparse_mat_descr upper;
    size_t size;
    const double one = 1;
    double *db = to_device(b);
    SPARSE(rocsparse_create_mat_info(&info));
    SPARSE(rocsparse_create_mat_descr(&upper));
    SPARSE(rocsparse_set_mat_fill_mode(upper, rocsparse_fill_mode_upper));
    SPARSE(rocsparse_dcsrsm_buffer_size(handle, rocsparse_operation_none, rocsparse_operation_none, N, SIDES,
                                        a.entries, &one, upper, a.value, a.row, a.column, db, N, info,
                                        rocsparse_solve_policy_auto, &size));
    void *room = room_of(size);
    SPARSE(rocsparse_dcsrsm_analysis(handle, rocsparse_operation_none, rocsparse_operation_none, N, SIDES,
                                     a.entries, &one, upper, a.value, a.row, a.column, db, N, info,
                                     rocsparse_analysis_policy_force, rocsparse_solve_policy_auto, room));
    SPARSE(rocsparse_dcsrsm_solve(handle, rocsparse_operation_none, rocsparse_operation_none, N, SIDES,
                                  a.entries, &one, upper, a.value, a.row, a.column, db, N, info,
                                  rocsparse_solve_policy_auto, room));
    EXPECT(near(to_host(db, b.size()), want));
}
static void three_diagonals() {
    std::vector<double> lower(N, -1), middle(N), upper(N, -0.5), x = some_vector(), b(N);
    for (int i = 0; i < N; i++) middle[i] = 3 + i % 4;
    lower[0] = upper[N - 1] = 0;
    for (int i = 0; i < N; i++)
        b[i] = middle[i] * x[i] + (i ? lower[i] * x[i - 1] : 0) + (i < N - 1 ? upper[i] * x[i + 1] : 0);
    double *dl = to_device(lower), *d = to_device(middle), *du = to_device(upper), *db = to_device(b);
    size_t size;
    SPARSE(rocsparse_dgtsv_buffer_size(handle, N, 1, dl, d, du, db, N, &size));
    SPARSE(rocsparse_dgtsv(handle, N, 1, dl, d, du, db, N, room_of(size)));
    EXPECT(near(to_host(db, N), x));
}
static void vectors() {
    std::vector<int> index;
    std::vector<double> value, y(N);
    for (int i = 3; i < N; i += 7) index.push_back(i), value.push_back(i * 0.5);
    for (int i = 0; i < N; i++) y[i] = 100 - i;
    const int n = (int)index.size();
    int *di = to_device(index);
    double *dv = to_device(value), *dy = to_device(y), dot = 0, want = 0;
    const double two = 2;
    for (int i = 0; i < n; i++) want += value[i] * y[index[i]];
    SPARSE(rocsparse_ddoti(handle, n, dv, di, dy, &dot, rocsparse_index_base_zero));
    EXPECT(fabs(dot - want) < 1e-9 * fabs(want));
    SPARSE(rocsparse_daxpyi(handle, n, &two, dv, di, dy, rocsparse_index_base_zero));
    for (int i = 0; i < n; i++) y[index[i]] += 2 * value[i];
    EXPECT(near(to_host(dy, N), y));
    SPARSE(rocsparse_dgthr(handle, n, dy, dv, di, rocsparse_index_base_zero));
    for (int i = 0; i < n; i++) value[i] = y[index[i]];
    EXPECT(near(to_host(dv, n), value));
    CALL(hipMemset(dy, 0, N * 8));
    SPARSE(rocsparse_dsctr(handle, n, dv, di, dy, rocsparse_index_base_zero));
    std::fill(y.begin(), y.end(), 0.0);
    for (int i = 0; i < n; i++) y[index[i]] = value[i];
    EXPECT(near(to_host(dy, N), y));
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
    CASE(columns_and_dense);
    CASE(ell_and_hybrid);
    CASE(blocks);
    CASE(coordinates);
    CASE(transposed_and_analysed);
    CASE(sums_and_products_of_matrices);
    CASE(cholesky);
    CASE(several_right_sides);
    CASE(three_diagonals);
    CASE(vectors);
    return wrong;
}
