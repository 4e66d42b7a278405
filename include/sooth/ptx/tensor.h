/* ptx/tensor.h - the work of a tensor instruction of PTX: shapes, data types, operations.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * A tensor instruction multiplies m x k by k x n values and adds m x n. These are 2 m n k operations:
 *
 *   wmma.mma, mma.sync      of a warp, so one thread's share is a 32nd. m8n8k4 of f16 is four products,
 *                           each of 8 threads
 *   wgmma.mma_async         of a warpgroup, so it is a 128th
 *   tcgen05.mma             of a block, or of two (.cta_group::2). One thread issues it for all
 *
 * The shape of the first three is a modifier, m16n8k16. The shape of tcgen05.mma is in its instruction
 * descriptor, an operand: 2^17 times n / 8 and 2^24 times m / 16; .kind has k. A sparse form (.sp) has two
 * zeros in four values of its first matrix, which the units skip. It counts m n k operations, so that the
 * peak to compare with is the dense one. b1 counts the product of two bits and its sum as two operations.
 *
 * Shapes and types are those of the PTX ISA 9.0, sections 9.7.14 to 9.7.16 (wmma and mma, wgmma, tcgen05).
 * For the first three, the assembler of CUDA 13.0 accepts these and no other that was tried
 * (tests/golden/ptx/shapes.py).
 *
 * Cost: no allocation; a search among 60 shapes, once for each form.
 */
#if !defined(SOOTH_PTX_TENSOR_H) || (defined(SOOTH_IMPLEMENTATION) && !defined(SOOTH_PTX_TENSOR_IMPLEMENTED))
#include "form.h"
#endif

#if !defined(SOOTH_PTX_TENSOR_H) && !defined(SOOTH_PREDICT_ONLY)
#define SOOTH_PTX_TENSOR_H
#endif /* SOOTH_PTX_TENSOR_H */

/* ------------------------------------------------------------------------------------------------ */
#if defined(SOOTH_IMPLEMENTATION) && !defined(SOOTH_PTX_TENSOR_IMPLEMENTED) && !defined(SOOTH_PREDICT_ONLY)
#define SOOTH_PTX_TENSOR_IMPLEMENTED
SOOTHI_C_BEGIN

enum { SOOTHI_PTX_ISA = 900 }; /* the version of the tables below, as sooth_ptx.version */

/* The families with shapes among their modifiers. */
enum { SOOTHI_PTX_MMA, SOOTHI_PTX_WMMA, SOOTHI_PTX_WGMMA };

/* A shape of the ISA. */
typedef struct soothi_ptx_shape {
    uint8_t family, tensor, is_sparse;
    uint16_t m, n, k; /* n is 0: 8, 16, ... 256 */
} soothi_ptx_shape;

/* Returns shape i of the ISA, or NULL after the last. */
SOOTHI_LOCAL const soothi_ptx_shape *soothi_ptx_shape_at(size_t i) {
/* clang-format off */
#define SOOTHI_DENSE(tensor, m, n, k) {SOOTHI_PTX_MMA, SOOTH_PTX_TENSOR_##tensor, 0, m, n, k}
#define SOOTHI_SPARSE(tensor, k) {SOOTHI_PTX_MMA, SOOTH_PTX_TENSOR_##tensor, 1, 16, 8, k}
#define SOOTHI_WARP(tensor, m, n, k) {SOOTHI_PTX_WMMA, SOOTH_PTX_TENSOR_##tensor, 0, m, n, k}
#define SOOTHI_GROUP(tensor, is_sparse, k) {SOOTHI_PTX_WGMMA, SOOTH_PTX_TENSOR_##tensor, is_sparse, 64, 0, k}
    static const soothi_ptx_shape known[] = {
        SOOTHI_DENSE(F64, 8, 8, 4), SOOTHI_DENSE(F64, 16, 8, 4), SOOTHI_DENSE(F64, 16, 8, 8),
        SOOTHI_DENSE(F64, 16, 8, 16), SOOTHI_DENSE(TF32, 16, 8, 4), SOOTHI_DENSE(TF32, 16, 8, 8),
        SOOTHI_DENSE(F16, 8, 8, 4), SOOTHI_DENSE(F16, 16, 8, 8), SOOTHI_DENSE(F16, 16, 8, 16),
        SOOTHI_DENSE(BF16, 16, 8, 8), SOOTHI_DENSE(BF16, 16, 8, 16), SOOTHI_DENSE(F8, 16, 8, 16),
        SOOTHI_DENSE(F8, 16, 8, 32), SOOTHI_DENSE(MXF8, 16, 8, 32), SOOTHI_DENSE(MXF4, 16, 8, 64),
        SOOTHI_DENSE(NVF4, 16, 8, 64), SOOTHI_DENSE(I8, 8, 8, 16), SOOTHI_DENSE(I8, 16, 8, 16),
        SOOTHI_DENSE(I8, 16, 8, 32), SOOTHI_DENSE(I4, 8, 8, 32), SOOTHI_DENSE(I4, 16, 8, 32),
        SOOTHI_DENSE(I4, 16, 8, 64), SOOTHI_DENSE(B1, 8, 8, 128), SOOTHI_DENSE(B1, 16, 8, 128),
        SOOTHI_DENSE(B1, 16, 8, 256),
        SOOTHI_SPARSE(TF32, 8), SOOTHI_SPARSE(TF32, 16), SOOTHI_SPARSE(F16, 16), SOOTHI_SPARSE(F16, 32),
        SOOTHI_SPARSE(BF16, 16), SOOTHI_SPARSE(BF16, 32), SOOTHI_SPARSE(F8, 64), SOOTHI_SPARSE(MXF8, 64),
        SOOTHI_SPARSE(MXF4, 128), SOOTHI_SPARSE(NVF4, 128), SOOTHI_SPARSE(I8, 32), SOOTHI_SPARSE(I8, 64),
        SOOTHI_SPARSE(I4, 64), SOOTHI_SPARSE(I4, 128),
        SOOTHI_WARP(F16, 16, 16, 16), SOOTHI_WARP(F16, 32, 8, 16), SOOTHI_WARP(F16, 8, 32, 16),
        SOOTHI_WARP(BF16, 16, 16, 16), SOOTHI_WARP(BF16, 32, 8, 16), SOOTHI_WARP(BF16, 8, 32, 16),
        SOOTHI_WARP(I8, 16, 16, 16), SOOTHI_WARP(I8, 32, 8, 16), SOOTHI_WARP(I8, 8, 32, 16),
        SOOTHI_WARP(TF32, 16, 16, 8), SOOTHI_WARP(F64, 8, 8, 4), SOOTHI_WARP(I4, 8, 8, 32),
        SOOTHI_WARP(B1, 8, 8, 128),
        SOOTHI_GROUP(F16, 0, 16), SOOTHI_GROUP(BF16, 0, 16), SOOTHI_GROUP(TF32, 0, 8),
        SOOTHI_GROUP(F8, 0, 32), SOOTHI_GROUP(I8, 0, 32), SOOTHI_GROUP(B1, 0, 256),
        SOOTHI_GROUP(F16, 1, 32), SOOTHI_GROUP(BF16, 1, 32), SOOTHI_GROUP(TF32, 1, 16),
        SOOTHI_GROUP(F8, 1, 64), SOOTHI_GROUP(I8, 1, 64)};
#undef SOOTHI_DENSE
#undef SOOTHI_SPARSE
#undef SOOTHI_WARP
#undef SOOTHI_GROUP
    /* clang-format on */
    return i < sizeof known / sizeof known[0] ? &known[i] : NULL;
}

/* True if this is a shape of the ISA. With SOOTH_PTX_TENSORS of any data type. Integers of wgmma have n = 8,
   24 or a multiple of 16. */
SOOTHI_LOCAL int soothi_ptx_is_shape(const soothi_ptx_shape *shape) {
    const soothi_ptx_shape *s;
    for (size_t i = 0; (s = soothi_ptx_shape_at(i)) != NULL; ++i) {
        if (s->family != shape->family || s->is_sparse != shape->is_sparse ||
            (s->tensor != shape->tensor && shape->tensor != SOOTH_PTX_TENSORS) || s->m != shape->m ||
            s->k != shape->k)
            continue;
        if (s->n > 0 ? s->n == shape->n
                     : shape->n > 0 && shape->n <= 256 && shape->n % 8 == 0 &&
                           (s->tensor < SOOTH_PTX_TENSOR_I8 || shape->n % 16 == 0 || shape->n <= 24))
            return 1;
    }
    return 0;
}

/* Reads the shape m16n8k16 among the modifiers. Returns 0 if there is none. */
SOOTHI_LOCAL int soothi_ptx_take_shape(const soothi_ptx_parts *parts, soothi_ptx_shape *shape) {
    for (size_t i = 1; i < parts->words; ++i) {
        const sooth_ptx_word word = parts->word[i];
        uint32_t by[3] = {0, 0, 0};
        size_t at = 0;
        unsigned k = 0;
        for (; k < 3 && at < word.length && word.text[at] == "mnk"[k]; ++k) {
            const size_t start = ++at;
            by[k] = soothi_ptx_digits(word.text, word.length, &at);
            if (at == start || by[k] > 4096) break;
        }
        if (k < 3 || at < word.length) continue;
        shape->m = (uint16_t)by[0];
        shape->n = (uint16_t)by[1];
        shape->k = (uint16_t)by[2];
        return 1;
    }
    return 0;
}

/* Returns the data type of a matrix of this type; SOOTH_PTX_TENSORS: there is no such product. */
SOOTHI_LOCAL unsigned soothi_ptx_tensor_type(unsigned type) {
    switch (type) {
    case SOOTH_PTX_TYPE_F64: return SOOTH_PTX_TENSOR_F64;
    case SOOTH_PTX_TYPE_TF32: return SOOTH_PTX_TENSOR_TF32;
    case SOOTH_PTX_TYPE_F16: return SOOTH_PTX_TENSOR_F16;
    case SOOTH_PTX_TYPE_BF16: return SOOTH_PTX_TENSOR_BF16;
    case SOOTH_PTX_TYPE_E4M3:
    case SOOTH_PTX_TYPE_E5M2:
    case SOOTH_PTX_TYPE_E3M2:
    case SOOTH_PTX_TYPE_E2M3:
    case SOOTH_PTX_TYPE_E2M1: return SOOTH_PTX_TENSOR_F8;
    case SOOTH_PTX_TYPE_S8:
    case SOOTH_PTX_TYPE_U8: return SOOTH_PTX_TENSOR_I8;
    case SOOTH_PTX_TYPE_S4:
    case SOOTH_PTX_TYPE_U4: return SOOTH_PTX_TENSOR_I4;
    case SOOTH_PTX_TYPE_B1: return SOOTH_PTX_TENSOR_B1;
    default: return SOOTH_PTX_TENSORS;
    }
}

/* Returns the data type that .kind names, or SOOTH_PTX_TENSORS. Sets *is_named if there is a .kind. */
SOOTHI_LOCAL unsigned soothi_ptx_tensor_kind(const soothi_ptx_parts *parts, int *is_named) {
    *is_named = 0;
    for (size_t i = 1; i < parts->words; ++i) {
        const sooth_ptx_word word = parts->word[i];
        if (word.length < 6 || !soothi_ptx_is(soothi_ptx_word(word.text, 6), "kind::")) continue;
        *is_named = 1;
        for (unsigned t = 0; t < SOOTH_PTX_TENSORS; ++t)
            if (soothi_ptx_is(soothi_ptx_word(word.text + 6, word.length - 6), sooth_ptx_tensor_name(t)))
                return t;
    }
    return SOOTH_PTX_TENSORS;
}

/* Returns the data type of the multiplied matrices. The types of d, a, b (and c) are in this order; wmma of
   halves has only those of d and c. Returns SOOTH_PTX_TENSORS if the matrices have no or different types. */
SOOTHI_LOCAL unsigned soothi_ptx_multiplied(const soothi_ptx_parts *parts) {
    unsigned type[4], types = 0;
    int is_named;
    for (size_t i = 1; i < parts->words && types < 4; ++i) {
        const unsigned found = soothi_ptx_find_type(parts->word[i]);
        if (found != SOOTH_PTX_TYPE_UNTYPED) type[types++] = found;
    }
    if (types == 2) {
        for (unsigned i = 0; i < 2; ++i)
            if (type[i] != SOOTH_PTX_TYPE_F16 && type[i] != SOOTH_PTX_TYPE_F32) return SOOTH_PTX_TENSORS;
        return SOOTH_PTX_TENSOR_F16;
    }
    if (types < 3) return SOOTH_PTX_TENSORS;
    const unsigned a = soothi_ptx_tensor_type(type[1]), b = soothi_ptx_tensor_type(type[2]);
    const unsigned named = soothi_ptx_tensor_kind(parts, &is_named);
    if (a != b || (is_named && (a != SOOTH_PTX_TENSOR_F8 || named < a || named > SOOTH_PTX_TENSOR_NVF4)))
        return SOOTH_PTX_TENSORS;
    if (is_named && named >= SOOTH_PTX_TENSOR_MXF4 &&
        (type[1] != SOOTH_PTX_TYPE_E2M1 || type[2] != SOOTH_PTX_TYPE_E2M1))
        return SOOTH_PTX_TENSORS;
    return is_named ? named : a;
}

SOOTHI_LOCAL int soothi_ptx_is_sparse(const soothi_ptx_parts *parts) {
    return soothi_ptx_has(parts, "sp") || soothi_ptx_has(parts, "sp::ordered_metadata");
}

/* Lists the shapes of a family with this data type, "m16n8k8, m16n8k16". */
SOOTHI_LOCAL void soothi_ptx_list_shapes(const soothi_ptx_shape *shape, char *text, size_t room) {
    const soothi_ptx_shape *s;
    size_t n = 0;
    text[0] = 0;
    for (size_t i = 0; (s = soothi_ptx_shape_at(i)) != NULL; ++i) {
        if (s->family != shape->family || s->tensor != shape->tensor || s->is_sparse != shape->is_sparse)
            continue;
        n += s->n > 0 ? sooth_text_format(text + n, room - n, n ? ", m%un%uk%u" : "m%un%uk%u", (unsigned)s->m,
                                          (unsigned)s->n, (unsigned)s->k)
                      : sooth_text_format(text + n, room - n,
                                          s->tensor < SOOTH_PTX_TENSOR_I8
                                              ? "m64nNk%u, N a multiple of 8 up to 256"
                                              : "m64nNk%u, N 8, 24 or a multiple of 16 up to 256",
                                          (unsigned)s->k);
    }
}

/* Completes the form of mma, wmma.mma or wgmma.mma_async. If the ISA has no such instruction, returns 0 and
   writes the reason to `why`. */
SOOTHI_LOCAL int soothi_ptx_tensor_warps(sooth_ptx_form *form, const soothi_ptx_parts *parts, char why[112]) {
    soothi_ptx_shape shape;
    char shapes[80];
    memset(&shape, 0, sizeof shape);
    shape.family = form->opcode == SOOTH_PTX_OP_MMA    ? SOOTHI_PTX_MMA
                   : form->opcode == SOOTH_PTX_OP_WMMA ? SOOTHI_PTX_WMMA
                                                       : SOOTHI_PTX_WGMMA;
    shape.is_sparse = (uint8_t)soothi_ptx_is_sparse(parts);
    shape.tensor = (uint8_t)soothi_ptx_multiplied(parts);
    if (!soothi_ptx_take_shape(parts, &shape))
        return sooth_text_format(why, 112, "it has no shape such as m16n8k16"), 0;
    if (shape.tensor == SOOTH_PTX_TENSORS)
        return sooth_text_format(why, 112, "no tensor core multiplies matrices of its types"), 0;
    if (!soothi_ptx_is_shape(&shape)) {
        soothi_ptx_list_shapes(&shape, shapes, sizeof shapes);
        sooth_text_format(why, 112, shapes[0] ? "%s%s has the shapes %s" : "%s%s has no shape here",
                          sooth_ptx_tensor_name(shape.tensor), shape.is_sparse ? " sparse" : "", shapes);
        return 0;
    }
    form->tensor = shape.tensor;
    form->threads = shape.family == SOOTHI_PTX_WGMMA ? 128 : 32;
    form->ctas = 1;
    form->operations = (shape.is_sparse ? 1u : 2u) * shape.m * shape.n * shape.k;
    if (shape.family == SOOTHI_PTX_MMA && shape.tensor == SOOTH_PTX_TENSOR_F16 && shape.m == 8)
        form->operations *= 4;
    return 1;
}

/* Completes the form of tcgen05.mma: all but the operations. */
SOOTHI_LOCAL int soothi_ptx_tensor_block(sooth_ptx_form *form, const soothi_ptx_parts *parts, char why[112]) {
    int is_named;
    const unsigned tensor = soothi_ptx_tensor_kind(parts, &is_named);
    const int one = soothi_ptx_has(parts, "cta_group::1"), two = soothi_ptx_has(parts, "cta_group::2");
    if (tensor == SOOTH_PTX_TENSORS || tensor == SOOTH_PTX_TENSOR_F64 || tensor == SOOTH_PTX_TENSOR_BF16 ||
        tensor > SOOTH_PTX_TENSOR_I8)
        return sooth_text_format(why, 112, is_named ? "this .kind is not known" : "it has no .kind"), 0;
    if (one == two) return sooth_text_format(why, 112, "it needs .cta_group::1 or .cta_group::2"), 0;
    form->tensor = (uint8_t)tensor;
    form->threads = 1;
    form->ctas = two ? 2 : 1;
    return 1;
}

/* Adds the work of a matrix product to its form. Returns 1, also for other forms. If the ISA has no such
   product, returns 0 and writes the reason to `why`. */
SOOTHI_LOCAL int soothi_ptx_tensor_of(sooth_ptx_form *form, char why[112]) {
    soothi_ptx_parts parts;
    soothi_ptx_shape shape;
    if (form->kind != SOOTH_PTX_KIND_TENSOR && form->opcode != SOOTH_PTX_OP_WMMA) return 1;
    memset(&parts, 0, sizeof parts);
    parts.words = soothi_ptx_split(form->text, form->length, parts.word);
    if (form->opcode == SOOTH_PTX_OP_TCGEN05) return soothi_ptx_tensor_block(form, &parts, why);
    if (form->kind == SOOTH_PTX_KIND_TENSOR) return soothi_ptx_tensor_warps(form, &parts, why);
    memset(&shape, 0, sizeof shape); /* wmma.load and wmma.store */
    shape.family = SOOTHI_PTX_WMMA;
    shape.tensor = SOOTH_PTX_TENSORS;
    if (soothi_ptx_take_shape(&parts, &shape) && soothi_ptx_is_shape(&shape)) return 1;
    return sooth_text_format(why, 112, "wmma has no such shape"), 0;
}

/* Returns the operations of one tcgen05.mma with this instruction descriptor; 0 if no such instruction has
   it. m is 64 or 128, of two blocks 128 or 256, with .ws 32, 64 or 128; n is 8 to 256. Bit 31 of 4-bit kinds
   makes k 96. */
SOOTHI_LOCAL uint32_t soothi_ptx_tensor_described(const sooth_ptx_form *form, uint32_t descriptor) {
    static const uint8_t deep[SOOTH_PTX_TENSORS] = {0, 8, 16, 16, 32, 32, 64, 64, 32, 0, 0};
    soothi_ptx_parts parts;
    memset(&parts, 0, sizeof parts);
    parts.words = soothi_ptx_split(form->text, form->length, parts.word);
    const int is_sparse = soothi_ptx_is_sparse(&parts), ws = soothi_ptx_has(&parts, "ws");
    const uint32_t n = (descriptor >> 17 & 63) * 8, m = (descriptor >> 24 & 31) * 16, ctas = form->ctas;
    const int is_4_bit = form->tensor == SOOTH_PTX_TENSOR_MXF4 || form->tensor == SOOTH_PTX_TENSOR_NVF4;
    uint32_t k = deep[form->tensor];
    if (n == 0 || n > 256 || (m != 64 * ctas && m != 128 * ctas && !(ws && m == 32)) ||
        (descriptor >> 2 & 1) != (uint32_t)is_sparse)
        return 0;
    if (is_4_bit && descriptor >> 31) {
        if (is_sparse) return 0;
        k = 96;
    }
    return 2 * m * n * k; /* sparse: twice the k, half the products */
}

SOOTHI_C_END
#endif /* SOOTH_IMPLEMENTATION */
