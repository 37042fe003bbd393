# The bodies of instructions and what is made of them: handlers for each vector level of the host, stencils for native
# code, bitcode for LLVM. Leaves BODIES, BODY_TOOLS (programs of the build among the sources) and BODY_OBJ.
BODIES     = $(wildcard src/exec/body/*.c)
BODY_TOOLS = src/jit/collect.c src/jit/gather.c
BODY_OBJ   = $(foreach l,$(LEVELS),$(BODIES:%.c=$(BUILD)/%.$(l).o)) $(STENCILS:%=$(BUILD)/stencils_%.o) $(if $(FUSED),$(BUILD)/fused.o)

# Bodies of vector instructions are compiled once per vector level of the host; the device picks one. v2 is for hosts
# from before 2013: -O1 takes two thirds of the time.
LEVELS      := $(if $(X86_64),v2 $(if $(QUICK),,v3 v4),plain)
march_v2     = -march=x86-64-v2 $(if $(filter -O2,$(OPT)),-O1 -foptimize-sibling-calls)
march_v3     = -march=x86-64-v3 -mno-vzeroupper
march_v4     = -march=x86-64-v4 -mprefer-vector-width=512 -mno-vzeroupper
# Stencils, the code of tier 1 (src/jit): bodies compiled once more, for each wave size. Sanitizers cannot follow
# them.
STENCILS    := $(if $(findstring -fsanitize,$(EXTRA)),,$(filter v3 v4,$(LEVELS)))
CPPFLAGS    += $(STENCILS:%=-DHAVE_STENCILS_%)
STENCIL_SRC  = $(addprefix src/exec/body/,$(addsuffix .c,scalar control steps icmp memory scratch lds atomic smem int int16 f32 f64 fcmp convert lane trans div))
STENCIL_FLAGS = -O2 -fno-pic -fno-pie -mcmodel=small -g0 -fno-asynchronous-unwind-tables -fcf-protection=none -fno-stack-protector -ffunction-sections -fdata-sections -fno-jump-tables -falign-functions=1 -Wno-psabi -Wno-unused-function -Wno-unused-parameter $(if $(CLANG_CC),,-falign-loops=1 -falign-jumps=1 -falign-labels=1 -fno-ipa-icf -fno-reorder-blocks-and-partition)
# Tier 2: the same bodies as bitcode, where there is a clang whose library LLVM can be loaded when it is wanted
# (src/jit/fuse.h). Without it everything else is the same.
LLVM_OLDEST  = 20
LLVM_CLANG  ?= $(if $(STENCILS),$(shell scripts/llvm.sh $(LLVM_OLDEST) clang 2>/dev/null))
LLVM_MAJOR  := $(if $(LLVM_CLANG),$(shell echo __clang_major__ | $(LLVM_CLANG) -E -P -xc - 2>/dev/null))
FUSED       := $(if $(shell test "$(LLVM_MAJOR)" -ge $(LLVM_OLDEST) 2>/dev/null && echo yes),$(STENCILS))
# Builds with sanitizers are for tests alone.
NO_LLVM_TIER = $(findstring -fsanitize,$(EXTRA))
CPPFLAGS    += $(if $(FUSED),-DHAVE_FUSED=$(LLVM_MAJOR))
# GPU programs may race among themselves: what bodies do to memory is not ThreadSanitizer's business. But jumps
# read links that other workers publish, and it must see that they do so in order.
UNWATCHED    = $(if $(filter src/exec/body/control.c,$<),,-fno-sanitize=thread)

# Jumps are not worth the bytes that their targets' alignment takes. Loops are: without it, histogram takes a sixth longer.
DENSE       := $(if $(CLANG_CC),,-falign-jumps=1 -falign-labels=1)

define level_rule
$(BUILD)/%.$(1).o: %.c
	$$(COMPILE) -Wno-psabi -g0 -fno-asynchronous-unwind-tables $$(DENSE) $$(UNWATCHED) $$(march_$(1)) -DLEVEL=$(1) -DLEVEL_$(1) -MMD -MP -c $$< -o $$@
endef
$(foreach l,$(LEVELS),$(eval $(call level_rule,$(l))))

# ---- Stencils ----
define stencil_rule
$(BUILD)/stencils/%.w$(2).$(1).o: %.c
	$$(COMPILE) $(STENCIL_FLAGS) $$(march_$(1)) -DLEVEL=$(1) -DLEVEL_$(1) -DSTENCIL=$(2) -MMD -MP -c $$< -o $$@
endef
$(foreach l,$(STENCILS),$(foreach w,32 64,$(eval $(call stencil_rule,$(l),$(w)))))
define stencils_rule
$(BUILD)/stencils_$(1).c: $(BUILD)/collect $(foreach w,32 64,$(STENCIL_SRC:%.c=$(BUILD)/stencils/%.w$(w).$(1).o))
	@$$< $(1) $$(@:.c=.image) $$(@:.c=.names) $$(filter %.o,$$^) > $$@.part && mv $$@.part $$@
$(BUILD)/stencils_$(1).o: $(BUILD)/stencils_$(1).c
	$$(COMPILE) -c $$< -o $$@
endef
$(foreach l,$(STENCILS),$(eval $(call stencils_rule,$(l))))
$(BUILD)/collect: src/jit/collect.c src/jit/stencil.h
	@$(HOST_COMPILE) $< -lzstd -o $@

# ---- Bitcode ----
# Scalars that compilers join to short vectors are not seen as addresses by what comes later (src/jit/wholes.c).
define bitcode_rule
$(BUILD)/bitcode/%.w$(2).$(1).bc: %.c
	@mkdir -p $$(@D) && echo "  LLVM    $$<" && $(LLVM_CLANG) $$(CPPFLAGS) -std=gnu17 -ffp-contract=off -frounding-math -fdenormal-fp-math=dynamic -fno-strict-aliasing -fno-slp-vectorize $(filter-out -falign% -fno-ipa% -fno-reorder%,$(STENCIL_FLAGS)) $$(march_$(1)) -DLEVEL=$(1) -DLEVEL_$(1) -DSTENCIL=$(2) -DFUSED -MMD -MP -MF $$(@:.bc=.d) -emit-llvm -c $$< -o $$@
$(BUILD)/fused_$(1).w$(2).image: $(BUILD)/gather $(BUILD)/stencils_$(1).c $(STENCIL_SRC:%.c=$(BUILD)/bitcode/%.w$(2).$(1).bc)
	@$$< $(BUILD)/stencils_$(1).names $(2) $(LLVM_MAJOR) $$@ $$(filter %.bc,$$^)
endef
$(foreach l,$(FUSED),$(foreach w,32 64,$(eval $(call bitcode_rule,$(l),$(w)))))
# LLVM's library is opened by way of this one, of a function that does nothing (src/llvm/llvm.h).
$(BUILD)/llvm_stub.so:
	@mkdir -p $(@D) && : >$@.empty.s && $(lastword $(CC)) -shared -nostdlib -Wl,-soname,libLLVM.so.$(LLVM_MAJOR).1 $@.empty.s -o $@.named.so
	@printf '.globl __cxa_atexit\n.type __cxa_atexit,@function\n__cxa_atexit: xorl %%eax, %%eax\nret\n.section .note.GNU-stack,"",@progbits\n' >$@.s
	@$(lastword $(CC)) -shared -nostdlib -Wl,--no-as-needed,--hash-style=gnu,-z,noseparate-code,-z,norelro,--build-id=none -s $@.s $@.named.so -o $@
# What compiled code depends on: what is kept of it elsewhere is for these sources and their bitcode alone.
FUSED_BY     = $(sort $(wildcard src/jit/*.[ch] src/exec/*.h src/llvm/*))
$(BUILD)/fused.s: $(BUILD)/llvm_stub.so $(FUSED_BY) $(foreach l,$(FUSED),$(foreach w,32 64,$(BUILD)/fused_$(l).w$(w).image))
	@{ echo ".section .rodata" && for i in $(FUSED:%=%_w32) $(FUSED:%=%_w64) stub; do case $$i in stub) f=llvm_stub.so ;; *) f=fused_$${i%_w*}.w$${i#*_w}.image ;; esac; printf '.balign 16\n.globl fused_%s, fused_%s_end\n.hidden fused_%s, fused_%s_end\nfused_%s:\n.incbin "%s"\nfused_%s_end:\n' $$i $$i $$i $$i $$i $(BUILD)/$$f $$i; done; printf '.balign 8\n.globl fused_sources\n.hidden fused_sources\nfused_sources: .quad %s\n' $$(cat $(filter-out %.so,$^) | cksum | cut -d ' ' -f 1); echo '.section .note.GNU-stack,"",@progbits'; } >$@.part && mv $@.part $@
$(BUILD)/fused.o: $(BUILD)/fused.s
	@$(lastword $(CC)) -c $< -o $@
$(BUILD)/gather: $(addprefix src/jit/,gather.c bitstream.c pieces.c bitstream.h pieces.h) $(addprefix src/llvm/,load.c llvm.h functions.def)
	@$(HOST_COMPILE) $(filter %.c,$^) -lzstd -ldl -o $@
# What knows whether there is bitcode is compiled again when a clang has come.
ifneq ($(FUSED),)
$(BUILD)/src/jit/fused.o: $(BUILD)/fused.o
endif
