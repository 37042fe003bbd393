#!/bin/sh
# Images and samplers of the HSA interface on a processor of each kind of image resource, and on processors without
# images. Needs the interface's headers. usage: hsa_images.sh [softwave]
. "$(dirname "$0")/jobs.inc"
[ -e /usr/include/hsa/hsa_ext_amd.h ] || skip_all "libhsa-runtime-dev is not installed"
client images -lm || exit 1
for processor in gfx600 gfx701 gfx803 gfx900 gfx906 gfx908 gfx1010 gfx1030 gfx1100 gfx1151 gfx1201; do
    job cases $processor $scratch/images 1
done
for processor in gfx90a gfx942 gfx950; do job cases $processor $scratch/images 0; done
finish
