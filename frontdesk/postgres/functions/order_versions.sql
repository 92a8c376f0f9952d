-- The versions of everything that the document of an order shows, as one text. Of payment methods it has the sum, and
-- the time of the last change: two that are changed at once may have their times in either order, and a deleted one,
-- which no order has, lowers the sum. Deleting a tag does not raise the versions of its customers, but lowers their
-- numbers of tags.
CREATE OR REPLACE FUNCTION order_versions(
    p_of_order integer, p_of_tenant integer, p_of_branch integer, p_of_methods bigint, p_methods_changed timestamptz,
    p_of_customer integer, p_tags bigint
) RETURNS text LANGUAGE sql STABLE AS $$
    SELECT concat_ws(' ', p_of_order, p_of_tenant, p_of_branch, p_of_methods, extract(epoch FROM p_methods_changed),
        p_of_customer, p_tags)
$$;
