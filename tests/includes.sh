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
allow texel base
allow target base
allow isa base target
allow meta base target
allow dis base target isa
allow object base target meta
allow link base target object
allow llvm base
allow ir base target isa
allow reader base llvm ir
allow exec base target isa texel # and public headers
allow jit base target isa llvm exec
allow sched base target isa exec jit
allow watch base target isa exec sched
allow weak base target isa exec sched
allow device base target texel isa object exec jit sched watch weak
allow mc base target isa meta
allow asm base target isa dis meta mc
allow compiler base target isa dis ir asm meta object
allow driver base llvm ir reader compiler # and public headers
allow terascale base target texel
allow hsa base texel # resources of images
allow list base target isa dis object
allow profile base # and public headers
allow changes base # and public headers
allow cli base # and public headers
# The same for the rooms of a folder. What stands in the folder itself is the room of its name: of src/exec the lowest,
# elsewhere it sees all rooms.
room() {
    folder=$1
    shift
    for f in src/"$folder"/*.[ch]; do
        for inc in $(sed -n 's/^#include "\(\(exec\|asm\|mc\|object\|terascale\|hsa\)\(\/[a-z]*\)*\)\/[a-z_0-9]*[.].*/\1/p' "$f" | sort -u); do
            case " $folder $* " in
            *" $inc "*) ;;
            *) echo "$f includes $inc, which src/$folder may not" && status=1 ;;
            esac
        done
    done
}
room exec
room exec/body exec
room exec/decode exec exec/body
room mc
room mc/program mc
room mc/object mc/program
room mc/dwarf mc/program
room asm/insn mc
room asm/text asm/insn mc/program
room asm/kernel asm/text mc/program
room asm/directive asm/text asm/kernel mc/program mc/dwarf
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
room hsa/service
room hsa/tell hsa/service
room hsa/agent hsa/tell hsa/service
room hsa/memory hsa/agent hsa/tell hsa/service
room hsa/signal hsa/memory hsa/agent hsa/tell hsa/service
room hsa/code hsa/agent hsa/tell hsa/service
room hsa/queue hsa/code hsa/signal hsa/memory hsa/agent hsa/tell hsa/service
if grep -nE '\bGFX[0-9]+|GEN_R600|->generation|generation_within|CAP_gfx[0-9]' $(find src -name '*.[ch]' -o -name '*.def' | grep -vE '^src/(isa|target)/') |
    grep -vE '^[^:]*:[0-9]*:\s*(//|\*)|//.*GFX|"[^"]*GFX[^"]*"|/\*.*GFX' ; then
    echo "a generation is asked for outside src/isa and src/target"
    status=1
fi
if grep -nE 'strstr *\(|strncmp *\([^,]*(row|name|mnemonic)' src/isa/*.c src/dis/*.c src/exec/*/*.c src/jit/*.c src/device/*.c 2>/dev/null; then
    echo "a name is looked into"
    status=1
fi
exit $status
