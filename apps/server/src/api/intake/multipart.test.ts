import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startUploadServer, type TestPharmacy, type UploadServer } from '../../../test/upload.ts'

let server: UploadServer
let pharmacy: TestPharmacy
beforeAll(async () => {
  server = await startUploadServer({ work: false })
  pharmacy = await server.pharmacy()
})
afterAll(() => server.close())

const FIELD = '--B\r\nContent-Disposition: form-data; name="data_source"\r\n\r\ncanonical\r\n'
const FILE = '--B\r\nContent-Disposition: form-data; name="patients"; filename="p.csv"\r\n\r\npatient_id\n1\n'
const END = '\r\n--B--\r\n'
const UNREADABLE =
  'The form in this request cannot be read: it broke off, or it is not multipart/form-data as it should be. Please send it again.'

/** Anybody may send a form to the second, without a key. */
const post = (url: '/api/etl/upload' | '/unsubscribe-one-click/1.1.x', payload: string, boundary = '; boundary=B') =>
  server.app.inject({
    method: 'POST',
    url,
    payload,
    headers: { authorization: `Bearer ${pharmacy.key}`, 'content-type': `multipart/form-data${boundary}` },
  })

describe.each(['/api/etl/upload', '/unsubscribe-one-click/1.1.x'] as const)('a broken form at %s', (url) => {
  it.each([
    ['that ends in a field', '--B\r\nContent-Disposition: form-data; name="data_source"\r\n\r\ncan'],
    ['that ends in the head of a part', `${FIELD}--B\r\nContent-Disposition: form-`],
    ['that is other text', 'hello'],
    ['whose part has no head', `--B\r\nhello${END}`],
    ['with a field named __proto__', `--B\r\nContent-Disposition: form-data; name="__proto__"\r\n\r\nx${END}`],
    [
      'with a field that is no JSON',
      `${FIELD.replace('\r\n\r\n', '\r\nContent-Type: application/json\r\n\r\n')}${END}`,
    ],
    ['without a boundary', FIELD + END, ''],
    ['with an empty boundary', FIELD + END, '; boundary='],
    ['with a boundary that is too long', FIELD + END, `; boundary=${'x'.repeat(300)}`],
  ])('%s is refused, and is no failure of the server', async (_which: string, body: string, boundary?: string) => {
    const answer = await post(url, body, boundary)
    expect([answer.statusCode, answer.json().message]).toEqual([422, UNREADABLE])
  })
})

it.each([
  ['that breaks off in a file', FIELD + FILE],
  ['with a file that has no name', `${FIELD}${FILE.replace(' name="patients";', '')}${END}`],
  ['with a nameless field behind the files', `${FIELD}${FILE}\r\n--B\r\nContent-Disposition: form-data\r\n\r\nx${END}`],
])('an upload %s is refused, and is no failure of the server', async (_which, body) => {
  const answer = await post('/api/etl/upload', body)
  expect([answer.statusCode, answer.json().message]).toEqual([422, UNREADABLE])
})

it('an upload sent as a bare file, or as a form of another kind, is told to send multipart/form-data', async () => {
  for (const type of [
    'text/csv',
    'application/x-www-form-urlencoded',
    'application/octet-stream',
    'application/json',
  ]) {
    const headers = { authorization: `Bearer ${pharmacy.key}`, 'content-type': type }
    const answer = await server.app.inject({ method: 'POST', url: '/api/etl/upload', payload: '{}', headers })
    expect([type, answer.statusCode, answer.json().message]).toEqual([type, 415, expect.stringContaining('multipart/')])
  }
})
