import type { ConsentKind } from '../consent/consent.ts'
import type { Country } from '../time/locale.ts'

/** A ready-made text to start a message from. */
export interface StarterDraft {
  readonly title: string
  readonly text: string
  /** The subcategories it suits, as the categories name them; empty for any. */
  readonly about: readonly string[]
  /** Further search words. */
  readonly words: string
  /** The kind of a template made from it: invitations to buy or to come back are marketing, whatever the template's name. */
  readonly kind: ConsentKind
  /** Set if it mentions something that only this country has. */
  readonly country?: Country
}

/** A draft of health outreach for every country. @param about the subcategories it suits @param words further search words */
export const draft = (title: string, text: string, about: readonly string[] = [], words = ''): StarterDraft => ({
  title,
  text,
  about,
  words,
  kind: 'health_outreach',
})
/** The same for marketing. */
export const marketing = (...made: Parameters<typeof draft>): StarterDraft => ({ ...draft(...made), kind: 'marketing' })
/** The same for something that only Australia has. */
export const australian = (...made: Parameters<typeof draft>): StarterDraft => ({ ...draft(...made), country: 'AU' })
