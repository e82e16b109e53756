"""PFedRec, as the built-in method `pfedrec` trains it: a client predicts with the item table that it has trained itself."""
import numpy as np
from fedrecsim import Method, Trained, integer, private, real, run, shared


class PFedRec(Method):
    limits_epochs = True
    keys = {"dim": integer(16, 1, 4096, "length of the head's weights and of an item vector"),
            "epochs": integer(1, 1, 100000, "local epochs"), "batch": integer(256, 1, 1 << 24, "samples of one local step"),
            "rate": real(0.1, 0, 1e6, "step size of the head"), "factor": real(80, 0, 1e6, "of the items, beside their number")}

    def tables(self):
        return [shared("items", self.n_items, self.dim, normal=1, own=True), private("head", self.dim + 1, normal=0.1, alike=True)]

    def train(self, task):
        q, head, rng, n = self.table["items"], self.table["head"], task.rng, len(task.places)
        d, epochs, flop = self.dim, task.limit(self.epochs), 0
        for _ in range(epochs):
            order, loss = rng.permutation(n), 0
            for batch in np.split(order, range(self.batch, n, self.batch)):
                places, place, count = np.unique(task.places[batch], return_inverse=True, return_counts=True)
                rows, y = task.items[places], np.bincount(place, task.labels[batch])
                score = q[rows] @ head[:d] + head[d]
                loss += np.sum(count * np.logaddexp(0, score) - y * score)
                c = count / (1 + np.exp(-score)) - y
                head -= self.rate / len(batch) * np.append(c @ q[rows], c.sum())
                c = count / (1 + np.exp(-(q[rows] @ head[:d] + head[d]))) - y
                q[rows] -= self.rate * self.n_items * self.factor / len(batch) * c[:, None] * head[:d]
                flop += 8 * d * len(rows) + 12 * len(rows) + 2 * d + 2
        return Trained(loss / n, epochs, epochs * n, flop, changed={"items": task.items})

    def score(self, client, items):
        return self.table["items"][items] @ self.table["head"][:self.dim] + self.table["head"][self.dim]


run(PFedRec)
