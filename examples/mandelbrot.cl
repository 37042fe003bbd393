// The Mandelbrot set: the number of steps until a point escapes, one work-item a pixel. It needs no library:
// the work-item functions are the compiler's own builtins, so the same file builds for every AMD GPU.
// Division is correctly rounded with -cl-fp32-correctly-rounded-divide-sqrt, as in mandelbrot.s.
__kernel __attribute__((reqd_work_group_size(64, 4, 1)))
void mandelbrot(__global int *steps, int width, int height, int limit) {
    int x = __builtin_amdgcn_workgroup_id_x() * 64 + __builtin_amdgcn_workitem_id_x();
    int y = __builtin_amdgcn_workgroup_id_y() * 4 + __builtin_amdgcn_workitem_id_y();
    if (x >= width || y >= height) return;
    float cr = -2.2f + 3.2f * x / width, ci = -1.25f + 2.5f * y / height;
    float zr = 0, zi = 0;
    int n = 0;
    while (n < limit && zr * zr + zi * zi < 4.0f) {
        float t = zr * zr - zi * zi + cr;
        zi = 2 * zr * zi + ci;
        zr = t;
        n++;
    }
    steps[y * width + x] = n;
}
