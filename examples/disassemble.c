// SPDX-License-Identifier: MIT
// Uses libswisa alone: assembles its arguments for a processor, decodes the bytes again and shows what every
// instruction reads and writes. Build: cc disassemble.c $(pkg-config --cflags --libs swisa)
//
//   disassemble gfx90a 'v_add_f32 v0, s1, v2' 's_cbranch_scc1 -2'
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <softwave/isa.h>

static void show_error(void *context, const sw_diagnostic *d) {
    (void)context;
    fprintf(stderr, "column %u: %s\n", d->at.column, d->message);
}

static void show_operand(const sw_operand *o) {
    static const char *const files[] = {[SW_OPERAND_VGPR] = "v",
                                        [SW_OPERAND_AGPR] = "a",
                                        [SW_OPERAND_SGPR] = "s",
                                        [SW_OPERAND_TTMP] = "ttmp"};
    const char *access = o->access == SW_OPERAND_READ    ? "reads"
                         : o->access == SW_OPERAND_WRITE ? "writes"
                                                         : "reads and writes";
    printf("    %-16s ", access);
    if (o->kind <= SW_OPERAND_TTMP)
        printf("%s%u .. %s%u", files[o->kind], o->first, files[o->kind], o->first + o->count - 1u);
    else if (o->kind == SW_OPERAND_SPECIAL)
        printf("%s", o->name);
    else if (o->kind == SW_OPERAND_LABEL)
        printf("%+" PRId64 " bytes from here", o->value);
    else
        printf("0x%" PRIx64, (uint64_t)o->value);
    printf("  %s%s%s\n", o->type, o->field ? "  field " : "  implicit", o->field ? o->field : "");
}

int main(int argc, char **argv) {
    if (argc < 3) {
        fprintf(stderr, "usage: disassemble PROCESSOR STATEMENT...\n");
        return 1;
    }
    const sw_sink sink = {.report = show_error};
    sw_isa_mode mode = {.size = sizeof mode};
    if (sw_isa_mode_init(&mode, sw_processor_find(argv[1], strlen(argv[1]))) != SW_OK) {
        fprintf(stderr, "no instructions for '%s'\n", argv[1]);
        return 1;
    }
    int failed = 0;
    for (int i = 2; i < argc; i++) {
        uint8_t bytes[SW_INSN_MAX_BYTES];
        size_t size;
        if (sw_insn_assemble(&mode, argv[i], strlen(argv[i]), bytes, &size, &sink) != SW_OK) {
            failed = 1;
            continue;
        }
        sw_insn insn = {.size = sizeof insn};
        if (sw_insn_decode(&mode, bytes, size, &insn) != SW_DECODED) return 2;
        char text[SW_INSN_TEXT_SIZE];
        sw_insn_format(&mode, &insn, 0, text, sizeof text);
        for (size_t k = 0; k < size; k++) printf("%02x", bytes[k]);
        printf("  %s  (%s)\n", text, sw_insn_format_name(&insn));
        sw_operand operands[SW_MAX_OPERANDS];
        size_t count = sw_insn_operands(&mode, &insn, operands, SW_MAX_OPERANDS, sizeof *operands);
        for (size_t k = 0; k < count; k++) show_operand(&operands[k]);
    }
    return failed;
}
