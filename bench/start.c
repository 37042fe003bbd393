// SPDX-License-Identifier: MIT
// What whole processes take from start to end: start RUNS PROGRAM ARG... [-- PROGRAM ARG...]... runs each in
// turn, RUNS times, and prints the best and the median of microseconds, page faults and peak memory of each.
// What an empty process takes belongs beside every such figure: hosts differ most there.
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { COMMANDS = 16 };
struct command {
    char **argv;
    double *us;
    long faults, kilobytes; // of the last run
};
extern char **environ;

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e6 + (double)t.tv_nsec / 1e3;
}

static void run(struct command *c, const posix_spawn_file_actions_t *quiet, int round) {
    double start = now();
    pid_t pid;
    int status;
    struct rusage usage;
    if (posix_spawnp(&pid, c->argv[0], quiet, NULL, c->argv, environ) || wait4(pid, &status, 0, &usage) < 0 ||
        !WIFEXITED(status) || WEXITSTATUS(status)) {
        fprintf(stderr, "start: %s failed\n", c->argv[0]);
        exit(1);
    }
    c->us[round] = now() - start;
    c->faults = usage.ru_minflt;
    c->kilobytes = usage.ru_maxrss;
}

static int by_size(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

int main(int argc, char **argv) {
    int runs = argc > 2 ? atoi(argv[1]) : 0, count = 0;
    if (runs < 1) {
        fprintf(stderr, "usage: start RUNS PROGRAM ARG... [-- PROGRAM ARG...]...\n");
        return 1;
    }
    struct command commands[COMMANDS] = {0};
    for (int i = 2, first = 2; i <= argc && count < COMMANDS; i++) {
        if (i < argc && strcmp(argv[i], "--")) continue;
        argv[i] = NULL;
        commands[count].argv = argv + first;
        commands[count++].us = calloc((size_t)runs, sizeof(double));
        first = i + 1;
    }
    posix_spawn_file_actions_t quiet;
    posix_spawn_file_actions_init(&quiet);
    posix_spawn_file_actions_addopen(&quiet, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    for (int round = 0; round < runs; round++)
        for (int i = 0; i < count; i++) run(&commands[i], &quiet, round);
    for (int i = 0; i < count; i++) {
        qsort(commands[i].us, (size_t)runs, sizeof(double), by_size);
        printf("%.0f %.0f %ld %ld\n", commands[i].us[0], commands[i].us[runs / 2], commands[i].faults,
               commands[i].kilobytes);
    }
}
