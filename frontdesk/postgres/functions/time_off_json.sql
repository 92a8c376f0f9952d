-- Time off as the activity shows it.
CREATE OR REPLACE FUNCTION time_off_json(o time_off) RETURNS jsonb LANGUAGE plpgsql STABLE AS $$
BEGIN
    RETURN jsonb_build_object(
        'starts_at', lower(o.during), 'ends_at', upper(o.during), 'note', o.note, 'status', o.status);
END $$;
