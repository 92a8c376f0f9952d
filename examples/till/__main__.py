"""`python -m examples.till --origin http://127.0.0.1:8000 --api-key fdk_…`: a day at the till, in a minute."""

import argparse
import json
import random
import sys
from datetime import datetime
from decimal import Decimal
from typing import Any
from zoneinfo import ZoneInfo

from examples.till.books import Books, Receipt, Sums, Tender, differences, sums_of_close
from examples.till.wire import Refused, Wire

Json = dict[str, Any]


class Till:
    def __init__(self, wire: Wire, cashier: str, chance: random.Random) -> None:
        self.wire, self.cashier, self.chance = wire, cashier, chance
        self.books = Books()
        self.receipts: list[Receipt] = []
        self.done = {"sales": 0, "drafts": 0, "given_up": 0, "refunds": 0, "refused": 0}
        self.goods: list[Json] = [item for item in wire.get("/items", type="product", per_page="100") if item["status"]]
        self.branch_id: str = self.goods[0]["branch"]["id"]
        self.store: Json = wire.get(f"/metadata/{self.branch_id}")
        self.cash = next(m for m in self.store["payment_methods"] if m["type"]["slug"] == "cash")
        self.others = [m for m in self.store["payment_methods"] if m["type"]["slug"] != "cash"]
        self._days: set[str] = set()
        self._before = self.close()

    def work(self, customers: int) -> None:
        for number in range(customers):
            try:
                self._serve(number)
            except Refused as no:
                self.done["refused"] += 1
                say(f"refused: {no}")

    def _serve(self, number: int) -> None:
        if number % 6 == 5:
            self.draft(give_up=number % 12 == 5)
        else:
            self.sell()
        if number % 5 == 4 and self.receipts:
            self.refund(self.chance.choice(self.receipts))

    def sell(self) -> None:
        sale, charged = self._sale()
        tenders = self._tenders(Decimal(sale["total"]))
        sale["payment_methods"] = [
            {"id": t.method_id, "amount": float(t.amount), "total_amount": float(t.tendered)} for t in tenders
        ]
        order = self.wire.post("/pos/orders", sale)
        self.done["sales"] += 1
        self.books.sold(Decimal(sale["total"]), tenders)
        lines = [(line["line_id"], line["quantity"], net) for line, net in zip(order["items"], charged, strict=True)]
        self.receipts.append(Receipt(order["id"], lines, tenders))

    def draft(self, *, give_up: bool) -> None:
        """Put aside, changed, and then either given up or sold on account: nothing of it is paid here."""
        order = self.wire.post("/pos/orders", {**self._sale()[0], "isDraft": True})
        self.done["drafts"] += 1
        sale, _ = self._sale()
        self.wire.put(f"/pos/orders/{order['id']}", sale)
        self.wire.post(f"/pos/orders/{order['id']}/status", {"status": "canceled" if give_up else "confirmed"})
        if give_up:
            self.done["given_up"] += 1
        else:
            self.books.sold(Decimal(sale["total"]))

    def refund(self, receipt: Receipt) -> None:
        """One whole line of an earlier sale; the goods go back on the shelf."""
        if not receipt.lines:
            return
        line_id, quantity, charged = receipt.lines.pop()
        body = {"lines": [{"line_id": line_id, "quantity": int(quantity)}], "restock": True, "cashier": self.cashier}
        self.wire.post(f"/pos/orders/{receipt.order_id}/refunds", body)
        self.done["refunds"] += 1
        self.books.refunded(receipt, charged)

    def close(self) -> Sums:
        """The service's own books of every day on which this till has worked."""
        now = datetime.fromisoformat(self.wire.get(f"/metadata/{self.branch_id}")["server_time"])
        self._days.add(str(now.astimezone(ZoneInfo(self.store["timezone"])).date()))
        closed = Sums()
        for day in self._days:
            closed.update(
                sums_of_close(self.wire.get("/pos/day-close", team_id=self.branch_id, date=day), self.cashier)
            )
        return closed

    def compare(self) -> dict[str, tuple[Decimal, Decimal]]:
        after = self.close()
        after.subtract(self._before)
        return differences(self.books.sums, after)

    def _sale(self) -> tuple[Json, list[Decimal]]:
        """Some goods, with a discount on every other sale, and what each comes to; the sums are sent as they came."""
        asked: Json = {"items": [self._wanted() for _ in range(self.chance.randint(1, 3))], "discount": None}
        if self.chance.random() < 0.5:
            kind = self.chance.choice(["percentage", "fixed"])
            asked["discount"] = {"type": kind, "amount": self.chance.randint(1, 25), "apply_all": True}
        bill = self.wire.post("/pos/checkout-calculate", asked)
        lines = [
            {
                "id": line["item_id"],
                "type": "product",
                "quantity": int(line["quantity"]),
                "option_id": line["option_id"],
                "unit_amount": float(line["unit_amount"]),
                "total_amount": float(line["total_amount"]),
            }
            for line in bill["items"]
        ]
        sums = {"total": bill["total"], "sub_total": bill["sub_total"]}
        sale = {**sums, "services": lines, "discount": asked["discount"], "cashier": self.cashier}
        return sale, [line["net_amount"] for line in bill["items"]]

    def _wanted(self) -> Json:
        item = self.chance.choice(self.goods)
        options = [self.chance.choice(item["options"])["id"]] if item["options"] else []
        return {"item_id": item["id"], "quantity": self.chance.randint(1, 3), "option_id": options}

    def _tenders(self, total: Decimal) -> list[Tender]:
        """In cash with change, by another method, or some of each."""
        note, way = Decimal(50), self.chance.choice(["cash", "other", "split"])
        other = self.chance.choice(self.others)["id"]
        if way == "other" or total <= 1:
            return [Tender(other, is_cash=False, amount=total, tendered=total, left=total)]
        first = Decimal(int(total / 3)) if way == "split" else Decimal(0)
        rest = total - first
        handed_over = (rest // note + 1) * note
        parts = [Tender(other, is_cash=False, amount=first, tendered=first, left=first)] if first else []
        return [*parts, Tender(self.cash["id"], is_cash=True, amount=rest, tendered=handed_over, left=rest)]


def say(text: str) -> None:
    sys.stderr.write(f"{text}\n")


def main() -> int:
    parser = argparse.ArgumentParser(prog="examples.till", description=__doc__)
    parser.add_argument("--origin", required=True, help="where the service is, such as http://127.0.0.1:8000")
    parser.add_argument("--api-key", required=True)
    parser.add_argument("--cashier", default="Example till")
    parser.add_argument("--customers", type=int, default=30, help="how many are served")
    parser.add_argument("--seed", type=int, default=None, help="the same number makes the same day")
    options = parser.parse_args()
    chance = random.Random(options.seed)  # noqa: S311 - it plays customers, and keeps no secret
    till = Till(Wire(options.origin, options.api_key), options.cashier, chance)
    till.work(options.customers)
    wrong = till.compare()
    for name, (own, theirs) in wrong.items():
        say(f"{name}: the till says {own}, the service {theirs}")
    say("the totals agree" if not wrong else "the totals DIFFER")
    report = {**till.done, "lost": till.wire.lost, "books": {k: str(v) for k, v in sorted(till.books.sums.items())}}
    sys.stdout.write(json.dumps(report) + "\n")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
