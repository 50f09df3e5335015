/** Days for which something removed in the console can be restored. */
export const RESTORE_DAYS = 30

/** Anything removed after this moment can still be restored. */
export const restorableSince = (now: Date): Date => new Date(now.getTime() - RESTORE_DAYS * 86_400_000)

/** Whether something removed at that time can still be restored. */
export const isRestorable = (removedAt: Date, now: Date): boolean => removedAt > restorableSince(now)
