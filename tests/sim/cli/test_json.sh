#!/bin/sh
# What --json prints: one object of its schema in docs/schemas and nothing else on stdout; errors on stderr with their exit codes.
# Argument: the build folder.
# shellcheck source=tests/expect.sh
. "$(dirname -- "$0")/../../expect.sh"

python=
for candidate in python3 /usr/bin/python3; do
    "$candidate" -c 'import jsonschema' 2>/dev/null && python=$candidate && break
done
[ -n "$python" ] || {
    echo "SKIPPED test_json: python3-jsonschema is not installed"
    exit 77
}

cat >validate.py <<'END'
# validate.py FOLDER LIST: of each line "FORMAT FILE WHAT", whether the file is what the schema in the folder says; a member that it
# does not describe is an error, too.
import json
import sys

import jsonschema


def close(schema):
    if isinstance(schema, dict):
        if "properties" in schema:
            schema.setdefault("additionalProperties", False)
        for part in schema.values():
            close(part)
    elif isinstance(schema, list):
        for part in schema:
            close(part)


validators = {}
for line in open(sys.argv[2], encoding="utf-8"):
    name, file, what = line.rstrip("\n").split(" ", 2)
    if name not in validators:
        schema = json.load(open(sys.argv[1] + "/" + name + ".json", encoding="utf-8"))
        jsonschema.Draft202012Validator.check_schema(schema)
        close(schema)
        validators[name] = jsonschema.Draft202012Validator(schema)
    for error in validators[name].iter_errors(json.load(open(file, encoding="utf-8"))):
        print(what, "is no", name + ":", error.json_path, error.message[:200])
END

# valid FORMAT [FILE]: stdout, or a file, is an object of this format; judged in the end, all at once.
n=0
valid() {
    silent err
    n=$((n + 1))
    cp "${2-out}" "$n.json"
    echo "$1 $n.json $what" >>printed
    grep -q "^  \"format\": \"$1\",\$" "${2-out}" || fail "does not name the format $1"
}

cat >s.cfg <<'END'
data = { synthetic = "small"; };
method = { name = "fedmf"; dim = 8; };
rounds = { count = 2; cohort = 10; };
output = { events = false; report = false; what_if = "none"; };
END
{ cat s.cfg && echo 'sweep = { vary = [ "rounds.cohort = 10, 20" ]; replicates = 2; };'; } >sweep.cfg

for kind in '' policy privacy scenarios; do
    # shellcheck disable=SC2086 # nothing, or a word
    expect 0 list --json $kind
    valid fedrecsim-list-1
done
expect 0 list metrics --json
valid fedrecsim-metrics-1
expect 0 list columns --json
valid fedrecsim-columns-1
for what in '' rounds rounds.cohort seed method.colr method.colr.rank rank 4g codec; do
    # shellcheck disable=SC2086
    expect 0 explain --json $what
    valid fedrecsim-explain-1
    grep -q '"path"' out || fail "has no section"
done
expect 0 selftest --json adaptation
valid fedrecsim-selftest-1
says out '"kept": true'
expect 0 check --json s.cfg --patience '50 ms'
valid fedrecsim-check-1
says out '"sweep": null'
expect 0 check --json sweep.cfg --patience '50 ms'
valid fedrecsim-check-1
says out '"points": 4'

expect 0 sweep sweep.cfg --quiet --out sweep
expect 0 collect sweep --json
valid fedrecsim-collect-1
expect 0 compare sweep --json --metric flop
valid fedrecsim-compare-1
says out '"flop": {'
expect 3 compare sweep --json --expect 'rounds == 3'
says err 'rounds == 3 does not hold: rounds is 2'
says out '"format": "fedrecsim-compare-1"'
# Points that lack results: what there is, and exit code 1.
rm -r sweep/points/0001
expect 1 collect sweep --json
says err '1 point of sweep has no results'
says out '"status": "missing"'
: >err
valid fedrecsim-collect-1

expect 0 solve s.cfg --vary 'rounds.cohort = 10..14' --until 'participations <= 24' --json --out solve
valid fedrecsim-answer-1
cmp out solve/answer.json || fail "is not answer.json"
valid fedrecsim-answer-1 solve/answer.json
expect 3 solve s.cfg --vary 'rounds.cohort = 10..14' --until 'participations <= 2' --json --out none
valid fedrecsim-answer-1
expect 0 solve s.cfg --vary 'rounds.cohort = 10, 14' --best 'hr@10' --replicates 2 --json --out best
valid fedrecsim-answer-1

# Errors: nothing on stdout.
expect 2 selftest --json polcy
error 'fedrecsim: selftest: there is no kind "polcy"; did you mean "policy"?'
expect 2 list --json polcy
says err 'fedrecsim: list: there is no kind "polcy"; did you mean "policy"?'
silent out
expect 2 explain --json rounds.cohrt
error 'fedrecsim: explain: rounds has no "cohrt"; did you mean "cohort"?'
expect 2 check --json s.cfg --set rounds.count=none
silent out
expect 2 collect --json nowhere
silent out
expect 2 compare --json nowhere
silent out
expect 2 solve s.cfg --vary 'rounds.cohort = 10..14' --until 'x <= 1' --json
silent out

what='objects against their schemas'
"$python" validate.py "$FRS_SOURCE_DIR/docs/schemas" printed >complaints 2>&1 || fail "$(tail -n 1 complaints)"
while read -r complaint; do
    fail "$complaint"
done <complaints

# Every format that is printed is documented.
for schema in "$FRS_SOURCE_DIR"/docs/schemas/*.json; do
    name=${schema##*/}
    grep -qF "(schemas/$name)" "$FRS_SOURCE_DIR/docs/scripting.md" || fail "docs/scripting.md does not link $name"
done

[ "$failures" -eq 0 ]
