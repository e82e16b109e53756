#!/bin/sh
# docs/scenario-reference.md is what the section table says. Argument: the build folder.
reference=${FRS_SOURCE_DIR:-.}/docs/scenario-reference.md
fresh=$(mktemp) || exit 1
trap 'rm -f "$fresh"' EXIT
"$1/fedrecsim" explain --markdown >"$fresh" || exit 1
if ! diff -u "$reference" "$fresh"; then
    echo "docs/scenario-reference.md is out of date; regenerate it with"
    echo "  BUILD_FOLDER/fedrecsim explain --markdown > docs/scenario-reference.md"
    exit 1
fi
