// SPDX-License-Identifier: MIT
#include "asm/unit.h"
bool dir_metadata(struct unit *u, struct slice name, const char *p, const char *end, unsigned arg) {
    (void)p, (void)end, (void)arg;
    return unit_error(u, name.text, "not yet");
}
