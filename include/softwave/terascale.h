// SPDX-License-Identifier: MIT
// The R600 family (R600, R700, Evergreen, Northern Islands): its programs are control flow that names
// clauses, unlike anything that the rest of the library knows. Programs as text and back, and its relocatable
// objects.
//
// Text, code and all that options name stay the caller's and are not kept. Calls share nothing: any number
// may run in different threads. Sinks and writers are called in the thread of the call.
#ifndef SOFTWAVE_TERASCALE_H
#define SOFTWAVE_TERASCALE_H

#include "softwave/target.h"

#ifdef __cplusplus
extern "C" {
#endif

// Whether the processor is of this family.
bool sw_terascale_processor(const sw_processor *p);
// Lanes of its waves: 16, 32 or 64; 0 for other processors.
unsigned sw_terascale_lanes(const sw_processor *p);
// An operation of the family. Names and texts are constants.
enum { SW_TERASCALE_FAMILIES = 4 }; // R600, R700, Evergreen, Cayman
typedef struct sw_terascale_opcode {
    size_t size;                       // sizeof(sw_terascale_opcode) of the caller; set before the call
    const char *name;                  // as in assembly
    const char *group;                 // "ALU", "control flow", "texture fetch" ...
    const char *gap;                   // why it is not executed; NULL: it is
    int opcode[SW_TERASCALE_FAMILIES]; // -1: the family does not have it
    unsigned sources;
    const char *alias;    // another name that assembly may use; NULL: none
    const char *sentence; // what it does, in one sentence or a few
    const char *unsure;   // which part of its execution rests on a guess; NULL: none
} sw_terascale_opcode;
// The operation at an index from 0 on. False: there are no more.
bool sw_terascale_opcode_at(size_t index, sw_terascale_opcode *out);
// The family of a processor: 0 to 3 as in `opcode`; -1: it is no such processor.
int sw_terascale_family(const sw_processor *p);
// Whether the bytes begin as an object of this family does (ELF32 of an AMD GPU).
bool sw_terascale_is_object(const uint8_t *data, size_t size);

typedef struct sw_terascale_output {
    // Takes text, whole lines at a time; false stops the call with SW_BAD_INPUT.
    bool (*write)(void *context, const char *text, size_t length);
    void *context;
} sw_terascale_output;

typedef struct sw_terascale_dis_options {
    size_t size;                   // sizeof(sw_terascale_dis_options)
    const sw_processor *processor; // of code; objects say their own
    const char *name;              // of the file, for messages
    const char *function;          // only this one; NULL: all
    bool llvm;                     // llc's spelling and order, with encodings; it cannot be assembled
} sw_terascale_dis_options;

// Lists code whose first word is a control-flow word. What it prints assembles to the same bytes.
sw_status sw_terascale_list(const uint8_t *code, size_t size, const sw_terascale_dis_options *options,
                            const sw_terascale_output *out, const sw_sink *sink);
// Lists the functions of an object.
sw_status sw_terascale_list_object(const uint8_t *data, size_t size, const sw_terascale_dis_options *options,
                                   const sw_terascale_output *out, const sw_sink *sink);
// What the object contains: target, sections, functions with the state that .AMDGPU.config sets for them.
sw_status sw_terascale_show_object(const uint8_t *data, size_t size, const char *name,
                                   const sw_terascale_output *out, const sw_sink *sink);

typedef struct sw_terascale_as_options {
    size_t size;                   // sizeof(sw_terascale_as_options)
    const sw_processor *processor; // required
    const char *name;              // of the text's file, for messages
    bool raw;                      // the code alone, no object
} sw_terascale_as_options;

// Assembles `length` bytes of text. *result becomes *result_size bytes, to be freed with sw_free.
// Each error goes to the sink with its line and column.
sw_status sw_terascale_assemble(const char *text, size_t length, const sw_terascale_as_options *options,
                                uint8_t **result, size_t *result_size, const sw_sink *sink);

// ---- Running compute programs ----

// Memory that the program reaches at a 32-bit address.
typedef struct sw_terascale_buffer {
    void *data;
    size_t size;
    uint32_t address;
    bool read_only;
} sw_terascale_buffer;

// A register of program state and what it holds: resources, samplers, border colours, constants. Those that
// an object sets for a function are written first.
typedef struct sw_terascale_setting {
    uint32_t reg, value; // byte address, as .AMDGPU.config has it
} sw_terascale_setting;
// Memory besides the one space of addresses, which a driver would set up.
typedef enum sw_terascale_space {
    SW_TERASCALE_RAT,        // 0 to 11; without it RAT 0 is the one space
    SW_TERASCALE_RAT_RETURN, // 0 to 11: where the atomics with _RTN of that RAT give back
    SW_TERASCALE_RING,       // 0: MEM_RING; 1 to 3
    SW_TERASCALE_STREAM,     // R600 and R700: 0 to 3; later 4 * stream + buffer, up to 15
    SW_TERASCALE_REDUCTION,  // MEM_REDUCT, READ_REDUCT
    SW_TERASCALE_SCATTER,    // MEM_EXPORT, READ_MEM
    SW_TERASCALE_FACTORS,    // TF_WRITE
    SW_TERASCALE_GDS,        // without it 64 KiB of zeros
    SW_TERASCALE_SIMD_GPRS,  // registers of a whole SIMD, 1024 bytes each; without it 128 of zeros
    SW_TERASCALE_SPACES
} sw_terascale_space;
typedef enum sw_terascale_number {
    SW_TERASCALE_RAW, // no format: STORE_TYPED is refused
    SW_TERASCALE_UNORM,
    SW_TERASCALE_SNORM,
    SW_TERASCALE_UINT,
    SW_TERASCALE_SINT,
    SW_TERASCALE_FLOAT,
} sw_terascale_number;
typedef struct sw_terascale_memory {
    size_t size; // sizeof(sw_terascale_memory)
    sw_terascale_space space;
    unsigned number;
    void *data;
    size_t bytes;
    uint32_t stride; // rings and streams: bytes from a lane's part to the next one's
    // Of a RAT that takes typed stores: its data format (as FORMAT of a fetch numbers them), texels of a row
    // and rows of a slice.
    sw_terascale_number type;
    unsigned format;
    uint32_t pitch, rows;
} sw_terascale_memory;

// What a driver sets up for programs of any stage, and how far they may go.
typedef struct sw_terascale_setup {
    size_t size; // sizeof(sw_terascale_setup)
    const sw_terascale_buffer *buffers;
    size_t buffer_count;
    const sw_terascale_setting *settings;
    size_t setting_count;
    const sw_terascale_memory *memories; // sw_terascale_draw takes none, nor boolean and loop constants
    size_t memory_count;
    uint32_t booleans;     // the boolean constants
    const uint32_t *loops; // the loop constants from 0 on
    size_t loop_count;     // at most 32
    uint64_t max_steps;    // control-flow instructions of all waves; 0: no limit
    double seconds;        // 0: no limit
    bool strict;           // reads of what no instruction of the clause wrote are faults
} sw_terascale_setup;

// What Mesa's driver does for a kernel: constant buffer 0 (and vertex buffer 3) holds the numbers of groups,
// the global and the group's size, three dwords each, then the arguments from byte 36 on, then the number of
// dimensions and the global offset. Pointers are addresses of buffers; those to local memory are offsets in
// LDS.
typedef struct sw_terascale_run_options {
    size_t size;          // sizeof(sw_terascale_run_options)
    const char *name;     // of the file, for messages
    const char *function; // NULL: the only kernel
    uint32_t groups[3], group_size[3], offset[3];
    const void *arguments;
    size_t arguments_size;
    uint32_t dynamic_lds;            // bytes behind what the program declares
    const sw_terascale_setup *setup; // NULL: nothing is set up
} sw_terascale_run_options;

// The bytes of LDS that the function of an object declares.
sw_status sw_terascale_lds(const uint8_t *object, size_t size, const char *function, uint32_t *bytes,
                           const sw_sink *sink);
// Executes the groups one after the other. SW_FAULTED: the program faulted or a limit stopped it;
// SW_UNSUPPORTED: it uses what cannot be executed. The message names program, word, group, wave and lane.
sw_status sw_terascale_run(const uint8_t *object, size_t size, const sw_terascale_run_options *options,
                           const sw_sink *sink);

// What an operation's result rests on.
typedef enum sw_terascale_certainty {
    SW_TERASCALE_SURE,
    SW_TERASCALE_UNSURE,      // on memory, or one of two readings
    SW_TERASCALE_UNSUPPORTED, // it stops a run
} sw_terascale_certainty;
typedef struct sw_terascale_operation {
    size_t size; // sizeof(sw_terascale_operation)
    const char *name;
    sw_terascale_certainty certainty;
    const char *why; // NULL where it is sure
} sw_terascale_operation;
// The operations that a function uses, by name: up to `most`, whose first has its size set; *count is how
// many there are.
sw_status sw_terascale_operations(const uint8_t *object, size_t size, const char *function,
                                  sw_terascale_operation *out, size_t most, size_t *count,
                                  const sw_sink *sink);

// ---- One wave of any stage ----

// What EXP and EXP_DONE of PIXn, POSn or PARAMn gave: `base` is 0 to 7 for colours, 60 to 63 for positions.
typedef struct sw_terascale_export {
    size_t size;
    unsigned type; // 0 pixel, 1 position, 2 parameter
    unsigned base;
    uint64_t lanes;            // that gave a value
    const uint32_t *values[4]; // of components, by lane; NULL: masked
} sw_terascale_export;

// What EMIT_VERTEX, CUT_VERTEX and EMIT_CUT_VERTEX signal.
typedef struct sw_terascale_emission {
    size_t size;
    bool emits, cuts;
    unsigned stream;
    uint64_t lanes;
} sw_terascale_emission;

// A wave's registers: before and after. Programs of all stages find their inputs in registers.
typedef struct sw_terascale_wave {
    size_t size;    // sizeof(sw_terascale_wave)
    uint64_t valid; // lanes
    uint32_t gpr[128][4][64];
} sw_terascale_wave;

typedef struct sw_terascale_wave_options {
    size_t size;           // sizeof(sw_terascale_wave_options)
    const char *name;      // of the file, for messages
    const char *function;  // NULL: the only one
    const void *constants; // of constant buffer 0
    size_t constants_size;
    const uint32_t *file; // the constant file of R600 and R700: 256 vectors of four; NULL: zeros
    uint32_t lds;         // bytes
    void (*exported)(void *context, const sw_terascale_export *e);
    void *context;
    const char *fetch; // the function that CALL_FS calls; NULL: it calls none
    void (*emitted)(void *context, const sw_terascale_emission *e);
    // What INTERP_* interpolate, of 32 parameters: each component at a primitive's first vertex, and what it
    // has more at the second and at the third. NULL: no parameters.
    const float (*parameters)[4][3];
    const sw_terascale_setup *setup; // NULL: nothing is set up
} sw_terascale_wave_options;

// Executes the program for one wave, of which lanes beyond the processor's wave stay out.
sw_status sw_terascale_run_wave(const uint8_t *object, size_t size, const sw_terascale_wave_options *options,
                                sw_terascale_wave *wave, const sw_sink *sink);

// ---- Vertex and pixel shaders ----

typedef enum sw_terascale_primitive {
    SW_TERASCALE_TRIANGLES, // of three vertices each
    SW_TERASCALE_TRIANGLE_STRIP,
    SW_TERASCALE_TRIANGLE_FAN,
    SW_TERASCALE_QUADS, // of four: the triangles 0 1 2 and 0 2 3
} sw_terascale_primitive;

enum { SW_TERASCALE_TARGETS = 8 };

// Vertices go through the vertex shader, which finds their number in R0.x and the instance's in R0.w. What it
// exports as position 0 is clip space: x / w and y / w from -1 to 1 are the picture, y upwards. A pixel
// belongs to the triangle that holds its centre; on an edge, to the one below or right of it. The pixel
// shader finds interpolated parameters as the family has it, and what it exports is the picture's colour, one
// triangle over the other.
typedef struct sw_terascale_draw_options {
    size_t size;                        // sizeof(sw_terascale_draw_options)
    const char *name;                   // of the file, for messages
    const char *vertex, *pixel, *fetch; // functions; NULL: the only one of its stage; no fetch shader
    sw_terascale_primitive primitive;
    uint32_t first, count;    // vertices: numbers from `first` on,
    const uint32_t *indices;  // or, if not NULL, `count` of these
    uint32_t instances;       // 0: one
    uint32_t width, height;   // at most 4096 each
    const void *constants[2]; // of constant buffer 0 of vertex and pixel shader
    size_t constants_size[2];
    const sw_terascale_setup *setup; // NULL: nothing is set up
    // Colours: red, green, blue and alpha of each pixel, rows from the top; NULL: not kept.
    float *targets[SW_TERASCALE_TARGETS];
} sw_terascale_draw_options;

// State as assembly text says it: functions that hold only directives (`.texture`, `.set`...), each for the
// stage that its `.stage` names. *settings, which sw_terascale_setup takes, is to be freed with
// sw_free.
sw_status sw_terascale_state(const char *text, size_t length, const sw_terascale_as_options *options,
                             sw_terascale_setting **settings, size_t *count, const sw_sink *sink);

// SW_FAULTED and SW_UNSUPPORTED as with sw_terascale_run.
sw_status sw_terascale_draw(const uint8_t *object, size_t size, const sw_terascale_draw_options *options,
                            const sw_sink *sink);

#ifdef __cplusplus
}
#endif
#endif
