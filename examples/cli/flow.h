/* flow.h - the flow graph of a kernel as a drawing, for sooth ptx --svg.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 */
#ifndef SOOTH_CLI_FLOW_H
#define SOOTH_CLI_FLOW_H

#include "cli.h"

/* Draws the blocks of a function, darker the more often they run, and the edges between them. */
void flow_draw(FILE *to, const sooth_ptx *ptx, size_t function, const sooth_ptx_counts *counts);

#endif
