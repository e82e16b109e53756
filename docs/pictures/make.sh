#!/bin/sh
# Makes the pictures of pages in this folder, from a scenario that comes with the program. Needs chromium, pngquant to make them small,
# and pdftoppm for those of printed pages; argument: the build folder.
#   docs/pictures/make.sh build
set -eu
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
root=$(dirname -- "$(dirname -- "$here")")
program=$(CDPATH='' cd -- "$1" && pwd)/fedrecsim
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

"$program" sweep "$root/scenarios/quickstart.cfg" --quiet --out "$scratch/sweep" --replicates 5 --set failures.up=0.05 --set failures.detect='1 s' \
    --vary 'method | FedMF | FedMF with d 4: method.dim=4 | FedMF with touched rows: codec.uplink=touched_rows | FedMF at a lower rate: method.learning_rate=0.5' \
    --vary 'uplink | 3 Mbit/s | 300 kbit/s: network.uplink.median=300 kbit/s'
"$program" run "$root/scenarios/quickstart.cfg" --quiet --out "$scratch/run" --set failures.up=0.05 --set failures.connection_up=0.05 \
    --set failures.detect='1 s'

"$program" run "$root/scenarios/quickstart.cfg" --quiet --out "$scratch/narrow" --set failures.up=0.05 --set failures.connection_up=0.05 \
    --set failures.detect='1 s' --set method.dim=4
mkdir "$scratch/runs"
(cd "$scratch" && "$program" report run narrow --quiet --out runs/report.html)

# Few colours, and nothing but the picture. A window of chromium has 500 points at least: less would cut pages off.
keep() {
    if command -v pngquant >/dev/null; then
        pngquant --force --strip --speed 1 32 --output "$here/$1.png" "$scratch/$1.png"
    else
        cp "$scratch/$1.png" "$here/$1.png"
    fi
}

browser() {
    chromium --headless=new --no-sandbox --disable-gpu --hide-scrollbars --virtual-time-budget=5000 "$@" >/dev/null 2>&1
}

# shot PAGE NAME WIDTH,HEIGHT [option...]
shot() {
    page=$1 name=$2 size=$3
    shift 3
    browser --window-size="$size" "$@" --screenshot="$scratch/$name.png" "file://$scratch/$page/report.html"
    keep "$name"
}

# The second sheet: the first one with pictures.
printed() {
    command -v pdftoppm >/dev/null || return 0
    browser --no-pdf-header-footer --print-to-pdf="$scratch/$1.pdf" "file://$scratch/$1/report.html"
    pdftoppm -r 60 -f 2 -l 2 -singlefile -png "$scratch/$1.pdf" "$scratch/$1-printed"
    keep "$1-printed"
}

dark='--blink-settings=preferredColorScheme=0'
shot sweep report 1160,1230
shot sweep sweep-dark 1160,3000 --force-dark-mode "$dark"
for page in run runs; do
    shot "$page" "$page" 1160,2500
    shot "$page" "$page-dark" 1160,2500 --force-dark-mode "$dark"
done
for page in sweep run runs; do
    shot "$page" "$page-narrow" 500,2400
    printed "$page"
done
