import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { unseal } from '../../src/api/seal.ts'
import { blindIndex, fieldKey, masterKey, openField, sealField, unwrapDataKey } from '../../src/db/field/envelope.ts'
import { anchorFile, readAnchors } from '../../src/features/audit/anchor.ts'
import {
  consentHash,
  consentToken,
  readOptOutToken,
  readUnsubscribeToken,
  trialHash,
  trialToken,
  withdrawToken,
} from '../../src/features/consent/link/consent-token.ts'
import { personKeys, recordKey } from '../../src/features/erasure/erasure-key.ts'
import { ledgerFile, readLedger } from '../../src/features/erasure/erasure-ledger.ts'
import { entryUuid } from '../../src/features/inbound/entry-uuid.ts'

// What an earlier version sent out or wrote down must still be understood. The values are written out here: the code that makes one and the
// code that reads it still agree after both have changed.
const SECRET = Buffer.alloc(32, 7)
const MESSAGE = { locationId: 12, messageId: 345 }
const COMPANY = '019aa000-0000-7000-8000-000000000001'
const ERASURE = '019aa000-0000-7000-8000-000000000003'
const PHARMACY = '019aa000-0000-7000-8000-000000000002'

describe('an earlier version', () => {
  it('sent links that still stop messages', () => {
    expect(readUnsubscribeToken(SECRET, 'c.9l.BcbX3H__NjbtmLrIoz2SOw')).toEqual(MESSAGE)
    expect(readOptOutToken(SECRET, 'AAAADAAAAAAAAVlpUysxDmtcPQ')).toEqual(MESSAGE)
  })

  it('sent links to pages that still open', () => {
    expect(consentToken(SECRET, MESSAGE)).toBe('64Fsun_95_6AonsQXVuSXw')
    expect(consentHash(SECRET, 'token').toString('base64url')).toBe('lTSx5Q3H0zRJridjxDCco3pD17IJirXqI0l4HXdr6No')
    expect(trialToken(SECRET, MESSAGE)).toBe('ZZGsyPc9NS29AuWaFpmNHw')
    expect(withdrawToken(SECRET, { locationId: 12, trialId: 3, patientId: 45 })).toBe('XM4ZO5ots2T7wYooJkmpkg')
    expect(trialHash(SECRET, 'consent', 'token').toString('base64url')).toBe(
      'oVZSLk3hf28TU8mufKHO4i0cIvfXOKWSMF-oE-yqVx8',
    )
    expect(trialHash(SECRET, 'withdraw', 'token').toString('base64url')).toBe(
      'blQ7A8kSWHIlbCDr501kp6glPFIkzoUJTOr4_wBHwms',
    )
  })

  it('sealed columns that still open, and are found by the same values', () => {
    const of = { id: 7, column: 'patient.mobile' }
    const key = fieldKey(Buffer.alloc(32, 1), of)
    const sealed = '010000000702af8d9414eb5795e9a03edba08fae3d1d33c155111f8fc13809ea9452bb7db6aecd43e49780e680'
    expect(openField(key, '3/generic/17', Buffer.from(sealed, 'hex'))).toBe('+61491570156')
    expect(sealField(key, '3/generic/17', '+61491570156').toString('hex')).toBe(sealed)
    expect(blindIndex(key, '+61491570156').toString('hex')).toBe('000000071c39c7ec4085d8e7b97ad8ef25b78dae')
    const wrapped =
      '350ef858af27c91125efe3fabb27a24b9a69cadd2d3d7c02e9a5c6155772deef0957b4659aa1e418ef7ecea222e08cac01609dfbe8d9bf92f945317b'
    expect(unwrapDataKey(masterKey(Buffer.alloc(32, 2)), Buffer.from(wrapped, 'hex'), of)).toEqual(Buffer.alloc(32, 1))
  })

  it('sealed letters, keys and files that still open', () => {
    const sealed = 'PsBNF0WD1gAdJat2iX7pDfXBEZ9H09AsrQQuZ_H3pWVqnzNq'
    expect(unseal(SECRET, Buffer.from(sealed, 'base64url'), '12', 'authenticator app')).toBe('a secret')
  })

  it('erased people who are still recognised', async () => {
    const ida = {
      firstName: 'Ida',
      lastName: 'Quill',
      sex: 'F',
      born: 3652,
      mobile: '0477 123 001',
      postcode: '3121',
    } as const
    expect(recordKey(SECRET, PHARMACY, 'generic', 'P1')).toBe('GBj5XZ-BwhM70-IqZzgFtdHjOK9TT2my')
    expect(personKeys(SECRET, 12, { ...ida, email: 'Ida@quill.example' }, 'AU')).toEqual({
      person: ['_4Hv_WJvCVbGu1dqT65gyj8oT5YsJv9C', 'BlVJN-wh0lUfXsYhI9ES-m6QW7l511y_'],
      sms: ['3utG9ceeGW39h5ODNi6CZvqjfWe6ClkX'],
      email: ['wX0jski6lxW3_dtygOJ5hmsUxGigQzH1'],
    })
    const erasure = {
      ...{ uuid: ERASURE, at: '2026-11-20T01:00:00.000Z', company: COMPANY, reason: 'Asked' },
      ...{ records: [[PHARMACY, 'GBj5XZ-BwhM70-IqZzgFtdHjOK9TT2my']], keys: { person: [], sms: [], email: [] } },
    }
    const line = JSON.stringify({ ...erasure, mac: 'c8857a2e859491396a64aff86d74079849e1a6eea85432158a3acbebe77f61ec' })
    expect(await inFile(ledgerFile, line, (folder) => readLedger(folder, SECRET))).toEqual([erasure])
  })

  it('anchored chains that are still proved', async () => {
    const hash = 'ab'.repeat(32)
    const mac = '5aeee29b6448f9e7514ea068ab1facb4ce16dd27394b28d039d05980914371fc'
    const line = JSON.stringify({ at: '2026-11-20T01:00:00.000Z', heads: { 0: [5, hash] }, mac })
    const anchors = await inFile(anchorFile, line, (folder) => readAnchors(folder, SECRET))
    expect(anchors).toMatchObject([{ heads: [{ chain: 0, seq: 5, hash }] }])
  })

  it('recorded the reply that the gateway sends again', () => {
    expect(entryUuid({ gateway: 'twilio', eventId: 'reply-SM1' }, 12, 45)).toBe('c2bf5eb2-cd82-869b-a642-e63f345fdea3')
  })
})

/** Reads a file with this line as in the DATA_DIR of an installation. */
async function inFile<T>(place: (folder: string) => string, line: string, read: (folder: string) => Promise<T>) {
  const folder = mkdtempSync(join(tmpdir(), 'pillar-outlives-'))
  try {
    mkdirSync(dirname(place(folder)), { recursive: true })
    writeFileSync(place(folder), `${line}\n`)
    return await read(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
