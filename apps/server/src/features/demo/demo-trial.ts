import { Filters } from '@pillar/contract/campaign/cohort'

/** The companies that recruit for the demo trials, and those that run them; all invented. */
export const DEMO_PARTNERS = [
  ['Meridian Trials', 'recruiter', 'Adults in Australia with a long-term condition'],
  ['Banksia Clinical', 'recruiter', 'Adults who take several medicines'],
  ['Harbour Health Research', 'provider', 'Studies in hospitals and in the community'],
] as const

const CONSENT = {
  form_title: 'Would you like to hear about a heart failure study?',
  intro: 'If you say yes, Meridian Trials will call you.\nYou can change your mind at any time.',
  purpose_heading: 'What the study is about',
  purpose: 'It compares two ways of caring for people with heart failure at home.',
  criteria_heading: 'Who can take part',
  criteria: '- Aged 65 or over\n- Taking medicine for your heart\n- Living at home',
}

/** Two trials: one that has been inviting for weeks, and one that lacks what activation requires. */
export const DEMO_TRIALS = [
  {
    name: 'Heart failure at home',
    recruiter: 'Meridian Trials',
    provider: 'Harbour Health Research',
    eligibility_criteria: 'Aged 65 or over, taking five or more medicines.',
    filters: Filters.parse({ age: ['65-74', '75+'], polypharmacy: ['5-9', '10+'] }),
    rebates: {
      refer_rebate_cents: 2_000,
      enroll_rebate_cents: 10_000,
      sr_refer_rebate_cents: 500,
      sr_enroll_rebate_cents: 2_500,
    },
    rebate_type: 'enroll',
    /** Days since it started; null if it has not. */
    running: 80,
    forms: [{ ...CONSENT, purpose: 'It compares ways of caring for people with heart failure.' }, CONSENT],
    ethics: { number: '2026/0417', approving_body: 'Harbour Human Research Ethics Committee' },
  },
  {
    name: 'Asthma action plans',
    recruiter: 'Banksia Clinical',
    provider: 'Harbour Health Research',
    eligibility_criteria: 'Aged 18 to 64, with poor adherence to a preventer.',
    filters: Filters.parse({ adherence: [1, 2] }),
    rebates: {
      refer_rebate_cents: 1_500,
      enroll_rebate_cents: 8_000,
      sr_refer_rebate_cents: 400,
      sr_enroll_rebate_cents: 2_000,
    },
    rebate_type: 'refer',
    running: null,
    forms: [],
    ethics: null,
  },
] as const

/** A page that describes itself, as the smallest PDF that readers open. */
export function demoPdf(text: string): Buffer {
  const page = `BT /F1 14 Tf 72 760 Td (${text.replaceAll(/[()\\]/g, ' ')}) Tj ET`
  const parts = [
    '<</Type/Catalog/Pages 2 0 R>>',
    '<</Type/Pages/Kids[3 0 R]/Count 1>>',
    '<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>>>>>',
    `<</Length ${page.length}>>stream\n${page}\nendstream`,
    '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>',
  ]
  let file = '%PDF-1.4\n'
  const starts = parts.map((part, at) => {
    const start = file.length
    file += `${at + 1} 0 obj${part}endobj\n`
    return `${String(start).padStart(10, '0')} 00000 n \n`
  })
  const table = `xref\n0 6\n0000000000 65535 f \n${starts.join('')}`
  return Buffer.from(`${file}${table}trailer<</Size 6/Root 1 0 R>>\nstartxref\n${file.length}\n%%EOF\n`, 'latin1')
}
