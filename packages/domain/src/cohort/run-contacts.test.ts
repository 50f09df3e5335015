import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { countHeldBack, type HeldReason } from './held-back.ts'
import { type Contacts, RunContacts } from './run-contacts.ts'

const person = (sms: string | null, email: string | null = null, had = { sms: 0, email: 0 }): Contacts => ({
  ...{ sms, email, had },
})

/** Asks people for a text, an email or both, one after the other. */
function ask(
  most: number,
  people: readonly { who: Contacts; base?: HeldReason | null }[],
  channels = ['sms'] as const,
) {
  const contacts = new RunContacts(most)
  return people.map(({ who, base = null }) =>
    (channels as readonly ('sms' | 'email')[]).map((channel) => {
      const reason = contacts.reason(channel, who, base)
      if (reason === null) contacts.use(channel, who)
      return reason
    }),
  )
}
const both = ['sms', 'email'] as unknown as ['sms']

describe('of several with one number', () => {
  it('the first who may receive gets the message', () => {
    const [a, b] = [person('+61400000001'), person('+61400000002')]
    const texts = ask(9, [{ who: a, base: 'deceased' }, { who: a }, { who: a }, { who: b }])
    expect(texts.flat()).toEqual(['deceased', null, 'duplicate_contact', null])
    expect(ask(9, [{ who: a, base: 'test_patient' }, { who: a }]).flat()).toEqual(['test_patient', null])
    expect(ask(9, [{ who: a }, { who: a, base: 'test_patient' }]).flat()).toEqual([null, 'duplicate_contact'])
    expect(ask(9, [{ who: person(null) }]).flat()).toEqual(['no_contact'])
  })
})

describe('the frequency limit within a run', () => {
  it('counts the messages of both who share a number, also where they go to an address', () => {
    const [ann, bob] = [person('x', 'a'), person('x', 'b')]
    expect(ask(1, [{ who: ann }, { who: bob }], both)).toEqual([
      [null, 'capped'],
      ['duplicate_contact', 'capped'],
    ])
    expect(ask(2, [{ who: ann }, { who: bob }], both)).toEqual([
      [null, null],
      ['duplicate_contact', 'capped'],
    ])
    expect(ask(3, [{ who: ann }, { who: bob }], both)).toEqual([
      [null, null],
      ['duplicate_contact', null],
    ])
  })

  it('counts what each number or address had before, with what the run sends there', () => {
    const [cat, dan] = [person('y', 'a', { sms: 0, email: 1 }), person('z', 'a', { sms: 0, email: 1 })]
    expect(ask(3, [{ who: cat }, { who: dan }]).flat()).toEqual([null, null])
    expect(ask(2, [{ who: cat }, { who: dan }]).flat()).toEqual([null, 'capped'])
    // What one contact had is not added to what the other gets.
    expect(ask(2, [{ who: person('y', 'a') }, { who: person('y2', 'a', { sms: 1, email: 0 }) }]).flat()).toEqual([
      null,
      null,
    ])
  })
})

test('property: whatever goes keeps the limit at every contact, no contact gets two of a channel, and sums add up', () => {
  const anyone = fc.record({
    who: fc.record({
      sms: fc.constantFrom('x', 'y', 'z', null),
      email: fc.constantFrom('a', 'b', 'c', null),
      had: fc.record({ sms: fc.nat(2), email: fc.nat(2) }),
    }),
    base: fc.constantFrom<HeldReason | null>(null, null, null, 'deceased', 'test_patient', 'no_contact'),
  })
  fc.assert(
    fc.property(fc.array(anyone), fc.integer({ min: 1, max: 4 }), (people, most) => {
      const reasons = ask(most, people, both) as (HeldReason | null)[][]
      const texts = countHeldBack(reasons.map(([text]) => text!))
      expect(texts.willReceive + texts.heldBack).toBe(people.length)
      expect(Object.values(texts.reasons).reduce((sum, count) => sum + count, 0)).toBe(texts.heldBack)
      const sent = new Map<string, number>()
      const [numbers, addresses]: string[][] = [[], []]
      people.forEach(({ who }, at) => {
        reasons[at]!.forEach((reason, channel) => {
          if (reason !== null) return
          for (const key of [who.sms, who.email]) if (key !== null) sent.set(key, (sent.get(key) ?? 0) + 1)
          ;[numbers, addresses][channel]!.push([who.sms, who.email][channel]!)
        })
      })
      expect(new Set(numbers).size).toBe(numbers!.length)
      expect(new Set(addresses).size).toBe(addresses!.length)
      for (const count of sent.values()) expect(count).toBeLessThanOrEqual(most)
    }),
  )
})
