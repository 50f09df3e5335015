-- /metrics counts the registers that are not as they were written, and an alert says so.
create policy system on s8_pharmacy for select to pillar_system using (true);
grant select (fault_since) on s8_pharmacy to pillar_system;
