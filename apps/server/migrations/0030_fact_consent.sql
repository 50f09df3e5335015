-- The copy of consent beside a patient's other facts is kept by the queries that write consent, in their own transaction and under the
-- pharmacy's consent lock: a cluster runs no triggers on a pharmacy's table and no function that takes a whole row.
drop trigger keep_fact_consent_added on consent;
drop trigger keep_fact_consent_changed on consent;
drop trigger forget_fact_consent on consent;
drop function keep_fact_consent();
drop function forget_fact_consent();
drop function consent_bits(consent);

-- An opt-out that came while facts were rebuilt was missing in the copy.
update patient_fact f set consent = n.bits
from (select location_id, patient_id,
        (array_position('{unknown,in,out}'::text[], sms_health_outreach) - 1
          + 4 * (array_position('{unknown,in,out}'::text[], sms_marketing) - 1)
          + 16 * (array_position('{unknown,in,out}'::text[], email_health_outreach) - 1)
          + 64 * (array_position('{unknown,in,out}'::text[], email_marketing) - 1)
          + 256 * imported_sms_opt_out::int + 512 * imported_email_opt_out::int)::smallint as bits
      from consent) n
where f.location_id = n.location_id and f.patient_id = n.patient_id and f.consent <> n.bits;
