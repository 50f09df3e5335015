import { australian, draft, marketing, type StarterDraft } from './draft-kind.ts'

/** Texts for any patient: repeats and scripts, services, first visits, pharmacy news. */
export const VISIT_DRAFTS: readonly StarterDraft[] = [
  draft(
    'Repeat due',
    'Hi {First Name}, your next repeat may be due. Reply or drop in and we will get it ready. {Pharmacy Name}',
    [],
    'script refill medicine adherence reminder',
  ),
  draft(
    'Running low',
    'Hi {First Name}, are you running low on your regular medicine? We can have it ready. {Pharmacy Name}',
    [],
    'repeat refill adherence',
  ),
  draft(
    'Late for a repeat',
    'Hi {First Name}, it has been a while since your last repeat. Is all well? Call {Pharmacy Number}. {Pharmacy Name}',
    [],
    'overdue adherence missed lapsed',
  ),
  draft(
    'Last repeat used',
    'Hi {First Name}, that was your last repeat. See your doctor soon for a new script. {Pharmacy Name}',
    [],
    'doctor visit expire no repeats',
  ),
  draft(
    'Script expiring',
    'Hi {First Name}, a script we keep for you expires soon. Ask us about a new one. {Pharmacy Name}',
    [],
    'expiry expired on file',
  ),
  draft(
    'Script ready',
    'Hi {First Name}, your medicine is ready to collect. See you soon. {Pharmacy Name}',
    [],
    'collect pick up order arrived',
  ),
  draft(
    'Owing script',
    'Hi {First Name}, we still need a paper script from you. Please bring it next time. {Pharmacy Name}',
    [],
    'owing paper original',
  ),
  marketing(
    'Keep scripts with us',
    'Hi {First Name}, we can keep your scripts on file, so none gets lost. Ask us how. {Pharmacy Name}',
    [],
    'loyalty file leak store',
  ),
  australian(
    '60 day scripts',
    'Hi {First Name}, you may be able to get 60 days of your medicine at once. Ask us. {Pharmacy Name}',
    [],
    'sixty double dispensing two months',
  ),
  australian(
    'Reach the Safety Net',
    'Hi {First Name}, you may be close to the PBS Safety Net. Ask us to check for you. {Pharmacy Name}',
    ['General', 'Concession', 'Safety Net'],
    'threshold cost year',
  ),
  draft(
    'Medicine check',
    'Hi {First Name}, taking several medicines? Book a medicine check with us. {Pharmacy Name}',
    [],
    'medscheck review polypharmacy pharmacist',
  ),
  australian(
    'Home medicines review',
    'Hi {First Name}, a pharmacist can go through your medicines with you at home. Ask us. {Pharmacy Name}',
    ['75+', '65-74'],
    'hmr review polypharmacy',
  ),
  marketing(
    'Weekly pack',
    'Hi {First Name}, we can pack your medicines by day and time. Ask us about it. {Pharmacy Name}',
    ['75+'],
    'dose administration aid webster blister packing polypharmacy',
  ),
  draft(
    'Return old medicines',
    'Hi {First Name}, bring back medicines you no longer need. We dispose of them safely. {Pharmacy Name}',
    [],
    'rum disposal unwanted bin',
  ),
  draft(
    'Welcome',
    'Welcome {First Name}! Questions about your medicine? Call us on {Pharmacy Number}. {Pharmacy Name}',
    [],
    'new patient first visit',
  ),
  draft(
    'First weeks on a new medicine',
    'Hi {First Name}, how is your new medicine going? Our pharmacist is happy to talk. {Pharmacy Name}',
    [],
    'started new therapy follow up',
  ),
  marketing(
    'We miss you',
    'Hi {First Name}, we have not seen you for a while and would be glad to help again. {Pharmacy Name}',
    [],
    'lapsed loyalty return',
  ),
  marketing(
    'Thank you',
    'Thank you for your visit, {First Name}. Tell us if we can do better. {Pharmacy Name}',
    [],
    'feedback loyalty review',
  ),
  marketing(
    'Home delivery',
    'Hi {First Name}, we can deliver your medicines to your door. Ask us how. {Pharmacy Name}',
    [],
    'deliver distance',
  ),
  draft(
    'Change of hours',
    'Hi {First Name}, our opening hours are changing. Call {Pharmacy Number} for details. {Pharmacy Name}',
    [],
    'open close hours',
  ),
  draft(
    'Holiday closing',
    'Hi {First Name}, we close over the holidays. Please order what you need early. {Pharmacy Name}',
    [],
    'christmas easter public holiday',
  ),
  draft(
    'Travelling',
    'Hi {First Name}, going away? Check that your medicines last the whole trip. {Pharmacy Name}',
    [],
    'travel holiday trip',
  ),
  draft(
    'We have moved',
    'Hi {First Name}, you now find us at {Pharmacy Address}. {Pharmacy Name}',
    [],
    'address move new shop',
  ),
  draft(
    'Consent for reminders',
    'Hi {First Name}, may we send you reminders? Please tell us here: {Consent ID} {Pharmacy Name}',
    [],
    'consent permission opt in form',
  ),
]
