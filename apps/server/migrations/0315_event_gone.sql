-- Since when the pharmacy's record no longer shows the event of an enrolment, as after its script was reversed; null while it does.
alter table enrolment add column gone_at timestamptz;
