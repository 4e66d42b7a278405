/* fuzz_laws.c - linear models, scales, laws of scaling, of programs, intervals, probabilities, levels of
 * categories, what is no model: a file is refused with a sentence, or used for everything without harm.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * Linked with library.c. See models.h for what is used and what must hold.
 */
#include "models.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    const uint32_t kind = kind_of(data, size);
    if (kind == SOOTH_KIND_LINEAR || kind == SOOTH_KIND_SCALE || kind == SOOTH_KIND_SCALING ||
        kind == SOOTH_KIND_CONFORMAL || kind == SOOTH_KIND_ADAPT || kind == SOOTH_KIND_PROBABILITY ||
        kind == SOOTH_KIND_RATIO || kind == SOOTH_KIND_ENCODE || kind == SOOTH_KIND_LEVELS || kind == 0)
        use_file(data, size);
    return 0;
}

#ifdef SOOTH_FUZZ_MAIN
#include "mutate.h"
#endif
