#!/bin/sh
# Data and candidates that are kept from one process to the next: results are the same to the last byte with nothing kept,
# all of it, some of it and damaged; what is kept is used, and belongs to one file and one set of interactions alone.
#   test_cached.sh BUILD_FOLDER
# shellcheck source=tests/expect.sh
. "$(dirname -- "$0")/../../expect.sh"

# 500 users with 300 of 900 items each: 2.5 MB, and 1.1 MB of candidates.
awk 'BEGIN {
    print "user,item,stars,time"
    for (u = 1; u <= 500; u++) for (i = 0; i < 300; i++)
        printf "u%d,i%d,%d,%d\n", u, (u * 37 + i * 3) % 900, 1 + (u + i) % 5, 1000 + (i * 7919) % 4001
}' >log.csv
cat >s.cfg <<'CFG'
data = { format = "csv"; path = "log.csv"; csv_user = "user"; csv_item = "item"; csv_value = "stars"; csv_time = "time"; };
method = { name = "fedmf"; dim = 4; };
evaluation = { negatives = 560; every = 1; };
rounds = { count = 2; cohort = 10; };
output = { report = false; what_if = "none"; };
CFG

results() { # NAME [OPTION...]
    name=$1
    shift
    expect 0 run s.cfg --quiet --force --out "$name" "$@"
    silent err
}
same() {
    for file in rounds.csv clients.csv events.ndjson manifest.json; do
        cmp -s "plain/$file" "$1/$file" || fail "$file differs"
    done
}
kept() { # N: so many entries
    # shellcheck disable=SC2012
    found=$(ls cache | wc -l)
    [ "$found" -eq "$1" ] || fail "$found entries instead of $1: $(ls cache)"
}

results plain
mkdir cache
FEDRECSIM_CACHE=$folder/cache
export FEDRECSIM_CACHE
results first && same first && kept 2
before=$(cksum cache/*)
results second && same second
[ "$(cksum cache/*)" = "$before" ] || fail "what is kept has been changed"
expect 0 run s.cfg --quiet --force --out threads --threads 2
same threads

# Cut, empty, and with another byte.
for entry in cache/rows-*.cache cache/candidates-*.cache; do
    cp "$entry" whole
    head -c 5000 whole >"$entry"
    results cut && same cut
    cmp -s whole "$entry" || fail "$entry was cut, and is not whole again"
    { head -c 70000 whole && printf '\377' && tail -c +70002 whole; } >"$entry"
    results other && same other
    cmp -s whole "$entry" || fail "$entry was damaged, and is not whole again"
done
rm cache/candidates-*.cache
results some && same some && kept 2

# It is used: another content, with the digest that belongs to it, gives other data and another evaluation.
forge() { # ENTRY: the content comes from stdin
    cat >content
    {
        printf "fedrecsim's cache\n"
        cat content
        for byte in $(b2sum -l 128 <content | cut -d ' ' -f 1 | sed 's/../0x& /g'); do
            # shellcheck disable=SC2059
            printf "\\$(printf %03o "$byte")"
        done
    } >"$1"
}
for kind in rows candidates; do
    entry=$(echo cache/$kind-*.cache)
    cp "$entry" whole
    n=$(($(wc -c <whole) - 18 - 16))
    tail -c +19 whole | head -c $n | forge "$entry"
    cmp -s whole "$entry" || fail "the test knows not what an entry of $kind looks like"
    case $kind in
        rows) { tail -c +19 whole | head -c $((n - 8)) && printf '\0\0\0\0\0\0\0\0'; } | forge "$entry" ;;
        candidates) head -c $n /dev/zero | forge "$entry" ;;
    esac
    results forged
    ! cmp -s plain/manifest.json forged/manifest.json || ! cmp -s plain/rounds.csv forged/rounds.csv || fail "$kind that are kept are not used"
    cp whole "$entry"
done
rm cache/*

# Another seed has other candidates, another column other rows; small data are not worth a file.
results seed --set seed=2 && kept 2
results again --set seed=3 && kept 3
results column --set seed=3 --set data.csv_value= && kept 4
rm cache/*
head -n 20000 log.csv >few.csv
sed 's/log.csv/few.csv/; s/560/20/' s.cfg >few.cfg
expect 0 run few.cfg --quiet --out few
kept 0

# A malformed line stays an error, and is kept from nobody.
echo 'u1,i1,x,5' >>log.csv
expect 2 check s.cfg
error 'fedrecsim: log.csv:150002: rating "x" is not a finite number; expected a decimal number'
kept 0
FEDRECSIM_CACHE=$folder/gone
expect 2 check s.cfg
error "fedrecsim: FEDRECSIM_CACHE: $folder/gone: No such file or directory; allowed: a folder that is there, or nothing"

[ "$failures" -eq 0 ] && echo "cached data: the same with nothing, all, some and damaged entries; used; errors stay errors"
