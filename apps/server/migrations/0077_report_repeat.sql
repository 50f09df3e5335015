-- Whoever asks for a report for somebody else sees whether it was asked for a moment ago: one letter goes out, not two.
grant select (location_id, kind, from_day, to_day, to_email, state, asked_at) on report_request to pillar_staff;
