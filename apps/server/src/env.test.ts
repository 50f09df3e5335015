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
