# Puts what a study has written into its page: awk -v name=remedies -v tables=FILE -f insert.awk PAGE. What lies before the line
# "<!-- tables -->" of FILE goes between the lines "sentences of NAME" and "end of sentences" of the page, the rest between those of the tables.

function put(wanted, line, part) {
    print ""
    while ((getline line < tables) > 0) {
        if (line == "<!-- tables -->") { part = 1; continue }
        if (part + 0 == wanted) print line
    }
    close(tables)
}

$0 == "<!-- sentences of " name " -->" { print; put(0); inside = 1; next }
$0 == "<!-- tables of " name " -->" { print; put(1); inside = 1; next }
/^<!-- end of (sentences|tables) -->$/ && inside { print ""; inside = 0 }
!inside { print }
