-- Null while npm run after-restore is at work, or after it was interrupted: no worker starts then. Those of before are done.
alter table restore_gap add column done_at timestamptz default now();
grant update (done_at) on restore_gap to pillar_system;
