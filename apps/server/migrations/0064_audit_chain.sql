-- The audit can be trusted: every company's rows, and those of no company, are chained by hash. A row altered, removed or moved breaks its
-- chain; what is cut off at the end is missed by the anchors kept outside (docs/decisions/042-audit.md).

-- Where it was done from, coarse: the network (/24, /48) and the family of the browser. What the object was called then. Whether the row
-- repeats in a company's log what the platform's log has.
alter table audit add column network text, add column agent text, add column object_name text, add column copy boolean not null default false;

-- The seal of each row: its place in its chain and the hash over the one before and the row. Chain 0 is the platform's.
create table audit_seal (
  audit_id bigint primary key,
  chain bigint not null,
  seq bigint not null,
  hash bytea not null
);
create unique index audit_seal_chain on audit_seal (chain, seq);
-- The last seal of each chain. Locked while a transaction that wrote to the chain commits, and no longer.
create table audit_head (
  chain bigint primary key,
  seq bigint not null,
  hash bytea not null
) with (fillfactor = 50);

-- What each verification found.
create table audit_check (
  id bigint generated always as identity primary key,
  uuid uuid not null unique,
  asked_at timestamptz not null default now(),
  asked_by bigint,
  ended_at timestamptz,
  chains bigint,
  rows bigint,
  anchors bigint,
  -- The first fault of each broken chain: { chain, company, seq, row, fault }.
  faults jsonb not null default '[]',
  -- Why it could not be done.
  failure text
);

-- The verifying program writes the same expression out for itself and does not ask this function (features/audit/verify.queries.ts).
create function audit_hash(before bytea, chain bigint, seq bigint, a audit) returns bytea language sql stable as $$
  select sha256(before || convert_to(jsonb_build_array(chain, seq, a.id, to_char(a.at at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS.US'),
    a.company_id, a.login_id, a.session_id, a.action, a.object, a.object_name, a.detail, a.network, a.agent, a.copy)::text, 'UTF8'))
$$;

-- Seals a transaction's rows as it commits: all of them at the first, chain by chain in one order, so that two transactions never wait for
-- one another's heads crosswise. Rows that can be seen and have no seal are the transaction's own.
create function seal_audit() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
declare
  link bigint;
  one audit;
  place bigint;
  last bytea;
begin
  if exists (select from audit_seal where audit_id = new.id) then return null; end if;
  for link in
    select distinct coalesce(company_id, 0) as chain from audit a
    where id >= new.id and not exists (select from audit_seal s where s.audit_id = a.id) order by chain
  loop
    select seq, hash into place, last from audit_head where chain = link for update;
    if not found then
      insert into audit_head values (link, 0, '') on conflict do nothing;
      select seq, hash into place, last from audit_head where chain = link for update;
    end if;
    for one in
      select * from audit a where id >= new.id and coalesce(company_id, 0) = link
        and not exists (select from audit_seal s where s.audit_id = a.id) order by id
    loop
      place := place + 1;
      last := audit_hash(last, link, place, one);
      insert into audit_seal values (one.id, link, place, last);
    end loop;
    update audit_head set seq = place, hash = last where chain = link;
  end loop;
  return null;
end $$;

-- Existing rows are sealed here.
do $$
declare
  link bigint := null;
  one audit;
  place bigint;
  last bytea;
begin
  for one in select * from audit order by coalesce(company_id, 0), id loop
    if link is distinct from coalesce(one.company_id, 0) then
      if link is not null then insert into audit_head values (link, place, last); end if;
      link := coalesce(one.company_id, 0);
      place := 0;
      last := '';
    end if;
    place := place + 1;
    last := audit_hash(last, link, place, one);
    insert into audit_seal values (one.id, link, place, last);
  end loop;
  if link is not null then insert into audit_head values (link, place, last); end if;
end $$;

create constraint trigger seal after insert on audit deferrable initially deferred for each row execute function seal_audit();

grant select on audit to pillar_report;
grant select, insert on audit_seal to pillar_report;
grant select, insert, update on audit_head to pillar_report;
grant create on schema public to pillar_report;
alter function seal_audit() owner to pillar_report;
revoke create on schema public from pillar_report;
revoke all on function seal_audit(), audit_hash(bytea, bigint, bigint, audit) from public;
grant execute on function audit_hash(bytea, bigint, bigint, audit) to pillar_report;

-- Head office reads its own log, support all of them; nobody who serves changes any.
grant select on audit to pillar_app, pillar_staff;
select pillar_protect('audit', 'company', '{pillar_system,pillar_report,pillar_staff}');
grant select on audit_seal, audit_head to pillar_system;
grant select, insert, update on audit_check to pillar_system;
grant select, insert on audit_check to pillar_staff;

-- Lists are newest first: all of them, of a company, of a person, of a session, of a thing.
drop index audit_company;
drop index audit_object;
create index audit_at on audit (at, id);
create index audit_company on audit (company_id, at, id);
create index audit_login on audit (login_id, at, id) where login_id is not null;
create index audit_session on audit (session_id, at, id) where session_id is not null;
create index audit_object on audit (object, at, id) where object is not null;
create index audit_action on audit (action, at, id);
