import { contract } from '@pillar/contract'
import { contactCode } from '../src/features/fake-patient/contact-code.ts'
import { asOwner } from './people.ts'
import type { TestServer } from './server.ts'
import type { Support } from './support.ts'

/** The newest code sent to a number or address, as its owner reads it. */
export async function codeOf(server: TestServer, contact: string): Promise<string> {
  const [row] = await asOwner<{ id: number; asked_at: Date }>(
    server,
    'select id, asked_at from staff_contact where contact = $1',
    [contact],
  )
  return contactCode(server.services.secret, { id: Number(row!.id), asked_at: row!.asked_at })
}

/** Confirms a number as a support person's own. */
export async function confirmAs(who: Support, server: TestServer, contact: string): Promise<void> {
  const { body } = await who.ask(contract.fakePatient.askCode, { channel: 'sms', contact })
  const code = await codeOf(server, contact)
  await who.ask(contract.fakePatient.confirmCode, { contact_id: body.contact_id, code })
}
