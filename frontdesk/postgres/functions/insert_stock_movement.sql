-- Records a change of stock. p_why is that of change_stock; a change of nothing is no movement.
CREATE OR REPLACE FUNCTION insert_stock_movement(
    p_tenant uuid, p_item uuid, p_option uuid, p_change integer, p_quantity integer, p_why jsonb
) RETURNS void LANGUAGE plpgsql VOLATILE AS $$
BEGIN
    IF p_change <> 0 THEN
        INSERT INTO stock_movements
            (tenant_id, id, item_id, option_id, change, quantity, reason, note, order_id, actor_type, actor_id)
        VALUES (p_tenant, uuid_v7(clock_timestamp()), p_item, p_option, p_change, p_quantity, p_why ->> 'reason',
            p_why ->> 'note', (p_why ->> 'order_id')::uuid, p_why #>> '{actor,type}', (p_why #>> '{actor,id}')::uuid);
    END IF;
END $$;
