# sim/base/limits.h as a table in Markdown: the comment before each limit says what it limits and, behind the colon, what
# happens beyond.
function thousands(number,   grouped) {
    for (grouped = ""; length(number) > 3; number = substr(number, 1, length(number) - 3))
        grouped = "," substr(number, length(number) - 2) grouped
    return number grouped
}
function unit_of(name) {
    if (name ~ /_MIB$/) return " MiB"
    if (name ~ /_GIB$/) return " GiB"
    if (name ~ /_MBIT_PER_S$/) return " Mbit/s"
    return ""
}
/^\/\* ---- .* ---- \*\/$/ {
    sub(/^\/\* ---- /, ""); sub(/ ---- \*\/$/, "")
    printf "\n## %s\n\n| what | at most | beyond |\n|---|---|---|\n", $0
    comment = ""
    next
}
/^\/\* / { comment = "" }
/^\/\* |^ \* / {
    line = $0
    sub(/^ ?\/?\* /, "", line); sub(/ \*\/$/, "", line)
    comment = comment == "" ? line : comment " " line
}
/^#define FRS_LIMIT_[A-Z_]+ [0-9]+$/ {
    colon = index(comment, ": ")
    beyond = substr(comment, colon + 2)
    sub(/\.$/, "", beyond)
    printf "| %s | %s%s | %s |\n", substr(comment, 1, colon - 1), thousands($3), unit_of($2), beyond
}
