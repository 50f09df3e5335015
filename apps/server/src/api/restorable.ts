import { Refusal } from '@pillar/contract'
import { isRestorable, RESTORE_DAYS } from '@pillar/domain/company/removal'

/** @throws Refusal conflict when something is not deleted, or was too long ago. */
export function refuseUnlessRestorable(noun: string, removedAt: Date | null, now: Date): void {
  if (!removedAt) throw new Refusal('conflict', `This ${noun} is not deleted.`)
  if (!isRestorable(removedAt, now))
    throw new Refusal('conflict', `This ${noun} was deleted over ${RESTORE_DAYS} days ago and cannot be restored.`)
}
