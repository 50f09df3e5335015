import type { MessageReply } from '@pillar/contract/message/inbound'
import { describe, expect, it } from 'vitest'
import {
  patientWords,
  readWords,
  replyTime,
  stoppedWords,
  stopQuestion,
  stopState,
  textWords,
  wishWords,
} from './reply-words.ts'

const REPLY: MessageReply = {
  reply_id: '00000000-0000-4000-8000-000000000001',
  pharmacy_id: '00000000-0000-4000-8000-000000000002',
  pharmacy_name: 'Saltbush Pharmacy Fremantle',
  time_zone: 'Australia/Perth',
  patient_refs: ['10342'],
  number_end: '157',
  text: ' Can I pick up Friday? ',
  may_stop: false,
  holders: { patients: 1, out: 0 },
  received_at: '2026-11-20T03:14:00.000Z',
  answers: null,
  read_at: null,
  read_by: null,
  stopped_at: null,
  stopped_by: null,
}

describe('a reply in words', () => {
  it('names the patients it may be from, and only the end of an unknown number', () => {
    const of = (...patient_refs: string[]) => patientWords({ patient_refs, number_end: '157' })
    expect(of('10342')).toBe('Patient 10342')
    expect(of('10342', '10377')).toBe('Patient 10342 or 10377')
    expect(of('1', '2', '3')).toBe('Patient 1, 2 or 3')
    expect(of()).toBe('No known patient, number ending in 157')
  })

  it('distinguishes written text, deleted text and an empty reply', () => {
    expect(textWords(REPLY)).toEqual({ words: 'Can I pick up Friday?', ours: false })
    expect(textWords({ text: null })).toEqual({ words: 'The text was removed after 24 months.', ours: true })
    expect(textWords({ text: ' \n' }).ours).toBe(true)
  })

  it('uses the pharmacy’s clock', () => {
    expect(replyTime('AU', REPLY)).toBe('Fri 20 Nov 2026, 11:14 am')
    const read = { ...REPLY, read_at: '2026-11-20T23:05:00.000Z', read_by: 'Helen Kowalski' }
    expect(readWords('AU', read)).toBe('Read by Helen Kowalski, Sat 21 Nov 2026, 7:05 am')
    expect(readWords('AU', REPLY)).toBeNull()
  })
})

describe('stopping texts over a reply', () => {
  const of = (more: Partial<MessageReply>): MessageReply => ({ ...REPLY, may_stop: true, ...more })
  const stopped = { stopped_at: '2026-11-20T23:05:00.000Z', stopped_by: 'Helen Kowalski' }

  it('is offered while somebody gets texts there and the words can be read', () => {
    expect(stopState(of({}))).toBe('offered')
    expect(stopState(of({ holders: { patients: 3, out: 2 } }))).toBe('offered')
    expect(stopState(of({ holders: { patients: 0, out: 0 } }))).toBe('stranger')
    expect(stopState(of({ holders: { patients: 2, out: 2 } }))).toBe('ended')
    expect(stopState(of({ text: null }))).toBe('gone')
    expect(stopState(of({ ...stopped, text: null }))).toBe('stopped')
  })

  it('says what can be done about a possible opt-out, and nothing more once it is done', () => {
    expect(wishWords(of({}))).toMatch(/^This may be an opt-out/)
    expect(wishWords(of({ holders: { patients: 0, out: 0 } }))).toMatch(/No patient of this pharmacy has this number/)
    expect(wishWords(of({ text: null }))).toMatch(/dispensing system/)
    expect(wishWords(of(stopped))).toBeNull()
    expect(wishWords(of({ holders: { patients: 1, out: 1 } }))).toBeNull()
  })

  it('asks with the people affected, and how texts can be restored', () => {
    expect(stopQuestion(of({ holders: { patients: 3, out: 0 } }))).toMatchObject({
      title: 'Stop texts to the number ending in 157?',
      consequence:
        '3 patients at Saltbush Pharmacy Fremantle will get no more texts from it. They can reply START to come back.',
      button: 'Stop texts to 3 patients',
    })
    expect(stopQuestion(of({ holders: { patients: 2, out: 1 } })).consequence).toContain('1 of them gets none already.')
    expect(stopQuestion(of({ number_end: '' })).title).toBe('Stop texts to this number?')
  })

  it('stays shown even when texts are sent there again', () => {
    const words = 'Texts stopped by Helen Kowalski, Sat 21 Nov 2026, 7:05 am'
    expect(stoppedWords('AU', of({ ...stopped, holders: { patients: 1, out: 1 } }))).toBe(words)
    expect(stoppedWords('AU', of(stopped))).toBe(`${words}. Texts to this number have been allowed again since.`)
    expect(stoppedWords('AU', of({}))).toBeNull()
  })
})
