import { expect, it } from 'vitest'
import { eventReader } from './event-stream.ts'

const WIRE = 'event: text\ndata: {"a":"x\\n\\ny"}\n\nevent: done\ndata: {}\n\n'

it('finds the events however the text is cut', () => {
  const whole = eventReader()(WIRE)
  expect(whole).toEqual([
    { event: 'text', data: '{"a":"x\\n\\ny"}' },
    { event: 'done', data: '{}' },
  ])
  for (let size = 1; size < WIRE.length; size++) {
    const read = eventReader()
    const found = []
    for (let at = 0; at < WIRE.length; at += size) found.push(...read(WIRE.slice(at, at + size)))
    expect(found).toEqual(whole)
  }
})

it('gives nothing of an event that did not end', () => {
  expect(eventReader()('event: done\ndata: {"a":1}\n')).toEqual([])
})
