# Softwave. `make help` lists the targets.
CC       ?= cc
BUILD    ?= build
PREFIX   ?= /usr/local
OPT      ?= -O2
PACKAGES  = libelf zlib libzstd msgpack
VERSION   = 0.1.0

WARN   = -Wall -Wextra -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wno-missing-field-initializers $(WERROR)
STD    = -std=gnu17 -ffp-contract=off -fno-strict-aliasing -fvisibility=hidden
CPPFLAGS += -Iinclude -Isrc -I$(BUILD) -D_GNU_SOURCE $(shell pkg-config --cflags $(PACKAGES) 2>/dev/null)
CFLAGS = $(STD) $(OPT) -g $(WARN) -fPIC -MMD -MP $(EXTRA)
LDLIBS = $(shell pkg-config --libs $(PACKAGES) 2>/dev/null) -lm -lpthread
