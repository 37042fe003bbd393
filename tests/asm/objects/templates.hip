// What C++ and HIP ask of an object file: templates, inline functions and variables in section groups, virtual
// tables, managed and constant memory, LDS, kernels of templates.
#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __host__ __attribute__((host))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))

template <class T, int N> struct vec {
    T v[N];
    __device__ T sum() const {
        T s = 0;
        for (int i = 0; i < N; i++) s += v[i];
        return s;
    }
};
template <class T> __device__ __attribute__((noinline)) T twice(T a) { return a + a; }
inline __device__ __attribute__((noinline)) int inlined(int a) { return a * 3; }
template <class T> struct counter { static __device__ T count; };
template <class T> __device__ T counter<T>::count = 5;
inline __device__ int shared_count = 9;

struct base {
    __device__ virtual int get(int a) { return a; }
    __device__ virtual ~base() {}
};
struct derived : base {
    int k;
    __device__ int get(int a) override { return a + k; }
};

__constant__ int table[4] = {1, 2, 3, 4};
__device__ float global_float = 1.5f;
extern __shared__ int dynamic_lds[];

template <class T, int N> __global__ void __launch_bounds__(256) sum_of(T *out, vec<T, N> v) {
    __shared__ T lds[64];
    int i = __builtin_amdgcn_workitem_id_x();
    lds[i & 63] = twice(v.sum());
    __builtin_amdgcn_s_barrier();
    out[i] = lds[(i + 1) & 63] + (T)inlined(i) + counter<T>::count + (T)shared_count;
}
template __global__ void sum_of<int, 3>(int *, vec<int, 3>);
template __global__ void sum_of<float, 5>(float *, vec<float, 5>);
template __global__ void sum_of<double, 2>(double *, vec<double, 2>);

__device__ __attribute__((noinline)) int through(base *b, int a) { return b->get(a); }
__global__ void virtual_call(int *out, int a) {
    derived d;
    d.k = a;
    dynamic_lds[a & 7] = through(&d, a);
    out[0] = dynamic_lds[out[1] & 7] + table[a & 3] + (int)global_float;
}
