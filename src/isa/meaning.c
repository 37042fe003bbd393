// SPDX-License-Identifier: MIT
// What each operation does: the table for expand.c, and the public calls over what the build made of it.
#include "isa/meaning.h"

#include <stdio.h>

#include "isa/api.h"

#if defined(EXPAND)

const struct meaning meanings[] = {
#define M(key, sentence, code) {#key, sentence, code},
#include "isa/meaning.def"
#undef M
};
const unsigned meaning_count = sizeof meanings / sizeof *meanings;

static int find(const char *key) {
    for (unsigned i = 0; i < meaning_count; i++)
        if (!strcmp(meanings[i].key, key)) return (int)i;
    return -1;
}

int meaning_of_row(const struct row *row) {
    static const char *const access_names[] = {
        "",     "U8",   "I8",     "U16",    "I16",     "B32",       "B64",       "B96",       "B128",
        "B256", "B512", "D16_U8", "D16_I8", "D16_B16", "D16_HI_U8", "D16_HI_I8", "D16_HI_B16"};
    static const char *const atomic_names[] = {
        "",
#define ATOMIC(name, bytes, traits) #name,
#include "isa/atomics.def"
#undef ATOMIC
    };
    char key[200];
    int found = find(row->id);
    if (found >= 0) return found;
    if (row->atomic) {
        snprintf(key, sizeof key, "%s__%s_rtn", row->sem, atomic_names[row->atomic]);
        if (row->dst[0].type) found = find(key);
        key[strlen(key) - 4] = 0;
    } else if (row->access)
        snprintf(key, sizeof key, "%s__%s", row->sem, access_names[row->access]);
    else
        snprintf(key, sizeof key, row->writes & R_EXEC ? "%s__exec" : "%s", row->sem);
    if (found < 0) found = find(key);
    return found < 0 ? find(row->sem) : found;
}

bool meaning_is_needed(const struct meaning *m) {
    for (const char *p = m->key; *p; p++)
        if (p[0] == '_' && p[1] == '_') return false;
    return true;
}

#else

void sw_insn_meaning(const sw_insn_info *info, const char **sentence, const char **code) {
    const struct meaning_place place = isa_meanings[api_row(info) - isa_rows];
    *sentence = isa_meaning_texts + place.sentence;
    *code = isa_meaning_texts + place.code;
}

// Constant data without addresses, which a loader would have to adjust: each rule ends in NUL.
static const char rules[] =
#define RULE(text) text "\0"
#include "isa/meaning_rules.def"
#undef RULE
    ;

const char *sw_insn_meaning_rule(size_t index) {
    const char *rule = rules;
    for (; index && *rule; index--) rule += strlen(rule) + 1;
    return *rule ? rule : NULL;
}

#endif
