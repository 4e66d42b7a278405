/* host.c - the firmware as a program of this machine.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 */
#include "platform.h"
#include <stdio.h>

void put(char c) { putchar(c); }
void mark(int on) { (void)on; }
int main(void) { return firmware(); }
