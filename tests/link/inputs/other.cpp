// What main.cpp asks for, a kernel of its own, and the same template, inline function and strings once more.
#define GLOBAL  __attribute__((address_space(1)))
#define KERNEL  extern "C" __attribute__((amdgpu_kernel, visibility("protected"))) void
#define DEFAULT __attribute__((visibility("default")))
#define HIDDEN  __attribute__((visibility("hidden")))
#define CALLED  __attribute__((noinline))
template <typename T> CALLED T twice(T x) {
    static T seen;
    seen += 0 * x;
    return x * 2 + seen;
}
inline CALLED int shared_inline(int x) { return x + 5; }
DEFAULT CALLED int from_other(int x) { return x * twice<int>(x); }
HIDDEN CALLED int hidden_in_other(int x) { return shared_inline(x) + (int)twice<long>(x); }
DEFAULT int data_in_other = 77;
DEFAULT __attribute__((weak)) int weak_data = 10;
const char *names[] = {"world", "again", "hello world"};
double constant(int i) {
    static const double d[] = {1.5, 2.5, 3.5};
    return d[i];
}
KERNEL second(GLOBAL int *out) { out[0] = from_other(out[1]) + names[out[2]][1] + (int)constant(out[3]); }
