import type { contract } from '@pillar/contract'
import type { HandlersOf } from '../../api/context.ts'

export const portalHandlers: HandlersOf<typeof contract.portal> = {
  async info(_input, { services }) {
    const { env, pools, mail } = services
    const demo = await pools.system
      .selectFrom('company')
      .select('id')
      .where('demo', '=', true)
      .limit(1)
      .executeTakeFirst()
    return {
      product_name: env.PRODUCT_NAME,
      country: env.COUNTRY,
      support_phone: env.SUPPORT_PHONE,
      support_email: env.SUPPORT_EMAIL,
      support_website: env.SUPPORT_WEBSITE,
      outbox: mail.kept,
      demo: demo !== undefined,
    }
  },
}
