#!/bin/bash
# What `make packages` writes for package managers, and what `make install` has of the command's help: Conan's
# recipe is built and its test run, Meson builds a project with the wrap, vcpkg's port is run by CMake (vcpkg
# itself is not asked), Debian's source package is built and read by lintian; man pages are read by mandoc and
# set beside the help, completions are asked in bash, in fish and, with stand-ins, in zsh. CONAN=...: another
# conan than the first in PATH. Ends with "distribution: N passed, N failed"; what is not installed is skipped
# with a word.
# SPDX-FileCopyrightText: 2026 the sooth authors
# SPDX-License-Identifier: MIT
cd "$(dirname "$0")/../.." || exit 1
. tests/harness/checks.sh
LC_ALL=C; export LC_ALL
packages=$work/packages share=$work/install/share uses=$(pwd)/examples/packages/conan/test_package
have() { command -v "$1" > /dev/null; }
inside() { (cd "$1" && shift && "$@"); } # FOLDER COMMAND...

check "make packages" make -s packages PACKAGES="$packages"
version=$(build/sooth version)
version=${version#sooth }
tar=$packages/sooth-install-$version.tar.gz
check "no placeholder is left" sh -c "cd $packages &&
    ! grep -rn '@[A-Z][A-Z]*@' vcpkg conan meson debian/sooth-$version/debian"
before=$(cksum < "$tar")
check "make packages, again" make -s packages PACKAGES="$packages"
check "the source is the same bytes" [ "$before" = "$(cksum < "$tar")" ]

# ---- vcpkg: the port under CMake, with what vcpkg would set ----

check "vcpkg.json" sh -c "! command -v python3 || python3 -m json.tool $packages/vcpkg/sooth/vcpkg.json"
if have cmake; then
    check "the port" cmake -DPORT=sooth -DCURRENT_PACKAGES_DIR="$work/vcpkg" -P \
        "$packages/vcpkg/sooth/portfile.cmake"
    check "it has a licence" cmp LICENSE "$work/vcpkg/share/sooth/copyright"
    check "CMake finds it" cmake -S "$uses" -B "$work/uses-vcpkg" -DCMAKE_PREFIX_PATH="$work/vcpkg"
    check "and the program builds" cmake --build "$work/uses-vcpkg"
    check "and runs" "$work/uses-vcpkg/uses"
else echo "  skipped: vcpkg's port (cmake is not here)"; fi

# ---- Conan ----

conan=${CONAN:-$(command -v conan)}
if [ -z "$conan" ] && have python3 && python3 -m venv "$work/venv" 2> "$work/log" &&
    timeout 120 "$work/venv/bin/pip" install -q --retries 0 'conan>=2,<3' > "$work/log" 2>&1; then
    conan=$work/venv/bin/conan
fi
if [ "$conan" ] && have cmake; then
    export CONAN_HOME=$work/conan
    check "conan profile detect" "$conan" profile detect
    check "conan create, with its test" "$conan" create "$packages/conan" --no-remote
    cp "$work/log" "$work/created"
    check "the program ran" grep -q "^sooth $version: about " "$work/created"
    check "whoever follows Conan gets the same bits" \
        grep -rqe '-ffp-contract=off' "$packages/conan/test_package/build" --include=compile_commands.json
    rm -rf "$packages/conan/test_package/build"
else echo "  skipped: Conan (neither conan nor PyPI, or no cmake, is here)"; fi

# ---- Meson: a project with the wrap and the source in its cache, so that nothing is fetched ----

if have meson && have ninja; then
    mkdir -p "$work/meson/subprojects/packagecache"
    cp "$uses/uses.c" "$work/meson"
    cp "$packages/meson/sooth.wrap" "$work/meson/subprojects"
    cp "$tar" "$work/meson/subprojects/packagecache"
    printf '%s\n' "project('uses', 'c')" "executable('uses', 'uses.c', dependencies: dependency('sooth'))" \
        > "$work/meson/meson.build"
    check "meson setup" inside "$work/meson" meson setup build
    check "it builds" inside "$work/meson" meson compile -C build
    check "it runs" "$work/meson/build/uses"
    check "whoever follows Meson gets the same bits" \
        grep -qe '-ffp-contract=off' "$work/meson/build/compile_commands.json"
    echo spoilt >> "$work/meson/subprojects/packagecache/${tar##*/}"
    rm -rf "$work/meson/build" "$work/meson/subprojects/sooth-$version"
    check "another source is refused" refused 1 "Incorrect hash" inside "$work/meson" meson setup build
else echo "  skipped: Meson (meson or ninja is not here)"; fi

# ---- Debian ----

if have dpkg-buildpackage && have dh; then
    cp -R "$packages/debian" "$work/debian"
    export DEB_BUILD_OPTIONS=noautodbgsym
    check "dpkg-buildpackage" inside "$work/debian/sooth-$version" dpkg-buildpackage -us -uc
    unset DEB_BUILD_OPTIONS
    contents() { dpkg-deb -c "$work"/debian/"$1"_*.deb | awk '{ print $NF }' > "$work/contents"; }
    contents sooth
    for file in bin/sooth share/man/man1/sooth.1.gz share/man/man1/sooth-fit.1.gz \
        share/bash-completion/completions/sooth share/zsh/vendor-completions/_sooth \
        share/fish/vendor_completions.d/sooth.fish; do
        check "sooth: $file" grep -qx "./usr/$file" "$work/contents"
    done
    contents libsooth-dev
    check "libsooth-dev: every header" [ "$(grep -c '\.h$' "$work/contents")" = \
        $(($(find include -name '*.h' | wc -l) + 1)) ]
    check "libsooth-dev: sooth.pc" grep -qx ./usr/share/pkgconfig/sooth.pc "$work/contents"
    check "the command in the package" sh -c "dpkg-deb -x $work/debian/sooth_*.deb $work/root &&
        [ \"\$($work/root/usr/bin/sooth version)\" = 'sooth $version' ]"
    if have lintian; then
        check "lintian" inside "$work/debian" sh -c 'lintian --allow-root --fail-on error,warning *.changes'
        cp "$work/log" "$work/lintian"
        check "lintian has nothing to say" [ ! -s "$work/lintian" ]
    else echo "  skipped: lintian is not here"; fi
else echo "  skipped: Debian's package (dpkg-buildpackage or debhelper is not here)"; fi

# ---- man pages and completions ----

check "make stage" make -s stage STAGE="$work/install"
build/sooth help | sed -n 's/^  sooth \([a-z]*\) .*/\1/p' > "$work/commands"
check "a page for every command" sh -c "while read -r c; do
    [ -s $share/man/man1/sooth-\$c.1 ] || exit 1; done < $work/commands"
if have mandoc; then
    check "mandoc has nothing to say" mandoc -Tlint -W warning $share/man/man1/*.1
    # every word of the help is on the page, in the same order
    words() { tr -s ' \n' '\n\n' | grep -v '^$'; }
    same() { # COMMAND
        mandoc -Tascii -O width=500 $share/man/man1/sooth-"$1".1 | sed 's/.\x08//g' |
            sed -n '/^SYNOPSIS/,/^SEE ALSO/p' | sed '/^[A-Z]/d' | words > "$work/page"
        build/sooth help "$1" | sed '/^Options$/d; /^Example$/d' | words | diff "$work/page" -
    }
    while read -r c; do check "the page of sooth $c has all of its help" same "$c"; done < "$work/commands"
else echo "  skipped: man pages (mandoc is not here)"; fi

# complete WORD...: what bash offers for the last word
complete_in_bash() {
    bash -c '. "$0"; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _sooth; printf "%s\n" "${COMPREPLY[@]}"' \
        $share/bash-completion/completions/sooth "$@"
}
offers() { # WANTED WORD...
    local wanted=$1; shift
    [ "$(complete_in_bash "$@" | tr '\n' ' ')" = "$wanted " ]
}
check "bash: a command" offers "fit" sooth fi
check "bash: commands" offers "predict ptx" sooth p
check "bash: every command" [ "$(complete_in_bash sooth '')" = "$(cat "$work/commands")" ]
check "bash: an option" offers "--transform --trials" sooth fit a.csv --tr
check "bash: a model" offers "forest" sooth fit a.csv --model fo
check "bash: a model of a list" offers "tree,forest" sooth validate a.csv --model tree,fo
check "bash: the words of an option" offers "ordinal" sooth fit a.csv --encode o
check "bash: else files, which bash adds" offers "" sooth fit a
# columns: a mark of UTF-8, a comment, units, a space, a quoted comma, CRLF
printf '\357\273\277# runs\r\nuser,"run time [s]",size [MiB],"a, b",seconds\r\n1,2,3,4,5\r\n' > "$work/a.csv"
printf 'user;run time;size\n1;2;3\n' > "$work/b.csv"
check "bash: columns" offers "user run\\ time size seconds" sooth fit "$work/a.csv" --target ''
check "bash: a column" offers "size seconds" sooth fit "$work/a.csv" -t s
check "bash: a column of a list" offers "user,size" sooth fit "$work/b.csv" --drop user,s
check "bash: no columns without a file" offers "" sooth fit --target s
# each word that an option offers is in the help of a command
sed -n 's/^        .*--\([a-z-]*\)) values="\([^@"]*\)".*/\1 \2/p' $share/bash-completion/completions/sooth \
    > "$work/values"
check "the words of options are in the help" sh -c "sort -u $work/values | while read -r o words; do
    for w in \$words; do
        while read -r c; do build/sooth help \$c; done < $work/commands | tr -cs 'a-z0-9_-' '\n' > $work/help
        [ \$o = model ] || grep -qx -e \$w $work/help || { echo \$o \$w; exit 1; }; done; done"
while read -r c; do
    check "bash: every option of sooth $c" [ "$(complete_in_bash sooth "$c" --)" = \
        "$(build/sooth help "$c" | sed -nE 's/^  (-[a-z], )?(--[a-z-]+).*/\2/p')" ]
done < "$work/commands"
if have zsh; then
    check "zsh reads its completions" zsh -n $share/zsh/site-functions/_sooth
    # with stand-ins for what the completion system has: each specification has a form that it can read
    cat > "$work/asks.zsh" << 'END'
setopt extended_glob
_describe() { print -l -- ${(P)2} }
_arguments() {
    local a
    for a in "${@[2,-1]}"; do
        [[ $a == ('*'--#[a-z-]##\[[^]]##\](|:*:*)|'*:'*) ]] || { print -- "unread: $a"; exit 1 }
        print -- "$a"
    done
}
compset() { true }
compadd() { print -l -- ${(P)2} }
file=$1; shift
words=("$@") CURRENT=$#
. $file
[[ $ask != columns ]] || _sooth_columns
END
    zsh -f "$work/asks.zsh" "$share/zsh/site-functions/_sooth" sooth '' > "$work/zsh"
    check "zsh: commands" [ "$(wc -l < "$work/zsh")" -eq "$(wc -l < "$work/commands")" ]
    while read -r c; do
        check "zsh: every option of sooth $c" sh -c "zsh -f $work/asks.zsh $share/zsh/site-functions/_sooth \
            sooth $c '' > $work/zsh && build/sooth help $c | sed -nE 's/^  (-[a-z], )?(--[a-z-]+).*/\\2/p' |
            while read -r o; do grep -q -e \"\$o\\[\" $work/zsh || { echo \"\$o\"; exit 1; }; done"
    done < "$work/commands"
    check "zsh: columns" [ "$(ask=columns zsh -f "$work/asks.zsh" "$share/zsh/site-functions/_sooth" \
        sooth fit "$work/a.csv" -t '' | tail -n 4 | tr '\n' ,)" = "user,run time,size,seconds," ]
else echo "  skipped: zsh is not here"; fi
if have fish; then
    check "fish reads its completions" fish -n $share/fish/vendor_completions.d/sooth.fish
    # asked NAME LINE WANTED: what fish itself offers, without the meanings
    asked() { [ "$(HOME=$work fish -c "source $share/fish/vendor_completions.d/sooth.fish; complete -C '$1'" |
        cut -f 1 | sort | tr '\n' ' ')" = "$2 " ]; }
    check "fish: commands" asked "sooth p" "predict ptx"
    check "fish: options" asked "sooth fit --tr" "--transform --trials"
    check "fish: a model" asked "sooth fit --model fores" "forest"
    check "fish: a column" asked "sooth fit $work/a.csv --target s" "seconds size"
    check "fish: a column of a list" asked "sooth fit $work/b.csv --drop user,s" "user,size"
    check "fish: the words of an option" asked "sooth fit a.csv --encode o" "ordinal"
else echo "  skipped: fish is not here"; fi

ended distribution
