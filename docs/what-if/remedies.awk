# Makes the tables and sentences of docs/what-if/remedies.md from the points.csv of its sweeps; docs/what-if/remedies.sh calls it:
#   awk -f statistics.awk -f remedies.awk seed=1 method=fedmf correction=none FOLDER/points.csv seed=1 method=fedmf correction=fedau FOLDER/points.csv ...
# A difference is taken seed by seed, over the environments in which the correction is defined; its interval is Student's over the seeds.

BEGIN {
    FS = ","
    split("30 %,60 %,90 %", losses, ",")
    split("alike taste uplink", whos, " ")
    split("fedmf colr pfedclr", methods, " ")
    split("inverse_probability fedau mifa fedvarp fedawe", corrections, " ")
    called["fedmf"] = "FedMF"; called["colr"] = "CoLR"; called["pfedclr"] = "PFedCLR"
    called["none"] = "none"; called["inverse_probability"] = "inverse probability"; called["fedau"] = "FedAU"
    called["mifa"] = "MIFA"; called["fedvarp"] = "FedVARP"; called["fedawe"] = "FedAWE"
    who_is["alike"] = "all alike"; who_is["taste"] = "rare tastes most"; who_is["uplink"] = "slow uplinks most"
    column["all"] = "hr@10"; column["least"] = "groups.heard_decile.1.hr@10"; column["rare"] = "groups.taste_quartile.1.hr@10"
    column["never"] = "groups.heard_decile.never.hr@10"; column["silent"] = "groups.heard_decile.never.clients"
    column["gap"] = "group_gaps.taste_quartile.gap"
    column["delivered"] = "outcomes.delivered"; column["hours"] = "simulated_s"; column["bytes"] = "bytes.sent"
    column["rounds to"] = "rounds_to_target"; column["hours to"] = "time_to_target_s"; column["bytes to"] = "sent_bytes_to_target"
    column["rmse"] = "rmse"; column["rare rmse"] = "groups.taste_quartile.1.rmse"
    column["evaluated"] = "evaluated"; column["popularity"] = "non_federated.popularity.hr@10"
    split("all least rare", qualities, " ")
    quality_is["all"] = "all clients"; quality_is["least"] = "least heard"; quality_is["rare"] = "rarest tastes"
}

# --- What is there -----------------------------------------------------------------------------------------------------------

FNR == 1 {
    delete at
    for (i = 1; i <= NF; i++) at[$i] = i
    if (!(seed in seen_seed)) { seen_seed[seed] = 1; seeds[++n_seeds] = seed }
    next
}

{
    environment = $at["loss"]
    run = method SUBSEP correction SUBSEP environment
    if (method == "rfrec") run = method SUBSEP $at["step"] SUBSEP environment
    there[run] = 1
    if (!(environment in listed)) { listed[environment] = 1; environments[++n_environments] = environment }
    for (name in column)
        if (column[name] in at && $at[column[name]] != "") value[run, name, seed] = $at[column[name]]
}

function is_there(method, correction, environment) { return (method, correction, environment) in there }

function get(method, correction, environment, name, seed) { return value[method, correction, environment, name, seed] }

function has(method, correction, environment, name, seed) {
    return (method, correction, environment, name, seed) in value && get(method, correction, environment, name, seed) != "inf"
}

function loss_of(environment) { return environment == "none" ? "none" : substr(environment, 1, 4) }
function who_of(environment, parts, n) { n = split(environment, parts, " "); return n == 4 ? parts[4] : "" }

# --- Differences --------------------------------------------------------------------------------------------------------------

# Mean over the environments of a loss (of those with `who`, "" for all) of the difference that a correction makes, seed by seed.
function pooled(method, correction, loss, who, name, i, s, e, n, sum, x, n_x, g) {
    n_x = 0; n_pooled = 0; g = 0
    for (s = 1; s <= n_seeds; s++) {
        n = sum = 0
        for (i = 1; i <= n_environments; i++) {
            e = environments[i]
            if (loss_of(e) != loss || (who != "" && who_of(e) != who) || !is_there(method, correction, e)) continue
            if (!has(method, correction, e, name, seeds[s]) || !has(method, "none", e, name, seeds[s])) continue
            sum += get(method, correction, e, name, seeds[s]) - get(method, "none", e, name, seeds[s]); n++
        }
        if (n > 0) { x[++n_x] = sum / n; g = grid(name) / n }
        if (n > n_pooled) n_pooled = n
    }
    if (n_x == 0) return 0
    summarise(x, n_x, g)
    return 1
}

# Two rates of whole interactions: the variance of rounding of their difference.
function grid(name, g) { g = name == "all" ? 1 / 943 : name == "least" ? 10 / 943 : 4 / 943; return g * g / 6 }

# Mean over environments and seeds of what runs without a correction have: sets mean and half.
function level_of(method, correction, loss, who, name, i, s, e, n, sum, x, n_x) {
    n_x = 0
    for (s = 1; s <= n_seeds; s++) {
        n = sum = 0
        for (i = 1; i <= n_environments; i++) {
            e = environments[i]
            if (loss_of(e) != loss || (who != "" && who_of(e) != who) || !has(method, correction, e, name, seeds[s])) continue
            sum += get(method, correction, e, name, seeds[s]); n++
        }
        if (n > 0) x[++n_x] = sum / n
    }
    if (n_x == 0) return 0
    summarise(x, n_x, 0)
    return 1
}

function method_is_there(method) { return is_there(method, "none", "none") }
function correction_is_there(method, correction, i) {
    for (i = 1; i <= n_environments; i++) if (is_there(method, correction, environments[i])) return 1
    return 0
}

# --- Tables ------------------------------------------------------------------------------------------------------------------

function head(title) { printf "\n**%s**\n\n", title }
function rule(n, i) { printf "|"; for (i = 0; i < n; i++) printf "---|"; printf "\n" }
# In bold where it is beyond chance among all of its table.
function difference(mean, half, bold, text) {
    text = signed(mean, 3) within(half, 3)
    return bold ? "**" text "**" : text
}

# All differences of one family: into family_*[1 … n_family], and which are beyond chance into beyond[].
function add_to_family(label, key) {
    n_family++
    family_label[n_family] = label; family_p[n_family] = p; family_mean[n_family] = mean; family_half[n_family] = half
    family_at[key] = n_family; family_n[n_family] = n_pooled
}
function begin_family() { n_family = 0; delete family_at; delete beyond }
function tell_family(what, i, gains, losses_, most, least) {
    holm(family_p, n_family, beyond)
    gains = losses_ = most = least = own = 0
    for (i = 1; i <= n_family; i++) {
        if (family_half[i] >= 0 && family_p[i] <= 0.05) own++
        if (!beyond[i]) continue
        if (family_mean[i] > 0) { gains++; if (!most || family_mean[i] > family_mean[most]) most = i }
        else { losses_++; if (!least || family_mean[i] < family_mean[least]) least = i }
    }
    if (n_seeds < 2) return sprintf("%d %s; with one seed none has an interval, and none is a finding", n_family, what)
    text = sprintf("of %d %s %d leave their own 95 %% interval, where chance alone has about %.0f; by Holm's method %s beyond chance among all of them",
        n_family, what, own, 0.05 * n_family, gains + losses_ == 0 ? "none is" : gains + losses_ == 1 ? "1 is" : gains + losses_ " are")
    if (gains) text = text sprintf(", %d of them better, most %s: %s", gains, family_label[most], difference(family_mean[most], family_half[most], 0))
    if (losses_) text = text sprintf("%s %d of them worse, most %s: %s", gains ? ";" : ",", losses_, family_label[least], difference(family_mean[least], family_half[least], 0))
    return text
}

function upper(text) { return toupper(substr(text, 1, 1)) substr(text, 2) }
# Corrections × losses × qualities, means over dynamics and over who is missing.
function collect_changes(m, c, l, q) {
    begin_family()
    for (m = 1; m in methods; m++) for (c = 1; c in corrections; c++) for (l = 1; l in losses; l++) for (q = 1; q in qualities; q++)
        if (correction_is_there(methods[m], corrections[c]) && pooled(methods[m], corrections[c], losses[l], "", qualities[q]))
            add_to_family(sprintf("%s under %s at %s, %s", called[corrections[c]], called[methods[m]], losses[l], quality_is[qualities[q]]),
                methods[m] SUBSEP corrections[c] SUBSEP losses[l] SUBSEP qualities[q])
    changes_text = tell_family("differences in HR@10 (corrections, methods, losses, groups)")
}

function print_changes(m, c, l, q, i, wide) {
    head("What corrections change in HR@10: mean over dynamics and over who is missing, difference to none")
    printf "| method | correction | environments | "
    for (l = 1; l in losses; l++) for (q = 1; q in qualities; q++) printf "%s, %s | ", losses[l], quality_is[qualities[q]]
    printf "\n"; rule(12)
    for (m = 1; m in methods; m++) {
        if (!method_is_there(methods[m])) continue
        printf "| %s | *none: HR@10* | |", called[methods[m]]
        for (l = 1; l in losses; l++) for (q = 1; q in qualities; q++)
            if (level_of(methods[m], "none", losses[l], "", qualities[q])) printf " *%.3f* |", mean; else printf " – |"
        printf "\n"
        for (c = 1; c in corrections; c++) {
            if (!correction_is_there(methods[m], corrections[c])) continue
            wide = ""
            for (l = 1; l in losses; l++) { i = family_at[methods[m], corrections[c], losses[l], "all"]; if (i) wide = wide (wide == "" ? "" : ", ") family_n[i] }
            printf "| %s | %s | %s |", called[methods[m]], called[corrections[c]], wide
            for (l = 1; l in losses; l++) for (q = 1; q in qualities; q++) {
                i = family_at[methods[m], corrections[c], losses[l], qualities[q]]
                printf " %s |", i ? difference(family_mean[i], family_half[i], beyond[i]) : "–"
            }
            printf "\n"
        }
    }
}

# By who is missing.
function collect_whos(m, c, l, w) {
    begin_family()
    for (m = 1; m in methods; m++) for (c = 1; c in corrections; c++) for (w = 1; w in whos; w++) for (l = 1; l in losses; l++)
        if (correction_is_there(methods[m], corrections[c]) && pooled(methods[m], corrections[c], losses[l], whos[w], "all"))
            add_to_family(sprintf("%s under %s at %s, %s", called[corrections[c]], called[methods[m]], losses[l], who_is[whos[w]]),
                methods[m] SUBSEP corrections[c] SUBSEP whos[w] SUBSEP losses[l])
    whos_text = tell_family("differences in HR@10 by who is missing")
}

function print_whos(m, c, l, w, i) {
    head("By who is missing: HR@10 of all clients, mean over dynamics, difference to none")
    printf "| method | correction |"
    for (w = 1; w in whos; w++) for (l = 1; l in losses; l++) printf " %s, %s |", losses[l], who_is[whos[w]]
    printf "\n"; rule(11)
    for (m = 1; m in methods; m++) {
        if (!method_is_there(methods[m])) continue
        printf "| %s | *none: HR@10* |", called[methods[m]]
        for (w = 1; w in whos; w++) for (l = 1; l in losses; l++)
            if (level_of(methods[m], "none", losses[l], whos[w], "all")) printf " *%.3f* |", mean; else printf " – |"
        printf "\n"
        for (c = 1; c in corrections; c++) {
            if (!correction_is_there(methods[m], corrections[c])) continue
            printf "| %s | %s |", called[methods[m]], called[corrections[c]]
            for (w = 1; w in whos; w++) for (l = 1; l in losses; l++) {
                i = family_at[methods[m], corrections[c], whos[w], losses[l]]
                printf " %s |", i ? difference(family_mean[i], family_half[i], beyond[i]) : "–"
            }
            printf "\n"
        }
    }
}

# What the losses themselves do, without a correction.
function print_costs(m, l, w, q, e) {
    head("What losses cost without a correction: HR@10, mean over dynamics" (level_of("fedmf", "none", "none", "", "popularity") ? sprintf(" (popularity: %.3f)", mean) : ""))
    printf "| method | loss | who is missing | uploads a round | never heard | all clients | least heard | rarest tastes | never heard: HR@10 | gap of tastes | hours | GB |\n"
    rule(12)
    for (m = 1; m in methods; m++) {
        if (!method_is_there(methods[m])) continue
        print_cost(methods[m], "none", "")
        for (l = 1; l in losses; l++) for (w = 1; w in whos; w++)
            if (level_of(methods[m], "none", losses[l], whos[w], "all")) print_cost(methods[m], losses[l], whos[w])
    }
}

function print_cost(method, loss, who) {
    printf "| %s | %s | %s |", called[method], loss, who == "" ? "" : who_is[who]
    print_level(method, loss, who, "delivered", method == "pfedclr" ? 100 : 200, 0)
    if (level_of(method, "none", loss, who, "silent")) printf " %.0f |", mean; else printf " 0 |"
    print_quality(method, loss, who, "all"); print_quality(method, loss, who, "least"); print_quality(method, loss, who, "rare")
    print_quality(method, loss, who, "never"); print_quality(method, loss, who, "gap")
    print_level(method, loss, who, "hours", 3600, 2); print_level(method, loss, who, "bytes", 1e9, 2)
    printf "\n"
}

function print_level(method, loss, who, name, unit, digits) {
    if (level_of(method, "none", loss, who, name)) printf " %." digits "f |", mean / unit; else printf " – |"
}
function print_quality(method, loss, who, name) {
    if (level_of(method, "none", loss, who, name)) printf " %.3f%s |", mean, within(half, 3); else printf " – |"
}

# Rounds, hours and bytes to the target: runs that reached it, and the change where both runs of a pair have.
function to_target(method, correction, loss, name, i, s, e, mine, others, x, n_x) {
    n_x = reached = runs = reached_none = 0
    for (s = 1; s <= n_seeds; s++) {
        mine = others = 0
        for (i = 1; i <= n_environments; i++) {
            e = environments[i]
            if (loss_of(e) != loss || !is_there(method, correction, e)) continue
            runs++
            if (has(method, correction, e, name, seeds[s])) reached++
            if (has(method, "none", e, name, seeds[s])) reached_none++
            if (!has(method, correction, e, name, seeds[s]) || !has(method, "none", e, name, seeds[s])) continue
            mine += get(method, correction, e, name, seeds[s]); others += get(method, "none", e, name, seeds[s])
        }
        if (others > 0) x[++n_x] = 100 * (mine / others - 1)
    }
    if (n_x == 0) return 0
    summarise(x, n_x, 0)
    return 1
}

function print_targets(m, c, l, n, i, names) {
    split("rounds to|hours to|bytes to", names, "|")
    head("To the target, HR@10 of popularity + 0.03 by validation items: runs that reach it, with the correction and without, and the change in rounds, hours and bytes where both do")
    printf "| method | loss | correction | reached | without | rounds | hours | bytes |\n"; rule(8)
    for (m = 1; m in methods; m++) for (l = 1; l in losses; l++) for (c = 1; c in corrections; c++) {
        if (!correction_is_there(methods[m], corrections[c]) || !level_of(methods[m], corrections[c], losses[l], "", "all")) continue
        to_target(methods[m], corrections[c], losses[l], "rounds to")
        printf "| %s | %s | %s | %d of %d | %d |", called[methods[m]], losses[l], called[corrections[c]], reached, runs, reached_none
        for (i = 1; i <= 3; i++)
            if (to_target(methods[m], corrections[c], losses[l], names[i])) printf " %s%s %% |", signed(mean, 0), within(half, 0); else printf " – |"
        printf "\n"
    }
}

# The most by which a correction changes the hours or bytes of a whole run, in %.
function greatest_change(name, m, c, i, s, e, x) {
    greatest = 0
    for (m = 1; m in methods; m++) for (c = 1; c in corrections; c++) for (i = 1; i <= n_environments; i++) for (s = 1; s <= n_seeds; s++) {
        e = environments[i]
        if (!has(methods[m], corrections[c], e, name, seeds[s])) continue
        x = 100 * (get(methods[m], corrections[c], e, name, seeds[s]) / get(methods[m], "none", e, name, seeds[s]) - 1)
        if ((x < 0 ? -x : x) > greatest) { greatest = x < 0 ? -x : x; greatest_by = called[corrections[c]] " under " called[methods[m]] }
    }
}

function tell_changes_of_runs(hours, by) {
    greatest_change("hours"); hours = greatest; by = hours > 0 ? " (" greatest_by ")" : ""
    greatest_change("bytes"); greatest_by = greatest > 0 ? " (" greatest_by ")" : ""
    printf "\nNo client is selected or lost because of a correction."
    if (hours == 0 && greatest == 0) printf " It changes neither the hours nor the bytes of a whole run: what it gains in rounds it gains in hours and bytes.\n"
    else printf " It changes the hours of a whole run by %.1f %% at most%s, and its bytes by %.1f %%%s.\n", hours, by, greatest, greatest_by
}

# Every environment: without a correction, and the differences.
function print_environments(method, name, title, i, e, c, x, n, s, n_all) {
    if (!method_is_there(method)) return
    head(title)
    printf "| loss | none |"
    n = 1
    for (c = 1; c in corrections; c++) if (correction_is_there(method, corrections[c])) { printf " %s |", called[corrections[c]]; n++ }
    printf "\n"; rule(n + 1)
    for (i = 1; i <= n_environments; i++) {
        e = environments[i]
        if (!is_there(method, "none", e)) continue
        n = 0
        for (s = 1; s <= n_seeds; s++) if (has(method, "none", e, name, seeds[s])) x[++n] = get(method, "none", e, name, seeds[s])
        if (n == 0) continue
        summarise(x, n, grid(name) / 2)
        printf "| %s | %.3f%s |", words_of(e), mean, within(half, 3)
        for (c = 1; c in corrections; c++) {
            if (!correction_is_there(method, corrections[c])) continue
            n = 0
            for (s = 1; s <= n_seeds; s++)
                if (has(method, corrections[c], e, name, seeds[s]) && has(method, "none", e, name, seeds[s]))
                    x[++n] = get(method, corrections[c], e, name, seeds[s]) - get(method, "none", e, name, seeds[s])
            if (n == 0) { printf " – |"; continue }
            summarise(x, n, grid(name))
            printf " %s |", difference(mean, half, 0)
        }
        printf "\n"
    }
}

function words_of(environment, parts) {
    if (split(environment, parts, " ") < 4) return "none"
    return parts[1] " %, " parts[3] ", " who_is[parts[4]]
}

function print_rfrec(i, e, k, steps, n, s, x, name, names, j) {
    split("exact gradient", steps, " "); split("rmse|rare rmse", names, "|")
    if (!(("rfrec", "exact", "none") in there)) return
    head("RFRec: RMSE after 100 rounds, for which no correction is defined")
    printf "| loss | exact steps | gradients | exact steps, rarest tastes | gradients, rarest tastes |\n"; rule(5)
    for (i = 1; i <= n_environments; i++) {
        e = environments[i]
        printf "| %s |", words_of(e)
        for (j = 1; j <= 2; j++) for (k = 1; k <= 2; k++) {
            n = 0
            for (s = 1; s <= n_seeds; s++) if (has("rfrec", steps[k], e, names[j], seeds[s])) x[++n] = get("rfrec", steps[k], e, names[j], seeds[s])
            if (n == 0) { printf " – |"; continue }
            summarise(x, n, 0)
            printf " %.3f%s |", mean, within(half, 3)
        }
        printf "\n"
    }
}

# --- The page ----------------------------------------------------------------------------------------------------------------

# What the hardest losses cost, and what of that the correction that does best brings back.
function hardest(method, best, c, lost, without) {
    level_of(method, "none", "none", "", "all"); without = mean
    if (!level_of(method, "none", "90 %", "taste", "all")) return
    lost = mean
    printf "**%s has an HR@10 of %.3f without loss, and of %.3f where 90 %% of the answers are lost, of clients with rare tastes most",
        called[method], without, lost
    best = 0
    for (c = 1; c in corrections; c++)
        if (pooled(method, corrections[c], "90 %", "taste", "all") && (!best || mean > best_mean)) { best = c; best_mean = mean; best_half = half }
    if (best)
        printf "; %s, which does best there, changes that by %s, %.0f %% of what is lost",
            called[corrections[best]], difference(best_mean, best_half, 0), 100 * best_mean / (without - lost)
    level_of(method, "none", "90 %", "alike", "all")
    printf ". The same losses of all clients alike leave %.3f%s.**\n", mean, level_of(method, "none", "none", "", "popularity") ? sprintf("; popularity has %.3f", mean) : ""
}

function any_method(m) {
    for (m = 1; m in methods; m++) if (method_is_there(methods[m])) return 1
    return 0
}

function print_methods() {
    collect_changes()
    print_changes()
    collect_whos()
    print_whos()
    print_costs()
    tell_changes_of_runs()
    print_targets()
}

function print_sentences() {
    if (method_is_there("fedmf")) hardest("fedmf")
    collect_changes()
    printf "\n%s.", upper(changes_text)
    collect_whos()
    printf " %s.\n", upper(whos_text)
}

END {
    if (n_seeds == 0) exit 1
    printf "%d seed%s of %d; means over seeds%s.\n\n", n_seeds, n_seeds == 1 ? "" : "s", planned,
        n_seeds == 1 ? ", without intervals: nothing here is a finding yet" : ", ± half of the 95 % interval (Student's t)"
    if (any_method()) print_sentences()
    printf "<!-- tables -->\n" # the page has the rest elsewhere
    if (any_method()) print_methods()
    print_rfrec()
    for (m = 1; m in methods; m++) {
        print_environments(methods[m], "all", called[methods[m]] ": HR@10 by environment, and differences to none")
        print_environments(methods[m], "rare", called[methods[m]] ", the quarter with the rarest tastes: HR@10, and differences to none")
    }
}
