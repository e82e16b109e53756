"""Random scenarios of clients that average their models with neighbours, run and then computed again by a program that shares no code
with the simulator and knows what docs/gossip.md says.

    peers_replayed.py PROGRAM FIRST COUNT [again]

Inputs are read from the scenario and its files: links, speeds, sessions, pairs. Random outcomes are read from the run: who takes part, who
are neighbours, when a device fails, and after how many bytes (or, with connection_mtbf, when) a connection breaks. The windows that an
overflowing queue leaves are read, too. All dates, bytes, fates and weights are computed and compared. With `again` each scenario also runs
under the other backend with two threads, and a second time to be resumed from a checkpoint; files have to be the same to the byte.
"""
import csv
import json
import math
import os
import random
import shutil
import signal
import subprocess
import sys
import time

INFINITY = math.inf
CONNECTING = {"tls": (3, 2, 932, 3966), "tcp": (2, 1, 206, 66)}  # latencies there and back, then bytes
SEGMENT = 1448
TOLERANCE = 1e-9


def whole(crossed, told):
    """Bytes that have crossed as a whole. Times have 15 digits: a byte that is complete but for that may count or not."""
    return told if told in (math.floor(crossed - 1e-4), math.floor(crossed + 1e-4)) else math.floor(crossed)


class Message:
    def __init__(self, sender, receiver, told):
        self.sender, self.receiver, self.told = sender, receiver, told
        self.state, self.fate = "waiting", None
        self.begun = self.start = self.end = None
        self.crossed, self.setup = 0.0, [0.0, 0.0]
        self.known = {}  # when each end knows that it has ended


class Round:
    """One round's exchange: time passes from one end of a flow, wait or life to the next."""

    def __init__(self, world, members, start, told):
        self.world, self.members, self.now = world, members, start
        self.flows, self.timers, self.count, self.ended_radio = {}, [], 0, {}
        self.messages = [Message(int(row["from"]), int(row["to"]), row) for row in told]
        self.ready, self.lost, self.done = set(), {}, {}

    def after(self, seconds, what):
        self.count += 1
        self.timers.append((self.now + seconds, self.count, what))

    def at(self, when, what):
        self.count += 1
        self.timers.append((when, self.count, what))

    def latency(self, message):
        return self.world["clients"][message.sender]["latency"] + self.world["clients"][message.receiver]["latency"]

    def rates(self):
        """Water-filling: the link with the smallest equal share is full, its flows keep that share."""
        links, rates = {}, {}
        for message, (sender, receiver, _, _) in self.flows.items():
            links.setdefault(("up", sender), []).append(message)
            links.setdefault(("down", receiver), []).append(message)
        left = {link: self.world["clients"][link[1]][link[0]] for link in links}
        while len(rates) < len(self.flows):
            link = min((link for link in links if links[link]), key=lambda one: left[one] / len(links[one]))
            share = left[link] / len(links[link])
            for message in list(links[link]):
                rates[message] = share
                sender, receiver, _, _ = self.flows[message]
                for other in (("up", sender), ("down", receiver)):
                    links[other].remove(message)
                    left[other] = max(left[other] - share, 0)
        return rates

    def flow(self, message, back, size, add, done):
        ends = (message.receiver, message.sender) if back else (message.sender, message.receiver)
        self.flows[message] = [ends[0], ends[1], float(size), (add, done)]

    # ---- the life of a message

    def begin(self, message):
        message.state, message.begun = "under way", self.now
        if self.world["model"] == "exact":
            self.after(self.latency(message), lambda: self.first_byte(message))
            return
        there, back, bytes_there, bytes_back = CONNECTING[self.world["connection"]]

        def add(way):
            def more(bytes_):
                message.setup[way] += bytes_
            return more

        def connected():
            self.after(self.latency(message), lambda: self.first_byte(message))

        def greet():
            if not message.fate:
                self.flow(message, False, bytes_there, add(0), lambda: self.flow(message, True, bytes_back, add(1), connected))
        self.after((there + back) * self.latency(message), greet)

    def first_byte(self, message):
        if message.fate:
            return
        message.start = self.now
        size, told = int(message.told["bytes"]), message.told
        message.breaks = told["fate"] == "broken"
        if message.breaks and self.world["breaks"] == "bytes":
            size = int(told["crossed_bytes"])
        elif message.breaks:
            self.at(float(told["end_s"]), lambda: self.broken(message))
        message.size, message.sent = size, 0
        rate = min(self.world["clients"][message.sender]["up"], self.world["clients"][message.receiver]["down"])
        round_trip = 2 * self.latency(message)
        if size == 0:
            self.broken(message)
        elif self.world["model"] == "exact":
            self.windows(message, iter([(size, 0)]))
        elif told["windows"]:
            pairs = [one.split(":") for one in told["windows"].split(" ")]
            self.windows(message, iter([(int(bytes_), float(wait)) for bytes_, wait in pairs]))
        else:
            self.windows(message, slow_start(rate, round_trip, 0 if self.world["connection"] == "tls" else 16))

    def windows(self, message, left):
        def add(bytes_):
            message.crossed += bytes_

        def next_window():
            if message.fate:
                return
            bytes_, wait = next(left, (0, 0))
            if bytes_ == 0:  # the windows are those up to a planned loss, which ends the message
                return
            bytes_ = min(bytes_, message.size - message.sent)
            message.sent += bytes_
            earliest = self.now + wait

            def crossed():
                if message.sent < message.size:
                    self.at(max(earliest, self.now), next_window)
                elif message.breaks and self.world["breaks"] == "bytes":
                    self.broken(message)
                else:
                    self.finish(message, "delivered", self.now, self.now)
            self.flow(message, False, bytes_, add, crossed)
        next_window()

    def broken(self, message):
        if not message.fate:
            self.finish(message, "broken", self.now, self.now + self.world["detect"])

    def finish(self, message, fate, sender_knows, receiver_knows):
        message.fate, message.state, message.end = fate, "ended", self.now
        self.flows.pop(message, None)
        message.known = {message.sender: sender_knows, message.receiver: receiver_knows}
        for member in (message.sender, message.receiver):
            self.look(member)

    # ---- the life of a member

    def look(self, member):
        mine = [m for m in self.messages if member in (m.sender, m.receiver)]
        if member in self.ready and member not in self.lost and all(m.fate for m in mine):
            knows = max([m.known[member] for m in mine] + [self.now])
            self.at(knows, lambda: self.is_done(member))

    def is_done(self, member):
        if member not in self.lost and member not in self.done:
            self.done[member] = self.now

    def is_ready(self, member):
        if member in self.lost:
            return
        self.ready.add(member)
        for message in self.messages:
            if message.sender == member and not message.fate:
                gone = self.lost.get(message.receiver)
                if gone is not None:
                    knows = max(self.now, gone + self.world["detect"])
                    self.finish(message, "not_sent", knows, knows)
                else:
                    self.begin(message)
        self.look(member)

    def dies(self, member):
        if member in self.done:
            return
        self.lost[member] = self.now
        knows = self.now + self.world["detect"]
        for message in self.messages:
            if message.fate or member not in (message.sender, message.receiver):
                continue
            if message.state == "waiting" and message.sender == member:
                self.finish(message, "not_sent", knows, knows)
            elif message.state != "waiting":
                self.finish(message, "sender_lost" if message.sender == member else "receiver_lost", knows, knows)

    def run(self):
        for member, one in self.members.items():
            if one["dies"] >= one["ready"]:
                self.at(one["ready"], lambda member=member: self.is_ready(member))
        deaths = sorted((one["dies"], member) for member, one in self.members.items() if one["dies"] < INFINITY)
        while True:
            rates = self.rates()
            ends = {message: self.now + flow[2] / rates[message] for message, flow in self.flows.items()}
            soonest = min([*ends.values(), *(timer[0] for timer in self.timers), *(death[0] for death in deaths[:1])], default=None)
            if soonest is None:
                return
            step = max(soonest - self.now, 0)
            for message, flow in self.flows.items():
                bytes_ = min(rates[message] * step, flow[2])
                flow[2] -= bytes_
                flow[3][0](bytes_)
            self.now = max(soonest, self.now)
            slack = 1e-13 * (1 + self.now)
            due = [message for message, end in ends.items() if end <= self.now + slack]
            ready = sorted((timer for timer in self.timers if timer[0] <= self.now + slack), key=lambda timer: timer[:2])
            self.timers = [timer for timer in self.timers if timer[0] > self.now + slack]
            for message in due:
                flow = self.flows.pop(message, None)
                if flow:
                    flow[3][0](flow[2])
                    flow[3][1]()
            for _, _, what in ready:
                what()
            if not due and not ready:
                while deaths and deaths[0][0] <= self.now:
                    self.dies(deaths.pop(0)[1])


def slow_start(rate, round_trip, quick):
    window = 10 * SEGMENT
    while True:
        wait = round_trip + SEGMENT / rate + (0 if quick > 0 else min(SEGMENT / rate, 0.04))
        if window / rate >= wait:
            yield INFINITY, 0
        yield window, wait
        quick -= window // SEGMENT
        window *= 2


# ---- graphs and weights

def neighbours_are_right(world, members, pairs, seen):
    """Whether the pairs of a round are a graph that the scenario allows; `seen` has what earlier rounds have shown of one graph."""
    kind, degree, n = world["neighbours"], world["degree"], len(members)
    near = {member: {b for a, b in pairs if a == member} for member in members}
    if any((b, a) not in pairs or a == b for a, b in pairs):
        return False
    if world["once"]:
        for a in members:
            for b in members:
                if a != b and seen.setdefault((a, b), (a, b) in pairs) != ((a, b) in pairs):
                    return False
        if kind == "file":
            return pairs == {(a, b) for a, b in world["pairs"] if a in members and b in members}
        most = {"ring": 2, "random_regular": degree, "complete": n - 1, "group": degree + 1}[kind]
        return all(len(near[member]) <= most for member in members)
    degrees = sorted(len(near[member]) for member in members)
    if kind == "complete":
        return degrees == [n - 1] * n
    if kind == "group":
        parts = components(near)
        return all(len(near[a]) == len(part) - 1 for part in parts for a in part) and sum(len(part) != degree + 1 for part in parts) <= 1 and \
            all(2 <= len(part) <= degree + 2 or n == len(part) for part in parts)
    degree = min(2 if kind == "ring" else degree, n - 1)
    odd = n * degree % 2
    return degrees == [degree - 1] * odd + [degree] * (n - odd) and (degree == 1 or len(components(near)) == 1)


def components(near):
    left, parts = set(near), []
    while left:
        part, front = set(), {left.pop()}
        while front:
            part |= front
            front = {b for a in front for b in near[a]} - part
        left -= part
        parts.append(part)
    return parts


def mix_flop(world, received):
    if world["rank"]:
        return 40 * (3 * world["rank"] * received + world["dim"] * (2 * world["rank"] + 1))
    return 2 * 40 * world["dim"] * (received + 1)


def wait_for_each_other(members, near, detect):
    """Behind a barrier every client begins when all that it is connected to have computed, or are noticed to be lost."""
    begins = {}
    for part in components(near):
        opens = max(one["ready"] if one["dies"] >= one["ready"] else one["dies"] + detect for one in (members[a] for a in part))
        begins |= {a: {"ready": opens if members[a]["dies"] >= members[a]["ready"] else INFINITY, "dies": members[a]["dies"]} for a in part}
    return begins


def weights(world, member, near, came):
    """w_ii and w_ij over the neighbours whose models came."""
    d = {one: len(near[one]) for one in near}
    if world["mixing"] == "uniform":
        row = {other: 1 / (1 + d[member]) for other in near[member]}
    else:
        row = {other: 1 / (1 + max(d[member], d[other])) for other in near[member]}
    own = 1 - sum(row.values())
    total = own + sum(row[other] for other in came)
    return {other: row[other] / total for other in came}


# ---- scenarios

def draw(number):
    rng = random.Random(number)
    n = rng.randint(2, 16)
    seconds = lambda low, high: round(10 ** rng.uniform(low, high), 4)
    world = {"number": number, "seed": rng.randint(0, 10 ** 6), "n": n, "dim": rng.choice([1, 4, 16, 200]), "rounds": 3,
             "cohort": rng.randint(1, n), "model": rng.choice(["exact", "tcp"]), "connection": rng.choice(["tls", "tcp"]),
             "neighbours": rng.choice(["ring", "random_regular", "group", "complete", "file"]), "degree": rng.randint(1, 5),
             "mixing": rng.choice(["metropolis", "uniform"]), "detect": seconds(-1, 1), "trains": rng.random() < 0.3,
             "queue": rng.choice(["200 ms", "1 s", "20 ms"])}
    world["once"] = world["neighbours"] == "file" or rng.random() < 0.4
    world["clients"] = [{"down": round(10 ** rng.uniform(3.5, 6.5)), "up": round(10 ** rng.uniform(3.3, 6)),
                         "latency": rng.choice([0, round(rng.uniform(0.001, 0.2), 3)]),
                         "overhead": seconds(-2, 0.5), "speed": round(10 ** rng.uniform(4, 7))} for _ in range(n)]
    world["breaks"] = "bytes"
    losses = {}
    kind = rng.choice(["none", "planned", "hazards"])
    if kind == "planned":
        for key in ("up", "down", "compute", "connection_up", "connection_down"):
            if rng.random() < 0.5:
                losses[key] = round(rng.uniform(0, 0.3), 3)
    elif kind == "hazards":
        world["breaks"] = "time"
        if rng.random() < 0.7:
            losses["device_mtbf"] = f'"{seconds(0, 2)} s"'
        losses["connection_mtbf"] = f'"{seconds(0, 2)} s"'
    world["losses"] = losses
    world["sessions"], world["at_least"] = None, rng.randint(1, world["cohort"])
    if rng.random() < 0.4:
        world["sessions"] = []
        for client in range(n):
            at = rng.uniform(0, 5)
            while at < 400:
                on = rng.expovariate(1 / 15) + 0.1
                world["sessions"].append((client, round(at, 3), round(at + on, 3)))
                at += on + rng.expovariate(1 / 8) + 0.1
    world["pairs"] = {(a, b) for a in range(n) for b in range(a) if rng.random() < 0.4} | {(1, 0)}
    world["pairs"] |= {(b, a) for a, b in world["pairs"]}
    world["barrier"], world["rank"] = rng.random() < 0.3, rng.choice([0, 0, rng.randint(1, min(world["dim"], 8))])
    return world


def write(world):
    with open("fleet.csv", "w") as out:
        out.write("client,down_bytes_per_s,up_bytes_per_s,latency_s,speed_flop_per_s,overhead_s\n")
        for i, one in enumerate(world["clients"]):
            out.write(f'{i},{one["down"]},{one["up"]},{one["latency"]},{one["speed"]},{one["overhead"]}\n')
    with open("pairs.csv", "w") as out:
        out.write("client,neighbour\n" + "".join(f"{a},{b}\n" for a, b in sorted(world["pairs"]) if a < b))
    peers = {"neighbours": f'"{world["neighbours"]}"', "mixing": f'"{world["mixing"]}"', "barrier": str(world["barrier"]).lower()}
    method = f'name = "colr"; rank = {world["rank"]}; learning_rate = 0.01' if world["rank"] else 'name = "fedmf"'
    if world["neighbours"] in ("random_regular", "group"):
        peers["degree"] = world["degree"]
    if world["neighbours"] == "file":
        peers["file"] = '"pairs.csv"'
    else:
        peers["graph"] = '"once"' if world["once"] else '"each_round"'
    availability = ""
    if world["sessions"]:
        with open("sessions.csv", "w") as out:
            out.write("client,start_s,end_s\n" + "".join(f"{a},{b},{c}\n" for a, b, c in world["sessions"]))
        availability = 'availability = { model = "trace"; file = "sessions.csv"; };'
    failures = ""
    selection = f'selection = {{ at_least = {world["at_least"]}; }}; ' if world["sessions"] else ""
    if world["losses"] or world["sessions"]:
        losses = world["losses"] | {"detect": f'"{world["detect"]} s"'}
        failures = f'failures = {{ {"".join(f"{key} = {value}; " for key, value in losses.items())}}};'
    section = lambda values: "".join(f"{key} = {value}; " for key, value in values.items())
    network = {"model": f'"{world["model"]}"', "fleet": '"fleet.csv"'}
    if world["model"] == "tcp":
        network |= {"connection": f'"{world["connection"]}"', "queue": f'"{world["queue"]}"'}
    with open("s.cfg", "w") as out:
        out.write(f'''seed = {world["seed"]};
data = {{ synthetic = "custom"; users = {world["n"]}; items = 40; interactions = {max(40, 12 * world["n"])}; activity_ceiling = 0.5; }};
evaluation = {{ candidates = "full"; }};
training = {{ enabled = {str(world["trains"]).lower()}; }};
method = {{ {method}; dim = {world["dim"]}; }};
network = {{ {section(network)}}};
devices = {{ fleet = "fleet.csv"; compute = "{"flops" if world["trains"] else "fixed"}"; }};
{availability}
{failures}
peers = {{ {section(peers)}}};
rounds = {{ count = {world["rounds"]}; cohort = {world["cohort"]}; {selection}}};
output = {{ what_if = "none"; report = false; }};
''')


# ---- comparing

class Comparison:
    def __init__(self):
        self.wrong = self.compared = 0

    def close(self, what, mine, theirs):
        self.compared += 1
        mine = None if mine is None or mine == INFINITY else mine
        theirs = None if theirs in ("", None) else float(theirs)
        if (mine is None) != (theirs is None) or (mine is not None and abs(mine - theirs) > TOLERANCE * (1 + abs(mine))):
            self.report(what, mine, theirs)

    def same(self, what, mine, theirs):
        self.compared += 1
        if mine != theirs:
            self.report(what, mine, theirs)

    def report(self, what, mine, theirs):
        print(f"  {what}: {mine!r} computed, {theirs!r} told")
        self.wrong += 1


def session_end(world, client, now):
    """When the session at `now` ends; None: there is none."""
    if not world["sessions"]:
        return INFINITY
    return next((end for one, start, end in world["sessions"] if one == client and start <= now < end), None)


def earliest(world, now):
    """The next time at which enough clients are online for a round."""
    if not world["sessions"]:
        return now
    times = sorted({now} | {start for _, start, _ in world["sessions"] if start > now})
    return next((at for at in times if sum(start <= at < end for _, start, end in world["sessions"]) >= world["at_least"]), None)


def phases_of(folder):
    told = {}
    for line in open(f"{folder}/events.ndjson"):
        event = json.loads(line)
        told.setdefault(event["round"], {}).setdefault(event["client"], {})[event["phase"]] = event
    return told


def members_of(world, start, events, compare):
    """When each client of a round has computed, and when it is lost."""
    members = {}
    for client, phases in events.items():
        one, compute = world["clients"][client], phases["compute"]
        last = list(phases.values())[-1]
        takes = one["overhead"]
        if world["trains"]:
            takes += compute["flop"] / one["speed"] if not compute.get("outcome") else 0
        ends = session_end(world, client, start)
        compare.same(f"client {client} online", True, ends is not None)
        dies = ends if ends is not None else INFINITY
        if last.get("cause") == "device":
            dies = last["t1_s"]
        if compute.get("outcome"):  # it never gets to the end
            members[client] = {"ready": INFINITY, "dies": dies}
        else:
            members[client] = {"ready": start + takes, "dies": dies}
    return members


def check_messages(where, world, near, exchange, outcomes, compare):
    waste, crossed = {}, {}
    for message in exchange.messages:
        told, what = message.told, f"{where}, message {message.sender} to {message.receiver}"
        compare.same(what + ": fate", message.fate, told["fate"])
        compare.close(what + ": begun", message.begun, told["begun_s"])
        compare.close(what + ": first byte", message.start, told["start_s"])
        compare.close(what + ": end", message.end, told["end_s"])
        compare.same(what + ": bytes", 24 + 4 * 40 * (world["rank"] or world["dim"]), int(told["bytes"]))
        keys = ("crossed_bytes", "setup_there_bytes", "setup_back_bytes")
        parts = [whole(mine, int(told[key])) for mine, key in zip((message.crossed, *message.setup), keys)]
        for mine, key in zip(parts, keys):
            compare.same(f"{what}: {key}", mine, int(told[key]))
        there, back = parts[0] + parts[1], parts[2]
        used = message.fate == "delivered" and outcomes[message.receiver] == "delivered"
        for member, up, down in ((message.sender, there, back), (message.receiver, back, there)):
            for sums, counts in ((crossed, True), (waste, not used)):
                old = sums.get(member, (0, 0))
                sums[member] = (old[0] + up * counts, old[1] + down * counts)
    for member in near:
        mine = [m for m in exchange.messages if m.receiver == member]
        came = [m.sender for m in mine if m.fate == "delivered"] if outcomes[member] == "delivered" else []
        row = weights(world, member, near, came)
        for message in mine:
            compare.close(f"{where}, weight of {message.sender} at {member}", row.get(message.sender), message.told["weight"])
    return crossed, waste


def check_clients(where, world, members, events, exchange, crossed, compare):
    """Returns how every participation ends, and when."""
    ends = {}
    for client, one in members.items():
        phases, what = events[client], f"{where}, client {client}"
        if one["dies"] < one["ready"]:
            compare.same(what + ": outcome", "dropped_compute", phases["compute"].get("outcome"))
            compare.close(what + ": lost while computing", one["dies"], phases["compute"]["t1_s"])
            ends[client] = one["dies"]
            continue
        compare.close(what + ": computed", one["ready"], phases["compute"]["t1_s"])
        exchanged = exchange.done.get(client, exchange.lost.get(client))
        if "exchange" in phases:
            told = phases["exchange"]
            sent = sum(m.fate == "delivered" for m in exchange.messages if m.sender == client)
            received = sum(m.fate == "delivered" for m in exchange.messages if m.receiver == client)
            compare.close(what + ": exchange begins", one["ready"], told["t0_s"])
            compare.close(what + ": exchange ends", exchanged, told["t1_s"])
            compare.same(what + ": bytes", crossed.get(client, (0, 0)), (told["up_bytes"], told["down_bytes"]))
            compare.same(what + ": messages", (sent, received), (told["sent"], told["received"]))
        else:
            compare.same(what + ": exchange", True, False)
            continue
        ends[client] = exchanged
        if client in exchange.lost:
            compare.same(what + ": outcome", "dropped_up", phases["exchange"].get("outcome"))
            continue
        flop = mix_flop(world, received) if received else 0
        mixed = exchanged + (flop / world["clients"][client]["speed"] if world["trains"] else 0)
        ends[client] = min(mixed, one["dies"])
        if "mix" in phases:
            compare.close(what + ": mixed", ends[client], phases["mix"]["t1_s"])
        outcome = list(phases.values())[-1]["outcome"]
        compare.same(what + ": outcome", "dropped_up" if one["dies"] < mixed else "delivered", outcome)
    return ends


def check(world, folder, compare, waits):
    rounds = list(csv.DictReader(open(f"{folder}/rounds.csv")))
    told = {}
    for row in csv.DictReader(open(f"{folder}/peers.csv")):
        told.setdefault(int(row["round"]), []).append(row)
    events, seen, before, of_clients, spent = phases_of(folder), {}, 0.0, {}, {}
    for row in rounds:
        number = int(row["round"])
        where, now = f"round {number}", float(row["start_s"])
        compare.close(where + ": start", earliest(world, before), row["start_s"])
        mine = events.get(number, {})
        members = members_of(world, now, mine, compare)
        online = sum(session_end(world, client, now) is not None for client in range(world["n"]))
        compare.same(where + ": selected", min(world["cohort"], online), len(members))
        pairs = {(int(one["from"]), int(one["to"])) for one in told.get(number, [])}
        near = {member: {b for a, b in pairs if a == member} for member in members}
        compare.same(where + ": graph", True, neighbours_are_right(world, set(members), pairs, seen))
        begins = wait_for_each_other(members, near, world["detect"]) if world["barrier"] else members
        exchange = Round(world, begins, now, told.get(number, []))
        exchange.run()
        outcomes = {client: list(phases.values())[-1]["outcome"] for client, phases in mine.items()}
        crossed, waste = check_messages(where, world, near, exchange, outcomes, compare)
        ends = check_clients(where, world, members, mine, exchange, crossed, compare)
        before = max(ends.values(), default=now)
        compare.close(where + ": end", before, row["end_s"])
        for i, way in enumerate(("up", "down")):
            compare.same(f"{where}: peer_{way}_bytes", sum(one[i] for one in crossed.values()), int(row[f"peer_{way}_bytes"]))
            compare.same(f"{where}: wasted_peer_{way}_bytes", sum(one[i] for one in waste.values()), int(row[f"wasted_peer_{way}_bytes"]))
        compare.same(where + ": peer_messages", sum(m.fate == "delivered" for m in exchange.messages), int(row["peer_messages"]))
        path = sum(float(row[key]) for key in row if key.startswith("path_") and key != "path_server_link_s")
        compare.close(where + ": critical path", before - now, str(path))
        for client, (up, down) in crossed.items():
            old = of_clients.get(client, (0, 0))
            of_clients[client] = (old[0] + up, old[1] + down)
        for client, phases in mine.items():
            if "exchange" in phases:
                spent[client] = spent.get(client, 0) + ends_of_exchange(exchange, client) - members[client]["ready"]
    if waits:  # for more clients than will ever be online at once
        compare.same("another round", None, earliest(world, before))
    for row in csv.DictReader(open(f"{folder}/clients.csv")):
        client = int(row["client"])
        compare.same(f"client {client}: all bytes", of_clients.get(client, (0, 0)), (int(row["peer_up_bytes"]), int(row["peer_down_bytes"])))
        compare.close(f"client {client}: exchange_s", spent.get(client, 0), row["exchange_s"])
    return len(rounds)


def ends_of_exchange(exchange, client):
    return exchange.done.get(client, exchange.lost.get(client))


# ---- running

def run(program, out, *options):
    return subprocess.run([program, "run", "s.cfg", "--quiet", "--out", out, *options], capture_output=True, text=True)


def files_differ(one, other):
    return [name for name in ("rounds.csv", "clients.csv", "events.ndjson", "peers.csv", "hours.csv")
            if open(f"{one}/{name}", "rb").read() != open(f"{other}/{name}", "rb").read()]


def run_again(program, compare):
    """The other backend, and a run that is killed and goes on."""
    ran = run(program, "other", "--threads", "2", "--set", "engine.backend=actors")
    compare.same("run under actors", "", ran.stderr)
    compare.same("files under actors", [], files_differ("out", "other") if ran.returncode == 0 else ["none"])
    keep = ["--set", "output.checkpoint_rounds=1"]
    killed = subprocess.Popen([program, "run", "s.cfg", "--quiet", "--out", "resumed", *keep], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    while killed.poll() is None and not os.path.exists("resumed.checkpoint"):
        time.sleep(0.0005)
    if killed.poll() is None:
        killed.send_signal(signal.SIGKILL)
    killed.wait()
    goes_on = os.path.exists("resumed.checkpoint") and not os.path.exists("resumed")
    if not os.path.exists("resumed"):
        ran = run(program, "resumed", "--resume", *keep) if os.path.exists("resumed.checkpoint") else run(program, "resumed", *keep)
        compare.same("resumed run", 0, ran.returncode)
    compare.same("files of the resumed run", [], files_differ("out", "resumed"))
    return goes_on


def clean():
    for name in ("out", "other", "resumed"):
        shutil.rmtree(name, ignore_errors=True)
    for name in os.listdir("."):
        if name.startswith("resumed"):
            os.remove(name) if os.path.isfile(name) else shutil.rmtree(name)


def main():
    program, first, count = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    again = "again" in sys.argv[4:]
    failed = n_rounds = compared = stranded = resumed = 0
    for number in range(first, first + count):
        world, compare = draw(number), Comparison()
        write(world)
        clean()
        ran = run(program, "out", "--threads", "1")
        waits = "were not eligible at once" in ran.stderr
        if ran.returncode != 0 and not waits:
            print(f"scenario {number}: exit {ran.returncode}: {ran.stderr}")
            failed += 1
            continue
        n = check(world, "out", compare, waits)
        n_rounds += n
        stranded += n < world["rounds"]
        if again and not waits:
            resumed += run_again(program, compare)
        compared += compare.compared
        if compare.wrong:
            print(f"scenario {number}: {compare.wrong} of {compare.compared} figures disagree")
            failed += 1
    print(f"{count} scenarios, {n_rounds} rounds, {compared} figures, {stranded} stranded, {resumed} killed and resumed: {failed} disagree")
    sys.exit(failed > 0 or n_rounds == 0)


if __name__ == "__main__":
    os.environ["LC_ALL"] = "C"
    main()
