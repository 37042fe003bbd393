// SPDX-License-Identifier: MIT
// The build's collector of bitcode: pieces as clang compiled them for one vector level and wave size (FUSED
// in exec/holes.h) become one module, compressed. What cannot be joined with other code is left out. gather
// NAMES WAVE MAJOR OUT BITCODE...; NAMES has a line "WAVE FUNCTION" for each stencil (collect.c). Where there
// is no library to do it with, OUT is empty.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

#include "jit/bitstream.h"
#include "jit/pieces.h"

static void fail(const char *what, const char *name) {
    fprintf(stderr, "gather: %s: %s\n", name, what);
    exit(1);
}

struct name {
    char function[96];
    bool taken; // there is a piece of this name
};
static struct name *names;
static size_t name_count;

static void read_names(const char *path, unsigned wave) {
    FILE *f = fopen(path, "r");
    struct name n = {0};
    unsigned of;
    if (!f) fail("cannot be read", path);
    while (fscanf(f, "%u %95s", &of, n.function) == 2) {
        if (of != wave) continue;
        names = realloc(names, (name_count + 1) * sizeof *names);
        if (!names) fail("out of memory", path);
        names[name_count++] = n;
    }
    fclose(f);
}

static struct name *name_of(const struct llvm *l, llvm_ref function) {
    size_t length;
    const char *text = l->GetValueName2(function, &length);
    for (size_t i = 0; i < name_count; i++)
        if (strlen(names[i].function) == length && !memcmp(names[i].function, text, length)) return &names[i];
    return NULL;
}

static bool begins(const char *text, const char *with) {
    const size_t length = strlen(with);
    return strlen(text) >= length && !memcmp(text, with, length);
}

static void *read_file(const char *path, size_t *size) {
    FILE *f = fopen(path, "rb");
    if (!f || fseek(f, 0, SEEK_END)) fail("cannot be read", path);
    *size = (size_t)ftell(f);
    void *data = malloc(*size + 1);
    rewind(f);
    if (!data || fread(data, 1, *size, f) != *size) fail("cannot be read", path);
    fclose(f);
    return data;
}

// Tables of bodies, and the list that keeps pieces alive, lead to handlers that nobody calls here.
static void drop_globals(const struct llvm *l, llvm_ref module) {
    for (llvm_ref g = l->GetFirstGlobal(module), next; g; g = next) {
        size_t length;
        const char *name = l->GetValueName2(g, &length);
        next = l->GetNextGlobal(g);
        const bool dead = begins(name, "llvm.") || begins(name, "body_") || begins(name, "device_steps");
        if (dead && !l->GetFirstUse(g)) l->DeleteGlobal(g);
    }
}

static bool is_piece(const struct llvm *l, llvm_ref f) {
    const struct name *n = name_of(l, f);
    return n && n->taken;
}

static llvm_ref attribute(const struct llvm *l, llvm_ref context, const char *name) {
    return l->CreateEnumAttribute(context, l->GetEnumAttributeKindForName(name, strlen(name)), 0);
}
// Of an instruction that a body writes out LLVM does not know that it computes under the host's control word.
// What converges stays in its block. Handlers alone write MODE, and a call of one ends its block. Inside of
// one, what is volatile keeps its order with what writes the control word. It does nothing else to memory, so
// LLVM may drop or join it.
static void hold_written_out(const struct llvm *l, llvm_ref context, llvm_ref function) {
    const llvm_ref held = attribute(l, context, "convergent"), pure = attribute(l, context, "memory"),
                   returns = attribute(l, context, "willreturn");
    for (llvm_ref b = l->GetFirstBasicBlock(function); b; b = l->GetNextBasicBlock(b))
        for (llvm_ref i = l->GetFirstInstruction(b); i; i = l->GetNextInstruction(i))
            if (piece_is_written_out(l, i))
                for (unsigned n = 0; n < 3; n++)
                    l->AddCallSiteAttribute(i, (unsigned)LLVM_FUNCTION_INDEX,
                                            (const llvm_ref[]){held, pure, returns}[n]);
}

static void keep_pieces(const struct llvm *l, llvm_ref context, llvm_ref layout, llvm_ref module) {
    for (llvm_ref f = l->GetFirstFunction(module), next; f; f = next) {
        next = l->GetNextFunction(f);
        if (l->IsDeclaration(f)) continue;
        struct name *n = name_of(l, f);
        struct piece_facts facts = {0};
        if (n && piece_look(l, layout, f, &facts)) {
            if (n->taken) fail("two pieces have one name", n->function);
            n->taken = true;
            l->SetLinkage(f, LLVM_EXTERNAL);
            hold_written_out(l, context, f);
        }
        array_free(&facts.accesses);
    }
}

// Functions that are no pieces, and that none calls.
static void drop_functions(const struct llvm *l, llvm_ref module) {
    for (bool dropped = true; dropped;) {
        dropped = false;
        for (llvm_ref f = l->GetFirstFunction(module), next; f; f = next) {
            next = l->GetNextFunction(f);
            if (is_piece(l, f) || l->GetFirstUse(f)) continue;
            l->DeleteFunction(f);
            dropped = true;
        }
    }
}

// Beside OUT: stencils that have no piece here, for the tests.
static void write_left_out(const char *out) {
    char path[4096];
    snprintf(path, sizeof path, "%s.left", out);
    FILE *f = fopen(path, "w");
    if (!f) fail("cannot be written", path);
    for (size_t i = 0; i < name_count; i++)
        if (!names[i].taken) fprintf(f, "%s\n", names[i].function);
    if (fclose(f)) fail("cannot be written", path);
}

static void write_out(const char *path, const void *data, size_t size) {
    FILE *f = fopen(path, "wb");
    if (!f || fwrite(data, 1, size, f) != size || fclose(f)) fail("cannot be written", path);
}

static void write_compressed(const char *path, const uint8_t *bitcode, size_t size) {
    size_t count, back;
    uint8_t *numbers = bitstream_to_numbers(bitcode, size, &count);
    uint8_t *same = numbers ? bitstream_from_numbers(numbers, count, &back) : NULL;
    if (!same || back != size || memcmp(same, bitcode, size)) fail("its bit stream does not come back", path);
    const size_t bound = ZSTD_compressBound(count);
    char *out = malloc(bound);
    const size_t compressed = out ? ZSTD_compress(out, bound, numbers, count, 19) : 0;
    if (!compressed || ZSTD_isError(compressed)) fail("cannot be compressed", path);
    write_out(path, out, compressed);
    free(out);
    free(same);
    free(numbers);
}

int main(int argc, char **argv) {
    if (argc < 6) return 1;
    const struct llvm *l = llvm_load((unsigned)atoi(argv[3]), NULL);
    if (!l) {
        write_out(argv[4], "", 0);
        return 0;
    }
    read_names(argv[1], (unsigned)atoi(argv[2]));
    llvm_ref context = l->ContextCreate(), all = NULL, machine, target;
    char *message = NULL;
    for (int i = 5; i < argc; i++) {
        size_t size;
        void *data = read_file(argv[i], &size);
        llvm_ref module, buffer = l->CreateMemoryBufferWithMemoryRange(data, size, argv[i], 0);
        if (l->ParseBitcodeInContext2(context, buffer, &module)) fail("no bitcode", argv[i]);
        if (l->GetTargetFromTriple(l->GetTarget(module), &target, &message)) fail(message, argv[i]);
        machine = l->CreateTargetMachine(target, l->GetTarget(module), "", "", 2, 2, 0);
        llvm_ref layout = l->CreateTargetDataLayout(machine);
        drop_globals(l, module);
        keep_pieces(l, context, layout, module);
        drop_functions(l, module);
        if (!all)
            all = module;
        else if (l->LinkModules2(all, module))
            fail("cannot be linked", argv[i]);
    }
    for (llvm_ref f = l->GetFirstFunction(all); f; f = l->GetNextFunction(f)) // only what is used is taken
        if (!l->IsDeclaration(f) && is_piece(l, f)) l->SetLinkage(f, LLVM_LINK_ONCE_ODR);
    write_left_out(argv[4]);
    llvm_ref bytes = l->WriteBitcodeToMemoryBuffer(all);
    write_compressed(argv[4], (const uint8_t *)l->GetBufferStart(bytes), l->GetBufferSize(bytes));
    return 0;
}
