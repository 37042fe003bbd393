// SPDX-License-Identifier: MIT
// All of Softwave's interface.
#ifndef SOFTWAVE_SOFTWAVE_H
#define SOFTWAVE_SOFTWAVE_H

#include "softwave/asm.h"
#include "softwave/base.h"
#include "softwave/bundle.h"
#include "softwave/changes.h"
#include "softwave/compiler.h"
#include "softwave/device.h"
#include "softwave/image.h"
#include "softwave/isa.h"
#include "softwave/link.h"
#include "softwave/list.h"
#include "softwave/object.h"
#include "softwave/profile.h"
#include "softwave/target.h"
#include "softwave/terascale.h"

#endif
