// SPDX-License-Identifier: MIT
// Metadata of functions and instructions, and source locations.
#include "reader/reader.h"

#include <stdio.h>

// Nodes have few operands; longer ones are lists that nobody asks for here.
enum { MOST_OPERANDS = 4096 };

static llvm_ref operand(struct reader *r, llvm_ref node, unsigned n) {
    const unsigned count = r->l->GetMDNodeNumOperands(node);
    if (n >= count || count > MOST_OPERANDS) return NULL;
    llvm_ref operands[MOST_OPERANDS];
    r->l->GetMDNodeOperands(node, operands);
    return operands[n];
}

bool reader_node_text(struct reader *r, llvm_ref node, unsigned n, char *out, size_t room) {
    const llvm_ref value = operand(r, node, n);
    unsigned length = 0;
    const char *text = value ? r->l->GetMDString(value, &length) : NULL;
    if (!text) return false;
    snprintf(out, room, "%.*s", (int)length, text);
    return true;
}

bool reader_node_number(struct reader *r, llvm_ref node, unsigned n, uint64_t *out) {
    const llvm_ref value = operand(r, node, n);
    if (!value || !r->l->IsAConstantInt(value) || r->l->GetIntTypeWidth(r->l->TypeOf(value)) > 64)
        return false;
    *out = r->l->ConstIntGetZExtValue(value);
    return true;
}

static llvm_ref entry_of(struct reader *r, llvm_ref entries, size_t count, unsigned kind) {
    llvm_ref found = NULL;
    for (size_t i = 0; entries && i < count && !found; i++)
        if (r->l->ValueMetadataEntriesGetKind(entries, (unsigned)i) == kind)
            found = r->l->MetadataAsValue(r->context,
                                          r->l->ValueMetadataEntriesGetMetadata(entries, (unsigned)i));
    if (entries) r->l->DisposeValueMetadataEntries(entries);
    return found;
}

llvm_ref reader_named_node(struct reader *r, const char *name, unsigned n) {
    const unsigned count = r->l->GetNamedMetadataNumOperands(r->module, name);
    if (n >= count || count > MOST_OPERANDS) return NULL;
    llvm_ref operands[MOST_OPERANDS];
    r->l->GetNamedMetadataOperands(r->module, name, operands);
    return operands[n];
}

llvm_ref reader_function_node(struct reader *r, llvm_ref function, const char *kind) {
    size_t count = 0;
    const llvm_ref entries = r->l->GlobalCopyAllMetadata(function, &count);
    return entry_of(r, entries, count, r->l->GetMDKindIDInContext(r->context, kind, (unsigned)strlen(kind)));
}

llvm_ref reader_instruction_node(struct reader *r, llvm_ref inst, enum reader_kind kind) {
    size_t count = 0;
    const llvm_ref entries = r->l->InstructionGetAllMetadataOtherThanDebugLoc(inst, &count);
    return entry_of(r, entries, count, r->kinds[kind]);
}

bool reader_is_rough(struct reader *r, llvm_ref inst) {
    enum { TWO_AND_A_HALF = 0x40200000 }; // as a float; larger ones have larger bits
    const llvm_ref node = reader_instruction_node(r, inst, KIND_FPMATH);
    const llvm_ref value = node ? operand(r, node, 0) : NULL;
    uint64_t bits[2];
    return value && r->l->IsAConstant(value) && reader_bits(r, value, bits) && bits[0] >= TWO_AND_A_HALF &&
           bits[0] < 0x7f800000;
}

bool reader_is_not_stack(struct reader *r, llvm_ref inst) {
    const llvm_ref node = reader_instruction_node(r, inst, KIND_NOT_IN_SPACE);
    uint64_t first, end; // of spaces that the address is not in
    for (unsigned n = 0;
         node && reader_node_number(r, node, n, &first) && reader_node_number(r, node, n + 1, &end); n += 2)
        if (IR_PRIVATE - first < end - first) return true;
    return false;
}

// ---- Source locations ----

static const char *copy(struct reader *r, const char *text, unsigned length) {
    const char *out = arena_copy(&r->m->arena, text ? text : "", text ? length : 0);
    if (!out) reader_no_memory(r);
    return out ? out : "";
}

static uint32_t file_of(struct reader *r, llvm_ref scope) {
    const llvm_ref file = r->l->DIScopeGetFile(scope);
    unsigned name_length = 0, directory_length = 0;
    const char *name = file ? r->l->DIFileGetFilename(file, &name_length) : NULL;
    const char *directory = file ? r->l->DIFileGetDirectory(file, &directory_length) : NULL;
    for (size_t i = 0; i < r->m->files.count; i++) {
        const struct ir_file *f = &r->m->files.items[i];
        if (strlen(f->name) == name_length && !memcmp(f->name, name ? name : "", name_length) &&
            strlen(f->directory) == directory_length &&
            !memcmp(f->directory, directory ? directory : "", directory_length))
            return (uint32_t)i;
    }
    const struct ir_file f = {copy(r, directory, directory_length), copy(r, name, name_length)};
    if (!array_push(&r->m->files, f)) reader_no_memory(r);
    return (uint32_t)r->m->files.count - 1;
}

void reader_begins(struct reader *r, llvm_ref function) {
    const llvm_ref at = r->l->GetSubprogram(function);
    if (at) r->f->location = ir_location_add(r->f, file_of(r, at), r->l->DISubprogramGetLine(at), 0);
}

void reader_location(struct reader *r, llvm_ref inst) {
    const llvm_ref at = r->l->InstructionGetDebugLoc(inst);
    r->location = 0;
    if (!at || !r->f) return;
    const uint32_t file = file_of(r, r->l->DILocationGetScope(at));
    r->location = ir_location_add(r->f, file, r->l->DILocationGetLine(at), r->l->DILocationGetColumn(at));
}
