import { describe, expect, it } from 'vitest'
import { day, formatDay } from '../time/day.ts'
import { localTime } from '../time/local-time.ts'
import { DEFAULT_HOURS } from '../time/quiet-hours.ts'
import {
  deactivationWords,
  followUpChangeWords,
  followUpReasonText,
  plannedAt,
  removalWords,
  responseShare,
  type StepCounts,
  stepTotal,
  timeLineTitle,
} from './time-line.ts'

const NONE: StepCounts = {
  ...{ responded: 0, sent: 0, failed: 0, unknown: 0, queued: 0, skipped: 0 },
  ...{ ended: 0, waiting: 0, next: 0, added_later: 0 },
}
const step = (more: Partial<StepCounts>) => ({ ...NONE, ...more })
const percent = (share: number) => `${(share * 100).toFixed(0)}%`

describe('the counts of a step', () => {
  it('add up to those who started, and those whose next step it is count among the waiting', () => {
    const parts = { responded: 1, sent: 2, failed: 4, unknown: 8, queued: 16, skipped: 32, ended: 64, waiting: 128 }
    expect(stepTotal({ ...parts, next: 100, added_later: 256 })).toBe(511)
  })

  it('give a share from ten sent messages on', () => {
    expect(responseShare(step({ responded: 3, sent: 6, failed: 40 }))).toBe(null)
    expect(responseShare(step({ responded: 3, sent: 7, skipped: 40 }))).toMatchObject({ share: 0.3, n: 10 })
  })
})

describe('the sentence above a time line', () => {
  const weak = step({ responded: 7, sent: 93 })
  const strong = step({ responded: 56, sent: 44 })

  it('names the best message only if it is clearly the best', () => {
    expect(timeLineTitle([weak, strong], percent)).toBe('The second message works best: 56% respond')
    expect(timeLineTitle([step({ responded: 50, sent: 50 }), strong], percent)).toBe('No message clearly works best')
    // 45% of 31 could really be 62%, but 50% of 1,000 is clearly less than 60% of 1,000.
    const [best, second] = [step({ responded: 600, sent: 400 }), step({ responded: 500, sent: 500 })]
    expect(timeLineTitle([best, second], percent)).toBe('The first message works best: 60% respond')
    expect(timeLineTitle([best, second, step({ responded: 14, sent: 17 })], percent)).toBe(
      'No message clearly works best',
    )
    expect(timeLineTitle([weak, step({ responded: 9, sent: 1 })], percent)).toBe('The first message: 7% respond')
    expect(timeLineTitle([strong], percent)).toBe('The message works: 56% respond')
    // From 30 sent messages on.
    const few = (sent: number) => timeLineTitle([step({ responded: 12, sent })], percent)
    expect([few(17), few(18)]).toEqual(['Too few messages have gone out to compare', 'The message works: 40% respond'])
  })

  it('says so if little or nothing has been sent', () => {
    expect(timeLineTitle([NONE, step({ waiting: 9 })], percent)).toBe('No message has gone out yet')
    expect(timeLineTitle([step({ sent: 29 })], percent)).toBe('Too few messages have gone out to compare')
  })
})

describe('reasons', () => {
  it('are in words, by channel if there is a message', () => {
    expect(followUpReasonText('budget', null)).toBe('Budget used up')
    expect(followUpReasonText('no_consent', null)).toBe('No consent')
    expect(followUpReasonText('no_contact', 'email')).toBe('No email address')
    expect(followUpReasonText('no_contact', null)).toBe(followUpReasonText('no_contact', 'sms'))
    expect(followUpReasonText('stopped', 'sms')).toBe('Cancelled when the sequence was changed')
  })
})

describe('the message for a patient enrolled today', () => {
  const zone = 'Australia/Melbourne'
  const calendar = { zone, holidays: new Set([day('2026-12-25'), day('2026-12-26')]) }
  const at = (event: string, days_after: number, now = '2026-11-23T00:30:00Z', hours = DEFAULT_HOURS.AU) => {
    const found = plannedAt(calendar, hours, day(event), { follow_up_order: 1, days_after }, new Date(now))
    if (!found) return null
    const local = localTime(zone, found)
    return `${formatDay(local.day)} ${local.minute}`
  }

  it('comes at ten, moved past Sundays and holidays', () => {
    expect(at('2026-11-23', 3)).toBe('2026-11-26 600')
    // A Sunday.
    expect(at('2026-11-23', 6)).toBe('2026-11-30 540')
    // Christmas is a Friday; Boxing Day and Sunday follow.
    expect(at('2026-11-23', 32)).toBe('2026-12-28 540')
  })

  it('may come on the last minute of the three days', () => {
    const week = DEFAULT_HOURS.AU.week.map((_, at) => (at < 5 ? ([600, 1020] as const) : null))
    const office = { ...DEFAULT_HOURS.AU, week } as unknown as typeof DEFAULT_HOURS.AU
    // Due on Friday at ten and checked that evening: the next sending hour begins on Monday at ten.
    expect(at('2026-11-27', 0, '2026-11-27T08:00:00Z', office)).toBe('2026-11-30 600')
  })

  it('is never in the past, and is null without sending hours within three days', () => {
    expect(at('2026-11-23', 0, '2026-11-23T04:00:00Z')).toBe('2026-11-23 900')
    const shut = { ...calendar, holidays: new Set([25, 26, 28, 29].map((date) => day(`2026-12-${date}`))) }
    const found = plannedAt(
      shut,
      DEFAULT_HOURS.AU,
      day('2026-12-25'),
      { follow_up_order: 1, days_after: 0 },
      new Date('2026-12-24T00:00:00Z'),
    )
    expect(found).toBe(null)
  })
})

describe('consequences', () => {
  it('name the number of waiting messages and patients', () => {
    expect(deactivationWords({ queued: 8, in_progress: 12 })).toBe(
      '8 unsent messages will be cancelled. 12 patients are part-way through: follow-ups that fall due while it is inactive are skipped, later ones are sent once it is active again. Nobody new starts the sequence.',
    )
    expect(deactivationWords({ queued: 0, in_progress: 0 })).toBe(
      'No message is waiting to be sent. Nobody new starts the sequence.',
    )
    expect(removalWords({ queued: 1, in_progress: 1 })).toBe(
      '1 unsent message will be cancelled. 1 patient part-way through will get no more follow-ups. What was sent stays on record.',
    )
    expect(followUpChangeWords({ queued: 3, in_progress: 2 }, 1, 3)).toBe(
      'Messages already queued keep their text. 2 patients part-way through will follow the new days from here on. The history of the removed follow-up stays. 3 unsent messages will be cancelled.',
    )
    expect(followUpChangeWords({ queued: 3, in_progress: 0 }, 0, 0)).toBe('Messages already queued keep their text.')
  })
})
