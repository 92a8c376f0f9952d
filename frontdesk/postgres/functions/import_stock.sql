-- Sets the stock of the products in some rows of an import. A product whose stock has changed since it was checked is
-- outdated.
CREATE OR REPLACE FUNCTION import_stock(p_tenant uuid, p jsonb) RETURNS integer LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    v_import uuid := (p ->> 'id')::uuid;
    v_first integer := (p ->> 'first')::integer;
    v_last integer := (p ->> 'last')::integer;
    v_at timestamptz := (p ->> 'at')::timestamptz;
    v_expected integer;
    v_changed integer;
    v_row record;
    v_item items;
    v_event json;
    v_event_id uuid;
BEGIN
    IF v_first = 1 THEN
        PERFORM lock_imported_items(p_tenant, v_import);
    END IF;
    SELECT count(*) INTO v_expected FROM import_outcomes o
    WHERE o.tenant_id = p_tenant AND o.import_id = v_import AND o.number BETWEEN v_first AND v_last
        AND o.outcome = 'changed';
    UPDATE items i SET stock = (o.after ->> 'stock')::integer, version = i.version + 1, updated_at = v_at
    FROM import_outcomes o
    WHERE o.tenant_id = p_tenant AND o.import_id = v_import AND o.number BETWEEN v_first AND v_last
        AND o.outcome = 'changed' AND i.tenant_id = p_tenant AND i.id = o.subject_id AND i.updated_at = o.seen_at;
    GET DIAGNOSTICS v_changed = ROW_COUNT;
    IF v_changed < v_expected THEN
        PERFORM raise_outdated();
    END IF;
    INSERT INTO stock_movements (tenant_id, id, item_id, change, quantity, reason, actor_type, actor_id, created_at)
    SELECT p_tenant, uuid_v7(v_at), o.subject_id,
        (o.after ->> 'stock')::integer - coalesce((o.before ->> 'stock')::integer, 0),
        (o.after ->> 'stock')::integer, 'opening', p -> 'actor' ->> 'type', (p -> 'actor' ->> 'id')::uuid, v_at
    FROM import_outcomes o
    WHERE o.tenant_id = p_tenant AND o.import_id = v_import AND o.number BETWEEN v_first AND v_last
        AND o.outcome = 'changed' AND (o.after ->> 'stock')::integer <> coalesce((o.before ->> 'stock')::integer, 0);
    FOR v_row IN SELECT number, subject_id, (before ->> 'stock')::integer AS previous FROM import_outcomes
        WHERE tenant_id = p_tenant AND import_id = v_import AND number BETWEEN v_first AND v_last
            AND outcome = 'changed'
    LOOP
        SELECT * INTO v_item FROM items WHERE tenant_id = p_tenant AND id = v_row.subject_id;
        v_event := stock_changed_json(v_item, v_row.previous);
        v_event_id := uuid_v7(v_at);
        UPDATE import_outcomes SET event_id = v_event_id, event_type = 'item.stock_changed', event = v_event
        WHERE tenant_id = p_tenant AND import_id = v_import AND number = v_row.number;
    END LOOP;
    RETURN v_changed;
END $$;
