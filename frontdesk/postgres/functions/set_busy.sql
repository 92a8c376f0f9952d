-- Sets or clears the busy minutes of a staff member, in one row per UTC day that the period touches.
CREATE OR REPLACE FUNCTION set_busy(p_tenant uuid, p_staff uuid, p_during tstzrange, p_busy boolean)
RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    v_start timestamp := lower(p_during) AT TIME ZONE 'UTC';
    v_end timestamp := upper(p_during) AT TIME ZONE 'UTC';
    v_day date := v_start::date;
    v_from integer;
    v_to integer;
    v_bits bit(1440);
BEGIN
    WHILE v_day < v_end LOOP
        v_from := greatest(0, extract(epoch FROM v_start - v_day) / 60);
        v_to := least(1440, extract(epoch FROM v_end - v_day) / 60);
        v_bits := ~B'0'::bit(1440) << (1440 - v_to + v_from) >> (1440 - v_to);
        IF p_busy THEN
            INSERT INTO staff_busy_days AS d (tenant_id, staff_id, day, minutes)
                VALUES (p_tenant, p_staff, v_day, v_bits)
            ON CONFLICT (tenant_id, staff_id, day) DO UPDATE SET minutes = d.minutes | excluded.minutes;
        ELSE
            UPDATE staff_busy_days SET minutes = minutes & ~v_bits
            WHERE tenant_id = p_tenant AND staff_id = p_staff AND day = v_day;
        END IF;
        v_day := v_day + 1;
    END LOOP;
END $$;
