#!/bin/sh
# What rocminfo and llvm-offload-device-info say of software GPUs: the facts of the cards that they stand for, from data
# sheets and drivers, and what follows from the processor. usage: hsa_facts.sh [softwave]
. "$(dirname "$0")/jobs.inc"

# Compute units, MHz, waves a unit, lanes, GiB, L2 in KB, chip, target id as HIP compares it, name
cat >cards <<'END'
gfx803|64|1050|40|64|4|2048|0x7300|gfx803|Radeon R9 Fury X
gfx900|64|1630|40|64|8|4096|0x687f|gfx900:xnack-|Radeon RX Vega 64
gfx906|60|1725|40|64|16|8192|0x66a1|gfx906:sramecc-:xnack-|AMD Instinct MI50
gfx908|120|1502|40|64|32|8192|0x738c|gfx908:sramecc+:xnack-|AMD Instinct MI100
gfx90a|104|1700|32|64|64|8192|0x740f|gfx90a:sramecc+:xnack-|AMD Instinct MI210
gfx942|304|2100|32|64|192|4096|0x74a1|gfx942:sramecc+:xnack-|AMD Instinct MI300X
gfx950|256|2400|32|64|288|4096|0x75a3|gfx950:sramecc+:xnack-|AMD Instinct MI355X
gfx1010|40|2100|40|32|8|4096|0x731f|gfx1010:xnack-|AMD Radeon RX 5700 XT
gfx1030|72|2575|32|32|16|4096|0x73bf|gfx1030|AMD Radeon RX 6800 XT
gfx1100|96|2482|32|32|24|6144|0x744c|gfx1100|AMD Radeon RX 7900 XTX
gfx1201|64|2970|32|32|16|8192|0x7550|gfx1201|AMD Radeon RX 9070 XT
END
gpus=$(sed 's/|.*//; s/^/--gpu=/' cards)

# fact NAME EXPECTED FILE PATTERN: the value behind the first line of the pattern
fact() {
    got=$(sed -n "s/^ *$4: *//p" "$3" | head -n 1 | sed 's/ *$//')
    if [ "$got" = "$2" ]; then echo "ok $1 $4"; else echo "failed: $1: $4: '$got', not '$2'"; fi
}
by_rocminfo() {
    timeout 300 "$softwave" exec $gpus rocminfo >all 2>errors || echo "failed: rocminfo: exit $?: $(head -n 2 errors)"
    awk '/^Agent [0-9]+/ {n = $2 - 2} n >= 0 {print > ("agent" n)}' n=-1 all
    n=0
    while IFS='|' read -r processor units clock waves lanes memory cache chip target name; do
        f=agent$n n=$((n + 1))
        [ -f $f ] || { echo "failed: rocminfo lists no $processor" && continue; }
        fact $processor $processor $f Name
        fact $processor "$name" $f "Marketing Name"
        fact $processor "$units" $f "Compute Unit"
        fact $processor "$clock" $f "Max Clock Freq. (MHz)"
        fact $processor "$waves($(printf '0x%x' $waves))" $f "Max Waves Per CU"
        fact $processor "$((waves * lanes))($(printf '0x%x' $((waves * lanes))))" $f "Max Work-item Per CU"
        fact $processor "$lanes($(printf '0x%x' $lanes))" $f "Wavefront Size"
        fact $processor "$((memory << 20))($(printf '0x%x' $((memory << 20)))) KB" $f Size
        fact $processor "$cache($(printf '0x%x' $cache)) KB" $f L2
        fact $processor "$((chip))($chip)" $f "Chip ID"
        fact $processor "$((768 + 256 * (n - 1)))" $f BDFID
        fact $processor BASE_PROFILE $f Profile
        fact $processor KERNEL_DISPATCH $f Feature
        lds=64 && [ $processor = gfx950 ] && lds=160
        sed -n '/Segment: *GROUP/,$p' $f >group
        fact $processor "$lds($(printf '0x%x' $lds)) KB" group Size
        sed -n '/ISA 1/,$p' $f >isa
        fact $processor "amdgcn-amd-amdhsa--$target" isa Name
        [ "$(grep -c '^ *ISA [0-9]' $f)" = 1 ] && echo "ok $processor has one instruction set" || echo "failed: $processor has $(grep -c '^ *ISA [0-9]' $f) instruction sets"
    done <"$scratch/cards"
    [ "$(grep -c '^ *Uuid: *GPU-' all)" = "$(grep '^ *Uuid: *GPU-' all | sort -u | wc -l)" ] && echo "ok identities differ" || echo "failed: identities are not different"
}
by_offload_info() {
    timeout 300 "$softwave" exec $gpus $LLVM_OFFLOAD_DEVICE_INFO >all 2>errors || echo "failed: llvm-offload-device-info: exit $?: $(head -n 2 errors)"
    awk '/^\[/ {n++} {print > ("device" n)}' n=0 all
    n=0
    while IFS='|' read -r processor units clock _ _ memory _ _ _ name; do
        n=$((n + 1)) f=device$n
        [ -f $f ] || { echo "failed: llvm-offload-device-info lists no $processor" && continue; }
        fact $processor $processor $f Name
        fact $processor "$name" $f "Product Name"
        fact $processor "$units" $f "Num Compute Units"
        fact $processor "$clock MHz" $f "Max Clock Frequency"
        fact $processor "$((memory << 30)) B" $f "Global Mem Size"
        fact $processor GPU $f Type
        lds=64 && [ $processor = gfx950 ] && lds=160
        fact $processor "$((lds << 10)) B" $f "Work Group Shared Mem Size"
        fact $processor 1024 $f "Max Work Group Size"
    done <"$scratch/cards"
}
# What the command line says of a card holds.
by_request() {
    timeout 300 "$softwave" exec --gpu=gfx90a:sramecc-:xnack+,cus=8,memory=2G $LLVM_OFFLOAD_DEVICE_INFO >all 2>&1
    fact "a smaller gfx90a" 8 all "Num Compute Units"
    fact "a smaller gfx90a" $((2 << 30))" B" all "Global Mem Size"
}
if ! command -v rocminfo >/dev/null; then
    job say "skipped: rocminfo is not installed"
else job by_rocminfo; fi
if command -v $LLVM_OFFLOAD_DEVICE_INFO >/dev/null; then
    job by_offload_info
    job by_request
else job say "skipped: $LLVM_OFFLOAD_DEVICE_INFO is not installed"; fi
finish
