import { appendFileSync, mkdtempSync, readFileSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { addAnchor, anchorFile, readAnchors } from './anchor.ts'

const secret = Buffer.alloc(32, 3)
const head = (seq: number) => [{ chain: 1, seq, hash: 'a'.repeat(64) }]
const folder = () => mkdtempSync(join(tmpdir(), 'pillar-torn-'))

async function anchored(count: number): Promise<string> {
  const dir = folder()
  for (let seq = 1; seq <= count; seq++) await addAnchor(dir, secret, head(seq), new Date())
  return dir
}

describe('an anchor that a power cut broke off', () => {
  it('is cut off with a warning, and anchoring continues from the line before', async () => {
    const dir = await anchored(2)
    const file = anchorFile(dir)
    truncateSync(file, readFileSync(file).length - 20)
    appendFileSync(file, Buffer.from([0xff, 0xc3, 0]))
    expect(await readAnchors(dir, secret)).toHaveLength(1)
    const said: string[] = []
    expect(await addAnchor(dir, secret, head(3), new Date(), 'audit', (line) => said.push(line))).not.toBeNull()
    expect(said).toEqual([expect.stringContaining('broke off')])
    expect((await readAnchors(dir, secret)).map(({ heads }) => heads[0]!.seq)).toEqual([1, 3])
    expect(readFileSync(file, 'utf8').trimEnd().split('\n')).toHaveLength(2)
  })

  it('that lacks only the end of its line stays', async () => {
    const dir = await anchored(2)
    const file = anchorFile(dir)
    truncateSync(file, readFileSync(file).length - 1)
    await addAnchor(dir, secret, head(3), new Date())
    expect((await readAnchors(dir, secret)).map(({ heads }) => heads[0]!.seq)).toEqual([1, 2, 3])
  })

  it('does not hide a complete line that was altered, nor one broken off in the middle', async () => {
    const dir = await anchored(3)
    const file = anchorFile(dir)
    const lines = readFileSync(file, 'utf8').trimEnd().split('\n')
    writeFileSync(file, `${lines[0]}\n${lines[1]!.slice(0, 30)}\n${lines[2]}\n`)
    await expect(readAnchors(dir, secret)).rejects.toThrow('Line 2 of')
    writeFileSync(file, `${lines[0]}\n${lines[1]}\n`)
    appendFileSync(file, 'nonsense\n')
    await expect(readAnchors(dir, secret)).rejects.toThrow('Line 3 of')
    writeFileSync(file, `${lines[0]}\n${lines[1]!.replace('"at":"2', '"at":"1')}`)
    await expect(addAnchor(dir, secret, head(9), new Date())).rejects.toThrow('Line 2 of')
  })
})

it('anchors of processes that all read the same last line, as one frozen until its lock was gone, do not fork the file', async () => {
  const dir = await anchored(2)
  const add = (seq: number) => addAnchor(dir, secret, head(seq), new Date())
  const done = await Promise.allSettled([add(3), add(4), add(5)])
  const added = done.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
  expect(added).toHaveLength(1)
  for (const one of done)
    if (one.status === 'rejected') expect(one.reason.message).toContain('Another process has added to')
  expect(await readAnchors(dir, secret)).toHaveLength(3)
  await add(6)
  expect((await readAnchors(dir, secret)).at(-1)!.heads[0]!.seq).toBe(6)
})

it('a broken line is not cut off once another process has added to the file', async () => {
  const dir = await anchored(2)
  const file = anchorFile(dir)
  truncateSync(file, readFileSync(file).length - 20)
  const done = await Promise.allSettled([3, 4, 5].map((seq) => addAnchor(dir, secret, head(seq), new Date())))
  expect(done.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  expect(await readAnchors(dir, secret)).toHaveLength(2)
})
