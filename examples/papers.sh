#!/bin/sh
# papers.sh - what the five papers report, as far as it can be made from the data that are here, beside what
# they print: one page, build/papers/index.html. `make papers` builds the programs and runs this.
# SPDX-FileCopyrightText: 2026 the sooth authors
# SPDX-License-Identifier: MIT
#
#     papers.sh [POWER.csv ...]     files of santonus/energymodel, for the chapter on the power of kernels
cd "$(dirname "$0")/.." || exit 1
LC_ALL=C; export LC_ALL
to=build/papers
mkdir -p $to || exit 1

escaped() { sed 's/&/\&amp;/g; s/</\&lt;/g; s/>/\&gt;/g' "$@"; }

# chapter TITLE PAPER: then its text, from the standard input
chapter() {
    printf '<h2>%s</h2>\n<p class="paper">%s</p>\n' "$1" "$2"
    cat
}

# run NAME WORDS...: what that command prints, and the pictures that it says it has drawn
run() {
    name=$1; shift
    echo "papers: $*" >&2
    printf '<details open><summary><code>%s</code></summary>\n<pre>' "$(echo "$*" | escaped)"
    sh -c "$*" > $to/"$name".txt 2>&1 || echo "ended with a failure" >> $to/"$name".txt
    grep -v '^ *drawn: ' $to/"$name".txt | escaped
    printf '</pre></details>\n'
    sed -n 's/^ *drawn: //p' $to/"$name".txt | while read -r picture; do
        printf '<figure>'; cat "$picture"
        printf '<figcaption>%s</figcaption></figure>\n' \
            "$(sed -n 's/.*<title[^>]*>\([^<]*\)<.title>.*/\1/p' "$picture" | head -n 1)"
    done
}

page() {
    cat << 'END'
<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Five papers, run</title>
<style>
:root { color-scheme: light dark }
body { font: 16px/1.5 sans-serif; max-width: 60em; margin: 1em auto; padding: 0 1em }
pre { overflow-x: auto; font-size: 12px; line-height: 1.35 }
figure { display: inline-block; margin: 0.5em 1em 0.5em 0; max-width: 100%; vertical-align: top }
figure svg { max-width: 100%; height: auto }
figcaption, .paper { color: GrayText; font-size: 14px }
summary { overflow-wrap: anywhere }
</style></head><body>
<h1>Five papers, run</h1>
<p>Every number on this page was computed when the page was made, by the command above it, but for those
said to be a paper's own. What differs, and why, stands beside.</p>
END
    chapter "Threads and frequency" \
        "D. De Sensi: Predicting performance and power consumption of parallel applications, PDP 2016" << END
<p>Tables I to III and Figures 1 to 5 on seven of the paper's twelve programs, which its author published
later with another tool: the same machine, other runs, the power of the packages alone. Time is told a little
worse than in the paper (by the paper's own model too), power better.</p>
END
    run de_sensi "build/scale --parsec examples/scale/data $to"
    echo '<p>The same on the clocks of a GPU, core and memory:</p>'
    run clocks "build/scale --clocks examples/scale/data/titanx.csv"

    chapter "The power of GPU kernels" \
        "G. Alavani, J. Desai, S. Saha, S. Sarkar: Program analysis and machine learning-based approach to
         predict power consumption of CUDA kernel, 2023" << 'END'
<p>Tables 3 to 8 shuffled as in the paper, and then what becomes of kernels never seen, alone and after a few
measured launches. The measurements were published with the paper without a licence, so they are not here.</p>
END
    if [ -n "$power" ]; then run alavani "build/gpu --out $to $power"
    else
        cat << 'END'
<p>This page was made without them. To have the chapter:</p>
<pre>git clone https://github.com/santonus/energymodel
make papers POWER="energymodel/.../K20....csv energymodel/.../M60....csv"</pre>
END
    fi

    chapter "Programs beside each other" \
        "D. Moolchandani, A. Kumar, S. Sarangi: Performance and power prediction for concurrent execution on
         GPUs, 2022" << 'END'
<p>Fairness from three microbenchmarks, and the time of bags of two to five programs never seen, on
processors in place of a GPU: time stands for power, which is not measured here.</p>
END
    run moolchandani "build/colocate --recorded examples/colocate/data --out $to/moolchandani"
    echo '<p><a href="moolchandani/report.html">The whole report, with its pictures.</a></p>'
    run clusters "build/sooth cluster examples/colocate/data/instances.csv \
--features low_fairness,medium_fairness,high_fairness"

    chapter "Slowdowns on a shared GPU" \
        "W. Zhao, Q. Chen and others: Themis: predicting and reining in application-level slowdown on
         spatial multitasking GPUs, IPDPS 2019" << 'END'
<p>The kernel slowdown model learns from kernels beside producers of pressure, and Algorithm 1 deals out the
multiprocessors. The kernels are simulated by a page of equations (examples/simulator), so the truth is known;
the paper's own figures, which are of GPGPU-Sim, cannot be compared with these.</p>
END
    run themis_fit "build/runs learn > $to/runs.csv && build/runs pairs > $to/pairs.csv &&
build/sooth slowdown fit $to/runs.csv --group program -o $to/ksm.sooth --force"
    run themis_pairs "build/sooth slowdown predict $to/ksm.sooth $to/pairs.csv -o $to/predicted.csv --force"
    run themis_fair "awk -F, 'NR == 1 || \$1 == 5' $to/pairs.csv | cut -d, -f1-11 |
build/sooth slowdown predict $to/ksm.sooth - | build/sooth allocate - --units 60"

    chapter "Periodic applications on one device" \
        "Y. Yao and others: Workload-aware GPU performance estimation in the airborne embedded system,
         2021" << 'END'
<p>The paper's self-organising fuzzy network and ours, on a simulation in place of the paper's platform, whose
load it does not tell.</p>
END
    run yao "build/airborne --out $to/yao"
    echo '</body></html>'
}

power=$*
mkdir -p $to/yao $to/moolchandani
page > $to/index.html.new && mv $to/index.html.new $to/index.html && echo "papers: $to/index.html"
