import { createHash } from 'node:crypto'
import { contract, Refusal } from '@pillar/contract'
import { issueSentence } from '@pillar/contract/wire/wording'
import { formatDay } from '@pillar/domain/time/day'
import { dayIn } from '@pillar/domain/time/zone'
import { statesBefore } from '@pillar/domain/upload/upload-state'
import { z } from 'zod'
import { type Context, type HandlersOf, type LocationCaller, unknownKey } from '../../api/context.ts'
import { v7 } from '../../api/uuid.ts'
import { inScope } from '../../db/scope.ts'
import { isTaken } from '../../db/taken.ts'
import { uploadFolder } from '../../gateways/file/folder-store.ts'
import { keyStillWorks } from '../location/location-key.queries.ts'
import { allowanceOf } from './allowance.ts'
import { keepParts, refusalOfPlace, removeKept } from './file/keep.ts'
import { heldBytes, measureParts, removeParts } from './file/upload-folder.ts'
import { SOURCES, sourceOf } from './read/sources.ts'
import { invalid, Reception } from './receive.ts'
import { uploadStatus } from './status.queries.ts'
import { openRequests } from './support/request.queries.ts'
import { loadUpload } from './upload.jobs.ts'
import { type LandedFile, landUpload } from './upload.queries.ts'

type Fields = z.output<typeof contract.upload.send.input>

export const uploadHandlers: HandlersOf<typeof contract.upload> = {
  async requests(_input, context) {
    const { scope } = locationOf(context)
    return { requests: await inScope(context.services.pools.app, scope, openRequests) }
  },

  async send(_input, context) {
    const location = locationOf(context)
    const raw: Record<string, string> = {}
    let reception: Reception | null = null
    let fields: Fields | null = null
    let folder = ''
    try {
      for await (const part of context.parts ?? []) {
        if (part.kind === 'field') {
          if (fields) throw invalid(part.name, `Send the field "${part.name.slice(0, 40)}" before the files.`)
          raw[part.name] = part.value
          continue
        }
        if (!fields || !reception) {
          fields = readFields(raw)
          const earlier = fields.uuid && (await landedState(context, location, fields.uuid))
          if (earlier) return { uuid: fields.uuid ?? '', etl_state: asState(earlier), repeated: true }
          folder = uploadFolder(context.services.env.DATA_DIR, location.locationId, fields.uuid ?? '')
          const allowance = allowanceOf(context.services, location, fields.uuid ?? '')
          reception = new Reception(folder, knownSource(fields), readOffsets(fields.offsets), allowance)
          await reception.open()
        }
        await reception.take(part)
      }
      if (!fields || !reception) {
        readFields(raw)
        throw invalid('files', 'The upload holds no files.')
      }
      reception.finish()
      return await land(context, location, fields, folder, reception.names)
    } catch (error) {
      throw refusalOfPlace(context.services, fields?.uuid ?? '', error as Error)
    } finally {
      reception?.close()
    }
  },

  async status({ uuid }, context) {
    const location = locationOf(context)
    const found = await inScope(context.services.pools.app, location.scope, (tx) =>
      uploadStatus(tx, uuid.toLowerCase()),
    )
    const folder = uploadFolder(context.services.env.DATA_DIR, location.locationId, uuid.toLowerCase())
    if (found) {
      const { id: _, ...upload } = found.upload
      const faulty = found.files.reduce((sum, file) => sum + (file.faulty ?? 0), 0)
      return {
        ...upload,
        etl_state: asState(upload.etl_state),
        // For an upload that support requested and that is arriving, the files received so far.
        files: hasLanded(upload.etl_state) ? found.files : await unfinished(folder),
        faults: found.faults,
        fault_count: faulty,
      }
    }
    const files = await unfinished(folder)
    if (files.length === 0) throw new Refusal('not_found', 'No upload of this pharmacy has that uuid.')
    return {
      uuid,
      etl_state: null,
      data_source: null,
      initial_upload: false,
      notes: 'Unfinished: send the rest.',
      received_at: null,
      started_at: null,
      stopped_at: null,
      retry_at: null,
      files,
      faults: [],
      fault_count: 0,
    }
  },
}

const State = contract.upload.send.output.shape.etl_state
const asState = (state: string) => State.parse(state)

function locationOf(context: Context): LocationCaller {
  if (!context.location) throw new Error('an upload call without a pharmacy')
  return context.location
}

/** The fields of an upload, with a uuid added if missing. Throws a Refusal naming what is wrong. */
function readFields(raw: Record<string, string>): Fields & { uuid: string } {
  const parsed = contract.upload.send.input.strict().safeParse(blankless(raw), { error: issueSentence })
  if (!parsed.success) {
    const issue = parsed.error.issues[0]
    const extra = issue?.code === 'unrecognized_keys' ? issue.keys[0] : undefined
    const field = extra ?? String(issue?.path[0] ?? 'upload')
    throw invalid(
      field.slice(0, 40),
      extra ? `The field "${field.slice(0, 40)}" is not known.` : (issue?.message ?? 'The request is not valid.'),
    )
  }
  return { ...parsed.data, uuid: parsed.data.uuid?.toLowerCase() ?? v7() }
}

const blankless = (raw: Record<string, string>) =>
  Object.fromEntries(Object.entries(raw).filter(([, value]) => value !== ''))

function knownSource(fields: Fields) {
  const source = sourceOf(fields.data_source)
  if (!source) {
    const names = SOURCES.map((one) => one.name).join(', ')
    throw invalid('data_source', `The data source "${fields.data_source}" is not known. It may be ${names}.`)
  }
  if (fields.date_shift_days && !source.shiftsDates)
    throw invalid('date_shift_days', `Dates of ${source.name} are real: date_shift_days is not allowed.`)
  return source
}

const Offsets = z.record(z.string(), z.int().min(0))

function readOffsets(text: string | undefined): Map<string, number> {
  if (text === undefined) return new Map()
  try {
    return new Map(Object.entries(Offsets.parse(JSON.parse(text))))
  } catch {
    throw invalid('offsets', 'offsets must be JSON such as {"scripts": 1048576}.')
  }
}

/** The state of an upload whose files have all arrived: its sender missed the answer. */
async function landedState(context: Context, location: LocationCaller, uuid: string): Promise<string | null> {
  const found = await inScope(context.services.pools.app, location.scope, (tx) => uploadStatus(tx, uuid))
  const state = found?.upload.etl_state
  return state && hasLanded(state) ? state : null
}

/** Whether all files of an upload have arrived: not while it is only requested. */
const hasLanded = (state: string) => !statesBefore('land').some((waiting) => waiting === state)

/** The received part of an incomplete upload. */
const unfinished = async (folder: string) =>
  [...(await heldBytes(folder))].map(([file_type, received_bytes]) => ({
    ...{ file_type, received_bytes, rows: null, loaded: null, faulty: null },
  }))

/** A stated time or date as a civil day of the pharmacy. */
function civilDay(text: string | null | undefined, timeZone: string): string | null {
  if (!text) return null
  return text.length === 10 ? text : formatDay(dayIn(timeZone, new Date(text)))
}

/** All files are on disk: records the upload and queues its load in one transaction. */
async function land(
  { services }: Context,
  location: LocationCaller,
  fields: Fields,
  folder: string,
  names: readonly string[],
): Promise<{ uuid: string; etl_state: z.output<typeof State>; repeated: boolean }> {
  const uuid = fields.uuid ?? ''
  const coversFrom = civilDay(fields.from, location.timeZone)
  const coversTo = civilDay(fields.to, location.timeZone)
  if (coversFrom && coversTo && coversFrom > coversTo) throw invalid('from', 'from must not be after to.')
  const parts = await measureParts(folder, names)
  if (parts.every((part) => part.bytes === 0)) {
    await removeParts(folder)
    throw invalid('files', 'The files of the upload are empty.')
  }
  const place = { locationId: location.locationId, uuid }
  const files = await keepParts(services, place, parts)
  // It may have taken hours to arrive. If a leaked key was replaced meanwhile, or its pharmacy removed, nothing of it is loaded.
  if (!(await keyStillWorks(services.pools.system, location.keyId, services.now()))) {
    await removeKept(services, place)
    throw unknownKey()
  }
  const shiftDays = fields.date_shift_days ?? 0
  const landed = {
    uuid,
    locationId: location.locationId,
    source: fields.data_source,
    initial: fields.initial_upload,
    coversFrom,
    coversTo,
    shiftDays,
    files,
  }
  const contentHash = hashOf(landed)
  const upload = await inScope(services.pools.app, location.scope, async (tx) => {
    const made = await landUpload(tx, { ...landed, contentHash })
    if (!made.repeated) await services.queue.send(tx, loadUpload, { uuid })
    return made
  }).catch((error: unknown) => {
    if (isTaken(error)) throw invalid('uuid', 'This uuid is taken. Choose another.')
    throw error
  })
  if (!upload.repeated) services.queue.wake(loadUpload)
  // If files are stored elsewhere, the parts stayed here until this was recorded.
  await removeParts(folder)
  if (upload.repeated && upload.uuid !== uuid) await removeKept(services, place)
  return { uuid: upload.uuid, etl_state: asState(upload.state), repeated: upload.repeated }
}

/** The identity of an upload: the text of its files and their purpose. */
function hashOf(landed: { source: string; files: readonly LandedFile[] } & Record<string, unknown>): Buffer {
  const { uuid: _uuid, locationId: _location, files, ...purpose } = landed
  const parts = files.map((file) => `${file.name}:${file.sha256.toString('hex')}`).sort()
  return createHash('sha256')
    .update(JSON.stringify([Object.entries(purpose).sort(), parts]))
    .digest()
}
