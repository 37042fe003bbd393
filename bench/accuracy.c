// SPDX-License-Identifier: MIT
// Measures the transcendental operations over all inputs: 2^32 of each in F32, 2^16 in F16 and BF16. Prints
// the greatest distance of a result from the exact value, the operand where it is, and the bound that the
// ledger has (src/isa/fidelity.def). Fails where the ledger has less than that, or more by a hundredth.
// usage: accuracy [STEP [BODY]]: only each STEP-th input of F32, which then cannot tell that a bound is too
// large; of one body alone.
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

#include "bare_wave.h"
#include "isa/fidelity.h"
#include "ulps.h"

enum { MOST_THREADS = 256 };
struct share {
    pthread_t thread;
    const struct ulp_format *format;
    exact_fn *fn;
    const struct body *body;
    uint64_t first, last, step;
    double worst;
    uint32_t at;
};

static const struct op *stop(struct wave *w, const struct op *op) {
    (void)w, (void)op;
    return NULL;
}

static void *measure(void *context) {
    struct share *p = context;
    struct wave *w = bare_wave(64, 4);
    struct op ops[2] = {{.fn = p->body->fn[0], .body = p->body->fn[0], .d = vgpr(w, 0), .a = vgpr(w, 1)},
                        {.fn = stop}};
    uint32_t *in = lanes_of(w, vgpr(w, 1)), *out = lanes_of(w, vgpr(w, 0));
    for (uint64_t v = p->first; v < p->last; v += 64 * p->step) {
        for (unsigned i = 0; i < 64; i++) in[i] = (uint32_t)(v + i * p->step);
#if TAIL_DISPATCH
        ops[0].fn(w, ops);
#else
        for (const struct op *op = ops; op;) op = op->fn(w, op);
#endif
        for (unsigned i = 0; i < 64; i++) {
            const double want = p->fn(ulp_operand(p->format, in[i]));
            const double apart = ulp_distance(p->format, ulp_value(p->format, out[i]), want);
            if (apart > p->worst) p->worst = apart, p->at = in[i];
        }
    }
    free(w);
    return NULL;
}

static bool measure_all(const char *sem, const struct ulp_format *format, exact_fn *fn, uint64_t step) {
    static struct share shares[MOST_THREADS];
    long threads = sysconf(_SC_NPROCESSORS_ONLN);
    threads = threads < 1 ? 1 : threads > MOST_THREADS ? MOST_THREADS : threads;
    const struct body *body = body_named(&levels[level_count() - 1], sem);
    if (!body) return true; // no processor has it
    const uint64_t all = format->bits == 24 ? 1ull << 32 : 1 << 16;
    for (long i = 0; i < threads; i++) {
        shares[i] = (struct share){.format = format, .fn = fn, .body = body, .step = step};
        shares[i].first = all / 64 * (uint64_t)i / (uint64_t)threads * 64;
        shares[i].last = all / 64 * (uint64_t)(i + 1) / (uint64_t)threads * 64;
        if (pthread_create(&shares[i].thread, NULL, measure, &shares[i])) abort();
    }
    struct share worst = {.worst = -1};
    for (long i = 0; i < threads; i++) {
        pthread_join(shares[i].thread, NULL);
        if (shares[i].worst > worst.worst) worst = shares[i];
    }
    const struct fidelity *known = fidelity_of_body(sem);
    const double bound = known ? known->ulps : 0;
    const bool small = worst.worst > bound, large = step == 1 && worst.worst < 0.99 * bound;
    printf("%-12s %10.6f ulp at 0x%08x   ledger %.6f%s\n", sem, worst.worst, worst.at, bound,
           small   ? "  EXCEEDED"
           : large ? "  TOO LARGE"
                   : "");
    fflush(stdout);
    return !small && !large;
}

int main(int argc, char **argv) {
    static const struct {
        const char *suffix;
        const struct ulp_format *format;
    } formats[] = {{"f16", &ulp_f16}, {"bf16", &ulp_bf16}, {"f32", &ulp_f32}};
    const uint64_t step = argc > 1 ? strtoull(argv[1], NULL, 0) : 1;
    bool right = step > 0;
    for (unsigned f = 0; step && f < sizeof formats / sizeof *formats; f++)
        for (unsigned k = 0; k < ULP_OPERATIONS; k++) {
            char sem[32];
            snprintf(sem, sizeof sem, "v_%s_%s", ulp_operations[k].name, formats[f].suffix);
            if (argc > 2 && strcmp(argv[2], sem) != 0) continue;
            right &= measure_all(sem, ulp_format_of(&ulp_operations[k], formats[f].format),
                                 ulp_operations[k].fn, f == 2 ? step : 1);
        }
    return !right;
}
