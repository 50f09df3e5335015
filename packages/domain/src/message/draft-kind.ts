import type { ConsentKind } from '../consent/consent.ts'
import type { Country } from '../time/locale.ts'

/** A ready-made text to begin a message with. */
export interface StarterDraft {
  readonly title: string
  readonly text: string
  /** Subcategories it is for, as the categories name them; empty for any. */
  readonly about: readonly string[]
  /** Further words people may look for it with. */
  readonly words: string
  /** What a template made of it is: invitations to buy or to come back are marketing, whatever the template is called. */
  readonly kind: ConsentKind
  /** Speaks of something that only this country has. */
  readonly country?: Country
}

/** A draft of health outreach, for every country. @param about subcategories it is for @param words further words to find it with */
export const draft = (title: string, text: string, about: readonly string[] = [], words = ''): StarterDraft => ({
  title,
  text,
  about,
  words,
  kind: 'health_outreach',
})
/** The same, of marketing. */
export const marketing = (...made: Parameters<typeof draft>): StarterDraft => ({ ...draft(...made), kind: 'marketing' })
/** The same, of something that only Australia has. */
export const australian = (...made: Parameters<typeof draft>): StarterDraft => ({ ...draft(...made), country: 'AU' })
