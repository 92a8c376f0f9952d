-- Moves the bookings of an order and returns its id. All old times are released before the first new one is taken,
-- because the bookings of an order may swap their times. What is replaced stays in the history, so that a move can be
-- undone; then p has the arrived_at of before.
CREATE OR REPLACE FUNCTION reschedule_order(p_tenant uuid, p jsonb) RETURNS uuid LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    o orders;
    v_order uuid := (p ->> 'order_id')::uuid;
    v_start timestamptz := (p ->> 'start')::timestamptz;
    v_at timestamptz;
    v_arrived_at timestamptz;
    v_zone text;
    v_staff jsonb;
    v_replaced jsonb;
    v_reassigned boolean;
    v_document json;
    v_moved boolean; -- in a way that the customer notices
    v_withdrawn boolean := false; -- an undo, before the customer got the message of the move
BEGIN
    o := lock_order(p_tenant, v_order, (p ->> 'version')::integer);
    v_staff := order_staff_json(p_tenant, v_order);
    PERFORM lock_providers(p_tenant, v_order, p -> 'bookings');
    v_replaced := jsonb_build_object('arrived_at', o.arrived_at, 'bookings', (
        SELECT jsonb_agg(jsonb_build_object('id', k.id, 'line_id', k.line_id, 'item_id', k.item_id,
            'staff_id', k.staff_id, 'schedule_version', s.schedule_version, 'start', lower(k.during),
            'end', upper(k.during), 'busy_from', coalesce(lower(k.busy), lower(k.during)),
            'busy_until', coalesce(upper(k.busy), upper(k.during)), 'is_extra', k.is_extra, 'chosen', l.chosen))
        FROM bookings k JOIN staff s ON s.tenant_id = p_tenant AND s.id = k.staff_id
        JOIN order_lines l ON l.tenant_id = p_tenant AND l.id = k.line_id
        WHERE k.tenant_id = p_tenant AND k.order_id = v_order));
    PERFORM set_bookings_active(p_tenant, v_order, false);
    v_reassigned := EXISTS (
        SELECT FROM jsonb_to_recordset(p -> 'bookings') AS b (line_id uuid, staff_id uuid)
        JOIN order_lines l ON l.tenant_id = p_tenant AND l.id = b.line_id WHERE l.staff_id <> b.staff_id);
    v_moved := v_start <> o.starts_at OR v_reassigned;
    IF v_reassigned THEN
        PERFORM add_order_to_reports(p_tenant, v_order, -1);
    END IF;
    PERFORM assign_lines(p_tenant, p -> 'bookings');
    UPDATE bookings k SET staff_id = b.staff_id, during = tstzrange(b.start, b."end"),
        busy = CASE WHEN b.is_extra THEN 'empty' ELSE tstzrange(b.busy_from, b.busy_until) END,
        is_extra = coalesce(b.is_extra, false), ended_at = NULL
    FROM jsonb_to_recordset(p -> 'bookings') AS b (
        id uuid, staff_id uuid, start timestamptz, "end" timestamptz, busy_from timestamptz, busy_until timestamptz,
        is_extra boolean)
    WHERE k.tenant_id = p_tenant AND k.id = b.id;
    PERFORM set_bookings_active(p_tenant, v_order, true);
    IF p ? 'arrived_at' THEN
        v_withdrawn := withdraw_move_message(p_tenant, v_order);
    END IF;
    v_at := clock_timestamp();
    -- A customer who is here stays here, unless the appointment moves to another day.
    v_arrived_at := CASE WHEN p ? 'arrived_at' THEN (p ->> 'arrived_at')::timestamptz
        WHEN abs(extract(epoch FROM v_start - o.starts_at)) < 43200 THEN o.arrived_at END;
    UPDATE orders SET starts_at = v_start, updated_at = v_at, version = version + 1, arrived_at = v_arrived_at
    WHERE tenant_id = p_tenant AND id = v_order;
    INSERT INTO order_status_history (tenant_id, id, order_id, from_status, to_status, changed_by_type, changed_by_id,
        created_at, previous_start, new_start, replaced)
    VALUES (p_tenant, uuid_v7(v_at), v_order, o.status, o.status, p #>> '{actor,type}', (p #>> '{actor,id}')::uuid,
        v_at, o.starts_at, v_start, v_replaced);
    PERFORM record_activity(p_tenant, p -> 'actor', 'order.rescheduled', v_order, o.order_number::text,
        v_staff || jsonb_build_object('starts_at', o.starts_at),
        order_staff_json(p_tenant, v_order) || jsonb_build_object('starts_at', v_start)
            || CASE WHEN v_moved THEN jsonb_strip_nulls(jsonb_build_object('notify', p -> 'notify')) ELSE '{}' END);
    IF p -> 'bookings' @> '[{"is_extra": true}]' AND NOT p ? 'arrived_at' THEN
        PERFORM record_activity(p_tenant, p -> 'actor', 'order.booked_anyway', v_order, o.order_number::text);
    END IF;
    IF v_moved THEN
        PERFORM queue_order_message(
            p_tenant, v_order, 'change', p -> 'actor', CASE WHEN v_withdrawn THEN 'false'::jsonb END,
            (p ->> 'notify')::boolean);
        PERFORM notify_members(p_tenant, ARRAY[v_order], 'moved', p -> 'actor',
            v_staff || jsonb_build_object('starts_at', o.starts_at));
    END IF;
    SELECT timezone INTO v_zone FROM tenants WHERE id = p_tenant;
    v_document := publish_order(p_tenant, v_order);
    IF v_reassigned THEN -- late, because every writer of the tenant waits for its counter
        PERFORM add_order_to_reports(p_tenant, v_order, 1);
    END IF;
    PERFORM emit_events(p_tenant, ARRAY['order.rescheduled'], ARRAY[json_build_object(
        'order', v_document, 'previous_start', format_local(o.starts_at, v_zone),
        'start', format_local(v_start, v_zone),
        'changed_by', changed_by_json(p #>> '{actor,type}', (p #>> '{actor,id}')::uuid))],
        p_actor => p -> 'actor', p_previous_staff => v_staff -> 'staff_ids');
    RETURN v_order;
END $$;
