-- Other hours for one day as the activity shows them; null for none.
CREATE OR REPLACE FUNCTION hour_exception_json(e hour_exceptions) RETURNS jsonb LANGUAGE plpgsql STABLE AS $$
DECLARE
    v_times text;
BEGIN
    IF e.id IS NULL THEN
        RETURN NULL;
    END IF;
    SELECT string_agg(format_minute(lower(r)) || '–' || format_minute(upper(r)), ', ' ORDER BY r) INTO v_times
    FROM unnest(e.minutes) r;
    RETURN jsonb_build_object('day', e.day, 'times', coalesce(v_times, '–'), 'note', e.note);
END $$;
