// SPDX-License-Identifier: MIT
// The public interface of libswisa on any bytes and any text (softwave/isa.h): decode, format into buffers of
// any size, operands, fields read and set, encode, decode again, assemble. The first byte chooses the
// processor, the second options, the third sizes; the rest is code, or one statement. Beyond not crashing,
// what the header promises of lengths, counts and round trips is checked.
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "softwave/isa.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define PROMISE(condition) ((condition) ? (void)0 : __builtin_trap())

struct input {
    sw_isa_mode mode;
    size_t small; // capacity of buffers that may be too short
    int64_t value;
};

static const char *label(void *context, uint64_t address) {
    (void)context;
    return address % 3 ? "target" : NULL;
}

static void drop(void *context, const sw_diagnostic *d) {
    (void)context;
    PROMISE(d->message && strlen(d->message) < 4096);
}
static const sw_sink sink = {.report = drop};

// Buffers are exactly as long as is said, so that a byte too many is seen.
static void format(const struct input *in, const sw_insn *insn) {
    char whole[SW_INSN_TEXT_SIZE], *cut = malloc(in->small ? in->small : 1);
    size_t length = sw_insn_format(&in->mode, insn, 0x1000, whole, sizeof whole);
    PROMISE(cut && length > 0 && length < sizeof whole && strlen(whole) == length);
    PROMISE(sw_insn_format(&in->mode, insn, 0x1000, cut, in->small) == length);
    if (in->small) {
        size_t kept = length < in->small ? length : in->small - 1;
        PROMISE(strlen(cut) == kept && !memcmp(cut, whole, kept));
    }
    free(cut);
    uint8_t bytes[SW_INSN_MAX_BYTES];
    size_t encoded;
    if (sw_insn_assemble(&in->mode, whole, length, bytes, &encoded, &sink) == SW_OK)
        PROMISE(encoded >= 4 && encoded <= sizeof bytes && encoded % 4 == 0);
}

static void operands(const struct input *in, const sw_insn *insn) {
    size_t stride = sizeof(sw_operand) + (in->small & 7) * 8, room = in->small & 15;
    char *some = malloc(room * stride + 1);
    sw_operand all[SW_MAX_OPERANDS];
    size_t count = sw_insn_operands(&in->mode, insn, all, SW_MAX_OPERANDS, sizeof *all);
    PROMISE(some && count <= SW_MAX_OPERANDS);
    PROMISE(sw_insn_operands(&in->mode, insn, (sw_operand *)some, room, stride) == count);
    for (size_t i = 0; i < count && i < room; i++) {
        sw_operand one;
        memcpy(&one, some + i * stride, sizeof one);
        PROMISE(one.kind == all[i].kind && one.code == all[i].code && one.value == all[i].value);
        PROMISE(one.kind >= SW_OPERAND_VGPR && one.kind <= SW_OPERAND_INVALID && one.type);
    }
    free(some);
}

// What encodes decodes, and reads the same.
static void round_trip(const struct input *in, const sw_insn *insn, bool decoded) {
    uint8_t bytes[SW_INSN_MAX_BYTES];
    size_t size = 0;
    if (sw_insn_encode(&in->mode, insn, bytes, &size, &sink)) {
        PROMISE(!decoded || !sw_insn_is_canonical(&in->mode, insn));
        return;
    }
    PROMISE(size >= 4 && size <= sizeof bytes && size % 4 == 0);
    // Bits that belong to no field become zero.
    if (decoded && sw_insn_is_canonical(&in->mode, insn)) PROMISE(size == insn->length);
    sw_insn again = {.size = sizeof again};
    PROMISE(sw_insn_decode(&in->mode, bytes, size, &again) == SW_DECODED && again.length == size);
    PROMISE(again.info == insn->info && again.second == insn->second);
    if (size != insn->length) return; // a literal that nothing asks for any more is left out
    char one[SW_INSN_TEXT_SIZE], other[SW_INSN_TEXT_SIZE];
    sw_insn_format(&in->mode, insn, 0x1000, one, sizeof one);
    sw_insn_format(&in->mode, &again, 0x1000, other, sizeof other);
    PROMISE(!strcmp(one, other));
}

static void fields(const struct input *in, const sw_insn *insn) {
    sw_format_part parts[64];
    const char *name = sw_insn_format_name(insn);
    size_t count = sw_format_parts(in->mode.processor, name, parts, 64, sizeof *parts);
    for (size_t i = 0; i < count && i < 64; i++) {
        int64_t value;
        sw_insn changed = *insn;
        if (!parts[i].field || !sw_insn_field(&in->mode, insn, parts[i].field, &value)) continue;
        if (sw_insn_set_field(&in->mode, &changed, parts[i].field, in->value, &sink) == SW_OK) {
            PROMISE(sw_insn_field(&in->mode, &changed, parts[i].field, &value) && value == in->value);
            format(in, &changed);
            operands(in, &changed);
            round_trip(in, &changed, false);
        }
    }
}

static void facts(const struct input *in, const sw_insn_info *info) {
    sw_insn_facts f = {.size = sizeof f};
    sw_encoding encodings[4];
    sw_operand_spec specs[4];
    sw_insn_get_facts(info, &f);
    PROMISE(f.id && sw_insn_info_by_id(f.id, strlen(f.id)) == info);
    PROMISE(sw_insn_mnemonic(info, in->mode.processor));
    PROMISE(sw_insn_encodings(info, in->mode.processor, encodings, 4, sizeof *encodings) > 0);
    sw_insn_operand_specs(info, in->mode.processor, specs, in->small & 3, sizeof *specs);
}

static void decode(const struct input *in, const uint8_t *code, size_t size) {
    while (size) {
        sw_insn insn = {.size = sizeof insn};
        sw_decode status = sw_insn_decode(&in->mode, code, size, &insn);
        PROMISE(insn.length >= 1 && insn.length <= size && insn.length <= SW_INSN_MAX_BYTES);
        if (status == SW_DECODED) {
            facts(in, insn.info);
            format(in, &insn);
            operands(in, &insn);
            round_trip(in, &insn, true);
            fields(in, &insn);
        } else
            PROMISE(status <= SW_DECODE_BAD_OPERAND && insn.length <= 4);
        code += insn.length;
        size -= insn.length;
    }
}

static void assemble(const struct input *in, const uint8_t *text, size_t size) {
    // A copy of its own, so that reading beyond the end is seen.
    char *copy = malloc(size + 1);
    uint8_t bytes[SW_INSN_MAX_BYTES];
    size_t length = 0;
    if (size) memcpy(copy, text, size);
    char *exact = realloc(copy, size ? size : 1);
    if (sw_insn_assemble(&in->mode, exact, size, bytes, &length, &sink) == SW_OK) {
        PROMISE(length >= 4 && length <= sizeof bytes);
        decode(in, bytes, length);
    }
    size_t cursor = 0;
    for (unsigned i = 0; i < 8; i++)
        if (!sw_insn_info_find(in->mode.processor, exact, size, &cursor)) break;
    free(exact);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size < 3 || size > 4096) return 0;
    struct input in = {.mode = {.size = sizeof in.mode}, .small = data[2]};
    const sw_processor *p = sw_processor_at(data[0] % sw_processor_count());
    if (sw_isa_mode_init(&in.mode, p)) return 0;
    if (data[1] & 1) in.mode.wave32 = !in.mode.wave32;
    in.mode.real_true16 = (data[1] & 2) ? SW_SETTING_ON : (data[1] & 4) ? SW_SETTING_OFF : SW_SETTING_ANY;
    if (data[1] & 8) in.mode.label = label;
    in.value = (int64_t)data[2] - (data[1] & 16 ? 128 : 0);
    if (data[1] & 32)
        assemble(&in, data + 3, size - 3);
    else
        decode(&in, data + 3, size - 3);
    return 0;
}
