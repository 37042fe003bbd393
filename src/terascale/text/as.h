// SPDX-License-Identifier: MIT
// Text to programs.
#ifndef TERASCALE_AS_H
#define TERASCALE_AS_H

#include "base/diag.h"
#include "terascale/object/program.h"

sw_status ts_assemble(const char *text, size_t length, const struct ts_chip *chip, const char *file,
                      ts_functions *out, const sw_sink *sink);

#endif
