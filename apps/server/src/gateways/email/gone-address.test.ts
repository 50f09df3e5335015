import { expect, it } from 'vitest'
import { readBounce } from './bulk-email-events.ts'

const bounced = (reason: string) =>
  readBounce(JSON.stringify({ type: 'bounced', reference: 'e-1', reason }), new Date())

it.each([
  '5.1.1',
  '550 5.1.1 <ada@example.com>: Recipient address rejected: User unknown in local recipient table',
  '550 5.1.10 RESOLVER.ADR.RecipientNotFound; Recipient not found by SMTP address lookup',
  '5.1.3',
  '550-5.1.6 The mailbox has moved.',
])('an email that came back with %s had no such address', (reason) => {
  expect(bounced(reason)).toMatchObject({ status: 'failed', gone: true })
})

it.each([
  '',
  '5.2.2 The mailbox is full',
  '550 5.2.1 The user you are trying to contact is receiving mail too quickly',
  '550 5.7.1 Refused because of its content',
  '5.1.8 Sender address rejected: domain not found',
  '5.1.2 Bad destination system address',
  '5.1.11',
  '4.1.1',
  '550 No such user',
  'Refused by 15.1.1.6',
  'Refused by 5.1.1.6',
])('an email that came back with "%s" may have an address', (reason) => {
  expect(bounced(reason)).toMatchObject({ status: 'failed', gone: false })
})

it('an email that was delivered has an address, whatever the report says beside', () => {
  const report = { type: 'delivered', reference: 'e-1', reason: '5.1.1' }
  expect(readBounce(JSON.stringify(report), new Date())).toMatchObject({ status: 'delivered', gone: false })
})
