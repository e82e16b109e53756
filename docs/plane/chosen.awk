# Which settings of a method the search prefers: awk -f chosen.awk methods.tsv search.tsv. With -v list=1 a line for each method: its name,
# the settings, what an axis says of them, their mean HR@10 on validation items, and the number of seeds. Only seeds count on which all
# settings of the method have been tried; without any it is the first that is named, and the number is 0.

BEGIN { FS = "\t" }

FILENAME == ARGV[1] {
    if (FNR == 1) next
    methods[++n_methods] = $1; messages[$1] = $2; chosen_by[$1] = $3; tried[$1] = $4
    next
}
FILENAME == ARGV[2] {
    if (FNR > 1) { searched[$1, $2, $3] = $4; if (!($3 in of_search)) { of_search[$3] = 1; search_seeds[++n_search] = $3 } }
    next
}

# Sets chosen, chosen_level, chosen_mean and chosen_seeds.
function choose(method, levels, n, i, j, k, name, sum, all) {
    if (tried[method] ~ /^as /) { choose(substr(tried[method], 4)); return }
    n = split(tried[method], levels, / \| /)
    chosen = chosen_level = levels[1]; chosen_mean = chosen_seeds = 0
    sub(/:.*/, "", chosen)
    for (j = 1; j <= n_search; j++) {
        all = 1
        for (i = 1; i <= n; i++) { name = levels[i]; sub(/:.*/, "", name); if (!((method, name, search_seeds[j]) in searched)) all = 0 }
        if (all && n > 1) complete[++chosen_seeds] = search_seeds[j]
    }
    for (i = 1; chosen_seeds > 0 && i <= n; i++) {
        name = levels[i]; sub(/:.*/, "", name); sum = 0
        for (k = 1; k <= chosen_seeds; k++) sum += searched[method, name, complete[k]]
        if (sum / chosen_seeds > chosen_mean) { chosen = name; chosen_level = levels[i]; chosen_mean = sum / chosen_seeds }
    }
}

END {
    for (m = 1; list && m <= n_methods; m++) {
        choose(methods[m])
        printf "%s\t%s\t%s\t%.4f\t%d\n", methods[m], chosen, chosen_level, chosen_mean, chosen_seeds
    }
}
