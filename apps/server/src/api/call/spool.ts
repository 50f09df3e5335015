import { randomUUID } from 'node:crypto'
import { type FileHandle, open, unlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import type { LongFile } from '@pillar/contract/wire/long-file'
import type { FastifyReply } from 'fastify'

/** Characters to gather before each write. */
const CHUNK = 256 * 1024

/**
 * Writes a call's long file to disk part by part, so memory holds only one part at a time. The file is unlinked while it is written and
 * sent, so nothing remains of it whatever happens. It is complete and its length known before the first byte is sent: a failure while
 * writing is answered like any refusal, and a client can tell when a download was cut off. It ends with the reply.
 */
export function spoolFor(reply: FastifyReply): (parts: AsyncIterable<string>) => Promise<LongFile> {
  return async (parts) => {
    const { bytes, content } = await spool(parts)
    reply.raw.once('close', () => content.destroy())
    return { bytes, content }
  }
}

/** @throws what the parts throw, or ENOSPC when the disk is full; nothing is left behind */
export async function spool(parts: AsyncIterable<string>): Promise<{ bytes: number; content: Readable }> {
  const path = join(tmpdir(), `pillar-file-${randomUUID()}`)
  const file = await open(path, 'wx+', 0o600)
  try {
    await unlink(path)
    const bytes = await writeAll(file, parts)
    return { bytes, content: file.createReadStream({ start: 0 }) }
  } catch (error) {
    await file.close()
    throw error
  }
}

async function writeAll(file: FileHandle, parts: AsyncIterable<string>): Promise<number> {
  let bytes = 0
  let waiting = ''
  const flush = async () => {
    const chunk = Buffer.from(waiting)
    waiting = ''
    await file.writeFile(chunk)
    bytes += chunk.length
  }
  for await (const part of parts) {
    waiting += part
    if (waiting.length >= CHUNK) await flush()
  }
  await flush()
  return bytes
}
