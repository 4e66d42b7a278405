/* avr.c - an ATmega328P: 32 KiB of flash, 2 KiB of memory. At the end GPIOR0 holds the status; GPIOR1 is 1
 * during a prediction.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 */
#include "platform.h"
#include <avr/interrupt.h>
#include <avr/io.h>
#include <avr/sleep.h>

void put(char c) {
    while (!(UCSR0A & (1 << UDRE0))) continue;
    UDR0 = (uint8_t)c;
}

void mark(int on) { GPIOR1 = (uint8_t)on; }

int main(void) {
    UBRR0 = 0;
    UCSR0B = 1 << TXEN0;
    GPIOR0 = (uint8_t)firmware();
    cli();
    sleep_enable();
    sleep_cpu();
    return 0;
}
