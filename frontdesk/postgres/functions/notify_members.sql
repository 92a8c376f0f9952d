-- Notifies the members of a business of a booking that is new, moved or canceled, as each of them has chosen. Several
-- orders are the dates of a booking that repeats: one notification says so. Nobody is notified of their own act, or of
-- a time that is past or at which only products are fetched. A provider, and who has chosen so, learns of their own
-- bookings only: one that comes to them from another provider is new, one that goes to another is reassigned.
-- p_previous has the start (`starts_at`) and the providers (`staff_ids`) of a moved booking before.
CREATE OR REPLACE FUNCTION notify_members(
    p_tenant uuid, p_orders uuid[], p_kind text, p_actor jsonb, p_previous jsonb DEFAULT NULL
) RETURNS void LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    v_choices constant text[] := CASE WHEN p_actor ->> 'type' IN ('customer', 'app') THEN '{online,all}'
        ELSE '{all}' END;
    v_before uuid[] := '{}';
    v_previous timestamptz := (p_previous ->> 'starts_at')::timestamptz;
    v_at timestamptz := clock_timestamp();
    v_member record;
    v_staff uuid[]; -- who perform the bookings, and who did before
    v_all record; -- the dates, for those who learn of all bookings
    v_own record;
    v_kind text;
    v_bell boolean;
    v_mail boolean;
BEGIN
    IF jsonb_typeof(p_previous -> 'staff_ids') = 'array' THEN
        v_before := ARRAY(SELECT i::uuid FROM jsonb_array_elements_text(p_previous -> 'staff_ids') i);
    END IF;
    -- Not EXISTS: its plan would read all bookings of the business.
    SELECT count(*) AS dates, (array_agg(o.id ORDER BY o.starts_at, o.id))[1] AS order_id,
        min(o.starts_at) AS starts_at, false AS is_own
    INTO v_all FROM (
        SELECT d.id, coalesce(d.starts_at, v_previous) AS starts_at FROM orders d
        WHERE d.tenant_id = p_tenant AND d.id = ANY (p_orders) AND (v_previous IS NOT NULL OR (
            SELECT b.id FROM bookings b WHERE b.tenant_id = p_tenant AND b.order_id = d.id LIMIT 1) IS NOT NULL)) o
    WHERE o.starts_at > v_at;
    v_staff := v_before || ARRAY(
        SELECT DISTINCT b.staff_id FROM bookings b WHERE b.tenant_id = p_tenant AND b.order_id = ANY (p_orders));
    FOR v_member IN
        SELECT m.user_id, m.staff_id, m.role = 'provider' OR coalesce(s.own_only, false) AS own_only,
            coalesce(s.bell_new, d.bell) AS bell_new, coalesce(s.bell_moved, d.bell) AS bell_moved,
            coalesce(s.bell_canceled, d.bell) AS bell_canceled, coalesce(s.mail_new, d.mail) AS mail_new,
            coalesce(s.mail_moved, d.mail) AS mail_moved, coalesce(s.mail_canceled, d.mail) AS mail_canceled
        FROM memberships m LEFT JOIN notification_settings s ON s.tenant_id = p_tenant AND s.user_id = m.user_id,
            LATERAL (SELECT default_notification(m.role, 'bell'), default_notification(m.role, 'mail')) AS d (bell,
                mail)
        WHERE m.tenant_id = p_tenant AND m.user_id IS DISTINCT FROM (p_actor ->> 'id')::uuid
    LOOP
        CONTINUE WHEN v_member.own_only AND NOT coalesce(v_member.staff_id = ANY (v_staff), false)
            OR NOT ARRAY[v_member.bell_new, v_member.bell_moved, v_member.bell_canceled, v_member.mail_new,
                v_member.mail_moved,
                v_member.mail_canceled] && v_choices;
        v_own := v_all;
        IF v_member.own_only THEN
            SELECT count(*) AS dates, (array_agg(o.id ORDER BY o.starts_at, o.id))[1] AS order_id,
                min(o.starts_at) AS starts_at, coalesce(bool_or(o.own_start IS NOT NULL), false) AS is_own
            INTO v_own FROM (
                SELECT d.id, k.own_start, coalesce(k.own_start, v_previous) AS starts_at
                FROM orders d, LATERAL (
                    SELECT min(lower(b.during)) AS own_start FROM bookings b
                    WHERE b.tenant_id = p_tenant AND b.order_id = d.id AND b.staff_id = v_member.staff_id) k
                WHERE d.tenant_id = p_tenant AND d.id = ANY (p_orders)) o
            WHERE o.starts_at > v_at AND (o.own_start IS NOT NULL OR v_member.staff_id = ANY (v_before));
        END IF;
        CONTINUE WHEN v_own.dates = 0;
        v_kind := CASE WHEN NOT v_member.own_only OR p_kind <> 'moved' THEN p_kind
            WHEN NOT v_own.is_own THEN 'reassigned' WHEN v_member.staff_id = ANY (v_before) THEN 'moved' ELSE 'new' END;
        v_bell := CASE v_kind WHEN 'new' THEN v_member.bell_new WHEN 'moved' THEN v_member.bell_moved
            ELSE v_member.bell_canceled END = ANY (v_choices);
        v_mail := CASE v_kind WHEN 'new' THEN v_member.mail_new WHEN 'moved' THEN v_member.mail_moved
            ELSE v_member.mail_canceled END = ANY (v_choices);
        IF v_bell OR v_mail THEN
            INSERT INTO notifications (tenant_id, id, user_id, order_id, kind, starts_at, previous_start, others,
                changed_by,
                on_bell, state, due_at, created_at)
            VALUES (p_tenant, uuid_v7(v_at), v_member.user_id, v_own.order_id, v_kind, v_own.starts_at,
                CASE WHEN v_kind = 'moved' AND v_previous <> v_own.starts_at
                    AND (NOT v_member.own_only OR v_member.staff_id = ALL (v_before)) THEN v_previous END,
                        v_own.dates - 1,
                p_actor ->> 'type', v_bell, CASE WHEN v_mail THEN 'due' END, CASE WHEN v_mail THEN v_at END, v_at);
        END IF;
    END LOOP;
END $$;
