// SPDX-License-Identifier: MIT
#include "base/progress.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static bool is_shown; // atomic

void progress_format(const struct progress *p, size_t columns, char *out, size_t size) {
    char rest[256];
    const uint64_t percent = p->all ? (uint64_t)(100.0 * (double)p->done / (double)p->all) : 0;
    snprintf(rest, sizeof rest, " on %.40s: %llu of %llu work-groups, %llu %%, %.1f s", p->gpu,
             (unsigned long long)p->done, (unsigned long long)p->all, (unsigned long long)percent,
             p->seconds);
    const size_t taken = strlen("softwave: ") + strlen(rest), length = strlen(p->kernel);
    const size_t room = columns > taken ? columns - taken : 0;
    const bool is_cut = length > room;
    const size_t keep = !is_cut ? length : room > 3 ? room - 3 : 0;
    snprintf(out, size, "softwave: %.*s%s%s", (int)keep, p->kernel, is_cut && room > 3 ? "..." : "", rest);
    if (strlen(out) > columns) out[columns] = 0;
}

static uint64_t asked_ms(void) {
    const char *asked = getenv("SOFTWAVE_PROGRESS");
    const long ms = asked ? atol(asked) : 0;
    return ms > 0 ? (uint64_t)ms : PROGRESS_AFTER_MS;
}
uint64_t progress_after(void) { return asked_ms() * 1000000; }
uint64_t progress_every(void) {
    const uint64_t ms = asked_ms();
    return (ms < PROGRESS_EVERY_MS ? ms : PROGRESS_EVERY_MS) * 1000000;
}

bool progress_is_possible(void) {
    const char *terminal = getenv("TERM");
    return isatty(STDERR_FILENO) && !(terminal && !strcmp(terminal, "dumb"));
}

static size_t columns_of_terminal(void) {
    struct winsize w;
    return ioctl(STDERR_FILENO, TIOCGWINSZ, &w) == 0 && w.ws_col > 1 ? w.ws_col : 80;
}

static void put(const char *text) { // at once, past the buffers of what the program writes
    const size_t n = strlen(text);
    if (write(STDERR_FILENO, text, n) != (ssize_t)n) return; // a terminal that is gone shows nothing
}

void progress_show(const struct progress *p) {
    char line[1024], all[1100];
    size_t columns = columns_of_terminal() - 1; // in the last one the cursor would go to the next line
    if (columns >= sizeof line) columns = sizeof line - 1;
    progress_format(p, columns, line, sizeof line);
    snprintf(all, sizeof all, "\r%s\033[K", line);
    pthread_mutex_lock(&lock);
    const bool was_shown = is_shown;
    __atomic_store_n(&is_shown, true, __ATOMIC_SEQ_CST); // whoever ends it from here on clears
    if (p->is_over && __atomic_load_n(p->is_over, __ATOMIC_SEQ_CST))
        __atomic_store_n(&is_shown, was_shown, __ATOMIC_SEQ_CST);
    else
        put(all);
    pthread_mutex_unlock(&lock);
}

void progress_clear(void) {
    if (!__atomic_load_n(&is_shown, __ATOMIC_SEQ_CST)) return;
    pthread_mutex_lock(&lock);
    if (is_shown) put("\r\033[K");
    __atomic_store_n(&is_shown, false, __ATOMIC_RELEASE);
    pthread_mutex_unlock(&lock);
}

void progress_reset(void) {
    pthread_mutex_init(&lock, NULL);
    is_shown = false;
}
