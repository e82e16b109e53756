"""Figures of ranked lists by their definitions, from files of interactions to summary.json: an independent program.

ranked_lists.py FILE SUMMARY TIES K... : reads user,item,value,time; leaves out value 99, keeps values from 4 on, of a pair
the newest row, the core of 3 items a user and 2 users an item; splits at the dates that the test sets.
ranked_lists.py TRAINING,VALIDATION,TEST SUMMARY TIES K... : reads user,item; a pair counts for the last file that has it, and
users without a training interaction go.

Either ranks by popularity (training counts) among all items that a user has not, and compares each figure with those of
SUMMARY, to the last digit that is written (a mean is a plain sum in the order of users, as the program's). The definitions are RecBole's (metric/metrics.py: hit, mrr, map, recall, ndcg,
precision), written out by walking down each list. With ties = mean the figures are means over all placements of equal
scores, one by one. With ties = random the places are drawn as the program says that it draws them: Philox 4x32-10 (Salmon et
al. 2011) by seed, user and part, Fisher and Yates's draws without replacement, Lemire's numbers below a bound."""
import collections
import csv
import functools
import itertools
import json
import math
import operator
import sys

VALIDATION_FROM, TEST_FROM = 600, 700
TRAINING, VALIDATION, TEST = 0, 1, 2
SEED, SCORE_TIES = 1, 92


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
    part = lambda time: (time >= VALIDATION_FROM) + (time >= TEST_FROM)
    return {pair: part(time) for pair, time in newest.items() if pair[0] in trained}, {item for _, item in newest}


def given(paths):
    parts = {}
    for part, path in enumerate(paths):
        for r in csv.DictReader(open(path)):
            parts[r["user"], r["item"]] = part
    trained = {user for (user, _), part in parts.items() if part == TRAINING}
    parts = {pair: part for pair, part in parts.items() if pair[0] in trained}
    return parts, {item for _, item in parts}


def philox(counter, key):
    """A block of four words."""
    c, k = list(counter), list(key)
    for _ in range(10):
        a, b = 0xD2511F53 * c[0], 0xCD9E8D57 * c[2]
        c = [b >> 32 ^ c[1] ^ k[0], b & 0xFFFFFFFF, a >> 32 ^ c[3] ^ k[1], a & 0xFFFFFFFF]
        k = [k[0] + 0x9E3779B9 & 0xFFFFFFFF, k[1] + 0xBB67AE85 & 0xFFFFFFFF]
    return c


def words(user, part):
    for block in itertools.count():
        yield from philox((block, user, part, SCORE_TIES << 24), (SEED, 0))


def below(stream, n):
    while True:
        product = next(stream) * n
        if product & 0xFFFFFFFF >= (2**32 - n) % n:
            return product >> 32


def drawn(stream, n, k):
    places = list(range(n))
    for i in range(k):
        j = i + below(stream, n - i)
        places[i], places[j] = places[j], places[i]
    return set(places[:k])


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


def lists(held_out, candidates, score, ties, stream):
    """Every list that the rule of ties allows, all equally likely."""
    of = lambda items, value: sum(score[i] == value for i in items)
    scores = sorted({score[i] for i in held_out | candidates}, reverse=True)
    groups = [(of(held_out, v), of(candidates, v)) for v in scores]
    if ties == "random":  # a draw for each score that both have, in the order of the held-out items
        places = {v: set(range(n)) for v, (n, _) in zip(scores, groups)}
        for v in dict.fromkeys(score[i] for i in sorted(held_out)):
            n, c = groups[scores.index(v)]
            if c > 0:
                places[v] = drawn(stream, n + c, n)
        return [[i in places[v] for v, (n, c) in zip(scores, groups) for i in range(n + c)]]
    if ties == "against":
        return [[hit for n, c in groups for hit in [False] * c + [True] * n]]
    places = []
    for n, c in groups:
        places.append([[i in chosen for i in range(n + c)] for chosen in itertools.combinations(range(n + c), n)])
    return [list(itertools.chain(*one)) for one in itertools.product(*places)]


def figures(held_out, candidates, score, ties, ks, stream):
    every = lists(held_out, candidates, score, ties, stream)
    result = {}
    for k in ks:
        walks = [walked(hits, len(held_out), k) for hits in every]
        for name in walks[0]:
            result[f"{name}@{k}"] = math.fsum(w[name] for w in walks) / len(walks)
    ahead = math.fsum(not hits[c] for hits in every for h in range(len(hits)) if hits[h] for c in range(h, len(hits)))
    if candidates:
        result["auc"] = ahead / len(every) / (len(held_out) * len(candidates))
    return result


def main(path, summary, ties, *ks):
    known, all_items = given(path.split(",")) if "," in path else interactions(path)
    ks = [int(k) for k in ks]
    users = {user: i for i, user in enumerate(sorted({user for user, _ in known}))}
    score = collections.Counter(item for (_, item), part in known.items() if part == TRAINING)
    own = collections.defaultdict(set)
    for user, item in known:
        own[user].add(item)
    expected = {}
    for prefix, part in (("", TEST), ("validation_", VALIDATION)):
        held = collections.defaultdict(set)
        for (user, item), of in known.items():
            if of == part:
                held[user].add(item)
        sums = collections.defaultdict(list)
        for user in sorted(held):
            stream = words(users[user], int(part == VALIDATION))
            for name, value in figures(held[user], all_items - own[user], score, ties, ks, stream).items():
                sums[prefix + name].append(value)
        expected.update({name: functools.reduce(operator.add, values) / len(values) for name, values in sums.items()})
        print(f"{ties}: {prefix or 'test_'}items of {len(held)} users, {sum(map(len, held.values()))} in all")
    found = json.load(open(summary))["non_federated"]["popularity"]
    last = 2e-15 if ties == "mean" else 0  # a mean by formula is not summed in the order of this program
    wrong = [f"{name}: {found.get(name)} is not {value:.15g}" for name, value in expected.items()
             if name not in found or (f"{found[name]:.15g}" != f"{value:.15g}" and abs(found[name] - value) > last)]
    if wrong or len(expected) != len(found):
        sys.exit("\n".join(wrong) or f"{sorted(set(found) ^ set(expected))} are only in one of both")


main(*sys.argv[1:])
