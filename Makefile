# Softwave. `make help` lists the targets; CC, BUILD, OPT, EXTRA and WERROR may be set.
CC      ?= cc
BUILD   ?= build
PREFIX  ?= /usr/local
LIBDIR  ?= $(PREFIX)/lib
OPT     ?= -O2
VERSION  = 0.1.0
# All cores, unless the command line or a make above says otherwise.
ifeq ($(MAKELEVEL)$(findstring -j,$(MAKEFLAGS) $(shell echo "$$MAKEFLAGS")),0)
MAKEFLAGS += -j$(shell nproc 2>/dev/null || echo 2)
endif

# msgpack-c changed its name with version 6.
PACKAGES = zlib libzstd $(shell pkg-config --exists msgpack-c && echo msgpack-c || echo msgpack) yaml-0.1
WARN     = -Wall -Wextra -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wno-missing-field-initializers $(WERROR)
CPPFLAGS += -Iinclude -Isrc -I$(BUILD) -D_GNU_SOURCE $(LEVELS:%=-DHAVE_LEVEL_%)
CFLAGS   = -std=gnu17 -ffp-contract=off -frounding-math $(FLOATS) -fno-strict-aliasing -fPIC -fno-semantic-interposition $(OPT) -g $(WARN) $(EXTRA)
# Denormals are what MODE says. clang takes them for IEEE's unless told.
FLOATS  := $(if $(findstring clang,$(shell $(CC) --version)),$(shell for m in dynamic preserve-sign; do echo | $(CC) -fdenormal-fp-math=$$m -xc -fsyntax-only - 2>/dev/null && echo -fdenormal-fp-math=$$m && break; done))
LDLIBS   = $(shell pkg-config --libs $(PACKAGES)) -lm -lpthread -ldl
COMPILE  = @mkdir -p $(@D) && echo "  CC      $<" && $(CC) $(CPPFLAGS) $(CFLAGS)

# Bodies of vector instructions are compiled once per vector level of the host; the device picks one.
LEVELS      := $(if $(filter x86_64,$(shell uname -m)),v2 v3 v4,plain)
march_v2     = -march=x86-64-v2
march_v3     = -march=x86-64-v3 -mno-vzeroupper
march_v4     = -march=x86-64-v4 -mprefer-vector-width=512 -mno-vzeroupper
# The second tier's pieces of code (src/device/native): bodies compiled once more, for each wave size. Sanitizers
# cannot follow them.
STENCILS    := $(if $(findstring -fsanitize,$(EXTRA)),,$(filter v3 v4,$(LEVELS)))
CPPFLAGS    += $(STENCILS:%=-DHAVE_STENCILS_%)
STENCIL_SRC  = $(addprefix src/device/body/,$(addsuffix .c,scalar control steps icmp memory lds smem int f32 f64 fcmp convert lane trans))
STENCIL_FLAGS = -O2 -fno-pic -fno-pie -mcmodel=small -g0 -fno-asynchronous-unwind-tables -fcf-protection=none -fno-stack-protector -ffunction-sections -fdata-sections -fno-jump-tables -falign-functions=1 -Wno-psabi -Wno-unused-function -Wno-unused-parameter $(if $(findstring clang,$(shell $(CC) --version)),,-falign-loops=1 -falign-jumps=1 -falign-labels=1 -fno-ipa-icf -fno-reorder-blocks-and-partition)
# The third tier: the same bodies as bitcode, where there is a clang whose library LLVM can be loaded when it is wanted
# (src/device/native/fuse.h). Without it everything else is the same.
LLVM_CLANG  ?= $(firstword $(shell command -v clang-22 clang 2>/dev/null))
LLVM_MAJOR  := $(if $(STENCILS),$(if $(LLVM_CLANG),$(shell echo __clang_major__ | $(LLVM_CLANG) -E -P -xc - 2>/dev/null)))
FUSED       := $(if $(shell test "$(LLVM_MAJOR)" -ge 20 2>/dev/null && echo yes),$(STENCILS))
CPPFLAGS    += $(if $(FUSED),-DHAVE_FUSED=$(LLVM_MAJOR))
# GPU programs may race among themselves: what bodies do to memory is not ThreadSanitizer's business. But jumps
# read links that other workers publish, and it must see that they do so in order.
UNWATCHED    = $(if $(filter src/device/body/control.c,$<),,-fno-sanitize=thread)

# Of src/base what only programs and the runtime use.
FOR_PROGRAMS = src/base/progress.c src/base/trace_filter.c
# libswisa: the instructions alone, and the part of the assembler that needs no symbols, sections or files.
ISA_SRC = $(filter-out src/isa/expand.c $(FOR_PROGRAMS),$(wildcard src/base/*.c src/target/*.c src/isa/*.c src/dis/*.c src/asm/insn/*.c))
BODIES  = $(wildcard src/device/body/*.c)
LIB_SRC = $(sort $(ISA_SRC) $(filter-out $(BODIES) src/terascale/isa/expand.c src/device/native/collect.c src/device/native/gather.c,$(foreach d,asm meta object list profile link device terascale,$(wildcard src/$d/*.c src/$d/*/*.c))))
ISA_OBJ = $(ISA_SRC:%.c=$(BUILD)/%.o) $(BUILD)/isa_tables.o
LIB_OBJ = $(LIB_SRC:%.c=$(BUILD)/%.o) $(BUILD)/isa_tables.o $(BUILD)/terascale_tables.o $(foreach l,$(LEVELS),$(BODIES:%.c=$(BUILD)/%.$(l).o)) $(STENCILS:%=$(BUILD)/stencils_%.o) $(if $(FUSED),$(BUILD)/fused.o)
# Nothing but the public interface, and what src/base has for everybody.
CLI_OBJ = $(patsubst %.c,$(BUILD)/%.o,$(wildcard src/cli/*.c src/cli/*/*.c src/base/*.c))
TESTS   = $(addprefix $(BUILD)/tests/,$(basename $(notdir $(wildcard tests/*/test_*.c))))
# The HSA runtime, in a folder of its own so that nothing finds it by chance. Linux only.
HSA_OBJ = $(patsubst %.c,$(BUILD)/%.o,$(wildcard src/hsa/*.c) $(FOR_PROGRAMS))
HSA    := $(if $(filter Linux,$(shell uname -s)),$(BUILD)/hsa/libhsa-runtime64.so.1)
TORTURE = $(patsubst tests/torture/%.c,$(BUILD)/torture/%,$(wildcard tests/torture/*.c))
vpath test_%.c $(wildcard tests/*)

all: $(foreach n,softwave libsoftwave.a libsoftwave.so libswisa.a libswisa.so disassemble,$(BUILD)/$(n)) $(HSA)

$(BUILD)/%.o: %.c
	$(COMPILE) -MMD -MP -c $< -o $@
define level_rule
$(BUILD)/%.$(1).o: %.c
	$$(COMPILE) -Wno-psabi -g0 -fno-asynchronous-unwind-tables $$(UNWATCHED) $$(march_$(1)) -DLEVEL=$(1) -DLEVEL_$(1) -MMD -MP -c $$< -o $$@
endef
$(foreach l,$(LEVELS),$(eval $(call level_rule,$(l))))
# Tables that programs make of .def files: instructions of GCN, and of the R600 family, which have nothing in common.
define table_rules
$(BUILD)/expand_$(1): $(2)/expand.c $(2)/rows.c $(3) $(filter-out $(FOR_PROGRAMS),$(wildcard src/target/*.c src/base/*.c)) $(wildcard $(2)/*.def $(2)/*.h src/target/*.def src/target/*.h include/softwave/*.h)
	@mkdir -p $$(@D) && $$(CC) $$(CPPFLAGS) -std=gnu17 -O1 $$(WARN) $$(EXTRA) $$(filter %.c,$$^) -lm -o $$@
$(BUILD)/$(1)_tables.c: $(BUILD)/expand_$(1)
	@$$< > $$@.part && mv $$@.part $$@
$(BUILD)/$(1)_tables.o: $(BUILD)/$(1)_tables.c
	$$(COMPILE) -c $$< -o $$@
endef
$(eval $(call table_rules,isa,src/isa,src/isa/encode.c))
$(eval $(call table_rules,terascale,src/terascale/isa))
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
define bitcode_rule
$(BUILD)/bitcode/%.w$(2).$(1).bc: %.c
	@mkdir -p $$(@D) && echo "  LLVM    $$<" && $(LLVM_CLANG) $$(CPPFLAGS) -std=gnu17 -ffp-contract=off -frounding-math -fdenormal-fp-math=dynamic -fno-strict-aliasing $(filter-out -falign% -fno-ipa% -fno-reorder%,$(STENCIL_FLAGS)) $$(march_$(1)) -DLEVEL=$(1) -DLEVEL_$(1) -DSTENCIL=$(2) -DFUSED -MMD -MP -MF $$(@:.bc=.d) -emit-llvm -c $$< -o $$@
$(BUILD)/fused_$(1).w$(2).image: $(BUILD)/gather $(BUILD)/stencils_$(1).c $(STENCIL_SRC:%.c=$(BUILD)/bitcode/%.w$(2).$(1).bc)
	@$$< $(BUILD)/stencils_$(1).names $(2) $(LLVM_MAJOR) $$@ $$(filter %.bc,$$^)
endef
$(foreach l,$(FUSED),$(foreach w,32 64,$(eval $(call bitcode_rule,$(l),$(w)))))
$(BUILD)/fused.s: $(foreach l,$(FUSED),$(foreach w,32 64,$(BUILD)/fused_$(l).w$(w).image))
	@{ echo ".section .rodata" && for i in $(FUSED:%=%_w32) $(FUSED:%=%_w64); do printf '.balign 16\n.globl fused_%s, fused_%s_end\n.hidden fused_%s, fused_%s_end\nfused_%s:\n.incbin "%s"\nfused_%s_end:\n' $$i $$i $$i $$i $$i $(BUILD)/fused_$${i%_w*}.w$${i#*_w}.image $$i; done; echo '.section .note.GNU-stack,"",@progbits'; } >$@.part && mv $@.part $@
$(BUILD)/fused.o: $(BUILD)/fused.s
	@$(lastword $(CC)) -c $< -o $@
$(BUILD)/gather: $(addprefix src/device/native/,gather.c pieces.c llvm.c pieces.h llvm.h)
	@mkdir -p $(@D) && $(CC) $(CPPFLAGS) -std=gnu17 -O1 $(WARN) $(EXTRA) $(filter %.c,$^) -lzstd -ldl -o $@
$(BUILD)/collect: src/device/native/collect.c src/device/native/stencil.h
	@mkdir -p $(@D) && $(CC) $(CPPFLAGS) -std=gnu17 -O1 $(WARN) $(EXTRA) $< -lzstd -o $@

# For users, one relocatable object in which only sw_* stays global, so that a static link cannot clash.
define library_rules
$(BUILD)/lib$(1).a: $(2)
	@$$(LD) -r -o $$(@:.a=.o) $$^ && objcopy --wildcard --keep-global-symbol='sw_*' $$(@:.a=.o) && rm -f $$@ && $$(AR) rcs $$@ $$(@:.a=.o)
$(BUILD)/lib$(1).so: $(2) src/softwave.map
	@$$(CC) -shared $$(CFLAGS) -Wl,-soname,$$(@F).0 -Wl,--version-script=src/softwave.map -Wl,-z,defs -Wl,-Bsymbolic-functions -o $$@ $$(filter %.o,$$^) $(3)
endef
$(eval $(call library_rules,softwave,$(LIB_OBJ),$(LDLIBS)))
$(eval $(call library_rules,swisa,$(ISA_OBJ)))
$(BUILD)/libsoftwave-all.a: $(LIB_OBJ)
	@rm -f $@ && $(AR) rcs $@ $^
$(BUILD)/libsoftwave-fuzz.a: $(filter-out $(BUILD)/src/device/%,$(LIB_OBJ))
	@rm -f $@ && $(AR) rcs $@ $^
$(BUILD)/softwave: $(CLI_OBJ) $(BUILD)/libsoftwave.a
	@$(CC) $(CFLAGS) -o $@ $^ $(LDLIBS)
$(BUILD)/hsa/libhsa-runtime64.so.1: $(HSA_OBJ) $(BUILD)/libsoftwave.a src/hsa/hsa.map
	@mkdir -p $(@D) && $(CC) -shared $(CFLAGS) -Wl,-soname,$(@F) -Wl,--version-script=src/hsa/hsa.map -Wl,-z,defs -Wl,-z,nodelete -Wl,-Bsymbolic-functions -o $@ $(HSA_OBJ) $(BUILD)/libsoftwave.a $(LDLIBS)
	@ln -sf $(@F) $(@D)/libhsa-runtime64.so
$(BUILD)/disassemble: examples/disassemble.c $(BUILD)/libswisa.a
	@$(CC) -Iinclude -std=c17 $(OPT) $(WARN) $(EXTRA) -o $@ $^
$(BUILD)/picture: examples/picture.c
	$(COMPILE) -o $@ $< -lz -lm
$(BUILD)/tests/%: %.c $(BUILD)/libsoftwave-all.a
	$(COMPILE) -MMD -MP -Itests -o $@ $< $(BUILD)/libsoftwave-all.a $(LDLIBS) -lcmocka
$(BUILD)/torture/%: tests/torture/%.c $(BUILD)/libsoftwave-all.a
	$(COMPILE) -rdynamic -MMD -MP -Itests -o $@ $< $(BUILD)/libsoftwave-all.a $(LDLIBS)
$(BUILD)/bench/native: bench/native.c bench/kernels.h
	@mkdir -p $(@D) && $(CC) -I. -std=gnu17 -O2 -o $@ $< -lOpenCL
$(BUILD)/bench/llm: bench/llm.c bench/llm_host.c bench/llm.h $(BUILD)/libsoftwave-all.a
	@mkdir -p $(@D) && $(CC) -O3 -march=native -fopenmp -ffast-math -fno-finite-math-only -c bench/llm_host.c -o $@_host.o
	$(COMPILE) -o $@ $< $@_host.o $(BUILD)/libsoftwave-all.a -fopenmp $(LDLIBS)
$(BUILD)/bench/%: bench/%.c bench/kernels.h tests/device/bare_wave.h $(BUILD)/libsoftwave-all.a
	$(COMPILE) -I. -Itests/device -o $@ $< $(BUILD)/libsoftwave-all.a $(LDLIBS)

# ---- What people call ----
.PHONY: all deps deps-if-root run test bench $(CHECKS) tortured checked format format-check install uninstall includes help clean
AGAIN = @$(MAKE) --no-print-directory
deps: ## install what build, tests and bench need (Debian, as root)
	@scripts/deps.sh --install build test bench
deps-if-root:
	@scripts/deps.sh build test
run: ## build, then run a picture kernel on two GPUs
	@scripts/deps.sh build
	+$(AGAIN) $(BUILD)/softwave $(BUILD)/picture
	@examples/run.sh $(BUILD)
test: deps-if-root ## every test (installs what is missing when root on Debian)
	+$(AGAIN) all includes $(TESTS)
	@tests/all.sh $(BUILD)
bench: ## speed, as ratios against the host's OpenCL
	@scripts/deps.sh build test bench
	+$(AGAIN) all $(addprefix $(BUILD)/bench/,bench native bodies dispatch valu llm)
	@bench/run.sh $(BUILD)
# Checks with a build of their own: scripts/check.sh says how each is built and what it runs.
CHECKS = clang sanitize threads torture mutate fuzz corpus
clang: ## clang builds it too, with tail calls
sanitize: ## the unit tests under AddressSanitizer and UBSan, at one vector level
threads: ## the device's threads under ThreadSanitizer
torture: $(BUILD)/torture/programs ## random kernels, mangled objects, random programs: TORTURE_SECONDS of each, of TORTURE_SEED
mutate: all $(BUILD)/libsoftwave-all.a ## MUTANTS mutants of each table and ROWS per cent of the instruction rows' facts, each to be noticed
fuzz: ## each fuzz target for FUZZ_SECONDS
corpus: all $(BUILD)/tests/test_round_trip ## assembler and disassembler against LLVM's tests (165 MB to fetch) and llvm-objdump on whole libraries
$(CHECKS):
	+@CC="$(CC)" BUILD=$(BUILD) MAKE="$(MAKE) --no-print-directory" scripts/check.sh $@
tortured: $(TORTURE) # what they run
checked: $(TESTS) $(BUILD)/softwave $(HSA) tortured
# clang-format 14 does not settle on these (it would change its own output), so they are formatted, not checked.
UNSETTLED = isa.h builtins.c src/device/body/%.c test_body_%.c test_memory%.c
FORMATTED = $(shell git ls-files '*.c' '*.h' 2>/dev/null)
format: ## clang-format every file
	clang-format -i $(FORMATTED)
format-check:
	@clang-format --dry-run -Werror $(foreach f,$(FORMATTED),$(if $(filter $(UNSETTLED),$(f) $(notdir $(f))),,$(f)))
includes:
	@tests/includes.sh
install uninstall: all ## files of PREFIX and LIBDIR, below DESTDIR
	@PREFIX="$(PREFIX)" LIBDIR="$(LIBDIR)" DESTDIR="$(DESTDIR)" VERSION="$(VERSION)" LIBS="$(strip $(LDLIBS))" scripts/install.sh $@ $(BUILD)
help:
	@sed -n 's/^\([a-z]*\)[a-z ]*:[^#]*## /\1|/p' Makefile | awk -F'|' '{printf "make %-10s %s\n", $$1, $$2}'
clean:
	rm -rf $(BUILD)
-include $(shell find $(BUILD) -type f -name '*.d' 2>/dev/null)
