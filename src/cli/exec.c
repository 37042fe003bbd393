// SPDX-License-Identifier: MIT
// `softwave exec`: runs a program that was built for AMD GPUs as it is, on software GPUs. All that it does is
// to set the environment of that program; the runtime reads it (src/hsa/runtime.c).
#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/weak_request.h"
#include "base/array.h"
#include "base/diag.h"
#include "base/progress.h"
#include "base/trace_filter.h"
#include "cli/commands.h"
#include "cli/exec.h"
#include "softwave/target.h"

enum option {
    O_GPU,
    O_THREADS,
    O_MEMORY,
    O_TIMEOUT,
    O_STATS,
    O_PROFILE,
    O_LOG,
    O_TRACE,
    O_FIDELITY,
    O_STRICT,
    O_LIBRARY,
    O_NO_CACHE,
    O_DRIVER_FILES,
    O_EXACT_BOUNDS,
    O_WEAK,
    O_QUIET,
    O_HEADING,
    SCAN_RESULTS,
};

static const struct cli_option options[] = {
    {O_GPU, 'g', "gpu", "ID",
     "a GPU to provide; repeat for several (default: one gfx90a). ',cus=N' behind ID gives it fewer compute "
     "units, ',memory=BYTES' (K, M, G) other memory than the card has"},
    {O_THREADS, 'j', "threads", "N",
     "worker threads of each GPU (default: all processors of the host, shared)"},
    {O_MEMORY, 0, "memory", "BYTES", "limit of all allocations together (K, M, G)"},
    {O_TIMEOUT, 0, "timeout", "SECONDS", "stop kernels that take longer; their queue gets an error"},
    {O_STATS, 's', "stats", NULL, "print time and instructions of each kernel on standard error at the end"},
    {O_PROFILE, 0, "profile", "FILE",
     "write a timeline of calls, kernels and copies, for Perfetto or chrome://tracing. If there are several "
     "processes, all but the first put their number before the extension of FILE"},
    {O_LOG, 0, "log", "WHAT",
     "'hsa': print each call of the runtime on standard error, and why a call is refused"},
    {O_TRACE, 0, "trace", "FILE[,FILTER]...",
     "write a line for each instruction that kernels execute; '-' is standard error. The filters are those "
     "of `softwave run`"},
    {O_FIDELITY, 0, "fidelity", NULL,
     "print at the end which of the operations that ran are approximate, as the manual allows"},
    {O_STRICT, 0, "strict", NULL,
     "stop kernels that reach an instruction whose result is not exact; their queue gets an error"},
    {O_NO_CACHE, 0, "no-cache", NULL, "do not read compiled code of kernels from disk, nor keep it there"},
    {O_QUIET, 'q', "quiet", NULL, "print no fault details and no progress; only AMD's own messages appear"},
    {O_DRIVER_FILES, 0, "driver-files", NULL,
     "show the program files of AMD's kernel driver, /dev/kfd and others (default: if the program's own file "
     "names them and the system has none)"},
    {O_EXACT_BOUNDS, 0, "exact-bounds", NULL,
     "fault where a kernel reads beyond the last page of device memory, which cards mostly forgive"},
    {O_WEAK, 0, "weak", "[=SEED[,hazards]]",
     "memory is as weak as the GPU's documents allow, in the way that SEED stands for (default: 1), as "
     "`softwave run --weak` has it"},
    {O_LIBRARY, 0, "library", "DIR", "the folder of libhsa-runtime64.so.1 (default: that of this program)"},
};

struct exec {
    struct text gpus, processors;
    ARRAY(sw_target) targets;
    const char *library, *threads, *memory, *timeout, *profile, *trace, *weak;
    bool stats, quiet, log, fidelity, strict, no_cache, driver_files, exact_bounds;
    char **program;
};

// ---- The library's folder ----

static bool is_seed(const char *s) {
    struct weak_request r;
    return weak_request_parse(s, &r) && !r.last;
}

static bool holds_library(const char *folder) {
    char path[4096 + 32];
    snprintf(path, sizeof path, "%s/libhsa-runtime64.so.1", folder);
    return access(path, R_OK) == 0;
}

// Beside the program in a build tree; in LIBDIR/softwave when installed.
static bool find_library(char out[4096]) {
    char self[4096];
    const ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
    if (n <= 0) return false;
    self[n] = 0;
    char *slash = strrchr(self, '/');
    if (slash) *slash = 0;
    static const char *const places[] = {"%s/hsa", "%s/../lib/softwave", "%s/../lib64/softwave",
                                         "%s/../lib/*/softwave"};
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        char pattern[4200];
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
        snprintf(pattern, sizeof pattern, places[i], self);
#pragma GCC diagnostic pop
        glob_t found;
        if (glob(pattern, 0, NULL, &found)) continue;
        bool here = false;
        for (size_t g = 0; g < found.gl_pathc && !here; g++)
            if (realpath(found.gl_pathv[g], out)) here = holds_library(out);
        globfree(&found);
        if (here) return true;
    }
    return false;
}

// ---- Running ----

// hipcc without --offload-arch asks a program that reads this list first.
static void offer_targets(const struct text *processors) {
    const int file = memfd_create("targets", 0);
    char path[64];
    if (file < 0 || write(file, processors->data, processors->length) != (ssize_t)processors->length) return;
    snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    setenv("ROCM_TARGET_LST", path, 1);
}

// A file that the runtime writes to once a program starts it, in any process. -1: there is none.
static int offer_begun(void) {
    const int file = memfd_create("begun", MFD_CLOEXEC);
    char path[64];
    snprintf(path, sizeof path, "/proc/%ld/fd/%d", (long)getpid(), file);
    if (file >= 0) setenv("SOFTWAVE_BEGUN", path, 1);
    return file;
}
static void tell_not_begun(int file, const char *program) {
    struct stat s;
    if (file >= 0 && !fstat(file, &s) && !s.st_size)
        fprintf(stderr, "softwave exec: no kernel was launched: %s never called the runtime (hsa_init)\n",
                program);
    if (file >= 0) close(file);
}

static void prepend_path(const char *name, const char *folder) {
    const char *old = getenv(name);
    struct text t = {0};
    text_printf(&t, "%s%s%s", folder, old && *old ? ":" : "", old ? old : "");
    if (t.data) setenv(name, t.data, 1);
    text_free(&t);
}

// What an earlier run left there is not taken for that of another process of this one.
static void offer_profile(const char *path) {
    struct stat s;
    if (stat(path, &s) || (S_ISREG(s.st_mode) && !truncate(path, 0)))
        setenv("SOFTWAVE_PROFILE_EMPTIED", "1", 1);
    setenv("SOFTWAVE_PROFILE", path, 1);
}

static int run(const struct exec *e, const char *library) {
    prepend_path("LD_LIBRARY_PATH", library);
    setenv("SOFTWAVE_GPU", e->gpus.data, 1);
    if (e->threads) setenv("SOFTWAVE_THREADS", e->threads, 1);
    if (e->memory) setenv("SOFTWAVE_MEMORY", e->memory, 1);
    if (e->timeout) setenv("SOFTWAVE_TIMEOUT", e->timeout, 1);
    if (e->stats) setenv("SOFTWAVE_STATS", "1", 1);
    if (e->profile) offer_profile(e->profile);
    if (e->trace) setenv("SOFTWAVE_TRACE", e->trace, 1);
    if (e->log) setenv("SOFTWAVE_LOG", "hsa", 1);
    if (e->fidelity) setenv("SOFTWAVE_FIDELITY", "1", 1);
    if (e->strict) setenv("SOFTWAVE_STRICT", "1", 1);
    if (e->no_cache) setenv("SOFTWAVE_CACHE", "", 1);
    if (e->exact_bounds) setenv("SOFTWAVE_EXACT_BOUNDS", "1", 1);
    if (e->weak) setenv("SOFTWAVE_WEAK", e->weak, 1);
    if (e->quiet) setenv("SOFTWAVE_FAULT", "quiet", 1);
    if (!e->quiet && progress_is_possible()) setenv("SOFTWAVE_PROGRESS", "1000", 0); // milliseconds
    offer_targets(&e->processors);
    if (!e->quiet) exec_check_program(e->program[0], library, e->targets.items, e->targets.count);
    char folder[EXEC_FOLDER] = "";
    if ((e->driver_files || exec_driver_is_wanted(e->program[0])) &&
        !exec_driver_offer(library, e->targets.items, e->targets.count, folder))
        fprintf(stderr,
                "softwave exec: %s may look for a kernel driver before it asks the runtime, and finds none: "
                "%s/libsoftwave-driver.so is missing, or no folder can be made in %s\n",
                e->program[0], library, getenv("TMPDIR") ? getenv("TMPDIR") : "/tmp");
    const int begun = e->stats ? offer_begun() : -1, code = exec_run_program(e->program, e->quiet);
    tell_not_begun(begun, e->program[0]);
    exec_driver_end(folder);
    return code;
}

static bool is_number(const char *text, bool suffix);
// What stands behind the target: ",cus=N" and ",memory=BYTES".
static bool are_settings(const char *text) {
    for (size_t n; *text; text += n) {
        char own[64];
        n = 1 + strcspn(text + 1, ",");
        snprintf(own, sizeof own, "%.*s", (int)(n - 1), text + 1);
        if (!strncmp(own, "cus=", 4) && strspn(own + 4, "0123456789") == strlen(own + 4) && atoi(own + 4) > 0)
            continue;
        if (!strncmp(own, "memory=", 7) && is_number(own + 7, true)) continue;
        cli_usage("exec", "--gpu: '%s' is neither cus=N nor memory=BYTES", own);
        return false;
    }
    return true;
}

// 0, or the exit code.
static int add_gpu(struct exec *e, const char *value) {
    sw_target t;
    sw_processor_info info = {.size = sizeof info};
    const size_t length = strcspn(value, ",");
    const bool known = sw_target_choose(value, length, &t, NULL) == SW_OK; // its name may have spaces
    if (!known && strpbrk(value, "; "))
        return cli_usage("exec", "--gpu takes one GPU, not '%s'; repeat it for several", value);
    if (sw_target_choose(value, length, &t, &cli_sink) != SW_OK || !are_settings(value + length))
        return SW_USAGE;
    sw_processor_get_info(t.processor, &info);
    if (!info.isa_major)
        return diag_fail(&cli_sink, SW_UNSUPPORTED, NULL,
                         "%s has no HSA runtime; `softwave run` executes its programs",
                         sw_processor_name(t.processor));
    char id[SW_TARGET_TEXT];
    if (!array_push(&e->targets, t)) return SW_NO_MEMORY;
    sw_target_format(&t, id);
    text_printf(&e->gpus, "%s%s%s", e->gpus.length ? ";" : "", id, value + length);
    text_printf(&e->processors, "%s\n", sw_processor_name(t.processor));
    return 0;
}

// Said before the program runs, not when its output is lost.
static int check_output(const char *option, const char *path) {
    char folder[4096];
    snprintf(folder, sizeof folder, "%s", path);
    char *slash = strrchr(folder, '/');
    if (slash) slash[slash == folder] = 0;
    struct stat s;
    if (!stat(path, &s) && S_ISDIR(s.st_mode))
        errno = EISDIR;
    else if (!access(path, W_OK) || (errno == ENOENT && !access(slash ? folder : ".", W_OK | X_OK)))
        return 0;
    return diag_fail(&cli_sink, SW_BAD_INPUT, NULL, "%s: %s cannot be written: %s", option, path,
                     strerror(errno));
}

static bool is_number(const char *text, bool suffix) {
    char *end;
    const double n = strtod(text, &end);
    if (end == text || !(n > 0)) return false;
    if (suffix && *end && strchr("KMGkmg", *end)) end++;
    return !*end;
}

// 0, or the exit code.
static int check_trace(const char *spec) {
    struct trace_filter filter;
    char path[4096];
    size_t length;
    const char *bad = trace_spec_parse(spec, &filter, path, sizeof path, &length);
    if (bad) return cli_usage("exec", "--trace: '%.*s' is not " TRACE_FILTERS, (int)length, bad);
    if (!*path)
        return cli_usage("exec", "--trace takes a file, or '-' for standard error, before its filters");
    return strcmp(path, "-") ? check_output("--trace", path) : 0;
}

static int parse(struct exec *e, int argc, char **argv) {
    struct scan scan = cli_scan(&command_exec, argc, argv);
    for (int id, code; (id = cli_next(&scan)) != SCAN_END;) {
        const char *v = scan.value;
        switch ((enum option)id) {
        case O_GPU:
            if ((code = add_gpu(e, v))) return code;
            break;
        case O_THREADS:
            if (!is_number(v, false)) return cli_usage("exec", "--threads takes a number, not '%s'", v);
            e->threads = v;
            break;
        case O_MEMORY:
            if (!is_number(v, true))
                return cli_usage("exec", "--memory takes a number of bytes, not '%s'", v);
            e->memory = v;
            break;
        case O_TIMEOUT:
            if (!is_number(v, false)) return cli_usage("exec", "--timeout takes seconds, not '%s'", v);
            e->timeout = v;
            break;
        case O_STATS: e->stats = true; break;
        case O_PROFILE:
            if ((code = check_output("--profile", v))) return code;
            e->profile = v;
            break;
        case O_LOG:
            if (strcmp(v, "hsa")) return cli_usage("exec", "--log takes 'hsa', not '%s'", v);
            e->log = true;
            break;
        case O_TRACE:
            if ((code = check_trace(v))) return code;
            e->trace = v;
            break;
        case O_FIDELITY: e->fidelity = true; break;
        case O_STRICT: e->strict = true; break;
        case O_LIBRARY: e->library = v; break;
        case O_NO_CACHE: e->no_cache = true; break;
        case O_DRIVER_FILES: e->driver_files = true; break;
        case O_EXACT_BOUNDS: e->exact_bounds = true; break;
        case O_WEAK:
            e->weak = v ? v : "1";
            if (is_seed(e->weak)) break;
            return cli_usage(
                "exec", "--weak takes a number from 1 on, with ',hazards' behind it if wanted, not '%s'", v);
        case O_QUIET: e->quiet = true; break;
        case SCAN_POSITIONAL: e->program = &argv[scan.next - 1]; return -1; // the rest is the program's
        case O_HEADING:
        case SCAN_ERROR:
        case SCAN_HELP: return cli_early(id);
        }
    }
    return cli_usage("exec", "a PROGRAM is missing");
}

static int cmd_exec(int argc, char **argv) {
    struct exec e = {0};
    char library[4096];
    int code = parse(&e, argc, argv);
    if (code == -1 && !e.gpus.length && add_gpu(&e, "gfx90a")) code = SW_NO_MEMORY;
    if (code == -1) {
        const bool found =
            e.library ? realpath(e.library, library) && holds_library(library) : find_library(library);
        code = found ? run(&e, library)
                     : (int)diag_fail(&cli_sink, SW_BAD_INPUT, NULL, "no libhsa-runtime64.so.1 in %s",
                                      e.library ? e.library : "the folders beside this program");
    }
    text_free(&e.gpus);
    text_free(&e.processors);
    array_free(&e.targets);
    return code;
}

const struct cli_command command_exec = {
    .name = "exec",
    .run = cmd_exec,
    .what = "run a HIP, OpenMP, OpenACC or HSA program on software GPUs",
    .synopsis = "[OPTION...] [--] PROGRAM [ARG...]",
    .about = "Runs a program that was built for AMD GPUs as it is: the HSA runtime that it loads is "
             "Softwave's. The "
             "program needs code for the processor of a GPU that it uses. The exit code is the program's "
             "own, or 128 "
             "and the number of the signal that ended it.\n\n"
             "Without this command: set LD_LIBRARY_PATH to the folder of libhsa-runtime64.so.1 and "
             "SOFTWAVE_GPU to "
             "the GPUs, apart by ';'.",
    CLI_OPTIONS(options),
    .examples = "softwave exec --gpu=gfx90a -- ./saxpy\n"
                "softwave exec -g gfx1100 -g gfx1100,cus=8 --stats ./program --its-own=option\n"
                "softwave exec --gpu=gfx942 rocminfo\n",
    .operand = "FILE",
};
