"""Figures of ranked lists by their definitions, from a file of interactions to summary.json: an independent program.

ranked_lists.py FILE SUMMARY TIES K... : reads user,item,value,time; leaves out value 99, keeps values from 4 on, of a pair
the newest row, the core of 3 items a user and 2 users an item; splits at the dates that the test sets; ranks by popularity
(training counts) among all items that a user has not; and compares each figure with those of SUMMARY, to the last digit
that is written. The definitions are RecBole's (metric/metrics.py: hit, mrr, map, recall, ndcg, precision), written out by
walking down each list. With ties = mean the figures are means over all placements of equal scores, one by one."""
import collections
import csv
import itertools
import json
import math
import sys

VALIDATION_FROM, TEST_FROM = 600, 700


def interactions(path):
    rows = [(r["user"], r["item"], float(r["value"]), int(r["time"])) for r in csv.DictReader(open(path))]
    newest = {}
    for user, item, value, time in rows:
        if value == 99 or value < 4:
            continue
        if (user, item) not in newest or time >= newest[user, item]:
            newest[user, item] = time
    while True:
        users = collections.Counter(user for user, _ in newest)
        items = collections.Counter(item for _, item in newest)
        kept = {p: t for p, t in newest.items() if users[p[0]] >= 3 and items[p[1]] >= 2}
        if len(kept) == len(newest):
            break
        newest = kept
    trained = {user for (user, _), time in newest.items() if time < VALIDATION_FROM}
    return {pair: time for pair, time in newest.items() if pair[0] in trained}, {item for _, item in newest}


def gain(place):
    return 1 / math.log2(place + 1)


def walked(hits, m, k):
    """Of one list: hits says of each place whether a held-out item is there."""
    found, ap, dcg, first = 0, 0.0, 0.0, 0.0
    for place, hit in enumerate(hits[:k], 1):
        if hit:
            found += 1
            ap += found / place
            dcg += gain(place)
            first = first or 1 / place
    ideal = sum(gain(place) for place in range(1, min(m, k) + 1))
    return {"hr": float(found > 0), "recall": found / m, "precision": found / k, "mrr": first,
            "map": ap / min(m, k), "ndcg": dcg / ideal}


def lists(held_out, candidates, score, ties):
    """Every list that the rule of ties allows, all equally likely."""
    of = lambda items, value: sum(score[i] == value for i in items)
    groups = [(of(held_out, v), of(candidates, v)) for v in sorted({score[i] for i in held_out | candidates}, reverse=True)]
    if ties == "against":
        return [[hit for n, c in groups for hit in [False] * c + [True] * n]]
    places = []
    for n, c in groups:
        places.append([[i in chosen for i in range(n + c)] for chosen in itertools.combinations(range(n + c), n)])
    return [list(itertools.chain(*one)) for one in itertools.product(*places)]


def figures(held_out, candidates, score, ties, ks):
    every = lists(held_out, candidates, score, ties)
    result = {}
    for k in ks:
        walks = [walked(hits, len(held_out), k) for hits in every]
        for name in walks[0]:
            result[f"{name}@{k}"] = math.fsum(w[name] for w in walks) / len(walks)
    tied = 0.5 if ties == "mean" else 0.0
    ahead = sum((score[h] > score[c]) + tied * (score[h] == score[c]) for h in held_out for c in candidates)
    if candidates:
        result["auc"] = ahead / (len(held_out) * len(candidates))
    return result


def main(path, summary, ties, *ks):
    known, all_items = interactions(path)
    ks = [int(k) for k in ks]
    score = collections.Counter(item for (_, item), time in known.items() if time < VALIDATION_FROM)
    own = collections.defaultdict(set)
    for user, item in known:
        own[user].add(item)
    expected = {}
    for prefix, part in (("", lambda t: t >= TEST_FROM), ("validation_", lambda t: VALIDATION_FROM <= t < TEST_FROM)):
        held = collections.defaultdict(set)
        for (user, item), time in known.items():
            if part(time):
                held[user].add(item)
        sums = collections.defaultdict(list)
        for user in held:
            for name, value in figures(held[user], all_items - own[user], score, ties, ks).items():
                sums[prefix + name].append(value)
        expected.update({name: math.fsum(values) / len(values) for name, values in sums.items()})
        print(f"{ties}: {prefix or 'test_'}items of {len(held)} users, {sum(map(len, held.values()))} in all")
    found = json.load(open(summary))["non_federated"]["popularity"]
    last = 0 if ties == "against" else 2e-15  # a mean by formula is not summed in the order of this program
    wrong = [f"{name}: {found.get(name)} is not {value:.15g}" for name, value in expected.items()
             if name not in found or (f"{found[name]:.15g}" != f"{value:.15g}" and abs(found[name] - value) > last)]
    if wrong or len(expected) != len(found):
        sys.exit("\n".join(wrong) or f"{sorted(set(found) ^ set(expected))} are only in one of both")


main(*sys.argv[1:])
