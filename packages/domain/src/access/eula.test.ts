import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { EULA_VERSION } from './eula.ts'

it('the version in force is the one named in the agreement', () => {
  const text = readFileSync(new URL('../../../../docs/legal/eula.md', import.meta.url), 'utf8')
  expect(text.split('\n')[2]).toBe(EULA_VERSION)
})
