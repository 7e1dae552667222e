/* hash.h - 64-bit hash of bytes, for comparing states; not against an adversary
 * SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef CORE_HASH_H
#define CORE_HASH_H

#include <stddef.h>
#include <stdint.h>

/* Equal on every machine.  Chain several pieces by giving the last result as the seed. */
uint64_t hash_bytes(const void *data, size_t size, uint64_t seed);

#endif
