// SPDX-License-Identifier: MIT
// The phases of a plan's way to an object: flow.c looks at the plan, code.c and wave_loop.c make functions,
// LLVM makes one of the pieces and simplifies it, lanes.c answers what pieces ask of lanes.
#include "jit/alike.h"
#include "jit/control_word.h"
#include "jit/dump.h"
#include "jit/joining.h"
#include "jit/lanes.h"
#include "jit/loops.h"
#include "jit/remember.h"
#include "jit/wave_loop.h"
#include "jit/wholes.h"

#include <stdlib.h>
#include <string.h>

// ---- The module ----

static void declare(struct fuse *f) {
    const struct llvm *l = f->l;
    llvm_ref parameters[PIECE_PARAMETER_COUNT];
    f->void_type = l->VoidTypeInContext(f->context);
    f->i8 = l->Int8TypeInContext(f->context);
    f->i32 = l->Int32TypeInContext(f->context);
    f->i64 = l->Int64TypeInContext(f->context);
    f->pointer = l->PointerTypeInContext(f->context, 0);
    for (unsigned i = 0; i < PIECE_PARAMETER_COUNT; i++)
        parameters[i] = i == PIECE_PC || i == PIECE_E || i == PIECE_LDS_MASK ? f->i32
                        : i                                                  ? f->i64
                                                                             : f->pointer;
    f->piece_type = l->FunctionType(f->pointer, parameters, PIECE_PARAMETER_COUNT, 0);
    llvm_ref two[] = {f->pointer, f->pointer}, own[] = {f->pointer, f->i32};
    f->handler_type = l->FunctionType(f->pointer, two, 2, 0);
    f->function = l->AddFunction(f->module, FUSED_FUNCTION, l->FunctionType(f->pointer, own, 2, 0));
    f->wave = l->GetParam(f->function, 0);
    f->entry = l->GetParam(f->function, 1);
    f->table = l->AddGlobal(f->module, l->ArrayType2(f->i8, 1 << 20), FUSED_TABLE);
    l->SetVisibility(f->table, LLVM_HIDDEN);
    f->barrier_type = l->FunctionType(f->void_type, NULL, 0, 0);
    f->barrier = l->GetInlineAsm(f->barrier_type, "", 0, "~{memory}", 9, 1, 0, 0, 0);
    f->cold = l->CreateEnumAttribute(f->context, l->GetEnumAttributeKindForName("cold", 4), 0);
}

// Pieces of the plan, from the level's bitcode.
static bool take_pieces(struct fuse *f) {
    const struct llvm *l = f->l;
    llvm_ref all, buffer = l->CreateMemoryBufferWithMemoryRange((const char *)f->job->bitcode,
                                                                f->job->bitcode_bytes, "pieces", 0);
    for (size_t i = 0; i < f->plan->steps.count; i++) {
        if (f->plan->steps.items[i].kind != STEP_PIECE) continue;
        const char *name = plan_piece(f->plan, i);
        if (!l->GetNamedFunction(f->module, name)) l->AddFunction(f->module, name, f->piece_type);
    }
    if (l->GetBitcodeModuleInContext2(f->context, buffer, &all)) return false;
    l->SetTarget(f->module, l->GetTarget(all));
    char *message = NULL;
    llvm_ref target;
    if (l->GetTargetFromTriple(l->GetTarget(all), &target, &message)) {
        l->DisposeMessage(message);
        return false;
    }
    f->machine = l->CreateTargetMachine(target, l->GetTarget(all), "", "", 2, 2, 3);
    f->layout = l->CreateTargetDataLayout(f->machine);
    l->SetModuleDataLayout(f->module, f->layout);
    return !l->LinkModules2(f->module, all);
}

// Of the function what the pieces have that says for which processor they are, so that they fit in.
static void copy_attributes(const struct fuse *f, llvm_ref piece) {
    const struct llvm *l = f->l;
    const unsigned index = (unsigned)LLVM_FUNCTION_INDEX, count = l->GetAttributeCountAtIndex(piece, index);
    llvm_ref *all = calloc(count + 1, sizeof *all);
    if (!all) return;
    l->GetAttributesAtIndex(piece, index, all);
    for (unsigned i = 0; i < count; i++)
        if (l->IsStringAttribute(all[i])) l->AddAttributeAtIndex(f->function, index, all[i]);
    free(all);
}

static bool look_at_pieces(struct fuse *f) {
    const struct llvm *l = f->l;
    const unsigned index = (unsigned)LLVM_FUNCTION_INDEX;
    llvm_ref inlined =
        l->CreateEnumAttribute(f->context, l->GetEnumAttributeKindForName("alwaysinline", 12), 0);
    bool any = false;
    const size_t loops_end = f->plan->loops_end;
    for (size_t i = 0; i < f->plan->steps.count; i++) {
        struct step *s = &f->plan->steps.items[i];
        if (s->kind != STEP_PIECE) continue;
        llvm_ref piece = l->GetNamedFunction(f->module, plan_piece(f->plan, i));
        if (!piece || l->IsDeclaration(piece)) { // gather.c left it out
            if (s->otherwise != STEP_CALL) return false;
            s->kind = STEP_CALL;
            s->may_leave = s->is_memory = false;
            continue;
        }
        if (!piece_look(l, f->layout, piece, &f->facts[i])) return false;
        // Arithmetic that leaves rare values to its handler. Behind the last loop there is little to come
        // back for, and ways back have much code: each stores and loads what the copy has.
        if (s->class == SW_CLASS_VALU && s->otherwise == STEP_CALL && f->facts[i].comes_back) {
            s->may_leave = true;
            f->facts[i].comes_back = i < loops_end;
        }
        l->AddAttributeAtIndex(piece, index, inlined);
        if (!any) copy_attributes(f, piece);
        f->pieces[i] = piece;
        any = true;
    }
    // Vector registers that are kept on the stack do not lie across two lines of the cache.
    static const struct {
        const char *name;
        uint64_t value;
    } own[] = {{"nounwind", 0}, {"strictfp", 0}, {"alignstack", 64}};
    for (size_t i = 0; i < sizeof own / sizeof *own; i++) {
        const unsigned kind = l->GetEnumAttributeKindForName(own[i].name, strlen(own[i].name));
        l->AddAttributeAtIndex(f->function, index, l->CreateEnumAttribute(f->context, kind, own[i].value));
    }
    return any;
}

static bool make_room(struct fuse *f) {
    const size_t n = f->plan->steps.count;
    f->pieces = calloc(n, sizeof *f->pieces);
    f->facts = calloc(n, sizeof *f->facts);
    f->writes = calloc(n, sizeof *f->writes);
    f->writes_exec = calloc(n, sizeof *f->writes_exec);
    f->cheap = calloc(n, sizeof *f->cheap);
    f->head = calloc(n, sizeof *f->head);
    for (unsigned v = 0; v < VERSIONS; v++) { f->segment_of[v] = malloc(n * sizeof *f->segment_of[v]); }
    f->constants = calloc(1, sizeof *f->constants);
    if (f->constants) wave_fill_constants(f->constants);
    return f->constants && f->pieces && f->facts && f->writes && f->writes_exec && f->cheap && f->head &&
           f->segment_of[0] && f->segment_of[1];
}

static void give_back(struct fuse *f) {
    for (size_t i = 0; f->facts && i < f->plan->steps.count; i++) array_free(&f->facts[i].accesses);
    for (size_t i = 0; i < f->segments.count; i++) free(f->segments.items[i].dirty);
    array_free(&f->segments);
    array_free(&f->slots);
    array_free(&f->written);
    free(f->pieces);
    free(f->facts);
    free(f->writes);
    free(f->writes_exec);
    free(f->cheap);
    free(f->head);
    free(f->segment_of[0]);
    free(f->segment_of[1]);
    free(f->dirty);
    free(f->changed);
    free(f->since_exit);
    for (size_t i = 0; i < f->exits.count; i++) free(f->exits.items[i].dirty);
    array_free(&f->exits);
    free(f->soon);
    free(f->constants);
    forget_kept(f);
    if (f->layout) f->l->DisposeTargetData(f->layout);
    if (f->machine) f->l->DisposeTargetMachine(f->machine);
    if (f->module) f->l->DisposeModule(f->module);
    if (f->context) f->l->ContextDispose(f->context);
}

// What pieces ask of lanes has one answer wherever waves do not lie in chunks, or do: before pieces are
// joined, so that what the other answer leads to is never looked at.
static void answer_ahead(const struct fuse *f) {
    const struct llvm *l = f->l;
    const bool in_chunks = rows_in_chunks(f->plan->rows);
    const char *const no[] = {in_chunks ? LANES_WIDE : LANES_WIDE_CHUNK, in_chunks ? NULL : LANES_APART};
    for (size_t i = 0; i < sizeof no / sizeof *no; i++) {
        llvm_ref function = no[i] ? l->GetNamedFunction(f->module, no[i]) : NULL;
        for (llvm_ref use; function && (use = l->GetFirstUse(function));) {
            llvm_ref call = l->GetUser(use);
            l->ReplaceAllUsesWith(call, l->ConstNull(l->TypeOf(call)));
            l->InstructionEraseFromParent(call);
        }
    }
}

// ---- The phases ----

static bool begin_module(struct fuse *f) {
    f->context = llvm_context(f->l);
    f->module = f->l->ModuleCreateWithNameInContext("fused", f->context);
    declare(f);
    if (!make_room(f) || !take_pieces(f) || !look_at_pieces(f)) return false;
    answer_ahead(f);
    return true;
}

static bool find_places(struct fuse *f) {
    if (!find_slots(f)) return false;
    find_heads(f);
    find_far(f);
    return (f->dirty = calloc(f->words, sizeof *f->dirty)) &&
           (f->changed = calloc(f->words, sizeof *f->changed)) &&
           (f->since_exit = calloc(f->words, sizeof *f->since_exit)) &&
           (f->soon = calloc(f->words * f->plan->steps.count, sizeof *f->soon));
}

// One wave loop, for launches like the last one: that for rows keeps no waves, so that guarded code has the
// other one too. Other launches run each wave by itself, as do those of longer code without rows, for which
// it matters less.
enum { SHORT_STEPS = 160 };
static bool put_functions(struct fuse *f) {
    const struct plan *plan = f->plan;
    const bool has_loops = !plan->quick && plan->functions != FUNCTIONS_USUAL;
    const bool group = has_loops && group_loop_possible(f), waves = has_loops && wave_loop_possible(f);
    const bool rows = waves && plan->rows != ROWS_NONE, needs_other = !rows || plan->guarded,
               other = waves && needs_other && plan->steps.count <= SHORT_STEPS;
    if (plan->functions != FUNCTIONS_LOOPS)
        put_code(f);
    else if (!(group || rows || other))
        return false;
    if (!f->failed && group) put_group_loop(f);
    if (!f->failed && rows) put_wave_loop(f, true);
    if (!f->failed && other) put_wave_loop(f, false);
    return !f->failed;
}

static bool pass(const struct fuse *f, const char *passes) {
    const struct llvm *l = f->l;
    llvm_ref options = l->CreatePassBuilderOptions();
    llvm_ref error = l->RunPasses(f->module, passes, f->machine, options);
    l->DisposePassBuilderOptions(options);
    if (error) l->DisposeErrorMessage(l->GetErrorMessage(error));
    return !error;
}

// Generating code takes most of the time, in proportion to the instructions that are left. What takes longer
// than that is a second or two for the compiler's thread; who asks for compiled code waits for more.
enum { MOST_QUICK = 60000, MOST = 400000 };
static bool is_too_large(const struct fuse *f) {
    const struct llvm *l = f->l;
    size_t count = 0;
    for (llvm_ref i = l->GetFirstFunction(f->module); i; i = l->GetNextFunction(i))
        for (llvm_ref b = l->IsDeclaration(i) ? NULL : l->GetFirstBasicBlock(i); b;
             b = l->GetNextBasicBlock(b))
            for (llvm_ref k = l->GetFirstInstruction(b); k; k = l->GetNextInstruction(k)) count++;
    const unsigned usual = f->plan->quick ? MOST_QUICK : MOST;
    return count > (f->plan->most ? f->plan->most : usual);
}

// Pieces become one function, which is simplified until only registers of the host are left of the copy.
static bool join(struct fuse *f) {
    const char *const full =
        "always-inline,function(sroa<modify-cfg>,early-cse<memssa>,instcombine<no-verify-fixpoint>,"
        "simplifycfg,sroa<modify-cfg>,jump-threading,gvn<no-pre;no-load-pre>,"
        "instcombine<no-verify-fixpoint>,simplifycfg)";
    const char *const quick =
        "always-inline,function(sroa<modify-cfg>,early-cse<memssa>,instcombine<no-verify-fixpoint>,"
        "simplifycfg,sroa<modify-cfg>,instcombine<no-verify-fixpoint>,simplifycfg)";
    if (!pass(f, f->plan->quick ? quick : full)) return false;
    f->plan->too_large = is_too_large(f);
    return !f->plan->too_large;
}

// Where no wave waits, none goes on.
static bool drop_places(struct fuse *f) {
    enum { MOST_ROUNDS = 4 };
    bool any = true;
    for (unsigned round = 0; round < MOST_ROUNDS && any; round++) {
        any = false;
        for (llvm_ref i = f->l->GetFirstFunction(f->module); i; i = f->l->GetNextFunction(i)) {
            bool dropped = false;
            if (!f->l->IsDeclaration(i) && !loops_drop(f, i, &dropped)) return false;
            any |= dropped;
        }
        if (any && !pass(f, "function(simplifycfg)")) return false;
    }
    return true;
}

static bool resolve(struct fuse *f) {
    if (!drop_places(f)) return false;
    for (llvm_ref i = f->l->GetFirstFunction(f->module); i; i = f->l->GetNextFunction(i))
        if (!f->l->IsDeclaration(i) && !lanes_resolve(f, i)) return false;
    return true;
}

// Behind the answers to what pieces ask of lanes. Quick code leaves halves as they are.
static bool make_wholes(struct fuse *f) {
    if (f->plan->quick) return true;
    if (!pass(f, "function(instcombine<no-verify-fixpoint>,simplifycfg,gvn)")) return false;
    for (llvm_ref i = f->l->GetFirstFunction(f->module); i; i = f->l->GetNextFunction(i))
        if (!f->l->IsDeclaration(i) && !wholes_make(f, i, f->wholes)) return false;
    return true;
}

// Behind these: two halves that are the same in all lanes are a whole number before they are scalars.
static bool make_alike(const struct fuse *f) {
    for (llvm_ref i = f->l->GetFirstFunction(f->module); i; i = f->l->GetNextFunction(i))
        if (!f->l->IsDeclaration(i) && !alike_make(f, i)) return false;
    return true;
}

static bool join_alike(struct fuse *f) {
    struct all_held held = {0};
    hold_operations(f, &held);
    const bool ok = pass(f, "function(early-cse)");
    release_operations(f, &held);
    return ok && !held.failed;
}
static bool remember(struct fuse *f) {
    bool any;
    return remember_alike(f, &any) && (!any || pass(f, "always-inline"));
}
static bool finish(struct fuse *f) {
    const char *const full = "function(instcombine<no-verify-fixpoint>,simplifycfg,jump-threading,"
                             "loop-mssa(licm))",
                      *const full_end = "function(early-cse<memssa>,dse,adce,simplifycfg)";
    const char *const quick = "function(simplifycfg,early-cse<memssa>,dse,adce,simplifycfg)";
    const bool stays = control_word_stays(f);
    if (!f->plan->quick && !(make_alike(f) && pass(f, full) && (!stays || (join_alike(f) && remember(f)))))
        return false;
    if (!pass(f, f->plan->quick ? quick : full_end)) return false;
    if (stays) let_written_out_move(f);
    return true;
}

static bool emit(struct fuse *f) {
    const struct llvm *l = f->l;
    char *message = NULL;
    llvm_ref buffer;
    if (l->TargetMachineEmitToMemoryBuffer(f->machine, f->module, 1, &message, &buffer)) {
        l->DisposeMessage(message);
        return false;
    }
    f->size = l->GetBufferSize(buffer);
    f->object = malloc(f->size);
    if (f->object) memcpy(f->object, l->GetBufferStart(buffer), f->size);
    l->DisposeMemoryBuffer(buffer);
    return f->object;
}

static void show_flow(const struct fuse *f, struct text *t) { text_add(t, f->flow->data, f->flow->length); }
static void show_affine(const struct fuse *f, struct text *t) {
    text_add(t, f->affine->data, f->affine->length);
}
static void show_wholes(const struct fuse *f, struct text *t) {
    text_add(t, f->wholes->data, f->wholes->length);
}

static const struct phase {
    const char *name;
    bool (*run)(struct fuse *f);                        // false: it is given up; NULL: nothing is done
    void (*show)(const struct fuse *f, struct text *t); // NULL: there is nothing to be shown
} phases[] = {
    {"plan", begin_module, dump_plan},    // steps, with the pieces that LLVM has of them
    {"slots", find_places, dump_slots},   // places of the wave that the code names
    {"flow", put_functions, show_flow},   // segments, and what is newer where they begin
    {"code", NULL, dump_module},          // functions that call pieces
    {"join", join, dump_module},          // pieces are inlined, the copy of the wave is taken apart
    {"affine", resolve, show_affine},     // vectors that follow from their first lane
    {"wholes", make_wholes, show_wholes}, // numbers of 64 bits that were kept in halves
    {"finish", finish, dump_module},      // what is left is simplified once more
    {"object", emit, NULL},
};
enum { PHASES = sizeof phases / sizeof *phases };

const char *fuse_phase_name(size_t n) { return n < PHASES && phases[n].show ? phases[n].name : NULL; }

uint8_t *fuse(const struct fuse_job *job, size_t *size) {
    struct text flow = {0}, affine = {0}, wholes = {0};
    struct fuse f = {.job = job, .l = job->llvm, .plan = job->plan, .vector_bytes = job->vector_bytes};
    if (dump_names(job->dump, "flow")) f.flow = &flow;
    if (dump_names(job->dump, "affine")) f.affine = &affine;
    if (dump_names(job->dump, "wholes")) f.wholes = &wholes;
    for (size_t i = 0; i < PHASES; i++) {
        if (phases[i].run && !phases[i].run(&f)) break;
        if (!phases[i].show || !dump_names(job->dump, phases[i].name)) continue;
        struct text shown = {0};
        phases[i].show(&f, &shown);
        dump_put(job->dump, phases[i].name, &shown);
    }
    give_back(&f);
    text_free(&flow);
    text_free(&affine);
    text_free(&wholes);
    *size = f.size;
    return f.object;
}
