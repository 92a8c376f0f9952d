-- The published form of a branch.
CREATE OR REPLACE FUNCTION branch_json(b record) RETURNS json LANGUAGE plpgsql STABLE AS $$
BEGIN
    RETURN json_build_object(
        'id', b.id, 'name', b.name, 'names', b.names, 'slug', b.slug, 'phone', b.phone,
        'phone_country', b.phone_country, 'address', b.address, 'latitude', b.latitude, 'longitude', b.longitude,
        'location', b.location, 'status', b.status, 'created_at', format_utc(b.created_at),
        'updated_at', format_utc(b.updated_at));
END $$;
