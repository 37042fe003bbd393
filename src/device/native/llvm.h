// SPDX-License-Identifier: MIT
// What the third tier asks of LLVM, through its C interface. The library is loaded when it is first wanted:
// nothing is linked with it and none of its headers are needed, so these declarations are our own.
#ifndef DEVICE_NATIVE_LLVM_H
#define DEVICE_NATIVE_LLVM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// One incomplete type is enough: contexts, modules, types, values, blocks, builders, buffers, attributes,
// targets.
typedef struct llvm_opaque *llvm_ref;
typedef int llvm_bool;

// X(result, name, parameters)
#define LLVM_FUNCTIONS(X)                                                                                    \
    X(void, GetVersion, (unsigned *, unsigned *, unsigned *))                                                \
    X(llvm_ref, ContextCreate, (void))                                                                       \
    X(void, ContextDispose, (llvm_ref))                                                                      \
    X(void, ContextSetDiagnosticHandler, (llvm_ref, void (*)(llvm_ref, void *), void *))                     \
    X(int, GetDiagInfoSeverity, (llvm_ref))                                                                  \
    X(void, InstallFatalErrorHandler, (void (*)(const char *)))                                              \
    X(llvm_ref, ModuleCreateWithNameInContext, (const char *, llvm_ref))                                     \
    X(void, DisposeModule, (llvm_ref))                                                                       \
    X(void, SetTarget, (llvm_ref, const char *))                                                             \
    X(const char *, GetTarget, (llvm_ref))                                                                   \
    X(void, SetModuleDataLayout, (llvm_ref, llvm_ref))                                                       \
    X(llvm_ref, CreateTargetDataLayout, (llvm_ref))                                                          \
    X(void, DisposeTargetData, (llvm_ref))                                                                   \
    X(unsigned long long, ABISizeOfType, (llvm_ref, llvm_ref))                                               \
    X(unsigned long long, StoreSizeOfType, (llvm_ref, llvm_ref))                                             \
    X(llvm_ref, CreateMemoryBufferWithMemoryRange, (const char *, size_t, const char *, llvm_bool))          \
    X(void, DisposeMemoryBuffer, (llvm_ref))                                                                 \
    X(const char *, GetBufferStart, (llvm_ref))                                                              \
    X(size_t, GetBufferSize, (llvm_ref))                                                                     \
    X(llvm_bool, ParseBitcodeInContext2, (llvm_ref, llvm_ref, llvm_ref *))                                   \
    X(llvm_bool, GetBitcodeModuleInContext2, (llvm_ref, llvm_ref, llvm_ref *))                               \
    X(llvm_ref, WriteBitcodeToMemoryBuffer, (llvm_ref))                                                      \
    X(llvm_bool, LinkModules2, (llvm_ref, llvm_ref))                                                         \
    X(char *, PrintModuleToString, (llvm_ref))                                                               \
    X(void, DisposeMessage, (char *))                                                                        \
    X(llvm_ref, GetFirstFunction, (llvm_ref))                                                                \
    X(llvm_ref, GetNextFunction, (llvm_ref))                                                                 \
    X(llvm_ref, GetNamedFunction, (llvm_ref, const char *))                                                  \
    X(llvm_ref, GetFirstGlobal, (llvm_ref))                                                                  \
    X(llvm_ref, GetNextGlobal, (llvm_ref))                                                                   \
    X(void, DeleteGlobal, (llvm_ref))                                                                        \
    X(void, DeleteFunction, (llvm_ref))                                                                      \
    X(const char *, GetValueName2, (llvm_ref, size_t *))                                                     \
    X(void, SetValueName2, (llvm_ref, const char *, size_t))                                                 \
    X(llvm_bool, IsDeclaration, (llvm_ref))                                                                  \
    X(void, SetLinkage, (llvm_ref, int))                                                                     \
    X(void, SetVisibility, (llvm_ref, int))                                                                  \
    X(llvm_ref, GetFirstUse, (llvm_ref))                                                                     \
    X(llvm_ref, GetInitializer, (llvm_ref))                                                                  \
    X(llvm_ref, GetFirstBasicBlock, (llvm_ref))                                                              \
    X(llvm_ref, GetNextBasicBlock, (llvm_ref))                                                               \
    X(llvm_ref, GetFirstInstruction, (llvm_ref))                                                             \
    X(llvm_ref, GetNextInstruction, (llvm_ref))                                                              \
    X(int, GetInstructionOpcode, (llvm_ref))                                                                 \
    X(int, GetNumOperands, (llvm_ref))                                                                       \
    X(llvm_ref, GetOperand, (llvm_ref, unsigned))                                                            \
    X(llvm_ref, GetCalledValue, (llvm_ref))                                                                  \
    X(unsigned, GetIntrinsicID, (llvm_ref))                                                                  \
    X(llvm_ref, IsAFunction, (llvm_ref))                                                                     \
    X(llvm_ref, IsAInlineAsm, (llvm_ref))                                                                    \
    X(llvm_ref, IsAConstantInt, (llvm_ref))                                                                  \
    X(llvm_ref, IsAConstantExpr, (llvm_ref))                                                                 \
    X(llvm_ref, IsAInstruction, (llvm_ref))                                                                  \
    X(llvm_ref, IsAArgument, (llvm_ref))                                                                     \
    X(llvm_bool, IsNull, (llvm_ref))                                                                         \
    X(int, GetConstOpcode, (llvm_ref))                                                                       \
    X(unsigned long long, ConstIntGetZExtValue, (llvm_ref))                                                  \
    X(long long, ConstIntGetSExtValue, (llvm_ref))                                                           \
    X(llvm_ref, GetGEPSourceElementType, (llvm_ref))                                                         \
    X(llvm_ref, TypeOf, (llvm_ref))                                                                          \
    X(int, GetTypeKind, (llvm_ref))                                                                          \
    X(llvm_ref, GetParam, (llvm_ref, unsigned))                                                              \
    X(unsigned, CountParams, (llvm_ref))                                                                     \
    X(llvm_ref, GlobalGetValueType, (llvm_ref))                                                              \
    X(llvm_ref, Int1TypeInContext, (llvm_ref))                                                               \
    X(llvm_ref, Int8TypeInContext, (llvm_ref))                                                               \
    X(llvm_ref, Int32TypeInContext, (llvm_ref))                                                              \
    X(llvm_ref, Int64TypeInContext, (llvm_ref))                                                              \
    X(llvm_ref, VoidTypeInContext, (llvm_ref))                                                               \
    X(llvm_ref, PointerTypeInContext, (llvm_ref, unsigned))                                                  \
    X(llvm_ref, VectorType, (llvm_ref, unsigned))                                                            \
    X(llvm_ref, ArrayType2, (llvm_ref, uint64_t))                                                            \
    X(llvm_ref, FunctionType, (llvm_ref, llvm_ref *, unsigned, llvm_bool))                                   \
    X(llvm_ref, ConstInt, (llvm_ref, unsigned long long, llvm_bool))                                         \
    X(llvm_ref, ConstNull, (llvm_ref))                                                                       \
    X(llvm_ref, AddFunction, (llvm_ref, const char *, llvm_ref))                                             \
    X(llvm_ref, AddGlobal, (llvm_ref, llvm_ref, const char *))                                               \
    X(llvm_ref, AppendBasicBlockInContext, (llvm_ref, llvm_ref, const char *))                               \
    X(llvm_ref, CreateBuilderInContext, (llvm_ref))                                                          \
    X(void, DisposeBuilder, (llvm_ref))                                                                      \
    X(void, PositionBuilderAtEnd, (llvm_ref, llvm_ref))                                                      \
    X(llvm_ref, GetInsertBlock, (llvm_ref))                                                                  \
    X(llvm_ref, BuildAlloca, (llvm_ref, llvm_ref, const char *))                                             \
    X(llvm_ref, BuildLoad2, (llvm_ref, llvm_ref, llvm_ref, const char *))                                    \
    X(llvm_ref, BuildStore, (llvm_ref, llvm_ref, llvm_ref))                                                  \
    X(void, SetAlignment, (llvm_ref, unsigned))                                                              \
    X(llvm_ref, BuildMemCpy, (llvm_ref, llvm_ref, unsigned, llvm_ref, unsigned, llvm_ref))                   \
    X(llvm_ref, BuildGEP2, (llvm_ref, llvm_ref, llvm_ref, llvm_ref *, unsigned, const char *))               \
    X(llvm_ref, BuildCall2, (llvm_ref, llvm_ref, llvm_ref, llvm_ref *, unsigned, const char *))              \
    X(llvm_ref, BuildICmp, (llvm_ref, int, llvm_ref, llvm_ref, const char *))                                \
    X(llvm_ref, BuildPtrToInt, (llvm_ref, llvm_ref, llvm_ref, const char *))                                 \
    X(llvm_ref, BuildBr, (llvm_ref, llvm_ref))                                                               \
    X(llvm_ref, BuildCondBr, (llvm_ref, llvm_ref, llvm_ref, llvm_ref))                                       \
    X(llvm_ref, BuildSwitch, (llvm_ref, llvm_ref, llvm_ref, unsigned))                                       \
    X(void, AddCase, (llvm_ref, llvm_ref, llvm_ref))                                                         \
    X(llvm_ref, BuildRet, (llvm_ref, llvm_ref))                                                              \
    X(llvm_ref, BuildUnreachable, (llvm_ref))                                                                \
    X(llvm_ref, GetInlineAsm,                                                                                \
      (llvm_ref, const char *, size_t, const char *, size_t, llvm_bool, llvm_bool, int, llvm_bool))          \
    X(llvm_ref, IsAConstant, (llvm_ref))                                                                     \
    X(llvm_ref, GetAggregateElement, (llvm_ref, unsigned))                                                   \
    X(unsigned, GetNumMaskElements, (llvm_ref))                                                              \
    X(int, GetMaskValue, (llvm_ref, unsigned))                                                               \
    X(int, GetICmpPredicate, (llvm_ref))                                                                     \
    X(llvm_bool, GetIsDisjoint, (llvm_ref))                                                                  \
    X(unsigned, GetVectorSize, (llvm_ref))                                                                   \
    X(llvm_ref, GetElementType, (llvm_ref))                                                                  \
    X(unsigned, GetIntTypeWidth, (llvm_ref))                                                                 \
    X(llvm_ref, IntTypeInContext, (llvm_ref, unsigned))                                                      \
    X(llvm_ref, ConstVector, (llvm_ref *, unsigned))                                                         \
    X(llvm_ref, GetPoison, (llvm_ref))                                                                       \
    X(llvm_ref, BuildBinOp, (llvm_ref, int, llvm_ref, llvm_ref, const char *))                               \
    X(llvm_ref, BuildCast, (llvm_ref, int, llvm_ref, llvm_ref, const char *))                                \
    X(llvm_ref, BuildFreeze, (llvm_ref, llvm_ref, const char *))                                             \
    X(llvm_ref, BuildSelect, (llvm_ref, llvm_ref, llvm_ref, llvm_ref, const char *))                         \
    X(llvm_ref, BuildExtractElement, (llvm_ref, llvm_ref, llvm_ref, const char *))                           \
    X(llvm_ref, BuildInsertElement, (llvm_ref, llvm_ref, llvm_ref, llvm_ref, const char *))                  \
    X(llvm_ref, BuildShuffleVector, (llvm_ref, llvm_ref, llvm_ref, llvm_ref, const char *))                  \
    X(void, PositionBuilderBefore, (llvm_ref, llvm_ref))                                                     \
    X(void, ReplaceAllUsesWith, (llvm_ref, llvm_ref))                                                        \
    X(void, InstructionEraseFromParent, (llvm_ref))                                                          \
    X(unsigned, GetEnumAttributeKindForName, (const char *, size_t))                                         \
    X(llvm_ref, CreateEnumAttribute, (llvm_ref, unsigned, uint64_t))                                         \
    X(llvm_ref, CreateStringAttribute, (llvm_ref, const char *, unsigned, const char *, unsigned))           \
    X(void, AddAttributeAtIndex, (llvm_ref, unsigned, llvm_ref))                                             \
    X(unsigned, GetAttributeCountAtIndex, (llvm_ref, unsigned))                                              \
    X(void, GetAttributesAtIndex, (llvm_ref, unsigned, llvm_ref *))                                          \
    X(void, RemoveEnumAttributeAtIndex, (llvm_ref, unsigned, unsigned))                                      \
    X(void, AddCallSiteAttribute, (llvm_ref, unsigned, llvm_ref))                                            \
    X(llvm_bool, IsStringAttribute, (llvm_ref))                                                              \
    X(llvm_ref, CreatePassBuilderOptions, (void))                                                            \
    X(void, DisposePassBuilderOptions, (llvm_ref))                                                           \
    X(llvm_ref, RunPasses, (llvm_ref, const char *, llvm_ref, llvm_ref))                                     \
    X(char *, GetErrorMessage, (llvm_ref))                                                                   \
    X(void, DisposeErrorMessage, (char *))                                                                   \
    X(void, InitializeX86TargetInfo, (void))                                                                 \
    X(void, InitializeX86Target, (void))                                                                     \
    X(void, InitializeX86TargetMC, (void))                                                                   \
    X(void, InitializeX86AsmPrinter, (void))                                                                 \
    X(void, InitializeX86AsmParser, (void))                                                                  \
    X(llvm_bool, GetTargetFromTriple, (const char *, llvm_ref *, char **))                                   \
    X(llvm_ref, CreateTargetMachine, (llvm_ref, const char *, const char *, const char *, int, int, int))    \
    X(void, DisposeTargetMachine, (llvm_ref))                                                                \
    X(llvm_bool, TargetMachineEmitToMemoryBuffer, (llvm_ref, llvm_ref, int, char **, llvm_ref *))            \
    X(llvm_bool, VerifyModule, (llvm_ref, int, char **))

// What of their enumerations is used.
enum {
    LLVM_RET = 1,
    LLVM_ADD = 8,
    LLVM_SUB = 10,
    LLVM_MUL = 12,
    LLVM_SHL = 20,
    LLVM_LSHR = 21,
    LLVM_ASHR = 22,
    LLVM_AND = 23,
    LLVM_OR = 24,
    LLVM_XOR = 25,
    LLVM_ALLOCA = 26,
    LLVM_LOAD = 27,
    LLVM_STORE = 28,
    LLVM_GEP = 29,
    LLVM_TRUNC = 30,
    LLVM_ZEXT = 31,
    LLVM_SEXT = 32,
    LLVM_INT_TO_PTR = 40,
    LLVM_BIT_CAST = 41,
    LLVM_ICMP = 42,
    LLVM_PHI = 44,
    LLVM_CALL = 45,
    LLVM_SELECT = 46,
    LLVM_EXTRACT_ELEMENT = 50,
    LLVM_INSERT_ELEMENT = 51,
    LLVM_SHUFFLE = 52,
    LLVM_COMPARE_EXCHANGE = 56,
    LLVM_ATOMIC = 57 // that reads, changes and writes
};
enum { LLVM_EXTERNAL = 0, LLVM_LINK_ONCE_ODR = 3, LLVM_HIDDEN = 1 };
enum { LLVM_INTEGER = 8, LLVM_POINTER = 12, LLVM_VECTOR = 13 }; // kinds of types
enum {
    LLVM_EQ = 32,
    LLVM_NE,
    LLVM_UGT,
    LLVM_UGE,
    LLVM_ULT,
    LLVM_ULE,
    LLVM_SGT,
    LLVM_SGE,
    LLVM_SLT,
    LLVM_SLE
};
enum { LLVM_FUNCTION_INDEX = -1 };

struct llvm {
    void *library;
    unsigned major;
#define LLVM_FIELD(result, name, parameters) result(*name) parameters;
    LLVM_FUNCTIONS(LLVM_FIELD)
#undef LLVM_FIELD
};

// How to load it into a process that ends when it likes, with a thread in LLVM. What C++ registers to be done
// at the end, first of all, would take away from under that thread what it works with. So the library is
// opened by way of one that has nothing but a __cxa_atexit that does nothing, before all others: LLVM's end
// never comes.
struct llvm_stub {
    const uint8_t *begin, *end;
};
// The library of that major version, loaded at the first call; by itself where `stub` is NULL. NULL: there is
// none, or it gave up.
const struct llvm *llvm_load(unsigned major, const struct llvm_stub *stub);
// Whether the process had the library without us, and ends it: only who keeps it from ending may work with
// LLVM.
bool llvm_is_others(void);
// Its path; NULL: not known.
const char *llvm_file(const struct llvm *l);
// Why llvm_load says NULL.
const char *llvm_why_not(void);

// A context in which errors end llvm_try.
llvm_ref llvm_context(const struct llvm *l);
// Does some work with LLVM. False: LLVM ran into what it ends processes for. Nobody asks it again then; what
// it had allocated stays.
bool llvm_try(void (*work)(void *context), void *context);

#endif
