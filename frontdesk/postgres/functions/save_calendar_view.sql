-- Saves how a member sees the calendar, and returns the user's id. What p leaves out stays. `shown` are the providers
-- of a branch that are seen (null: all of them); those of other branches stay as they are.
CREATE OR REPLACE FUNCTION save_calendar_view(p_tenant uuid, p jsonb) RETURNS uuid LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    v_user uuid := (p ->> 'user_id')::uuid;
    v_of_branch uuid[] := ARRAY(
        SELECT id FROM staff WHERE tenant_id = p_tenant AND branch_id = (p ->> 'branch_id')::uuid AND active);
    v_hidden uuid[] := ARRAY(SELECT id FROM unnest(v_of_branch) id WHERE NOT p -> 'shown' ? id::text ORDER BY id);
BEGIN
    INSERT INTO calendar_views (tenant_id, user_id) VALUES (p_tenant, v_user) ON CONFLICT DO NOTHING;
    UPDATE calendar_views SET
        hidden_staff_ids = v_hidden
            || ARRAY(SELECT id FROM unnest(hidden_staff_ids) id WHERE NOT id = ANY (v_of_branch)),
        only_working = coalesce((p ->> 'only_working')::boolean, only_working),
        colors = coalesce(p ->> 'colors', colors),
        is_wide = coalesce((p ->> 'is_wide')::boolean, is_wide),
        is_side_folded = coalesce((p ->> 'is_side_folded')::boolean, is_side_folded)
    WHERE tenant_id = p_tenant AND user_id = v_user;
    RETURN v_user;
END $$;
