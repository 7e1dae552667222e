/* exec_avx2.c - the steps of a plan on processors with AVX2
 * SPDX-License-Identifier: GPL-2.0-or-later */
#include "gfx3d/exec.h"

#ifdef __x86_64__
#define KERNEL_TARGET __attribute__((target("avx2")))
#define KERNEL(name) name##_avx2
#include "gfx3d/exec_kernels.h"
#endif
