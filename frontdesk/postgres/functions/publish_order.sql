-- The document of an order that was just written, for the event and the response. It is stored for those who read the
-- order then, with the generation of the functions that rendered it, which is read before them: a
-- statement that sees a new generation sees the new functions too.
CREATE OR REPLACE FUNCTION publish_order(p_tenant uuid, p_order uuid) RETURNS json LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    v_now timestamptz := statement_timestamp();
    v_generation text := rendering_generation();
    v_rendered record := render_order(p_tenant, p_order);
BEGIN
    INSERT INTO order_documents AS d (tenant_id, order_id, versions, document, rendered_at)
    VALUES (p_tenant, p_order, v_generation || ' ' || v_rendered.versions, v_rendered.document::text, v_now)
    ON CONFLICT (tenant_id, order_id) DO UPDATE
    SET versions = excluded.versions, document = excluded.document, rendered_at = excluded.rendered_at;
    RETURN v_rendered.document;
END $$;
