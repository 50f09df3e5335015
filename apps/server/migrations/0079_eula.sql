-- Which version of the End User License Agreement a person agreed to, and when: one row a version, never changed.
create table eula_agreement (
  login_id bigint not null references login on delete cascade,
  version text not null,
  agreed_at timestamptz not null,
  primary key (login_id, version)
);
grant select, insert on eula_agreement to pillar_system;
