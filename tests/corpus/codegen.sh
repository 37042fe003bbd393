#!/bin/sh
# SPDX-License-Identifier: MIT
# LLVM's own tests of code generation for amdgcn (fetched by fetch.sh; those of LLVM 19, read by LLVM 22) through
# `softwave cc --verify`, each file for the first two processors of its RUN lines: no function may crash the compiler,
# make it hang or leave a program that its checks, the assembler or the disassembler refuse; what is refused is counted
# by reason. A function that is refused hides no other of its file. usage: codegen.sh BUILD DIR [PATTERN]
# EVERY=1 takes all processors; REASONS=N prints so many reasons. A line for each function goes to BUILD/codegen.txt.
python3 "$(dirname "$0")/codegen.py" "$1/softwave" "$2/llvm/test/CodeGen/AMDGPU" "$1/codegen.txt" ${3:+"$3"}
