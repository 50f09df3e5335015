import { contract } from '@pillar/contract'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type MessagingWorld, makeMessagingWorld } from '../../../test/messaging.ts'
import { asOwner } from '../../../test/people.ts'
import { startTestServer, type TestServer } from '../../../test/server.ts'
import { makeSupport } from '../../../test/support.ts'
import { makeRecruiterLogin, makeRunningTrial, referredPatient } from '../../../test/trial.ts'
import { asRecruiter, inScope } from '../../db/scope.ts'

let server: TestServer
/** Pharmacies of two companies. */
let worlds: MessagingWorld[]
let trial: Awaited<ReturnType<typeof makeRunningTrial>>
let rivalTrial: Awaited<ReturnType<typeof makeRunningTrial>>

beforeAll(async () => {
  server = await startTestServer()
  const support = await makeSupport(server)
  worlds = [await makeMessagingWorld(server), await makeMessagingWorld(server)]
  trial = await makeRunningTrial(server, support)
  rivalTrial = await makeRunningTrial(server, support)
})
afterAll(() => server.close())

const referred = (trialId = trial.id, world = worlds[0]!) => referredPatient(server, world, trialId)

describe('the database', () => {
  it('shows a recruiter only referrals and no patients, and a pharmacy only its own', async () => {
    await referred()
    const theirs = await referred(rivalTrial.id, worlds[1])
    const { app } = server.services.pools
    const scope = { companyId: worlds[0]!.company.id, locationIds: worlds[0]!.scope.locationIds }
    const seen = await inScope(app, scope, (tx) =>
      asRecruiter(tx, trial.recruiterId, () =>
        tx.selectFrom('trial_referral').select('recruiter_id').distinct().execute(),
      ),
    )
    expect(seen).toEqual([{ recruiter_id: trial.recruiterId }])
    for (const table of ['patient', 'trial_participant', 'trial_link', 'message', 'company', 'location'])
      await expect(
        inScope(app, scope, (tx) =>
          asRecruiter(tx, trial.recruiterId, () => sql`select from ${sql.table(table)}`.execute(tx)),
        ),
        table,
      ).rejects.toThrow(`permission denied for table ${table}`)
    const readable = await asOwner(
      server,
      `select relname from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'v', 'p')
         and not exists (select from pg_depend where objid = pg_class.oid and deptype = 'e')
         and (has_table_privilege('pillar_recruiter', oid, 'select, insert, update, delete, truncate')
           or has_any_column_privilege('pillar_recruiter', oid, 'select, insert, update'))`,
    )
    expect(readable).toEqual([{ relname: 'trial_referral' }])
    const own = await inScope(app, scope, (tx) =>
      tx.selectFrom('trial_referral').select('patient_id').where('patient_id', '=', theirs.patient.id).execute(),
    )
    expect(own).toEqual([])
    await inScope(app, { companyId: 0, locationIds: [] }, async (tx) => {
      await asRecruiter(tx, trial.recruiterId, async () => {})
      expect(await tx.selectFrom('trial_referral').select('patient_id').execute()).toEqual([])
    })
    await expect(
      inScope(app, { companyId: 0, locationIds: [] }, (tx) =>
        asRecruiter(tx, trial.recruiterId, () => tx.updateTable('trial_referral').set({ enrolled: true }).execute()),
      ),
    ).rejects.toThrow('permission denied for table trial_referral')
  })

  it('opens referrals by one condition that a cluster can carry out, for a role that has no other', async () => {
    const policies = await asOwner(
      server,
      `select policyname, cmd, roles, qual from pg_policies
       where tablename = 'trial_referral' and (policyname = 'recruiter' or 'pillar_recruiter' = any (roles))`,
    )
    expect(policies).toEqual([
      {
        policyname: 'recruiter',
        cmd: 'SELECT',
        roles: '{pillar_recruiter}',
        qual: '(recruiter_id = scope_recruiter_id())',
      },
    ])
    const { app } = server.services.pools
    const searched = inScope(app, worlds[0]!.scope, (tx) => sql`select own_referrals(array['%'])`.execute(tx))
    await expect(searched).rejects.toThrow('permission denied for function own_referrals')
  })
})

it('a recruiter who is now a provider sees none of the referrals made to them: patients agreed to a recruiter', async () => {
  const { consent_id } = await referred()
  const { ask } = await makeRecruiterLogin(server, trial.recruiterId)
  const { list, history, edit } = contract.referral
  const asked = async () => [
    (await ask(list, {})).body.total > 0,
    (await ask(history, { consent_id })).status,
    (await ask(edit, { consent_id, enrolled: false, recruiter_contacted: null })).status,
  ]
  expect(await asked()).toEqual([true, 200, 200])
  const become = (kind: string) =>
    asOwner(server, 'update recruiter_provider set recruiter_or_provider = $2 where id = $1', [trial.recruiterId, kind])
  await become('provider')
  expect(await asked()).toEqual([false, 404, 404])
  await become('recruiter')
})
