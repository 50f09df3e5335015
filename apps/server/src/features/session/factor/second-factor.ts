import { randomBytes } from 'node:crypto'
import { Refusal } from '@pillar/contract'
import {
  CODE_DIGITS,
  CODE_SECONDS,
  plainCode,
  plainRecoveryCode,
  RECOVERY_CODES,
  recoveryCode,
} from '@pillar/domain/access/second-factor'
import {
  type AuthenticationResponseJSON,
  generateAuthenticationOptions,
  generateRegistrationOptions,
  type RegistrationResponseJSON,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from '@simplewebauthn/server'
import { generateSecret, generateURI, verifySync } from 'otplib'
import type { Caller, Services } from '../../../api/context.ts'
import { seal, unseal } from '../../../api/seal.ts'
import type { Tx } from '../../../db/database.ts'
import {
  keepChallenge,
  lockApp,
  type Passkey,
  passkeysOf,
  setRecoveryCodes,
  startApp,
  takeChallenge,
  useAppStep,
  usePasskey,
  useRecoveryCode,
} from './second-factor.queries.ts'

type Who = Pick<Caller, 'loginId' | 'sessionId' | 'username'>

/** The owner to which the secret is sealed: it opens nowhere else. */
const sealedFor = (loginId: number) => `authenticator app of login ${loginId}`

/** The host name that this installation's passkeys belong to; null if it has only an IP address, to which browsers bind none. */
export function relyingParty(services: Pick<Services, 'publicUrl'>): { id: string; origin: string } | null {
  const { hostname, origin } = new URL(services.publicUrl())
  const isNumber = /^[\d.]+$/.test(hostname) || hostname.startsWith('[')
  return isNumber ? null : { id: hostname, origin }
}

function demandRelyingParty(services: Services): { id: string; origin: string } {
  const found = relyingParty(services)
  if (found) return found
  throw new Refusal(
    'conflict',
    'Passkeys need a host name, and this address is a number. Open Pillar by its name, or use an authenticator app.',
  )
}

/** A new secret for the app of a login. @throws Refusal conflict while another app is in use */
export async function newApp(tx: Tx, services: Services, who: Who): Promise<{ secret: string; uri: string }> {
  const secret = generateSecret()
  if (!(await startApp(tx, who.loginId, seal(services.secret, secret, sealedFor(who.loginId), 'authenticator app')))) {
    throw new Refusal('conflict', 'An authenticator app is already set up. Remove it first, then set up the new one.')
  }
  return { secret, uri: generateURI({ issuer: services.env.PRODUCT_NAME, label: who.username, secret }) }
}

/**
 * Whether a typed code is the app's present one, or that of half a minute ago, and unused. A correct one is used up.
 * @param confirmed whether only an activated app counts; otherwise its first code activates it
 */
export async function takeAppCode(
  tx: Tx,
  services: Services,
  loginId: number,
  typed: string,
  confirmed: boolean,
): Promise<boolean> {
  const token = plainCode(typed)
  const app = await lockApp(tx, loginId)
  if (token === null || !app || (app.confirmed_at !== null) !== confirmed) return false
  const now = services.now()
  const result = verifySync({
    secret: unseal(services.secret, app.sealed, sealedFor(loginId), 'authenticator app'),
    token,
    digits: CODE_DIGITS,
    period: CODE_SECONDS,
    epoch: Math.floor(now.getTime() / 1000),
    epochTolerance: CODE_SECONDS,
    afterTimeStep: app.last_step,
  })
  if (!result.valid || !('timeStep' in result)) return false
  await useAppStep(tx, loginId, result.timeStep, now)
  return true
}

/** Whether a typed recovery code is an unused one of this login; a correct one is used up. */
export const takeRecoveryCode = (tx: Tx, services: Services, loginId: number, typed: string): Promise<boolean> =>
  useRecoveryCode(tx, services.secret, loginId, plainRecoveryCode(typed), services.now())

/** Ten new recovery codes; the previous ones stop working. */
export async function newRecoveryCodes(tx: Tx, services: Services, loginId: number): Promise<string[]> {
  const codes = Array.from({ length: RECOVERY_CODES }, () => recoveryCode(randomBytes(10)))
  await setRecoveryCodes(tx, services.secret, loginId, codes.map(plainRecoveryCode))
  return codes
}

/** What a browser needs to make a passkey for this login. */
export async function passkeyOptions(tx: Tx, services: Services, who: Who) {
  const party = demandRelyingParty(services)
  const known = await passkeysOf(tx, who.loginId)
  const options = await generateRegistrationOptions({
    rpName: services.env.PRODUCT_NAME,
    rpID: party.id,
    userName: who.username,
    userID: new TextEncoder().encode(String(who.loginId)),
    attestationType: 'none',
    excludeCredentials: known.map(descriptor),
    authenticatorSelection: { residentKey: 'discouraged', userVerification: 'preferred' },
  })
  await keepChallenge(tx, who.sessionId, options.challenge, services.now())
  return options
}

const NO_PASSKEY = 'The passkey could not be checked. Please try again.'

/** A passkey that a browser has made for this session's challenge. @throws Refusal invalid */
export async function takeNewPasskey(
  tx: Tx,
  services: Services,
  who: Who,
  response: unknown,
): Promise<Pick<Passkey, 'credential_id' | 'public_key' | 'counter' | 'transports'>> {
  const party = demandRelyingParty(services)
  const expectedChallenge = await takeChallenge(tx, who.sessionId, services.now())
  if (expectedChallenge === null) throw new Refusal('invalid', NO_PASSKEY)
  const result = await verifyRegistrationResponse({
    response: response as RegistrationResponseJSON,
    expectedChallenge,
    expectedOrigin: party.origin,
    expectedRPID: party.id,
    requireUserVerification: false,
  }).catch(() => null)
  if (!result?.verified) throw new Refusal('invalid', NO_PASSKEY)
  const { credential } = result.registrationInfo
  return {
    credential_id: credential.id,
    public_key: Buffer.from(credential.publicKey),
    counter: credential.counter,
    transports: [...(credential.transports ?? [])],
  }
}

/** What a passkey of this login must sign. */
export async function challengeFor(tx: Tx, services: Services, who: Who) {
  const party = demandRelyingParty(services)
  const known = await passkeysOf(tx, who.loginId)
  if (known.length === 0) throw new Refusal('conflict', 'This login has no passkey. Please enter a code.')
  const options = await generateAuthenticationOptions({
    rpID: party.id,
    allowCredentials: known.map(descriptor),
    userVerification: 'preferred',
  })
  await keepChallenge(tx, who.sessionId, options.challenge, services.now())
  return options
}

/** Whether a browser's answer was signed by a passkey of this login for this session's challenge; the challenge is used up. */
export async function takePasskey(tx: Tx, services: Services, who: Who, response: { id: string }): Promise<boolean> {
  const party = relyingParty(services)
  const expectedChallenge = await takeChallenge(tx, who.sessionId, services.now())
  const passkey = (await passkeysOf(tx, who.loginId)).find(({ credential_id }) => credential_id === response.id)
  if (!party || expectedChallenge === null || !passkey) return false
  const result = await verifyAuthenticationResponse({
    response: response as AuthenticationResponseJSON,
    expectedChallenge,
    expectedOrigin: party.origin,
    expectedRPID: party.id,
    requireUserVerification: false,
    credential: { id: passkey.credential_id, publicKey: new Uint8Array(passkey.public_key), counter: passkey.counter },
  }).catch(() => null)
  if (!result?.verified) return false
  await usePasskey(tx, passkey.uuid, result.authenticationInfo.newCounter, services.now())
  return true
}

const descriptor = ({ credential_id, transports }: Passkey) => ({ id: credential_id, transports })
