import { createHmac } from 'node:crypto'
import { GUEST_SECONDS } from '@pillar/domain/board/board'
import { jwtVerify, SignJWT } from 'jose'
import { z } from 'zod'
import { companyClause } from '../../gateways/superset.ts'

const AUDIENCE = 'pillar-boards'

/** The claims of a token for one of our own boards, in the shape of Superset's. */
const Claims = z.object({
  type: z.literal('guest'),
  resources: z.tuple([z.object({ type: z.literal('dashboard'), id: z.uuid() })]),
  company_id: z.number().int(),
  /** The session it was given to, with which it ends. */
  sid: z.string(),
})

export interface Guest {
  /** The dashboard's id for embedding. */
  dashboardId: string
  companyId: number
  sessionId: string
}

/** A separate key, derived from the installation's. */
const keyOf = (secret: Buffer) => createHmac('sha256', secret).update('board:guest').digest()

/** A token with which a frame may read one board of one company, for 300 seconds while the session lasts. */
export function signGuest(guest: Guest & { username: string }, secret: Buffer, now: Date): Promise<string> {
  const seconds = Math.floor(now.getTime() / 1000)
  const claims = {
    user: { username: guest.username, first_name: '', last_name: '' },
    resources: [{ type: 'dashboard', id: guest.dashboardId }],
    rls_rules: [{ clause: companyClause(guest.companyId) }],
    company_id: guest.companyId,
    sid: guest.sessionId,
    type: 'guest',
  }
  return new SignJWT(claims)
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
    .setAudience(AUDIENCE)
    .setIssuedAt(seconds)
    .setExpirationTime(seconds + GUEST_SECONDS)
    .sign(keyOf(secret))
}

/** The holder of a token; null if it is not ours, altered, expired, or of another kind. */
export async function readGuest(token: string, secret: Buffer, now: Date): Promise<Guest | null> {
  try {
    const { payload } = await jwtVerify(token, keyOf(secret), {
      algorithms: ['HS256'],
      audience: AUDIENCE,
      currentDate: now,
      requiredClaims: ['exp', 'iat'],
    })
    const { resources, company_id, sid } = Claims.parse(payload)
    return { dashboardId: resources[0].id, companyId: company_id, sessionId: sid }
  } catch {
    return null
  }
}
