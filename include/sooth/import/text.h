/* import/text.h - reads documents in JSON, UBJ and lines in place, for import.h.
 * SPDX-FileCopyrightText: 2026 the sooth authors
 * SPDX-License-Identifier: MIT
 *
 * A host calls nothing here. A value of a document is a range of its bytes. Its content is found by walking
 * through the range, so nothing is stored, regardless of the sizes that the document claims. All libraries
 * write their trees as parallel lists with one entry per node.
 *
 * Cost: a pass over a value for each access.
 */
#if !defined(SOOTH_IMPORT_TEXT_H) || \
    (defined(SOOTH_IMPLEMENTATION) && !defined(SOOTH_IMPORT_TEXT_IMPLEMENTED))
#include "../base.h"
#endif

#ifndef SOOTH_IMPORT_TEXT_H
#define SOOTH_IMPORT_TEXT_H
#endif /* SOOTH_IMPORT_TEXT_H */

/* ------------------------------------------------------------------------------------------------ */
#if defined(SOOTH_IMPLEMENTATION) && !defined(SOOTH_IMPORT_TEXT_IMPLEMENTED) && !defined(SOOTH_PREDICT_ONLY)
#define SOOTH_IMPORT_TEXT_IMPLEMENTED
SOOTHI_C_BEGIN

/* ---- documents ----
 *
 * One small reader for three syntaxes. Skipping the root checks the whole document once, so later code needs
 * to test only the types of values. */

typedef enum soothi_import_syntax {
    SOOTHI_IMPORT_JSON = 0,
    SOOTHI_IMPORT_UBJ,
    SOOTHI_IMPORT_LINES,   /* LightGBM: key=value lines; a value may be a list separated by blanks */
    SOOTHI_IMPORT_PROTOBUF /* ONNX: see import/onnx.h; a value is a text */
} soothi_import_syntax;

enum { SOOTHI_IMPORT_NESTING = 64 };

typedef struct soothi_import_doc {
    sooth_env *env;
    const char *text;
    size_t size;
    soothi_import_syntax syntax;
} soothi_import_doc;

/* text[at..end). end 0 means missing. */
typedef struct soothi_import_value {
    size_t at, end;
    char type; /* UBJ: type of elements of a typed array, which have no marker of their own; else 0 */
} soothi_import_value;

/* Fails with a message that begins with the position. */
SOOTHI_LOCAL sooth_status soothi_import_fail(const soothi_import_doc *doc, size_t at, const char *format,
                                             ...) {
    char what[SOOTH_ENV_SENTENCE];
    size_t line = 1, column = 1;
    va_list list;
    va_start(list, format);
    soothi_text_format(what, sizeof what, format, list);
    va_end(list);
    if (doc->syntax == SOOTHI_IMPORT_UBJ || doc->syntax == SOOTHI_IMPORT_PROTOBUF)
        return sooth_fail(doc->env, SOOTH_BAD_TEXT, "byte %z: %s", at + 1, what);
    for (size_t i = 0; i < at && i < doc->size; ++i) {
        ++column;
        if (doc->text[i] == '\n') ++line, column = 1;
    }
    return sooth_fail(doc->env, SOOTH_BAD_TEXT, "line %z, column %z: %s", line, column, what);
}

/* Like soothi_import_fail, for functions that return a position: returns 0. */
SOOTHI_LOCAL size_t soothi_import_stop(const soothi_import_doc *doc, size_t at, const char *what) {
    soothi_import_fail(doc, at, "%s", at >= doc->size ? "the file is incomplete" : what);
    return 0;
}

/* Returns the character at this position, 0 after the end. */
SOOTHI_LOCAL char soothi_import_char(const soothi_import_doc *doc, size_t at) {
    return at < doc->size ? doc->text[at] : '\0';
}

SOOTHI_LOCAL size_t soothi_import_blanks(const soothi_import_doc *doc, size_t at) {
    while (at < doc->size &&
           (doc->text[at] == ' ' || doc->text[at] == '\n' || doc->text[at] == '\t' || doc->text[at] == '\r'))
        ++at;
    return at;
}

/* Returns the position after this word if it is here, else 0. */
SOOTHI_LOCAL size_t soothi_import_word(const soothi_import_doc *doc, size_t at, const char *word) {
    for (; *word; ++at, ++word)
        if (soothi_import_char(doc, at) != *word) return 0;
    return at;
}

/* Returns which of the words, separated by blanks, text[at..end) is, or -1. */
SOOTHI_LOCAL int soothi_import_which(const soothi_import_doc *doc, size_t at, size_t end, const char *words) {
    for (int k = 0; *words; ++k) {
        size_t i = at;
        while (i < end && *words && *words != ' ' && doc->text[i] == *words) ++i, ++words;
        if (i == end && (!*words || *words == ' ')) return k;
        while (*words && *words != ' ') ++words;
        words += *words == ' ';
    }
    return -1;
}

/* ---- JSON: ends of values (0 after an error, with a message) ---- */

SOOTHI_LOCAL size_t soothi_import_skip(const soothi_import_doc *doc, size_t at, char type, unsigned depth);

SOOTHI_LOCAL size_t soothi_import_json_string(const soothi_import_doc *doc, size_t at) {
    if (soothi_import_char(doc, at) != '"') return soothi_import_stop(doc, at, "a string is missing");
    for (++at; at < doc->size && (unsigned char)doc->text[at] >= 0x20; ++at) {
        if (doc->text[at] == '"') return at + 1;
        if (doc->text[at] == '\\') ++at;
    }
    return soothi_import_stop(doc, at, "a string has no closing quote");
}

SOOTHI_LOCAL size_t soothi_import_json_scalar(const soothi_import_doc *doc, size_t at) {
    double number;
    size_t end = soothi_import_word(doc, at, "true");
    if (!end) end = soothi_import_word(doc, at, "false");
    if (!end) end = soothi_import_word(doc, at, "null");
    if (end) return end;
    const size_t used = at < doc->size ? sooth_text_to_double(doc->text + at, doc->size - at, &number) : 0;
    return used ? at + used : soothi_import_stop(doc, at, "a value is missing");
}

SOOTHI_LOCAL size_t soothi_import_skip_json(const soothi_import_doc *doc, size_t at, unsigned depth) {
    const char open = soothi_import_char(doc, at), close = open == '{' ? '}' : ']';
    if (open == '"') return soothi_import_json_string(doc, at);
    if (open != '{' && open != '[') return soothi_import_json_scalar(doc, at);
    at = soothi_import_blanks(doc, at + 1);
    if (soothi_import_char(doc, at) == close) return at + 1;
    for (;;) {
        if (open == '{') {
            at = soothi_import_json_string(doc, at);
            if (!at) return 0;
            at = soothi_import_blanks(doc, at);
            if (soothi_import_char(doc, at) != ':')
                return soothi_import_stop(doc, at, "a colon is missing after a key");
            at = soothi_import_blanks(doc, at + 1);
        }
        at = soothi_import_skip(doc, at, 0, depth + 1);
        if (!at) return 0;
        at = soothi_import_blanks(doc, at);
        if (soothi_import_char(doc, at) == close) return at + 1;
        if (soothi_import_char(doc, at) != ',')
            return soothi_import_stop(doc, at, "a comma or closing bracket is missing");
        at = soothi_import_blanks(doc, at + 1);
    }
}

/* ---- UBJ (ubjson.org, draft 12, as XGBoost writes it): big-endian numbers, lengths with a marker ---- */

/* Returns the bytes of a number of this type, or 0 if it is not a number. */
SOOTHI_LOCAL size_t soothi_import_ubj_width(char type) {
    return type == 'i' || type == 'U'   ? 1
           : type == 'I'                ? 2
           : type == 'l' || type == 'd' ? 4
           : type == 'L' || type == 'D' ? 8
                                        : 0;
}

/* Returns the number of this type at text[at..). */
SOOTHI_LOCAL double soothi_import_ubj_number(const soothi_import_doc *doc, size_t at, char type) {
    const size_t width = soothi_import_ubj_width(type);
    uint64_t bits = 0, sign = (uint64_t)1 << (8 * width - 1);
    double real;
    for (size_t i = 0; i < width; ++i) bits = bits << 8 | (unsigned char)doc->text[at + i];
    uint32_t word = (uint32_t)bits;
    if (type == 'U') return (double)bits;
    if (type == 'd') return (double)soothi_of_bits(word);
    if (type == 'D') {
        memcpy(&real, &bits, sizeof real);
        return real;
    }
    /* for 8 bytes sign << 1 is 0, and the result is still 2^64 - bits */
    return bits & sign ? -(double)((sign << 1) - bits) : (double)bits;
}

/* Reads a length in units of `width` bytes, which must all be present. Returns the position after it. */
SOOTHI_LOCAL size_t soothi_import_ubj_length(const soothi_import_doc *doc, size_t at, size_t width,
                                             size_t *length) {
    const char type = soothi_import_char(doc, at);
    const size_t own = soothi_import_ubj_width(type);
    if (own == 0 || type == 'd' || type == 'D') return soothi_import_stop(doc, at, "a length is missing");
    if (doc->size - at - 1 < own) return soothi_import_stop(doc, doc->size, "");
    double n = soothi_import_ubj_number(doc, at + 1, type);
    at += 1 + own;
    if (n < 0.0) return soothi_import_stop(doc, at, "a length is negative");
    if (n > (double)((doc->size - at) / width)) return soothi_import_stop(doc, doc->size, "");
    *length = (size_t)n;
    return at;
}

/* Reads the head of an array after its '['. Returns the position of the first element. *count is SIZE_MAX if
   the array ends at its bracket. *type is 0 if each element has its own type. */
SOOTHI_LOCAL size_t soothi_import_ubj_array(const soothi_import_doc *doc, size_t at, char *type,
                                            size_t *count) {
    *type = 0;
    *count = SIZE_MAX;
    if (soothi_import_char(doc, at) == '$') {
        *type = soothi_import_char(doc, at + 1);
        if (soothi_import_ubj_width(*type) == 0)
            return soothi_import_stop(doc, at + 1, "a list has an unknown type");
        at += 2;
        if (soothi_import_char(doc, at) != '#')
            return soothi_import_stop(doc, at, "a list has a type but no length");
    }
    if (soothi_import_char(doc, at) != '#') return at;
    return soothi_import_ubj_length(doc, at + 1, *type ? soothi_import_ubj_width(*type) : 1, count);
}

SOOTHI_LOCAL size_t soothi_import_skip_ubj(const soothi_import_doc *doc, size_t at, char type,
                                           unsigned depth) {
    size_t n;
    if (!type) type = soothi_import_char(doc, at++);
    if (soothi_import_ubj_width(type))
        return at > doc->size || doc->size - at < soothi_import_ubj_width(type)
                   ? soothi_import_stop(doc, doc->size, "")
                   : at + soothi_import_ubj_width(type);
    switch (type) {
    case 'T':
    case 'F':
    case 'Z': return at;
    case 'S': at = soothi_import_ubj_length(doc, at, 1, &n); return at ? at + n : 0;
    case '[':
        at = soothi_import_ubj_array(doc, at, &type, &n);
        if (!at) return 0;
        if (type) return at + n * soothi_import_ubj_width(type);
        for (; n > 0; n -= n < SIZE_MAX) {
            if (n == SIZE_MAX && soothi_import_char(doc, at) == ']') return at + 1;
            at = soothi_import_skip(doc, at, 0, depth + 1);
            if (!at) return 0;
        }
        return at;
    case '{':
        while (soothi_import_char(doc, at) != '}') {
            at = soothi_import_ubj_length(doc, at, 1, &n);
            if (at) at = soothi_import_skip(doc, at + n, 0, depth + 1);
            if (!at) return 0;
        }
        return at + 1;
    default: return soothi_import_stop(doc, at - 1, "a value is missing");
    }
}

/* Returns the position after a value. */
SOOTHI_LOCAL size_t soothi_import_skip(const soothi_import_doc *doc, size_t at, char type, unsigned depth) {
    if (depth > SOOTHI_IMPORT_NESTING) return soothi_import_stop(doc, at, "brackets are nested too deeply");
    return doc->syntax == SOOTHI_IMPORT_UBJ ? soothi_import_skip_ubj(doc, at, type, depth)
                                            : soothi_import_skip_json(doc, at, depth);
}

/* ---- types of values ---- */

/* Returns 1 if the value is a string, and its range without quotes. */
SOOTHI_LOCAL int soothi_import_text(const soothi_import_doc *doc, soothi_import_value v, size_t *at,
                                    size_t *end) {
    size_t n;
    *at = v.at;
    *end = v.end;
    if (!v.end || v.type) return 0;
    if (doc->syntax == SOOTHI_IMPORT_LINES || doc->syntax == SOOTHI_IMPORT_PROTOBUF) return 1;
    if (doc->syntax == SOOTHI_IMPORT_JSON) {
        ++*at;
        --*end;
        return doc->text[v.at] == '"';
    }
    if (doc->text[v.at] != 'S') return 0;
    *at = soothi_import_ubj_length(doc, v.at + 1, 1, &n);
    return 1;
}

/* Returns 1 if the value equals one of the words, separated by blanks. */
SOOTHI_LOCAL int soothi_import_is(const soothi_import_doc *doc, soothi_import_value v, const char *words) {
    size_t at, end;
    return soothi_import_text(doc, v, &at, &end) && soothi_import_which(doc, at, end, words) >= 0;
}

/* Parses a number, also in a string ("5E-1", as in XGBoost's parameters). true is 1 and false is 0. is_float:
   rounded once, to float. */
SOOTHI_LOCAL int soothi_import_number(const soothi_import_doc *doc, soothi_import_value v, int is_float,
                                      double *number) {
    size_t at, end;
    float single = 0.0f;
    if (!v.end) return 0;
    if (!soothi_import_text(doc, v, &at, &end)) {
        const char type = v.type ? v.type : doc->text[v.at];
        if (doc->syntax == SOOTHI_IMPORT_UBJ && soothi_import_ubj_width(type)) {
            *number = soothi_import_ubj_number(doc, v.at + !v.type, type);
            return 1;
        }
        if (type == 't' || type == 'T' || type == 'f' || type == 'F') {
            *number = type == 't' || type == 'T' ? 1.0 : 0.0;
            return 1;
        }
        if (doc->syntax == SOOTHI_IMPORT_UBJ) return 0;
        at = v.at;
        end = v.end;
    }
    size_t used = is_float ? sooth_text_to_float(doc->text + at, end - at, &single)
                           : sooth_text_to_double(doc->text + at, end - at, number);
    if (is_float) *number = (double)single;
    return used > 0 && used == end - at;
}

/* Converts an integer in 0 .. limit. Returns 0 if v is not one. */
SOOTHI_LOCAL int soothi_import_index(double v, double limit, uint32_t *index) {
    if (!(v >= 0.0 && v <= limit)) return 0;
    *index = (uint32_t)v;
    return !((double)*index < v);
}

/* Returns the value of four hexadecimal digits at text[at..), at most 0xFFFF. */
SOOTHI_LOCAL uint32_t soothi_import_hex(const char *text, size_t size) {
    uint32_t v = 0;
    for (size_t i = 0; i < 4 && i < size; ++i) {
        const char c = (char)(text[i] | 32);
        v = v << 4 | (c >= '0' && c <= '9'   ? (uint32_t)(c - '0')
                      : c >= 'a' && c <= 'f' ? (uint32_t)(c - 'a') + 10
                                             : 0);
    }
    return v;
}

/* Writes the code point in UTF-8, control characters as '_' unless `exact`. Returns the number of bytes. */
SOOTHI_LOCAL size_t soothi_import_utf8(char *to, uint32_t point, int exact) {
    static const unsigned char first[5] = {0, 0, 0xC0, 0xE0, 0xF0}; /* first byte, by number of bytes */
    const size_t n = point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4;
    if (!exact && (point < 0x20 || point == 0x7F)) point = '_';
    for (size_t i = n; --i > 0; point >>= 6) to[i] = (char)(0x80 | (point & 63));
    to[0] = (char)(first[n] | point);
    return n;
}

/* Copies a string and resolves JSON's escapes; control characters become '_' unless `exact`. Returns its
   length, which is at most that in the file. */
SOOTHI_LOCAL size_t soothi_import_copy(const soothi_import_doc *doc, soothi_import_value v, int exact,
                                       char *to) {
    size_t at, end, n = 0;
    if (!soothi_import_text(doc, v, &at, &end)) return 0;
    while (at < end) {
        unsigned char c = (unsigned char)doc->text[at++];
        if (c == '\\' && doc->syntax == SOOTHI_IMPORT_JSON && at < end) {
            c = (unsigned char)doc->text[at++];
            if (c == 'u') {
                uint32_t point = soothi_import_hex(doc->text + at, end - at), low;
                at = end - at < 4 ? end : at + 4;
                if (point >> 10 == 0x36 && end - at >= 6 && doc->text[at] == '\\' &&
                    doc->text[at + 1] == 'u') {
                    low = soothi_import_hex(doc->text + at + 2, 4); /* a pair of surrogates */
                    if (low >> 10 == 0x37) {
                        point = 0x10000 + ((point & 0x3FF) << 10 | (low & 0x3FF));
                        at += 6;
                    }
                }
                n += soothi_import_utf8(to + n, point >> 11 == 0x1B ? 0xFFFD : point, exact);
                continue;
            }
            c = c == 'n' ? '\n' : c == 'r' ? '\r' : c == 't' ? '\t' : c == 'b' ? '\b' : c == 'f' ? '\f' : c;
        }
        to[n++] = !exact && (c < 0x20 || c == 0x7F) ? '_' : (char)c;
    }
    return n;
}

/* ---- lists and objects ---- */

typedef struct soothi_import_items {
    size_t at;   /* position of the next one, or of the comma before it */
    size_t left; /* UBJ: remaining elements, SIZE_MAX: until the bracket. Lines: end of the value */
    char close;  /* the bracket; 0: the value is not a list */
    char type;
} soothi_import_items;

/* Opens a value, which must begin with `open`, '[' or '{'. */
SOOTHI_LOCAL soothi_import_items soothi_import_open(const soothi_import_doc *doc, soothi_import_value v,
                                                    char open) {
    soothi_import_items items = {0, 0, 0, 0};
    if (!v.end || v.type || (doc->syntax != SOOTHI_IMPORT_LINES && doc->text[v.at] != open)) return items;
    items.close = open == '{' ? '}' : ']';
    items.at = doc->syntax == SOOTHI_IMPORT_LINES ? v.at : v.at + 1;
    items.left = doc->syntax == SOOTHI_IMPORT_LINES ? v.end : SIZE_MAX;
    if (doc->syntax == SOOTHI_IMPORT_UBJ && open == '[')
        items.at = soothi_import_ubj_array(doc, v.at + 1, &items.type, &items.left);
    return items;
}

/* Takes the next element, key NULL for lists. Returns 0 at the end. */
SOOTHI_LOCAL int soothi_import_next(const soothi_import_doc *doc, soothi_import_items *items,
                                    soothi_import_value *key, soothi_import_value *v) {
    size_t at = items->at, n;
    memset(v, 0, sizeof *v);
    if (!items->close) return 0;
    if (doc->syntax == SOOTHI_IMPORT_LINES) {
        while (at < items->left && doc->text[at] == ' ') ++at;
        v->at = at;
        while (at < items->left && doc->text[at] != ' ') ++at;
        v->end = items->at = at;
        return v->end > v->at;
    }
    if (doc->syntax == SOOTHI_IMPORT_JSON) {
        at = soothi_import_blanks(doc, at);
        if (doc->text[at] == ',') at = soothi_import_blanks(doc, at + 1);
    }
    if (items->left == 0 || (items->left == SIZE_MAX && doc->text[at] == items->close)) return 0;
    items->left -= items->left < SIZE_MAX;
    if (key) {
        memset(key, 0, sizeof *key);
        key->at = at;
        if (doc->syntax == SOOTHI_IMPORT_UBJ) {
            key->at = soothi_import_ubj_length(doc, at, 1, &n);
            at = key->end = key->at + n;
        } else {
            key->end = soothi_import_json_string(doc, at);
            at = soothi_import_blanks(doc, soothi_import_blanks(doc, key->end) + 1);
            ++key->at;
            --key->end;
        }
    }
    v->at = at;
    v->type = items->type;
    v->end = items->at = soothi_import_skip(doc, at, items->type, 0);
    return 1;
}

/* Stores v at the index of its key among `keys`, separated by blanks. Ignores other keys. */
SOOTHI_LOCAL void soothi_import_match(const soothi_import_doc *doc, soothi_import_value key,
                                      soothi_import_value v, const char *keys, soothi_import_value *value) {
    const int k = soothi_import_which(doc, key.at, key.end, keys);
    if (k >= 0) value[k] = v;
}

/* Finds the values of `count` keys in an object. For duplicate keys, the last one counts. */
SOOTHI_LOCAL void soothi_import_find(const soothi_import_doc *doc, soothi_import_value object,
                                     const char *keys, size_t count, soothi_import_value *value) {
    soothi_import_items items = soothi_import_open(doc, object, '{');
    soothi_import_value key, v;
    memset(value, 0, count * sizeof *value);
    while (soothi_import_next(doc, &items, &key, &v)) soothi_import_match(doc, key, v, keys, value);
}

SOOTHI_LOCAL size_t soothi_import_count(const soothi_import_doc *doc, soothi_import_value list) {
    soothi_import_items items = soothi_import_open(doc, list, '[');
    soothi_import_value v;
    size_t n = 0;
    if (items.type) return items.left;
    while (soothi_import_next(doc, &items, NULL, &v)) ++n;
    return n;
}

/* ---- parallel lists: one entry of each per node ---- */

enum { SOOTHI_IMPORT_COLUMNS = 15 };

typedef struct soothi_import_columns {
    const soothi_import_doc *doc;
    size_t at;        /* position of the tree, for messages */
    const char *keys; /* their names, separated by blanks */
    soothi_import_value list[SOOTHI_IMPORT_COLUMNS];
    soothi_import_items items[SOOTHI_IMPORT_COLUMNS];
} soothi_import_columns;

SOOTHI_LOCAL void soothi_import_columns_open(soothi_import_columns *c) {
    for (unsigned k = 0; k < SOOTHI_IMPORT_COLUMNS; ++k)
        c->items[k] = soothi_import_open(c->doc, c->list[k], '[');
}

SOOTHI_LOCAL void soothi_import_columns_find(soothi_import_columns *c, const soothi_import_doc *doc,
                                             soothi_import_value object, const char *keys) {
    c->doc = doc;
    c->at = object.at;
    c->keys = keys;
    soothi_import_find(doc, object, keys, SOOTHI_IMPORT_COLUMNS, c->list);
    soothi_import_columns_open(c);
}

SOOTHI_LOCAL void soothi_import_column_name(const soothi_import_columns *c, unsigned k, char name[32]) {
    const char *from = c->keys;
    size_t n = 0;
    while (k > 0 && *from) k -= *from++ == ' ';
    while (n < 31 && from[n] && from[n] != ' ') ++n;
    memcpy(name, from, n);
    name[n] = 0;
}

/* Reports an error in column k. */
SOOTHI_LOCAL sooth_status soothi_import_short(const soothi_import_columns *c, unsigned k, size_t tree) {
    char name[32];
    soothi_import_column_name(c, k, name);
    if (!c->items[k].close)
        return soothi_import_fail(c->doc, c->list[k].end ? c->list[k].at : c->at, "tree %z has no list %s",
                                  tree, name);
    return soothi_import_fail(
        c->doc, c->list[k].at,
        "the list %s of tree %z has the wrong length, or holds other values than numbers", name, tree);
}

/* Takes the next entry of column k, or `fallback` if the column is missing. */
SOOTHI_LOCAL int soothi_import_take(soothi_import_columns *c, unsigned k, int is_float, double fallback,
                                    double *number) {
    soothi_import_value v;
    *number = fallback;
    if (!c->list[k].end) return 1;
    return soothi_import_next(c->doc, &c->items[k], NULL, &v) &&
           soothi_import_number(c->doc, v, is_float, number);
}

/* Returns the index of the first of `count` columns with an entry left, or count. */
SOOTHI_LOCAL unsigned soothi_import_left(soothi_import_columns *c, unsigned count) {
    soothi_import_value v;
    unsigned k;
    for (k = 0; k < count; ++k)
        if (soothi_import_next(c->doc, &c->items[k], NULL, &v)) break;
    return k;
}

SOOTHI_C_END
#endif /* SOOTH_IMPLEMENTATION */
