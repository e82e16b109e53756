# What the tables of the plane keep of a sweep: awk -v seed=N -f results.awk points.csv [points.csv of the second target]. Lines of
# search.tsv where the sweep has one environment and several settings; of results.tsv with a second target; the baselines of a seed
# otherwise. Without input: the heading of results.tsv.

BEGIN { FS = "," }

FNR == 1 {
    files++
    for (i = 1; i <= NF; i++) at[files, $i] = i
    next
}
function of(name) { return (files, name) in at ? $at[files, name] : "" }
{
    key = of("point")
    first = files == 1
    if (first) {
        points[++n] = key
        method[key] = of("method"); settings[key] = of("settings"); network[key] = of("network.preset"); loss[key] = of("loss")
        hr[key] = of("hr@10"); ndcg[key] = of("ndcg@10"); validation[key] = of("validation_hr@10")
        participations = of("participations")
        up[key] = of("bytes.up") / participations; down[key] = of("bytes.down") / participations
        rounds[key] = of("rounds_to_target"); seconds[key] = of("time_to_target_s"); simulated[key] = of("simulated_s")
        popularity[key] = of("non_federated.popularity.hr@10"); central[key] = of("non_federated.centralised_mf.hr@10")
        popularity_ndcg[key] = of("non_federated.popularity.ndcg@10"); central_ndcg[key] = of("non_federated.centralised_mf.ndcg@10")
        popularity_validation[key] = of("non_federated.popularity.validation_hr@10")
        central_validation[key] = of("non_federated.centralised_mf.validation_hr@10")
    } else { rounds2[key] = of("rounds_to_target"); seconds2[key] = of("time_to_target_s") }
}
function baseline(name, hr, ndcg, validation) {
    printf "baselines\t%d\t%s\t-\t-\t%.6g\t%.6g\t%.6g\t-\t-\t-\t-\t-\t-\t-\n", seed, name, hr, ndcg, validation
}
END {
    if (n == 0) print "method\tseed\tsettings\tnetwork\tloss\thr\tndcg\tvalidation_hr\tup_bytes\tdown_bytes\trounds_1\tseconds_1\trounds_2\tseconds_2\tsimulated_s"
    for (i = 1; i <= n; i++) {
        key = points[i]
        if (method[key] == "") {
            baseline("popularity", popularity[key], popularity_ndcg[key], popularity_validation[key])
            baseline("centralised MF", central[key], central_ndcg[key], central_validation[key])
        } else if (files == 1) printf "%s\t%s\t%d\t%.6g\n", method[key], settings[key], seed, validation[key]
        else
            printf "%s\t%d\t%s\t%s\t%s\t%.6g\t%.6g\t%.6g\t%.0f\t%.0f\t%s\t%s\t%s\t%s\t%.6g\n", method[key], seed, settings[key], network[key], loss[key], hr[key],
                ndcg[key], validation[key], up[key], down[key], rounds[key], seconds[key] == "inf" ? "inf" : sprintf("%.6g", seconds[key]), rounds2[key],
                seconds2[key] == "inf" ? "inf" : sprintf("%.6g", seconds2[key]), simulated[key]
    }
}
