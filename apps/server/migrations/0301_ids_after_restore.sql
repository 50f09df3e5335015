-- After a restore, messages and patients get no ids that the lost database gave to others: links already sent lead to them by id.
do $$
declare numbered text;
begin
  foreach numbered in array array['message', 'patient'] loop
    execute format('grant usage, update on sequence %s to pillar_system', pg_get_serial_sequence(numbered, 'id'));
  end loop;
end $$;
