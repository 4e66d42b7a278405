#!/bin/sh
# functions.sh - is every public function that takes a model used by a fuzz target? Names those that are not.
# SPDX-FileCopyrightText: 2026 the sooth authors
# SPDX-License-Identifier: MIT
cd "$(dirname "$0")/../.." || exit 1
# Models and what is made from them to be looked into; a learner; foreign bytes and texts. (sooth_file_*
# writes bytes as they are.)
types='model|block|card|scale|conformal|probability|adapt|linear|tree|ensemble|forest|boost|mlp|svr|gauss'
types="$types|ratio|sofnn|scaling|best|explain_trees|integers|sofnn_learner|encode|levels|import|csv|ptx"
taken="const sooth_($types) \*|const void \*bytes|const char \*text, size_t size"
forgotten=$(
    for header in include/sooth/*.h include/sooth/*/*.h; do
        sed '/^#if defined(SOOTH_IMPLEMENTATION)/,$d' "$header" | tr '\n' ' ' | sed 's/;/;\n/g' |
            grep -oE "SOOTH_API [^;]*($taken)[^;]*;" |
            grep -oE 'sooth_[a-z0-9_]+\(' | tr -d '('
    done | grep -v '^sooth_file_' | sort -u | while read -r name; do
        grep -qwF "$name" tests/fuzz/*.c tests/fuzz/models.h || echo "  $name is in no fuzz target"
    done
)
[ -z "$forgotten" ] || { echo "$forgotten"; exit 1; }
