// SPDX-License-Identifier: MIT
// The options of `softwave run`: their table, from which --help comes as well, and what they set.
#include <stdlib.h>
#include <string.h>

#include "cli/commands.h"
#include "cli/run/run.h"

enum option {
    KERNEL,
    GRID,
    BLOCK,
    TARGET,
    LDS,
    THREADS,
    STATS,
    TRACE,
    EXPORTS,
    PROFILE,
    TIMEOUT,
    INIT,
    ALIGNMENT,
    LEVEL,
    TIER,
    DUMP,
    NO_CACHE,
    THEN,
    FIDELITY,
    STACK,
    WAVE,
    MATTR,
    BUFFER,
    SYMBOL,
    PRINT_LIMIT,
    LIMIT,
    SHARD,
    WEAK,
    CHANGES,
    STRICT,
    SCAN_RESULTS,
};
static const struct cli_option options[] = {
    {KERNEL, 'k', "kernel", "NAME",
     "the kernel: its symbol, its C++ name, or an unambiguous part of that name (default: the only kernel). "
     "`softwave obj --kernels` lists the kernels"},
    {GRID, 'g', "grid", "X[,Y[,Z]]", "the number of work-items (default: one work-group)"},
    {BLOCK, 'b', "block", "X[,Y[,Z]]",
     "the work-items of a work-group (default: what the kernel requires, else up to 256)"},
    {THEN, 0, "then", NULL, "run another kernel with the same buffers; its -k, -g, -b and arguments follow"},
    {TARGET, 0, "target", "ID",
     "the GPU, such as gfx90a or mi300x (default: the target of the code object, or the one that "
     ".amdgcn_target names in assembly)"},
    {WAVE, 0, "wave", "32|64",
     "the wave size of assembly and source. A code object with the other size is refused"},
    {MATTR, 0, "mattr", "[+-]F,...",
     "switch features on or off: wavefrontsize32, wavefrontsize64, xnack, sramecc, cumode, tgsplit, "
     "real-true16. A code object that was built differently is refused"},
    {0, 0, NULL, NULL, "Memory"},
    {LDS, 0, "lds", "BYTES", "the size of dynamic LDS"},
    {STACK, 0, "stack", "BYTES",
     "the scratch memory of a work-item (default: what the kernel declares, plus 16K if it calls functions "
     "through pointers)"},
    {BUFFER, 0, "buffer", "NAME=SIZE,...",
     "a buffer that is not an argument; the form is that of buf: below"},
    {SYMBOL, 0, "symbol", "NAME[=FILE],...",
     "a __device__ or __constant__ variable; the form is that of buf: below. FILE fills it before the first "
     "kernel; out=, show= and expect= apply after the last"},
    {INIT, 0, "init", "KIND", "the contents of registers and LDS at launch: zero, pattern or random[:SEED]"},
    {ALIGNMENT, 0, "alignment", "MODE",
     "the alignment mode of loads and stores: with unaligned (default) every address is valid; with "
     "dword-strict and strict a misaligned access is a fault"},
    {WEAK, 0, "weak", "[=SEED[..LAST][,hazards]]",
     "memory is as weak as the GPU's documents allow: loads, stores, atomics and cache operations happen "
     "late and out of order, in the way that SEED stands for (default: 1). A kernel that lacks a wait, a "
     "fence or a barrier gives wrong results with some seeds. One thread, interpreted. With LAST, the "
     "kernels run once without, then with each seed, until one leaves other values in a buffer (exit "
     "code 5). With hazards, who reads or writes a register too soon, where the GPU leaves that to programs, "
     "gets or leaves an old value, and faults where nobody knows what the GPU does"},
    {0, 0, NULL, NULL, "Observation"},
    {STATS, 0, "stats", "[=json]",
     "print the number of instructions of each class, the number of waves, and the time"},
    {FIDELITY, 0, "fidelity", NULL,
     "print how many of the operations that the kernels reached are exact, and which are not, with the "
     "reason (`softwave isa --fidelity` lists all)"},
    {STRICT, 0, "strict", NULL,
     "end with exit code 4 where a kernel reaches an instruction whose result is not exact. R600 family: "
     "fault if a clause reads a temporary value that it did not write"},
    {TRACE, 0, "trace", "[=[FILE][,FILTER]...]",
     "print each executed instruction with the values that it reads and writes. Filters: kernel=NAME "
     "(symbol or part of the C++ name), pc=LO[-HI] in bytes from the start of the kernel, wave=N of the "
     "work-group, lane=N, class=salu+valu+... (the names of --stats). With registers=v0+v1+s2+... it is a "
     "table of these registers, in one lane, behind each instruction"},
    {EXPORTS, 0, "exports", "[=FILE]",
     "take what exports send (pixels, positions, parameters), and print the values of each lane. Without it "
     "a wave that exports faults"},
    {PROFILE, 0, "profile", "[=FILE]",
     "print executions, active lanes, time, bank conflicts and bytes of each instruction, and the hot loops "
     "and source lines. FILE.json gets all of it; FILE.folded is for flame graphs. It uses one thread "
     "unless -j is given"},
    {DUMP, 0, "dump", "PHASE,...",
     "compile with LLVM before the start, and print on standard error what these phases leave, or all: plan, "
     "slots, flow, code, join, affine, wholes, finish"},
    {0, 0, NULL, NULL, "One kernel on several machines"},
    {SHARD, 0, "shard", "I/N",
     "run only share I of N of the work-groups, with I from 1 to N. Their ids, sizes and results are those "
     "of "
     "the whole grid. show=, out= and expect= are left to `softwave merge`. Global wave sync and waiting for "
     "work-groups of other shares end with exit code 4"},
    {CHANGES, 0, "changes", "FILE", "write what the share changed to FILE, for `softwave merge`"},
    {0, 0, NULL, NULL, "Limits"},
    {TIMEOUT, 0, "timeout", "SEC", "stop after SEC seconds with exit code 3, and print where the waves are"},
    {PRINT_LIMIT, 0, "print-limit", "BYTES", "stop after BYTES of printed text (default: 64M)"},
    {LIMIT, 0, "limit", "N", "R600 family: stop after N control-flow instructions of all waves together"},
    {THREADS, 'j', "threads", "N", "the number of threads, up to 1024 (default, and 0: all cores)"},
    {LEVEL, 0, "level", "v2|v3|v4", "the vector level of the host to use"},
    {TIER, 0, "tier", "0|1|2",
     "0: interpret; 1: use native code from the start; 2: compile with LLVM before the start (default: "
     "interpret first, then use native code, then compile hot kernels in the background)"},
    {NO_CACHE, 0, "no-cache", NULL, "do not keep compiled code on disk, and do not read it from there"},
};

static int take(struct run_settings *o, struct job *j, int id, const char *value) {
    uint64_t n = 0;
    int status = SW_OK;
    switch ((enum option)id) {
    case SCAN_POSITIONAL:
        if (!o->file)
            o->file = value;
        else if (!array_push(&j->arguments, value))
            return SW_NO_MEMORY;
        return SW_OK;
    case KERNEL: j->kernel_name = value; return SW_OK;
    case GRID:
        j->has_grid = true;
        return run_parse_size(value, j->grid) ? SW_OK : cli_usage("run", "bad grid size '%s'", value);
    case BLOCK:
        j->has_block = true;
        return run_parse_size(value, j->block) ? SW_OK : cli_usage("run", "bad work-group size '%s'", value);
    case TARGET: o->target = value; return SW_OK;
    case LDS:
        status = run_take_bytes("run", "--lds", value, 0, 1 << 20, &n);
        j->dynamic_lds = (uint32_t)n;
        return status;
    case THREADS:
        status = run_take_bytes("run", "-j", value, 0, 1024, &n);
        o->device.threads = (unsigned)n;
        return status;
    case STATS:
        if (value && strcmp(value, "json")) return cli_usage("run", "--stats takes nothing or 'json'");
        o->stats = true, o->json = value != NULL;
        return SW_OK;
    case TRACE: o->tracing = true, o->trace = value; return SW_OK;
    case EXPORTS: o->exporting = true, o->exports_file = value; return SW_OK;
    case PROFILE: o->profiling = true, o->profile_file = value; return SW_OK;
    case TIMEOUT: return run_take_seconds("run", value, &o->timeout);
    case INIT:
        if (run_parse_init(value, &o->device)) return SW_OK;
        return cli_usage("run", "--init takes zero, pattern or random[:SEED], not '%s'", value);
    case WEAK:
        if (run_parse_seeds(value ? value : "1", o)) return SW_OK;
        return cli_usage(
            "run",
            "--weak takes a number from 1 on or FIRST..LAST, with ',hazards' behind it if wanted, not '%s'",
            value);
    case ALIGNMENT:
        if (run_parse_alignment(value, &o->device)) return SW_OK;
        return cli_usage("run", "--alignment takes unaligned, dword-strict or strict, not '%s'", value);
    case LEVEL: o->device.level = value; return SW_OK;
    case TIER: // which there are, the library knows
        if (strspn(value, "0123456789") != strlen(value) || strlen(value) != 1)
            return cli_usage("run", "--tier takes 0, 1 or 2, not '%s'", value);
        o->device.tier = (sw_tier)(*value - '0' + SW_TIER_INTERPRETER);
        return SW_OK;
    case DUMP:
        o->device.dump = value;
        o->device.tier = SW_TIER_COMPILED;
        return SW_OK;
    case NO_CACHE: o->device.cache = ""; return SW_OK;
    case FIDELITY: o->fidelity = true; return SW_OK;
    case STACK:
        status = run_take_bytes("run", "--stack", value, 1, 1 << 22, &n);
        o->stack = (uint32_t)n;
        return status;
    case WAVE:
        o->wave = !strcmp(value, "32") ? 32 : 64;
        if (strcmp(value, "32") && strcmp(value, "64")) return cli_usage("run", "--wave takes 32 or 64");
        return SW_OK;
    case MATTR: o->mattr = value; return SW_OK;
    case BUFFER: return array_push(&j->buffers, value) ? SW_OK : SW_NO_MEMORY;
    case SYMBOL: return array_push(&o->symbols, value) ? SW_OK : SW_NO_MEMORY;
    case LIMIT: return run_take_bytes("run", "--limit", value, 1, 1ull << 60, &o->limit);
    case SHARD:
        if (run_parse_share(value, &o->share, &o->shares)) return SW_OK;
        return cli_usage("run", "--shard takes I/N with I from 1 to N, such as 1/8, not '%s'", value);
    case CHANGES: o->changes = value; return SW_OK;
    case STRICT: o->device.exact_only = true; return SW_OK;
    case PRINT_LIMIT: return run_take_bytes("run", "--print-limit", value, 1, 1ull << 40, &o->print_limit);
    case THEN: return array_push(&o->jobs, (struct job){0}) ? SW_OK : SW_NO_MEMORY;
    case SCAN_ERROR:
    case SCAN_HELP: break;
    }
    return SW_USAGE;
}

static int parse(int argc, char **argv, struct run_settings *o) {
    struct scan scan = cli_scan(&command_run, argc, argv);
    if (!array_push(&o->jobs, (struct job){0})) return SW_NO_MEMORY;
    for (int id; (id = cli_next(&scan)) != SCAN_END;) {
        if (id == SCAN_HELP || id == SCAN_ERROR) return o->done = true, cli_early(id);
        int status = take(o, &o->jobs.items[o->jobs.count - 1], id, scan.value);
        if (status) return status;
    }
    if (o->profiling && o->tracing) return cli_usage("run", "--profile excludes --trace");
    if (o->weak_last && (o->profiling || o->tracing || o->shares || o->exporting))
        return cli_usage("run", "--weak=FIRST..LAST excludes --trace, --profile, --exports and --shard");
    if (o->profiling && !o->device.threads) o->device.threads = 1;
    const int shares = (int)run_share_check(o);
    if (shares) return shares;
    return o->file ? SW_OK : cli_usage("run", "no file given");
}

static int cmd_run(int argc, char **argv) {
    struct run_settings o = {.device = {.size = sizeof(sw_device_options)}};
    struct text t = {0};
    int code = parse(argc, argv, &o);
    if (!code && !o.done) code = cli_finish(&t, (int)run_file(&o, &t));
    run_end_as_asked();
    for (size_t i = 0; i < o.jobs.count; i++) {
        array_free(&o.jobs.items[i].arguments);
        array_free(&o.jobs.items[i].buffers);
    }
    array_free(&o.jobs);
    array_free(&o.symbols);
    return code;
}

const struct cli_command command_run = {
    .name = "run",
    .run = cmd_run,
    .what = "run a kernel on a software GPU",
    .synopsis = "[OPTION...] FILE [ARGUMENT...] [--then [OPTION...] ARGUMENT...]",
    .about = "Runs a kernel of FILE on a software GPU. FILE is assembly text (.s), a code object (linked or "
             "relocatable), an offload bundle, or a host program with embedded device code.\n\n"
             "FILE may also be source code: OpenCL (.cl), HIP (.hip) or LLVM IR (.ll). It is compiled for "
             "--target (default gfx90a) with hipcc, or with the newest clang or llc from version 18 on. The "
             "command is printed on standard error.",
    CLI_OPTIONS(options),
    .notes =
        "ARGUMENTs are the explicit parameters of the kernel, in order. If the code object does not "
        "describe\n"
        "its parameters, they follow each other, each aligned to its size, at most to 8:\n"
        "  u32:512 i64:-1 f32:1.5 f16:1 f64:2.5 u8:7   a value; f32:[1,2,3,4] a vector; hex:0011aabb bytes\n"
        "  buf:SIZE[,in=FILE][,fill=TYPE:VALUE|TYPE:iota|TYPE:rand[:SEED]][,out=FILE][,show=TYPE[:COUNT]]\n"
        "      [,expect=FILE[,tol=ULP]][,ptr=OFFSET:@NAME[+OFFSET]]...[,at=ADDRESS]\n"
        "                                               a global buffer. SIZE takes K, M, G. in= reads\n"
        "                                               FILE; from a stream SIZE bytes, without SIZE up\n"
        "                                               to 1G. ptr= stores the address of an earlier\n"
        "                                               buffer in this one. at= sets its address (R600\n"
        "                                               family)\n"
        "  buf:NAME=SIZE...                             a buffer with a name, for a later kernel\n"
        "  @N[+OFFSET] @NAME                            the buffer of argument N (from 0), or by name\n"
        "  "
        "image:[NAME=]WxHxD[,format=F][,kind=1d|2d|3d|cube|1darray|2darray][,layers=N][,levels=N][,in=FILE]\n"
        "      [,fill=...][,out=FILE][,show=...][,expect=...]\n"
        "                                               an image; the kernel gets the address of its\n"
        "                                               resource, as in OpenCL. F is rgba8 (default),\n"
        "                                               r32f, or as in manuals: 8_8_8_8_srgb. Files are\n"
        "                                               rows without gaps, or pictures: .ppm and .pgm\n"
        "                                               are read, .ppm and .png written\n"
        "  sampler:nearest|linear[,clamp|wrap|mirror|border][,black|white][,mip-linear][,texels][,aniso=N]\n"
        "                                               the address of a sampler\n"
        "  lds:BYTES                                    a __local pointer\n"
        "  null                                         a null pointer\n",

    .examples =
        "softwave run -k saxpy -g 1024 kernels.o buf:4K,fill=f32:1,show=f32:4 buf:4K,fill=f32:iota f32:2\n"
        "softwave run --target=gfx1030 -g 64 kernel.s buf:256,show=u32\n"
        "softwave run -g 1024 saxpy.cl buf:4K,fill=f32:1,show=f32:4 buf:4K,fill=f32:iota f32:2\n"
        "softwave run --symbol table=table.bin --symbol count,show=u32 -g 64 -k 'ns::look' a.co buf:256\n"
        "softwave run --stats -k scale -g 64 a.o buf:x=256,fill=u32:iota --then -k add -g 64 @x "
        "buf:256,show=u32\n"
        "softwave run --target=gfx1030 -g 64,48 -b 64,1 examples/scale.s image:64x48,out=big.png "
        "image:16x12,fill=u8:rand sampler:linear,clamp f32:0.015625 f32:0.0208333\n"
        "softwave run --profile -k saxpy -g 1024 kernels.o buf:4K,fill=f32:1 buf:4K,fill=f32:iota f32:2\n",
    .operand = "FILE",
};
