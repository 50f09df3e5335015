/** The upload limits of one pharmacy, and the disk space the server keeps free. Set by the environment. */
export interface UploadLimits {
  /** Uploads of one pharmacy in one day. */
  dayCount: number
  /** Bytes of uploads in one day, as sent (compressed size if compressed). */
  dayBytes: number
  /** Uploads of one pharmacy that may wait for loading. */
  waiting: number
  /** Disk bytes that uploads must leave free. */
  freeBytes: number
}

/** Current usage: the pharmacy's other uploads, this upload's bytes so far, and the disk. */
export interface UploadUse {
  /** Other uploads of the day, including unfinished ones. */
  count: number
  bytes: number
  /** Other uploads waiting or arriving now. */
  waiting: number
  /** Bytes of this upload received so far. */
  own: number
  /** Free bytes on the uploads disk. */
  free: number
}

/** `space`: disk full; `size`: more than any day allows; `waiting`: retry later; `day`: retry tomorrow. */
export type UploadLimit = 'space' | 'size' | 'waiting' | 'day'

/** Why the server accepts no more of an upload, and what to do; null if it does. */
export function uploadLimit(use: UploadUse, limits: UploadLimits): { limit: UploadLimit; sentence: string } | null {
  const most = `${Math.round(limits.dayBytes / 1024 ** 2)} MB`
  if (use.free < limits.freeBytes)
    return {
      limit: 'space',
      sentence:
        'The server has too little disk space left to take uploads. What it took before is safe. Send this upload again later; support can make room.',
    }
  if (use.own > limits.dayBytes)
    return {
      limit: 'size',
      sentence: `This upload is larger than the ${most} a pharmacy may send in a day. Pack its files with gzip, or send it in parts over several days, each with its own from and to.`,
    }
  if (use.waiting >= limits.waiting)
    return {
      limit: 'waiting',
      sentence: `${use.waiting} uploads of this pharmacy already wait to be loaded. Send this one again when they are.`,
    }
  if (use.count >= limits.dayCount)
    return {
      limit: 'day',
      sentence: `This pharmacy has sent ${use.count} uploads today, as many as it may. Send this one tomorrow, or send more days in one upload.`,
    }
  if (use.bytes + use.own > limits.dayBytes)
    return {
      limit: 'day',
      sentence: `This pharmacy has sent as much today as it may, ${most}. Send the rest tomorrow; what arrived of this upload is kept.`,
    }
  return null
}
