// Kernels that read and write images by the device libraries, which take handles for the addresses of words.
// The processor's number, which older libraries do not have for newer processors.
const __constant int __oclc_ISA_version = ISA;
float4 __ockl_image_load_2D(__constant uint *, int2);
float4 __ockl_image_load_3D(__constant uint *, int4);
float4 __ockl_image_load_2Da(__constant uint *, int4);
float4 __ockl_image_load_1D(__constant uint *, int);
float4 __ockl_image_load_1Db(__constant uint *, int);
void __ockl_image_store_2D(__constant uint *, int2, float4);
void __ockl_image_store_3D(__constant uint *, int4, float4);
void __ockl_image_store_2Da(__constant uint *, int4, float4);
void __ockl_image_store_1D(__constant uint *, int, float4);
void __ockl_image_store_1Db(__constant uint *, int, float4);
float4 __ockl_image_sample_2D(__constant uint *, __constant uint *, float2);
int __ockl_image_width_2D(__constant uint *);
int __ockl_image_height_2D(__constant uint *);

// Work-groups have 64 items.
#define ITEM (int)(__builtin_amdgcn_workgroup_id_x() * 64 + __builtin_amdgcn_workitem_id_x())
#define COPY(name, place) \
    kernel void copy_##name(__constant uint *from, __constant uint *to, int width, int height) { \
        const int id = ITEM, x = id % width, y = id / width % height, z = id / width / height; \
        __ockl_image_store_##name(to, place, __ockl_image_load_##name(from, place)); \
    }
COPY(1D, x)
COPY(1Db, x)
COPY(2D, ((int2)(x, y)))
COPY(3D, ((int4)(x, y, z, 0)))
COPY(2Da, ((int4)(x, y, z, 0)))

kernel void sample(__constant uint *from, __constant uint *sampler, global float4 *out, int width) {
    const int id = ITEM, x = id % width, y = id / width;
    const float2 at = (float2)((x + 0.5f) / __ockl_image_width_2D(from), (y + 0.5f) / __ockl_image_height_2D(from));
    out[id] = __ockl_image_sample_2D(from, sampler, at);
}
