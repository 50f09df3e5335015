import { gsmUnits } from '@pillar/domain/message/sms-text'
import { nameInMessage } from '@pillar/domain/text/name-in-message'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { makeMessagingWorld } from '../../../../test/messaging.ts'
import { asOwner } from '../../../../test/people.ts'
import { startTestServer, type TestServer } from '../../../../test/server.ts'
import { addPeople, person } from '../../../../test/world/cohort-world.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

/** What a name takes of a text that need not be rendered: each letter one unit; null if only rendering tells. */
const counted = (kind: number, units: number) => (kind === 2 ? null : { units, unicode: kind === 1 })

it('a name that is counted by its length takes just that in a message, and a note behind it is not counted', async () => {
  const world = await makeMessagingWorld(server, { locations: 1 })
  const piece = fc.constantFrom(...'AaÉéçжΩΑŁ王 .\'’-–(*/"@5', 'O', 'Mc', ' - ', ' (DAA)', '\u0301', '`', '´')
  const random = fc.sample(fc.array(piece, { minLength: 1, maxLength: 6 }), 250).map((pieces) => pieces.join('').trim())
  const whole = ['MARGARET', "McKenzie O'Brien", 'Ann-Mae', 'Jr.', 'Zoë', 'François', 'Жанна', 'Łucja', 'O’Neil']
  const noted = ['MARGARET (HIV CLINIC)', 'Ana [DAA]', 'John*', 'Mary/Molly', 'Ann - DAA', 'Ann 2', '王', 'B/O SARAH']
  const names = [...whole, ...noted, ...random.filter((name) => name !== '')]
  await addPeople(
    server,
    world,
    names.map((first_name) => person({ first_name, sms_to: null, mobile: null })),
  )
  const rows = await asOwner<{ name: string; kind: number; units: number }>(
    server,
    `select p.first_name as name, f.first_name_kind as kind, f.first_name_units as units
     from patient_fact f join patient p on p.location_id = f.location_id and p.id = f.patient_id where f.location_id = $1`,
    [world.locations[0]!.id],
  )
  expect(rows.length).toBe(names.length)
  for (const { name, kind, units } of rows) {
    const said = nameInMessage(name)
    const takes = { units: said.length, unicode: [...said].some((letter) => gsmUnits(letter) === null) }
    expect([name, counted(kind, units) ?? takes]).toEqual([name, takes])
  }
  const exact = (some: readonly string[]) =>
    some.map((name) => [name, rows.find((row) => row.name === name)!.kind === 2])
  expect(exact(whole)).toEqual(whole.map((name) => [name, false]))
  expect(exact(noted)).toEqual(noted.map((name) => [name, true]))
})
