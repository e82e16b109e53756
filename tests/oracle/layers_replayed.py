"""Random scenarios in which clients of a group exchange layers before they train (method.exchange of SemiDFEGL), run and then computed
again by a program that shares no code with the simulator and knows what docs/topologies.md, docs/gossip.md and docs/methods/semidfegl.md say.

    layers_replayed.py PROGRAM FIRST COUNT [again]

Inputs are read from the scenario and its files, random outcomes from the run: who takes part, who is in a group, when a device fails, and after
how many bytes (or when) a connection breaks; under tcp also when a client has its download, and the windows that an overflowing queue leaves.
All dates from there to the end of the round, bytes, fates, waste and operations are computed and compared. `again` is that of
peers_replayed.py, which has the life of a message.
"""
import csv
import os
import random
import sys

import peers_replayed
from peers_replayed import Comparison, INFINITY, Round, clean, components, phases_of, run, run_again, session_end, whole

ITEMS = 40


# ---- scenarios

def draw(number):
    rng = random.Random(f"layers {number}")
    n = rng.randint(4, 14)
    seconds = lambda low, high: round(10 ** rng.uniform(low, high), 4)
    world = {"number": number, "seed": rng.randint(0, 10 ** 6), "n": n, "dim": rng.choice([1, 4, 16, 200]), "rounds": 4,
             "cohort": rng.randint((n + 1) // 2, n), "model": rng.choice(["exact", "tcp"]), "connection": rng.choice(["tls", "tcp"]),
             "by_head": rng.random() < 0.5, "layers": rng.randint(1, 3), "most": rng.randint(2, 8), "clusters": rng.choice([1, 1, 2, 3]),
             "common": rng.choice([1, 5, 12, 30]), "ratings": rng.random() < 0.3, "detect": seconds(-1, 1), "flops": rng.random() < 0.5,
             "queue": rng.choice(["200 ms", "1 s", "20 ms"]), "sessions": None, "breaks": "bytes"}
    world["clients"] = [{"down": round(10 ** rng.uniform(3, 6)), "up": round(10 ** rng.uniform(2.8, 5.5)),
                         "latency": rng.choice([0, round(rng.uniform(0.001, 0.2), 3)]),
                         "overhead": seconds(-2, 0.5), "speed": round(10 ** rng.uniform(3, 6))} for _ in range(n)]
    losses, kind = {}, rng.choice(["none", "planned", "hazards"])
    if kind == "planned":
        for key in ("up", "down", "compute", "connection_up", "connection_down"):
            if rng.random() < 0.5:
                losses[key] = round(rng.uniform(0, 0.3), 3)
    elif kind == "hazards":
        world["breaks"] = "time"
        if rng.random() < 0.7:
            losses["device_mtbf"] = f'"{seconds(0.3, 2)} s"'
        losses["connection_mtbf"] = f'"{seconds(0.3, 2)} s"'
    world["losses"] = losses
    if rng.random() < 0.4:
        world["sessions"] = []
        for client in range(n):
            at = rng.uniform(0, 2)
            while at < 400:
                on = rng.expovariate(1 / 15) + 0.1
                world["sessions"].append((client, round(at, 3), round(at + on, 3)))
                at += on + rng.expovariate(1 / 4) + 0.1
    return world


def write(world):
    with open("fleet.csv", "w") as out:
        out.write("client,down_bytes_per_s,up_bytes_per_s,latency_s,speed_flop_per_s,overhead_s\n")
        for i, one in enumerate(world["clients"]):
            out.write(f'{i},{one["down"]},{one["up"]},{one["latency"]},{one["speed"]},{one["overhead"]}\n')
    section = lambda values: "".join(f"{key} = {value}; " for key, value in values.items())
    network = {"model": f'"{world["model"]}"', "fleet": '"fleet.csv"'}
    if world["model"] == "tcp":
        network |= {"connection": f'"{world["connection"]}"', "queue": f'"{world["queue"]}"'}
    availability = failures = selection = ""
    if world["sessions"]:
        with open("sessions.csv", "w") as out:
            out.write("client,start_s,end_s\n" + "".join(f"{a},{b},{c}\n" for a, b, c in world["sessions"]))
        availability = 'availability = { model = "trace"; file = "sessions.csv"; };'
        selection = "selection = { at_least = 1; }; "
    if world["losses"] or world["sessions"]:
        failures = f'failures = {{ {section(world["losses"] | {"detect": chr(34) + str(world["detect"]) + " s" + chr(34)})}}};'
    data = ' feedback = "explicit"; split = "ratio";' if world["ratings"] else ""
    with open("s.cfg", "w") as out:
        out.write(f'''seed = {world["seed"]};
data = {{ synthetic = "custom"; users = {world["n"]}; items = {ITEMS}; interactions = {max(ITEMS, 12 * world["n"])}; activity_ceiling = 0.5;{data} }};
{"" if world["ratings"] else 'evaluation = { candidates = "full"; };'}
method = {{ name = "semidfegl{"_ratings" if world["ratings"] else ""}"; dim = {world["dim"]}; layers = {world["layers"]}; clusters = {world["clusters"]};
    common_items = {world["common"]}; returned_items = 5; exchange = "{"head" if world["by_head"] else "mesh"}"; exchange_clients = {world["most"]}; }};
network = {{ {section(network)}}};
devices = {{ fleet = "fleet.csv"; compute = "{"flops" if world["flops"] else "fixed"}"; }};
{availability}
{failures}
rounds = {{ count = {world["rounds"]}; cohort = {world["cohort"]}; {selection}}};
output = {{ what_if = "none"; report = false; }};
''')


# ---- a group

class Group:
    """The clients of a group from their downloads to the end of the last layer."""

    def __init__(self, world, members, round_number, start, told):
        self.world, self.members, self.start = world, members, start
        self.order = sorted(members)
        self.head = self.order[(round_number - 1) % len(self.order)]
        self.told = {}  # by layer, sender and receiver: a head sends and receives in each
        for row in told:
            self.told[int(row["layer"]), int(row["from"]), int(row["to"])] = row
        self.messages, self.missing = [], []  # (layer, message)
        self.done, self.lost = {}, {}
        self.flop = dict.fromkeys(members, 0)
        self.through = set()  # (layer, from, to): of whom the head tells a client

    def pairs(self, there, half):
        if half is None:
            return [(a, b) for a in there for b in there if a != b]
        near = [(a, self.head) for a in there if a != self.head]
        return [] if self.head not in there else near if half == 0 else [(b, a) for a, b in near]

    def computes(self, member, came, half):
        """A head adds up what has come before it sends the sum; all go on to their next layer when they have what it takes."""
        dim = self.world["dim"]
        flop = dim * came + (0 if half == 0 else 8 * dim)
        self.flop[member] += flop
        return flop / self.world["clients"][member]["speed"] if self.world["flops"] else 0

    def stage(self, layer, half, begins):
        there = [a for a in self.order if a not in self.lost]
        rows = []
        for a, b in self.pairs(there, half):
            row = self.told.pop((layer, a, b), None)
            if row is None:
                self.missing.append((layer, a, b))
            else:
                rows.append(row)
        members = {a: {"ready": max(begins, self.members[a]["ready"]), "dies": self.members[a]["dies"]} for a in there}
        for a in there:
            if members[a]["dies"] < members[a]["ready"]:
                members[a]["ready"] = INFINITY
        exchange = Round(self.world, members, self.start, rows)
        exchange.run()
        came = {a: [m.sender for m in exchange.messages if m.receiver == a and m.fate == "delivered"] for a in there}
        self.messages += [(layer, message) for message in exchange.messages]
        for a in there:
            if a in exchange.lost:
                self.lost[a] = exchange.lost[a]
                self.done.pop(a, None)
            else:
                self.done[a] = exchange.done[a] + self.computes(a, len(came[a]), half)
        return came

    def play(self):
        noticed = [one["ready"] if one["dies"] >= one["ready"] else one["dies"] + self.world["detect"] for one in self.members.values()]
        begins = max(noticed)
        for layer in range(1, self.world["layers"] + 1):
            up = {}
            for half in (0, 1) if self.world["by_head"] else (None,):
                came = self.stage(layer, half, begins)
                if half == 0:
                    up = came.get(self.head, [])
                elif half == 1:
                    self.through |= {(layer, a, v) for v in came if self.head in came[v] for a in up if a != v}
                if not self.done:
                    return
                begins = max(self.done.values())
        for a in list(self.done):
            if self.members[a]["dies"] < self.done[a]:
                self.lost[a] = self.members[a]["dies"]
                del self.done[a]


# ---- comparing

def planned(world, start, events, compare):
    """When each client has its download (INFINITY: never), and when its device or session ends."""
    members = {}
    for client, phases in events.items():
        last, down, one = list(phases.values())[-1], phases.get("down"), world["clients"][client]
        ends = session_end(world, client, start)
        compare.same(f"client {client} online", True, ends is not None)
        dies = ends if ends is not None else INFINITY
        if last.get("cause") == "device":
            dies = min(dies, last["t1_s"])
        lost = down is None or "outcome" in down
        if not lost and world["model"] == "exact":
            compare.close(f"client {client}: download", start + one["latency"] + down["bytes"] / one["down"], down["t1_s"])
        if lost:
            compare.same(f"client {client}: outcome", "dropped_down", last["outcome"])
        members[client] = {"ready": INFINITY if lost else down["t1_s"], "dies": min(dies, last["t1_s"]) if lost else dies}
    return members


def check_messages(where, world, groups, outcomes, compare):
    crossed, waste = {}, {}
    for group in groups:
        compare.same(where + ": messages of a group", ([], []), (group.missing, sorted(group.told)))
        for layer, message in group.messages:
            told, what = message.told, f"{where}, layer {layer}, message {message.sender} to {message.receiver}"
            compare.same(what + ": fate", message.fate, told["fate"])
            compare.close(what + ": begun", message.begun, told["begun_s"])
            compare.close(what + ": first byte", message.start, told["start_s"])
            compare.close(what + ": end", message.end, told["end_s"])
            compare.same(what + ": bytes", 24 + 4 * world["dim"] * world["common"], int(told["bytes"]))
            compare.same(what + ": weight", "", told["weight"])
            keys = ("crossed_bytes", "setup_there_bytes", "setup_back_bytes")
            parts = [whole(mine, int(told[key])) for mine, key in zip((message.crossed, *message.setup), keys)]
            for mine, key in zip(parts, keys):
                compare.same(f"{what}: {key}", mine, int(told[key]))
            there, back = parts[0] + parts[1], parts[2]
            used = outcomes[message.receiver] == "delivered"
            if world["by_head"] and message.receiver == group.head:
                used |= any((layer, message.sender, v) in group.through and outcomes[v] == "delivered" for v in group.order)
            used &= message.fate == "delivered"
            for member, up, down in ((message.sender, there, back), (message.receiver, back, there)):
                for sums, counts in ((crossed, True), (waste, not used)):
                    old = sums.get(member, (0, 0))
                    sums[member] = (old[0] + up * counts, old[1] + down * counts)
    return crossed, waste


def check_clients(where, world, members, events, groups, crossed, spent, compare):
    """Returns when the server knows that each participation has ended, and the operations of the round."""
    of, ends, flop = {a: group for group in groups for a in group.order}, {}, 0
    for client, one in members.items():
        phases, what, group = events[client], f"{where}, client {client}", of.get(client)
        last = list(phases.values())[-1]
        gone = 0 if last["outcome"] == "delivered" else world["detect"]
        ends[client] = last["t1_s"] + gone
        if one["ready"] == INFINITY or one["dies"] < one["ready"]:
            compare.same(what + ": exchange", False, "exchange" in phases)
            continue
        computes = one["ready"]
        compare.same(what + ": exchange", group is not None, "exchange" in phases)
        if group and "exchange" in phases:
            told = phases["exchange"]
            lost = group.lost.get(client)
            computes = lost if lost is not None else group.done[client]
            mine = [m for _, m in group.messages if m.fate == "delivered"]
            spent[client] = spent.get(client, 0) + computes - one["ready"]
            compare.close(what + ": exchange begins", one["ready"], told["t0_s"])
            compare.close(what + ": exchange ends", computes, told["t1_s"])
            compare.same(what + ": bytes", crossed.get(client, (0, 0)), (told["up_bytes"], told["down_bytes"]))
            compare.same(what + ": messages", (sum(m.sender == client for m in mine), sum(m.receiver == client for m in mine)),
                         (told["sent"], told["received"]))
            compare.same(what + ": outcome", None if lost is None else "dropped_compute", told.get("outcome"))
            if lost is not None:
                continue
            flop += group.flop[client]
        compute = phases["compute"]
        compare.close(what + ": begins to compute", computes, compute["t0_s"])
        if "outcome" in compute:
            continue
        device = world["clients"][client]
        computed = computes + device["overhead"] + (compute["flop"] / device["speed"] if world["flops"] else 0)
        flop += compute["flop"]
        compare.close(what + ": computed", computed, compute["t1_s"])
        if last["outcome"] == "delivered" and world["model"] == "exact":
            compare.close(what + ": delivered", computed + device["latency"] + last["bytes"] / device["up"], last["t1_s"])
    return ends, flop


def check(world, folder, compare, fates):
    rounds, told = list(csv.DictReader(open(f"{folder}/rounds.csv"))), {}
    for row in csv.DictReader(open(f"{folder}/peers.csv")) if os.path.exists(f"{folder}/peers.csv") else []:
        told.setdefault(int(row["round"]), []).append(row)
    events, of_clients, spent = phases_of(folder), {}, {}
    for row in rounds:
        number, start = int(row["round"]), float(row["start_s"])
        where, mine = f"round {number}", events.get(number, {})
        members = planned(world, start, mine, compare)
        near = {}
        for one in told.get(number, []):
            near.setdefault(int(one["from"]), set()).add(int(one["to"]))
            near.setdefault(int(one["to"]), set()).add(int(one["from"]))
        groups = []
        for part in components(near):
            compare.same(where + ": clients of a group", True, 2 <= len(part) <= world["most"] and part <= set(members))
            groups.append(Group(world, {a: members[a] for a in part}, number, start, [one for one in told[number] if int(one["from"]) in part]))
            groups[-1].play()
        outcomes = {client: list(phases.values())[-1]["outcome"] for client, phases in mine.items()}
        crossed, waste = check_messages(where, world, groups, outcomes, compare)
        ends, flop = check_clients(where, world, members, mine, groups, crossed, spent, compare)
        if row["lost"] == "":
            compare.close(where + ": end", max(ends.values(), default=start), row["end_s"])
        for i, way in enumerate(("up", "down")):
            compare.same(f"{where}: peer_{way}_bytes", sum(one[i] for one in crossed.values()), int(row[f"peer_{way}_bytes"]))
            compare.same(f"{where}: wasted_peer_{way}_bytes", sum(one[i] for one in waste.values()), int(row[f"wasted_peer_{way}_bytes"]))
        messages = [m for group in groups for _, m in group.messages]
        for message in messages:
            fates[message.fate] = fates.get(message.fate, 0) + 1
        compare.same(where + ": peer_messages", sum(m.fate == "delivered" for m in messages), int(row["peer_messages"]))
        if all(outcome == "delivered" for outcome in outcomes.values()):
            compare.close(where + ": operations", flop, row["flop"])
        for client, (up, down) in crossed.items():
            old = of_clients.get(client, (0, 0))
            of_clients[client] = (old[0] + up, old[1] + down)
    for row in csv.DictReader(open(f"{folder}/clients.csv")):
        client = int(row["client"])
        compare.same(f"client {client}: all bytes", of_clients.get(client, (0, 0)), (int(row["peer_up_bytes"]), int(row["peer_down_bytes"])))
        compare.close(f"client {client}: exchange_s", spent.get(client, 0), row["exchange_s"])
    return len(rounds)


def main():
    program, first, count = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    failed = n_rounds = compared = resumed = stranded = 0
    fates = {}
    for number in range(first, first + count):
        world, compare = draw(number), Comparison()
        write(world)
        clean()
        ran = run(program, "out", "--threads", "1")
        if ran.returncode != 0 and not os.path.exists("out"):
            if "uploads arrived in each of" not in ran.stderr and "eligible" not in ran.stderr:
                print(f"scenario {number}: exit {ran.returncode}: {ran.stderr}")
                failed += 1
            stranded += 1
            continue
        n_rounds += check(world, "out", compare, fates)
        if "again" in sys.argv[4:] and ran.returncode == 0:
            resumed += run_again(program, compare)
        compared += compare.compared
        if compare.wrong:
            print(f"scenario {number}: {compare.wrong} of {compare.compared} figures disagree")
            failed += 1
    told = ", ".join(f"{n} {fate}" for fate, n in sorted(fates.items()))
    print(f"{count} scenarios, {n_rounds} rounds, messages: {told}; {compared} figures, {stranded} without a round, "
          f"{resumed} killed and resumed: {failed} disagree")
    sys.exit(failed > 0 or not fates)


if __name__ == "__main__":
    os.environ["LC_ALL"] = "C"
    main()
