#!/bin/sh
# What has changed between two files of bench.sh beyond their noise: figures whose measurements lie apart altogether, and
# by more than LEAST per cent (default 3).
#   tests/bench/compare_benches.sh BEFORE AFTER [LEAST]
# Exit code 1: something has become worse.
set -eu
awk -F , -v least="${3:-3}" '
    function better(unit) { return unit ~ /\/s$/ ? 1 : unit == "%" ? 0 : -1 }
    /^#/ || $1 == "part" && $2 == "what" { next }
    { key = $1 "," $2 "," $3 "," $4 "," $5 }
    NR == FNR { median[key] = $6; low[key] = $7; high[key] = $8; next }
    !(key in median) { added++; next }
    {
        both++
        seen[key] = 1
        apart = $7 > high[key] || $8 < low[key]
        ratio = median[key] ? $6 / median[key] : 1
        if (!apart || (ratio < 1 + least / 100 && ratio > 1 - least / 100)) next
        sign = better($5) * (ratio > 1 ? 1 : -1)
        says = sign > 0 ? "better" : sign < 0 ? "WORSE" : "other"
        worse += sign < 0
        changed++
        printf "%-6s %-9s %-31s %-18s %s  %.6g -> %.6g %s  (%.2f times)\n", says, $1, $2, $3, $4, median[key], $6, $5, ratio
    }
    END {
        for (key in median) gone += !(key in seen)
        printf "%d figures, %d changed beyond noise, %d for the worse", both, changed, worse
        if (added + gone) printf "; %d only before, %d only after", gone, added
        print ""
        exit worse > 0
    }' "$1" "$2"
