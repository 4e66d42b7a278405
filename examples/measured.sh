# measured.sh - what bench/cuda/measure.sh found on a GPU, next to the papers' figures. papers.sh and
# tests/studies/measured.sh source it and have the functions run and escaped.
# SPDX-FileCopyrightText: 2026 the sooth authors
# SPDX-License-Identifier: MIT

# measured FOLDER OWN: the tables of FOLDER; what is made of them goes to OWN
measured() {
    board=$(sed -n '1s/^# latency on \([^,]*\),.*/\1/p' "$1/latency.csv")
    mkdir -p "$2"
    printf '<h3>%s</h3>\n' "$(echo "$board" | escaped)"
    run measured_origin "cat $1/origin.txt; python3 bench/cuda/summary.py $1"
    echo '<p>Latencies in cycles, next to the table that ships.</p>'
    run measured_latency "build/sooth gpu '$board' > $2/known.gpu &&
build/sooth gpu '$board' --latency $1/latency.csv --name mine -o $2/mine.gpu --force &&
awk -f examples/papers/cycles.awk $2/known.gpu $2/mine.gpu"
    cat << 'END'
<p>The power of kernels from their PTX (Alavani et al.): shuffled, every kernel left out, and after 0 to 5 of
its launches. Launches that were measured again are left out.</p>
END
    run measured_power "awk -F, '/^#/ || \$NF != 1' $1/power.csv > $2/power.csv &&
build/sooth ptx tests/golden/watts/kernels.ptx --launches $2/power.csv --gpu $2/mine.gpu \
    -o $2/table.csv --force &&
sed '1s/,kernel,/,benchmark,/; 1s/,power/,Power/' $2/table.csv > $2/launches.csv &&
build/gpu --out $2 $2/launches.csv"
    echo '<p>Watts of bags of two to five kernels (Moolchandani et al., Table 7).</p>'
    run measured_table7 "build/table7 --bags $1/bags.csv --out $2"
    echo '<p>Slowdowns on divided multiprocessors, Fair and QoS (Themis).</p>'
    run measured_themis "build/themis --simulator $1/pairs.csv"
    cat << 'END'
<p>Operators under the roofline, and predicted by gpu_time.h, which has not seen this GPU (NeuSight).</p>
END
    run measured_operators "build/gpu_operators $1/operators.csv --out $2"
}
