#!/bin/sh
# papers.sh - what the five papers report, as far as it can be made from the data that are here, beside what
# they print: one page, build/papers/index.html. `make papers` builds the programs and runs this.
# SPDX-FileCopyrightText: 2026 the sooth authors
# SPDX-License-Identifier: MIT
#
#     papers.sh [POWER.csv ...]     files of santonus/energymodel, for the chapter on the power of kernels
#     OPERATORS=FOLDER                  measured operators of NeuSight, as build/gpu_left_out reads them
#     RECORDINGS="A=FOLDER B=FOLDER"    of build/colocate on machines of one's own, for cards and Table 7
#     MEASURED="FOLDER ..."             of bench/cuda/measure.sh; without it, those in examples/gpu/data
cd "$(dirname "$0")/.." || exit 1
LC_ALL=C; export LC_ALL
to=build/papers
mkdir -p $to || exit 1

escaped() { sed 's/&/\&amp;/g; s/</\&lt;/g; s/>/\&gt;/g' "$@"; }

# chapter ID TITLE PAPER: then its text, from the standard input
chapter() {
    printf '<h2 id="%s">%s</h2>\n<p class="paper">%s</p>\n' "$1" "$2" "$3"
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
            "$(sed -n '1s/^<svg[^>]*><title>\([^<]*\)<.*/\1/p' "$picture")"
    done
}

. examples/measured.sh

page() {
    cat << 'END'
<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Five papers, run</title>
<style>
:root { color-scheme: light dark }
body { font: 16px/1.5 sans-serif; max-width: 60em; margin: 1em auto; padding: 0 1em }
/* tables may be wider than the text: from its left edge to that of the window */
pre { overflow-x: auto; font-size: 12px; line-height: 1.35; width: max-content;
    max-width: min(100vw - 3rem, 50vw + 28rem) }
figure { display: inline-block; margin: 0.5em 1em 0.5em 0; max-width: 100%; vertical-align: top }
figure svg { max-width: 100%; height: auto }
figcaption, .paper { color: GrayText; font-size: 14px }
summary { overflow-wrap: anywhere }
</style></head><body>
<h1>Five papers, run</h1>
<p>Every number on this page was computed when the page was made, by the command above it, but for those
said to be a paper's own. What differs, and why, stands beside.</p>
<ul>
<li><a href="#desensi">Threads and frequency</a> (De Sensi 2016)
<li><a href="#alavani">The power of GPU kernels</a> (Alavani et al. 2023)
<li><a href="#moolchandani">Programs beside each other</a> (Moolchandani et al. 2022)
<li><a href="#themis">Slowdowns on a shared GPU</a> (Themis, Zhao et al. 2019)
<li><a href="#yao">Periodic applications on one device</a> (Yao et al. 2021)
<li>Beside them: <a href="#neusight">A GPU never seen</a> (NeuSight, Lee et al. 2025)
<li><a href="#measured">Measured on a GPU of our own</a>
</ul>
END
    chapter desensi "Threads and frequency" \
        "D. De Sensi: Predicting performance and power consumption of parallel applications, PDP 2016" << END
<p>Tables I to III and Figures 1 to 5 on seven of the paper's twelve programs, which its author published
later with another tool: the same machine, other runs, the power of the packages alone. Time is told a little
worse than in the paper (by the paper's own model too), power better.</p>
END
    run de_sensi "build/scale --parsec examples/scale/data $to"
    echo '<p>The same on the clocks of a GPU, core and memory:</p>'
    run clocks "build/scale --clocks examples/scale/data/titanx.csv"

    chapter alavani "The power of GPU kernels" \
        "G. Alavani, J. Desai, S. Saha, S. Sarkar: Program analysis and machine learning-based approach to
         predict power consumption of CUDA kernel, 2023" << 'END'
<p>Tables 3 and 5 to 8 and Figures 3 to 7, shuffled as in the paper, and then what becomes of kernels never
seen, alone and after a few measured launches. The ensembles come out as printed, within 0.02 of R2, the
single tree within 0.04; support vectors only with features of variance 1, where the paper says
MinMaxScaler; networks of 64, 64 and 128 neurons once the rates 0.9 and 0.5 of Table 3 are read as decays,
those of 5, 5 and 5 on the larger file of the K20 alone. There is no variational autoencoder: a plain one
and noise stand in its place. Which benchmarks Table 8 is of the paper does not say; here they are
Rodinia's, by Rodinia's own list of dwarfs. The measurements were published with the paper without a
licence, so they are not here.</p>
END
    if [ -n "$power" ]; then run alavani "build/gpu --out $to $power"
    else
        cat << 'END'
<p>This page was made without them. To have the chapter:</p>
<pre>git clone https://github.com/santonus/energymodel
make papers POWER="energymodel/.../K20....csv energymodel/.../M60....csv"</pre>
END
    fi

    chapter moolchandani "Programs beside each other" \
        "D. Moolchandani, A. Kumar, S. Sarangi: Performance and power prediction for concurrent execution on
         GPUs, 2022" << 'END'
<p>Fairness from three microbenchmarks, and the time of bags of two to five programs never seen, on
processors in place of a GPU: time stands for power, which is not measured here.</p>
END
    run moolchandani "build/colocate --recorded examples/colocate/data --out $to/moolchandani"
    echo '<p><a href="moolchandani/report.html">The whole report, with its pictures.</a></p>'
    cat << 'END'
<p>Table 7 and Figures 7 to 15: 20 combinations of columns and six regressors, for bags of two to five, every
program left out and at random; first on that recording, then on Gavel's pairs of deep-learning jobs on three
GPUs, each with another GPU in the place of the processor. Neither holds watts or counters, so times stand for
powers, and what stands for nothing is left out: each table begins with that. The paper's own numbers are of
the watts of a GPU. Its SVR errs by 7 % with whatever columns, so those differ little from bag to bag; times
differ more, and most on the GPUs.</p>
END
    run table7 "build/table7 --recorded examples/colocate/data $RECORDINGS \
--gavel examples/papers/data/gavel.csv --out $to/table7"
    run clusters "build/sooth cluster examples/colocate/data/instances.csv \
--features low_fairness,medium_fairness,high_fairness"
    cat << 'END'
<p>Section 9 and Figures 4 and 5: translation cards between GPUs (Gavel's measurements of deep-learning jobs,
<a href="https://github.com/stanford-futuredata/gavel">MIT</a>), the slowdowns of one GPU from the cards of
another, and how many clusters of fairness there are. The paper translates between two GPUs within one library
of programs, and its card is good; through jobs of seven kinds a line is off by as much as the mean ratio, or
more. Slowdowns carry over better than times, but what a new job does to others on a GPU is told best
by running it there, alone and beside three. Three clusters are supported nowhere here.</p>
END
    run cards "build/cards --out $to/cards $RECORDINGS"
    echo '<p>The same cards by the command:</p>'
    run card "build/cards --times > $to/solo.csv &&
build/sooth card make $to/solo.csv --here K80 --there P100 --group family -o $to/p100.card --force &&
build/sooth card make $to/solo.csv --here K80 --there V100 --group family -o $to/v100.card --force &&
build/sooth card compare $to/p100.card $to/v100.card && cat $to/p100.card"

    chapter themis "Slowdowns on a shared GPU" \
        "W. Zhao, Q. Chen and others: Themis: predicting and reining in application-level slowdown on
         spatial multitasking GPUs, IPDPS 2019" << 'END'
<p>Figures 1, 2 and 5 to 12 and Table I, for kernels with the names and classes of the paper's but simulated,
so that the truth is known. The paper's are those of Rodinia and Parboil on GPGPU-Sim: which method is better,
and which way a parameter points, can be compared with it; how large an error is cannot. ASM, ASM-GPM and
Bubble-Flux are as the paper describes them, and what it leaves open is read in their favour
(examples/papers/tellers.h). First the device that is played out request by request; its kernels were chosen
to fall into the classes of the paper's Table III, so that they come near to its numbers proves nothing:</p>
END
    run themis "build/themis --out $to/themis"
    cat << 'END'
<p>The same on a page of equations (examples/simulator/colocation.h), whose curves are smooth and whose
kernels have no phases, without the pictures:</p>
END
    run themis_equations "build/themis --simulator equations"
    echo '<p>As one would do it with the command on recorded runs of any processor:</p>'
    run themis_fit "build/runs learn > $to/runs.csv && build/runs pairs > $to/pairs.csv &&
build/sooth slowdown fit $to/runs.csv --group program -o $to/ksm.sooth --force"
    run themis_pairs "build/sooth slowdown predict $to/ksm.sooth $to/pairs.csv -o $to/predicted.csv --force"
    run themis_fair "awk -F, 'NR == 1 || \$1 == 5' $to/pairs.csv | cut -d, -f1-11 |
build/sooth slowdown predict $to/ksm.sooth - | build/sooth allocate - --units 60"

    chapter yao "Periodic applications on one device" \
        "Y. Yao and others: Workload-aware GPU performance estimation in the airborne embedded system,
         2021" << 'END'
<p>The paper's self-organising fuzzy network and ours, on a simulation in place of the paper's platform, whose
load it does not tell.</p>
END
    run yao "build/airborne --out $to/yao"

    chapter neusight "A GPU never seen" \
        "S. Lee, A. Phanishayee, D. Mahajan: Forecasting GPU performance for deep learning training and
         inference (NeuSight), ASPLOS 2025" << 'END'
<p>Not one of the five: how long operators and networks take on a GPU that nobody has measured. BERT-Large as
measured on two GPUs, and what it will take on two others; one kernel under four rooflines; and, with
OPERATORS=FOLDER of the authors' measurements, each of five GPUs left out, beside the authors' rivals.</p>
END
    run network "build/sooth gpu network examples/gpu/data/bert.csv --gpu t4,v100,l4,h100"
    run compare "build/sooth gpu compare tests/golden/ptx/matmul.ptx --grid 64x64 --block 16x16 \
--trips 64 --regs 40 --gpu t4,v100,l4,h100 --picture $to/compare.svg --force && echo drawn: $to/compare.svg"
    if [ -n "$OPERATORS" ]; then run left_out "build/gpu_left_out '$OPERATORS' --out $to"; fi

    chapter measured "Measured on a GPU of our own" \
        "bench/cuda/measure.sh, for three of the papers at once" << 'END'
<p>Six tables of one GPU: latencies, watts of kernels alone, of bags of one to five, slowdowns, operators.</p>
END
    known=
    for folder in ${MEASURED:-examples/gpu/data/*/}; do
        [ -s "$folder/latency.csv" ] || continue
        known=1; measured "${folder%/}" "$to/measured_$(basename "$folder")"
    done
    if [ -z "$known" ]; then
        cat << 'END'
<p>No GPU has been measured yet. To have the chapter, on a machine with one:</p>
<pre>bench/cuda/measure.sh OUT
make papers MEASURED=OUT</pre>
END
    fi
    echo '</body></html>'
}

power=$*
mkdir -p $to/yao $to/moolchandani $to/cards $to/table7 $to/themis
page > $to/index.html.new && mv $to/index.html.new $to/index.html && echo "papers: $to/index.html"
