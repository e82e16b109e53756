"""A method of federated recommendation in Python, for method.name = "external" of fedrecsim.

A method is a class with keys, tables, a training and a score; `run` carries on the conversation with
fedrecsim (docs/external.md, version 2). Tables are NumPy arrays over the shared memory: what is written
into them is what is sent. NumPy alone is needed; torch.from_numpy shares the same memory.
"""
import mmap
import os
import sys

import numpy as np

__all__ = ["Method", "Task", "Trained", "boolean", "budgets", "choice", "integer", "private", "real", "run", "shared", "text"]


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
    def __init__(self, kind, name, rows, columns, normal, given, flags):
        self.kind, self.name, self.rows, self.columns, self.normal = kind, name, rows, columns, normal
        self.flags = [flag for flag, is_set in flags.items() if is_set]
        self.given = None if given is None else np.asarray(given, np.float32).reshape(rows, columns)
        self.is_vector = kind == "private" and rows == 1
        self.has_copies = kind == "private" or "own" in self.flags

    def line(self):
        start = "given" if self.given is not None else "zeros" if self.normal is None else f"normal {self.normal!r}"
        return " ".join(["table", self.name, self.kind, str(self.rows), str(self.columns), start, *self.flags])


def shared(name, rows, columns, normal=None, given=None, undivided=False, own=False, by_budget=False):
    """A table that the server sends and averages: first values are zeros, normal with this standard deviation, or `given`.
    `own`: a client predicts with the version that it has trained last. `by_budget`: clients send the first task.budget columns."""
    return _Table("shared", name, rows, columns, normal, given, {"undivided": undivided, "own": own, "by_budget": by_budget})


def private(name, columns, normal=None, alike=False, rows=1):
    """A row that each client keeps to itself; `alike`: all begin with the same. Several `rows` begin with zeros."""
    return _Table("private", name, rows, columns, normal, None, {"alike": alike})


def budgets(least, most, fixed_work=0.0):
    """Columns that clients may be told to send, and the share of the work under the largest budget that is the same under all."""
    return _Budgets(least, most, fixed_work)


class _Budgets:
    def __init__(self, *numbers):
        self.numbers = numbers

    def line(self):
        return " ".join(["budgets", *map(repr, self.numbers)])


# ---- tasks ---------------------------------------------------------------------------------------

class Task:
    """One participation: what the client trains on.

    Implicit feedback: `items` are the distinct items of its samples, ascending; sample s is of
    items[places[s]] and has the label labels[s]. Explicit feedback: `ratings` of `items`.
    Items and places are int64, labels and ratings float32: torch.from_numpy takes all of them.
    """

    def __init__(self, client, round, attempt, epochs, budget, seed, items, places, labels, ratings):
        self.client, self.round, self.attempt, self.epochs, self.seed = client, round, attempt, epochs, seed
        self.budget = budget  # columns that are sent of tables by_budget
        self.items, self.places, self.labels, self.ratings = items, places, labels, ratings

    @property
    def rng(self):
        """All that may be drawn from: another one for every participation, the same whenever it is repeated."""
        return np.random.default_rng(self.seed)

    def limit(self, epochs):
        """So many epochs, or fewer where the round asks for fewer."""
        return min(self.epochs, epochs) if self.epochs else epochs


class Trained:
    """What a training answers: `flop` is 0 where work is measured. `changed` has for a table the rows that changed, ascending: of a
    shared one they are sent, of a private one kept. Of a table that is not in it all rows are."""

    def __init__(self, loss, epochs, processed, flop=0, post_flop=0, post_processed=0, changed=None):
        self.loss, self.epochs, self.processed, self.flop = loss, epochs, processed, flop
        self.post_flop, self.post_processed, self.changed = post_flop, post_processed, changed or {}


class Method:
    """What a method derives from. `self.n_items`, `self.n_clients`, `self.seed`, `self.scale` (of ratings) and a member for every
    key are there from `tables` on, and `self.table[NAME]` from the first task on: [rows × columns], or [columns] of one private row."""

    feedback = "implicit"  # or "explicit": predicts ratings
    sends = "states"  # or "updates"
    work = "counted"  # or "measured": clients take the time that the training takes here
    limits_epochs = False  # heeds task.epochs, and has a key `epochs`
    works_after_upload = False  # post_flop of Trained
    takes_budgets = False  # heeds task.budget: has a table by_budget, and budgets(...) among its tables
    keys = {}

    def tables(self):
        """The tables, shared(...) and private(...)."""
        raise NotImplementedError

    def train(self, task):
        """Trains a client on self.table, changes these in place, and returns a Trained."""
        raise NotImplementedError

    def score(self, client, items):
        """A score for each item from self.table, an array or a tensor: larger is better; or the predicted ratings."""
        raise NotImplementedError

    def score_block(self, clients, items, starts):
        """Scores of all items, where items[starts[k]:starts[k + 1]] are for clients[k], and self.copies[NAME] has its tables at place k:
        [clients × rows × columns], or [clients × columns], of private and own ones. Worth having where one call for many clients is faster."""
        scores = np.empty(len(items), np.float32)
        for k, client in enumerate(clients):
            for name, copies in self.copies.items():
                self.table[name] = copies[k]
            scores[starts[k]:starts[k + 1]] = _numbers(self.score(int(client), items[starts[k]:starts[k + 1]]))
        return scores


def _numbers(scores):
    """An array or a list as it is, and what a tensor of PyTorch holds, which may be part of a graph."""
    return scores.detach().numpy() if hasattr(scores, "detach") else scores


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
        flags = [name for name in ("limits_epochs", "works_after_upload", "takes_budgets") if getattr(method, name)]
        self.say("external 2", "feedback " + method.feedback, "sends " + method.sends, "work " + method.work, *flags,
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
        declared = method.tables()
        self.tables = [table for table in declared if isinstance(table, _Table)]
        self.say(*(line.line() for line in declared), "end")

    def memory(self, n_bytes):
        memory = mmap.mmap(5, n_bytes)
        places = {}
        for line in self.block():
            *name, place = line.split(" ")
            places[" ".join(name)] = int(place)

        def array(name, kind, n):
            return np.frombuffer(memory, kind, n, places[name])

        self.array = array
        self.ids = {table.name: array("ids " + table.name, np.uint32, table.rows) for table in self.tables if not table.is_vector}
        self.blocks = {}
        self.training = {table.name: self.copies(table, 1)[0] for table in self.tables}
        self.method.table = dict(self.training)
        for table in self.tables:
            if table.given is not None:
                self.method.table[table.name][:] = table.given
        self.say("ready")

    def integers(self, name, n):
        """A copy that PyTorch and NumPy take as indices."""
        return self.array(name, np.uint32, n).astype(np.int64)

    def copies(self, table, n):
        """A table once for each of n clients, an array over the memory."""
        shape = (n, table.columns) if table.is_vector else (n, table.rows, table.columns)
        return self.array("values " + table.name, np.float32, n * table.rows * table.columns).reshape(shape)

    def train(self, client, round, attempt, epochs, budget, seed, n_items, n_samples):
        items, places, labels, ratings = self.integers("items", n_items), None, None, None
        if self.method.feedback == "explicit":
            ratings = self.array("ratings", np.float32, n_items)
        else:
            samples = self.array("samples", np.uint32, n_samples)
            places, labels = (samples >> 1).astype(np.int64), (samples & 1).astype(np.float32)
        self.method.table = dict(self.training)
        done = self.method.train(Task(client, round, attempt, epochs, budget, seed, items, places, labels, ratings))
        changed = []
        for name, ids in self.ids.items():
            rows = done.changed.get(name)
            if rows is not None:
                ids[:len(rows)] = rows
            changed.append("all" if rows is None else str(len(rows)))
        self.say(f"trained {float(done.loss)!r} {done.epochs} {float(done.processed)!r} {float(done.flop)!r} "
                 f"{float(done.post_flop)!r} {float(done.post_processed)!r} " + " ".join(changed))

    def score(self, n_clients, n_items):
        if n_clients not in self.blocks:
            self.blocks[n_clients] = {table.name: self.copies(table, n_clients) for table in self.tables if table.has_copies}
        self.method.copies = self.blocks[n_clients]
        clients, starts = self.integers("clients", n_clients), self.integers("starts", n_clients + 1)
        scores = self.method.score_block(clients, self.integers("items", n_items), starts)
        self.array("scores", np.float32, n_items)[:] = _numbers(scores)
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
