import type { contract } from '@pillar/contract'
import type { HandlersOf } from '../../api/context.ts'
import { hasOutbox } from '../mail/outbox.queries.ts'
import { hasDemo } from './portal.queries.ts'
import { reportError } from './screen-error.ts'

export const portalHandlers: HandlersOf<typeof contract.portal> = {
  async info(_input, { services }) {
    const { env, mail, pools } = services
    return {
      product_name: env.PRODUCT_NAME,
      country: env.COUNTRY,
      support_phone: env.SUPPORT_PHONE,
      support_email: env.SUPPORT_EMAIL,
      support_website: env.SUPPORT_WEBSITE,
      outbox: await hasOutbox(services),
      sends_email: !mail.kept,
      demo: await hasDemo(pools.system),
    }
  },

  reportError,
}
