/* main.c - a model as C asks itself whether it answers as on the host; then a plane is learned from readings.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 */
#define SOOTH_IMPLEMENTATION
#include <sooth/linear.h>
#include <zephyr/kernel.h>
#include "power.h" /* sooth export --to c --integers 16 --name power */

int main(void) {
    static double memory[23]; /* sooth_rls_size(2) bytes */
    sooth_rls *plane;
    printk("%s\n", power_selftest() ? "the self-test fails" : "all rows as on the host");
    if (sooth_rls_init(NULL, NULL, 2, memory, sizeof memory, &plane) != SOOTH_OK) return 0;
    for (int i = 0; i < 64; ++i) { /* milliseconds by kilobytes and requests */
        const float row[2] = {(float)(i % 8), (float)(i / 8)};
        sooth_rls_update(plane, row, 5.0f + 3.0f * row[0] + 2.0f * row[1]);
    }
    const float next[2] = {10.0f, 10.0f};
    printk("%d ms\n", (int)(sooth_rls_predict(plane, next) + 0.5));
    return 0;
}
