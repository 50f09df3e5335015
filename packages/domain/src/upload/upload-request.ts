import { saysWhy } from '../text/reason.ts'
import type { Problem } from '../text/sentence.ts'
import type { UploadState } from './upload-state.ts'

/** States in which support may remove an upload or one of its files, by the specification: no loader has claimed it yet. */
export const REMOVABLE_STATES = ['RECEIVED', 'OVERRIDE'] as const satisfies readonly UploadState[]

/** Whether an upload in this state can be removed, ignoring letter case. */
export const isRemovable = (state: string): boolean =>
  REMOVABLE_STATES.some((one) => one.toLowerCase() === state.toLowerCase())

/** Why an upload in this state cannot be removed; null when it can. */
export function removalProblem(state: UploadState): string | null {
  if (isRemovable(state)) return null
  if (state === 'PROCESSING') return 'This upload is being loaded, so it cannot be removed now.'
  if (state === 'COMPLETED') return 'This upload was loaded already, so it cannot be removed.'
  return 'Only an upload that waits to be loaded can be removed.'
}

interface RequestDraft {
  readonly data_source: string
  /** ISO instants; empty for none. */
  readonly from: string
  readonly to: string
}

/** What is wrong with a request for an upload, field by field. */
export function requestProblems({ data_source, from, to }: RequestDraft): Problem<keyof RequestDraft>[] {
  const problems: Problem<keyof RequestDraft>[] = []
  if (data_source === '') problems.push({ field: 'data_source', words: 'select a data source' })
  if (from !== '' && to !== '' && from >= to)
    problems.push({ field: 'to', words: 'enter a To time that is after the From time' })
  return problems
}

/** Longest reason or note that support writes about an upload. */
export const UPLOAD_NOTE_LIMIT = 500

/** What is missing before support can force an upload. */
export function overrideReasonProblems({ reason }: { reason: string }): Problem<'reason'>[] {
  return !saysWhy(reason) ? [{ field: 'reason', words: 'enter a reason' }] : []
}
