/* core.bpf.c - asks a model for a sum as a program in the Linux kernel does: for bpf_run.c.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * MODEL: a file of `sooth export --to bpf`; without it, a block of --to bpf-map is walked.
 */
typedef short int16_t;
typedef int int32_t, __s32;
typedef long long int64_t, __s64;
typedef unsigned uint32_t, __u32;
typedef unsigned long long __u64;

#ifdef MODEL
#include MODEL
int64_t ask(const struct model_keys *keys) { return model_sum(keys); }
#else
static long (*bpf_loop)(__u32 times, void *function, void *context, __u64 flags) = (void *)181;
#include "sooth.bpf.h"
__s64 ask(const struct sooth_keys *keys, const struct sooth_block *model) { return sooth_sum(model, keys); }
#endif
