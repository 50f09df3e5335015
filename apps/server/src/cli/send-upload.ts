import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { type ClientRequest, request as httpRequest, type IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { fileNameOf } from '@pillar/domain/upload/upload-file'
import { statesBefore } from '@pillar/domain/upload/upload-state'
import { checkUnchanged, contentFrom, type FileToSend, filesToSend, Unreadable } from './send/files-to-send.ts'

export interface UploadStatus {
  uuid: string
  etl_state: string | null
  notes: string
  retry_at: string | null
  files: {
    file_type: string
    received_bytes: number
    rows: number | null
    loaded: number | null
    faulty: number | null
  }[]
  faults: { file_type: string; line: number; column: string; value: string; reason: string }[]
  fault_count: number
}

/** An upload that support has requested. */
export interface UploadRequest {
  uuid: string
  data_source: string
  initial_upload: boolean
  /** ISO instants. */
  from: string | null
  to: string | null
}

interface Server {
  /** Pillar's address, such as http://localhost:3000. */
  url: string
  /** The pharmacy's key. */
  key: string
}

export interface SendUpload extends Server {
  /** Name of the source profile. */
  source: string
  /** Folder of {set}.csv or {set}.csv.gz; for FHIR, {Resource}.ndjson or {Resource}.ndjson.gz. */
  folder: string
  initial?: boolean
  /** Support's request that this answers; a new uuid if omitted. */
  uuid?: string | undefined
  /** First and last day the files cover, ISO. */
  from?: string | undefined
  to?: string | undefined
  /** Days by which every date is shifted, if the source allows it. */
  shiftDays?: number | undefined
  /** Bytes that have reached the server so far, out of the total. */
  onProgress?: (sent: number, total: number) => void
  /** A connection was lost and will be tried again. */
  onRetry?: (reason: string, seconds: number) => void
  /** Files of the folder that Pillar does not read. */
  onSkipped?: (entries: readonly string[]) => void
  /** How many times a lost connection is resumed. Default 8, over about four minutes. */
  retries?: number
  /** The load waits for a server fault to pass: its note, once each time it changes. */
  onSetback?: (note: string) => void
  /** How time passes between tries; for tests. */
  wait?: (seconds: number) => Promise<void>
}

/** The final state of an upload: COMPLETED or ERROR, with counts and faulty rows. */
export interface SentUpload extends UploadStatus {
  /** The same content had been sent before; nothing was loaded again. */
  repeated: boolean
}

/** The server refused it: trying again would not help. */
export class UploadRefused extends Error {
  readonly status: number
  /** Seconds after which the server wants the request again; 0 if it did not say. */
  readonly retryAfter: number

  constructor(status: number, message: string, retryAfter = 0) {
    super(message)
    this.name = 'UploadRefused'
    this.status = status
    this.retryAfter = retryAfter
  }
}

const POLL_MS = 250
const MAX_WAIT_SECONDS = 60
/** A longer wait is reported at once: nobody waits at a terminal until midnight. */
const MAX_RETRY_AFTER_SECONDS = 600
const sleep = (seconds: number) => new Promise<void>((done) => setTimeout(done, seconds * 1000))
/** A connection counts as lost after this time without any byte in either direction. */
const SILENCE_MS = 60_000

/**
 * Sends a folder of files as one upload, resumes after a dropped connection, and waits until it is loaded.
 * @throws UploadRefused if the server refuses it, Unreadable for a file of the folder, Error if the server cannot be reached or the folder
 * holds no files
 */
export async function sendUpload(options: SendUpload): Promise<SentUpload> {
  const files = await filesToSend(options)
  let uuid = options.uuid ?? (randomUUID() as string)
  let offsets = new Map<string, number>()
  let repeated = false
  const retries = options.retries ?? 8
  for (let attempt = 0; ; attempt++) {
    try {
      const answer = await sendOnce(options, { uuid, files, offsets })
      uuid = answer.uuid
      repeated = answer.repeated
      break
    } catch (error) {
      if (error instanceof Unreadable) throw error
      const asked = error instanceof UploadRefused ? error.retryAfter : 0
      if (error instanceof UploadRefused && !isPassing(error.status)) throw error
      if (attempt >= retries || asked > MAX_RETRY_AFTER_SECONDS) throw error
      const seconds = Math.max(asked, Math.min(MAX_WAIT_SECONDS, 2 ** attempt) * (0.5 + Math.random() / 2))
      options.onRetry?.((error as Error).message, seconds)
      await (options.wait ?? sleep)(seconds)
      const held = await ask(options, uuid).catch((lost: Error) => (isNotFound(lost) ? null : undefined))
      // The answer was lost, not the upload. The server knows an upload that support has requested before it arrives.
      if (held?.etl_state && !NOT_ARRIVED.some((state) => state === held.etl_state)) break
      if (held !== undefined) offsets = new Map(held?.files.map((file) => [file.file_type, file.received_bytes]))
    }
  }
  return { ...(await untilLoaded(options, uuid)), repeated }
}

/** States of an upload whose files have not all arrived. */
const NOT_ARRIVED = statesBefore('land')

/** A 409 means that the server holds less than expected; asking again tells how much. */
const isPassing = (status: number) => status === 409 || status === 429 || status >= 500
const isNotFound = (error: Error) => error instanceof UploadRefused && error.status === 404

function call(options: Server, path: string, headers: Record<string, string>): ClientRequest {
  const url = new URL(path, options.url)
  const start = url.protocol === 'https:' ? httpsRequest : httpRequest
  return start(url, { method: 'POST', headers: { authorization: `Bearer ${options.key}`, ...headers } })
}

const contentType = (name: string) => (fileNameOf(name).endsWith('.csv') ? 'text/csv' : 'application/fhir+ndjson')

interface Attempt {
  uuid: string
  files: readonly FileToSend[]
  /** Bytes of each file that the server has already. */
  offsets: ReadonlyMap<string, number>
}

/** One attempt over one connection. */
async function sendOnce(options: SendUpload, attempt: Attempt): Promise<{ uuid: string; repeated: boolean }> {
  const boundary = `pillar-${randomUUID()}`
  const request = call(options, '/api/etl/upload', { 'content-type': `multipart/form-data; boundary=${boundary}` })
  request.setTimeout(SILENCE_MS, () => request.destroy(new Error('The connection fell silent.')))
  const answered = answerOf(request)
  // The server may refuse before everything is sent; then sending stops.
  let over = false
  const stop = (): void => {
    over = true
  }
  const settled = answered.then(stop, stop)
  try {
    for await (const piece of bodyOf(boundary, options, attempt)) {
      if (over) break
      if (!request.write(piece)) await Promise.race([once(request, 'drain'), settled])
    }
  } catch (error) {
    request.destroy()
    throw error
  }
  if (!over) request.end()
  return (await answered) as { uuid: string; repeated: boolean }
}

/** The multipart body: the fields, then each file from the first byte that the server does not have. */
async function* bodyOf(boundary: string, options: SendUpload, attempt: Attempt): AsyncGenerator<string | Buffer> {
  const { files, offsets } = attempt
  for (const [name, value] of Object.entries(fieldsOf(options, attempt)))
    yield `--${boundary}\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`
  const total = files.reduce((sum, file) => sum + file.bytes, 0)
  let sent = 0
  for (const file of files) {
    const from = Math.min(offsets.get(file.name) ?? 0, file.bytes)
    sent += from
    yield `--${boundary}\r\ncontent-disposition: form-data; name="${file.name}"; filename="${fileNameOf(file.name)}"\r\ncontent-type: ${contentType(file.name)}\r\n\r\n`
    for await (const chunk of contentFrom(file, from)) {
      yield chunk
      sent += chunk.length
      options.onProgress?.(sent, total)
    }
    yield '\r\n'
  }
  // Without its last line the server records nothing of it.
  await checkUnchanged(files)
  yield `--${boundary}--\r\n`
}

function fieldsOf(options: SendUpload, { uuid, offsets }: Attempt): Record<string, string> {
  const fields: Record<string, string> = { data_source: options.source, uuid }
  if (options.initial) fields.initial_upload = 'true'
  if (options.from) fields.from = options.from
  if (options.to) fields.to = options.to
  if (options.shiftDays) fields.date_shift_days = String(options.shiftDays)
  if (offsets.size > 0) fields.offsets = JSON.stringify(Object.fromEntries(offsets))
  return fields
}

/** The parsed answer of a request. Throws UploadRefused for anything but success. */
function answerOf(request: ClientRequest): Promise<unknown> {
  return new Promise((done, failed) => {
    request.on('error', failed)
    request.on('response', (response: IncomingMessage) => {
      let text = ''
      response.setEncoding('utf8')
      response.on('data', (chunk: string) => {
        text += chunk
      })
      response.on('error', failed)
      response.on('end', () => {
        const status = response.statusCode ?? 0
        const body = readJson(text)
        const { location } = response.headers
        if (status === 200 && body) done(body)
        else if (status === 200) failed(new Error(NOT_PILLAR))
        else if (location && status >= 300 && status < 400) failed(new UploadRefused(status, movedTo(location)))
        else {
          const message = String(body?.message ?? `The server answered ${status}.`)
          failed(new UploadRefused(status, message, Number(response.headers['retry-after'] ?? 0) || 0))
        }
        // The rest of the body will not be read.
        if (!request.writableFinished) request.destroy()
      })
    })
  })
}

const NOT_PILLAR = 'What answers at this address is not Pillar: perhaps it is the sign-in page of a network.'
const movedTo = (location: string) =>
  `Pillar is at another address: the server sends us to ${location.replace(/[/]api[/].*/s, '')}. Give that to --url.`

/** An answer of Pillar; null for anything else. */
function readJson(text: string): Record<string, unknown> | null {
  try {
    const answer = JSON.parse(text) as unknown
    return typeof answer === 'object' ? (answer as Record<string, unknown> | null) : null
  } catch {
    return null
  }
}

async function askServer(options: Server, path: string, input: object): Promise<unknown> {
  const request = call(options, path, { 'content-type': 'application/json' })
  request.setTimeout(15_000, () => request.destroy(new Error('The server does not answer.')))
  const answered = answerOf(request)
  request.end(JSON.stringify(input))
  return answered
}

const ask = async (options: Server, uuid: string) =>
  (await askServer(options, '/api/etl/status', { uuid })) as UploadStatus

/** Support's requests to the key's pharmacy that have not been answered, oldest first. */
export async function uploadRequests(options: Server): Promise<UploadRequest[]> {
  const { requests } = (await askServer(options, '/api/etl/requests', {})) as { requests: UploadRequest[] }
  return requests
}

/** Polls until the upload is COMPLETED or ERROR; waits for a server that is away for a while. */
async function untilLoaded(options: SendUpload, uuid: string): Promise<UploadStatus> {
  let lastNotes = ''
  for (let failures = 0; ; ) {
    try {
      const status = await ask(options, uuid)
      if (status.etl_state === 'COMPLETED' || status.etl_state === 'ERROR') return status
      if (status.retry_at && status.notes !== lastNotes) options.onSetback?.(status.notes)
      lastNotes = status.notes
      failures = 0
    } catch (error) {
      if (error instanceof UploadRefused && !isPassing(error.status)) throw error
      if (++failures > (options.retries ?? 8) * 30) throw error
    }
    await new Promise((done) => setTimeout(done, POLL_MS * (failures > 0 ? 4 : 1)))
  }
}
