#!/bin/sh
# The shared library and the module for Python: what they export, the wheel that `make python` writes,
# installed into a clean environment, scikit-learn's own checks on every estimator
# (tests/build/python/estimators.py), the module beside the `sooth` command (tests/build/python/module.py),
# and one model of the rows of several Dask workers. PYTHON=...
# in the environment: another interpreter than Debian's; it needs numpy, scikit-learn and pandas. Ends with
# "python: N passed, N failed"; what is not installed is skipped with a word.
# SPDX-FileCopyrightText: 2026 the sooth authors
# SPDX-License-Identifier: MIT
cd "$(dirname "$0")/../.." || exit 1
. tests/harness/checks.sh
LC_ALL=C; export LC_ALL
root=$(pwd)
python=${PYTHON:-/usr/bin/python3}
command -v "$python" > /dev/null || python=python3

# ---- the library ----

check "make lib" make -s lib
library=$(find build/lib -name 'libsooth.so.0')
if [ "$library" ] && command -v readelf > /dev/null; then
    readelf -W --dyn-syms "$library" | awk '$4 != "NOTYPE" && $7 != "UND" && $7 ~ /^[0-9A]/ { print $8 }' |
        grep -v '^SOOTH_0$' > "$work/exports"
    check "hundreds of functions are exported" [ "$(wc -l < "$work/exports")" -gt 600 ]
    check "and nothing but sooth_*, with a version" \
        sh -c "! grep -vE '^sooth_[a-z0-9_]+@@SOOTH_0$' $work/exports"
    readelf -d "$library" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p' > "$work/needs"
    check "it needs the C library alone" sh -c "! grep -vE '^libc\.|^libpthread\.|^ld-' $work/needs"
    check "its name has the version" sh -c "readelf -d $library | grep -q 'SONAME.*libsooth.so.0'"
    cat > "$work/uses.c" << 'TXT'
#include "sooth.h"
#include <stdio.h>
int main(void) {
    sooth_env env;
    sooth_env_init(&env);
    const sooth_model_kind *kind;
    return sooth_train_kind_named(&env, "xgboost", &kind) != SOOTH_OK || puts(kind->title) < 0;
}
TXT
    check "a C program that is linked with it" "${CC:-cc}" -std=c11 -DSOOTH_LINKED -Iinclude "$work/uses.c" \
        -Lbuild/lib -lsooth -Wl,-rpath,"$root/build/lib" -o "$work/uses"
    check "it runs" sh -c "[ \"\$($work/uses)\" = 'gradient boosting' ]"
    # Categories without names are called by their numbers: with those for names the model is the same.
    cat > "$work/unnamed.c" << 'TXT'
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include "sooth.h"
typedef struct sooth_session sooth_session;
sooth_session *sooth_call_open(size_t);
void sooth_call_categories(sooth_session *, const uint8_t *, const char *const *const *);
void sooth_call_validation(sooth_session *, const float *, size_t, const float *, const float *);
int sooth_call_fit(sooth_session *, const char *, const float *, size_t, size_t, const float *, size_t,
                   const float *, const uint32_t *, const char *const *, const char *const *, sooth_model **);
int main(void) {
    static const char *const called[] = {"0", "1", "2", "3", "4"}, *const *level[] = {called, NULL};
    static const uint8_t categorical[] = {1, 0};
    static float x[2 * 200], y[200];
    sooth_model *model[2];
    for (int i = 0; i < 200; ++i) x[2 * i] = (float)(i % 5), x[2 * i + 1] = (float)i;
    for (int i = 0; i < 200; ++i) y[i] = (float)(i % 5 == 2) * 9 + x[2 * i + 1] / 50;
    for (int named = 0; named < 2; ++named) {
        sooth_session *session = sooth_call_open(1);
        sooth_call_categories(session, categorical, named ? level : NULL);
        sooth_call_validation(session, x + 2 * 150, 50, y + 150, NULL);
        if (sooth_call_fit(session, "boost n_estimators=20 patience=3 encode=native", x, 150, 2, y, 1, NULL,
                           NULL, NULL, NULL, &model[named]) != 0) return 1;
    }
    return memcmp(model[0], model[1], ((const sooth_block *)model[0])->size) != 0;
}
TXT
    check "categories without names" sh -c "'${CC:-cc}' -std=c11 -DSOOTH_LINKED -Iinclude $work/unnamed.c \
        -Lbuild/lib -lsooth -Wl,-rpath,$root/build/lib -o $work/unnamed && $work/unnamed"
else echo "  skipped: exports (there is no libsooth.so.0, or no readelf)"; fi

cross=x86_64-w64-mingw32
if command -v $cross-gcc > /dev/null; then
    check "make lib for Windows" make -s lib CC=$cross-gcc CFLAGS=-O1
    $cross-objdump -p build/lib/libsooth-0.dll | awk '/Name Pointer\] Table/ { on = 1; next }
        !/\[/ { on = 0 } on { print $NF }' > "$work/dll"
    check "the DLL exports hundreds of functions" [ "$(grep -c '^sooth_' "$work/dll")" -gt 600 ]
    check "and nothing but sooth_*" sh -c "! grep -v '^sooth_' $work/dll"
else echo "  skipped: the DLL ($cross-gcc is not here)"; fi

# ---- the wheel ----

if ! "$python" -c 'import numpy, sklearn, pandas, venv' 2> "$work/log"; then
    echo "  skipped: Python ($(tail -n 1 "$work/log"))"
    ended python
    exit
fi
check "build: the command" make -s build/sooth
check "make python" make -s python
wheel=$(find build/python -name 'sooth-*.whl')
cp "$wheel" "$work/first.whl"
check "the same wheel again" sh -c "make -s python && cmp $wheel $work/first.whl"
check "a clean environment" "$python" -m venv --system-site-packages "$work/venv"
# where the interpreter itself lives in an environment, its packages are not the system's
"$python" -c 'import sys, os, numpy; print(os.path.dirname(os.path.dirname(numpy.__file__)))' > "$work/where"
[ "$("$python" -c 'import sys; print(sys.prefix != sys.base_prefix)')" = False ] ||
    cp "$work/where" "$(find "$work/venv" -name site-packages)/packages.pth"
check "the wheel goes into it" "$work/venv/bin/python" -m pip install -q --no-index --no-deps "$wheel"

# run NAME ARGUMENTS...: a file of tests/python, whose last line counts
run() {
    file=$1; shift
    (cd "$work" && venv/bin/python "$root/tests/build/python/$file" "$@") > "$work/said" 2>&1
    last=$(tail -n 1 "$work/said")
    p=$(printf '%s\n' "$last" | sed -n 's/.*: \([0-9]*\) passed.*/\1/p')
    f=$(printf '%s\n' "$last" | sed -n 's/.* \([0-9]*\) failed$/\1/p')
    if [ "$p" ] && [ "$f" ]; then
        passed=$((passed + p)) failed=$((failed + f))
        grep -v "^$last$" "$work/said"
    else failed=$((failed + 1)); echo "  FAILED  $file did not end"; tail -n 5 "$work/said"
    fi
}
run module.py "$root/build/sooth"
run estimators.py
if "$work/venv/bin/python" -c 'import distributed' 2> /dev/null; then
    (cd "$work" && venv/bin/python "$root/examples/python/dask_fit.py") > "$work/said" 2>&1
    check "three Dask workers learn the model of one process" grep -q 'those of one process' "$work/said"
else echo "  skipped: Dask (python3-distributed is not here)"; fi
ended python
