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
LDLIBS   = $(shell pkg-config --libs $(PACKAGES)) -lm -lpthread
COMPILE  = @mkdir -p $(@D) && echo "  CC      $<" && $(CC) $(CPPFLAGS) $(CFLAGS)

# Bodies of vector instructions are compiled once per vector level of the host; the device picks one.
LEVELS      := $(if $(filter x86_64,$(shell uname -m)),v2 v3 v4,plain)
march_v2     = -march=x86-64-v2
march_v3     = -march=x86-64-v3 -mno-vzeroupper
march_v4     = -march=x86-64-v4 -mprefer-vector-width=512 -mno-vzeroupper
# GPU programs may race among themselves: what bodies do to memory is not ThreadSanitizer's business. But jumps
# read links that other workers publish, and it must see that they do so in order.
UNWATCHED    = $(if $(filter src/device/body/control.c,$<),,-fno-sanitize=thread)

# libswisa: the instructions alone, and the part of the assembler that needs no symbols, sections or files.
ISA_SRC = $(filter-out src/isa/expand.c,$(wildcard src/base/*.c src/target/*.c src/isa/*.c src/dis/*.c src/asm/insn/*.c))
BODIES  = $(wildcard src/device/body/*.c)
LIB_SRC = $(sort $(ISA_SRC) $(filter-out $(BODIES) src/terascale/expand.c,$(foreach d,asm meta object list profile link device terascale,$(wildcard src/$d/*.c src/$d/*/*.c))))
ISA_OBJ = $(ISA_SRC:%.c=$(BUILD)/%.o) $(BUILD)/isa_tables.o
LIB_OBJ = $(LIB_SRC:%.c=$(BUILD)/%.o) $(BUILD)/isa_tables.o $(BUILD)/terascale_tables.o $(foreach l,$(LEVELS),$(BODIES:%.c=$(BUILD)/%.$(l).o))
# Nothing but the public interface, and what src/base has for everybody.
CLI_OBJ = $(patsubst %.c,$(BUILD)/%.o,$(wildcard src/cli/*.c src/base/*.c))
TESTS   = $(addprefix $(BUILD)/tests/,$(basename $(notdir $(wildcard tests/*/test_*.c))))
# The HSA runtime, in a folder of its own so that nothing finds it by chance. Linux only.
HSA_OBJ = $(patsubst %.c,$(BUILD)/%.o,$(wildcard src/hsa/*.c))
HSA    := $(if $(filter Linux,$(shell uname -s)),$(BUILD)/hsa/libhsa-runtime64.so.1)
TORTURE = $(patsubst tests/torture/%.c,$(BUILD)/torture/%,$(wildcard tests/torture/*.c))
vpath test_%.c $(wildcard tests/*)

all: $(foreach n,softwave libsoftwave.a libsoftwave.so libswisa.a libswisa.so disassemble,$(BUILD)/$(n)) $(HSA)

$(BUILD)/%.o: %.c
	$(COMPILE) -MMD -MP -c $< -o $@
define level_rule
$(BUILD)/%.$(1).o: %.c
	$$(COMPILE) -Wno-psabi -g0 $$(UNWATCHED) $$(march_$(1)) -DLEVEL=$(1) -DLEVEL_$(1) -MMD -MP -c $$< -o $$@
endef
$(foreach l,$(LEVELS),$(eval $(call level_rule,$(l))))
EXPAND_SRC = src/isa/expand.c src/isa/rows.c src/isa/encode.c $(wildcard src/target/*.c src/base/*.c)
$(BUILD)/expand: $(EXPAND_SRC) $(wildcard src/isa/*.def src/isa/*.h src/target/*.def src/target/*.h include/softwave/*.h)
	@mkdir -p $(@D) && $(CC) $(CPPFLAGS) -std=gnu17 -O1 $(WARN) $(EXTRA) $(EXPAND_SRC) -lm -o $@
$(BUILD)/isa_tables.c: $(BUILD)/expand
	@$(BUILD)/expand > $@.part && mv $@.part $@
$(BUILD)/isa_tables.o: $(BUILD)/isa_tables.c
	$(COMPILE) -c $< -o $@

# The same for the R600 family, whose encodings have nothing in common with those.
EXPAND_TERASCALE_SRC = src/terascale/expand.c src/terascale/rows.c $(wildcard src/target/*.c src/base/*.c)
$(BUILD)/expand_terascale: $(EXPAND_TERASCALE_SRC) $(wildcard src/terascale/*.def src/terascale/table.h include/softwave/*.h)
	@mkdir -p $(@D) && $(CC) $(CPPFLAGS) -std=gnu17 -O1 $(WARN) $(EXTRA) $(EXPAND_TERASCALE_SRC) -lm -o $@
$(BUILD)/terascale_tables.c: $(BUILD)/expand_terascale
	@$(BUILD)/expand_terascale > $@.part && mv $@.part $@
$(BUILD)/terascale_tables.o: $(BUILD)/terascale_tables.c
	$(COMPILE) -c $< -o $@

# For users, one relocatable object in which only sw_* stays global, so that a static link cannot clash.
$(BUILD)/libsoftwave.a $(BUILD)/libsoftwave.so $(BUILD)/libsoftwave-all.a: OBJ = $(LIB_OBJ)
$(BUILD)/libswisa.a $(BUILD)/libswisa.so: OBJ = $(ISA_OBJ)
$(BUILD)/libsoftwave.so: LIBS = $(LDLIBS)
$(BUILD)/libsoftwave.a $(BUILD)/libsoftwave.so $(BUILD)/libsoftwave-all.a: $(LIB_OBJ)
$(BUILD)/libswisa.a $(BUILD)/libswisa.so: $(ISA_OBJ)
$(BUILD)/libsoftwave.a $(BUILD)/libswisa.a:
	@$(LD) -r -o $(@:.a=.o) $(OBJ) && objcopy --wildcard --keep-global-symbol='sw_*' $(@:.a=.o) && rm -f $@ && $(AR) rcs $@ $(@:.a=.o)
$(BUILD)/libsoftwave.so $(BUILD)/libswisa.so: src/softwave.map
	@$(CC) -shared $(CFLAGS) -Wl,-soname,$(@F).0 -Wl,--version-script=src/softwave.map -Wl,-z,defs -Wl,-Bsymbolic-functions -o $@ $(OBJ) $(LIBS)
$(BUILD)/libsoftwave-all.a:
	@rm -f $@ && $(AR) rcs $@ $(OBJ)
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
$(BUILD)/bench/%: bench/%.c bench/kernels.h tests/device/bare_wave.h $(BUILD)/libsoftwave-all.a
	$(COMPILE) -I. -Itests/device -o $@ $< $(BUILD)/libsoftwave-all.a $(LDLIBS)

# ---- What people call ----
.PHONY: all deps deps-if-root run test sanitize sanitized threads torture tortured mutate corpus bench fuzz format format-check install uninstall includes help clean
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
	+$(AGAIN) all $(addprefix $(BUILD)/bench/,bench native bodies dispatch)
	@bench/run.sh $(BUILD)
sanitize: ## the unit tests under AddressSanitizer and UBSan, at one vector level
	+$(AGAIN) BUILD=$(BUILD)/sanitize OPT=-O1 LEVELS=v2 EXTRA="-fsanitize=address,undefined -fno-sanitize-recover=all -DSW_LOOP_DISPATCH -DSW_GUARD -g1" sanitized
sanitized: $(TESTS) $(BUILD)/softwave $(TORTURE) $(HSA)
	@SANITIZED=1 tests/all.sh $(BUILD) unit && tests/cli/run.sh $(BUILD)/softwave && tests/torture/run.sh $(BUILD) 20 $(TORTURE_SEED)
	@BUILD=$(BUILD) STRESS_FLAGS=-fsanitize=address,undefined tests/hsa/hsa_stress.sh
THREADED = $(addprefix $(BUILD)/threads/tests/,test_device test_lifetime test_snapshot test_share test_transfer test_events test_queues test_gws)
MISUSE_SECONDS ?= 30
threads: ## the device's threads under ThreadSanitizer: launches, spinning kernels, maps that change, faults
	+$(AGAIN) BUILD=$(BUILD)/threads OPT=-O1 LEVELS=v2 EXTRA="-fsanitize=thread -DSW_LOOP_DISPATCH -g1" $(THREADED) $(BUILD)/threads/hsa/libhsa-runtime64.so.1
	@for t in $(THREADED); do TSAN_OPTIONS=halt_on_error=1 MISUSE_SECONDS=$(MISUSE_SECONDS) $$t || exit 1; done
	@BUILD=$(BUILD)/threads STRESS_FLAGS=-fsanitize=thread tests/hsa/hsa_stress.sh
TORTURE_SECONDS ?= 60
TORTURE_SEED ?= 3
torture: ## random kernels, mangled objects, random programs: TORTURE_SECONDS of each, of TORTURE_SEED (see tests/torture/run.sh)
	+$(AGAIN) BUILD=$(BUILD)/torture EXTRA="-DSW_GUARD -g1" LEVELS="plain $(filter-out plain,$(LEVELS))" tortured
tortured: $(TORTURE)
	@tests/torture/run.sh $(BUILD) $(TORTURE_SECONDS) $(TORTURE_SEED)
	@tests/torture/programs.sh $(BUILD) $(TORTURE_SECONDS) $(TORTURE_SEED) $(if $(filter 3,$(TORTURE_SEED)),32)
MUTANTS ?= 8
ROWS ?= 5
mutate: all $(BUILD)/libsoftwave-all.a ## MUTANTS mutants of each table and ROWS per cent of the instruction rows' facts, each to be noticed
	@tests/mutate/mutate.sh $(BUILD) $(MUTANTS) $(ROWS)
	+@tests/mutate/made_up.sh $(BUILD)
CORPUS ?= $(BUILD)/llvm-tests
corpus: $(BUILD)/softwave $(BUILD)/tests/test_round_trip ## assembler and disassembler against LLVM's tests (165 MB to fetch) and llvm-objdump on whole libraries
	@tests/corpus/run.sh $(BUILD) $(CORPUS)
FUZZ_SECONDS ?= 20
fuzz: ## each fuzz target for FUZZ_SECONDS
	+$(AGAIN) CC=clang BUILD=$(BUILD)/fuzz OPT=-O1 EXTRA="-fsanitize=address,undefined,fuzzer-no-link -fno-sanitize-recover=all -gline-tables-only" WERROR= $(BUILD)/fuzz/libsoftwave-fuzz.a
	@tests/fuzz/run.sh $(BUILD)/fuzz $(FUZZ_SECONDS)
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
