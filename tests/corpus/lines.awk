# SPDX-License-Identifier: MIT
# Disassembly with "s_nop 0x5a5a" behind every test: one line per test, spacing and comments taken out, "-" for
# what is no instruction (LLVM prints some of those with a remark).
/^[ \t]*(\.text|\.amdgcn_target|\.amdhsa_code_object_version.*)?$/ { next }
{ sub(/[ \t]*\/\/.*/, ""); sub(/[ \t]*; .*/, ""); gsub(/[ \t]+/, " "); sub(/^ /, ""); sub(/ $/, "") }
$0 == "s_nop 0x5a5a" { print have ? text : "-"; text = ""; have = stop = 0; next }
/^\.(long|byte) |\/\* ?[Ii]nvalid/ { stop = 1 }
stop { next }
{ if (!have) text = $0; else text = text " | " $0; have = 1 }
