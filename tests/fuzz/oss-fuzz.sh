#!/bin/bash
# oss-fuzz.sh [TARGET...] - runs tests/fuzz/oss-fuzz/build.sh with stand-ins for what OSS-Fuzz sets, and each
# of these targets (none: all) on its unpacked seeds and some mutations. The container itself is not built.
# Ends with "oss-fuzz: N passed, N failed".
# SPDX-FileCopyrightText: 2026 the sooth authors
# SPDX-License-Identifier: MIT
cd "$(dirname "$0")/../.." || exit 1
. tests/harness/checks.sh
folder=tests/fuzz/oss-fuzz
for tool in clang++ zip unzip; do
    command -v $tool > /dev/null && continue
    echo "  skipped: OSS-Fuzz's build ($tool is not here)"; ended oss-fuzz; exit
done
listed=$(sed -n 's/.*{TARGETS:-\(.*\)}.*/\1/p' $folder/build.sh)
all=$(ls tests/fuzz/fuzz_*.c | sed 's/.*fuzz_\(.*\)\.c/\1/' | grep -vx command)
check "every target but command is listed" [ "$(echo $listed)" = "$(echo $all)" ]
if python3 -c 'import yaml' 2> /dev/null; then
    cat > "$work/read.py" << 'TXT'
import sys, yaml
project = yaml.safe_load(open(sys.argv[1]))
sys.exit(not {"homepage", "language", "primary_contact", "main_repo", "sanitizers"} <= set(project))
TXT
    check "project.yaml has what OSS-Fuzz asks for" python3 "$work/read.py" $folder/project.yaml
else echo "  skipped: project.yaml (Python's yaml is not here)"; fi
check "the container runs this build.sh" grep -q "cp $folder/build.sh" $folder/Dockerfile

targets=${*:-$all}
mkdir -p "$work"/{src,out,work,seeds}
ln -s "$(pwd)" "$work/src/sooth"
flags="-O1 -fno-omit-frame-pointer -gline-tables-only -fsanitize=address,fuzzer-no-link"
check "build.sh: $(echo $targets)" env SRC="$work/src" OUT="$work/out" WORK="$work/work" TARGETS="$targets" \
    CC=clang CXX=clang++ CFLAGS="$flags" CXXFLAGS="$flags" LIB_FUZZING_ENGINE=-fsanitize=fuzzer \
    bash $folder/build.sh
for target in $targets; do
    check "its seeds: $target" unzip -q "$work/out/${target}_seed_corpus.zip" -d "$work/seeds/$target"
    seeds=$(find "$work/seeds/$target" -type f | wc -l)
    # (from another folder: nothing of the checkout is read)
    check "runs on $seeds seeds and more: $target" sh -c "cd $work/out && timeout 300 ./$target \
        -runs=$((seeds + 500)) -max_len=16384 -rss_limit_mb=4000 -artifact_prefix=$work/ $work/seeds/$target"
done
ended oss-fuzz
