#!/bin/sh
# Writes build/packages: arduino/, a library for the Arduino IDE and for PlatformIO, and zephyr/, a module for
# Zephyr. Both hold the headers that predict (and the two that learn on a device) and examples with a model
# that is fitted here. What stands beside this script is copied as it is, with the version and $URL filled in.
# SPDX-FileCopyrightText: 2026 the sooth authors
# SPDX-License-Identifier: MIT
cd "$(dirname "$0")/../.." || exit 1
set -e
from=examples/packages to=build/packages cc=${CC:-cc}
version=$(sed -n 's/^#define SOOTH_VERSION_TEXT "\(.*\)"/\1/p' include/sooth/base.h)
rm -rf $to
mkdir -p $to/firmware
cp -R $from/arduino $from/zephyr $to
for file in arduino/library.properties arduino/library.json; do
    sed "s/@VERSION@/$version/; s,@URL@,${URL:-https://example.org/sooth}," $from/$file > $to/$file
done

# the headers, and those that they include
headers="linear tree forest boost mlp svr sofnn gauss scaling integers scale conformal adapt sofnn_learn"
more=$headers
while [ "$more" ]; do
    next=
    for h in $more; do
        for i in $(sed -n 's/^#include "\(.*\)\.h"$/\1/p' include/sooth/"$h".h); do
            case " $headers $next " in *" $i "*) ;; *) next="$next $i";; esac
        done
    done
    headers="$headers $next" more=$next
done
for package in arduino/src zephyr/include; do
    mkdir -p $to/$package/sooth
    for h in $headers; do cp include/sooth/"$h".h $to/$package/sooth; done
done
for package in arduino zephyr; do cp LICENSE $to/$package; done

# the models of the examples
build/sooth fit examples/scale/data/titanx.csv --target power_w --drop time_ms --model boost \
    --set n_estimators=20 --set max_depth=4 -o $to/firmware/power.sooth > /dev/null
build/sooth export $to/firmware/power.sooth --to c --integers 16 --name power \
    -o $to/firmware/power.h > /dev/null 2>&1
cp $to/firmware/power.h $to/arduino/examples/Power
cp $to/firmware/power.h $to/zephyr/samples/power/src
for m in tree boost network_8 tree_c boost_c network_c network_8_c program_c; do
    mkdir -p $to/firmware/$m
done
$cc -std=c11 -ffp-contract=off -Iinclude examples/firmware/make.c -o $to/firmware/make
$to/firmware/make $to/firmware
cp $to/firmware/tree/model.h $to/arduino/examples/Tree
rm -r $to/firmware
echo "$to/arduino: a library for Arduino and PlatformIO; $to/zephyr: a module for Zephyr"
