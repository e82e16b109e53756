#!/bin/sh
# The page of a run, a sweep and a search while they run (--live): at ten moments it says what their files say; killed and
# resumed it goes on; in the end it is report.html, to the byte; and no result depends on it. What is asked in bad faith is
# refused, and a port that is taken.
# shellcheck source=tests/expect.sh
. "${0%/*}/../../expect.sh"

command -v curl >/dev/null || {
    echo "SKIPPED live: curl is not installed"
    exit 0
}

cat >s.cfg <<'TEXT'
data = { synthetic = "small"; };
method = { name = "fedmf"; };
rounds = { count = 120; cohort = 66; };
network = { preset = "4g"; };
evaluation = { every = 5; };
output = { what_if = "none"; events = false; checkpoint_rounds = 10; };
TEXT
cat >sweep.cfg <<'TEXT'
data = { synthetic = "small"; };
method = { name = "fedmf"; };
rounds = { count = 30; cohort = 20; };
output = { what_if = "none"; events = false; };
sweep = { vary = ["rounds.cohort = 10, 20, 40"]; replicates = 2; };
TEXT
"$program" run s.cfg --out none --live=1x >out 2>err && code=0 || code=$?
what='a port that is none'
[ "$code" -eq 2 ] || fail "exit code $code"
"$program" run nothing.cfg --live >out 2>err && code=0 || code=$?
[ "$code" -eq 2 ] || fail "exit code $code"
if "$program" run s.cfg --out none --set rounds.count=1 --live 2>&1 | grep -q 'built without libmicrohttpd'; then
    echo "SKIPPED live: the program was built without libmicrohttpd"
    exit 0
fi
rm -rf none

# begin ARGUMENT...: in the background; leaves the address in $url and the process in $running.
begin() {
    what="fedrecsim $*"
    "$program" "$@" >out 2>err </dev/null &
    running=$!
    url=
    while [ -z "$url" ] && kill -0 "$running" 2>/dev/null; do
        url=$(sed -n 's/^live page: //p' err)
    done
}

get() { curl -s -m 5 -o "$2" "$url$1"; }
status_of() { curl -s -m 5 -o /dev/null -w '%{http_code}' "$@"; }
number() { sed -n "s/.*\"$1\":\([0-9]*\).*/\1/p" "$2"; }
lines() { wc -l 2>/dev/null <"s.partial-$running/rounds.csv" || echo 0; }

# What the data of a moment have in a column, and how many rows of it.
column() { sed "s/.*\"$1\":\[\([^]]*\)\].*/\1/" "$2" | tr ',' '\n'; }

# The columns of every moment are the first rows of what the file holds in the end.
same_as_in_the_end() {
    for moment in moment-*.json; do
        for name in end_s hr@10 down_bytes; do
            grep -qF "\"$name\":[" "$moment" || continue # no round was evaluated
            column "$name" "$moment" >column.txt
            awk -F, -v name="$name" '
                FNR == NR { shown[++n] = $1; next }
                FNR == 1 { for (i = 1; i <= NF; i++) if ($i == name) at = i; next }
                FNR <= n + 1 { if (shown[FNR - 1] == "null" ? $at != "" : $at == "" || shown[FNR - 1] != $at + 0 && shown[FNR - 1] - $at > 1e-9 * $at) exit bad = 1 }
                END { exit bad || !at || n == 0 || n > FNR - 1 }' column.txt s/rounds.csv ||
                fail "$name of $moment is not that of rounds.csv"
        done
    done
}

# stop: the command is stopped. kill returns before its threads are, which may write one round more.
stop() {
    kill -STOP "$running" || return
    while grep -qs '^State:[[:space:]]*[RSD]' "/proc/$running/task/"*/status; do :; done
}

# watch N: N moments more, at each of which the command is stopped, so that its files are as they are.
n_moments=0
watch() {
    until_n=$((n_moments + $1))
    last=1
    while [ "$n_moments" -lt "$until_n" ]; do
        stop || return
        n=$(lines)
        if [ "$n" -gt "$last" ]; then
            last=$n
            n_moments=$((n_moments + 1))
            get live.json now.json
            # The server rests between data that took it long to make.
            tries=0
            until get data.json "moment-$n_moments.json" && grep -q "\"n_rounds\":$((n - 1))," "moment-$n_moments.json"; do
                tries=$((tries + 1))
                [ "$tries" -lt 200 ] || break
                sleep 0.02
            done
            # The first line has the names.
            [ "$(number rows now.json)" -eq $((n - 1)) ] || fail "$(number rows now.json) rows, and the file has $n lines"
            [ "$(number "done" now.json)" -eq $((n - 1)) ] || fail "$(number "done" now.json) rounds, and the file has $n lines"
            says "moment-$n_moments.json" "\"n_rounds\":$((n - 1)),"
        fi
        [ "$n_moments" -eq "$until_n" ] || kill -CONT "$running"
    done
}

# ---- a run that is killed, and resumed ----

expect 0 run s.cfg --out plain --quiet
begin run s.cfg --out s --live
first=$url
get '' page.html
says page.html "connect-src 'self'"
watch 5
[ "$n_moments" -eq 5 ] || fail "$n_moments moments before the kill"
[ "$(status_of -I "$url")" = 200 ] || fail "HEAD is not answered"

# What is asked in bad faith.
what='hostile requests'
for asked in ../../etc/passwd ..%2f..%2fetc%2fpasswd s/manifest.json /etc/passwd '%00' 'live.json/..' report.html; do
    [ "$(status_of --path-as-is "$url$asked")" = 404 ] || fail "$asked is answered"
done
[ "$(status_of -X POST -d @s.cfg "${url}live.json")" = 405 ] || fail "POST is answered"
[ "$(status_of -X DELETE "$url")" = 405 ] || fail "DELETE is answered"
[ "$(status_of -H 'Host: example.org' "${url}live.json")" = 403 ] || fail "another host is answered"
[ "$(status_of -H 'Host: localhost:1' "${url}live.json")" = 200 ] || fail "localhost is refused"
long=$(printf '%040000d' 0)
case $(status_of "$url$long") in 4?? | 000) ;; *) fail "a long address is answered" ;; esac
# Clients that say nothing, or do not go on, hinder no other.
sleep 1 | curl -s -m 2 "telnet://${url#http://}" >silent.txt 2>&1 &
silent=$!
printf 'GET / HTTP/1.1\r\nHost' | curl -s -m 1 "telnet://${url#http://}" >half.txt 2>&1 &
half=$!
[ "$(status_of "${url}live.json")" = 200 ] || fail "it does not answer beside a silent client"

# The port is taken while it runs.
port=${url%/}
port=${port##*:}
"$program" run s.cfg --out other --live="$port" >out2 2>err2 && code=0 || code=$?
what="--live=$port"
[ "$code" -eq 2 ] || fail "exit code $code where the port is taken"
[ "$(wc -l <err2)" -eq 1 ] || fail "not one line where the port is taken"
says err2 "fedrecsim: --live=$port: this port of 127.0.0.1 cannot be had"
[ ! -e other ] || fail "something was written"

what='a run that is killed and resumed'
kill -9 "$running"
wait "$running" 2>/dev/null
kill "$silent" "$half" 2>/dev/null
wait "$silent" "$half" 2>/dev/null
gone=0
while [ "$gone" -lt 50 ] && get live.json now.json; do
    gone=$((gone + 1))
    sleep 0.02
done
get live.json now.json && fail "the page outlives the command"
begin run s.cfg --out s --live --resume
[ "$url" = "$first" ] || fail "another address after --resume: $url, before $first"
watch 5
[ "$n_moments" -eq 10 ] || fail "$n_moments moments"
kill -CONT "$running"

# In the end it is the report, and the command ends when that was taken.
until get live.json now.json && grep -q '"state":"ended"' now.json; do
    kill -0 "$running" 2>/dev/null || break
done
says now.json '"report":true'
get '' page.html
cmp page.html s/report.html >/dev/null || fail "the page is not report.html"
get report.html page.html
cmp page.html s/report.html >/dev/null || fail "report.html is another one"
wait "$running" || fail "exit code $?"
same_as_in_the_end
for file in rounds.csv clients.csv report.html; do
    cmp "plain/$file" "s/$file" >/dev/null || fail "$file differs from that of a run without --live"
done

# There is nothing to resume, no page is open, and nothing is waited for.
expect 0 run s.cfg --out s --live --resume
says out 's is complete already'

# ---- a sweep ----

expect 0 sweep sweep.cfg --out plain-sweep --quiet --jobs 1
begin sweep sweep.cfg --out swept --live --jobs 1
n_seen=0
: >now.json
until grep -q '"state":"ended"' now.json; do
    before=$(find swept/points -maxdepth 1 -name '????' 2>/dev/null | wc -l)
    get live.json now.json || break
    behind=$(find swept/points -maxdepth 1 -name '????' 2>/dev/null | wc -l)
    n=$(number "done" now.json)
    [ -n "$n" ] || continue
    if [ "$n" -lt "$before" ] || [ "$n" -gt "$behind" ]; then
        fail "$n points, and the folder had $before to $behind"
    fi
    [ "$n" -eq 0 ] || n_seen=$((n_seen + 1))
done
get '' page.html
cmp page.html swept/report.html >/dev/null || fail "the page is not report.html"
wait "$running" || fail "exit code $?"
[ "$n_seen" -gt 2 ] || fail "$n_seen looks at a sweep"
for file in cells.csv points.csv report.html points/0003/rounds.csv; do
    cmp "plain-sweep/$file" "swept/$file" >/dev/null || fail "$file differs from that of a sweep without --live"
done

# ---- a search, of which no page is open at the page: nothing is waited for ----

expect 0 solve sweep.cfg --set sweep.vary= --set rounds.count=5 --vary 'rounds.cohort = 10, 20' --until 'simulated_s <= 1 h' --replicates 1 --out solved --live
says err 'live page: http://127.0.0.1:'
[ "$failures" -eq 0 ]
