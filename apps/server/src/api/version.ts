import { Refusal } from '@pillar/contract'

/**
 * Refuses an edit of something another user has saved since the editor opened it. An edit without a version is accepted, as the
 * specification says.
 * @throws Refusal conflict
 */
export function refuseStale(found: { name: string; version: number }, version: number | null | undefined): void {
  if (version === null || version === undefined || version === found.version) return
  const message = `Somebody else has saved "${found.name}" since you opened it. Please open it again before you make your changes.`
  throw new Refusal('conflict', message)
}
