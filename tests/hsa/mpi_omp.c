// SPDX-License-Identifier: MIT
// OpenMP on a GPU in each rank of MPI: a sum over all. The host gets the mapped variable back, so this is MPI
// as it is used with offloading compilers.
#include <mpi.h>
#include <omp.h>
#include <stdio.h>

enum { COUNT = 20000 };
int main(int argc, char **argv) {
    int rank, ranks, on_host = 1;
    long long mine = 0, all = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    const long long first = (long long)rank * COUNT, end = (long long)ranks * COUNT;
#pragma omp target map(from : on_host)
    on_host = omp_is_initial_device();
#pragma omp target teams distribute parallel for reduction(+ : mine) map(tofrom : mine)
    for (long long i = 0; i < COUNT; i++) mine += first + i;
    MPI_Allreduce(&mine, &all, 1, MPI_LONG_LONG, MPI_SUM, MPI_COMM_WORLD);
    const int wrong = on_host || all != end * (end - 1) / 2;
    if (wrong) fprintf(stderr, "rank %d: on the host: %d, sum %lld\n", rank, on_host, all);
    if (!rank && !wrong) printf("omp of %d ranks is right\n", ranks);
    MPI_Finalize();
    return wrong;
}
