import { Refusal } from '@pillar/contract'
import { CAPTCHA_SECONDS } from '@pillar/domain/consent/captcha'
import type { Services } from '../../api/context.ts'
import { reasonOf } from '../../api/log.ts'
import { firstUse } from './link-throttle.ts'

const refuse = (message: string) => new Refusal('invalid', message, { errors: { captcha: [message] } })

/**
 * Makes sure that a person sent this, once per tick.
 * @throws Refusal invalid if the tick is missing, wrong, too old or already used; unavailable if a vendor does not answer
 */
export async function requirePerson(services: Services, solution: string | null | undefined): Promise<void> {
  if (services.captcha.vendor === 'none') return
  if (!solution) throw refuse('Please tick “I am a person”.')
  const checked = await services.captcha.check(solution, services.now()).catch((error: unknown) => {
    services.log.error({ reason: reasonOf(error) }, 'the captcha could not be checked')
    throw new Refusal(
      'unavailable',
      'The check that you are a person does not answer. Nothing was changed. Please try again.',
      { retryAfter: 5 },
    )
  })
  if (!checked.ok || !(await firstUse(services, checked.once, CAPTCHA_SECONDS))) {
    throw refuse('Your tick “I am a person” no longer counts. Please tick it again.')
  }
}
