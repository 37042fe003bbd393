#!/bin/sh
# SPDX-License-Identifier: MIT
# Programs of several processes: HIP and OpenMP under Debian's OpenMPI and MPICH. A stencil that exchanges its edges, a
# reduction, memory of one rank in another, with 1, 2 and 4 ranks; one that dies takes all with it. usage: hsa_mpi.sh [softwave]
. "$(dirname "$0")/jobs.inc"
command -v hipcc >/dev/null || skip_all "hipcc is not installed"
for tool in mpicc.openmpi mpirun.openmpi mpicc.mpich mpirun.mpich; do
    command -v $tool >/dev/null || skip_all "OpenMPI and MPICH are not both installed"
done
# One machine, no network but loopback; more ranks than processors; also as root.
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
# hwloc asks OpenCL for GPUs, whose drivers bring an LLVM that does not go together with that of HIP in one process.
export HWLOC_COMPONENTS=-opencl
export OMPI_MCA_btl_tcp_if_include=lo OMPI_MCA_oob_tcp_if_include=lo OMPI_MCA_hwloc_base_binding_policy=none
ranks() { # MPI RANKS COMMAND...
    mpi=$1 n=$2
    shift 2
    case $mpi in
    openmpi) timeout -k 5 120 mpirun.openmpi --oversubscribe -np "$n" "$@" ;;
    mpich) timeout -k 5 120 mpirun.mpich -launcher fork -np "$n" "$@" ;;
    esac
}
flags() { # MPI: for compiler and linker
    case $1 in
    openmpi) mpicc.openmpi --showme:compile && mpicc.openmpi --showme:link ;;
    mpich) mpicc.mpich -show | cut -d' ' -f2- ;;
    esac
}
right() { # MPI RANKS TEXT GPUS COMMAND...
    what="$1, $2 ranks, $3" with=$1 count=$2 text=$3 gpus=$(for g in $4; do printf ' --gpu=%s' "$g"; done)
    shift 4
    if ranks $with $count "$softwave" exec -j1 $gpus -- "$@" >output 2>&1 && grep -q "$text" output; then echo "ok $what"; else
        echo "failed: $what: $(tail -n 5 output)"
    fi
}
# Its last rank is killed: mpirun ends with an error in bounded time, and no rank is left.
dies() { # MPI RANKS
    begin=$(date +%s)
    ranks $1 $2 "$softwave" exec -j1 --gpu=gfx90a -- "$PWD/ranks" die >output 2>&1
    got=$? took=$(($(date +%s) - begin))
    sleep 1
    left=$(pgrep -f "$PWD/ranks" | wc -l)
    # 137 is what mpirun gives for the rank, and timeout if it had to kill mpirun, which takes longer.
    [ $got -ne 0 ] && [ $got -ne 124 ] && [ $took -lt 60 ] && [ "$left" = 0 ] && echo "ok $1, one of $2 ranks dies" && return
    echo "failed: $1, one of $2 ranks dies: exit $got after $took s, $left left: $(tail -n 3 output)"
}
with() { # MPI
    # shellcheck disable=SC2046
    hipcc -O2 -w -ffp-contract=off --offload-arch=gfx90a "$sources/mpi_ranks.cpp" -o ranks $(flags $1) >log 2>&1 ||
        { echo "failed: $1: $(grep -m 1 error log)" && return; }
    for n in 1 2 4; do
        right $1 $n "halo of $n ranks with 1 devices is right" gfx90a ./ranks halo
        right $1 $n "reduce of $n ranks with 1 devices is right" gfx90a ./ranks reduce
    done
    right $1 4 "halo of 4 ranks with 2 devices is right" "gfx90a gfx90a" ./ranks halo
    right $1 2 "ipc of 2 ranks with 1 devices is right" gfx90a ./ranks ipc
    right $1 4 "ipc of 4 ranks with 2 devices is right" "gfx90a gfx90a" ./ranks ipc
    for n in 1 2 4; do dies $1 $n; done
    command -v gcc-12 >/dev/null && ls /usr/lib/gcc/*/12/accel/amdgcn-amdhsa >/dev/null 2>&1 ||
        { echo "skipped: GCC's compiler for AMD GPUs is not installed" && return; }
    # shellcheck disable=SC2046
    gcc-12 -O2 -fopenmp -foffload=amdgcn-amdhsa -foffload-options=-march=gfx906 "$sources/mpi_omp.c" -o omp $(flags $1) >log 2>&1 ||
        { echo "failed: $1, OpenMP: $(grep -m 1 error log)" && return; }
    for n in 1 2 4; do right $1 $n "omp of $n ranks is right" gfx906 ./omp; done
}
job with openmpi
job with mpich
finish
