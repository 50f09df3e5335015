import { createHash, randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import http, { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer, text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startS3, type TestS3 } from '../../../test/outside/s3.ts'
import { readEnv } from '../../env.ts'
import { StoreAway } from './file-store.ts'
import { openFiles } from './files.ts'
import { uploadFolder } from './folder-store.ts'
import { s3Store } from './s3-store.ts'

let s3: TestS3
let folder: string
beforeAll(async () => {
  s3 = await startS3()
  folder = mkdtempSync(join(tmpdir(), 'pillar-store-'))
})
afterAll(async () => {
  await s3.end()
  await rm(folder, { recursive: true })
})

const store = () => openFiles(readEnv({ ...s3.env, DATA_DIR: join(folder, 'data') }))
const UPLOAD = { locationId: 7, uuid: '0193a5b0-0000-7000-8000-000000000001' }

function part(name: string, bytes: Buffer): [string, string] {
  const path = join(folder, `${name}.part`)
  writeFileSync(path, bytes)
  return [name, path]
}

async function read(path: string): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of await (await store()).open(path)()) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}

/** A proxy to the store that drops the second half of each file, while everything after the request and the answer looks complete. */
async function shortening(target: string) {
  const way = { url: '', shortens: true, close: () => void server.close() }
  const server = createServer((asked, answered) => {
    const { method, headers, url } = asked
    const passed = request(`${target}${url}`, { method, headers }, async (answer) => {
      const body = await buffer(answer)
      const sent = way.shortens && method === 'GET' ? body.subarray(0, body.length / 2) : body
      const length = method === 'HEAD' ? answer.headers['content-length'] : sent.length
      answered.writeHead(answer.statusCode!, { ...answer.headers, 'content-length': length }).end(sent)
    })
    asked.pipe(passed)
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  way.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return way
}

/** A proxy to the store that passes on what `answers` does not answer itself. */
async function between(answers: (asked: IncomingMessage, answer: ServerResponse) => boolean) {
  const server = createServer((asked, answer) => {
    if (answers(asked, answer)) return void asked.resume()
    const { method, headers, url } = asked
    // A proxy is asked for a whole address.
    const { pathname, search } = new URL(url!, s3.env.S3_ENDPOINT)
    const passed = request(`${s3.env.S3_ENDPOINT}${pathname}${search}`, { method, headers, agent: false }, (from) => {
      answer.writeHead(from.statusCode!, from.headers)
      from.pipe(answer)
    })
    asked.pipe(passed)
  })
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  const { port } = server.address() as AddressInfo
  const close = () => {
    server.closeAllConnections()
    server.close()
  }
  return { env: readEnv({ ...s3.env, DATA_DIR: join(folder, 'none'), S3_ENDPOINT: `http://127.0.0.1:${port}` }), close }
}

const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')

describe('a bucket', () => {
  it('returns what was stored, including empty files and files of several pieces', async () => {
    const [small, large] = [Buffer.from('a,b\n1,2\n'), randomBytes(33 * 1024 ** 2 + 5)]
    const files = await store()
    const kept = await files.keep(
      UPLOAD,
      new Map([part('drugs', small), part('scripts', large), part('stock', Buffer.alloc(0))]),
    )
    expect(kept.get('drugs')).toBe(`s3://pillar-uploads/7/${UPLOAD.uuid}/drugs.csv`)
    expect(await read(kept.get('drugs')!)).toEqual(small)
    expect(sha256(await read(kept.get('scripts')!))).toBe(sha256(large))
    expect(await read(kept.get('stock')!)).toHaveLength(0)
    expect(await files.held()).toEqual([{ ...UPLOAD, touchedAt: expect.any(Date) }])
    await files.removeOthers(UPLOAD, new Set(['scripts']))
    expect(s3.keys()).toEqual([`7/${UPLOAD.uuid}/scripts.csv`])
    await files.remove(UPLOAD)
    expect(s3.keys()).toEqual([])
  })

  it('distinguishes a missing file from an unavailable store', async () => {
    const path = `s3://pillar-uploads/7/${UPLOAD.uuid}/drugs.csv`
    await expect(read(path)).rejects.toMatchObject({ code: 'ENOENT' })
    expect(await (await store()).isThere()).toBe(true)
    await s3.stop()
    await expect(read(path)).rejects.toMatchObject({ code: 'EIO' })
    expect(await (await store()).isThere()).toBe(false)
    await expect((await store()).keep(UPLOAD, new Map([part('drugs', Buffer.from('a'))]))).rejects.toThrow(StoreAway)
    await s3.start()
    expect(await (await store()).isThere()).toBe(true)
  })

  it('that hangs is given up within seconds, so that whoever sends an upload hears of it', async () => {
    const hanging = createServer(() => {})
    await new Promise<void>((ready) => hanging.listen(0, '127.0.0.1', ready))
    const { port } = hanging.address() as AddressInfo
    const files = await openFiles(readEnv({ ...s3.env, S3_ENDPOINT: `http://127.0.0.1:${port}`, DATA_DIR: folder }))
    const began = performance.now()
    await expect(files.keep(UPLOAD, new Map([part('drugs', Buffer.from('a'))]))).rejects.toThrow(StoreAway)
    expect(performance.now() - began).toBeLessThan(10_000)
    hanging.closeAllConnections()
    hanging.close()
  })

  it('that answers and then hangs on a file is given up after one silence, and the file is stored at the next try', async () => {
    let hangs = true
    let answered = 0
    const way = await between(({ method }, answer) => {
      if (!hangs || method === 'HEAD') return false
      answered++
      // A file that is read begins to arrive, and then nothing more comes.
      if (method === 'GET') answer.writeHead(200, { 'content-length': '8' }).write('a,b')
      return true
    })
    const files = s3Store(way.env, 400)
    const parts = new Map([part('drugs', Buffer.from('a,b\n1,2\n'))])
    const path = `s3://pillar-uploads/7/${UPLOAD.uuid}/drugs.csv`
    await expect(files.keep(UPLOAD, parts)).rejects.toThrow(StoreAway)
    await expect(files.open(path)().then(buffer)).rejects.toMatchObject({ code: 'EIO' })
    await expect(files.held()).rejects.toThrow(StoreAway)
    expect(answered).toBe(3)
    hangs = false
    const kept = await files.keep(UPLOAD, parts)
    expect(await buffer(await files.open(kept.get('drugs')!)())).toEqual(Buffer.from('a,b\n1,2\n'))
    await files.remove(UPLOAD)
    way.close()
  })

  it('without removal of several files at once, as with Google and MinIO, removes them all the same', async () => {
    const way = await between(({ method }, answer) => {
      if (method !== 'POST') return false
      answer.writeHead(400, { 'content-type': 'application/xml' })
      answer.end('<Error><Code>MissingContentMD5</Code></Error>')
      return true
    })
    const files = s3Store(way.env)
    const parts = ['drugs', 'scripts', 'stock'].map((name) => part(name, Buffer.from(name)))
    await files.keep(UPLOAD, new Map(parts))
    await files.removeOthers(UPLOAD, new Set(['scripts']))
    expect(s3.keys()).toEqual([`7/${UPLOAD.uuid}/scripts.csv`])
    await files.remove(UPLOAD)
    expect(s3.keys()).toEqual([])
    way.close()
  })

  it('is reached through a proxy for outgoing connections', async () => {
    const asked: string[] = []
    const way = await between(({ method, url }) => {
      asked.push(`${method} ${new URL(url!).host}`)
      return false
    })
    const restore = http.setGlobalProxyFromEnv({ http_proxy: way.env.S3_ENDPOINT! })
    try {
      const files = s3Store(readEnv(s3.env))
      await files.keep(UPLOAD, new Map([part('drugs', Buffer.from('a,b\n1,2\n'))]))
      expect(asked).toContain(`PUT ${new URL(s3.env.S3_ENDPOINT!).host}`)
      await files.remove(UPLOAD)
      expect(s3.keys()).toEqual([])
    } finally {
      restore()
      way.close()
    }
  })

  it('counts as unavailable when it returns less of a file than it holds, so the file is requested again', async () => {
    const whole = randomBytes(100_000)
    const kept = await (await store()).keep(UPLOAD, new Map([part('scripts', whole)]))
    const way = await shortening(s3.env.S3_ENDPOINT!)
    const files = await openFiles(readEnv({ ...s3.env, S3_ENDPOINT: way.url, DATA_DIR: join(folder, 'data') }))
    const through = async () => buffer(await files.open(kept.get('scripts')!)())
    await expect(through()).rejects.toMatchObject({ code: 'EIO' })
    way.shortens = false
    expect(await through()).toEqual(whole)
    way.close()
  })

  it('counts as unavailable when a web page comes in its place, even with status 200', async () => {
    const kept = await (await store()).keep(UPLOAD, new Map([part('scripts', randomBytes(100))]))
    const page = '<html>We will be back soon.</html>'
    const { env, close } = await between((_asked, answer) => {
      answer.writeHead(200, { 'content-type': 'text/html', 'content-length': page.length, etag: '"x"' }).end(page)
      return true
    })
    const files = s3Store(env)
    await expect(files.open(kept.get('scripts')!)()).rejects.toMatchObject({ code: 'EIO' })
    await expect(files.held()).rejects.toMatchObject({ code: 'EIO' })
    await expect(files.remove(UPLOAD)).rejects.toMatchObject({ code: 'EIO' })
    await expect(files.keep(UPLOAD, new Map([part('scripts', randomBytes(100))]))).rejects.toMatchObject({
      code: 'EIO',
    })
    close()
  })

  it('dates an upload by its newest file, and reports half a file and a refused removal as errors', async () => {
    const file = (name: string, day: string) =>
      `<Contents><Key>7/${UPLOAD.uuid}/${name}.csv</Key><LastModified>2026-11-${day}T00:00:00.000Z</LastModified></Contents>`
    const list = `<ListBucketResult>${file('drugs', '03')}${file('scripts', '01')}</ListBucketResult>`
    const refused = '<Error><Code>AccessDenied</Code><Message>Not yours.</Message></Error>'
    const server = createServer((asked, answer) => {
      asked.resume()
      answer.writeHead(asked.method === 'DELETE' ? 403 : 200, {
        'content-type': 'application/xml',
        ...(asked.method === 'HEAD' && { 'content-length': '3' }),
      })
      answer.end(asked.method === 'GET' ? list : refused)
    })
    await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
    try {
      const { port } = server.address() as AddressInfo
      const files = await openFiles(
        readEnv({ ...s3.env, DATA_DIR: join(folder, 'none'), S3_ENDPOINT: `http://127.0.0.1:${port}` }),
      )
      expect(await files.held()).toEqual([{ ...UPLOAD, touchedAt: new Date('2026-11-03') }])
      await expect(files.remove(UPLOAD)).rejects.toThrow(StoreAway)
      await expect(files.keep(UPLOAD, new Map([part('drugs', Buffer.from('a,b\n1,2\n'))]))).rejects.toThrow(StoreAway)
    } finally {
      server.closeAllConnections()
      server.close()
    }
  })

  it('leaves files from before it was set in place, to be opened, dated and removed from there', async () => {
    const DATA_DIR = join(folder, 'before')
    const place = uploadFolder(DATA_DIR, UPLOAD.locationId, UPLOAD.uuid)
    mkdirSync(place, { recursive: true })
    for (const name of ['drugs.csv', 'scripts.csv']) writeFileSync(join(place, name), name)
    const files = await openFiles(readEnv({ ...s3.env, DATA_DIR }))
    expect(await text(await files.open(join(place, 'drugs.csv'))())).toBe('drugs.csv')
    expect(await files.held()).toContainEqual({ ...UPLOAD, touchedAt: statSync(place).mtime })
    await files.removeOthers(UPLOAD, new Set(['scripts']))
    expect(readdirSync(place)).toEqual(['scripts.csv'])
    await files.remove(UPLOAD)
    expect(existsSync(place)).toBe(false)
  })

  it('with another name holds the files that were copied to it, and waits for those that were not; so does the folder', async () => {
    const bytes = Buffer.from('a,b\n1,2\n')
    const kept = (await (await store()).keep(UPLOAD, new Map([part('drugs', bytes)]))).get('drugs')!
    const elsewhere = kept.replace('pillar-uploads', 'their-former-bucket')
    expect(await read(elsewhere)).toEqual(bytes)
    await (await store()).remove(UPLOAD)
    await expect(read(kept)).rejects.toMatchObject({ code: 'ENOENT' })
    await expect(read(elsewhere)).rejects.toMatchObject({ code: 'EIO' })

    const DATA_DIR = join(folder, 'back')
    const place = uploadFolder(DATA_DIR, UPLOAD.locationId, UPLOAD.uuid)
    const files = await openFiles(readEnv({ DATA_DIR }))
    const inFolder = async () => buffer(await files.open(kept)())
    await expect(inFolder()).rejects.toMatchObject({ code: 'EIO' })
    mkdirSync(place, { recursive: true })
    writeFileSync(join(place, 'drugs.csv'), bytes)
    expect(await inFolder()).toEqual(bytes)
  })

  it('is not opened with half of its settings', async () => {
    await expect(openFiles(readEnv({ FILES: 's3' }))).rejects.toThrow('FILES=s3 needs a bucket: set S3_BUCKET.')
    await expect(openFiles(readEnv({ FILES: 's3', S3_BUCKET: 'b', S3_KEY_ID: 'x' }))).rejects.toThrow(
      'Set both S3_KEY_ID',
    )
  })
})
