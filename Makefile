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
CPPFLAGS += -Iinclude -Isrc -I$(BUILD) -D_GNU_SOURCE
CFLAGS   = -std=gnu17 -ffp-contract=off -frounding-math $(FLOATS) -fno-strict-aliasing -fPIC -fno-semantic-interposition $(OPT) -g $(WARN) $(EXTRA)
# Denormals are what MODE says. clang takes them for IEEE's unless told.
FLOATS  := $(if $(findstring clang,$(shell $(CC) --version)),$(shell for m in dynamic preserve-sign; do echo | $(CC) -fdenormal-fp-math=$$m -xc -fsyntax-only - 2>/dev/null && echo -fdenormal-fp-math=$$m && break; done))
LDLIBS   = $(shell pkg-config --libs $(PACKAGES)) -lm -lpthread

# Bodies of vector instructions are compiled once per vector level of the host; the device picks one.
LEVELS       = v2 v3 v4
BODIES       = $(wildcard src/device/body/*.c)
# GPU programs may race among themselves: what bodies do to memory is not ThreadSanitizer's business. But
# jumps read links that other workers publish, and it must see that they do so in order.
BODY_CFLAGS  = -Wno-psabi -g0 $(UNWATCHED)
UNWATCHED    = -fno-sanitize=thread
HOST_ARCH   := $(shell uname -m)
ifneq ($(HOST_ARCH),x86_64)
LEVELS       = plain
endif
$(foreach l,$(LEVELS),$(BUILD)/src/device/body/control.$(l).o): UNWATCHED =
CPPFLAGS += $(LEVELS:%=-DHAVE_LEVEL_%)
march_v2 = -march=x86-64-v2
march_v3 = -march=x86-64-v3 -mno-vzeroupper
march_v4 = -march=x86-64-v4 -mprefer-vector-width=512 -mno-vzeroupper

# libswisa: the instructions alone, and the part of the assembler that needs no symbols, sections or files.
ISA_SRC = $(filter-out src/isa/expand.c,$(wildcard src/base/*.c src/target/*.c src/isa/*.c src/dis/*.c src/asm/insn/*.c))
LIB_SRC = $(sort $(ISA_SRC) $(filter-out $(BODIES),$(foreach d,asm meta object link device,$(wildcard src/$d/*.c src/$d/*/*.c))))
ISA_OBJ = $(ISA_SRC:%.c=$(BUILD)/%.o) $(BUILD)/isa_tables.o
LIB_OBJ = $(LIB_SRC:%.c=$(BUILD)/%.o) $(BUILD)/isa_tables.o $(foreach l,$(LEVELS),$(BODIES:%.c=$(BUILD)/%.$(l).o))
CLI_OBJ = $(patsubst %.c,$(BUILD)/%.o,$(wildcard src/cli/*.c))
TESTS   = $(addprefix $(BUILD)/tests/,$(basename $(notdir $(wildcard tests/*/test_*.c))))
vpath test_%.c $(wildcard tests/*)
# The HSA runtime, in a folder of its own so that nothing finds it by chance. Linux only.
HSA_OBJ = $(patsubst %.c,$(BUILD)/%.o,$(wildcard src/hsa/*.c))
HSA    := $(if $(filter Linux,$(shell uname -s)),$(BUILD)/hsa/libhsa-runtime64.so.1)
TORTURE = $(patsubst tests/torture/%.c,$(BUILD)/torture/%,$(wildcard tests/torture/*.c))

all: $(BUILD)/softwave $(BUILD)/libsoftwave.a $(BUILD)/libsoftwave.so $(BUILD)/libswisa.a $(BUILD)/libswisa.so $(BUILD)/disassemble $(HSA)

$(BUILD)/%.o: %.c
	@mkdir -p $(@D)
	@echo "  CC      $<"
	@$(CC) $(CPPFLAGS) $(CFLAGS) -MMD -MP -c $< -o $@

define level_rule
$(BUILD)/%.$(1).o: %.c
	@mkdir -p $$(@D)
	@echo "  CC $(1)   $$<"
	@$$(CC) $$(CPPFLAGS) $$(CFLAGS) $$(BODY_CFLAGS) $$(march_$(1)) -DLEVEL=$(1) -DLEVEL_$(1) -MMD -MP -c $$< -o $$@
endef
$(foreach l,$(LEVELS),$(eval $(call level_rule,$(l))))

EXPAND_SRC = src/isa/expand.c src/isa/rows.c src/isa/encode.c $(wildcard src/target/*.c src/base/*.c)
$(BUILD)/expand: $(EXPAND_SRC) $(wildcard src/isa/*.def src/isa/*.h src/target/*.def src/target/*.h include/softwave/*.h)
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS) -std=gnu17 -O1 $(WARN) $(EXTRA) $(EXPAND_SRC) -lm -o $@
$(BUILD)/isa_tables.c: $(BUILD)/expand
	$(BUILD)/expand > $@.part && mv $@.part $@
$(BUILD)/isa_tables.o: $(BUILD)/isa_tables.c
	$(CC) $(CPPFLAGS) $(CFLAGS) -MMD -MP -c $< -o $@

$(BUILD)/libsoftwave-all.a: $(LIB_OBJ)
	rm -f $@ && $(AR) rcs $@ $(LIB_OBJ)
# What is fuzzed: everything that reads other people's bytes or text. No bodies, so it builds fast.
FUZZ_OBJ = $(filter-out $(BUILD)/src/device/%,$(LIB_SRC:%.c=$(BUILD)/%.o)) $(BUILD)/isa_tables.o
$(BUILD)/libsoftwave-fuzz.a: $(FUZZ_OBJ)
	rm -f $@ && $(AR) rcs $@ $(FUZZ_OBJ)
# One relocatable object in which only sw_* stays global, so that a static link cannot clash.
$(BUILD)/libsoftwave.a: $(LIB_OBJ)
	$(LD) -r -o $(BUILD)/libsoftwave.o $(LIB_OBJ)
	objcopy --wildcard --keep-global-symbol='sw_*' $(BUILD)/libsoftwave.o
	rm -f $@ && $(AR) rcs $@ $(BUILD)/libsoftwave.o
$(BUILD)/libsoftwave.so: $(LIB_OBJ) src/softwave.map
	$(CC) -shared $(CFLAGS) -Wl,-soname,libsoftwave.so.0 -Wl,--version-script=src/softwave.map -Wl,-z,defs -Wl,-Bsymbolic-functions -o $@ $(LIB_OBJ) $(LDLIBS)
# The instruction set alone: needs nothing but libc.
$(BUILD)/libswisa.a: $(ISA_OBJ)
	$(LD) -r -o $(BUILD)/libswisa.o $(ISA_OBJ)
	objcopy --wildcard --keep-global-symbol='sw_*' $(BUILD)/libswisa.o
	rm -f $@ && $(AR) rcs $@ $(BUILD)/libswisa.o
$(BUILD)/libswisa.so: $(ISA_OBJ) src/softwave.map
	$(CC) -shared $(CFLAGS) -Wl,-soname,libswisa.so.0 -Wl,--version-script=src/softwave.map -Wl,-z,defs -Wl,-Bsymbolic-functions -o $@ $(ISA_OBJ)
$(BUILD)/disassemble: examples/disassemble.c $(BUILD)/libswisa.a
	$(CC) -Iinclude -std=c17 $(OPT) $(WARN) $(EXTRA) -o $@ $^
$(BUILD)/softwave: $(CLI_OBJ) $(BUILD)/libsoftwave-all.a
	$(CC) $(CFLAGS) -o $@ $^ $(LDLIBS)

$(BUILD)/hsa/libhsa-runtime64.so.1: $(HSA_OBJ) $(BUILD)/libsoftwave.a src/hsa/hsa.map
	@mkdir -p $(@D)
	$(CC) -shared $(CFLAGS) -Wl,-soname,libhsa-runtime64.so.1 -Wl,--version-script=src/hsa/hsa.map -Wl,-z,defs -Wl,-z,nodelete -Wl,-Bsymbolic-functions -o $@ $(HSA_OBJ) $(BUILD)/libsoftwave.a $(LDLIBS)
	@ln -sf libhsa-runtime64.so.1 $(@D)/libhsa-runtime64.so

$(BUILD)/tests/%: %.c $(BUILD)/libsoftwave-all.a
	@mkdir -p $(@D)
	@echo "  TEST    $<"
	@$(CC) $(CPPFLAGS) $(CFLAGS) -MMD -MP -Itests -o $@ $< $(BUILD)/libsoftwave-all.a $(LDLIBS) -lcmocka

# ---- What people call ----

.PHONY: all deps deps-if-root run test sanitize sanitized threads torture tortured mutate corpus bench fuzz format format-check install uninstall includes help clean
deps:
	@scripts/deps.sh --install build test bench
# Installs what is missing as root on Debian; otherwise says what to type.
deps-if-root:
	@scripts/deps.sh build test

run:
	@scripts/deps.sh build
	@$(MAKE) --no-print-directory $(BUILD)/softwave $(BUILD)/picture
	@examples/run.sh $(BUILD)

$(BUILD)/picture: examples/picture.c
	@mkdir -p $(@D)
	@$(CC) $(CPPFLAGS) $(CFLAGS) -o $@ $< -lz -lm

test: deps-if-root
	@$(MAKE) --no-print-directory all includes $(TESTS)
	@tests/all.sh $(BUILD)

bench:
	@scripts/deps.sh build test bench
	@$(MAKE) --no-print-directory all $(BUILD)/bench/bench $(BUILD)/bench/native $(BUILD)/bench/bodies $(BUILD)/bench/dispatch
	@bench/run.sh $(BUILD)
$(BUILD)/bench/bench: bench/bench.c bench/kernels.h $(BUILD)/libsoftwave-all.a
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS) -I. $(CFLAGS) -o $@ $< $(BUILD)/libsoftwave-all.a $(LDLIBS)
$(BUILD)/bench/bodies: bench/bodies.c tests/device/bare_wave.h $(BUILD)/libsoftwave-all.a
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS) -Itests/device $(CFLAGS) -o $@ $< $(BUILD)/libsoftwave-all.a $(LDLIBS)
$(BUILD)/bench/dispatch: bench/dispatch.c $(BUILD)/libsoftwave-all.a
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS) $(CFLAGS) -o $@ $< $(BUILD)/libsoftwave-all.a $(LDLIBS)
$(BUILD)/bench/native: bench/native.c bench/kernels.h
	@mkdir -p $(@D)
	$(CC) -I. -std=gnu17 -O2 -o $@ $< -lOpenCL

# The unit tests once more under AddressSanitizer and UBSan, at one vector level.
SANITIZERS = -fsanitize=address,undefined -fno-sanitize-recover=all -DSW_LOOP_DISPATCH -DSW_GUARD
sanitize:
	@$(MAKE) --no-print-directory BUILD=$(BUILD)/sanitize OPT=-O1 LEVELS=v2 EXTRA="$(SANITIZERS)" sanitized
sanitized: $(TESTS) $(BUILD)/softwave $(TORTURE)
	@SANITIZED=1 tests/all.sh $(BUILD) unit
	@tests/cli/run.sh $(BUILD)/softwave
	@tests/torture/run.sh $(BUILD) 20 $(TORTURE_SEED)

# The device's threads under ThreadSanitizer: launches, spinning kernels, maps that change, faults.
THREADED = $(addprefix $(BUILD)/threads/tests/,test_device test_lifetime test_snapshot test_share test_transfer)
MISUSE_SECONDS ?= 30
threads:
	@$(MAKE) --no-print-directory BUILD=$(BUILD)/threads OPT=-O1 LEVELS=v2 EXTRA="-fsanitize=thread -DSW_LOOP_DISPATCH" $(THREADED)
	@for t in $(THREADED); do TSAN_OPTIONS=halt_on_error=1 MISUSE_SECONDS=$(MISUSE_SECONDS) $$t || exit 1; done

# Random kernels, mangled objects and random programs, TORTURE_SECONDS of each, in a build whose waves and LDS end at
# guard pages and whose bodies check each register that they reach. Always the same ones; TORTURE_SEED=$$(date +%s) for
# others, of which programs may differ by a mistake of the compiler (doc/errata.md, ERR-34): the first 32 files of
# seed 3 do not.
TORTURE_SECONDS ?= 60
TORTURE_SEED ?= 3
TORTURE_LEVELS = $(if $(filter x86_64,$(HOST_ARCH)),plain v2 v3 v4,plain)
torture:
	@$(MAKE) --no-print-directory BUILD=$(BUILD)/torture EXTRA="-DSW_GUARD" LEVELS="$(TORTURE_LEVELS)" tortured
tortured: $(TORTURE)
	@tests/torture/run.sh $(BUILD) $(TORTURE_SECONDS) $(TORTURE_SEED)
	@tests/torture/programs.sh $(BUILD) $(TORTURE_SECONDS) $(TORTURE_SEED) $(if $(filter 3,$(TORTURE_SEED)),32)
$(BUILD)/torture/%: tests/torture/%.c $(BUILD)/libsoftwave-all.a
	@mkdir -p $(@D)
	@echo "  TEST    $<"
	@$(CC) $(CPPFLAGS) $(CFLAGS) -rdynamic -MMD -MP -Itests -o $@ $< $(BUILD)/libsoftwave-all.a $(LDLIBS)

# Breaks MUTANTS facts of the target and format tables each and ROWS per cent of those of the instruction rows; a
# mutant that no test notices is a failure.
MUTANTS ?= 8
ROWS ?= 5
mutate: all
	@tests/mutate/mutate.sh $(BUILD) $(MUTANTS) $(ROWS)

# The disassembler against LLVM's own tests, fetched once into CORPUS, and against llvm-objdump on every code object
# of two libraries; LIMIT=N takes only N objects a target. Downloads 165 MB the first time.
CORPUS ?= $(BUILD)/llvm-tests
CORPUS_OBJECTS = $(wildcard /usr/lib/*/librocrand.so.1.1 /usr/lib/*/librocsparse.so.0.1)
corpus: $(BUILD)/softwave
	@tests/corpus/fetch.sh $(CORPUS)
	@tests/corpus/dis.sh $(BUILD) $(CORPUS)
	@tests/corpus/as.sh $(BUILD) $(CORPUS)
	@tests/corpus/object_as.sh $(BUILD) $(CORPUS)
	@for f in $(CORPUS_OBJECTS); do tests/corpus/obj.sh $(BUILD) $$f && tests/corpus/objects.sh $(BUILD) $$f && tests/corpus/back.sh $(BUILD) $$f || exit 1; done

# Short by default; FUZZ_SECONDS=3600 for a night.
FUZZ_SECONDS ?= 20
FUZZERS = $(patsubst tests/fuzz/%.c,%,$(wildcard tests/fuzz/fuzz_*.c))
fuzz:
	@$(MAKE) --no-print-directory CC=clang BUILD=$(BUILD)/fuzz OPT=-O1 EXTRA="-fsanitize=address,undefined,fuzzer-no-link -fno-sanitize-recover=all" WERROR= $(BUILD)/fuzz/libsoftwave-fuzz.a
	@for f in $(FUZZERS); do clang -fsanitize=address,undefined,fuzzer -fno-sanitize-recover=all -std=gnu17 -D_GNU_SOURCE -Iinclude -Isrc -I. tests/fuzz/$$f.c $(BUILD)/fuzz/libsoftwave-fuzz.a $(LDLIBS) -o $(BUILD)/fuzz/$$f && mkdir -p $(BUILD)/fuzz/corpus-$$f && $(BUILD)/fuzz/$$f -max_total_time=$(FUZZ_SECONDS) -timeout=10 -rss_limit_mb=2048 -print_final_stats=1 -artifact_prefix=$(BUILD)/fuzz/ $$([ -f tests/fuzz/$$f.dict ] && echo -dict=tests/fuzz/$$f.dict) $(BUILD)/fuzz/corpus-$$f $$([ $$f = fuzz_asm ] && echo tests/asm tests/asm/dwarf) > $(BUILD)/fuzz/$$f.log 2>&1 || { tail -40 $(BUILD)/fuzz/$$f.log; exit 1; }; tail -4 $(BUILD)/fuzz/$$f.log; done

# clang-format 14 does not settle on these (it would change its own output), so they are formatted, not checked.
UNSETTLED = access.h isa.h builtins.c src/device/body/%.c test_body_%.c test_memory%.c
FORMATTED = $(shell git ls-files '*.c' '*.h' 2>/dev/null)
CHECKED   = $(foreach f,$(FORMATTED),$(if $(filter $(UNSETTLED),$(f) $(notdir $(f))),,$(f)))
format:
	clang-format -i $(FORMATTED)
format-check:
	@clang-format --dry-run -Werror $(CHECKED)
# Folders may include only what stands before them (design: arrows point one way).
includes:
	@tests/includes.sh

# Files of PREFIX and LIBDIR, below DESTDIR; both know the same list.
install uninstall: all
	@PREFIX="$(PREFIX)" LIBDIR="$(LIBDIR)" DESTDIR="$(DESTDIR)" VERSION="$(VERSION)" LIBS="$(strip $(LDLIBS))" scripts/install.sh $@ $(BUILD)

help:
	@echo "make           build the binary and the libraries"
	@echo "make run       build, then run a picture kernel on two GPUs"
	@echo "make test      every test (installs what is missing when root on Debian)"
	@echo "make bench     speed, as ratios against the host's OpenCL"
	@echo "make fuzz      each fuzz target for FUZZ_SECONDS"
	@echo "make torture   random kernels, mangled objects, random programs: TORTURE_SECONDS of each"
	@echo "make mutate    MUTANTS mutants of each table and ROWS per cent of the instruction rows' facts, each to be noticed"
	@echo "make corpus    assembler and disassembler against LLVM's tests and llvm-objdump on whole libraries"
	@echo "make install   PREFIX=$(PREFIX) LIBDIR=$(LIBDIR) DESTDIR=; make uninstall takes it away"
	@echo "make format    clang-format every file"
clean:
	rm -rf $(BUILD)

-include $(shell find $(BUILD) -type f -name '*.d' 2>/dev/null)
