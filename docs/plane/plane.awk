# Makes the sentences and tables of docs/plane.md, and its picture; docs/plane/plane.sh calls it:
#   awk -v picture=FILE -f statistics.awk -f chosen.awk -f plane.awk -f chart.awk methods.tsv search.tsv results.tsv
# Differences and ratios are taken seed by seed, over the seeds that both sides have; intervals are Student's over the seeds.

BEGIN {
    n_networks = split("3g 4g wifi fibre mixed-mobile", networks, " ")
    n_losses = split("none|30 %", losses, "|")
    lost[1] = "none lost"; lost[2] = "30 % lost"
    target[1] = "popularity + .03"; target[2] = "95 % of centralised MF"
}

# --- What is there -----------------------------------------------------------------------------------------------------------

FILENAME == ARGV[3] {
    if (FNR == 1) next
    if ($1 == "baselines") { baseline[$3, "hr", $2] = $6; baseline[$3, "ndcg", $2] = $7; baseline[$3, "validation", $2] = $8; next }
    run = $1 SUBSEP $4 SUBSEP $5
    value[run, "hr", $2] = $6; value[run, "ndcg", $2] = $7
    value[run, "up", $2] = $9; value[run, "down", $2] = $10
    value[run, "rounds1", $2] = $11; value[run, "seconds1", $2] = $12; value[run, "rounds2", $2] = $13; value[run, "seconds2", $2] = $14
    ran_with[$1] = $3
    if (!(($1, $2) in there)) { there[$1, $2] = 1; of_seed[$2]++; if (!of_method[$1]++) n_run++ }
    if ($2 > last_seed) last_seed = $2
}

# A seed counts that half of the methods have: one that has only begun would leave the others without intervals.
function find_seeds(s) {
    for (s = 1; s <= last_seed; s++) if (2 * of_seed[s] >= n_run) seeds[++n_seeds] = s
}

function has(method, network, loss, name, seed) {
    return (method, network, loss, name, seed) in value && value[method, network, loss, name, seed] != "inf"
}
function get(method, network, loss, name, seed) { return value[method, network, loss, name, seed] }
function seeds_of(method, s, n) { n = 0; for (s = 1; s <= n_seeds; s++) n += (method, seeds[s]) in there; return n }

# Sets mean and half over seeds, and reached and runs; least is the variance of rounding.
function over_seeds(method, network, loss, name, least, s, x, n) {
    n = 0; runs = 0
    for (s = 1; s <= n_seeds; s++) {
        if (!((method, network, loss, name, seeds[s]) in value)) continue
        runs++
        if (has(method, network, loss, name, seeds[s])) x[++n] = get(method, network, loss, name, seeds[s])
    }
    reached = n
    summarise(x, n, least)
    return n
}
# The difference to another method, seed by seed; of logarithms where asked for. Sets mean, half, p and pairs.
function against(method, other, network, loss, name, logarithms, least, s, x, n, a, b) {
    n = 0
    for (s = 1; s <= n_seeds; s++) {
        if (!has(method, network, loss, name, seeds[s]) || !has(other, network, loss, name, seeds[s])) continue
        a = get(method, network, loss, name, seeds[s]); b = get(other, network, loss, name, seeds[s])
        x[++n] = logarithms ? log(a / b) : a - b
    }
    pairs = n
    summarise(x, n, least)
    return n
}
function every_seed_reached(method, network, loss, t) { over_seeds(method, network, loss, "seconds" t, 0); return runs > 0 && reached == runs && runs == n_seeds }

# --- Words -------------------------------------------------------------------------------------------------------------------

function rule(n, i) { printf "|"; for (i = 0; i < n; i++) printf "---|"; printf "\n" }
function head(title) { printf "\n**%s**\n\n", title }
# Three digits of x, and of what goes with it as many decimals.
function decimals_of(x) { return x >= 99.5 ? "%.0f" : x >= 9.95 ? "%.1f" : x >= 0.995 ? "%.2f" : "%.3f" }
function digits3(x) { return sprintf(decimals_of(x), x) }
function plus_minus(mean, half) { return digits3(mean) (half < 0 ? "" : " ± " sprintf(decimals_of(mean), half)) }
function listed(text, more) { return text == "" ? more : text ", " more }
function ratio_text() { return sprintf("%.2f", exp(mean)) (half < 0 ? "" : sprintf(" (%.2f to %.2f)", exp(mean - half), exp(mean + half))) }
function grid(g) { g = 1 / 943; return g * g / 12 }

# --- Tables ------------------------------------------------------------------------------------------------------------------

function print_plane(m, method, t, s, x, n, names, i, note) {
    head("The plane: bytes of a participation and quality after 500 rounds, none lost")
    print "| method | messages | settings | kB up | kB down | HR@10 | to FedMF | 30 % lost | NDCG@10 | rounds to popularity + .03 | to 95 % of centralised MF | seeds |"
    rule(12)
    for (m = 1; m <= n_methods; m++) {
        method = methods[m]
        if (!seeds_of(method)) continue
        choose(method)
        n = split(tried[method], x, / \| /)
        note = ran_with[method]
        if (tried[method] ~ /^as /) note = note ", " tried[method]
        else if (n > 1) note = note (chosen_seeds ? ", of " n : ", " n - 1 " more not tried")
        if (ran_with[method] != chosen) note = note "; the search prefers " chosen
        printf "| %s | %s | %s |", method, messages[method], note
        over_seeds(method, "4g", "none", "up", 0); printf " %s |", digits3(mean / 1000)
        over_seeds(method, "4g", "none", "down", 0); printf " %s |", digits3(mean / 1000)
        over_seeds(method, "4g", "none", "hr", grid()); printf " %.3f%s |", mean, within(half, 3)
        if (method != "FedMF" && against(method, "FedMF", "4g", "none", "hr", 0, 2 * grid())) printf " %s%s |", signed(mean, 3), within(half, 3)
        else printf " – |"
        if (over_seeds(method, "4g", "30 %", "hr", grid())) printf " %.3f%s |", mean, within(half, 3); else printf " – |"
        over_seeds(method, "4g", "none", "ndcg", 0); printf " %.3f%s |", mean, within(half, 3)
        for (t = 1; t <= 2; t++) {
            over_seeds(method, "4g", "none", "rounds" t, 0)
            printf " %s |", reached < runs ? reached " of " runs " seeds" : sprintf("%.0f%s", mean, within(half, 0))
        }
        printf " %d |\n", seeds_of(method)
    }
    split("popularity|centralised MF", names, "|")
    for (i = 1; i <= 2; i++) {
        n = 0
        for (s = 1; s <= n_seeds; s++) if ((names[i], "hr", seeds[s]) in baseline) x[++n] = baseline[names[i], "hr", seeds[s]]
        if (!n) continue
        summarise(x, n, grid())
        printf "| *%s* | | | | | %.3f%s | | |", names[i], mean, within(half, 3)
        n = 0
        for (s = 1; s <= n_seeds; s++) if ((names[i], "ndcg", seeds[s]) in baseline) x[++n] = baseline[names[i], "ndcg", seeds[s]]
        summarise(x, n, 0)
        printf " %.3f%s | | | %d |\n", mean, within(half, 3), n
    }
}

function print_times(t, l, m, i, method) {
    head("Minutes to " target[t] ", " lost[l])
    printf "| method |"
    for (i = 1; i <= n_networks; i++) printf " %s |", networks[i]
    printf "\n"; rule(n_networks + 1)
    for (m = 1; m <= n_methods; m++) {
        method = methods[m]
        if (!seeds_of(method)) continue
        printf "| %s |", method
        for (i = 1; i <= n_networks; i++) {
            over_seeds(method, networks[i], losses[l], "seconds" t, 0)
            if (!runs) printf " – |"
            else if (reached < runs) printf " %d of %d seeds |", reached, runs
            else printf " %s |", plus_minus(mean / 60, half < 0 ? half : half / 60)
        }
        printf "\n"
    }
}

# In bold what is beyond chance among all ratios.
function bold(text, method, network, loss, t, at) { at = place[method, network, loss, t]; return at && beyond[at] ? "**" text "**" : text }

# The method with the smallest mean, of those whose every seed gets there; sets fastest and fastest_mean.
function find_fastest(network, loss, t, m) {
    fastest = ""
    for (m = 1; m <= n_methods; m++) {
        if (!every_seed_reached(methods[m], network, loss, t)) continue
        over_seeds(methods[m], network, loss, "seconds" t, 0)
        if (fastest == "" || mean < fastest_mean) { fastest = methods[m]; fastest_mean = mean; fastest_half = half }
    }
    return fastest
}
# Those whose time cannot be told from the fastest one's: their own 95 % interval holds a ratio of 1.
function beside_fastest(network, loss, t, m, text) {
    text = ""
    for (m = 1; m <= n_methods; m++) {
        if (methods[m] == fastest || !every_seed_reached(methods[m], network, loss, t)) continue
        against(methods[m], fastest, network, loss, "seconds" t, 1, 0)
        if (half < 0 || mean - half <= 0) text = listed(text, methods[m])
    }
    return text
}

function print_ahead(t, l, i) {
    head("Who is ahead")
    print "| lost | network | target | fastest | minutes | of FedMF's time | not told apart from it |"
    rule(7)
    for (l = 1; l <= n_losses; l++) for (t = 1; t <= 2; t++) for (i = 1; i <= n_networks; i++) {
        if (find_fastest(networks[i], losses[l], t) == "") continue
        printf "| %s | %s | %s | %s | %s |", losses[l], networks[i], target[t], fastest, plus_minus(fastest_mean / 60, fastest_half < 0 ? fastest_half : fastest_half / 60)
        if (fastest != "FedMF" && against(fastest, "FedMF", networks[i], losses[l], "seconds" t, 1, 0)) printf " %s |", bold(ratio_text(), fastest, networks[i], losses[l], t); else printf " – |"
        printf " %s |\n", beside_fastest(networks[i], losses[l], t)
    }
}

# All ratios to FedMF's time: how many leave their own interval, and how many are beyond chance among all.
function collect_family(m, l, t, i) {
    n_family = own = beyond_all = 0
    for (m = 1; m <= n_methods; m++) for (l = 1; l <= n_losses; l++) for (t = 1; t <= 2; t++) for (i = 1; i <= n_networks; i++) {
        if (methods[m] == "FedMF" || !against(methods[m], "FedMF", networks[i], losses[l], "seconds" t, 1, 0) || half < 0) continue
        family[++n_family] = p; place[methods[m], networks[i], losses[l], t] = n_family
        if (p <= 0.05) own++
    }
    holm(family, n_family, beyond)
    for (i = 1; i <= n_family; i++) beyond_all += beyond[i]
}

# --- Sentences ---------------------------------------------------------------------------------------------------------------

# "FedMF + SVD (on 3g, 4g), CoLR (on fibre), in .3 to .5 of FedMF's time, somewhere not told apart from SCoLR".
function tell_ahead(l, t, i, who, where, n, order, text, low, high, r, near, list, k, j, near_text) {
    n = 0; near_text = ""
    for (i = 1; i <= n_networks; i++) {
        if (find_fastest(networks[i], losses[l], t) == "") continue
        who = fastest
        if (!(who in where)) order[++n] = who
        where[who] = listed(where[who], networks[i])
        if (who == "FedMF") r = 1; else { against(who, "FedMF", networks[i], losses[l], "seconds" t, 1, 0); r = exp(mean) }
        k = split(beside_fastest(networks[i], losses[l], t), list, ", ")
        for (j = 1; j <= k; j++) if (!(list[j] in near)) { near[list[j]] = 1; near_text = listed(near_text, list[j]) }
        if (!low || r < low) low = r
        if (r > high) high = r
    }
    if (!n) return "no method gets there on all seeds"
    text = ""
    for (i = 1; i <= n; i++) text = listed(text, order[i] (n == 1 ? " (on every network)" : " (on " where[order[i]] ")"))
    text = text sprintf(", in %.2f%s of FedMF's time", low, high - low < 0.005 ? "" : sprintf(" to %.2f", high))
    return text (near_text == "" || n_seeds < 2 ? "" : "; on some network not told apart from " near_text)
}

function print_sentences(m, n, least, least_bytes, most, behind, k, b, all_missing, unsearched, fewer, widest, ahead) {
    n = k = behind = ahead = widest = 0; all_missing = unsearched = fewer = ""
    for (m = 1; m <= n_methods; m++) {
        if (!seeds_of(methods[m])) { all_missing = listed(all_missing, methods[m]); continue }
        n++
        if (seeds_of(methods[m]) < n_seeds) fewer = listed(fewer, methods[m])
        choose(methods[m])
        if (tried[methods[m]] ~ / \| / && !chosen_seeds) unsearched = listed(unsearched, methods[m])
        if (methods[m] == "FedMF" || !against(methods[m], "FedMF", "4g", "none", "hr", 0, 2 * grid())) continue
        k++
        if (half > widest) widest = half
        if (half >= 0 && mean - half > 0) ahead++
        if (half >= 0 && mean + half < 0) { behind++; continue }
        over_seeds(methods[m], "4g", "none", "up", 0); b = mean
        over_seeds(methods[m], "4g", "none", "down", 0); b += mean
        if (!least_bytes || b < least_bytes) { least_bytes = b; least = methods[m] }
    }
    printf "%d method%s of %d, %d seed%s; means over seeds%s.\n", n, n == 1 ? "" : "s", n_methods, n_seeds, n_seeds == 1 ? "" : "s",
        n_seeds == 1 ? ", without intervals: nothing here is a finding yet" : ", ± half of the 95 % interval (Student's t)"
    if (all_missing != "") printf "Not run: %s.\n", all_missing
    if (fewer != "") printf "On fewer seeds than the others, and therefore not ranked: %s.\n", fewer
    if (unsearched != "") printf "Not searched, run at the settings that are named first: %s.\n", unsearched
    printf "\n**Smallest mean time to %s, none lost: %s. To %s: %s.**\n\nWith 30 %% of the uploads lost, each noticed after 30 s: to %s %s. To %s: %s.\n",
        target[1], tell_ahead(1, 1), target[2], tell_ahead(1, 2), target[1], tell_ahead(2, 1), target[2], tell_ahead(2, 2)
    if (n_seeds < 2) return
    over_seeds("FedMF", "4g", "none", "up", 0); b = mean
    over_seeds("FedMF", "4g", "none", "down", 0); b += mean
    printf "\n**Quality: %d of %d methods are behind FedMF in HR@10 by more than their interval, %d ahead, where intervals have up to ± %.3f and hide smaller differences; of those not behind %s sends least, %s kB a participation both ways in place of FedMF's %s.**\n",
        behind, k, ahead, widest, least, digits3(least_bytes / 1000), digits3(b / 1000)
    printf "\nOf %d ratios to FedMF's time (methods, networks, losses, targets) %d leave%s their own 95 %% interval, where chance alone has about %.0f; by Holm's method %d %s beyond chance among all of them, bold below where %s the fastest. The others are what the means of %d seeds say. They are not independent: one training serves five networks.\n",
        n_family, own, own == 1 ? "s" : "", 0.05 * n_family, beyond_all, beyond_all == 1 ? "is" : "are", beyond_all == 1 ? "it is of" : "they are of", n_seeds
}

function print_search(m, i, j, n, levels, name, text, seeds_text) {
    if (!n_search) return
    seeds_text = ""
    for (j = 1; j <= n_search; j++) seeds_text = listed(seeds_text, search_seeds[j])
    head("The search: HR@10 on validation items after 500 rounds, seed" (n_search > 1 ? "s " : " ") seeds_text)
    print "| method | tried |"
    rule(2)
    for (m = 1; m <= n_methods; m++) {
        if (tried[methods[m]] ~ /^as /) continue
        choose(methods[m])
        if (!chosen_seeds) continue
        n = split(tried[methods[m]], levels, / \| /); text = ""
        for (i = 1; i <= n; i++) {
            name = levels[i]; sub(/:.*/, "", name); sum = 0
            for (j = 1; j <= chosen_seeds; j++) sum += searched[methods[m], name, complete[j]]
            text = listed(text, (name == chosen ? "**" : "") name sprintf(" %.3f", sum / chosen_seeds) (name == chosen ? "**" : ""))
        }
        printf "| %s | %s |\n", methods[m], text
    }
}

END {
    if (list) exit
    find_seeds()
    if (n_seeds == 0) { print "No method has been run yet.\n<!-- tables -->"; print_search(); exit }
    collect_family()
    print_sentences()
    print "<!-- tables -->"
    print_plane()
    for (t_ = 1; t_ <= 2; t_++) for (l_ = 1; l_ <= n_losses; l_++) print_times(t_, l_)
    print_ahead()
    print_search()
    if (picture != "") draw(picture)
}
