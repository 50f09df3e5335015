import { australian, draft, marketing, type StarterDraft } from './draft-kind.ts'

/** Texts for people who take certain kinds of medicines, and for related products. */
export const CONDITION_DRAFTS: readonly StarterDraft[] = [
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
