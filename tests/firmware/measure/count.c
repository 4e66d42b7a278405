/* count.c - a plug-in of qemu: how many instructions run between mark(1) and mark(0), each time on a line.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * qemu -plugin ./count.so,mark=ADDRESS: where mark() stands, in hexadecimal, as nm tells. Instructions are
 * counted by the block that qemu translates; a function that is called begins one. The few declarations stand
 * here, since qemu's header is not always installed.
 */
#include <inttypes.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef uint64_t plugin_id;
struct qemu_plugin_tb;
typedef void on_block(unsigned cpu, void *user);
void qemu_plugin_register_vcpu_tb_trans_cb(plugin_id, void (*)(plugin_id, struct qemu_plugin_tb *));
void qemu_plugin_register_vcpu_tb_exec_inline(struct qemu_plugin_tb *, int, void *, uint64_t);
void qemu_plugin_register_vcpu_tb_exec_cb(struct qemu_plugin_tb *, on_block *, int, void *);
size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb *);
uint64_t qemu_plugin_tb_vaddr(const struct qemu_plugin_tb *);
int qemu_plugin_install(plugin_id, const void *, int, char **);

int qemu_plugin_version = 1;
static uint64_t run, began, at;
static int inside;

static void on_mark(unsigned cpu, void *user) {
    (void)cpu, (void)user;
    if (inside) fprintf(stderr, "steps %" PRIu64 "\n", run - began);
    began = run;
    inside = !inside;
}

static void on_translation(plugin_id id, struct qemu_plugin_tb *block) {
    (void)id;
    qemu_plugin_register_vcpu_tb_exec_inline(block, 0, &run, qemu_plugin_tb_n_insns(block));
    if ((qemu_plugin_tb_vaddr(block) & ~(uint64_t)1) == at)
        qemu_plugin_register_vcpu_tb_exec_cb(block, on_mark, 0, NULL);
}

int qemu_plugin_install(plugin_id id, const void *info, int count, char **words) {
    (void)info;
    for (int i = 0; i < count; ++i)
        if (strncmp(words[i], "mark=", 5) == 0) at = strtoull(words[i] + 5, NULL, 16) & ~(uint64_t)1;
    qemu_plugin_register_vcpu_tb_trans_cb(id, on_translation);
    return 0;
}
