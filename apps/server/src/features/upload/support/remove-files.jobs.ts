import { z } from 'zod'
import { job } from '../../../api/queue.ts'
import { inScope } from '../../../db/scope.ts'
import { recordedFiles } from './remove.queries.ts'

/** Deletes from the store the files of an upload that support has removed; files that are still recorded stay. */
export const removeUploadFiles = job({
  name: 'etl-remove-files',
  payload: z.object({ uuid: z.uuid(), location_id: z.number(), company_id: z.number() }),
  concurrency: () => 1,
  retries: 5,
  again: true,
  async run({ uuid, location_id, company_id }, { pools, files }) {
    const scope = { companyId: company_id, locationIds: [location_id] }
    const kept = new Set(await inScope(pools.app, scope, (tx) => recordedFiles(tx, uuid)))
    await files.removeOthers({ locationId: location_id, uuid }, kept)
  },
})
