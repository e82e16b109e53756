# Reads the tables of faults (tests/mutation/README.md says how they are written), and does what `act` says with them:
#   list     one line per fault: area, name, file, "argued" or "open", separated by tabs
#   tests    one line per area: area, regular expression of ctest, separated by a tab
#   check    says of each fault what is wrong with it; ends with 1 if anything is
#   apply    prints the file of fault `name` with the fault in it
#   block    prints the lines of fault `name`
#   means    prints what fault `name` would mean to a user
# Variables: act, root (the tree that files lie in), name.

function complain(text) {
    print table ":" begin ": " fault ": " text
    failed = 1
}

# The content of a file, its lines ended by newlines; read once for all faults of a file that follow each other.
function content_of(path,    line) {
    if (path == read_path)
        return read_text
    read_path = path
    read_text = ""
    while ((getline line < path) > 0)
        read_text = read_text line "\n"
    close(path)
    return read_text
}

function finish(    text, at, rest) {
    if (!fault)
        return
    if (act == "list")
        print area "\t" fault "\t" file "\t" (equivalent == "" ? "open" : "argued")
    if ((act == "means" || act == "block") && fault == name)
        printf "%s", act == "means" ? means "\n" : block
    if (act == "check") {
        if (fault in seen)
            complain("there are two faults of this name")
        seen[fault] = 1
        if (file == "" || n_old == 0 || n_new == 0 || means == "")
            complain("needs the lines file, old, new and means")
        else if (old == new)
            complain("old and new text are the same")
        else {
            text = content_of(root "/" file)
            at = index(text, old)
            rest = at ? substr(text, at + length(old)) : ""
            if (text == "")
                complain("there is no " file)
            else if (!at)
                complain("the old text does not occur in " file)
            else if (index(rest, old))
                complain("the old text occurs more than once in " file)
        }
    }
    if (act == "apply" && fault == name) {
        text = content_of(root "/" file)
        at = index(text, old)
        if (!at || index(substr(text, at + length(old)), old))
            exit failed = 1
        printf "%s%s%s", substr(text, 1, at - 1), new, substr(text, at + length(old))
    }
    fault = ""
}

# What follows the first word and one blank, as it stands.
function value() {
    return match($0, /^[a-z]+ /) ? substr($0, RLENGTH + 1) : ""
}

FNR == 1 {
    finish()
    area = FILENAME
    sub(/.*\//, "", area)
    sub(/\.faults$/, "", area)
    n_tests = 0
}
/^#/ { next }
/^[ \t]*$/ {
    finish()
    next
}
/^tests / {
    if (act == "tests")
        print area "\t" value()
    next
}
/^fault / {
    finish()
    fault = value()
    begin = FNR
    table = FILENAME
    file = old = new = means = equivalent = block = ""
    n_old = n_new = 0
}
{ block = block $0 "\n" }
/^file / { file = value(); next }
/^old( |$)/ { old = old (n_old++ ? "\n" : "") value(); next }
/^new( |$)/ { new = new (n_new++ ? "\n" : "") value(); next }
/^means / { means = value(); next }
/^equivalent / { equivalent = value(); next }
!/^fault / {
    print FILENAME ":" FNR ": this line is neither empty nor begins with #, tests, fault, file, old, new, means or equivalent"
    failed = 1
}
END {
    finish()
    exit failed
}
