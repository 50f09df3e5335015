import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { countHeldBack, type HeldReason } from './held-back.ts'
import { type Contacts, RunContacts } from './run-contacts.ts'

/** A person whose number and address may each get this many more messages. */
const person = (sms: string | null, email: string | null = null, room: number | Contacts['room'] = 9): Contacts => ({
  ...{ sms, email },
  room: typeof room === 'number' ? { sms: room, email: room } : room,
})

/** Asks people for a text, an email or both, one after the other. */
function ask(people: readonly { who: Contacts; base?: HeldReason | null }[], channels = ['sms'] as const) {
  const contacts = new RunContacts()
  return people.map(({ who, base = null }) =>
    (channels as readonly ('sms' | 'email')[]).map((channel) => {
      const reason = contacts.reason(channel, who, base)
      if (reason === null) contacts.use(channel, who)
      return reason
    }),
  )
}
const both = ['sms', 'email'] as unknown as ['sms']

describe('among several people with one number', () => {
  it('the first who may receive gets the message', () => {
    const [a, b] = [person('+61400000001'), person('+61400000002')]
    const texts = ask([{ who: a, base: 'deceased' }, { who: a }, { who: a }, { who: b }])
    expect(texts.flat()).toEqual(['deceased', null, 'duplicate_contact', null])
    expect(ask([{ who: a, base: 'test_patient' }, { who: a }]).flat()).toEqual(['test_patient', null])
    expect(ask([{ who: a }, { who: a, base: 'test_patient' }]).flat()).toEqual([null, 'duplicate_contact'])
    expect(ask([{ who: person(null) }]).flat()).toEqual(['no_contact'])
    // A reason about the person takes precedence over one about a shared number.
    expect(ask([{ who: a }, { who: a, base: 'deceased' }]).flat()).toEqual([null, 'deceased'])
  })
})

describe('the frequency limit within a run', () => {
  it('is not that of an address which somebody does not have', () => {
    const only = (number: string) => person(number, null, { sms: 9, email: 0 })
    expect(ask([{ who: only('x') }, { who: only('y') }]).flat()).toEqual([null, null])
  })

  it('counts the messages of both who share a number, also where they go to an address', () => {
    const couple = (room: number) => [{ who: person('x', 'a', room) }, { who: person('x', 'b', room) }]
    expect(ask(couple(1), both)).toEqual([
      [null, 'capped'],
      ['duplicate_contact', 'capped'],
    ])
    expect(ask(couple(2), both)).toEqual([
      [null, null],
      ['duplicate_contact', 'capped'],
    ])
    expect(ask(couple(3), both)).toEqual([
      [null, null],
      ['duplicate_contact', null],
    ])
  })

  it('adds what the run sends to each number or address to what it had before', () => {
    const pair = (most: number) => ['y', 'z'].map((sms) => ({ who: person(sms, 'a', { sms: most, email: most - 1 }) }))
    expect(ask(pair(3)).flat()).toEqual([null, null])
    expect(ask(pair(2)).flat()).toEqual([null, 'capped'])
    // The messages to one contact do not count towards the other's.
    expect(ask([{ who: person('y', 'a', 2) }, { who: person('y2', 'a', { sms: 1, email: 2 }) }]).flat()).toEqual([
      null,
      null,
    ])
    expect(ask([{ who: person('y', 'a', 0) }]).flat()).toEqual(['capped'])
  })

  it('is the strictest of the pharmacies whose patients share a contact, whoever is asked first', () => {
    const [strict, loose] = [{ who: person('y', 'a', 1) }, { who: person('z', 'a', 2) }]
    expect(ask([strict, loose]).flat()).toEqual([null, 'capped'])
    expect(ask([loose, strict]).flat()).toEqual([null, 'capped'])
    expect(ask([loose, loose, strict].map((one, at) => ({ who: { ...one.who, sms: `n${at}` } }))).flat()).toEqual([
      null,
      null,
      'capped',
    ])
    // Nor does a third message use up what the stricter of the first two needs.
    const limits = (...rooms: number[]) => ask(rooms.map((room, at) => ({ who: person(`n${at}`, 'a', room) }))).flat()
    expect(limits(3, 2, 3)).toEqual([null, null, 'capped'])
    expect(limits(2, 3, 3)).toEqual([null, null, 'capped'])
  })
})

test('property: the messages keep every limit in any order, no contact gets two on one channel, and sums add up', () => {
  const anyone = fc.record({
    who: fc.record({
      sms: fc.constantFrom('x', 'y', 'z', null),
      email: fc.constantFrom('a', 'b', 'c', null),
      room: fc.record({ sms: fc.nat(4), email: fc.nat(4) }),
    }),
    base: fc.constantFrom<HeldReason | null>(null, null, null, 'deceased', 'test_patient', 'no_contact'),
  })
  fc.assert(
    fc.property(fc.array(anyone), (people) => {
      const reasons = ask(people, both) as (HeldReason | null)[][]
      const texts = countHeldBack(reasons.map(([text]) => text!))
      expect(texts.willReceive + texts.heldBack).toBe(people.length)
      expect(Object.values(texts.reasons).reduce((sum, count) => sum + count, 0)).toBe(texts.heldBack)
      const rooms = new Map<string, number[]>()
      const [numbers, addresses]: string[][] = [[], []]
      people.forEach(({ who }, at) => {
        reasons[at]!.forEach((reason, channel) => {
          if (reason !== null) return
          for (const one of ['sms', 'email'] as const)
            if (who[one] !== null) rooms.set(who[one], [...(rooms.get(who[one]) ?? []), who.room[one]])
          ;[numbers, addresses][channel]!.push([who.sms, who.email][channel]!)
        })
      })
      expect(new Set(numbers).size).toBe(numbers!.length)
      expect(new Set(addresses).size).toBe(addresses!.length)
      // Any of them may be sent last.
      for (const [, all] of rooms) expect(all.length).toBeLessThanOrEqual(Math.min(...all))
    }),
  )
})
