-- Values sealed with a data key of their column; the plain columns stay, empty, for the version before.
alter table patient add column address_sealed bytea;
alter table consent_entry add column contact_sealed bytea;
alter table fake_patient add column address_sealed bytea, add column medicare_sealed bytea, add column dva_sealed bytea;

-- Sealing again what was sealed before, or never: of a consent entry where it came from, and nothing of what was said.
grant update (contact, contact_sealed) on consent_entry to pillar_app;
grant update (address, address_sealed, medicare, medicare_sealed, dva, dva_sealed) on fake_patient to pillar_app;
