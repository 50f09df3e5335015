import { createWriteStream } from 'node:fs'
import { open, truncate } from 'node:fs/promises'
import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { Refusal } from '@pillar/contract'
import type { Part } from '../../api/context.ts'
import type { SourceProfile } from './read/source-profile.ts'
import { heldBytes, makeFolder, partPath } from './upload-folder.ts'

/** Uploads being received in this process: a new request for one takes over from a connection that hangs. */
const receiving = new Map<string, AbortController>()

type FilePart = Extract<Part, { kind: 'file' }>

/** One upload being received; files are appended to what an earlier, broken attempt left behind. */
export class Reception {
  readonly names: string[] = []
  readonly #folder: string
  readonly #source: SourceProfile
  readonly #offsets: ReadonlyMap<string, number>
  readonly #abort = new AbortController()

  constructor(folder: string, source: SourceProfile, offsets: ReadonlyMap<string, number>) {
    this.#folder = folder
    this.#source = source
    this.#offsets = offsets
  }

  async open(): Promise<void> {
    receiving.get(this.#folder)?.abort(new Error('continued on another connection'))
    receiving.set(this.#folder, this.#abort)
    await makeFolder(this.#folder)
  }

  close(): void {
    if (receiving.get(this.#folder) === this.#abort) receiving.delete(this.#folder)
  }

  /** Streams one file to disk and makes it durable. Throws a Refusal for a file that does not belong here. */
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
    const count = new Transform({
      transform(chunk: Buffer, _encoding, done) {
        written += chunk.length
        done(null, chunk)
      },
    })
    const file = createWriteStream(path, { flags: from > 0 ? 'a' : 'w', mode: 0o600 })
    await pipeline(part.stream, count, file, { signal: this.#abort.signal })
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
