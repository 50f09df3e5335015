import { expect, it } from 'vitest'
import { sentenceOf } from './away.ts'

it('a full disk is reported in a sentence, by whatever it was noticed', () => {
  const coded = (code: string) => Object.assign(new Error('write'), { code })
  const initdb = new Error(
    'FATAL:  could not extend file "base/1/2691": wrote only 4096 of 8192 bytes\nHINT:  Check free disk space.',
  )
  const noticed = [
    coded('53100'),
    coded('ENOSPC'),
    coded('EDQUOT'),
    initdb,
    new Error('pg_wal: No space left on device'),
  ]
  for (const error of noticed)
    expect(sentenceOf(error)).toBe('The disk is full. Make room and try again: nothing is lost.')
  expect(sentenceOf(coded('EACCES'))).toBe('write')
})
