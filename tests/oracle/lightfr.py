#!/usr/bin/env python3
"""LightFR in plain loops, written from its equations: reads sizes, ratings and the first codes, and prints the
codes after all rounds. Every client takes part in every round; nothing is lost (test_lightfr.c)."""
import sys

LAMBDA = 0.6


def sign(value, before):
    return before if value == 0 else (1 if value > 0 else -1)


def main():
    lines = iter(sys.stdin.read().split("\n"))
    n, m, f, at_once, step_rounds, inertia_of, rounds = next(lines).split()
    n, m, f, at_once, step_rounds, rounds = (int(x) for x in (n, m, f, at_once, step_rounds, rounds))
    ratings, users, solved = [], [], [False] * n
    for _ in range(n):
        row = next(lines).split()
        ratings.append({int(row[1 + 2 * i]): float(row[2 + 2 * i]) for i in range(int(row[0]))})
        users.append([int(x) for x in next(lines).split()])
    flat = [int(x) for x in next(lines).split()]
    items = [flat[i * f : (i + 1) * f] for i in range(m)]

    def without(u, i, k):
        target = 2 * f * (ratings[u][i] - 1) / 4 - f
        return target - sum(users[u][j] * items[i][j] for j in range(f) if j != k)

    for t in range(rounds):
        for u in range(n):
            if not ratings[u] or (solved[u] and t % step_rounds):
                continue
            solved[u] = True
            flipped = True
            while flipped:
                flipped = False
                for k in range(f):
                    total = sum(without(u, i, k) * items[i][k] for i in ratings[u])
                    new = sign(total + 2 * LAMBDA * len(ratings[u]) * users[u][k], users[u][k])
                    flipped = flipped or new != users[u][k]
                    users[u][k] = new
        first = t * at_once % f
        new_items = [row[:] for row in items]
        for i in range(m):
            raters = [u for u in range(n) if i in ratings[u]]
            for k in range(first, first + at_once):
                total = sum(without(u, i, k) * users[u][k] for u in raters)
                hold = (n if inertia_of == "uploads" else len(raters)) if raters else 0
                new_items[i][k] = sign(total + hold * items[i][k], items[i][k])
        items = new_items
    for row in users:
        print(*row)
    print(*(x for row in items for x in row))


main()
