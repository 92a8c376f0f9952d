-- The own texts of one kind of message by language; a text that is missing is that of the product, and shown as empty.
CREATE OR REPLACE FUNCTION message_texts_json(p_texts jsonb) RETURNS json LANGUAGE plpgsql IMMUTABLE AS $$
DECLARE
    v_texts json;
BEGIN
    SELECT json_object_agg(t.key, json_build_object('subject', coalesce(t.value ->> 'subject', ''),
        'opening', coalesce(t.value ->> 'opening', ''), 'words', coalesce(t.value ->> 'words', '')) ORDER BY t.key)
    INTO v_texts FROM jsonb_each(p_texts) t;
    RETURN coalesce(v_texts, '{}');
END $$;
