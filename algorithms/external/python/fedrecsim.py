"""A method of federated recommendation in Python, for method.name = "external" of fedrecsim.

A method is a class with keys, tables, a training and a score; `run` carries on the conversation with
fedrecsim (docs/external.md, version 1). Tables are NumPy arrays over the shared memory: what is written
into them is what is sent. NumPy alone is needed; torch.from_numpy shares the same memory.
"""
import mmap
import os
import sys

import numpy as np

__all__ = ["Method", "Task", "Trained", "boolean", "choice", "integer", "private", "real", "run", "shared", "text"]


# ---- keys: method.NAME of the scenario -----------------------------------------------------------

class _Key:
    def __init__(self, kind, default, limits, help, read):
        self.kind, self.default, self.limits, self.help, self.read = kind, default, limits, help, read

    def line(self, name):
        return " ".join(["key", name, self.kind, self.default, *self.limits, self.help])


def integer(default, least, most, help):
    """A key that is an integer from `least` to `most`."""
    return _Key("int", str(default), [str(least), str(most)], help, int)


def real(default, least, most, help):
    """A key that is a number from `least` to `most`."""
    return _Key("real", repr(float(default)), [repr(float(least)), repr(float(most))], help, float)


def boolean(default, help):
    """A key that is true or false."""
    return _Key("bool", "true" if default else "false", [], help, lambda value: value == "true")


def choice(default, choices, help):
    """A key that is one of `choices`."""
    return _Key("choice", default, ["|".join(choices)], help, str)


def text(default, help):
    """A key that is any text of one line."""
    return _Key("text", default or "-", [], help, str)


# ---- tables --------------------------------------------------------------------------------------

class _Table:
    def __init__(self, name, rows, columns, normal, given, flags):
        self.name, self.rows, self.columns, self.normal, self.flags = name, rows, columns, normal, flags
        self.given = None if given is None else np.asarray(given, np.float32).reshape(rows, columns)

    def line(self):
        start = "given" if self.given is not None else "zeros" if self.normal is None else f"normal {self.normal!r}"
        size = f"private {self.columns}" if self.rows is None else f"shared {self.rows} {self.columns}"
        return " ".join(["table", self.name, size, start, *self.flags])


def shared(name, rows, columns, normal=None, given=None, undivided=False):
    """A table that the server sends and averages: first values are zeros, normal with this standard deviation, or `given`."""
    return _Table(name, rows, columns, normal, given, ["undivided"] if undivided else [])


def private(name, columns, normal=None, alike=False):
    """A row that each client keeps to itself; `alike`: all begin with the same."""
    return _Table(name, None, columns, normal, None, ["alike"] if alike else [])


# ---- tasks ---------------------------------------------------------------------------------------

class Task:
    """One participation: what the client trains on.

    Implicit feedback: `items` are the distinct items of its samples, ascending; sample s is of
    items[places[s]] and has the label labels[s]. Explicit feedback: `ratings` of `items`.
    """

    def __init__(self, client, round, attempt, epochs, seed, items, places, labels, ratings):
        self.client, self.round, self.attempt, self.epochs, self.seed = client, round, attempt, epochs, seed
        self.items, self.places, self.labels, self.ratings = items, places, labels, ratings

    @property
    def rng(self):
        """All that may be drawn from: another one for every participation, the same whenever it is repeated."""
        return np.random.default_rng(self.seed)

    def limit(self, epochs):
        """So many epochs, or fewer where the round asks for fewer."""
        return min(self.epochs, epochs) if self.epochs else epochs


class Trained:
    """What a training answers: `flop` is 0 where work is measured; `sent` has for a shared table the rows that go up,
    ascending, and all rows of a table that is not in it go up."""

    def __init__(self, loss, epochs, processed, flop=0, post_flop=0, post_processed=0, sent=None):
        self.loss, self.epochs, self.processed, self.flop = loss, epochs, processed, flop
        self.post_flop, self.post_processed, self.sent = post_flop, post_processed, sent or {}


class Method:
    """What a method derives from. `self.n_items`, `self.n_clients`, `self.seed`, `self.scale` (of ratings) and a member for every
    key are there from `tables` on, and `self.table[NAME]` from the first task on: [rows × columns], or [columns] of a private one."""

    feedback = "implicit"  # or "explicit": predicts ratings
    sends = "states"  # or "updates"
    work = "counted"  # or "measured": clients take the time that the training takes here
    limits_epochs = False  # heeds task.epochs, and has a key `epochs`
    works_after_upload = False
    keys = {}

    def tables(self):
        """The tables, shared(...) and private(...)."""
        raise NotImplementedError

    def train(self, task):
        """Trains a client on self.table, changes these in place, and returns a Trained."""
        raise NotImplementedError

    def score(self, client, items):
        """A score for each item from self.table, larger is better; or the predicted ratings."""
        raise NotImplementedError


# ---- the conversation ----------------------------------------------------------------------------

class _Session:
    def __init__(self, kind):
        self.method = kind()
        self.lines = os.fdopen(3, "r", encoding="utf-8", newline="\n")
        self.answers = os.fdopen(4, "w", encoding="utf-8", newline="\n")

    def say(self, *lines):
        self.answers.write("".join(line + "\n" for line in lines))
        self.answers.flush()

    def block(self):
        for line in self.lines:
            if line == "end\n":
                return
            yield line.rstrip("\n")

    def hello(self):
        method = self.method
        flags = [name for name in ("limits_epochs", "works_after_upload") if getattr(method, name)]
        self.say("external 1", "feedback " + method.feedback, "sends " + method.sends, "work " + method.work, *flags,
                 *(key.line(name) for name, key in method.keys.items()), "end")

    def begin(self):
        method = self.method
        for line in self.block():
            word, _, rest = line.partition(" ")
            if word in ("clients", "items"):
                setattr(method, "n_" + word, int(rest))
            elif word in ("seed", "negatives"):
                setattr(method, word, int(rest))
            elif word == "ratings":
                method.scale = tuple(float(limit) for limit in rest.split())
            elif word == "set":
                name, _, value = rest.partition(" ")
                setattr(method, name, method.keys[name].read(value))
        self.declared = method.tables()
        self.say(*(table.line() for table in self.declared), "end")

    def memory(self, n_bytes):
        memory = mmap.mmap(5, n_bytes)
        places = {}
        for line in self.block():
            *name, place = line.split(" ")
            places[" ".join(name)] = int(place)

        def array(name, kind, n):
            return np.frombuffer(memory, kind, n, places[name])

        self.array = array
        self.method.table, self.ids = {}, {}
        for table in self.declared:
            values = array("values " + table.name, np.float32, (table.rows or 1) * table.columns)
            if table.rows:
                values = values.reshape(table.rows, table.columns)
                self.ids[table.name] = array("ids " + table.name, np.uint32, table.rows)
            if table.given is not None:
                values[:] = table.given
            self.method.table[table.name] = values
        self.say("ready")

    def train(self, client, round, attempt, epochs, seed, n_items, n_samples):
        items, places, labels, ratings = self.array("items", np.uint32, n_items), None, None, None
        if self.method.feedback == "explicit":
            ratings = self.array("ratings", np.float32, n_items)
        else:
            samples = self.array("samples", np.uint32, n_samples)
            places, labels = samples >> 1, (samples & 1).astype(np.float32)
        done = self.method.train(Task(client, round, attempt, epochs, seed, items, places, labels, ratings))
        sent = []
        for name, ids in self.ids.items():
            rows = done.sent.get(name)
            if rows is not None:
                ids[:len(rows)] = rows
            sent.append("all" if rows is None else str(len(rows)))
        self.say(f"trained {float(done.loss)!r} {done.epochs} {float(done.processed)!r} {float(done.flop)!r} "
                 f"{float(done.post_flop)!r} {float(done.post_processed)!r} " + " ".join(sent))

    def score(self, client, n):
        self.array("scores", np.float32, n)[:] = self.method.score(client, self.array("items", np.uint32, n))
        self.say("scored")

    def serve(self):
        for line in self.lines:
            word, *rest = line.split()
            if word == "train":
                self.train(*map(int, rest))
            elif word == "score":
                self.score(*map(int, rest))
            elif word == "begin":
                self.begin()
            elif word == "memory":
                self.memory(int(rest[0]))
            elif word == "fedrecsim":
                self.hello()
            elif word == "goodbye":
                return
            else:
                self.say("error does not know the line " + line.strip())


def run(kind):
    """Serves fedrecsim with a method, the class `kind`, until it says goodbye."""
    try:
        session = _Session(kind)
    except OSError:
        sys.exit("is to be named as method.command of a scenario of fedrecsim: method = { name = \"external\"; "
                 f"command = \"python3 {sys.argv[0]}\"; }};")
    session.serve()
