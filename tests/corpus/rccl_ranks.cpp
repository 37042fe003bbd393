// SPDX-License-Identifier: MIT
// RCCL among processes, a GPU each: rccl_ranks RANK RANKS FILE. Rank 0 leaves the name of the group in FILE.
// Every collective is checked against sums that each rank computes by itself.
#include <hip/hip_runtime.h>
#include <rccl/rccl.h>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <unistd.h>
#include <vector>

static int rank, ranks;
#define OK(call)                                                                                             \
    do {                                                                                                     \
        const int result = (int)(call);                                                                      \
        if (result) printf("rank %d: %s gives %d\n", rank, #call, result), exit(1);                          \
    } while (0)

static ncclUniqueId meet(const std::string &file) {
    ncclUniqueId id;
    if (!rank) {
        OK(ncclGetUniqueId(&id));
        FILE *f = fopen((file + ".part").c_str(), "wb");
        if (!f || fwrite(&id, sizeof id, 1, f) != 1 || fclose(f) ||
            rename((file + ".part").c_str(), file.c_str()))
            exit(2);
        return id;
    }
    FILE *f;
    while (!(f = fopen(file.c_str(), "rb"))) usleep(10000);
    if (fread(&id, sizeof id, 1, f) != 1) exit(2);
    fclose(f);
    return id;
}

// What rank `r` sends at i.
static int sent(int r, int i) { return i * (r + 3) + r; }
static int sum_of(int i) {
    int sum = 0;
    for (int r = 0; r < ranks; r++) sum += sent(r, i);
    return sum;
}

enum { COUNT = 12000 };
static int failures;
static void check(const char *what, const int *device, int count, const std::function<int(int)> &expected) {
    std::vector<int> got(count);
    OK(hipMemcpy(got.data(), device, count * sizeof(int), hipMemcpyDeviceToHost));
    int wrong = 0;
    for (int i = 0; i < count; i++) wrong += got[i] != expected(i);
    if (wrong) printf("rank %d: %s: %d of %d are wrong\n", rank, what, wrong, count);
    failures += wrong != 0;
}

int main(int argc, char **argv) {
    if (argc != 4) return 2;
    rank = atoi(argv[1]), ranks = atoi(argv[2]);
    int devices = 0;
    OK(hipGetDeviceCount(&devices));
    OK(hipSetDevice(rank % devices));
    ncclComm_t group;
    OK(ncclCommInitRank(&group, ranks, meet(argv[3]), rank));
    hipStream_t stream;
    OK(hipStreamCreate(&stream));
    std::vector<int> own(COUNT * ranks);
    for (int i = 0; i < COUNT * ranks; i++) own[i] = sent(rank, i);
    int *from, *to;
    OK(hipMalloc((void **)&from, own.size() * sizeof(int)));
    OK(hipMalloc((void **)&to, own.size() * sizeof(int)));
    OK(hipMemcpy(from, own.data(), own.size() * sizeof(int), hipMemcpyHostToDevice));

    OK(ncclAllReduce(from, to, COUNT, ncclInt, ncclSum, group, stream));
    OK(hipStreamSynchronize(stream));
    check("all-reduce", to, COUNT, sum_of);
    OK(ncclReduceScatter(from, to, COUNT, ncclInt, ncclSum, group, stream));
    OK(hipStreamSynchronize(stream));
    check("reduce-scatter", to, COUNT, [](int i) { return sum_of(rank * COUNT + i); });
    OK(ncclAllGather(from, to, COUNT, ncclInt, group, stream));
    OK(hipStreamSynchronize(stream));
    check("all-gather", to, COUNT * ranks, [](int i) { return sent(i / COUNT, i % COUNT); });
    OK(ncclBroadcast(from, to, COUNT, ncclInt, ranks - 1, group, stream));
    OK(hipStreamSynchronize(stream));
    check("broadcast", to, COUNT, [](int i) { return sent(ranks - 1, i); });
    OK(ncclGroupStart()); // around the ring
    OK(ncclSend(from, COUNT, ncclInt, (rank + 1) % ranks, group, stream));
    OK(ncclRecv(to, COUNT, ncclInt, (rank + ranks - 1) % ranks, group, stream));
    OK(ncclGroupEnd());
    OK(hipStreamSynchronize(stream));
    check("send and receive", to, COUNT, [](int i) { return sent((rank + ranks - 1) % ranks, i); });
    OK(ncclCommDestroy(group));
    printf("rank %d of %d: %d wrong\n", rank, ranks, failures);
    return failures != 0;
}
