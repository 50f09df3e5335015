import { day as dayOf } from '@pillar/domain/time/day'
import { formatDate } from '@pillar/domain/time/locale'
import { z } from 'zod'
import { recordAudit } from '../../../api/audit.ts'
import type { Services } from '../../../api/context.ts'
import { reasonOf } from '../../../api/log.ts'
import { job } from '../../../api/queue.ts'
import { atEach } from '../../../api/repeat.ts'
import { DatabaseAway } from '../../../db/away.ts'
import type { Tx } from '../../../db/database.ts'
import { inScope } from '../../../db/scope.ts'
import { queueOneOfMany } from '../../mail/mail.jobs.ts'
import { countTrials } from '../trial-count.jobs.ts'
import {
  addCancelled,
  cancelInvitations,
  closeChange,
  companiesInviting,
  noteLetters,
  type OpenChange,
  openChange,
  type TrialContact,
  trialContacts,
} from './trial-status.queries.ts'

/** The most pharmacies an email names. */
const MOST_NAMED = 20

/** The work that follows an activation or deactivation: cancels invitations and notifies pharmacies, once, however often the job runs. */
export const carryOutStatus = job({
  name: 'trial-status',
  payload: z.object({ change_id: z.number().int() }),
  concurrency: () => 1,
  retries: 8,
  again: true,
  async run({ change_id }, services) {
    const { pools } = services
    const change = await openChange(pools.system, change_id)
    if (!change) return
    // If cancelling fails at one company, pharmacies get their letters all the same.
    const failed = change.cancel_messages ? await cancelAll(services, change) : []
    if (change.letters === null) {
      if (change.notify_pharmacies) await countFirst(services, change)
      await pools.system.transaction().execute(async (tx) => {
        const contacts = change.notify_pharmacies ? await trialContacts(tx, change.trial_id) : []
        if (!(await noteLetters(tx, change.id, contacts.length))) return
        for (const contact of contacts) await queueOneOfMany(tx, services, letterOf(change, contact, services))
      })
    }
    if (failed.length > 0) throw failed[0]
    await closeChange(pools.system, change.id, services.now())
  },
})

/** How long a pharmacy that cannot be counted is retried before the others are notified. */
const WAITS_MS = 3_600_000

/**
 * Counts the trial first: who is notified depends on where it has eligible patients, and a new trial may not have been counted yet. A pharmacy
 * that cannot be counted is named in the log and notified by its earlier counts, if it has some; the others do not wait for it forever.
 */
async function countFirst(services: Services, { trial_id, at }: OpenChange): Promise<void> {
  try {
    await countTrials(services, trial_id, services.now())
  } catch (error) {
    if (error instanceof DatabaseAway || services.now().getTime() - at.getTime() < WAITS_MS) throw error
    services.log.error(
      { trial: trial_id, reason: reasonOf(error) },
      'pharmacies are notified of a trial that could not be counted everywhere',
    )
  }
}

/**
 * Cancels one company's invitations after another, each in its own scope and with a row in its own log. An interrupted job continues with the
 * companies that are left. @returns the errors of companies where it failed, each named in the log; the trial's screen names them too
 */
async function cancelAll({ pools, now, log }: Services, change: OpenChange): Promise<unknown[]> {
  let all = 0
  const failed = await atEach(
    { log },
    'invitations to a trial could not be cancelled',
    await companiesInviting(pools.system, change),
    ({ companyId }) => ({ company: companyId }),
    async (scope) => {
      all += await inScope(pools.app, scope, (tx) => cancelOf(tx, scope.companyId, change, now()))
    },
  )
  if (all > 0) await addCancelled(pools.system, change.id, all)
  return failed
}

async function cancelOf(tx: Tx, companyId: number, change: OpenChange, now: Date): Promise<number> {
  const cancelled = await cancelInvitations(tx, change, now)
  if (cancelled > 0)
    await recordAudit(tx, {
      caller: { companyId, loginId: change.login_id, sessionId: null },
      ...{ action: 'clinicalTrial.editActiveStatus', copy: true },
      ...{ object: change.trial_uuid, name: change.trial, detail: { cancelled } },
    })
  return cancelled
}

function letterOf(change: OpenChange, { email, first_name, country, pharmacies }: TrialContact, { env }: Services) {
  const { trial, recruiter, active } = change
  const date = (text: string) => formatDate(country, dayOf(text))
  const dates = active
    ? `It runs from ${change.start_day ? date(change.start_day) : 'today'}${change.end_day ? ` to ${date(change.end_day)}` : ''}.`
    : `Its last day is ${change.end_day ? date(change.end_day) : 'today'}.`
  const named = pharmacies.slice(0, MOST_NAMED).map((name) => `  ${name}`)
  const others = pharmacies.length - named.length
  return {
    to: email,
    subject: active ? `Clinical trial started: ${trial}` : `Clinical trial ended: ${trial}`,
    text: [
      `Hello ${first_name},`,
      active
        ? `The clinical trial "${trial}" has started. ${dates} ${recruiter} is looking for participants.`
        : `The clinical trial "${trial}" has ended. ${dates} No more invitations are sent.`,
      active
        ? 'Patients of these pharmacies may be eligible. Those who have not opted out can get an invitation:'
        : 'These pharmacies took part or had eligible patients:',
      [...named, ...(others > 0 ? [`  and ${others} more`] : [])].join('\n'),
      `Questions about the trial: ${recruiter}, ${change.recruiter_phone}, ${change.recruiter_email}.`,
      env.PRODUCT_NAME,
    ].join('\n\n'),
  }
}
