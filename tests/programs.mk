# Programs of tests and benches: a file each, which sees the whole library.
TESTS   = $(addprefix $(BUILD)/tests/,$(basename $(notdir $(wildcard tests/*/test_*.c))))
TORTURE = $(filter-out $(NO_CLIENTS),$(patsubst tests/torture/%.c,$(BUILD)/torture/%,$(wildcard tests/torture/*.c)))
# Clients of the HSA runtime need the headers of its interface, <hsa/hsa.h>, which -Isrc would hide.
NO_CLIENTS := $(if $(and $(HSA),$(wildcard /usr/include/hsa/hsa_ext_amd.h)),,%/torture/runtime)
vpath test_%.c $(wildcard tests/*)

$(BUILD)/tests/%: %.c $(BUILD)/libsoftwave-all.a
	$(COMPILE) -MMD -MP -Itests -o $@ $< $(BUILD)/libsoftwave-all.a $(LDLIBS) -lcmocka
# Reads the manuals, which are not part of the project.
$(BUILD)/pseudocode: tests/pseudocode/pseudocode.c $(BUILD)/libsoftwave-all.a
	$(COMPILE) -MMD -MP -Itests -o $@ $< $(BUILD)/libsoftwave-all.a $(LDLIBS)
$(BUILD)/torture/runtime: tests/torture/runtime.c $(BUILD)/libsoftwave.so $(HSA)
	@mkdir -p $(@D) && $(CC) -D_GNU_SOURCE -Iinclude $(CFLAGS) -MMD -MP -o $@ $< $(HSA) $(BUILD)/libsoftwave.so -Wl,-rpath,$(abspath $(BUILD)/hsa):$(abspath $(BUILD)) -lm -lpthread
$(BUILD)/torture/%: tests/torture/%.c $(BUILD)/libsoftwave-all.a
	$(COMPILE) -rdynamic -MMD -MP -Itests -o $@ $< $(BUILD)/libsoftwave-all.a $(LDLIBS)
$(BUILD)/bench/native: bench/native.c bench/kernels.h
	@mkdir -p $(@D) && $(CC) -I. -std=gnu17 -O2 -o $@ $< -lOpenCL
$(BUILD)/bench/start: bench/start.c
	$(COMPILE) -o $@ $<
$(BUILD)/bench/llm: bench/llm.c bench/llm_host.c bench/llm.h $(BUILD)/libsoftwave-all.a
	@mkdir -p $(@D) && $(CC) -O3 -march=native -fopenmp -ffast-math -fno-finite-math-only -c bench/llm_host.c -o $@_host.o
	$(COMPILE) -o $@ $< $@_host.o $(BUILD)/libsoftwave-all.a -fopenmp $(LDLIBS)
$(BUILD)/bench/bench: bench/bench.c bench/host.c bench/host.h bench/kernels.h $(BUILD)/libsoftwave-all.a
	@mkdir -p $(@D) && $(CC) -std=gnu17 -D_GNU_SOURCE -O3 -march=native $(WARN) -I. -c bench/host.c -o $@_host.o
	$(COMPILE) -I. -o $@ bench/bench.c $@_host.o $(BUILD)/libsoftwave-all.a $(LDLIBS) -lpthread
$(BUILD)/bench/wide: bench/wide/wide.c bench/wide/host.c bench/wide/wide.h bench/wide/cases.def bench/wide/sha256.inc $(BUILD)/libsoftwave-all.a
	@mkdir -p $(@D) && $(or $(LLVM_CLANG),clang) -std=gnu17 -O3 -march=native -Wall -Wextra -I. -c bench/wide/host.c -o $@_host.o
	$(COMPILE) -I. -o $@ $< $@_host.o $(BUILD)/libsoftwave-all.a $(LDLIBS)
$(BUILD)/bench/accuracy: tests/device/ulps.h
$(BUILD)/bench/%: bench/%.c bench/kernels.h tests/device/bare_wave.h $(BUILD)/libsoftwave-all.a
	$(COMPILE) -I. -Itests/device -o $@ $< $(BUILD)/libsoftwave-all.a $(LDLIBS)
