import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  afterReceipt,
  MESSAGE_STATES,
  type MessageState,
  mayBecome,
  type Receipt,
  sentByText,
  shownStatus,
  startsAt,
  TRANSITIONS,
  WIRE_STATUS,
} from './message-state.ts'

const receipts = fc.array(fc.constantFrom<Receipt>('sent', 'delivered', 'failed'), { maxLength: 8 })
const anyState = fc.constantFrom(...MESSAGE_STATES)

describe('states', () => {
  test('a claim comes before every sending', () => {
    expect(MESSAGE_STATES.filter((from) => mayBecome(from, 'sent'))).toEqual(['sending', 'unknown'])
    expect(MESSAGE_STATES.filter((from) => mayBecome(from, 'sending'))).toEqual(['queued'])
    expect(MESSAGE_STATES.filter((from) => mayBecome(from, 'skipped'))).toEqual(['queued', 'sending', 'unknown'])
  })

  test('a message accepted by a gateway never returns to the queue', () => {
    const reachable = (from: MessageState, seen = new Set<MessageState>()): Set<MessageState> => {
      for (const to of TRANSITIONS[from]) if (!seen.has(to)) reachable(to, seen.add(to))
      return seen
    }
    for (const taken of ['sent', 'delivered', 'failed'] as const) {
      expect(reachable(taken).has('queued')).toBe(false)
      expect(reachable(taken).has('sending')).toBe(false)
      expect(reachable(taken).has('skipped')).toBe(false)
    }
  })

  test('a message shows its campaign’s name, or what else sent it', () => {
    expect([sentByText('campaign', 'Winter repeats'), sentByText('sequence', null)]).toEqual([
      'Winter repeats',
      'Sequence',
    ])
  })

  test('each state has its words', () => {
    expect(shownStatus(WIRE_STATUS.queued)).toBe('SCHEDULED')
    expect(MESSAGE_STATES.map((state) => shownStatus(WIRE_STATUS[state]))).toEqual([
      'SCHEDULED',
      'SCHEDULED',
      'SENT',
      'DELIVERED',
      'FAILED',
      'SKIPPED',
      'UNKNOWN',
    ])
  })

  test('the hold lasts two minutes', () => {
    expect(startsAt(1_000_000)).toBe(1_120_000)
  })
})

describe('receipts', () => {
  test('receipts never move backwards; delivered outranks failed', () => {
    expect(afterReceipt('delivered', 'sent')).toBe('delivered')
    expect(afterReceipt('delivered', 'failed')).toBe('delivered')
    expect(afterReceipt('failed', 'delivered')).toBe('delivered')
    expect(afterReceipt('failed', 'sent')).toBe('failed')
    expect(afterReceipt('sending', 'delivered')).toBe('delivered')
    expect(afterReceipt('queued', 'sent')).toBe('sent')
  })

  test('property: shuffled and repeated receipts give the same result', () => {
    fc.assert(
      fc.property(anyState, receipts, fc.infiniteStream(fc.nat()), (start, list, random) => {
        const end = list.reduce(afterReceipt, start)
        const shuffled = [...list, ...list]
          .map((receipt) => ({ receipt, key: random.next().value }))
          .sort((a, b) => a.key - b.key)
        expect(shuffled.map((item) => item.receipt).reduce(afterReceipt, start)).toBe(end)
        if (list.length > 0) expect(['sent', 'delivered', 'failed']).toContain(end)
      }),
    )
  })
})
