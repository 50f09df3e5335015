/** How long something removed in the console can be restored, in days. */
export const RESTORE_DAYS = 30

/** Whether something removed at that time can still be restored. */
export function isRestorable(removedAt: Date, now: Date): boolean {
  return now.getTime() - removedAt.getTime() < RESTORE_DAYS * 86_400_000
}
