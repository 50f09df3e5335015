import { existsSync, mkdtempSync, readdirSync, statSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import S3rver from '@20minutes/s3rver'

const BUCKET = 'pillar-uploads'
/** The suffix s3rver uses for an object's bytes. */
const BYTES = '._S3rver_object'

export interface TestS3 {
  /** Settings of a server that stores uploads there. */
  env: Record<string, string>
  /** Keys of all objects. */
  keys: () => string[]
  /** Makes it refuse connections, until `start`. */
  stop: () => Promise<void>
  start: () => Promise<void>
  end: () => Promise<void>
}

/** An S3-compatible store on this machine, with an empty bucket. */
export async function startS3(): Promise<TestS3> {
  const directory = mkdtempSync(join(tmpdir(), 'pillar-s3-'))
  const options = {
    ...{ address: '127.0.0.1', silent: true, directory, configureBuckets: [{ name: BUCKET }] },
    // It leaves the slash after a bucket out of the signed text, so it rejects correct signatures of bucket calls.
    allowMismatchedSignatures: true,
  }
  let server: S3rver
  let port = 0
  const start = async () => {
    server = new S3rver({ ...options, port })
    port = ((await server.run()) as AddressInfo).port
  }
  const stop = async () => {
    server.httpServer.closeAllConnections()
    await server.close()
  }
  await start()
  return {
    env: {
      ...{ FILES: 's3', S3_BUCKET: BUCKET, S3_ENDPOINT: `http://127.0.0.1:${port}` },
      ...{ S3_KEY_ID: 'S3RVER', S3_KEY_SECRET: 'S3RVER' },
    },
    keys() {
      const root = join(directory, BUCKET)
      if (!existsSync(root)) return []
      return readdirSync(root, { recursive: true, encoding: 'utf8' })
        .filter((entry) => entry.endsWith(BYTES) && statSync(join(root, entry)).isFile())
        .map((entry) => entry.slice(0, -BYTES.length))
        .toSorted()
    },
    start,
    stop,
    async end() {
      await stop().catch(() => {})
      await rm(directory, { recursive: true, force: true })
    },
  }
}
