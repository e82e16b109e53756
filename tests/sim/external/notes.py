"""A method that learns nothing, and fails unless each client finds what it has kept: how often it has trained, in a row of its own, and
the same for each of its items, in a private table of several rows. Half of its work follows the upload."""
import os
import sys

import numpy as np
from fedrecsim import Method, Trained, private, run, shared, text


class Notes(Method):
    works_after_upload = True
    keys = {"marker": text("", "a file: where it is missing, the program makes it in the fifth round, and ends")}

    def tables(self):
        return [shared("items", self.n_items, 2), private("notes", 3, rows=self.n_items), private("times", 1)]

    def train(self, task):
        notes, times = self.table["notes"], self.table["times"]
        if self.marker and task.round == 4 and not os.path.exists(self.marker):
            open(self.marker, "w").close()
            sys.exit("out of order")
        mine = np.unique(task.items[task.places[task.labels == 1]])
        others = np.setdiff1d(np.arange(self.n_items), mine)
        assert (notes[mine] == times[0] * np.array([1, 2, 3])).all(), (task.client, times, notes[mine])
        assert (notes[others] == 0).all(), task.client
        notes[mine] += np.array([1, 2, 3])
        times += 1
        notes[others] = np.nan  # rows that are not kept may hold anything
        return Trained(1 / (1 + float(times[0])), 1, len(task.places), flop=2e6, post_flop=1e6, post_processed=len(task.places) / 2,
                       changed={"items": (), "notes": mine})

    def score_block(self, clients, items, starts):
        notes, times = self.copies["notes"], self.copies["times"]
        for k in range(len(clients)):
            assert set(notes[k, :, 0]) <= {0.0, float(times[k, 0])}, clients[k]
        return np.repeat(times[:, 0], np.diff(starts)) * (items + 1)


run(Notes)
