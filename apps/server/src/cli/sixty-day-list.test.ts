import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { asOwner } from '../../test/people.ts'
import { startTestServer, type TestServer } from '../../test/server.ts'
import { currentLists } from '../features/sixty-day/list.queries.ts'

const run = promisify(execFile)
const HEAD = 'tranche,from,drug,atc,sixty_day_code,thirty_day_codes\n'
const ITEMS = `${HEAD}1,2023-09-01,rosuvastatin,C10AA07,13586C,2606E|2609H\n2,2024-03-01,sertraline,N06AB06,13900N,2236K\n`
let server: TestServer
let folder: string

beforeAll(async () => {
  server = await startTestServer()
  folder = await mkdtemp(join(tmpdir(), 'sixty-day-list-'))
})
afterAll(async () => {
  await server.close()
  await rm(folder, { recursive: true })
})

async function load(
  kind: string,
  content: string,
  by: readonly string[] = ['--by', 'Kim', '--source', 'health.gov.au'],
) {
  const file = join(folder, `${kind}.csv`)
  await writeFile(file, content)
  return list(kind, file, ...by)
}
const list = (...given: string[]) =>
  run(process.execPath, [fileURLToPath(new URL('sixty-day-list.ts', import.meta.url)), ...given], {
    env: { ...process.env, DATABASE_URL: server.ownerUrl },
  })
const stored = () =>
  asOwner(
    server,
    `
    select (select count(*)::int from sixty_day_list) as lists,
      (select count(*)::int from audit where action = 'sixtyDay.replaceList') as audited`,
  )

describe('npm run sixty-day-list', () => {
  it('replaces the previous list with a good file, says so, and lists it afterwards', async () => {
    expect((await list()).stdout).toContain('No list was loaded')
    expect((await load('items', ITEMS)).stdout).toMatch(/List \d+ of items with 2 rows counts from now on\./)
    expect(
      (await currentLists(server.services.pools.system)).items.map(({ drug, tranche }) => [drug, tranche]),
    ).toEqual([
      ['rosuvastatin', 1],
      ['sertraline', 2],
    ])
    expect((await list()).stdout).toMatch(/items +2 rows, .*, by Kim: health\.gov\.au/)
    expect(await stored()).toEqual([{ lists: 1, audited: 1 }])
  })

  it.each([
    [
      'a code that is none',
      'items',
      `${ITEMS}1,2023-09-01,ramipril,C09AA05,nonsense,\n`,
      'Line 4: "NONSENSE" is no PBS item code',
    ],
    ['a column too few', 'items', ITEMS.replace('tranche,', 'stage,'), 'tranche'],
    ['no row', 'items', HEAD, 'The list is empty.'],
    [
      'a share above 1',
      'uptake',
      'month,tranche,share,source\n2026-06,1,25,health\n',
      'Line 2: share is from 0 to 1, not "25".',
    ],
  ])('refuses a file with %s in a sentence, and changes nothing', async (_what, kind, content, sentence) => {
    const before = [await stored(), (await currentLists(server.services.pools.system)).ids]
    const failed = await load(kind, content).catch((error: unknown) => error as { code: number; stderr: string })
    expect(failed).toMatchObject({ code: 2, stderr: expect.stringContaining(sentence) })
    expect((failed as { stderr: string }).stderr).not.toMatch(/\n\s+at /)
    expect([await stored(), (await currentLists(server.services.pools.system)).ids]).toEqual(before)
  })

  it('requires who loads it and its source, and reports an unknown file or kind', async () => {
    const before = await stored()
    for (const [attempt, sentence] of [
      [() => load('items', ITEMS, ['--by', 'Kim']), 'Say who loads it and where it is from.'],
      [() => list('items', join(folder, 'missing.csv'), '--by', 'Kim', '--source', 'x'), 'There is no file'],
      [() => list('prices', join(folder, 'items.csv'), '--by', 'Kim', '--source', 'x'), 'Give a kind and a file.'],
    ] as const)
      expect(await attempt().catch((error: unknown) => error)).toMatchObject({
        code: 2,
        stderr: expect.stringContaining(sentence),
      })
    expect(await stored()).toEqual(before)
  })
})
