#!/bin/bash
# What `make dist` writes. The archive has the same bytes from two checkouts that differ in folder, umask,
# locale, time zone and compiler; from the userland of another distribution; and from the archive itself,
# unpacked. Only Debian is at hand here, so Alpine is represented by what it has in place of GNU's: busybox
# for every tool but git, and musl as the C library. GNU tar, bsdtar and busybox unpack the files of the
# commit. The unpacked library builds and passes a test. SPDX and CycloneDX hold to their schemas, if PyPI can
# be reached. A key that is made here signs; a changed byte and another key are refused. Needs git and a
# checkout. Ends with "dist: N passed, N failed"; what is not installed is skipped with a word.
# SPDX-FileCopyrightText: 2026 the sooth authors
# SPDX-License-Identifier: MIT
cd "$(dirname "$0")/../.." || exit 1
. tests/harness/checks.sh
have() { command -v "$1" > /dev/null; }
inside() { (cd "$1" && shift && "$@"); } # FOLDER COMMAND...
same() { # FOLDER: it holds the files of the first
    diff -r "$work/first" "$1"
}
[ -e .git ] && have git || { echo "  skipped: make dist (needs git and a checkout)"; ended dist; exit; }
cloned() { git -c safe.directory='*' clone -q $2 "$(pwd)" "$1"; }
unset MAKEFLAGS MAKELEVEL SOURCE_DATE_EPOCH URL
version=$(sed -n 's/^#define SOOTH_VERSION_TEXT "\(.*\)"/\1/p' include/sooth/base.h)
release=sooth-$version

# ---- the same bytes ----

check "a checkout" cloned "$work/one"
check "make dist" make -s -C "$work/one" dist DIST="$work/first"
tar=$work/first/$release.tar.gz
echo >> "$work/one/README.md"
check "a file that differs from the commit is refused" refused 2 "README.md is not as in the commit" \
    make -s -C "$work/one" dist DIST="$work/none"
git -C "$work/one" checkout -q README.md
elsewhere() (
    umask 077
    export LC_ALL=tr_TR.UTF-8 TZ=Pacific/Chatham HOME=/nonexistent TMPDIR=$work/elsewhere
    mkdir -p "$work/elsewhere/a/longer/path/than/before"
    cloned "$work/elsewhere/a/longer/path/than/before/two" "-c core.autocrlf=true" &&
        make -s -C "$work/elsewhere/a/longer/path/than/before/two" dist DIST="$work/second" \
            CC="$(have clang && echo clang || echo cc) -O0"
)
check "make dist elsewhere" elsewhere
check "another folder, umask, locale, zone, compiler, line ends of git: the same bytes" same "$work/second"

# Its tools are the applets of busybox; git and the compiler are those of this machine.
if have busybox && have musl-gcc; then
    mkdir "$work/tools"
    busybox --install -s "$work/tools"
    for tool in git musl-gcc gcc "$(gcc -dumpmachine)-gcc" as ld; do
        ln -sf "$(command -v "$tool")" "$work/tools/$tool"
    done
    check "busybox and musl" inside "$work/one" env -i PATH="$work/tools" CC="musl-gcc -static" \
        "$work/tools/sh" examples/packages/dist.sh "$work/third"
    check "busybox and musl: the same bytes" same "$work/third"
else echo "  skipped: another userland (busybox or musl-gcc is not here)"; fi
if have s390x-linux-gnu-gcc && have qemu-s390x; then
    big_endian() {
        s390x-linux-gnu-gcc -static -O2 examples/packages/dist.c -o "$work/s390x" &&
            git ls-files | LC_ALL=C sort > "$work/list" &&
            qemu-s390x "$work/s390x" "$release" "$(git log -1 --format=%ct)" < "$work/list" \
                > "$work/s390x.tar.gz"
    }
    check "a big-endian machine" inside "$work/one" big_endian
    check "a big-endian machine: the same bytes" cmp "$tar" "$work/s390x.tar.gz"
else echo "  skipped: a big-endian machine (s390x-linux-gnu-gcc or qemu-s390x is not here)"; fi

# ---- the archive ----

hashes() { inside "$work/first" sha256sum -c SHA256SUMS; }
check "SHA256SUMS" hashes
check "gzip accepts it" gzip -t "$tar"
unpacked() { # NAME COMMAND...: unpacked by the command in a folder, it is the commit
    mkdir "$work/$1" || return 1
    (umask 022 && cd "$work/$1" && shift && "$@") &&
        diff -r --exclude=.git "$work/one" "$work/$1/$release" &&
        [ "$(cd "$work/one" && git ls-files | xargs ls -l | cut -c 1-10 | cksum)" = \
            "$(cd "$work/$1/$release" && git -C "$work/one" ls-files | xargs ls -l | cut -c 1-10 | cksum)" ]
}
check "GNU tar unpacks the files of the commit, with their modes" unpacked gnu tar -xzf "$tar"
if have bsdtar; then check "so does bsdtar" unpacked bsd bsdtar -xzf "$tar"
else echo "  skipped: bsdtar is not here"; fi
if have busybox; then check "so does busybox" unpacked busy busybox tar -xzf "$tar"
else echo "  skipped: busybox is not here"; fi
few() { tar -tvzf "$tar" | awk '{ print $1 == "-rw-r--r--" || $1 == "-rwxr-xr-x", $2, $4, $5 }' | sort -u; }
check "one owner, one time, two modes" [ "$(few | wc -l)" = 1 ]
check "owner and group are 0" [ "$(few | cut -d ' ' -f 1,2)" = "1 0/0" ]
found() { LC_ALL=C grep -rlaP "$1" "$work/one" --exclude-dir=.git; }
check "no program in machine code is in it" [ -z "$(found '^(\x7fELF|MZ\x90\x00|\x00asm|\xcf\xfa\xed\xfe)')" ]
check "and no private key" [ -z "$(found '^-----BEGIN [A-Z ]*PRIVATE KEY-----')" ]

# (-O0: what the compiler optimises is tested elsewhere)
built() { make -s -C "$work/gnu/$release" CFLAGS=-O0 build/sooth build/tests/test_sobol; }
check "the archive builds" built
check "a test of it passes" inside "$work/gnu/$release" build/tests/test_sobol
said=$("$work/gnu/$release/build/sooth" version)
check "its version is that of the archive" [ "$said" = "sooth $version" ]
check "make dist in it, without git" make -s -C "$work/gnu/$release" dist DIST="$work/fourth"
check "it writes itself" same "$work/fourth"

# ---- what it contains ----

texts() { # every licence of the data is in both lists
    (cd "$work/one" && git ls-files | grep '/LICENSE[^/]*$') > "$work/licences"
    [ -s "$work/licences" ] || return 1
    while read -r text; do
        for list in spdx cdx; do grep -q "\"$text\"" "$work/first/$release.$list.json" || return 1; done
    done < "$work/licences"
}
check "the licence of each piece of data is listed" texts
hash=$(sha256sum < "$tar" | cut -d ' ' -f 1)
check "both name the archive by its hash" \
    [ "$(grep -l "\"$hash\"" "$work/first/$release.spdx.json" "$work/first/$release.cdx.json" | wc -l)" = 2 ]
if have python3 && python3 -m venv "$work/venv" 2> /dev/null && timeout 120 "$work/venv/bin/pip" install -q \
    --retries 0 'spdx-tools>=0.8,<0.9' 'cyclonedx-python-lib[json-validation]>=8' > "$work/log" 2>&1; then
    cat > "$work/valid.py" << 'TXT'
import sys
from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator
from spdx_tools.spdx.parser.parse_anything import parse_file
from spdx_tools.spdx.validation.document_validator import validate_full_spdx_document
wrong = [m.validation_message for m in validate_full_spdx_document(parse_file(sys.argv[1]), "SPDX-2.3")]
found = JsonStrictValidator(SchemaVersion.V1_6).validate_str(open(sys.argv[2]).read())
wrong += [found] if found else []
print(*wrong, sep="\n")
sys.exit(bool(wrong))
TXT
    valid() {
        inside "$work/$1" "$work/venv/bin/python" "$work/valid.py" "$release.spdx.json" "$release.cdx.json"
    }
    check "SPDX 2.3 and CycloneDX 1.6 are valid" valid first
    mkdir "$work/broken"
    sed 's/"SPDXRef-sooth"/"sooth"/' "$work/first/$release.spdx.json" > "$work/broken/$release.spdx.json"
    sed 's/"library"/"sort"/' "$work/first/$release.cdx.json" > "$work/broken/$release.cdx.json"
    check "broken ones are not" [ "$(valid broken > /dev/null 2>&1; echo $?)" = 1 ]
else echo "  skipped: the schemas of SPDX and CycloneDX (PyPI is not here)"; fi

# ---- the signature ----

if have ssh-keygen; then
    for key in key other; do ssh-keygen -q -t ed25519 -N '' -C '' -f "$work/$key"; done
    printf 'sooth namespaces="sooth" %s\n' "$(cat "$work/key.pub")" > "$work/signers"
    verified() { # SHA256SUMS SIGNATURE: what .github/SECURITY.md tells users to run
        ssh-keygen -Y verify -f "$work/signers" -I sooth -n sooth -s "$2" < "$1"
    }
    sign() { make -s -C "$work/one" sign DIST="$work/first" KEY="$1"; }
    check "make sign without a key is refused" refused 2 "which private key" sign ""
    check "make sign" sign "$work/key"
    check "the signature is valid" verified "$work/first/SHA256SUMS" "$work/first/SHA256SUMS.sig"
    sed '1s/^[0-8]/9/; t; 1s/^./0/' "$work/first/SHA256SUMS" > "$work/changed"
    check "a changed byte is refused" refused 255 "" verified "$work/changed" "$work/first/SHA256SUMS.sig"
    check "another key can sign" sign "$work/other"
    check "and is refused" refused 255 "" verified "$work/first/SHA256SUMS" "$work/first/SHA256SUMS.sig"
else echo "  skipped: the signature (ssh-keygen is not here)"; fi
ended dist
