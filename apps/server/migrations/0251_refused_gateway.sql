-- Why a gateway takes nothing, as it said itself, since when, and when it last said so: for support. Null while it takes messages.
alter table gateway_pace add column reason text, add column refused_since timestamptz, add column refused_at timestamptz;
grant select on gateway_pace to pillar_staff;
