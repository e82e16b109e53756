# Splits a page into what a reader types and sees, in order: into FOLDER, the files NUMBER.file and NUMBER.name (a file that the
# page has the reader write), NUMBER.sh (commands, a line each) and NUMBER.text (what they print).
#   awk -v folder=FOLDER -f pages.awk PAGE
# A block of code with a line <!-- NAME --> before it is the file NAME; a block "sh" is commands, unless <!-- not run: WHY --> stands
# before it; a block "text" is what the commands before it print. Other blocks are left alone.

function piece(kind) {
    return sprintf("%s/%03d.%s", folder, n, kind)
}

!inside && /^<!-- [^ ]+ -->$/ { name = $2; next }
!inside && /^<!-- not run: .+ -->$/ { skipped = 1; next }

!inside && /^```/ {
    inside = 1
    target = ""
    if (name != "") {
        n++
        target = piece("file")
        print name >piece("name")
    } else if ($0 == "```sh" && !skipped) {
        n++
        target = piece("sh")
    } else if ($0 == "```text") {
        n++
        target = piece("text")
    }
    if (target != "")
        printf "" >target
    next
}
inside && /^```$/ {
    inside = skipped = 0
    name = ""
    if (target != "")
        close(target)
    next
}
inside && target != "" {
    # A command goes on after a backslash.
    if (target ~ /\.sh$/ && sub(/\\$/, ""))
        printf "%s", $0 >target
    else
        print >target
    next
}
!inside && /[^ ]/ { name = ""; skipped = 0 }
