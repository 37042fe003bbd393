// SPDX-License-Identifier: MIT
// The runtime's begin and end, what it says of the system, and its environment:
//   SOFTWAVE_GPU      the GPUs, apart by ';': "gfx90a:xnack+,cus=8,memory=4G;gfx1100"; not set: gfx90a
//   SOFTWAVE_THREADS  workers of each GPU; not set: the host's processors, shared by the GPUs
//   SOFTWAVE_MEMORY   bytes (K, M, G) that all allocations together may take
//   SOFTWAVE_TIMEOUT  seconds that a dispatch may take
//   SOFTWAVE_EXACT_BOUNDS  "1": device memory ends with its last page (see fragment.c)
//   SOFTWAVE_STRICT   1: kernels stop at instructions that are not exact (sw_device_options.exact_only)
//   SOFTWAVE_WEAK     a seed, not 0: memory of all GPUs is weak (sw_device_options.weak); behind it
//                     ',hazards' for weak_hazards
//   SOFTWAVE_FAULT    "quiet": nothing on standard error but what AMD's runtime says
//   SOFTWAVE_STATS, SOFTWAVE_PROFILE: see trace.c; SOFTWAVE_PROGRESS: see progress.c
// ROCR_VISIBLE_DEVICES, HSA_XNACK and HSA_ENABLE_VM_FAULT_MESSAGE mean what they mean to AMD's runtime.
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "hsa/image.h"
#include "hsa/queue/queue.h"
#include "hsa/service/context.h"
#include "hsa/tell/log.h"
#include "hsa/tell/trace.h"

struct runtime *runtime;
static pthread_mutex_t init_lock = PTHREAD_MUTEX_INITIALIZER;
_Thread_local struct context context;

static const struct upcalls upcalls = {
    .written = signals_written,
    .host_wrote = code_changed,
    .reap = queues_reap,
};

// ---- Begin and end ----

static void before_fork(void) {
    trace_before_fork();
    steps_before_fork();
}
static void in_parent(void) {
    steps_after_fork(false);
    trace_after_fork(false);
}
// A child of fork has none of the threads: its runtime is not initialised.
static void in_child(void) {
    steps_after_fork(true);
    trace_after_fork(true);
    runtime = NULL;
    pthread_mutex_init(&init_lock, NULL);
    signals_forget();
    isas_forget();
    old_code_forget();
    queues_forget();
    progress_forget();
    log_forget();
    copies_forget();
    executables_forget();
    images_forget();
    vmem_forget();
    memory_forget();
}

static bool read_timeout(double *out) {
    const char *text = getenv("SOFTWAVE_TIMEOUT");
    if (!text || !*text) return true;
    char *end;
    *out = strtod(text, &end);
    if (end != text && !*end && *out > 0 && *out < 1e9) return true;
    runtime_complain("SOFTWAVE_TIMEOUT: '%s' is not a number of seconds above 0", text);
    return false;
}

static status open_runtime(void) {
    static bool forks;
    struct runtime *r = calloc(1, sizeof *r);
    if (!r) return ST_OUT_OF_RESOURCES;
    if (!forks) pthread_atfork(before_fork, in_parent, in_child), forks = true;
    r->up = &upcalls;
    r->memory_limit = UINT64_MAX;
    if (!runtime_setting("SOFTWAVE_MEMORY", &r->memory_limit) || !read_timeout(&r->timeout)) {
        free(r);
        return ST_ERROR;
    }
    const char *text = getenv("HSA_ENABLE_VM_FAULT_MESSAGE");
    r->fault_message = !text || strcmp(text, "0");
    text = getenv("SOFTWAVE_EXACT_BOUNDS");
    r->exact_bounds = text && !strcmp(text, "1");
    if (getenv("HSA_TOOLS_LIB") && *getenv("HSA_TOOLS_LIB"))
        runtime_complain("HSA_TOOLS_LIB is ignored: this runtime has no tables for tools to intercept");
    trace_open(executables_tell_fidelity);
    progress_open();
    steps_open();
    text = getenv("SOFTWAVE_GPU");
    r->cpu.index = 0;
    agent_describe(&r->cpu);
    status st = signals_open();
    if (st == ST_SUCCESS) st = gpus_open(r, text && *text ? text : "gfx90a");
    for (unsigned i = 0; i < r->gpu_count && st == ST_SUCCESS; i++) st = signals_map(&r->gpus[i]);
    if (st != ST_SUCCESS) {
        gpus_close(r);
        free(r);
        return st;
    }
    r->users = 1;
    __atomic_store_n(&runtime, r, __ATOMIC_RELEASE);
    return ST_SUCCESS;
}

HSA(status, hsa_init, void) {
    pthread_mutex_lock(&init_lock);
    status st = ST_SUCCESS;
    if (!runtime)
        st = open_runtime();
    else if (runtime->users == UINT32_MAX)
        st = ST_REFCOUNT_OVERFLOW;
    else
        runtime->users++;
    pthread_mutex_unlock(&init_lock);
    return st;
}

// The last one to leave ends everything. Client code calls this, so none of the runtime's own threads is on
// the stack but possibly the event thread, which is then left to end by itself.
static void close_runtime(struct runtime *r) {
    log_close();
    progress_close();
    queues_close();
    copies_close();
    events_close();
    signals_close();
    executables_close();
    images_close();
    gpus_close(r);
    vmem_close();
    memory_close();
    bounds_close();
    __atomic_store_n(&runtime, NULL, __ATOMIC_RELEASE);
    free(r);
}

HSA(status, hsa_shut_down, void) {
    pthread_mutex_lock(&init_lock);
    const bool was = runtime != NULL;
    if (was && --runtime->users == 0) close_runtime(runtime);
    pthread_mutex_unlock(&init_lock);
    return was ? ST_SUCCESS : ST_NOT_INITIALIZED;
}

// ---- The system ----

HSA(status, hsa_system_get_info, int attribute, void *value) {
    struct runtime *r = running();
    NEED_RUNTIME;
    NEED(value, ST_INVALID_ARGUMENT);
    switch (attribute) {
    case SYSTEM_INFO_VERSION_MAJOR: *(uint16_t *)value = 1; break; // the version of the interface
    case SYSTEM_INFO_VERSION_MINOR: *(uint16_t *)value = 1; break;
    case SYSTEM_INFO_TIMESTAMP: *(uint64_t *)value = monotonic_ns(); break;
    case SYSTEM_INFO_TIMESTAMP_FREQUENCY: *(uint64_t *)value = 1000000000; break;
    case SYSTEM_INFO_SIGNAL_MAX_WAIT: *(uint64_t *)value = UINT64_MAX; break;
    case SYSTEM_INFO_ENDIANNESS: *(int *)value = 0; break;    // little endian
    case SYSTEM_INFO_MACHINE_MODEL: *(int *)value = 1; break; // large
    case SYSTEM_INFO_EXTENSIONS:
        memset(value, 0, 128);
        ((uint8_t *)value)[EXT_IMAGES / 8] |= 1 << EXT_IMAGES % 8;
        ((uint8_t *)value)[EXT_LOADER / 8] |= 1 << EXT_LOADER % 8;
        break;
    case AMD_SYSTEM_INFO_BUILD_VERSION: *(const char **)value = "Softwave"; break;
    case AMD_SYSTEM_INFO_SVM_SUPPORTED: *(bool *)value = true; break;
    case AMD_SYSTEM_INFO_SVM_ACCESSIBLE_BY_DEFAULT: *(bool *)value = r->xnack; break;
    case AMD_SYSTEM_INFO_MWAITX_ENABLED: *(bool *)value = false; break;   // mwaitx
    case AMD_SYSTEM_INFO_DMABUF_SUPPORTED: *(bool *)value = false; break; // export of buffers as dmabuf
    case AMD_SYSTEM_INFO_VIRTUAL_MEM_API_SUPPORTED: *(bool *)value = true; break; // virtual memory interface
    case AMD_SYSTEM_INFO_XNACK_ENABLED: *(bool *)value = r->xnack; break;
    case AMD_SYSTEM_INFO_EXT_VERSION_MAJOR: *(uint16_t *)value = 1; break; // the version of AMD's extensions
    case AMD_SYSTEM_INFO_EXT_VERSION_MINOR: *(uint16_t *)value = 8; break; // 1.8: the preferred copy engine
    default: return ST_INVALID_ARGUMENT;
    }
    return ST_SUCCESS;
}

static const struct {
    status status;
    const char *text;
} status_texts[] = {
    {ST_SUCCESS, "the function did what was asked"},
    {ST_INFO_BREAK, "an iteration was ended by the callback"},
    {ST_ERROR, "an error that has no code of its own"},
    {ST_INVALID_ARGUMENT, "an argument has a value that it may not have"},
    {ST_INVALID_QUEUE_CREATION, "a queue of this kind cannot be made"},
    {ST_INVALID_ALLOCATION, "no such allocation, or one that cannot be made"},
    {ST_INVALID_AGENT, "not an agent, or not one for this"},
    {ST_INVALID_REGION, "not a memory region"},
    {ST_INVALID_SIGNAL, "not a signal, or not one for this"},
    {ST_INVALID_QUEUE, "not a queue"},
    {ST_OUT_OF_RESOURCES, "out of memory or other resources"},
    {ST_INVALID_PACKET_FORMAT, "a packet that the queue does not know"},
    {ST_RESOURCE_FREE, "a resource could not be freed"},
    {ST_NOT_INITIALIZED, "hsa_init was not called"},
    {ST_REFCOUNT_OVERFLOW, "hsa_init was called too often"},
    {ST_INCOMPATIBLE_ARGUMENTS, "arguments that do not go together"},
    {ST_INVALID_INDEX, "an index out of range"},
    {ST_INVALID_ISA, "not an instruction set, or code that needs another"},
    {ST_INVALID_ISA_NAME, "no instruction set of this name"},
    {ST_INVALID_CODE_OBJECT, "not a code object, or a broken one"},
    {ST_INVALID_EXECUTABLE, "not an executable"},
    {ST_FROZEN_EXECUTABLE, "the executable is frozen"},
    {ST_INVALID_SYMBOL_NAME, "no symbol of this name"},
    {ST_VARIABLE_ALREADY_DEFINED, "the variable is defined already"},
    {ST_VARIABLE_UNDEFINED, "a variable is not defined"},
    {ST_EXCEPTION, "a kernel raised an exception"},
    {ST_INVALID_CODE_SYMBOL, "not a symbol of a code object"},
    {ST_INVALID_EXECUTABLE_SYMBOL, "not a symbol of an executable"},
    {ST_INVALID_FILE, "not a file that can be read"},
    {ST_INVALID_CODE_OBJECT_READER, "not a reader of code objects"},
    {ST_INVALID_CACHE, "not a cache"},
    {ST_INVALID_WAVEFRONT, "not a wavefront"},
    {ST_INVALID_SIGNAL_GROUP, "not a group of signals"},
    {ST_INVALID_RUNTIME_STATE, "the runtime is in no state for this"},
    {ST_FATAL, "an error after which the queue or process cannot go on"},
    {ST_INVALID_MEMORY_POOL, "not a memory pool"},
    {ST_MEMORY_APERTURE_VIOLATION, "a kernel accessed an address outside of what an aperture holds"},
    {ST_ILLEGAL_INSTRUCTION, "a kernel reached what is no instruction"},
    {ST_MEMORY_FAULT, "a kernel accessed memory that it may not"},
    {ST_CU_MASK_REDUCED, "HSA_CU_MASK disables compute units that the mask enables"},
    {ST_OUT_OF_REGISTERS, "a kernel needs more registers than there are"},
    {ST_RESOURCE_BUSY, "the resource is in use"},
    {ST_NOT_SUPPORTED, "not supported"},
    {ST_IMAGE_FORMAT_UNSUPPORTED, "images of this format are not supported"},
    {ST_IMAGE_SIZE_UNSUPPORTED, "images of this size are not supported"},
    {ST_IMAGE_PITCH_UNSUPPORTED, "images of this pitch are not supported"},
    {ST_SAMPLER_DESCRIPTOR_UNSUPPORTED, "samplers of this kind are not supported"},
};

HSA(status, hsa_status_string, status s, const char **text) {
    NEED_RUNTIME;
    NEED(text, ST_INVALID_ARGUMENT);
    for (size_t i = 0; i < sizeof status_texts / sizeof *status_texts; i++)
        if (status_texts[i].status == s) {
            *text = status_texts[i].text;
            return ST_SUCCESS;
        }
    return ST_INVALID_ARGUMENT;
}
