import { contactCode } from '../src/features/fake-patient/contact-code.ts'
import { asOwner } from './people.ts'
import type { TestServer } from './server.ts'

/** The newest code that was sent to a number or address, as its owner reads it. */
export async function codeOf(server: TestServer, contact: string): Promise<string> {
  const [row] = await asOwner<{ id: number; asked_at: Date }>(
    server,
    'select id, asked_at from staff_contact where contact = $1',
    [contact],
  )
  return contactCode(server.services.secret, { id: Number(row!.id), asked_at: row!.asked_at })
}
