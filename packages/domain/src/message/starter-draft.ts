import type { ConsentKind } from '../consent/consent.ts'
import type { Country } from '../time/locale.ts'

/** A ready-made text to start a message from. */
export interface StarterDraft {
  readonly title: string
  readonly text: string
  /** Subcategories it fits, as the categories name them; empty for any. */
  readonly about: readonly string[]
  /** More words people may search for. */
  readonly words: string
  /** The purpose of a template made from it: invitations to buy or to come back are marketing, whatever the template's name. */
  readonly kind: ConsentKind
  /** Mentions something that exists only in this country. */
  readonly country?: Country
}

const draft = (title: string, text: string, about: readonly string[] = [], words = ''): StarterDraft => ({
  title,
  text,
  about,
  words,
  kind: 'health_outreach',
})
const marketing = (...made: Parameters<typeof draft>): StarterDraft => ({ ...draft(...made), kind: 'marketing' })
const australian = (...made: Parameters<typeof draft>): StarterDraft => ({ ...draft(...made), country: 'AU' })

/**
 * Starter drafts, shown when no AI service is configured. Each fits one part at average name lengths, names the pharmacy, reminds or invites, and
 * makes no health claims; where a medicine could embarrass or expose a patient, the text does not say which.
 */
export const STARTER_DRAFTS: readonly StarterDraft[] = [
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
  draft(
    'Flu vaccine',
    "Hi {First Name}, this year's flu vaccine is here. Book with us: {Pharmacy Number}. {Pharmacy Name}",
    ['Vaccines', 'Immunisation'],
    'influenza winter immunisation shot',
  ),
  draft(
    'Vaccination check',
    'Hi {First Name}, are your vaccinations up to date? We are happy to check. {Pharmacy Name}',
    ['Vaccines', 'Immunisation', '65-74', '75+'],
    'covid shingles pneumococcal booster',
  ),
  draft(
    'Cholesterol medicine due',
    'Hi {First Name}, your cholesterol medicine may be due. Shall we get it ready? {Pharmacy Name}',
    ['Lipid modifying', 'High cholesterol'],
    'statin atorvastatin rosuvastatin heart repeat',
  ),
  draft(
    'Blood pressure check',
    'Hi {First Name}, drop in for a blood pressure check. It takes a few minutes. {Pharmacy Name}',
    [
      'Antihypertensives',
      'Cardiac',
      'Fluid retention',
      'High blood pressure, ACE inhibitors and sartans',
      'High blood pressure and angina, calcium blockers',
      'Heart and blood pressure, beta blockers',
    ],
    'bp hypertension measure heart',
  ),
  draft(
    'Heart medicine due',
    'Hi {First Name}, your heart medicine may be due. Shall we get it ready? {Pharmacy Name}',
    [
      'Cardiac',
      'Anticoagulants and antiplatelets',
      'Angina, heart rhythm and heart failure',
      'Clots and stroke prevention',
    ],
    'blood thinner anticoagulant repeat',
  ),
  draft(
    'Diabetes review',
    'Hi {First Name}, time for a diabetes review? Book one with our pharmacist. {Pharmacy Name}',
    ['Diabetes'],
    'medscheck metformin insulin',
  ),
  australian(
    'Diabetes supplies',
    'Hi {First Name}, need test strips or needles? We can order your NDSS supplies. {Pharmacy Name}',
    ['Diabetes', 'Aids, dressings and diagnostics'],
    'strips glucose monitor',
  ),
  draft(
    'Preventer before the season',
    'Hi {First Name}, pollen season is near. Is your preventer inhaler in date and full? {Pharmacy Name}',
    ['Respiratory', 'Asthma and COPD'],
    'asthma summer spring thunderstorm inhaler puffer',
  ),
  draft(
    'Inhaler technique',
    'Hi {First Name}, bring your inhaler in and we will check your technique with you. {Pharmacy Name}',
    ['Respiratory', 'Asthma and COPD', 'Other breathing disorders'],
    'asthma puffer spacer copd',
  ),
  draft(
    'Hay fever season',
    'Hi {First Name}, hay fever season is starting. Ask us before symptoms begin. {Pharmacy Name}',
    ['Allergy, cough and cold', 'Hay fever and blocked nose', 'Allergies'],
    'spring pollen allergy antihistamine',
  ),
  draft(
    'Six-month injection due',
    'Hi {First Name}, your six-month injection may be due. Please plan it with your doctor. {Pharmacy Name}',
    ['Osteoporosis', 'Osteoporosis and bone disease'],
    'denosumab bone injection osteoporosis',
  ),
  draft(
    'Thyroid medicine due',
    'Hi {First Name}, your thyroid tablets may be due. Shall we get them ready? {Pharmacy Name}',
    ['Thyroid', 'Thyroid disease'],
    'thyroxine repeat',
  ),
  draft(
    'Stomach medicine review',
    'Hi {First Name}, on stomach medicine for a while? Our pharmacist can review it. {Pharmacy Name}',
    ['Reflux', 'Reflux, heartburn and ulcers', 'Bowel and stomach'],
    'heartburn ppi review',
  ),
  draft(
    'Talk about pain',
    'Hi {First Name}, using pain relief often? Talk to our pharmacist about your options. {Pharmacy Name}',
    ['Pain', 'Pain and migraine', 'Arthritis and inflammation', 'Gout', 'Sprains and joint pain, creams'],
    'arthritis back opioid',
  ),
  draft(
    'Keep it going',
    'Hi {First Name}, thinking of changing how you take your medicine? Talk to us first. {Pharmacy Name}',
    ['Antidepressants', 'Antipsychotics', 'Anxiety and sleep', 'Pain and migraine', 'Epilepsy and nerve pain'],
    'stop side effect discreet continue',
  ),
  draft(
    'A quiet word',
    'Hi {First Name}, we have a private room for any question about your medicine. {Pharmacy Name}',
    [
      'Dependence and other nervous system',
      'Anti-infectives',
      'Cancer and immune system',
      'Hormones and contraception',
    ],
    'private discreet confidential',
  ),
  draft(
    'Eye drops due',
    'Hi {First Name}, your eye drops may be due. Shall we get a new bottle ready? {Pharmacy Name}',
    ['Eye and ear', 'Eye disease and glaucoma'],
    'glaucoma drops repeat',
  ),
  draft(
    'Skin check-in',
    'Hi {First Name}, is your skin treatment helping? Ask our pharmacist any time. {Pharmacy Name}',
    ['Skin', 'Eczema and dermatitis', 'Psoriasis', 'Acne'],
    'cream eczema',
  ),
  marketing(
    'Skin care advice',
    'Hi {First Name}, our team can help you choose skin care that suits you. Drop in any time. {Pharmacy Name}',
    ['Skin'],
    'range cosmetics sunscreen summer',
  ),
  marketing(
    'Gifts in store',
    'Hi {First Name}, looking for a gift? See what is new in our store this month. {Pharmacy Name}',
    [],
    'christmas mother father present season sale',
  ),
  marketing(
    'Vitamins and supplements',
    'Hi {First Name}, not sure which vitamin is right for you? Ask our pharmacist in store. {Pharmacy Name}',
    [],
    'supplement range product promotion',
  ),
]
