#!/bin/sh
# make.sh [FOLDER] - writes build/packages. arduino/, a library for the Arduino IDE and for PlatformIO, and
# zephyr/, a module for Zephyr, hold the headers that predict (and two that learn on a device) and examples
# with a model that is fitted here. vcpkg/ and conan/ hold all headers; sooth-install-VERSION.tar.gz is the
# source of what Meson's wrap, meson/sooth.wrap, and Debian's source package, debian/, build. What stands
# beside this script is copied as it is, with the version, $URL and $MAINTAINER filled in.
# SPDX-FileCopyrightText: 2026 the sooth authors
# SPDX-License-Identifier: MIT
cd "$(dirname "$0")/../.." || exit 1
set -e
from=examples/packages to=${1:-build/packages} cc=${CC:-cc}
version=$(sed -n 's/^#define SOOTH_VERSION_TEXT "\(.*\)"/\1/p' include/sooth/base.h)
rm -rf $to
mkdir -p $to/firmware
cp -R $from/arduino $from/zephyr $from/vcpkg $from/conan $from/meson $to
# fill FILE...: the version and whom to ask, in a template
fill() {
    for file; do
        sed "s/@VERSION@/$version/; s,@URL@,${URL:-https://example.org/sooth},
            s/@MAINTAINER@/${MAINTAINER:-the sooth authors <sooth@example.org>}/" "$from/$file" > "$to/$file"
    done
}
fill arduino/library.properties arduino/library.json vcpkg/sooth/vcpkg.json conan/conanfile.py
for package in vcpkg/sooth conan; do cp -R include LICENSE $to/$package; done
mkdir $to/cmake
fill cmake/soothConfig.cmake cmake/soothConfigVersion.cmake
mv $to/cmake/* $to/vcpkg/sooth
rmdir $to/cmake

# ---- the source: what a build of the command and `make install` need, the same bytes each time ----

name=sooth-$version
mkdir -p $to/$name/examples
cp -R include Makefile LICENSE README.md $to/$name
cp -R examples/cli examples/common examples/packages $to/$name/examples
mkdir -p $to/$name/examples/gpu $to/$name/examples/python # what the command includes; what is installed
cp examples/gpu/settings.h examples/gpu/pfea_tool.h $to/$name/examples/gpu
cp examples/python/sooth_call.h $to/$name/examples/python
mkdir -p $to/$name/examples/scale/data # of sooth demo
cp examples/scale/data/*titanx* $to/$name/examples/scale/data
fill meson/meson.build meson/sooth.wrap
mv $to/meson/meson.build $to/$name
tar=sooth-install-$version.tar.gz # not the name of a release's archive (make dist), which has all files
$cc examples/packages/dist.c -o $to/dist
(cd $to/$name && find . -type f | sed 's,^[.]/,,' | LC_ALL=C sort |
    ../dist $name "${SOURCE_DATE_EPOCH:-1795392000}" > ../$tar 2> ../date)
rm $to/dist $to/date
hash=$( (sha256sum $to/$tar 2> /dev/null || shasum -a 256 $to/$tar) | cut -d ' ' -f 1)
sed "s/@HASH@/$hash/" $to/meson/sooth.wrap > $to/meson/filled
mv $to/meson/filled $to/meson/sooth.wrap

# ---- Debian's: the same source with debian/, beside it as its tools want it ----

mkdir $to/debian
mv $to/$name $to/debian/$name
cp $to/$tar "$to/debian/sooth_$version.orig.tar.gz"
cp -R $from/debian $to/debian/$name
fill debian/control debian/changelog debian/copyright
mv $to/debian/control $to/debian/changelog $to/debian/copyright $to/debian/$name/debian

# the headers that predict, and what they include, by the compiler
headers="linear tree forest boost mlp svr sofnn gaussian_process scaling export preprocess conformal adapt"
for h in $headers; do echo "#include \"sooth/$h.h\""; done > $to/headers.c
needed=$($cc -std=c11 -Iinclude -M -DSOOTH_IMPLEMENTATION -x c $to/headers.c | tr ' \\' '\n\n' |
    sed -n 's,^include/,,p')
rm $to/headers.c
for package in arduino/src zephyr/include; do
    for h in $needed; do
        mkdir -p "$to/$package/${h%/*}"
        cp include/"$h" "$to/$package/$h"
    done
done
for package in arduino zephyr; do cp LICENSE $to/$package; done

# the models of the examples
build/sooth fit examples/scale/data/titanx.csv --target power_w --drop time_ms --model boost \
    --set n_estimators=20 --set max_depth=4 --set learning_rate=0.1 --set subsample=1 \
    -o $to/firmware/power.sooth > /dev/null
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
echo "in $to: arduino (PlatformIO too), zephyr, vcpkg, conan, meson, debian and $tar"
