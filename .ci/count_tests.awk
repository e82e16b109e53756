# Totals of a test run from ctest's LastTest.log: every Check test counts, a script counts once, and a line
# "SKIPPED <name>: <why>" turns one passed test into a skipped one. Ends with "P passed, F failed, S skipped".
# Behind it comes LastTestsFailed.log (NUMBER:NAME), the only place that names programs which never started.

FILENAME ~ /LastTestsFailed\.log$/ {
    sub(/^[0-9]+:/, "")
    if (!($0 in programs)) {
        failed++
        printf "did not start: %s\n", $0
    }
    next
}
/^[0-9]+\/[0-9]+ Testing: / { begin($3) }
/^[0-9]+%: Checks: [0-9]+, Failures: [0-9]+, Errors: [0-9]+/ {
    gsub(/[,:%]/, "")
    checks += $3
    failures += $5 + $7
}
/^SKIPPED / { skip($0) }
/^Test Passed\.$/ { passed_program = 1 }
END {
    finish()
    for (i = 1; i <= n_reasons; i++)
        printf "skipped because %s: %s\n", reasons[i], names[reasons[i]]
    printf "%d passed, %d failed, %d skipped\n", passed, failed, skipped
    exit failed > 0 || n_programs == 0
}

function begin(name) {
    finish()
    programs[name]
    open = 1
    checks = failures = skips = passed_program = 0
}

# A program that crashed or hung has no count of its own: it is one failure.
function finish() {
    if (!open)
        return
    n_programs++
    if (!passed_program && failures == 0)
        failures = 1
    if (checks == 0)
        checks = failures > 0 ? failures : (skips > 0 ? skips : 1)
    failed += failures
    skipped += skips
    if (checks > failures + skips)
        passed += checks - failures - skips
}

function skip(line,    name, why) {
    skips++
    sub(/^SKIPPED /, "", line)
    name = why = line
    sub(/:.*/, "", name)
    sub(/^[^:]*: */, "", why)
    if (!(why in names)) {
        reasons[++n_reasons] = why
        names[why] = name
    } else
        names[why] = names[why] ", " name
}
