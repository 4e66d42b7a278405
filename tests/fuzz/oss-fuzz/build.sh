#!/bin/bash -eu
# build.sh - what OSS-Fuzz runs in its container: $OUT/TARGET with $OUT/TARGET_seed_corpus.zip for each fuzz
# target. TARGETS in the environment: only these. tests/fuzz/oss-fuzz.sh runs it with stand-ins.
# SPDX-FileCopyrightText: 2026 the sooth authors
# SPDX-License-Identifier: MIT
cd "$SRC/sooth"
flags="-std=c11 -ffp-contract=off -isystem include -Itests -Itests/harness"
# (not the target `command`, which reads model files of the checkout: $OUT is all that stays)
for target in ${TARGETS:-blocks cards csv envelopes import laws libsvm nets ptx rules trees words}; do
    source=tests/fuzz/fuzz_$target.c library= more=
    $CC $CFLAGS $flags -c "$source" -o "$WORK/$target.o"
    if ! grep -q SOOTH_IMPLEMENTATION "$source"; then
        library=$WORK/library.o
        [ -f "$library" ] || $CC $CFLAGS $flags -c tests/fuzz/library.c -o "$library"
    fi
    $CXX $CXXFLAGS "$WORK/$target.o" $library $LIB_FUZZING_ENGINE -o "$OUT/$target" -pthread -lm
    case $target in
    envelopes | laws | nets | trees) more=$(ls tests/kept/*/*.sooth) ;;
    import) more=$(ls tests/golden/import_* | grep -v '\.h$') ;;
    ptx) more=$(ls tests/golden/ptx/*.ptx) ;;
    blocks) more=$(ls tests/fuzz/corpus/csv/*) ;;
    esac
    rm -f "$OUT/${target}_seed_corpus.zip"
    ls tests/fuzz/corpus/"$target"/* $more | zip -q -@ "$OUT/${target}_seed_corpus.zip"
    printf '[libfuzzer]\nmax_len = 16384\n' > "$OUT/$target.options"
done
