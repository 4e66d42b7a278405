/* cortex_m.c - start-up of any Cortex-M, and semihosting to talk to a debugger or an emulator.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 */
#include "platform.h"

extern uint32_t data_begin, data_end, data_load, bss_begin, bss_end, stack_end;
void reset(void);
int semihost(int operation, const void *argument);

__attribute__((naked, noinline)) int semihost(int operation, const void *argument) {
    (void)operation, (void)argument; /* in r0 and r1, where they are wanted */
    __asm volatile("bkpt 0xab\n bx lr");
}

void put(char c) { semihost(0x03, &c); } /* SYS_WRITEC */
void mark(int on) { (void)on; }

static void leave(int status) {
    uint32_t words[2] = {0x20026u, 0}; /* the application ended */
    words[1] = (uint32_t)status;
    semihost(0x20, words);
    for (;;) continue;
}

static void fault(void) { leave(99); }

void reset(void) {
    const uint32_t *from = &data_load;
    for (uint32_t *to = &data_begin; to < &data_end; ++to) *to = *from++;
    for (uint32_t *to = &bss_begin; to < &bss_end; ++to) *to = 0;
#if defined(__ARM_FP)
    *(volatile uint32_t *)0xE000ED88u |= 0xFu << 20; /* CPACR: the floating-point unit is on */
    __asm volatile("dsb\n isb");
#endif
    leave(firmware());
}

typedef union vector {
    void (*handler)(void);
    uint32_t *stack;
} vector;
__attribute__((section(".vectors"), used)) static const vector vectors[7] = {
    {.stack = &stack_end}, {reset}, {fault}, {fault}, {fault}, {fault}, {fault}};
