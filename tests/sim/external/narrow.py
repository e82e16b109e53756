"""A method whose clients send as many columns of their updates as the server assigns them."""
from fedrecsim import Method, Trained, budgets, integer, private, run, shared


class Narrow(Method):
    sends, takes_budgets = "updates", True
    keys = {"rank": integer(8, 1, 64, "columns")}

    def tables(self):
        return [shared("items", self.n_items, self.rank, by_budget=True), private("users", 1), budgets(1, self.rank, 0.5)]

    def train(self, task):
        assert 1 <= task.budget <= self.rank
        changes = self.table["items"]
        changes[:] = float("nan")  # what is not sent may hold anything
        changes[task.items, :task.budget] = 0.5
        return Trained(1, 1, len(task.places), flop=1000 * task.budget, changed={"items": task.items})

    def score(self, client, items):
        received = self.table["items"][items]
        assert (received >= 0).all() and (received % 0.5 == 0).all(), received
        return -received.sum(1)


run(Narrow)
