/* ptx.h - what a GPU kernel consists of, read from its PTX: instructions, flow graph, loops, expected counts.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * Reads PTX, the assembly text that CUDA compilers write (ISA 3 to 9), from a buffer: directives, kernels and
 * functions, parameters, registers, labels and their scopes, predicates, vectors, calls, branch tables, debug
 * lines. Every instruction is kept with its opcode; what has never been heard of is kept, counted and listed.
 * Each function gets its basic blocks, flow graph, dominators and natural loops. Trip counts are the caller's
 * or read off the code where it says them, or a default, and the result says which. From them follow the
 * expected counts of a kernel: per class, opcode and block, bytes by memory, called functions included.
 *
 *     #define SOOTH_IMPLEMENTATION
 *     #include "sooth/ptx.h"
 *     #include <stdio.h>
 *
 *     int main(void) {
 *         static const char text[] =
 *             ".version 8.0\n.target sm_80\n.address_size 64\n"
 *             ".entry sum() {\n.reg .b32 %i; .reg .f32 %f<3>; .reg .b64 %a; .reg .pred %p;\n"
 *             "mov.u32 %i, 0;\n"
 *             "LOOP: ld.global.f32 %f1, [%a];\n"
 *             "add.f32 %f2, %f2, %f1;\nadd.s64 %a, %a, 4;\nadd.s32 %i, %i, 1;\n"
 *             "setp.lt.u32 %p, %i, 100;\n@%p bra LOOP;\nret;\n}\n";
 *         sooth_env env;
 *         sooth_ptx ptx;
 *         sooth_ptx_counts counts;
 *         size_t kernel;
 *         sooth_env_init(&env);
 *         if (sooth_ptx_read(&env, text, sizeof text - 1, NULL, &ptx) != SOOTH_OK ||
 *             sooth_ptx_kernel(&env, &ptx, "sum", &kernel) != SOOTH_OK ||
 *             sooth_ptx_count(&env, &ptx, kernel, NULL, &counts) != SOOTH_OK)
 *             return puts(env.sentence), 1;
 *         printf("%g instructions, %g loads of %g bytes\n", counts.total, counts.kind[SOOTH_PTX_GLOBAL_LOAD],
 *                counts.loaded[SOOTH_PTX_GLOBAL]);       602 instructions, 100 loads of 400 bytes
 *         sooth_ptx_counts_free(&env, &ptx, &counts);
 *         sooth_ptx_free(&env, &ptx);
 *         return 0;
 *     }
 *
 * Costs: one pass over the text at 300 to 500 MB a second, and one over the functions with loops. 16 bytes
 * per instruction, 56 per block; nothing is allocated per token. The text must outlive the sooth_ptx: names
 * point into it. Any number of threads may use one sooth_ptx at once; reading is done by one.
 *
 * The code goes the way of the text: words, forms (what an opcode is), small pieces of syntax, declarations,
 * labels, instructions; then what is made of a function: flow graph, dominators, loops, values, trips; then
 * the module, and what is asked of it: kernels, counts, lists.
 */
#include "base.h"

#ifndef SOOTH_PTX_H
#define SOOTH_PTX_H

#ifdef __cplusplus
extern "C" {
#endif

#ifndef SOOTH_PREDICT_ONLY

#define SOOTH_PTX_NONE UINT32_MAX /* no block, loop, function, label */

/* ---- what instructions are ---- */

/* The classes of an instruction. In the terms of Alavani et al. (TOMPECS 2023, section 3): computing is
   COMPUTE, global memory is GLOBAL with LOCAL and TEXTURE (all travel to the second-level cache), shared
   memory is SHARED, the rest is miscellaneous. */
#define SOOTH_PTX_CLASS_LIST(X)                                               \
    X(COMPUTE, "compute")   /* works on registers */                          \
    X(GLOBAL, "global")     /* global memory, and addresses of any kind */    \
    X(SHARED, "shared")     /* shared memory, of the block or its cluster */  \
    X(LOCAL, "local")       /* the thread's own: spills, arrays, the stack */ \
    X(CONSTANT, "constant") /* the constant bank */                           \
    X(TEXTURE, "texture")   /* textures and surfaces */                       \
    X(PARAM, "parameter")   /* of kernels and calls */                        \
    X(CONTROL, "control")   /* branches, calls, ends */                       \
    X(MISC, "misc")         /* waiting, hints, what is not known */

typedef enum sooth_ptx_class {
#define SOOTHI_ITEM(name, text) SOOTH_PTX_##name,
    SOOTH_PTX_CLASS_LIST(SOOTHI_ITEM)
#undef SOOTHI_ITEM
        SOOTH_PTX_CLASSES
} sooth_ptx_class;

/* The kinds that each class falls into. */
#define SOOTH_PTX_KIND_LIST(X)                                                                        \
    X(INT, COMPUTE, "int")                                                                            \
    X(LOGIC, COMPUTE, "logic") /* bits: and, shift, permute */                                        \
    X(FP16, COMPUTE, "fp16")   /* half and bfloat16, packed or not */                                 \
    X(FP32, COMPUTE, "fp32")                                                                          \
    X(FP64, COMPUTE, "fp64")                                                                          \
    X(SPECIAL, COMPUTE, "special") /* roots, reciprocals, sin, exp2, ... */                           \
    X(CONVERT, COMPUTE, "convert")                                                                    \
    X(MOVE, COMPUTE, "move")                                                                          \
    X(COMPARE, COMPUTE, "compare")        /* set, select, test */                                     \
    X(WARP, COMPUTE, "warp")              /* exchange among the threads of a warp */                  \
    X(TENSOR, COMPUTE, "tensor")          /* matrix products: one instruction, many operations */     \
    X(GLOBAL_LOAD, GLOBAL, "global load") /* cp.async to shared memory too: its load is what costs */ \
    X(GLOBAL_STORE, GLOBAL, "global store")                                                           \
    X(GLOBAL_ATOMIC, GLOBAL, "global atomic")                                                         \
    X(SHARED_LOAD, SHARED, "shared load")                                                             \
    X(SHARED_STORE, SHARED, "shared store")                                                           \
    X(SHARED_ATOMIC, SHARED, "shared atomic")                                                         \
    X(LOCAL_LOAD, LOCAL, "local load")                                                                \
    X(LOCAL_STORE, LOCAL, "local store")                                                              \
    X(CONSTANT_LOAD, CONSTANT, "constant load")                                                       \
    X(TEXTURE_LOAD, TEXTURE, "texture load")                                                          \
    X(TEXTURE_STORE, TEXTURE, "texture store")                                                        \
    X(PARAM_LOAD, PARAM, "parameter load")                                                            \
    X(PARAM_STORE, PARAM, "parameter store")                                                          \
    X(BRANCH, CONTROL, "branch")                                                                      \
    X(CALL, CONTROL, "call")                                                                          \
    X(EXIT, CONTROL, "exit") /* ret and exit */                                                       \
    X(BARRIER, MISC, "barrier")                                                                       \
    X(FENCE, MISC, "fence")                                                                           \
    X(ASYNC, MISC, "async") /* committing and awaiting asynchronous work */                           \
    X(TENSOR_MEMORY, MISC, "tensor memory")                                                           \
    X(OTHER, MISC, "other") /* prefetch, trap, pmevent, ... */                                        \
    X(UNKNOWN, MISC, "unknown")

typedef enum sooth_ptx_kind {
#define SOOTHI_ITEM(name, group, text) SOOTH_PTX_##name,
    SOOTH_PTX_KIND_LIST(SOOTHI_ITEM)
#undef SOOTHI_ITEM
        SOOTH_PTX_KINDS
} sooth_ptx_kind;

/* The types that operands have: name, bits. */
#define SOOTH_PTX_TYPE_LIST(X)                                                                               \
    X(UNTYPED, "", 0)                                                                                        \
    X(B8, "b8", 8)                                                                                           \
    X(B16, "b16", 16)                                                                                        \
    X(B32, "b32", 32) X(B64, "b64", 64) X(B128, "b128", 128) X(U8, "u8", 8) X(U16, "u16", 16)                \
        X(U32, "u32", 32) X(U64, "u64", 64) X(S8, "s8", 8) X(S16, "s16", 16) X(S32, "s32", 32)               \
            X(S64, "s64", 64) X(F16, "f16", 16) X(F16X2, "f16x2", 32) X(BF16, "bf16", 16)                    \
                X(BF16X2, "bf16x2", 32) X(TF32, "tf32", 32) X(F32, "f32", 32) X(F32X2, "f32x2", 64)          \
                    X(F64, "f64", 64) X(PRED, "pred", 1) X(B1, "b1", 1) X(B4, "b4", 4) X(U4, "u4", 4)        \
                        X(S4, "s4", 4) X(U16X2, "u16x2", 32) X(S16X2, "s16x2", 32) X(E4M3, "e4m3", 8)        \
                            X(E5M2, "e5m2", 8) X(E3M2, "e3m2", 6) X(E2M3, "e2m3", 6) X(E2M1, "e2m1", 4)      \
                                X(E4M3X2, "e4m3x2", 16) X(E5M2X2, "e5m2x2", 16) X(E3M2X2, "e3m2x2", 16)      \
                                    X(E2M3X2, "e2m3x2", 16) X(E2M1X2, "e2m1x2", 8) X(UE8M0X2, "ue8m0x2", 16) \
                                        X(E4M3X4, "e4m3x4", 32) X(E5M2X4, "e5m2x4", 32)                      \
                                            X(E3M2X4, "e3m2x4", 32) X(E2M3X4, "e2m3x4", 32)                  \
                                                X(E2M1X4, "e2m1x4", 16) X(TEXREF, "texref", 64)              \
                                                    X(SAMPLERREF, "samplerref", 64)                          \
                                                        X(SURFREF, "surfref", 64)

typedef enum sooth_ptx_type {
#define SOOTHI_ITEM(name, text, bits) SOOTH_PTX_##name,
    SOOTH_PTX_TYPE_LIST(SOOTHI_ITEM)
#undef SOOTHI_ITEM
        SOOTH_PTX_TYPES
} sooth_ptx_type;

/* The opcode families (the word before the first point), sorted by name, and what decides their kind: a kind
   itself; or
   ARITHMETIC         the type: fp16, fp32, fp64, else int
   LOAD STORE ATOMIC  the state space among the modifiers; none is a generic address: see SOOTH_PTX_GENERIC
   COPY MULTIMEM WMMA WGMMA TCGEN05 TENSORMAP  the modifiers, see soothi_ptx_copy_kind and its neighbours */
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
    X(MMA, "mma", TENSOR) X(MOV, "mov", MOVE) X(MOVMATRIX, "movmatrix", MOVE) X(MUL, "mul", ARITHMETIC) \
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
        SOOTH_PTX_OP_UNKNOWN, /* in none of the above */
    SOOTH_PTX_OPCODES
} sooth_ptx_opcode;

/* "compute", "global load", "f32", "add" ("unknown" for the last opcode); never NULL. */
SOOTH_API const char *sooth_ptx_class_name(sooth_ptx_class group);
SOOTH_API const char *sooth_ptx_kind_name(sooth_ptx_kind kind);
SOOTH_API const char *sooth_ptx_type_name(sooth_ptx_type type);
SOOTH_API const char *sooth_ptx_opcode_name(sooth_ptx_opcode opcode);
SOOTH_API sooth_ptx_class sooth_ptx_class_of(sooth_ptx_kind kind);
SOOTH_API uint32_t sooth_ptx_type_bits(sooth_ptx_type type);

/* ---- a module ---- */

/* A piece of the text; no zero at its end. */
typedef struct sooth_ptx_word {
    const char *text;
    size_t length;
} sooth_ptx_word;

/* Flags of forms. */
#define SOOTH_PTX_GENERIC 1u      /* no state space is named: the address may lie in any */
#define SOOTH_PTX_ASYNCHRONOUS 2u /* cp.async: works on its own after it was issued; its size is an operand */
#define SOOTH_PTX_APPROX 4u       /* .approx, .full */
#define SOOTH_PTX_WIDE 8u         /* .wide: the result is twice as wide as the type */
#define SOOTH_PTX_UNIFORM 16u     /* .uni: all threads of the warp go the same way */

/* One full opcode as it appears in the module, such as ld.global.v4.f32. What an instruction is follows from
   its form, so tables of latencies need one entry per form. */
typedef struct sooth_ptx_form {
    const char *text;
    uint32_t length;
    uint32_t count;  /* instructions of this form in the module */
    uint16_t opcode; /* sooth_ptx_opcode */
    uint8_t kind;    /* sooth_ptx_kind */
    uint8_t type;    /* sooth_ptx_type: the first among the modifiers, the result's */
    uint8_t source;  /* the last: of cvt the operand's; equal to type where only one is named */
    uint8_t vector;  /* elements: 1, 2, 4, 8 */
    uint8_t flags;
    uint16_t bytes; /* that one thread moves to or from memory; 0: none, or an operand says */
} sooth_ptx_form;

/* Flags of instructions. */
#define SOOTH_PTX_PREDICATED 1u
#define SOOTH_PTX_NEGATED 2u  /* @!p */
#define SOOTH_PTX_INDIRECT 4u /* a call of whatever a register holds */
#define SOOTH_PTX_RESOLVED 8u /* a generic address that is always in the space that kind names */

typedef struct sooth_ptx_instruction {
    uint32_t at; /* offset in the text: of the @ or the opcode */
    uint32_t form;
    uint32_t target; /* bra: the block; call: the function; cp.async: bytes; NONE: none, or not known */
    uint16_t skip;   /* bytes from `at` to the opcode */
    uint8_t kind;    /* of the form, or what its address showed */
    uint8_t flags;
} sooth_ptx_instruction;

typedef struct sooth_ptx_block {
    uint32_t first, count;        /* instructions; count may be 0 */
    uint32_t edge, edges;         /* its successors, in ptx->edge[]: the branch's target first */
    uint32_t idom;                /* immediate dominator; NONE: the entry, or unreachable */
    uint32_t order;               /* number within the function in reverse post-order; NONE: unreachable */
    uint32_t tree, below;         /* number in the dominator tree in preorder, size of its subtree */
    uint32_t loop;                /* the innermost around it */
    uint32_t label;               /* the first label in front of it */
    uint32_t line;                /* in the PTX */
    uint32_t source, source_line; /* the .loc in force: number of the .file, and line; 0: none */
    uint32_t function;
} sooth_ptx_block;

typedef struct sooth_ptx_loop {
    uint32_t header;  /* block */
    uint32_t parent;  /* the loop around it */
    uint32_t depth;   /* 1: outermost */
    uint32_t blocks;  /* those of inner loops included */
    uint32_t latches; /* edges back to the header */
    uint32_t last;    /* the last block that every iteration comes through: the latch when there is one */
    uint32_t exits;   /* blocks from which it can be left */
    uint32_t test;    /* the only such block, when every iteration comes through it; else NONE */
    uint32_t test_is_last; /* 1: the test ends the body and runs as often; 0: it runs once more */
    double trip; /* how often the body runs for each entry, where the code says so; -1: it does not */
} sooth_ptx_loop;

typedef struct sooth_ptx_label {
    sooth_ptx_word name;
    uint32_t block; /* NONE: the name of a table of targets */
    uint32_t function;
    uint32_t scope; /* number of the braces around it; 0: the function's. Labels may repeat in others */
    uint32_t table; /* internal */
} sooth_ptx_label;

typedef struct sooth_ptx_variable {
    sooth_ptx_word name;
    uint32_t function; /* NONE: of the module */
    uint32_t align;
    uint64_t bytes; /* 0: its size is given at the launch or in another module */
    uint8_t space;  /* sooth_ptx_class: GLOBAL, SHARED, LOCAL, CONSTANT, TEXTURE, PARAM */
    uint8_t type;   /* sooth_ptx_type, of one element */
    uint8_t is_extern;
    uint32_t user; /* of the module's: the last function that names it */
} sooth_ptx_variable;

typedef struct sooth_ptx_function {
    sooth_ptx_word name;
    uint32_t is_entry; /* 1: a kernel; 0: a function */
    uint32_t has_body;
    uint32_t is_broken; /* a syntax error stands in it: what follows it is missing */
    uint32_t line;
    uint32_t instruction, instructions; /* first and number, of each */
    uint32_t block, blocks;
    uint32_t loop, loops;
    uint32_t label, labels;
    uint32_t param, params;          /* in variable[] */
    uint32_t edges;                  /* of its flow graph */
    uint32_t unreachable;            /* blocks */
    uint32_t irreducible;            /* edges back to a block that does not dominate them: into loops */
    uint32_t calls, indirect;        /* call instructions, and those of them whose callee is not known */
    uint32_t maxntid[3], reqntid[3]; /* launch bounds; 0: not given */
    uint32_t minnctapersm, maxnctapersm, maxnreg;
    uint32_t reqnctapercluster[3], maxclusterrank;
    uint32_t registers[SOOTH_PTX_TYPES]; /* declared (virtual ones), by type */
    uint64_t param_bytes;                /* of the parameters */
    uint64_t shared_bytes;               /* static: its own and those of the module that it names */
    uint64_t local_bytes;
    uint32_t dynamic_shared; /* names shared memory whose size is given at the launch */
} sooth_ptx_function;

/* An error or a remark with its place. */
typedef struct sooth_ptx_note {
    uint32_t is_error;
    uint32_t function; /* NONE: outside */
    uint32_t line, column;
    char text[160];
} sooth_ptx_note;

typedef struct sooth_ptx {
    const char *text;
    size_t size;
    uint32_t version;      /* 100 x major + minor: 805 for 8.5; 0: not given */
    uint32_t sm;           /* 80 for sm_80; 0: not given */
    uint32_t address_size; /* 32 or 64 */
    sooth_ptx_word target; /* as written: "sm_90a" */
    sooth_ptx_function *function;
    size_t functions, entries;
    sooth_ptx_instruction *instruction;
    size_t instructions;
    sooth_ptx_form *form;
    size_t forms;
    sooth_ptx_block *block;
    size_t blocks;
    uint32_t *edge;
    size_t edges;
    sooth_ptx_loop *loop;
    size_t loops;
    sooth_ptx_label *label;
    size_t labels;
    sooth_ptx_variable *variable;
    size_t variables;
    sooth_ptx_note *note;
    size_t notes, errors, remarks; /* notes kept; all errors and remarks, kept or not */
    size_t unknown;                /* instructions with unknown opcodes: see the forms of that kind */
    size_t rooms[9];               /* sizes of the arrays, in their order here */
} sooth_ptx;

typedef struct sooth_ptx_options {
    uint32_t notes; /* how many errors and remarks to keep; 0: 64 */
} sooth_ptx_options;

/* Reads text[0..size), below 4 GiB; a zero at its end is ignored. options NULL: defaults. A syntax error is
   noted in out->note with line and column, its function marked broken, and reading goes on with the next
   function: look at out->errors. SOOTH_BAD_TEXT when the bytes are no PTX at all; then, and without memory,
   *out is empty. */
SOOTH_API sooth_status sooth_ptx_read(sooth_env *env, const char *text, size_t size,
                                      const sooth_ptx_options *options, sooth_ptx *out);
SOOTH_API void sooth_ptx_free(sooth_env *env, sooth_ptx *ptx);

/* The number of the kernel or function of exactly this name; ptx->functions when there is none. */
SOOTH_API size_t sooth_ptx_find(const sooth_ptx *ptx, const char *name);

/* The kernel a person means: by its name, by its name before C++ mangled it where that is unique, or with
   NULL the only one there is. SOOTH_BAD_ARGUMENT with the kernels there are in the sentence. */
SOOTH_API sooth_status sooth_ptx_kernel(sooth_env *env, const sooth_ptx *ptx, const char *name,
                                        size_t *kernel);

/* Line and column, from 1, of an offset in the text. O(offset). */
SOOTH_API void sooth_ptx_place(const sooth_ptx *ptx, size_t at, uint32_t *line, uint32_t *column);

/* The operands of an instruction, at most `most` of them, as the text has them: "%r1", "[%rd2+16]", "{%f1,
   %f2}". Returns how many there are. */
SOOTH_API size_t sooth_ptx_operands(const sooth_ptx *ptx, const sooth_ptx_instruction *instruction,
                                    sooth_ptx_word *operand, size_t most);

/* 1: every path from the function's entry to block b comes through block a (or a is b). O(1). */
SOOTH_API int sooth_ptx_dominates(const sooth_ptx *ptx, uint32_t a, uint32_t b);

/* ---- counting ---- */

/* Something the caller knows about a loop or a branch. A loop is named by the label of its header or by a
   line of the PTX inside it (the innermost loop there is meant); a branch by the label it goes to or by its
   own line. */
typedef struct sooth_ptx_given {
    const char *label; /* or NULL */
    uint32_t line;     /* where label is NULL */
    double value;      /* trips per entry, >= 0; or the probability that the branch is taken, 0 to 1 */
} sooth_ptx_given;

/* The value of a kernel parameter ("matmul_param_3", or "param_3") or of a special register ("%ntid.x"). */
typedef struct sooth_ptx_value {
    const char *name;
    int64_t value;
} sooth_ptx_value;

/* Zero bytes: loops that do not say their trip count run once, both sides of every branch run (as they do in
   a warp whose threads disagree), calls are followed. */
typedef struct sooth_ptx_trips {
    const sooth_ptx_given *loop;
    size_t loops;
    const sooth_ptx_given *branch; /* forward ones; those that end or repeat a loop go by its trips */
    size_t branches;
    const sooth_ptx_value *value; /* with them more loops tell their trips */
    size_t values;
    double default_trip;        /* of loops that nobody knows; 0: 1 */
    double default_probability; /* of branches nobody spoke of; 0: both sides run */
    uint32_t each_once;         /* every instruction counts once, and calls are not followed */
    uint32_t paper_loops; /* algorithm 2 of the paper: blocks with a back edge count default_trip times */
} sooth_ptx_trips;

typedef enum sooth_ptx_origin {
    SOOTH_PTX_NOT_REACHED = 0, /* the loop is in no function that the kernel uses */
    SOOTH_PTX_GIVEN,           /* the caller gave its trips */
    SOOTH_PTX_DERIVED,         /* the code tells them (with the caller's values) */
    SOOTH_PTX_ASSUMED          /* the default: nobody knows */
} sooth_ptx_origin;

typedef struct sooth_ptx_counts {
    double total;                    /* instructions of one thread */
    double group[SOOTH_PTX_CLASSES]; /* by class */
    double kind[SOOTH_PTX_KINDS];
    double opcode[SOOTH_PTX_OPCODES];
    double loaded[SOOTH_PTX_CLASSES]; /* bytes by class of memory; */
    double stored[SOOTH_PTX_CLASSES]; /* atomics are here */
    double *form;                     /* per form of the module */
    double *block;                    /* per block of the module: how often it runs */
    double *trip;                     /* per loop of the module: per entry; */
    uint8_t *origin;                  /* and where that comes from, sooth_ptx_origin */
    double unsized;                   /* copies whose size is in a register: their bytes are missing above */
    double unknown;                   /* instructions with unknown opcodes */
    double indirect;                  /* calls whose callee is not known, */
    double bodiless;                  /* or not in this file: they count as one instruction */
    uint32_t assumed;                 /* loops whose trips are the default */
    uint32_t recursive;               /* calls that lead back to their own function, followed no further */
    uint32_t irreducible;             /* see sooth_ptx_function; of all functions reached */
    uint64_t shared_bytes;            /* static, of all functions reached */
    uint64_t local_bytes;             /* the largest of any of them; without the stack that calls need */
} sooth_ptx_counts;

/* Counts what one thread of a kernel (or function) is expected to execute. trips NULL: zero bytes.
   SOOTH_BAD_ARGUMENT: a function without body, a given loop, branch or value that is not there.
   SOOTH_BAD_TEXT: a syntax error stands in a function it needs. out->assumed tells how many loops nobody knew
   the trips of. */
SOOTH_API sooth_status sooth_ptx_count(sooth_env *env, const sooth_ptx *ptx, size_t function,
                                       const sooth_ptx_trips *trips, sooth_ptx_counts *out);
SOOTH_API void sooth_ptx_counts_free(sooth_env *env, const sooth_ptx *ptx, sooth_ptx_counts *counts);

/* ---- listing ---- */

/* Blocks and loops of a function, with the counts when they are not NULL. */
SOOTH_API void sooth_ptx_put_function(sooth_sink *sink, const sooth_ptx *ptx, size_t function,
                                      const sooth_ptx_counts *counts);

/* What counts do not know, a line each: loops with assumed trips, recursion, unknown opcodes and callees.
   Writes nothing when all is known. */
SOOTH_API void sooth_ptx_put_doubts(sooth_sink *sink, const sooth_ptx *ptx, const sooth_ptx_counts *counts);

/* The notes, a line each: "line 12, column 3: error: ...". */
SOOTH_API void sooth_ptx_put_notes(sooth_sink *sink, const sooth_ptx *ptx);

#endif /* SOOTH_PREDICT_ONLY */

#ifdef __cplusplus
}
#endif
#endif /* SOOTH_PTX_H */

/* ------------------------------------------------------------------------------------------------ */
#if defined(SOOTH_IMPLEMENTATION) && !defined(SOOTH_PTX_IMPLEMENTED) && !defined(SOOTH_PREDICT_ONLY)
#define SOOTH_PTX_IMPLEMENTED
#ifdef __cplusplus
extern "C" {
#endif

/* ---- the tables above as functions ---- */

/* What the opcode list may say beside a kind; numbered after the kinds. */
enum {
    SOOTH_PTX_ARITHMETIC = SOOTH_PTX_KINDS,
    SOOTH_PTX_LOAD,
    SOOTH_PTX_STORE,
    SOOTH_PTX_ATOMIC,
    SOOTH_PTX_COPY,
    SOOTH_PTX_MULTIMEM,
    SOOTH_PTX_WMMA,
    SOOTH_PTX_WGMMA,
    SOOTH_PTX_TCGEN05,
    SOOTH_PTX_TENSORMAP
};

SOOTH_API const char *sooth_ptx_class_name(sooth_ptx_class group) {
    static const char name[SOOTH_PTX_CLASSES][12] = {
#define SOOTHI_ITEM(id, text) text,
        SOOTH_PTX_CLASS_LIST(SOOTHI_ITEM)
#undef SOOTHI_ITEM
    };
    return (unsigned)group < SOOTH_PTX_CLASSES ? name[group] : "(no class)";
}

SOOTH_API const char *sooth_ptx_kind_name(sooth_ptx_kind kind) {
    static const char name[SOOTH_PTX_KINDS][16] = {
#define SOOTHI_ITEM(id, group, text) text,
        SOOTH_PTX_KIND_LIST(SOOTHI_ITEM)
#undef SOOTHI_ITEM
    };
    return (unsigned)kind < SOOTH_PTX_KINDS ? name[kind] : "(no kind)";
}

SOOTH_API sooth_ptx_class sooth_ptx_class_of(sooth_ptx_kind kind) {
    static const uint8_t group[SOOTH_PTX_KINDS] = {
#define SOOTHI_ITEM(id, of, text) SOOTH_PTX_##of,
        SOOTH_PTX_KIND_LIST(SOOTHI_ITEM)
#undef SOOTHI_ITEM
    };
    return (unsigned)kind < SOOTH_PTX_KINDS ? (sooth_ptx_class)group[kind] : SOOTH_PTX_MISC;
}

SOOTH_API const char *sooth_ptx_type_name(sooth_ptx_type type) {
    static const char name[SOOTH_PTX_TYPES][12] = {
#define SOOTHI_ITEM(id, text, bits) text,
        SOOTH_PTX_TYPE_LIST(SOOTHI_ITEM)
#undef SOOTHI_ITEM
    };
    return (unsigned)type < SOOTH_PTX_TYPES ? name[type] : "(no type)";
}

SOOTH_API uint32_t sooth_ptx_type_bits(sooth_ptx_type type) {
    static const uint8_t width[SOOTH_PTX_TYPES] = {
#define SOOTHI_ITEM(id, text, bits) bits,
        SOOTH_PTX_TYPE_LIST(SOOTHI_ITEM)
#undef SOOTHI_ITEM
    };
    return (unsigned)type < SOOTH_PTX_TYPES ? width[type] : 0;
}

SOOTH_API const char *sooth_ptx_opcode_name(sooth_ptx_opcode opcode) {
    static const char name[SOOTH_PTX_OPCODES][24] = {
#define SOOTHI_ITEM(id, text, rule) text,
        SOOTH_PTX_OPCODE_LIST(SOOTHI_ITEM)
#undef SOOTHI_ITEM
            "unknown"};
    return (unsigned)opcode < SOOTH_PTX_OPCODES ? name[opcode] : "(no opcode)";
}

/* The kind of an opcode, or what decides it. */
SOOTHI_LOCAL unsigned soothi_ptx_rule(unsigned opcode) {
    static const uint8_t rules[SOOTH_PTX_OPCODES] = {
#define SOOTHI_ITEM(id, text, rule) SOOTH_PTX_##rule,
        SOOTH_PTX_OPCODE_LIST(SOOTHI_ITEM)
#undef SOOTHI_ITEM
            SOOTH_PTX_UNKNOWN};
    return rules[opcode];
}

/* ---- words ---- */

SOOTHI_LOCAL sooth_ptx_word soothi_ptx_word(const char *text, size_t length) {
    sooth_ptx_word word;
    word.text = text;
    word.length = length;
    return word;
}

/* The word is exactly this text. */
SOOTHI_LOCAL int soothi_ptx_is(sooth_ptx_word word, const char *text) {
    size_t i;
    for (i = 0; i < word.length; ++i)
        if (text[i] == 0 || text[i] != word.text[i]) return 0;
    return text[i] == 0;
}

SOOTHI_LOCAL int soothi_ptx_same(sooth_ptx_word a, sooth_ptx_word b) {
    size_t i;
    if (a.length != b.length) return 0;
    for (i = 0; i < a.length; ++i)
        if (a.text[i] != b.text[i]) return 0;
    return 1;
}

/* Eight bytes at a time; the number differs between byte orders, but nothing that is seen depends on it. */
SOOTHI_LOCAL uint32_t soothi_ptx_hash(sooth_ptx_word word) {
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
    return (uint32_t)(h >> 32) ^ (uint32_t)h;
}

/* What a byte can begin. */
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
    SOOTHI_PTX_SLASH,
    SOOTHI_PTX_COLON,
    SOOTHI_PTX_QUOTE,
    SOOTHI_PTX_AT
};

SOOTHI_LOCAL unsigned soothi_ptx_char(char c) {
    static const uint8_t kind[256] = {
        0,  0,  0,  0, 0, 0, 0, 0, 0, 1, 1,  1,  1, 1,  0,  0, /* controls */
        0,  0,  0,  0, 0, 0, 0, 0, 0, 0, 0,  0,  0, 0,  0,  0,
        1,  11, 14, 0, 2, 2, 9, 0, 7, 8, 9,  10, 5, 10, 4,  12, /*  !"#$%&'()*+,-./ */
        3,  3,  3,  3, 3, 3, 3, 3, 3, 3, 13, 6,  9, 0,  9,  9,  /* 0123456789:;<=>? */
        15, 2,  2,  2, 2, 2, 2, 2, 2, 2, 2,  2,  2, 2,  2,  2,  /* @ABCDEFGHIJKLMNO */
        2,  2,  2,  2, 2, 2, 2, 2, 2, 2, 2,  7,  0, 8,  9,  2,  /* PQRSTUVWXYZ[\]^_ */
        0,  2,  2,  2, 2, 2, 2, 2, 2, 2, 2,  2,  2, 2,  2,  2,  /* `abcdefghijklmno */
        2,  2,  2,  2, 2, 2, 2, 2, 2, 2, 2,  7,  9, 8,  11, 0}; /* pqrstuvwxyz{|}~  */
    return kind[(unsigned char)c];
}

SOOTHI_LOCAL int soothi_ptx_in_name(char c) {
    unsigned kind = soothi_ptx_char(c);
    return kind == SOOTHI_PTX_LETTER || kind == SOOTHI_PTX_DIGIT;
}

/* In a name, or a point between parts of one. */
SOOTHI_LOCAL int soothi_ptx_in_word(char c) {
    return soothi_ptx_char(c) - SOOTHI_PTX_LETTER <= SOOTHI_PTX_POINT - SOOTHI_PTX_LETTER;
}

/* Skips blanks and comments. A comment that is never closed ends with the text. */
SOOTHI_LOCAL const char *soothi_ptx_skip(const char *p, const char *end) {
    for (;;) {
        while (p < end && soothi_ptx_char(*p) == SOOTHI_PTX_BLANK) ++p;
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

/* The name at p (letters, digits, $ _ %), possibly of no length. */
SOOTHI_LOCAL sooth_ptx_word soothi_ptx_name(const char *p, const char *end) {
    const char *start = p;
    if (p < end && soothi_ptx_char(*p) == SOOTHI_PTX_LETTER)
        while (p < end && soothi_ptx_in_name(*p)) ++p;
    return soothi_ptx_word(start, (size_t)(p - start));
}

/* Newlines in p[0..n), eight bytes at a time: a byte of `hit` has its top bit set where the text has a
   newline (exact: no carry leaves a byte). */
SOOTHI_LOCAL uint32_t soothi_ptx_lines(const char *p, size_t n) {
    const uint64_t ones = 0x0101010101010101u, low = 0x7F7F7F7F7F7F7F7Fu;
    uint64_t piece, hit;
    uint32_t lines = 0;
    for (; n >= 8; n -= 8, p += 8) {
        memcpy(&piece, p, 8);
        piece ^= ones * '\n';
        hit = ~(((piece & low) + low) | piece | low) >> 7;
        lines += (uint32_t)(hit * ones >> 56);
    }
    for (; n > 0; --n, ++p) lines += *p == '\n';
    return lines;
}

SOOTH_API void sooth_ptx_place(const sooth_ptx *ptx, size_t at, uint32_t *line, uint32_t *column) {
    size_t start;
    if (at > ptx->size) at = ptx->size;
    for (start = at; start > 0 && ptx->text[start - 1] != '\n'; --start) {}
    *line = 1 + soothi_ptx_lines(ptx->text, start);
    *column = (uint32_t)(at - start) + 1;
}

/* ---- forms: what an opcode with its modifiers is ---- */

SOOTHI_LOCAL unsigned soothi_ptx_find_opcode(sooth_ptx_word word) {
    unsigned low = 0, high = SOOTH_PTX_OP_UNKNOWN;
    while (low < high) {
        const unsigned middle = (low + high) / 2;
        const char *name = sooth_ptx_opcode_name((sooth_ptx_opcode)middle);
        size_t i = 0;
        while (i < word.length && name[i] && name[i] == word.text[i]) ++i;
        if (i == word.length && name[i] == 0) return middle;
        if (i == word.length || (name[i] && (unsigned char)word.text[i] < (unsigned char)name[i]))
            high = middle;
        else low = middle + 1;
    }
    return SOOTH_PTX_OP_UNKNOWN;
}

SOOTHI_LOCAL unsigned soothi_ptx_find_type(sooth_ptx_word word) {
    unsigned type;
    for (type = 1; type < SOOTH_PTX_TYPES; ++type)
        if (soothi_ptx_is(word, sooth_ptx_type_name((sooth_ptx_type)type))) return type;
    return SOOTH_PTX_UNTYPED;
}

/* The class of memory that a state space is (shared::cta, const[0] as well), or SOOTH_PTX_CLASSES. The names
   are in the order of the classes. */
SOOTHI_LOCAL unsigned soothi_ptx_find_space(sooth_ptx_word word) {
    static const char name[6][8] = {"global", "shared", "local", "const", "tex", "param"};
    size_t n = 0, i;
    while (n < word.length && word.text[n] != ':' && word.text[n] != '[') ++n;
    word.length = n;
    for (i = 0; i < 6; ++i)
        if (soothi_ptx_is(word, name[i])) return SOOTH_PTX_GLOBAL + (unsigned)i;
    return SOOTH_PTX_CLASSES;
}

enum { SOOTHI_PTX_MODIFIERS = 24 };

/* The words of an opcode: the family and its modifiers. */
SOOTHI_LOCAL size_t soothi_ptx_split(const char *text, size_t length,
                                     sooth_ptx_word word[SOOTHI_PTX_MODIFIERS]) {
    size_t n = 0, i = 0, start;
    while (i < length && n < SOOTHI_PTX_MODIFIERS) {
        while (i < length && (text[i] == '.' || soothi_ptx_char(text[i]) == SOOTHI_PTX_BLANK)) ++i;
        for (start = i; i < length && text[i] != '.' && soothi_ptx_char(text[i]) != SOOTHI_PTX_BLANK;) ++i;
        if (i > start) word[n++] = soothi_ptx_word(text + start, i - start);
    }
    return n;
}

/* What the modifiers of one opcode say. */
typedef struct soothi_ptx_parts {
    sooth_ptx_word word[SOOTHI_PTX_MODIFIERS]; /* word[0]: the family */
    size_t words;
    unsigned space[2]; /* in their order; SOOTH_PTX_CLASSES: none */
} soothi_ptx_parts;

SOOTHI_LOCAL int soothi_ptx_has(const soothi_ptx_parts *parts, const char *text) {
    size_t i;
    for (i = 1; i < parts->words; ++i)
        if (soothi_ptx_is(parts->word[i], text)) return 1;
    return 0;
}

/* The i-th modifier, from 1, is this. */
SOOTHI_LOCAL int soothi_ptx_part(const soothi_ptx_parts *parts, size_t i, const char *text) {
    return i < parts->words && soothi_ptx_is(parts->word[i], text);
}

SOOTHI_LOCAL unsigned soothi_ptx_arithmetic_kind(unsigned type) {
    switch (type) {
    case SOOTH_PTX_F16:
    case SOOTH_PTX_F16X2:
    case SOOTH_PTX_BF16:
    case SOOTH_PTX_BF16X2: return SOOTH_PTX_FP16;
    case SOOTH_PTX_F32:
    case SOOTH_PTX_F32X2:
    case SOOTH_PTX_TF32: return SOOTH_PTX_FP32;
    case SOOTH_PTX_F64: return SOOTH_PTX_FP64;
    default: return SOOTH_PTX_INT;
    }
}

/* The kind of an access (LOAD, STORE or ATOMIC) to a space; none named counts as global memory. */
SOOTHI_LOCAL unsigned soothi_ptx_access(unsigned rule, unsigned space) {
    static const uint8_t kind[6][3] = {
        {SOOTH_PTX_GLOBAL_LOAD, SOOTH_PTX_GLOBAL_STORE, SOOTH_PTX_GLOBAL_ATOMIC},
        {SOOTH_PTX_SHARED_LOAD, SOOTH_PTX_SHARED_STORE, SOOTH_PTX_SHARED_ATOMIC},
        {SOOTH_PTX_LOCAL_LOAD, SOOTH_PTX_LOCAL_STORE, SOOTH_PTX_LOCAL_STORE},
        {SOOTH_PTX_CONSTANT_LOAD, SOOTH_PTX_CONSTANT_LOAD, SOOTH_PTX_CONSTANT_LOAD},
        {SOOTH_PTX_TEXTURE_LOAD, SOOTH_PTX_TEXTURE_STORE, SOOTH_PTX_TEXTURE_STORE},
        {SOOTH_PTX_PARAM_LOAD, SOOTH_PTX_PARAM_STORE, SOOTH_PTX_PARAM_STORE}};
    return kind[space < SOOTH_PTX_CLASSES ? space - SOOTH_PTX_GLOBAL : 0][rule - SOOTH_PTX_LOAD];
}

/* cp: the issued instruction is the global access; between the shared memories of a cluster it is a shared
   store. */
SOOTHI_LOCAL unsigned soothi_ptx_copy_kind(const soothi_ptx_parts *parts) {
    if (soothi_ptx_part(parts, 1, "reduce"))
        return parts->space[0] == SOOTH_PTX_SHARED ? SOOTH_PTX_SHARED_ATOMIC : SOOTH_PTX_GLOBAL_ATOMIC;
    if (!soothi_ptx_part(parts, 1, "async")) return SOOTH_PTX_OTHER;
    if (soothi_ptx_part(parts, 2, "ca") || soothi_ptx_part(parts, 2, "cg")) return SOOTH_PTX_GLOBAL_LOAD;
    if (!soothi_ptx_part(parts, 2, "bulk")) return SOOTH_PTX_ASYNC;
    if (soothi_ptx_has(parts, "commit_group") || soothi_ptx_has(parts, "wait_group")) return SOOTH_PTX_ASYNC;
    if (soothi_ptx_has(parts, "prefetch")) return SOOTH_PTX_OTHER;
    if (parts->space[0] == SOOTH_PTX_GLOBAL) return SOOTH_PTX_GLOBAL_STORE;
    return parts->space[1] == SOOTH_PTX_SHARED ? SOOTH_PTX_SHARED_STORE : SOOTH_PTX_GLOBAL_LOAD;
}

SOOTHI_LOCAL unsigned soothi_ptx_multimem_kind(const soothi_ptx_parts *parts) {
    if (soothi_ptx_part(parts, 1, "ld_reduce")) return SOOTH_PTX_GLOBAL_LOAD;
    return soothi_ptx_part(parts, 1, "red") ? SOOTH_PTX_GLOBAL_ATOMIC : SOOTH_PTX_GLOBAL_STORE;
}

SOOTHI_LOCAL unsigned soothi_ptx_tcgen05_kind(const soothi_ptx_parts *parts) {
    if (soothi_ptx_part(parts, 1, "mma")) return SOOTH_PTX_TENSOR;
    if (soothi_ptx_part(parts, 1, "commit") || soothi_ptx_part(parts, 1, "wait") ||
        soothi_ptx_part(parts, 1, "fence"))
        return SOOTH_PTX_ASYNC;
    return SOOTH_PTX_TENSOR_MEMORY;
}

SOOTHI_LOCAL unsigned soothi_ptx_kind_of(unsigned opcode, unsigned type, const soothi_ptx_parts *parts) {
    const unsigned rule = soothi_ptx_rule(opcode);
    unsigned space = parts->space[0];
    switch (rule) {
    case SOOTH_PTX_ARITHMETIC: return soothi_ptx_arithmetic_kind(type);
    case SOOTH_PTX_LOAD:
    case SOOTH_PTX_STORE:
    case SOOTH_PTX_ATOMIC: /* st.async, st.bulk, red.async: the cluster's shared memory */
        if (opcode == SOOTH_PTX_OP_LDMATRIX || opcode == SOOTH_PTX_OP_STMATRIX ||
            soothi_ptx_part(parts, 1, "async") || soothi_ptx_part(parts, 1, "bulk"))
            space = SOOTH_PTX_SHARED;
        return soothi_ptx_access(rule, space);
    case SOOTH_PTX_COPY: return soothi_ptx_copy_kind(parts);
    case SOOTH_PTX_MULTIMEM: return soothi_ptx_multimem_kind(parts);
    case SOOTH_PTX_WMMA:
        if (soothi_ptx_part(parts, 1, "mma")) return SOOTH_PTX_TENSOR;
        return soothi_ptx_access(soothi_ptx_part(parts, 1, "load") ? SOOTH_PTX_LOAD : SOOTH_PTX_STORE, space);
    case SOOTH_PTX_WGMMA: return soothi_ptx_part(parts, 1, "mma_async") ? SOOTH_PTX_TENSOR : SOOTH_PTX_ASYNC;
    case SOOTH_PTX_TCGEN05: return soothi_ptx_tcgen05_kind(parts);
    case SOOTH_PTX_TENSORMAP: return soothi_ptx_part(parts, 1, "replace") ? SOOTH_PTX_OTHER : SOOTH_PTX_ASYNC;
    default: return rule;
    }
}

SOOTHI_LOCAL int soothi_ptx_is_memory(unsigned kind) {
    const unsigned group = sooth_ptx_class_of((sooth_ptx_kind)kind);
    return group >= SOOTH_PTX_GLOBAL && group <= SOOTH_PTX_PARAM;
}

/* Reads the decimal digits at text[*i..length); of more than nine, the first ones. */
SOOTHI_LOCAL uint32_t soothi_ptx_digits(const char *text, size_t length, size_t *i) {
    uint32_t v = 0;
    for (; *i < length && soothi_ptx_char(text[*i]) == SOOTHI_PTX_DIGIT; ++*i)
        v = v < 100000000u ? v * 10 + (uint32_t)(text[*i] - '0') : v;
    return v;
}

/* Bytes per thread of the fragment that wmma.load.a|b|c and wmma.store.d move; m16n16k16 says the shape, and
   a warp of 32 shares the matrix. a is m x k, b is k x n, c and d are m x n. */
SOOTHI_LOCAL uint32_t soothi_ptx_fragment(const soothi_ptx_parts *parts, uint32_t bits) {
    uint32_t by[3] = {0, 0, 0};
    size_t i, at;
    unsigned k;
    for (i = 1; i < parts->words; ++i) {
        const sooth_ptx_word word = parts->word[i];
        for (at = k = 0; k < 3 && at < word.length && word.text[at] == "mnk"[k]; ++k) {
            ++at;
            by[k] = soothi_ptx_digits(word.text, word.length, &at);
        }
        if (k < 3) continue;
        if (by[0] > 4096 || by[1] > 4096 || by[2] > 4096) return 0;
        if (soothi_ptx_part(parts, 2, "a")) return by[0] * by[2] / 8 * bits / 32;
        if (soothi_ptx_part(parts, 2, "b")) return by[2] * by[1] / 8 * bits / 32;
        return by[0] * by[1] / 8 * bits / 32;
    }
    return 0;
}

/* Bytes that one thread moves. */
SOOTHI_LOCAL uint32_t soothi_ptx_bytes(const sooth_ptx_form *form, const soothi_ptx_parts *parts) {
    const uint32_t bits = sooth_ptx_type_bits((sooth_ptx_type)form->type);
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

/* Fills everything but text, length and count. */
SOOTHI_LOCAL void soothi_ptx_classify(sooth_ptx_form *form) {
    soothi_ptx_parts parts;
    size_t i, spaces = 0;
    uint32_t bytes;
    memset(&parts, 0, sizeof parts);
    parts.words = soothi_ptx_split(form->text, form->length, parts.word);
    parts.space[0] = parts.space[1] = SOOTH_PTX_CLASSES;
    form->vector = 1;
    form->type = form->source = SOOTH_PTX_UNTYPED;
    form->flags = 0;
    form->bytes = 0;
    form->opcode = SOOTH_PTX_OP_UNKNOWN;
    if (parts.words) form->opcode = (uint16_t)soothi_ptx_find_opcode(parts.word[0]);
    for (i = 1; i < parts.words; ++i) {
        const sooth_ptx_word word = parts.word[i];
        const unsigned space = soothi_ptx_find_space(word), type = soothi_ptx_find_type(word);
        if (space < SOOTH_PTX_CLASSES) {
            if (spaces < 2) parts.space[spaces++] = space;
        } else if (word.length == 2 && word.text[0] == 'v' && word.text[1] >= '2' && word.text[1] <= '8') {
            form->vector = (uint8_t)(word.text[1] - '0');
        } else if (type != SOOTH_PTX_UNTYPED) {
            if (form->type == SOOTH_PTX_UNTYPED) form->type = (uint8_t)type;
            form->source = (uint8_t)type;
        }
    }
    form->kind = (uint8_t)soothi_ptx_kind_of(form->opcode, form->type, &parts);
    if (soothi_ptx_has(&parts, "approx") || soothi_ptx_has(&parts, "full")) form->flags |= SOOTH_PTX_APPROX;
    if (soothi_ptx_has(&parts, "wide")) form->flags |= SOOTH_PTX_WIDE;
    if (soothi_ptx_has(&parts, "uni")) form->flags |= SOOTH_PTX_UNIFORM;
    if (!soothi_ptx_is_memory(form->kind)) return;
    bytes = soothi_ptx_bytes(form, &parts);
    form->bytes = (uint16_t)(bytes < 65535 ? bytes : 65535);
    if (form->opcode == SOOTH_PTX_OP_CP) form->flags |= SOOTH_PTX_ASYNCHRONOUS;
    else if (spaces == 0 && form->opcode != SOOTH_PTX_OP_MULTIMEM &&
             sooth_ptx_class_of((sooth_ptx_kind)form->kind) == SOOTH_PTX_GLOBAL)
        form->flags |= SOOTH_PTX_GENERIC;
}

/* ---- memory and names ---- */

/* Where memory comes from; anything but SOOTH_OK ends the work. */
typedef struct soothi_ptx_memory {
    sooth_env *env;
    sooth_status status;
} soothi_ptx_memory;

/* Makes the array whose pointer stands at `where` larger, keeping its `used` first elements; 0: no memory. */
SOOTHI_LOCAL int soothi_ptx_grow(soothi_ptx_memory *m, void *where, size_t used, size_t *room, size_t larger,
                                 size_t size) {
    void *old, *fresh = soothi_alloc(m->env, larger, size);
    if (!fresh) {
        m->status = soothi_no_memory(m->env, "what the PTX says", soothi_product(larger, size));
        return 0;
    }
    memcpy(&old, where, sizeof old);
    if (old && used) memcpy(fresh, old, used * size);
    soothi_free(m->env, old, *room, size);
    memcpy(where, &fresh, sizeof fresh);
    *room = larger;
    return 1;
}

/* True when there is room for one more in the array; the second for those of r->out. */
#define SOOTHI_PTX_MORE(m, array, count, room) \
    ((count) < (room) ||                       \
     soothi_ptx_grow((m), &(array), (count), &(room), (room) ? (room)*2 : 64, sizeof *(array)))
#define SOOTHI_PTX_MORE_OUT(array, count, which) \
    SOOTHI_PTX_MORE(&r->memory, r->out->array, r->out->count, r->out->rooms[SOOTHI_PTX_##which])

/* Names and their numbers: open addressing, at most half full. A name is a piece of the text, in a scope. */
typedef struct soothi_ptx_entry {
    uint32_t hash, age;
    uint32_t at, length, scope;
    uint32_t number;
} soothi_ptx_entry;

typedef struct soothi_ptx_names {
    soothi_ptx_entry *entry;
    size_t room, count; /* room: 0 or a power of two */
    uint32_t age;       /* entries of another age are free, so that forgetting all costs nothing */
} soothi_ptx_names;

SOOTHI_LOCAL void soothi_ptx_forget(soothi_ptx_names *names) {
    ++names->age;
    names->count = 0;
}

/* The entry of this name, or the free one where it belongs. */
SOOTHI_LOCAL soothi_ptx_entry *soothi_ptx_slot(const soothi_ptx_names *names, const char *text,
                                               sooth_ptx_word word, uint32_t scope, uint32_t hash) {
    size_t k;
    for (k = hash & (names->room - 1);; k = (k + 1) & (names->room - 1)) {
        soothi_ptx_entry *e = &names->entry[k];
        if (e->age != names->age) return e;
        if (e->hash == hash && e->scope == scope &&
            soothi_ptx_same(soothi_ptx_word(text + e->at, e->length), word))
            return e;
    }
}

/* The number of a name, or SOOTH_PTX_NONE. */
SOOTHI_LOCAL uint32_t soothi_ptx_find(const soothi_ptx_names *names, const char *text, sooth_ptx_word word,
                                      uint32_t scope) {
    const soothi_ptx_entry *e;
    if (names->count == 0) return SOOTH_PTX_NONE;
    e = soothi_ptx_slot(names, text, word, scope, soothi_ptx_hash(word) + scope * 0x9E3779B9u);
    return e->age == names->age ? e->number : SOOTH_PTX_NONE;
}

/* Where the number of a name stands, SOOTH_PTX_NONE for a new one; NULL without memory. */
SOOTHI_LOCAL uint32_t *soothi_ptx_enter(soothi_ptx_memory *m, soothi_ptx_names *names, const char *text,
                                        sooth_ptx_word word, uint32_t scope) {
    const uint32_t hash = soothi_ptx_hash(word) + scope * 0x9E3779B9u;
    soothi_ptx_entry *e;
    size_t i, k;
    if (names->count >= names->room / 2) {
        soothi_ptx_names larger = *names;
        larger.room = names->room ? names->room * 2 : 64;
        larger.entry = (soothi_ptx_entry *)soothi_alloc(m->env, larger.room, sizeof *larger.entry);
        if (!larger.entry) {
            m->status = soothi_no_memory(m->env, "the names in the PTX", larger.room * sizeof *larger.entry);
            return NULL;
        }
        memset(larger.entry, 0, larger.room * sizeof *larger.entry);
        if (larger.age == 0) larger.age = 1;
        for (i = 0; i < names->room; ++i) {
            if (names->entry[i].age != names->age) continue;
            for (k = names->entry[i].hash & (larger.room - 1); larger.entry[k].age;)
                k = (k + 1) & (larger.room - 1);
            larger.entry[k] = names->entry[i];
        }
        soothi_free(m->env, names->entry, names->room, sizeof *names->entry);
        *names = larger;
    }
    e = soothi_ptx_slot(names, text, word, scope, hash);
    if (e->age != names->age) {
        e->hash = hash;
        e->age = names->age;
        e->at = (uint32_t)(word.text - text);
        e->length = (uint32_t)word.length;
        e->scope = scope;
        e->number = SOOTH_PTX_NONE;
        ++names->count;
    }
    return &e->number;
}

SOOTHI_LOCAL void soothi_ptx_names_free(sooth_env *env, soothi_ptx_names *names) {
    soothi_free(env, names->entry, names->room, sizeof *names->entry);
}

/* ---- reading ---- */

/* A label that an instruction or a table names; found when the function has been read. */
typedef struct soothi_ptx_reference {
    sooth_ptx_word name;
    uint32_t scope;
} soothi_ptx_reference;

/* The targets of one .branchtargets. */
typedef struct soothi_ptx_targets {
    uint32_t first, count; /* in target[] */
} soothi_ptx_targets;

typedef struct soothi_ptx_call {
    uint32_t instruction, function;
    sooth_ptx_word callee;
} soothi_ptx_call;

/* A definition of a register, and the one before it of the same register. */
typedef struct soothi_ptx_definition {
    uint32_t instruction, block;
    uint32_t next; /* NONE: the last */
} soothi_ptx_definition;

/* Everything needed to follow values through one function. */
typedef struct soothi_ptx_flow {
    soothi_ptx_memory *memory;
    const sooth_ptx *ptx;
    const sooth_ptx_function *function;
    const sooth_ptx_value *value; /* that the caller knows */
    size_t values;
    soothi_ptx_names names; /* of registers: the newest definition */
    soothi_ptx_definition *definition;
    size_t definitions, room;
} soothi_ptx_flow;

typedef struct soothi_ptx_reader {
    soothi_ptx_memory memory;
    sooth_ptx *out;
    const char *p, *end;
    uint32_t most_notes;
    const char *counted;          /* up to here newlines are counted: */
    uint32_t line;                /* the line of that place */
    uint32_t function;            /* the one being read; NONE: none */
    uint32_t source, source_line; /* of the .loc in force */
    uint32_t scope, depth;
    int is_open;                                       /* the last block takes more instructions */
    int has_generic;                                   /* an address that may lie in any memory */
    soothi_ptx_names forms, functions, labels, shared; /* shared: variables of the module */
    uint32_t *scope_parent;
    size_t scopes, scope_room;
    soothi_ptx_reference *reference, *target;
    size_t references, reference_room, targets, target_room;
    soothi_ptx_targets *table;
    size_t tables, table_room;
    soothi_ptx_call *call;
    size_t calls, call_room;
    uint32_t *scratch;
    size_t scratch_room;
    soothi_ptx_flow flow;
} soothi_ptx_reader;

enum {
    SOOTHI_PTX_FUNCTIONS,
    SOOTHI_PTX_INSTRUCTIONS,
    SOOTHI_PTX_FORMS,
    SOOTHI_PTX_BLOCKS,
    SOOTHI_PTX_EDGES,
    SOOTHI_PTX_LOOPS,
    SOOTHI_PTX_LABELS,
    SOOTHI_PTX_VARIABLES,
    SOOTHI_PTX_NOTES,
    SOOTHI_PTX_SCOPES = 200 /* braces within braces, at most */
};

/* scratch[0..count), unset; NULL without memory. */
SOOTHI_LOCAL uint32_t *soothi_ptx_scratch(soothi_ptx_reader *r, size_t count) {
    if (count > r->scratch_room && !soothi_ptx_grow(&r->memory, &r->scratch, 0, &r->scratch_room,
                                                    soothi_product(count, 2), sizeof *r->scratch))
        return NULL;
    return r->scratch;
}

/* ---- notes ---- */

/* The line of a place, where places never go back. */
SOOTHI_LOCAL uint32_t soothi_ptx_line(soothi_ptx_reader *r, const char *at) {
    if (at > r->counted) {
        r->line += soothi_ptx_lines(r->counted, (size_t)(at - r->counted));
        r->counted = at;
    }
    return r->line;
}

/* A word cut for a sentence, without what a terminal could take amiss. */
SOOTHI_LOCAL const char *soothi_ptx_brief(char room[52], sooth_ptx_word word) {
    size_t i, n = word.length < 48 ? word.length : 45;
    for (i = 0; i < n; ++i) {
        const unsigned char c = (unsigned char)word.text[i];
        room[i] = c >= 32 && c < 127 ? (char)c : '?';
    }
    if (n < word.length) {
        memcpy(room + n, "...", 3);
        n += 3;
    }
    room[n] = 0;
    return room;
}

/* Notes an error or a remark; the word and `more` are put where the format has its first and second %s.
   Always returns 0, as everything below does after an error. */
SOOTHI_LOCAL int soothi_ptx_note(soothi_ptx_reader *r, int is_error, const char *at, const char *format,
                                 sooth_ptx_word word, const char *more) {
    sooth_ptx *out = r->out;
    sooth_ptx_note *note;
    char room[52];
    if (is_error) ++out->errors;
    else ++out->remarks;
    if (is_error && r->function != SOOTH_PTX_NONE) out->function[r->function].is_broken = 1;
    if (out->notes >= r->most_notes) return 0;
    if (!SOOTHI_PTX_MORE_OUT(note, notes, NOTES)) return 0;
    note = &out->note[out->notes++];
    memset(note, 0, sizeof *note);
    note->is_error = (uint32_t)is_error;
    note->function = r->function;
    sooth_ptx_place(out, (size_t)(at - out->text), &note->line, &note->column);
    sooth_text_format(note->text, sizeof note->text, format, soothi_ptx_brief(room, word), more);
    return 0;
}

SOOTHI_LOCAL int soothi_ptx_error(soothi_ptx_reader *r, const char *at, const char *format,
                                  sooth_ptx_word word) {
    return soothi_ptx_note(r, 1, at, format, word, "");
}

/* Something else stands at r->p than `what` says: a name or number, else one character, or the text ends. */
SOOTHI_LOCAL int soothi_ptx_missing(soothi_ptx_reader *r, const char *what) {
    sooth_ptx_word word = soothi_ptx_word(r->p, 0);
    while (r->p + word.length < r->end && soothi_ptx_in_word(r->p[word.length])) ++word.length;
    if (word.length == 0) word.length = 1;
    if (r->p >= r->end) word = soothi_ptx_word("the end of the text", 19);
    return soothi_ptx_note(r, 1, r->p, "%s stands where %s", word, what);
}

/* ---- small pieces of syntax; each returns 1, or 0 after noting an error ---- */

SOOTHI_LOCAL void soothi_ptx_blank(soothi_ptx_reader *r) { r->p = soothi_ptx_skip(r->p, r->end); }

/* Takes c if it is next, blanks before it included. */
SOOTHI_LOCAL int soothi_ptx_take(soothi_ptx_reader *r, char c) {
    soothi_ptx_blank(r);
    if (r->p >= r->end || *r->p != c) return 0;
    ++r->p;
    return 1;
}

SOOTHI_LOCAL int soothi_ptx_expect(soothi_ptx_reader *r, char c, const char *what) {
    return soothi_ptx_take(r, c) || soothi_ptx_missing(r, what);
}

/* A name; `what` NULL: there need not be one, and nothing is noted. */
SOOTHI_LOCAL int soothi_ptx_take_name(soothi_ptx_reader *r, sooth_ptx_word *name, const char *what) {
    soothi_ptx_blank(r);
    *name = soothi_ptx_name(r->p, r->end);
    r->p += name->length;
    return name->length > 0 || (what && soothi_ptx_missing(r, what));
}

/* A whole number: decimal, 0x, 0b, octal, U behind it. Returns the bytes taken; 0: none. Wraps at 64 bits. */
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

/* Takes a whole number; `what` NULL: there need not be one, and nothing is noted. */
SOOTHI_LOCAL int soothi_ptx_number(soothi_ptx_reader *r, uint64_t *value, const char *what) {
    size_t n;
    *value = 0;
    soothi_ptx_blank(r);
    n = soothi_ptx_whole(r->p, r->end, value);
    r->p += n;
    return n > 0 || (what && soothi_ptx_missing(r, what));
}

/* A string without escapes, within a line. */
SOOTHI_LOCAL int soothi_ptx_string(soothi_ptx_reader *r) {
    const char *start;
    if (!soothi_ptx_expect(r, '"', "a string should begin")) return 0;
    for (start = r->p - 1; r->p < r->end && *r->p != '"' && *r->p != '\n';) ++r->p;
    if (r->p < r->end && *r->p == '"') return ++r->p, 1;
    return soothi_ptx_error(r, start, "the string that begins here is not closed", soothi_ptx_word("", 0));
}

/* Takes a directive with its point, if one is next; blanks before it in any case. */
SOOTHI_LOCAL int soothi_ptx_directive(soothi_ptx_reader *r, sooth_ptx_word *word) {
    const char *q;
    soothi_ptx_blank(r);
    *word = soothi_ptx_word(r->p, 0);
    if (r->p >= r->end || *r->p != '.') return 0;
    for (q = r->p + 1; q < r->end;) {
        if (soothi_ptx_in_name(*q)) ++q;
        else if (*q == ':' && r->end - q > 2 && q[1] == ':' && soothi_ptx_in_name(q[2])) q += 2;
        else break;
    }
    word->length = (size_t)(q - r->p);
    r->p = q;
    return 1;
}

/* Skips to behind the brace that closes the one at p; strings and comments may stand between. */
SOOTHI_LOCAL int soothi_ptx_braces(soothi_ptx_reader *r) {
    const char *start = r->p;
    uint32_t depth = 0;
    while (r->p < r->end) {
        const char c = *r->p;
        if (c == '/') {
            const char *q = soothi_ptx_skip(r->p, r->end);
            r->p = q > r->p ? q : r->p + 1;
        } else if (c == '"') {
            if (!soothi_ptx_string(r)) return 0;
        } else {
            ++r->p;
            if (c == '{') ++depth;
            if (c == '}' && --depth == 0) return 1;
        }
    }
    return soothi_ptx_error(r, start, "the brace that opens here is not closed", soothi_ptx_word("", 0));
}

/* Skips to behind the next ; outside braces. */
SOOTHI_LOCAL int soothi_ptx_statement(soothi_ptx_reader *r) {
    const char *start = r->p;
    for (;;) {
        soothi_ptx_blank(r);
        if (r->p >= r->end)
            return soothi_ptx_error(r, start, "this directive has no ; at its end", soothi_ptx_word("", 0));
        if (*r->p == ';') return ++r->p, 1;
        if (*r->p == '}') return soothi_ptx_missing(r, "a ; should");
        if (*r->p == '{') {
            if (!soothi_ptx_braces(r)) return 0;
        } else if (*r->p == '"') {
            if (!soothi_ptx_string(r)) return 0;
        } else {
            ++r->p;
        }
    }
}

/* ---- variables, registers, parameters ---- */

/* What a declaration says: .align 16 .v4 .f32 before its names, and a name with <range> or [n][m]. */
typedef struct soothi_ptx_declared {
    uint32_t type, vector, align;
    sooth_ptx_word name;
    uint64_t range;    /* 1: none */
    uint64_t elements; /* of the array; 0 for [] */
} soothi_ptx_declared;

/* .attribute(...), whose name has been taken. */
SOOTHI_LOCAL int soothi_ptx_attribute(soothi_ptx_reader *r) {
    if (!soothi_ptx_expect(r, '(', "a ( should, after .attribute")) return 0;
    while (r->p < r->end && *r->p != ')' && *r->p != ';' && *r->p != '{') ++r->p;
    return soothi_ptx_expect(r, ')', "a ) should, after .attribute");
}

SOOTHI_LOCAL int soothi_ptx_before_names(soothi_ptx_reader *r, soothi_ptx_declared *d) {
    sooth_ptx_word word;
    uint64_t number;
    d->type = SOOTH_PTX_UNTYPED;
    d->vector = 1;
    d->align = 0;
    while (soothi_ptx_directive(r, &word)) {
        const unsigned type = soothi_ptx_find_type(soothi_ptx_word(word.text + 1, word.length - 1));
        if (type != SOOTH_PTX_UNTYPED) {
            d->type = type;
        } else if (word.length == 3 && word.text[1] == 'v' && word.text[2] >= '2' && word.text[2] <= '8') {
            d->vector = (uint32_t)(word.text[2] - '0');
        } else if (soothi_ptx_is(word, ".align")) {
            if (!soothi_ptx_number(r, &number, "a number should, after .align")) return 0;
            if (d->align == 0) d->align = number < 65536 ? (uint32_t)number : 65536; /* else: of a pointer */
        } else if (soothi_ptx_is(word, ".attribute")) {
            if (!soothi_ptx_attribute(r)) return 0;
        } else if (soothi_ptx_is(word, ".ptr")) {
            if (d->align == 0) d->align = 1; /* what follows is about where it points to */
        } else if (soothi_ptx_is(word, ".const") && soothi_ptx_take(r, '[')) { /* .const[0], of old */
            if (!soothi_ptx_number(r, &number, "the number of a bank should") ||
                !soothi_ptx_expect(r, ']', "a ] should, after a bank"))
                return 0;
        }
    }
    return 1;
}

SOOTHI_LOCAL int soothi_ptx_one_name(soothi_ptx_reader *r, soothi_ptx_declared *d) {
    d->range = d->elements = 1;
    if (!soothi_ptx_take_name(r, &d->name, "a name should")) return 0;
    if (soothi_ptx_take(r, '<') && (!soothi_ptx_number(r, &d->range, "the number of names should") ||
                                    !soothi_ptx_expect(r, '>', "a > should, after the number of names")))
        return 0;
    while (soothi_ptx_take(r, '[')) {
        uint64_t n = 0;
        if (!soothi_ptx_take(r, ']') && (!soothi_ptx_number(r, &n, "the size of an array should") ||
                                         !soothi_ptx_expect(r, ']', "a ] should, after a size")))
            return 0;
        d->elements = n && d->elements > (UINT64_MAX >> 16) / n ? UINT64_MAX >> 16 : d->elements * n;
    }
    return 1;
}

/* Skips the value behind a = to the , or ; that ends it. */
SOOTHI_LOCAL int soothi_ptx_initialiser(soothi_ptx_reader *r) {
    const char *start = r->p;
    uint32_t depth = 0;
    for (;; ++r->p) {
        soothi_ptx_blank(r);
        if (r->p >= r->end)
            return soothi_ptx_error(r, start, "this value has no ; at its end", soothi_ptx_word("", 0));
        if (*r->p == '(' || *r->p == '{') ++depth;
        else if ((*r->p == ')' || *r->p == '}') && depth-- == 0)
            return soothi_ptx_missing(r, "a ; should, after a value");
        else if (*r->p == ';' || (*r->p == ',' && depth == 0)) return 1;
    }
}

/* Adds one variable; NULL without memory. */
SOOTHI_LOCAL sooth_ptx_variable *soothi_ptx_variable(soothi_ptx_reader *r, const soothi_ptx_declared *d,
                                                     unsigned space) {
    const uint32_t bytes = (d->vector * sooth_ptx_type_bits((sooth_ptx_type)d->type) + 7) / 8;
    sooth_ptx *out = r->out;
    sooth_ptx_variable *v;
    if (!SOOTHI_PTX_MORE_OUT(variable, variables, VARIABLES)) return NULL;
    v = &out->variable[out->variables++];
    memset(v, 0, sizeof *v);
    v->name = d->name;
    v->function = r->function;
    v->type = (uint8_t)d->type;
    v->bytes = d->elements * bytes;
    v->align = d->align ? d->align : bytes;
    v->space = (uint8_t)space;
    v->user = SOOTH_PTX_NONE;
    return v;
}

/* The size of what has `size` bytes and then the variable. */
SOOTHI_LOCAL uint64_t soothi_ptx_with(uint64_t size, const sooth_ptx_variable *v) {
    const uint64_t step = v->align ? v->align : 1;
    return (size + step - 1) / step * step + v->bytes;
}

/* Shared memory of the function grows by a variable; one without a size is as large as the launch says. */
SOOTHI_LOCAL void soothi_ptx_add_shared(sooth_ptx_function *f, const sooth_ptx_variable *v) {
    f->shared_bytes = soothi_ptx_with(f->shared_bytes, v);
    if (v->bytes == 0) f->dynamic_shared = 1;
}

/* .global .const .shared .local .tex in front of variables, up to the ; */
SOOTHI_LOCAL int soothi_ptx_variables(soothi_ptx_reader *r, unsigned space, int is_extern) {
    sooth_ptx_function *f = r->function == SOOTH_PTX_NONE ? NULL : &r->out->function[r->function];
    soothi_ptx_declared d;
    if (!soothi_ptx_before_names(r, &d)) return 0;
    do {
        sooth_ptx_variable *v;
        if (!soothi_ptx_one_name(r, &d) || (v = soothi_ptx_variable(r, &d, space)) == NULL) return 0;
        v->is_extern = (uint8_t)is_extern;
        if (f && space == SOOTH_PTX_SHARED) {
            soothi_ptx_add_shared(f, v);
        } else if (f && space == SOOTH_PTX_LOCAL) {
            f->local_bytes = soothi_ptx_with(f->local_bytes, v);
        } else if (space == SOOTH_PTX_SHARED) { /* functions that name it will use it */
            uint32_t *number = soothi_ptx_enter(&r->memory, &r->shared, r->out->text, d.name, 0);
            if (!number) return 0;
            if (*number == SOOTH_PTX_NONE) *number = (uint32_t)r->out->variables - 1;
        }
        if (soothi_ptx_take(r, '=') && !soothi_ptx_initialiser(r)) return 0;
    } while (soothi_ptx_take(r, ','));
    return soothi_ptx_expect(r, ';', "a ; should, after a variable");
}

/* .reg .b32 %r<24>, a, b; */
SOOTHI_LOCAL int soothi_ptx_registers(soothi_ptx_reader *r) {
    sooth_ptx_function *f = &r->out->function[r->function];
    soothi_ptx_declared d;
    if (!soothi_ptx_before_names(r, &d)) return 0;
    if (d.type == SOOTH_PTX_UNTYPED) return soothi_ptx_missing(r, "the type of a register should");
    do {
        if (!soothi_ptx_one_name(r, &d)) return 0;
        f->registers[d.type] += (uint32_t)(d.range < 16777216 ? d.range : 16777216) * d.vector;
    } while (soothi_ptx_take(r, ','));
    return soothi_ptx_expect(r, ';', "a ; should, after registers");
}

/* .param .u64 a, .param .align 4 .b8 b[12] ) of a function; of its results nothing is kept. */
SOOTHI_LOCAL int soothi_ptx_parameters(soothi_ptx_reader *r, int keep) {
    if (soothi_ptx_take(r, ')')) return 1;
    do {
        soothi_ptx_declared d;
        sooth_ptx_word word;
        soothi_ptx_directive(r, &word);
        if (!soothi_ptx_is(word, ".param") && !soothi_ptx_is(word, ".reg")) {
            r->p = word.text;
            return soothi_ptx_missing(r, ".param should");
        }
        if (!soothi_ptx_before_names(r, &d) || !soothi_ptx_one_name(r, &d)) return 0;
        if (keep) {
            const sooth_ptx_variable *v = soothi_ptx_variable(r, &d, SOOTH_PTX_PARAM);
            sooth_ptx_function *f = &r->out->function[r->function];
            if (!v) return 0;
            ++f->params;
            f->param_bytes = soothi_ptx_with(f->param_bytes, v);
        }
    } while (soothi_ptx_take(r, ','));
    return soothi_ptx_expect(r, ')', "a ) should, after parameters");
}

/* ---- directives that stand anywhere ---- */

/* file line column, behind .loc and inlined_at. */
SOOTHI_LOCAL int soothi_ptx_position(soothi_ptx_reader *r, uint64_t position[3]) {
    return soothi_ptx_number(r, &position[0], "the number of a file should") &&
           soothi_ptx_number(r, &position[1], "a line should, after .loc and the file") &&
           soothi_ptx_number(r, &position[2], "a column should, after .loc, file and line");
}

/* .loc file line column [, function_name label [+ n], inlined_at file line column] */
SOOTHI_LOCAL int soothi_ptx_location(soothi_ptx_reader *r) {
    uint64_t position[3];
    sooth_ptx_word word;
    const char *after;
    if (!soothi_ptx_position(r, position)) return 0;
    r->source = (uint32_t)position[0];
    r->source_line = (uint32_t)position[1];
    for (after = r->p; soothi_ptx_take(r, ','); after = r->p) {
        soothi_ptx_take_name(r, &word, NULL);
        if (soothi_ptx_is(word, "inlined_at")) {
            if (!soothi_ptx_position(r, position)) return 0;
        } else if (soothi_ptx_is(word, "function_name")) {
            if (!soothi_ptx_take_name(r, &word, "the name of a function should")) return 0;
            if (soothi_ptx_take(r, '+') && !soothi_ptx_number(r, position, "a number should, after +"))
                return 0;
        } else {
            r->p = word.text;
            return soothi_ptx_missing(r, "inlined_at or function_name should, after .loc");
        }
    }
    r->p = after;
    return 1;
}

/* .file number "name" [, time, size] */
SOOTHI_LOCAL int soothi_ptx_file(soothi_ptx_reader *r) {
    uint64_t number;
    if (!soothi_ptx_number(r, &number, "a number should, after .file") || !soothi_ptx_string(r)) return 0;
    while (soothi_ptx_take(r, ','))
        if (!soothi_ptx_number(r, &number, "a number should, after .file")) return 0;
    return 1;
}

/* .section name { ... }: debug data, skipped. */
SOOTHI_LOCAL int soothi_ptx_section(soothi_ptx_reader *r) {
    while (r->p < r->end && *r->p != '{' && *r->p != ';' && *r->p != '\n') ++r->p;
    soothi_ptx_blank(r);
    if (r->p >= r->end || *r->p != '{') return soothi_ptx_missing(r, "a { should, after .section");
    return soothi_ptx_braces(r);
}

/* Takes .extern .visible .weak .common, which may stand before a directive, and what follows them. */
SOOTHI_LOCAL int soothi_ptx_linkage(soothi_ptx_reader *r, sooth_ptx_word *word) {
    int is_extern = 0;
    while (soothi_ptx_is(*word, ".extern") || soothi_ptx_is(*word, ".visible") ||
           soothi_ptx_is(*word, ".weak") || soothi_ptx_is(*word, ".common")) {
        is_extern |= word->text[1] == 'e';
        soothi_ptx_directive(r, word);
    }
    return is_extern;
}

/* A directive that has been taken, in a function or outside. */
SOOTHI_LOCAL int soothi_ptx_any_directive(soothi_ptx_reader *r, sooth_ptx_word word, int is_extern) {
    unsigned space = SOOTH_PTX_CLASSES;
    if (word.length) space = soothi_ptx_find_space(soothi_ptx_word(word.text + 1, word.length - 1));
    if (soothi_ptx_is(word, ".loc")) return soothi_ptx_location(r);
    if (soothi_ptx_is(word, ".file")) return soothi_ptx_file(r);
    if (soothi_ptx_is(word, ".section")) return soothi_ptx_section(r);
    if (space < SOOTH_PTX_PARAM) return soothi_ptx_variables(r, space, is_extern);
    return soothi_ptx_statement(r); /* .param of calls, .alias a, b; .pragma "nounroll"; what is to come */
}

/* ---- labels ---- */

/* The label that a name means inside a scope: of that scope or the nearest one around it; or NONE. */
SOOTHI_LOCAL uint32_t soothi_ptx_resolve(const soothi_ptx_reader *r, const soothi_ptx_reference *reference) {
    uint32_t scope = reference->scope, found;
    for (;; scope = r->scope_parent[scope]) {
        found = soothi_ptx_find(&r->labels, r->out->text, reference->name, scope);
        if (found != SOOTH_PTX_NONE || scope == 0) return found;
    }
}

/* Begins a block at p unless the last one is still empty. */
SOOTHI_LOCAL int soothi_ptx_begin_block(soothi_ptx_reader *r, const char *p) {
    sooth_ptx *out = r->out;
    sooth_ptx_block *b;
    if (r->is_open && out->block[out->blocks - 1].count == 0) return 1;
    if (!SOOTHI_PTX_MORE_OUT(block, blocks, BLOCKS)) return 0;
    b = &out->block[out->blocks++];
    memset(b, 0, sizeof *b);
    b->first = (uint32_t)out->instructions;
    b->idom = b->order = b->loop = b->label = SOOTH_PTX_NONE;
    b->function = r->function;
    b->line = soothi_ptx_line(r, p);
    b->source = r->source;
    b->source_line = r->source_line;
    ++out->function[r->function].blocks;
    r->is_open = 1;
    return 1;
}

/* Notes that `name` is referred to here, in list[0..*count). */
SOOTHI_LOCAL int soothi_ptx_refer(soothi_ptx_reader *r, soothi_ptx_reference **list, size_t *count,
                                  size_t *room, sooth_ptx_word name) {
    if (!SOOTHI_PTX_MORE(&r->memory, *list, *count, *room)) return 0;
    (*list)[*count].name = name;
    (*list)[(*count)++].scope = r->scope;
    return 1;
}

/* Names in front of a , ; list: the targets of .branchtargets, or the functions of .calltargets. */
SOOTHI_LOCAL int soothi_ptx_target_list(soothi_ptx_reader *r) {
    sooth_ptx_word name;
    do {
        if (!soothi_ptx_take_name(r, &name, "a target should") ||
            !soothi_ptx_refer(r, &r->target, &r->targets, &r->target_room, name))
            return 0;
    } while (soothi_ptx_take(r, ','));
    return soothi_ptx_expect(r, ';', "a ; should, after targets");
}

/* A label has been read up to its colon. In front of .branchtargets, .calltargets or .callprototype it names
   a table, else the place where a block begins. */
SOOTHI_LOCAL int soothi_ptx_take_label(soothi_ptx_reader *r, sooth_ptx_word name) {
    sooth_ptx *out = r->out;
    sooth_ptx_label *label;
    sooth_ptx_word word;
    soothi_ptx_targets targets;
    uint32_t *number = soothi_ptx_enter(&r->memory, &r->labels, out->text, name, r->scope);
    if (!number) return 0;
    if (*number != SOOTH_PTX_NONE)
        return soothi_ptx_error(r, name.text, "the label %s stands here for the second time", name);
    if (!SOOTHI_PTX_MORE_OUT(label, labels, LABELS)) return 0;
    *number = (uint32_t)out->labels;
    label = &out->label[out->labels++];
    memset(label, 0, sizeof *label);
    label->name = name;
    label->function = r->function;
    label->scope = r->scope;
    label->block = label->table = SOOTH_PTX_NONE;
    ++out->function[r->function].labels;
    targets.first = (uint32_t)r->targets;
    soothi_ptx_directive(r, &word);
    if (soothi_ptx_is(word, ".branchtargets") || soothi_ptx_is(word, ".calltargets")) {
        if (!soothi_ptx_target_list(r)) return 0;
    } else if (soothi_ptx_is(word, ".callprototype")) {
        if (!soothi_ptx_statement(r)) return 0;
    } else {
        r->p = word.text;
        if (!soothi_ptx_begin_block(r, name.text)) return 0;
        label->block = (uint32_t)out->blocks - 1;
        if (out->block[label->block].label == SOOTH_PTX_NONE) out->block[label->block].label = *number;
        return 1;
    }
    if (!SOOTHI_PTX_MORE(&r->memory, r->table, r->tables, r->table_room)) return 0;
    targets.count = (uint32_t)r->targets - targets.first;
    label->table = (uint32_t)r->tables;
    r->table[r->tables++] = targets;
    return 1;
}

/* ---- instructions ---- */

/* The number of the form of this opcode, or NONE without memory. */
SOOTHI_LOCAL uint32_t soothi_ptx_form_of(soothi_ptx_reader *r, sooth_ptx_word word) {
    sooth_ptx *out = r->out;
    sooth_ptx_form *form;
    uint32_t *number = soothi_ptx_enter(&r->memory, &r->forms, out->text, word, 0);
    if (!number || *number != SOOTH_PTX_NONE) return number ? *number : SOOTH_PTX_NONE;
    if (!SOOTHI_PTX_MORE_OUT(form, forms, FORMS)) return SOOTH_PTX_NONE;
    form = &out->form[out->forms];
    memset(form, 0, sizeof *form);
    form->text = word.text;
    form->length = (uint32_t)word.length;
    soothi_ptx_classify(form);
    *number = (uint32_t)out->forms++;
    return *number;
}

/* What the operands of an instruction are, as far as branches, calls and copies need it. */
typedef struct soothi_ptx_found {
    sooth_ptx_word first, last; /* names outside brackets */
    sooth_ptx_word size;        /* the last operand outside brackets where it is a number */
} soothi_ptx_found;

/* A shared variable of the module is used by the functions that name it. */
SOOTHI_LOCAL void soothi_ptx_uses(soothi_ptx_reader *r, sooth_ptx_word name) {
    const uint32_t number = soothi_ptx_find(&r->shared, r->out->text, name, 0);
    sooth_ptx_variable *v;
    if (number == SOOTH_PTX_NONE) return;
    v = &r->out->variable[number];
    if (v->user != r->function) soothi_ptx_add_shared(&r->out->function[r->function], v);
    v->user = r->function;
}

/* The operands up to the ; : names, numbers, brackets of three kinds with lists inside, joined by operators
   and commas. */
SOOTHI_LOCAL int soothi_ptx_take_operands(soothi_ptx_reader *r, soothi_ptx_found *found) {
    const char *p = r->p, *const end = r->end, *start;
    char close[32]; /* the brackets that are open */
    unsigned depth = 0;
    int need = 1, any = 0; /* an operand must come next; there was one */
    memset(found, 0, sizeof *found);
    for (; p < end;) {
        switch (soothi_ptx_char(*p)) {
        case SOOTHI_PTX_BLANK: ++p; break;
        case SOOTHI_PTX_SLASH:
            start = p;
            p = soothi_ptx_skip(p, end);
            if (p > start) break;
            if (need) goto unexpected;
            need = 1;
            ++p;
            break;
        case SOOTHI_PTX_LETTER:
            if (!need) goto unexpected;
            for (start = p++; p < end && soothi_ptx_in_word(*p);) ++p;
            if (depth == 0) {
                found->last = soothi_ptx_word(start, (size_t)(p - start));
                if (found->first.length == 0) found->first = found->last;
                found->size.length = 0;
            }
            if (r->shared.count && *start != '%')
                soothi_ptx_uses(r, soothi_ptx_word(start, (size_t)(p - start)));
            need = 0;
            any = 1;
            break;
        case SOOTHI_PTX_DIGIT:
            if (!need) goto unexpected;
            for (start = p++; p < end; ++p) { /* 1.5e-3, but not 0x1e-3 */
                const int exponent = (p[-1] | 32) == 'e' && (p - start < 2 || (start[1] | 32) != 'x');
                if (!soothi_ptx_in_word(*p) && !(exponent && (*p == '-' || *p == '+'))) break;
            }
            if (depth == 0) found->size = soothi_ptx_word(start, (size_t)(p - start));
            need = 0;
            any = 1;
            break;
        case SOOTHI_PTX_OPEN:
            if (!need || depth == sizeof close) goto unexpected;
            close[depth++] = *p == '(' ? ')' : *p == '[' ? ']' : '}';
            for (++p; p < end && soothi_ptx_char(*p) == SOOTHI_PTX_BLANK;) ++p;
            if (p < end && *p == ')' && close[depth - 1] == ')') need = 0; /* call f, (); */
            any = 1;
            break;
        case SOOTHI_PTX_CLOSE:
            if (need || depth == 0 || close[depth - 1] != *p) goto unexpected;
            --depth;
            ++p;
            break;
        case SOOTHI_PTX_SIGN:
            ++p;
            need = 1;
            break;
        case SOOTHI_PTX_COMMA:
        case SOOTHI_PTX_BETWEEN:
            if (need) goto unexpected;
            need = 1;
            ++p;
            break;
        case SOOTHI_PTX_BEFORE:
            if (!need) goto unexpected;
            ++p;
            break;
        case SOOTHI_PTX_END:
            if (depth > 0 || (need && any)) goto unexpected;
            r->p = p + 1;
            return 1;
        default: goto unexpected;
        }
    }
    return soothi_ptx_error(r, r->p, "the text ends within an instruction", soothi_ptx_word("", 0));
unexpected:
    r->p = p;
    return soothi_ptx_missing(r, need ? "an operand should" : "a comma or ; should");
}

/* An instruction with this opcode is the last of its block. */
SOOTHI_LOCAL int soothi_ptx_is_last(unsigned opcode) {
    return opcode == SOOTH_PTX_OP_BRA || opcode == SOOTH_PTX_OP_BRX || opcode == SOOTH_PTX_OP_RET ||
           opcode == SOOTH_PTX_OP_EXIT || opcode == SOOTH_PTX_OP_TRAP;
}

/* Keeps what must be looked up later, the target of a branch or the callee of a call; and a copy's size. */
SOOTHI_LOCAL int soothi_ptx_look_ahead(soothi_ptx_reader *r, sooth_ptx_instruction *ins, sooth_ptx_word word,
                                       const soothi_ptx_found *found) {
    const sooth_ptx_form *form = &r->out->form[ins->form];
    const sooth_ptx_word target = form->opcode == SOOTH_PTX_OP_BRX ? found->last : found->first;
    uint64_t bytes;
    if (form->flags & SOOTH_PTX_GENERIC) r->has_generic = 1;
    switch (form->opcode) {
    case SOOTH_PTX_OP_BRA:
    case SOOTH_PTX_OP_BRX:
        if (target.length == 0)
            return soothi_ptx_error(r, r->out->text + ins->at, "%s names no target", word);
        return soothi_ptx_refer(r, &r->reference, &r->references, &r->reference_room, target);
    case SOOTH_PTX_OP_CALL:
        if (target.length == 0)
            return soothi_ptx_error(r, r->out->text + ins->at, "%s names no function", word);
        if (!SOOTHI_PTX_MORE(&r->memory, r->call, r->calls, r->call_room)) return 0;
        r->call[r->calls].instruction = (uint32_t)r->out->instructions;
        r->call[r->calls].function = r->function;
        r->call[r->calls++].callee = target;
        ++r->out->function[r->function].calls;
        return 1;
    case SOOTH_PTX_OP_UNKNOWN:
        ++r->out->unknown;
        if (form->count == 0)
            soothi_ptx_note(r, 0, r->out->text + ins->at, "the opcode %s is not known; it counts as misc",
                            word, "");
        return r->memory.status == SOOTH_OK;
    default:
        if ((form->flags & SOOTH_PTX_ASYNCHRONOUS) && found->size.length &&
            soothi_ptx_whole(found->size.text, found->size.text + found->size.length, &bytes) &&
            bytes < SOOTH_PTX_NONE)
            ins->target = (uint32_t)bytes;
        return 1;
    }
}

/* The instruction whose opcode is `word`, behind which r->p stands; `at` is where it begins, with its
   predicate. */
SOOTHI_LOCAL int soothi_ptx_instruction(soothi_ptx_reader *r, const char *at, sooth_ptx_word word,
                                        unsigned flags) {
    sooth_ptx *out = r->out;
    sooth_ptx_instruction *ins;
    soothi_ptx_found found;
    uint32_t number;
    if (word.text - at > 65535)
        return soothi_ptx_error(r, at, "the opcode %s is too far from its predicate", word);
    if (!soothi_ptx_take_operands(r, &found)) return 0;
    number = soothi_ptx_form_of(r, word);
    if (number == SOOTH_PTX_NONE || (!r->is_open && !soothi_ptx_begin_block(r, at))) return 0;
    if (!SOOTHI_PTX_MORE_OUT(instruction, instructions, INSTRUCTIONS)) return 0;
    ins = &out->instruction[out->instructions];
    ins->at = (uint32_t)(at - out->text);
    ins->form = number;
    ins->target = SOOTH_PTX_NONE;
    ins->skip = (uint16_t)(word.text - at);
    ins->kind = out->form[number].kind;
    ins->flags = (uint8_t)flags;
    if (!soothi_ptx_look_ahead(r, ins, word, &found)) return 0;
    if (soothi_ptx_is_last(out->form[number].opcode)) r->is_open = 0;
    ++out->form[number].count;
    ++out->block[out->blocks - 1].count;
    ++out->instructions;
    ++out->function[r->function].instructions;
    return 1;
}

/* A word that may be an opcode: its modifiers behind points, also where blanks stand before them, and banks
   as in ld.const[10].u32, of old. */
SOOTHI_LOCAL sooth_ptx_word soothi_ptx_opcode_at(const char *p, const char *end) {
    const char *start = p, *q;
    for (;;) {
        while (p < end && soothi_ptx_in_word(*p)) ++p;
        if (end - p > 2 && p[0] == ':' && p[1] == ':' && soothi_ptx_in_name(p[2])) { /* .shared::cta */
            p += 2;
            continue;
        }
        if (end - p > 3 && p[0] == '[' && soothi_ptx_char(p[1]) == SOOTHI_PTX_DIGIT) {
            for (q = p + 1; q < end && soothi_ptx_char(*q) == SOOTHI_PTX_DIGIT;) ++q;
            if (end - q > 1 && q[0] == ']' && q[1] == '.') {
                p = q + 1;
                continue;
            }
        }
        for (q = p; q < end && (*q == ' ' || *q == '\t');) ++q;
        if (q == p || end - q < 2 || *q != '.' || !soothi_ptx_in_name(q[1]))
            return soothi_ptx_word(start, (size_t)(p - start));
        p = q;
    }
}

/* ---- the flow graph ---- */

SOOTHI_LOCAL const sooth_ptx_form *soothi_ptx_form(const sooth_ptx *ptx, const sooth_ptx_instruction *ins) {
    return &ptx->form[ins->form];
}

/* The opcode of a block's last instruction; SOOTH_PTX_OPCODES when it has none. */
SOOTHI_LOCAL unsigned soothi_ptx_ending(const sooth_ptx *ptx, const sooth_ptx_block *b) {
    return b->count ? soothi_ptx_form(ptx, &ptx->instruction[b->first + b->count - 1])->opcode
                    : (unsigned)SOOTH_PTX_OPCODES;
}

/* Appends an edge from the last block that has edges, unless it is there (mark: per block of the function,
   the last block that has an edge to it, plus 1). */
SOOTHI_LOCAL int soothi_ptx_edge(soothi_ptx_reader *r, uint32_t *mark, uint32_t from, uint32_t to) {
    sooth_ptx *out = r->out;
    sooth_ptx_function *f = &out->function[r->function];
    if (mark[to - f->block] == from + 1) return 1;
    if (!SOOTHI_PTX_MORE_OUT(edge, edges, EDGES)) return 0;
    mark[to - f->block] = from + 1;
    out->edge[out->edges++] = to;
    ++out->block[from].edges;
    ++f->edges;
    return 1;
}

/* Appends the edge to the label that is referred to. */
SOOTHI_LOCAL int soothi_ptx_edge_to(soothi_ptx_reader *r, uint32_t *mark, uint32_t from,
                                    const soothi_ptx_reference *to) {
    const uint32_t label = soothi_ptx_resolve(r, to);
    if (label != SOOTH_PTX_NONE && r->out->label[label].block != SOOTH_PTX_NONE)
        return soothi_ptx_edge(r, mark, from, r->out->label[label].block);
    return soothi_ptx_error(r, to->name.text, "there is no label %s here to branch to", to->name);
}

/* The edges of all blocks. A block ends with a label behind it or with bra, brx, ret, exit or trap; all but
   an unpredicated one of these go on to the next block as well. 0: no memory, or a branch to nowhere. */
SOOTHI_LOCAL int soothi_ptx_link(soothi_ptx_reader *r) {
    sooth_ptx *out = r->out;
    sooth_ptx_function *f = &out->function[r->function];
    const soothi_ptx_reference *reference = r->reference;
    uint32_t *mark = soothi_ptx_scratch(r, (size_t)f->blocks + 1);
    uint32_t b, i;
    if (!mark) return 0;
    memset(mark, 0, f->blocks * sizeof *mark);
    for (b = f->block; b < f->block + f->blocks; ++b) {
        sooth_ptx_block *block = &out->block[b];
        const unsigned ending = soothi_ptx_ending(out, block);
        int goes_on = 1;
        block->edge = (uint32_t)out->edges;
        if (ending == SOOTH_PTX_OP_BRA) {
            if (!soothi_ptx_edge_to(r, mark, b, reference++)) return 0;
            out->instruction[block->first + block->count - 1].target = out->edge[block->edge];
        } else if (ending == SOOTH_PTX_OP_BRX) {
            const uint32_t label = soothi_ptx_resolve(r, reference++);
            const soothi_ptx_targets *table;
            if (label == SOOTH_PTX_NONE || out->label[label].table == SOOTH_PTX_NONE)
                return soothi_ptx_error(r, reference[-1].name.text, "there is no table of targets %s here",
                                        reference[-1].name);
            table = &r->table[out->label[label].table];
            for (i = 0; i < table->count; ++i)
                if (!soothi_ptx_edge_to(r, mark, b, &r->target[table->first + i])) return 0;
        }
        if (soothi_ptx_is_last(ending))
            goes_on = (out->instruction[block->first + block->count - 1].flags & SOOTH_PTX_PREDICATED) != 0;
        if (goes_on && b + 1 < f->block + f->blocks && !soothi_ptx_edge(r, mark, b, b + 1)) return 0;
    }
    return 1;
}

/* The arrays that the analysis of one function works with, all in the reader's scratch. Nodes are reachable
   blocks by their number in reverse post-order. */
typedef struct soothi_ptx_graph {
    uint32_t nodes;
    uint32_t *block;      /* per node */
    uint32_t *pred_start; /* per node and one more: in pred[], nodes in falling order */
    uint32_t *pred;
    uint32_t *idom, *tree, *below; /* per node: immediate dominator; number in its tree, size below */
    uint32_t *inner;               /* per node: the innermost loop found so far */
    uint32_t *stack;               /* 2 x edges + 2 x blocks */
} soothi_ptx_graph;

/* Numbers the blocks in reverse post-order of a depth-first walk, and lists predecessors. */
SOOTHI_LOCAL int soothi_ptx_walk(soothi_ptx_reader *r, soothi_ptx_graph *g) {
    sooth_ptx *out = r->out;
    sooth_ptx_function *f = &out->function[r->function];
    const size_t n = f->blocks, m = f->edges;
    uint32_t *next, *scratch = soothi_ptx_scratch(r, 8 * n + 3 * m + 2);
    uint32_t b, i, top = 0, left = f->blocks, node;
    if (!scratch) return 0;
    g->block = scratch;
    g->pred_start = g->block + n;
    g->pred = g->pred_start + n + 1;
    g->idom = g->pred + m;
    g->tree = g->idom + n;
    g->below = g->tree + n;
    g->inner = g->below + n;
    g->stack = g->inner + n;
    next = g->stack + n;
    memset(next, 0, n * sizeof *next);
    out->block[f->block].order = 0; /* on the way: anything but NONE */
    g->stack[top++] = f->block;
    while (top > 0) {
        b = g->stack[top - 1];
        if (next[b - f->block] < out->block[b].edges) {
            const uint32_t to = out->edge[out->block[b].edge + next[b - f->block]++];
            if (out->block[to].order != SOOTH_PTX_NONE) continue;
            out->block[to].order = 0;
            g->stack[top++] = to;
        } else {
            g->block[--left] = b;
            --top;
        }
    }
    g->nodes = f->blocks - left;
    g->block += left;
    f->unreachable = left;
    memset(g->pred_start, 0, (n + 1) * sizeof *g->pred_start);
    for (node = 0; node < g->nodes; ++node) out->block[g->block[node]].order = node;
    for (node = 0; node < g->nodes; ++node) {
        const sooth_ptx_block *block = &out->block[g->block[node]];
        for (i = 0; i < block->edges; ++i) ++g->pred_start[out->block[out->edge[block->edge + i]].order + 1];
    }
    for (node = 0; node < g->nodes; ++node) g->pred_start[node + 1] += g->pred_start[node];
    memcpy(next, g->pred_start, g->nodes * sizeof *next);
    for (node = g->nodes; node-- > 0;) {
        const sooth_ptx_block *block = &out->block[g->block[node]];
        for (i = 0; i < block->edges; ++i)
            g->pred[next[out->block[out->edge[block->edge + i]].order]++] = node;
    }
    return 1;
}

/* The nearest node that dominates both. */
SOOTHI_LOCAL uint32_t soothi_ptx_common(const uint32_t *idom, uint32_t a, uint32_t b) {
    while (a != b) {
        while (a > b) a = idom[a];
        while (b > a) b = idom[b];
    }
    return a;
}

/* Immediate dominators: Cooper, Harvey, Kennedy: A simple, fast dominance algorithm (2001), figure 3.
   Predecessors come in falling order, so that a join of many branches climbs the tree once and not once for
   each. Then the tree is numbered in preorder, from sizes of subtrees. */
SOOTHI_LOCAL void soothi_ptx_dominators(soothi_ptx_graph *g) {
    uint32_t node, i, changed = 1;
    uint32_t *taken = g->stack;
    for (node = 0; node < g->nodes; ++node) g->idom[node] = SOOTH_PTX_NONE;
    g->idom[0] = 0;
    while (changed) {
        changed = 0;
        for (node = 1; node < g->nodes; ++node) {
            uint32_t idom = SOOTH_PTX_NONE;
            for (i = g->pred_start[node]; i < g->pred_start[node + 1]; ++i) {
                const uint32_t p = g->pred[i];
                if (g->idom[p] == SOOTH_PTX_NONE) continue;
                idom = idom == SOOTH_PTX_NONE ? p : soothi_ptx_common(g->idom, p, idom);
            }
            if (g->idom[node] == idom) continue;
            g->idom[node] = idom;
            changed = 1;
        }
    }
    for (node = 0; node < g->nodes; ++node) g->below[node] = 1;
    for (node = g->nodes; node-- > 1;) g->below[g->idom[node]] += g->below[node];
    g->tree[0] = 0;
    taken[0] = 1;
    for (node = 1; node < g->nodes; ++node) {
        g->tree[node] = g->tree[g->idom[node]] + taken[g->idom[node]];
        taken[g->idom[node]] += g->below[node];
        taken[node] = 1;
    }
}

/* Appends the loop of this header, whose latches stand on the stack up to `top`, and marks its blocks: all
   that reaches a latch without passing the header. Inner loops are known already and passed over as wholes;
   their roots stand in `depth` for now, with path halving. */
SOOTHI_LOCAL int soothi_ptx_gather(soothi_ptx_reader *r, soothi_ptx_graph *g, uint32_t header, uint32_t last,
                                   uint32_t top) {
    sooth_ptx *out = r->out;
    sooth_ptx_function *f = &out->function[r->function];
    const uint32_t number = f->loops;
    sooth_ptx_loop *loop;
    if (!SOOTHI_PTX_MORE_OUT(loop, loops, LOOPS)) return 0;
    loop = out->loop + f->loop;
    memset(&loop[number], 0, sizeof *loop);
    loop[number].header = header;
    loop[number].parent = loop[number].test = SOOTH_PTX_NONE;
    loop[number].depth = number;
    loop[number].latches = top;
    loop[number].last = last;
    loop[number].blocks = 1;
    loop[number].trip = -1.0;
    ++f->loops;
    ++out->loops;
    while (top > 0) {
        uint32_t x = g->stack[--top], root = g->inner[x], i;
        if (x == header) continue;
        if (root == SOOTH_PTX_NONE) {
            g->inner[x] = number;
            ++loop[number].blocks;
        } else {
            while (loop[root].depth != root) root = loop[root].depth = loop[loop[root].depth].depth;
            if (root == number) continue;
            loop[root].depth = loop[root].parent = number;
            loop[number].blocks += loop[root].blocks;
            x = loop[root].header;
        }
        for (i = g->pred_start[x]; i < g->pred_start[x + 1]; ++i) g->stack[top++] = g->pred[i];
    }
    g->inner[header] = number;
    return 1;
}

/* Natural loops: an edge back to a block that dominates its source makes one; loops of one header are one.
   Headers are taken from the last in reverse post-order, so inner loops come first. Edges back to a block
   that does not dominate their source are counted. */
SOOTHI_LOCAL int soothi_ptx_loops(soothi_ptx_reader *r, soothi_ptx_graph *g) {
    sooth_ptx *out = r->out;
    sooth_ptx_function *f = &out->function[r->function];
    uint32_t node, i;
    for (node = 0; node < g->nodes; ++node) g->inner[node] = SOOTH_PTX_NONE;
    for (node = g->nodes; node-- > 0;) {
        uint32_t latches = 0, last = 0;
        for (i = g->pred_start[node]; i < g->pred_start[node + 1]; ++i) {
            const uint32_t from = g->pred[i];
            if (from < node) continue;
            if (g->tree[from] - g->tree[node] < g->below[node]) {
                last = latches ? soothi_ptx_common(g->idom, last, from) : from;
                g->stack[latches++] = from;
            } else if (f->irreducible++ == 0) {
                const sooth_ptx_block *b = &out->block[g->block[node]];
                soothi_ptx_note(r, 0, b->count ? out->text + out->instruction[b->first].at : f->name.text,
                                "a loop through here has several entries; it counts as no loop",
                                soothi_ptx_word("", 0), "");
            }
        }
        if (latches && !soothi_ptx_gather(r, g, node, last, latches)) return 0;
    }
    return r->memory.status == SOOTH_OK;
}

/* Turns loops round so that outer ones come first, and from numbers within the function to numbers within the
   module. */
SOOTHI_LOCAL void soothi_ptx_settle(soothi_ptx_reader *r, const soothi_ptx_graph *g) {
    sooth_ptx *out = r->out;
    const sooth_ptx_function *f = &out->function[r->function];
    const uint32_t base = f->loop, k = f->loops;
    uint32_t i, node;
    for (i = 0; i < k / 2; ++i) {
        const sooth_ptx_loop t = out->loop[base + i];
        out->loop[base + i] = out->loop[base + k - 1 - i];
        out->loop[base + k - 1 - i] = t;
    }
    for (i = base; i < base + k; ++i) {
        sooth_ptx_loop *loop = &out->loop[i];
        if (loop->parent != SOOTH_PTX_NONE) loop->parent = base + k - 1 - loop->parent;
        loop->depth = loop->parent == SOOTH_PTX_NONE ? 1 : out->loop[loop->parent].depth + 1;
        loop->header = g->block[loop->header];
        loop->last = g->block[loop->last];
    }
    for (node = 0; node < g->nodes; ++node) {
        sooth_ptx_block *b = &out->block[g->block[node]];
        b->idom = node ? g->block[g->idom[node]] : SOOTH_PTX_NONE;
        b->tree = g->tree[node];
        b->below = g->below[node];
        b->loop = g->inner[node] == SOOTH_PTX_NONE ? SOOTH_PTX_NONE : base + k - 1 - g->inner[node];
    }
}

SOOTH_API int sooth_ptx_dominates(const sooth_ptx *ptx, uint32_t a, uint32_t b) {
    const sooth_ptx_block *x, *y;
    if (a >= ptx->blocks || b >= ptx->blocks) return 0;
    x = &ptx->block[a];
    y = &ptx->block[b];
    return x->function == y->function && x->order != SOOTH_PTX_NONE && y->order != SOOTH_PTX_NONE &&
           y->tree - x->tree < x->below;
}

/* The innermost loop around both, or NONE; the loops given are of blocks. */
SOOTHI_LOCAL uint32_t soothi_ptx_both(const sooth_ptx *ptx, uint32_t a, uint32_t b) {
    while (a != b) {
        if (a == SOOTH_PTX_NONE || b == SOOTH_PTX_NONE) return SOOTH_PTX_NONE;
        if (ptx->loop[a].depth >= ptx->loop[b].depth) a = ptx->loop[a].parent;
        else b = ptx->loop[b].parent;
    }
    return a;
}

/* Block b lies in this loop. */
SOOTHI_LOCAL int soothi_ptx_inside(const sooth_ptx *ptx, uint32_t block, uint32_t loop) {
    uint32_t l = ptx->block[block].loop;
    while (l != SOOTH_PTX_NONE && ptx->loop[l].depth > ptx->loop[loop].depth) l = ptx->loop[l].parent;
    return l == loop;
}

/* Block b leaves the loops from its own outwards to, but without, `until`. */
SOOTHI_LOCAL void soothi_ptx_leaves(sooth_ptx *ptx, uint32_t b, uint32_t until) {
    uint32_t l;
    for (l = ptx->block[b].loop; l != until; l = ptx->loop[l].parent) {
        if (ptx->loop[l].test == b) continue;
        ++ptx->loop[l].exits;
        ptx->loop[l].test = b;
    }
}

/* From where each loop can be left, and whether its only such block is met in every iteration. */
SOOTHI_LOCAL void soothi_ptx_exits(sooth_ptx *ptx, const sooth_ptx_function *f) {
    uint32_t b, i, l;
    for (b = f->block; f->loops && b < f->block + f->blocks; ++b) {
        const sooth_ptx_block *block = &ptx->block[b];
        const unsigned ending = soothi_ptx_ending(ptx, block);
        if (block->loop == SOOTH_PTX_NONE) continue;
        for (i = 0; i < block->edges; ++i)
            soothi_ptx_leaves(ptx, b,
                              soothi_ptx_both(ptx, block->loop, ptx->block[ptx->edge[block->edge + i]].loop));
        if (ending == SOOTH_PTX_OP_RET || ending == SOOTH_PTX_OP_EXIT)
            soothi_ptx_leaves(ptx, b, SOOTH_PTX_NONE);
    }
    for (l = f->loop; l < f->loop + f->loops; ++l) {
        sooth_ptx_loop *loop = &ptx->loop[l];
        if (loop->exits != 1 || ptx->block[loop->test].loop != l ||
            !sooth_ptx_dominates(ptx, loop->test, loop->last)) {
            loop->test = SOOTH_PTX_NONE;
            continue;
        }
        for (i = 0; i < ptx->block[loop->test].edges; ++i)
            if (ptx->edge[ptx->block[loop->test].edge + i] == loop->header) loop->test_is_last = 1;
    }
}

/* ---- operands and values ---- */

/* Behind the opcode of an instruction. */
SOOTHI_LOCAL const char *soothi_ptx_behind(const sooth_ptx *ptx, const sooth_ptx_instruction *ins) {
    return ptx->text + ins->at + ins->skip + soothi_ptx_form(ptx, ins)->length;
}

SOOTH_API size_t sooth_ptx_operands(const sooth_ptx *ptx, const sooth_ptx_instruction *instruction,
                                    sooth_ptx_word *operand, size_t most) {
    const char *p = soothi_ptx_behind(ptx, instruction), *const end = ptx->text + ptx->size, *start, *stop;
    unsigned depth = 0;
    size_t n = 0;
    for (start = stop = p = soothi_ptx_skip(p, end); p < end;) {
        const unsigned kind = soothi_ptx_char(*p);
        if (depth == 0 && (kind == SOOTHI_PTX_COMMA || kind == SOOTHI_PTX_END)) {
            if (stop > start || kind == SOOTHI_PTX_COMMA) {
                if (n < most) operand[n] = soothi_ptx_word(start, (size_t)(stop - start));
                ++n;
            }
            if (kind == SOOTHI_PTX_END) return n;
            start = stop = p = soothi_ptx_skip(p + 1, end);
            continue;
        }
        if (kind == SOOTHI_PTX_OPEN) ++depth;
        if (kind == SOOTHI_PTX_CLOSE && depth) --depth;
        stop = ++p;
        p = soothi_ptx_skip(p, end);
    }
    return n;
}

/* Enters one definition of a register; 0 without memory. */
SOOTHI_LOCAL int soothi_ptx_define(soothi_ptx_flow *flow, sooth_ptx_word name, uint32_t instruction,
                                   uint32_t block) {
    soothi_ptx_definition *d;
    uint32_t *newest = soothi_ptx_enter(flow->memory, &flow->names, flow->ptx->text, name, 0);
    if (!newest || !SOOTHI_PTX_MORE(flow->memory, flow->definition, flow->definitions, flow->room)) return 0;
    d = &flow->definition[flow->definitions];
    d->instruction = instruction;
    d->block = block;
    d->next = *newest;
    *newest = (uint32_t)flow->definitions++;
    return 1;
}

/* The newest definition of a register, or NONE. */
SOOTHI_LOCAL uint32_t soothi_ptx_defined(const soothi_ptx_flow *flow, sooth_ptx_word name) {
    return soothi_ptx_find(&flow->names, flow->ptx->text, name, 0);
}

/* The names in the first operand of an instruction are what it defines: a, a|b, {a, b}, of a call (a, b).
   (Stores and barriers define nothing; what stands first there is no register, or does no harm as one more
   definition.) */
SOOTHI_LOCAL int soothi_ptx_defines(soothi_ptx_flow *flow, uint32_t number, uint32_t block) {
    const sooth_ptx *ptx = flow->ptx;
    const sooth_ptx_instruction *ins = &ptx->instruction[number];
    const char *p, *const end = ptx->text + ptx->size;
    int inside = 0;
    if (ins->kind == SOOTH_PTX_BRANCH || ins->kind == SOOTH_PTX_EXIT) return 1;
    for (p = soothi_ptx_skip(soothi_ptx_behind(ptx, ins), end); p < end; p = soothi_ptx_skip(p, end)) {
        if (soothi_ptx_char(*p) == SOOTHI_PTX_LETTER) {
            const sooth_ptx_word name = soothi_ptx_name(p, end);
            if (!soothi_ptx_define(flow, name, number, block)) return 0;
            p += name.length;
        } else if (*p == '{' || *p == '(') {
            inside = 1;
            ++p;
        } else if (*p == '|' || (*p == ',' && inside)) {
            ++p;
        } else {
            return 1;
        }
    }
    return 1;
}

/* Prepares to follow values through a function. 0 without memory. */
SOOTHI_LOCAL int soothi_ptx_follow(soothi_ptx_flow *flow, const sooth_ptx_function *f) {
    uint32_t b, i;
    flow->function = f;
    flow->definitions = 0;
    soothi_ptx_forget(&flow->names);
    for (b = f->block; b < f->block + f->blocks; ++b) {
        const sooth_ptx_block *block = &flow->ptx->block[b];
        for (i = block->first; i < block->first + block->count; ++i)
            if (!soothi_ptx_defines(flow, i, b)) return 0;
    }
    return 1;
}

SOOTHI_LOCAL void soothi_ptx_flow_free(soothi_ptx_flow *flow) {
    soothi_ptx_names_free(flow->memory->env, &flow->names);
    soothi_free(flow->memory->env, flow->definition, flow->room, sizeof *flow->definition);
}

SOOTHI_LOCAL uint32_t soothi_ptx_bits(unsigned type) { return sooth_ptx_type_bits((sooth_ptx_type)type); }

SOOTHI_LOCAL int soothi_ptx_is_signed(unsigned type) { return type >= SOOTH_PTX_S8 && type <= SOOTH_PTX_S64; }

SOOTHI_LOCAL int64_t soothi_ptx_signed(uint64_t u) {
    int64_t v;
    memcpy(&v, &u, sizeof v);
    return v;
}

/* v cut to this many bits, with a sign or without. */
SOOTHI_LOCAL int64_t soothi_ptx_cut(int64_t v, uint32_t bits, int is_signed) {
    uint64_t u = (uint64_t)v;
    if (bits == 0 || bits >= 64) return v;
    u &= ((uint64_t)1 << bits) - 1;
    if (is_signed && (u >> (bits - 1) & 1)) u |= ~(uint64_t)0 << bits;
    return soothi_ptx_signed(u);
}

/* v as a register of this type holds it. */
SOOTHI_LOCAL int64_t soothi_ptx_wrap(int64_t v, unsigned type) {
    return soothi_ptx_cut(v, soothi_ptx_bits(type), soothi_ptx_is_signed(type));
}

/* v as all registers are kept here: cut to this many bits and with a sign; predicates are 0 and 1. */
SOOTHI_LOCAL int64_t soothi_ptx_keep(int64_t v, uint32_t bits) { return soothi_ptx_cut(v, bits, bits > 1); }

SOOTHI_LOCAL int soothi_ptx_is_integer(unsigned type) {
    return (type >= SOOTH_PTX_B8 && type <= SOOTH_PTX_S64 && type != SOOTH_PTX_B128) ||
           type == SOOTH_PTX_PRED;
}

/* How many sources an instruction has that soothi_ptx_apply can work out; 0: it cannot. */
SOOTHI_LOCAL unsigned soothi_ptx_sources(const sooth_ptx_form *form) {
    if (!soothi_ptx_is_integer(form->type) || !soothi_ptx_is_integer(form->source) || form->vector != 1)
        return 0;
    switch (form->opcode) {
    case SOOTH_PTX_OP_MOV:
    case SOOTH_PTX_OP_CVT:
    case SOOTH_PTX_OP_NEG:
    case SOOTH_PTX_OP_NOT:
    case SOOTH_PTX_OP_ABS: return 1;
    case SOOTH_PTX_OP_ADD:
    case SOOTH_PTX_OP_SUB:
    case SOOTH_PTX_OP_MUL:
    case SOOTH_PTX_OP_DIV:
    case SOOTH_PTX_OP_REM:
    case SOOTH_PTX_OP_MIN:
    case SOOTH_PTX_OP_MAX:
    case SOOTH_PTX_OP_AND:
    case SOOTH_PTX_OP_OR:
    case SOOTH_PTX_OP_XOR:
    case SOOTH_PTX_OP_SHL:
    case SOOTH_PTX_OP_SHR:
    case SOOTH_PTX_OP_SETP: return 2;
    case SOOTH_PTX_OP_MAD:
    case SOOTH_PTX_OP_SELP: return 3;
    default: return 0;
    }
}

/* A comparison is the set of orders in which it holds, so that its opposite is 7 less it. */
enum { SOOTHI_PTX_LT = 1, SOOTHI_PTX_EQ, SOOTHI_PTX_LE, SOOTHI_PTX_GT, SOOTHI_PTX_NE, SOOTHI_PTX_GE };

/* setp.lt.s32: its comparison and nothing else (.lo .ls .hi .hs are those of unsigned numbers); else 0. */
SOOTHI_LOCAL unsigned soothi_ptx_comparison(const sooth_ptx_form *form) {
    static const char name[10][3] = {"lt", "eq", "le", "gt", "ne", "ge", "lo", "ls", "hi", "hs"};
    static const uint8_t is[10] = {SOOTHI_PTX_LT, SOOTHI_PTX_EQ, SOOTHI_PTX_LE, SOOTHI_PTX_GT, SOOTHI_PTX_NE,
                                   SOOTHI_PTX_GE, SOOTHI_PTX_LT, SOOTHI_PTX_LE, SOOTHI_PTX_GT, SOOTHI_PTX_GE};
    sooth_ptx_word word[SOOTHI_PTX_MODIFIERS];
    unsigned i;
    if (form->opcode != SOOTH_PTX_OP_SETP || soothi_ptx_split(form->text, form->length, word) != 3) return 0;
    for (i = 0; i < 10; ++i)
        if (soothi_ptx_is(word[1], name[i])) return is[i];
    return 0;
}

/* The order of a and b as numbers of this type: LT, EQ or GT. */
SOOTHI_LOCAL unsigned soothi_ptx_order(int64_t a, int64_t b, unsigned type) {
    a = soothi_ptx_wrap(a, type);
    b = soothi_ptx_wrap(b, type);
    if (a == b) return SOOTHI_PTX_EQ;
    return (soothi_ptx_is_signed(type) ? a < b : (uint64_t)a < (uint64_t)b) ? SOOTHI_PTX_LT : SOOTHI_PTX_GT;
}

/* The result of an instruction with whole numbers as sources; 0: not known here. Sources are read as the type
   says; all arithmetic is modulo 2^64, and the result is cut to the type's width. */
SOOTHI_LOCAL int soothi_ptx_apply(const sooth_ptx_form *form, const int64_t from[3], int64_t *result) {
    const unsigned type = form->type, bits = soothi_ptx_bits(type);
    const unsigned order = soothi_ptx_order(from[0], from[1], type);
    const int is_signed = soothi_ptx_is_signed(type);
    const int64_t a = soothi_ptx_wrap(from[0], form->source), b = soothi_ptx_wrap(from[1], type), c = from[2];
    const uint64_t ua = (uint64_t)a, ub = (uint64_t)b, shift = (uint64_t)from[1] & UINT32_MAX;
    const uint64_t size_a = is_signed && a < 0 ? 0 - ua : ua, size_b = is_signed && b < 0 ? 0 - ub : ub;
    uint64_t u;
    unsigned comparison;
    switch (form->opcode) {
    case SOOTH_PTX_OP_MOV:
    case SOOTH_PTX_OP_CVT: u = ua; break;
    case SOOTH_PTX_OP_NEG: u = 0 - ua; break;
    case SOOTH_PTX_OP_NOT: u = ~ua; break;
    case SOOTH_PTX_OP_ABS: u = a < 0 ? 0 - ua : ua; break;
    case SOOTH_PTX_OP_ADD: u = ua + ub; break;
    case SOOTH_PTX_OP_SUB: u = ua - ub; break;
    case SOOTH_PTX_OP_MUL:
    case SOOTH_PTX_OP_MAD:
        u = ua * ub + (form->opcode == SOOTH_PTX_OP_MAD ? (uint64_t)c : 0);
        if (form->flags & SOOTH_PTX_WIDE) return *result = soothi_ptx_signed(u), bits <= 32;
        if (form->length > 6 && form->text[4] == 'h') return 0; /* mul.hi, mad.hi */
        break;
    case SOOTH_PTX_OP_DIV: /* toward zero */
        if (ub == 0) return 0;
        u = is_signed && (a < 0) != (b < 0) ? 0 - size_a / size_b : size_a / size_b;
        break;
    case SOOTH_PTX_OP_REM:
        if (ub == 0) return 0;
        u = is_signed && a < 0 ? 0 - size_a % size_b : size_a % size_b;
        break;
    case SOOTH_PTX_OP_MIN: u = order == SOOTHI_PTX_LT ? ua : ub; break;
    case SOOTH_PTX_OP_MAX: u = order == SOOTHI_PTX_GT ? ua : ub; break;
    case SOOTH_PTX_OP_AND: u = ua & ub; break;
    case SOOTH_PTX_OP_OR: u = ua | ub; break;
    case SOOTH_PTX_OP_XOR: u = ua ^ ub; break;
    case SOOTH_PTX_OP_SHL: u = shift < bits ? ua << shift : 0; break;
    case SOOTH_PTX_OP_SHR: /* signed: the sign moves in */
        u = shift < bits ? ua >> shift : 0;
        if (is_signed && a < 0) u = ~(shift < bits ? ~ua >> shift : 0);
        break;
    case SOOTH_PTX_OP_SETP:
        comparison = soothi_ptx_comparison(form);
        *result = (comparison & order) != 0;
        return comparison != 0;
    case SOOTH_PTX_OP_SELP: u = c & 1 ? (uint64_t)from[0] : (uint64_t)from[1]; break;
    default: return 0;
    }
    *result = soothi_ptx_keep(soothi_ptx_signed(u), bits);
    return 1;
}

/* The place of an instruction that uses a value. */
typedef struct soothi_ptx_use {
    uint32_t instruction, block;
} soothi_ptx_use;

/* 0 when no path leads from the end of a block to the start of `to` without coming through `without`; a walk
   of few blocks, and 1 where it would be longer. */
SOOTHI_LOCAL int soothi_ptx_may_reach(const sooth_ptx *ptx, uint32_t from, uint32_t to, uint32_t without) {
    enum { MOST = 96 };
    uint32_t seen[MOST], count = 1, at, i, k;
    seen[0] = from;
    for (at = 0; at < count; ++at) {
        const sooth_ptx_block *block = &ptx->block[seen[at]];
        for (i = 0; i < block->edges; ++i) {
            const uint32_t next = ptx->edge[block->edge + i];
            if (next == without) continue;
            if (next == to) return 1;
            for (k = 0; k < count && seen[k] != next;) ++k;
            if (k < count) continue;
            if (count == MOST) return 1;
            seen[count++] = next;
        }
    }
    return 0;
}

/* Everything up to here happens before the use, whatever the path. */
SOOTHI_LOCAL int soothi_ptx_before(const sooth_ptx *ptx, const soothi_ptx_definition *d, soothi_ptx_use use) {
    if (d->block == use.block) return d->instruction < use.instruction;
    return sooth_ptx_dominates(ptx, d->block, use.block);
}

/* The one definition of a register that certainly reaches a use (definitions within the loop `but` aside), or
   NONE: the last of those that dominate it, where no other can come to the use but through it. */
SOOTHI_LOCAL uint32_t soothi_ptx_reaching(const soothi_ptx_flow *flow, sooth_ptx_word name,
                                          soothi_ptx_use use, uint32_t but, uint32_t *steps) {
    const sooth_ptx *ptx = flow->ptx;
    const uint32_t newest = soothi_ptx_defined(flow, name);
    uint32_t best = SOOTH_PTX_NONE, d;
    int pass;
    for (pass = 0; pass < 2; ++pass) { /* finds the last; looks at the others */
        for (d = newest; d != SOOTH_PTX_NONE; d = flow->definition[d].next) {
            const soothi_ptx_definition *def = &flow->definition[d];
            const int before = soothi_ptx_before(ptx, def, use);
            if (*steps == 0) return SOOTH_PTX_NONE;
            --*steps;
            if (but != SOOTH_PTX_NONE && soothi_ptx_inside(ptx, def->block, but)) continue;
            if (pass == 0 && before) {
                const soothi_ptx_use at = {def->instruction, def->block};
                if (best == SOOTH_PTX_NONE || soothi_ptx_before(ptx, &flow->definition[best], at)) best = d;
            } else if (pass == 1 && !before && ptx->block[def->block].order != SOOTH_PTX_NONE &&
                       soothi_ptx_may_reach(ptx, def->block, use.block, flow->definition[best].block)) {
                return SOOTH_PTX_NONE;
            }
        }
        if (best == SOOTH_PTX_NONE) return best;
    }
    return best;
}

SOOTHI_LOCAL int soothi_ptx_constant(const soothi_ptx_flow *flow, sooth_ptx_word word, soothi_ptx_use use,
                                     unsigned depth, uint32_t *steps, int64_t *value);

/* What the caller says a name is worth: "%ntid.x", a parameter, or a parameter without its function's name in
   front. */
SOOTHI_LOCAL int soothi_ptx_known(const soothi_ptx_flow *flow, sooth_ptx_word word, int64_t *value) {
    const sooth_ptx_word function = flow->function->name;
    sooth_ptx_word brief = word;
    size_t i;
    if (word.length > function.length + 1 && word.text[function.length] == '_' &&
        soothi_ptx_same(soothi_ptx_word(word.text, function.length), function))
        brief = soothi_ptx_word(word.text + function.length + 1, word.length - function.length - 1);
    for (i = 0; i < flow->values; ++i) {
        *value = flow->value[i].value;
        if (soothi_ptx_is(word, flow->value[i].name) || soothi_ptx_is(brief, flow->value[i].name)) return 1;
    }
    return 0;
}

/* The result of a definition of `name` whose sources can be worked out. */
SOOTHI_LOCAL int soothi_ptx_result(const soothi_ptx_flow *flow, sooth_ptx_word name, uint32_t definition,
                                   unsigned depth, uint32_t *steps, int64_t *value) {
    const soothi_ptx_definition *d = &flow->definition[definition];
    const sooth_ptx_instruction *ins = &flow->ptx->instruction[d->instruction];
    const sooth_ptx_form *form = soothi_ptx_form(flow->ptx, ins);
    const soothi_ptx_use use = {d->instruction, d->block};
    sooth_ptx_word operand[4];
    int64_t from[3] = {0, 0, 0};
    size_t n, i, sources = soothi_ptx_sources(form);
    if (ins->flags & SOOTH_PTX_PREDICATED) return 0;
    n = sooth_ptx_operands(flow->ptx, ins, operand, 4);
    if (form->opcode == SOOTH_PTX_OP_LD && ins->kind == SOOTH_PTX_PARAM_LOAD && n == 2 && form->vector == 1 &&
        operand[1].length > 2) {
        const sooth_ptx_word inside = soothi_ptx_word(operand[1].text + 1, operand[1].length - 2);
        if (!soothi_ptx_is_integer(form->type) || !soothi_ptx_known(flow, inside, value)) return 0;
        *value = soothi_ptx_keep(*value, soothi_ptx_bits(form->type));
        return 1;
    }
    if (sources == 0 || n != sources + 1 || !soothi_ptx_same(operand[0], name)) return 0;
    for (i = 0; i < sources; ++i)
        if (!soothi_ptx_constant(flow, operand[i + 1], use, depth + 1, steps, &from[i])) return 0;
    return soothi_ptx_apply(form, from, value);
}

/* The value of an operand where it is used: a number, something the caller knows, a register that is
   certainly defined from such. At most 12 deep and `steps` wide. */
SOOTHI_LOCAL int soothi_ptx_constant(const soothi_ptx_flow *flow, sooth_ptx_word word, soothi_ptx_use use,
                                     unsigned depth, uint32_t *steps, int64_t *value) {
    const uint32_t *block = flow->function->reqntid;
    const size_t sign = word.length && word.text[0] == '-' ? 1 : 0;
    uint64_t u;
    if (depth > 12 || *steps == 0) return 0;
    --*steps;
    if (word.length > sign && soothi_ptx_char(word.text[sign]) == SOOTHI_PTX_DIGIT) {
        if (soothi_ptx_whole(word.text + sign, word.text + word.length, &u) != word.length - sign) return 0;
        *value = soothi_ptx_signed(sign ? 0 - u : u);
        return 1;
    }
    if (soothi_ptx_is(word, "WARP_SZ")) return *value = 32, 1;
    if (soothi_ptx_defined(flow, word) != SOOTH_PTX_NONE) {
        const uint32_t d = soothi_ptx_reaching(flow, word, use, SOOTH_PTX_NONE, steps);
        return d != SOOTH_PTX_NONE && soothi_ptx_result(flow, word, d, depth, steps, value);
    }
    if (word.length == 0 || word.text[0] != '%') return 0;
    if (soothi_ptx_known(flow, word, value)) return 1;
    if (block[0] == 0 || word.length != 7 || !soothi_ptx_is(soothi_ptx_word(word.text, 6), "%ntid."))
        return 0;
    if (word.text[6] < 'x' || word.text[6] > 'z') return 0;
    *value = block[word.text[6] - 'x'];
    return 1;
}

/* ---- trip counts that the code tells ----
 *
 * A loop tells its trips when one test, met in every iteration, is the only way out, and everything the test
 * depends on is worked out once per iteration from numbers, from values known on entry and from itself. Those
 * instructions, the slice, are then simply run: loops that halve, shift or multiply end in 128 iterations.
 * Where the slice only adds and multiplies by what does not change, an iteration is a linear map of its
 * registers, x' = Ax + b; if they grow by the same d in two iterations, then Ad = d and they grow by d in
 * all, until one leaves the range of its type. The rest is one division. */

enum { SOOTHI_PTX_SLICE = 24, SOOTHI_PTX_TRIED = 128 };

typedef struct soothi_ptx_register {
    sooth_ptx_word name;
    int is_known;   /* on entry, and then on the way */
    int is_changed; /* within the loop */
    int64_t value;
    int64_t before, step; /* its value an iteration ago, and how much it grew then */
    uint32_t bits;        /* of what the instruction that changes it makes */
} soothi_ptx_register;

typedef struct soothi_ptx_step {
    const sooth_ptx_form *form;
    uint32_t instruction, order; /* order: of its block */
    uint32_t to;
    uint32_t from[3];  /* registers; NONE: a number, */
    int64_t number[3]; /* this */
} soothi_ptx_step;

typedef struct soothi_ptx_slice {
    const soothi_ptx_flow *flow;
    uint32_t loop;
    soothi_ptx_register reg[SOOTHI_PTX_SLICE];
    uint32_t regs;
    soothi_ptx_step step[SOOTHI_PTX_SLICE];
    uint32_t steps;
    uint32_t budget; /* for values on entry */
} soothi_ptx_slice;

/* The number of a register in the slice, entered if it is new; NONE: no room. */
SOOTHI_LOCAL uint32_t soothi_ptx_register_of(soothi_ptx_slice *s, sooth_ptx_word name) {
    uint32_t k;
    for (k = 0; k < s->regs; ++k)
        if (soothi_ptx_same(s->reg[k].name, name)) return k;
    if (k == SOOTHI_PTX_SLICE) return SOOTH_PTX_NONE;
    memset(&s->reg[k], 0, sizeof s->reg[k]);
    s->reg[k].name = name;
    return s->regs++;
}

/* Finds what register k is on entry and which instruction changes it within the loop; that instruction's
   sources become registers of the slice. 0: the loop does not tell. */
SOOTHI_LOCAL int soothi_ptx_trace(soothi_ptx_slice *s, uint32_t k) {
    const soothi_ptx_flow *flow = s->flow;
    const sooth_ptx *ptx = flow->ptx;
    const sooth_ptx_loop *loop = &ptx->loop[s->loop];
    const sooth_ptx_word name = s->reg[k].name;
    const soothi_ptx_use entry = {ptx->block[loop->header].first, loop->header};
    const sooth_ptx_instruction *ins;
    const soothi_ptx_definition *def;
    const sooth_ptx_form *form;
    sooth_ptx_word operand[4];
    soothi_ptx_step *step;
    uint32_t d, within = SOOTH_PTX_NONE, n, i;
    for (d = soothi_ptx_defined(flow, name); d != SOOTH_PTX_NONE; d = flow->definition[d].next) {
        if (s->budget == 0) return 0;
        --s->budget;
        if (!soothi_ptx_inside(ptx, flow->definition[d].block, s->loop)) continue;
        if (within != SOOTH_PTX_NONE) return 0;
        within = d;
    }
    d = soothi_ptx_reaching(flow, name, entry, s->loop, &s->budget);
    if (d != SOOTH_PTX_NONE)
        s->reg[k].is_known = soothi_ptx_result(flow, name, d, 0, &s->budget, &s->reg[k].value);
    if (within == SOOTH_PTX_NONE) return s->reg[k].is_known;
    def = &flow->definition[within];
    ins = &ptx->instruction[def->instruction];
    form = soothi_ptx_form(ptx, ins);
    n = soothi_ptx_sources(form);
    if (n == 0 || (ins->flags & SOOTH_PTX_PREDICATED) || ptx->block[def->block].loop != s->loop ||
        !sooth_ptx_dominates(ptx, def->block, loop->last) || s->steps == SOOTHI_PTX_SLICE ||
        sooth_ptx_operands(ptx, ins, operand, 4) != n + 1 || !soothi_ptx_same(operand[0], name))
        return 0;
    s->reg[k].is_changed = 1;
    s->reg[k].bits = soothi_ptx_bits(form->type) * (form->flags & SOOTH_PTX_WIDE ? 2 : 1);
    step = &s->step[s->steps++];
    memset(step, 0, sizeof *step);
    step->form = form;
    step->instruction = def->instruction;
    step->order = ptx->block[def->block].order;
    step->to = k;
    step->from[0] = step->from[1] = step->from[2] = SOOTH_PTX_NONE;
    for (i = 0; i < n; ++i) {
        if (soothi_ptx_defined(flow, operand[i + 1]) == SOOTH_PTX_NONE) {
            if (!soothi_ptx_constant(flow, operand[i + 1], entry, 0, &s->budget, &step->number[i])) return 0;
        } else {
            step->from[i] = soothi_ptx_register_of(s, operand[i + 1]);
            if (step->from[i] == SOOTH_PTX_NONE) return 0;
        }
    }
    return 1;
}

/* The instructions in the order in which an iteration meets them. */
SOOTHI_LOCAL void soothi_ptx_arrange(soothi_ptx_slice *s) {
    uint32_t i, k;
    for (i = 1; i < s->steps; ++i) {
        const soothi_ptx_step t = s->step[i];
        for (k = i; k > 0; --k) {
            const soothi_ptx_step *before = &s->step[k - 1];
            if (before->order < t.order || (before->order == t.order && before->instruction < t.instruction))
                break;
            s->step[k] = *before;
        }
        s->step[k] = t;
    }
}

/* Runs step i; from[] gets its sources. 0: something is not known. */
SOOTHI_LOCAL int soothi_ptx_run(soothi_ptx_slice *s, uint32_t i, int64_t from[3]) {
    const soothi_ptx_step *step = &s->step[i];
    soothi_ptx_register *to = &s->reg[step->to];
    int64_t value;
    unsigned k;
    for (k = 0; k < 3; ++k) {
        from[k] = step->number[k];
        if (step->from[k] == SOOTH_PTX_NONE) continue;
        if (!s->reg[step->from[k]].is_known) return 0;
        from[k] = s->reg[step->from[k]].value;
    }
    if (!soothi_ptx_apply(step->form, from, &value)) return 0;
    to->value = value;
    to->is_known = 1;
    return 1;
}

/* v + times * step stays a number with this sign and width; of 64 bits a bit less is enough. */
SOOTHI_LOCAL int soothi_ptx_stays(int64_t v, int64_t step, uint64_t times, uint32_t bits, int is_signed) {
    const int64_t limit = (int64_t)1 << (bits > 62 ? 62 : is_signed ? bits - 1 : bits);
    const int64_t least = is_signed ? -limit : 0;
    const uint64_t pace = step < 0 ? 0 - (uint64_t)step : (uint64_t)step;
    uint64_t room;
    if (v >= limit || v < least) return 0;
    room = step < 0 ? (uint64_t)v - (uint64_t)least : (uint64_t)limit - 1 - (uint64_t)v;
    return pace == 0 || times <= room / pace;
}

/* Step i is linear in the registers, and stays so for this many iterations: none of them leaves its range,
   nor that of a type in which it is widened. */
SOOTHI_LOCAL int soothi_ptx_is_linear(const soothi_ptx_slice *s, uint32_t i, uint64_t times) {
    const soothi_ptx_step *step = &s->step[i];
    const sooth_ptx_form *form = step->form;
    const soothi_ptx_register *to = &s->reg[step->to];
    unsigned k, changed[3];
    for (k = 0; k < 3; ++k) changed[k] = step->from[k] != SOOTH_PTX_NONE && s->reg[step->from[k]].is_changed;
    switch (form->opcode) {
    case SOOTH_PTX_OP_SETP: return 1; /* no number: the caller looks at the test */
    case SOOTH_PTX_OP_MOV:
    case SOOTH_PTX_OP_ADD:
    case SOOTH_PTX_OP_SUB:
    case SOOTH_PTX_OP_NEG:
    case SOOTH_PTX_OP_CVT: break;
    case SOOTH_PTX_OP_SHL:
        if (changed[1]) return 0;
        break;
    case SOOTH_PTX_OP_MUL:
    case SOOTH_PTX_OP_MAD:
        if (changed[0] && changed[1]) return 0;
        break;
    default: return form->type == SOOTH_PTX_PRED;
    }
    if (form->type == SOOTH_PTX_PRED) return 1;
    if (form->opcode == SOOTH_PTX_OP_CVT || (form->flags & SOOTH_PTX_WIDE))
        for (k = 0; k < 2; ++k) {
            const soothi_ptx_register *from = changed[k] ? &s->reg[step->from[k]] : NULL;
            if (from && !soothi_ptx_stays(from->value, from->step, times, soothi_ptx_bits(form->source),
                                          soothi_ptx_is_signed(form->source)))
                return 0;
        }
    return soothi_ptx_stays(to->value, to->step, times, to->bits, 1);
}

/* How many more iterations until a comparison of a and b, that holds now and whose sides grow by da and db an
   iteration, no longer does; 0: it cannot be said. */
SOOTHI_LOCAL uint64_t soothi_ptx_until(unsigned comparison, int64_t a, int64_t b, int64_t da, int64_t db) {
    int64_t x = a - b, s = da - db;
    uint64_t distance, pace;
    if (s == 0) return 0;
    if (comparison == SOOTHI_PTX_EQ) return 1;
    if (comparison == SOOTHI_PTX_GT || comparison == SOOTHI_PTX_GE ||
        (comparison == SOOTHI_PTX_NE && s < 0)) {
        x = -x; /* the same with a and b the other way round */
        s = -s;
    }
    if (s < 0 || x > 0) return 0;
    distance = (uint64_t)-x;
    pace = (uint64_t)s;
    if (comparison == SOOTHI_PTX_NE) return distance % pace ? 0 : distance / pace;
    if (comparison == SOOTHI_PTX_LT || comparison == SOOTHI_PTX_GT)
        return distance / pace + (distance % pace != 0);
    return distance / pace + 1; /* x <= 0 */
}

/* The step that makes register p, or `steps`. */
SOOTHI_LOCAL uint32_t soothi_ptx_maker(const soothi_ptx_slice *s, uint32_t p) {
    uint32_t i = 0;
    while (i < s->steps && s->step[i].to != p) ++i;
    return i;
}

/* The two sides of the test, as numbers of its type, and how much they grew in the last iteration. */
typedef struct soothi_ptx_sides {
    int64_t value[2], step[2];
    uint32_t bits;
    int is_signed;
} soothi_ptx_sides;

SOOTHI_LOCAL int soothi_ptx_sides_stay(const soothi_ptx_sides *t, uint64_t times) {
    return soothi_ptx_stays(t->value[0], t->step[0], times, t->bits, t->is_signed) &&
           soothi_ptx_stays(t->value[1], t->step[1], times, t->bits, t->is_signed);
}

/* Has v grown from `before` by *step again? *step is then what it has grown by. */
SOOTHI_LOCAL int soothi_ptx_steady(int64_t v, int64_t before, int64_t *step) {
    const int64_t last = *step;
    *step = soothi_ptx_signed((uint64_t)v - (uint64_t)before);
    return *step == last;
}

/* The iteration, from 1, in which the test sends the loop to its end; 0: not found. `leaves` is the value of
   the predicate p that does; the test stands at the end of the block with this order. */
SOOTHI_LOCAL uint64_t soothi_ptx_iterate(soothi_ptx_slice *s, uint32_t p, int leaves, uint32_t order) {
    soothi_ptx_sides sides;
    const soothi_ptx_step *test;
    unsigned comparison; /* that holds while the loop goes on */
    uint64_t iteration, more;
    uint32_t i, k, maker;
    for (;;) { /* p = !q: ask q */
        maker = soothi_ptx_maker(s, p);
        if (maker == s->steps) return 0;
        test = &s->step[maker];
        if (test->form->opcode != SOOTH_PTX_OP_NOT || test->order > order ||
            test->from[0] == SOOTH_PTX_NONE || soothi_ptx_maker(s, test->from[0]) >= maker)
            break;
        p = test->from[0];
        leaves = !leaves;
    }
    comparison = soothi_ptx_comparison(test->form);
    if (leaves && comparison) comparison = 7 - comparison;
    memset(&sides, 0, sizeof sides);
    sides.bits = soothi_ptx_bits(test->form->type);
    sides.is_signed = soothi_ptx_is_signed(test->form->type);
    for (iteration = 1; iteration <= SOOTHI_PTX_TRIED; ++iteration) {
        int steady = iteration > 2 && comparison;
        int64_t from[3], side[2] = {0, 0};
        for (k = 0; k < s->regs; ++k) s->reg[k].before = s->reg[k].value;
        for (i = 0; i < s->steps && s->step[i].order <= order; ++i) {
            if (!soothi_ptx_run(s, i, from)) return 0;
            for (k = 0; k < 2 && i == maker; ++k) side[k] = soothi_ptx_wrap(from[k], test->form->type);
        }
        if (!s->reg[p].is_known) return 0;
        if ((s->reg[p].value & 1) == leaves) return iteration;
        for (; i < s->steps; ++i)
            if (!soothi_ptx_run(s, i, from)) return 0;
        for (k = 0; k < s->regs; ++k)
            steady &= soothi_ptx_steady(s->reg[k].value, s->reg[k].before, &s->reg[k].step);
        for (k = 0; k < 2; ++k) {
            steady &= soothi_ptx_steady(side[k], sides.value[k], &sides.step[k]);
            sides.value[k] = side[k];
        }
        if (!steady || !soothi_ptx_sides_stay(&sides, 1)) continue;
        more = soothi_ptx_until(comparison, side[0], side[1], sides.step[0], sides.step[1]);
        if (more == 0 || !soothi_ptx_sides_stay(&sides, more)) continue;
        for (i = 0; i < s->steps && soothi_ptx_is_linear(s, i, more); ++i) {}
        if (i == s->steps) return iteration + more;
    }
    return 0;
}

/* The trips of a loop, or -1. */
SOOTHI_LOCAL double soothi_ptx_derive(const soothi_ptx_flow *flow, uint32_t number) {
    const sooth_ptx *ptx = flow->ptx;
    const sooth_ptx_loop *loop = &ptx->loop[number];
    const sooth_ptx_block *block;
    const sooth_ptx_instruction *branch;
    const char *p, *end;
    soothi_ptx_slice s;
    uint32_t predicate, k;
    uint64_t iteration;
    int leaves;
    if (loop->test == SOOTH_PTX_NONE) return -1.0;
    block = &ptx->block[loop->test];
    if (soothi_ptx_ending(ptx, block) != SOOTH_PTX_OP_BRA || block->edges != 2) return -1.0;
    branch = &ptx->instruction[block->first + block->count - 1];
    leaves = !soothi_ptx_inside(ptx, branch->target, number); /* taken: leaves */
    end = ptx->text + branch->at + branch->skip;
    p = soothi_ptx_skip(ptx->text + branch->at + 1, end); /* behind the @ */
    if (branch->flags & SOOTH_PTX_NEGATED) {
        p = soothi_ptx_skip(p + 1, end);
        leaves = !leaves;
    }
    s.flow = flow;
    s.loop = number;
    s.regs = s.steps = 0;
    s.budget = 1000;
    predicate = soothi_ptx_register_of(&s, soothi_ptx_name(p, end));
    for (k = 0; k < s.regs; ++k)
        if (!soothi_ptx_trace(&s, k)) return -1.0;
    if (!s.reg[predicate].is_changed) return -1.0;
    soothi_ptx_arrange(&s);
    iteration = soothi_ptx_iterate(&s, predicate, leaves, block->order);
    if (iteration == 0) return -1.0;
    return (double)(loop->test_is_last ? iteration : iteration - 1);
}

/* ---- generic addresses ---- */

/* The memory that a register always points into, because it comes from cvta.shared or cvta.local and from
   adding to what does; SOOTH_PTX_CLASSES: any. */
SOOTHI_LOCAL unsigned soothi_ptx_points(const soothi_ptx_flow *flow, sooth_ptx_word name, unsigned depth,
                                        uint32_t *steps) {
    const sooth_ptx *ptx = flow->ptx;
    unsigned space = SOOTH_PTX_CLASSES, one;
    uint32_t d;
    for (d = soothi_ptx_defined(flow, name); d != SOOTH_PTX_NONE; d = flow->definition[d].next) {
        const sooth_ptx_instruction *ins = &ptx->instruction[flow->definition[d].instruction];
        const sooth_ptx_form *form = soothi_ptx_form(ptx, ins);
        sooth_ptx_word operand[4], word[SOOTHI_PTX_MODIFIERS];
        size_t n, i;
        if (depth > 12 || *steps == 0) return SOOTH_PTX_CLASSES;
        --*steps;
        n = sooth_ptx_operands(ptx, ins, operand, 4);
        if (n < 2 || n > 3 || !soothi_ptx_same(operand[0], name)) return SOOTH_PTX_CLASSES;
        one = SOOTH_PTX_CLASSES;
        if (form->opcode == SOOTH_PTX_OP_CVTA) { /* cvta.to comes to no space here */
            if (soothi_ptx_split(form->text, form->length, word) > 1) one = soothi_ptx_find_space(word[1]);
        } else if (form->opcode == SOOTH_PTX_OP_ADD || form->opcode == SOOTH_PTX_OP_SUB ||
                   form->opcode == SOOTH_PTX_OP_MOV) {
            if (soothi_ptx_same(operand[1], name)) continue; /* p = p + 4 */
            for (i = 1; i < n && one == SOOTH_PTX_CLASSES; ++i)
                one = soothi_ptx_points(flow, operand[i], depth + 1, steps);
        }
        if (one == SOOTH_PTX_CLASSES || (space != SOOTH_PTX_CLASSES && one != space))
            return SOOTH_PTX_CLASSES;
        space = one;
    }
    return space;
}

/* Gives generic accesses of a function the space that their addresses show. */
SOOTHI_LOCAL void soothi_ptx_resolve_generic(sooth_ptx *ptx, const soothi_ptx_flow *flow,
                                             const sooth_ptx_function *f) {
    uint32_t i;
    for (i = f->instruction; i < f->instruction + f->instructions; ++i) {
        sooth_ptx_instruction *ins = &ptx->instruction[i];
        const sooth_ptx_form *form = soothi_ptx_form(ptx, ins);
        sooth_ptx_word operand[2];
        size_t n, k;
        uint32_t steps = 64;
        unsigned space = SOOTH_PTX_CLASSES, rule = soothi_ptx_rule(form->opcode);
        if (!(form->flags & SOOTH_PTX_GENERIC)) continue;
        if (rule == SOOTH_PTX_WMMA)
            rule = form->kind == SOOTH_PTX_GLOBAL_LOAD ? SOOTH_PTX_LOAD : SOOTH_PTX_STORE;
        n = sooth_ptx_operands(ptx, ins, operand, 2);
        for (k = 0; k < n && k < 2; ++k) {
            const char *p = operand[k].text, *const end = p + operand[k].length;
            if (p == end || *p != '[') continue;
            space = soothi_ptx_points(flow, soothi_ptx_name(soothi_ptx_skip(p + 1, end), end), 0, &steps);
            break;
        }
        if (space == SOOTH_PTX_CLASSES) continue;
        ins->kind = (uint8_t)soothi_ptx_access(rule, space);
        ins->flags |= SOOTH_PTX_RESOLVED;
    }
}

/* ---- functions ---- */

/* When a function has been read to its end: edges, dominators, loops, trips, addresses. */
SOOTHI_LOCAL int soothi_ptx_finish(soothi_ptx_reader *r) {
    sooth_ptx *out = r->out;
    sooth_ptx_function *f = &out->function[r->function];
    soothi_ptx_graph g;
    uint32_t l;
    if (f->blocks == 0 || f->is_broken) return 1;
    if (!soothi_ptx_link(r) || !soothi_ptx_walk(r, &g)) return 0;
    soothi_ptx_dominators(&g);
    if (!soothi_ptx_loops(r, &g)) return 0;
    soothi_ptx_settle(r, &g);
    soothi_ptx_exits(out, f);
    if (f->loops == 0 && !r->has_generic) return 1;
    if (!soothi_ptx_follow(&r->flow, f)) return 0;
    for (l = f->loop; l < f->loop + f->loops; ++l) out->loop[l].trip = soothi_ptx_derive(&r->flow, l);
    if (r->has_generic) soothi_ptx_resolve_generic(out, &r->flow, f);
    return 1;
}

/* An opcode at r->p, and its instruction, which begins at `at`. */
SOOTHI_LOCAL int soothi_ptx_predicated(soothi_ptx_reader *r) {
    const char *at = r->p++;
    unsigned flags = SOOTH_PTX_PREDICATED;
    sooth_ptx_word word;
    if (soothi_ptx_take(r, '!')) flags |= SOOTH_PTX_NEGATED;
    if (!soothi_ptx_take_name(r, &word, "a predicate should, after @")) return 0;
    soothi_ptx_blank(r);
    word = soothi_ptx_opcode_at(r->p, r->end);
    if (word.length == 0 || word.text[0] < 'a' || word.text[0] > 'z')
        return soothi_ptx_missing(r, "an instruction should, after a predicate");
    r->p += word.length;
    return soothi_ptx_instruction(r, at, word, flags);
}

/* A label, or an instruction without predicate. */
SOOTHI_LOCAL int soothi_ptx_labelled(soothi_ptx_reader *r) {
    const sooth_ptx_word word = soothi_ptx_opcode_at(r->p, r->end);
    const char *after = soothi_ptx_skip(word.text + word.length, r->end), *at = r->p;
    if (after < r->end && *after == ':') {
        if (soothi_ptx_name(at, r->end).length != word.length)
            return soothi_ptx_error(r, at, "%s is no name for a label", word);
        r->p = after + 1;
        return soothi_ptx_take_label(r, word);
    }
    if (*at < 'a' || *at > 'z') return soothi_ptx_missing(r, "an instruction should");
    r->p = word.text + word.length;
    return soothi_ptx_instruction(r, at, word, 0);
}

/* A directive within a body. */
SOOTHI_LOCAL int soothi_ptx_body_directive(soothi_ptx_reader *r) {
    sooth_ptx_word word;
    soothi_ptx_directive(r, &word);
    if (soothi_ptx_is(word, ".entry") || soothi_ptx_is(word, ".func") || soothi_ptx_is(word, ".visible"))
        return r->p = word.text,
               soothi_ptx_error(r, r->p, "%s stands within a function; is a } missing before it?", word);
    if (soothi_ptx_is(word, ".reg")) return soothi_ptx_registers(r);
    if (soothi_ptx_is(word, ".extern")) {
        const int is_extern = soothi_ptx_linkage(r, &word);
        return soothi_ptx_any_directive(r, word, is_extern);
    }
    return soothi_ptx_any_directive(r, word, 0);
}

/* Everything between the braces of a function; r->p stands behind the first. */
SOOTHI_LOCAL int soothi_ptx_body(soothi_ptx_reader *r) {
    r->is_open = r->has_generic = 0;
    r->scope = r->depth = r->source = r->source_line = 0;
    r->references = r->targets = r->tables = 0;
    r->scopes = 1;
    soothi_ptx_forget(&r->labels);
    for (;;) {
        soothi_ptx_blank(r);
        if (r->p >= r->end)
            return soothi_ptx_error(r, r->p, "the text ends within the function %s",
                                    r->out->function[r->function].name);
        switch (*r->p) {
        case '@':
            if (!soothi_ptx_predicated(r)) return 0;
            break;
        case '.':
            if (!soothi_ptx_body_directive(r)) return 0;
            break;
        case ';': ++r->p; break;
        case '{':
            if (r->depth == SOOTHI_PTX_SCOPES)
                return soothi_ptx_error(r, r->p, "too many braces within braces", soothi_ptx_word("", 0));
            if (!SOOTHI_PTX_MORE(&r->memory, r->scope_parent, r->scopes, r->scope_room)) return 0;
            r->scope_parent[r->scopes] = r->scope;
            r->scope = (uint32_t)r->scopes++;
            ++r->depth;
            ++r->p;
            break;
        case '}':
            ++r->p;
            if (r->depth == 0) return 1;
            r->scope = r->scope_parent[r->scope];
            --r->depth;
            break;
        default:
            if (soothi_ptx_char(*r->p) != SOOTHI_PTX_LETTER)
                return soothi_ptx_missing(r, "an instruction should");
            if (!soothi_ptx_labelled(r)) return 0;
        }
    }
}

/* The directives between the parameters and the body; numbers behind them may be up to three, and are 1 where
   they are missing. */
SOOTHI_LOCAL int soothi_ptx_limits(soothi_ptx_reader *r) {
    static const struct {
        char name[20];
        size_t at; /* in the function */
        size_t numbers;
    } limit[] = {{".maxntid", offsetof(sooth_ptx_function, maxntid), 3},
                 {".reqntid", offsetof(sooth_ptx_function, reqntid), 3},
                 {".reqnctapercluster", offsetof(sooth_ptx_function, reqnctapercluster), 3},
                 {".minnctapersm", offsetof(sooth_ptx_function, minnctapersm), 1},
                 {".maxnctapersm", offsetof(sooth_ptx_function, maxnctapersm), 1},
                 {".maxnreg", offsetof(sooth_ptx_function, maxnreg), 1},
                 {".maxclusterrank", offsetof(sooth_ptx_function, maxclusterrank), 1}};
    const size_t limits = sizeof limit / sizeof limit[0];
    char *function = (char *)&r->out->function[r->function];
    sooth_ptx_word word;
    uint64_t n;
    while (soothi_ptx_directive(r, &word)) {
        size_t i = 0, k;
        while (i < limits && !soothi_ptx_is(word, limit[i].name)) ++i;
        if (i < limits) {
            uint32_t number[3] = {1, 1, 1};
            for (k = 0; k < 3 && (k == 0 || soothi_ptx_take(r, ',')); ++k) {
                if (!soothi_ptx_number(r, &n, "a number should, after this directive")) return 0;
                number[k] = n < UINT32_MAX ? (uint32_t)n : UINT32_MAX;
            }
            memcpy(function + limit[i].at, number, limit[i].numbers * sizeof *number);
        } else if (soothi_ptx_is(word, ".pragma")) {
            if (!soothi_ptx_statement(r)) return 0;
        } else { /* .noreturn, .abi_preserve 8, and what is to come */
            while (soothi_ptx_number(r, &n, NULL) && soothi_ptx_take(r, ',')) {}
        }
    }
    return 1;
}

/* Makes the function of this name the one at hand: a new one, or one that so far was only declared. With a
   body already, none is: is it a mere declaration that follows? the { decides. */
SOOTHI_LOCAL int soothi_ptx_open_function(soothi_ptx_reader *r, sooth_ptx_word name, int is_entry) {
    sooth_ptx *out = r->out;
    sooth_ptx_function *f;
    uint32_t *number = soothi_ptx_enter(&r->memory, &r->functions, out->text, name, 0);
    if (!number) return 0;
    if (*number == SOOTH_PTX_NONE) {
        if (!SOOTHI_PTX_MORE_OUT(function, functions, FUNCTIONS)) return 0;
        *number = (uint32_t)out->functions++;
    } else if (out->function[*number].has_body) {
        return 1;
    }
    f = &out->function[*number];
    memset(f, 0, sizeof *f);
    f->name = name;
    f->is_entry = (uint32_t)is_entry;
    f->line = soothi_ptx_line(r, name.text);
    f->instruction = (uint32_t)out->instructions;
    f->block = (uint32_t)out->blocks;
    f->loop = (uint32_t)out->loops;
    f->label = (uint32_t)out->labels;
    f->param = (uint32_t)out->variables;
    r->function = *number;
    return 1;
}

/* .entry or .func has been taken: the rest of its head, and its body. */
SOOTHI_LOCAL int soothi_ptx_function(soothi_ptx_reader *r, int is_entry) {
    sooth_ptx *out = r->out;
    sooth_ptx_word word;
    int again;
    for (;;) { /* .noreturn, .attribute(...), results */
        if (soothi_ptx_directive(r, &word)) {
            if (soothi_ptx_is(word, ".attribute") && !soothi_ptx_attribute(r)) return 0;
        } else if (!soothi_ptx_take(r, '(')) {
            break;
        } else if (!soothi_ptx_parameters(r, 0)) {
            return 0;
        }
    }
    if (!soothi_ptx_take_name(r, &word, "the name of a function should") ||
        !soothi_ptx_open_function(r, word, is_entry))
        return 0;
    again = r->function == SOOTH_PTX_NONE;
    if (soothi_ptx_take(r, '(') && !soothi_ptx_parameters(r, !again)) return 0;
    if (again) { /* a definition of this name was read before */
        while (r->p < r->end && *r->p != ';' && *r->p != '{') ++r->p;
        if (soothi_ptx_take(r, ';')) return 1;
        return soothi_ptx_error(r, word.text, "the function %s stands here for the second time", word);
    }
    if (!soothi_ptx_limits(r)) return 0;
    if (soothi_ptx_take(r, ';')) return 1;
    if (!soothi_ptx_expect(r, '{', "the body of a function should")) return 0;
    out->function[r->function].has_body = 1;
    out->entries += (size_t)is_entry;
    return soothi_ptx_body(r) && soothi_ptx_finish(r);
}

/* ---- the module ---- */

/* After an error: on to what may begin the next function, or behind the brace that ends this one. The words
   looked for stand in no body. */
SOOTHI_LOCAL void soothi_ptx_recover(soothi_ptx_reader *r) {
    const int in_body = r->function != SOOTH_PTX_NONE && r->out->function[r->function].has_body;
    uint32_t depth = r->depth;
    for (; r->p < r->end; ++r->p) {
        const char c = *r->p;
        if (c == '"') { /* to its end, or that of the line */
            for (++r->p; r->p < r->end && *r->p != '"' && *r->p != '\n';) ++r->p;
            if (r->p >= r->end) return;
        } else if (c == '/') {
            const char *q = soothi_ptx_skip(r->p, r->end);
            if (q > r->p) r->p = q - 1;
        } else if (c == '{') {
            ++depth;
        } else if (c == '}') {
            if (depth == 0 && in_body) {
                ++r->p;
                return;
            }
            if (depth) --depth;
        } else if (c == '.') {
            sooth_ptx_word word;
            soothi_ptx_directive(r, &word);
            if (soothi_ptx_is(word, ".entry") || soothi_ptx_is(word, ".func") ||
                soothi_ptx_is(word, ".visible") || soothi_ptx_is(word, ".weak") ||
                soothi_ptx_is(word, ".extern")) {
                r->p = word.text;
                return;
            }
            --r->p;
        }
    }
}

/* .version 8.5: 805 */
SOOTHI_LOCAL int soothi_ptx_version(soothi_ptx_reader *r) {
    size_t i = 0, n;
    uint32_t major;
    soothi_ptx_blank(r);
    n = (size_t)(r->end - r->p);
    major = soothi_ptx_digits(r->p, n, &i);
    if (i == 0 || i >= n || r->p[i] != '.')
        return soothi_ptx_missing(r, "a number such as 8.5 should, after .version");
    ++i;
    r->out->version = major * 100 + soothi_ptx_digits(r->p, n, &i);
    r->p += i;
    return 1;
}

/* .target sm_90a, debug */
SOOTHI_LOCAL int soothi_ptx_target(soothi_ptx_reader *r) {
    sooth_ptx *out = r->out;
    do {
        sooth_ptx_word word;
        size_t i = 3;
        if (!soothi_ptx_take_name(r, &word, "a name such as sm_80 should, after .target")) return 0;
        if (out->target.length) continue;
        out->target = word;
        if (word.length > 3 && soothi_ptx_is(soothi_ptx_word(word.text, 3), "sm_"))
            out->sm = soothi_ptx_digits(word.text, word.length, &i);
    } while (soothi_ptx_take(r, ','));
    return 1;
}

/* One directive at module level. */
SOOTHI_LOCAL int soothi_ptx_module_directive(soothi_ptx_reader *r) {
    sooth_ptx_word word;
    uint64_t number;
    int is_extern;
    soothi_ptx_directive(r, &word);
    is_extern = soothi_ptx_linkage(r, &word);
    if (word.length < 2) {
        r->p = word.text;
        return soothi_ptx_missing(r, "a directive should");
    }
    if (soothi_ptx_is(word, ".entry")) return soothi_ptx_function(r, 1);
    if (soothi_ptx_is(word, ".func")) return soothi_ptx_function(r, 0);
    if (soothi_ptx_is(word, ".version")) return soothi_ptx_version(r);
    if (soothi_ptx_is(word, ".target")) return soothi_ptx_target(r);
    if (soothi_ptx_is(word, ".address_size")) {
        if (!soothi_ptx_number(r, &number, "32 or 64 should, after .address_size")) return 0;
        r->out->address_size = number == 32 ? 32 : 64;
        return 1;
    }
    return soothi_ptx_any_directive(r, word, is_extern);
}

/* Everything, until the text or the memory ends. */
SOOTHI_LOCAL void soothi_ptx_module(soothi_ptx_reader *r) {
    while (r->memory.status == SOOTH_OK) {
        int good = 1;
        r->function = SOOTH_PTX_NONE;
        r->depth = 0;
        soothi_ptx_blank(r);
        if (r->p >= r->end) return;
        if (*r->p == '.') {
            good = soothi_ptx_module_directive(r);
        } else if (*r->p == ';') {
            ++r->p;
        } else if (*r->p == '@' && r->end - r->p > 1 && r->p[1] == '@') { /* @@DWARF, of old */
            while (r->p < r->end && *r->p != '\n') ++r->p;
        } else {
            good = soothi_ptx_missing(r, "a directive should");
        }
        if (!good && r->memory.status == SOOTH_OK) soothi_ptx_recover(r);
    }
}

/* Finds the callees of all calls. */
SOOTHI_LOCAL void soothi_ptx_find_callees(soothi_ptx_reader *r) {
    sooth_ptx *out = r->out;
    size_t i;
    for (i = 0; i < r->calls; ++i) {
        sooth_ptx_instruction *ins = &out->instruction[r->call[i].instruction];
        ins->target = soothi_ptx_find(&r->functions, out->text, r->call[i].callee, 0);
        if (ins->target != SOOTH_PTX_NONE) continue;
        ins->flags |= SOOTH_PTX_INDIRECT;
        ++out->function[r->call[i].function].indirect;
    }
}

/* Says what is no PTX: other files, and nothing. */
SOOTHI_LOCAL sooth_status soothi_ptx_refuse(sooth_env *env, const char *text, size_t size) {
    size_t at, most = size < 4096 ? size : 4096;
    if (size >= 4 && text[0] == 127 && text[1] == 'E' && text[2] == 'L' && text[3] == 'F')
        return soothi_fail(env, SOOTH_BAD_TEXT,
                           "this is an ELF file, not PTX; `cuobjdump -ptx FILE` takes the PTX out "
                           "of it, if there is any");
    for (at = 0; at < most; ++at) {
        const unsigned char c = (unsigned char)text[at];
        if ((c < 32 && soothi_ptx_char(text[at]) != SOOTHI_PTX_BLANK) || c == 127)
            return soothi_fail(env, SOOTH_BAD_TEXT, "this is no PTX but a binary file: byte %z is %u", at + 1,
                               (uint32_t)c);
    }
    if (soothi_ptx_skip(text, text + size) == text + size)
        return soothi_fail(env, SOOTH_BAD_TEXT, "the PTX text is empty");
    return SOOTH_OK;
}

SOOTH_API sooth_status sooth_ptx_read(sooth_env *env, const char *text, size_t size,
                                      const sooth_ptx_options *options, sooth_ptx *out) {
    soothi_ptx_reader r;
    memset(out, 0, sizeof *out);
    if (!text) return soothi_fail(env, SOOTH_BAD_ARGUMENT, "there is no text to read");
    if (size >= UINT32_MAX - 16)
        return soothi_fail(env, SOOTH_BAD_ARGUMENT, "the PTX text has %z bytes, but must be below 4 GiB",
                           size);
    while (size > 0 && text[size - 1] == 0) --size;
    if (size >= 3 && (unsigned char)text[0] == 0xEF && (unsigned char)text[1] == 0xBB &&
        (unsigned char)text[2] == 0xBF) {
        text += 3; /* a byte order mark */
        size -= 3;
    }
    if (soothi_ptx_refuse(env, text, size) != SOOTH_OK) return SOOTH_BAD_TEXT;
    memset(&r, 0, sizeof r);
    r.memory.env = env;
    r.out = out;
    r.flow.memory = &r.memory;
    r.flow.ptx = out;
    r.p = r.counted = text;
    r.end = text + size;
    r.line = 1;
    r.most_notes = options && options->notes ? options->notes : 64;
    out->text = text;
    out->size = size;
    out->address_size = 64;
    /* what nvcc writes has 40 to 50 bytes of text for an instruction, and five instructions for a block */
    if (soothi_ptx_grow(&r.memory, &out->instruction, 0, &out->rooms[SOOTHI_PTX_INSTRUCTIONS], size / 40 + 16,
                        sizeof *out->instruction) &&
        soothi_ptx_grow(&r.memory, &out->block, 0, &out->rooms[SOOTHI_PTX_BLOCKS], size / 200 + 16,
                        sizeof *out->block))
        soothi_ptx_module(&r);
    if (r.memory.status == SOOTH_OK) soothi_ptx_find_callees(&r);
    if (r.memory.status == SOOTH_OK && out->version == 0 && out->functions == 0)
        r.memory.status =
            soothi_fail(env, SOOTH_BAD_TEXT, "this is no PTX: it has neither .version nor a kernel (%s%s)",
                        out->notes ? "line 1: " : "only variables", out->notes ? out->note[0].text : "");
    soothi_ptx_names_free(env, &r.forms);
    soothi_ptx_names_free(env, &r.functions);
    soothi_ptx_names_free(env, &r.labels);
    soothi_ptx_names_free(env, &r.shared);
    soothi_free(env, r.scope_parent, r.scope_room, sizeof *r.scope_parent);
    soothi_free(env, r.reference, r.reference_room, sizeof *r.reference);
    soothi_free(env, r.target, r.target_room, sizeof *r.target);
    soothi_free(env, r.table, r.table_room, sizeof *r.table);
    soothi_free(env, r.call, r.call_room, sizeof *r.call);
    soothi_free(env, r.scratch, r.scratch_room, sizeof *r.scratch);
    soothi_ptx_flow_free(&r.flow);
    if (r.memory.status != SOOTH_OK) sooth_ptx_free(env, out);
    return r.memory.status;
}

SOOTH_API void sooth_ptx_free(sooth_env *env, sooth_ptx *ptx) {
    soothi_free(env, ptx->function, ptx->rooms[SOOTHI_PTX_FUNCTIONS], sizeof *ptx->function);
    soothi_free(env, ptx->instruction, ptx->rooms[SOOTHI_PTX_INSTRUCTIONS], sizeof *ptx->instruction);
    soothi_free(env, ptx->form, ptx->rooms[SOOTHI_PTX_FORMS], sizeof *ptx->form);
    soothi_free(env, ptx->block, ptx->rooms[SOOTHI_PTX_BLOCKS], sizeof *ptx->block);
    soothi_free(env, ptx->edge, ptx->rooms[SOOTHI_PTX_EDGES], sizeof *ptx->edge);
    soothi_free(env, ptx->loop, ptx->rooms[SOOTHI_PTX_LOOPS], sizeof *ptx->loop);
    soothi_free(env, ptx->label, ptx->rooms[SOOTHI_PTX_LABELS], sizeof *ptx->label);
    soothi_free(env, ptx->variable, ptx->rooms[SOOTHI_PTX_VARIABLES], sizeof *ptx->variable);
    soothi_free(env, ptx->note, ptx->rooms[SOOTHI_PTX_NOTES], sizeof *ptx->note);
    memset(ptx, 0, sizeof *ptx);
}

/* ---- finding kernels ---- */

SOOTH_API size_t sooth_ptx_find(const sooth_ptx *ptx, const char *name) {
    size_t i = 0;
    while (i < ptx->functions && !soothi_ptx_is(ptx->function[i].name, name)) ++i;
    return i;
}

/* The mangled C++ name contains <length><name>, as in _Z6vecaddPKfPf or _ZN4deep6vecaddEv. */
SOOTHI_LOCAL int soothi_ptx_mangles(sooth_ptx_word mangled, const char *name) {
    char piece[160];
    size_t n = 0, i;
    while (n < 128 && name[n]) ++n;
    if (n == 0 || n == 128 || mangled.length < 3 || mangled.text[0] != '_' || mangled.text[1] != 'Z')
        return 0;
    n = sooth_text_format(piece, sizeof piece, "%z%s", n, name);
    for (i = 2; i + n <= mangled.length; ++i)
        if (soothi_ptx_char(mangled.text[i - 1]) != SOOTHI_PTX_DIGIT &&
            soothi_ptx_is(soothi_ptx_word(mangled.text + i, n), piece))
            return 1;
    return 0;
}

/* "a, b, c", as many as there is room for. */
SOOTHI_LOCAL const char *soothi_ptx_kernels(const sooth_ptx *ptx, char room[160]) {
    size_t i, n = 0;
    char brief[52];
    room[0] = 0;
    for (i = 0; i < ptx->functions; ++i) {
        const sooth_ptx_function *f = &ptx->function[i];
        if (!f->is_entry || !f->has_body) continue;
        if (n > 90) {
            sooth_text_format(room + n, 160 - n, ", ... (%z in all)", ptx->entries);
            break;
        }
        n += sooth_text_format(room + n, 160 - n, n ? ", %s" : "%s", soothi_ptx_brief(brief, f->name));
    }
    return room;
}

SOOTH_API sooth_status sooth_ptx_kernel(sooth_env *env, const sooth_ptx *ptx, const char *name,
                                        size_t *kernel) {
    char room[160];
    size_t i, matches = 0, match = name ? sooth_ptx_find(ptx, name) : ptx->functions;
    *kernel = match;
    if (match < ptx->functions && ptx->function[match].has_body) return SOOTH_OK;
    for (i = 0; i < ptx->functions; ++i) {
        const sooth_ptx_function *f = &ptx->function[i];
        if (!f->is_entry || !f->has_body || (name && !soothi_ptx_mangles(f->name, name))) continue;
        match = i;
        ++matches;
    }
    *kernel = matches == 1 ? match : ptx->functions;
    if (matches == 1) return SOOTH_OK;
    if (ptx->entries == 0)
        return soothi_fail(env, SOOTH_BAD_ARGUMENT, "the PTX has no kernel%s",
                           ptx->errors ? "; its errors may be why" : "");
    soothi_ptx_kernels(ptx, room);
    if (!name)
        return soothi_fail(env, SOOTH_BAD_ARGUMENT, "the PTX has %z kernels; name one: %s", ptx->entries,
                           room);
    return soothi_fail(env, SOOTH_BAD_ARGUMENT,
                       matches ? "%s may be several kernels; there are %s"
                               : "there is no kernel %s; there are %s",
                       name, room);
}

/* ---- counting ---- */

/* The work of one count; arrays over the whole module. */
typedef struct soothi_ptx_counting {
    soothi_ptx_memory memory;
    const sooth_ptx *ptx;
    const sooth_ptx_trips *trips;
    sooth_ptx_counts *out;
    double *probability; /* per block: that its branch is taken; -1: not given */
    double *reach;       /* per block: how often for one entry of the loop around it */
    double *times;       /* per function: how often it is called */
    uint32_t *place;     /* per function: number in `order`, from the end; NONE: not reached */
    uint32_t *order;     /* functions, callees before callers */
    /* per function and one more, twice: functions, and how far their instructions are read */
    uint32_t *stack;
    uint32_t *sorted; /* per block: those of the function at hand in reverse post-order */
    uint32_t reached;
    void *room;
    size_t size; /* of room */
} soothi_ptx_counting;

SOOTHI_LOCAL int soothi_ptx_counting_new(soothi_ptx_counting *c) {
    const size_t functions = c->ptx->functions, blocks = c->ptx->blocks;
    const size_t doubles = 2 * blocks + functions, words = 4 * functions + blocks + 2;
    c->size = soothi_product(doubles, sizeof(double)) + soothi_product(words, sizeof(uint32_t));
    c->room = soothi_alloc(c->memory.env, c->size, 1);
    if (!c->room) return 0;
    c->probability = (double *)c->room;
    c->reach = c->probability + blocks;
    c->times = c->reach + blocks;
    c->place = (uint32_t *)(void *)(c->times + functions);
    c->order = c->place + functions;
    c->sorted = c->order + functions;
    c->stack = c->sorted + blocks;
    return 1;
}

/* The size in bytes of what counts hold: forms, blocks, loops, origins. */
SOOTHI_LOCAL size_t soothi_ptx_counts_size(const sooth_ptx *ptx) {
    return (ptx->forms + ptx->blocks + ptx->loops) * sizeof(double) + ptx->loops;
}

SOOTHI_LOCAL int soothi_ptx_counts_new(sooth_env *env, const sooth_ptx *ptx, sooth_ptx_counts *counts) {
    double *memory = (double *)soothi_alloc(env, soothi_ptx_counts_size(ptx), 1);
    size_t i;
    if (!memory) return 0;
    counts->form = memory;
    counts->block = counts->form + ptx->forms;
    counts->trip = counts->block + ptx->blocks;
    counts->origin = (uint8_t *)(void *)(counts->trip + ptx->loops);
    for (i = 0; i < ptx->forms + ptx->blocks + ptx->loops; ++i) memory[i] = 0.0;
    for (i = 0; i < ptx->loops; ++i) counts->origin[i] = SOOTH_PTX_NOT_REACHED;
    return 1;
}

SOOTH_API void sooth_ptx_counts_free(sooth_env *env, const sooth_ptx *ptx, sooth_ptx_counts *counts) {
    soothi_free(env, counts->form, soothi_ptx_counts_size(ptx), 1);
    memset(counts, 0, sizeof *counts);
}

/* The function is one that the count reaches. */
SOOTHI_LOCAL int soothi_ptx_is_reached(const soothi_ptx_counting *c, uint32_t function) {
    return function != SOOTH_PTX_NONE && c->place[function] != SOOTH_PTX_NONE;
}

/* The functions that `root` comes to call, callees before callers, in order[]. Depth first; a call of a
   function that is still being read is recursion. */
SOOTHI_LOCAL void soothi_ptx_callees(soothi_ptx_counting *c, uint32_t root) {
    const sooth_ptx *ptx = c->ptx;
    uint32_t *at = c->stack + ptx->functions + 1;
    uint32_t top = 1, i;
    enum { FRESH, OPEN, DONE };
    for (i = 0; i < ptx->functions; ++i) c->place[i] = FRESH;
    c->reached = 0;
    c->stack[0] = root;
    at[0] = 0;
    c->place[root] = OPEN;
    while (top > 0) {
        const uint32_t number = c->stack[top - 1];
        const sooth_ptx_function *f = &ptx->function[number];
        uint32_t callee = SOOTH_PTX_NONE;
        if (f->calls == f->indirect || c->trips->each_once) at[top - 1] = f->instructions;
        while (at[top - 1] < f->instructions && callee == SOOTH_PTX_NONE) {
            const sooth_ptx_instruction *ins = &ptx->instruction[f->instruction + at[top - 1]++];
            if (ins->kind == SOOTH_PTX_CALL && ins->target != SOOTH_PTX_NONE &&
                ptx->function[ins->target].has_body)
                callee = ins->target;
        }
        if (callee == SOOTH_PTX_NONE) {
            c->place[number] = DONE;
            c->order[c->reached++] = number;
            --top;
        } else if (c->place[callee] == OPEN) {
            ++c->out->recursive;
        } else if (c->place[callee] == FRESH) {
            c->place[callee] = OPEN;
            c->stack[top] = callee;
            at[top++] = 0;
        }
    }
    for (i = 0; i < ptx->functions; ++i) c->place[i] = SOOTH_PTX_NONE;
    for (i = 0; i < c->reached; ++i) c->place[c->order[i]] = i;
}

/* The innermost loop around a line of a function that is reached, or NONE. */
SOOTHI_LOCAL uint32_t soothi_ptx_loop_at(const soothi_ptx_counting *c, uint32_t line) {
    const sooth_ptx *ptx = c->ptx;
    size_t b = 0; /* blocks stand in the order of the text */
    while (b < ptx->blocks && ptx->block[b].line <= line) ++b;
    return b && soothi_ptx_is_reached(c, ptx->block[b - 1].function) ? ptx->block[b - 1].loop
                                                                     : SOOTH_PTX_NONE;
}

/* The line of a branch at the end of a block. */
SOOTHI_LOCAL uint32_t soothi_ptx_branch_line(const sooth_ptx *ptx, const sooth_ptx_block *b) {
    uint32_t line, column;
    sooth_ptx_place(ptx, ptx->instruction[b->first + b->count - 1].at, &line, &column);
    return line;
}

/* A block whose branch decides something within one iteration: it is predicated, goes two ways, and neither
   leaves or repeats a loop. */
SOOTHI_LOCAL int soothi_ptx_is_choice(const sooth_ptx *ptx, uint32_t b) {
    const sooth_ptx_block *block = &ptx->block[b];
    uint32_t i;
    if (block->edges != 2 || soothi_ptx_ending(ptx, block) != SOOTH_PTX_OP_BRA) return 0;
    for (i = 0; i < 2; ++i) {
        const sooth_ptx_block *to = &ptx->block[ptx->edge[block->edge + i]];
        if (to->order <= block->order || soothi_ptx_both(ptx, block->loop, to->loop) != block->loop) return 0;
    }
    return 1;
}

/* The sentence for a loop that is not there, with those that are. */
SOOTHI_LOCAL sooth_status soothi_ptx_no_loop(const soothi_ptx_counting *c, const sooth_ptx_given *given) {
    const sooth_ptx *ptx = c->ptx;
    char room[160], brief[52], what[80];
    size_t n = 0, k;
    room[0] = 0;
    for (k = 0; k < ptx->loops && n < 100; ++k) {
        const sooth_ptx_block *header = &ptx->block[ptx->loop[k].header];
        if (!soothi_ptx_is_reached(c, header->function)) continue;
        if (header->label == SOOTH_PTX_NONE) memcpy(brief, "-", 2);
        else soothi_ptx_brief(brief, ptx->label[header->label].name);
        n += sooth_text_format(room + n, sizeof room - n, n ? ", %s (line %u)" : "%s (line %u)", brief,
                               header->line);
    }
    if (given->label) sooth_text_format(what, sizeof what, "%s here", given->label);
    else sooth_text_format(what, sizeof what, "around line %u", given->line);
    return soothi_fail(c->memory.env, SOOTH_BAD_ARGUMENT,
                       n ? "there is no loop %s; there are %s" : "there is no loop %s, and no other%s", what,
                       room);
}

/* Enters the loops that the caller knows: all with the label, or the one around the line. */
SOOTHI_LOCAL sooth_status soothi_ptx_given_loops(soothi_ptx_counting *c) {
    const sooth_ptx *ptx = c->ptx;
    size_t i, l;
    for (i = 0; i < c->trips->loops; ++i) {
        const sooth_ptx_given *given = &c->trips->loop[i];
        const uint32_t around = given->label ? SOOTH_PTX_NONE : soothi_ptx_loop_at(c, given->line);
        int found = 0;
        if (!(given->value >= 0.0) || !soothi_finite(given->value))
            return soothi_fail(c->memory.env, SOOTH_BAD_ARGUMENT,
                               "the trips of loop %s are %g, but must be 0 or more",
                               given->label ? given->label : "", given->value);
        for (l = 0; l < ptx->loops; ++l) {
            const sooth_ptx_function *f = &ptx->function[ptx->block[ptx->loop[l].header].function];
            int is_meant = l == around;
            uint32_t k;
            if (!soothi_ptx_is_reached(c, ptx->block[ptx->loop[l].header].function)) continue;
            for (k = f->label; given->label && k < f->label + f->labels && !is_meant; ++k)
                is_meant = ptx->label[k].block == ptx->loop[l].header &&
                           soothi_ptx_is(ptx->label[k].name, given->label);
            if (!is_meant) continue;
            c->out->trip[l] = given->value;
            c->out->origin[l] = SOOTH_PTX_GIVEN;
            found = 1;
        }
        if (!found) return soothi_ptx_no_loop(c, given);
    }
    return SOOTH_OK;
}

/* The predicated branch at the end of block b is meant: it goes to the label, or stands in the line. */
SOOTHI_LOCAL int soothi_ptx_is_branch(const sooth_ptx *ptx, size_t b, const sooth_ptx_given *given) {
    const sooth_ptx_block *block = &ptx->block[b];
    const sooth_ptx_function *f = &ptx->function[block->function];
    uint32_t l;
    if (block->edges != 2 || soothi_ptx_ending(ptx, block) != SOOTH_PTX_OP_BRA) return 0;
    if (!given->label)
        return block->line <= given->line && !(b + 1 < ptx->blocks && ptx->block[b + 1].line < given->line) &&
               soothi_ptx_branch_line(ptx, block) == given->line;
    for (l = f->label; l < f->label + f->labels; ++l)
        if (ptx->label[l].block == ptx->instruction[block->first + block->count - 1].target &&
            soothi_ptx_is(ptx->label[l].name, given->label))
            return 1;
    return 0;
}

/* Enters the probabilities that the caller knows. */
SOOTHI_LOCAL sooth_status soothi_ptx_given_branches(soothi_ptx_counting *c) {
    const sooth_ptx *ptx = c->ptx;
    char what[80];
    size_t i, b;
    for (b = 0; b < ptx->blocks; ++b) c->probability[b] = -1.0;
    for (i = 0; i < c->trips->branches; ++i) {
        const sooth_ptx_given *given = &c->trips->branch[i];
        int found = 0, of_loop = 0;
        if (given->label) sooth_text_format(what, sizeof what, "to %s", given->label);
        else sooth_text_format(what, sizeof what, "in line %u", given->line);
        if (!(given->value >= 0.0 && given->value <= 1.0))
            return soothi_fail(c->memory.env, SOOTH_BAD_ARGUMENT,
                               "the probability of the branch %s is %g, but must be between 0 and 1", what,
                               given->value);
        for (b = 0; b < ptx->blocks; ++b) {
            if (!soothi_ptx_is_reached(c, ptx->block[b].function) || !soothi_ptx_is_branch(ptx, b, given))
                continue;
            if (soothi_ptx_is_choice(ptx, (uint32_t)b)) {
                c->probability[b] = given->value;
                found = 1;
            } else {
                of_loop = 1;
            }
        }
        if (found) continue;
        return soothi_fail(c->memory.env, SOOTH_BAD_ARGUMENT,
                           of_loop ? "the branch %s ends or repeats a loop: give that loop's trips instead"
                                   : "there is no predicated branch %s here",
                           what);
    }
    return SOOTH_OK;
}

/* Every name that the caller gives a value must be a parameter or a special register. */
SOOTHI_LOCAL sooth_status soothi_ptx_given_values(soothi_ptx_counting *c) {
    const sooth_ptx *ptx = c->ptx;
    size_t i, k;
    for (i = 0; i < c->trips->values; ++i) {
        const char *name = c->trips->value[i].name;
        soothi_ptx_flow flow;
        int64_t value;
        int known = name[0] == '%';
        memset(&flow, 0, sizeof flow);
        flow.value = &c->trips->value[i];
        flow.values = 1;
        for (k = 0; k < ptx->variables && !known; ++k) {
            const sooth_ptx_variable *v = &ptx->variable[k];
            if (v->space != SOOTH_PTX_PARAM || !soothi_ptx_is_reached(c, v->function)) continue;
            flow.function = &ptx->function[v->function];
            known = soothi_ptx_known(&flow, v->name, &value);
        }
        if (!known)
            return soothi_fail(c->memory.env, SOOTH_BAD_ARGUMENT,
                               "the kernel has no parameter %s; special registers begin with %%", name);
    }
    return SOOTH_OK;
}

/* Trips of the loops that nobody knows. */
SOOTHI_LOCAL double soothi_ptx_assumed(const soothi_ptx_counting *c) {
    return c->trips->default_trip > 0.0 ? c->trips->default_trip : 1.0;
}

/* trip[] and origin[] of all loops reached. */
SOOTHI_LOCAL sooth_status soothi_ptx_set_trips(soothi_ptx_counting *c) {
    const sooth_ptx *ptx = c->ptx;
    soothi_ptx_flow flow;
    uint32_t i, l;
    memset(&flow, 0, sizeof flow);
    flow.memory = &c->memory;
    flow.ptx = ptx;
    flow.value = c->trips->value;
    flow.values = c->trips->values;
    for (i = 0; i < c->reached; ++i) {
        const sooth_ptx_function *f = &ptx->function[c->order[i]];
        if (f->loops && flow.values && !soothi_ptx_follow(&flow, f)) break;
        for (l = f->loop; l < f->loop + f->loops; ++l) {
            double trip = ptx->loop[l].trip;
            if (c->out->origin[l] == SOOTH_PTX_GIVEN) continue;
            if (flow.values && !(trip >= 0.0)) trip = soothi_ptx_derive(&flow, l);
            c->out->origin[l] = trip >= 0.0 ? SOOTH_PTX_DERIVED : SOOTH_PTX_ASSUMED;
            c->out->assumed += !(trip >= 0.0);
            c->out->trip[l] = trip >= 0.0 ? trip : soothi_ptx_assumed(c);
        }
    }
    soothi_ptx_flow_free(&flow);
    return c->memory.status;
}

/* How often a block runs for one entry of its function, from reach[] and the trips of the loops around it:
   the body's T times, and once more before a test that stands in front of the rest of the body. */
SOOTHI_LOCAL double soothi_ptx_weight(const soothi_ptx_counting *c, uint32_t b) {
    const sooth_ptx *ptx = c->ptx;
    const sooth_ptx_block *block = &ptx->block[b];
    double weight = c->reach[b];
    uint32_t l, i;
    if (c->trips->paper_loops) {
        for (i = 0; i < block->edges; ++i)
            if (ptx->block[ptx->edge[block->edge + i]].order <= block->order)
                return weight * soothi_ptx_assumed(c);
        return weight;
    }
    for (l = block->loop; l != SOOTH_PTX_NONE; l = ptx->loop[l].parent) {
        const uint32_t test = ptx->loop[l].test;
        const int once_more = test != SOOTH_PTX_NONE && !ptx->loop[l].test_is_last &&
                              (b == test || !sooth_ptx_dominates(ptx, test, b));
        weight *= c->out->trip[l] + (once_more ? 1.0 : 0.0);
    }
    return weight;
}

/* reach[] of a function's blocks, in reverse post-order: what comes in over the edges, and never more than
   reaches the immediate dominator (both sides of a branch that nobody spoke of run in full, and where they
   meet the sum would be too much). An edge out of loops brings what entered the outermost of them. */
SOOTHI_LOCAL void soothi_ptx_reach(soothi_ptx_counting *c, const sooth_ptx_function *f) {
    const sooth_ptx *ptx = c->ptx;
    const uint32_t nodes = f->blocks - f->unreachable;
    uint32_t b, i, k, node;
    for (b = f->block; b < f->block + f->blocks; ++b) {
        c->reach[b] = 0.0;
        if (ptx->block[b].order != SOOTH_PTX_NONE) c->sorted[ptx->block[b].order] = b;
    }
    for (node = 0; node < nodes; ++node) {
        const sooth_ptx_block *block = &ptx->block[c->sorted[node]];
        double most, taken = -1.0; /* -1: both sides run */
        b = c->sorted[node];
        most = node ? c->reach[block->idom] : 1.0;
        if (node == 0 || c->reach[b] > most) c->reach[b] = most;
        if (soothi_ptx_is_choice(ptx, b)) {
            if (c->probability[b] >= 0.0) taken = c->probability[b];
            else if (c->trips->default_probability > 0.0) taken = c->trips->default_probability;
        }
        for (i = 0; i < block->edges; ++i) {
            const uint32_t to = ptx->edge[block->edge + i];
            const uint32_t both = soothi_ptx_both(ptx, block->loop, ptx->block[to].loop);
            double brings = c->reach[b];
            if (ptx->block[to].order <= block->order) continue;
            if (taken >= 0.0) brings *= i == 0 ? taken : 1.0 - taken;
            for (k = block->loop; k != both; k = ptx->loop[k].parent)
                if (ptx->loop[k].parent == both) brings = c->reach[ptx->loop[k].header];
            c->reach[to] += brings;
        }
    }
}

/* Adds an instruction that runs `times` times. */
SOOTHI_LOCAL void soothi_ptx_add(const sooth_ptx *ptx, sooth_ptx_counts *out,
                                 const sooth_ptx_instruction *ins, double times) {
    const sooth_ptx_form *form = soothi_ptx_form(ptx, ins);
    const int is_copy = (form->flags & SOOTH_PTX_ASYNCHRONOUS) != 0,
              has_target = ins->target != SOOTH_PTX_NONE;
    const unsigned group = sooth_ptx_class_of((sooth_ptx_kind)ins->kind);
    double moved = times * (double)form->bytes;
    if (is_copy) moved = has_target ? times * (double)ins->target : 0.0;
    out->form[ins->form] += times;
    out->kind[ins->kind] += times;
    if (is_copy && !has_target) out->unsized += times;
    switch (ins->kind) {
    case SOOTH_PTX_CALL:
        if (!has_target) out->indirect += times;
        else if (!ptx->function[ins->target].has_body) out->bodiless += times;
        break;
    case SOOTH_PTX_GLOBAL_LOAD:
    case SOOTH_PTX_SHARED_LOAD:
    case SOOTH_PTX_LOCAL_LOAD:
    case SOOTH_PTX_CONSTANT_LOAD:
    case SOOTH_PTX_TEXTURE_LOAD:
    case SOOTH_PTX_PARAM_LOAD: out->loaded[group] += moved; break;
    default:
        if (soothi_ptx_is_memory(ins->kind)) out->stored[group] += moved;
    }
}

/* Counts functions from callers to callees, so that each knows how often it is called before its turn. */
SOOTHI_LOCAL void soothi_ptx_sum(soothi_ptx_counting *c, uint32_t root) {
    const sooth_ptx *ptx = c->ptx;
    sooth_ptx_counts *out = c->out;
    uint32_t turn, b, i;
    for (i = 0; i < ptx->functions; ++i) c->times[i] = 0.0;
    c->times[root] = 1.0;
    for (turn = c->reached; turn-- > 0;) {
        const sooth_ptx_function *f = &ptx->function[c->order[turn]];
        const double times = c->times[c->order[turn]];
        if (!c->trips->each_once) soothi_ptx_reach(c, f);
        for (b = f->block; b < f->block + f->blocks; ++b) {
            const double weight = c->trips->each_once ? 1.0 : times * soothi_ptx_weight(c, b);
            out->block[b] = weight;
            for (i = ptx->block[b].first; i < ptx->block[b].first + ptx->block[b].count; ++i) {
                const sooth_ptx_instruction *ins = &ptx->instruction[i];
                soothi_ptx_add(ptx, out, ins, weight);
                if (ins->kind == SOOTH_PTX_CALL && ins->target != SOOTH_PTX_NONE &&
                    c->place[ins->target] < turn)
                    c->times[ins->target] += weight;
            }
        }
        out->irreducible += f->irreducible;
        out->shared_bytes += f->shared_bytes;
        if (f->local_bytes > out->local_bytes) out->local_bytes = f->local_bytes;
    }
    for (i = 0; i < ptx->forms; ++i) {
        out->opcode[ptx->form[i].opcode] += out->form[i];
        out->total += out->form[i];
    }
    for (i = 0; i < SOOTH_PTX_KINDS; ++i) out->group[sooth_ptx_class_of((sooth_ptx_kind)i)] += out->kind[i];
    out->unknown = out->kind[SOOTH_PTX_UNKNOWN];
}

/* No function that is reached may have a syntax error. */
SOOTHI_LOCAL sooth_status soothi_ptx_none_broken(const soothi_ptx_counting *c) {
    const sooth_ptx *ptx = c->ptx;
    char brief[52];
    uint32_t i;
    size_t k;
    for (i = 0; i < c->reached; ++i) {
        const sooth_ptx_function *f = &ptx->function[c->order[i]];
        if (!f->is_broken) continue;
        soothi_ptx_brief(brief, f->name);
        for (k = 0; k < ptx->notes && !(ptx->note[k].is_error && ptx->note[k].function == c->order[i]);) ++k;
        if (k < ptx->notes)
            return soothi_fail(c->memory.env, SOOTH_BAD_TEXT, "%s cannot be counted: line %u, column %u: %s",
                               brief, ptx->note[k].line, ptx->note[k].column, ptx->note[k].text);
        return soothi_fail(c->memory.env, SOOTH_BAD_TEXT,
                           "%s cannot be counted: there is a syntax error in it", brief);
    }
    return SOOTH_OK;
}

SOOTH_API sooth_status sooth_ptx_count(sooth_env *env, const sooth_ptx *ptx, size_t function,
                                       const sooth_ptx_trips *trips, sooth_ptx_counts *out) {
    soothi_ptx_counting c;
    sooth_ptx_trips none;
    sooth_status status;
    char brief[52];
    memset(out, 0, sizeof *out);
    memset(&none, 0, sizeof none);
    memset(&c, 0, sizeof c);
    if (function >= ptx->functions)
        return soothi_fail(env, SOOTH_BAD_ARGUMENT, "function is %z, but the PTX has %z", function,
                           ptx->functions);
    if (!ptx->function[function].has_body)
        return soothi_fail(env, SOOTH_BAD_ARGUMENT, "%s is only declared in this PTX, its body is elsewhere",
                           soothi_ptx_brief(brief, ptx->function[function].name));
    c.trips = trips ? trips : &none;
    if (!(c.trips->default_trip >= 0.0) || !soothi_finite(c.trips->default_trip))
        return soothi_fail(env, SOOTH_BAD_ARGUMENT, "default_trip is %g, but must be 0 or more",
                           c.trips->default_trip);
    if (!(c.trips->default_probability >= 0.0 && c.trips->default_probability <= 1.0))
        return soothi_fail(env, SOOTH_BAD_ARGUMENT, "default_probability is %g, but must be between 0 and 1",
                           c.trips->default_probability);
    c.memory.env = env;
    c.ptx = ptx;
    c.out = out;
    if (!soothi_ptx_counts_new(env, ptx, out) || !soothi_ptx_counting_new(&c)) {
        sooth_ptx_counts_free(env, ptx, out);
        return soothi_no_memory(env, "the counts of a kernel", soothi_ptx_counts_size(ptx) + c.size);
    }
    soothi_ptx_callees(&c, (uint32_t)function);
    status = soothi_ptx_none_broken(&c);
    if (status == SOOTH_OK) status = soothi_ptx_given_loops(&c);
    if (status == SOOTH_OK) status = soothi_ptx_given_branches(&c);
    if (status == SOOTH_OK) status = soothi_ptx_given_values(&c);
    if (status == SOOTH_OK && !c.trips->each_once) status = soothi_ptx_set_trips(&c);
    if (status == SOOTH_OK) soothi_ptx_sum(&c, (uint32_t)function);
    soothi_free(env, c.room, c.size, 1);
    if (status != SOOTH_OK) sooth_ptx_counts_free(env, ptx, out);
    return status;
}

/* ---- listing ---- */

SOOTHI_LOCAL void soothi_ptx_put_label(sooth_sink *sink, const sooth_ptx *ptx, uint32_t block) {
    const uint32_t label = ptx->block[block].label;
    if (label == SOOTH_PTX_NONE)
        sooth_text_put(sink, "#%u", block - ptx->function[ptx->block[block].function].block);
    else sooth_text_write(sink, ptx->label[label].name.text, ptx->label[label].name.length);
}

SOOTHI_LOCAL void soothi_ptx_put_block(sooth_sink *sink, const sooth_ptx *ptx, uint32_t b,
                                       const sooth_ptx_counts *counts) {
    const sooth_ptx_block *block = &ptx->block[b];
    uint32_t i;
    sooth_text_put(sink, "  block ");
    soothi_ptx_put_label(sink, ptx, b);
    sooth_text_put(sink, " line %u: %u instructions", block->line, block->count);
    if (counts) sooth_text_put(sink, ", runs %G times", counts->block[b]);
    if (block->loop != SOOTH_PTX_NONE) {
        sooth_text_put(sink, ", in loop ");
        soothi_ptx_put_label(sink, ptx, ptx->loop[block->loop].header);
    }
    for (i = 0; i < block->edges; ++i) {
        sooth_text_put(sink, i ? ", " : " -> ");
        soothi_ptx_put_label(sink, ptx, ptx->edge[block->edge + i]);
    }
    sooth_text_put(sink, block->order == SOOTH_PTX_NONE ? " (unreachable)\n" : "\n");
}

SOOTHI_LOCAL void soothi_ptx_put_loop(sooth_sink *sink, const sooth_ptx *ptx, uint32_t l,
                                      const sooth_ptx_counts *counts) {
    static const char origin[4][12] = {"not counted", "given", "derived", "assumed"};
    const sooth_ptx_loop *loop = &ptx->loop[l];
    sooth_text_put(sink, "  loop ");
    soothi_ptx_put_label(sink, ptx, loop->header);
    sooth_text_put(sink, " line %u: depth %u, %u blocks", ptx->block[loop->header].line, loop->depth,
                   loop->blocks);
    if (counts) sooth_text_put(sink, ", %G trips (%s)\n", counts->trip[l], origin[counts->origin[l] & 3]);
    else if (loop->trip >= 0.0) sooth_text_put(sink, ", %G trips\n", loop->trip);
    else sooth_text_put(sink, ", trips not known\n");
}

SOOTH_API void sooth_ptx_put_function(sooth_sink *sink, const sooth_ptx *ptx, size_t function,
                                      const sooth_ptx_counts *counts) {
    const sooth_ptx_function *f = &ptx->function[function];
    uint32_t b, l;
    if (function >= ptx->functions) return;
    sooth_text_put(sink, f->is_entry ? "kernel " : "function ");
    sooth_text_write(sink, f->name.text, f->name.length);
    sooth_text_put(sink, " (line %u): %u instructions, %u blocks, %u edges, %u loops\n", f->line,
                   f->instructions, f->blocks, f->edges, f->loops);
    for (b = f->block; b < f->block + f->blocks; ++b) soothi_ptx_put_block(sink, ptx, b, counts);
    for (l = f->loop; l < f->loop + f->loops; ++l) soothi_ptx_put_loop(sink, ptx, l, counts);
}

SOOTH_API void sooth_ptx_put_doubts(sooth_sink *sink, const sooth_ptx *ptx, const sooth_ptx_counts *counts) {
    size_t i;
    uint32_t l;
    for (l = 0; l < ptx->loops; ++l) {
        if (counts->origin[l] != SOOTH_PTX_ASSUMED) continue;
        sooth_text_put(sink, "loop ");
        soothi_ptx_put_label(sink, ptx, ptx->loop[l].header);
        sooth_text_put(sink, " (line %u) does not say how often it runs: %G assumed; give its trips\n",
                       ptx->block[ptx->loop[l].header].line, counts->trip[l]);
    }
    for (i = 0; i < ptx->forms; ++i) {
        if (ptx->form[i].kind != SOOTH_PTX_UNKNOWN || !(counts->form[i] > 0.0)) continue;
        sooth_text_put(sink, "opcode ");
        sooth_text_write(sink, ptx->form[i].text, ptx->form[i].length);
        sooth_text_put(sink, " is not known: %G times, counted as misc\n", counts->form[i]);
    }
    if (counts->irreducible)
        sooth_text_put(sink, "%u edges go back into loops with several entries: counted as no loops\n",
                       counts->irreducible);
    if (counts->recursive)
        sooth_text_put(sink, "%u calls lead back to their own function: followed once\n", counts->recursive);
    if (counts->indirect > 0.0)
        sooth_text_put(sink, "%G calls go to functions that only a register knows: not followed\n",
                       counts->indirect);
    if (counts->bodiless > 0.0)
        sooth_text_put(sink, "%G calls go to functions outside this text: not followed\n", counts->bodiless);
    if (counts->unsized > 0.0)
        sooth_text_put(sink, "%G copies have their size in a register: their bytes are not counted\n",
                       counts->unsized);
}

SOOTH_API void sooth_ptx_put_notes(sooth_sink *sink, const sooth_ptx *ptx) {
    size_t i;
    for (i = 0; i < ptx->notes; ++i)
        sooth_text_put(sink, "line %u, column %u: %s%s\n", ptx->note[i].line, ptx->note[i].column,
                       ptx->note[i].is_error ? "error: " : "", ptx->note[i].text);
    if (ptx->errors + ptx->remarks > ptx->notes)
        sooth_text_put(sink, "and %z more\n", ptx->errors + ptx->remarks - ptx->notes);
}

#ifdef __cplusplus
}
#endif
#endif /* SOOTH_IMPLEMENTATION */
