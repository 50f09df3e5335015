import { contract } from '@pillar/contract'
import { parse } from 'csv-parse/sync'
import { afterAll, expect, it } from 'vitest'
import { makeMessagingWorld } from '../../../test/messaging.ts'
import { asOwner } from '../../../test/people.ts'
import { startTestServer } from '../../../test/server.ts'
import { makeSupport } from '../../../test/support.ts'
import { makeRecruiterLogin, makeRunningTrial, referredPatient } from '../../../test/trial.ts'

const { list } = contract.referral
const server = await startTestServer()
afterAll(() => server.close())

it('is in the order of the phone numbers the screen shows, however each was typed, on screen and in the file', async () => {
  const world = await makeMessagingWorld(server)
  const trial = await makeRunningTrial(server, await makeSupport(server))
  const recruiter = await makeRecruiterLogin(server, trial.recruiterId)
  const typed = ['+61491570337', '0491 570 416', '0491570519', '+61 (0)491 570 660', '0491-571-192', '+61491571821']
  for (const phone of ['0491 570 416', '+61491571821', '0491570519', '+61491570337', '0491-571-192', typed[3]]) {
    const { patient } = await referredPatient(server, world, trial.id)
    await asOwner(server, 'update trial_referral set phone_number = $2 where patient_id = $1', [patient.id, phone])
  }
  const sort = { sort_field: 'phone_number', sort_order: 'asc' } as const
  const shown = (await recruiter.ask(list, sort)).body.referrals.map(({ phone_number }) => phone_number)
  expect(shown).toEqual(typed)
  const file = await server.call<string>(contract.referral.export.path, sort, recruiter.tab.bearer)
  expect((parse(file.body, { bom: true, columns: true }) as { Phone: string }[]).map(({ Phone }) => Phone)).toEqual(
    typed.map((phone) => (phone.startsWith('+') ? expect.stringContaining(phone) : phone)),
  )
})
