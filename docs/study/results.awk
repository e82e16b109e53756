# The lines of results.tsv that a part has: awk -v part=PART -f results.awk cells.tsv PART/cells.csv. Kept are the metrics that cells of
# the study read, one line for each of them and each cell of the sweep: part, axes and labels in the order of their names, metric, number of
# seeds, mean, and the ends of its 95 % interval.

# Fields of a CSV line into f[1 … n]; a field in quotes may hold commas and doubled quotes.
function fields(line, f, n, c, i, inside) {
    n = 1; f[1] = ""; inside = 0
    for (i = 1; i <= length(line); i++) {
        c = substr(line, i, 1)
        if (c == "\"") { if (inside && substr(line, i + 1, 1) == "\"") { f[n] = f[n] c; i++ } else inside = !inside }
        else if (c == "," && !inside) f[++n] = ""
        else f[n] = f[n] c
    }
    return n
}

# Six digits, but bytes to the last one: papers print sizes with up to seven. A field put together from characters is a text until 0 is
# added, and as texts 75.5 is more than 1,000,000.
function number(x) { x += 0; return x >= 1e6 || x <= -1e6 ? sprintf("%.0f", x) : sprintf("%.6g", x) }

FNR == NR {
    split($0, t, "\t")
    if (t[7] != part) next
    sub(/\/.*/, "", t[9])
    n_terms = split(t[9], terms, "+")
    for (i = 1; i <= n_terms; i++) { sub(/\*.*/, "", terms[i]); wanted[terms[i]] = 1 }
    next
}
FNR == 1 {
    if (part == "networks") wanted["rounds"] = wanted["round_s"] = wanted["bytes.down"] = wanted["bytes.up"] = 1
    n_columns = fields($0, name)
    for (i = 1; i <= n_columns; i++) at[name[i]] = i
    next
}
{
    fields($0, f)
    if (!(f[at["metric"]] in wanted) || f[at["mean"]] == "") next
    n = 0
    for (i = at["cell"] + 1; i < at["metric"]; i++) {
        axis = name[i] "=" f[i]
        for (j = n++; j > 0 && axes[j] > axis; j--) axes[j + 1] = axes[j]
        axes[j + 1] = axis
    }
    text = axes[1]
    for (i = 2; i <= n; i++) text = text " & " axes[i]
    low = f[at["ci_low"]]; high = f[at["ci_high"]]
    printf "%s\t%s\t%s\t%d\t%s\t%s\t%s\n", part, text, f[at["metric"]], f[at["n"]], number(f[at["mean"]]),
        low == "" ? "-" : number(low), high == "" ? "-" : number(high)
}
