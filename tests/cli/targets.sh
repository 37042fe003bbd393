#!/bin/sh
# SPDX-License-Identifier: MIT
# `softwave targets` from the outside: what it prints, where, and its exit codes.
# usage: targets.sh [path of softwave]
. "$(dirname "$0")/../command.sh"
subcommand=targets

expect 0 'gfx803           0x2a  dGPU  fiji, polaris10, polaris11'
expect 0 'gfx9-4-generic   0x5f  -     version 1'
expect 0 '"name": "cayman"' --json
expect 0 'gfx803: GCN GFX8 (Volcanic Islands), amdgcn, dGPU' polaris10
expect 0 'covered by          gfx9-generic since version 1' gfx906
expect 0 'gfx900 (1), gfx902 (1), gfx904 (1), gfx906 (1), gfx909 (1), gfx90c (1)' gfx9-generic
expect 0 'canonical      gfx90a:sramecc-:xnack+' gfx90a:xnack+:sramecc-
expect 0 'e_flags V4     0xb3f' gfx90a:xnack+:sramecc-
expect 0 'e_flags V3     0x13f  gfx90a+xnack' amdgcn-amd-amdhsa--gfx90a:xnack+:sramecc-
expect 0 '"V6": 16777553' --json amdgcn-amd-amdhsa--gfx9-generic
expect 0 'canonical      gfx906:sramecc-:xnack+' --v3 gfx906+xnack
expect 0 'bundle entry   hip-amdgcn-amd-amdhsa--gfx906+xnack' hip-amdgcn-amd-amdhsa--gfx906+xnack
expect 0 'host-x86_64-unknown-linux-- (host code)' host-x86_64-unknown-linux
expect 0 '  3  Local                   group     LDS       32 bits  null 0xffffffff' --address-spaces
expect 0 '"hsa_segment": "group"' --address-spaces --json
expect 0 'usage: softwave targets' --help
expect 2 "error: unknown processor 'gfx999'" gfx999
expect 2 "error: gfx1030 has no feature 'xnack'" gfx1030:xnack+
expect 2 "error: unknown offload kind 'hipv5'" hipv5-amdgcn-amd-amdhsa--gfx900
expect 1 'more than one processor' gfx900 gfx906
expect 1 '--address-spaces takes no processor' --address-spaces gfx900
expect 1 'unknown option' --nonsense

count=$("$softwave" targets --json | grep -c '^    "name": ')
if [ "$count" -eq 67 ]; then passed=$((passed + 1)); else failed=$((failed + 1)) && echo "targets --json lists $count processors"; fi
finish
