# Totals of a test run from what ctest left: LastTestsFailed.log (NUMBER:NAME), then LastTest.log. Every Check test
# counts, a script counts once, and a line "SKIPPED <name>: <why>" turns one passed test into a skipped one. Ends with
# "P passed, F failed, S skipped".

# LastTest.log calls a program passed that never started, so that only this list says what failed.
FILENAME ~ /LastTestsFailed\.log$/ {
    sub(/^[0-9]+:/, "")
    broken[$0]
    next
}
/^[0-9]+\/[0-9]+ Testing: / { begin($3) }
/^[0-9]+%: Checks: [0-9]+, Failures: [0-9]+, Errors: [0-9]+/ {
    gsub(/[,:%]/, "")
    checks += $3
    failures += $5 + $7
}
/^SKIPPED / { skip($0) }
END {
    finish()
    for (name in broken)
        if (!(name in programs))
            failed++
    for (i = 1; i <= n_reasons; i++)
        printf "skipped because %s: %s\n", reasons[i], names[reasons[i]]
    printf "%d passed, %d failed, %d skipped\n", passed, failed, skipped
    exit failed > 0 || passed == 0
}

function begin(name) {
    finish()
    program = name
    programs[name]
    checks = failures = skips = 0
}

# A program that crashed, hung or never started has no count of its own: it is one failure.
function finish() {
    if (program == "")
        return
    if (program in broken && failures == 0)
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
