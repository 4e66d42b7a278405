#!/bin/sh
# Compares sooth with its peers, number by number: linear models with LAPACK, scikit-learn and SciPy, trees of
# XGBoost, scikit-learn and LightGBM, probabilities with XGBoost, support vectors with svm-predict, Gaussian
# processes with scikit-learn, means of huge numbers with fractions, detectors of drift with river; and the
# counting of `make accuracy` with figures by hand.
# Each script of tests/peers says what equal means. SOOTH_SEED chooses other data, PYTHON another Python (the
# default has Debian's libraries), and arguments some of the scripts: `tests/peers/run.sh trees svr`.
# Ends with "peers: N passed, N failed". About a minute and a half.
# SPDX-FileCopyrightText: 2026 the sooth authors
# SPDX-License-Identifier: MIT
cd "$(dirname "$0")/../.." || exit 1
python=${PYTHON:-/usr/bin/python3}
mkdir -p build/peers
export OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 PYTHONDONTWRITEBYTECODE=1
export ANSWERS="$PWD/build/peers/answers.so"
passed=0 failed=0
if ! ${CC:-cc} -std=c11 -O1 -ffp-contract=off -Wall -Wextra -shared -fPIC -Iinclude tests/peers/answers.c \
    -o "$ANSWERS"; then
    echo "peers: 0 passed, 1 failed"; exit 1
fi

# lacks MODULE...: says which of these the Python has not
lacks() {
    for module; do
        "$python" -c "import $module" 2> /dev/null || { echo "$module"; return 0; }
    done
    return 1
}

for name in ${*:-linear trees leaves probability svr gauss means drift accuracy}; do
    case $name in
    linear) needs="numpy scipy sklearn" ;;
    trees | gauss) needs="numpy sklearn" ;;
    leaves) needs="numpy lightgbm" ;;
    probability) needs="numpy xgboost" ;;
    drift) needs="numpy river" ;;
    *) needs=numpy ;;
    esac
    if what=$(lacks $needs); then echo "  skipped: $name ($python has no $what)"; continue; fi
    if [ $name = svr ] && ! { command -v svm-train && command -v svm-predict; } > /dev/null; then
        echo "  skipped: svr (svm-train and svm-predict of LIBSVM are not here)"; continue
    fi
    "$python" tests/peers/$name.py > build/peers/$name.log 2>&1
    cat build/peers/$name.log
    end=$(grep -E "^$name: [0-9]+ passed, [0-9]+ failed" build/peers/$name.log)
    if [ -z "$end" ]; then echo "  FAILED  $name did not end"; failed=$((failed + 1)); continue; fi
    passed=$((passed + $(echo "$end" | sed 's/.*: \([0-9]*\) passed.*/\1/')))
    failed=$((failed + $(echo "$end" | sed 's/.* \([0-9]*\) failed.*/\1/')))
done
echo "peers: $passed passed, $failed failed"
[ $failed -eq 0 ]
