"""Random scenarios with edges, run and then computed again by a program that shares no code with the simulator.

    edges_replayed.py PROGRAM FIRST COUNT

A scenario has clients that belong to edges in turn, at random or by regions, waits for all or until a deadline, and may lose some, or
edges with all that is behind them. The run's files tell only which edge a client has, what its own link could carry, its latency, and
when a connection broke; when every message begins and ends follows from docs/topologies.md: links that are shared max-min, stored and
forwarded messages, one at a time over each backhaul, edges that add, several times for one aggregation at the server, and do not wait
for a client that is known to be lost. Under tcp, connections and slow start follow from docs/message-times.md; read are the windows that an
overflowing queue leaves, those of a message that follows another, and the window that a connection has kept.
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
SEGMENT = 1448
CONNECTING = {"tls": (932, 3966), "tcp": (206, 66)}  # bytes of the client, then of its edge
USERS = 30


class Link:
    """A link that transfers share max-min fairly, each bounded by a capacity of its own."""

    def __init__(self, capacity):
        self.capacity, self.flows = capacity, []

    def rates(self):
        rates, left, rest = {}, self.capacity, sorted(self.flows, key=lambda flow: flow.own)
        for i, flow in enumerate(rest):
            rates[flow] = min(flow.own, left / (len(rest) - i)) if left < INFINITY else flow.own
            left -= rates[flow]
        return rates


class Transfer:
    """A message that crosses a link in windows, each so many bytes, the next one no earlier than so long after its start."""

    def __init__(self, world, link, size, own, windows, done):
        self.world, self.link, self.size, self.own, self.windows, self.done = world, link, size, own, windows, done
        self.sent = self.crossed = self.left = 0
        self.over = False
        self.begin()

    def begin(self):
        if self.over:
            return
        bytes_, wait = next(self.windows)
        self.left = min(bytes_, self.size - self.sent)
        self.sent += self.left
        self.earliest = self.world.now + wait
        if self.own == INFINITY and self.link.capacity == INFINITY:
            self.moved(self.left)
            self.world.at(self.world.now, self.has_crossed)
        else:
            self.link.flows.append(self)

    def moved(self, bytes_):
        self.left -= bytes_
        self.crossed += bytes_

    def has_crossed(self):
        if self.over:
            return
        if self in self.link.flows:
            self.link.flows.remove(self)
        if self.sent < self.size:
            self.world.at(max(self.earliest, self.world.now), self.begin)
            return
        self.over = True
        self.done()

    def stop(self):
        if self in self.link.flows:
            self.link.flows.remove(self)
        self.over = True


def slow_start(rate, round_trip, quick, window):
    while True:
        wait = round_trip + SEGMENT / rate + (0 if quick > 0 else min(SEGMENT / rate, 0.04))
        if window / rate >= wait:
            yield INFINITY, 0
        yield window, wait
        quick -= window // SEGMENT
        window *= 2


def at_once():
    while True:
        yield INFINITY, 0


class World:
    """Time passes from one end of a window or timer to the next. What takes no time belongs to the moment that ends it."""

    def __init__(self, start):
        self.now, self.timers, self.links, self.count = start, [], [], 0

    def link(self, capacity):
        self.links.append(Link(capacity))
        return self.links[-1]

    def at(self, time, what):
        self.count += 1
        self.timers.append((time, self.count, what))

    def at_last(self, time, what):
        """After all that ends at that time: a message that ends as its edge dies has arrived."""
        self.timers.append((time, INFINITY, what))

    def run(self, is_over):
        while True:
            ends = [(self.now + flow.left / rate, flow) for link in self.links for flow, rate in link.rates().items()]
            soonest = min([end for end, _ in ends] + [time for time, _, _ in self.timers], default=None)
            if soonest is None or (is_over() and soonest > self.now):
                return
            step = soonest - self.now
            for link in self.links:
                for flow, rate in link.rates().items():
                    flow.moved(rate * step)
            self.now = soonest
            slack = 1e-12 * (1 + soonest)
            due = [flow for end, flow in ends if end <= soonest + slack]
            for flow in due:
                flow.moved(flow.left)
            ready = sorted((timer for timer in self.timers if timer[0] <= soonest + slack), key=lambda timer: timer[:2])
            ready = [timer for timer in ready if timer[1] < INFINITY] or (ready if not due else [])
            self.timers = [timer for timer in self.timers if timer not in ready]
            for what in [flow.has_crossed for flow in due] + [what for _, _, what in ready]:
                what()


class Backhaul:
    """One way of it: one message at a time, in the order in which its sender had them."""

    def __init__(self, world, link, own, scenario, told, ended):
        self.world, self.link, self.own, self.scenario, self.told, self.ended = world, link, own, scenario, told, ended
        self.messages, self.under_way, self.n, self.turn = [], None, 0, 0

    def kick(self):
        if self.under_way or not self.messages:
            return
        queued, self.size, self.tags = self.messages.pop(0)
        self.under_way, self.transfer, turn = True, None, self.turn
        told = self.told[self.n] if self.n < len(self.told) else {}
        self.n += 1

        def start():
            if turn == self.turn:
                self.transfer = Transfer(self.world, self.link, self.size, self.own, self.windows(told), sent)

        def sent():
            self.under_way = None
            self.turn += 1
            self.ended(self.tags, None)
            self.kick()
        self.world.at(max(queued + self.scenario["latency"], self.world.now), start)

    def windows(self, told):
        if self.scenario["model"] == "exact":
            return at_once()
        if told.get("windows"):
            return iter([(int(bytes_), float(wait)) for bytes_, wait in (one.split(":") for one in told["windows"].split(" "))])
        return slow_start(self.own, 2 * self.scenario["latency"], 16, int(told.get("window_bytes") or 10 * SEGMENT))

    def stop(self):
        """What is under way breaks off, what waits is dropped."""
        if self.under_way:
            if self.transfer:
                self.transfer.stop()
            self.ended(self.tags, self.transfer.crossed if self.transfer else 0)
        self.messages.clear()
        self.under_way = None
        self.turn += 1


class Client:
    """One participation: in a round, or in an edge round of it."""

    def __init__(self, replay, number, edge_round, told):
        self.replay, self.number, self.edge_round, self.told = replay, number, edge_round, told
        self.world, self.edge, self.phase, self.transfer, self.gone = replay.world, replay.edges[replay.edge_of[number]], "edge_down", None, None
        self.ends, self.crossed, self.connecting, self.fate, self.since, self.took = {}, {}, [0, 0], None, replay.world.now, {}

    def ended(self, next_phase):
        self.ends[self.phase], self.took[self.phase] = self.world.now, self.world.now - self.since
        self.phase, self.since = next_phase, self.world.now

    def send(self, up, size, own, windows, done):
        self.transfer = Transfer(self.world, self.edge.access[up], size, own, windows, done)

    def begin(self):
        """Its edge has what it is sent."""
        if self.gone is not None:
            return
        if self.edge_round == 0:
            self.ended("setup")
        setup = self.told.get("setup")
        self.phase = "setup" if setup else "down"
        if not setup:
            self.message(0)
            return
        client, edge = CONNECTING[self.replay.scenario["connection"]]

        def edge_answers():
            self.connecting[1] = client
            self.send(0, edge, setup["capacity"][0], at_once(), connected)

        def connected():
            self.connecting[0] = edge
            self.ended("down")
            self.message(0)
        self.after(setup["latency"], lambda: self.send(1, client, setup["capacity"][1], at_once(), edge_answers))

    def after(self, seconds, what):
        self.world.at(self.world.now + seconds, lambda: self.gone is not None or what())

    def message(self, up):
        told = self.told.get(self.phase)
        if not told:  # the round is over before that
            return
        breaks = self.told.get("lost")

        def start():
            if breaks and breaks[0] == self.phase and breaks[1] <= self.world.now + 1e-12 * (1 + self.world.now):
                self.crossed[self.phase] = 0
                self.world.at(self.world.now, self.connection_breaks)
                return
            self.send(up, told["bytes"], told["capacity"], self.windows(told, up), self.uploaded if up else self.downloaded)
            if breaks and breaks[0] == self.phase:
                self.world.at(breaks[1], self.connection_breaks)
        self.after(told["latency"], start)

    def windows(self, told, up):
        scenario = self.replay.scenario
        if scenario["model"] == "exact":
            return at_once()
        if told["windows"]:
            return iter([tuple(one) for one in told["windows"]] + [(INFINITY, 0)])
        quick = 0 if scenario["connection"] == "tls" or (scenario["connection"] == "tcp" and up) else 16
        return slow_start(told["capacity"], told["round_trip"], quick, told["window"])

    def downloaded(self):
        self.ended("compute")
        self.world.at(self.world.now + COMPUTE_S, self.computed)

    def computed(self):
        self.ended("up")
        if self.gone is None:
            self.message(1)
        elif "up" in self.told:  # its first byte would be there
            self.world.at(self.world.now + self.told["up"]["latency"], lambda: self.ends_lost("dropped_up"))

    def uploaded(self):
        self.ended("edge_up")
        self.edge.arrived(self)

    def connection_breaks(self):
        if self.gone is None and self.phase in ("down", "up"):
            self.ends_lost("dropped_" + self.phase)

    def breaks_off(self):
        """What had crossed is charged: of connecting each way by itself, whatever ends it."""
        if not self.transfer or self.transfer.over:
            return
        self.transfer.stop()
        if self.phase == "setup":
            self.connecting[0 if self.connecting[1] else 1] += self.transfer.crossed
        else:
            self.crossed[self.phase] = self.transfer.crossed

    def ends_lost(self, fate):
        """The server learns it later, and so does the edge."""
        self.breaks_off()
        self.gone, self.fate = self.world.now, fate
        self.ends[self.phase] = self.world.now
        self.world.at(self.world.now + self.replay.scenario["detect"], lambda: self.edge.lost(self))

    def edge_dies(self):
        if self.gone is not None:
            return
        if self.phase == "compute":
            self.gone = self.world.now  # its upload has nowhere to go
        else:
            self.ends_lost("dropped_up" if self.phase in ("up", "edge_up") else "dropped_down")


class Edge:
    def __init__(self, replay, number, server, told):
        scenario, world = replay.scenario, replay.world
        self.replay, self.number, self.world = replay, number, world
        self.access = [world.link(scenario["access"][up]) for up in (0, 1)]
        own = [min(scenario["backhaul"][up], scenario["server"][up]) for up in (0, 1)]
        self.ways = [Backhaul(world, server[up], own[up], scenario, told.get((number, up), []), self.carried(up)) for up in (0, 1)]
        self.held, self.latest, self.waiting, self.members, self.life = [], None, 0, [], 0

    def open(self, clients):
        self.members, self.waiting = list(clients), len(clients)
        if clients:
            self.ways[0].messages.append((self.world.now, clients[0].told["size"], clients))
            self.world.at(self.world.now, self.ways[0].kick)

    def carried(self, up):
        def ended(tags, crossed):
            self.replay.forwarded.append((self.number, up, self.world.now, crossed))
            if crossed is not None:
                return
            for client in tags:
                if up:
                    client.ended("delivered")
                    client.fate = "delivered"
                    self.replay.pending.discard(client)
                else:
                    client.begin()
        return ended

    def lost(self, client):
        self.replay.pending.discard(client)
        self.waiting -= 1
        self.add(client.edge_round)

    def arrived(self, client):
        self.held.append(client)
        self.waiting -= 1
        self.add(client.edge_round)
        if not self.replay.scenario["adds"]:
            self.ways[1].messages.append((self.world.now, client.told["size"], [client]))
            self.ways[1].messages.sort(key=lambda one: (round(one[0], 9), one[2][0].number))
            self.world.at(self.world.now, self.ways[1].kick)

    def add(self, edge_round):
        scenario = self.replay.scenario
        if not scenario["adds"] or self.waiting > 0:
            return
        if self.held:
            values, life = 60 * scenario["dim"] * len(self.held), self.life
            self.world.at(self.world.now + (2 * values / scenario["speed"] if scenario["speed"] < INFINITY else 0),
                          lambda: life != self.life or self.added(edge_round))
        elif self.latest:
            self.send_sum(self.latest)

    def added(self, edge_round):
        if edge_round + 1 == self.replay.scenario["edge_rounds"]:
            self.send_sum(self.held)
            return
        self.latest, self.held = self.held, []
        members = sorted(self.latest, key=lambda client: client.number)
        self.waiting = len(members)
        for one in members:
            client = self.replay.client(one.number, edge_round + 1)
            self.members.append(client)
            client.begin()

    def send_sum(self, uploads):
        tags = [client for client in self.members if client.phase == "edge_up"]
        self.ways[1].messages.append((self.world.now, max(client.told["size"] for client in uploads) + 8, tags))
        self.ways[1].kick()

    def dies(self):
        self.life += 1
        for client in self.members:
            if client.fate is None:
                client.edge_dies()
        self.held, self.latest = [], None
        for way in self.ways:
            way.stop()


class Replay:
    """A round: `clients` by (number, edge round), as files tell of them; `told` the messages of backhauls, by edge and way."""

    def __init__(self, scenario, edge_of, clients, start, told):
        self.scenario, self.edge_of, self.told, self.world = scenario, edge_of, clients, World(start)
        self.clients, self.pending, self.forwarded = {}, set(), []
        server = [self.world.link(scenario["server"][up]) for up in (0, 1)]
        self.edges = [Edge(self, number, server, told) for number in range(scenario["edges"])]
        for number, edge_round in sorted(clients):
            if edge_round == 0:
                self.client(number, 0)
        for edge in self.edges:
            edge.open([client for client in self.clients.values() if client.edge is edge])
            for time in [time for number, time in scenario["fails"] if number == edge.number and time > start][:1]:
                self.world.at_last(time, edge.dies)
        if scenario["deadline"] < INFINITY:
            self.world.at(start + scenario["deadline"], lambda: None)
        self.deadline = start + scenario["deadline"]
        self.world.run(self.is_over)
        self.end = self.world.now
        for edge in self.edges:
            for way in edge.ways:
                way.stop()
        for client in self.clients.values():
            client.breaks_off()

    def client(self, number, edge_round):
        client = Client(self, number, edge_round, self.told[number, edge_round])
        self.clients[number, edge_round] = client
        self.pending.add(client)
        return client

    def is_over(self):
        delivered = any(client.fate == "delivered" for client in self.clients.values())
        return not self.pending or (self.world.now >= self.deadline - 1e-12 * (1 + self.world.now) and delivered)


def draw(number):
    rng = random.Random(number)
    rate = lambda: rng.choice([INFINITY, round(10 ** rng.uniform(3.5, 6))])
    adds = rng.random() < 0.5
    deadline = round(rng.uniform(0.3, 3), 2) if not adds and rng.random() < 0.5 else INFINITY
    scenario = {"edges": rng.randint(1, 6), "adds": adds, "edge_rounds": rng.randint(1, 3) if adds else 1,
                "speed": rng.choice([INFINITY, round(10 ** rng.uniform(3, 6))]) if adds else INFINITY, "latency": rng.choice([0, round(rng.uniform(0, 0.3), 3)]),
                "server": [rate(), rate()], "access": [rate(), rate()], "backhaul": [rate(), rate()],
                "deadline": deadline, "losses": rng.choice([0, 0, 0.1, 0.4]), "detect": rng.choice([0, round(rng.uniform(0, 2), 2)]),
                "cohort": rng.randint(1, 25), "seed": number, "dim": rng.randint(1, 12)}
    scenario["model"] = rng.choice(["exact", "tcp", "tcp"])
    scenario["connection"], scenario["idle"], scenario["queue"] = rng.choice(["tls", "tcp", "kept"]), rng.choice(["reset", "kept"]), rng.choice(["200 ms", "20 ms"])
    if scenario["model"] == "tcp" and rng.random() < 0.5:  # messages of more than a window
        scenario["dim"] = rng.randint(60, 600)
    scenario["assignment"] = rng.choice(["in_turn", "random", "region"])
    scenario["regions"] = rng.randint(2, scenario["edges"]) if scenario["assignment"] == "region" and scenario["edges"] > 1 else 0
    if scenario["regions"] == 0 and scenario["assignment"] == "region":
        scenario["assignment"] = "random"
    scenario["fails"], scenario["restart"] = [], round(10 ** rng.uniform(-1, 1), 2)
    for _ in range(rng.choice([0, 0, 1, 3, 8])):
        scenario["fails"].append((rng.randrange(scenario["edges"]), round(10 ** rng.uniform(-1, 1.5), 3)))
    if scenario["model"] == "tcp":  # windows of links without a limit end at multiples of a latency, to the last digit but one
        scenario["fails"] = [(edge, round(time + 0.0003, 4)) for edge, time in scenario["fails"]]
    scenario["fails"].sort(key=lambda one: one[1])
    return scenario


def write(number, scenario, path):
    text = lambda rate, unit="B/s": '"unlimited"' if rate == INFINITY else f'"{rate} {unit}"'
    policy = f' policy = {{ name = "deadline"; after = "{scenario["deadline"]} s"; min_uploads = 1; }};' if scenario["deadline"] < INFINITY else ""
    failures = f'connection_down = {scenario["losses"]}; connection_up = {scenario["losses"]};' if scenario["losses"] > 0 else ""
    detect = f'failures = {{ {failures} detect = "{scenario["detect"]} s"; }};' if failures or scenario["fails"] else ""
    tcp = f'connection = "{scenario["connection"]}"; queue = "{scenario["queue"]}";' if scenario["model"] == "tcp" else ""
    idle = f' idle_windows = "{scenario["idle"]}";' if scenario["model"] == "tcp" else ""
    fails = f'fails = "{", ".join(f"{edge} at {time} s" for edge, time in scenario["fails"])}"; restart = "{scenario["restart"]} s";' if scenario["fails"] else ""
    # Those of region 1 are never there.
    regions = f'availability = {{ outages = "region 1 of {scenario["regions"]} from 0 s to 100 d"; }};' if scenario["regions"] else ""
    with open(path, "w") as out:
        out.write(f'''seed = {number};
data = {{ synthetic = "custom"; users = {USERS}; items = 60; interactions = 400; }};
evaluation = {{ candidates = "full"; }};
training = {{ enabled = false; }};
method = {{ name = "fedmf"; dim = {scenario["dim"]}; aggregation = "uniform"; }};
network = {{ model = "{scenario["model"]}"; {tcp}{idle} preset = "4g"; server_downlink = {text(scenario["server"][0])}; server_uplink = {text(scenario["server"][1])};
    edges = {{ count = {scenario["edges"]}; assignment = "{scenario["assignment"]}"; latency = "{scenario["latency"]} s"; partial_sums = {str(scenario["adds"]).lower()};
        speed = {text(scenario["speed"], "flop/s")}; downlink = {text(scenario["backhaul"][0])}; uplink = {text(scenario["backhaul"][1])};
        access_downlink = {text(scenario["access"][0])}; access_uplink = {text(scenario["access"][1])}; {fails} }}; }};
devices = {{ compute = "fixed"; overhead = "{COMPUTE_S} s"; }};
rounds = {{ count = 3; cohort = {scenario["cohort"]}; edge_rounds = {scenario["edge_rounds"]}; selection = {{ at_least = 1; }};{policy} }};
{detect}
{regions}
output = {{ what_if = "none"; report = false; }};
''')


def message_bytes(scenario):
    """60 items of dim numbers of four bytes, and a header."""
    return 240 * scenario["dim"] + 24


def read(scenario, folder):
    """Events by (round, client, edge round, phase), and what is known beforehand of the participations of each round."""
    told, clients = {}, {}
    for line in open(f"{folder}/events.ndjson"):
        event = json.loads(line)
        edge_round, phase = event.get("edge_round", 0), event["phase"]
        told[event["round"], event["client"], edge_round, phase] = event
        mine = clients.setdefault(event["round"], {}).setdefault((event["client"], edge_round), {"size": message_bytes(scenario)})
        if phase == "setup":
            mine["setup"] = {"latency": event["latency_s"], "capacity": [event[f"{way}_capacity_bytes_per_s"] or INFINITY for way in ("down", "up")]}
        if phase in ("down", "up"):
            mine[phase] = {"bytes": mine["size"], "latency": event["latency_s"], "capacity": event["capacity_bytes_per_s"] or INFINITY,
                           "round_trip": event.get("round_trip_s"), "windows": event.get("windows"), "window": event.get("window_bytes", 10 * SEGMENT)}
        if event.get("cause") == "connection":
            mine["lost"] = (phase, event["t1_s"])
    return told, clients


class Comparison:
    def __init__(self):
        self.wrong = 0

    def same(self, what, mine, theirs, within=0.0):
        if mine != theirs and not (within > 0 and abs(mine - theirs) <= within):
            print(f"  {what}: {mine!r} computed, {theirs!r} told")
            self.wrong += 1

    def close(self, what, mine, theirs):
        self.same(what, mine, theirs, 1e-7 * (1 + abs(mine)))


def away(scenario, edge, time):
    """Until when the edge is away; None: it is up."""
    back = None
    for number, fails in scenario["fails"]:
        if number == edge and fails <= time and (back is None or fails >= back):
            back = fails + scenario["restart"]
    return back if back is not None and back > time else None


def check_selection(scenario, edge_of, where, row, before, members, compare):
    """A round opens when one of those can be selected that are there and whose edges are."""
    present = [client for client in range(USERS) if scenario["regions"] == 0 or client % scenario["regions"] != 0]
    start = min((away(scenario, edge_of[client], before) or before for client in present), default=before)
    compare.close(where + "start", start, float(row["start_s"]))
    free = [client for client in present if away(scenario, edge_of[client], float(row["start_s"]) + 1e-12) is None]
    compare.same(where + "selected", min(scenario["cohort"], len(free)), len(members))
    compare.same(where + "selected whose edge is away", 0, sum(client not in free for client in members))


def check_clients(number, replay, told, compare):
    for (client, edge_round), one in replay.clients.items():
        where, mine = f"round {number}, client {client} in edge round {edge_round}, ", lambda phase: told.get((number, client, edge_round, phase))
        for phase, end in one.ends.items():
            if mine(phase):
                compare.close(where + phase, end, mine(phase)["t1_s"])
            elif one.took.get(phase, 0) > 1e-9:
                compare.same(where + phase, "is there", "is not")
        for phase, crossed in one.crossed.items():
            if mine(phase):
                compare.same(where + "bytes " + phase, crossed, mine(phase)["bytes"], 1.5)
        if mine("setup"):
            for way in (0, 1):
                compare.same(where + "bytes of connecting", one.connecting[way], mine("setup")[("down_bytes", "up_bytes")[way]], 1.5)
        last = [event for phase in ("edge_down", "setup", "down", "compute", "up", "edge_up") for event in [mine(phase)] if event and "outcome" in event]
        if one.fate:
            compare.same(where + "outcome", one.fate, last[0]["outcome"] if last else None)


def check_messages(number, replay, messages, row, compare):
    for up, way in enumerate(("down", "up")):
        where = f"round {number}, message {way} of edge "
        mine = sorted(((edge, time, crossed) for edge, one, time, crossed in replay.forwarded if one == up), key=lambda one: one[:2])
        theirs = sorted(((edge, float(m["end_s"]), m) for (edge, one), list_ in messages.items() if one == up for m in list_), key=lambda one: one[:2])
        compare.same(f"round {number}, messages {way}", len(mine), len(theirs))
        for (edge, time, crossed), (_, end, m) in zip(mine, theirs):
            compare.close(f"{where}{edge}, end", time, end)
            compare.same(f"{where}{edge}, bytes", int(m["bytes"]) if crossed is None else crossed, int(m["crossed_bytes"]), 1.5)
        compare.same(f"round {number}, bytes {way}", sum(int(m["crossed_bytes"]) for _, _, m in theirs), int(row[f"edge_{way}_bytes"]))


def check(scenario, folder, compare):
    rounds = {int(row["round"]): row for row in csv.DictReader(open(f"{folder}/rounds.csv"))}
    edge_of = {int(row["client"]): int(row["edge"]) for row in csv.DictReader(open(f"{folder}/clients.csv"))}
    told, clients = read(scenario, folder)
    messages, knows, before = {}, {}, 0.0
    for row in csv.DictReader(open(f"{folder}/edges.csv")):
        messages.setdefault(int(row["round"]), {}).setdefault((int(row["edge"]), int(row["way"] == "up")), []).append(row)
    if scenario["assignment"] == "in_turn":
        compare.same("clients in turn", [client % scenario["edges"] for client in range(USERS)], [edge_of[client] for client in range(USERS)])
    if scenario["regions"]:
        compare.same("regions of edges", [client % scenario["regions"] for client in range(USERS)], [edge_of[client] % scenario["regions"] for client in range(USERS)])
    for number, row in rounds.items():
        mine, theirs = clients.get(number, {}), messages.get(number, {})
        check_selection(scenario, edge_of, f"round {number}, ", row, before, [client for client, edge_round in mine if edge_round == 0], compare)
        replay = Replay(scenario, edge_of, mine, float(row["start_s"]), theirs)
        compare.same(f"round {number}, participations", len(mine), int(row["selected"]))
        compare.close(f"round {number}, end", replay.end, float(row["end_s"]))
        check_clients(number, replay, told, compare)
        check_messages(number, replay, theirs, row, compare)
        check_windows(scenario, number, theirs, knows, compare)
        before = float(row["end_s"])
    return len(rounds)


def check_windows(scenario, number, messages, knows, compare):
    """A connection begins with the initial window; a message that broke off, and the end of its edge, leave no other."""
    for side, list_ in sorted(messages.items()):
        for m in list_:
            dead = any(edge == side[0] and knows.get(side, (0, 0))[1] < time <= float(m["began_s"]) for edge, time in scenario["fails"])
            window = int(m.get("window_bytes") or 10 * SEGMENT)
            if scenario["model"] == "tcp" and m["start_s"] and (side not in knows or dead or knows[side][0]):
                compare.same(f"round {number}, window of edge {side[0]}", 10 * SEGMENT, window)
            knows[side] = (bool(m["cause"]), float(m["end_s"]))


def main():
    program, first, count = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    failed = n_rounds = 0
    for number in range(first, first + count):
        scenario, compare = draw(number), Comparison()
        write(number, scenario, "s.cfg")
        shutil.rmtree("out", ignore_errors=True)
        ran = subprocess.run([program, "run", "s.cfg", "--quiet", "--out", "out"], capture_output=True, text=True)
        if ran.returncode != 0:
            print(f"scenario {number}: {ran.stderr}")
            failed += 1
            continue
        n_rounds += check(scenario, "out", compare)
        if compare.wrong:
            print(f"scenario {number} ({scenario}): {compare.wrong} figures disagree")
            failed += 1
    print(f"{count} scenarios, {n_rounds} rounds: {failed} disagree")
    sys.exit(failed > 0 or n_rounds == 0)


os.environ["LC_ALL"] = "C"
main()
