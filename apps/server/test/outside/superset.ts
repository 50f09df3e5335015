import { randomBytes } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import { SignJWT } from 'jose'
import { type HeardRequest, type Peer, startPeer } from './peer.ts'

/** A Superset on this machine: the calls a token needs, with the same checks, and the page a browser embeds. */
export interface FakeSuperset extends Peer {
  account: { username: string; password: string }
  /** Dashboards that may be embedded. */
  dashboards: string[]
  /** Seconds a guest token lasts. */
  lifetime: number
  /** Makes every access token expire. */
  expire: () => void
  /** The requests for guest tokens. */
  asked: { user: { username: string }; resources: { type: string; id: string }[]; rls: { clause: string }[] }[]
}

const KEY = Buffer.from('a secret that only this Superset knows')

/**
 * Plays Superset as in its sources (superset/security/api.py, flask-wtf's form tokens, superset-frontend/src/embedded): a sign-in returns
 * an access token, a form token belongs to the session cookie set with it, and a guest token needs all three and an account's names.
 */
export async function startSuperset(): Promise<FakeSuperset> {
  const peer = await startPeer()
  const access = new Set<string>()
  const forms = new Map<string, string>()
  const superset: FakeSuperset = Object.assign(peer, {
    account: { username: 'pillar', password: 'a long password' },
    dashboards: [] as string[],
    lifetime: 300,
    expire: () => access.clear(),
    asked: [] as FakeSuperset['asked'],
  })
  const fresh = () => randomBytes(12).toString('hex')
  peer.answer = async (heard, response) => {
    const { url, method } = heard
    if (url.pathname.startsWith('/embedded/')) return page(response)
    if (url.pathname === '/api/v1/security/login' && method === 'POST') {
      const body = JSON.parse(heard.body) as Record<string, unknown>
      const known = body.username === superset.account.username && body.password === superset.account.password
      if (!known || body.provider !== 'db') return reply(response, 401, { message: 'Not authorized' })
      const token = fresh()
      access.add(token)
      return reply(response, 200, { access_token: token, refresh_token: fresh() })
    }
    if (url.pathname === '/api/v1/me/roles/') return reply(response, 200, { result: {} })
    if (!access.has(/^Bearer (.+)$/.exec(heard.headers.authorization ?? '')?.[1] ?? ''))
      return reply(response, 401, { msg: 'Token has expired' })
    if (url.pathname === '/api/v1/security/csrf_token/' && method === 'GET') {
      const [session, form] = [fresh(), fresh()]
      forms.set(session, form)
      response.setHeader('set-cookie', `session=${session}; HttpOnly; Path=/; SameSite=Lax`)
      return reply(response, 200, { result: form })
    }
    if (url.pathname === '/api/v1/security/guest_token/' && method === 'POST') return guest(heard, response)
    return reply(response, 404, {})
  }

  async function guest(heard: HeardRequest, response: ServerResponse) {
    const session = /session=(\w+)/.exec(heard.headers.cookie ?? '')?.[1]
    if (!session || forms.get(session) !== heard.headers['x-csrftoken'])
      return reply(response, 400, { errors: [{ message: '400 Bad Request: The CSRF session token is missing.' }] })
    if (!String(heard.headers.referer ?? '').startsWith(peer.url))
      return reply(response, 400, { errors: [{ message: '400 Bad Request: The referrer does not match the host.' }] })
    const body = JSON.parse(heard.body) as FakeSuperset['asked'][number]
    // It reads the user without checking that it exists.
    if (!body.user) return reply(response, 500, { message: "'user'" })
    if (!body.resources.every((one) => superset.dashboards.includes(one.id)))
      return reply(response, 400, { message: 'Embedded dashboard not found' })
    superset.asked.push(body)
    const now = Math.floor(Date.now() / 1000)
    const token = await new SignJWT({ user: body.user, resources: body.resources, rls_rules: body.rls, type: 'guest' })
      .setProtectedHeader({ alg: 'HS256' })
      .setIssuedAt(now)
      .setExpirationTime(now + superset.lifetime)
      .setAudience(peer.url)
      .sign(KEY)
    return reply(response, 200, { token })
  }
  return superset
}

function reply(response: ServerResponse, status: number, body: object): undefined {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

/** The embedded page's side of the message channel: it shows which tokens it was given. */
function page(response: ServerResponse): undefined {
  response.writeHead(200, { 'content-type': 'text/html' }).end(`<!doctype html><title>Superset</title>
<p id="told">Waiting for a token</p><script>
let tokens = 0
addEventListener('message', (event) => {
  const port = event.ports[0]
  if (event.data?.type !== '__embedded_comms__' || event.data.handshake !== 'port transfer' || !port) return
  port.onmessage = ({ data }) => {
    if (data.switchboardAction === 'emit' && data.method === 'guestToken') {
      const claims = JSON.parse(atob(data.args.guestToken.split('.')[1].replaceAll('-', '+').replaceAll('_', '/')))
      document.getElementById('told').textContent = 'Token ' + ++tokens + ' for ' + claims.rls_rules[0].clause
    }
    if (data.switchboardAction === 'get') port.postMessage({ switchboardAction: 'reply', messageId: data.messageId, result: { width: 1, height: 1 } })
  }
})
</script>`)
}
