/* dist.c - writes a source archive whose bytes depend on nothing but its files: not on tar, gzip, the umask,
 * the locale or the machine.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 *     dist FOLDER SECONDS < LIST > FOLDER.tar.gz
 *
 * LIST has one path a line, relative to the current folder, in the order of the archive. SECONDS since 1970
 * are the time of every file; 0 means that of the newest file. The time is printed on stderr. The archive is
 * POSIX ustar: owner and group 0, mode 755 for what its owner may execute, 644 else. It is compressed into
 * one block of deflate (RFC 1951) in gzip's format (RFC 1952), without a name or a time: matches by chains of
 * hashes, Huffman codes of the whole.
 */
#define _POSIX_C_SOURCE 200809L
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

typedef struct bytes {
    uint8_t *at;
    size_t size, room;
    uint64_t bits; /* of the last byte, while bits are written */
    uint32_t held;
} bytes;

static void fail(const char *what, const char *path) {
    fprintf(stderr, "dist: %s: %s\n", what, path);
    exit(1);
}
static void put(bytes *b, const void *from, size_t size) {
    if (b->size + size > b->room) {
        b->room = (b->size + size) * 2;
        b->at = (uint8_t *)realloc(b->at, b->room);
        if (!b->at) fail("out of memory", "archive");
    }
    memcpy(b->at + b->size, from, size);
    b->size += size;
}

/* ---- tar ---- */

static void put_file(bytes *tar, const char *folder, const char *path, unsigned long long when) {
    char head[512] = {0}, part[65536];
    struct stat at;
    size_t size = 0, n;
    unsigned sum = 0;
    FILE *file = fopen(path, "rb");
    if (!file || fstat(fileno(file), &at) != 0 || !S_ISREG(at.st_mode)) fail("cannot read this file", path);
    if (snprintf(head, 101, "%s/%s", folder, path) > 100) fail("more than 100 characters", path);
    snprintf(head + 100, 8, "%07o", at.st_mode & S_IXUSR ? 0755u : 0644u);
    snprintf(head + 108, 8, "%07o", 0u);
    snprintf(head + 116, 8, "%07o", 0u);
    snprintf(head + 124, 12, "%011llo", (unsigned long long)at.st_size);
    snprintf(head + 136, 12, "%011llo", when);
    memcpy(head + 148, "        0", 9); /* blanks while the sum is formed; a regular file */
    memcpy(head + 257, "ustar\00000", 8);
    for (n = 0; n < sizeof head; ++n) sum += (unsigned char)head[n];
    snprintf(head + 148, 8, "%06o", sum);
    put(tar, head, sizeof head);
    while ((n = fread(part, 1, sizeof part, file)) > 0) put(tar, part, n), size += n;
    if (fclose(file) != 0 || size != (size_t)at.st_size) fail("changed while it was read", path);
    memset(part, 0, 512);
    put(tar, part, (512 - size % 512) % 512);
}

/* ---- deflate ---- */

enum {
    LITERALS = 286,
    DISTANCES = 30,
    END = 256,
    WINDOW = 32768,
    LONGEST = 258,
    CHAIN = 128,
    HASHES = 65536
};

/* The code of a length or a distance, its extra bits and their value: ranges double after `step` codes. */
static unsigned code_of(unsigned value, unsigned first, unsigned step, unsigned *extra, unsigned *rest) {
    unsigned code = 0, base = first;
    for (;; ++code) {
        *extra = code < 2 * step ? 0 : code / step - 1;
        if (value - base < 1u << *extra) break;
        base += 1u << *extra;
    }
    *rest = value - base;
    return code;
}
static unsigned length_code(unsigned length, unsigned *extra, unsigned *rest) {
    if (length < LONGEST) return code_of(length, 3, 4, extra, rest);
    *extra = *rest = 0;
    return 28;
}

/* Lengths of a Huffman code of at most 15 bits; frequencies are halved until it is. */
static void code_lengths(uint32_t *often, int count, uint8_t *length) {
    uint32_t weight[2 * LITERALS];
    int above[2 * LITERALS], nodes, left, k, most;
    do {
        for (left = k = 0; k < count; ++k) left += (weight[k] = often[k]) > 0;
        for (nodes = count; left > 1; --left, ++nodes) { /* join the two lightest, the first of equals */
            int a = -1, b = -1;
            for (k = 0; k < nodes; ++k) {
                if (!weight[k]) continue;
                if (a < 0 || weight[k] < weight[a]) b = a, a = k;
                else if (b < 0 || weight[k] < weight[b]) b = k;
            }
            weight[nodes] = weight[a] + weight[b];
            weight[a] = weight[b] = 0;
            above[a] = above[b] = nodes;
        }
        for (most = k = 0; k < count; ++k) {
            int at = k, depth = 0;
            for (; often[k] && at != nodes - 1; at = above[at]) ++depth;
            length[k] = (uint8_t)depth;
            if (depth > most) most = depth;
        }
        for (k = 0; k < count; ++k) often[k] -= often[k] / 2;
    } while (most > 15);
}
static void put_bits(bytes *b, uint32_t value, unsigned count) { /* the lowest first */
    b->bits |= (uint64_t)value << b->held;
    for (b->held += count; b->held >= 8; b->held -= 8, b->bits >>= 8) {
        const uint8_t byte = (uint8_t)b->bits;
        put(b, &byte, 1);
    }
}
/* The codes that belong to the lengths, in the order that put_bits writes them. */
static void codes(const uint8_t *length, int count, uint16_t *code) {
    unsigned next = 0, bits, k;
    int s;
    for (bits = 1; bits <= 15; ++bits, next <<= 1)
        for (s = 0; s < count; ++s) {
            if (length[s] != bits) continue;
            for (code[s] = 0, k = 0; k < bits; ++k) code[s] |= (uint16_t)((next >> k & 1) << (bits - 1 - k));
            ++next;
        }
}

static size_t hash_of(const uint8_t *p) {
    return (p[0] * 506832829u + p[1] * 2654435761u + p[2] * 40503u) >> 7 & (HASHES - 1);
}
/* Literals, and matches as length << 16 | distance. */
static size_t find_matches(const bytes *in, uint32_t *token) {
    uint32_t *head = (uint32_t *)calloc(HASHES, sizeof *head), *before;
    size_t at = 0, count = 0;
    before = (uint32_t *)malloc(in->size * sizeof *before + 4);
    if (!head || !before) fail("out of memory", "archive");
    while (at < in->size) {
        const uint8_t *now = in->at + at;
        size_t best = 0, far = 0, most = in->size - at < LONGEST ? in->size - at : LONGEST, steps;
        if (most >= 3) {
            size_t from = head[hash_of(now)];
            for (steps = 0; from && steps < CHAIN && at - (from - 1) <= WINDOW;
                 from = before[from - 1], ++steps) {
                const uint8_t *then = in->at + from - 1;
                size_t n = 0;
                if (then[best] != now[best] && best < most) continue;
                while (n < most && then[n] == now[n]) ++n;
                if (n > best) best = n, far = at - (from - 1);
                if (best == most) break;
            }
        }
        token[count++] = best < 3 || (best == 3 && far > 4096) ? *now : (uint32_t)(best << 16 | far);
        if (token[count - 1] < 256) best = 1;
        for (; best; --best, ++at) {
            uint32_t *first;
            if (in->size - at < 3) continue;
            first = &head[hash_of(in->at + at)];
            before[at] = *first;
            *first = (uint32_t)at + 1;
        }
    }
    free(head), free(before);
    return count;
}

static void deflate(const bytes *in, bytes *out) {
    static const uint8_t order[19] = {16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15};
    uint32_t *token = (uint32_t *)malloc(in->size * sizeof *token + 4), often[2][LITERALS] = {{0}};
    uint8_t length[2][LITERALS], plain[16];
    uint16_t code[2][LITERALS], code_of_length[16];
    unsigned extra, rest, symbol;
    size_t count, i;
    int k;
    if (!token) fail("out of memory", "archive");
    count = find_matches(in, token);
    often[0][END] = often[1][0] = often[1][1] = 1; /* a code has at least two words */
    for (i = 0; i < count; ++i) {
        if (token[i] < 256) ++often[0][token[i]];
        else {
            ++often[0][257 + length_code(token[i] >> 16, &extra, &rest)];
            ++often[1][code_of(token[i] & 0xFFFF, 1, 2, &extra, &rest)];
        }
    }
    code_lengths(often[0], LITERALS, length[0]), codes(length[0], LITERALS, code[0]);
    code_lengths(often[1], DISTANCES, length[1]), codes(length[1], DISTANCES, code[1]);
    put_bits(out, 1 | 2 << 1, 3); /* the last block, with codes of its own */
    put_bits(out, LITERALS - 257, 5), put_bits(out, DISTANCES - 1, 5), put_bits(out, 19 - 4, 4);
    for (k = 0; k < 19; ++k) put_bits(out, order[k] < 16 ? 4 : 0, 3); /* lengths themselves take four bits */
    memset(plain, 4, sizeof plain), codes(plain, 16, code_of_length);
    for (k = 0; k < LITERALS; ++k) put_bits(out, code_of_length[length[0][k]], 4);
    for (k = 0; k < DISTANCES; ++k) put_bits(out, code_of_length[length[1][k]], 4);
    for (i = 0; i < count; ++i) {
        symbol = token[i] < 256 ? token[i] : 257 + length_code(token[i] >> 16, &extra, &rest);
        put_bits(out, code[0][symbol], length[0][symbol]);
        if (token[i] < 256) continue;
        put_bits(out, rest, extra);
        symbol = code_of(token[i] & 0xFFFF, 1, 2, &extra, &rest);
        put_bits(out, code[1][symbol], length[1][symbol]);
        put_bits(out, rest, extra);
    }
    put_bits(out, code[0][END], length[0][END]);
    put_bits(out, 0, (8 - out->held) % 8);
    free(token);
}

static uint32_t crc_32(const bytes *in) {
    uint32_t crc = 0xFFFFFFFFu;
    size_t i;
    int k;
    for (i = 0; i < in->size; ++i)
        for (crc ^= in->at[i], k = 0; k < 8; ++k) crc = crc >> 1 ^ (crc & 1 ? 0xEDB88320u : 0);
    return ~crc;
}

int main(int count, char **word) {
    static const uint8_t head[10] = {0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 2, 255}, zeros[1024] = {0};
    char path[4096], date[32];
    const char *next;
    bytes names = {0}, tar = {0}, out = {0};
    unsigned long long when = count == 3 ? strtoull(word[2], NULL, 10) : 0, newest = 0;
    time_t seconds;
    size_t i;
    if (count != 3) return fputs("dist FOLDER SECONDS < LIST > FOLDER.tar.gz\n", stderr), 2;
    while (fgets(path, sizeof path, stdin)) {
        struct stat at;
        path[strcspn(path, "\n")] = 0;
        if (stat(path, &at) != 0) fail("cannot read this file", path);
        if (at.st_mtime > 0 && (unsigned long long)at.st_mtime > newest)
            newest = (unsigned long long)at.st_mtime;
        put(&names, path, strlen(path) + 1);
    }
    if (!when) when = newest;
    for (i = 0; i < names.size; i += strlen(next) + 1) {
        next = (const char *)names.at + i;
        put_file(&tar, word[1], next, when);
    }
    put(&tar, zeros, sizeof zeros);
    put(&out, head, sizeof head);
    deflate(&tar, &out);
    put_bits(&out, crc_32(&tar), 32);
    put_bits(&out, (uint32_t)tar.size, 32);
    seconds = (time_t)when;
    strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%SZ", gmtime(&seconds));
    fprintf(stderr, "%s\n", date);
    i = fwrite(out.at, 1, out.size, stdout);
    if (i != out.size || fflush(stdout) != 0) fail("cannot write", "the archive");
    free(names.at), free(tar.at), free(out.at);
    return 0;
}
