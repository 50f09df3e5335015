-- Whom a reply is for follows from the number it went to: a pharmacy's sender, or its company's. No setting besides the sender is read.
create policy system on messaging_setting for select to pillar_system using (true);
grant select (company_id, sms_sender) on messaging_setting to pillar_system;
-- A late reply goes to a number from which a pharmacy texted before it got another sender.
grant select (message_kind, sms_sender) on message_batch to pillar_system;
