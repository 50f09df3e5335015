-- no transaction
-- Patients whom another pharmacy of the company records as deceased: the mark is cleared where that no longer holds.
create index concurrently if not exists patient_fact_deceased_elsewhere on patient_fact (location_id, patient_id) where barred >= 8;
