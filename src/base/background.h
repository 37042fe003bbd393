// SPDX-License-Identifier: MIT
// Work that threads of the library have not finished and that nobody will miss. A process that ends by exit
// waits for it, as code of libraries must not run while these end; a program that has nothing left for exit
// to do may end by _exit instead.
#ifndef BASE_BACKGROUND_H
#define BASE_BACKGROUND_H

#include <stdbool.h>

void background_set(bool busy);
bool background_is_busy(void);

#endif
