// SPDX-License-Identifier: MIT
// Runs a program as if Linux were older: old_linux 6.10|5.10 PROGRAM ARG... System calls that came later fail
// as they do there. 6.10 has no PROCMAP_QUERY, 5.10 no MADV_POPULATE_READ and no MADV_POPULATE_WRITE either.
#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#define FIELD(name)     BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, name))
#define UNLESS(n, skip) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, n, 0, skip)
#define FAIL(error)     BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | (error))
#define ALLOW           BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)
enum { QUERY_BYTES = 104, POPULATE_READ = 22, POPULATE_WRITE = 23 };

int main(int argc, char **argv) {
    struct sock_filter rules[] = {
        FIELD(nr),
        UNLESS(SYS_ioctl, 4),
        FIELD(args[1]), // the lower half
        UNLESS((unsigned)_IOC(_IOC_READ | _IOC_WRITE, 'f', 17, QUERY_BYTES), 1),
        FAIL(ENOTTY),
        ALLOW,
        UNLESS(SYS_madvise, 5),
        FIELD(args[2]),
        UNLESS(POPULATE_READ, 1),
        FAIL(EINVAL),
        UNLESS(POPULATE_WRITE, 1),
        FAIL(EINVAL),
        ALLOW,
    };
    struct sock_fprog filter = {sizeof rules / sizeof *rules, rules};
    if (argc < 3) return 1;
    if (!strcmp(argv[1], "6.10")) {
        rules[6] = (struct sock_filter)ALLOW;
        filter.len = 7;
    }
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter)) {
        perror("seccomp");
        return 77;
    }
    execvp(argv[2], argv + 2);
    perror(argv[2]);
    return 127;
}
