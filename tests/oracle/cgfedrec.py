#!/usr/bin/env python3
"""A round of CGFedRec's clients in plain loops and double precision, written from its equations: reads sizes, items,
the tables and labels that clients have, and prints tables, heads and the mean table. Every client takes one batch of
all its samples, as often as there are epochs; all items are anchors (test_cgfedrec.c)."""
import math
import sys

RATE, FACTOR, CONTRAST, TAU, BASE = 0.1, 0.8, 0.5, 0.1, 0.5


def dot(a, b):
    return sum(x * y for x, y in zip(a, b))


def loss_of(table, labels):
    """The contrast itself: its gradient is taken below by central differences of this function."""
    units = [[x / math.sqrt(dot(row, row)) for x in row] for row in table]
    total = 0
    for a, label in enumerate(labels):
        same = [p for p, other in enumerate(labels) if other == label and p != a]
        if same:
            rest = math.log(sum(math.exp(dot(units[a], z) / TAU) for j, z in enumerate(units) if j != a))
            total += sum(dot(units[a], units[p]) / TAU - rest for p in same) / len(same)
    return -TAU / BASE * total / len(labels)


def differences(table, labels, h=1e-6):
    slopes = [[0.0] * len(row) for row in table]
    for i, row in enumerate(table):
        for k, x in enumerate(row):
            values = []
            for y in (x + h, x - h):
                row[k] = y
                values.append(loss_of(table, labels))
            row[k] = x
            slopes[i][k] = (values[0] - values[1]) / (2 * h)
    return slopes


def main():
    words = iter(sys.stdin.read().split())
    n, m, d, epochs = (int(next(words)) for _ in range(4))
    labels = [int(next(words)) for _ in range(m)]
    mean = [[0.0] * d for _ in range(m)]
    for _ in range(n):
        own = [int(next(words)) for _ in range(int(next(words)))]
        others = [int(next(words)) for _ in range(int(next(words)))]
        head = [float(next(words)) for _ in range(d + 1)]
        table = [[float(next(words)) for _ in range(d)] for _ in range(m)]
        samples = [(i, 1) for i in own] + [(i, 0) for i in others for _ in own]

        def errors():
            return [(i, (1 / (1 + math.exp(-dot(head, table[i]) - head[d])) - y) / len(samples)) for i, y in samples]

        for _ in range(epochs):
            slopes = [0.0] * (d + 1)
            for i, error in errors():
                for k in range(d):
                    slopes[k] += error * table[i][k]
                slopes[d] += error
            head = [w - RATE * g for w, g in zip(head, slopes)]
            moves = [[0.0] * d for _ in range(m)]
            if len(set(labels)) > 1:
                moves = [[CONTRAST * g for g in row] for row in differences(table, labels)]
            for i, error in errors():
                for k in range(d):
                    moves[i][k] += error * head[k]
            for i in range(m):
                table[i] = [x - RATE * m * FACTOR * g for x, g in zip(table[i], moves[i])]
        print(*(f"{x:.7f}" for x in head))
        for i, row in enumerate(table):
            print(*(f"{x:.7f}" for x in row))
            mean[i] = [a + b / n for a, b in zip(mean[i], row)]
    for row in mean:
        print(*(f"{x:.7f}" for x in row))


main()
