# Makes the tables and sentences of docs/what-if/topologies.md from the points.csv of its sweeps; docs/what-if/topologies.sh calls it:
#   awk -f statistics.awk -f topologies.awk seed=1 FOLDER/points.csv FOLDER/points.csv seed=2 ...
# A point is a case, "topology links way rate", and a loss. A difference is taken seed by seed, to the star over the same links, way and
# rate with the same loss; its interval is Student's over the seeds. Gossip has no server, and one case stands for all ways and rates.

BEGIN {
    FS = ","
    split("star forward add twice gossip", topologies, " ")
    split("mobile fibre", links, " ")
    split("near far", ways, " ")
    split("wide narrow", rates, " ")
    split("none|30 % 2 s|30 % 30 s", losses, "|")
    split("seconds rounds server clients quality", names, " ")
    called["star"] = "star"; called["forward"] = "edges that forward"; called["add"] = "edges that add"
    called["twice"] = "edges that aggregate twice"; called["gossip"] = "gossip"
    server["near"] = "near"; server["far"] = "100 ms away"; server["wide"] = "1 Gbit/s"; server["narrow"] = "20 Mbit/s"
    lost["none"] = "none"; lost["30 % 2 s"] = "30 %, noticed after 2 s"; lost["30 % 30 s"] = "30 %, noticed after 30 s"
    column["quality"] = "hr@10"; column["seconds"] = "time_to_target_s"; column["clients"] = "sent_bytes_to_target"
    column["edges"] = "edge_bytes_to_target"
    column["rounds"] = "rounds_to_target"; column["round"] = "round_s"; column["popularity"] = "non_federated.popularity.hr@10"
    # What a figure changes with beside topology and loss: the time with everything, the rest with nothing.
    depends["seconds"] = 1
}

# --- What is there -----------------------------------------------------------------------------------------------------------

FNR == 1 {
    delete at
    for (i = 1; i <= NF; i++) at[$i] = i
    if (!(seed in seen_seed)) { seen_seed[seed] = 1; seeds[++n_seeds] = seed }
    next
}

function put(link, way, rate, run, name, file) {
    run = part[1] SUBSEP link SUBSEP way SUBSEP rate SUBSEP $at["loss"]
    there[run] = 1
    for (name in column)
        if (column[name] in at && $at[column[name]] != "" && $at[column[name]] != "inf") value[run, name, seed] = $at[column[name]]
    # What was sent up to the target, apart: over the server's link, which is the messages of edges, and over clients' links.
    if (!((run, "rounds", seed) in value)) return
    if (part[1] == "star") value[run, "server", seed] = value[run, "clients", seed]
    if (!((run, "edges", seed) in value)) return
    value[run, "server", seed] = value[run, "edges", seed]
    value[run, "clients", seed] -= value[run, "edges", seed]
}

{
    split($at["case"], part, " ")
    if (part[1] != "gossip") put(part[2], part[3], part[4])
    else for (w = 1; w in ways; w++) for (r = 1; r in rates; r++) put(part[2], ways[w], rates[r])
}

function is_there(topology, link, way, rate, loss) { return (topology, link, way, rate, loss) in there }

# Sets x[1 … n] to a figure's values over the seeds; returns how many there are.
function values_of(topology, link, way, rate, loss, name, x, s, n) {
    n = 0
    for (s = 1; s <= n_seeds; s++)
        if ((topology, link, way, rate, loss, name, seeds[s]) in value) x[++n] = value[topology, link, way, rate, loss, name, seeds[s]]
    return n
}

# The difference to the star, in percent but for HR@10; false unless all seeds have both.
function against_star(topology, link, way, rate, loss, name, s, x, key, star) {
    for (s = 1; s <= n_seeds; s++) {
        key = topology SUBSEP link SUBSEP way SUBSEP rate SUBSEP loss SUBSEP name SUBSEP seeds[s]
        star = "star" SUBSEP link SUBSEP way SUBSEP rate SUBSEP loss SUBSEP name SUBSEP seeds[s]
        if (!(key in value) || !(star in value)) return 0
        x[s] = name == "quality" ? value[key] - value[star] : 100 * (value[key] / value[star] - 1)
    }
    # Two rates of whole interactions of 943 clients: the variance that rounding of their difference has.
    summarise(x, n_seeds, name == "quality" ? 1 / (943 * 943 * 6) : 0)
    return 1
}

# --- Differences -------------------------------------------------------------------------------------------------------------

function add_difference(topology, link, way, rate, loss, name, key) {
    if (!is_there(topology, link, way, rate, loss) || !against_star(topology, link, way, rate, loss, name)) return
    key = topology SUBSEP link SUBSEP way SUBSEP rate SUBSEP loss SUBSEP name
    family_p[++n_family] = p; family_at[key] = n_family
    family_mean[key] = mean; family_half[key] = half
}

# Edges that forward train what the star trains, and how many bytes a round takes from the server's link is no question of chance.
function is_open(topology, name) { return name == "seconds" || (name != "server" && topology != "forward") }

function collect(t, l, w, r, o, k, q) {
    n_family = 0
    for (k = 1; k in names; k++) for (t = 2; t in topologies; t++) for (o = 1; o in losses; o++) {
        if (!is_open(topologies[t], names[k])) continue
        for (l = 1; l in links; l++) for (w = 1; w in ways; w++) for (r = 1; r in rates; r++)
            if (depends[names[k]] || (l == first_link && w == 1 && r == 1 && o < 3))
                add_difference(topologies[t], links[l], ways[w], rates[r], losses[o], names[k])
    }
    delete beyond
    if (n_seeds > 1) holm(family_p, n_family, beyond)
    own = all = 0
    for (q = 1; q <= n_family; q++) { own += n_seeds > 1 && family_p[q] <= 0.05; all += beyond[q] }
}

function change(name, digits) {
    digits = name == "quality" ? 3 : mean < 1 && mean > -1 ? 1 : 0
    return signed(mean, digits) within(half, digits) (name == "quality" ? "" : " %")
}

# In bold where it is beyond chance among all of the page; "" where there is none.
function difference(topology, link, way, rate, loss, name, key) {
    key = topology SUBSEP link SUBSEP way SUBSEP rate SUBSEP loss SUBSEP name
    if (name == "server" && against_star(topology, link, way, rate, loss, name)) return change(name)
    if (!(key in family_at)) return ""
    mean = family_mean[key]; half = family_half[key]
    return beyond[family_at[key]] ? "**" change(name) "**" : change(name)
}

# --- Tables ------------------------------------------------------------------------------------------------------------------

function unit_of(name) { return name == "seconds" ? 60 : name == "clients" || name == "server" ? 1e9 : 1 }
function digits_of(name) { return name == "quality" ? 3 : name == "rounds" ? 0 : name == "seconds" || name == "round" ? 1 : 2 }

function cell(topology, link, way, rate, loss, name, text, n, x, other) {
    n = values_of(topology, link, way, rate, loss, name, x)
    if (!is_there(topology, link, way, rate, loss)) return "–"
    if (name != "quality" && name != "round" && n < n_seeds) return n " of " n_seeds
    summarise(x, n, 0)
    text = sprintf("%.*f", digits_of(name), mean / unit_of(name))
    if (topology == "star") return text within(half < 0 ? half : half / unit_of(name), digits_of(name))
    other = difference(topology, link, way, rate, loss, name)
    return text (other == "" ? "" : ", " other)
}

function print_networks(name, title, l, w, r, o, t) {
    printf "\n**%s**\n\n| links | server | lost |", title
    for (t = 1; t in topologies; t++) printf " %s |", called[topologies[t]]
    printf "\n|---|---|---|---|---|---|---|---|\n"
    for (l = 1; l in links; l++) for (o = 1; o in losses; o++) for (w = 1; w in ways; w++) for (r = 1; r in rates; r++) {
        if (!is_there("star", links[l], ways[w], rates[r], losses[o])) continue
        printf "| %s | %s, %s | %s |", links[l], server[ways[w]], server[rates[r]], lost[losses[o]]
        for (t = 1; t in topologies; t++) printf " %s |", cell(topologies[t], links[l], ways[w], rates[r], losses[o], name)
        printf "\n"
    }
}

function print_rest(o, t, k) {
    printf "\n**What does not depend on the network: up to the target, and HR@10 after the last round**\n\n"
    printf "| lost | topology | rounds | GB over the server's link | GB over clients' links | HR@10 |\n|---|---|---|---|---|---|\n"
    for (o = 1; o <= 2; o++) for (t = 1; t in topologies; t++) {
        if (!is_there(topologies[t], links[first_link], "near", "wide", losses[o])) continue
        printf "| %s | %s |", o == 1 ? "none" : "30 %", called[topologies[t]]
        for (k = 2; k in names; k++)
            printf " %s |", topologies[t] == "gossip" && names[k] == "server" ? "0" : cell(topologies[t], links[first_link], "near", "wide", losses[o], names[k])
        printf "\n"
    }
}

# --- Sentences ---------------------------------------------------------------------------------------------------------------

# What each topology changes of a figure, as "edges that add −50 ± 3 % (beyond chance)".
function list(link, way, rate, loss, name, t, key, text) {
    text = ""
    for (t = 2; t in topologies; t++) {
        key = topologies[t] SUBSEP link SUBSEP way SUBSEP rate SUBSEP loss SUBSEP name
        if (!(key in family_at)) continue
        mean = family_mean[key]; half = family_half[key]
        text = text (text == "" ? "" : "; ") called[topologies[t]] " " change(name) (beyond[family_at[key]] ? " (beyond chance)" : "")
    }
    return text
}

# What the long way changes of a topology's time behind 1 Gbit/s, in percent, seed by seed; false unless all seeds have both.
function long_way(topology, link, s, x, near, far) {
    for (s = 1; s <= n_seeds; s++) {
        near = topology SUBSEP link SUBSEP "near" SUBSEP "wide" SUBSEP "none" SUBSEP "seconds" SUBSEP seeds[s]
        far = topology SUBSEP link SUBSEP "far" SUBSEP "wide" SUBSEP "none" SUBSEP "seconds" SUBSEP seeds[s]
        if (!(near in value) || !(far in value)) return 0
        x[s] = 100 * (value[far] / value[near] - 1)
    }
    summarise(x, n_seeds, 0)
    return 1
}

function over_links(way, rate, loss, l, text, some) {
    text = ""
    for (l = 1; l in links; l++) {
        some = list(links[l], way, rate, loss, "seconds")
        if (some != "") text = text (text == "" ? "" : "; ") "over " links[l] " " some
    }
    return text == "" ? "nothing that can be told" : text
}

function tell_long_way(l, t, text) {
    text = ""
    for (l = 1; l in links; l++) for (t = 1; t <= 3; t++)
        if (long_way(topologies[t], links[l])) text = text (text == "" ? "" : "; ") called[topologies[t]] " over " links[l] " " change("seconds")
    return text == "" ? "nothing that can be told" : text
}

function tell_server_link(t, text) {
    text = ""
    for (t = 2; t in topologies; t++)
        if (against_star(topologies[t], links[first_link], "near", "wide", "none", "server"))
            text = text (text == "" ? "" : "; ") called[topologies[t]] " " change("server")
    return text == "" ? "nothing that can be told" : text
}

function tell_gossip(l, o, x, n, all) {
    for (l = 1; l in links; l++) for (o = 1; o in losses; o++)
        if (is_there("gossip", links[l], "near", "wide", losses[o])) {
            n += values_of("gossip", links[l], "near", "wide", losses[o], "seconds", x)
            all += n_seeds
        }
    if (all) printf "\n**Gossip, four neighbours in each round and as many clients, takes nothing from a server's link; %d of %d runs reach the target.**\n", n, all
}

# Which servers the losses were run with, where not with all that the star was run with.
function tell_servers(w, r, n, all, text) {
    for (w = 1; w in ways; w++) for (r = 1; r in rates; r++) {
        if (is_there("star", links[first_link], ways[w], rates[r], "none")) all++
        if (!is_there("star", links[first_link], ways[w], rates[r], losses[3])) continue
        n++
        text = text (text == "" ? "" : "; ") server[ways[w]] ", " server[rates[r]]
    }
    if (n > 0 && n < all) printf "\nLosses were run with %d of the %d servers: %s.\n", n, all, text
}

function print_sentences() {
    printf "%d seed%s of %d; means over seeds%s.\n\n", n_seeds, n_seeds == 1 ? "" : "s", planned,
        n_seeds == 1 ? ", without intervals: nothing here is a finding yet" : ", ± half of the 95 % interval (Student's t)"
    printf "**Behind a link of 20 Mbit/s, 100 ms away and with none lost, the time to the target changes, against the star, by: %s. Behind 1 Gbit/s and nearby: %s.**\n",
        over_links("far", "narrow", "none"), over_links("near", "wide", "none")
    printf "\n**The 100 ms alone, behind 1 Gbit/s, change the time by: %s. Up to the target, the server's link and the long way carry less than under the star: %s.**\n",
        tell_long_way(), tell_server_link()
    printf "\nWhere 30 %% are lost and the server notices it after 30 s: behind 20 Mbit/s, 100 ms away, %s; behind 1 Gbit/s, nearby, %s.\n",
        over_links("far", "narrow", "30 % 30 s"), over_links("near", "wide", "30 % 30 s")
    tell_servers()
    tell_gossip()
    if (n_seeds > 1)
        printf "\nOf %d differences to the star (time, rounds, clients' bytes and HR@10; topologies, networks, losses) %d leave%s their own 95 %% interval, where chance alone has about %.0f; by Holm's method %d %s beyond chance among all of them, bold below.\n",
            n_family, own, own == 1 ? "s" : "", 0.05 * n_family, all, all == 1 ? "is" : "are"
}

END {
    if (n_seeds == 0) exit 1
    for (l = 1; l in links; l++) for (o = 1; o in losses; o++) if (!first_link && is_there("star", links[l], "near", "wide", losses[o])) first_link = l
    collect()
    print_sentences()
    printf "<!-- tables -->\n"
    print_networks("seconds", "Minutes to the target, and the difference to the star")
    print_networks("round", "Seconds a round")
    print_rest()
}
