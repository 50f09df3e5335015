import { describe, expect, it } from 'vitest'
import { chosenOf, MOST_TEMPLATES, type PickedTemplate, picked, pickedAll, pickKey, pickOf } from './template-pick.ts'

const own = (id: string): PickedTemplate =>
  pickOf({ template_id: id, name: `T ${id}`, sms_template: true, email_template: false, active: true })
const recommended: PickedTemplate = { ...own('x'), template_id: null, template_recommendation_id: 'r1' }
const keys = (list: readonly PickedTemplate[]) => list.map(pickKey)

describe('picking templates', () => {
  it('adds at the end and removes, own and recommended separately', () => {
    expect(keys(picked([own('a')], own('b')))).toEqual(['a', 'b'])
    expect(keys(picked([own('a'), recommended], own('a')))).toEqual(['recommended r1'])
    expect(keys(picked([own('a')], recommended))).toEqual(['a', 'recommended r1'])
  })

  it('sends an own template and a recommended one each by its own id', () => {
    expect(chosenOf([own('a'), recommended])).toEqual([
      { template_id: 'a', template_recommendation_id: null },
      { template_id: null, template_recommendation_id: 'r1' },
    ])
  })

  it('selects all matches and keeps the rest, and clears only matches', () => {
    const shown = [own('b'), own('c')]
    const all = pickedAll([own('a'), own('b')], shown)
    expect(keys(all)).toEqual(['a', 'b', 'c'])
    expect(keys(pickedAll(all, shown))).toEqual(['a'])
  })

  it('never exceeds the most a campaign can have', () => {
    const many = Array.from({ length: 60 }, (_, index) => own(`t${index}`))
    expect(pickedAll([], many)).toHaveLength(MOST_TEMPLATES)
    expect(picked(many.slice(0, MOST_TEMPLATES), own('one more'))).toHaveLength(MOST_TEMPLATES)
  })
})
