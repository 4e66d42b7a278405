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

# chapter ID TITLE PAPER CLAIM VERDICT: what the paper claims, and what came of it here
chapter() {
    printf '<h2 id="%s">%s</h2>\n<p class="paper">%s</p>\n' "$1" "$2" "$3"
    [ ! "$4" ] || printf '<p><b>The paper:</b> %s</p>\n<p><b>Here:</b> %s</p>\n' "$4" "$5"
}

# execute NAME WORDS...: keeps what that command prints in NAME.txt, and itself in NAME.cmd
execute() {
    name=$1; shift
    echo "papers: $*" >&2
    echo "$*" > $to/"$name".cmd
    sh -c "$*" > $to/"$name".txt 2>&1 || echo "ended with a failure" >> $to/"$name".txt
}
figure() { # PICTURE [CAPTION]: without one, its own title
    printf '<figure>'; cat "$1"
    printf '<figcaption>%s</figcaption></figure>\n' \
        "${2:-$(sed -n '1s/^<svg[^>]*><title>\([^<]*\)<.*/\1/p' "$1")}"
}
# pictures NAME [MOST]: what it says it has drawn, all but the first MOST folded away
pictures() {
    sed -n 's/^ *drawn: //p' $to/"$1".txt | {
        k=0
        while read -r picture; do
            [ $k -ne "${2:-4}" ] || echo '<details><summary>More pictures</summary>'
            k=$((k + 1))
            figure "$picture"
        done
        [ $k -le "${2:-4}" ] || echo '</details>'
    }
}
# printed NAME: what the command printed, folded away
printed() {
    printf '<details><summary><code>%s</code></summary>\n<pre>' "$(escaped $to/"$1".cmd)"
    grep -v '^ *drawn: ' $to/"$1".txt | escaped
    printf '</pre></details>\n'
}
run() { execute "$@"; pictures "$1"; printed "$1"; }

# table CAPTION "HEAD|HEAD|...": rows from the standard input, whose cells are two spaces apart or more
table() {
    printf '<table><caption>%s</caption>\n<tr><th>%s</tr>\n' "$1" "$(echo "$2" | sed 's/|/<th>/g')"
    escaped | sed 's/|/  /g; s/^ *//; s/ *$//; s/   */<td>/g; s/^/<tr><td>/; s/$/<\/tr>/'
    echo '</table>'
}
# rows NAME FROM TO: the rows of a text between two lines, without these
rows() { sed -n "/$2/,/$3/{/$2/d;/$3/d;/^ *$/d;p}" $to/"$1".txt; }

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
figure { display: inline-block; margin: 0.5em 1em 0.5em 0; width: min(100%, 28em); vertical-align: top }
figure svg { max-width: 100%; height: auto }
figcaption, caption, .paper { color: GrayText; font-size: 14px }
table { border-collapse: collapse; display: block; overflow-x: auto; font-size: 14px; margin: 1em 0 }
caption { text-align: left }
th, td { text-align: right; vertical-align: bottom; padding: 0.2em 0 0.2em 1em;
    border-bottom: 1px solid color-mix(in srgb, currentColor 18%, transparent) }
td { white-space: nowrap }
th:first-child, td:first-child { text-align: left; padding-left: 0 }
summary { overflow-wrap: anywhere }
</style></head><body>
<h1>Five papers, run</h1>
<p>The commands of this page computed every number on it when the page was made, except those marked as a
paper's own. Each chapter has the claim of a paper, what came of it here, pictures and tables. The full output
of each command is folded away below them.</p>
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
    execute de_sensi "build/scale --parsec examples/scale/data $to"
    chapter desensi "Threads and frequency" \
        "D. De Sensi: Predicting performance and power consumption of parallel applications, PDP 2016" \
        "Four runs predict the time and the power of all 312 configurations with an accuracy of 96 %." \
        "Power is predicted better than in the paper, time slightly worse, by the paper's own model, too. If
the chosen configuration is run and the model learns from it, most choices are the best ones and none misses
its bound."
    pictures de_sensi
    rows de_sensi '^Tables II and III: choices' '^  Ten bounds' | sed 's/| *[0-9.]*, *[0-9.]* runs//' |
        table "Accuracy in % from four runs, and the choices made by them: the best one, one that costs more,
one that misses its bound, in %; the mean loss in % (in brackets of the choices that cost more)" \
            "method|time|power|least power: best|loss|miss|mean loss|least time: best|loss|miss|mean loss"
    cat << 'END'
<p>Tables I to III and Figures 1 to 5 on seven of the twelve programs of the paper. Its author published these
measurements later, with another tool: the same machine, other runs, the power of the packages alone.</p>
END
    printed de_sensi
    echo '<p>The same on the clocks of a GPU, core and memory:</p>'
    run clocks "build/scale --clocks examples/scale/data/titanx.csv"

    chapter alavani "The power of GPU kernels" \
        "G. Alavani, J. Desai, S. Saha, S. Sarkar: Program analysis and machine learning-based approach to
         predict power consumption of CUDA kernel, 2023" \
        "The PTX of a kernel and its launch predict its power; ensembles of trees do it best." \
        "The ensembles give the figures of the paper within 0.02 of R2 on shuffled rows. Kernels never seen
are predicted far less well, until a few of their launches have been measured."
    cat << 'END'
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

    execute moolchandani "build/colocate --recorded examples/colocate/data --out $to/moolchandani"
    chapter moolchandani "Programs beside each other" \
        "D. Moolchandani, A. Kumar, S. Sarangi: Performance and power prediction for concurrent execution on
         GPUs, 2022" \
        "Fairness next to three microbenchmarks predicts bags of two to five programs, 9 % off for pairs and 7
to 10 % for more." \
        "On processors, bags never seen are predicted with smaller errors. But what learns nothing is as good
for pairs; a model pays for three to five programs. Fairness does not help the tree of the paper."
    figure $to/moolchandani/predicted.svg \
        "Bags of two to five programs, with one that the model has never seen"
    rows moolchandani '^% of the measured time' '^The first two columns' |
        table "Mean absolute error in % of the measured time. Skill: by how much it is below that of the best
row without a model" "method|pairs, a program never seen|3 to 5|pairs, seen before|3 to 5|skill, pairs|3 to 5"
    cat << 'END'
<p>Fairness from three microbenchmarks, and the time of bags of two to five programs never seen. Time replaces
power, which is not measured here. <a href="moolchandani/report.html">The whole report, with its
pictures.</a></p>
END
    printed moolchandani
    cat << 'END'
<p>Table 7 and Figures 7 to 15: 20 combinations of columns and six regressors, for bags of two to five, every
program left out and at random. The data are that recording, then Gavel's pairs of deep-learning jobs on three
GPUs, each with another GPU in the place of the processor. Neither has watts or counters. So times replace
powers, and columns without a replacement are left out: each table begins with a list of them. The numbers of
the paper are watts of a GPU. Its SVR errs by 7 % with any columns, so watts differ little from bag to bag;
times differ more, and most on the GPUs.</p>
END
    run table7 "build/table7 --recorded examples/colocate/data $RECORDINGS \
--gavel examples/papers/data/gavel.csv --out $to/table7"
    run clusters "build/sooth cluster examples/colocate/data/instances.csv \
--features low_fairness,medium_fairness,high_fairness"
    cat << 'END'
<p>Section 9 and Figures 4 and 5: translation cards between GPUs (Gavel's measurements of deep-learning jobs,
<a href="https://github.com/stanford-futuredata/gavel">MIT</a>), the slowdowns of one GPU from the cards of
another, and how many clusters of fairness there are. The paper translates between two GPUs within one library
of programs, and its card is good. Through jobs of seven kinds, a line is off by as much as the mean ratio, or
more. Slowdowns carry over better than times. What a new job does to others on a GPU is predicted best by
running it there, alone and beside three. No data here support three clusters.</p>
END
    run cards "build/cards --out $to/cards $RECORDINGS"
    echo '<p>The same cards by the command:</p>'
    run card "build/cards --times > $to/solo.csv &&
build/sooth card make $to/solo.csv --here K80 --there P100 --group family -o $to/p100.card --force &&
build/sooth card make $to/solo.csv --here K80 --there V100 --group family -o $to/v100.card --force &&
build/sooth card compare $to/p100.card $to/v100.card && cat $to/p100.card"

    execute themis "build/themis --out $to/themis"
    chapter themis "Slowdowns on a shared GPU" \
        "W. Zhao, Q. Chen and others: Themis: predicting and reining in application-level slowdown on
         spatial multitasking GPUs, IPDPS 2019" \
        "A network predicts the slowdown of a kernel next to others with an error of 9.5 % for pairs, where
ASM errs by 45 %. With it, kernels share a GPU more fairly." \
        "The order of the methods that predict is that of the paper, on simulated kernels. The network as
printed is much worse; with biases and outputs of at least 1 it comes near."
    figure $to/themis/figure_5.svg
    figure $to/themis/figure_9a.svg
    pictures themis 0
    rows themis '^---- Figure 5' '^  One network' | sed 1d |
        table "Error of the slowdown in %, 49 pairs of kernels" \
            "method|mean|median|worst|worst pair, its mean|the paper's mean"
    cat << 'END'
<p>Figures 1, 2 and 5 to 12 and Table I, for kernels with the names and classes of the paper. They are
simulated, so that the truth is known. The paper uses Rodinia and Parboil on GPGPU-Sim. The order of methods
and the effect of parameters can be compared with it, the size of an error cannot. ASM, ASM-GPM and
Bubble-Flux are as the paper describes them. What it leaves open is decided in their favour
(examples/papers/tellers.h). First the device that is simulated request by request. Its kernels were chosen
to fall into the classes of the paper's Table III, so their closeness to its numbers proves nothing.</p>
END
    printed themis
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

    execute yao "build/airborne --out $to/yao"
    chapter yao "Periodic applications on one device" \
        "Y. Yao and others: Workload-aware GPU performance estimation in the airborne embedded system,
         2021" \
        "A self-organising fuzzy network predicts the time of periodic applications at their arrival, 5.1 to
11.6 % off." \
        "From the inputs of the paper no model can be better than the floor in the table on this simulation.
Ours comes near it, the network of the paper does not. Two more inputs bring the error below that of the
paper."
    pictures yao
    awk '/^MAPE/ { sub(/^MAPE %: /, ""); sub(/ \(.*/, ""); what = $0 } /^mean / && what != "" {
        $1 = ""; gsub(/ +/, "  "); print what $0; what = "" }' $to/yao.txt |
        table "Mean absolute error in %, mean of eight applications: of no model (the mean, the usual time),
the least that the paper's inputs allow, the paper's network (with 0, with the usual time for what is
missing), and models on the paper's inputs and on two more" \
            "predicted|mean|usual|floor|paper's: 0|usual|ridge|eq. 3|sooth|more inputs: ridge|sooth"
    cat << 'END'
<p>The self-organising fuzzy network of the paper and ours, on a simulation. The paper does not describe the
load of its platform.</p>
END
    printed yao

    chapter neusight "A GPU never seen" \
        "S. Lee, A. Phanishayee, D. Mahajan: Forecasting GPU performance for deep learning training and
         inference (NeuSight), ASPLOS 2025"
    cat << 'END'
<p>Not one of the five: how long operators and networks take on a GPU that nobody has measured. BERT-Large as
measured on two GPUs, and what it will take on two others; one kernel under four rooflines; and, with
OPERATORS=FOLDER of the authors' measurements, each of five GPUs left out, beside the authors' rivals.</p>
END
    run network "build/sooth gpu network examples/gpu/data/bert.csv --gpu t4,v100,l4,h100"
    run compare "build/sooth gpu compare tests/golden/ptx/matmul.ptx --grid 64x64 --block 16x16 \
--trips 64 --regs 40 --gpu t4,v100,l4,h100 --picture $to/compare.svg --force && echo drawn: $to/compare.svg"
    if [ -n "$OPERATORS" ]; then run left_out "build/gpu_left_out '$OPERATORS' --out $to"; fi

    chapter measured "Measured on a GPU of our own" \
        "bench/cuda/measure.sh, for three of the papers at once"
    cat << 'END'
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
