import { Refusal } from '@pillar/contract'
import { dayBounds, localTime } from '@pillar/domain/time/local-time'
import { type UploadLimit, type UploadLimits, uploadLimit } from '@pillar/domain/upload/upload-limit'
import type { LocationCaller, Services } from '../../api/context.ts'
import { inScope } from '../../db/scope.ts'
import { uploadFolder, uploadsRoot } from '../../gateways/file/folder-store.ts'
import { uploadUse } from './allowance.queries.ts'
import { removeParts, unfinishedUploads } from './file/upload-folder.ts'

/** One upload of a pharmacy, checked against the limits of the pharmacy and the disk. */
export interface Allowance {
  /** Throws a Refusal if no more of the upload is accepted. `arriving`: other uploads of the pharmacy arriving now. */
  check: (arriving: number) => Promise<void>
  /** The same check for the disk alone, cheap enough to run often. */
  checkSpace: () => Promise<void>
}

const MB = 1024 ** 2
const SPACE_RETRY_SECONDS = 300
const WAITING_RETRY_SECONDS = 60

export function allowanceOf(services: Services, location: LocationCaller, uuid: string): Allowance {
  const { env, disk, pools } = services
  const limits = limitsOf(env)
  const refuse = async (use: Parameters<typeof uploadLimit>[0], seconds: number) => {
    const found = uploadLimit(use, limits)
    if (!found) return
    // It can never be finished, so its bytes would only fill the disk.
    if (found.limit === 'size') await removeParts(uploadFolder(env.DATA_DIR, location.locationId, uuid))
    throw refusal(found.limit, found.sentence, seconds)
  }
  const free = () => disk.freeBytes(uploadsRoot(env.DATA_DIR))
  return {
    async check(arriving) {
      const now = services.now()
      const { start, end } = dayBounds(location.timeZone, localTime(location.timeZone, now).day)
      const landed = await inScope(pools.app, location.scope, (tx) =>
        uploadUse(tx, { locationId: location.locationId, uuid, since: start }),
      )
      const held = await unfinishedUploads(env.DATA_DIR, location.locationId)
      // The times of files are this machine's.
      const ownStart = start.getTime() + Date.now() - now.getTime()
      const others = held.filter((one) => one.uuid !== uuid && one.touchedAt.getTime() >= ownStart)
      const use = {
        count: landed.count + others.length,
        bytes: others.reduce((sum, one) => sum + one.bytes, landed.bytes),
        waiting: landed.waiting + arriving,
        own: held.find((one) => one.uuid === uuid)?.bytes ?? 0,
        free: await free(),
      }
      await refuse(use, Math.ceil((end.getTime() - now.getTime()) / 1000))
    },
    async checkSpace() {
      await refuse({ count: 0, bytes: 0, waiting: 0, own: 0, free: await free() }, 0)
    },
  }
}

function limitsOf(env: Services['env']): UploadLimits {
  return {
    dayCount: env.UPLOAD_DAY_COUNT,
    dayBytes: env.UPLOAD_DAY_MB * MB,
    waiting: env.UPLOAD_WAITING,
    freeBytes: env.UPLOAD_FREE_MB * MB,
  }
}

function refusal(limit: UploadLimit, sentence: string, secondsToMidnight: number): Refusal {
  if (limit === 'space') return new Refusal('insufficient_storage', sentence, { retryAfter: SPACE_RETRY_SECONDS })
  if (limit === 'size') return new Refusal('too_large', sentence)
  const retryAfter = limit === 'waiting' ? WAITING_RETRY_SECONDS : Math.max(1, secondsToMidnight)
  return new Refusal('too_many', sentence, { retryAfter })
}
