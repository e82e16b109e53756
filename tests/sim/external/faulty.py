"""A program that speaks the protocol of docs/external.md, and goes wrong in the way that its key `fault` says. Python's own library
alone; used by test_external_faults.sh."""
import mmap
import os
import signal
import struct
import subprocess
import sys
import threading
import time

FAULTS = """none exits killed killed_once hangs hangs_with_child garbage binary endless too_many_words too_few_words rows_too_many
row_unknown row_descends row_twice nan_row nan_kept nan_loss infinite_flop negative_flop no_flop post_flop epochs_too_many answers_twice
closes says_error prints_much nan_score wrong_score_word dies_scoring shrinks_memory scribbles no_tables many_tables huge_table
overflowing_table empty_table table_twice nan_given other_tables not_ready dies_beginning exits_once_later""".split()

answers = os.fdopen(4, "wb", buffering=0)
lines = os.fdopen(3, "r", newline="\n")
settings = {"fault": "none", "marker": ""}
n_trained = 0


def say(text):
    answers.write(text.encode())


def block():
    for line in lines:
        if line == "end\n":
            return
        yield line.split()


def hello():
    say("external 2\nlimits_epochs\nkey dim int 4 1 64 length of a vector\nkey epochs int 1 1 9 local epochs\n"
        "key fault choice none " + "|".join(FAULTS) + " what goes wrong\nkey marker text - a file that is made once\nend\n")


def tables(n_items, dim, fault):
    items = f"table items shared {n_items} {dim} normal 0.1\n"
    users = f"table users private 1 {dim} zeros\n"
    return {
        "no_tables": "end\n",
        "many_tables": "".join(f"table t{i} private 1 1 zeros\n" for i in range(9)) + "end\n",
        "huge_table": "table items shared 2000000000 1000 zeros\nend\n",
        "overflowing_table": "table items shared 2000000000 100000000 zeros\nend\n",
        "empty_table": f"table items shared 0 {dim} zeros\nend\n",
        "table_twice": items + items + "end\n",
        "nan_given": f"table items shared {n_items} {dim} given\n" + users + "end\n",
        "other_tables": items + f"table users private 1 {dim + os.getpid() % 50} zeros\nend\n",
    }.get(fault, items + users + "end\n")


def scribble(memory):
    noise = struct.Struct("<I")
    for i in range(1 << 40):
        noise.pack_into(memory, i * 4 % (len(memory) - 4), (i * 2654435761) & 0xFFFFFFFF)


def first_time():
    try:
        os.close(os.open(settings["marker"], os.O_CREAT | os.O_EXCL))
        return True
    except FileExistsError:
        return False


def train(memory, places, words):
    global n_trained
    fault, dim = settings["fault"], int(settings["dim"])
    epochs, n, n_samples = words[3], words[6], words[7]
    ids = list(struct.unpack_from(f"<{n}I", memory, places["items"]))
    n_trained += 1
    if fault == "exits_once_later" and n_trained > 6 and first_time():
        sys.exit("out of order")
    if fault == "exits":
        print("the first of the last lines\nand the last one", file=sys.stderr)
        sys.exit(3)
    if fault == "killed" or (fault == "killed_once" and first_time()):
        os.kill(os.getpid(), signal.SIGKILL)
    if fault in ("hangs", "hangs_with_child"):
        if fault == "hangs_with_child":
            subprocess.Popen(["/bin/sleep", "4321"], close_fds=False)
        time.sleep(1000)
    if fault == "garbage":
        return say("fine, thank you\n")
    if fault == "binary":
        return answers.write(b"trained 0.5\0\n")
    if fault == "endless":
        return answers.write(b"x" * 300000)
    if fault == "closes":
        os.close(4)
        time.sleep(1000)
    if fault == "says_error":
        return say("error dim has to be even, %s and \x1b[31mred\n")
    if fault == "prints_much":
        print("z" * 200000, flush=True)
    if fault == "row_unknown":
        ids[-1] = 4000000000
    if fault == "row_descends":
        ids.reverse()
    if fault == "row_twice":
        ids[1] = ids[0]
    struct.pack_into(f"<{n}I", memory, places["ids items"], *ids)
    if fault == "nan_row":
        struct.pack_into("<f", memory, places["values items"] + 4 * dim * ids[0], float("nan"))
    if fault == "nan_kept":
        struct.pack_into("<f", memory, places["values users"], float("inf"))
    if fault == "shrinks_memory":
        os.ftruncate(5, 0)
    if fault == "scribbles" and n_trained == 1:
        threading.Thread(target=scribble, args=(memory,), daemon=True).start()
    loss = "nan" if fault == "nan_loss" else "0.5"
    flop = {"no_flop": "0", "infinite_flop": "inf", "negative_flop": "-5"}.get(fault, "1000")
    run = epochs + 1 if fault == "epochs_too_many" and epochs else min(epochs or 9, int(settings["epochs"]))
    count = 99999999 if fault == "rows_too_many" else n
    tail = {"too_many_words": " 7 7"}.get(fault, "")
    text = f"trained {loss} {run} {n_samples} {flop} {7 if fault == 'post_flop' else 0} 0 {count}{tail}\n"
    if fault == "too_few_words":
        text = text.rpartition(" ")[0] + "\n"
    say(text + text if fault == "answers_twice" else text)


def score(memory, places, n):
    fault = settings["fault"]
    if fault == "dies_scoring":
        sys.exit("cannot score")
    values = [float(i) for i in range(n)]
    if fault == "nan_score":
        values[-1] = float("nan")
    struct.pack_into(f"<{n}f", memory, places["scores"], *values)
    say("score\n" if fault == "wrong_score_word" else "scored\n")


def main():
    memory, places, n_items = None, {}, 0
    for line in lines:
        word, *rest = line.split()
        if word == "fedrecsim":
            hello()
        elif word == "begin":
            for name, *value in block():
                if name == "items":
                    n_items = int(value[0])
                elif name == "set":
                    settings[value[0]] = " ".join(value[1:])
            if settings["fault"] == "dies_beginning":
                sys.exit("cannot begin")
            say(tables(n_items, int(settings["dim"]), settings["fault"]))
        elif word == "memory":
            memory = mmap.mmap(5, int(rest[0]))
            places = {" ".join(words[:-1]): int(words[-1]) for words in block()}
            if settings["fault"] == "nan_given":
                struct.pack_into("<f", memory, places["values items"] + 8, float("nan"))
            say("not yet\n" if settings["fault"] == "not_ready" else "ready\n")
        elif word == "train":
            train(memory, places, [int(number) for number in rest])
        elif word == "score":
            score(memory, places, int(rest[1]))
        elif word == "goodbye":
            return


main()
