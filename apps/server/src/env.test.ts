import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { readEnv } from './env.ts'

it('the address of the boards is a name alone: a path in it is refused in words', () => {
  expect(readEnv({ BOARDS_URL: 'https://boards.pillar.example' }).BOARDS_URL).toBe('https://boards.pillar.example')
  expect(readEnv({ BOARDS_URL: 'https://boards.pillar.example:8443/' }).BOARDS_URL).toContain(':8443')
  for (const path of ['/boards', '/?a=1', '/#top'])
    expect(() => readEnv({ BOARDS_URL: `https://boards.pillar.example${path}` })).toThrow(
      `The setting BOARDS_URL is not usable: "https://boards.pillar.example${path}". It is a name of this server without a path, such as https://boards.example.com. See docs/operations.md.`,
    )
  expect(() => readEnv({ BOARDS_URL: 'https://somebody@boards.pillar.example' })).toThrow('BOARDS_URL')
})

it('a setting may be read from a mounted file, and what the file holds is never printed', () => {
  const folder = mkdtempSync(join(tmpdir(), 'pillar-env-'))
  try {
    const file = (text: string) => {
      const path = join(folder, 'value')
      writeFileSync(path, text)
      return path
    }
    const secret = 's'.repeat(32)
    expect(readEnv({ SECRET_FILE: file(`${secret}\n`) }).SECRET).toBe(secret)
    const short = file('too short')
    expect(() => readEnv({ SECRET_FILE: short })).toThrow(`The setting SECRET is not usable: "${short}".`)
    expect(() => readEnv({ SECRET_FILE: file('\n') })).toThrow('is empty')
    expect(() => readEnv({ SECRET_FILE: join(folder, 'none') })).toThrow('cannot be read (ENOENT)')
    expect(() => readEnv({ SECRET_FILE: short, SECRET: secret })).toThrow('Both SECRET and SECRET_FILE are set.')
  } finally {
    rmSync(folder, { recursive: true })
  }
})

it('proxies are addresses and networks', () => {
  expect(readEnv({}).PROXIES).toEqual([])
  expect(readEnv({ PROXIES: '10.1.2.3, 172.16.0.0/12,fd00::/8' }).PROXIES).toEqual([
    '10.1.2.3',
    '172.16.0.0/12',
    'fd00::/8',
  ])
  for (const wrong of ['proxy.example', '10.0.0.0/33', '10.1.2.3,', '300.1.1.1', 'fd00::1::2'])
    expect(() => readEnv({ PROXIES: wrong }), wrong).toThrow('The setting PROXIES is not usable')
})
