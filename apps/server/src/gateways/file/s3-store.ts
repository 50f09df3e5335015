import { createReadStream } from 'node:fs'
import http from 'node:http'
import https from 'node:https'
import { Readable } from 'node:stream'
import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadBucketCommand,
  HeadObjectCommand,
  paginateListObjectsV2,
  S3Client,
} from '@aws-sdk/client-s3'
import { Upload } from '@aws-sdk/lib-storage'
import { fileNameOf } from '@pillar/domain/upload/upload-file'
import type { Env } from '../../env.ts'
import { proxyOf } from '../http-call.ts'
import { type FileStore, type OpenFile, StoreAway, type UploadPlace } from './file-store.ts'

/** How long connecting may take, and how long an open connection may be silent, also between two pieces of a file. */
const CONNECT_MS = 5_000
const SILENCE_MS = 30_000
const ATTEMPTS = 3
/** How long the bucket may take to say that it is there: shorter, because it moves nothing. */
const PRESENT_MS = 5_000
/** Larger files are sent in pieces of this size; 10,000 pieces hold four times the largest file an upload may contain. */
const PIECE_BYTES = 16 * 1024 ** 2
const KEY = /^(\d+)\/([0-9a-f-]{36})\//

export type S3Env = Pick<Env, 'S3_ENDPOINT' | 'S3_REGION' | 'S3_BUCKET' | 'S3_KEY_ID' | 'S3_KEY_SECRET'>

interface Bucket {
  client: S3Client
  name: string
}

/**
 * A bucket of an S3-compatible store; keys are pharmacy/upload/file. Paths are s3://bucket/key.
 * @throws Error with a message fit to print when the settings do not fit together
 */
export function s3Store(env: S3Env, silenceMs = SILENCE_MS): FileStore {
  const bucket = { client: clientOf(env, silenceMs), name: bucketOf(env) }
  return {
    keep: (upload, parts) => orAway(keep(bucket, upload, parts)),
    open: (path) => openObject(bucket, path),
    isThere: () =>
      ask(bucket).then(
        () => true,
        () => false,
      ),
    remove: (upload) => orAway(removeObjects(bucket, upload, () => true)),
    async removeOthers(upload, names) {
      const kept = new Set([...names].map(fileNameOf))
      await orAway(removeObjects(bucket, upload, (file) => !kept.has(file)))
    },
    held: () => orAway(heldIn(bucket)),
  }
}

function bucketOf({ S3_BUCKET }: S3Env): string {
  if (!S3_BUCKET) throw new Error('FILES=s3 needs a bucket: set S3_BUCKET. See docs/operations.md.')
  return S3_BUCKET
}

function clientOf({ S3_ENDPOINT, S3_REGION, S3_KEY_ID, S3_KEY_SECRET }: S3Env, silenceMs: number): S3Client {
  if ((S3_KEY_ID === undefined) !== (S3_KEY_SECRET === undefined))
    throw new Error('Set both S3_KEY_ID and S3_KEY_SECRET, or neither. See docs/operations.md.')
  const client = new S3Client({
    region: S3_REGION,
    // A self-hosted store rarely has a host name per bucket.
    ...(S3_ENDPOINT ? { endpoint: S3_ENDPOINT, forcePathStyle: true } : {}),
    ...(S3_KEY_ID && S3_KEY_SECRET ? { credentials: { accessKeyId: S3_KEY_ID, secretAccessKey: S3_KEY_SECRET } } : {}),
    // Stores other than Amazon's may not know these.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    maxAttempts: ATTEMPTS,
    requestHandler: {
      ...{ connectionTimeout: CONNECT_MS, socketTimeout: silenceMs },
      // The client makes its own agents.
      ...{ httpAgent: proxyOf(http.globalAgent), httpsAgent: proxyOf(https.globalAgent) },
    },
  })
  client.middlewareStack.add((next) => (args) => next(args).catch(onceOnly), {
    step: 'finalizeRequest',
    priority: 'low',
  })
  return client
}

/** The client tries again after an error of this name, or of this cause. Whoever waits for a silent store has waited long enough. */
function onceOnly(error: Error): never {
  throw error.name === 'TimeoutError' ? new Error(error.message) : error
}

const prefixOf = ({ locationId, uuid }: UploadPlace) => `${locationId}/${uuid}/`

/** @throws Error if the bucket does not answer soon, or refuses us */
async function ask({ client, name }: Bucket): Promise<void> {
  const abortSignal = AbortSignal.timeout(PRESENT_MS)
  await client.send(new HeadBucketCommand({ Bucket: name }), { abortSignal }).catch((error: Error) => {
    throw abortSignal.aborted ? new Error(`the bucket did not answer within ${PRESENT_MS / 1000} s`) : error
  })
}

/** Stores each file whole and checks that the store holds as many bytes. */
async function keep(bucket: Bucket, upload: UploadPlace, parts: ReadonlyMap<string, string>) {
  const kept = new Map<string, string>()
  await ask(bucket)
  for (const [name, part] of parts) {
    const target = { Bucket: bucket.name, Key: `${prefixOf(upload)}${fileNameOf(name)}` }
    const Body = createReadStream(part)
    try {
      await new Upload({
        client: bucket.client,
        params: { ...target, Body },
        partSize: PIECE_BYTES,
        queueSize: 1,
      }).done()
    } finally {
      Body.destroy()
    }
    const { ContentLength } = await bucket.client.send(new HeadObjectCommand(target))
    if (ContentLength !== Body.bytesRead)
      throw new Error(`the store holds ${ContentLength} of ${Body.bytesRead} bytes of ${target.Key}`)
    kept.set(name, `s3://${bucket.name}/${target.Key}`)
  }
  return kept
}

function openObject({ client, name }: Bucket, path: string): OpenFile {
  const [bucket, ...names] = path.slice('s3://'.length).split('/')
  const Key = names.join('/')
  return async () => {
    const answer = await client.send(new GetObjectCommand({ Bucket: name, Key })).catch((error: Error) => {
      // One from another bucket is not gone until somebody copies it here.
      throw error.name === 'NoSuchKey' && bucket === name ? gone(error) : new StoreAway(error)
    })
    const body = answer.Body as Readable
    // What stands before the store may answer in its place; of the same length the next time, it would be loaded as the file.
    if (answer.ContentType?.startsWith('text/html')) {
      body.destroy()
      throw new StoreAway(new Error('a web page came in place of the file'))
    }
    const size = async () => (await client.send(new HeadObjectCommand({ Bucket: name, Key }))).ContentLength
    return Readable.from(readable(body, size), { objectMode: false })
  }
}

const gone = (cause: Error) => Object.assign(new Error('The file is not in the store.', { cause }), { code: 'ENOENT' })

/** If it breaks off or ends before its `size`, the store is at fault, not the file. */
async function* readable(body: Readable, size: () => Promise<number | undefined>): AsyncGenerator<Buffer> {
  let read = 0
  try {
    for await (const chunk of body) {
      read += (chunk as Buffer).length
      yield chunk as Buffer
    }
    const held = await size()
    if (read !== held) throw new Error(`the store handed over ${read} of ${held} bytes`)
  } catch (error) {
    throw new StoreAway(error)
  } finally {
    body.destroy()
  }
}

async function* objectsIn({ client, name }: Bucket, Prefix?: string) {
  for await (const page of paginateListObjectsV2({ client }, { Bucket: name, Prefix })) {
    // A web page in its place reads like an empty list.
    if (!page.Contents && page.Name === undefined && page.IsTruncated === undefined)
      throw new Error('the answer is no list of files')
    yield* page.Contents ?? []
  }
}

/** One by one: many stores know no removal of several at once, or only with a checksum that the client no longer sends. */
async function removeObjects(bucket: Bucket, upload: UploadPlace, which: (file: string) => boolean): Promise<void> {
  const prefix = prefixOf(upload)
  for await (const { Key } of objectsIn(bucket, prefix))
    if (Key && which(Key.slice(prefix.length)))
      await bucket.client.send(new DeleteObjectCommand({ Bucket: bucket.name, Key }))
}

async function heldIn(bucket: Bucket) {
  const newest = new Map<string, Date>()
  for await (const { Key, LastModified } of objectsIn(bucket)) {
    const prefix = KEY.exec(Key ?? '')?.[0]
    if (!prefix || !LastModified) continue
    if ((newest.get(prefix) ?? LastModified) <= LastModified) newest.set(prefix, LastModified)
  }
  return [...newest].map(([prefix, touchedAt]) => {
    const [, locationId, uuid] = KEY.exec(prefix)!
    return { locationId: Number(locationId), uuid: uuid!, touchedAt }
  })
}

async function orAway<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    throw new StoreAway(error)
  }
}
