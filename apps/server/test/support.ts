import { type AskOf, type Call, type ReplyOf, subjectOf } from '@pillar/contract'
import { IDLE_SECONDS } from '@pillar/domain/access/session'
import { makeCompany, makeLogin, type SignedIn, signIn, stepUp, type TestLogin } from './people.ts'
import type { Reply, TestServer } from './server.ts'

/** A support person who makes calls over HTTP, entering the password again where a call requires it. */
export interface Support {
  login: TestLogin
  tab: SignedIn
  company: { id: number; uuid: string; name: string }
  ask: <C extends Call>(call: C, input: AskOf<C>) => Promise<Reply<ReplyOf<C> & { code?: string; message?: string }>>
}

export async function makeSupport(server: TestServer): Promise<Support> {
  const company = await makeCompany(server)
  const login = await makeLogin(server, company.id, { flags: ['sr_login'] })
  const tab = await signIn(server, login)
  return { login, tab, company, ask: askAs(server, { login, tab }) }
}

/**
 * Makes calls over HTTP as a signed-in person, entering the password again where a call requires it, and signing in again where a test has
 * moved the clock.
 */
export function askAs(server: TestServer, { login, tab: first }: Pick<Support, 'login' | 'tab'>): Support['ask'] {
  let [tab, signedInAt] = [first, server.clock.offsetMs]
  return async (call, input) => {
    if (Math.abs(server.clock.offsetMs - signedInAt) > IDLE_SECONDS * 1000)
      [tab, signedInAt] = [await signIn(server, login), server.clock.offsetMs]
    const parsed = call.input.safeParse(input)
    const path = call.path.replaceAll(/\{(\w+)\}/g, (_, part: string) =>
      String((input as Record<string, unknown>)[part]),
    )
    const action = typeof call.stepUp === 'function' && parsed.success ? call.stepUp(parsed.data) : call.stepUp
    const object = parsed.success ? subjectOf(call, parsed.data) : null
    const headers = action && parsed.success ? await stepUp(server, { login, tab }, String(action), object) : tab.bearer
    return server.call(path, input as object, headers, call.method)
  }
}

/** The status and the sentence of a refusal. */
export const refusal = ({ status, body }: { status: number; body: { message?: string } }) => [status, body.message]
