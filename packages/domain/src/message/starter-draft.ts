import { CONDITION_DRAFTS } from './condition-draft.ts'
import type { StarterDraft } from './draft-kind.ts'
import { VISIT_DRAFTS } from './visit-draft.ts'

/**
 * Starter drafts, shown when no AI service is configured. Each fits one part at average name lengths, names the pharmacy, reminds or invites, and
 * makes no health claims; where a medicine could embarrass or expose a patient, the text does not say which.
 */
export const STARTER_DRAFTS: readonly StarterDraft[] = [...VISIT_DRAFTS, ...CONDITION_DRAFTS]
