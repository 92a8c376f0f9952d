-- Where all options of a product have a stock, the product's stock is their sum: each piece is taken from one option.

ALTER TABLE order_line_stock ADD COLUMN option_id uuid; -- the option that the pieces were taken from
ALTER TABLE order_line_stock ADD FOREIGN KEY (tenant_id, option_id) REFERENCES item_options;

UPDATE order_line_stock s SET option_id = coalesce(
    (SELECT v.id FROM order_lines l JOIN item_options v ON v.tenant_id = l.tenant_id AND v.id = ANY (l.option_ids)
     WHERE l.tenant_id = s.tenant_id AND l.id = s.line_id AND v.item_id = s.item_id AND v.quantity IS NOT NULL
     ORDER BY v.sort_order, v.id LIMIT 1),
    (SELECT v.id FROM item_options v WHERE v.tenant_id = s.tenant_id AND v.item_id = s.item_id
     AND NOT EXISTS (SELECT FROM item_options u WHERE u.tenant_id = v.tenant_id AND u.item_id = v.item_id AND u.quantity IS NULL)
     ORDER BY v.sort_order, v.id LIMIT 1));

UPDATE items i SET stock = counted.pieces
FROM (SELECT tenant_id, item_id, sum(quantity) AS pieces FROM item_options
      GROUP BY tenant_id, item_id HAVING bool_and(quantity IS NOT NULL)) counted
WHERE i.tenant_id = counted.tenant_id AND i.id = counted.item_id AND i.type = 'product' AND i.stock <> counted.pieces;
