-- A sign-up whose answer was lost is sent again by the same page, with the number it chose: only that page gets the answer again.
alter table trial_link add column attempt_hash bytea;
