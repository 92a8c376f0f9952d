"""How numbers without gaps are given."""

# The next number of a business in the series that is put in, and the time at which it was assigned. The row stays
# locked until the transaction ends, and the time never runs backward: numbers and times of creation sort alike.
NEXT_NUMBER = """
            INSERT INTO tenant_counters AS c (tenant_id, name, value, assigned_at)
            VALUES ($1, '{0}', 1, clock_timestamp())
            ON CONFLICT (tenant_id, name) DO UPDATE
                SET value = c.value + 1, assigned_at = greatest(clock_timestamp(), c.assigned_at)
            RETURNING value, assigned_at"""
