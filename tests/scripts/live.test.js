import assert from "node:assert/strict";
import test from "node:test";
import { addMissed, addNews, concerns, eventsIn } from "../../frontdesk/static/scripts/live/changes.js";

const news = (order, own, type = "order.updated") => ({ order, own, type, days: [] });

test("an order that others have changed too is not the user's own", () => {
  const changed = new Map();
  addNews(changed, news("a", true));
  assert.deepEqual(changed.get("a"), { own: true, type: "order.updated" });
  addNews(changed, news("a", false, "order.rescheduled"));
  addNews(changed, news("a", true));
  assert.deepEqual(changed.get("a"), { own: false, type: "order.updated" });
});

test("what could not be drawn does not hide what came after it", () => {
  const changed = new Map([["a", { own: true, type: "new" }]]);
  const missed = new Map([
    ["a", { own: false, type: "old" }],
    ["b", { own: false, type: "old" }],
  ]);
  addMissed(changed, missed);
  assert.deepEqual(
    [...changed],
    [
      ["a", { own: true, type: "new" }],
      ["b", { own: false, type: "old" }],
    ],
  );
});

test("a calendar is concerned by its days, by the night before and by the week after", () => {
  const of = (...days) => ({ ...news("a", false), days });
  assert.ok(concerns(of("2026-11-16"), "2026-11-17"));
  assert.ok(concerns(of("2026-11-24"), "2026-11-17"));
  assert.ok(!concerns(of("2026-11-15"), "2026-11-17"));
  assert.ok(!concerns(of("2026-11-25"), "2026-11-17"));
  assert.ok(concerns(of("2026-11-25", "2026-11-17"), "2026-11-17"));
  assert.ok(concerns(of(), "2026-11-17"));
  assert.ok(concerns(of("2020-01-01"), undefined));
});

test("an answer that is no stream has the same events", () => {
  const text = 'retry: 2000\n\nid: 7\nevent: order\ndata: {"order": "a: b"}\n\nid: 9\nevent: alive\ndata: \n\n';
  assert.deepEqual(eventsIn(text), [
    { type: "order", data: '{"order": "a: b"}', lastEventId: "7" },
    { type: "alive", data: "", lastEventId: "9" },
  ]);
});
