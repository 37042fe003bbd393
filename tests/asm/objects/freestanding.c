// What a C compiler asks of an object file: data of every kind, names of every binding, tables of addresses,
// kernels and functions that call through them.
typedef unsigned u32;
typedef unsigned long u64;

struct node {
    const struct node *next;
    const char *name;
    u32 values[3];
    double real;
};
static const struct node last = {0, "last", {1, 2, 3}, 0.25};
const struct node first = {&last, "first", {4, 5, 6}, -1.5};
__attribute__((weak)) u32 weak_value = 7;
extern __attribute__((weak)) u32 perhaps;
extern u32 elsewhere;
__attribute__((visibility("hidden"))) u64 hidden_value = 0x123456789abcdef0;
__attribute__((section(".data.special"), aligned(64))) u32 special[5] = {1, 2, 3, 4, 5};
__attribute__((section(".rodata.here"))) const float constants[4] = {1.0f, 2.5f, -0.0f, 3e38f};
static u32 zeros[1000];
u32 common_zeros[10];
extern u32 other_name __attribute__((alias("weak_value")));

__attribute__((noinline)) static u32 mix(u32 a, u32 b) { return (a ^ b) * 0x9e3779b9u + (a >> 3); }
__attribute__((noinline)) u32 public_mix(u32 a, u32 b) { return mix(a, b) + mix(b, a); }
__attribute__((weak, noinline)) u32 weak_mix(u32 a) { return a + 1; }
u32 outside(u32);
typedef u32 function(u32, u32);
function *const table[] = {public_mix, mix};

__attribute__((amdgpu_kernel)) void walk(__attribute__((address_space(1))) u32 *out, u32 n) {
    u32 sum = n;
    for (const struct node *i = &first; i; i = i->next)
        for (int k = 0; k < 3; k++) sum = mix(sum, i->values[k]);
    out[0] = sum + weak_value + special[n % 5] + (u32)hidden_value + zeros[n % 1000] + elsewhere;
    if (&perhaps) out[1] = perhaps;
}

__attribute__((amdgpu_kernel)) void call(__attribute__((address_space(1))) u32 *out, u32 which) {
    out[0] = table[which & 1](which, weak_mix(which)) + outside(which);
    volatile u32 stack[64];
    for (u32 i = 0; i < 64; i++) stack[i] = which * i;
    out[1] = stack[which & 63] + (u32)constants[which & 3];
}

extern __attribute__((address_space(3))) u32 shared[32];
__attribute__((noinline)) u32 recursive(u32 n) { return n < 2 ? n : recursive(n - 1) + recursive(n - 2); }
__attribute__((amdgpu_kernel, amdgpu_num_vgpr(40))) void recurse(__attribute__((address_space(1))) u32 *out) {
    shared[out[0] & 31] = recursive(out[1]);
    out[2] = shared[out[3] & 31] + common_zeros[out[4] % 10];
}
