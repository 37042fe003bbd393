// SPDX-License-Identifier: MIT
// Parts of `softwave run`: what the options say, kernel arguments, reports.
#ifndef CLI_RUN_H
#define CLI_RUN_H

#include "base/arena.h"
#include "base/array.h"
#include "base/file.h"
#include "cli/cli.h"
#include "softwave/asm.h"
#include "softwave/changes.h"
#include "softwave/device.h"
#include "softwave/image.h"

enum value_type { U8, I8, U16, I16, U32, I32, U64, I64, F16, F32, F64, VALUE_TYPES };

// The type named by the first `length` characters, or VALUE_TYPES.
enum value_type value_type_of(const char *name, size_t length);
size_t value_size(enum value_type t);
// Parses one number into `out`; returns the end of what it used, or NULL.
const char *value_parse(enum value_type t, const char *text, void *out);
void value_print(struct text *t, enum value_type type, const void *value);
// Distance in units in the last place; 0 for two NaNs or equal integers, UINT64_MAX for a NaN and a number.
uint64_t value_distance(enum value_type t, const void *a, const void *b);

struct buffer {
    char *name;             // or NULL
    uint8_t *memory;        // of the device
    uint64_t size, address; // address: where the R600 family finds it; 0: anywhere
    const char *out, *expect;
    uint64_t tolerance;
    enum value_type type; // of fill, show or expect
    bool shown;
    uint64_t show_count;
    size_t job, argument;    // where it was created
    struct run_image *image; // whose plain rows `memory` has, in memory of ours; NULL: it is no image
};

// What the text of an image says beside that of a buffer.
struct image_spec {
    uint32_t extent[3]; // 0: as the picture that it is read from
    const char *format; // NULL: rgba8
    sw_image_dimension kind;
    bool is_image, has_kind;
    uint32_t layers, levels;
};

struct job {
    const char *kernel_name;
    const sw_kernel *kernel;
    sw_kernel old; // of code object V2, with what its dispatch needs
    sw_kernel_descriptor old_descriptor;
    uint32_t grid[3], block[3];
    bool has_grid, has_block;
    uint32_t dynamic_lds;
    ARRAY(const char *) arguments, buffers; // as given: arguments, and buffers beside them
    uint8_t *kernarg;
};

struct run {
    sw_device *device;
    sw_executable *executable;
    struct job *jobs;
    size_t job_count;
    struct tracer *tracer;     // or NULL
    struct hostcall *hostcall; // NULL: no kernel wanted it yet
    struct exports *exports;   // of --exports; else NULL
    sw_changes *share;         // of --shard; else NULL
    bool shared;               // --shard is given
    ARRAY(struct buffer) buffers;
    struct arena texts;             // of names and files in buffer arguments
    ARRAY(size_t) argument_buffers; // of the current job: index + 1 by argument, 0: none
};

// What the options say.
struct run_settings {
    const char *file, *target, *trace, *mattr;
    unsigned wave; // 0: the object's
    bool stats, json, tracing, fidelity, done;
    uint64_t limit; // control-flow instructions of the R600 family; 0: none
    struct tracer *tracer;
    uint32_t stack;
    uint64_t print_limit;
    double timeout;
    sw_device_options device;
    uint64_t weak_last;  // of --weak=A..B, whose first is device.weak; 0: no range
    struct seeds *seeds; // while each of them runs, else NULL
    ARRAY(struct job) jobs;
    ARRAY(const char *) symbols; // variables of the code object, as given
    unsigned share, shares;      // --shard; shares 0: the whole grid
    const char *changes;
    bool exporting;
    const char *exports_file; // NULL: to standard output
    bool profiling;
    const char *profile_file;   // NULL: to standard output
    struct sw_profile *profile; // of the kernel that runs
    struct text profiled;       // for the file
};
sw_status run_file(struct run_settings *o, struct text *t);
// "SEED" or "FIRST..LAST" of --weak. False when it is neither.
bool run_parse_seeds(const char *s, struct run_settings *o);
// With a range of seeds: all kernels by `run_all` without a seed, then with each. SW_CHECK: a buffer differs.
typedef sw_status run_all_fn(struct run_settings *o, sw_object *object, struct text *t);
sw_status run_seeds(struct run_settings *o, sw_object *object, struct text *t, run_all_fn *run_all);
// Ends the process if a signal that would have done so came while a kernel was traced or profiled: then what
// that gives is written first.
void run_end_as_asked(void);

// A number, in any notation of C, with K, M or G behind it, of `length` characters. False when it is none.
bool run_parse_bytes(const char *s, size_t length, uint64_t *out);
// Values of options; a message of the command where they are none.
int run_take_bytes(const char *command, const char *option, const char *text, uint64_t least, uint64_t most,
                   uint64_t *out);
int run_take_seconds(const char *command, const char *text, double *out); // of --timeout
bool run_parse_number(const char *s, size_t length, uint64_t *out);       // without a letter behind it
// A usage error about an argument.
sw_status run_bad(const char *argument, const char *why);
// "X[,Y[,Z]]", none of them 0; "zero", "pattern" or "random[:SEED]". False when it is not.
bool run_parse_size(const char *s, uint32_t out[3]);
bool run_parse_init(const char *s, sw_device_options *o);
// "unaligned", "dword-strict" or "strict".
bool run_parse_alignment(const char *s, sw_device_options *o);
// Whether the file holds assembly text (by its name), and that text as a relocatable object for --target,
// --wave and --mattr, to be freed with sw_free.
bool run_is_assembly(const char *file);
sw_status run_assemble(const char *name, const struct file *text, const char *target, unsigned wave,
                       const char *mattr, uint8_t **object, size_t *size, const sw_sink *sink);
// The same for a file to run: text without a kernel descriptor gets one.
sw_status run_assemble_kernel(const char *file, const struct file *text, const struct run_settings *o,
                              uint8_t **object, size_t *size);
// Whether the file is source of a language that a compiler is called for (by its name), and its code,
// compiled for `target` (NULL: gfx90a). The command is printed on standard error.
bool run_is_source(const char *file);
sw_status run_compile(const char *file, const char *target, unsigned wave, struct file *out);
// Warns of a kernel that has libclc's wrong get_global_id in it. `image`: where its object is loaded.
void run_warn_libclc(const sw_object *object, const sw_kernel *k, const sw_processor *p, uint64_t image,
                     const char *file);
// Refuses a wave size (0: any) and features ("+cumode,-xnack" or NULL) that contradict the kernels to run.
sw_status run_check_features(const struct run *r, const sw_target *target, unsigned wave, const char *mattr);
// Explicit argument `number` of a kernel: its type as the source has it, and what to write for it on the
// command line, with `value` in it: "f32:V", "buf:SIZE".
void run_argument_type(const sw_kernel *k, const sw_argument *a, size_t number, char *out, size_t size);
void run_argument_form(const sw_kernel *k, const sw_argument *a, size_t number, const char *value, char *out,
                       size_t size);
// All of them on standard error, with an example.
void run_list_arguments(const sw_kernel *k);
// The type that a word of C stands for, "f32" for "float"; NULL: none.
const char *run_type_of_word(const char *word, size_t length);
// A usage error about an argument of no known form.
sw_status run_unknown_form(const char *text, const sw_kernel *k, const sw_argument *a, size_t number);
// Fills job->kernarg from its argument texts.
sw_status run_arguments(struct run *r, size_t job);
// A buffer or an image from its text, "buf:..." or "image:..."; one that is no argument has SIZE_MAX as its
// number, and its text is that of a buffer without "buf:".
sw_status run_create_buffer(struct run *r, size_t job, size_t argument, const char *text);
// "W", "WxH" or "WxHxD" of `length` characters.
bool run_parse_extent(const char *s, size_t length, uint32_t out[3]);
// A part "KEY=VALUE" of an image's text that a buffer's does not have; false in *known: it is none.
sw_status run_image_part(struct image_spec *i, const char *whole, const char *key, size_t length,
                         const char *value, bool *known);
// Gives an image its memory and its resource, and the buffer its plain rows. `in` may be a picture (PPM,
// PGM), which is converted; else *texels is what is to be copied to the rows.
sw_status run_image_begin(struct run *r, struct buffer *b, const struct image_spec *i, const struct file *in,
                          const char *whole, struct file *texels);
sw_status run_image_fill(const struct buffer *b);   // from the rows to the image
sw_status run_image_fetch(const struct buffer *b);  // the other way
uint64_t run_image_address(const struct buffer *b); // of the words that kernels read
sw_status run_write_image(const struct buffer *b);  // out=: as a PNG or PPM file by its name, else plain rows
sw_status run_create_sampler(struct run *r, const char *text, uint64_t *address);
// fill=: TYPE:VALUE, TYPE:iota or TYPE:rand[:SEED]; sets the buffer's type. False when it is none of them.
bool run_fill(struct buffer *b, const char *spec, size_t length);
uint64_t run_buffer_address(const struct buffer *b); // as kernels get it
// The address of "@N[+OFFSET]" or "@NAME[+OFFSET]".
sw_status run_find_buffer(struct run *r, const char *text, uint64_t *address);
// Variables of the loaded code object, as --symbol gives them, become buffers.
sw_status run_variables(struct run *r, const sw_object *object, const char *const *texts, size_t count);
// After the run: show=, out=, expect=.
sw_status run_outputs(struct run *r, struct text *t);
// With a range of seeds: the same in the run without one; in the others buffers are compared with that.
sw_status run_seed_outputs(struct run_settings *o, struct run *r, struct text *t);
// Why the kernel did not come to its end, and what its waves did, on standard error.
void run_fault(const sw_fault *fault, const struct run *r, const sw_kernel *kernel, const sw_object *object,
               sw_wave_state *waves, size_t capacity);
// Whether it used a service of the runtime that is not there.
bool run_needs_service(const sw_fault *fault, const sw_kernel *kernel);
void run_stats(struct text *t, const sw_device *d, const sw_kernel *kernel, const sw_counts *counts,
               bool json);

void run_fidelity(struct text *t, sw_device *d, const sw_executable *e);

// "I/N". False when it is not.
bool run_parse_share(const char *s, unsigned *share, unsigned *shares);
// Whether the options for shares fit each other.
sw_status run_share_check(const struct run_settings *o);
// With --shard: makes the dispatch that share, when its arguments are there; when it has ended well, writes
// what it changed.
sw_status run_share_begin(struct run *r, const struct run_settings *o, const sw_kernel *k,
                          const sw_object *object, sw_dispatch *q);
sw_status run_share_end(struct run *r, const struct run_settings *o);

// The instruction at a GPU address as text.
void run_print_insn(struct text *t, const sw_processor *p, bool wave32, uint8_t vgpr_msb, uint64_t pc);

// --profile: before each kernel, after it, and at the end.
sw_status run_profile_begin(struct run_settings *o, sw_dispatch *q);
sw_status run_profile_end(struct run_settings *o, const struct run *r, const sw_kernel *kernel,
                          const sw_object *object, struct text *t);
sw_status run_profile_close(struct run_settings *o, sw_status status);

// Hostcalls of HIP's kernels: the buffer that they find in a hidden argument. NULL: out of memory. `written`
// is what sw_device_hooks.written calls.
struct hostcall *hostcall_open(sw_device *device);
uint64_t hostcall_address(const struct hostcall *hostcall);
uint64_t hostcall_heap(struct hostcall *hostcall); // for device malloc of code objects V5; 0: out of memory
void hostcall_written(struct hostcall *hostcall);  // NULL: nothing happens
bool hostcall_gave_memory(const struct hostcall *hostcall); // that a kernel allocated; NULL: no
void hostcall_rest(struct hostcall *hostcall);              // between kernels
void hostcall_close(struct hostcall *hostcall);             // after the device

// Exports of all kernels. NULL: out of memory. Closing writes them to `file`, or appends them to the text.
struct exports;
struct exports *exports_open(void);
void exports_take(struct exports *exports, const sw_export *exported);
void exports_put_values(struct text *t, const sw_export *exported, unsigned lane);
sw_status exports_close(struct exports *exports, const char *file, sw_status status, struct text *t);

// Tracing by `spec` (NULL: everything to standard error): *out is to be closed whatever the
// outcome.
struct tracer;
sw_status tracer_open(const char *spec, const sw_processor *processor, struct tracer **out);
// The code object whose source lines are shown, and where it is loaded. It must stay open as long as the
// tracer.
void tracer_object(struct tracer *tracer, const sw_object *object, uint64_t image);
// Of the kernel that runs next: sets the observer of its dispatch.
void tracer_kernel(struct tracer *tracer, const char *symbol, sw_dispatch *q);
int tracer_close(struct tracer *tracer, int status); // the status, or an error when the trace is cut short

#endif
