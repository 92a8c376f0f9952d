-- Sets or clears the busy minutes of a staff member, one row per UTC day that the period touches.
CREATE OR REPLACE FUNCTION mark_busy(tenant uuid, provider uuid, period tstzrange, taken boolean) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    first timestamp := lower(period) AT TIME ZONE 'UTC';
    last timestamp := upper(period) AT TIME ZONE 'UTC';
    on_day date := first::date;
    opens integer;
    closes integer;
    marks bit(1440);
BEGIN
    WHILE on_day < last LOOP
        opens := greatest(0, extract(epoch FROM first - on_day) / 60);
        closes := least(1440, extract(epoch FROM last - on_day) / 60);
        marks := ~B'0'::bit(1440) << (1440 - closes + opens) >> (1440 - closes);
        IF taken THEN
            INSERT INTO staff_busy_days AS d (tenant_id, staff_id, day, minutes) VALUES (tenant, provider, on_day, marks)
            ON CONFLICT (tenant_id, staff_id, day) DO UPDATE SET minutes = d.minutes | excluded.minutes;
        ELSE
            UPDATE staff_busy_days SET minutes = minutes & ~marks
            WHERE tenant_id = tenant AND staff_id = provider AND day = on_day;
        END IF;
        on_day := on_day + 1;
    END LOOP;
END $$;
