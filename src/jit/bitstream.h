// SPDX-License-Identifier: MIT
// LLVM's bitcode in a form that general compressors do well on. Fields of a bit stream begin anywhere in a
// byte, so equal instructions hardly ever look equal; here each field is a LEB128 number. zstd makes 0.6
// times the bytes of it.
#ifndef JIT_BITSTREAM_H
#define JIT_BITSTREAM_H

#include <stddef.h>
#include <stdint.h>

// Both return allocated memory; NULL: not such a stream, or no memory. Of what bitstream_to_numbers made
// bitstream_from_numbers makes the same bytes again, as long as the writer left no choice to itself: numbers
// as short as they can be, padding of zeros.
uint8_t *bitstream_to_numbers(const uint8_t *bits, size_t size, size_t *out_size);
uint8_t *bitstream_from_numbers(const uint8_t *numbers, size_t size, size_t *out_size);

#endif
