import { createWriteStream } from 'node:fs'
import { open, truncate } from 'node:fs/promises'
import { dirname } from 'node:path'
import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { Refusal } from '@pillar/contract'
import type { Part } from '../../api/context.ts'
import { makeFolder } from '../../gateways/file/folder-store.ts'
import type { Allowance } from './allowance.ts'
import { heldBytes, partPath } from './file/upload-folder.ts'
import type { SourceProfile } from './read/source-profile.ts'

/** Uploads being received in this process: a new request replaces a hanging connection. */
const receiving = new Map<string, AbortController>()

/** Uploads whose files have all arrived and are being recorded by this process: nobody may write to them. */
const recording = new Set<string>()

/** The disk is checked again after this many bytes, the pharmacy's day after that many. */
const SPACE_BYTES = 1024 ** 2
const CHECK_BYTES = 16 * 1024 ** 2

type FilePart = Extract<Part, { kind: 'file' }>

const RECORDING = 'All of this upload has arrived and is being recorded. Ask etl/status in a moment.'
const CONTINUED = 'This upload is being sent on another connection. Ask etl/status where it stands.'

/** One upload being received; files are appended to the part from an earlier attempt. */
export class Reception {
  readonly names: string[] = []
  readonly #folder: string
  readonly #source: SourceProfile
  readonly #offsets: ReadonlyMap<string, number>
  readonly #allowance: Allowance
  readonly #abort = new AbortController()
  #whole = false

  constructor(folder: string, source: SourceProfile, offsets: ReadonlyMap<string, number>, allowance: Allowance) {
    this.#folder = folder
    this.#source = source
    this.#offsets = offsets
    this.#allowance = allowance
  }

  /** Reserves room for the upload, or throws a Refusal if the pharmacy's or disk limits are reached. */
  async open(): Promise<void> {
    if (recording.has(this.#folder)) throw new Refusal('conflict', RECORDING, { retryAfter: 2 })
    receiving.get(this.#folder)?.abort(new Error('continued on another connection'))
    // Registered before the check, so that each of many concurrent uploads sees the others.
    receiving.delete(this.#folder)
    const arriving = [...receiving.keys()].filter((folder) => dirname(folder) === dirname(this.#folder)).length
    receiving.set(this.#folder, this.#abort)
    await this.#allowance.check(arriving)
    await makeFolder(this.#folder)
  }

  /** Its files have all arrived: nobody may write to them until `close`. @throws Refusal conflict if it is being resumed on another connection */
  finish(): void {
    if (receiving.get(this.#folder) !== this.#abort) throw new Refusal('conflict', CONTINUED)
    recording.add(this.#folder)
    this.#whole = true
  }

  close(): void {
    if (this.#whole) recording.delete(this.#folder)
    if (receiving.get(this.#folder) === this.#abort) receiving.delete(this.#folder)
  }

  /** Streams one file to disk and flushes it. Throws a Refusal for an unexpected file. */
  async take(part: FilePart): Promise<void> {
    const { name } = part
    const allowed = this.#source.files.map((file) => file.name)
    if (!allowed.includes(name))
      throw invalid(
        name.slice(0, 40),
        `"${name.slice(0, 40)}" is not a file of ${this.#source.name}: it has ${allowed.join(', ')}.`,
      )
    if (this.names.includes(name)) throw invalid(name, `The file "${name}" was sent twice.`)
    this.names.push(name)
    const path = partPath(this.#folder, name)
    const from = this.#offsets.get(name) ?? 0
    const held = (await heldBytes(this.#folder)).get(name) ?? 0
    if (from > held)
      throw new Refusal('conflict', `Of ${name} only ${held} bytes are here; ask etl/status where to continue.`, {
        errors: { offsets: [`${name}: ${held}`] },
      })
    await (from < held ? truncate(path, from) : undefined)
    let written = 0
    const allowance = this.#allowance
    const count = new Transform({
      transform(chunk: Buffer, _encoding, done) {
        const [before, after] = [written, written + chunk.length]
        written = after
        const passes = (bytes: number) => Math.floor(after / bytes) > Math.floor(before / bytes)
        if (passes(CHECK_BYTES)) allowance.check(0).then(() => done(null, chunk), done)
        else if (passes(SPACE_BYTES)) allowance.checkSpace().then(() => done(null, chunk), done)
        else done(null, chunk)
      },
    })
    const file = createWriteStream(path, { flags: from > 0 ? 'a' : 'w', mode: 0o600 })
    await pipeline(part.stream, count, file, { signal: this.#abort.signal }).catch((error: Error) => {
      throw this.#abort.signal.aborted ? new Refusal('conflict', CONTINUED) : error
    })
    await allowance.check(0)
    await this.#settle(part, path, from + written)
  }

  async #settle(part: FilePart, path: string, expected: number): Promise<void> {
    if ((part.stream as { truncated?: boolean }).truncated)
      throw new Refusal('too_large', `${part.name} is larger than this server takes.`)
    const file = await open(path, 'r+')
    try {
      await file.sync()
      const { size } = await file.stat()
      if (size !== expected)
        throw new Refusal('conflict', `${part.name} was written by two connections at once. Send it again.`)
    } finally {
      await file.close()
    }
  }
}

export function invalid(field: string, message: string): Refusal {
  return new Refusal('invalid', message, { errors: { [field]: [message] } })
}
