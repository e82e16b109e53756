# Makes the tables and sentences of docs/what-if/adaptive.md from the points.csv of its sweeps; docs/what-if/adaptive.sh calls it:
#   awk -f statistics.awk -f adaptive.awk seed=1 method=scolr FOLDER/points.csv FOLDER/points.csv seed=1 method=groups ...
# A difference is taken seed by seed, to the largest size for all in the same case; its interval is Student's over the seeds.

BEGIN {
    FS = ","
    split("scolr groups topk rvq", methods, " ")
    split("wait_all over_select capped", cases, " ")
    split("largest quarter proportional deadline cap", sizes, " ")
    split("proportional deadline cap", adaptations, " ")
    called["scolr"] = "SCoLR, columns"; called["groups"] = "FedRAS, groups"; called["topk"] = "TopK, entries a row"; called["rvq"] = "`rvq`, levels"
    short["scolr"] = "SCoLR's rank"; short["groups"] = "FedRAS's groups"; short["topk"] = "TopK's entries"; short["rvq"] = "the levels of `rvq`"
    case_is["wait_all"] = "all waited for"; case_is["over_select"] = "over-selection"; case_is["capped"] = "4.5 MB a client"
    column["quality"] = "hr@10"; column["seconds"] = "time_to_target_s"; column["bytes"] = "sent_bytes_to_target"
    column["round"] = "round_s"; column["up"] = "bytes.up"; column["mean"] = "adaptation.mean"; column["largest"] = "adaptation.largest_possible"
    column["share"] = "adaptation.in_time_share"; column["missing"] = "caps.missing_participations"; column["delivered"] = "outcomes.delivered"
    column["popularity"] = "non_federated.popularity.hr@10"; column["energy"] = "modelled.energy_j"
    for (q = 1; q <= 4; q++) column["quarter " q] = "adaptation.uplink_quartile." q ".mean"
}

# --- What is there -----------------------------------------------------------------------------------------------------------

FNR == 1 {
    delete at
    for (i = 1; i <= NF; i++) at[$i] = i
    if (!(seed in seen_seed)) { seen_seed[seed] = 1; seeds[++n_seeds] = seed }
    next
}

{
    run = method SUBSEP $at["size"] SUBSEP $at["case"]
    there[run] = 1
    for (name in column)
        if (column[name] in at && $at[column[name]] != "" && $at[column[name]] != "inf") value[run, name, seed] = $at[column[name]]
}

function is_there(method, size, kase) { return (method, size, kase) in there }
function method_is_there(method, c) { for (c = 1; c in cases; c++) if (is_there(method, "largest", cases[c])) return 1; return 0 }
function has(method, size, kase, name, seed) { return (method, size, kase, name, seed) in value }
function get(method, size, kase, name, seed) { return value[method, size, kase, name, seed] }

# How many seeds have a figure.
function count(method, size, kase, name, s, n) {
    n = 0
    for (s = 1; s <= n_seeds; s++) n += has(method, size, kase, name, seeds[s])
    return n
}

# Mean over the seeds: sets mean, half, p; false where there is none.
function over_seeds(method, size, kase, name, s, x, n) {
    n = 0
    for (s = 1; s <= n_seeds; s++) if (has(method, size, kase, name, seeds[s])) x[++n] = get(method, size, kase, name, seeds[s])
    if (n == 0) return 0
    summarise(x, n, 0)
    return 1
}

# Of the difference to the largest size for all: of time and bytes in percent; false unless all seeds have both.
function against_largest(method, size, kase, name, s, x, a, b) {
    for (s = 1; s <= n_seeds; s++) {
        if (!has(method, size, kase, name, seeds[s]) || !has(method, "largest", kase, name, seeds[s])) return 0
        a = get(method, size, kase, name, seeds[s]); b = get(method, "largest", kase, name, seeds[s])
        x[s] = name == "quality" ? a - b : 100 * (a / b - 1)
    }
    # Two rates of whole interactions of 943 clients: the variance that rounding of their difference has.
    summarise(x, n_seeds, name == "quality" ? 1 / (943 * 943 * 6) : 0)
    return 1
}

# --- Tables ------------------------------------------------------------------------------------------------------------------

function change(name) { return name == "quality" ? signed(mean, 3) within(half, 3) : signed(mean, 0) within(half, 0) " %" }

function collect(m, c, z, k, names, key) {
    split("seconds bytes quality", names, " ")
    n_family = 0
    for (m = 1; m in methods; m++) for (c = 1; c in cases; c++) for (z = 2; z in sizes; z++) for (k = 1; k <= 3; k++)
        if (is_there(methods[m], sizes[z], cases[c]) && against_largest(methods[m], sizes[z], cases[c], names[k])) {
            key = methods[m] SUBSEP sizes[z] SUBSEP cases[c] SUBSEP names[k]
            family_p[++n_family] = p; family_at[key] = n_family
            family_mean[key] = mean; family_half[key] = half
        }
    delete beyond
    if (n_seeds > 1) holm(family_p, n_family, beyond)
    own = all = 0
    for (k = 1; k <= n_family; k++) { own += n_seeds > 1 && family_p[k] <= 0.05; all += beyond[k] }
}

# In bold where it is beyond chance among all of the page.
function cell(method, size, kase, name, key, text, n) {
    key = method SUBSEP size SUBSEP kase SUBSEP name
    n = count(method, size, kase, name)
    if (name != "quality" && n < n_seeds) return n " of " n_seeds
    over_seeds(method, size, kase, name)
    text = name == "quality" ? sprintf("%.3f", mean) : sprintf("%.1f", name == "seconds" ? mean / 60 : mean / 1e9)
    if (size == "largest") return text within(name == "quality" ? half : name == "seconds" ? half / 60 : half / 1e9, name == "quality" ? 3 : 1)
    if (!(key in family_at)) return text
    mean = family_mean[key]; half = family_half[key]
    return text ", " (beyond[family_at[key]] ? "**" change(name) "**" : change(name))
}

function plain(method, size, kase, name, digits, unit) {
    return over_seeds(method, size, kase, name) ? sprintf("%." digits "f", mean / unit) : "–"
}

function print_gains(m, c, z) {
    for (m = 1; m in methods; m++) {
        if (!method_is_there(methods[m])) continue
        printf "\n**%s: what it buys**\n\n| case | size | min to the target | GB to the target | HR@10 | s a round | GB up | in time |\n|---|---|---|---|---|---|---|---|\n", called[methods[m]]
        for (c = 1; c in cases; c++) for (z = 1; z in sizes; z++)
            if (is_there(methods[m], sizes[z], cases[c]))
                printf "| %s | %s | %s | %s | %s | %s | %s | %s |\n", case_is[cases[c]], sizes[z],
                    cell(methods[m], sizes[z], cases[c], "seconds"), cell(methods[m], sizes[z], cases[c], "bytes"),
                    cell(methods[m], sizes[z], cases[c], "quality"), plain(methods[m], sizes[z], cases[c], "round", 1, 1),
                    plain(methods[m], sizes[z], cases[c], "up", 2, 1e9), plain(methods[m], sizes[z], cases[c], "share", 2, 1)
    }
}

function print_grants(m, c, z, q, digits) {
    printf "\n**Who is granted what, of the largest: mean, and quarters of the uplinks, slowest first**\n\n"
    printf "| size of | of | case | adaptation | all | slowest | second | third | fastest |\n|---|---|---|---|---|---|---|---|---|\n"
    for (m = 1; m in methods; m++) for (c = 1; c in cases; c++) for (z = 1; z in adaptations; z++) {
        if (!is_there(methods[m], adaptations[z], cases[c])) continue
        over_seeds(methods[m], adaptations[z], cases[c], "largest")
        digits = mean > 100 ? 0 : 1
        printf "| %s | %d | %s | %s |", called[methods[m]], mean, case_is[cases[c]], adaptations[z]
        over_seeds(methods[m], adaptations[z], cases[c], "mean")
        printf " %.*f%s |", digits, mean, within(half, digits)
        for (q = 1; q <= 4; q++) printf " %s |", plain(methods[m], adaptations[z], cases[c], "quarter " q, digits, 1)
        printf "\n"
    }
}

function print_caps(m, z) {
    printf "\n**Under the cap: participations that rounds miss, uploads that arrive, and MJ of all clients**\n\n| size of | size | missing | delivered | MJ |\n|---|---|---|---|---|\n"
    for (m = 1; m in methods; m++) for (z = 1; z in sizes; z++)
        if (is_there(methods[m], sizes[z], "capped"))
            printf "| %s | %s | %s | %s | %s |\n", called[methods[m]], sizes[z], plain(methods[m], sizes[z], "capped", "missing", 0, 1),
                plain(methods[m], sizes[z], "capped", "delivered", 0, 1), plain(methods[m], sizes[z], "capped", "energy", 4, 1e6)
}

# --- Sentences ---------------------------------------------------------------------------------------------------------------

# The adaptation whose `name` falls most in a case: sets best_text; false where no difference is defined.
function best_of(method, kase, name, z, key, best) {
    best = ""
    for (z = 1; z in adaptations; z++) {
        key = method SUBSEP adaptations[z] SUBSEP kase SUBSEP name
        if (key in family_at && (best == "" || family_mean[key] < family_mean[best])) { best = key; best_size = adaptations[z] }
    }
    if (best == "") return 0
    mean = family_mean[best]; half = family_half[best]; best_beyond = beyond[family_at[best]]
    return 1
}

function list_best(kase, name, m, text) {
    text = ""
    for (m = 1; m in methods; m++)
        if (best_of(methods[m], kase, name))
            text = text (text == "" ? "" : "; ") short[methods[m]] " " change(name) " (`" best_size "`" (best_beyond ? ", beyond chance" : "") ")"
    return text
}

# What a size changes of a figure, method by method.
function list_size(size, kase, name, m, key, text) {
    text = ""
    for (m = 1; m in methods; m++) {
        key = methods[m] SUBSEP size SUBSEP kase SUBSEP name
        if (!(key in family_at)) continue
        mean = family_mean[key]; half = family_half[key]
        text = text (text == "" ? "" : "; ") short[methods[m]] " " change(name) (beyond[family_at[key]] ? " (beyond chance)" : "")
    }
    return text
}

# Participations that rounds miss, on average over the methods.
function missing(size, m, sum, n) {
    sum = n = 0
    for (m = 1; m in methods; m++) if (over_seeds(methods[m], size, "capped", "missing")) { sum += mean; n++ }
    return n == 0 ? 0 : sum / n
}

function range_of(kase, name, m, z, key, low, high, n) {
    n = 0
    for (m = 1; m in methods; m++) for (z = 1; z in adaptations; z++) {
        key = methods[m] SUBSEP adaptations[z] SUBSEP kase SUBSEP name
        if (!(key in family_at)) continue
        if (!n || family_mean[key] < low) low = family_mean[key]
        if (!n || family_mean[key] > high) high = family_mean[key]
        n++
    }
    return n == 0 ? "nothing that can be told" : sprintf("%s to %s %%", signed(low, 0), signed(high, 0))
}

END {
    if (n_seeds == 0) exit 1
    printf "%d seed%s of %d; means over seeds%s.\n\n", n_seeds, n_seeds == 1 ? "" : "s", planned,
        n_seeds == 1 ? ", without intervals: nothing here is a finding yet" : ", ± half of the 95 % interval (Student's t)"
    collect()
    quarters = list_size("quarter", "over_select", "seconds")
    printf "**Where rounds over-select, and so close without their slowest, the time to the target changes, against the largest size for all, at best by: %s.%s Where all are waited for, and losses for 30 s, adaptations change it by %s, and bytes to the target by %s.**\n",
        list_best("over_select", "seconds"), quarters == "" ? "" : " A quarter of it for all changes it by: " quarters ".", range_of("wait_all", "seconds"), range_of("wait_all", "bytes")
    caps = list_size("cap", "capped", "quality")
    if (caps != "")
        printf "\n**Under the cap, sizes that last until its period ends (`cap`) leave %.0f participations of a run out of its rounds on average, where the largest size leaves out %.0f; and change HR@10, against the largest size, by: %s.**\n",
            missing("cap"), missing("largest"), caps
    if (n_seeds > 1)
        printf "\nOf %d differences to the largest size for all (time, bytes and HR@10; sizes, cases, methods) %d leave%s their own 95 %% interval, where chance alone has about %.0f; by Holm's method %d %s beyond chance among all of them, bold below.\n",
            n_family, own, own == 1 ? "s" : "", 0.05 * n_family, all, all == 1 ? "is" : "are"
    printf "<!-- tables -->\n"
    print_grants()
    print_gains()
    print_caps()
}
