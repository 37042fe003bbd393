# Softwave. `make help` lists the targets; BUILD, OPT, EXTRA and WERROR may be set.
CC      ?= cc
BUILD   ?= build
PREFIX  ?= /usr/local
OPT     ?= -O2
VERSION  = 0.1.0

PACKAGES = zlib libzstd msgpack
WARN     = -Wall -Wextra -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wno-missing-field-initializers $(WERROR)
CPPFLAGS += -Iinclude -Isrc -I$(BUILD) -D_GNU_SOURCE
CFLAGS   = -std=gnu17 -ffp-contract=off -fno-strict-aliasing -fPIC $(OPT) -g $(WARN) $(EXTRA)
LDLIBS   = $(shell pkg-config --libs $(PACKAGES)) -lm -lpthread

# Bodies of vector instructions are compiled once per vector level of the host; the device picks one.
LEVELS       = v2 v3 v4
BODIES       = $(wildcard src/device/body_*.c)
BODY_CFLAGS  = -frounding-math -Wno-psabi
HOST_ARCH   := $(shell uname -m)
ifneq ($(HOST_ARCH),x86_64)
LEVELS       = plain
endif
march_v2 = -march=x86-64-v2
march_v3 = -march=x86-64-v3 -mno-vzeroupper
march_v4 = -march=x86-64-v4 -mprefer-vector-width=512 -mno-vzeroupper

ISA_SRC = $(wildcard src/base/*.c src/target/*.c src/dis/*.c) src/isa/rows.c src/isa/decode.c src/isa/names.c src/isa/check.c
LIB_SRC = $(ISA_SRC) $(wildcard src/object/*.c) $(filter-out $(BODIES),$(wildcard src/device/*.c))
ISA_OBJ = $(ISA_SRC:%.c=$(BUILD)/%.o) $(BUILD)/isa_tables.o
LIB_OBJ = $(LIB_SRC:%.c=$(BUILD)/%.o) $(BUILD)/isa_tables.o $(foreach l,$(LEVELS),$(BODIES:%.c=$(BUILD)/%.$(l).o))
CLI_OBJ = $(patsubst %.c,$(BUILD)/%.o,$(wildcard src/cli/*.c))
TESTS   = $(patsubst tests/%.c,$(BUILD)/tests/%,$(wildcard tests/test_*.c))

all: $(BUILD)/softwave $(BUILD)/libsoftwave.a $(BUILD)/libsoftwave.so

$(BUILD)/%.o: %.c
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS) $(CFLAGS) -MMD -MP -c $< -o $@

define level_rule
$(BUILD)/%.$(1).o: %.c
	@mkdir -p $$(@D)
	$$(CC) $$(CPPFLAGS) $$(CFLAGS) $$(BODY_CFLAGS) $$(march_$(1)) -DLEVEL=$(1) -DLEVEL_$(1) -MMD -MP -c $$< -o $$@
endef
$(foreach l,$(LEVELS),$(eval $(call level_rule,$(l))))

EXPAND_SRC = src/isa/expand.c src/isa/rows.c $(wildcard src/target/*.c src/base/*.c)
$(BUILD)/expand: $(EXPAND_SRC) $(wildcard src/isa/*.def src/isa/*.h src/target/*.def src/target/*.h include/softwave/*.h)
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS) -std=gnu17 -O1 $(WARN) $(EXTRA) $(EXPAND_SRC) -lm -o $@
$(BUILD)/isa_tables.c: $(BUILD)/expand
	$(BUILD)/expand > $@.part && mv $@.part $@
$(BUILD)/isa_tables.o: $(BUILD)/isa_tables.c
	$(CC) $(CPPFLAGS) $(CFLAGS) -MMD -MP -c $< -o $@

$(BUILD)/libsoftwave-all.a: $(LIB_OBJ)
	rm -f $@ && $(AR) rcs $@ $(LIB_OBJ)
# One relocatable object in which only sw_* stays global, so that a static link cannot clash.
$(BUILD)/libsoftwave.a: $(LIB_OBJ)
	$(LD) -r -o $(BUILD)/libsoftwave.o $(LIB_OBJ)
	objcopy --wildcard --keep-global-symbol='sw_*' $(BUILD)/libsoftwave.o
	rm -f $@ && $(AR) rcs $@ $(BUILD)/libsoftwave.o
$(BUILD)/libsoftwave.so: $(LIB_OBJ) src/softwave.map
	$(CC) -shared $(CFLAGS) -Wl,-soname,libsoftwave.so.0 -Wl,--version-script=src/softwave.map -Wl,-z,defs -Wl,-Bsymbolic-functions -o $@ $(LIB_OBJ) $(LDLIBS)
$(BUILD)/softwave: $(CLI_OBJ) $(BUILD)/libsoftwave-all.a
	$(CC) $(CFLAGS) -o $@ $^ $(LDLIBS)

$(BUILD)/tests/%: tests/%.c $(BUILD)/libsoftwave-all.a
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS) $(CFLAGS) -MMD -MP -Itests -o $@ $< $(BUILD)/libsoftwave-all.a $(LDLIBS) -lcmocka

-include $(shell find $(BUILD) -name '*.d' 2>/dev/null)
