import { Refusal } from '@pillar/contract'

/**
 * Refuses an edit of something that was saved by somebody else since the editor opened it; an edit without a version, as the specification
 * has it, is taken.
 * @throws Refusal conflict
 */
export function refuseStale(found: { name: string; version: number }, version: number | null | undefined): void {
  if (version === null || version === undefined || version === found.version) return
  const message = `Somebody else has saved "${found.name}" since you opened it. Please open it again before you make your changes.`
  throw new Refusal('conflict', message)
}
