#!/usr/bin/env python3
"""PTF-FedRec in plain loops and double precision, written from its equations: reads sizes, items and first values,
and prints the server's averaged vectors and the clients' vectors after all rounds. Every client takes part in
every round, trains on all its samples at once and sends the scores of all items it has trained on
(test_ptf_fedrec.c)."""
import math
import sys


def sigma(x):
    return 1 / (1 + math.exp(-x))


class Adam:
    def __init__(self, rate):
        self.rate, self.t, self.m, self.v = rate, 0, {}, {}

    def step(self, values, gradients):
        self.t += 1
        for key, g in gradients.items():
            m = self.m[key] = 0.9 * self.m.get(key, 0) + 0.1 * g
            v = self.v[key] = 0.999 * self.v.get(key, 0) + 0.001 * g * g
            m, v = m / (1 - 0.9**self.t), v / (1 - 0.999**self.t)
            values[key] -= self.rate * m / (math.sqrt(v) + 1e-8)


def main():
    words = iter(sys.stdin.read().split())
    n, m, d, h, sd, layers, rounds, epochs, server_epochs, sent = (int(next(words)) for _ in range(10))
    swap = float(next(words))

    def take(k):
        return [float(next(words)) for _ in range(k)]

    clients = []
    start = take(m * d)
    for _ in range(n):
        own = [int(next(words)) for _ in range(int(next(words)))]
        others = [int(next(words)) for _ in range(int(next(words)))]
        x = {("q", i, k): start[i * d + k] for i in range(m) for k in range(d)}
        x.update({("p", k): value for k, value in enumerate(take(d))})
        for o in range(h):
            x.update({("w", o, k): value for k, value in enumerate(take(2 * d))})
        x.update({("b", o): value for o, value in enumerate(take(h))})
        x.update({("out", o): value for o, value in enumerate(take(h))})
        x["bias"] = next(iter(take(1)))
        clients.append((own, others, x))
    e = {(node, k): 0 for node in range(n + m) for k in range(sd)}
    for node in range(n + m):
        for k, value in enumerate(take(sd)):
            e[node, k] = value
    adam, arrived, known, knowledge = Adam(0.001), [0] * m, [{} for _ in range(n)], [[] for _ in range(n)]

    def forward(x, i):
        inputs = [x["p", k] for k in range(d)] + [x["q", i, k] for k in range(d)]
        before = [x["b", o] + sum(x["w", o, k] * inputs[k] for k in range(2 * d)) for o in range(h)]
        hidden = [max(value, 0) for value in before]
        return inputs, before, hidden, sigma(x["bias"] + sum(x["out", o] * hidden[o] for o in range(h)))

    def train_client(x, samples):
        local = Adam(0.01)
        for _ in range(epochs):
            g = dict.fromkeys([key for key in x if key[0] != "q" or key[1] in [i for i, _ in samples]], 0)
            for i, target in samples:
                inputs, before, hidden, y = forward(x, i)
                slope = (y - target) / len(samples)
                g["bias"] += slope
                for o in range(h):
                    g["out", o] += slope * hidden[o]
                    if before[o] <= 0:
                        continue
                    down = slope * x["out", o]
                    g["b", o] += down
                    for k in range(2 * d):
                        g["w", o, k] += down * inputs[k]
                        g[("p", k) if k < d else ("q", i, k - d)] += down * x["w", o, k]
            local.step(x, g)

    def mean(values, edges):
        total, now = dict(values), values
        for _ in range(layers):
            after = dict.fromkeys(values, 0)
            for u, i, weight in edges:
                for k in range(sd):
                    after[u, k] += weight * now[i, k]
                    after[i, k] += weight * now[u, k]
            now = after
            total = {key: total[key] + now[key] for key in total}
        return {key: value / (layers + 1) for key, value in total.items()}

    f = mean(e, [])
    for _ in range(rounds):
        scores = []
        for u, (own, others, x) in enumerate(clients):
            known[u].update({i: y for i, y in knowledge[u] if i not in own})
            samples = [(i, 1) for i in own] + [(i, 0) for i in others for _ in own] + list(known[u].items())
            train_client(x, samples)
            rest = sorted(set(others) | set(known[u]))
            told = {i: forward(x, i)[3] for i in own + rest}
            first, second = (sorted(part, key=lambda i: (-told[i], i)) for part in (own, rest))
            for a, b in list(zip(first, second))[: max(int(swap * len(own)), 1) if swap else 0]:
                told[a], told[b] = told[b], told[a]
            scores += [(u, i, y) for i, y in sorted(told.items())]
        users = [sum(y for u, _, y in scores if u == v) for v in range(n)]
        items = [sum(y for _, i, y in scores if i == j) for j in range(m)]
        edges = [(u, n + i, y / math.sqrt(users[u] * items[i])) for u, i, y in scores]
        for _ in range(server_epochs):
            f, slopes = mean(e, edges), dict.fromkeys(e, 0)
            for u, i, y in scores:
                error = (sigma(sum(f[u, k] * f[n + i, k] for k in range(sd))) - y) / len(scores)
                for k in range(sd):
                    slopes[u, k] += error * f[n + i, k]
                    slopes[n + i, k] += error * f[u, k]
            adam.step(e, mean(slopes, edges))
        f = mean(e, edges)
        for _, i, _ in scores:
            arrived[i] += 1
        for u, (own, _, _) in enumerate(clients):
            rated = {i for v, i, _ in scores if v == u}
            guess = [sigma(sum(f[u, k] * f[n + i, k] for k in range(sd))) for i in range(m)]
            frequent = [i for i in sorted(range(m), key=lambda i: (-arrived[i], i)) if i not in rated]
            frequent = frequent[: (sent + 1) // 2]
            hard = sorted(range(m), key=lambda i: (-guess[i], i))[:sent]
            hard = [i for i in hard if i not in rated and i not in frequent][: sent // 2]
            knowledge[u] = [(i, guess[i]) for i in frequent + hard][: len(own)]
    for key in sorted(f):
        print(f"{f[key]:.6f}")
    for _, _, x in clients:
        for k in range(d):
            print(f"{x['p', k]:.6f}")
    for u in range(n):
        for i, y in knowledge[u]:
            print(f"{i} {y:.6f}")


main()
