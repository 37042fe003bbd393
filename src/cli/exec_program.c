// SPDX-License-Identifier: MIT
// The program of `softwave exec` as a child: its signals, its exit code, and a line where a signal ends it.
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/exec.h"

static const int passed_on[] = {SIGINT, SIGQUIT, SIGTERM, SIGHUP, SIGUSR1, SIGUSR2};
enum { PASSED_ON = sizeof passed_on / sizeof *passed_on };

static volatile sig_atomic_t child_id;

// A terminal sends its signals to the child as well; those of other senders are passed on.
static void pass_on(int number, siginfo_t *info, void *context) {
    (void)context;
    const int reason = errno;
    if (info->si_code <= 0 && child_id > 0) kill(child_id, number);
    errno = reason;
}

static int in_child(char **program, const struct sigaction *before, pid_t parent) {
    for (int i = 0; i < PASSED_ON; i++) sigaction(passed_on[i], &before[i], NULL);
    prctl(PR_SET_PDEATHSIG, SIGKILL); // who kills this command means the program
    if (getppid() != parent) return 128 + SIGKILL;
    execvp(program[0], program);
    return (int)diag_fail(&cli_sink, SW_BAD_INPUT, NULL, "%s: %s", program[0], strerror(errno));
}

static int ended(const char *program, int status, bool quiet) {
    if (!WIFSIGNALED(status)) return WEXITSTATUS(status);
    const int number = WTERMSIG(status);
    const char *terminal = number == SIGINT || number == SIGPIPE ? "" : strsignal(number);
    if (!quiet && *terminal)
        fprintf(stderr, "softwave exec: signal %d (%s) ended %s%s\n", number, terminal, program,
                WCOREDUMP(status) ? ", core dumped" : "");
    return 128 + number;
}

int exec_run_program(char **program, bool quiet) {
    struct sigaction before[PASSED_ON],
        action = {.sa_sigaction = pass_on, .sa_flags = SA_SIGINFO | SA_RESTART};
    sigset_t held, old;
    sigemptyset(&held);
    for (int i = 0; i < PASSED_ON; i++) sigaddset(&held, passed_on[i]);
    sigprocmask(SIG_BLOCK, &held, &old); // until it is known to whom they go
    for (int i = 0; i < PASSED_ON; i++) {
        sigaction(passed_on[i], NULL, &before[i]);
        if (before[i].sa_handler != SIG_IGN) sigaction(passed_on[i], &action, NULL);
    }
    fflush(NULL);
    const pid_t parent = getpid(), child = fork();
    if (child < 0)
        return (int)diag_fail(&cli_sink, SW_NO_MEMORY, NULL, "cannot begin a process: %s", strerror(errno));
    if (!child) {
        sigprocmask(SIG_SETMASK, &old, NULL);
        _exit(in_child(program, before, parent));
    }
    child_id = child;
    sigprocmask(SIG_SETMASK, &old, NULL);
    int status;
    while (waitpid(child, &status, 0) < 0)
        if (errno != EINTR) return SW_BAD_INPUT;
    return ended(program[0], status, quiet);
}
