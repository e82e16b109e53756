#!/bin/sh
# fedrecsim bundle: one file from which replay repeats a run, or the runs of a sweep, after their folders are gone and where the data
# lie elsewhere. What differs is named; a bundle that is damaged or made up is refused in one line, and leaves nothing behind.
# Argument: the build folder.
# shellcheck source=tests/expect.sh
. "${FRS_SOURCE_DIR:-.}/tests/expect.sh"
unset FEDRECSIM_DATA
export XDG_DATA_HOME="$folder/nowhere"

mkdir sets
awk 'BEGIN { print "user,item,rating"; for (u = 1; u <= 12; u++) for (k = 0; k < 6; k++) print "u" u ",i" (u * 7 + k * 6) % 40 + 1 ",1" }' >sets/ratings.csv
cat >s.cfg <<'END'
data = { path = "sets/ratings.csv"; min_interactions = 3; };
evaluation = { candidates = "full"; };
method = { name = "fedmf"; dim = 4; };
rounds = { count = 2; cohort = 4; };
output = { what_if = "none"; };
END
{ cat s.cfg && echo 'sweep = { vary = "failures.up = 0, 0.3"; replicates = 2; };'; } >swept.cfg
files=$(ls)

# --- a run ---
expect 0 run s.cfg --set rounds.cohort=5 --quiet --out one
expect 0 bundle one
says out 'one.bundle.json has 1 run; fedrecsim replay one.bundle.json repeats it'
expect 0 bundle one --with-data --out whole.json
mv one gone
expect 0 replay one.bundle.json
for file in clients.csv events.ndjson hours.csv manifest.json rounds.csv summary.json; do
    says out "$file: identical"
done
says out 'repeated: all 6 files are identical'
silent err
expect 0 replay one.bundle.json --out again
cmp -s gone/rounds.csv again/rounds.csv || fail "--out has other rounds"
expect 2 replay one.bundle.json --out again
expect 2 bundle gone --out one.bundle.json
error 'fedrecsim: one.bundle.json: is there already, and is left alone; allowed: another name, with --out FILE'

# A run of a file with a sweep, of which a run knows nothing.
expect 0 run swept.cfg --set rounds.cohort=5 --quiet --out of_swept
expect 0 replay of_swept
says out 'repeated: all 6 files are identical'

# What a bundle never has is named.
cp -r of_swept coded
sed 's|"files": {|"files": { "method.command.1": {"path": "my/method.py", "digest": "00000000000000000000000000000000"},|' of_swept/manifest.json >coded/manifest.json
expect 0 bundle coded
says out 'Not in it, and needed by replay, in the same places: my/method.py (plug-ins and programs'
rm coded.bundle.json

# Another result, with its line; another one of which there is the digest alone; another setting; another version.
sed 's/\(\\n\)1,\(0[^,]*\),/\11,9,/' one.bundle.json >other.json
cmp -s one.bundle.json other.json && fail 'nothing was changed'
expect 1 replay other.json
says out 'rounds.csv: differs at line 2: '
says out 'not repeated: 1 of 6 files differs'
sed '/"rounds.csv": {/{n;s/.*/"digest": "00000000000000000000000000000000"/;}' one.bundle.json >other.json
expect 1 replay other.json
says out 'rounds.csv: differs (by its digest)'
sed 's/"method.dim": "4"/"method.dim": "5"/; s/"version": "[0-9.]*"/"version": "9.8.7"/' one.bundle.json >other.json
expect 1 replay other.json
says out 'This bundle is of version 9.8.7, and this program of version '
says out 'summary.json: differs at line'
says out '; the run is of version 9.8.7, this program of '
sed 's/"rounds.csv": {/"else.csv": {/' one.bundle.json >other.json
expect 1 replay other.json
says out 'rounds.csv: was not there'
says out 'else.csv: was not written this time'

# --- data elsewhere ---
mv sets there
digest=$(sed -n 's/^ *"digest": "\([0-9a-f]*\)".*/\1/p' one.bundle.json | head -n 1)
allowed="allowed: the one with the digest $digest, there, in a folder named by --data DIR, or below \$FEDRECSIM_DATA"
expect 2 replay one.bundle.json
error "fedrecsim: one.bundle.json: data.path: sets/ratings.csv, which the run read, is not here; $allowed"
expect 0 replay one.bundle.json --data there --out moved
says out 'manifest.json: identical'
says moved/manifest.json '"path": "there/ratings.csv"'
FEDRECSIM_DATA=$folder/there expect 0 replay one.bundle.json
mkdir -p deep/sets
cp there/ratings.csv deep/sets
FEDRECSIM_DATA=$folder/deep expect 0 replay one.bundle.json
expect 0 replay gone --data there
sed 's/u3,/u4,/' there/ratings.csv >deep/sets/ratings.csv
expect 2 replay one.bundle.json --data deep
says err "fedrecsim: one.bundle.json: data.path: deep/sets/ratings.csv is another file than the run read (digest "
says err "; $allowed"
silent out

# --- data in the bundle ---
expect 0 replay whole.json --out unpacked
cmp -s gone/rounds.csv unpacked/rounds.csv || fail 'other rounds'
mv there sets
echo 'u1,i1,1' >>sets/ratings.csv
expect 2 bundle gone --with-data --out changed.json
error 'fedrecsim: gone: data.path: sets/ratings.csv: has changed since the run read it; allowed: the file as it was, or a bundle without data'
[ ! -e changed.json ] || fail 'a bundle is left behind'
sed -i '$d' sets/ratings.csv

# --- a file that is there and cannot be read differs in nothing that could be shown ---
cp -r gone unreadable
ln -sf /proc/self/mem unreadable/hours.csv
expect 1 replay unreadable
says out 'hours.csv: cannot be read to its end'
says out 'not repeated: 1 of 6 files differs'

# --- no room: nothing is left, neither a checkpoint, from which replay could not go on ---
what='a replay whose manifest does not fit'
(trap '' XFSZ && ulimit -f 24 && exec "$program" replay one.bundle.json --out full >out 2>err </dev/null)
[ $? -eq 1 ] || fail 'another exit code than 1'
says err 'File too large'
[ -z "$(find . -name 'full*')" ] || fail "left $(find . -name 'full*')"
touch full.checkpoint
expect 2 replay one.bundle.json --out full
error 'fedrecsim: full.checkpoint is the checkpoint of a run that was not finished; choose another place with --out DIR'
rm full.checkpoint

# --- a sweep ---
expect 0 sweep s.cfg --vary 'rounds.cohort = 4, 5' --quiet --out swept
expect 0 bundle swept --out all.json
says out 'all.json has 2 runs; fedrecsim replay all.json repeats them'
rm -r swept
expect 0 replay all.json --out points
[ "$(grep -c '^rounds.csv: identical$' out)" -eq 2 ] || fail 'not two runs'
says out 'point 1'
says out 'repeated: all 2 runs are identical'
expect 0 collect points

# Going on: a finished run stays, one that is missing runs again, several at a time; other places are refused.
expect 2 replay all.json --out points
error 'fedrecsim: points holds a replay or a sweep already; go on with it with --resume, or choose another place with --out DIR'
touch -d '2001-01-01' points/points/0000/rounds.csv
rm -r points/points/0001
expect 0 replay all.json --out points --resume --jobs 2
[ -z "$(find points/points/0000/rounds.csv -newermt 2002-01-01)" ] || fail 'a finished run ran again'
[ "$(grep -c '^rounds.csv: identical$' out)" -eq 2 ] || fail 'not two runs'
expect 0 replay one.bundle.json --out again --resume
says out 'repeated: all 6 files are identical'
expect 2 replay all.json --resume
says err '--resume needs --out DIR'
sed -i 's/1/2/' points/plan.json
expect 2 replay all.json --out points --resume
error 'fedrecsim: points holds another sweep than all.json; choose another place with --out DIR'

# An interrupt ends the runs, and the same command goes on.
sed 's/count = 2/count = 500/' s.cfg >long.cfg
expect 0 sweep long.cfg --vary 'rounds.cohort = 4, 5' --quiet --out long
expect 0 bundle long
what='an interrupted replay'
"$program" replay long.bundle.json --out half --jobs 1 >out 2>err &
until ls half/points/*.partial-* >/dev/null 2>&1; do sleep 0.02; done
kill -INT $!
wait $!
code=$?
[ "$code" -eq 130 ] || fail "exit code $code"
[ -e half/points/0001 ] && fail 'was not interrupted'
said='fedrecsim: interrupted; the same command with --resume goes on, with the first run that is not finished'
printf '%s\n' "$said" | cmp -s - err || fail 'another message'
expect 0 replay long.bundle.json --out half --resume
says out 'repeated: all 2 runs are identical'

sed '0,/"method.dim": "4"/s//"method.dim": "5"/' all.json >other.json
expect 1 replay other.json
says out 'not repeated: 6 of 6 files differ'
says out 'not repeated: 1 of 2 runs differs'

# --- code needs consent ---
cat >method.py <<'END'
raise SystemExit("was started")
END
sed 's/"method.name": "fedmf"/"method.name": "external", "method.command": "python3 method.py"/' one.bundle.json >other.json
expect 2 replay other.json
says err 'allow-commands'
sed 's|"files": {|"files": { "plugins.1": {"path": "./plugin.so", "digest": "00000000000000000000000000000000"},|' one.bundle.json >other.json
expect 2 replay other.json
says err 'was made with the plug-in ./plugin.so, which cannot be read'

# --- what is none, or made up ---
expect 2 bundle nowhere
says err 'nowhere: holds no run that came to its end; allowed: the folder of one, or of a sweep with all its points'
expect 0 sweep s.cfg --vary 'rounds.cohort = 4, 5' --quiet --out part
rm -r part/points/0001
expect 2 bundle part
says err 'part/points/0001: holds no run that came to its end'
[ ! -e part.bundle.json ] || fail 'a bundle is left behind'

refused() { # MESSAGE: other.json is refused with it, in one line, and nothing is written
    before=$(find . | sort | cksum)
    expect 2 replay other.json --out refused
    error "fedrecsim: other.json$1"
    [ ! -e refused ] || fail 'something is written'
    [ "$before" = "$(find . | sort | cksum)" ] || fail 'something is left behind'
}
export TMPDIR="$folder/scratch"
mkdir scratch
: >out
: >err
echo '{}' >other.json
refused ': is no bundle; allowed: a file that fedrecsim bundle has written, or a run directory'
sed 's/fedrecsim-bundle-1/fedrecsim-bundle-2/' one.bundle.json >other.json
refused ": has the format \"fedrecsim-bundle-2\", which this program ($("$program" --version | sed 's/[^0-9.]*\([0-9.]*\).*/\1/; q')) does not know; allowed: fedrecsim-bundle-1"
echo '{"format": "fedrecsim-bundle-1", "runs": []}' >other.json
refused ': has no run'
echo '{"format": "fedrecsim-bundle-1", "runs": [{"name": "run"}]}' >other.json
refused ': run 0 has no manifest'
sed 's/"summary": {/"summary": {"status": "interrupted"}, "other": {/' one.bundle.json >other.json
refused ': run 0 has no summary of a run that came to its end'
sed 's/"point 1"/"point 0"/' all.json >other.json
refused ': run 1 has the name "point 0" of an earlier one'
sed 's/"name": "run",/"name": "run", "name": "run",/' one.bundle.json >other.json
expect 2 replay other.json
says err 'duplicate object key'
sed "s/$digest/..\/..\/etc/" one.bundle.json >other.json
refused ': run 0: files: data.path needs "path" and "digest", a text of 32 hexadecimal digits'
sed "s/^  \"$digest\": \"/&AAAA/" whole.json >other.json
refused ": data: $digest is damaged, or has another name than its digest"
sed 's|"path": "[^"]*"|"path": "/../.."|' whole.json >other.json
refused ': data.path: "/../.." names no file'
sed 's|"path": "[^"]*"|"path": "../../../ratings.csv"|' whole.json >other.json
expect 0 replay other.json
sed 's|"path": "[^"]*"|"path": "/proc/self/../self/mem"|' one.bundle.json >other.json
mv sets there
refused ": data.path: /proc/self/../self/mem, which the run read, is not here; $allowed"
mv there sets
head -c 5000 one.bundle.json >other.json
expect 2 replay other.json
[ "$(wc -l <err)" -eq 1 ] || fail 'more than a line'
truncate -s 1025M other.json
refused ': is larger than 1024 MiB, the most for a bundle'
rm other.json
mkfifo other.json
refused ': is not a regular file'
rm other.json
ln -s /dev/zero other.json
refused ': is not a regular file'
[ -z "$(ls scratch)" ] || fail 'a scratch folder is left behind'
[ -n "$files" ] # what the folder began with is there still
for file in $files; do [ -e "$file" ] || fail "$file is gone"; done

[ "$failures" -eq 0 ]
