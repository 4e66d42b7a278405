/* platform.h - what the firmware needs of a machine.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 */
#ifndef PLATFORM_H
#define PLATFORM_H

#include <stdint.h>

void put(char c);   /* to whoever listens */
void mark(int on);  /* a prediction begins (1) or has ended (0): where cycles are counted */
int firmware(void); /* 0: all went well. The machine calls it once. */

#endif
