-- What a former dispensing system said of a patient that a new one may not know: the day of death, and living in a care facility.
alter table patient_former add column died_on date, add column in_facility boolean not null default false;
