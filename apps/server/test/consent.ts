import { type Challenge, solveChallenge } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2'
import { consentLinks, optOutLink, unsubscribeLink } from '../src/features/consent/link/consent-link.queries.ts'
import { consentLog } from './field/opened.ts'
import { type MessagingWorld, makeRun, type TestPatient, type TestRun } from './messaging.ts'
import { asOwner } from './people.ts'
import type { TestServer } from './server.ts'

/** Ticks "I am a person" as the page does: requests a challenge and solves it. */
export async function solvedCaptcha(server: TestServer): Promise<string> {
  const { body } = await server.call<{ challenge: Challenge }>('/api/captcha-challenge')
  const solution = await solveChallenge({ challenge: body.challenge, deriveKey })
  return Buffer.from(JSON.stringify({ challenge: body.challenge, solution })).toString('base64')
}

const tokenOf = (url: string) => url.slice(url.lastIndexOf('/') + 1)

/** The message of a patient in a run. */
export async function messageOf(server: TestServer, run: TestRun, patient: TestPatient): Promise<number> {
  const [row] = await asOwner<{ id: string }>(
    server,
    'select id from message where run_id = $1 and location_id = $2 and patient_id = $3',
    [run.id, patient.locationId, patient.id],
  )
  return Number(row!.id)
}

/** A consent link as in a text to this patient. @returns the secret part of its address */
export async function consentTokenFor(
  server: TestServer,
  world: MessagingWorld,
  patient: TestPatient,
  kinds?: { health_outreach: boolean; marketing: boolean },
): Promise<string> {
  const run = await makeRun(server, world, { patients: [patient], context: 'communication' })
  const id = await messageOf(server, run, patient)
  const message = { locationId: patient.locationId, id, patientId: patient.id, ...(kinds ? { kinds } : {}) }
  return tokenOf((await world.inside((tx) => consentLinks(tx, server.services, [message]))).get(id)!)
}

/** The token of the unsubscribe link of an email to this patient, and its run. */
export async function unsubscribeTokenFor(
  server: TestServer,
  world: MessagingWorld,
  patient: TestPatient,
): Promise<{ token: string; run: TestRun }> {
  const run = await makeRun(server, world, { patients: [patient], channel: 'email' })
  const id = await messageOf(server, run, patient)
  return { token: tokenOf(unsubscribeLink(server.services, patient.locationId, id).unsubscribeUrl), run }
}

/** The token of the link in a text to this patient, and its run. */
export async function optOutTokenFor(
  server: TestServer,
  world: MessagingWorld,
  patient: TestPatient,
): Promise<{ token: string; run: TestRun }> {
  const run = await makeRun(server, world, { patients: [patient], smsSender: 'SALTBUSH' })
  const id = await messageOf(server, run, patient)
  return { token: tokenOf(optOutLink(server.services, patient.locationId, id)), run }
}

export type Choices = Record<
  'sms_health_outreach' | 'sms_marketing' | 'email_health_outreach' | 'email_marketing',
  string
>

/** The consent row of a patient; undefined while nothing is known. */
export async function consentRow(server: TestServer, patient: TestPatient): Promise<Choices | undefined> {
  const [row] = await asOwner<Choices>(
    server,
    `select sms_health_outreach, sms_marketing, email_health_outreach, email_marketing
     from consent where location_id = $1 and patient_id = $2`,
    [patient.locationId, patient.id],
  )
  return row
}

/** The log of a patient, oldest first. */
export async function logOf(server: TestServer, { id, locationId }: TestPatient) {
  return (await consentLog(server, [locationId])).filter(({ patient }) => patient === id)
}
