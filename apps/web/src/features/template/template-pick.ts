import type { Template } from '@pillar/contract/template/template'

/** A template for a campaign: an own one, or a recommended one that becomes the company's own when the campaign is created. */
export interface PickedTemplate {
  readonly template_id: string | null
  readonly template_recommendation_id: string | null
  readonly template_name: string
  readonly sms_template: boolean
  readonly email_template: boolean
  /** False until the campaign is activated; a recommended one is created active. */
  readonly active: boolean
}

/** The most templates a campaign can have; the server refuses more. */
export const MOST_TEMPLATES = 50

/** A key that identifies a selected template. */
export function pickKey(picked: PickedTemplate): string {
  return picked.template_id ?? `recommended ${picked.template_recommendation_id ?? ''}`
}

/** An own template as a selection. */
export function pickOf(
  template: Pick<Template, 'template_id' | 'name' | 'sms_template' | 'email_template' | 'active'>,
): PickedTemplate {
  const { template_id, name, sms_template, email_template, active } = template
  return { template_id, template_recommendation_id: null, template_name: name, sms_template, email_template, active }
}

/** Adds a template at the end, or removes it; at the limit, nothing is added. */
export function picked(chosen: readonly PickedTemplate[], one: PickedTemplate): PickedTemplate[] {
  const key = pickKey(one)
  if (chosen.some((each) => pickKey(each) === key)) return chosen.filter((each) => pickKey(each) !== key)
  return chosen.length >= MOST_TEMPLATES ? [...chosen] : [...chosen, one]
}

/** Select All for the matches: adds the missing ones up to the limit or, if all are selected, removes them. */
export function pickedAll(chosen: readonly PickedTemplate[], shown: readonly PickedTemplate[]): PickedTemplate[] {
  const have = new Set(chosen.map(pickKey))
  const missing = shown.filter((each) => !have.has(pickKey(each)))
  if (missing.length > 0) return [...chosen, ...missing].slice(0, Math.max(MOST_TEMPLATES, chosen.length))
  const gone = new Set(shown.map(pickKey))
  return chosen.filter((each) => !gone.has(pickKey(each)))
}

/** The selected templates in the format of every call. */
export function chosenOf(templates: readonly Omit<PickedTemplate, 'active'>[]) {
  return templates.map(({ template_id, template_recommendation_id }) => ({ template_id, template_recommendation_id }))
}
