import { z } from 'zod'
import type { Env } from '../env.ts'
import { type HttpAnswer, type HttpCall, httpCall, NoAnswer } from './http-call.ts'

/** Who will look at a dashboard, and whose rows they may see. */
export interface GuestAsk {
  /** The dashboard's id for embedding, a uuid. */
  dashboardId: string
  username: string
  /** Internal id of the company, for the row filter. */
  companyId: number
}

/** The analytics server: issues tokens with which a browser may embed one dashboard. */
export interface Superset {
  /** @throws SupersetFailure if there is none within half a minute */
  guestToken: (ask: GuestAsk) => Promise<string>
}

/** Somebody is waiting for the token: this limit covers five requests, each of which may take 12 s. */
const LIMIT_MS = 30_000

/** Why there is no token, in plain words fit to show; contains neither tokens nor passwords. */
export class SupersetFailure extends Error {}

const AccessToken = z.object({ access_token: z.string().min(1) })
const CsrfToken = z.object({ result: z.string().min(1) })
const GuestToken = z.object({ token: z.string().min(1) })

type SupersetEnv = Pick<Env, 'SUPERSET_URL' | 'SUPERSET_USER' | 'SUPERSET_PASSWORD'>

/**
 * This installation's Superset; null if SUPERSET_URL is not set.
 * @param limitMs how long a token may take
 * @throws Error with a message fit to print when the account is missing
 */
export function openSuperset(env: SupersetEnv, limitMs = LIMIT_MS): Superset | null {
  const { SUPERSET_URL: url, SUPERSET_USER: username, SUPERSET_PASSWORD: password } = env
  if (!url) return null
  if (!username || !password) {
    throw new Error('SUPERSET_URL needs an account: set SUPERSET_USER and SUPERSET_PASSWORD. See docs/operations.md.')
  }
  return speaking(url.replace(/\/+$/, ''), { username, password }, limitMs)
}

/** A request for a token was refused because we are no longer signed in. */
class NotSignedIn extends Error {}

function speaking(base: string, account: { username: string; password: string }, limitMs: number): Superset {
  /** Our access token, shared by concurrent requests; renewed when Superset refuses it. */
  let signedIn: Promise<string> | null = null

  const ask = async <T>(
    what: string,
    schema: z.ZodType<T>,
    call: Pick<HttpCall, 'method' | 'headers' | 'until'> & { path: string; body?: object },
  ) => {
    const { path, body, ...rest } = call
    const all = { accept: 'application/json', ...(body ? { 'content-type': 'application/json' } : {}), ...rest.headers }
    const answer = await answerOf({
      ...{ ...rest, url: base + path, headers: all, body: body ? JSON.stringify(body) : null },
    })
    return { value: read(what, schema, answer), cookie: cookiesOf(answer) }
  }

  const signIn = async () => {
    const body = { ...account, provider: 'db', refresh: true }
    try {
      const path = '/api/v1/security/login'
      return (await ask('sign-in', AccessToken, { method: 'POST', path, headers: {}, body })).value.access_token
    } catch (error) {
      if (error instanceof NotSignedIn) throw new SupersetFailure('The analytics server does not accept our account.')
      throw error
    }
  }

  const token = async ({ dashboardId, username, companyId }: GuestAsk, access: string, until: AbortSignal) => {
    // Superset checks the referer of a request over https, and the form token against the cookie that came with it.
    const headers = { authorization: `Bearer ${access}`, referer: `${base}/` }
    const formPath = '/api/v1/security/csrf_token/'
    const form = await ask('form token', CsrfToken, { method: 'GET', path: formPath, headers, until })
    const body = {
      // Superset reads these names without checking that they exist.
      user: { username, first_name: '', last_name: '' },
      resources: [{ type: 'dashboard', id: dashboardId }],
      rls: [{ clause: companyClause(companyId) }],
    }
    const more = { 'x-csrftoken': form.value.result, ...(form.cookie ? { cookie: form.cookie } : {}) }
    const path = '/api/v1/security/guest_token/'
    const given = await ask('dashboard token', GuestToken, {
      method: 'POST',
      path,
      headers: { ...headers, ...more },
      body,
      until,
    })
    return given.value.token
  }

  const tokenOnce = async (asked: GuestAsk, until: AbortSignal) => {
    for (let again = false; ; again = true) {
      signedIn ??= signIn()
      const access = signedIn
      try {
        return await token(asked, await access, until)
      } catch (error) {
        // The first request to fail clears it; others may have signed in again meanwhile.
        if (signedIn === access) signedIn = null
        if (!(error instanceof NotSignedIn)) throw error
        if (again) throw new SupersetFailure('The analytics server does not let our account make dashboard tokens.')
      }
    }
  }

  return {
    async guestToken(asked) {
      const until = AbortSignal.timeout(limitMs)
      const late = Promise.withResolvers<never>()
      // A sign-in that others await too goes on, but each caller waits for it no longer than its own limit.
      until.addEventListener('abort', () =>
        late.reject(new SupersetFailure('The analytics server cannot be reached: it did not answer in time.')),
      )
      return Promise.race([tokenOnce(asked, until), late.promise])
    },
  }
}

/** The row filter, raw SQL in Superset: contains nothing but a whole number we hold. */
export function companyClause(companyId: number): string {
  if (!Number.isSafeInteger(companyId) || companyId < 1) throw new Error('a row filter is made of an id')
  return `company_id = ${companyId}`
}

async function answerOf(call: HttpCall): Promise<HttpAnswer> {
  try {
    return await httpCall(call)
  } catch (error) {
    if (error instanceof NoAnswer)
      throw new SupersetFailure(`The analytics server cannot be reached: ${error.message}.`)
    throw error
  }
}

function read<T>(what: string, schema: z.ZodType<T>, { status, body }: HttpAnswer): T {
  if (status === 401) throw new NotSignedIn(what)
  if (status === 403) throw new SupersetFailure('The analytics server does not let our account make dashboard tokens.')
  if (status === 400)
    throw new SupersetFailure('The analytics server does not know this dashboard, or refuses to embed it.')
  if (status !== 200) throw new SupersetFailure(`The analytics server answered ${status} when asked for a ${what}.`)
  const parsed = schema.safeParse(jsonOf(body))
  if (!parsed.success) throw new SupersetFailure(`The analytics server's answer holds no ${what}.`)
  return parsed.data
}

function jsonOf(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return null
  }
}

/** The cookies an answer sets, in the form the next request sends. */
function cookiesOf({ headers }: HttpAnswer): string {
  return [headers['set-cookie'] ?? []]
    .flat()
    .map((cookie) => cookie.split(';', 1)[0]!)
    .join('; ')
}
