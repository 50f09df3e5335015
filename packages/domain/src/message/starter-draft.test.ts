import { describe, expect, it } from 'vitest'
import { templateProblem } from '../campaign/campaign-rule.ts'
import { CATEGORIES, subcategoriesOf } from '../dispensing/category.ts'
import { plainText } from '../text/plain-text.ts'
import { canonicalFields } from './merge-field.ts'
import { estimateSms } from './sms-text.ts'
import { STARTER_DRAFTS } from './starter-draft.ts'
import { startersFor } from './starter-search.ts'

describe('starter drafts', () => {
  it('are complete templates: one part, plain characters, no duplicates', () => {
    for (const { title, text } of STARTER_DRAFTS) {
      expect(templateProblem({ name: title, body: text, sms_template: true, email_template: false })).toBe('')
      const { parts, characters, encoding } = estimateSms(text)
      // The separator makes the opt-out one unit longer when sent than in the editor.
      expect([title, parts, encoding, characters + 1 <= 160]).toEqual([title, 1, 'gsm7', true])
      expect(canonicalFields(plainText(text))).toBe(text)
    }
    expect(STARTER_DRAFTS.length).toBeGreaterThanOrEqual(40)
    expect(new Set(STARTER_DRAFTS.map((one) => one.title)).size).toBe(STARTER_DRAFTS.length)
    expect(new Set(STARTER_DRAFTS.map((one) => one.text)).size).toBe(STARTER_DRAFTS.length)
  })

  it('belong to subcategories that exist', () => {
    const known = CATEGORIES.flatMap((category) => [...subcategoriesOf(category)])
    for (const { title, about } of STARTER_DRAFTS) {
      expect([title, about.filter((name) => !known.includes(name))]).toEqual([title, []])
    }
  })

  it('follow the communication type of the template', () => {
    const titles = (kind: 'health_outreach' | 'marketing') =>
      startersFor({ prompt: '', subcategory: null, country: 'AU', kind }, 99).map((one) => one.title)
    expect(titles('marketing')).toContain('Home delivery')
    expect(titles('marketing')).not.toContain('Repeat due')
    expect(titles('health_outreach')).not.toContain('Home delivery')
    expect(titles('marketing').length).toBeGreaterThanOrEqual(6)
    expect(titles('marketing').length + titles('health_outreach').length).toBeLessThanOrEqual(STARTER_DRAFTS.length)
  })

  it('are found by subcategory first, then by words, and there is always one', () => {
    const titles = (prompt: string, subcategory: string | null = null) =>
      startersFor({ prompt, subcategory, country: 'AU', kind: 'health_outreach' }).map((one) => one.title)
    expect(titles('', 'Osteoporosis')[0]).toBe('Six-month injection due')
    expect(titles('Invite people over 65 to their flu vaccination')[0]).toBe('Flu vaccine')
    expect(titles('tell them about 60 day scripts')[0]).toBe('60 day scripts')
    expect(titles('remind asthma patients', 'Respiratory').slice(0, 2).sort()).toEqual([
      'Inhaler technique',
      'Preventer before the season',
    ])
    expect(titles('zzz')).toHaveLength(8)
    expect(titles('')[0]).toBe('Repeat due')
    const british = startersFor(
      { prompt: 'sixty 60 day scripts', subcategory: null, country: 'GB', kind: 'health_outreach' },
      99,
    )
    expect(british.map((one) => one.title)).not.toContain('60 day scripts')
    expect(british.length).toBeGreaterThan(10)
  })
})
