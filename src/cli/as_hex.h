// SPDX-License-Identifier: MIT
#ifndef CLI_AS_HEX_H
#define CLI_AS_HEX_H

#include "base/file.h"
#include "cli/cli.h"
#include "softwave/target.h"

struct hex_request {
    const char *name; // of the file
    const sw_processor *processor;
    const char *features; // as --mattr; NULL: none
    bool encoding;        // with the bytes behind each instruction
};
// Prints the instructions of a text of bytes: "[0x01,0x05,0x00,0x06]", one or more instructions a line.
sw_status as_disassemble(const struct hex_request *r, const struct file *f);

#endif
