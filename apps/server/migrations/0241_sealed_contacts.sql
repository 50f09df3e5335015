-- Numbers and e-mail addresses of patients as the pharmacy wrote them, sealed; the plain columns stay, empty, for an installation that is
-- not switched over yet.
alter table patient add column mobile_sealed bytea, add column email_sealed bytea;
