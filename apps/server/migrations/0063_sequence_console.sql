-- Recommended sequences are written in the console.
alter table sequence_recommendation add column version integer not null default 1;
grant insert, update on sequence_recommendation to pillar_staff;
grant insert, delete on sequence_recommendation_template to pillar_staff;

-- The console's lists of a pharmacy's sequences, of those made from one recommendation, and of those that start with one event.
create index sequence_by_recommendation on sequence (sequence_recommendation_id) where sequence_recommendation_id is not null;
create index sequence_by_event on sequence (sequence_event_id);
-- The enrolments of one sequence that are still open.
create index enrolment_sequence on enrolment (location_id, sequence_id);
