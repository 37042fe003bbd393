# Softwave. `make help` lists the targets; doc/install.md says what may be set: CC, BUILD, OPT, EXTRA, WERROR, and for
# cross builds HOSTCC, CROSS_COMPILE, AR, LD, OBJCOPY, STRIP, PKG_CONFIG.
# QUICK=1: a build for the developer's loop, in a folder of its own: nothing is optimised, and there are bodies of the
# lowest vector level alone, no native code.
CC      ?= cc
BUILD   ?= build$(if $(QUICK),/quick)
PREFIX  ?= /usr/local
LIBDIR  ?= $(PREFIX)/lib
OPT     ?= $(if $(QUICK),-O0,-O2)
VERSION  = 0.1.0
.DEFAULT_GOAL := all
ifneq ($(words $(BUILD)),1)
$(error BUILD is '$(BUILD)'; make cannot build in a folder with a space in its name, or in none)
endif
# All cores, unless the command line or a make above says otherwise.
ifeq ($(MAKELEVEL)$(findstring -j,$(MAKEFLAGS) $(shell echo "$$MAKEFLAGS")),0)
MAKEFLAGS += -j$(shell nproc 2>/dev/null || echo 2)
endif

# ---- Host, compilers and tools ----
# CC compiles for the host that Softwave will run on, HOSTCC for this one. They differ in cross builds.
ifneq ($(CROSS_COMPILE),)
ifeq ($(origin CC),default)
CC := $(CROSS_COMPILE)gcc
endif
endif
# "8 1 1": bytes of a pointer, a clang, an x86-64. A name that is no macro stays as it is.
PROBE   := $(shell echo __SIZEOF_POINTER__ __clang__ __x86_64__ | $(CC) $(EXTRA) -E -P - 2>/dev/null)
CLANG_CC = $(filter 1,$(word 2,$(PROBE)))
X86_64   = $(filter 1,$(word 3,$(PROBE)))
MACHINE := $(shell $(CC) -dumpmachine 2>/dev/null | sed 's/-\(unknown\|pc\|none\)-/-/')
THIS    := $(shell $(or $(HOSTCC),cc) -dumpmachine 2>/dev/null | sed 's/-\(unknown\|pc\|none\)-/-/')
CROSS    = $(if $(THIS),$(filter-out $(firstword $(subst -, ,$(THIS))),$(firstword $(subst -, ,$(MACHINE)))))
ifneq ($(CROSS),)
CROSS_COMPILE ?= $(MACHINE)-
HOSTCC  ?= cc
endif
HOSTCC  ?= $(CC)
ifeq ($(origin AR),default)
AR      := $(CROSS_COMPILE)ar
endif
ifeq ($(origin LD),default)
LD      := $(CROSS_COMPILE)ld
endif
OBJCOPY ?= $(CROSS_COMPILE)objcopy
STRIP   ?= $(CROSS_COMPILE)strip
PKG_CONFIG ?= $(or $(if $(CROSS_COMPILE),$(shell command -v $(CROSS_COMPILE)pkg-config 2>/dev/null)),pkg-config)

# msgpack-c changed its name with version 6.
MSGPACK  := $(shell for p in msgpack-c msgpack; do $(PKG_CONFIG) --exists $$p 2>/dev/null && echo $$p && break; done)
PACKAGES  = zlib libzstd $(MSGPACK) yaml-0.1
LIBRARIES := $(if $(MSGPACK),$(shell $(PKG_CONFIG) --libs $(PACKAGES) 2>/dev/null))
# Goals that work without a compiler and libraries, or ask for them by themselves.
BUILDING := $(filter-out run test bench deps deps-test format format-check includes abi uninstall help clean,$(or $(MAKECMDGOALS),all))
ifneq ($(BUILDING),)
ifeq ($(and $(PROBE),$(LIBRARIES)),)
$(shell CC="$(CC)" PKG_CONFIG="$(PKG_CONFIG)" scripts/deps.sh build >&2)
$(error packages are missing, see above)
endif
ifneq ($(firstword $(PROBE)),8)
$(error a 64-bit host is needed; pointers of $(CC) $(EXTRA) have $(firstword $(PROBE)) bytes)
endif
endif

# ---- Flags ----
WARN     = -Wall -Wextra -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wno-missing-field-initializers $(WERROR)
CPPFLAGS += -Iinclude -Isrc -I$(BUILD) -D_GNU_SOURCE $(LEVELS:%=-DHAVE_LEVEL_%) $(LIBRARY_FLAGS)
# Debian 13's msgpack-c names a folder of its own build, "-Iinclude": only whole paths count.
LIBRARY_FLAGS := $(if $(LIBRARIES),$(filter -I/% -D%,$(shell $(PKG_CONFIG) --cflags $(PACKAGES) 2>/dev/null)))
# The same text gives the same bytes in whatever folder: no path of this machine gets into objects.
NO_PATHS := '-ffile-prefix-map=$(CURDIR)=.' -ffile-prefix-map=$(BUILD)=build
# A handler ends with a jump to the next one, not with a call, which would take stack for each instruction: below -O2 the
# compiler wants to be asked for it.
JUMPS   := $(if $(filter -O1 -Og,$(OPT)),-foptimize-sibling-calls)
CFLAGS   = -std=gnu17 -ffp-contract=off -frounding-math $(FLOATS) -fno-strict-aliasing -fPIC -fno-semantic-interposition $(OPT) $(JUMPS) -g $(NO_PATHS) $(WARN) $(EXTRA)
# Denormals are what MODE says. clang takes them for IEEE's unless told.
FLOATS  := $(if $(CLANG_CC),$(shell for m in dynamic preserve-sign; do echo | $(CC) -fdenormal-fp-math=$$m -xc -fsyntax-only - 2>/dev/null && echo -fdenormal-fp-math=$$m && break; done))
# Addresses for the loader to adjust take half a byte each instead of 24, if linker and C library know how.
RELR_TEST = \#include <features.h>\n\#if !defined __GLIBC__ || !__GLIBC_PREREQ(2, 36)\n\#error\n\#endif\nint x, *p = &x;
RELR    := $(if $(PROBE),$(shell printf '$(RELR_TEST)\n' | $(CC) -xc -fPIC -shared -Wl,--fatal-warnings -Wl,-z,pack-relative-relocs - -o /dev/null 2>/dev/null && echo -Wl,-z,pack-relative-relocs))
LDLIBS   = $(LIBRARIES) -lm -lpthread -ldl
COMPILE  = @mkdir -p $(@D) && echo "  CC      $<" && $(CC) $(CPPFLAGS) $(CFLAGS)
# Programs of the build itself.
HOST_COMPILE = mkdir -p $(@D) && $(HOSTCC) $(filter-out $(LIBRARY_FLAGS),$(CPPFLAGS)) -std=gnu17 -O1 $(WARN) $(if $(CROSS),,$(EXTRA))

include src/exec/bodies.mk

# Of src/base what only programs and the runtime use.
FOR_PROGRAMS = src/base/progress.c src/base/trace_filter.c src/base/trace_line.c src/base/weak_request.c
# Of src/isa what only the compiler uses.
FOR_COMPILER = src/isa/caches.c src/isa/counters.c $(wildcard src/isa/effect*.c) src/isa/hazards.c src/isa/operations.c src/isa/select.c src/isa/select_match.c
# libswisa: the instructions alone, and the part of the assembler that needs no symbols, sections or files.
ISA_SRC = $(filter-out src/isa/expand.c src/isa/select_expand.c $(FOR_PROGRAMS) $(FOR_COMPILER),$(wildcard src/base/*.c src/target/*.c src/isa/*.c src/dis/*.c src/asm/insn/*.c))
LIB_SRC = $(sort $(ISA_SRC) $(FOR_COMPILER) $(filter-out $(BODIES) $(BODY_TOOLS) src/terascale/isa/expand.c,$(foreach d,texel mc asm meta object list profile changes link llvm ir reader compiler driver exec jit sched watch weak device terascale,$(wildcard src/$d/*.c src/$d/*/*.c))))
ISA_OBJ = $(ISA_SRC:%.c=$(BUILD)/%.o) $(BUILD)/isa_tables.o
LIB_OBJ = $(LIB_SRC:%.c=$(BUILD)/%.o) $(BUILD)/isa_tables.o $(BUILD)/select_tables.o $(BUILD)/terascale_tables.o $(BODY_OBJ)
# Nothing but the public interface, and what src/base has for everybody.
CLI_OBJ = $(patsubst %.c,$(BUILD)/%.o,$(wildcard src/cli/*.c src/cli/*/*.c src/base/*.c))
# The HSA runtime, in a folder of its own so that nothing finds it by chance. Linux only.
HSA_OBJ = $(patsubst %.c,$(BUILD)/%.o,$(filter-out src/hsa/driver/%,$(wildcard src/hsa/*.c src/hsa/*/*.c)) $(wildcard src/texel/*.c) $(FOR_PROGRAMS) src/base/text.c)
HSA    := $(if $(findstring linux,$(MACHINE)),$(BUILD)/hsa/libhsa-runtime64.so.1)
DRIVER := $(if $(HSA),$(BUILD)/hsa/libsoftwave-driver.so)

all: $(foreach n,softwave libsoftwave.a libsoftwave.so libswisa.a libswisa.so disassemble,$(BUILD)/$(n)) $(HSA) $(DRIVER)
	$(if $(FUSED)$(NO_LLVM_TIER),,@echo "LLVM tier: no ($(if $(X86_64),needs clang $(LLVM_OLDEST) or newer to build,only on x86-64))")

$(BUILD)/%.o: %.c
	$(COMPILE) -MMD -MP -c $< -o $@
# Tables that programs make of .def files: instructions of GCN, and of the R600 family, which have nothing in common.
define table_rules
$(BUILD)/expand_$(1): $(2)/expand.c $(2)/rows.c $(3) $(filter-out $(FOR_PROGRAMS),$(wildcard src/target/*.c src/base/*.c)) $(wildcard $(2)/*.def $(2)/*.h src/target/*.def src/target/*.h include/softwave/*.h)
	@$$(HOST_COMPILE) -DEXPAND $$(filter %.c,$$^) -lm -o $$@
$(BUILD)/$(1)_tables.c: $(BUILD)/expand_$(1)
	@$$< > $$@.part && mv $$@.part $$@
$(BUILD)/$(1)_tables.o: $(BUILD)/$(1)_tables.c
	$$(COMPILE) -c $$< -o $$@
endef
$(eval $(call table_rules,isa,src/isa,src/isa/encode.c src/isa/meaning.c))
$(eval $(call table_rules,terascale,src/terascale/isa))
# What rows compute, for the compiler.
$(BUILD)/expand_select: src/isa/select_expand.c src/isa/operations.c src/isa/rows.c $(filter-out $(FOR_PROGRAMS),$(wildcard src/target/*.c src/base/*.c)) $(wildcard src/isa/*.def src/isa/*.h src/target/*.def src/target/*.h include/softwave/*.h)
	@$(HOST_COMPILE) -DEXPAND $(filter %.c,$^) -lm -o $@
$(BUILD)/select_tables.c: $(BUILD)/expand_select
	@$< > $@.part && mv $@.part $@
$(BUILD)/select_tables.o: $(BUILD)/select_tables.c
	$(COMPILE) -c $< -o $@

# For users, one relocatable object in which only sw_* stays global, so that a static link cannot clash.
define library_rules
$(BUILD)/lib$(1).a: $(2)
	@$$(LD) -r -o $$(@:.a=.o) $$^ && $$(OBJCOPY) --wildcard --keep-global-symbol='sw_*' $$(@:.a=.o) && rm -f $$@ && $$(AR) rcs $$@ $$(@:.a=.o)
$(BUILD)/lib$(1).so: $(2) src/softwave.map
	@$$(CC) -shared $$(CFLAGS) $$(LDFLAGS) $$(RELR) -Wl,-soname,$$(@F).0 -Wl,--version-script=src/softwave.map -Wl,-z,defs -Wl,-Bsymbolic-functions -o $$@ $$(filter %.o,$$^) $(3)
endef
$(eval $(call library_rules,softwave,$(LIB_OBJ),$(LDLIBS)))
$(eval $(call library_rules,swisa,$(ISA_OBJ)))
$(BUILD)/libsoftwave-all.a: $(LIB_OBJ)
	@rm -f $@ && $(AR) rcs $@ $^
$(BUILD)/libsoftwave-fuzz.a: $(filter-out $(foreach d,exec jit sched watch weak device,$(BUILD)/src/$d/%),$(LIB_OBJ))
	@rm -f $@ && $(AR) rcs $@ $^
# The command and the runtime use the shared library, so that its code is installed once (doc/install.md has what that
# costs at the start). They look for it beside themselves or above; $(BUILD)/installed has them as `make install` puts
# them, with RUNPATH for PREFIX and LIBDIR, or without it if RUNPATH is empty.
RUNPATH     ?= yes
RUNTIME      = libhsa-runtime64.so.1
# Where a cross linker finds what the shared library needs.
comma := ,
LIBRARY_PATHS = $(patsubst -L%,-Wl$(comma)-rpath-link=%,$(filter -L%,$(LIBRARIES)))
LINK_COMMAND = mkdir -p $(@D) && $(CC) $(CFLAGS) $(LDFLAGS) $(RELR) -o $@ $(CLI_OBJ) $(BUILD)/libsoftwave.so $(LIBRARY_PATHS) $(filter -L%,$(LIBRARIES)) -lz -lm -lpthread
LINK_RUNTIME = mkdir -p $(@D) && $(CC) -shared $(CFLAGS) $(LDFLAGS) $(RELR) -Wl,-soname,$(RUNTIME) -Wl,--version-script=src/hsa/hsa.map -Wl,-z,defs -Wl,-z,nodelete -Wl,-Bsymbolic-functions -o $@ $(HSA_OBJ) $(BUILD)/libsoftwave.so $(LIBRARY_PATHS) -lm -lpthread -ldl
$(BUILD)/libsoftwave.so.0: $(BUILD)/libsoftwave.so
	@ln -sf $(<F) $@
$(BUILD)/softwave: $(CLI_OBJ) $(BUILD)/libsoftwave.so $(BUILD)/libsoftwave.so.0
	@$(LINK_COMMAND) -Wl,-rpath,'$$ORIGIN'
$(BUILD)/hsa/$(RUNTIME): $(HSA_OBJ) $(BUILD)/libsoftwave.so $(BUILD)/libsoftwave.so.0 src/hsa/hsa.map
	@$(LINK_RUNTIME) -Wl,-rpath,'$$ORIGIN/..'
	@ln -sf $(@F) $(@D)/libhsa-runtime64.so
# What `softwave exec` preloads for programs that look for the kernel driver.
$(BUILD)/hsa/libsoftwave-driver.so: src/hsa/driver/paths.c
	@mkdir -p $(@D) && echo "  CC      $<" && $(CC) $(CPPFLAGS) $(CFLAGS) -fvisibility=hidden -shared $(LDFLAGS) -o $@ $< -ldl
$(BUILD)/installed/softwave: $(BUILD)/softwave FORCE
	@$(LINK_COMMAND) $(if $(RUNPATH),-Wl$(comma)-rpath$(comma)'$$ORIGIN/$(shell realpath -m --relative-to="$(PREFIX)/bin" "$(LIBDIR)")')
$(BUILD)/installed/$(RUNTIME): $(HSA) FORCE
	@$(LINK_RUNTIME) $(if $(RUNPATH),-Wl$(comma)-rpath$(comma)'$$ORIGIN/..')
FORCE:
$(BUILD)/disassemble: examples/disassemble.c $(BUILD)/libswisa.a
	@$(CC) -Iinclude -std=c17 $(OPT) $(WARN) $(EXTRA) -o $@ $^
$(BUILD)/picture: examples/picture.c src/cli/png.c src/base/text.c
	$(COMPILE) -o $@ $^ $(filter -L%,$(LIBRARIES)) -lz -lm
include tests/programs.mk

# ---- What people call ----
.PHONY: all deps deps-test run tests-built test bench accuracy $(CHECKS) tortured checked format format-check install install-strip uninstall includes abi help clean FORCE
AGAIN = @$(MAKE) --no-print-directory
DEPS  = @CC="$(CC)" PKG_CONFIG="$(PKG_CONFIG)" scripts/deps.sh
deps: ## install what build, tests and bench need (root on Debian or Ubuntu; else it prints the line to type)
	$(DEPS) --install build unit test bench
deps-test: ## install what the tests can use: LLVM, HIP, GCC for GPUs (3.6 GB)
	$(DEPS) --install build unit test
run: ## build, then run a picture kernel on two GPUs (as root on Debian it says and installs what the build needs)
	$(DEPS) --install build
	+$(AGAIN) $(BUILD)/softwave $(BUILD)/picture
	@examples/run.sh $(BUILD)
tests-built: all includes $(TESTS) $(BUILD)/picture
test: ## every test that this machine has the tools for; installs nothing
	$(DEPS) build unit
	+$(AGAIN) tests-built
	@tests/all.sh $(BUILD)
bench: ## speed, as ratios against the host's OpenCL
	$(DEPS) build test bench
	+$(AGAIN) all $(addprefix $(BUILD)/bench/,bench native bodies dispatch valu llm wide start compile)
	@bench/run.sh $(BUILD)
accuracy: $(BUILD)/bench/accuracy ## the errors of transcendental operations over all operands (minutes), against the ledger
	@$< $(ACCURACY_STEP)
# Checks with a build of their own: scripts/check.sh says how each is built and what it runs.
CHECKS = clang sanitize threads torture mutate recipes fuzz corpus arm64 reproducible
clang: ## clang builds it too, with tail calls
sanitize: ## the unit tests under AddressSanitizer and UBSan, at one vector level
threads: ## the device's threads under ThreadSanitizer
torture: $(BUILD)/torture/programs ## random kernels, mangled objects, random programs: TORTURE_SECONDS of each, of TORTURE_SEED
mutate: all $(BUILD)/libsoftwave-all.a ## MUTANTS mutants of each table and ROWS per cent of the instruction rows' facts, each to be noticed
recipes: ## what doc/add-*.md say, done to a copy of the tree with made-up things; then the tests of tables there
fuzz: ## each fuzz target for FUZZ_SECONDS
corpus: all $(BUILD)/tests/test_round_trip $(BUILD)/pseudocode ## assembler and disassembler against LLVM's tests (165 MB to fetch) and llvm-objdump on whole libraries
arm64: ## cross build for ARM64, whose tests run in QEMU
reproducible: ## two builds in two folders, with equal results
$(CHECKS):
	+@CC="$(CC)" BUILD=$(BUILD) MAKE="$(MAKE) --no-print-directory" scripts/check.sh $@
tortured: $(TORTURE) # what they run
checked: $(TESTS) $(BUILD)/softwave $(HSA) $(DRIVER) tortured
# clang-format 14 does not settle on these (it would change its own output), so they are formatted, not checked.
UNSETTLED = isa.h builtins.c src/exec/body/%.c test_body_%.c test_memory%.c
FORMATTED = $(shell git ls-files '*.c' '*.h' 2>/dev/null)
format: ## clang-format every file
	clang-format -i $(FORMATTED)
format-check:
	@clang-format --dry-run -Werror $(foreach f,$(FORMATTED),$(if $(filter $(UNSETTLED),$(f) $(notdir $(f))),,$(f)))
includes:
	@tests/includes.sh
abi: $(BUILD)/libsoftwave.so $(BUILD)/libswisa.so ## record the symbols and struct sizes of the libraries (tests/base/abi.txt)
	@BUILD=$(BUILD) CC="$(CC)" tests/base/abi.sh --record
INSTALL = PREFIX="$(PREFIX)" LIBDIR="$(LIBDIR)" DESTDIR="$(DESTDIR)" VERSION="$(VERSION)" LIBS="$(strip $(LDLIBS))" scripts/install.sh
install: all $(BUILD)/installed/softwave $(if $(HSA),$(BUILD)/installed/$(RUNTIME)) ## files of PREFIX and LIBDIR, below DESTDIR
	@$(INSTALL) install $(BUILD)
install-strip: all $(BUILD)/installed/softwave $(if $(HSA),$(BUILD)/installed/$(RUNTIME)) ## the same without debug information
	@STRIP="$(STRIP)" $(INSTALL) install $(BUILD)
uninstall: ## take away what was installed, and the folders that are empty then
	@$(INSTALL) uninstall $(BUILD)
help:
	@sed -n 's/^\([a-z0-9-]*\)[a-z ]*:[^#]*## /\1|/p' Makefile | awk -F'|' '{printf "make %-13s %s\n", $$1, $$2}'
clean:
	rm -rf $(BUILD)
-include $(shell find $(BUILD) -type f -name '*.d' 2>/dev/null)
