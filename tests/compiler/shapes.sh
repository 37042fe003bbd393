# SPDX-License-Identifier: MIT
# What tests of the kernels of flow.def and calls.def share; behind tools.sh and begin_test.
# host_results NAME: what the shapes of NAME.def give on this host, in k_SHAPE.cpu; their names in `kernels`
host_results() {
    cat > host.c << 'C'
#include <stdio.h>
#define SHAPE(name) static int name(int x, int n)
#define FUNCTION static
#include SHAPE_FILE
static void put(const char *name, const void *data, size_t size) { FILE *f = fopen(name, "wb"); fwrite(data, size, 1, f); fclose(f); }
int main(void) {
    static int in[256], out[256];
    unsigned seed = 99;
    for (int i = 0; i < 256; i++) in[i] = i < 64 ? i : (int)((seed = seed * 1664525 + 1013904223) >> 9);
    put("in", in, sizeof in);
#define RUN(name) for (int i = 0; i < 256; i++) out[i] = name(in[i], 6); put("k_" #name ".cpu", out, sizeof out); puts("k_" #name);
    SHAPES(RUN)
}
C
    ${CC:-cc} -w -O1 -fwrapv -DSHAPE_FILE="\"$1.def\"" -I "$here" -o host host.c && ./host > kernels
}
# run_shape WHAT OPTION... OBJECT: the kernel whose name is the last word of WHAT gives what the host does
run_shape() {
    what=$1 && shift
    rm -f out
    kernel=${what%%,*} && kernel=${kernel##* }
    if ! timeout 60 "$softwave" run --tier=0 -k "$kernel" -g 256 -b 64 "$@" buf:1K,out=out buf:in=in i32:6 > message 2>&1; then
        wrong "$what: $(grep -v warning message | head -n 3)"
    elif ! cmp -s out "$kernel.cpu"; then
        wrong "$what: $(cmp out "$kernel.cpu" 2>&1)"
    else pass; fi
}
