#!/usr/bin/env python3
"""LightGCN, NCF and CentRAP in plain loops and double precision, written from docs/non-federated.md: reads initial
values and, in the order of training, the samples of each epoch; prints the score of every user for every item before
the first epoch and after each. Samples that are not what the page says end it (test_baselines_step_by_step.c)."""
import math
import sys


def sigma(x):
    return 1 / (1 + math.exp(-x))


def dot(x, y):
    return sum(a * b for a, b in zip(x, y))


class Adam:
    """The dense one: every value moves in every step, also with a gradient of 0."""

    def __init__(self, rate):
        self.rate, self.t, self.m, self.v = rate, 0, {}, {}

    def step(self, values, gradients):
        self.t += 1
        for key in values:
            g = gradients.get(key, 0)
            m = self.m[key] = 0.9 * self.m.get(key, 0) + 0.1 * g
            v = self.v[key] = 0.999 * self.v.get(key, 0) + 0.001 * g * g
            values[key] -= self.rate * (m / (1 - 0.9**self.t)) / (math.sqrt(v / (1 - 0.999**self.t)) + 1e-8)


class Gradients(dict):
    def add(self, key, value):
        self[key] = self.get(key, 0) + value


class LightGCN:
    """f_n = Σ_k M_nk e_k with M = (1 + P + … + P^K)/(K + 1), written out as a matrix."""

    def __init__(self, settings, owned, n_items, take):
        self.d, layers = int(settings["dim"]), int(settings["layers"])
        self.pairs, self.l2, self.adam = settings["loss"] == "bpr", float(settings["l2"]), Adam(float(settings["learning_rate"]))
        self.n_users, n = len(owned), len(owned) + n_items
        edges = [(u, self.n_users + i) for u, items in enumerate(owned) for i in items]
        edges += [(i, u) for u, i in edges]
        degree = [sum(a == node for a, _ in edges) for node in range(n)]
        p = [[0.0] * n for _ in range(n)]
        for a, b in edges:
            p[a][b] = 1 / math.sqrt(degree[a] * degree[b])
        power = [[float(a == b) for b in range(n)] for a in range(n)]
        self.m = [[x / (layers + 1) for x in row] for row in power]
        for _ in range(layers):
            power = [[sum(power[a][k] * p[k][b] for k in range(n)) for b in range(n)] for a in range(n)]
            self.m = [[x + y / (layers + 1) for x, y in zip(*rows)] for rows in zip(self.m, power)]
        self.e = {(node, k): value for node in range(n) for k, value in enumerate(take(self.d))}
        self.average()

    def average(self):
        nodes = range(len(self.m))
        self.f = [[sum(self.m[a][b] * self.e[b, k] for b in nodes) for k in range(self.d)] for a in nodes]

    def score(self, user, item):
        return dot(self.f[user], self.f[self.n_users + item])

    def step(self, samples, _):
        by_f, by_e = Gradients(), Gradients()
        for user, item, label, negative in samples:
            met = [self.n_users + item] + ([self.n_users + negative] if self.pairs else [])
            if self.pairs:  # −log σ(x), x the difference of two scores: its slope is σ(x) − 1
                slope = sigma(self.score(user, item) - self.score(user, negative)) - 1
                slopes = [slope, -slope]
            else:
                slopes = [sigma(self.score(user, item)) - label]
            for node, slope in zip(met, slopes):
                for k in range(self.d):
                    by_f.add((user, k), slope * self.f[node][k] / len(samples))
                    by_f.add((node, k), slope * self.f[user][k] / len(samples))
            for node in [user] + met:
                for k in range(self.d):
                    by_e.add((node, k), self.l2 * self.e[node, k] / len(samples))
        for (a, k), slope in by_f.items():
            for b, weight in enumerate(self.m[a]):
                by_e.add((b, k), weight * slope)
        self.adam.step(self.e, by_e)
        self.average()


class Ncf:
    """A user has p for the product and p′ for the perceptron, an item q′ and q; the output layer has no relu."""

    def __init__(self, settings, owned, n_items, take):
        self.d, self.adam, self.x = int(settings["dim"]), Adam(float(settings["learning_rate"])), {}
        self.widths = [2 * self.d] + [int(width) for width in settings["layers"].split(",")] + [1]
        for u in range(len(owned)):
            self.place("p", u, take), self.place("p'", u, take)
        for i in range(n_items):
            self.place("q'", i, take), self.place("q", i, take)
        for layer, (n_in, n_out) in enumerate(zip(self.widths, self.widths[1:])):
            for o in range(n_out):
                self.x.update({("w", layer, o, k): value for k, value in enumerate(take(n_in))})
            self.x.update({("b", layer, o): value for o, value in enumerate(take(n_out))})
        self.place("h", 0, take)

    def place(self, name, which, take):
        self.x.update({(name, which, k): value for k, value in enumerate(take(self.d))})

    def forward(self, user, item):
        """Values before relu of each layer, and what goes into it."""
        x, inputs, outputs = self.x, [], []
        now = [x["p'", user, k] for k in range(self.d)] + [x["q'", item, k] for k in range(self.d)]
        for layer, width in enumerate(self.widths[1:]):
            inputs.append(now)
            outputs.append([x["b", layer, o] + sum(x["w", layer, o, k] * value for k, value in enumerate(now))
                            for o in range(width)])
            now = [max(value, 0) for value in outputs[-1]]
        product = sum(x["h", 0, k] * x["p", user, k] * x["q", item, k] for k in range(self.d))
        return inputs, outputs, product + outputs[-1][0]

    def score(self, user, item):
        return self.forward(user, item)[2]

    def step(self, samples, _):
        x, g = self.x, Gradients()
        for user, item, label, _ in samples:
            inputs, outputs, score = self.forward(user, item)
            slope = (sigma(score) - label) / len(samples)
            for k in range(self.d):
                h, p, q = ("h", 0, k), ("p", user, k), ("q", item, k)
                g.add(h, slope * x[p] * x[q])
                g.add(p, slope * x[h] * x[q])
                g.add(q, slope * x[h] * x[p])
            slopes = [slope]  # of the loss by the outputs of a layer before relu, from the last layer on
            for layer in reversed(range(len(outputs))):
                below = [0.0] * len(inputs[layer])
                for o, down in enumerate(slopes):
                    g.add(("b", layer, o), down)
                    for k, value in enumerate(inputs[layer]):
                        g.add(("w", layer, o, k), down * value)
                        below[k] += down * x["w", layer, o, k]
                if layer:
                    slopes = [down if value > 0 else 0 for down, value in zip(below, outputs[layer - 1])]
            for k in range(self.d):
                g.add(("p'", user, k), below[k])
                g.add(("q'", item, k), below[self.d + k])
        self.adam.step(x, g)


class CentRAP:
    """Gradients of all samples of a batch are taken first; then each sample moves its three vectors, and the shared one
    through the threshold."""

    def __init__(self, settings, owned, n_items, take):
        self.d = int(settings["dim"])
        self.rates = [float(settings[name]) for name in ("user_learning_rate", "learning_rate", "learning_rate")]
        self.v1, self.v2 = float(settings["lambda"]), float(settings["mu"])
        self.c = [take(self.d) for _ in range(n_items)]
        self.u = [take(self.d) for _ in owned]
        self.own = [[take(self.d) for _ in range(n_items)] for _ in owned]

    def score(self, user, item):
        return dot(self.u[user], self.own[user][item]) + dot(self.u[user], self.c[item])

    def step(self, samples, epoch):
        grows, moves = math.tanh(epoch / 10), []
        for user, item, label, _ in samples:
            u, d, c = self.u[user], self.own[user][item], self.c[item]
            slope = sigma(self.score(user, item)) - label
            moves.append([[slope * (d[k] + c[k]) for k in range(self.d)],
                          [slope * u[k] - grows * self.v1 * 2 * (d[k] - c[k]) for k in range(self.d)],
                          [slope * u[k] - grows * self.v1 * 2 * (c[k] - d[k]) for k in range(self.d)]])
        for (user, item, _, _), by in zip(samples, moves):
            for vector, rate, slopes in zip((self.u[user], self.own[user][item], self.c[item]), self.rates, by):
                for k in range(self.d):
                    vector[k] -= rate * slopes[k]
            most = self.rates[2] * grows * self.v2
            self.c[item] = [math.copysign(max(abs(x) - most, 0), x) for x in self.c[item]]


def check(samples, owned, excluded, n_items, negatives, pairs):
    """Every positive once, and with each of them negatives that differ, from outside what is excluded."""
    for u, items in enumerate(owned):
        free = [i for i in range(n_items) if i not in excluded[u]]
        drawn = [(i, label, j) for user, i, label, j in samples if user == u]
        if sorted(i for i, label, _ in drawn if label) != sorted(items):
            sys.exit(f"user {u}: not every positive once")
        others = [j for _, _, j in drawn] if pairs else [i for i, label, _ in drawn if not label]
        if len(others) != len(items) * (1 if pairs else min(negatives, len(free))):
            sys.exit(f"user {u}: another number of negatives")
        if any(i not in free or (not pairs and others.count(i) > len(items)) for i in others):
            sys.exit(f"user {u}: a negative is excluded, or twice beside one positive")


def train(words):
    def take(k):
        return [float(next(words)) for _ in range(k)]

    name, n_items, n_users, epochs, n_settings = next(words), *(int(next(words)) for _ in range(4))
    settings = {next(words): next(words) for _ in range(n_settings)}
    owned, excluded = ([[int(next(words)) for _ in range(int(next(words)))] for _ in range(n_users)] for _ in range(2))
    model = {"lightgcn": LightGCN, "ncf": Ncf, "centrap": CentRAP}[name](settings, owned, n_items, take)
    batch, pairs, seen = int(settings["batch"]), settings.get("loss") == "bpr", []
    for epoch in range(epochs + 1):
        if epoch:
            samples = [tuple(int(next(words)) for _ in range(4)) for _ in range(int(next(words)))]
            check(samples, owned, excluded, n_items, int(settings["negatives"]), pairs)
            if sorted(samples) in seen:
                sys.exit(f"epoch {epoch}: its negatives are those of an epoch before")
            seen.append(sorted(samples))
            for at in range(0, len(samples), batch):
                model.step(samples[at : at + batch], epoch)
        for u in range(n_users):
            print(*(f"{model.score(u, i):.9g}" for i in range(n_items)))


text = iter(sys.stdin.read().split())
for _ in range(int(next(text))):
    train(text)
