# What tests share that compare two runs which have to have the same rounds. POSIX sh, to be sourced behind tests/expect.sh.
#   columns FILE NAME...           the values of these columns of a CSV file, a line for each of its rows
#   before_quality FOLDER          rounds.csv without the quality of recommendations, which stands last
#   quality FOLDER                 the first figure of quality (hr@10) of the last round
#   same_rounds NAME A B [ARGUMENT...]   runs A.cfg and B.cfg with these arguments into A-NAME and B-NAME, which are to have the same
#                                  rounds but for quality, and the same events
# shellcheck shell=sh

columns() {
    columns_file=$1
    shift
    awk -F, -v names="$*" 'NR == 1 { n = split(names, name, " "); for (i = 1; i <= NF; i++) at[$i] = i; next }
        { for (i = 1; i <= n; i++) printf "%s ", name[i] in at ? $at[name[i]] : "no column " name[i]; print "" }' "$columns_file"
}
before_quality() { awk -F, 'NR == 1 { while ($(n + 1) !~ /^hr@/) n++ } { for (i = 1; i <= n; i++) printf "%s,", $i; print "" }' "$1/rounds.csv"; }
quality() { awk -F, 'NR == 1 { while ($(n + 1) !~ /^hr@/) n++ } END { print $(n + 1) }' "$1/rounds.csv"; }

same_rounds() {
    name=$1 one=$2 other=$3
    shift 3
    expect 0 run "$one.cfg" --out "$one-$name" --quiet "$@"
    expect 0 run "$other.cfg" --out "$other-$name" --quiet "$@"
    # shellcheck disable=SC2034 # fail prints it
    what="$other as $one, $name"
    before_quality "$one-$name" >one.rounds
    before_quality "$other-$name" >other.rounds
    cmp -s one.rounds other.rounds || fail "$(diff one.rounds other.rounds | head -4 | cut -c1-200)"
    cmp -s "$one-$name/events.ndjson" "$other-$name/events.ndjson" || fail 'other events'
}
