/* library.c - what the targets of models and of the command are linked with: all of the library, once.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 */
#define SOOTH_IMPLEMENTATION
#include "sooth.h"
#include "sooth/threads.h"
#include "sooth/files.h"

/* Makes a checksum right: a mutator changes what a checksum would otherwise keep from being tried. */
void fuzz_seal(sooth_block *block);
void fuzz_seal(sooth_block *block) { soothi_block_seal(block); }
