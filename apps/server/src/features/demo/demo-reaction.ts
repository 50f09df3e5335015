import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { day as dayOf, formatDay } from '@pillar/domain/time/day'
import { stringify } from 'csv-stringify/sync'
import type { Services } from '../../api/context.ts'
import { inScope } from '../../db/scope.ts'
import { takeAnswers } from '../consent/consent-answer.queries.ts'
import { findRequest } from '../consent/consent-request.queries.ts'
import { consentLinks } from '../consent/link/consent-link.queries.ts'
import { beginFollowUp } from '../upload/after-upload.queries.ts'
import type { findDemoCompany } from './demo-messaging.queries.ts'
import { type ReachedPatient, reachedPatients, treatedByPharmacy } from './demo-reaction.queries.ts'

type DemoCompany = NonNullable<Awaited<ReturnType<typeof findDemoCompany>>>

/** Uploads a folder of files as the pharmacy of that name would. */
export type SendFolder = (pharmacy: string, folder: string) => Promise<void>

/** Pharmacies whose patients react, those with most messages first: each adds an upload to the first start. */
const REACTING = 8
/** The share of patients reached there who come in for one more supply of what they take. */
const REFILL = 0.8
/** Days from the message to that supply: within the 30 that count, and with data even from a pharmacy that is slightly late. */
const SOONEST = 2
const SPREAD = 18
/** The share of people reached who answer the consent form, and of those, who also agree to marketing. */
const ANSWER = 0.1
const MARKETING = 0.6
const DAY_MS = 86_400_000

/** The effect of the reaction: the known uplift that the measured result has to find again. */
export interface Uplift {
  /** Dollars dispensed because of the messages. */
  dollars: number
  /** Everybody the campaign's messages were handed over for. */
  treated: number
  refills: number
  consents: number
}

/** A number from 0 to 1 for a pharmacy's patient and a purpose: the same at every start, whatever ids the database gives. */
function chance(pharmacy: string, patient: string, purpose: string): number {
  let hash = 0x811c9dc5
  for (const letter of `${purpose}/${pharmacy}/${patient}`) hash = Math.imul(hash ^ letter.charCodeAt(0), 0x01000193)
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  return ((hash ^ (hash >>> 15)) >>> 0) / 2 ** 32
}

/**
 * Makes the demo patients reached by a campaign react: at some pharmacies most come in once more, which their dispensing systems upload
 * like any other supply; a few answer the consent form, some with marketing. Those held out do nothing. @returns the effect
 */
export async function reactToCampaign(
  services: Services,
  company: DemoCompany,
  campaignId: number,
  send: SendFolder,
): Promise<Uplift> {
  const scope = { companyId: company.id, locationIds: company.location_ids }
  const places = await inScope(services.pools.app, scope, (tx) => treatedByPharmacy(tx, campaignId))
  const treated = places.reduce((sum, { people }) => sum + people, 0)
  const parts = await Promise.all(
    places.slice(0, REACTING).map(async (place) => {
      const reached = await inScope(services.pools.app, scope, async (tx) => {
        await beginFollowUp(tx)
        return reachedPatients(tx, place.id, campaignId)
      })
      const refills = reached.filter(({ patient }) => chance(place.name, patient, 'refill') < REFILL)
      if (refills.length > 0) await sendRefills(place.name, campaignId, refills, send)
      const consents = await answerForms(services, company, place, reached)
      const cents = refills.reduce((sum, one) => sum + one.priceCents + one.governmentCents, 0)
      return { cents, refills: refills.length, consents }
    }),
  )
  const sum = (of: (part: (typeof parts)[number]) => number) => parts.reduce((total, part) => total + of(part), 0)
  return {
    dollars: sum(({ cents }) => cents) / 100,
    treated,
    refills: sum(({ refills }) => refills),
    consents: sum(({ consents }) => consents),
  }
}

const COLUMNS = [
  ...['script_id', 'dispensed_on', 'patient_id', 'prescriber_id', 'drug_id', 'units', 'patient_type'],
  ...['patient_price', 'government_amount', 'cost'],
]

async function sendRefills(
  pharmacy: string,
  campaignId: number,
  refills: readonly ReachedPatient[],
  send: SendFolder,
): Promise<void> {
  const rows = refills.map((one) => [
    `refill-${campaignId}-${one.patient}`,
    formatDay(dayOf(one.sentOn) + SOONEST + Math.floor(chance(pharmacy, one.patient, 'day') * SPREAD)),
    ...[one.patient, one.prescriber, one.drug, one.units, one.type],
    ...[one.priceCents, one.governmentCents, one.costCents].map((cents) =>
      cents === null ? '' : (cents / 100).toFixed(2),
    ),
  ])
  const folder = await mkdtemp(join(tmpdir(), 'pillar-demo-'))
  try {
    await writeFile(join(folder, 'scripts.csv'), stringify([COLUMNS, ...rows]))
    await send(pharmacy, folder)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Some people follow the link of their message and answer the form, the day after it. @returns how many */
async function answerForms(
  services: Services,
  company: DemoCompany,
  place: { id: number; name: string },
  reached: readonly ReachedPatient[],
): Promise<number> {
  const some = reached.filter(({ patient }) => chance(place.name, patient, 'answer') < ANSWER)
  for (const one of some) {
    const past = { ...services, now: () => new Date(Date.parse(one.sentOn) + DAY_MS) }
    const asking = { locationId: place.id, id: one.messageId, patientId: one.patientId }
    const scope = { companyId: company.id, locationIds: [place.id] }
    const links = await inScope(services.pools.app, scope, (tx) => consentLinks(tx, past, [asking]))
    const token = links.get(one.messageId)!.split('/').at(-1)!
    const request = await findRequest(services.pools.system, services.linkSecret, token, past.now())
    if (!request) continue
    const marketing = chance(place.name, one.patient, 'marketing') < MARKETING
    await takeAnswers(past, request, {
      ...{ health_outreach_sms_consent: true, health_outreach_email_consent: true },
      ...{ marketing_sms_consent: marketing, marketing_email_consent: false },
    })
  }
  return some.length
}
