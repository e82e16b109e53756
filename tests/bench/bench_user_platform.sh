#!/bin/sh
# What `fedrecsim check` takes for a SimGrid platform of many hosts (platform.file), by their number.
#   tests/bench/bench_user_platform.sh PROGRAM [HOSTS...]     default: 10 1000 8000 64000
# Tells processor time, the smallest of three, in seconds.
set -eu
program=$1
shift
[ $# -gt 0 ] || set -- 10 1000 8000 64000
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
trap 'exit 1' HUP INT TERM

cat >"$scratch/s.cfg" <<END
data = { synthetic = "small"; };
method = { name = "fedmf"; dim = 8; };
platform = { file = "$scratch/p.xml"; server = "n0"; clients = "n"; };
rounds = { count = 8; cohort = 1; };
END
for n in "$@"; do
    cat >"$scratch/p.xml" <<END
<?xml version='1.0'?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1"><zone id="z" routing="Full">
<cluster id="c" prefix="n" radical="0-$((n - 1))" suffix="" speed="1Gf" bw="125MBps" lat="50us"/>
</zone></platform>
END
    for _ in 1 2 3; do
        sh -c '"$1" check "$2" --threads 1 >/dev/null; times' times "$program" "$scratch/s.cfg" |
            awk 'END { gsub(/[ms]/, " "); print 60 * $1 + $2 + 60 * $3 + $4 }'
    done | sort -n | awk -v n="$n" 'NR == 1 { printf "%d hosts: %.2f s\n", n, $1 }'
done
