int helper(int x); 
__attribute__((noinline)) int hh(int x) { return x*3 + get_local_id(0); }
__kernel void foo(__global int* a, int n) { a[get_global_id(0)] = hh(a[n&63]); }
