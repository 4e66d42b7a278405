/* import/onnx.h - reads tree ensembles of ONNX files, for import.h.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * A host calls nothing here. An ONNX file is a protocol buffer: ModelProto, GraphProto, NodeProto,
 * AttributeProto and TensorProto, each inside the one before. The first pass checks all of them, so that
 * later passes cannot fail on a length. Lists may be packed or not.
 *
 * The graph must be a chain: input, trees, output. The trees are one of TreeEnsembleRegressor,
 * TreeEnsembleClassifier (ai.onnx.ml 1 to 3) and TreeEnsemble (5). Other operators of the chain are Identity,
 * Cast between float and double, and after the trees Sigmoid, Exp, ZipMap and Mul by 1. All others are
 * refused by their name.
 *
 * Sums are those of ONNX Runtime, which starts with 0, adds the leaves in the order of the trees, and then
 * base_values. Here base_values are the last tree of each target. Comparisons become x <= threshold: see
 * soothi_import_onnx_split. Two classes are one target, the probability of the second one. ONNX Runtime
 * contradicts the specification in two cases, which are refused: it applies LOGISTIC to values of one of two
 * classes only if one is negative, and to a regressor never.
 *
 * Cost: about 20 passes. Memory: about 90 bytes per node and 50 per leaf value while the file is read.
 */
#if !defined(SOOTH_IMPORT_ONNX_H)
#define SOOTH_IMPORT_ONNX_H
#endif /* SOOTH_IMPORT_ONNX_H */

/* ------------------------------------------------------------------------------------------------ */
#if defined(SOOTH_IMPLEMENTATION) && !defined(SOOTH_IMPORT_ONNX_IMPLEMENTED) && !defined(SOOTH_PREDICT_ONLY)
#define SOOTH_IMPORT_ONNX_IMPLEMENTED
SOOTHI_C_BEGIN

/* ---- protocol buffers ---- */

/* A field of a message: a number, or bytes. */
typedef struct soothi_import_field {
    uint32_t number;
    uint32_t type;  /* 0 varint, 1 eight bytes, 2 bytes with their length, 5 four bytes */
    uint64_t value; /* the bits of a number */
    soothi_import_value bytes;
} soothi_import_field;

/* Reads `size` bytes, little end first. */
SOOTHI_LOCAL uint64_t soothi_import_fixed(const soothi_import_doc *doc, size_t at, size_t size) {
    uint64_t bits = 0;
    while (size-- > 0) bits = bits << 8 | (unsigned char)doc->text[at + size];
    return bits;
}

/* Reads an integer of seven bits per byte and moves *at past it. Returns 0 if it is incomplete. */
SOOTHI_LOCAL int soothi_import_varint(const soothi_import_doc *doc, size_t *at, size_t end, uint64_t *value) {
    *value = 0;
    for (unsigned shift = 0; *at < end && shift < 64; shift += 7) {
        const unsigned char byte = (unsigned char)doc->text[(*at)++];
        *value |= (uint64_t)(byte & 127u) << shift;
        if (byte < 128) return 1;
    }
    return 0;
}

/* Takes the first field of a message. Returns 0 at the end, or if the field is malformed. */
SOOTHI_LOCAL int soothi_import_take_field(const soothi_import_doc *doc, soothi_import_value *message,
                                          soothi_import_field *f) {
    size_t at = message->at;
    uint64_t key = 0, size = 0;
    memset(f, 0, sizeof *f);
    if (!soothi_import_varint(doc, &at, message->end, &key) || key >> 32) return 0;
    f->number = (uint32_t)key >> 3;
    f->type = (uint32_t)key & 7u;
    if (f->type == 1 || f->type == 5) size = f->type == 1 ? 8 : 4;
    else if (f->type == 2 ? !soothi_import_varint(doc, &at, message->end, &size)
                          : f->type || !soothi_import_varint(doc, &at, message->end, &f->value))
        return 0;
    if (size > message->end - at) return 0;
    if (f->type & 1u) f->value = soothi_import_fixed(doc, at, (size_t)size);
    f->bytes.at = at;
    f->bytes.end = message->at = at + (size_t)size;
    return 1;
}

/* Returns the first field of this number and type after *message, and moves *message past it. Returns 0, and
   an empty field, if there is none. */
SOOTHI_LOCAL int soothi_import_find_field(const soothi_import_doc *doc, soothi_import_value *message,
                                          uint32_t number, uint32_t type, soothi_import_field *f) {
    while (soothi_import_take_field(doc, message, f))
        if (f->number == number && f->type == type) return 1;
    memset(f, 0, sizeof *f);
    return 0;
}

/* Returns the bytes of the first field of this number; empty if there is none. */
SOOTHI_LOCAL soothi_import_value soothi_import_bytes(const soothi_import_doc *doc,
                                                     soothi_import_value message, uint32_t number) {
    soothi_import_field f;
    soothi_import_find_field(doc, &message, number, 2, &f);
    return f.bytes;
}

/* Checks the fields of a message, and of the messages in it that are read later. level: 0 model, 1 graph,
   2 node, 3 attribute, 4 others. */
SOOTHI_LOCAL sooth_status soothi_import_check_message(const soothi_import_doc *doc,
                                                      soothi_import_value message, unsigned level) {
    static const unsigned char inner[5] = {7, 1, 5, 5, 0};
    soothi_import_field f;
    while (soothi_import_take_field(doc, &message, &f)) {
        const int deeper = level == 1 && (f.number == 5 || (f.number >= 11 && f.number <= 12));
        const sooth_status status = f.type != 2 ? SOOTH_OK
                                    : deeper    ? soothi_import_check_message(doc, f.bytes, 4)
                                    : level < 4 && f.number == inner[level]
                                        ? soothi_import_check_message(doc, f.bytes, level + 1)
                                        : SOOTH_OK;
        if (status != SOOTH_OK) return status;
    }
    if (message.at == message.end) return SOOTH_OK;
    return soothi_import_fail(doc, message.at, "this ONNX file is damaged or incomplete here");
}

/* ---- lists ---- */

/* The elements of a list: fields of one number, and those packed into one field. */
typedef struct soothi_import_list {
    soothi_import_value message, packed;
    uint32_t number, type;
    unsigned width; /* bytes of a packed element; 0: varints */
    unsigned real;  /* elements are floats or doubles */
} soothi_import_list;

/* Takes the next element: a number, or the bytes of a text. Returns 0 at the end. */
SOOTHI_LOCAL int soothi_import_list_next(const soothi_import_doc *doc, soothi_import_list *list,
                                         double *number, soothi_import_value *text) {
    soothi_import_field f;
    uint64_t bits = 0;
    for (;;) {
        if (list->packed.at < list->packed.end && list->width == 0) {
            if (!soothi_import_varint(doc, &list->packed.at, list->packed.end, &bits)) return 0;
            break;
        }
        if (list->packed.at < list->packed.end) {
            if (list->packed.end - list->packed.at < list->width) return 0;
            bits = soothi_import_fixed(doc, list->packed.at, list->width);
            list->packed.at += list->width;
            break;
        }
        if (!soothi_import_take_field(doc, &list->message, &f)) return 0;
        if (f.number != list->number) continue;
        bits = f.value;
        *text = f.bytes;
        if (f.type == list->type) break;
        if (f.type == 2) list->packed = f.bytes;
    }
    if (list->real && list->width == 8) memcpy(number, &bits, sizeof *number);
    else if (list->real) *number = (double)soothi_of_bits((uint32_t)bits);
    else *number = bits >> 63 ? -(double)(~bits + 1) : (double)bits;
    return 1;
}

/* Returns the elements of a tensor of floats, doubles or bytes; of others, and if data are in another file,
   none. */
SOOTHI_LOCAL soothi_import_list soothi_import_tensor(const soothi_import_doc *doc,
                                                     soothi_import_value tensor) {
    soothi_import_list list;
    soothi_import_field f;
    soothi_import_value rest = tensor;
    memset(&list, 0, sizeof list);
    soothi_import_find_field(doc, &rest, 2, 0, &f);
    if (f.value != 1 && f.value != 2 && f.value != 11) return list;
    list.real = f.value != 2;
    list.width = f.value == 1 ? 4 : f.value == 11 ? 8 : 1;
    list.packed = soothi_import_bytes(doc, tensor, 9);
    if (list.packed.end > list.packed.at) return list;
    list.message = tensor;
    list.number = f.value == 1 ? 4 : f.value == 11 ? 10 : 5;
    list.type = f.value == 1 ? 5 : f.value == 11 ? 1 : 0;
    if (f.value == 2) list.width = 0;
    return list;
}

/* Returns the attribute of a node that has one of these names, separated by blanks; empty if none has. */
SOOTHI_LOCAL soothi_import_value soothi_import_attribute(const soothi_import_doc *doc,
                                                         soothi_import_value node, const char *names) {
    soothi_import_field f;
    while (soothi_import_find_field(doc, &node, 5, 2, &f)) {
        const soothi_import_value name = soothi_import_bytes(doc, f.bytes, 1);
        if (soothi_import_which(doc, name.at, name.end, names) >= 0) return f.bytes;
    }
    memset(&node, 0, sizeof node);
    return node;
}

/* Returns the elements of an attribute; none if it is missing. */
SOOTHI_LOCAL soothi_import_list soothi_import_attribute_list(const soothi_import_doc *doc,
                                                             soothi_import_value node, const char *names) {
    soothi_import_list list;
    soothi_import_field f;
    soothi_import_value rest;
    memset(&list, 0, sizeof list);
    rest = list.message = soothi_import_attribute(doc, node, names);
    soothi_import_find_field(doc, &rest, 20, 0, &f);
    if (f.value == 4) return soothi_import_tensor(doc, soothi_import_bytes(doc, list.message, 5));
    list.number = f.value == 6 ? 7 : f.value == 7 ? 8 : 9;
    list.type = f.value == 6 ? 5 : f.value == 7 ? 0 : 2;
    list.width = f.value == 6 ? 4 : 0;
    list.real = f.value == 6;
    return list;
}

SOOTHI_LOCAL size_t soothi_import_list_count(const soothi_import_doc *doc, soothi_import_list list) {
    soothi_import_value text;
    double number;
    size_t n = 0;
    while (soothi_import_list_next(doc, &list, &number, &text)) ++n;
    return n;
}

/* ---- the trees ---- */

/* The lists of a tree ensemble. Those from WEIGHT on have an element per leaf value. */
enum {
    SOOTHI_IMPORT_ONNX_FEATURE,
    SOOTHI_IMPORT_ONNX_VALUE,
    SOOTHI_IMPORT_ONNX_MODE,
    SOOTHI_IMPORT_ONNX_TRUE,
    SOOTHI_IMPORT_ONNX_FALSE,
    SOOTHI_IMPORT_ONNX_TREE, /* or whether a true child is a leaf */
    SOOTHI_IMPORT_ONNX_NODE, /* or whether a false child is a leaf */
    SOOTHI_IMPORT_ONNX_MISSING,
    SOOTHI_IMPORT_ONNX_WEIGHT,
    SOOTHI_IMPORT_ONNX_TARGET,
    SOOTHI_IMPORT_ONNX_LEAF_TREE, /* not in TreeEnsemble, like LEAF_NODE */
    SOOTHI_IMPORT_ONNX_LEAF_NODE,
    SOOTHI_IMPORT_ONNX_LISTS
};

/* The value of a leaf for a target. */
typedef struct soothi_import_onnx_weight {
    double value;
    uint32_t node, target;
} soothi_import_onnx_weight;

typedef struct soothi_import_onnx {
    soothi_import_reader *r;
    soothi_import_value op; /* the operator of the trees */
    unsigned kind;          /* 0 regressor, 1 classifier, 2 TreeEnsemble */
    unsigned doubles;       /* the operator compares and adds doubles */
    unsigned whole;         /* each leaf of a tree must have a value for a target that others have */
    unsigned scaled;        /* the chain has a Mul */
    uint32_t features, targets, link;
    soothi_import_list list[SOOTHI_IMPORT_ONNX_LISTS];
    soothi_import_list base;
    size_t inner;                      /* nodes in the file; in TreeEnsemble leaves follow them here */
    size_t nodes, weights, trees;      /* of all trees */
    soothi_ensemble_node *node;        /* of all trees; children are indices among all */
    soothi_import_onnx_weight *weight; /* in the order of the file */
    uint32_t *root, *place, *tree;     /* per tree; per node: its index in its tree + 1, and its tree */
    uint32_t *queue;                   /* the nodes, tree by tree */
    uint32_t *start;                   /* trees + 1: where the nodes of each begin in the queue */
    uint64_t *entry;                   /* 2 x weights: sorted, with the index of a weight each */
} soothi_import_onnx;

SOOTHI_LOCAL sooth_status soothi_import_onnx_invalid(const soothi_import_onnx *m, const char *what,
                                                     size_t i) {
    return soothi_import_fail(&m->r->doc, m->op.at, "%s %z of the trees is invalid", what, i);
}

/* Takes the next element of a list as an integer below `limit`. Returns 0 if it is not one. */
SOOTHI_LOCAL int soothi_import_onnx_index(soothi_import_onnx *m, unsigned k, size_t limit, uint32_t *out) {
    soothi_import_value text;
    double number = -1.0;
    return limit > 0 && soothi_import_list_next(&m->r->doc, &m->list[k], &number, &text) &&
           soothi_import_index(number, (double)(limit - 1), out);
}

/* Opens the lists, and checks their lengths before memory depends on them. */
SOOTHI_LOCAL sooth_status soothi_import_onnx_open(soothi_import_onnx *m) {
    static const char names[SOOTHI_IMPORT_ONNX_LISTS][96] = {
        "nodes_featureids",
        "nodes_values nodes_values_as_tensor nodes_splits",
        "nodes_modes",
        "nodes_truenodeids",
        "nodes_falsenodeids",
        "nodes_treeids nodes_trueleafs",
        "nodes_nodeids nodes_falseleafs",
        "nodes_missing_value_tracks_true",
        "target_weights class_weights target_weights_as_tensor class_weights_as_tensor leaf_weights",
        "target_ids class_ids leaf_targetids",
        "target_treeids class_treeids",
        "target_nodeids class_nodeids"};
    const soothi_import_doc *doc = &m->r->doc;
    char name[96];
    for (unsigned k = 0; k < SOOTHI_IMPORT_ONNX_LISTS - (m->kind == 2 ? 2u : 0u); ++k) {
        m->list[k] = soothi_import_attribute_list(doc, m->op, names[k]);
        const size_t count = soothi_import_list_count(doc, m->list[k]);
        size_t *const first = k < SOOTHI_IMPORT_ONNX_WEIGHT ? &m->inner : &m->weights, n = 0;
        if (k == SOOTHI_IMPORT_ONNX_FEATURE || k == SOOTHI_IMPORT_ONNX_WEIGHT) *first = count;
        if (count == *first && count > 0) continue;
        if (k == SOOTHI_IMPORT_ONNX_MISSING && count == 0) continue;
        while (names[k][n] && names[k][n] != ' ') ++n;
        memcpy(name, names[k], n);
        name[n] = 0;
        return soothi_import_fail(doc, m->op.at, "%s (or the like) of the trees has %z elements, not %z%s",
                                  name, count, *first, count ? "" : "; data must be in the file itself");
    }
    m->base = soothi_import_attribute_list(doc, m->op, "base_values base_values_as_tensor");
    m->doubles |= m->list[SOOTHI_IMPORT_ONNX_VALUE].width == 8 ||
                  m->list[SOOTHI_IMPORT_ONNX_WEIGHT].width == 8 || m->base.width == 8;
    m->nodes = m->inner + (m->kind == 2 ? m->weights : 0);
    return SOOTH_OK;
}

/* Reads the trees and ids of nodes, both of which must count from 0, as converters write them. Finds the
   roots: as in ONNX Runtime, the first node of a tree. */
SOOTHI_LOCAL sooth_status soothi_import_onnx_ids(soothi_import_onnx *m) {
    for (uint32_t i = 0; i < m->inner; ++i) {
        uint32_t tree = 0, id = 0;
        const int known = soothi_import_onnx_index(m, SOOTHI_IMPORT_ONNX_TREE, m->inner, &tree) &&
                          soothi_import_onnx_index(m, SOOTHI_IMPORT_ONNX_NODE, m->inner, &id);
        if (known && tree == m->trees && id == 0) m->root[m->trees++] = i;
        else if (!known || tree + 1 != m->trees || id != i - m->root[tree])
            return soothi_import_fail(&m->r->doc, m->op.at,
                                      "node %u of the file has no id in order; nodes_treeids must count from "
                                      "0, and nodes_nodeids from 0 in each tree",
                                      i);
        m->tree[i] = tree;
    }
    return SOOTH_OK;
}

/* Takes the next element of a list as the id of a node in a tree. Returns 0 if there is no such node. */
SOOTHI_LOCAL int soothi_import_onnx_node(soothi_import_onnx *m, unsigned k, uint32_t tree, uint32_t *node) {
    const size_t end = tree + 1 < m->trees ? m->root[tree + 1] : m->inner;
    if (!soothi_import_onnx_index(m, k, end - m->root[tree], node)) return 0;
    *node += m->root[tree];
    return 1;
}

/* Returns the next double below v, which is not -infinity. */
SOOTHI_LOCAL double soothi_import_double_below(double v) {
    uint64_t bits = soothi_import_double_bits(v);
    bits = bits << 1 == 0 ? ((uint64_t)1 << 63) + 1 : bits >> 63 ? bits + 1 : bits - 1;
    memcpy(&v, &bits, sizeof v);
    return v;
}

/* Sets the test of a node whose left child is the true one. mode: 0 x <= value, 1 <, 2 >=, 3 >, 4 ==, 5 !=,
   6 is in a set. A missing value is not a member and not equal. */
SOOTHI_LOCAL sooth_status soothi_import_onnx_split(soothi_import_onnx *m, size_t i, unsigned mode,
                                                   double value) {
    soothi_ensemble_node *node = m->node + i;
    double at = value;
    if (mode > 3)
        return soothi_import_fail(
            &m->r->doc, m->op.at,
            "node %z of the trees tests %s; import the model's own file, from before its conversion to ONNX, "
            "in which categories have their sets",
            i,
            mode == 6 ? "whether x is a member of a set (BRANCH_MEMBER)"
                      : "whether x equals a number (BRANCH_EQ or BRANCH_NEQ)");
    if (mode == 2 || mode == 3) soothi_import_turn(node); /* not x < value, not x <= value */
    if (mode == 1 || mode == 2) {
        if (at < -DBL_MAX) { /* no number is below */
            soothi_import_turn(node);
            at = -at;
        } else if (!soothi_nan(at)) at = soothi_import_double_below(at);
    }
    node->threshold = soothi_import_threshold(&m->r->origins, m->r->doc.env, node->feature, at);
    return SOOTH_OK;
}

/* Reads child k (TRUE or FALSE) of node i. */
SOOTHI_LOCAL int soothi_import_onnx_child(soothi_import_onnx *m, size_t i, unsigned k, int is_leaf,
                                          uint32_t *child) {
    uint32_t leaf = 0;
    if (m->kind == 2) {
        if (!soothi_import_onnx_index(m, k + 2, 2, &leaf) ||
            !soothi_import_onnx_index(m, k, leaf ? m->weights : m->inner, child))
            return 0;
        if (leaf) *child += (uint32_t)m->inner;
        return 1;
    }
    return soothi_import_onnx_node(m, k, m->tree[i], child) || is_leaf;
}

/* Reads the nodes of all trees. */
SOOTHI_LOCAL sooth_status soothi_import_onnx_nodes(soothi_import_onnx *m) {
    const soothi_import_doc *doc = &m->r->doc;
    for (size_t i = 0; i < m->inner; ++i) {
        soothi_ensemble_node *node = m->node + i;
        soothi_import_value mode = {0, 0, 0}, text;
        double value = (double)soothi_missing(), number = -1.0;
        uint32_t tracks = 0, which = 8;
        soothi_import_list_next(doc, &m->list[SOOTHI_IMPORT_ONNX_MODE], &number, &mode);
        if (m->list[SOOTHI_IMPORT_ONNX_MODE].type == 2)
            which = (uint32_t)soothi_import_which(doc, mode.at, mode.end,
                                                  "BRANCH_LEQ BRANCH_LT BRANCH_GTE BRANCH_GT BRANCH_EQ "
                                                  "BRANCH_NEQ BRANCH_MEMBER LEAF");
        else if (!soothi_import_index(number, 6.0, &which)) which = 8;
        const int is_leaf = which == 7;
        soothi_import_list_next(doc, &m->list[SOOTHI_IMPORT_ONNX_VALUE], &value, &text);
        soothi_import_onnx_index(m, SOOTHI_IMPORT_ONNX_MISSING, 2, &tracks);
        if (which > 7) return soothi_import_onnx_invalid(m, "the mode of node", i);
        if (!soothi_import_onnx_index(m, SOOTHI_IMPORT_ONNX_FEATURE, UINT32_MAX, &node->feature) && !is_leaf)
            return soothi_import_onnx_invalid(m, "the feature of node", i);
        if (!soothi_import_onnx_child(m, i, SOOTHI_IMPORT_ONNX_TRUE, is_leaf, &node->left) ||
            !soothi_import_onnx_child(m, i, SOOTHI_IMPORT_ONNX_FALSE, is_leaf, &node->right))
            return soothi_import_onnx_invalid(m, "a child of node", i);
        if (!is_leaf && m->kind != 2 && node->left == node->right)
            return soothi_import_onnx_invalid(m, "a child of node", i);
        if (is_leaf) node->left = node->right = node->feature = 0;
        else {
            node->missing_right = !tracks;
            const sooth_status status = soothi_import_onnx_split(m, i, which, value);
            if (status != SOOTH_OK) return status;
        }
    }
    return SOOTH_OK;
}

/* Reads the roots of TreeEnsemble. A node whose children are the same leaf is that leaf. */
SOOTHI_LOCAL sooth_status soothi_import_onnx_roots(soothi_import_onnx *m) {
    soothi_import_list roots = soothi_import_attribute_list(&m->r->doc, m->op, "tree_roots");
    soothi_import_value text;
    double number = -1.0;
    for (; soothi_import_list_next(&m->r->doc, &roots, &number, &text); ++m->trees) {
        uint32_t at = 0;
        if (m->trees >= m->inner || !soothi_import_index(number, (double)(m->inner - 1), &at))
            return soothi_import_onnx_invalid(m, "the root of tree", m->trees);
        const uint32_t left = m->node[at].left;
        m->root[m->trees] = left == m->node[at].right && left >= m->inner ? left : at;
    }
    return SOOTH_OK;
}

SOOTHI_LOCAL int soothi_import_onnx_is_inner(const soothi_import_onnx *m, uint32_t i) {
    return i < m->inner && (m->kind == 2 || m->node[i].left != m->node[i].right);
}

/* Collects the nodes of each tree, breadth first. Each may be reached once. */
SOOTHI_LOCAL sooth_status soothi_import_onnx_walk(soothi_import_onnx *m) {
    uint32_t used = 0;
    memset(m->place, 0, m->nodes * sizeof *m->place);
    for (size_t k = 0; k < m->trees; ++k) {
        m->start[k] = used;
        if (used < m->nodes) m->queue[used] = m->root[k];
        for (uint32_t at = used++; at < used; ++at) {
            const uint32_t i = at < m->nodes ? m->queue[at] : 0;
            const int inner = soothi_import_onnx_is_inner(m, i);
            if (at >= m->nodes || m->place[i] || (inner && used + 2 > m->nodes))
                return soothi_import_fail(&m->r->doc, m->op.at,
                                          "two nodes of the trees have the same child, or two trees a node");
            m->place[i] = at - m->start[k] + 1;
            m->tree[i] = (uint32_t)k;
            if (!inner) continue;
            m->queue[used++] = m->node[i].left;
            m->queue[used++] = m->node[i].right;
        }
    }
    m->start[m->trees] = used;
    return SOOTH_OK;
}

/* Reads the values of leaves. *least: the smallest value, at most 0. Bits 0 and 1 of *classes: there are
   values for these targets. */
SOOTHI_LOCAL sooth_status soothi_import_onnx_weights(soothi_import_onnx *m, double *least,
                                                     unsigned *classes) {
    soothi_import_value text;
    *least = 0.0;
    *classes = 0;
    for (size_t i = 0; i < m->weights; ++i) {
        soothi_import_onnx_weight *w = m->weight + i;
        uint32_t tree = 0;
        w->value = (double)soothi_missing();
        w->node = (uint32_t)(m->inner + i);
        soothi_import_list_next(&m->r->doc, &m->list[SOOTHI_IMPORT_ONNX_WEIGHT], &w->value, &text);
        if (!soothi_import_onnx_index(m, SOOTHI_IMPORT_ONNX_TARGET, m->targets, &w->target))
            return soothi_import_onnx_invalid(m, "the target of leaf value", i);
        if (m->kind != 2 && (!soothi_import_onnx_index(m, SOOTHI_IMPORT_ONNX_LEAF_TREE, m->trees, &tree) ||
                             !soothi_import_onnx_node(m, SOOTHI_IMPORT_ONNX_LEAF_NODE, tree, &w->node)))
            return soothi_import_onnx_invalid(m, "the node of leaf value", i);
        if (w->value < *least) *least = w->value;
        if (w->target < 2) *classes |= 1u << w->target;
    }
    return SOOTH_OK;
}

/* Makes the values of two classes those of one target. See the top of this file. */
SOOTHI_LOCAL sooth_status soothi_import_onnx_two_classes(soothi_import_onnx *m, double least,
                                                         unsigned classes) {
    const char *why = NULL;
    size_t kept = 0;
    if (soothi_import_list_count(&m->r->doc, m->base) > (classes == 1 ? 1u : 0u))
        why = "base_values for both of two classes";
    else if (classes == 1 && m->link == SOOTH_ENSEMBLE_LINK_LOGISTIC && !(least < 0.0))
        why = "LOGISTIC, but no negative leaf, which ONNX Runtime answers without LOGISTIC";
    else if (classes == 1 && m->link == SOOTH_ENSEMBLE_LINK_IDENTITY && least < 0.0)
        why = "negative leaves, but not LOGISTIC, whose sums ONNX Runtime negates for some rows";
    for (size_t i = 0; i < m->weights; ++i) {
        if (classes == 3 && m->weight[i].target == 0) continue; /* the second class has its own sum */
        m->weight[kept] = m->weight[i];
        m->weight[kept++].target = 0;
    }
    m->weights = kept;
    m->targets = 1;
    m->whole = classes != 1;
    if (!why) return SOOTH_OK;
    return soothi_import_fail(&m->r->doc, m->op.at,
                              "the classifier has %s; import the model's own file, from before its "
                              "conversion to ONNX",
                              why);
}

/* Adds the tree whose values for a target are the sorted entries from .. to. */
SOOTHI_LOCAL sooth_status soothi_import_onnx_tree(soothi_import_onnx *m, size_t from, size_t to) {
    const uint32_t k = m->tree[m->weight[soothi_entry_row(m->entry[from])].node];
    const uint32_t *queue = m->queue + m->start[k];
    const size_t count = m->start[k + 1] - m->start[k];
    if (soothi_import_begin_tree(m->r, count) != SOOTH_OK) return SOOTH_NO_MEMORY;
    for (size_t i = 0; i < count; ++i) {
        if (!soothi_import_onnx_is_inner(m, queue[i])) continue;
        m->r->node[i] = m->node[queue[i]];
        m->r->node[i].left = m->place[m->node[queue[i]].left] - 1;
        m->r->node[i].right = m->place[m->node[queue[i]].right] - 1;
    }
    for (; from < to; ++from) {
        const soothi_import_onnx_weight *w = m->weight + soothi_entry_row(m->entry[from]);
        soothi_ensemble_node *node = m->r->node + (m->place[w->node] - 1);
        if (node->set_words++)
            return soothi_import_fail(&m->r->doc, m->op.at, "a leaf of tree %u has two values for target %u",
                                      k, w->target);
        node->value = w->value;
    }
    return soothi_import_add(m->r, count, SOOTH_OK);
}

/* Adds a tree of one leaf. */
SOOTHI_LOCAL sooth_status soothi_import_onnx_leaf(soothi_import_onnx *m, double value) {
    if (soothi_import_begin_tree(m->r, 1) != SOOTH_OK) return SOOTH_NO_MEMORY;
    m->r->node->value = value;
    return soothi_import_add(m->r, 1, SOOTH_OK);
}

/* Adds all trees. An ensemble cycles through the targets; a target with fewer trees gets zeros. group: where
   the entries of a tree and a target begin. */
SOOTHI_LOCAL sooth_status soothi_import_onnx_add(soothi_import_onnx *m, size_t kept) {
    const soothi_import_doc *doc = &m->r->doc;
    const uint32_t targets = m->targets;
    soothi_import_value text;
    uint32_t groups = 0, rounds = 0;
    int partial = 0; /* a tree has leaves without a value for a target that others have */
    uint32_t *group = (uint32_t *)soothi_import_room_for(doc->env, &m->r->sets, kept + 1 + targets, 4);
    if (!group) return SOOTH_NO_MEMORY;
    uint32_t *used = group + kept + 1;
    uint64_t total = 0;
    for (size_t i = 0; i < kept; ++i) {
        const soothi_import_onnx_weight *w = m->weight + soothi_entry_row(m->entry[i]);
        const soothi_import_onnx_weight *before = m->weight + soothi_entry_row(m->entry[i ? i - 1 : 0]);
        const uint32_t k = m->tree[w->node];
        if (i && k == m->tree[before->node] && w->target == before->target) continue;
        group[groups++] = (uint32_t)i;
        total += m->start[k + 1] - m->start[k];
        if (++used[w->target] > rounds) rounds = used[w->target];
    }
    group[groups] = (uint32_t)kept;
    total += (uint64_t)rounds * targets - groups;
    if (total > 65536 + doc->size) /* counts are not trusted: they determine memory */
        return soothi_import_fail(doc, m->op.at,
                                  "the trees of %u targets need too many nodes for a file of %z bytes",
                                  targets, doc->size);
    if ((m->r->builder.shape.flags & SOOTH_ENSEMBLE_MEAN) &&
        (rounds != m->trees || groups != rounds * targets))
        return soothi_import_fail(
            doc, m->op.at, "a mean (AVERAGE) needs a value for each of %u targets in every tree", targets);
    uint32_t *place =
        (uint32_t *)soothi_import_room_for(doc->env, &m->r->hashes, (size_t)rounds * targets, 4);
    if (!place) return SOOTH_NO_MEMORY;
    for (uint32_t t = 0; t < targets; ++t) {
        if (!used[t])
            return soothi_import_fail(doc, m->op.at, "target %u of %u has no leaf values in the file", t,
                                      targets);
        used[t] = 0;
    }
    for (uint32_t g = 0; g < groups; ++g) {
        const soothi_import_onnx_weight *w = m->weight + soothi_entry_row(m->entry[group[g]]);
        const uint32_t k = m->tree[w->node];
        place[used[w->target]++ * (size_t)targets + w->target] = g + 1;
        partial |= 2 * (group[g + 1] - group[g]) != m->start[k + 1] - m->start[k] + 1;
    }
    sooth_status status = SOOTH_OK;
    for (size_t i = 0; i < (size_t)rounds * targets && status == SOOTH_OK; ++i)
        status = place[i] ? soothi_import_onnx_tree(m, group[place[i] - 1], group[place[i]])
                          : soothi_import_onnx_leaf(m, 0.0);
    const size_t bases = soothi_import_list_count(doc, m->base);
    if (bases && bases != targets)
        return soothi_import_fail(doc, m->op.at, "there are %z base_values for %u targets", bases, targets);
    double base = 0.0;
    int has_base = 0; /* one that is not 0 */
    for (soothi_import_list list = m->base; soothi_import_list_next(doc, &list, &base, &text);)
        has_base |= !(soothi_abs(base) <= 0.0);
    if ((has_base || m->whole) && partial)
        return soothi_import_fail(doc, m->op.at,
                                  "some leaves have no value for a target that others of the tree have, and "
                                  "there ONNX Runtime predicts another number than the sum with its base");
    if (has_base && (m->r->builder.shape.flags & SOOTH_ENSEMBLE_MEAN))
        return soothi_import_fail(doc, m->op.at, "a mean (AVERAGE) with base_values cannot be imported");
    for (; has_base && status == SOOTH_OK && soothi_import_list_next(doc, &m->base, &base, &text);)
        status = soothi_import_onnx_leaf(m, base);
    return status;
}

/* Provides the memory for all trees. */
SOOTHI_LOCAL sooth_status soothi_import_onnx_memory(soothi_import_onnx *m) {
    soothi_import_reader *r = m->r;
    sooth_env *env = r->doc.env;
    const size_t n = m->nodes, w = m->weights;
    m->node = (soothi_ensemble_node *)soothi_import_room_for(env, &r->values, m->inner, sizeof *m->node);
    m->place = (uint32_t *)soothi_import_room_for(env, &r->map, 3 * n + 2 * m->inner + 1, sizeof *m->place);
    m->weight = (soothi_import_onnx_weight *)soothi_import_room_for(env, &r->planes, w, sizeof *m->weight);
    m->entry = (uint64_t *)soothi_import_room_for(env, &r->order, 2 * w, sizeof *m->entry);
    if (!m->node || !m->place || !m->weight || !m->entry) return SOOTH_NO_MEMORY;
    m->tree = m->place + n;
    m->queue = m->tree + n;
    m->root = m->queue + n;
    m->start = m->root + m->inner;
    return SOOTH_OK;
}

/* Sorts the values by tree and target, without those of nodes that no tree reaches. Returns their number. */
SOOTHI_LOCAL size_t soothi_import_onnx_order(soothi_import_onnx *m) {
    size_t kept = 0;
    for (size_t i = 0; i < m->weights; ++i)
        if (m->place[m->weight[i].node]) m->entry[kept++] = (uint64_t)m->weight[i].target << 32 | i;
    soothi_entry_sort(m->entry, m->entry + kept, kept);
    for (size_t i = 0; i < kept; ++i) {
        const uint32_t row = soothi_entry_row(m->entry[i]);
        m->entry[i] = (uint64_t)m->tree[m->weight[row].node] << 32 | row;
    }
    soothi_entry_sort(m->entry, m->entry + kept, kept);
    return kept;
}

/* Reads an attribute that is a choice: a word of `words`, or in TreeEnsemble its index. */
SOOTHI_LOCAL uint32_t soothi_import_onnx_choice(const soothi_import_onnx *m, const char *name,
                                                const char *words, uint32_t fallback) {
    const soothi_import_doc *doc = &m->r->doc;
    soothi_import_value attribute = soothi_import_attribute(doc, m->op, name), rest = attribute;
    const soothi_import_value word = soothi_import_bytes(doc, attribute, 4);
    soothi_import_field f;
    if (!attribute.end) return fallback;
    if (m->kind != 2) return (uint32_t)soothi_import_which(doc, word.at, word.end, words);
    soothi_import_find_field(doc, &rest, 3, 0, &f);
    return f.value < 5 ? (uint32_t)f.value : 5;
}

/* Reads the attributes that are not lists. *flags: of the ensemble. */
SOOTHI_LOCAL sooth_status soothi_import_onnx_attributes(soothi_import_onnx *m, uint32_t *flags) {
    const soothi_import_doc *doc = &m->r->doc;
    const uint32_t sum = soothi_import_onnx_choice(m, "aggregate_function", "AVERAGE SUM MIN MAX", 1);
    const uint32_t post =
        soothi_import_onnx_choice(m, "post_transform", "NONE SOFTMAX LOGISTIC SOFTMAX_ZERO PROBIT", 0);
    soothi_import_value targets = soothi_import_attribute(doc, m->op, "n_targets");
    soothi_import_field f;
    if (sum > 1)
        return soothi_import_fail(doc, m->op.at,
                                  "aggregate_function must be SUM or AVERAGE: an ensemble has "
                                  "no minimum or maximum of trees");
    if (post && (post != 2 || m->kind != 1))
        return soothi_import_fail(doc, m->op.at,
                                  "the post_transform of the trees cannot be imported; NONE is read, and "
                                  "LOGISTIC of classifiers");
    if (post && m->link)
        return soothi_import_fail(doc, m->op.at, "the model has LOGISTIC and another function after it");
    if (post) m->link = SOOTH_ENSEMBLE_LINK_LOGISTIC;
    soothi_import_find_field(doc, &targets, 3, 0, &f);
    m->targets = f.value < UINT32_MAX ? (uint32_t)f.value : 0;
    if (m->kind == 1) {
        m->targets = (uint32_t)soothi_import_list_count(
            doc, soothi_import_attribute_list(doc, m->op, "classlabels_int64s classlabels_strings"));
        if (m->targets < 2)
            return soothi_import_fail(doc, m->op.at, "the classifier has fewer than two class labels");
    }
    *flags = (sum || m->kind == 1 ? 0u : SOOTH_ENSEMBLE_MEAN);
    return SOOTH_OK;
}

/* Reads the trees, once the chain around them is known. */
SOOTHI_LOCAL sooth_status soothi_import_onnx_trees(soothi_import_onnx *m) {
    soothi_import_reader *r = m->r;
    uint32_t flags = 0;
    double least;
    unsigned classes;
    sooth_status status = soothi_import_onnx_attributes(m, &flags);
    if (status == SOOTH_OK) status = soothi_import_onnx_open(m);
    if (status == SOOTH_OK) status = soothi_import_onnx_memory(m);
    r->origins.doubles = m->doubles != 0;
    if (status == SOOTH_OK && m->kind != 2) status = soothi_import_onnx_ids(m);
    if (status == SOOTH_OK) status = soothi_import_onnx_nodes(m);
    if (status == SOOTH_OK && m->kind == 2) status = soothi_import_onnx_roots(m);
    if (status == SOOTH_OK) status = soothi_import_onnx_weights(m, &least, &classes);
    if (status == SOOTH_OK) status = soothi_import_onnx_walk(m);
    if (status == SOOTH_OK && m->kind == 1 && m->targets == 2)
        status = soothi_import_onnx_two_classes(m, least, classes);
    if (status != SOOTH_OK) return status;
    const size_t kept = soothi_import_onnx_order(m);
    if (kept == 0) return soothi_import_fail(&r->doc, m->op.at, "the model has no trees with leaf values");
    const int known = m->features > 0;
    for (size_t i = 0; !known && i < m->inner; ++i)
        if (m->node[i].feature >= m->features) m->features = m->node[i].feature + 1;
    if (m->doubles) flags |= SOOTH_ENSEMBLE_EXACT | SOOTH_ENSEMBLE_LOW;
    status = soothi_import_begin(r, m->op.at, m->features, m->targets, flags, m->link);
    return status == SOOTH_OK ? soothi_import_onnx_add(m, kept) : status;
}

/* ---- the graph ---- */

/* Returns 1 if two names are the same and not empty. */
SOOTHI_LOCAL int soothi_import_same(const soothi_import_doc *doc, soothi_import_value a,
                                    soothi_import_value b) {
    const size_t n = a.end - a.at;
    return n > 0 && n == b.end - b.at && soothi_same_chars(doc->text + a.at, doc->text + b.at, n);
}

/* Returns the first of the constants (field 5 of the graph) that has this name; empty if there is none. */
SOOTHI_LOCAL soothi_import_value soothi_import_onnx_constant(const soothi_import_doc *doc,
                                                             soothi_import_value graph,
                                                             soothi_import_value name) {
    soothi_import_field f;
    while (soothi_import_find_field(doc, &graph, 5, 2, &f))
        if (soothi_import_same(doc, name, soothi_import_bytes(doc, f.bytes, 8))) return f.bytes;
    memset(&graph, 0, sizeof graph);
    return graph;
}

/* Returns 1 if each element of a constant is 1. */
SOOTHI_LOCAL int soothi_import_onnx_is_one(const soothi_import_doc *doc, soothi_import_value constant) {
    soothi_import_list list = soothi_import_tensor(doc, constant);
    soothi_import_value text;
    double number = 0.0;
    int one = 0;
    while (soothi_import_list_next(doc, &list, &number, &text)) {
        if (number < 1.0 || number > 1.0) return 0;
        one = 1;
    }
    return one;
}

/* Finds the only input of the graph, its type and its number of columns. */
SOOTHI_LOCAL sooth_status soothi_import_onnx_input(soothi_import_onnx *m, soothi_import_value graph,
                                                   soothi_import_value *name) {
    const soothi_import_doc *doc = &m->r->doc;
    soothi_import_value inputs = graph, rest, shape;
    soothi_import_field input, f;
    size_t count = 0;
    while (soothi_import_find_field(doc, &inputs, 11, 2, &input)) {
        *name = soothi_import_bytes(doc, input.bytes, 1);
        rest = soothi_import_bytes(doc, soothi_import_bytes(doc, input.bytes, 2), 1);
        shape = soothi_import_bytes(doc, rest, 2);
        soothi_import_find_field(doc, &rest, 1, 0, &f);
        if (f.value != 1 && f.value != 11)
            return soothi_import_fail(doc, input.bytes.at,
                                      "the input of the model is not a tensor of floats or doubles; convert "
                                      "it with FloatTensorType([None, COLUMNS])");
        m->doubles = f.value == 11;
        if (++count > 1)
            return soothi_import_fail(doc, input.bytes.at,
                                      "the model has several inputs; convert it with one for all columns: "
                                      "FloatTensorType([None, COLUMNS])");
    }
    if (count == 0) return soothi_import_fail(doc, graph.at, "the model has no input");
    while (soothi_import_find_field(doc, &shape, 1, 2, &f)) { /* the last dimension counts columns */
        soothi_import_field size;
        rest = f.bytes;
        soothi_import_find_field(doc, &rest, 1, 0, &size);
        m->features = size.value < UINT32_MAX ? (uint32_t)size.value : 0;
    }
    return SOOTH_OK;
}

/* Takes an operator of the chain, whose input is the value so far. */
SOOTHI_LOCAL sooth_status soothi_import_onnx_operator(soothi_import_onnx *m, soothi_import_value graph,
                                                      soothi_import_value node) {
    const soothi_import_doc *doc = &m->r->doc;
    const soothi_import_value op = soothi_import_bytes(doc, node, 4);
    const int which =
        soothi_import_which(doc, op.at, op.end,
                            "TreeEnsembleRegressor TreeEnsembleClassifier TreeEnsemble Identity "
                            "Cast ZipMap Sigmoid Exp Mul");
    const soothi_import_value domain = soothi_import_bytes(doc, node, 7);
    const int known = soothi_import_which(doc, domain.at, domain.end,
                                          which < 3 || which == 5 ? "ai.onnx.ml" : " ai.onnx") >= 0;
    int fits = which >= 0 && known && (which < 3 ? !m->op.end : which < 5 || m->op.end);
    soothi_import_field f;
    soothi_import_value rest = soothi_import_attribute(doc, node, "to"), second = node;
    if (fits && which < 3) {
        m->op = node;
        m->kind = (unsigned)which;
        soothi_import_objective(m->r, op);
    } else if (which == 4) {
        soothi_import_find_field(doc, &rest, 3, 0, &f);
        fits = f.value == 1 || f.value == 11;
        if (!m->op.end) m->doubles = f.value == 11;
    } else if (which == 6 || which == 7) {
        fits = fits && m->link == SOOTH_ENSEMBLE_LINK_IDENTITY;
        m->link = which == 6 ? SOOTH_ENSEMBLE_LINK_LOGISTIC : SOOTH_ENSEMBLE_LINK_EXP;
    } else if (which == 8) {
        soothi_import_find_field(doc, &second, 1, 2, &f);
        soothi_import_find_field(doc, &second, 1, 2, &f);
        fits = fits && !m->scaled++ && /* once: this searches all constants */
               soothi_import_onnx_is_one(doc, soothi_import_onnx_constant(doc, graph, f.bytes));
    }
    if (fits) return SOOTH_OK;
    return soothi_import_unsupported(
        doc, op, node.at, "operator",
        m->op.end
            ? "after the trees only Identity, Cast to float, ZipMap, Sigmoid, Exp and Mul by 1 are read; "
              "import the model's own file, from before its conversion to ONNX"
            : "before the trees only Identity and Cast to float are read; convert the trees alone, "
              "without scalers and encoders, or import the model's own file");
}

/* Follows the chain of operators from the input to an output. */
SOOTHI_LOCAL sooth_status soothi_import_onnx_chain(soothi_import_onnx *m, soothi_import_value graph) {
    const soothi_import_doc *doc = &m->r->doc;
    soothi_import_value value = {0, 0, 0}, nodes = graph, outputs = graph, rest;
    soothi_import_field node, f;
    size_t others = 0;
    int found = 0;
    sooth_status status = soothi_import_onnx_input(m, graph, &value);
    while (status == SOOTH_OK && soothi_import_find_field(doc, &nodes, 1, 2, &node)) {
        if (!soothi_import_same(doc, value, soothi_import_bytes(doc, node.bytes, 1))) continue;
        status = soothi_import_onnx_operator(m, graph, node.bytes);
        rest = node.bytes;
        soothi_import_find_field(doc, &rest, 2, 2, &f);
        if (m->kind == 1 && m->op.at == node.bytes.at) soothi_import_find_field(doc, &rest, 2, 2, &f);
        value = f.bytes; /* the second output of a classifier has the probabilities */
    }
    if (status != SOOTH_OK) return status;
    if (!m->op.end)
        return soothi_import_fail(doc, graph.at,
                                  "the model has no TreeEnsembleRegressor, TreeEnsembleClassifier or "
                                  "TreeEnsemble that its input goes to; only tree ensembles are read");
    while (soothi_import_find_field(doc, &outputs, 12, 2, &f)) {
        if (soothi_import_same(doc, value, soothi_import_bytes(doc, f.bytes, 1))) found = 1;
        else ++others;
    }
    if (found && (m->kind == 1 || others == 0)) return SOOTH_OK;
    return soothi_import_fail(doc, graph.at,
                              "the output of the model is not that of its trees alone; other operators and "
                              "outputs cannot be imported");
}

SOOTHI_LOCAL sooth_status soothi_import_onnx_model(soothi_import_reader *r) {
    soothi_import_onnx m;
    soothi_import_value model = {0, 0, 0}, graph;
    soothi_import_field f;
    int known = 0;
    memset(&m, 0, sizeof m);
    m.r = r;
    model.end = r->doc.size;
    sooth_status status = soothi_import_check_message(&r->doc, model, 0);
    if (status != SOOTH_OK) return status;
    if (r->doc.size >> 31) return soothi_import_fail(&r->doc, 0, "this ONNX file has more than 2 GiB");
    graph = soothi_import_bytes(&r->doc, model, 7);
    while (!known && soothi_import_find_field(&r->doc, &model, 8, 2, &f)) {
        const soothi_import_value domain = soothi_import_bytes(&r->doc, f.bytes, 1);
        known = soothi_import_which(&r->doc, domain.at, domain.end, "ai.onnx.ml") == 0;
    }
    if (!known)
        return soothi_import_fail(&r->doc, 0,
                                  "this ONNX file does not import the operators ai.onnx.ml, of which tree "
                                  "ensembles are; it has other models, or is incomplete");
    if (!graph.end) return soothi_import_fail(&r->doc, 0, "this ONNX file has no graph");
    status = soothi_import_onnx_chain(&m, graph);
    return status == SOOTH_OK ? soothi_import_onnx_trees(&m) : status;
}

SOOTHI_C_END
#endif /* SOOTH_IMPLEMENTATION */
