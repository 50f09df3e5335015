import { mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Fastify from 'fastify'
import { afterAll, expect, it } from 'vitest'
import type { Services } from '../context.ts'
import { keepScreens } from './kept-screens.ts'
import { mountPages } from './pages.ts'

const folder = mkdtempSync(join(tmpdir(), 'pillar-kept-'))
afterAll(() => rmSync(folder, { recursive: true }))
const dataDir = join(folder, 'data')
const screens = join(dataDir, 'screens')

/** The built screens of a version. */
function build(version: string): string {
  const web = join(folder, version)
  mkdirSync(join(web, 'assets'), { recursive: true })
  writeFileSync(join(web, 'index.html'), '')
  for (const name of [`index-${version}.js`, `index-${version}.js.br`, `index-${version}.css`])
    writeFileSync(join(web, 'assets', name), version)
  return web
}

/** How a server with the screens of a version answers. */
async function ask(web: string, ...urls: string[]) {
  const app = Fastify()
  await mountPages(app, web, { env: { DATA_DIR: dataDir } } as Services)
  const answers = []
  for (const url of urls) {
    const { statusCode, headers, body } = await app.inject({ method: 'GET', url })
    answers.push([statusCode, headers['content-type'], statusCode === 200 ? body : ''])
  }
  await app.close()
  return answers
}

it('a page of another version gets its files, before and after an upgrade, and nothing else of DATA_DIR', async () => {
  const [old, young] = [build('old'), build('young')]
  for (const web of [old, young, young]) await keepScreens(dataDir, web, new Date())
  writeFileSync(join(dataDir, 'secret.js'), 'secret')
  expect(await ask(young, '/assets/index-old.js', '/assets/index-old.css')).toEqual([
    [200, 'text/javascript; charset=utf-8', 'old'],
    [200, 'text/css; charset=utf-8', 'old'],
  ])
  expect(await ask(old, '/assets/index-young.js')).toEqual([[200, 'text/javascript; charset=utf-8', 'young']])
  const none = [404, 'text/plain', '']
  expect(await ask(young, '/assets/none.js', '/assets/index-old.js.br', '/assets/..%2f..%2fsecret.js')).toEqual([
    none,
    none,
    none,
  ])
})

it('the three versions that started last are kept, and nothing that a killed start left', async () => {
  const left = join(screens, '.part-killed')
  mkdirSync(left)
  utimesSync(left, 0, 0)
  for (const name of readdirSync(screens)) if (!name.startsWith('.')) utimesSync(join(screens, name), 1000, 1000)
  const old = build('old')
  await keepScreens(dataDir, old, new Date('2026-11-29T01:00:00Z'))
  for (const version of ['third', 'fourth']) await keepScreens(dataDir, build(version), new Date())
  expect(readdirSync(screens)).toHaveLength(3)
  const [first, gone] = await ask(build('fifth'), '/assets/index-old.js', '/assets/index-young.js')
  expect([first?.[0], gone?.[0]]).toEqual([200, 404])
})
