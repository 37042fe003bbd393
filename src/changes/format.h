// SPDX-License-Identifier: MIT
// What the writer and the reader of changes files share.
#ifndef CHANGES_FORMAT_H
#define CHANGES_FORMAT_H

// The magic, the version, and the digest of all that follows it.
#define CHANGES_MAGIC "SWCHANGE"
enum { CHANGES_MAGIC_BYTES = 8, CHANGES_VERSION = 1, CHANGES_CHECKED_FROM = 8 + 4 + 16 };

#endif
