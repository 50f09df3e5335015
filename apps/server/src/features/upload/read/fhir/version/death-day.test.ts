import { afterAll, beforeAll, expect, it } from 'vitest'
import { asOwner } from '../../../../../../test/people.ts'
import { startUploadServer, type UploadServer } from '../../../../../../test/upload.ts'

let server: UploadServer
beforeAll(async () => {
  server = await startUploadServer()
})
afterAll(() => server.close())

it('a death without a date keeps the day it was first seen, whatever else about the patient changes later', async () => {
  const pharmacy = await server.pharmacy()
  const send = async (month: number, more: object) => {
    const Patient = `${JSON.stringify({ resourceType: 'Patient', id: 'p1', meta: { lastUpdated: `2026-0${month}-06T02:00:00Z` }, ...more })}\n`
    expect(await pharmacy.load({ Patient }, { data_source: 'fhir' })).toMatchObject({ etl_state: 'COMPLETED' })
    const [row] = await asOwner(
      server,
      `select deceased_on::text as day from patient where location_id = ${pharmacy.id}`,
    )
    return row?.day
  }
  expect(await send(1, {})).toBeNull()
  expect(await send(2, { deceasedBoolean: true })).toBe('2026-02-06')
  expect(await send(3, { deceasedBoolean: true, gender: 'female' })).toBe('2026-02-06')
  expect(await send(4, { deceasedDateTime: '2026-01-30' })).toBe('2026-01-30')
  expect(await send(5, { deceasedBoolean: true })).toBe('2026-01-30')
  expect(await send(6, { deceasedBoolean: false })).toBeNull()
  expect(await send(7, { deceasedBoolean: true })).toBe('2026-07-06')
})
