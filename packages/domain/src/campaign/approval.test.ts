import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  type ApprovalContent,
  approvalChanges,
  approverProblem,
  approversWords,
  canonicalApproval,
  canonicalSending,
  ceilingProblem,
  ceilingWords,
  costWords,
  proposedCeiling,
  unapprovedWords,
} from './approval.ts'

const CONTENT: ApprovalContent = {
  campaign: {
    ...{ id: 'c1', name: 'Back on track', note: null, goal_type: 'scripts', measure_by: 'value', goal: 5 },
    ...{ start: '2026-11-24', end: null },
  },
  texts: [
    { id: 't2', name: 'Second', sms: true, email: false, kind: 'marketing', subject: null, body: 'Hi {{first_name}}' },
    { id: 't1', name: 'First', sms: false, email: true, kind: 'health_outreach', subject: 'Hello', body: 'Dear you' },
  ],
  audience: { filters: { adherence: [2, 1], molecules: [] }, pharmacies: ['p2', 'p1'], holdout: 10 },
}
const CEILING = { people: 1200, cents: 14_800 }
const hash = (content: ApprovalContent, ceiling = CEILING) =>
  createHash('sha256').update(canonicalApproval(content, ceiling)).digest('hex')

type Open<T> = { -readonly [K in keyof T]: Open<T[K]> }
type Change = (content: Open<ApprovalContent>) => unknown

/** The content with one part of it replaced. */
const but = (change: Change): ApprovalContent => {
  const copy = structuredClone(CONTENT) as Open<ApprovalContent>
  change(copy)
  return copy
}

describe('the canonical form', () => {
  test('matches a worked example, letter by letter', () => {
    expect(canonicalApproval(CONTENT, CEILING)).toBe(
      '{"audience":{"filters":{"adherence":[1,2]},"holdout":10,"pharmacies":["p1","p2"]},' +
        '"campaign":{"end":null,"goal":5,"goal_type":"scripts","id":"c1","measure_by":"value","name":"Back on track","note":null,"start":"2026-11-24"},' +
        '"ceiling":{"cents":14800,"people":1200},"form":1,' +
        '"texts":[{"body":"Dear you","email":true,"id":"t1","kind":"health_outreach","name":"First","sms":false,"subject":"Hello"},' +
        '{"body":"Hi {{first_name}}","email":false,"id":"t2","kind":"marketing","name":"Second","sms":true,"subject":null}]}',
    )
  })

  test('ignores the order of lists and fields, repeats and empty filters', () => {
    const same = but((content) => {
      content.texts.reverse()
      content.audience = { holdout: 10, pharmacies: ['p1', 'p2', 'p1'], filters: { loyalty: [], adherence: [1, 2, 2] } }
      content.campaign = Object.fromEntries(Object.entries(content.campaign).reverse()) as typeof content.campaign
    })
    expect(hash(same)).toBe(hash(CONTENT))
  })

  test.each<[string, Change]>([
    ['one letter of a text', ({ texts }) => (texts[0]!.body += '.')],
    ['a space at its end', ({ texts }) => (texts[0]!.body += ' ')],
    ['letter case', ({ texts }) => (texts[1]!.body = 'dear you')],
    ['the subject', ({ texts }) => (texts[1]!.subject = 'Hello!')],
    ['the channel', ({ texts }) => Object.assign(texts[0]!, { sms: false, email: true })],
    ['the kind', ({ texts }) => (texts[0]!.kind = 'health_outreach')],
    ['a template less', ({ texts }) => texts.pop()],
    ['a pharmacy more', ({ audience }) => audience.pharmacies.push('p3')],
    ['a level', ({ audience }) => (audience.filters.adherence = [1, 2, 3])],
    ['another filter', ({ audience }) => (audience.filters.double_dispensing = false)],
    ['the holdout', ({ audience }) => (audience.holdout = 0)],
    ['the name', ({ campaign }) => (campaign.name = 'Back on Track')],
    ['the note', ({ campaign }) => (campaign.note = '')],
    ['the end', ({ campaign }) => (campaign.end = '2026-12-24')],
    ['the goal', ({ campaign }) => (campaign.goal = 6)],
  ])('changes with %s', (_, change) => {
    expect(hash(but(change))).not.toBe(hash(CONTENT))
  })

  test('changes with each half of the ceiling', () => {
    expect(
      new Set([CEILING, { ...CEILING, people: 1201 }, { ...CEILING, cents: 14_801 }].map((one) => hash(CONTENT, one)))
        .size,
    ).toBe(3)
  })

  test('cannot be the same for two different pairs of texts', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), fc.string(), fc.string(), (a, b, c, d) => {
        const [one, two] = [[a, b] as const, [c, d] as const].map(([subject, body]) =>
          canonicalSending(but(({ texts }) => Object.assign(texts[1]!, { subject, body }))),
        )
        expect(one === two).toBe(a === c && b === d)
      }),
    )
  })

  test('of what is sent to whom ignores the campaign’s name and dates', () => {
    const renamed = but(({ campaign }) => Object.assign(campaign, { name: 'Other', start: '2026-12-01' }))
    expect(canonicalSending(renamed)).toBe(canonicalSending(CONTENT))
  })
})

test('changes are named one by one', () => {
  expect(approvalChanges(CONTENT, CONTENT)).toEqual([])
  const changed = but(({ campaign, texts, audience }) => {
    campaign.start = null
    texts[0]!.body = 'Hi'
    texts[1] = { ...texts[1]!, id: 't3', name: 'Third' }
    audience.filters = {}
    audience.pharmacies = ['p1']
    audience.holdout = 0
  })
  expect(approvalChanges(CONTENT, changed)).toEqual([
    'the dates',
    'the text of “Second”',
    'the template “First”, which was removed',
    'the template “Third”, which was added',
    'who is selected',
    'the pharmacies',
    'the holdout',
  ])
  expect(
    approvalChanges(
      CONTENT,
      but(({ campaign }) => Object.assign(campaign, { name: 'A', note: 'B', goal: 1 })),
    ),
  ).toEqual(['the name', 'the note', 'the goal'])
})

describe('the ceiling', () => {
  test('allows exactly as much, but not one more', () => {
    expect(ceilingProblem(CEILING, CEILING, 'AU')).toBe('')
    expect(ceilingProblem(CEILING, { people: 1201, cents: 14_800 }, 'AU')).toBe(
      'The approval is for up to 1,200 people and $148.00, but 1,201 people would be messaged.',
    )
    expect(ceilingProblem(CEILING, { people: 1, cents: 14_801 }, 'AU')).toBe(
      'The approval is for up to 1,200 people and $148.00, but it would cost $148.01.',
    )
    expect(ceilingProblem({ people: 1, cents: 0 }, { people: 2, cents: 12 }, 'GB')).toBe(
      'The approval is for up to 1 person and £0.00, but 2 people would be messaged and it would cost £0.12.',
    )
  })

  test('reads as an amount and a number of people', () => {
    expect(costWords(CEILING, 'AU')).toBe('$148.00 for 1,200 people')
    expect(costWords({ people: 1, cents: 12 }, 'AU')).toBe('$0.12 for 1 person')
    expect(ceilingWords(CEILING, 'AU')).toBe('up to 1,200 people and $148.00')
  })

  test('is proposed a tenth higher, in whole people and dollars', () => {
    expect(proposedCeiling({ people: 11, cents: 132 })).toEqual({ people: 13, cents: 200 })
    expect(proposedCeiling({ people: 1000, cents: 10_000 })).toEqual({ people: 1100, cents: 11_000 })
    expect(proposedCeiling({ people: 3, cents: 0 })).toEqual({ people: 4, cents: 0 })
  })
})

test('authors and the person who asked cannot approve; anybody else can', () => {
  const authors = { written_by: [1], changed_by: [2, 5], text_editors: [6, 7], asked_by: [3] }
  const changed = 'You changed this campaign, so somebody else has to approve it.'
  const worded = 'You wrote or changed one of its texts, so somebody else has to approve it.'
  expect([1, 2, 3, 4, 5, 6, 7].map((id) => approverProblem(id, authors))).toEqual([
    'You wrote this campaign, so somebody else has to approve it.',
    changed,
    'You asked for this approval, so somebody else has to approve it.',
    '',
    ...[changed, worded, worded],
  ])
  expect(approverProblem(1, { written_by: [], changed_by: [], text_editors: [], asked_by: [] })).toBe('')
})

test('the people who may approve are named', () => {
  expect(approversWords(['Ann Lee'])).toBe('Ann Lee can approve it.')
  expect(approversWords(['Ann Lee', 'Bo Ng'])).toBe('Ann Lee or Bo Ng can approve it.')
  expect(approversWords(['A', 'B', 'C', 'D', 'E'])).toBe('A, B, C, or 2 others can approve it.')
  expect(approversWords(['A', 'B', 'C'])).toBe('A, B, or C can approve it.')
  expect(approversWords(['A', 'B', 'C', 'D'])).toBe('A, B, C, or 1 other can approve it.')
  expect(approversWords([])).toContain('Nobody else can approve it')
})

test('a campaign without an approval says why, and what to do', () => {
  const words = (state: Parameters<typeof unapprovedWords>[0]) => unapprovedWords(state, ['its texts'], ['Ann Lee'])
  expect(words('waiting')).toMatch(/^This campaign waits for approval/)
  expect(words('declined')).toMatch(/^Approval of this campaign was declined\. Change it/)
  for (const state of ['none', 'used', 'held'] as const) expect(words(state)).toMatch(/Save it and ask for approval/)
  expect(words('changed')).toMatch(/^This campaign was changed since approval was asked for \(its texts\)/)
})
