#!/bin/sh
# Labels: long
# docs/tutorials: every command ends as its page says, and prints what the page shows. Argument: the build folder.
# shellcheck source=tests/expect.sh
. "${FRS_SOURCE_DIR:-.}/tests/expect.sh"
# shellcheck source=tests/docs/pages.sh
. "$FRS_SOURCE_DIR/tests/docs/pages.sh"

for tutorial in "$FRS_SOURCE_DIR"/docs/tutorials/*.md; do
    case ${tutorial##*/} in
    README.md) continue ;;
    own-method.md)
        /usr/bin/python3 -c 'import numpy' 2>/dev/null || {
            echo "SKIPPED test_tutorials_long: own-method.md, because NumPy is not installed"
            continue
        }
        ;;
    esac
    play "$tutorial"
done

[ "$failures" -eq 0 ]
