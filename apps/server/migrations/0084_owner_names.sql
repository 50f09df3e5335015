-- The owner's first and last name, each by itself: the contact of a pharmacy is answered in two fields.
create or replace view location_owner with (security_barrier) as
  select l.id as location_id, o.first_name || ' ' || o.last_name as name, o.email, o.uuid, o.first_name, o.last_name
  from location l join login o on o.id = l.owner_login_id
  where l.id = any ((select scope_location_ids())::bigint[]) and l.company_id = (select scope_company_id());
