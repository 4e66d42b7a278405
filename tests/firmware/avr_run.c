/* avr_run.c - runs a program of an ATmega328P in simavr: its serial line to stdout, the costs to stderr.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * avr_run FILE.elf ends with what the program left in GPIOR0. A prediction is the time that GPIOR1 is 1;
 * with a second word, "each", every one is told: "steps CYCLES".
 */
#include <simavr/avr_uart.h>
#include <simavr/sim_avr.h>
#include <simavr/sim_elf.h>
#include <stdio.h>
#include <string.h>

enum { GPIOR0_AT = 0x3E, GPIOR1_AT = 0x4A, RAM_END = 0x8FF };

static void on_byte(struct avr_irq_t *irq, uint32_t value, void *user) {
    (void)irq, (void)user;
    putchar((int)value);
}

static void quiet(avr_t *avr, const int level, const char *format, va_list list) {
    (void)avr, (void)level, (void)format, (void)list;
}

int main(int argc, char **argv) {
    static elf_firmware_t firmware;
    const avr_cycle_count_t limit = 2000000000;
    avr_cycle_count_t began = 0, longest = 0, shortest = limit, all = 0;
    unsigned lowest = RAM_END, predictions = 0;
    uint32_t flags = 0;
    int state = cpu_Running, inside = 0;
    avr_t *avr;
    avr_global_logger_set(quiet);
    if (argc < 2 || elf_read_firmware(argv[1], &firmware) != 0) return 125;
    avr = avr_make_mcu_by_name("atmega328p");
    if (!avr) return 126;
    avr_init(avr);
    avr->frequency = 16000000;
    avr_load_firmware(avr, &firmware);
    avr_ioctl(avr, AVR_IOCTL_UART_GET_FLAGS('0'), &flags);
    flags &= ~(uint32_t)(AVR_UART_FLAG_STDIO | AVR_UART_FLAG_POLL_SLEEP);
    avr_ioctl(avr, AVR_IOCTL_UART_SET_FLAGS('0'), &flags);
    avr_irq_register_notify(avr_io_getirq(avr, AVR_IOCTL_UART_GETIRQ('0'), UART_IRQ_OUTPUT), on_byte, NULL);
    while (state != cpu_Done && state != cpu_Crashed && avr->cycle < limit) {
        const unsigned stack = avr->data[R_SPL] | (unsigned)avr->data[R_SPH] << 8;
        const int on = avr->data[GPIOR1_AT] != 0;
        if (avr->cycle > 200 && stack < lowest) lowest = stack;
        if (on && !inside) began = avr->cycle;
        if (!on && inside) {
            const avr_cycle_count_t taken = avr->cycle - began;
            longest = taken > longest ? taken : longest;
            shortest = taken < shortest ? taken : shortest;
            all += taken;
            ++predictions;
            if (argc > 2) fprintf(stderr, "steps %llu\n", (unsigned long long)taken);
        }
        inside = on;
        state = avr_run(avr);
    }
    fflush(stdout);
    fprintf(stderr, "%llu cycles at most, %u bytes of stack\n", (unsigned long long)longest,
            RAM_END - lowest);
    if (predictions) /* for bench/firmware: at most, in the mean, at least */
        fprintf(stderr, "costs %llu %llu %llu\n", (unsigned long long)longest,
                (unsigned long long)(all / predictions), (unsigned long long)shortest);
    if (state == cpu_Crashed) return 99;
    return avr->cycle < limit ? avr->data[GPIOR0_AT] : 124;
}
