import type { ConsentKind } from '@pillar/domain/consent/consent'
import type { Services } from '../../../api/context.ts'
import type { Tx } from '../../../db/database.ts'
import { consentHash, consentToken, OPT_OUT_TOKEN_LENGTH, optOutToken, unsubscribeToken } from './consent-token.ts'

const LIFETIME_MS = 90 * 24 * 3600_000

/** The length of a consent link's secret part. */
const CONSENT_TOKEN_LENGTH = 22

type LinkServices = Pick<Services, 'linkSecret' | 'publicUrl' | 'now'>

/** A message about to be handed over that asks for consent. */
export interface AskingMessage {
  locationId: number
  id: number
  patientId: number
  /** The kinds the form asks about; both if absent. */
  kinds?: Readonly<Record<ConsentKind, boolean>>
}

/** The address without a country prefix: shorter in a text, and the page learns the country from the pharmacy. */
const at = (services: Pick<LinkServices, 'publicUrl'>, path: string) => new URL(path, services.publicUrl()).href

/**
 * The consent links of messages about to be handed over, by message id. Each is stored as a request that ends after 90 days or with its
 * first submission. Requesting a message's link again returns the same link and extends nothing.
 */
export async function consentLinks(
  tx: Tx,
  services: LinkServices,
  messages: readonly AskingMessage[],
): Promise<Map<number, string>> {
  const now = services.now()
  const links = new Map<number, string>()
  if (messages.length === 0) return links
  const rows = messages.map(({ locationId, id, patientId, kinds }) => {
    const token = consentToken(services.linkSecret, { locationId, messageId: id })
    links.set(id, at(services, `/consent/${token}`))
    return {
      location_id: locationId,
      token_hash: consentHash(services.linkSecret, token),
      patient_id: patientId,
      message_id: id,
      marketing: kinds?.marketing ?? true,
      health_outreach: kinds?.health_outreach ?? true,
      created_at: now,
      expires_at: new Date(now.getTime() + LIFETIME_MS),
    }
  })
  await tx
    .insertInto('consent_request')
    .values(rows)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  return links
}

/** Where a person ends the email of a pharmacy: the page for people, and the address mail programs post to (RFC 8058). */
export interface UnsubscribeLink {
  unsubscribeUrl: string
  oneClickUrl: string
}

/** The unsubscribe addresses of one email. They never expire, may be used repeatedly, and need no database row. */
export function unsubscribeLink(services: LinkServices, locationId: number, messageId: number): UnsubscribeLink {
  const token = unsubscribeToken(services.linkSecret, { locationId, messageId })
  return {
    unsubscribeUrl: at(services, `/unsubscribe/${token}`),
    oneClickUrl: at(services, `/unsubscribe-one-click/${token}`),
  }
}

/**
 * Where a person ends the texts of a pharmacy whose sender cannot be answered. The path is short because every character of a text costs
 * money. All such links of an installation have the same length, never expire, may be used repeatedly, and need no database row.
 */
export function optOutLink(services: LinkServices, locationId: number, messageId: number): string {
  return at(services, `/u/${optOutToken(services.linkSecret, { locationId, messageId })}`)
}

/** Sample links for measuring a text: exactly as long as the real ones, and they open nothing. */
export function linksLike(services: Pick<LinkServices, 'publicUrl'>): { consentLink: string; optOutLink: string } {
  return {
    consentLink: at(services, `/consent/${'x'.repeat(CONSENT_TOKEN_LENGTH)}`),
    optOutLink: at(services, `/u/${'x'.repeat(OPT_OUT_TOKEN_LENGTH)}`),
  }
}
