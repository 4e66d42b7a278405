/* fuzz_envelopes.c - envelopes of every kind, and averages of models: a file is refused with a sentence, or
 * used for everything without harm.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * Linked with library.c. See models.h for what is used and what must hold.
 */
#include "models.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    const uint32_t kind = kind_of(data, size);
    if (kind == SOOTH_KIND_MODEL || kind == SOOTH_KIND_ORIGIN || kind == SOOTH_KIND_BEST)
        use_file(data, size);
    return 0;
}

#ifdef SOOTH_FUZZ_MAIN
#include "mutate.h"
#endif
