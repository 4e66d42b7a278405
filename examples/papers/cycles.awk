# cycles.awk - the latencies of a known device next to those of a description, of `sooth gpu NAME` and `sooth gpu
# NAME --latency FILE`: awk -f cycles.awk KNOWN.gpu MINE.gpu
# SPDX-FileCopyrightText: 2026 the sooth authors
# SPDX-License-Identifier: MIT
BEGIN { FS = " *[=#] *"; printf "  %-22s %8s %8s %8s\n", "latency of", "ships", "here", "more" }
FNR == 1 { ++file }
$1 !~ /^latency_/ { next }
file == 1 { known[$1] = $2; next }
{
    off = known[$1] ? 100 * ($2 / known[$1] - 1) : 0
    if ($3 == "measured") { ++n; sum += off < 0 ? -off : off }
    printf "  %-22s %8.4g %8.4g %+6.0f %%  %s\n", substr($1, 9), known[$1], $2, off, $3
}
END { if (n) printf "%d are measured; those that ship are off by %.0f %% on average\n", n, sum / n }
