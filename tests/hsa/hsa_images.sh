#!/bin/sh
# Images and samplers of the HSA interface on a processor of each kind of image resource, and on processors without
# images. With clang and the device libraries, kernels read, write and sample the images.
# Needs the interface's headers. usage: hsa_images.sh [softwave]
. "$(dirname "$0")/jobs.inc"
[ -e /usr/include/hsa/hsa_ext_amd.h ] || skip_all "libhsa-runtime-dev is not installed"
client images -lm || exit 1
libraries=${DEVICE_LIBRARIES:-/usr/lib/x86_64-linux-gnu/amdgcn/bitcode}

# kernels PROCESSOR WAVE64 NUMBER: tests/hsa/images.cl with the device libraries, as kernels.co
kernels() {
    link=
    for part in ockl oclc_wavefrontsize64_$2 oclc_abi_version_500 oclc_finite_only_off oclc_unsafe_math_off; do
        link="$link -Xclang -mlink-builtin-bitcode -Xclang $libraries/$part.bc"
    done
    $CLANG -x cl -cl-std=CL2.0 -O2 -target amdgcn-amd-amdhsa -mcpu=$1 -nogpulib -DISA=$3 $link "$sources/images.cl" -o kernels.co 2>errors && return
    echo "failed: kernels for $1: $(head -n 1 errors)"
    return 1
}
whole() {
    if command -v $CLANG >/dev/null && command -v $LD_LLD >/dev/null && [ -e $libraries/ockl.bc ]; then
        kernels $1 $2 $3 && cases $1 $scratch/images 1 kernels.co
    else
        cases $1 $scratch/images 1
    fi
}
while read -r processor wave64 number; do job whole $processor $wave64 $number; done <<END
gfx600 on 6000
gfx701 on 7001
gfx803 on 8003
gfx900 on 9000
gfx906 on 9006
gfx908 on 9008
gfx1010 off 10100
gfx1030 off 10300
gfx1100 off 11000
gfx1151 off 11501
gfx1201 off 12001
END
# Textures and surfaces of HIP.
textures() { # PROCESSOR FLAGS
    hipcc -O2 $2 --offload-arch=$1 "$sources/hip_images.cpp" -o textures -w >log 2>&1 ||
        { echo "failed: textures for $1 are not built: $(grep -m 1 error log)" && return; }
    some= # all; on GFX10.1 HIP 5.2 itself crashes with pitched memory
    [ $1 = gfx1010 ] && some="textures_of_memory textures_of_floats textures_of_integers textures_of_normalized_bytes layers edges surfaces"
    cases $1 ./textures $some
}
if command -v hipcc >/dev/null; then
    for processor in gfx803 gfx900 gfx906 gfx908 gfx1010 gfx1030; do job textures $processor; done
    job textures gfx90a -DWITHOUT_IMAGES
else job say "skipped: hipcc is not installed"; fi
for processor in gfx90a gfx942 gfx950; do job cases $processor $scratch/images 0; done
finish
