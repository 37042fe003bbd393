// SPDX-License-Identifier: MIT
// Whose bits an image resource (T#) and a sampler (S#) have: a fact of the processor.
#ifndef BASE_RESOURCE_KIND_H
#define BASE_RESOURCE_KIND_H

enum resource_kind {
    RESOURCE_GFX6, // and GFX7
    RESOURCE_GFX8,
    RESOURCE_GFX9,
    RESOURCE_GFX10,
    RESOURCE_GFX103,
    RESOURCE_GFX11,
    RESOURCE_GFX12,
    RESOURCE_KINDS,
};

#endif
