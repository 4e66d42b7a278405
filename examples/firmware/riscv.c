/* riscv.c - a 32-bit RISC-V as qemu's machine virt has it: a serial line at 0x10000000, a switch at 0x100000.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 */
#include "platform.h"

extern uint32_t data_begin, data_end, data_load, bss_begin, bss_end;
void start(void);
void begin(void);

void put(char c) { *(volatile uint8_t *)0x10000000u = (uint8_t)c; }
void mark(int on) { (void)on; }

static void leave(int status) {
    *(volatile uint32_t *)0x100000u = status ? (uint32_t)status << 16 | 0x3333u : 0x5555u;
    for (;;) continue;
}

__attribute__((naked, section(".init"))) void start(void) { __asm volatile("la sp, stack_end\n j begin"); }

__attribute__((used)) void begin(void) {
    const uint32_t *from = &data_load;
    for (uint32_t *to = &data_begin; to < &data_end; ++to) *to = *from++;
    for (uint32_t *to = &bss_begin; to < &bss_end; ++to) *to = 0;
#if defined(__riscv_flen)
    __asm volatile("csrs mstatus, %0" : : "r"(1u << 13)); /* the floating-point unit is on */
#endif
    leave(firmware());
}
