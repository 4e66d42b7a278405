#!/bin/bash
# What a tree and a forest of scikit-learn cost on small machines as sooth exports them, as emlearn does and
# as m2cgen does: flash, memory, stack, steps of a prediction, and how far answers are from scikit-learn's.
#     bench/firmware/run.sh [CORE...]      of: m0 m4f m33 rv32imac rv32imafc atmega328p
#     bench/firmware/run.sh learn [CORE...]  what learns on the machine: wants no Python
# Wants a Python with numpy, scikit-learn, emlearn and m2cgen in $PYTHON (pip install them into a venv), the
# command in build/sooth, and the compilers and emulators of tests/firmware/run.sh. Flash and memory are
# those of a program with the model less those of one without. Steps are instructions that qemu executed
# (count.c), on an AVR cycles of simavr, from the call until after the return, for 100 rows: mean and worst.
# SPDX-FileCopyrightText: 2026 the sooth authors
# SPDX-License-Identifier: MIT
cd "$(dirname "$0")/../.." || exit 1
LC_ALL=C; export LC_ALL
here=bench/firmware firmware=examples/firmware work=build/measure python=${PYTHON:-python3} sooth=build/sooth
mkdir -p $work
learn=
[ "$1" != learn ] || { learn=1; shift; }
[ $learn ] || [ -f $work/forest_m2cgen.c ] || "$python" $here/models.py $work || exit 1
cc -O2 -fPIC -shared $here/count.c -o $work/count.so || exit 1
cc -O2 tests/firmware/avr_run.c -o $work/avr_run -lsimavr -lelf 2> /dev/null
for m in $([ $learn ] || echo tree forest); do
    $sooth import $work/$m.json -o $work/$m.sooth --force
    for form in c c-if; do
        $sooth export $work/$m.sooth --to $form --no-selftest -o $work/${m}_float_$form.c --force
        $sooth export $work/$m.sooth --to $form --integers 16 --no-selftest -o $work/${m}_16_$form.c --force
        $sooth export $work/$m.sooth --to $form --keys float --integers 32 --no-selftest \
            -o $work/${m}_keys_$form.c --force
        if [ $m = forest ]; then
            $sooth export $work/$m.sooth --to $form --sum plain --no-selftest \
                -o $work/${m}_plain_$form.c --force
        fi
    done
    for t in float int16_t; do
        printf '#include "%s_%s.h"\nfloat emlearn_predict(const %s *x);\n%s\n' $m $t $t \
            "float emlearn_predict(const $t *x) { return m_predict(x, 8); }" > $work/${m}_emlearn_$t.c
    done
done 2> /dev/null

# compile OUT FLAGS...: with the core's own, which `core` has set
compile() {
    out=$1; shift
    # shellcheck disable=SC2086
    "${tools}gcc" -std=gnu11 -Os -ffp-contract=off -ffunction-sections -fdata-sections -Wl,--gc-sections \
        $machine_flags -I$firmware -I$work "$@" $machine_files $machine_libraries -o "$out" 2> $work/log
}

# measured LABEL MODEL SCALE FLAGS...: a line of the table
measured() {
    label=$1 m=$2 scale=$3 defines=(); shift 3
    for word in "$@"; do case $word in -D*) defines+=("$word");; esac; done
    if ! compile $work/x.elf "$@" $here/measure.c; then
        why=$(grep -m 1 -oE 'overflow.*|error.*' $work/log | head -c 60)
        echo "| $m | $label | does not fit or build: $why |"
        return
    fi
    compile $work/empty.elf -DEMPTY "${defines[@]}" $here/measure.c
    steps=$(ask $work/x.elf $work/said)
    ask $work/empty.elf $work/none > $work/no_steps
    off=$(python3 $here/answers.py $work/said $work/$m.want "$scale") || off="? ?"
    none=$(python3 $here/answers.py $work/none $work/$m.want float) || none="? ?"
    echo "| $m | $label | $(sizes) | $((${off#* } - ${none#* })) | $steps | ${off% *} |"
}

# ask ELF OUT: runs it; its steps, "mean | worst"
ask() {
    if [ $core = atmega328p ]; then
        timeout 100 $work/avr_run "$1" > "$2" 2> $work/log
        awk '/^costs/ { printf "%d | %d", $3 - $4, $2 - $4 }' $work/log
    else
        mark=0x$("${tools}nm" "$1" | awk '$3 == "mark" { print $1 }')
        # shellcheck disable=SC2086
        timeout 100 $machine_run -plugin $work/count.so,mark=$mark -kernel "$1" > "$2" 2> $work/log \
            < /dev/null
        awk '/^steps/ { print $2 " | " $3 }' $work/log
    fi
}

# sizes: of x.elf above empty.elf
sizes() {
    "${tools}size" $work/empty.elf $work/x.elf |
        awk 'NR == 2 { f = $1 + $2; r = $2 + $3 } NR == 3 { print $1 + $2 - f " | " $2 + $3 - r }'
}

# learned LABEL FLAGS...: a line of the table of those that learn
learned() {
    label=$1; shift
    flags="-Iinclude -I$work/learn/program_c $*"
    # shellcheck disable=SC2086
    if ! compile $work/x.elf $flags -DPREDICT $here/learn.c; then
        why=$(grep -m 1 -oE 'overflow.*|error.*' $work/log | head -c 60)
        echo "| $label | does not fit or build: $why |"
        return
    fi
    # shellcheck disable=SC2086
    compile $work/empty.elf $flags -DEMPTY $here/learn.c
    ask $work/empty.elf $work/none > $work/no_steps
    asked=$(ask $work/x.elf $work/said)
    # shellcheck disable=SC2086
    compile $work/observe.elf $flags -DOBSERVE $here/learn.c
    told=$(ask $work/observe.elf $work/told)
    echo "| $label | $(sizes) | $((0x$(tail -n 1 $work/said) - 0x$(tail -n 1 $work/none))) | $told | $asked |"
}

scale_of() { awk '$2 == "model_SCALE" || $2 == "MODEL_SCALE" { print $3 }' "$1"; }

if [ $learn ]; then
    for m in tree boost network_8 tree_c boost_c network_c network_8_c program_c; do
        mkdir -p $work/learn/$m
    done
    cc -std=c11 -ffp-contract=off -O1 -Iinclude $firmware/make.c -o $work/make &&
        $work/make $work/learn || exit 1
fi

core() {
    core=$1 tools=arm-none-eabi- machine_files=$firmware/cortex_m.c machine_libraries="-lc -lgcc"
    bare="-nostartfiles -nostdlib"
    qemu="-display none -monitor none -serial none -chardev stdio,id=sh"
    qemu="$qemu -semihosting-config enable=on,target=native,chardev=sh"
    thumb="-mthumb $bare -T$firmware/cortex_m.ld" riscv="-mcmodel=medany --specs=picolibc.specs $bare"
    riscv="$riscv -T$firmware/riscv.ld"
    case $core in
    m0) machine_flags="-mcpu=cortex-m0 $thumb" board=microbit;;
    m4f) machine_flags="-mcpu=cortex-m4 -mfpu=fpv4-sp-d16 -mfloat-abi=hard $thumb" board=mps2-an386;;
    m33) machine_flags="-mcpu=cortex-m33 -mfpu=fpv5-sp-d16 -mfloat-abi=hard"
        machine_flags="$machine_flags ${thumb/cortex_m.ld/cortex_m33.ld}"
        board=mps2-an505;;
    rv32imac) machine_flags="-march=rv32imac -mabi=ilp32 $riscv";;
    rv32imafc) machine_flags="-march=rv32imafc -mabi=ilp32f $riscv";;
    atmega328p) machine_flags=-mmcu=atmega328p machine_files=$firmware/avr.c machine_libraries= tools=avr-;;
    *) echo "$0: there is no core $core" >&2; exit 1;;
    esac
    machine_run="qemu-system-arm -M $board $qemu"
    case $core in
    rv32*) tools=riscv64-unknown-elf- machine_files=$firmware/riscv.c
        machine_run="qemu-system-riscv32 -M virt -bios none -display none -monitor none -serial stdio";;
    esac
}

for c in ${*:-m0 m4f m33 rv32imac rv32imafc atmega328p}; do
    core "$c"
    command -v "${tools}gcc" > /dev/null || { echo "skipped: $c: there is no ${tools}gcc"; continue; }
    if [ $learn ]; then
        printf '\n### %s\n\n| learns | flash | memory | stack | observe: mean | worst | ' "$c"
        printf 'predict: mean | worst |\n|---|---|---|---|---|---|---|---|\n'
        learned "memory of a program" -DEXPORTED
        if [ "$c" = atmega328p ]; then # where double is float
            echo "| least squares, fuzzy network | learn in double precision: not on this compiler |"
            continue
        fi
        learned "least squares" -DSQUARES
        learned "fuzzy network" -DFUZZY
        continue
    fi
    printf '\n### %s\n\n| model | as | flash | memory | stack | %s, mean | worst | off by |\n' "$c" \
        "$([ "$c" = atmega328p ] && echo cycles || echo steps)"
    echo "|---|---|---|---|---|---|---|---|"
    for m in tree forest; do
        for form in c c-if; do
            file=$work/${m}_16_$form.c
            measured "sooth $form, 16 bits" $m "$(scale_of $file)" -DSOOTH_SUM $file
        done
        measured "emlearn int16" $m float -DEMLEARN_INT $work/${m}_emlearn_int16_t.c
        for form in c c-if; do
            file=$work/${m}_keys_$form.c
            measured "sooth $form, bits of floats" $m $(($(scale_of $file) - 8)) \
                -DSOOTH_SUM -DFLOAT_ROWS -DWIDE $file
        done
        for form in c c-if; do
            measured "sooth $form" $m float -DSOOTH_FLOAT $work/${m}_float_$form.c
            [ $m = forest ] &&
                measured "sooth $form, plain sum" $m float -DSOOTH_FLOAT $work/${m}_plain_$form.c
        done
        measured "emlearn float" $m float -DEMLEARN_FLOAT $work/${m}_emlearn_float.c
        measured "m2cgen" $m float -DM2CGEN $work/${m}_m2cgen.c
    done
done
