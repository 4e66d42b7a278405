/* bpf_run.c - runs core.bpf.c, compiled, and counts: bpf_run OBJECT FEATURES BLOCK.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * Prints what measure.sh reads: "flash memory stack", then "steps N" for each row, whose sum must be that of
 * the block. The stack is that of the deepest chain of calls, each frame in multiples of 32 bytes, as the
 * kernel counts towards its 512. A step is an instruction that runs; bpf_loop, the one helper there is, takes
 * one beside those of the function that it calls. For machines that are little-endian as the object is.
 */
#define SOOTH_IMPLEMENTATION
#define SOOTH_PREDICT_ONLY
#include "sooth/export/integers.h"
#include "rows.h"
#include <elf.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_CODE = 1 << 20, MOST_FRAMES = 8, FRAME = 512, KEYS = 64, LOOP = 181 };

typedef struct instruction {
    uint8_t code, registers; /* destination in the low half */
    int16_t offset;
    int32_t number;
} instruction;

static instruction code[MOST_CODE];
static int32_t function_at[MOST_CODE]; /* by instruction: that of the function it begins, else 0 */
static uint32_t count;
static uint64_t steps;
static unsigned char stack[MOST_FRAMES][FRAME];

static void stop(const char *why) {
    fprintf(stderr, "bpf_run: %s\n", why);
    exit(1);
}

static void *read_file(const char *path, size_t *size) {
    FILE *file = fopen(path, "rb");
    if (!file) perror(path), exit(1);
    const size_t most = (size_t)1 << 26;
    void *bytes = calloc(1, most);
    if (!bytes) stop("no memory");
    *size = fread(bytes, 1, most, file);
    fclose(file);
    return bytes;
}

/* ---- the object ---- */

/* Calls and addresses of functions become numbers of instructions, with source register 1. */
static void relocate(const unsigned char *object, const Elf64_Shdr *section, const Elf64_Shdr *list,
                     const uint32_t *first) {
    const Elf64_Rel *rel = (const Elf64_Rel *)(const void *)(object + list->sh_offset);
    const Elf64_Sym *symbol = (const Elf64_Sym *)(const void *)(object + section[list->sh_link].sh_offset);
    for (size_t k = 0; k < list->sh_size / sizeof *rel; ++k) {
        const Elf64_Sym *s = symbol + ELF64_R_SYM(rel[k].r_info);
        const uint32_t at = first[list->sh_info] + (uint32_t)(rel[k].r_offset / 8);
        const uint32_t to = first[s->st_shndx] + (uint32_t)(s->st_value / 8);
        if (code[at].code == 0x85) { /* from the next instruction on */
            code[at].number = (int32_t)to + code[at].number - (int32_t)at;
        } else if (code[at].code == 0x18) {
            code[at].number = (int32_t)to + code[at].number / 8;
            code[at].registers = (uint8_t)((code[at].registers & 15) | 1 << 4);
        } else stop("a relocation of what is no function");
    }
}

/* Reads the code; where the function `ask` begins. */
static uint32_t load(const char *path) {
    size_t size;
    unsigned char *object = read_file(path, &size);
    const Elf64_Ehdr *head = (const Elf64_Ehdr *)(const void *)object;
    if (size < sizeof *head || memcmp(head->e_ident, ELFMAG, SELFMAG) != 0 || head->e_machine != EM_BPF)
        stop("this is no BPF object");
    const Elf64_Shdr *section = (const Elf64_Shdr *)(const void *)(object + head->e_shoff);
    uint32_t *first = calloc(65536, sizeof *first), entry = MOST_CODE;
    if (!first) stop("no memory");
    for (int k = 0; k < head->e_shnum; ++k) {
        if (section[k].sh_type != SHT_PROGBITS || !(section[k].sh_flags & SHF_EXECINSTR)) continue;
        if (count + section[k].sh_size / 8 > MOST_CODE) stop("too much code");
        first[k] = count;
        memcpy(code + count, object + section[k].sh_offset, section[k].sh_size);
        count += (uint32_t)(section[k].sh_size / 8);
    }
    for (int k = 0; k < head->e_shnum; ++k) {
        if (section[k].sh_type == SHT_REL && section[section[k].sh_info].sh_flags & SHF_EXECINSTR)
            relocate(object, section, section + k, first);
        if (section[k].sh_type != SHT_SYMTAB) continue;
        const char *names = (const char *)object + section[section[k].sh_link].sh_offset;
        const Elf64_Sym *s = (const Elf64_Sym *)(const void *)(object + section[k].sh_offset);
        for (size_t i = 0; i < section[k].sh_size / sizeof *s; ++i) {
            if (ELF64_ST_TYPE(s[i].st_info) != STT_FUNC) continue;
            const uint32_t at = first[s[i].st_shndx] + (uint32_t)(s[i].st_value / 8);
            function_at[at] = 1;
            if (strcmp(names + s[i].st_name, "ask") == 0) entry = at;
        }
    }
    if (entry == MOST_CODE) stop("there is no function ask");
    free(first);
    free(object);
    return entry;
}

/* ---- the stack ---- */

/* Bytes of the frames from this function on, along the deepest chain of calls. */
static uint32_t depth_from(uint32_t at) {
    uint32_t own = 1, below = 0;
    for (uint32_t i = at; i < count && (i == at || !function_at[i]); ++i) {
        const unsigned kind = code[i].code & 7u, to = code[i].registers & 15u, from = code[i].registers >> 4;
        int32_t reach = 0; /* of what stands at r10, and of r = r10; r += number */
        if ((kind == 1 && from == 10) || ((kind == 2 || kind == 3) && to == 10)) reach = code[i].offset;
        if (code[i].code == 0xBF && from == 10 && code[i + 1].code == 0x07 &&
            (code[i + 1].registers & 15u) == to)
            reach = code[i + 1].number;
        if (-reach > (int32_t)own) own = (uint32_t)-reach;
        const int called = code[i].code == 0x85 && from == 1, named = code[i].code == 0x18 && from == 1;
        if (!called && !named) continue;
        const uint32_t deep =
            depth_from(called ? (uint32_t)((int32_t)i + 1 + code[i].number) : (uint32_t)code[i].number);
        if (deep > below) below = deep;
    }
    return (own + 31) / 32 * 32 + below;
}

/* ---- running ---- */

static uint64_t compute(unsigned what, uint64_t a, uint64_t b, unsigned bits) {
    const uint64_t mask = bits == 64 ? ~(uint64_t)0 : 0xFFFFFFFFu;
    a &= mask, b &= mask;
    switch (what) {
    case 0x0: return (a + b) & mask;
    case 0x1: return (a - b) & mask;
    case 0x2: return (a * b) & mask;
    case 0x4: return a | b;
    case 0x5: return a & b;
    case 0x6: return (a << (b & (bits - 1))) & mask;
    case 0x7: return a >> (b & (bits - 1));
    case 0x8: return (0 - a) & mask;
    case 0xA: return a ^ b;
    case 0xB: return b;
    case 0xC: b &= bits - 1; return a >> (bits - 1) ? ~((~a & mask) >> b) & mask : a >> b; /* signed */
    default: stop("an instruction that is not known here"); return 0;
    }
}

static int jumps(unsigned what, uint64_t a, uint64_t b, int narrow) {
    if (narrow) a &= 0xFFFFFFFFu, b &= 0xFFFFFFFFu;
    const int64_t s = narrow ? (int32_t)(uint32_t)a : (int64_t)a,
                  t = narrow ? (int32_t)(uint32_t)b : (int64_t)b;
    switch (what) {
    case 0x0: return 1;
    case 0x1: return a == b;
    case 0x2: return a > b;
    case 0x3: return a >= b;
    case 0x4: return (a & b) != 0;
    case 0x5: return a != b;
    case 0x6: return s > t;
    case 0x7: return s >= t;
    case 0xA: return a < b;
    case 0xB: return a <= b;
    case 0xC: return s < t;
    case 0xD: return s <= t;
    default: stop("a jump that is not known here"); return 0;
    }
}

static uint64_t run(uint32_t at, uint32_t frame, uint64_t one, uint64_t two);

/* A call: of a function here, or of the helper. */
static uint64_t call(uint32_t at, uint32_t frame, const uint64_t *r) {
    if (code[at].registers >> 4 == 1)
        return run((uint32_t)((int32_t)at + 1 + code[at].number), frame + 1, r[1], r[2]);
    if (code[at].number != LOOP) stop("a helper that is not known here");
    for (uint64_t k = 0; k < (uint32_t)r[1]; ++k)
        if (run((uint32_t)r[2], frame + 1, k, r[3])) return k + 1;
    return (uint32_t)r[1];
}

static void move(const instruction *i, uint64_t *r) {
    static const size_t sizes[4] = {4, 2, 1, 8};
    const size_t size = sizes[i->code >> 3 & 3u];
    const unsigned kind = i->code & 7u, to = i->registers & 15u, from = i->registers >> 4;
    const uint64_t base = r[kind == 1 ? from : to] + (uint64_t)(int64_t)i->offset;
    uint64_t v = kind == 2 ? (uint64_t)(int64_t)i->number : r[from];
    if (i->code >> 5 != 3) stop("a way to memory that is not known here");
    if (kind == 1) {
        v = 0;
        memcpy(&v, (const void *)(uintptr_t)base, size);
        r[to] = v;
    } else memcpy((void *)(uintptr_t)base, &v, size);
}

static uint64_t run(uint32_t at, uint32_t frame, uint64_t one, uint64_t two) {
    uint64_t r[11] = {0, one, two};
    if (frame == MOST_FRAMES) stop("too many calls");
    r[10] = (uint64_t)(uintptr_t)(stack[frame] + FRAME);
    for (;; ++at) {
        if (at >= count) stop("behind the code");
        const instruction *i = code + at;
        const unsigned kind = i->code & 7u, what = i->code >> 4, to = i->registers & 15u;
        const uint64_t other = i->code & 8u ? r[i->registers >> 4] : (uint64_t)(int64_t)i->number;
        ++steps;
        if (i->code == 0x95) return r[0];
        if (i->code == 0x18) {
            r[to] = (uint32_t)i->number | (uint64_t)(uint32_t)i[1].number << 32;
            ++at;
        } else if (i->code == 0x85) r[0] = call(at, frame, r);
        else if (kind == 4 || kind == 7) r[to] = compute(what, r[to], other, kind == 7 ? 64 : 32);
        else if (kind == 5 || kind == 6) {
            if (jumps(what, r[to], other, kind == 6)) at = (uint32_t)((int32_t)at + i->offset);
        } else move(i, r);
    }
}

int main(int words, char **word) {
    static int32_t key[KEYS];
    uint32_t state = 2026;
    size_t size;
    if (words != 4) return fputs("usage: bpf_run OBJECT FEATURES BLOCK\n", stderr), 2;
    const uint32_t features = (uint32_t)atoi(word[2]), entry = load(word[1]);
    void *block = read_file(word[3], &size);
    if (!sooth_integers_check(block, size) || features > KEYS) stop("this is no block that rows can ask");
    printf("%u 0 %u\n", 8 * count, depth_from(entry));
    for (int i = 0; i < ROWS; ++i) {
        int64_t sum;
        for (uint32_t j = 0; j < features; ++j) key[j] = reading(&state);
        sooth_integers_sum(block, key, &sum);
        steps = 0;
        if (run(entry, 0, (uint64_t)(uintptr_t)key, (uint64_t)(uintptr_t)block) != (uint64_t)sum)
            stop("another sum than the block's");
        printf("steps %" PRIu64 "\n", steps);
    }
    free(block);
    return 0;
}
