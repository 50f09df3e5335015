-- After a restore, messages and patients get no ids that the lost database gave to others: links already sent lead to them by id.
grant usage, update on sequence message_id_seq, patient_id_seq to pillar_system;
