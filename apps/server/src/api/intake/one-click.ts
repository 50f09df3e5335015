import { Refusal } from '@pillar/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { unsubscribeOneClick } from '../../features/consent/unsubscribe.ts'
import type { Services } from '../context.ts'
import { addressOf } from '../network.ts'
import { readForm } from './multipart.ts'

const BODY_BYTES = 2048
/** All that RFC 8058 lets a mail program send; in the case and with the line ends that some send it with. */
const isOneClick = (name: string, value: unknown) =>
  name.trim().toLowerCase() === 'list-unsubscribe' && String(value).trim().toLowerCase() === 'one-click'
const config = { needs: 'public', call: 'consent.one-click' } as object

/**
 * The address in the List-Unsubscribe header of every campaign e-mail. Mail programs post a form to it, without cookies and from anywhere,
 * so no same-origin rule applies: the token in the path is all the authority. Only this route accepts forms.
 */
export async function mountOneClick(app: FastifyInstance, services: Services): Promise<void> {
  await app.register(async (scope) => {
    // Whatever type it says it has, or none: the person asked for no more emails, and the token says who.
    scope.addContentTypeParser(
      '*',
      { parseAs: 'string', bodyLimit: BODY_BYTES },
      async (_request: FastifyRequest, body: string | Buffer) => new URLSearchParams(String(body)),
    )
    const url = '/unsubscribe-one-click/:token'
    scope.post<{ Params: { token: string } }>(url, { config }, async (request, reply) => {
      if (!(await saysOneClick(request))) {
        throw new Refusal('invalid', 'Send the form field List-Unsubscribe=One-Click. Nothing was changed.')
      }
      await unsubscribeOneClick(services, request.params.token, addressOf(request))
      return plain(reply).send('You have successfully unsubscribed from email communications.')
    })
    // A program that merely looks changes nothing; a person gets the page.
    scope.get<{ Params: { token: string } }>(url, { config }, async (request, reply) =>
      plain(reply).redirect(`/unsubscribe/${encodeURIComponent(request.params.token)}`, 303),
    )
  })
}

const plain = (reply: FastifyReply) => reply.type('text/plain; charset=utf-8').header('cache-control', 'no-store')

/** Accepts both of the RFC's encodings for the form. */
async function saysOneClick(request: FastifyRequest): Promise<boolean> {
  if (request.body instanceof URLSearchParams) return [...request.body].some(([name, value]) => isOneClick(name, value))
  if (!request.isMultipart()) return false
  for await (const part of readForm(request, { limits: { fields: 4, fieldSize: BODY_BYTES, files: 0 } })) {
    if (part.type === 'field' && isOneClick(part.fieldname, part.value)) return true
  }
  return false
}
