// SPDX-License-Identifier: MIT
// Notes in .note, and the directives that make one each: .amd_amdgpu_isa, and of code object V2
// .hsa_code_object_version and .hsa_code_object_isa (OBJ-21 to OBJ-26, ASM-19, ASM-20).
#include <elf.h>
#include <string.h>

#include "asm/kernel/text.h"
#include "base/bytes.h"

enum { NOTE_VERSION = 1, NOTE_ISA_VERSION = 3, NOTE_ISA_NAME = 11 };

bool program_note(struct program *program, const char *vendor, uint32_t type, const void *desc,
                  size_t length) {
    struct section *here = program->section;
    uint64_t flags = program->options->os == SW_OS_AMDHSA ? SHF_ALLOC : 0;
    struct section *note = program_section(program, (struct slice){".note", 5}, SHT_NOTE, flags, 0);
    if (!note) return false;
    uint8_t head[12];
    size_t name = strlen(vendor) + 1;
    wr32(head, (uint32_t)name);
    wr32(head + 4, (uint32_t)length);
    wr32(head + 8, type);
    program->section = note;
    static const uint8_t zero[1] = {0};
    bool ok = program_emit(program, head, sizeof head) && program_emit(program, vendor, name) &&
              program_align(program, 4, zero, 1, 0) && program_emit(program, desc, length) &&
              program_align(program, 4, zero, 1, 0);
    program->section = here;
    return ok;
}

// .amd_amdgpu_isa "amdgcn-mesa-mesa3d--gfx900": must be the target; becomes a note.
bool dir_isa_name(struct unit *u, struct slice name, const char *p, const char *end, unsigned arg) {
    (void)arg;
    if (u->program->options->os == SW_OS_AMDHSA && !program_is_v2(u->program))
        return unit_error(u, name.text, "unknown directive '%.*s': not for amdhsa code object V%u",
                          (int)name.length, name.text, u->program->version);
    const char *where = skip_space(p, end);
    char mine[PROGRAM_TARGET_TEXT];
    program_target_text(u->program, mine);
    struct text t = {0};
    bool ok = unit_string(u, &p, end, &t) && unit_end(u, p, end);
    if (ok && (strlen(mine) != t.length || memcmp(mine, t.data, t.length)))
        ok = unit_error(u, where, "target id must match options: found '%s', assembling for '%s'",
                        t.length ? t.data : "", mine);
    text_free(&t);
    return ok && program_note(u->program, "AMD", NOTE_ISA_NAME, mine, strlen(mine));
}

static bool only_v2(struct unit *u, struct slice name) {
    return program_is_v2(u->program) ||
           unit_error(u, name.text, "unknown directive '%.*s': of code object V2 only", (int)name.length,
                      name.text);
}

static bool number_32(struct unit *u, const char **at, const char *end, const char *what, uint32_t *out) {
    const char *where = skip_space(*at, end);
    int64_t v;
    if (!unit_absolute(u, at, end, &v)) return false;
    *out = (uint32_t)v;
    return (v >= 0 && v <= UINT32_MAX) ||
           unit_error(u, where, "invalid %s: %lld does not fit 32 bits", what, (long long)v);
}

bool dir_hsa_version(struct unit *u, struct slice name, const char *p, const char *end, unsigned arg) {
    (void)arg;
    uint32_t v[2];
    if (!only_v2(u, name) || !number_32(u, &p, end, "major version", &v[0])) return false;
    if (!unit_comma(u, &p, end)) return unit_error(u, p, "minor version number required, comma expected");
    return number_32(u, &p, end, "minor version", &v[1]) && unit_end(u, p, end) &&
           program_note(u->program, "AMD", NOTE_VERSION, v, sizeof v);
}

// .hsa_code_object_isa [major, minor, stepping, "AMD", "AMDGPU"]
bool dir_hsa_isa(struct unit *u, struct slice name, const char *p, const char *end, unsigned arg) {
    (void)arg;
    static const char *const what[] = {"major version", "minor version", "stepping version"};
    const struct sw_processor *processor = u->program->mode.processor;
    uint32_t v[3] = {processor->isa_major, processor->isa_minor, processor->isa_stepping};
    struct text strings[2] = {{0}};
    bool ok = only_v2(u, name), given = skip_space(p, end) < end;
    for (unsigned i = 0; ok && given && i < 3; i++) {
        if (i && !unit_comma(u, &p, end))
            ok = unit_error(u, p, "%s number required, comma expected", what[i]);
        ok = ok && number_32(u, &p, end, what[i], &v[i]);
    }
    for (unsigned i = 0; ok && i < 2; i++) {
        if (!given)
            text_puts(&strings[i], i ? "AMDGPU" : "AMD");
        else if (!unit_comma(u, &p, end))
            ok = unit_error(u, p, "%s name required, comma expected", i ? "arch" : "vendor");
        else
            ok = unit_string(u, &p, end, &strings[i]);
        text_add(&strings[i], "", 1);
    }
    ok = ok && (!given || unit_end(u, p, end));
    // With XNACK the processor has a stepping of its own.
    if (v[0] == processor->isa_major && v[1] == processor->isa_minor && v[2] == processor->isa_stepping)
        v[2] = target_v2_stepping(&u->program->target);
    struct text desc = {0};
    uint16_t sizes[2] = {(uint16_t)strings[0].length, (uint16_t)strings[1].length};
    text_add(&desc, (const char *)sizes, sizeof sizes);
    text_add(&desc, (const char *)v, sizeof v);
    for (unsigned i = 0; i < 2; i++) text_add(&desc, strings[i].data, strings[i].length);
    if (ok && desc.failed) ok = program_no_memory(u->program);
    ok = ok && program_note(u->program, "AMD", NOTE_ISA_VERSION, desc.data, desc.length);
    for (unsigned i = 0; i < 2; i++) text_free(&strings[i]);
    text_free(&desc);
    return ok;
}

// .version "text": a note of type 1 with that name and nothing else.
bool dir_version_note(struct unit *u, struct slice name, const char *p, const char *end, unsigned arg) {
    (void)name, (void)arg;
    struct text t = {0};
    bool ok = unit_string(u, &p, end, &t) && unit_end(u, p, end);
    struct section *here = u->program->section;
    struct section *note =
        ok ? program_section(u->program, (struct slice){".note", 5}, SHT_NOTE, 0, 0) : NULL;
    text_add(&t, "", 1);
    if (note && !t.failed) {
        uint8_t head[12] = {0};
        static const uint8_t zero[1] = {0};
        wr32(head, (uint32_t)t.length);
        wr32(head + 8, 1);
        u->program->section = note;
        ok = program_emit(u->program, head, sizeof head) && program_emit(u->program, t.data, t.length) &&
             program_align(u->program, 4, zero, 1, 0);
        u->program->section = here;
    }
    text_free(&t);
    return note && ok;
}
