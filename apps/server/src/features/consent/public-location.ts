import { Refusal } from '@pillar/contract'
import type { Services } from '../../api/context.ts'
import type { Tx } from '../../db/database.ts'
import { inScope } from '../../db/scope.ts'
import { readPublicLocation } from './consent-request.queries.ts'

/** Runs `work` in a transaction that sees only one pharmacy. */
export function atPharmacy<T>(
  services: Services,
  place: { companyId: number; locationId: number },
  work: (tx: Tx) => Promise<T>,
): Promise<T> {
  return inScope(services.pools.app, { companyId: place.companyId, locationIds: [place.locationId] }, work)
}

/** The pharmacy as the public pages show it, with the privacy policy of its country. @throws Refusal not_found with `dead` */
export async function publicLocation(tx: Tx, { env }: Services, locationId: number, dead: string) {
  const row = await readPublicLocation(tx, locationId)
  if (!row) throw new Refusal('not_found', dead)
  const country = row.country as 'AU' | 'GB' | 'US'
  const privacy = { AU: env.PRIVACY_URL, GB: env.PRIVACY_URL_GB, US: env.PRIVACY_URL_US }
  return { ...row, country, privacy_url: privacy[country] }
}
