// A kernel that uses everything another file can offer: default, weak, hidden, template and inline functions, data.
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
DEFAULT int from_other(int);
DEFAULT __attribute__((weak)) int maybe(int);
HIDDEN int hidden_in_other(int);
extern DEFAULT int data_in_other;
DEFAULT int own_data = 3;
DEFAULT int own_zero;
DEFAULT __attribute__((weak)) int weak_data = 9;
const char *const words[] = {"hello", "world", "lo", "ld"};
struct entry {
    int (*function)(int);
    const char *name;
};
extern const entry table[] = {{shared_inline, "inline"}, {hidden_in_other, "hidden"}};
DEFAULT CALLED int own(int x) { return x + own_data; }
int (*pointer)(int) = hidden_in_other;
int started = own(4);
static int nobody(int x) { return x; }
KERNEL first(GLOBAL int *out) {
    int x = out[0];
    out[1] = twice<int>(x) + shared_inline(x) + from_other(x) + (maybe ? maybe(x) : 0) + hidden_in_other(x);
    out[2] = data_in_other + own_data + own_zero + weak_data + words[x][0];
    out[3] = own(x) + pointer(x);
    out[4] = table[x].function(x) + table[x].name[0];
}
