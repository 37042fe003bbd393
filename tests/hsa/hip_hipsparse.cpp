// SPDX-License-Identifier: MIT
// hipSPARSE's generic interface: a product with a vector and one with a matrix, in single precision.
#include "check.h"

#include <hipsparse/hipsparse.h>

#define SPARSE(...) EXPECT((__VA_ARGS__) == HIPSPARSE_STATUS_SUCCESS)
static const int N = 300, COLUMNS = 4;
template <typename T> static T *to_device(const std::vector<T> &v) {
    T *p = nullptr;
    if (hipMalloc((void **)&p, v.size() * sizeof(T)) != hipSuccess ||
        hipMemcpy(p, v.data(), v.size() * sizeof(T), hipMemcpyHostToDevice) != hipSuccess)
        return nullptr;
    return p;
}
// Whole numbers, so that sums are exact in any order.
static void generic_products() {
    std::vector<int> row(1, 0), column;
    std::vector<float> value, x(N * COLUMNS), want(N * COLUMNS, 0.0f), got(N * COLUMNS);
    for (int i = 0; i < N * COLUMNS; i++) x[i] = (float)(i % 5);
    for (int i = 0; i < N; i++) {
        for (int j = i % 7; j < N; j += 11) {
            column.push_back(j);
            value.push_back((float)((i + j) % 13 - 6));
            for (int c = 0; c < COLUMNS; c++) want[c * N + i] += value.back() * x[c * N + j];
        }
        row.push_back((int)column.size());
    }
    float *y = to_device(std::vector<float>(N * COLUMNS)), *dx = to_device(x), one = 1, zero = 0;
    hipsparseHandle_t handle;
    hipsparseSpMatDescr_t a;
    hipsparseDnVecDescr_t vx, vy;
    hipsparseDnMatDescr_t mx, my;
    size_t size;
    void *room;
    SPARSE(hipsparseCreate(&handle));
    SPARSE(hipsparseCreateCsr(&a, N, N, (int64_t)column.size(), to_device(row), to_device(column),
                              to_device(value), HIPSPARSE_INDEX_32I, HIPSPARSE_INDEX_32I,
                              HIPSPARSE_INDEX_BASE_ZERO, HIP_R_32F));
    SPARSE(hipsparseCreateDnVec(&vx, N, dx, HIP_R_32F));
    SPARSE(hipsparseCreateDnVec(&vy, N, y, HIP_R_32F));
    SPARSE(hipsparseSpMV_bufferSize(handle, HIPSPARSE_OPERATION_NON_TRANSPOSE, &one, a, vx, &zero, vy,
                                    HIP_R_32F, HIPSPARSE_MV_ALG_DEFAULT, &size));
    CALL(hipMalloc(&room, size + 4));
    SPARSE(hipsparseSpMV(handle, HIPSPARSE_OPERATION_NON_TRANSPOSE, &one, a, vx, &zero, vy, HIP_R_32F,
                         HIPSPARSE_MV_ALG_DEFAULT, room));
    CALL(hipMemcpy(got.data(), y, N * 4, hipMemcpyDeviceToHost));
    for (int i = 0; i < N; i++) EXPECT(got[i] == want[i]);
    SPARSE(hipsparseCreateDnMat(&mx, N, COLUMNS, N, dx, HIP_R_32F, HIPSPARSE_ORDER_COLUMN));
    SPARSE(hipsparseCreateDnMat(&my, N, COLUMNS, N, y, HIP_R_32F, HIPSPARSE_ORDER_COLUMN));
    SPARSE(hipsparseSpMM_bufferSize(handle, HIPSPARSE_OPERATION_NON_TRANSPOSE,
                                    HIPSPARSE_OPERATION_NON_TRANSPOSE, &one, a, mx, &zero, my, HIP_R_32F,
                                    HIPSPARSE_SPMM_ALG_DEFAULT, &size));
    CALL(hipMalloc(&room, size + 4));
    SPARSE(hipsparseSpMM(handle, HIPSPARSE_OPERATION_NON_TRANSPOSE, HIPSPARSE_OPERATION_NON_TRANSPOSE, &one,
                         a, mx, &zero, my, HIP_R_32F, HIPSPARSE_SPMM_ALG_DEFAULT, room));
    CALL(hipMemcpy(got.data(), y, N * COLUMNS * 4, hipMemcpyDeviceToHost));
    EXPECT(got == want);
    SPARSE(hipsparseDestroy(handle));
}

int main(int argc, char **argv) {
    arguments = argc, names = argv;
    CASE(generic_products);
    return wrong;
}
