import { describe, expect, test } from 'vitest'
import { comparable, type PasswordContext, refuseConfirmation, refusePassword, refuseSame } from './password.ts'

const context: PasswordContext = {
  refused: new Set(['correct horse battery staple', 'qwertyuiopasdfgh', '123456789012345'].map(comparable)),
  productWords: ['Pillar', 'pharmacy', 'Saltbush', 'headoffice', 'Helen', 'Kowalski'],
}

describe('accepted', () => {
  test.each([
    'fifteen letters',
    'aaaaaaaaaaaaaab',
    'twelve brown teapots',
    'ALLUPPERCASEWORDS',
    '               ',
    '987612345987612',
    'пароль из пяти слов',
    '毎朝七時に薬局を開けて掃除する人',
    '🐨🦘🐊🦜🐍🦎🕷🦈🐙🐢🐬🐳🦀🐚🐌',
    'x'.repeat(64),
    'x'.repeat(1000),
    // Six letters beside the words anyone would guess.
    'pharmacy 1234 teapot',
    `${'long '.repeat(100)}end`,
    'my pharmacy sells umbrellas',
    'kowalski paints fences blue',
    'e\u0301'.repeat(15),
    '!"#$%&()*+,-./:',
    'Correct horse battery staples',
    'no-digit-no-upper',
  ])('%s', (password) => {
    expect(refusePassword(password, context)).toBeNull()
  })
})

describe('refused', () => {
  test.each([
    ['', 'at least 15'],
    ['short', 'at least 15'],
    ['fourteen chars', 'at least 15'],
    ['Tr0ub4dor&3', 'at least 15'],
    ['🐨'.repeat(14), 'at least 15'],
    // Combining accents count with their letter: 14 characters in either form.
    ['e\u0301'.repeat(14), 'at least 15'],
    ['x'.repeat(1001), 'at most 1000'],
    ['correct horse battery staple', 'lists'],
    ['Correct Horse Battery Staple', 'lists'],
    ['QWERTYUIOPASDFGH', 'lists'],
    ['123456789012345', 'lists'],
    ['１２３４５６７８９０１２３４５', 'lists'],
    ['pillarpillarpillar', 'guess'],
    ['Pillar-Pharmacy-2026', 'guess'],
    ['Pillar-demo-2026', 'guess'],
    ['helen.kowalski.1985', 'guess'],
    ['saltbushpharmacy!!', 'guess'],
    ['headoffice00000000', 'guess'],
    ['pharmacy 12345 maker', 'guess'],
  ])('%s: %s', (password, reason) => {
    expect(refusePassword(password, context)).toContain(reason)
  })

  test('each refusal is a whole sentence', () => {
    for (const password of ['x', 'x'.repeat(1001), '123456789012345', 'pillarpillarpillar']) {
      expect(refusePassword(password, context)).toMatch(/^[A-Z].*\.$/)
    }
  })
})

test('with a second factor 8 characters are enough', () => {
  const second = { ...context, hasSecondFactor: true }
  expect(refusePassword('teapots8', second)).toBeNull()
  expect(refusePassword('teapot7', second)).toContain('at least 8')
})

test('nothing is cut off: all 64 characters count', () => {
  const base = 'a long walk along the southern coast with seven dogs and a kite'
  expect(comparable(`${base}1`)).not.toBe(comparable(`${base}2`))
})

test('confirmation', () => {
  expect(refuseConfirmation('abc', 'abc')).toBeNull()
  expect(refuseConfirmation('e\u0301', '\u00e9')).toBeNull()
  expect(refuseConfirmation('abc', 'Abc')).toContain('not the same')
})

test('the current password is refused as the new one, in any Unicode form', () => {
  expect(refuseSame('abc', 'Abc')).toBeNull()
  expect(refuseSame('abc', 'abc')).toContain('the current one')
  expect(refuseSame('e\u0301', '\u00e9')).toContain('the current one')
})
