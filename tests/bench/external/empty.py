"""An external method in Python that does nothing: what a participation costs without any mathematics."""
from fedrecsim import Method, Trained, private, run, shared


class Empty(Method):
    def tables(self):
        return [shared("items", self.n_items, 16, normal=0.1), private("users", 16, normal=0.1)]

    def train(self, task):
        return Trained(0, 1, 1, 1, changed={"items": ()})


run(Empty)
