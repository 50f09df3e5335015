-- no transaction
-- Every upload reads a pharmacy's ceased prescriptions, which are few, without looking through all of them.
create index concurrently if not exists prescription_ceased on prescription (location_id) where ceased_on is not null;
