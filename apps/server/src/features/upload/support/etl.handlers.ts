import { type contract, Refusal } from '@pillar/contract'
import { safeCell } from '@pillar/domain/text/csv-safe'
import { pleaseSentence, problemSentence } from '@pillar/domain/text/sentence'
import { fileNameOf } from '@pillar/domain/upload/upload-file'
import { overrideReasonProblems, requestProblems } from '@pillar/domain/upload/upload-request'
import { csvText } from '../../../api/answer/csv-text.ts'
import { noteChange, recordInLogs } from '../../../api/audit.ts'
import { callerOf, type HandlersOf, staffTx, tenantTx } from '../../../api/context.ts'
import type { Tx } from '../../../db/database.ts'
import { forceUpload } from '../override.queries.ts'
import { sourceOf } from '../read/sources.ts'
import { loadUpload } from '../upload.jobs.ts'
import { compareFiles, findPair } from './compare.queries.ts'
import { allFaults, findUpload, pageFaults } from './fault.queries.ts'
import { faultyHandlers, faultyMatching } from './faulty-list.ts'
import { findStaffLocations, listQueue, type StaffLocation } from './queue.queries.ts'
import { removeItems } from './remove.queries.ts'
import { removeUploadFiles } from './remove-files.jobs.ts'
import { addRequest } from './request.queries.ts'

export const etlHandlers: HandlersOf<typeof contract.etl> = {
  ...faultyHandlers,

  async queue({ id, before, limit }, context) {
    const tx = staffTx(context)
    const answer = []
    // A pharmacy not found is left out: one removed pharmacy must not hide the uploads of all others.
    const found = await findStaffLocations(tx, id)
    const places = inOrder(id).flatMap((uuid) => found.filter((place) => place.uuid === uuid))
    for (const place of places) {
      const items = await listQueue(tx, { locationId: place.id, before: before ?? null, limit: limit + 1 })
      const { uuid, name, time_zone, data_source } = place
      const queue = items.slice(0, limit)
      answer.push({ pharmacy: uuid, name, time_zone, data_source, queue, more: items.length > limit })
    }
    return answer
  },

  async request({ id, filter, expected_count, data_source, from, to, initial_upload }, context) {
    const tx = staffTx(context)
    const caller = callerOf(context)
    const one = typeof id === 'string'
    const source = data_source ?? ''
    if (source !== '' && !sourceOf(source)) throw new Refusal('invalid', pleaseSentence(['select a data source']))
    const times = { from: instant(from), to: instant(to) }
    const problem = requestProblems({ data_source: 'any', from: times.from ?? '', to: times.to ?? '' })
    if (problem.length > 0) throw new Refusal('invalid', problemSentence(problem))
    const requested: { pharmacy: string; name: string; uuid: string }[] = []
    const refused: { pharmacy: string; name: string; reason: string }[] = []
    const ids = filter ? await faultyMatching(context, filter, expected_count) : one ? [id] : (id ?? [])
    for (const place of await placesOf(tx, ids)) {
      const given = source || place.data_source
      const request = { locationId: place.id, source: given ?? '', initial: initial_upload, ...times }
      const uuid = given ? await addRequest(tx, { ...request, by: caller.loginId, at: context.services.now() }) : null
      if (uuid === null) {
        const reason = given
          ? 'The same upload is requested already and has not arrived.'
          : 'Please select a data source.'
        refused.push({ pharmacy: place.uuid, name: place.name, reason })
        continue
      }
      requested.push({ pharmacy: place.uuid, name: place.name, uuid })
      await recordInLogs(tx, caller, 'etl.request', [{ companyId: place.company_id, ids: [uuid, place.uuid] }])
    }
    if (one && refused[0]) throw new Refusal(source === '' ? 'invalid' : 'conflict', refused[0].reason)
    return { requested, not_requested: refused }
  },

  async remove({ uuid }, context) {
    const tx = tenantTx(context)
    const { companyId, scope } = callerOf(context)
    const removed = await removeItems(tx, uuid)
    for (const upload of removed) {
      const { etl_state, data_source, files } = upload
      const left = { etl_state: files ? etl_state : null, files: null }
      noteChange(context, upload.uuid, { etl_state, data_source, files: files ?? 'all' } as object, left)
      const what = { uuid: upload.uuid, location_id: scope.locationIds[0] ?? 0, company_id: companyId }
      await context.services.queue.send(tx, removeUploadFiles, what)
    }
    return uuid
  },

  async override({ uuid, reason }, context) {
    const tx = tenantTx(context)
    const problems = overrideReasonProblems({ reason })
    if (problems.length > 0) throw new Refusal('invalid', problemSentence(problems))
    const { was, later } = await forceUpload(tx, uuid)
    noteChange(context, uuid, { etl_state: was }, { etl_state: 'OVERRIDE' })
    await context.services.queue.send(tx, loadUpload, { uuid: uuid.toLowerCase() })
    return { later }
  },

  async comparison({ id, uuid }, context) {
    const tx = staffTx(context)
    const [place] = await placesOf(tx, [id])
    const { upload, previous } = await findPair(tx, place?.id ?? 0, uuid)
    const files = await compareFiles(tx, upload.id, previous?.id ?? null)
    return { upload, previous, files }
  },

  async faults({ uuid, ...input }, context) {
    const tx = tenantTx(context)
    const { id, counted } = await findUpload(tx, uuid)
    const { rows, ...page } = await pageFaults(tx, id, input)
    return { faults: rows, counted, ...page }
  },

  async faultsCsv({ uuid }, context) {
    const tx = tenantTx(context)
    const { id } = await findUpload(tx, uuid)
    const rows = await allFaults(tx, id)
    const lines = rows.map(({ file_type, line, column, value, reason }) => [
      ...[safeCell(fileNameOf(file_type)), line, safeCell(column), safeCell(value), safeCell(reason)],
    ])
    return {
      filename: `row_faults_${uuid.slice(0, 8)}.csv`,
      text: csvText([['File', 'Line', 'Column', 'Value', 'Reason'], ...lines]),
    }
  },
}

/** The pharmacies of these uuids, in that order. @throws Refusal not_found if one is missing */
async function placesOf(tx: Tx, uuids: readonly string[]): Promise<StaffLocation[]> {
  const found = new Map((await findStaffLocations(tx, uuids)).map((place) => [place.uuid, place]))
  return inOrder(uuids).map((uuid) => {
    const place = found.get(uuid)
    if (!place) throw new Refusal('not_found', 'That pharmacy was not found.')
    return place
  })
}

/** The uuids as requested, each once. */
const inOrder = (uuids: readonly string[]) => [...new Set(uuids.map((uuid) => uuid.toLowerCase()))]

const instant = (text: string | null | undefined) => (text ? new Date(text).toISOString() : null)
