// SPDX-License-Identifier: MIT
// What clients of an OpenCL runtime begin with: its interface, and a call that ends the program where another
// one failed.
#include <CL/cl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int wrong;

static void need(cl_int error, const char *what) {
    if (error == CL_SUCCESS) return;
    printf("%s: error %d\n", what, error);
    exit(1);
}
