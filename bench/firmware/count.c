/* count.c - a plug-in for qemu: counts the instructions of a guest between calls of its function mark.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * qemu-system-... -plugin count.so,mark=0x1234: the address of mark, from nm. The first pair of calls has
 * nothing between, which gives what a pair costs; at the end "steps MEAN WORST" of all others go to stderr.
 * The interface is version 1 of qemu's (4.2 on), declared here because qemu's header is rarely installed.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef uint64_t plugin_id;
typedef struct block block; /* a piece of the guest's code that runs as a whole */
extern void qemu_plugin_register_vcpu_tb_trans_cb(plugin_id id, void (*on)(plugin_id, block *));
extern void qemu_plugin_register_vcpu_tb_exec_cb(block *tb, void (*on)(unsigned, void *), int flags,
                                                 void *user);
extern void qemu_plugin_register_vcpu_tb_exec_inline(block *tb, int add, void *to, uint64_t number);
extern void qemu_plugin_register_atexit_cb(plugin_id id, void (*on)(plugin_id, void *), void *user);
extern size_t qemu_plugin_tb_n_insns(const block *tb);
extern uint64_t qemu_plugin_tb_vaddr(const block *tb);
int qemu_plugin_version = 1;
int qemu_plugin_install(plugin_id id, const void *info, int count, char **word);

static uint64_t steps, mark, began, empty, sum, most, pairs;
static int inside;

static void on_mark(unsigned cpu, void *user) {
    const uint64_t taken = steps - began;
    (void)cpu, (void)user;
    began = steps;
    inside = !inside;
    if (inside) return;
    if (pairs++ == 0) {
        empty = taken;
        return;
    }
    sum += taken - empty;
    if (taken - empty > most) most = taken - empty;
}

static void on_translation(plugin_id id, block *tb) {
    (void)id;
    qemu_plugin_register_vcpu_tb_exec_inline(tb, 0, &steps, qemu_plugin_tb_n_insns(tb));
    if ((qemu_plugin_tb_vaddr(tb) & ~(uint64_t)1) == mark)
        qemu_plugin_register_vcpu_tb_exec_cb(tb, on_mark, 0, NULL);
}

static void at_end(plugin_id id, void *user) {
    (void)id, (void)user;
    if (pairs > 1) fprintf(stderr, "steps %" PRIu64 " %" PRIu64 "\n", sum / (pairs - 1), most);
}

int qemu_plugin_install(plugin_id id, const void *info, int count, char **word) {
    (void)info;
    for (int i = 0; i < count; ++i)
        if (strncmp(word[i], "mark=", 5) == 0) mark = strtoull(word[i] + 5, NULL, 0) & ~(uint64_t)1;
    qemu_plugin_register_vcpu_tb_trans_cb(id, on_translation);
    qemu_plugin_register_atexit_cb(id, at_end, NULL);
    return 0;
}
