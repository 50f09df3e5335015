import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { JsonFault, MAX_DEPTH, otherThanJson, parseJson } from './json.ts'

const reason = (text: string): string => {
  try {
    parseJson(text)
  } catch (error) {
    if (error instanceof JsonFault) return error.message
    throw error
  }
  return 'was read'
}

describe('JSON', () => {
  it('is read as JSON.parse reads it', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.nat(4), (value, indent) => {
        const text = JSON.stringify(value, null, indent)
        expect(JSON.stringify(parseJson(text))).toBe(JSON.stringify(JSON.parse(text)))
      }),
      { numRuns: 1000 },
    )
  })

  it('is refused if JSON.parse refuses it, whatever was changed in it', () => {
    const changed = fc.tuple(
      fc.json(),
      fc.nat(),
      fc.constantFrom('"', '\\', '{', '}', ',', ':', '0', '-', 'e', '\t', '\n', '', 'x', '\\u00'),
    )
    fc.assert(
      fc.property(changed, ([text, at, piece]) => {
        const cut = at % (text.length + 1)
        const broken = text.slice(0, cut) + piece + text.slice(cut + 1)
        let valid = true
        try {
          JSON.parse(broken)
        } catch {
          valid = false
        }
        const known = reason(broken)
        // Everything that JSON.parse accepts and this refuses is listed.
        if (valid) expect(known).toMatch(/^(was read|has the key .* twice|has half a character|has a NUL)/)
        else expect(known).not.toBe('was read')
      }),
      { numRuns: 3000 },
    )
  })

  const refused: [string, string, RegExp][] = [
    [
      'a key that stands twice',
      '{"status":"completed","status":"cancelled"}',
      /the key "status" twice.* at character 31/,
    ],
    ['a key twice further in', '{"a":[{"b":1,"b":2}]}', /the key "b" twice/],
    ['half a character', '{"name":"\\ud83d"}', /half a character/],
    ['a NUL', '{"name":"A\\u0000B"}', /NUL/],
    ['a tab in a text', '{"name":"A\tB"}', /control character/],
    ['two values', '{} {}', /more text after its end at character 4/],
    ['a text cut short', '{"name":"Ann', /ends within a text/],
    ['a line cut short', '{"name":"Ann"', /lacks a comma or }/],
    ['nothing after a colon', '{"name":}', /has no value/],
    ['a bad number', '{"value":01}', /lacks a comma/],
    ['nesting beyond all use', '['.repeat(MAX_DEPTH + 1), /nested more than 60 deep/],
  ]
  it.each(refused)('refuses %s', (_name, text, why) => expect(reason(text)).toMatch(why))

  it('stays within its stack however deeply a text nests', () => {
    expect(reason('{"a":'.repeat(1_000_000))).toMatch(/nested more than 60 deep/)
  })

  it('treats "__proto__" as a key like any other', () => {
    const read = parseJson('{"__proto__":{"admin":true},"constructor":1}') as Record<string, unknown>
    expect(Object.keys(read)).toEqual(['__proto__', 'constructor'])
    expect(Object.getPrototypeOf(read)).toBeNull()
    expect(({} as Record<string, unknown>).admin).toBeUndefined()
    expect((parseJson('{}') as Record<string, unknown>).toString).toBeUndefined()
  })
})

it('names what a line was meant to be: a resource over several lines, or XML', () => {
  for (const line of ['{', ' [ ']) expect(otherThanJson(line)).toMatch(/goes on over the next lines/)
  expect(otherThanJson('<Patient xmlns="http://hl7.org/fhir">')).toMatch(/is XML/)
  for (const line of ['{"resourceType":', '[1', 'patient_id,sex']) expect(otherThanJson(line)).toBeNull()
})
