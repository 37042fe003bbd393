// SPDX-License-Identifier: MIT
// What the text says of its target: .amdgcn_target and .amdhsa_code_object_version (ASM-30 to ASM-32), and
// the target's own name as code objects of each version spell it (TGT-74 to TGT-79).
#include <string.h>

#include "asm/kernel/text.h"

bool program_is_v2(const struct program *program) {
    return program->options->os == SW_OS_AMDHSA && program->version == 2;
}

static const char *triple_of(const struct program *program) {
    static const char *const triples[] = {[SW_OS_NONE] = "amdgcn-amd-unknown-",
                                          [SW_OS_AMDHSA] = "amdgcn-amd-amdhsa-",
                                          [SW_OS_AMDPAL] = "amdgcn-amd-amdpal-",
                                          [SW_OS_MESA3D] = "amdgcn-mesa-mesa3d-"};
    return program->options->triple ? program->options->triple : triples[program->options->os];
}

static bool on(sw_setting s) { return s == SW_SETTING_ON || s == SW_SETTING_ANY; }

void program_target_text(const struct program *program, char out[PROGRAM_TARGET_TEXT]) {
    struct text t = {0};
    // Architecture, vendor, system and environment always stand there; what is not given is unknown, an
    // environment empty.
    const char *p = triple_of(program);
    for (unsigned part = 0; part < 4; part++) {
        size_t n = strcspn(p, "-");
        text_add(&t, p, n);
        if (!n && (part == 1 || part == 2)) text_puts(&t, "unknown");
        text_puts(&t, "-");
        p += n + (p[n] == '-');
    }
    char id[SW_TARGET_TEXT];
    if (program->options->os == SW_OS_AMDHSA && program->version >= 4) {
        sw_target_format(&program->target, id);
        text_puts(&t, id);
    } else if (program_is_v2(program) &&
               target_v2_stepping(&program->target) != program->mode.processor->isa_stepping) {
        text_add(&t, program->mode.processor->name, strlen(program->mode.processor->name) - 1);
        char digit[2] = {(char)('0' + target_v2_stepping(&program->target)), 0};
        text_puts(&t, digit);
    } else
        text_puts(&t, program->mode.processor->name);
    if (program->options->os == SW_OS_AMDHSA && program->version == 3) {
        if (on(program->target.xnack)) text_puts(&t, "+xnack");
        if (on(program->target.sramecc)) text_puts(&t, "+sram-ecc");
    }
    size_t n = t.failed ? 0 : t.length < PROGRAM_TARGET_TEXT ? t.length : PROGRAM_TARGET_TEXT - 1;
    if (n) memcpy(out, t.data, n);
    out[n] = 0;
    text_free(&t);
}

// Whether a full target id, features in any order, means this assembly's target; `mine` is that target's.
static bool names_mine(const struct unit *u, const char *text, size_t length, const char *mine) {
    static const sw_sink silent = {0};
    sw_target said;
    const char *name = text + length, *own = strrchr(mine, '-') + 1;
    while (name > text && name[-1] != '-') name--;
    if (name - text != own - mine || memcmp(text, mine, (size_t)(own - mine))) return false;
    if (u->program->options->os != SW_OS_AMDHSA || u->program->version < 4) return false;
    return !sw_target_parse(name, length - (size_t)(name - text), &said, &silent) &&
           said.processor == u->program->target.processor && said.xnack == u->program->target.xnack &&
           said.sramecc == u->program->target.sramecc;
}

bool dir_target(struct unit *u, struct slice name, const char *p, const char *end, unsigned arg) {
    (void)name, (void)arg;
    const char *where = skip_space(p, end);
    struct text t = {0};
    bool ok = unit_string(u, &p, end, &t) && unit_end(u, p, end);
    char mine[PROGRAM_TARGET_TEXT];
    program_target_text(u->program, mine);
    bool same = ok && t.length == strlen(mine) && !memcmp(t.data, mine, t.length);
    if (ok && !same && !names_mine(u, t.data ? t.data : "", t.length, mine))
        ok = unit_error(u, where, "the text is for %s, this assembly for %s", t.length ? t.data : "nothing",
                        mine);
    text_free(&t);
    if (ok && unit_shows(u)) unit_show(u, "\n"); // the listing begins with it
    return ok;
}

bool dir_version(struct unit *u, struct slice name, const char *p, const char *end, unsigned arg) {
    (void)arg;
    const char *where = skip_space(p, end);
    int64_t v;
    if (u->program->options->os != SW_OS_AMDHSA || u->program->version < 3)
        return unit_error(u, name.text, "unknown directive '%.*s': of code objects V3 to V6 for amdhsa",
                          (int)name.length, name.text);
    if (!unit_absolute(u, &p, end, &v) || !unit_end(u, p, end)) return false;
    if (v < 4 || v > 6)
        return unit_error(u, where, "code object version %lld is not one of 4, 5, 6", (long long)v);
    u->program->version = (unsigned)v;
    return true;
}
