#!/usr/bin/env python3
"""SemiDFEGL in plain loops and double precision, written from docs/methods/semidfegl.md: the graph of a group is
walked edge by edge, and gradients go back along the same edges. Reads sizes, items and first values; prints the
server's item vectors, and what each client trains and predicts with, after all rounds. All clients are one group and
take part in every round (test_semidfegl.c)."""
import math
import sys


def walk(p, own, common, layers, size, others):
    """Layers of one client: its vector u, its copies y of own items, and common items x, whose other neighbours are
    the vectors `others` of each layer (None: no group)."""
    d = len(p)
    degree = len(own) + len(common)
    a, b = 1 / math.sqrt(degree), 1 / math.sqrt(size) if size else 0
    us, ys, xs = [p], [own], [common]
    for layer in range(layers):
        u, y, x = us[-1], ys[-1], xs[-1]
        us.append([a * (sum(e[k] for e in y) + b * sum(e[k] for e in x)) for k in range(d)])
        ys.append([[a * u[k] for k in range(d)] for _ in own])
        xs.append([[b * a * u[k] + (others[layer][k] if others else 0) for k in range(d)] for _ in common])
    return a, b, us, ys, xs


def mean(vectors):
    return [sum(v[k] for v in vectors) / len(vectors) for k in range(len(vectors[0]))]


def main():
    words = iter(sys.stdin.read().split())
    n, m, d, layers, rounds, epochs, n_common, n_returned, own_edge, rates = (int(next(words)) for _ in range(10))
    rate, decay = float(next(words)), float(next(words))
    meets = int(next(words))  # clients send their layers themselves, in every round but the first
    unheard = {tuple(int(next(words)) for _ in range(3)) for _ in range(int(next(words)))}  # layer, sender, receiver

    def take(k):
        return [float(next(words)) for _ in range(k)]

    start = [take(d) for _ in range(m)]
    items = [take(d) for _ in range(m)]
    clients = []
    for _ in range(n):
        own = [int(next(words)) for _ in range(int(next(words)))]
        ratings = take(len(own))
        others = [int(next(words)) for _ in range(int(next(words)))]
        clients.append({"own": own, "ratings": ratings, "others": others, "p": take(d), "group": None,
                        "rows": {i: list(start[i]) for i in own + ([] if rates else others)}})

    def train(client):
        own, rows, group = client["own"], client["rows"], client["group"]
        common, shared, size, adds = [], [], 0, None
        if group:
            for i, vector in group["returned"] + group["common"]:
                if i in rows:
                    rows[i] = list(vector)
            shared, size, adds = [i for i, _ in group["common"]], group["size"], group["others"]
            common = [list(vector) for _, vector in group["common"]]
        middle = sum(client["ratings"]) / len(own)
        samples = [(i, r - middle) for i, r in zip(own, client["ratings"])]
        if not rates:
            samples = [(i, 1) for i in own] + [(i, 0) for _ in own for i in client["others"]]
        moments, t = {}, 0
        for _ in range(epochs):
            a, b, us, ys, xs = walk(client["p"], [rows[i] for i in own], common, layers, size, adds)
            f, g_f, g = mean(us), [0] * d, {(i, k): 0.0 for i in rows for k in range(d)}
            up_y, up_x = [0] * d, [0] * d  # of a layer's copy of an own and of a common item, over all samples
            for i, target in samples:
                vector = [rows[i][k] / (layers + 1) for k in range(d)]
                if own_edge and i in own:
                    vector = [vector[k] + sum(y[own.index(i)][k] for y in ys[1:]) / (layers + 1) for k in range(d)]
                if i in shared:
                    vector = [vector[k] + sum(x[shared.index(i)][k] for x in xs[1:]) / (layers + 1) for k in range(d)]
                score = sum(f[k] * vector[k] for k in range(d))
                slope = 2 * (score - target) if rates else 1 / (1 + math.exp(-score)) - target
                slope /= len(samples)
                for k in range(d):
                    g_f[k] += slope * vector[k]
                    g[i, k] += slope * f[k] / (layers + 1)
                    up_y[k] += slope * f[k] / (layers + 1) if own_edge and i in own else 0
                    up_x[k] += slope * f[k] / (layers + 1) if i in shared else 0
            # up_y and up_x are sums over items of the gradients of y^l and x^l, the same for each l ≥ 1
            for k in range(d):
                back = [g_f[k] / (layers + 1)] * (layers + 1)  # of u^l so far
                for layer in range(layers, 0, -1):
                    later = back[layer + 1] if layer < layers else 0
                    back[layer - 1] += a * (up_y[k] + len(own) * a * later)
                    back[layer - 1] += a * b * (up_x[k] + len(common) * a * b * later)
                for i in own:
                    g[i, k] += a * back[1] if layers else 0
                g["p", k] = back[0]
            t += 1
            for key, slope in g.items():
                vector = client["p"] if key[0] == "p" else rows[key[0]]
                slope += decay * vector[key[1]]
                first, second = moments.get(key, (0, 0))
                first, second = 0.9 * first + 0.1 * slope, 0.999 * second + 0.001 * slope * slope
                moments[key] = first, second
                vector[key[1]] -= (rate * first / (1 - 0.9**t)) / (math.sqrt(second / (1 - 0.999**t)) + 1e-8)
        _, _, us, _, xs = walk(client["p"], [rows[i] for i in own], common, layers, size, adds)
        client["f"] = mean(us)
        # without a group a common item would have the client alone, with a weight of 0
        client["common"] = [sum(x[0][k] for x in xs[1:]) / (layers + 1) for k in range(d)] if common else [0] * d

    def spread():
        """What others add, layer by layer, over the whole group at once."""
        centre = mean([client["p"] for client in clients])
        order = sorted(range(m), key=lambda i: (-sum(centre[k] * items[i][k] for k in range(d)), i))
        shared = sorted(order[:n_common])
        b = 1 / math.sqrt(n)
        state = [{"u": client["p"], "y": [client["rows"][i] for i in client["own"]],
                  "a": 1 / math.sqrt(len(client["own"]) + n_common)} for client in clients]
        x, adds = [items[i] for i in shared], [[] for _ in clients]
        for _ in range(layers):
            sends = [[v["a"] * value for value in v["u"]] for v in state]
            for v, sent in zip(state, sends):
                v["u"] = [v["a"] * (sum(e[k] for e in v["y"]) + b * sum(e[k] for e in x)) for k in range(d)]
                v["y"] = [sent for _ in v["y"]]
            for who, add in enumerate(adds):
                add.append([b * sum(s[k] for other, s in enumerate(sends) if other != who) for k in range(d)])
            x = [[b * sum(s[k] for s in sends) for k in range(d)] for _ in shared]
        return shared, adds

    def meet():
        """The same as `spread`, by what each client hears of the others before it trains."""
        b = 1 / math.sqrt(n)
        state = []
        for client in clients:
            rows = {**client["rows"], **dict(client["group"]["returned"]), **dict(client["group"]["common"])}
            state.append({"u": client["p"], "y": [rows[i] for i in client["own"]],
                          "x": [vector for _, vector in client["group"]["common"]],
                          "a": 1 / math.sqrt(len(client["own"]) + n_common)})
            client["group"]["others"] = []
        for layer in range(layers):
            sends = [[v["a"] * value for value in v["u"]] for v in state]
            for who, (v, client) in enumerate(zip(state, clients)):
                heard = [s for other, s in enumerate(sends) if other != who and (layer, other, who) not in unheard]
                add = [b * sum(s[k] for s in heard) for k in range(d)]
                v["u"] = [v["a"] * (sum(e[k] for e in v["y"]) + b * sum(e[k] for e in v["x"])) for k in range(d)]
                v["y"] = [sends[who] for _ in v["y"]]
                v["x"] = [[add[k] + b * sends[who][k] for k in range(d)] for _ in v["x"]]
                client["group"]["others"].append(add)

    for number in range(rounds):
        if meets and number > 0:
            meet()
        for client in clients:
            train(client)
        for i in range(m):
            sent = [client["rows"][i] for client in clients if i in client["rows"]]
            items[i] = mean(sent) if sent else items[i]
        shared, adds = spread()
        for client, add in zip(clients, adds):
            sent = sorted(client["rows"])
            many = min(n_returned, len(sent))
            first = number * many % len(sent) if len(sent) > many else 0
            back = [sent[(first + i) % len(sent)] for i in range(many)]
            client["group"] = {"common": [(i, items[i]) for i in shared], "returned": [(i, items[i]) for i in back],
                               "size": n, "others": add}
    for vector in items + [client[part] for client in clients for part in ("p", "f", "common")]:
        print(" ".join(f"{value:.9g}" for value in vector))


main()
