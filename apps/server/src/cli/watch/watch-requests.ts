import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import {
  type SendUpload,
  type SentUpload,
  sendUpload,
  UploadRefused,
  type UploadRequest,
  uploadRequests,
} from '../send-upload.ts'

export interface WatchRequests extends SendUpload {
  /** Ends the watch, after finishing the current upload. */
  stop: AbortSignal
  say: (line: string) => void
  /** Tells how an upload ended. */
  onSent: (result: SentUpload, seconds: number) => void
  /** Prepares the requested data before the folder is read, for example by running the dispensing system's export. */
  prepare?: (request: UploadRequest) => Promise<void>
  /** Seconds between polls. Default 30. */
  every?: number
}

const EVERY_SECONDS = 30
/** The longest wait while the server does not answer. */
const LONGEST_WAIT_SECONDS = 900

/** Seconds until the next poll after this many failures in a row: doubling, up to a quarter of an hour. */
export const waitAfter = (failures: number, every: number): number =>
  Math.max(every, Math.min(LONGEST_WAIT_SECONDS, every * 2 ** failures))

/**
 * Polls for uploads that support has requested from the key's pharmacy, and answers each request once with the folder, under the request's
 * uuid and with its time range. @throws UploadRefused if the key is not valid
 */
export async function watchRequests(options: WatchRequests): Promise<void> {
  const { stop, say } = options
  const every = options.every ?? EVERY_SECONDS
  const done = new Set<string>()
  const ready = options.prepare ? () => true : await newExports(options)
  const announced = new Set<string>()
  let failures = 0
  const how = options.prepare ? '' : ` Each is answered with the files in ${options.folder}, once they are new.`
  say(`Waiting for requests from ${options.url}, asking every ${every} s. Ctrl+C ends it.${how}`)
  while (!stop.aborted) {
    try {
      const requests = await uploadRequests(options)
      if (failures > 0) say('The server answers again.')
      failures = 0
      for (const request of requests) {
        if (stop.aborted || done.has(request.uuid)) continue
        if (request.data_source === options.source && !(await ready())) {
          if (!announced.has(request.uuid)) say(waiting(options, request))
          announced.add(request.uuid)
          continue
        }
        done.add(request.uuid)
        await answer(options, request)
      }
    } catch (error) {
      if (error instanceof UploadRefused && (error.status === 401 || error.status === 403)) throw error
      failures++
      say(`${(error as Error).message} Asking again in ${waitAfter(failures, every)} s.`)
    }
    await pause(waitAfter(failures, every), stop)
  }
  say('Stopped.')
}

/** Sends the folder for one request. A failure is reported, and the request can be answered by hand or made again. */
async function answer(options: WatchRequests, request: UploadRequest): Promise<void> {
  const { say, source } = options
  const what = request.initial_upload ? 'an initial upload' : 'an upload'
  say(`Requested: ${what} of ${request.data_source}, ${rangeOf(request)}.`)
  if (request.data_source !== source) {
    say(`Not sent: this folder holds ${source}. Start another command for ${request.data_source}.`)
    return
  }
  const began = performance.now()
  try {
    await options.prepare?.(request)
    const { uuid, initial_upload: initial, from, to } = request
    const result = await sendUpload({ ...options, uuid, initial, from: from ?? undefined, to: to ?? undefined })
    options.onSent(result, (performance.now() - began) / 1000)
  } catch (error) {
    say(`Not sent: ${(error as Error).message} The request stays open; send it by hand with --answer ${request.uuid}.`)
  }
}

const waiting = ({ folder }: WatchRequests, { uuid, from, to }: UploadRequest) =>
  `Request ${uuid} (${rangeOf({ from, to })}) waits: ${folder} holds nothing that was not sent already. Put the new export there, and it is sent by itself.`

const rangeOf = ({ from, to }: Pick<UploadRequest, 'from' | 'to'>) => `${from ?? 'the beginning'} to ${to ?? 'now'}`

/**
 * Whether the folder holds an unsent export: its contents at the start count as one; afterwards its files must have changed, and then stay
 * the same from one poll to the next, so that a file still being written is not sent. A true result counts as sending it.
 */
async function newExports({ folder }: WatchRequests): Promise<() => Promise<boolean>> {
  let sent = ''
  let seen = await stateOf(folder)
  return async () => {
    const now = await stateOf(folder)
    const settled = now === seen
    seen = now
    if (now === '' || now === sent || !settled) return false
    sent = now
    return true
  }
}

/** Names, sizes and times of the files to be sent; empty if there are none. */
async function stateOf(folder: string): Promise<string> {
  const names = (await readdir(folder)).filter((name) => /\.(?:csv|ndjson)(\.gz)?$/i.test(name)).sort()
  const files = names.map(async (name) => {
    const { size, mtimeMs } = await stat(join(folder, name))
    return `${name} ${size} ${mtimeMs}`
  })
  return (await Promise.all(files)).join('\n')
}

/** Waits, at most until the watch is ended. */
function pause(seconds: number, stop: AbortSignal): Promise<void> {
  if (stop.aborted) return Promise.resolve()
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer)
      stop.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(end, seconds * 1000)
    stop.addEventListener('abort', end)
  })
}
