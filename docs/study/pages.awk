# The pages of the study: awk -v folder=FOLDER -f pages.awk parts.tsv results.tsv cells.tsv. Nothing but these three files decides what the
# pages say.
#
# A verdict compares one figure with the published one, p, within a tolerance t that cells.tsv states: reproduced where the mean of our seeds
# is within t of p; contradicted where it is further away than t and half of its 95 % interval; undecided in between. Where the tolerance is
# none the two are not the same quantity, and none is due. A cell whose text leaves a choice has a line for each reading that was tried.

BEGIN {
    FS = "\t"
    names["rfrec"] = "RFRec and RFRecF"; names["fedras"] = "FedRAS"; names["fedrap"] = "FedRAP"; names["colr"] = "CoLR and SCoLR"
    names["pfedclr"] = "PFedCLR"
    n_papers = split("rfrec fedras fedrap colr pfedclr", papers, " ")
    n_verdicts = split("reproduced|reproduced under a reading|contradicted|undecided|another quantity|no number is printed|not run yet|not to be had", verdicts, "|")
}

function canonical(text, list, n, i, j, one, sorted) {
    n = split(text, list, " & ")
    for (i = 1; i <= n; i++) {
        one = list[i]
        for (j = i - 1; j > 0 && sorted[j] > one; j--) sorted[j + 1] = sorted[j]
        sorted[j + 1] = one
    }
    text = sorted[1]
    for (i = 2; i <= n; i++) text = text " & " sorted[i]
    return text
}

# Sets value, half (-1: one seed) and seeds of a metric expression; returns whether there is a result.
function look_up(part, select, metric, terms, n, i, factor, key, other, divisor) {
    value = 0; half = -1; seeds = 0
    if (select == "-") return 0
    if (split(metric, other, "/") > 1) {
        if (!look_up(part, substr(metric, length(other[1]) + 2), other[1])) return 0
        divisor = value
        if (!look_up(part, select, other[1]) || divisor == 0) return 0
        value /= divisor; half = -1
        return 1
    }
    n = split(metric, terms, "+")
    for (i = 1; i <= n; i++) {
        factor = 1
        if (split(terms[i], other, "*") > 1) { factor = other[2]; terms[i] = other[1] }
        key = part SUBSEP canonical(select) SUBSEP terms[i]
        if (!(key in mean)) return 0
        value = (i > 1 ? value : 0) + factor * mean[key]
        if (halves[key] >= 0) half = (i > 1 && half > 0 ? half : 0) + factor * halves[key]
        seeds = counts[key]
    }
    return 1
}

function decimals(published) {
    if (published !~ /\./ || published ~ /e/) return 0
    sub(/^[^.]*\./, "", published)
    return length(published)
}

# As many decimals as the published figure has; four digits where none is printed.
function shown(x, published) {
    if (published ~ /e/ || (x != 0 && x < 0.0005 && x > -0.0005)) return sprintf("%.2e", x)
    if (published + 0 != 0) return sprintf("%." decimals(published) "f", x)
    return x < 1000 ? sprintf("%.4g", x) : sprintf("%.0f", x)
}

function ours(part, select, metric, published) {
    if (!look_up(part, select, metric)) return "–"
    return shown(value, published) (half >= 0 && seeds > 1 ? " ± " shown(half, published) : "")
}

FILENAME == ARGV[1] {
    if (FNR == 1) next
    scenario[$1] = $2; planned[$1] = $3; minutes[$1] = $4; data[$1] = $5; group[$1] = $6; options[$1] = $7
    parts[++n_parts] = $1
    next
}
FILENAME == ARGV[2] {
    key = $1 SUBSEP $2 SUBSEP $3
    counts[key] = $4; mean[key] = $5; halves[key] = $6 == "-" ? -1 : ($7 - $6) / 2
    has[$1] = 1
    if ($1 == "networks") { if (!($2 in of_network)) network_rows[++n_rows] = $2; of_network[$2] = 1 }
    next
}
FNR == 1 { next }
{
    n_lines++
    for (i = 1; i <= 13; i++) line[n_lines, i] = $i
}

# Verdict on one line.
function judge(l, published, tolerance) {
    published = line[l, 5]; tolerance = line[l, 6]
    if (line[l, 7] == "-") return "not to be had"
    if (!look_up(line[l, 7], line[l, 8], line[l, 9])) return "not run yet"
    if (published == "-") return "no number is printed"
    if (tolerance == "none") return "another quantity"
    if (sub(/ %$/, "", tolerance)) tolerance = tolerance / 100 * published
    off = value - published; if (off < 0) off = -off
    if (off <= tolerance * 1.0000001) return "reproduced"
    return half > 0 && off <= tolerance + half ? "undecided" : "contradicted"
}

function row_of(l) { return line[l, 1] SUBSEP line[l, 2] SUBSEP line[l, 3] SUBSEP line[l, 12] }

# How many cells of a row a reading has results for, and in how many of them it comes near.
function count_rows(l, one) {
    for (l = 1; l <= n_lines; l++) {
        one = judge(l)
        near_in_row[row_of(l)] += one == "reproduced"
        tried_in_row[row_of(l)] += one == "reproduced" || one == "undecided" || one == "contradicted"
    }
}

# Verdict on a cell, whose readings are the lines from first to last; leaves how many of them have results in tried. In chosen is the line of
# the reading that comes near, if there are several that which does so in most cells of the row. A reading that is not run yet leaves open
# whether another one is the right one, but not that this one comes near.
function verdict_of(first, last, l, waits, open, near, one) {
    tried = waits = open = near = chosen = 0
    for (l = first; l <= last; l++) {
        one = judge(l)
        if (one == "not to be had" || one == "no number is printed" || one == "another quantity") return one
        if (one == "reproduced" && (near++ == 0 || near_in_row[row_of(l)] > near_in_row[row_of(chosen)])) chosen = l
        waits += one == "not run yet"; open += one == "undecided"
        tried += one != "not run yet"
    }
    if (near > 0) return near == last - first + 1 ? "reproduced" : "reproduced under a reading"
    return waits > 0 ? "not run yet" : open > 0 ? "undecided" : "contradicted"
}

function under(figure, protocol) { return figure == "–" || protocol == "-" ? figure : figure ", " protocol }

function cell_text(text) { gsub(/\|/, "\\|", text); return text == "-" ? "" : text }

# Says where a reading that comes near in one cell of a row does not in others.
function apart(l) {
    return near_in_row[row_of(l)] == tried_in_row[row_of(l)] ? "" : "; near in " near_in_row[row_of(l)] " of " tried_in_row[row_of(l)] " cells of the row"
}

function write_paper(paper, file, l, first, last, item, verdict, printed, note) {
    file = folder "/" paper ".md"
    printf "<!-- Written by docs/study/study.sh; do not edit. -->\n# %s: every table and figure\n\n", names[paper] > file
    print "[The study](README.md) says what the columns and verdicts mean, and how to run it. Figures without a seed's interval are of one seed." > file
    item = ""
    for (first = 1; first <= n_lines; first = last + 1) {
        for (last = first; last < n_lines && line[last + 1, 1] == line[first, 1] && line[last + 1, 2] == line[first, 2] &&
            line[last + 1, 3] == line[first, 3] && line[last + 1, 4] == line[first, 4]; last++) { }
        if (line[first, 1] != paper) continue
        if (line[first, 2] != item) {
            item = line[first, 2]
            printf "\n## %s\n\n", toupper(substr(item, 1, 1)) substr(item, 2) > file
            print "| row | column | published | reading | ours | other protocol | verdict |" > file
            print "|---|---|---|---|---|---|---|" > file
        }
        verdict = verdict_of(first, last)
        total[paper, verdict]++; totals[verdict]++; n_cells[paper]++
        if (verdict == "reproduced under a reading") printed = "reproduced under “" line[chosen, 12] "”, of " tried " tried" apart(chosen)
        else if (verdict == "not run yet") printed = verdict ", part `" line[first, 7] "`, about " minutes[line[first, 7]] " min"
        else if (verdict == "not to be had") printed = verdict ": " line[first, 13]
        else if (verdict == "contradicted" && tried > 1) printed = verdict " under all " tried " readings"
        else printed = verdict
        for (l = first; l <= last; l++) {
            note = line[l, 13] == "-" || verdict == "not to be had" ? "" : "; " line[l, 13]
            printf "| %s | %s | %s | %s | %s | %s | %s |\n", l == first ? cell_text(line[l, 3]) : "", l == first ? cell_text(line[l, 4]) : "",
                l == first ? (line[l, 5] == "-" ? "–" : line[l, 5]) : "", line[l, 7] == "-" ? "" : cell_text(line[l, 12]) cell_text(note),
                line[l, 7] == "-" ? "" : under(ours(line[l, 7], line[l, 8], line[l, 9], line[l, 5]), line[l, 10]),
                line[l, 7] == "-" || line[l, 11] == "-" ? "" : under(ours(line[l, 7], line[l, 11], line[l, 9], line[l, 5]), line[l, 10] == "honest" ? "leaky" : "honest"),
                l == first ? printed : "" > file
        }
    }
    close(file)
}

function megabytes(x) { return sprintf("%.3g", x / 1e6) }

function write_networks(file, i, n, list, systems, order, seen, label, key) {
    file = folder "/networks.md"
    print "<!-- Written by docs/study/study.sh; do not edit. -->\n# Bytes and times on three networks\n" > file
    print "Every system of the papers under the settings of its preset, on the size of MovieLens-100K: megabytes of all clients in a round, down and" > file
    print "up, and the seconds that a round takes over the papers' own bandwidths (`fieldguide`), 4G and fibre, on phones, computing included: means of" > file
    print "the first three rounds, [presets.cfg](../../scenarios/papers/presets.cfg), seed 1.\n" > file
    if (!has["networks"]) { print "Not run yet: part `networks`, about " minutes["networks"] " min." > file; close(file); return }
    n = split("fieldguide 4g fibre", list, " ")
    print "| system | MB down a round | MB up a round | s, fieldguide | s, 4g | s, fibre |\n|---|---|---|---|---|---|" > file
    for (i = 1; i <= n_rows; i++) {
        label = network_rows[i]
        sub(/^network=[^&]* & /, "", label); sub(/^system=/, "", label)
        if (!(label in seen)) { seen[label] = 1; order[++systems] = label }
    }
    for (i = 1; i <= systems; i++) {
        key = "networks" SUBSEP "network=fieldguide & system=" order[i] SUBSEP
        rounds = (key "rounds") in mean ? mean[key "rounds"] : 1
        printf "| %s | %s | %s |", order[i], megabytes(mean[key "bytes.down"] / rounds), megabytes(mean[key "bytes.up"] / rounds) > file
        for (j = 1; j <= n; j++)
            printf " %.3g |", mean["networks" SUBSEP "network=" list[j] " & system=" order[i] SUBSEP "round_s"] > file
        print "" > file
    }
    close(file)
}

function write_overview(file, i, j, sum, done) {
    file = folder "/README.md"
    print "<!-- Written by docs/study/study.sh; do not edit. -->\n# The five papers, table by table\n" > file
    print "Every table and figure of five papers on federated recommendation: what they print, what this program gives, under the protocol that a paper" > file
    print "uses and under an honest one ([what a protocol is worth](../evaluation.md)), and a verdict on each cell.\n" > file
    printf "| paper | cells" > file
    for (j = 1; j <= n_verdicts; j++) printf " | %s", verdicts[j] > file
    print " |" > file
    printf "|---|---" > file
    for (j = 1; j <= n_verdicts; j++) printf "|---" > file
    print "|" > file
    for (i = 1; i <= n_papers; i++) {
        printf "| [%s](%s.md) | %d", names[papers[i]], papers[i], n_cells[papers[i]] > file
        for (j = 1; j <= n_verdicts; j++) printf " | %d", total[papers[i], verdicts[j]] > file
        print " |" > file
    }
    print "\nBytes and times on three networks have [a page of their own](networks.md).\n" > file
    print "**Verdicts.** A cell is *reproduced* where the mean over our seeds is within a tolerance of the published figure; the tolerance of each cell" > file
    print "stands in [cells.tsv](cells.tsv). It is *contradicted* where the distance is larger than tolerance and half of the 95 % interval together, and" > file
    print "*undecided* between the two. Where the text leaves a choice each reading that was tried has a line, and the verdict names the one that" > file
    print "comes near, and says so where it does not in other cells of the same row. *Another quantity*: what the paper measured (seconds of its own computer) cannot be had here, and what stands beside it, named in the column of readings, neither confirms nor contradicts it. *Not run yet* means what it says: nothing is taken from other pages. The ± of a figure is half of its 95 % interval.\n" > file
    print "**Running it.** One command runs what is not finished, goes on after an interruption, and writes these pages anew:\n" > file
    print "```sh\ncmake --build build --target study        # or: docs/study/study.sh\ndocs/study/study.sh --minutes 40          # begins no part after 40 minutes; the same command goes on" > file
    print "docs/study/study.sh --ml1m                # with the parts on MovieLens-1M\ndocs/study/study.sh rfrec-table2          # one part\ndocs/study/study.sh --pages               # the pages alone, from results.tsv\n```\n" > file
    print "`FEDRECSIM_DATA` names the folder with the data sets; a part whose data are missing is left out and named. Points of a part share data and" > file
    print "training, as those of every [sweep](../sweeps.md). Runs lie in `results/study`; what the pages need of them is in" > file
    print "[results.tsv](results.tsv), so that the pages follow from the files of this folder alone.\n" > file
    for (i = 1; i <= n_parts; i++) { sum[group[parts[i]]] += minutes[parts[i]]; done += has[parts[i]] }
    printf "The minutes below are estimates for one processor that does nothing else: %d in all, about half of that on two, and %d more for MovieLens-1M. %d of %d parts have results.\n\n", sum["default"], sum["ml1m"], done, n_parts > file
    print "| part | scenario | seeds | data | minutes | |\n|---|---|---|---|---|---|" > file
    for (i = 1; i <= n_parts; i++)
        printf "| `%s` | [%s](../../scenarios/papers/%s.cfg) | %s | %s | %s%s | %s |\n", parts[i], scenario[parts[i]], scenario[parts[i]], planned[parts[i]],
            data[parts[i]] == "-" ? "built in" : data[parts[i]], minutes[parts[i]], group[parts[i]] == "ml1m" ? ", `--ml1m`" : "", has[parts[i]] ? "finished" : "not run yet" > file
    close(file)
}

END {
    count_rows()
    for (i = 1; i <= n_papers; i++) write_paper(papers[i])
    write_networks()
    write_overview()
}
