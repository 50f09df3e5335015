import type { ConsentEvent, Unstamped } from '@pillar/domain/consent/consent'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { freshMobile, makeRun } from '../../../../test/messaging.ts'
import { asOwner, fresh, makeCompany } from '../../../../test/people.ts'
import { startUploadServer, type TestPharmacy, type UploadServer } from '../../../../test/upload.ts'
import { inScope } from '../../../db/scope.ts'
import { followUp } from '../../upload/after-upload.jobs.ts'
import { recordConsent } from '../consent-log.queries.ts'

let server: UploadServer
beforeAll(async () => {
  server = await startUploadServer()
})
afterAll(() => server.close())

interface Person {
  first?: string
  mobile: string
  email?: string
}

/** Loads people, and does the work after it. */
async function load(pharmacy: TestPharmacy, people: Readonly<Record<string, Person>>): Promise<void> {
  const rows = Object.entries(people).map(
    ([id, { first = id, mobile, email = '' }]) => `${id},${first},Roe,F,1950-05-05,${mobile},${email}`,
  )
  const done = await pharmacy.load({
    patients: `patient_id,first_name,last_name,sex,date_of_birth,mobile,email\n${rows.join('\n')}\n`,
    drugs: 'drug_id,name,atc\nA,Rosuvastatin,C10AA07\n',
    scripts: `script_id,dispensed_on,patient_id,drug_id\n${fresh('s')},2026-01-05,${Object.keys(people)[0]},A\n`,
  })
  expect([done.etl_state, done.notes]).toEqual(['COMPLETED', expect.any(String)])
  await followUp(server.services, pharmacy.companyId, pharmacy.id, ['contacts'])
}

const idOf = async ({ id }: TestPharmacy, number: string) =>
  (
    await asOwner<{ id: number }>(server, 'select id from patient where location_id = $1 and source_id = $2', [
      id,
      number,
    ])
  )[0]!.id

async function say(pharmacy: TestPharmacy, number: string, event: Unstamped<ConsentEvent>, at: string): Promise<void> {
  const entry = { locationId: pharmacy.id, patientId: await idOf(pharmacy, number), wording: 'STOP', source: 'reply' }
  await inScope(server.services.pools.app, { companyId: pharmacy.companyId, locationIds: [pharmacy.id] }, (tx) =>
    recordConsent(tx, { ...entry, at: new Date(at), event }, server.services.now()),
  )
}

const outAt = async ({ id }: TestPharmacy) =>
  (
    await asOwner<{ said: string }>(
      server,
      `select p.source_id || ':' || case when sms_health_outreach = 'out' then ' texts' else '' end
         || case when email_health_outreach = 'out' then ' emails' else '' end as said
       from consent c join patient p on p.location_id = c.location_id and p.id = c.patient_id
       where c.location_id = $1 and 'out' in (sms_health_outreach, email_health_outreach) order by 1`,
      [id],
    )
  ).map(({ said }) => said)

const remove = ({ id }: TestPharmacy) => asOwner(server, 'update location set removed_at = now() where id = $1', [id])
const NO_TEXTS = {
  type: 'form',
  answers: {
    ...{ health_outreach_sms_consent: false, health_outreach_email_consent: true },
    ...{ marketing_sms_consent: false, marketing_email_consent: true },
  },
} as const

it('what people said no to at a pharmacy that was removed counts at the company’s others: it was joined with one of them, or added again', async () => {
  const [closed, open] = [await server.pharmacy(), await server.pharmacy()]
  const [ann, ben, cho, dee] = [freshMobile(), freshMobile(), freshMobile(), freshMobile()]
  const [eve, sons] = [freshMobile(), freshMobile()]
  const email = 'cho@mail.example'
  await load(closed, {
    ann: { mobile: ann },
    ben: { mobile: ben },
    cho: { mobile: cho, email },
    dee: { mobile: dee },
    eve: { mobile: eve },
  })
  await say(closed, 'ann', { type: 'stop' }, '2026-03-03T00:00:00Z')
  await say(closed, 'ben', NO_TEXTS, '2026-03-03T00:00:00Z')
  await say(closed, 'cho', { type: 'unsubscribe' }, '2026-03-03T00:00:00Z')
  // Dee was texted at a number that her son has by now.
  const was = { id: await idOf(closed, 'dee'), locationId: closed.id, sms_to: sons, email_to: null }
  const run = await makeRun(server, { company: { id: closed.companyId } }, { state: 'done', patients: [was] })
  await asOwner(server, `update message set state = 'sent', sent_at = now() where run_id = $1`, [run.id])
  await say(closed, 'dee', { type: 'stop' }, '2026-03-03T00:00:00Z')
  await say(closed, 'eve', { type: 'stop' }, '2026-03-03T00:00:00Z')
  const people = {
    N1: { first: 'ann', mobile: ann },
    N2: { first: 'ben', mobile: ben },
    N3: { first: 'Sister', mobile: ben },
    N4: { first: 'Husband', mobile: freshMobile(), email },
    N5: { first: 'Son', mobile: sons },
    N6: { first: 'eve', mobile: eve },
  }
  await load(open, people)
  // While both are open, each is asked for itself.
  expect(await outAt(open)).toEqual([])
  await say(
    open,
    'N6',
    { ...NO_TEXTS, answers: { ...NO_TEXTS.answers, health_outreach_sms_consent: true } },
    '2026-04-04T00:00:00Z',
  )
  await remove(closed)
  await load(open, people)
  expect(await outAt(open)).toEqual(['N1: texts', 'N2: texts', 'N4: emails', 'N5: texts'])
  const entries = 'select count(*)::int as n from consent_entry where location_id = $1'
  const [before] = await asOwner(server, entries, [open.id])
  await load(open, people)
  expect(await asOwner(server, entries, [open.id])).toEqual([before])
})

it('another company’s removed pharmacy counts for nothing, nor does a Yes', async () => {
  const [closed, open] = [await server.pharmacy(), await server.pharmacy()]
  const [ann, ben] = [freshMobile(), freshMobile()]
  await load(closed, { ann: { mobile: ann }, ben: { mobile: ben } })
  await say(closed, 'ann', { type: 'stop' }, '2026-03-03T00:00:00Z')
  const yes = {
    ...NO_TEXTS,
    answers: { ...NO_TEXTS.answers, health_outreach_sms_consent: true, marketing_sms_consent: true },
  }
  await say(closed, 'ben', yes, '2026-03-03T00:00:00Z')
  const other = await makeCompany(server)
  await asOwner(server, 'update location set removed_at = now(), company_id = $2 where id = $1', [closed.id, other.id])
  await load(open, { ann: { mobile: ann }, ben: { mobile: ben } })
  expect(await outAt(open)).toEqual([])
  await asOwner(server, 'update location set company_id = $2 where id = $1', [closed.id, open.companyId])
  await load(open, { ann: { mobile: ann }, ben: { mobile: ben } })
  expect(await outAt(open)).toEqual(['ann: texts'])
  expect(
    await asOwner(
      server,
      `select from consent where location_id = $1 and 'in' in (sms_health_outreach, sms_marketing)`,
      [open.id],
    ),
  ).toEqual([])
})
