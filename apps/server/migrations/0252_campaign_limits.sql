-- A campaign that patients' health depends on keeps nobody back at random, whatever share its company keeps back.
alter table campaign add column no_holdout boolean not null default false;
