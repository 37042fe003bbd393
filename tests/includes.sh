#!/bin/sh
# Arrows point one way: each folder under src includes only itself, the folders listed for it, and public
# headers. Also refuses names inside mnemonics being searched and generation tests outside isa and target.
status=0
allow() {
    folder=$1
    shift
    for f in src/"$folder"/*.[ch] src/"$folder"/*/*.[ch] src/"$folder"/*.def src/"$folder"/*/*.def; do
        [ -f "$f" ] || continue
        for inc in $(sed -n 's/^#include "\([a-z]*\)\/.*/\1/p' "$f" | sort -u); do
            case " $folder softwave $* " in
            *" $inc "*) ;;
            *) echo "$f includes $inc/, which src/$folder may not" && status=1 ;;
            esac
        done
    done
}
allow base
allow target base
allow isa base target
allow meta base target
allow dis base target isa
allow object base target meta
allow link base target object
allow llvm base
allow ir base target isa
allow reader base llvm ir
allow device base target isa object llvm
allow asm base target isa dis meta
allow compiler base target isa dis ir asm meta object
allow driver base llvm ir reader compiler # and public headers
allow terascale base target
allow hsa base
allow list base target isa dis object
allow profile base # and public headers
allow cli base # and public headers
# The same for the rooms of a folder. queue/ and what stands in src/device itself see all rooms.
room() {
    folder=$1
    shift
    for f in src/"$folder"/*.[ch]; do
        for inc in $(sed -n 's/^#include "\(device\/[a-z]*\|asm\/[a-z]*\|object\/[a-z]*\|terascale\/[a-z]*\)[/.].*/\1/p' "$f" | sort -u); do
            case " $folder $* " in
            *" $inc "*) ;;
            *) echo "$f includes $inc, which src/$folder may not" && status=1 ;;
            esac
        done
    done
}
room device/wave
room device/memory device/wave device/device device/native
room device/body device/wave device/memory
room asm/insn
room asm/program asm/insn
room asm/text asm/insn asm/program
room asm/dwarf asm/program
room asm/object asm/program
room asm/kernel asm/program asm/text
room asm/directive asm/program asm/text asm/dwarf asm/kernel
room device/translate device/wave device/memory device/body
room device/native device/wave device/memory device/body device/translate
room object/name
room object/code
room object/debug object/code
room object/container object/code
room object/print object/code object/debug
room terascale/isa
room terascale/body terascale/isa
room terascale/state terascale/body terascale/isa
room terascale/object terascale/state
room terascale/text terascale/object terascale/state terascale/isa
room terascale/machine terascale/text terascale/object terascale/state terascale/body terascale/isa
room terascale/draw terascale/machine
if grep -nE '\bGFX[0-9]+|GEN_R600|->generation|generation_within|CAP_gfx[0-9]' $(find src -name '*.[ch]' -o -name '*.def' | grep -vE '^src/(isa|target)/') |
    grep -vE '^[^:]*:[0-9]*:\s*(//|\*)|//.*GFX|"[^"]*GFX[^"]*"|/\*.*GFX' ; then
    echo "a generation is asked for outside src/isa and src/target"
    status=1
fi
if grep -nE 'strstr *\(|strncmp *\([^,]*(row|name|mnemonic)' src/isa/*.c src/dis/*.c src/device/*.c src/device/*/*.c 2>/dev/null; then
    echo "a name is looked into"
    status=1
fi
exit $status
