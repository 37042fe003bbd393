// SPDX-License-Identifier: MIT
// --wave and --mattr of `softwave run`: what they ask for is compared with what a code object was built for.
// An object has been built for its features, so one that contradicts it is refused, with both sides named.
#include <stdio.h>
#include <string.h>

#include "cli/run.h"

static sw_status contradiction(const char *asked, const char *what, const char *name, const char *is) {
    return diag_fail(&cli_sink, SW_BAD_INPUT, NULL, "'%s' contradicts the code object: %s '%s' %s", asked,
                     what, name, is);
}

static sw_status check_wave(const char *asked, unsigned wave, const struct run *r) {
    for (size_t i = 0; i < r->job_count; i++) {
        const sw_kernel *k = r->jobs[i].kernel;
        if (k->descriptor.wavefront_size != wave)
            return contradiction(asked, "kernel", k->name,
                                 wave == 32 ? "is built for waves of 64" : "is built for waves of 32");
    }
    return SW_OK;
}

static sw_status check_setting(const char *asked, bool on, sw_setting has, const char *name) {
    if (has == SW_UNSUPPORTED_SETTING) return contradiction(asked, "its processor has no", name, "to choose");
    if (has != SW_ANY && on != (has == SW_ON)) return contradiction(asked, "it has", name, on ? "off" : "on");
    return SW_OK;
}

static sw_status check_mode(const char *asked, bool on, const struct run *r, bool group_mode) {
    for (size_t i = 0; i < r->job_count; i++) {
        const sw_kernel_descriptor *d = &r->jobs[i].kernel->descriptor;
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
