-- Gives the products in some rows of an import their old stock, unless they were changed or sold since.
CREATE OR REPLACE FUNCTION undo_imported_stock(p_tenant uuid, p jsonb) RETURNS integer LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    v_import uuid := (p ->> 'id')::uuid;
    v_first integer := (p ->> 'first')::integer;
    v_last integer := (p ->> 'last')::integer;
    v_at timestamptz := (p ->> 'at')::timestamptz;
    v_rows integer;
    v_row record;
    v_item items;
    v_event json;
    v_event_id uuid;
BEGIN
    IF v_first = 1 THEN
        PERFORM lock_imported_items(p_tenant, v_import);
    END IF;
    UPDATE import_outcomes o SET event_id = NULL, event = NULL,
        undone = CASE WHEN i.updated_at <> v_at THEN 'changed' ELSE 'restored' END
    FROM items i
    WHERE o.tenant_id = p_tenant AND o.import_id = v_import AND o.number BETWEEN v_first AND v_last
        AND o.outcome = 'changed' AND i.tenant_id = p_tenant AND i.id = o.subject_id;
    GET DIAGNOSTICS v_rows = ROW_COUNT;
    UPDATE items i SET stock = (o.before ->> 'stock')::integer, version = i.version + 1,
        updated_at = monotonic_now(i.updated_at)
    FROM import_outcomes o
    WHERE o.tenant_id = p_tenant AND o.import_id = v_import AND o.number BETWEEN v_first AND v_last
        AND o.undone = 'restored' AND i.tenant_id = p_tenant AND i.id = o.subject_id;
    INSERT INTO stock_movements (tenant_id, id, item_id, change, quantity, reason, actor_type, actor_id)
    SELECT p_tenant, uuid_v7(clock_timestamp()), o.subject_id,
        coalesce((o.before ->> 'stock')::integer, 0) - (o.after ->> 'stock')::integer,
        coalesce((o.before ->> 'stock')::integer, 0), 'correction',
        p -> 'actor' ->> 'type', (p -> 'actor' ->> 'id')::uuid
    FROM import_outcomes o
    WHERE o.tenant_id = p_tenant AND o.import_id = v_import AND o.number BETWEEN v_first AND v_last
        AND o.undone = 'restored';
    FOR v_row IN SELECT number, subject_id, (after ->> 'stock')::integer AS previous FROM import_outcomes
        WHERE tenant_id = p_tenant AND import_id = v_import AND number BETWEEN v_first AND v_last
            AND undone = 'restored'
    LOOP
        SELECT * INTO v_item FROM items WHERE tenant_id = p_tenant AND id = v_row.subject_id;
        v_event := stock_changed_json(v_item, v_row.previous);
        v_event_id := uuid_v7(clock_timestamp());
        UPDATE import_outcomes SET event_id = v_event_id, event_type = 'item.stock_changed', event = v_event
        WHERE tenant_id = p_tenant AND import_id = v_import AND number = v_row.number;
    END LOOP;
    RETURN v_rows;
END $$;
