import { readFileSync } from 'node:fs'
import { CANONICAL_FORMAT, columnsOf, UPLOAD_SETS } from '@pillar/domain/upload/upload-format'
import { describe, expect, it } from 'vitest'
import { withFormat } from './format-doc.ts'
import { SOURCES, sourceOf } from './sources.ts'

const page = readFileSync(new URL('../../../../../../docs/upload-format.md', import.meta.url), 'utf8')

describe('docs/upload-format.md', () => {
  it('matches the code (else run "node apps/server/src/cli/format-doc.ts")', () => {
    expect(page).toBe(withFormat(page))
  })

  it('has a sample whose columns exist', () => {
    const samples = [...page.matchAll(/`(\w+)\.csv`\n\n {4}(.+)\n/g)]
    expect(samples.length).toBe(4)
    for (const [, set = '', header = ''] of samples)
      for (const column of header.split(',')) expect(Object.keys(CANONICAL_FORMAT[set as 'scripts'])).toContain(column)
  })
})

describe('source profiles', () => {
  it('are canonical, omop, fhir and the sources of the specification, and say which mapping is unverified', () => {
    const systems = {
      fred: 'Fred Dispense Classic',
      frednxt: 'Fred Dispense Plus',
      z: 'Z Dispense',
      minfos: 'Minfos',
      posworks: 'Dispense Works',
      rxone: 'RxOne',
      corumlots: 'Corum LOTS',
      corumclear: 'Corum Clear',
      stronger: 'Strong ER',
    }
    expect(SOURCES.map((source) => source.name)).toEqual(['canonical', 'omop', 'fhir', ...Object.keys(systems)])
    for (const [name, title] of Object.entries(systems)) {
      expect(sourceOf(name)).toMatchObject({ title, checked: false, shiftsDates: false })
      expect(sourceOf(name)?.status).toContain('Not checked against a real export')
    }
    expect(sourceOf('constructor')).toBeNull()
  })

  it('fill only columns that exist, and every required one', () => {
    for (const source of SOURCES) {
      for (const { set, columns, removes } of source.files.flatMap((file) => file.feeds)) {
        // A deleted row is known by its id alone.
        if (removes) continue
        const known = columnsOf(set)
        const required = known.filter(([, rule]) => rule.required).map(([column]) => column)
        expect(known.map(([column]) => column)).toEqual(expect.arrayContaining(Object.keys(columns)))
        expect(Object.keys(columns)).toEqual(expect.arrayContaining(required))
      }
    }
  })

  it('of the dispensing systems accept every canonical upload', () => {
    for (const source of SOURCES.slice(3))
      for (const set of UPLOAD_SETS)
        for (const [column] of columnsOf(set))
          expect(source.files.find((file) => file.name === set)?.feeds[0]?.columns[column]).toContain(column)
  })
})
