-- Registers of Schedule 8 medicines. What a pharmacy entered is added once and never changed; every pharmacy's entries are chained by hash
-- in the order they arrived (docs/decisions/045-s8-registers.md). What follows from the entries stands in tables of its own.

-- How many days a count of a product holds good; null: the 28 days of the specification.
alter table location add column s8_stocktake_warning_days smallint check (s8_stocktake_warning_days between 1 and 366);
grant select (s8_stocktake_warning_days), update (s8_stocktake_warning_days) on location to pillar_staff;

create table s8_product (
  location_id bigint not null,
  source text not null,
  product_id text not null,
  name text not null,
  brand text,
  unit text,
  otp boolean not null default false,
  cannabis boolean not null default false,
  custom boolean not null default false,
  inactive boolean not null default false,
  -- from here on derived from the entries
  balance numeric(14, 2) not null default 0,
  last_stocktake_on date,
  last_stocktake_taken_by text,
  last_stocktake_note text,
  primary key (location_id, source, product_id)
);

create table s8_entry (
  location_id bigint not null,
  -- its place in the pharmacy's chain: 1, 2, 3, in the order of arrival
  seq bigint not null,
  source text not null,
  -- the register's own running number, by which the entries of a product follow one another
  number bigint not null,
  product_id text not null,
  -- what the product was called as the entry arrived
  product_name text not null,
  entry_type text not null,
  occurred_at timestamptz not null,
  party_name text,
  party_address text,
  patient_id text,
  quantity_in numeric(12, 2) not null,
  quantity_out numeric(12, 2) not null,
  -- the balance the register states, what was counted, and how the balance check was recorded
  stated_balance numeric(12, 2),
  counted numeric(12, 2),
  stated_check text,
  reference text,
  prescribed numeric(12, 2),
  pharmacist text not null,
  intern boolean not null,
  second_signer text,
  doctor text,
  note text,
  -- the number of the entry that this one closes, signs or reverses
  refers_to bigint,
  received_at timestamptz not null,
  upload_id bigint not null,
  -- SHA-256 of the hash before and all that stands above
  hash bytea not null,
  primary key (location_id, seq),
  unique (location_id, source, number)
);
create index s8_entry_day on s8_entry (location_id, occurred_at) include (number);
create index s8_entry_product on s8_entry (location_id, source, product_id, number);
create index s8_entry_refers on s8_entry (location_id, source, refers_to) where refers_to is not null;
create index s8_entry_open on s8_entry (location_id, entry_type) where entry_type in ('owing', 'partial', 'destruction', 'patient_return');
create index s8_entry_intern on s8_entry (location_id) where intern;
create index s8_entry_count on s8_entry (location_id, source, product_id, number) where entry_type in ('count', 'adjustment');
create index s8_entry_dose on s8_entry (location_id, entry_type, occurred_at) where entry_type in ('odt_dose', 'staged');

-- The balance after each entry as Pillar adds it up, and how it compares with what the register states. Derived.
create table s8_balance (
  location_id bigint not null,
  source text not null,
  number bigint not null,
  balance numeric(14, 2) not null,
  balance_check text not null check (balance_check in ('correct', 'skipped', 'incorrect')),
  primary key (location_id, source, number)
);
create index s8_balance_wrong on s8_balance (location_id, source, number) where balance_check = 'incorrect';

-- The last link of each chain and how many there are, apart from the entries.
create table s8_head (
  location_id bigint primary key,
  seq bigint not null,
  hash bytea not null
);

-- An entry that was sent again with other content: the first stands, the other is kept here.
create table s8_contradiction (
  location_id bigint not null,
  id bigint generated always as identity,
  source text not null,
  number bigint not null,
  content jsonb not null,
  content_hash bytea not null,
  received_at timestamptz not null,
  upload_id bigint not null,
  primary key (location_id, id),
  unique (location_id, source, number, content_hash)
);

-- Counts that are in no register, as the pharmacy's system had them at a moment. The newest counts; none is overwritten.
create table s8_status (
  location_id bigint not null,
  source text not null,
  taken_at timestamptz not null,
  incoming_scripts integer,
  incoming_invoices integer,
  active_odt_patients integer,
  pending_odt_claims integer,
  active_ss_patients integer,
  received_at timestamptz not null,
  primary key (location_id, source, taken_at)
);

-- What of each pharmacy's register needs somebody, from when to when. Derived. A late count starts s8_stocktake_warning_days after base_on.
create table s8_attention (
  location_id bigint not null,
  kind text not null check (kind in ('balance', 'late', 'countersign', 'contradiction')),
  source text not null,
  product_id text not null,
  product_name text not null,
  number bigint,
  base_on date not null,
  until_on date
);
create index s8_attention_open on s8_attention (location_id, kind) where until_on is null;
create index s8_attention_location on s8_attention (location_id, kind, base_on);

-- A pharmacy's register in a line: what its entries come to, and what its last check found.
create table s8_pharmacy (
  location_id bigint primary key,
  uploaded_at timestamptz not null,
  last_stocktake_on date,
  owing_scripts integer not null default 0,
  partial_supplies integer not null default 0,
  countersigns integer not null default 0,
  destructions integer not null default 0,
  checked_at timestamptz,
  checked_entries bigint,
  -- the first fault of its chain: { seq, number, what }
  fault jsonb,
  fault_since timestamptz
);

do $$
declare t text;
begin
  foreach t in array array['s8_product', 's8_entry', 's8_balance', 's8_head', 's8_contradiction', 's8_status', 's8_attention', 's8_pharmacy'] loop
    perform pillar_protect(t::regclass, 'location');
  end loop;
end $$;
grant select, insert, update on s8_product, s8_balance, s8_head, s8_pharmacy to pillar_app;
grant select, insert, delete on s8_attention to pillar_app;
-- Entries and what contradicts them are added and never changed.
grant select, insert on s8_entry, s8_contradiction, s8_status to pillar_app;

-- Chains lines of text, one after another, from a hash on. The verifying program writes this out for itself and does not ask it.
create function s8_link(state bytea, start bytea, line text) returns bytea language sql immutable parallel safe as $$
  select sha256(coalesce(state, start) || convert_to(line, 'UTF8'))
$$;
create aggregate s8_chain(bytea, text) (sfunc = s8_link, stype = bytea);
