// SPDX-License-Identifier: MIT
// What a kernel may ask the hardware for, in the order in which it comes. The numbers stand in facts.inputs.
#ifndef COMPILER_INPUT_H
#define COMPILER_INPUT_H

enum compiler_input {
    INPUT_DISPATCH_POINTER, // user SGPRs, in the order of the descriptor's bits
    INPUT_QUEUE_POINTER,
    INPUT_KERNARG,
    INPUT_DISPATCH_ID,
    INPUT_FLAT_SCRATCH, // from which FLAT_SCRATCH is made
    INPUT_GROUP_X,
    INPUT_GROUP_Y,
    INPUT_GROUP_Z,
    INPUT_ITEM_X,
    INPUT_ITEM_Y,
    INPUT_ITEM_Z,
    INPUT_HIDDEN, // the hidden arguments behind the explicit ones
    INPUTS
};

#endif
