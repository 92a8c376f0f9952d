-- Saves how a member sees the calendar, and returns the user's id. What p leaves out stays; of the hidden providers
-- those that p does not list stay hidden, because a page lists one branch.
CREATE OR REPLACE FUNCTION save_calendar_view(p_tenant uuid, p jsonb) RETURNS uuid LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    v_user uuid := (p ->> 'user_id')::uuid;
BEGIN
    INSERT INTO calendar_views (tenant_id, user_id) VALUES (p_tenant, v_user) ON CONFLICT DO NOTHING;
    UPDATE calendar_views SET
        hidden_staff_ids = ARRAY(
            SELECT id FROM unnest(hidden_staff_ids) id WHERE NOT coalesce(p -> 'listed', '[]') ? id::text
            UNION SELECT jsonb_array_elements_text(coalesce(p -> 'hidden', '[]'))::uuid ORDER BY 1),
        only_working = coalesce((p ->> 'only_working')::boolean, only_working),
        colors = coalesce(p ->> 'colors', colors),
        is_wide = coalesce((p ->> 'is_wide')::boolean, is_wide),
        is_side_folded = coalesce((p ->> 'is_side_folded')::boolean, is_side_folded)
    WHERE tenant_id = p_tenant AND user_id = v_user;
    RETURN v_user;
END $$;
