import type { Handlers } from '../../api/context.ts'
import { takeFile } from '../report/report-file.queries.ts'
import { form, submit } from './consent-form.ts'
import { downloadOf } from './download.ts'
import { unsubscribe, unsubscribeForm } from './unsubscribe.ts'

export const consentHandlers: Handlers['consent'] = {
  download: downloadOf(takeFile),
  async challenge(_input, { services }) {
    const { vendor, siteKey, challenge } = services.captcha
    return { vendor, site_key: siteKey, challenge: await challenge(services.now()) }
  },
  form,
  submit,
  unsubscribeForm,
  unsubscribe,
}
