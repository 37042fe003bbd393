// SPDX-License-Identifier: MIT
// The binary interface of the HSA runtime as its clients know it: numbers and layouts, in names of our own,
// so that tests/hsa/abi.c can hold them against the headers that the clients are built with.
#ifndef HSA_ABI_H
#define HSA_ABI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// A function of the interface, declared and begun.
#define HSA(type, name, ...)                                                                                 \
    type name(__VA_ARGS__);                                                                                  \
    type name(__VA_ARGS__)

// Handles are structs of one 64-bit member, which calls pass as they pass the number itself.
typedef uint64_t handle_t;

typedef enum status {
    ST_SUCCESS = 0,
    ST_INFO_BREAK = 1,
    ST_INVALID_MEMORY_POOL = 40,
    ST_MEMORY_APERTURE_VIOLATION = 41,
    ST_ILLEGAL_INSTRUCTION = 42,
    ST_MEMORY_FAULT = 43,
    ST_CU_MASK_REDUCED = 44,
    ST_OUT_OF_REGISTERS = 45,
    ST_RESOURCE_BUSY = 46,
    ST_NOT_SUPPORTED = 47,
    ST_ERROR = 0x1000,
    ST_INVALID_ARGUMENT = 0x1001,
    ST_INVALID_QUEUE_CREATION = 0x1002,
    ST_INVALID_ALLOCATION = 0x1003,
    ST_INVALID_AGENT = 0x1004,
    ST_INVALID_REGION = 0x1005,
    ST_INVALID_SIGNAL = 0x1006,
    ST_INVALID_QUEUE = 0x1007,
    ST_OUT_OF_RESOURCES = 0x1008,
    ST_INVALID_PACKET_FORMAT = 0x1009,
    ST_RESOURCE_FREE = 0x100a,
    ST_NOT_INITIALIZED = 0x100b,
    ST_REFCOUNT_OVERFLOW = 0x100c,
    ST_INCOMPATIBLE_ARGUMENTS = 0x100d,
    ST_INVALID_INDEX = 0x100e,
    ST_INVALID_ISA = 0x100f,
    ST_INVALID_CODE_OBJECT = 0x1010,
    ST_INVALID_EXECUTABLE = 0x1011,
    ST_FROZEN_EXECUTABLE = 0x1012,
    ST_INVALID_SYMBOL_NAME = 0x1013,
    ST_VARIABLE_ALREADY_DEFINED = 0x1014,
    ST_VARIABLE_UNDEFINED = 0x1015,
    ST_EXCEPTION = 0x1016,
    ST_INVALID_ISA_NAME = 0x1017,
    ST_INVALID_CODE_SYMBOL = 0x1018,
    ST_INVALID_EXECUTABLE_SYMBOL = 0x1019,
    ST_INVALID_FILE = 0x1020,
    ST_INVALID_CODE_OBJECT_READER = 0x1021,
    ST_INVALID_CACHE = 0x1022,
    ST_INVALID_WAVEFRONT = 0x1023,
    ST_INVALID_SIGNAL_GROUP = 0x1024,
    ST_INVALID_RUNTIME_STATE = 0x1025,
    ST_FATAL = 0x1026,
    ST_IMAGE_FORMAT_UNSUPPORTED = 0x3000,
    ST_IMAGE_SIZE_UNSUPPORTED = 0x3001,
    ST_IMAGE_PITCH_UNSUPPORTED = 0x3002,
    ST_SAMPLER_DESCRIPTOR_UNSUPPORTED = 0x3003,
} status;

enum attribute {
#define INFO(name, number)          name = number,
#define NAMED(name, number, theirs) name = number,
#define LATER(name, number)         name = number,
#include "hsa/service/attributes.def"
#undef INFO
#undef NAMED
#undef LATER
};
enum profile { PROFILE_BASE = 0, PROFILE_FULL = 1 };
enum device_type { DEVICE_CPU = 0, DEVICE_GPU = 1 };
enum extension { EXT_FINALIZER = 0, EXT_IMAGES = 1, EXT_LOADER = 0x201, EXT_AQLPROFILE = 0x202 };
enum segment { SEGMENT_GLOBAL = 0, SEGMENT_GROUP = 3 };
enum pool_flags { FLAG_KERNARG = 1, FLAG_FINE = 2, FLAG_COARSE = 4 };
enum condition { COND_EQ = 0, COND_NE = 1, COND_LT = 2, COND_GTE = 3 };
enum wait_state { WAIT_BLOCKED = 0, WAIT_ACTIVE = 1 };
enum { BREAK_POLICY = 1, DETECT_POLICY = 2 };

// ---- Queues and signals: reach_layout.h has what lies in memory that kernels write ----
struct aql_queue; // hsa_queue_t
enum queue_type { QUEUE_MULTI = 0, QUEUE_SINGLE = 1, QUEUE_COOPERATIVE = 2 };
enum { FEATURE_KERNEL_DISPATCH = 1, FEATURE_AGENT_DISPATCH = 2 };
enum { PROPERTY_PTR64 = 2, PROPERTY_PROFILING = 8 };
enum { ATTRIBUTE_GPU_ONLY = 1, ATTRIBUTE_IPC = 2 };

// ---- Packets (DISP-05, DISP-06) ----
enum packet_type {
    PACKET_VENDOR = 0,
    PACKET_INVALID = 1,
    PACKET_DISPATCH = 2,
    PACKET_BARRIER_AND = 3,
    PACKET_AGENT_DISPATCH = 4,
    PACKET_BARRIER_OR = 5,
};
enum { HEADER_BARRIER = 1 << 8, FORMAT_PM4 = 1, FORMAT_BARRIER_VALUE = 2 };
union packet {
    uint16_t header;
    struct {
        uint16_t header, setup, workgroup[3], reserved0;
        uint32_t grid[3], private_size, group_size;
        uint64_t kernel_object, kernarg, reserved2;
        handle_t completion;
    } dispatch;
    struct {
        uint16_t header, reserved0;
        uint32_t reserved1;
        handle_t dep[5];
        uint64_t reserved2;
        handle_t completion;
    } barrier;
    struct {
        uint16_t header, type;
        uint32_t reserved0;
        uint64_t return_address, arg[4], reserved2;
        handle_t completion;
    } agent;
    struct {
        uint16_t header;
        uint8_t format, reserved;
        uint32_t reserved0;
        handle_t signal;
        int64_t value, mask;
        uint32_t cond, reserved1;
        uint64_t reserved2, reserved3;
        handle_t completion;
    } value;
    struct {
        uint16_t header;
        uint8_t format, reserved;
        uint32_t words[13];
        handle_t completion;
    } pm4;
    uint64_t words[8];
};

// ---- Memory ----
struct dim3 {
    uint32_t x, y, z;
};
struct pitched {
    char *base;
    size_t pitch, slice;
};
struct link_info {
    uint32_t min_latency, max_latency, min_bandwidth, max_bandwidth;
    bool atomic32, atomic64, coherent;
    uint32_t type, numa_distance;
};
enum pointer_type {
    POINTER_UNKNOWN = 0,
    POINTER_HSA = 1,
    POINTER_LOCKED = 2,
    POINTER_GRAPHICS = 3,
    POINTER_IPC = 4
};
struct pointer_info {
    uint32_t size, type;
    void *agent_base, *host_base;
    size_t bytes;
    void *user_data;
    handle_t owner;
    uint32_t global_flags;
};
struct ipc_handle {
    uint32_t word[8];
};
struct svm_pair {
    uint64_t attribute, value;
};
struct memory_event { // hsa_amd_event_t with a memory fault
    uint32_t type;
    handle_t agent;
    uint64_t address;
    uint32_t reasons;
};
enum { FAULT_NOT_PRESENT = 1, FAULT_READ_ONLY = 2, FAULT_NO_EXECUTE = 4 };
struct times {
    uint64_t start, end;
};

// ---- The loader's extension ----
struct segment_descriptor {
    handle_t agent, executable;
    uint32_t storage;
    const void *storage_base;
    size_t storage_size, storage_offset;
    const void *base;
    size_t size;
};
enum { STORAGE_NONE = 0, STORAGE_FILE = 1, STORAGE_MEMORY = 2 };

// ---- Images ----
struct image_format {
    uint32_t type, order;
};
struct image_descriptor {
    uint32_t geometry;
    size_t width, height, depth, array_size;
    struct image_format format;
};
struct image_data_info {
    size_t size, alignment;
};
struct image_region {
    struct dim3 offset, range;
};
struct sampler_descriptor {
    uint32_t coordinate, filter, address;
};
struct sampler_descriptor_v2 {
    uint32_t coordinate, filter, address[3];
};

#endif
