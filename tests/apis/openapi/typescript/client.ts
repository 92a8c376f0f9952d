// What a client does with the types of the descriptions: it looks at a code or a type and reads typed fields.
import type { components as Open, paths } from "./open-api";
import type { components as Key } from "./key-api";

type OpenError = Open["schemas"]["Error"];
type KeyError = Key["schemas"]["Error"];
type Event = Open["schemas"]["Event"];
type PlaceOrderRefusal = paths["/orders"]["post"]["responses"][422]["content"]["application/json"];

export function next(error: OpenError | KeyError | PlaceOrderRefusal): string {
  switch (error.error) {
    case "timeslot_unavailable": {
      const reason: "booked" | "outside_working_hours" | "time_off" | "past" | "off_grid" = error.details.reason;
      const first = error.details.alternatives[0];
      return first === undefined ? reason : `${first.start} ${first.staff_id}`;
    }
    case "insufficient_scope":
      return error.details.scope;
    case "payment_method_type_ambiguous":
      return error.details.payment_method_ids.join();
    case "rate_limit_exceeded":
      return (error.details.retry_after * 1000).toFixed(0);
    case "total_mismatch":
      return error.details.expected.total;
    case "validation_error":
      return error.details?.remaining ?? Object.keys(error.errors ?? {}).join();
    case "not_found":
      // @ts-expect-error this code has no details
      return error.details;
    default:
      return error.message;
  }
}

export function summary(event: Event): string {
  switch (event.type) {
    case "order.created":
      return event.data.order.id;
    case "order.status_changed":
      return `${event.data.previous_status} ${event.data.status} ${event.data.changed_by.type}`;
    case "order.rescheduled":
      return `${event.data.previous_start} ${event.data.changed_by.type}`;
    case "order.updated":
      return `${event.data.previous_total} ${event.data.order.total}`;
    case "order.payment_status_changed":
      return event.data.payment_status;
    case "transaction.created":
      return event.data.transaction.id;
    case "customer.created":
    case "customer.deleted":
      return event.data.customer.id;
    case "customer.updated":
      return `${event.data.customer.id} ${event.data.changed.join()}`;
    case "item.stock_changed":
      return (event.data.stock - event.data.previous_stock).toFixed(0);
    case "item.created":
    case "item.updated":
    case "item.deleted":
      return event.data.item.id;
    case "category.created":
    case "category.updated":
    case "category.deleted":
      return event.data.category.id;
    case "package.created":
    case "package.updated":
    case "package.deleted":
      return event.data.package.id;
    case "staff.created":
    case "staff.updated":
    case "staff.deleted":
      return event.data.staff.id;
    case "hour_exception.created":
    case "hour_exception.updated":
    case "hour_exception.deleted":
      return event.data.hour_exception.id;
    case "time_off.created":
    case "time_off.updated":
    case "time_off.deleted":
      return event.data.time_off.id;
    case "payment_method.created":
    case "payment_method.updated":
    case "payment_method.deleted":
      return event.data.payment_method.id;
    case "tax_class.created":
    case "tax_class.updated":
    case "tax_class.deleted":
      return event.data.tax_class.id;
    case "working_hours.updated":
      return event.data.working_hour?.source ?? event.data.branch_id;
    case "closed_days.updated":
      return event.data.closed_days.days.map((closed) => closed.day).join();
    case "branch.created":
    case "branch.updated":
      return event.data.branch.id;
    case "settings.updated":
    case "booking_page.updated":
    case "drawer_settings.updated":
    case "message_settings.updated":
      return event.data.changed.join();
    case "message.due":
      return event.data.message.recipient.phone ?? event.data.message.subject;
    case "app.installed":
    case "app.disconnected":
      return event.data.scopes.join();
    case "app.scopes_changed":
      return event.data.previous_scopes.join();
    case "webhook.ping":
      // @ts-expect-error a ping has no order
      event.data.order;
      return event.data.webhook_id;
    default: {
      const forgotten: never = event;
      return forgotten;
    }
  }
}
