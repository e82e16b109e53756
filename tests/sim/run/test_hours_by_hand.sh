#!/bin/sh
# hours.csv by hand: three clients of a trace, a round an hour, each of one client that computes for 40 minutes. At the quarter hours of
# the first hour 1, 1, 2 and 2 clients are online and 1, 0, 1 and 2 eligible (a client that is selected at that instant still is); at 1:00,
# 1:15 and 1:30 two are online and 2, 1 and 1 eligible. The run ends at 1:40. Argument: the build folder.
# shellcheck source=tests/expect.sh
. "${FRS_SOURCE_DIR:-.}/tests/expect.sh"

cat >trace.csv <<'END'
client,start_s,end_s
0,0,10800
1,1800,7200
2,9000,36000
END
cat >s.cfg <<'END'
data = { synthetic = "custom"; users = 3; items = 36; interactions = 36; activity_ceiling = 0.5; };
evaluation = { candidates = "full"; };
training = { enabled = false; };
method = { name = "fedmf"; dim = 4; };
network = { preset = "ideal"; };
devices = { compute = "fixed"; overhead = "40 min"; };
availability = { model = "trace"; file = "trace.csv"; };
rounds = { count = 2; cohort = 1; every = "1 h"; window = "23:00-22:00"; start = "23 h"; selection = { at_least = 1; }; };
END

# hours RUN COLUMNS: these columns of each hour, a line each.
hours() {
    awk -F, -v names="$2" 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; n = split(names, name, " "); next }
        { for (i = 1; i <= n; i++) printf "%s%.6g", (i > 1 ? " " : ""), $at[name[i]]; print "" }' "$1/hours.csv"
}

# are RUN COLUMNS LINES
are() {
    [ "$(hours "$1" "$2")" = "$3" ] || fail "$2 of $1 are
$(hours "$1" "$2")
instead of
$3"
}

for backend in calendar actors simgrid; do
    expect 0 run s.cfg --out "$backend" --quiet --set engine.backend=$backend
    are $backend 'hour clock_hour start_s end_s' '0 23 0 3600
1 0 3600 6000'
    are $backend 'online_mean online_least online_most eligible_mean eligible_least eligible_most' '1.5 1 2 1 0 2
2 2 2 1.33333 1 2'
    are $backend 'selected rounds connections_mean connections_most' '1 1 0.666667 1
1 1 1 1'
done
cmp calendar/hours.csv actors/hours.csv || fail "the hours depend on the backend"

# A client that rests is online and not eligible: the first one until 2:40.
expect 0 run s.cfg --out rests --quiet --set rounds.cool_down='2 h'
are rests 'online_mean eligible_mean eligible_most' '1.5 0.75 1
2 0.333333 1'

# More than 2,000 clients: 2,000 at even places stand for all.
expect 0 run s.cfg --out many --quiet --set data.users=2500 --set data.interactions=25000 --set availability.model=always
are many 'online_mean eligible_most' '2500 2500
2500 2500'

# A client that answers by chance in every attempt is online at no time.
expect 0 run s.cfg --out chance --quiet --set availability.model=bernoulli
[ "$(cut -d, -f5-10 chance/hours.csv | sed -n 2p)" = ,,,,, ] || fail "clients are counted that are online by attempts"

[ "$failures" -eq 0 ]
