#!/bin/sh
# sooth fit --budget and sooth describe --for: what is chosen fits, what is wrong is a sentence, and what
# the table says holds in an emulator for models that it was not made from: one core quickly, all cores and
# forms with SOOTH_SLOW=1. Ends with "budget: N passed, N failed".
# SPDX-FileCopyrightText: 2026 the sooth authors
# SPDX-License-Identifier: MIT
cd "$(dirname "$0")/../.." || exit 1
LC_ALL=C; export LC_ALL
. tests/harness/checks.sh
sooth=build/sooth

awk 'BEGIN {
    s = 7; print "clock,load,kind,program,watts"
    for (i = 0; i < 240; i++) {
        for (j = 0; j < 4; j++) { s = (s * 69069 + 12345) % 2147483648; r[j] = int(s / 65536) % 201 - 100 }
        w = 200 + r[0] / 2 + (r[2] > 20 ? r[1] : 0) + i % 6 + r[3] / 20
        print r[0] "," r[1] "," r[2] ",p" i % 6 "," w
    }
}' > "$work/t.csv"
fit() { "$sooth" fit "$work/t.csv" --target watts --group program -o "$work/m.sooth" --force "$@"; }
# value KEY: of the JSON in $work/said
value() { grep -m 1 "\"$1\": " "$work/said" | sed 's/.*": //; s/,$//; s/"//g'; }

# a search
search() { fit --budget "$1" --for cortex-m0 --json > "$work/said"; }
check "a budget of flash, memory and steps finds a model" search flash=2K,ram=200,steps=300
check "its flash fits" less "$(value flash)" 2049
check "its memory and stack fit" less "$(value memory) + $(value stack)" 201
check "its steps fit" less "$(value steps)" 301
check "the measure is that of fit for a positive target" [ "$(value errors_are)" = MAPE ]
check "it beats the rule" less "$(value error)" "$(value error_of_best_rule)"
error=$(value error_on_folds)
first=$(cksum < "$work/m.sooth")
words=$(value export)
# shellcheck disable=SC2086
check "the export that it names is written" "$sooth" export "$work/m.sooth" $words -o "$work/m.c"
check "the code compiles" "${CC:-cc}" -std=c11 -ffp-contract=off -Wall -Wextra -Werror -c "$work/m.c" \
    -o "$work/m.o"
check "the same search again" search flash=2K,ram=200,steps=300
check "finds the same bytes" [ "$first" = "$(cksum < "$work/m.sooth")" ]
check "less room" search flash=100
check "finds no better model" less "$error - 1e-9" "$(value error_on_folds)"
check "and one that fits" less "$(value flash)" 101
check "the front is drawn" fit --budget flash=1K --for rv32 --front "$work/front.svg"
check "as one drawing" grep -q '</svg>' "$work/front.svg"

# rows that weigh 0, 1 or 2, and the same rows so often; of five programs, each of which is a fold
sed 's/,p5,/,p4,/' "$work/t.csv" | awk -F , '{ print $0 "," (NR == 1 ? "often" : NR % 3) }' \
    > "$work/weighted.csv"
awk -F , 'NR == 1 || $6 > 0; NR > 1 && $6 > 1' "$work/weighted.csv" | sed 's/,[^,]*$//' > "$work/repeated.csv"
median_of() {
    "$sooth" fit "$work/$1.csv" --target watts --group program -o "$work/m.sooth" --force --budget flash=100 \
        --for cortex-m0 --by mae --json $2 > "$work/said" && value error_of_best_rule
}
check "the median counts a row by its weight" \
    less "($(median_of weighted '--weight often') - $(median_of repeated))^2" 1e-18

# tables of a law, of a product of powers, and of noise; r: uniform, g: of variance 1
generator='function r() { s = (s * 69069 + 12345) % 2147483648; return int(s / 65536) / 32768 }
    function g(k, u) { for (k = u = 0; k < 12; k++) u += r(); return u - 6 }'
awk "$generator"'BEGIN {
    s = 5; print "threads,y"
    for (t = 1; t <= 64; t *= 2)
        print t "," 100 / t * (1 + 0.03 * (t - 1) + 0.0005 * t * (t - 1)) * (1 + 0.02 * g())
}' > "$work/law.csv"
awk "$generator"'BEGIN {
    s = 9; print "a,b,c,y"
    for (i = 0; i < 200; i++) {
        a = exp(5 * r()); b = exp(4 * r()); c = 1 + 30 * r()
        print a "," b "," c "," 3 * a ^ 1.2 * b ^ -0.5 * c ^ 0.3 * exp(0.2 * g())
    }
}' > "$work/powers.csv"
for k in 1 2 3 4 5; do
    awk -v k=$k "$generator"'BEGIN {
        s = k; print "a,b,y"
        for (i = 0; i < 120; i++) print r() "," 10 * r() "," 100 + 20 * r()
    }' > "$work/noise$k.csv"
done
of_table() { # TABLE OPTIONS...
    table=$1; shift
    "$sooth" fit "$work/$table.csv" --target y --budget flash=8K,ram=512 --for cortex-m0 \
        -o "$work/$table.sooth" --force "$@" > "$work/said"
}
chosen() { of_table "$1" --json && [ "$(value model) $(value options)" = "$2" ]; }
check "seven runs that follow a law" chosen law "scaling law=usl"
check "are predicted but for their noise" less "$(value error)" 4
check "a product of powers" chosen powers "linear transform=log,none,log-target"
check "has the error of its noise, the mean of |e^(0.2 g) - 1|" less "($(value error) - 16)^2" 16
check "the measure is named" [ "$(value errors_are)" = MAPE ]
for by in rmse mae mre; do check "--by $by" of_table powers --by $by; done
check "--by decides" of_table powers --by rmse --json
check "and is named" [ "$(value errors_are)" = RMSE ]
rules=0
for k in 1 2 3 4 5; do
    check "noise" of_table noise$k --json
    [ "$(value answer)" != rule ] || rules=$((rules + 1)) quiet=noise$k
done
check "of five tables of noise four at least are answered by a rule" [ $rules -ge 4 ]
check "with one of them" of_table $quiet --json
check "whose error is quoted" [ "$(value error)" = "$(value error_of_best_rule)" ]
check "which is said aloud" of_table $quiet
words='No model here beats the best rule, the m[a-z]*\(, by more than chance\)*. It is the answer.'
check "with the figure of the models" grep -q \
    "$words Chosen anew .* has MAPE [0-9.]* %; the best model has [0-9.]* %" "$work/said"

# sentences
budget() { refused "$1" "$2" fit --budget "$3" --for "${4:-cortex-m0}"; }
check "nothing fits" budget 1 "no model fits: the smallest takes" flash=4
check "a name that is none" budget 2 "the limits are flash, ram, stack and steps; did you mean flash?" flsh=8K
check "no number" budget 2 "must be a number of 1 or more" flash=much
check "nothing to hold" budget 2 "must be of the form flash=8K" 8K
check "no such core" budget 2 'there is no core "z80"; the measured cores are' flash=8K z80
check "no core" refused 2 "--budget needs --for CORE" fit --budget flash=8K
check "no budget" refused 2 "--for needs --budget" fit --for avr
check "a model beside it" refused 2 "which chooses the model" fit --budget flash=8K --for avr \
    --model tree
check "a front that is no drawing" refused 2 "must end in .svg" \
    fit --budget flash=8K --for avr --front f.png
check "a kind that was not measured" "$sooth" fit "$work/t.csv" --target watts --model svr --folds 0 \
    -o "$work/svr.sooth"
check "is refused" refused 1 "was not measured" "$sooth" describe "$work/svr.sooth" --for avr

# what firmware includes
told() { "$sooth" describe "$work/log.sooth" --for rv32 | grep -qF -e "$1"; }
check "boosted trees of a logarithm" "$sooth" fit "$work/t.csv" --target watts --model xgboost \
    --transform log-target --folds 0 -o "$work/log.sooth"
check "name their headers" told "sooth/model.h, sooth/boost.h, sooth/preprocess.h, with SOOTH_PREDICT_ONLY"
check "and calls" told "sooth_model_open, sooth_boost_predict, sooth_scale_invert_one:"
check "and the range of their answers" told "  predicts    from "

# the table and the emulators
# held CORE MODEL FORM-NAME FILE NUMBER ANSWER FUNCTION: measured is at most what is told, and not much less
held() {
    WORK="$work/measure" tests/firmware/measure.sh --one "$1" "$4" 3 "$5" "$6" "$7" > "$work/measured"
    case $? in 0) ;; 77) echo "  skipped: $1 is not installed here" >&2; return 0 ;; *) return 1 ;; esac
    "$sooth" describe "$2" --for "$1" --json > "$work/json" || return 1
    awk -v form="$3" -v measured="$(cat "$work/measured")" '
        index($0, "\"form\": \"" form "\"") { on = 1 }
        on && match($0, /"(flash|memory|stack|steps)": [0-9]+/) {
            split(substr($0, RSTART, RLENGTH), a, /[": ]+/); told[a[2]] = a[3]
            if (a[2] == "steps") exit
        }
        END {
            split(measured, m, " ")
            print form ": told", told["flash"], told["memory"], told["stack"], told["steps"] ", measured",
                measured
            exit !(m[1] <= told["flash"] && m[2] <= told["memory"] && m[3] <= told["stack"] &&
                m[4] <= told["steps"] && told["steps"] <= 5 * m[4] + 60)
        }' "$work/json"
}
model() { # NAME OPTIONS...: $work/NAME.sooth, of a kind and shape that is not in measure.c
    name=$1; shift
    "$sooth" fit "$work/t.csv" --target watts --drop program --folds 0 -o "$work/$name.sooth" "$@"
}
form() { # CORE NAME FORM-NAME NUMBER ANSWER FUNCTION EXPORT...
    core=$1 name=$2 form=$3 number=$4 answer=$5 function=$6; shift 6
    "$sooth" export "$work/$name.sooth" "$@" --no-selftest -o "$work/e.c" --force 2> /dev/null || return 1
    held "$core" "$work/$name.sooth" "$form" "$work/e.c" "$number" "$answer" "$function"
}
in_kernel() { # NAME FORM
    "$sooth" export "$work/$1.sooth" --to bpf-map -o "$work/e.block" --force 2> /dev/null &&
        "$sooth" export "$work/$1.sooth" --to "$2" -o "$work/e.c" --force 2> /dev/null &&
        held bpf "$work/$1.sooth" "$2" "$work/e.c" "$2" "$work/e.block" ask
}
mkdir -p "$work/measure"
check "a tree" model tree --model tree --set max_depth=6 --set min_samples_leaf=4
check "boosted trees" model boost --model xgboost --set n_estimators=14 --set max_depth=3
check "a tree's table of 16 bits on a Cortex-M0" form cortex-m0 tree "c, 16 bits" int16_t int32_t model_sum \
    --to c --integers 16
check "boosted branches of floats on a Cortex-M0" form cortex-m0 boost c-if float float model_predict \
    --to c-if
check "boosted branches in the kernel" in_kernel boost bpf
check "boosted trees in a map of the kernel" in_kernel boost bpf-map
check "a network in the kernel" "$sooth" fit "$work/t.csv" --target watts --drop program --folds 0 \
    --model mlp --set epochs=2 -o "$work/mlp.sooth"
check "is refused" refused 1 'the model has no form "bpf-map"' "$sooth" describe "$work/mlp.sooth" --for bpf
check "a line of logarithms" model logs --model linear --transform log,none,log-target
check "a line with products" model products --model linear --set products=1 --transform clip,log-target
check "a constant" model constant --model tree --set min_samples_leaf=2147483647
check "a law on a Cortex-M0" form cortex-m0 law c float float model_predict --to c
for name in logs products constant; do
    check "$name on a Cortex-M0" form cortex-m0 $name c float float model_predict --to c
done
if [ -n "$SOOTH_SLOW" ]; then
    slow=$passed
    check "a forest" model forest --model forest --set n_estimators=7 --set max_depth=5
    for trees in tree forest; do
        for to in bpf bpf-map; do check "the kernel, $trees, $to" in_kernel $trees $to; done
    done
    check "a network" model mlp --force --model mlp --set hidden_1=10 --set hidden_2=0
    check "a line" model linear --model linear
    for core in cortex-m0 cortex-m4 avr rv32; do
        for name in tree boost forest; do
            check "$core, $name, c-if" form $core $name c-if float float model_predict --to c-if
            for bits in 8 16; do
                for to in c c-if; do
                    check "$core, $name, $to, $bits bits" form $core $name "$to, $bits bits" \
                        int${bits}_t int32_t model_sum --to $to --integers $bits
                done
            done
        done
        for name in mlp linear tree law logs products constant; do
            check "$core, $name, c" form $core $name c float float model_predict --to c
        done
        check "$core, mlp, 8 bits" form $core mlp "c, 8 bits" float float model_predict --to c --bits 8
    done
    slow=$((passed - slow))
fi
ended budget
