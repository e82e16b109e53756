"""FedMF: matrix factorisation with private user vectors, as the built-in method `fedmf` trains it by SGD."""
import numpy as np
from fedrecsim import Method, Trained, integer, private, real, run, shared


class FedMF(Method):
    limits_epochs = True
    keys = {
        "dim": integer(16, 1, 4096, "length of a user or item vector"),
        "epochs": integer(2, 1, 100000, "local epochs of one participation"),
        "batch": integer(256, 1, 1 << 24, "samples of one local step"),
        "rate": real(0.5, 0, 1e6, "step size"),
        "decay": real(5e-4, 0, 1e3, "L2 decay of the user vector and of the rows in a batch"),
    }

    def tables(self):
        return [shared("items", self.n_items, self.dim, normal=0.1), private("users", self.dim, normal=0.1)]

    def train(self, task):
        q, p, rng, flop = self.table["items"], self.table["users"], task.rng, 0
        n, epochs = len(task.places), task.limit(self.epochs)
        for _ in range(epochs):
            order, loss = rng.permutation(n), 0
            for batch in np.split(order, range(self.batch, n, self.batch)):
                places, place, count = np.unique(task.places[batch], return_inverse=True, return_counts=True)
                rows, y, b = task.items[places], np.bincount(place, task.labels[batch]), len(places)
                score = q[rows] @ p
                loss += np.sum(count * np.logaddexp(0, score) - y * score)
                c = (count / (1 + np.exp(-score)) - y).astype(np.float32)
                step = c @ q[rows] / len(batch) + self.decay * p
                q[rows] -= self.rate * ((c / count)[:, None] * p + self.decay * q[rows])
                p -= self.rate * step
                flop += (6 * b + 2) * self.dim + 6 * b + (2 * self.dim * b if self.decay else 0)
        return Trained(loss / n, epochs, epochs * n, flop, changed={"items": task.items})

    def score(self, client, items):
        return self.table["items"][items] @ self.table["users"]


run(FedMF)
