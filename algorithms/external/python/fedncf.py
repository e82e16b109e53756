"""FedNCF in PyTorch, as the built-in method `fedncf` trains it by SGD; torch.from_numpy shares the tables' memory."""
import numpy as np
import torch
from fedrecsim import Method, Trained, integer, private, real, run, shared, text


class FedNCF(Method):
    limits_epochs = True
    keys = {
        "dim": integer(16, 1, 4096, "length of a user or item vector"),
        "layers": text("16,8", "widths of the hidden layers, separated by commas"),
        "epochs": integer(2, 1, 100000, "local epochs of one participation"),
        "batch": integer(256, 1, 1 << 24, "samples of one local step"),
        "rate": real(1, 0, 1e6, "step size"),
        "decay": real(5e-4, 0, 1e3, "L2 decay of the user vector, of the rows in a batch and of the perceptron"),
    }

    def tables(self):
        widths, rng = [2 * self.dim, *map(int, self.layers.split(",")), 1], np.random.default_rng(self.seed)
        self.shapes = list(zip(widths[1:], widths))
        first = np.concatenate([rng.uniform(-1, 1, m * n + m) / np.sqrt(n) for m, n in self.shapes])
        return [shared("items", self.n_items, self.dim, normal=0.1), private("users", self.dim, normal=0.1),
                shared("network", 1, len(first), given=first, undivided=True)]

    def scores(self, p, q, network):
        x, at = torch.cat([p.expand(len(q), -1), q], 1), 0
        for m, n in self.shapes:
            x = x @ network[at:at + m * n].view(m, n).T + network[at + m * n:at + m * n + m]
            at += m * n + m
            x = torch.relu(x) if at < len(network) else x
        return x[:, 0]

    def train(self, task):
        table, p, net = (torch.from_numpy(self.table[name]) for name in ("items", "users", "network"))
        net, rng, n, epochs, flop, d = net[0], task.rng, len(task.places), task.limit(self.epochs), 0, self.dim
        weights = sum(m * k for m, k in self.shapes) - d * self.shapes[0][0]  # those that p does not meet
        for _ in range(epochs):
            order, loss = rng.permutation(n), 0
            for batch in np.split(order, range(self.batch, n, self.batch)):
                places, place, count = np.unique(task.places[batch], return_inverse=True, return_counts=True)
                rows = torch.from_numpy(task.items[places])
                y = torch.from_numpy(np.bincount(place, task.labels[batch]).astype(np.float32))
                count = torch.from_numpy(count.astype(np.float32))
                now = [x.detach().clone().requires_grad_() for x in (p, table[rows], net)]
                score = self.scores(*now)
                total = (count * torch.nn.functional.softplus(score) - y * score).sum()
                to_p, to_q, to_net = torch.autograd.grad(total, now)
                p -= self.rate * (to_p / len(batch) + self.decay * p)
                table[rows] -= self.rate * (to_q / count[:, None] + self.decay * table[rows])
                net -= self.rate * (to_net / len(batch) + self.decay * net)
                loss, b, each = loss + float(total), len(rows), 4 if self.decay else 2
                flop += b * (6 * weights + 6) + 6 * d * self.shapes[0][0] + each * (d * b + d + len(net))
        return Trained(loss / n, epochs, epochs * n, flop, changed={"items": task.items})

    def score(self, client, items):
        table, p, net = (torch.from_numpy(self.table[name]) for name in ("items", "users", "network"))
        return self.scores(p, table[torch.from_numpy(items)], net[0])


run(FedNCF)
