import { formatDay } from '@pillar/domain/time/day'
import { dayIn } from '@pillar/domain/time/zone'
import { sql } from 'kysely'
import type { Services } from '../../api/context.ts'
import { sealBytes } from '../../api/seal.ts'
import { v7 as uuidv7 } from '../../api/uuid.ts'
import type { Tx } from '../../db/database.ts'
import { insertConsentForm } from '../trial/consent-form-admin.queries.ts'
import { insertApproval } from '../trial/ethics-admin.queries.ts'
import { DEMO_PARTNERS, DEMO_TRIALS, demoPdf } from './demo-trial.ts'

const DAY_MS = 86_400_000

/** Gives a demo its recruiters, provider and trials, and its trials login a recruiter. Existing ones stay. May run again. */
export async function addDemoTrials({ pools, secret }: Pick<Services, 'pools' | 'secret'>, now: Date): Promise<void> {
  await pools.staff.transaction().execute(async (tx) => {
    await addPartners(tx)
    const author = await tx.selectFrom('login').select('id').where('username', '=', 'support').executeTakeFirst()
    if (!author) return
    for (const trial of DEMO_TRIALS) await addTrial(tx, trial, secret, { loginId: author.id, now })
    await sql`
      update login set recruiter_provider_id = (select id from recruiter_provider where name = ${DEMO_PARTNERS[0][0]})
      where username = 'trials' and recruiter_provider_id is null
        and company_id in (select id from company where demo)`.execute(tx)
  })
}

async function addPartners(tx: Tx): Promise<void> {
  for (const [name, recruiter_or_provider, description] of DEMO_PARTNERS) {
    const host = `${name.toLowerCase().replaceAll(' ', '-')}.example`
    const at = `https://${host}`
    await tx
      .insertInto('recruiter_provider')
      .values({
        ...{
          uuid: uuidv7(),
          name,
          recruiter_or_provider,
          description,
          logo_url: `${at}/logo.svg`,
          phone: '02 5550 0190',
        },
        ...{ email: `hello@${host}`, website: `${at}/`, privacy_policy_url: `${at}/privacy` },
      })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  }
}

async function addTrial(
  tx: Tx,
  trial: (typeof DEMO_TRIALS)[number],
  secret: Buffer,
  by: { loginId: number; now: Date },
): Promise<void> {
  const { name, eligibility_criteria, rebate_type, rebates, running, forms, ethics } = trial
  const startedAt = new Date(by.now.getTime() - (running ?? 0) * DAY_MS)
  const started = formatDay(dayIn('Australia/Sydney', startedAt))
  const partner = (of: string) => sql<number>`(select id from recruiter_provider where name = ${of})`
  const made = await tx
    .insertInto('trial')
    .values({
      ...{
        uuid: uuidv7(),
        name,
        eligibility_criteria,
        rebate_type,
        ...rebates,
        filters: JSON.stringify(trial.filters),
      },
      ...{ recruiter_id: partner(trial.recruiter), provider_id: partner(trial.provider), created_by: by.loginId },
      ...{ active: running !== null, start_day: running === null ? null : started },
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst()
  if (!made) return
  await sql`
    insert into trial_template (trial_id, template_id)
    select ${made.id}, id from template where company_id is null and removed_at is null and name = 'Trial invitation'`.execute(
    tx,
  )
  for (const [at, form] of forms.entries())
    await insertConsentForm(tx, made.id, at + 1, form, { ...by, now: startedAt })
  if (!ethics) return
  const pdf = demoPdf(`Ethics approval ${ethics.number} for ${name}. Invented for the demo network.`)
  const approval = {
    ...ethics,
    approved_on: started,
    expires_on: null,
    filename: 'ethics-approval.pdf',
    bytes: pdf.length,
  }
  const sealed = (uuid: string) => sealBytes(secret, pdf, uuid, 'ethics approval')
  await insertApproval(tx, made.id, approval, sealed, { ...by, now: startedAt })
}
