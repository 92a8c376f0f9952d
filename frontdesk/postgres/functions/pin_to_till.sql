-- Pins an item or a package to the top of the till, or ends that, and returns its id.
CREATE OR REPLACE FUNCTION pin_to_till(p_tenant uuid, p jsonb) RETURNS uuid LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    v_id uuid := (p ->> 'id')::uuid;
    v_pinned boolean := (p ->> 'pinned')::boolean;
    v_at timestamptz := CASE WHEN v_pinned THEN clock_timestamp() END;
    v_name jsonb;
    v_is_item boolean;
BEGIN
    UPDATE items SET pinned_at = v_at WHERE tenant_id = p_tenant AND id = v_id AND (pinned_at IS NOT NULL) <> v_pinned
    RETURNING name INTO v_name;
    v_is_item := FOUND;
    IF NOT v_is_item THEN
        UPDATE packages SET pinned_at = v_at
        WHERE tenant_id = p_tenant AND id = v_id AND (pinned_at IS NOT NULL) <> v_pinned
        RETURNING name INTO v_name;
    END IF;
    IF v_name IS NOT NULL THEN
        PERFORM record_activity(p_tenant, p -> 'actor',
            CASE WHEN v_is_item THEN 'item.updated' ELSE 'package.updated' END, v_id, localized(v_name),
            jsonb_build_object('pinned', NOT v_pinned), jsonb_build_object('pinned', v_pinned));
    END IF;
    RETURN v_id;
END $$;
