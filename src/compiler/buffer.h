// SPDX-License-Identifier: MIT
// What an instruction on a buffer (MUBUF, MTBUF) has besides registers: the number in front of its offset,
// from the legaliser to the emitter.
#ifndef COMPILER_BUFFER_H
#define COMPILER_BUFFER_H

enum buffer_mode {
    BUFFER_OFFEN = 1 << 0,  // the address register has an offset,
    BUFFER_IDXEN = 1 << 1,  // or an index, which stands first
    BUFFER_LDS = 1 << 2,    // what is loaded goes to LDS
    BUFFER_STATUS = 1 << 3, // one more register says whether memory was missing (tfe)
    BUFFER_FORMAT = 1 << 4  // seven bits, of MTBUF
};

#endif
