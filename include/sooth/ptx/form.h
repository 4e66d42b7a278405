/* ptx/form.h - what a PTX opcode is: its kind, the type it works on, the bytes it moves.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * The lowest of six headers about PTX, the assembly text that CUDA compilers write:
 *
 *   ptx/form.h    opcodes: tables of classes, kinds, types, opcodes; the meaning of one full opcode
 *   ptx/tensor.h  matrix products: shapes and data types of the ISA, operations of one instruction
 *   ptx/flow.h    a module: functions, blocks, loops; the flow graph and static trip counts
 *   ptx/needs.h   the GPUs that have the instructions of a kernel
 *   ptx.h         reads a module from text
 *   ptx/count.h   how often everything in a kernel runs, and lists of it
 *
 * An opcode with its modifiers, ld.global.v4.f32, is a form. A form belongs to a kind (global load), and a
 * kind to a class (global). Unknown opcodes have the kind `unknown`.
 *
 * Cost: no allocation. A form takes a search among 130 opcodes, and one over the types for each modifier.
 */
#if !defined(SOOTH_PTX_FORM_H) || (defined(SOOTH_IMPLEMENTATION) && !defined(SOOTH_PTX_FORM_IMPLEMENTED))
#include "../base.h"
#endif

#if !defined(SOOTH_PTX_FORM_H) && !defined(SOOTH_PREDICT_ONLY)
#define SOOTH_PTX_FORM_H
SOOTHI_C_BEGIN

#define SOOTH_PTX_NONE UINT32_MAX /* no block, loop, function, label */

/* ---- properties of instructions ---- */

/* The classes of instructions. In the terms of Alavani et al. (TOMPECS 2023, section 3), computing is
   COMPUTE. Global memory is GLOBAL with LOCAL and TEXTURE, which all go to the second-level cache. Shared
   memory is SHARED. The rest is miscellaneous. */
#define SOOTH_PTX_CLASS_LIST(X)                                               \
    X(COMPUTE, "compute")   /* works on registers */                          \
    X(GLOBAL, "global")     /* global memory, and addresses of any kind */    \
    X(SHARED, "shared")     /* shared memory, of the block or its cluster */  \
    X(LOCAL, "local")       /* the thread's own: spills, arrays, the stack */ \
    X(CONSTANT, "constant") /* the constant bank */                           \
    X(TEXTURE, "texture")   /* textures and surfaces */                       \
    X(PARAM, "parameter")   /* of kernels and calls */                        \
    X(CONTROL, "control")   /* branches, calls, ends */                       \
    X(MISC, "misc")         /* waiting, hints, unknown */

typedef enum sooth_ptx_class {
#define SOOTHI_ITEM(name, text) SOOTH_PTX_CLASS_##name,
    SOOTH_PTX_CLASS_LIST(SOOTHI_ITEM)
#undef SOOTHI_ITEM
        SOOTH_PTX_CLASSES
} sooth_ptx_class;

/* The kinds of each class. */
#define SOOTH_PTX_KIND_LIST(X)                                                                       \
    X(INT, COMPUTE, "int")                                                                           \
    X(LOGIC, COMPUTE, "logic") /* bits: and, shift, permute */                                       \
    X(FP16, COMPUTE, "fp16")   /* half and bfloat16, packed or not */                                \
    X(FP32, COMPUTE, "fp32")                                                                         \
    X(FP64, COMPUTE, "fp64")                                                                         \
    X(SPECIAL, COMPUTE, "special") /* roots, reciprocals, sin, exp2, ... */                          \
    X(CONVERT, COMPUTE, "convert")                                                                   \
    X(MOVE, COMPUTE, "move")                                                                         \
    X(COMPARE, COMPUTE, "compare")        /* set, select, test */                                    \
    X(WARP, COMPUTE, "warp")              /* exchange among the threads of a warp */                 \
    X(TENSOR, COMPUTE, "tensor")          /* matrix products: one instruction, many operations */    \
    X(GLOBAL_LOAD, GLOBAL, "global load") /* also cp.async to shared memory: the load is its cost */ \
    X(GLOBAL_STORE, GLOBAL, "global store")                                                          \
    X(GLOBAL_ATOMIC, GLOBAL, "global atomic")                                                        \
    X(SHARED_LOAD, SHARED, "shared load")                                                            \
    X(SHARED_STORE, SHARED, "shared store")                                                          \
    X(SHARED_ATOMIC, SHARED, "shared atomic")                                                        \
    X(LOCAL_LOAD, LOCAL, "local load")                                                               \
    X(LOCAL_STORE, LOCAL, "local store")                                                             \
    X(CONSTANT_LOAD, CONSTANT, "constant load")                                                      \
    X(TEXTURE_LOAD, TEXTURE, "texture load")                                                         \
    X(TEXTURE_STORE, TEXTURE, "texture store")                                                       \
    X(PARAM_LOAD, PARAM, "parameter load")                                                           \
    X(PARAM_STORE, PARAM, "parameter store")                                                         \
    X(BRANCH, CONTROL, "branch")                                                                     \
    X(CALL, CONTROL, "call")                                                                         \
    X(EXIT, CONTROL, "exit") /* ret and exit */                                                      \
    X(BARRIER, MISC, "barrier")                                                                      \
    X(FENCE, MISC, "fence")                                                                          \
    X(ASYNC, MISC, "async") /* committing and awaiting asynchronous work */                          \
    X(TENSOR_MEMORY, MISC, "tensor memory")                                                          \
    X(OTHER, MISC, "other") /* prefetch, trap, pmevent, ... */                                       \
    X(UNKNOWN, MISC, "unknown")

typedef enum sooth_ptx_kind {
#define SOOTHI_ITEM(name, group, text) SOOTH_PTX_KIND_##name,
    SOOTH_PTX_KIND_LIST(SOOTHI_ITEM)
#undef SOOTHI_ITEM
        SOOTH_PTX_KINDS
} sooth_ptx_kind;

/* The types of operands: name, bits. */
/* clang-format off */
#define SOOTH_PTX_TYPE_LIST(X) \
    X(UNTYPED, "", 0) X(B8, "b8", 8) X(B16, "b16", 16) X(B32, "b32", 32) X(B64, "b64", 64) \
    X(B128, "b128", 128) X(U8, "u8", 8) X(U16, "u16", 16) X(U32, "u32", 32) X(U64, "u64", 64) \
    X(S8, "s8", 8) X(S16, "s16", 16) X(S32, "s32", 32) X(S64, "s64", 64) X(F16, "f16", 16) \
    X(F16X2, "f16x2", 32) X(BF16, "bf16", 16) X(BF16X2, "bf16x2", 32) X(TF32, "tf32", 32) \
    X(F32, "f32", 32) X(F32X2, "f32x2", 64) X(F64, "f64", 64) X(PRED, "pred", 1) X(B1, "b1", 1) \
    X(B4, "b4", 4) X(U4, "u4", 4) X(S4, "s4", 4) X(U16X2, "u16x2", 32) X(S16X2, "s16x2", 32) \
    X(E4M3, "e4m3", 8) X(E5M2, "e5m2", 8) X(E3M2, "e3m2", 6) X(E2M3, "e2m3", 6) X(E2M1, "e2m1", 4) \
    X(E4M3X2, "e4m3x2", 16) X(E5M2X2, "e5m2x2", 16) X(E3M2X2, "e3m2x2", 16) X(E2M3X2, "e2m3x2", 16) \
    X(E2M1X2, "e2m1x2", 8) X(UE8M0X2, "ue8m0x2", 16) X(E4M3X4, "e4m3x4", 32) X(E5M2X4, "e5m2x4", 32) \
    X(E3M2X4, "e3m2x4", 32) X(E2M3X4, "e2m3x4", 32) X(E2M1X4, "e2m1x4", 16) X(TEXREF, "texref", 64) \
    X(SAMPLERREF, "samplerref", 64) X(SURFREF, "surfref", 64)
/* clang-format on */

typedef enum sooth_ptx_type {
#define SOOTHI_ITEM(name, text, bits) SOOTH_PTX_TYPE_##name,
    SOOTH_PTX_TYPE_LIST(SOOTHI_ITEM)
#undef SOOTHI_ITEM
        SOOTH_PTX_TYPES
} sooth_ptx_type;

/* The data types of matrix products, by the multiplied matrices. The names are the ISA's: of a type, or of a
   .kind. Several types share one if tensor cores multiply them at one rate. */
#define SOOTH_PTX_TENSOR_LIST(X)                                               \
    X(F64, "f64")                                                              \
    X(TF32, "tf32")                                                            \
    X(F16, "f16")                                                              \
    X(BF16, "bf16")                                                            \
    X(F8, "f8f6f4")     /* e4m3 and e5m2; e3m2, e2m3 and e2m1 at their rate */ \
    X(MXF8, "mxf8f6f4") /* the same with a scale for each 32 values */         \
    X(MXF4, "mxf4")     /* e2m1 with a scale for each 32 values */             \
    X(NVF4, "mxf4nvf4") /* e2m1 with a scale for each 16 or 32 values */       \
    X(I8, "i8")         /* s8 and u8 */                                        \
    X(I4, "i4")         /* s4 and u4 */                                        \
    X(B1, "b1")

typedef enum sooth_ptx_tensor {
#define SOOTHI_ITEM(name, text) SOOTH_PTX_TENSOR_##name,
    SOOTH_PTX_TENSOR_LIST(SOOTHI_ITEM)
#undef SOOTHI_ITEM
        SOOTH_PTX_TENSORS
} sooth_ptx_tensor;

/* The opcode families (the word before the first point), sorted by name, and what determines their kind. This
   is a kind itself, or:
   ARITHMETIC         the type: fp16, fp32, fp64, else int
   LOAD STORE ATOMIC  the state space among the modifiers; without one the address is generic
   COPY MULTIMEM WMMA WGMMA TCGEN05 TENSORMAP  the modifiers, see soothi_ptx_kind_of */
/* clang-format off */
#define SOOTH_PTX_OPCODE_LIST(X) \
    X(ABS, "abs", ARITHMETIC) X(ACTIVEMASK, "activemask", WARP) X(ADD, "add", ARITHMETIC) \
    X(ADDC, "addc", ARITHMETIC) X(ALLOCA, "alloca", OTHER) X(AND, "and", LOGIC) \
    X(APPLYPRIORITY, "applypriority", OTHER) X(ATOM, "atom", ATOMIC) X(BAR, "bar", BARRIER) \
    X(BARRIER, "barrier", BARRIER) X(BFE, "bfe", ARITHMETIC) X(BFI, "bfi", ARITHMETIC) \
    X(BFIND, "bfind", ARITHMETIC) X(BMSK, "bmsk", ARITHMETIC) X(BRA, "bra", BRANCH) \
    X(BREV, "brev", ARITHMETIC) X(BRKPT, "brkpt", OTHER) X(BRX, "brx", BRANCH) X(CALL, "call", CALL) \
    X(CLUSTERLAUNCHCONTROL, "clusterlaunchcontrol", OTHER) X(CLZ, "clz", ARITHMETIC) \
    X(CNOT, "cnot", LOGIC) X(COPYSIGN, "copysign", COMPARE) X(COS, "cos", SPECIAL) X(CP, "cp", COPY) \
    X(CREATEPOLICY, "createpolicy", OTHER) X(CVT, "cvt", CONVERT) X(CVTA, "cvta", CONVERT) \
    X(DISCARD, "discard", OTHER) X(DIV, "div", ARITHMETIC) X(DP2A, "dp2a", ARITHMETIC) \
    X(DP4A, "dp4a", ARITHMETIC) X(ELECT, "elect", WARP) X(EX2, "ex2", SPECIAL) X(EXIT, "exit", EXIT) \
    X(FENCE, "fence", FENCE) X(FMA, "fma", ARITHMETIC) X(FNS, "fns", ARITHMETIC) \
    X(GETCTARANK, "getctarank", MOVE) X(GRIDDEPCONTROL, "griddepcontrol", FENCE) \
    X(ISSPACEP, "isspacep", COMPARE) X(ISTYPEP, "istypep", COMPARE) X(LD, "ld", LOAD) \
    X(LDMATRIX, "ldmatrix", LOAD) X(LDU, "ldu", LOAD) X(LG2, "lg2", SPECIAL) X(LOP3, "lop3", LOGIC) \
    X(MAD, "mad", ARITHMETIC) X(MAD24, "mad24", ARITHMETIC) X(MADC, "madc", ARITHMETIC) \
    X(MAPA, "mapa", MOVE) X(MATCH, "match", WARP) X(MAX, "max", ARITHMETIC) \
    X(MBARRIER, "mbarrier", BARRIER) X(MEMBAR, "membar", FENCE) X(MIN, "min", ARITHMETIC) \
    X(MMA, "mma", TENSOR) X(MOV, "mov", MOVE) X(MOVMATRIX, "movmatrix", WARP) X(MUL, "mul", ARITHMETIC) \
    X(MUL24, "mul24", ARITHMETIC) X(MULTIMEM, "multimem", MULTIMEM) X(NANOSLEEP, "nanosleep", OTHER) \
    X(NEG, "neg", ARITHMETIC) X(NOT, "not", LOGIC) X(OR, "or", LOGIC) X(PMEVENT, "pmevent", OTHER) \
    X(POPC, "popc", ARITHMETIC) X(PREFETCH, "prefetch", OTHER) X(PREFETCHU, "prefetchu", OTHER) \
    X(PRMT, "prmt", LOGIC) X(RCP, "rcp", SPECIAL) X(RED, "red", ATOMIC) X(REDUX, "redux", WARP) \
    X(REM, "rem", ARITHMETIC) X(RET, "ret", EXIT) X(RSQRT, "rsqrt", SPECIAL) X(SAD, "sad", ARITHMETIC) \
    X(SELP, "selp", COMPARE) X(SET, "set", COMPARE) X(SETMAXNREG, "setmaxnreg", OTHER) \
    X(SETP, "setp", COMPARE) X(SHF, "shf", LOGIC) X(SHFL, "shfl", WARP) X(SHL, "shl", LOGIC) \
    X(SHR, "shr", LOGIC) X(SIN, "sin", SPECIAL) X(SLCT, "slct", COMPARE) X(SQRT, "sqrt", SPECIAL) \
    X(ST, "st", STORE) X(STACKRESTORE, "stackrestore", OTHER) X(STACKSAVE, "stacksave", OTHER) \
    X(STMATRIX, "stmatrix", STORE) X(SUB, "sub", ARITHMETIC) X(SUBC, "subc", ARITHMETIC) \
    X(SULD, "suld", TEXTURE_LOAD) X(SUQ, "suq", TEXTURE_LOAD) X(SURED, "sured", TEXTURE_STORE) \
    X(SUST, "sust", TEXTURE_STORE) X(SZEXT, "szext", ARITHMETIC) X(TANH, "tanh", SPECIAL) \
    X(TCGEN05, "tcgen05", TCGEN05) X(TENSORMAP, "tensormap", TENSORMAP) X(TESTP, "testp", COMPARE) \
    X(TEX, "tex", TEXTURE_LOAD) X(TLD4, "tld4", TEXTURE_LOAD) X(TRAP, "trap", OTHER) \
    X(TXQ, "txq", TEXTURE_LOAD) X(VABSDIFF, "vabsdiff", INT) X(VABSDIFF2, "vabsdiff2", INT) \
    X(VABSDIFF4, "vabsdiff4", INT) X(VADD, "vadd", INT) X(VADD2, "vadd2", INT) X(VADD4, "vadd4", INT) \
    X(VAVRG2, "vavrg2", INT) X(VAVRG4, "vavrg4", INT) X(VMAD, "vmad", INT) X(VMAX, "vmax", INT) \
    X(VMAX2, "vmax2", INT) X(VMAX4, "vmax4", INT) X(VMIN, "vmin", INT) X(VMIN2, "vmin2", INT) \
    X(VMIN4, "vmin4", INT) X(VOTE, "vote", WARP) X(VSET, "vset", INT) X(VSET2, "vset2", INT) \
    X(VSET4, "vset4", INT) X(VSHL, "vshl", INT) X(VSHR, "vshr", INT) X(VSUB, "vsub", INT) \
    X(VSUB2, "vsub2", INT) X(VSUB4, "vsub4", INT) X(WGMMA, "wgmma", WGMMA) X(WMMA, "wmma", WMMA) \
    X(XOR, "xor", LOGIC)
/* clang-format on */

typedef enum sooth_ptx_opcode {
#define SOOTHI_ITEM(name, text, rule) SOOTH_PTX_OP_##name,
    SOOTH_PTX_OPCODE_LIST(SOOTHI_ITEM)
#undef SOOTHI_ITEM
        SOOTH_PTX_OP_UNKNOWN, /* not in the list */
    SOOTH_PTX_OPCODES
} sooth_ptx_opcode;

/* Return the name of class, kind or opcode i: "compute", "global load", "add" ("unknown" for the last
   opcode); NULL after the last. */
SOOTH_API const char *sooth_ptx_class_name(size_t i);
SOOTH_API const char *sooth_ptx_kind_name(size_t i);
SOOTH_API const char *sooth_ptx_opcode_name(size_t i);

/* Returns the name of data type i of matrix products: "f64", "mxf4nvf4"; NULL after the last. */
SOOTH_API const char *sooth_ptx_tensor_name(size_t i);

/* Returns the class of a kind. */
SOOTH_API sooth_ptx_class sooth_ptx_kind_class(sooth_ptx_kind kind);

/* ---- forms ---- */

/* A range of the text, not terminated by a zero. */
typedef struct sooth_ptx_word {
    const char *text;
    size_t length;
} sooth_ptx_word;

/* Flags of forms. */
#define SOOTH_PTX_FORM_GENERIC 1u      /* no state space: the address may lie in any */
#define SOOTH_PTX_FORM_ASYNCHRONOUS 2u /* cp.async, st.bulk: not awaited; an operand has the size */
#define SOOTH_PTX_FORM_APPROX 4u       /* .approx, .full */
#define SOOTH_PTX_FORM_WIDE 8u         /* .wide: the result is twice as wide as the type */
#define SOOTH_PTX_FORM_UNIFORM 16u     /* .uni: all threads of the warp take the same path */
#define SOOTH_PTX_FORM_BULK 32u        /* cp.async.bulk, st.bulk: each thread that runs it moves all bytes */
#define SOOTH_PTX_FORM_MAPPED 64u      /* cp.async.bulk.tensor: its tensor map has the size, not the PTX */

/* A full opcode of the module, such as ld.global.v4.f32. The form determines what an instruction is, so
   tables of latencies need one entry per form. */
typedef struct sooth_ptx_form {
    const char *text;
    uint32_t length;
    uint32_t count;      /* instructions of this form in the module */
    uint16_t opcode;     /* sooth_ptx_opcode */
    uint8_t kind;        /* sooth_ptx_kind */
    uint8_t type;        /* sooth_ptx_type: the first among the modifiers, that of the result */
    uint8_t source;      /* the last: for cvt that of the operand; equal to type if only one is given */
    uint8_t vector;      /* elements: 1, 2, 4, 8 */
    uint8_t flags;       /* SOOTH_PTX_FORM_... */
    uint16_t bytes;      /* moved by one thread to or from memory; 0: none, or given by an operand */
    uint8_t tensor;      /* matrix products: a sooth_ptx_tensor; SOOTH_PTX_TENSORS: none, or not known */
    uint8_t threads;     /* of one product: 32 of mma and wmma, 128 of wgmma; 1: tcgen05, issued for all */
    uint8_t ctas;        /* blocks that share one product: 2 of .cta_group::2, else 1; 0: no product */
    uint32_t operations; /* of one product, see ptx/tensor.h; 0: none, or given by an operand */
    uint8_t least, most; /* compute capabilities that have it, see ptx/needs.h; 0: no limit */
} sooth_ptx_form;

SOOTHI_C_END
#endif /* SOOTH_PTX_FORM_H */

/* ------------------------------------------------------------------------------------------------ */
#if defined(SOOTH_IMPLEMENTATION) && !defined(SOOTH_PTX_FORM_IMPLEMENTED) && !defined(SOOTH_PREDICT_ONLY)
#define SOOTH_PTX_FORM_IMPLEMENTED
SOOTHI_C_BEGIN

/* ---- the tables above as functions ---- */

/* The values in the opcode list: a kind, with its number, or a rule for the kind, numbered after the
   kinds. */
enum {
#define SOOTHI_ITEM(name, group, text) SOOTHI_PTX_RULE_##name = SOOTH_PTX_KIND_##name,
    SOOTH_PTX_KIND_LIST(SOOTHI_ITEM)
#undef SOOTHI_ITEM
        SOOTHI_PTX_RULE_ARITHMETIC = SOOTH_PTX_KINDS,
    SOOTHI_PTX_RULE_LOAD,
    SOOTHI_PTX_RULE_STORE,
    SOOTHI_PTX_RULE_ATOMIC,
    SOOTHI_PTX_RULE_COPY,
    SOOTHI_PTX_RULE_MULTIMEM,
    SOOTHI_PTX_RULE_WMMA,
    SOOTHI_PTX_RULE_WGMMA,
    SOOTHI_PTX_RULE_TCGEN05,
    SOOTHI_PTX_RULE_TENSORMAP
};

SOOTH_API const char *sooth_ptx_class_name(size_t i) {
    static const char name[SOOTH_PTX_CLASSES][12] = {
#define SOOTHI_ITEM(id, text) text,
        SOOTH_PTX_CLASS_LIST(SOOTHI_ITEM)
#undef SOOTHI_ITEM
    };
    return i < SOOTH_PTX_CLASSES ? name[i] : NULL;
}

SOOTH_API const char *sooth_ptx_kind_name(size_t i) {
    static const char name[SOOTH_PTX_KINDS][16] = {
#define SOOTHI_ITEM(id, group, text) text,
        SOOTH_PTX_KIND_LIST(SOOTHI_ITEM)
#undef SOOTHI_ITEM
    };
    return i < SOOTH_PTX_KINDS ? name[i] : NULL;
}

SOOTH_API sooth_ptx_class sooth_ptx_kind_class(sooth_ptx_kind kind) {
    static const uint8_t group[SOOTH_PTX_KINDS] = {
#define SOOTHI_ITEM(id, of, text) SOOTH_PTX_CLASS_##of,
        SOOTH_PTX_KIND_LIST(SOOTHI_ITEM)
#undef SOOTHI_ITEM
    };
    return (unsigned)kind < SOOTH_PTX_KINDS ? (sooth_ptx_class)group[kind] : SOOTH_PTX_CLASS_MISC;
}

SOOTHI_LOCAL uint32_t soothi_ptx_bits(unsigned type) {
    static const uint8_t width[SOOTH_PTX_TYPES] = {
#define SOOTHI_ITEM(id, text, bits) bits,
        SOOTH_PTX_TYPE_LIST(SOOTHI_ITEM)
#undef SOOTHI_ITEM
    };
    return width[type];
}

SOOTH_API const char *sooth_ptx_opcode_name(size_t i) {
    static const char name[SOOTH_PTX_OPCODES][24] = {
#define SOOTHI_ITEM(id, text, rule) text,
        SOOTH_PTX_OPCODE_LIST(SOOTHI_ITEM)
#undef SOOTHI_ITEM
            "unknown"};
    return i < SOOTH_PTX_OPCODES ? name[i] : NULL;
}

SOOTH_API const char *sooth_ptx_tensor_name(size_t i) {
    static const char name[SOOTH_PTX_TENSORS][12] = {
#define SOOTHI_ITEM(id, text) text,
        SOOTH_PTX_TENSOR_LIST(SOOTHI_ITEM)
#undef SOOTHI_ITEM
    };
    return i < SOOTH_PTX_TENSORS ? name[i] : NULL;
}

/* Returns the kind of an opcode, or the rule for it. */
SOOTHI_LOCAL unsigned soothi_ptx_rule(unsigned opcode) {
    static const uint8_t rules[SOOTH_PTX_OPCODES] = {
#define SOOTHI_ITEM(id, text, rule) SOOTHI_PTX_RULE_##rule,
        SOOTH_PTX_OPCODE_LIST(SOOTHI_ITEM)
#undef SOOTHI_ITEM
            SOOTHI_PTX_RULE_UNKNOWN};
    return rules[opcode];
}

/* ---- words ---- */

SOOTHI_LOCAL sooth_ptx_word soothi_ptx_word(const char *text, size_t length) {
    sooth_ptx_word word;
    word.text = text;
    word.length = length;
    return word;
}

/* True if the word is exactly this text. */
SOOTHI_LOCAL int soothi_ptx_is(sooth_ptx_word word, const char *text) {
    size_t i = 0;
    while (i < word.length && text[i] && text[i] == word.text[i]) ++i;
    return i == word.length && text[i] == 0;
}

SOOTHI_LOCAL int soothi_ptx_same(sooth_ptx_word a, sooth_ptx_word b) {
    return a.length == b.length && soothi_same_chars(a.text, b.text, a.length);
}

/* Hashes a word in a scope, eight bytes at a time. The hash depends on the byte order, but no visible result
   depends on the hash. */
SOOTHI_HOT uint32_t soothi_ptx_hash(sooth_ptx_word word, uint32_t scope) {
    uint64_t h = word.length * 0x9E3779B97F4A7C15u, piece;
    const char *p = word.text;
    size_t n = word.length;
    for (; n >= 8; n -= 8, p += 8) {
        memcpy(&piece, p, 8);
        h = (h ^ piece) * 0xFF51AFD7ED558CCDu;
        h ^= h >> 32;
    }
    for (piece = 0; n > 0; --n) piece = piece << 8 | (unsigned char)p[n - 1];
    h = (h ^ piece) * 0xFF51AFD7ED558CCDu;
    return ((uint32_t)(h >> 32) ^ (uint32_t)h) + scope * 0x9E3779B9u;
}

/* The kinds of bytes. */
enum {
    SOOTHI_PTX_BAD,
    SOOTHI_PTX_BLANK,
    SOOTHI_PTX_LETTER, /* and $ _ % */
    SOOTHI_PTX_DIGIT,
    SOOTHI_PTX_POINT,
    SOOTHI_PTX_COMMA,
    SOOTHI_PTX_END,     /* ; */
    SOOTHI_PTX_OPEN,    /* ( [ { */
    SOOTHI_PTX_CLOSE,   /* ) ] } */
    SOOTHI_PTX_BETWEEN, /* | & ^ < > * ? : operators with two operands */
    SOOTHI_PTX_SIGN,    /* + - */
    SOOTHI_PTX_BEFORE,  /* ! ~ */
    SOOTHI_PTX_SLASH
};

SOOTHI_LOCAL unsigned soothi_ptx_char(char c) {
    static const uint8_t kind[256] = {
        0, 0,  0, 0, 0, 0, 0, 0, 0, 1, 1, 1,  1, 1,  0,  0, /* controls */
        0, 0,  0, 0, 0, 0, 0, 0, 0, 0, 0, 0,  0, 0,  0,  0,
        1, 11, 0, 0, 2, 2, 9, 0, 7, 8, 9, 10, 5, 10, 4,  12, /*  !"#$%&'()*+,-./ */
        3, 3,  3, 3, 3, 3, 3, 3, 3, 3, 0, 6,  9, 0,  9,  9,  /* 0123456789:;<=>? */
        0, 2,  2, 2, 2, 2, 2, 2, 2, 2, 2, 2,  2, 2,  2,  2,  /* @ABCDEFGHIJKLMNO */
        2, 2,  2, 2, 2, 2, 2, 2, 2, 2, 2, 7,  0, 8,  9,  2,  /* PQRSTUVWXYZ[\]^_ */
        0, 2,  2, 2, 2, 2, 2, 2, 2, 2, 2, 2,  2, 2,  2,  2,  /* `abcdefghijklmno */
        2, 2,  2, 2, 2, 2, 2, 2, 2, 2, 2, 7,  9, 8,  11, 0}; /* pqrstuvwxyz{|}~  */
    return kind[(unsigned char)c];
}

SOOTHI_LOCAL int soothi_ptx_is_blank(char c) { return soothi_ptx_char(c) == SOOTHI_PTX_BLANK; }

SOOTHI_LOCAL int soothi_ptx_in_name(char c) {
    unsigned kind = soothi_ptx_char(c);
    return kind == SOOTHI_PTX_LETTER || kind == SOOTHI_PTX_DIGIT;
}

/* True for a character of a name, or a point between names. */
SOOTHI_LOCAL int soothi_ptx_in_word(char c) {
    return soothi_ptx_char(c) - SOOTHI_PTX_LETTER <= SOOTHI_PTX_POINT - SOOTHI_PTX_LETTER;
}

/* Skips blanks and comments. An unclosed comment ends with the text. */
SOOTHI_LOCAL const char *soothi_ptx_skip_all(const char *p, const char *end) {
    for (;;) {
        while (p < end && soothi_ptx_is_blank(*p)) ++p;
        if (end - p < 2 || *p != '/') return p;
        if (p[1] == '/') {
            while (p < end && *p != '\n') ++p;
        } else if (p[1] == '*') {
            for (p += 2; end - p >= 2 && !(p[0] == '*' && p[1] == '/'); ++p) {}
            p = end - p >= 2 ? p + 2 : end;
        } else {
            return p;
        }
    }
}

/* Like soothi_ptx_skip_all, fast if there is nothing to skip. */
SOOTHI_HOT const char *soothi_ptx_skip(const char *p, const char *end) {
    return p < end && (soothi_ptx_is_blank(*p) || *p == '/') ? soothi_ptx_skip_all(p, end) : p;
}

/* Returns the name at p (letters, digits, $ _ %), possibly empty. */
SOOTHI_LOCAL sooth_ptx_word soothi_ptx_name(const char *p, const char *end) {
    const char *start = p;
    if (p < end && soothi_ptx_char(*p) == SOOTHI_PTX_LETTER)
        while (p < end && soothi_ptx_in_name(*p)) ++p;
    return soothi_ptx_word(start, (size_t)(p - start));
}

/* Reads an unsigned integer: decimal, 0x, 0b, octal, with optional U suffix. Returns the bytes taken; 0 if
   there is none. Wraps at 64 bits. */
SOOTHI_LOCAL size_t soothi_ptx_whole(const char *p, const char *end, uint64_t *value) {
    const char *start = p;
    unsigned base = 10, digit;
    uint64_t v = 0;
    if (p >= end || *p < '0' || *p > '9') return 0;
    if (*p == '0' && end - p > 1) {
        const char c = p[1];
        if (c == 'x' || c == 'X') base = 16;
        else if (c == 'b' || c == 'B') base = 2;
        else if (c >= '0' && c <= '7') base = 8;
        if (base == 16 || base == 2) p += 2;
    }
    for (; p < end; ++p) {
        const char c = *p;
        if (c >= '0' && c <= '9') digit = (unsigned)(c - '0');
        else if ((c | 32) >= 'a' && (c | 32) <= 'f') digit = (unsigned)((c | 32) - 'a') + 10;
        else break;
        if (digit >= base) break;
        v = v * base + digit;
    }
    if (p < end && *p == 'U') ++p;
    if (p < end && soothi_ptx_in_word(*p)) return 0; /* 0f3F800000, 1.5, 12x */
    *value = v;
    return (size_t)(p - start);
}

/* ---- forms: an opcode with its modifiers ---- */

SOOTHI_LOCAL unsigned soothi_ptx_find_opcode(sooth_ptx_word word) {
    unsigned low = 0, high = SOOTH_PTX_OP_UNKNOWN;
    while (low < high) {
        const unsigned middle = (low + high) / 2;
        const char *name = sooth_ptx_opcode_name(middle);
        size_t i = 0;
        while (i < word.length && name[i] && name[i] == word.text[i]) ++i;
        const unsigned char next = i < word.length ? (unsigned char)word.text[i] : 0;
        if (i == word.length && name[i] == 0) return middle;
        if (next < (unsigned char)name[i]) high = middle;
        else low = middle + 1;
    }
    return SOOTH_PTX_OP_UNKNOWN;
}

SOOTHI_LOCAL unsigned soothi_ptx_find_type(sooth_ptx_word word) {
    static const char name[SOOTH_PTX_TYPES][12] = {
#define SOOTHI_ITEM(id, text, bits) text,
        SOOTH_PTX_TYPE_LIST(SOOTHI_ITEM)
#undef SOOTHI_ITEM
    };
    for (unsigned type = 1; type < SOOTH_PTX_TYPES; ++type)
        if (soothi_ptx_is(word, name[type])) return type;
    return SOOTH_PTX_TYPE_UNTYPED;
}

/* Returns the class of memory of a state space (shared::cta and const[0] as well), or SOOTH_PTX_CLASSES. The
   names are in the order of the classes. */
SOOTHI_LOCAL unsigned soothi_ptx_find_space(sooth_ptx_word word) {
    static const char name[6][8] = {"global", "shared", "local", "const", "tex", "param"};
    size_t n = 0;
    while (n < word.length && word.text[n] != ':' && word.text[n] != '[') ++n;
    word.length = n;
    for (size_t i = 0; i < 6; ++i)
        if (soothi_ptx_is(word, name[i])) return SOOTH_PTX_CLASS_GLOBAL + (unsigned)i;
    return SOOTH_PTX_CLASSES;
}

enum { SOOTHI_PTX_MODIFIERS = 24 };

/* Splits an opcode into words: the family and its modifiers. */
SOOTHI_LOCAL size_t soothi_ptx_split(const char *text, size_t length,
                                     sooth_ptx_word word[SOOTHI_PTX_MODIFIERS]) {
    size_t n = 0, i = 0, start;
    while (i < length && n < SOOTHI_PTX_MODIFIERS) {
        while (i < length && (text[i] == '.' || soothi_ptx_is_blank(text[i]))) ++i;
        for (start = i; i < length && text[i] != '.' && !soothi_ptx_is_blank(text[i]);) ++i;
        if (i > start) word[n++] = soothi_ptx_word(text + start, i - start);
    }
    return n;
}

/* The modifiers of one opcode. */
typedef struct soothi_ptx_parts {
    sooth_ptx_word word[SOOTHI_PTX_MODIFIERS]; /* word[0]: the family */
    size_t words;
    unsigned space[2]; /* in their order; SOOTH_PTX_CLASSES: none */
} soothi_ptx_parts;

SOOTHI_LOCAL int soothi_ptx_has(const soothi_ptx_parts *parts, const char *text) {
    for (size_t i = 1; i < parts->words; ++i)
        if (soothi_ptx_is(parts->word[i], text)) return 1;
    return 0;
}

/* True if the i-th modifier, from 1, is this text. */
SOOTHI_LOCAL int soothi_ptx_part(const soothi_ptx_parts *parts, size_t i, const char *text) {
    return i < parts->words && soothi_ptx_is(parts->word[i], text);
}

SOOTHI_LOCAL unsigned soothi_ptx_arithmetic_kind(unsigned type) {
    if (type >= SOOTH_PTX_TYPE_F16 && type <= SOOTH_PTX_TYPE_BF16X2) return SOOTH_PTX_KIND_FP16;
    if (type >= SOOTH_PTX_TYPE_TF32 && type <= SOOTH_PTX_TYPE_F32X2) return SOOTH_PTX_KIND_FP32;
    return type == SOOTH_PTX_TYPE_F64 ? SOOTH_PTX_KIND_FP64 : SOOTH_PTX_KIND_INT;
}

/* Returns the kind of an access (LOAD, STORE or ATOMIC) to a space. Without a space it is global memory. */
SOOTHI_LOCAL unsigned soothi_ptx_access(unsigned rule, unsigned space) {
    static const uint8_t kind[6][3] = {
        {SOOTH_PTX_KIND_GLOBAL_LOAD, SOOTH_PTX_KIND_GLOBAL_STORE, SOOTH_PTX_KIND_GLOBAL_ATOMIC},
        {SOOTH_PTX_KIND_SHARED_LOAD, SOOTH_PTX_KIND_SHARED_STORE, SOOTH_PTX_KIND_SHARED_ATOMIC},
        {SOOTH_PTX_KIND_LOCAL_LOAD, SOOTH_PTX_KIND_LOCAL_STORE, SOOTH_PTX_KIND_LOCAL_STORE},
        {SOOTH_PTX_KIND_CONSTANT_LOAD, SOOTH_PTX_KIND_CONSTANT_LOAD, SOOTH_PTX_KIND_CONSTANT_LOAD},
        {SOOTH_PTX_KIND_TEXTURE_LOAD, SOOTH_PTX_KIND_TEXTURE_STORE, SOOTH_PTX_KIND_TEXTURE_STORE},
        {SOOTH_PTX_KIND_PARAM_LOAD, SOOTH_PTX_KIND_PARAM_STORE, SOOTH_PTX_KIND_PARAM_STORE}};
    return kind[space < SOOTH_PTX_CLASSES ? space - SOOTH_PTX_CLASS_GLOBAL : 0][rule - SOOTHI_PTX_RULE_LOAD];
}

/* cp: the issued instruction is the global access. Between the shared memories of a cluster it is a shared
   store. */
SOOTHI_LOCAL unsigned soothi_ptx_copy_kind(const soothi_ptx_parts *parts) {
    if (soothi_ptx_part(parts, 1, "reduce"))
        return parts->space[0] == SOOTH_PTX_CLASS_SHARED ? SOOTH_PTX_KIND_SHARED_ATOMIC
                                                         : SOOTH_PTX_KIND_GLOBAL_ATOMIC;
    if (!soothi_ptx_part(parts, 1, "async")) return SOOTH_PTX_KIND_OTHER;
    if (soothi_ptx_part(parts, 2, "ca") || soothi_ptx_part(parts, 2, "cg")) return SOOTH_PTX_KIND_GLOBAL_LOAD;
    if (!soothi_ptx_part(parts, 2, "bulk")) return SOOTH_PTX_KIND_ASYNC;
    if (soothi_ptx_has(parts, "commit_group") || soothi_ptx_has(parts, "wait_group"))
        return SOOTH_PTX_KIND_ASYNC;
    if (soothi_ptx_has(parts, "prefetch")) return SOOTH_PTX_KIND_OTHER;
    if (parts->space[0] == SOOTH_PTX_CLASS_GLOBAL) return SOOTH_PTX_KIND_GLOBAL_STORE;
    return parts->space[1] == SOOTH_PTX_CLASS_SHARED ? SOOTH_PTX_KIND_SHARED_STORE
                                                     : SOOTH_PTX_KIND_GLOBAL_LOAD;
}

SOOTHI_LOCAL unsigned soothi_ptx_kind_of(unsigned opcode, unsigned type, const soothi_ptx_parts *parts) {
    const unsigned rule = soothi_ptx_rule(opcode);
    unsigned space = parts->space[0];
    switch (rule) {
    case SOOTHI_PTX_RULE_ARITHMETIC: return soothi_ptx_arithmetic_kind(type);
    case SOOTHI_PTX_RULE_LOAD:
    case SOOTHI_PTX_RULE_STORE:
    case SOOTHI_PTX_RULE_ATOMIC: /* st.async, st.bulk, red.async: the cluster's shared memory */
        if (opcode == SOOTH_PTX_OP_LDMATRIX || opcode == SOOTH_PTX_OP_STMATRIX ||
            soothi_ptx_part(parts, 1, "async") || soothi_ptx_part(parts, 1, "bulk"))
            space = SOOTH_PTX_CLASS_SHARED;
        return soothi_ptx_access(rule, space);
    case SOOTHI_PTX_RULE_COPY: return soothi_ptx_copy_kind(parts);
    case SOOTHI_PTX_RULE_MULTIMEM:
        if (soothi_ptx_part(parts, 1, "ld_reduce")) return SOOTH_PTX_KIND_GLOBAL_LOAD;
        return soothi_ptx_part(parts, 1, "red") ? SOOTH_PTX_KIND_GLOBAL_ATOMIC : SOOTH_PTX_KIND_GLOBAL_STORE;
    case SOOTHI_PTX_RULE_WMMA:
        if (soothi_ptx_part(parts, 1, "mma")) return SOOTH_PTX_KIND_TENSOR;
        return soothi_ptx_access(
            soothi_ptx_part(parts, 1, "load") ? SOOTHI_PTX_RULE_LOAD : SOOTHI_PTX_RULE_STORE, space);
    case SOOTHI_PTX_RULE_WGMMA:
        return soothi_ptx_part(parts, 1, "mma_async") ? SOOTH_PTX_KIND_TENSOR : SOOTH_PTX_KIND_ASYNC;
    case SOOTHI_PTX_RULE_TCGEN05:
        if (soothi_ptx_part(parts, 1, "mma")) return SOOTH_PTX_KIND_TENSOR;
        return soothi_ptx_part(parts, 1, "commit") || soothi_ptx_part(parts, 1, "wait") ||
                       soothi_ptx_part(parts, 1, "fence")
                   ? SOOTH_PTX_KIND_ASYNC
                   : SOOTH_PTX_KIND_TENSOR_MEMORY;
    case SOOTHI_PTX_RULE_TENSORMAP:
        return soothi_ptx_part(parts, 1, "replace") ? SOOTH_PTX_KIND_OTHER : SOOTH_PTX_KIND_ASYNC;
    default: return rule;
    }
}

SOOTHI_LOCAL int soothi_ptx_is_memory(unsigned kind) {
    const unsigned group = sooth_ptx_kind_class((sooth_ptx_kind)kind);
    return group >= SOOTH_PTX_CLASS_GLOBAL && group <= SOOTH_PTX_CLASS_PARAM;
}

/* The first kind of each class of memory is the load. */
SOOTHI_LOCAL int soothi_ptx_is_load(unsigned kind) {
    return sooth_ptx_kind_class((sooth_ptx_kind)kind) != sooth_ptx_kind_class((sooth_ptx_kind)(kind - 1));
}

/* Reads the decimal digits at text[*i..length), but only the first nine. */
SOOTHI_LOCAL uint32_t soothi_ptx_digits(const char *text, size_t length, size_t *i) {
    uint32_t v = 0;
    for (; *i < length && soothi_ptx_char(text[*i]) == SOOTHI_PTX_DIGIT; ++*i)
        v = v < 100000000u ? v * 10 + (uint32_t)(text[*i] - '0') : v;
    return v;
}

/* Returns the bytes per thread of the fragment moved by wmma.load.a|b|c and wmma.store.d. The shape is given
   as m16n16k16, and a warp of 32 shares the matrix. a is m x k, b is k x n, c and d are m x n. */
SOOTHI_LOCAL uint32_t soothi_ptx_fragment(const soothi_ptx_parts *parts, uint32_t bits) {
    uint32_t by[3] = {0, 0, 0};
    unsigned k;
    for (size_t i = 1; i < parts->words; ++i) {
        const sooth_ptx_word word = parts->word[i];
        for (size_t at = k = 0; k < 3 && at < word.length && word.text[at] == "mnk"[k]; ++k) {
            ++at;
            by[k] = soothi_ptx_digits(word.text, word.length, &at);
        }
        if (k < 3) continue;
        if (by[0] > 4096 || by[1] > 4096 || by[2] > 4096) return 0;
        const uint32_t rows = by[soothi_ptx_part(parts, 2, "b") ? 2 : 0];
        return rows * by[soothi_ptx_part(parts, 2, "a") ? 2 : 1] / 8 * bits / 32;
    }
    return 0;
}

/* Returns the bytes that one thread moves. */
SOOTHI_LOCAL uint32_t soothi_ptx_bytes(const sooth_ptx_form *form, const soothi_ptx_parts *parts) {
    const uint32_t bits = soothi_ptx_bits(form->type);
    switch (form->opcode) {
    case SOOTH_PTX_OP_CP: return 0;
    case SOOTH_PTX_OP_WMMA: return soothi_ptx_fragment(parts, bits);
    case SOOTH_PTX_OP_LDMATRIX:
    case SOOTH_PTX_OP_STMATRIX: /* .x1 .x2 .x4 matrices of 8 rows of 16 bytes, or 16 of 16 */
        return (soothi_ptx_has(parts, "x4")   ? 4u
                : soothi_ptx_has(parts, "x2") ? 2u
                                              : 1u) *
               (soothi_ptx_has(parts, "m16n16") ? 8u : 4u);
    case SOOTH_PTX_OP_TLD4: return 4 * bits / 8;
    default: return form->vector * bits / 8;
    }
}

/* Returns the form of the opcode text[0..length), modifiers included: all but count and the work of a matrix
   product, which ptx/tensor.h adds. The form points into the text. */
SOOTHI_LOCAL sooth_ptx_form soothi_ptx_form_of(const char *text, size_t length) {
    sooth_ptx_form form;
    soothi_ptx_parts parts;
    size_t spaces = 0;
    memset(&form, 0, sizeof form);
    memset(&parts, 0, sizeof parts);
    form.text = text;
    form.length = (uint32_t)length;
    form.vector = 1;
    form.tensor = SOOTH_PTX_TENSORS;
    parts.words = soothi_ptx_split(text, length, parts.word);
    parts.space[0] = parts.space[1] = SOOTH_PTX_CLASSES;
    form.opcode = (uint16_t)soothi_ptx_find_opcode(parts.word[0]);
    for (size_t i = 1; i < parts.words; ++i) {
        const sooth_ptx_word word = parts.word[i];
        const unsigned space = soothi_ptx_find_space(word), type = soothi_ptx_find_type(word);
        if (space < SOOTH_PTX_CLASSES) {
            if (spaces < 2) parts.space[spaces++] = space;
        } else if (word.length == 2 && word.text[0] == 'v' && word.text[1] >= '2' && word.text[1] <= '8') {
            form.vector = (uint8_t)(word.text[1] - '0');
        } else if (type != SOOTH_PTX_TYPE_UNTYPED) {
            if (form.type == SOOTH_PTX_TYPE_UNTYPED) form.type = (uint8_t)type;
            form.source = (uint8_t)type;
        }
    }
    form.kind = (uint8_t)soothi_ptx_kind_of(form.opcode, form.type, &parts);
    if (soothi_ptx_has(&parts, "approx") || soothi_ptx_has(&parts, "full"))
        form.flags |= SOOTH_PTX_FORM_APPROX;
    if (soothi_ptx_has(&parts, "wide")) form.flags |= SOOTH_PTX_FORM_WIDE;
    if (soothi_ptx_has(&parts, "uni")) form.flags |= SOOTH_PTX_FORM_UNIFORM;
    if (!soothi_ptx_is_memory(form.kind)) return form;
    const uint32_t bytes = soothi_ptx_bytes(&form, &parts);
    form.bytes = (uint16_t)(bytes < 65535 ? bytes : 65535);
    const int bulk = soothi_ptx_has(&parts, "bulk"), mapped = bulk && soothi_ptx_has(&parts, "tensor");
    if (form.opcode == SOOTH_PTX_OP_CP || (form.opcode == SOOTH_PTX_OP_ST && bulk))
        form.flags = (uint8_t)(form.flags | SOOTH_PTX_FORM_ASYNCHRONOUS | (bulk ? SOOTH_PTX_FORM_BULK : 0u) |
                               (mapped ? SOOTH_PTX_FORM_MAPPED : 0u));
    else if (parts.space[0] == SOOTH_PTX_CLASSES && form.opcode != SOOTH_PTX_OP_MULTIMEM &&
             sooth_ptx_kind_class((sooth_ptx_kind)form.kind) == SOOTH_PTX_CLASS_GLOBAL)
        form.flags |= SOOTH_PTX_FORM_GENERIC;
    return form;
}

SOOTHI_C_END
#endif /* SOOTH_IMPLEMENTATION */
