"""A method of federated recommendation in Python, for method.name = "external" of fedrecsim.

A method is a class with keys, tables, a training and a score; `run` carries on the conversation with
fedrecsim (docs/external.md, version 2). Tables are NumPy arrays over the shared memory: what is written
into them is what is sent. NumPy alone is needed; torch.from_numpy shares the same memory.
"""
import math
import mmap
import os
import sys
import traceback

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


class _Tables(dict):
    """self.table: its arrays are the shared memory, so that one that takes the place of another would be lost."""

    def __setitem__(self, name, value):
        if name not in self:
            raise KeyError(f"there is no table {name!r}; tables: {', '.join(self)}")
        raise TypeError(f"self.table[{name!r}] = … puts another array into its place, which is not kept: write self.table[{name!r}][:] = …")

    def put(self, name, array):
        dict.__setitem__(self, name, array)


# ---- tasks ---------------------------------------------------------------------------------------

class Task:
    """One participation: what the client trains on. Rounds and attempts count from 0.

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
                self.table.put(name, copies[k])
            asked = items[starts[k]:starts[k + 1]]
            scores[starts[k]:starts[k + 1]] = _scores("score", self.score(int(client), asked), len(asked))
        return scores


def _scores(name, scores, n):
    """An array or a list as it is, and what a tensor of PyTorch holds, which may be part of a graph: n numbers."""
    scores = np.asarray(scores.detach().numpy() if hasattr(scores, "detach") else scores, np.float32)
    if scores.shape != (n,):
        raise ValueError(f"{name} returns numbers of shape {scores.shape} for {n} items; allowed: one for each, shape ({n},)")
    return scores


def _rows(name, rows, n_rows):
    """Ids of the rows that have changed."""
    rows = np.asarray(rows)
    if rows.dtype == bool:
        raise ValueError(f"changed[{name!r}] is a mask; allowed: the ids of the rows, as numpy.flatnonzero(mask) gives them")
    if rows.ndim != 1 or len(rows) > n_rows or (len(rows) and not np.issubdtype(rows.dtype, np.integer)):
        raise ValueError(f"changed[{name!r}] has shape {rows.shape} of {rows.dtype}; allowed: ids of rows of a table of {n_rows}")
    return rows


def _where(error):
    """The last place of an error that is neither in this module nor in a library."""
    places = [frame for frame in traceback.extract_tb(error.__traceback__)
              if frame.filename != __file__ and not any(part in frame.filename for part in ("-packages/", "/lib/python", "<"))]
    return f"{os.path.basename(places[-1].filename)}, line {places[-1].lineno}, in {places[-1].name}: " if places else ""


class _Fault(Exception):
    """An error of the method's, as one line."""


def _of_method(name, function, *arguments):
    """Calls a function of the method's. An error goes to stderr whole, and to fedrecsim with its place."""
    try:
        return function(*arguments)
    except Exception as error:
        traceback.print_exc()
        text = " ".join(str(error).split())
        raise _Fault(f"{_where(error) or name + ': '}{type(error).__name__}{': ' if text else ''}{text}") from error


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
        for name in method.keys:
            if hasattr(Method, name) or name in ("n_items", "n_clients", "seed", "scale", "negatives", "table", "copies"):
                raise _Fault(f"a key cannot be named {name}: self.{name} is something else")
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
        declared = _of_method("tables", method.tables)
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
        self.method.table = _Tables(self.training)
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
        self.method.table = _Tables(self.training)
        task = Task(client, round, attempt, epochs, budget, seed, items, places, labels, ratings)
        done, changed = _of_method("train", self.trained, task), []
        for name, ids in self.ids.items():
            rows = done.changed.get(name)
            if rows is not None:
                ids[:len(rows)] = rows
            changed.append("all" if rows is None else str(len(rows)))
        self.say(f"trained {float(done.loss)!r} {done.epochs} {float(done.processed)!r} {float(done.flop)!r} "
                 f"{float(done.post_flop)!r} {float(done.post_processed)!r} " + " ".join(changed))

    def trained(self, task):
        done = self.method.train(task)
        if not isinstance(done, Trained):
            raise TypeError(f"train returns {type(done).__name__}; allowed: a Trained")
        if not math.isfinite(float(done.loss)):
            raise ValueError(f"the loss is {float(done.loss)}: training has diverged (a smaller step?)")
        for name, rows in done.changed.items():
            if name not in self.method.table:
                raise ValueError(f"changed has {name!r}, which is no table; tables: {', '.join(self.method.table)}")
            if name in self.ids and rows is not None:
                done.changed[name] = _rows(name, rows, len(self.ids[name]))
        return done

    def score(self, n_clients, n_items):
        if n_clients not in self.blocks:
            self.blocks[n_clients] = {table.name: self.copies(table, n_clients) for table in self.tables if table.has_copies}
        self.method.copies = self.blocks[n_clients]
        clients, starts = self.integers("clients", n_clients), self.integers("starts", n_clients + 1)
        scores = _of_method("score", self.method.score_block, clients, self.integers("items", n_items), starts)
        self.array("scores", np.float32, n_items)[:] = _of_method("score", _scores, "score_block", scores, n_items)
        self.say("scored")

    def serve(self):
        try:
            self.answer_all()
        except _Fault as fault:
            self.say(f"error {fault}")

    def answer_all(self):
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
