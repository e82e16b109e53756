"""Random scenarios with edges, run and then computed again by a program that shares no code with the simulator.

    edges_replayed.py PROGRAM FIRST COUNT

A scenario has clients that belong to edges in turn, waits for all or until a deadline, and may lose some. The run's events tell only
what a client's own link could carry, its latency, and when a connection broke; when every message begins
and ends follows from docs/topologies.md: links that are shared max-min, stored and forwarded messages, one at a time over each
backhaul, edges that add, several times for one aggregation at the server, and do not wait for a client that is known to be lost.
"""
import csv
import json
import math
import os
import random
import shutil
import subprocess
import sys

INFINITY = math.inf
COMPUTE_S = 0.2


class Link:
    """A link that flows share max-min fairly, each bounded by a capacity of its own."""

    def __init__(self, capacity):
        self.capacity, self.flows = capacity, {}

    def rates(self):
        rates, left, rest = {}, self.capacity, sorted(self.flows, key=lambda flow: self.flows[flow][1])
        for i, flow in enumerate(rest):
            own = self.flows[flow][1]
            rates[flow] = min(own, left / (len(rest) - i)) if left < INFINITY else own
            left -= rates[flow]
        return rates


class World:
    """Time passes from one end of a flow or timer to the next."""

    def __init__(self):
        self.now, self.timers, self.links, self.count, self.crossed = 0.0, [], [], 0, {}

    def link(self, capacity):
        self.links.append(Link(capacity))
        return self.links[-1]

    def at(self, time, what):
        self.count += 1
        self.timers.append((time, self.count, what))

    def send(self, link, size, own, done, name, breaks=None):
        """breaks: the time at which it breaks off, and what follows then."""
        if breaks and breaks[0] <= self.now + 1e-12 * (1 + self.now):
            self.crossed[name] = 0
            self.at(self.now, breaks[1])
            return
        if own == INFINITY and link.capacity == INFINITY:
            self.at(self.now, done)
            return
        self.count += 1
        key = self.count
        link.flows[key] = [size, own, done, size, name]

        def broken():
            flow = link.flows.pop(key, None)
            if flow:
                self.crossed[name] = flow[3] - flow[0]
                breaks[1]()
        if breaks:
            self.at(breaks[0], broken)

    def run(self, start, is_over):
        self.now = start
        while not is_over():
            ends = [(self.now + flow[0] / rate, link, key) for link in self.links for key, rate in link.rates().items() for flow in [link.flows[key]]]
            soonest = min([end for end, _, _ in ends] + [time for time, _, _ in self.timers], default=None)
            if soonest is None:
                return
            step = soonest - self.now
            for link in self.links:
                for key, rate in link.rates().items():
                    link.flows[key][0] -= rate * step
            self.now = soonest
            slack = 1e-12 * (1 + soonest)
            due = [(link, key) for end, link, key in ends if end <= soonest + slack]
            done = [link.flows.pop(key)[2] for link, key in due]
            ready = sorted(timer for timer in self.timers if timer[0] <= soonest + slack)
            self.timers = [timer for timer in self.timers if timer[0] > soonest + slack]
            for what in done + [what for _, _, what in ready]:
                what()
        for link in self.links:
            for size, _, _, whole, name in link.flows.values():
                self.crossed[name] = whole - size


def backhaul(world, link, own, latency, messages, ended, name, under_way):
    """One message at a time; messages are (queued, bytes, tag), in their order, and may come later."""
    state = {"busy": False}

    def begin():
        if state["busy"] or not messages:
            return
        state["busy"] = True
        queued, size, tag = messages.pop(0)
        under_way[name] = size

        def sent():
            state["busy"] = False
            del under_way[name]
            ended(tag, world.now)
            begin()
        world.at(max(queued + latency, world.now), lambda: world.send(link, size, own, sent, name))
    return begin


def replay(scenario, clients, start):
    """Returns the times at which clients' phases end, what crossed of those that did not, the messages of edges, and the round's end."""
    world, ends, forwarded, known, under_way = World(), {}, [], {}, {}
    n, adds = scenario["edges"], scenario["adds"]
    server = [world.link(scenario["server"][up]) for up in (0, 1)]
    access = [[world.link(scenario["access"][up]) for up in (0, 1)] for _ in range(n)]
    own = [min(scenario["backhaul"][up], scenario["server"][up]) for up in (0, 1)]
    held, latest, waiting, kick = [[] for _ in range(n)], [None] * n, [0] * n, [None] * n
    pending = {one for one in clients if one[1] == 0}

    def lost(client, edge_round):
        edge = client % n
        pending.discard((client, edge_round))
        known[client, edge_round] = world.now
        waiting[edge] -= 1
        add(edge, edge_round)

    def loses(client, edge_round):
        """A connection that breaks is noticed later, by server and edge."""
        world.at(world.now + scenario["detect"], lambda: lost(client, edge_round))

    def breaks(client, edge_round, phase):
        told = clients[client, edge_round].get("lost")
        return (told[1], lambda: loses(client, edge_round)) if told and told[0] == phase else None

    def add(edge, edge_round):
        if not adds or waiting[edge] > 0:
            return
        values = 60 * scenario["dim"] * len(held[edge])
        if held[edge]:
            world.at(world.now + (2 * values / scenario["speed"] if scenario["speed"] < INFINITY else 0), lambda: added(edge, edge_round))
        elif latest[edge]:
            send_sum(edge, latest[edge])

    def send_sum(edge, uploads):
        members = sorted(one for _, _, tags in uploads for one in tags)
        held[edge][:] = [(world.now, max(size for _, size, _ in uploads) + 8, members)]
        kick[edge]()

    def arrived(edge, client, edge_round):
        ends[client, edge_round, "up"] = world.now
        held[edge].append((world.now, clients[client, edge_round]["up"]["bytes"], [client]))
        waiting[edge] -= 1
        add(edge, edge_round)
        if not adds:
            held[edge].sort(key=lambda one: (round(one[0], 9), one[2]))
            world.at(world.now, kick[edge])

    def added(edge, edge_round):
        if edge_round + 1 == scenario["edge_rounds"]:
            send_sum(edge, held[edge])
            return
        latest[edge] = list(held[edge])
        members = sorted(one for _, _, tags in held[edge] for one in tags)
        held[edge].clear()
        waiting[edge] = len(members)
        for one in members:
            pending.add((one, edge_round + 1))
            client_begins(one, edge_round + 1)

    def client_begins(client, edge_round=0):
        edge, mine = client % n, clients[client, edge_round]

        def downloaded():
            ends[client, edge_round, "down"] = world.now
            if "up" not in mine:  # the round is over before that
                return
            world.at(world.now + COMPUTE_S + mine["up"]["latency"],
                     lambda: world.send(access[edge][1], mine["up"]["bytes"], mine["up"]["capacity"], lambda: arrived(edge, client, edge_round),
                                        (client, edge_round, "up"), breaks(client, edge_round, "up")))
        if edge_round == 0:
            ends[client, 0, "edge_down"] = world.now
        if "down" not in mine:
            return
        world.at(world.now + mine["down"]["latency"],
                 lambda: world.send(access[edge][0], mine["down"]["bytes"], mine["down"]["capacity"], downloaded, (client, edge_round, "down"),
                                    breaks(client, edge_round, "down")))

    def has_download(tags, now):
        forwarded.append((tags[0] % n, "down", now, None))
        for client in tags:
            client_begins(client)

    def has_upload(tags, now):
        forwarded.append((tags[0] % n, "up", now, None))
        edge = tags[0] % n
        for client, edge_round in sorted(pending):
            if (client % n == edge if adds else client in tags):
                pending.discard((client, edge_round))
                known[client, edge_round] = now
                ends[client, edge_round, "edge_up"] = now

    def is_over():
        delivered = any(phase == "edge_up" for _, _, phase in ends)
        return not pending or (world.now >= start + scenario["deadline"] - 1e-12 * (1 + world.now) and delivered)

    world.now = start
    for edge in range(n):
        mine = sorted(client for client, edge_round in clients if edge_round == 0 and client % n == edge)
        waiting[edge] = len(mine)
        kick[edge] = backhaul(world, server[1], own[1], scenario["latency"], held[edge], has_upload, ("up", edge), under_way)
        if mine:
            world.at(start, backhaul(world, server[0], own[0], scenario["latency"], [(start, clients[mine[0], 0]["down"]["bytes"], mine)], has_download, ("down", edge), under_way))
    if scenario["deadline"] < INFINITY:
        world.at(start + scenario["deadline"], lambda: None)
    world.run(start, is_over)
    forwarded += [(edge, way, world.now, world.crossed.get((way, edge), 0)) for way, edge in under_way]
    return ends, world.crossed, forwarded, world.now


def draw(number):
    rng = random.Random(number)
    rate = lambda: rng.choice([INFINITY, round(10 ** rng.uniform(3.5, 6))])
    adds = rng.random() < 0.5
    deadline = round(rng.uniform(0.3, 3), 2) if not adds and rng.random() < 0.5 else INFINITY
    return {"edges": rng.randint(1, 6), "adds": adds, "edge_rounds": rng.randint(1, 3) if adds else 1,
            "speed": rng.choice([INFINITY, round(10 ** rng.uniform(3, 6))]) if adds else INFINITY, "latency": rng.choice([0, round(rng.uniform(0, 0.3), 3)]),
            "server": [rate(), rate()], "access": [rate(), rate()], "backhaul": [rate(), rate()],
            "deadline": deadline, "losses": rng.choice([0, 0, 0.1, 0.4]), "detect": rng.choice([0, round(rng.uniform(0, 2), 2)]),
            "cohort": rng.randint(1, 25), "seed": number, "dim": rng.randint(1, 12)}


def write(number, scenario, path):
    text = lambda rate, unit="B/s": '"unlimited"' if rate == INFINITY else f'"{rate} {unit}"'
    policy = f' policy = {{ name = "deadline"; after = "{scenario["deadline"]} s"; min_uploads = 1; }};' if scenario["deadline"] < INFINITY else ""
    failures = f"""
failures = {{ connection_down = {scenario["losses"]}; connection_up = {scenario["losses"]}; detect = "{scenario["detect"]} s"; }};""" if scenario["losses"] > 0 else ""
    with open(path, "w") as out:
        out.write(f'''seed = {number};
data = {{ synthetic = "custom"; users = 30; items = 60; interactions = 400; }};
evaluation = {{ candidates = "full"; }};
training = {{ enabled = false; }};
method = {{ name = "fedmf"; dim = {scenario["dim"]}; aggregation = "uniform"; }};
network = {{ model = "exact"; preset = "4g"; server_downlink = {text(scenario["server"][0])}; server_uplink = {text(scenario["server"][1])};
    edges = {{ count = {scenario["edges"]}; assignment = "in_turn"; latency = "{scenario["latency"]} s"; partial_sums = {str(scenario["adds"]).lower()}; speed = {text(scenario["speed"], "flop/s")};
        downlink = {text(scenario["backhaul"][0])}; uplink = {text(scenario["backhaul"][1])};
        access_downlink = {text(scenario["access"][0])}; access_uplink = {text(scenario["access"][1])}; }}; }};
devices = {{ compute = "fixed"; overhead = "{COMPUTE_S} s"; }};
rounds = {{ count = 3; cohort = {scenario["cohort"]}; edge_rounds = {scenario["edge_rounds"]};{policy} }};{failures}
output = {{ what_if = "none"; report = false; }};
''')


def whole_bytes(number, clients, told, crossed):
    """Messages of clients that broke off or were cut: the whole bytes that crossed, but for one."""
    wrong = 0
    for client, edge_round in clients:
        for phase in ("down", "up"):
            event, moved = told.get((number, client, edge_round, phase)), crossed.get((client, edge_round, phase))
            if event and moved is not None and abs(event["bytes"] - moved) > 1.5:
                print(f"  round {number}, {phase} of client {client} in edge round {edge_round}: {moved!r} bytes computed, {event['bytes']!r} told")
                wrong += 1
    return wrong


def message_bytes(scenario):
    """60 items of dim numbers of four bytes, and a header."""
    return 240 * scenario["dim"] + 24


def check(scenario, folder):
    rounds = {int(row["round"]): row for row in csv.DictReader(open(f"{folder}/rounds.csv"))}
    messages = list(csv.DictReader(open(f"{folder}/edges.csv")))
    told, clients = {}, {}
    for line in open(f"{folder}/events.ndjson"):
        event = json.loads(line)
        edge_round = event.get("edge_round", 0)
        told[event["round"], event["client"], edge_round, event["phase"]] = event
        mine = clients.setdefault(event["round"], {}).setdefault((event["client"], edge_round), {})
        if event["phase"] in ("down", "up"):
            mine[event["phase"]] = {"bytes": message_bytes(scenario), "latency": event["latency_s"], "capacity": event["capacity_bytes_per_s"] or INFINITY}
        if event.get("cause") == "connection":
            mine["lost"] = (event["phase"], event["t1_s"])
    wrong = 0
    for number, row in rounds.items():
        ends, crossed, forwarded, end = replay(scenario, clients[number], float(row["start_s"]))
        pairs = [(f"{phase} of client {client} in edge round {edge_round}", end, told[number, client, edge_round, phase]["t1_s"])
                 for (client, edge_round, phase), end in ends.items() if (number, client, edge_round, phase) in told]
        pairs += [("participations", len(clients[number]), int(row["selected"]))]
        pairs += [("round", end, float(row["end_s"]))]
        wrong += whole_bytes(number, clients[number], told, crossed)
        for way in ("down", "up"):
            mine = sorted((int(m["edge"]), float(m["end_s"]), float(m["crossed_bytes"])) for m in messages if m["round"] == str(number) and m["way"] == way)
            again = sorted((edge, end) for edge, one, end, _ in forwarded if one == way)
            cut = {(edge, end): crossed for edge, one, end, crossed in forwarded if one == way and crossed is not None}
            for edge, moved in cut.items():
                near = [b for b in mine if b[0] == edge[0] and abs(b[1] - edge[1]) <= 1e-7 * (1 + edge[1])]
                if not any(abs(b[2] - moved) <= 1.5 for b in near):
                    print(f"  round {number}, message {way} of edge {edge[0]}: {moved!r} bytes computed, {near!r} told")
                    wrong += 1
            pairs += [("messages " + way, len(again), len(mine))]
            pairs += [(f"message {way} of edge {a[0]}", a[1], b[1]) for a, b in zip(again, mine)]
            total = sum(int(m["crossed_bytes"]) for m in messages if m["round"] == str(number) and m["way"] == way)
            pairs += [("bytes " + way, total, int(row[f"edge_{way}_bytes"]))]
        for what, mine, theirs in pairs:
            if abs(mine - theirs) > 1e-7 * (1 + abs(mine)):
                print(f"  round {number}, {what}: {mine!r} computed, {theirs!r} told")
                wrong += 1
    return wrong, len(rounds)


def main():
    program, first, count = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    failed = n_rounds = 0
    for number in range(first, first + count):
        scenario = draw(number)
        write(number, scenario, "s.cfg")
        shutil.rmtree("out", ignore_errors=True)
        ran = subprocess.run([program, "run", "s.cfg", "--quiet", "--out", "out"], capture_output=True, text=True)
        if ran.returncode != 0:
            print(f"scenario {number}: {ran.stderr}")
            failed += 1
            continue
        wrong, n = check(scenario, "out")
        n_rounds += n
        if wrong:
            print(f"scenario {number} ({scenario}): {wrong} figures disagree")
            failed += 1
    print(f"{count} scenarios, {n_rounds} rounds: {failed} disagree")
    sys.exit(failed > 0 or n_rounds == 0)


os.environ["LC_ALL"] = "C"
main()
