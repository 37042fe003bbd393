// SPDX-License-Identifier: MIT
// Claims that compiled code checks while it runs. What the JIT assumes of lanes (affine.h), of the ids of a
// linear launch (wave_loop.h) and of EXEC (joining.h) is stated as a claim where it is assumed. Builds with
// SW_GUARD, which `make torture` makes, put a test of each claim into the code: one that does not hold ends
// the process by an illegal instruction. Other builds put nothing.
#ifndef JIT_VERIFY_H
#define JIT_VERIFY_H

#include "jit/affine.h"

#if defined(SW_GUARD)
enum { VERIFIES = true };
#else
enum { VERIFIES = false };
#endif

// The bit `holds` is set whenever control gets to where the builder stands.
void verify_claim(const struct fuse *f, llvm_ref builder, llvm_ref holds);
// Two numbers of one type are equal, or two vectors in all lanes.
void claim_equal(const struct fuse *f, llvm_ref builder, llvm_ref a, llvm_ref b);
// The vector is the affine vector where that is sure.
void claim_lanes(struct lanes *s, llvm_ref is, const struct affine *r);
// Every value that affine_of has looked at is the affine vector or mask that it was taken for.
void claim_affine_ones(struct lanes *s);

#endif
