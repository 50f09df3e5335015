import { contract } from '@pillar/contract'
import type { Handlers } from '../../api/context.ts'
import { notBuilt } from '../not-built.ts'
import { form, submit } from './consent-form.ts'
import { unsubscribe, unsubscribeForm } from './unsubscribe.ts'

export const consentHandlers: Handlers['consent'] = {
  ...notBuilt({ download: contract.consent.download }),
  async challenge(_input, { services }) {
    const { vendor, siteKey, challenge } = services.captcha
    return { vendor, site_key: siteKey, challenge: await challenge(services.now()) }
  },
  form,
  submit,
  unsubscribeForm,
  unsubscribe,
}
