import { describe, expect, test } from 'vitest'
import { failureWords, RefusedError, refusedFrom } from './refused.ts'

const body = (value: object) => JSON.stringify(value)

describe('a refusal', () => {
  test('has the message with field errors appended', () => {
    const error = refusedFrom(
      422,
      body({ code: 'invalid', message: 'Not valid.', errors: { a: ['A is wrong.'], b: ['B too.'] } }),
    )
    expect(error.message).toBe('Not valid. A is wrong. B too.')
    expect(error.errors.a).toEqual(['A is wrong.'])
    expect(error.code).toBe('invalid')
  })
  test('does not repeat a field error that the message already contains', () => {
    const said = 'Username and password are required.'
    expect(refusedFrom(422, body({ message: said, errors: { name: [said], password: [said] } })).message).toBe(said)
  })
  test('says whether the request may have been carried out', () => {
    const may = (status: number, retryAfter: string | null = null) => refusedFrom(status, '', retryAfter).unknown
    expect(new RefusedError(0, 'No answer.').unknown).toBe(true)
    expect([502, 503, 504].map((status) => may(status))).toEqual([true, true, true])
    expect([may(409, '1'), may(409), may(404), may(403)]).toEqual([true, false, false, false])
    const failed = body({ code: 'failed', message: 'Nothing was changed.' })
    expect([may(500), refusedFrom(500, failed).unknown]).toEqual([true, false])
    expect(new RefusedError(200, 'The server sent an answer that could not be read.').unknown).toBe(true)
  })
  test('does not take a number meant for the screen as a sentence', () => {
    const error = refusedFrom(
      403,
      body({ message: 'Incorrect username or password.', errors: { attempts_remaining: ['4'] } }),
    )
    expect(error.message).toBe('Incorrect username or password.')
    expect(error.errors.attempts_remaining).toEqual(['4'])
  })
  test('shows a body without a message only if it is a sentence', () => {
    expect(refusedFrom(429, 'Too many requests, try later.').message).toBe('Too many requests, try later.')
    for (const foreign of [
      'Bad Gateway',
      '{"error":1}',
      'null',
      ' ',
      '<h1>Oh no.</h1>',
      'Error at x.js:1\n at y.',
      `X ${'y '.repeat(100)}z.`,
    ]) {
      expect(refusedFrom(502, foreign).message).toBe('The server could not answer (502). Please try again in a minute.')
    }
    expect(refusedFrom(500, '').message).toBe('The server could not answer (500). Please try again in a minute.')
    expect(refusedFrom(400, '{"error":1}').message).toBe(
      'The server refused the request (400). Load the page again and retry.',
    )
  })
  test('has the wait, if the server names one', () => {
    expect(refusedFrom(429, body({ message: 'Wait.' }), '4').retryAfter).toBe(4)
    expect(refusedFrom(429, body({ message: 'Wait.' }), 'soon').retryAfter).toBeNull()
    expect(refusedFrom(429, body({ message: 'Wait.' }), null).retryAfter).toBeNull()
  })
})

describe('an expired session', () => {
  test.each([
    [401, 'Please sign in.', true],
    [403, 'Your token has expired', true],
    [500, 'TOKEN EXPIRED', true],
    [403, 'Your login does not have access to this.', false],
    [0, 'expired', false],
  ])('%i %s', (status, message, expired) => {
    expect(new RefusedError(status, message).expired).toBe(expired)
  })
  test('is judged by our own code, because a name, a field or an approval may contain the word expired', () => {
    for (const message of [
      'There is already a template named "Expired scripts".',
      'Please replace {Expired On} with a field from the list.',
      'Before this trial can be activated, please record a new ethics approval (the last one expired on 1 Nov 2026).',
    ]) {
      const text = JSON.stringify({ code: 'invalid', message })
      expect([message, refusedFrom(422, text).expired]).toEqual([message, false])
    }
    const over = JSON.stringify({ code: 'session_expired', message: 'Your session has expired. Please sign in again.' })
    expect(refusedFrom(401, over).expired).toBe(true)
  })
})

test('without an answer nobody is told that an act failed', () => {
  const words = (error: unknown) => failureWords('Sending was not stopped.', error)
  expect(words(new RefusedError(0, 'The server did not answer.'))).toBe('The server did not answer.')
  expect(words(refusedFrom(504, ''))).toBe('The server could not answer (504). Please try again in a minute.')
  expect(words(new RefusedError(409, 'It has ended.', { code: 'conflict' }))).toBe(
    'Sending was not stopped. It has ended.',
  )
})
