-- Whether a staff member has bookings that have not begun. Such a person cannot leave.
CREATE OR REPLACE FUNCTION has_coming_bookings(p_tenant uuid,
    p_staff uuid) RETURNS boolean LANGUAGE plpgsql STABLE AS $$
BEGIN
    RETURN EXISTS (
        SELECT FROM bookings k JOIN orders o ON o.tenant_id = p_tenant AND o.id = k.order_id
        WHERE k.tenant_id = p_tenant AND k.staff_id = p_staff AND k.is_active AND lower(k.during) > now()
            AND o.status <> 'completed');
END $$;
