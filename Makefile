# Softwave. `make help` lists the targets; CC, BUILD, OPT, EXTRA and WERROR may be set.
CC      ?= cc
BUILD   ?= build
PREFIX  ?= /usr/local
LIBDIR  ?= $(PREFIX)/lib
OPT     ?= -O2
VERSION  = 0.1.0
.DEFAULT_GOAL := all
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
# Addresses for the loader to adjust take half a byte each instead of 24, where linker and loader know how.
RELR    := $(shell t=$$(mktemp) && echo 'int x, *p = &x; int main(void) {return p != &x;}' | $(CC) -xc -fPIE -pie -Wl,-z,pack-relative-relocs - -o $$t 2>/dev/null && $$t && echo -Wl,-z,pack-relative-relocs; rm -f $$t)
LDLIBS   = $(shell pkg-config --libs $(PACKAGES)) -lm -lpthread -ldl
COMPILE  = @mkdir -p $(@D) && echo "  CC      $<" && $(CC) $(CPPFLAGS) $(CFLAGS)

include src/device/bodies.mk

# Of src/base what only programs and the runtime use.
FOR_PROGRAMS = src/base/progress.c src/base/trace_filter.c
# libswisa: the instructions alone, and the part of the assembler that needs no symbols, sections or files.
ISA_SRC = $(filter-out src/isa/expand.c $(FOR_PROGRAMS),$(wildcard src/base/*.c src/target/*.c src/isa/*.c src/dis/*.c src/asm/insn/*.c))
LIB_SRC = $(sort $(ISA_SRC) $(filter-out $(BODIES) $(BODY_TOOLS) src/terascale/isa/expand.c,$(foreach d,asm meta object list profile link device terascale,$(wildcard src/$d/*.c src/$d/*/*.c))))
ISA_OBJ = $(ISA_SRC:%.c=$(BUILD)/%.o) $(BUILD)/isa_tables.o
LIB_OBJ = $(LIB_SRC:%.c=$(BUILD)/%.o) $(BUILD)/isa_tables.o $(BUILD)/terascale_tables.o $(BODY_OBJ)
# Nothing but the public interface, and what src/base has for everybody.
CLI_OBJ = $(patsubst %.c,$(BUILD)/%.o,$(wildcard src/cli/*.c src/cli/*/*.c src/base/*.c))
# The HSA runtime, in a folder of its own so that nothing finds it by chance. Linux only.
HSA_OBJ = $(patsubst %.c,$(BUILD)/%.o,$(wildcard src/hsa/*.c) $(FOR_PROGRAMS))
HSA    := $(if $(filter Linux,$(shell uname -s)),$(BUILD)/hsa/libhsa-runtime64.so.1)

all: $(foreach n,softwave libsoftwave.a libsoftwave.so libswisa.a libswisa.so disassemble,$(BUILD)/$(n)) $(HSA)

$(BUILD)/%.o: %.c
	$(COMPILE) -MMD -MP -c $< -o $@
# Tables that programs make of .def files: instructions of GCN, and of the R600 family, which have nothing in common.
define table_rules
$(BUILD)/expand_$(1): $(2)/expand.c $(2)/rows.c $(3) $(filter-out $(FOR_PROGRAMS),$(wildcard src/target/*.c src/base/*.c)) $(wildcard $(2)/*.def $(2)/*.h src/target/*.def src/target/*.h include/softwave/*.h)
	@mkdir -p $$(@D) && $$(CC) $$(CPPFLAGS) -DEXPAND -std=gnu17 -O1 $$(WARN) $$(EXTRA) $$(filter %.c,$$^) -lm -o $$@
$(BUILD)/$(1)_tables.c: $(BUILD)/expand_$(1)
	@$$< > $$@.part && mv $$@.part $$@
$(BUILD)/$(1)_tables.o: $(BUILD)/$(1)_tables.c
	$$(COMPILE) -c $$< -o $$@
endef
$(eval $(call table_rules,isa,src/isa,src/isa/encode.c))
$(eval $(call table_rules,terascale,src/terascale/isa))

# For users, one relocatable object in which only sw_* stays global, so that a static link cannot clash.
define library_rules
$(BUILD)/lib$(1).a: $(2)
	@$$(LD) -r -o $$(@:.a=.o) $$^ && objcopy --wildcard --keep-global-symbol='sw_*' $$(@:.a=.o) && rm -f $$@ && $$(AR) rcs $$@ $$(@:.a=.o)
$(BUILD)/lib$(1).so: $(2) src/softwave.map
	@$$(CC) -shared $$(CFLAGS) $$(RELR) -Wl,-soname,$$(@F).0 -Wl,--version-script=src/softwave.map -Wl,-z,defs -Wl,-Bsymbolic-functions -o $$@ $$(filter %.o,$$^) $(3)
endef
$(eval $(call library_rules,softwave,$(LIB_OBJ),$(LDLIBS)))
$(eval $(call library_rules,swisa,$(ISA_OBJ)))
$(BUILD)/libsoftwave-all.a: $(LIB_OBJ)
	@rm -f $@ && $(AR) rcs $@ $^
$(BUILD)/libsoftwave-fuzz.a: $(filter-out $(BUILD)/src/device/%,$(LIB_OBJ))
	@rm -f $@ && $(AR) rcs $@ $^
$(BUILD)/softwave: $(CLI_OBJ) $(BUILD)/libsoftwave.a
	@$(CC) $(CFLAGS) $(RELR) -o $@ $^ $(LDLIBS)
$(BUILD)/hsa/libhsa-runtime64.so.1: $(HSA_OBJ) $(BUILD)/libsoftwave.a src/hsa/hsa.map
	@mkdir -p $(@D) && $(CC) -shared $(CFLAGS) $(RELR) -Wl,-soname,$(@F) -Wl,--version-script=src/hsa/hsa.map -Wl,-z,defs -Wl,-z,nodelete -Wl,-Bsymbolic-functions -o $@ $(HSA_OBJ) $(BUILD)/libsoftwave.a $(LDLIBS)
	@ln -sf $(@F) $(@D)/libhsa-runtime64.so
$(BUILD)/disassemble: examples/disassemble.c $(BUILD)/libswisa.a
	@$(CC) -Iinclude -std=c17 $(OPT) $(WARN) $(EXTRA) -o $@ $^
$(BUILD)/picture: examples/picture.c
	$(COMPILE) -o $@ $< -lz -lm
include tests/programs.mk

# ---- What people call ----
.PHONY: all deps deps-if-root run tests-built test bench $(CHECKS) tortured checked format format-check install uninstall includes help clean
AGAIN = @$(MAKE) --no-print-directory
deps: ## install what build, tests and bench need (Debian, as root)
	@scripts/deps.sh --install build test bench
deps-if-root:
	@scripts/deps.sh build test
run: ## build, then run a picture kernel on two GPUs
	@scripts/deps.sh build
	+$(AGAIN) $(BUILD)/softwave $(BUILD)/picture
	@examples/run.sh $(BUILD)
tests-built: all includes $(TESTS)
test: deps-if-root ## every test (installs what is missing when root on Debian)
	+$(AGAIN) tests-built
	@tests/all.sh $(BUILD)
bench: ## speed, as ratios against the host's OpenCL
	@scripts/deps.sh build test bench
	+$(AGAIN) all $(addprefix $(BUILD)/bench/,bench native bodies dispatch valu llm start)
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
