#!/bin/sh
# The shared library and the module for Python: what they export, the wheel that `make python` writes,
# installed into a clean environment, scikit-learn's own checks on every estimator
# (tests/build/python/estimators.py), the module beside the `sooth` command (tests/build/python/module.py),
# one model of the rows of several Dask workers, the source archive and what pip makes of it, the tags of
# wheels, and with what PyPI offers the types (mypy) and ONNX (onnxruntime). PYTHON=... in the environment:
# another interpreter than Debian's; it needs numpy, scikit-learn and pandas. Ends with "python: N passed, N
# failed"; what is not installed is skipped with a word.
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
    grep -oE '\bsooth_call_[a-z_]+\(' examples/python/sooth_call.h | grep -v '_fn(' |
        tr -d '(' | sort -u > "$work/declared"
    sed 's/@@SOOTH_0$//' "$work/exports" | sort > "$work/names"
    check "the functions of sooth_call.h are exported, and no other" cmp "$work/declared" "$work/names"
    check "with a version" sh -c "! grep -v '@@SOOTH_0$' $work/exports"
    readelf -d "$library" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p' > "$work/needs"
    check "it needs the C library alone" sh -c "! grep -vE '^libc\.|^libpthread\.|^ld-' $work/needs"
    check "its name has the version" sh -c "readelf -d $library | grep -q 'SONAME.*libsooth.so.0'"
    linked="-Iexamples/python -Lbuild/lib -lsooth -Wl,-rpath,$root/build/lib"
    sed -n '/^ \*     #include "sooth_call.h"/,/^ \*     }$/s/^ \* \{0,5\}//p' \
        examples/python/sooth_call.h > "$work/uses.c"
    # shellcheck disable=SC2086
    check "the example of sooth_call.h" "${CC:-cc}" -std=c11 -Wall -Wextra -Werror "$work/uses.c" \
        $linked -o "$work/uses"
    check "it prints what it shows" sh -c "[ \"\$($work/uses)\" = \"\$(sed -n 's,.*//> ,,p' $work/uses.c)\" ]"
    echo '#include "sooth_call.h"' > "$work/uses.cpp"
    check "the header in C++" "${CXX:-c++}" -std=c++11 -Wall -Wextra -Wpedantic -Werror -Iexamples/python \
        -fsyntax-only "$work/uses.cpp"
    # Categories without names are called by their numbers: with those for names the model is the same.
    cat > "$work/unnamed.c" << 'TXT'
#include <stdlib.h>
#include <string.h>
#include "sooth_call.h"
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
                           NULL, NULL, NULL, NULL, &model[named]) != 0) return 1;
    }
    const size_t size = sooth_call_size(model[0]);
    if (sooth_call_size(model[1]) != size) return 1;
    char *bytes = (char *)malloc(2 * size);
    for (int named = 0; named < 2; ++named) sooth_call_save(model[named], bytes + (size_t)named * size);
    return memcmp(bytes, bytes + size, size) != 0;
}
TXT
    check "categories without names" sh -c "'${CC:-cc}' -std=c11 $work/unnamed.c $linked \
        -o $work/unnamed && $work/unnamed"
else echo "  skipped: exports (there is no libsooth.so.0, or no readelf)"; fi

cross=x86_64-w64-mingw32
if command -v $cross-gcc > /dev/null; then
    check "make lib for Windows" make -s lib CC=$cross-gcc CFLAGS=-O1
    $cross-objdump -p build/lib/libsooth-0.dll | awk '/Name Pointer\] Table/ { on = 1; next }
        !/\[/ { on = 0 } on { print $NF }' > "$work/dll"
    check "the DLL exports many functions" [ "$(grep -c '^sooth_call_' "$work/dll")" -gt 30 ]
    check "and nothing but sooth_call_*" sh -c "! grep -v '^sooth_call_' $work/dll"
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
    count_last "$file"
}
count_last() { # FILE: what it said is in $work/said
    file=$1
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

# ---- the source archive, the tags ----

packs() { (cd examples/python && "$python" -B -c "import wheel, sys; print($1)"); }
mkdir "$work/a" "$work/b"
check "the source archive" sh -c "cd examples/python && for to in a b; do
    '$python' -B -c \"import wheel; wheel.build_sdist('$work/\$to')\" || exit 1; done"
check "the same archive again" sh -c "cmp $work/a/sooth-*.tar.gz $work/b/sooth-*.tar.gz"
# (without optimisation the arithmetic is the same and compiling takes a fifth of the time)
check "pip installs it with a compiler" env CFLAGS=-O0 "$work/venv/bin/python" -m pip install -q --no-index \
    --no-deps --target "$work/site" "$(find "$work/a" -name 'sooth-*.tar.gz')"
same="import sooth, numpy as n; print(sooth.Boost(n_estimators=9).fit(n.eye(20), n.arange(20.)).model_.bytes)"
check "and that has the bits of the wheel" sh -c "cd $work && venv/bin/python -c '$same' > bytes.a &&
    PYTHONPATH=$work/site venv/bin/python -c '$same' > bytes.b && cmp bytes.a bytes.b"
tag=$(packs "wheel.platform_of('$root/$library')")
check "the wheel has the tag of its library" sh -c "echo $wheel | grep -q -- '-$tag.whl'"
newest=$(readelf -W --version-info "$library" | grep -o 'GLIBC_2\.[0-9]*' | sort -t. -k2n -u | tail -n 1)
check "the newest version of glibc's symbols is in it" [ "${newest#GLIBC_2.}" = \
    "$(echo "$tag" | sed -n 's/^manylinux_2_\([0-9]*\)_.*/\1/p')" ]
zig="$root/build/zig/venv/bin/python -m ziglang"
if $zig version > /dev/null 2>&1; then
    echo '#include <stdio.h>
int say(void) { return printf("%d", 7); }' > "$work/say.c"
    ZIG_GLOBAL_CACHE_DIR=$root/build/zig/cache ZIG_LOCAL_CACHE_DIR=$root/build/zig/cache
    export ZIG_GLOBAL_CACHE_DIR ZIG_LOCAL_CACHE_DIR
    for pair in x86_64-linux-musl=musllinux_1_2_x86_64 aarch64-linux-musl=musllinux_1_2_aarch64 \
        x86_64-linux-gnu.2.17=manylinux_2_5_x86_64 riscv64-linux-gnu.2.27=manylinux_2_27_riscv64; do
        $zig cc -target "${pair%=*}" -shared -fPIC "$work/say.c" -o "$work/say.so" > "$work/log" 2>&1
        check "a library of ${pair%=*} is ${pair#*=}" \
            [ "$(packs "wheel.platform_of('$work/say.so')")" = "${pair#*=}" ]
    done
else echo "  skipped: tags of other C libraries (zig is not in build/zig; the part systems installs it)"; fi

# ---- with packages of PyPI ----

tools=build/venv-python
[ -x $tools/bin/mypy ] && [ -x $tools/bin/auditwheel ] || {
    rm -rf $tools
    python3 -m venv $tools &&
        $tools/bin/pip install -q mypy auditwheel onnxruntime pandas scikit-learn skl2onnx
} > "$work/log" 2>&1
if $tools/bin/python -c 'import mypy, auditwheel, onnxruntime, sklearn, pandas' 2> "$work/log"; then
    check "the wheel goes in there, too" $tools/bin/pip install -q --no-index --no-deps --force-reinstall \
        "$wheel"
    $tools/bin/auditwheel show "$wheel" > "$work/shown" 2>&1
    check "auditwheel finds the same tag" sh -c "tr '\n' ' ' < $work/shown | grep -q '\"$tag\"'"
    $tools/bin/mypy --strict --cache-dir "$work/mypy" tests/build/python/typed.py > "$work/said" 2>&1
    grep -n '# wrong$' tests/build/python/typed.py | cut -d: -f1 > "$work/wrong"
    sed -n 's/^[^:]*typed.py:\([0-9]*\): error.*/\1/p' "$work/said" > "$work/found"
    check "mypy --strict finds the five mistakes and no other" cmp "$work/wrong" "$work/found"
    check "what it has checked runs" $tools/bin/python tests/build/python/typed.py
    check "the types are those of the module" sh -c "cd examples/python && \
        ../../$tools/bin/python -B -c 'import stub; assert open(\"sooth.pyi\").read() == stub.text()'"
    (cd "$work" && "$root/$tools/bin/python" "$root/tests/build/python/onnx.py" "$root/build/sooth" \
        "$root"/tests/kept/*) > "$work/said" 2>&1
    count_last onnx.py
else echo "  skipped: types and ONNX ($(tail -n 1 "$work/log"))"; fi

if "$work/venv/bin/python" -c 'import distributed' 2> /dev/null; then
    (cd "$work" && venv/bin/python "$root/examples/python/dask_fit.py") > "$work/said" 2>&1
    check "three Dask workers learn the model of one process" grep -q 'those of one process' "$work/said"
else echo "  skipped: Dask (python3-distributed is not here)"; fi
ended python
