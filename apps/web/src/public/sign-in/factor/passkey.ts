import { startAuthentication, startRegistration } from '@simplewebauthn/browser'
import { RefusedError } from '../../../shared/refused.ts'

type Options = { challenge: string }
type Answer = { id: string; type: 'public-key' } & Record<string, unknown>

const STOPPED = 'No passkey was used: the request was cancelled or took too long. Please try again.'
const KNOWN = 'This device already has a passkey for this login.'

/** Runs the browser's own dialog; its many reasons for ending without an answer become one sentence. */
async function asked(run: () => Promise<unknown>): Promise<Answer> {
  try {
    return (await run()) as Answer
  } catch (error) {
    const known = error instanceof Error && error.name === 'InvalidStateError'
    // With a code: the server was not asked, so nothing can have been done.
    throw new RefusedError(0, known ? KNOWN : STOPPED, { code: 'invalid' })
  }
}

/** A passkey's answer to a challenge. @throws RefusedError with a sentence to show */
export const signWithPasskey = (options: Options): Promise<Answer> =>
  asked(() => startAuthentication({ optionsJSON: options as Parameters<typeof startAuthentication>[0]['optionsJSON'] }))

/** A new passkey. @throws RefusedError with a sentence to show */
export const makePasskey = (options: Options): Promise<Answer> =>
  asked(() => startRegistration({ optionsJSON: options as Parameters<typeof startRegistration>[0]['optionsJSON'] }))
