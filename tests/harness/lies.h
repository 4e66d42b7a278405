/* lies.h - sound blocks with one thing changed and the checksum mended, which their check has to refuse.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * Include it after check.h, in a file with SOOTH_IMPLEMENTATION.
 */
#ifndef SOOTH_LIES_H
#define SOOTH_LIES_H

typedef int lies_check(const void *bytes, size_t size);

/* The word at byte `at` becomes `value`. */
typedef struct lies_word {
    size_t at;
    uint32_t value;
} lies_word;

/* A copy in memory of exactly its size, so that a sanitizer sees every byte read beyond. */
static inline sooth_block *lies_copy(const sooth_block *block) {
    sooth_block *copy = (sooth_block *)malloc(block->size);
    if (!copy) abort();
    memcpy(copy, block, block->size);
    return copy;
}

/* Whether the check takes the block with that change. */
static inline int lies_believed(lies_check *check, const sooth_block *block, size_t at, uint32_t value) {
    sooth_block *copy = lies_copy(block);
    int sound;
    memcpy((unsigned char *)copy + at, &value, sizeof value);
    if (copy->size <= block->size && copy->size % 16 == 0) soothi_block_seal(copy);
    sound = check(copy, block->size);
    free(copy);
    return sound;
}

/* The block is sound; each of the changes is one, and is refused. */
static inline void lies_are_refused(lies_check *check, const sooth_block *block, const lies_word *list,
                                    size_t count) {
    CHECK(check(block, block->size));
    for (size_t i = 0; i < count; ++i) {
        CHECK(memcmp((const unsigned char *)block + list[i].at, &list[i].value, 4) != 0);
        CHECK(!lies_believed(check, block, list[i].at, list[i].value));
        if (check_failures) {
            printf("  lie %u: word %u as %u\n", (unsigned)i, (unsigned)list[i].at, list[i].value);
            return;
        }
    }
}

/* What every check refuses of a kind of block without a region of bytes: no bytes, another kind, a later
   version, a header alone, 16 bytes or 16 doubles too many, and one end too few. */
static inline void lies_about_size_are_refused(lies_check *check, const sooth_block *block) {
    sooth_block *copy = lies_copy(block), *longer = (sooth_block *)calloc(1, block->size + 128u);
    if (!longer) abort();
    CHECK(check(block, block->size));
    CHECK(!check(NULL, block->size) && !check(block, block->size - 16u) && !check(block, 0));
    copy->kind = block->kind ^ 64u;
    soothi_block_seal(copy);
    CHECK(!check(copy, block->size));
    copy->kind = block->kind + 65536u * 64u;
    soothi_block_seal(copy);
    CHECK(!check(copy, block->size));
    memcpy(copy, block, block->size);
    copy->size = copy->doubles_at = copy->bytes_at = sizeof *copy;
    soothi_block_seal(copy);
    CHECK(!check(copy, block->size));
    for (uint32_t more = 0; more < 3; ++more) { /* in the regions of words, doubles, bytes */
        memcpy(longer, block, block->size);
        longer->size += more == 1 ? 128u : 16u;
        if (more < 2) longer->bytes_at = longer->size;
        if (more < 1) longer->doubles_at += 16u;
        soothi_block_seal(longer);
        CHECK(!check(longer, longer->size));
    }
    free(longer);
    free(copy);
}

#endif /* SOOTH_LIES_H */
