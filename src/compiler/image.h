// SPDX-License-Identifier: MIT
// Instructions on images (MIMG, VIMAGE, VSAMPLE), from the legaliser to the emitter. Their operands: what the
// destination holds first, or the data of a store; the address, as one tuple or as several; the image's
// descriptor; a sampler's, if there is one; a number that says the rest.
#ifndef COMPILER_IMAGE_H
#define COMPILER_IMAGE_H

#include "compiler/passes.h"

enum image_bit {
    IMAGE_BIT_MASK = 1 << 0,      // four bits: which components
    IMAGE_BIT_DIMENSION = 1 << 4, // three: enum image_dimension
    IMAGE_BIT_UNORM = 1 << 7,     // coordinates are texels
    IMAGE_BIT_A16 = 1 << 8,       // addresses of 16 bits
    IMAGE_BIT_D16 = 1 << 9,       // data of 16 bits
    IMAGE_BIT_TFE = 1 << 10,      // one more register says whether memory was missing
    IMAGE_BIT_LWE = 1 << 11,      // or whether a level was
    IMAGE_BIT_ADDRESSES = 1 << 12 // four bits: operands of the address
};

// As GFX10 numbers them.
enum image_dimension {
    IMAGE_1D,
    IMAGE_2D,
    IMAGE_3D,
    IMAGE_CUBE,
    IMAGE_1D_ARRAY,
    IMAGE_2D_ARRAY,
    IMAGE_2D_MSAA,
    IMAGE_2D_MSAA_ARRAY,
    IMAGE_DIMENSIONS
};

// Which operands of the intrinsic of that name (behind "llvm.amdgcn.") have the descriptor and the sampler,
// 0: none, given how many there are. False: it is none of images.
bool compiler_image_operands(const char *name, unsigned operands, unsigned *descriptor, unsigned *sampler);

#endif
