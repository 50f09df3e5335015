import { readdir, rm, rmdir } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { job } from '../../../api/queue.ts'
import { inScope } from '../../../db/scope.ts'
import { uploadFolder } from '../upload-folder.ts'
import { recordedFiles } from './remove.queries.ts'

const FILE = /\.(?:csv|ndjson)$/

/** Deletes from the disk what support has removed of an upload; files that are still recorded stay. */
export const removeUploadFiles = job({
  name: 'etl-remove-files',
  payload: z.object({ uuid: z.uuid(), location_id: z.number(), company_id: z.number() }),
  concurrency: () => 1,
  retries: 5,
  async run({ uuid, location_id, company_id }, { pools, env }) {
    const scope = { companyId: company_id, locationIds: [location_id] }
    const kept = new Set(await inScope(pools.app, scope, (tx) => recordedFiles(tx, uuid)))
    const folder = uploadFolder(env.DATA_DIR, location_id, uuid)
    const entries = await readdir(folder).catch(() => [])
    const gone = entries.filter((entry) => FILE.test(entry) && !kept.has(entry.replace(FILE, '')))
    for (const entry of gone) await rm(join(folder, entry), { force: true })
    // Not empty while files are left or arriving.
    if (gone.length === entries.length) await rmdir(folder).catch(() => {})
  },
})
