/** What one pharmacy may send, and what the server keeps free for everything else. Set by the environment. */
export interface UploadLimits {
  /** Uploads of one pharmacy in one day. */
  dayCount: number
  /** Bytes of them, as sent: packed where they are packed. */
  dayBytes: number
  /** Uploads of one pharmacy that may wait to be loaded. */
  waiting: number
  /** Bytes of the disk that uploads leave free. */
  freeBytes: number
}

/** What stands before one upload: of the pharmacy's other uploads, of its own bytes so far, and the disk's. */
export interface UploadUse {
  /** Others of the day, unfinished ones too. */
  count: number
  bytes: number
  /** Others that wait to be loaded or are arriving now. */
  waiting: number
  /** Bytes of this one that are here. */
  own: number
  /** Bytes free on the disk that uploads lie on. */
  free: number
}

/** `space`: no disk; `size`: more than a day allows at any time; `waiting`: later; `day`: tomorrow. */
export type UploadLimit = 'space' | 'size' | 'waiting' | 'day'

/** Why no more of an upload is taken, and what to do; null where nothing stands against it. */
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
