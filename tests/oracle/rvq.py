#!/usr/bin/env python3
"""Reads messages of the codec rvq by docs/messages.md and recomputes what is in them (test_rvq.c). Each line has the
number of rows, dim, the message in hex and the rows that were sent; prints the decoded rows, or what is wrong."""
import math
import struct
import sys


def bits_at(data, first, n):
    return sum((data[(first + i) // 8] >> (first + i) % 8 & 1) << i for i in range(n))


def read(n_rows, dim, data, sent):
    n, form = struct.unpack_from("<IB", data)
    at = 5 + (4 * n if form == 0 else (n_rows + 7) // 8)
    levels, at = data[at], at + 1
    if levels == 0:
        return [list(struct.unpack_from(f"<{dim}f", data, at + 4 * dim * i)) for i in range(n)], []
    rows, errors = [[0.0] * dim for _ in range(n)], []
    for level in range(levels):
        codes = struct.unpack_from("<I", data, at)[0]
        bits = math.ceil(math.log2(codes))
        ids = [bits_at(data[at + 4 :], i * bits, bits) for i in range(n)]
        at += 4 + (n * bits + 7) // 8
        book = [struct.unpack_from(f"<{dim}f", data, at + 4 * dim * c) for c in range(codes)]
        at += 4 * codes * dim
        rest = [[s - r for s, r in zip(sent[i], rows[i])] for i in range(n)]
        for c in range(codes):
            members = [rest[i] for i in range(n) if ids[i] == c]
            mean = [sum(m[k] for m in members) / len(members) for k in range(dim)]
            if any(abs(a - b) > 1e-4 for a, b in zip(mean, book[c])):
                sys.exit(f"level {level}: code {c} is not the mean of what is left of its rows")
        rows = [[r + b for r, b in zip(rows[i], book[ids[i]])] for i in range(n)]
        errors.append(sum((s - r) ** 2 for a, b in zip(sent, rows) for s, r in zip(a, b)))
    if at != len(data):
        sys.exit("the message has another length")
    if any(b > a for a, b in zip(errors, errors[1:])):
        sys.exit("a level makes it worse")
    return rows, errors


for line in sys.stdin:
    n_rows, dim, text, *values = line.split()
    dim, values = int(dim), [float(v) for v in values]
    sent = [values[i : i + dim] for i in range(0, len(values), dim)]
    rows, _ = read(int(n_rows), dim, bytes.fromhex(text), sent)
    print(*(f"{v:.4f}" for row in rows for v in row))
