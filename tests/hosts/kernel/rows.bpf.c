/* rows.bpf.c - predicts rows of a map inside the kernel: for tests/hosts/kernel.sh.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * MODEL: a file of `sooth export --to bpf`; without it, the map's model.
 */
#include <linux/types.h>
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>

#include "rows.h"

struct {
    __uint(type, BPF_MAP_TYPE_ARRAY);
    __uint(max_entries, 1);
    __type(key, __u32);
    __type(value, struct rows);
} rows SEC(".maps");

#ifdef MODEL
typedef __s16 int16_t;
typedef __s32 int32_t;
typedef __s64 int64_t;
typedef __u32 uint32_t;
#include MODEL
#else
#include "../../../examples/kernel/sooth.bpf.h"
struct {
    __uint(type, BPF_MAP_TYPE_ARRAY);
    __uint(max_entries, 1);
    __type(key, __u32);
    __type(value, struct sooth_block);
} models SEC(".maps");
#endif

SEC("xdp") int predict(struct xdp_md *unused) {
    const __u32 zero = 0;
    struct rows *all = bpf_map_lookup_elem(&rows, &zero);
    if (!all) return XDP_ABORTED;
    __u32 at = all->next++;
    SOOTH_ROW(at);
    (void)unused;
#ifdef MODEL
    struct model_keys keys;
#pragma unroll
    for (int j = 0; j < (int)(sizeof keys.key / sizeof *keys.key); ++j) keys.key[j] = all->key[at][j];
    all->sum[at] = model_sum(&keys);
#else
    struct sooth_keys keys;
    struct sooth_block *model = bpf_map_lookup_elem(&models, &zero);
    if (!model) return XDP_ABORTED;
#pragma unroll
    for (int j = 0; j < ROWS_KEYS; ++j) keys.key[j] = all->key[at][j];
    if (all->whole) {
#pragma unroll
        for (int j = 0; j < ROWS_WHOLE; ++j) sooth_key(model, &keys, (__u32)j, all->value[at][j]);
    }
    all->sum[at] = sooth_sum(model, &keys);
#endif
    return XDP_PASS;
}

char LICENSE[] SEC("license") = "GPL";
