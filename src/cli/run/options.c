// SPDX-License-Identifier: MIT
// Values of options of `softwave run`: sizes, --init, --wave and --mattr. The last two ask for what a code
// object has been built for or not, so one that contradicts them is refused, with both sides named.
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/run/run.h"

bool run_parse_size(const char *s, uint32_t out[3]) {
    out[0] = out[1] = out[2] = 1;
    for (int i = 0; i < 3; i++) {
        char *end;
        unsigned long long v = strtoull(s, &end, 0);
        if (end == s || *s == '-' || v > UINT32_MAX || v == 0) return false;
        out[i] = (uint32_t)v;
        if (!*end) return true;
        if (*end != ',') return false;
        s = end + 1;
    }
    return false;
}

bool run_parse_number(const char *s, size_t length, uint64_t *out) {
    char *end;
    if (!length || *s < '0' || *s > '9') return false;
    errno = 0;
    *out = strtoull(s, &end, 0);
    return !errno && end == s + length;
}

bool run_parse_bytes(const char *s, size_t length, uint64_t *out) {
    char *end;
    if (!length || *s < '0' || *s > '9') return false;
    errno = 0;
    uint64_t v = strtoull(s, &end, 0);
    unsigned shift = 0;
    if (end < s + length)
        shift = *end == 'K' ? 10 : *end == 'M' ? 20 : *end == 'G' ? 30 : 0, end += shift != 0;
    if (errno || end != s + length || v > (1ull << 40) >> shift) return false;
    *out = v << shift;
    return true;
}

bool run_parse_alignment(const char *s, sw_device_options *o) {
    static const char *const names[] = {[SW_ALIGNMENT_UNALIGNED] = "unaligned",
                                        [SW_ALIGNMENT_DWORD_STRICT] = "dword-strict",
                                        [SW_ALIGNMENT_STRICT] = "strict"};
    for (unsigned i = 0; i < sizeof names / sizeof *names; i++)
        if (!strcmp(s, names[i])) return o->alignment = (sw_alignment)i, true;
    return false;
}

bool run_parse_init(const char *s, sw_device_options *o) {
    if (!strcmp(s, "zero"))
        o->init = SW_INIT_ZERO;
    else if (!strcmp(s, "pattern"))
        o->init = SW_INIT_PATTERN;
    else if (!strncmp(s, "random", 6) && (!s[6] || s[6] == ':')) {
        char *end;
        o->init = SW_INIT_RANDOM, o->seed = 1;
        if (!s[6]) return true;
        o->seed = strtoull(s + 7, &end, 0);
        return s[7] >= '0' && s[7] <= '9' && !*end;
    } else
        return false;
    return true;
}

static sw_status contradiction(const char *asked, const char *what, const char *name, const char *is) {
    return diag_fail(&cli_sink, SW_BAD_INPUT, NULL, "'%s' contradicts the code object: %s '%s' %s", asked,
                     what, name, is);
}

static sw_status check_wave(const char *asked, unsigned wave, const struct run *r) {
    for (size_t i = 0; i < r->job_count; i++) {
        const sw_kernel *k = r->jobs[i].kernel;
        if (k->descriptor->wavefront_size != wave)
            return contradiction(asked, "kernel", k->name,
                                 wave == 32 ? "is built for waves of 64" : "is built for waves of 32");
    }
    return SW_OK;
}

static sw_status check_setting(const char *asked, bool on, sw_setting has, const char *name) {
    if (has == SW_SETTING_NONE) return contradiction(asked, "its processor has no", name, "to choose");
    if (has != SW_SETTING_ANY && on != (has == SW_SETTING_ON))
        return contradiction(asked, "it has", name, on ? "off" : "on");
    return SW_OK;
}

static sw_status check_mode(const char *asked, bool on, const struct run *r, bool group_mode) {
    for (size_t i = 0; i < r->job_count; i++) {
        const sw_kernel_descriptor *d = r->jobs[i].kernel->descriptor;
        bool has = group_mode ? !d->wgp_mode : d->tg_split;
        if (has != on)
            return contradiction(asked, "kernel", r->jobs[i].kernel->name,
                                 on ? "is built without it" : "is built with it");
    }
    return SW_OK;
}

static sw_status check_feature(const char *asked, const struct run *r, const sw_target *target) {
    bool on = asked[0] == '+';
    const char *name = asked + 1;
    if (asked[0] == '+' || asked[0] == '-') {
        if (!strcmp(name, "wavefrontsize32")) return check_wave(asked, on ? 32 : 64, r);
        if (!strcmp(name, "wavefrontsize64")) return check_wave(asked, on ? 64 : 32, r);
        if (!strcmp(name, "xnack")) return check_setting(asked, on, target->xnack, name);
        if (!strcmp(name, "sramecc")) return check_setting(asked, on, target->sramecc, name);
        if (!strcmp(name, "cumode")) return check_mode(asked, on, r, true);
        if (!strcmp(name, "tgsplit")) return check_mode(asked, on, r, false);
        if (!strcmp(name, "real-true16")) return SW_OK; // spelling of assembly, not a fact of the object
    }
    return diag_fail(
        &cli_sink, SW_USAGE, NULL,
        "--mattr takes +F or -F, where F is wavefrontsize32, wavefrontsize64, xnack, sramecc, cumode, "
        "tgsplit or real-true16: '%s'",
        asked);
}

sw_status run_check_features(const struct run *r, const sw_target *target, unsigned wave, const char *mattr) {
    char asked[40];
    snprintf(asked, sizeof asked, "--wave=%u", wave);
    sw_status status = wave ? check_wave(asked, wave, r) : SW_OK;
    while (status == SW_OK && mattr && *mattr) {
        size_t n = strcspn(mattr, ",");
        snprintf(asked, sizeof asked, "%.*s", (int)(n < 39 ? n : 39), mattr);
        status = check_feature(asked, r, target);
        mattr += n + (mattr[n] == ',');
    }
    return status;
}

int run_take_bytes(const char *command, const char *option, const char *text, uint64_t least, uint64_t most,
                   uint64_t *out) {
    if (run_parse_bytes(text, strlen(text), out) && *out >= least && *out <= most) return SW_OK;
    return cli_usage(command, "%s takes a number from %llu to %llu, which may end in K, M or G, not '%s'",
                     option, (unsigned long long)least, (unsigned long long)most, text);
}

int run_take_seconds(const char *command, const char *text, double *out) {
    char *end;
    errno = 0;
    *out = strtod(text, &end);
    if (end != text && !*end && isfinite(*out) && *out > 0 && !errno) return SW_OK;
    return cli_usage(command, "--timeout takes seconds, such as 10 or 0.5, not '%s'", text);
}
