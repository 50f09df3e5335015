import type { ReplyOf } from '@pillar/contract'
import type { financials } from '@pillar/contract/financials'
import type { s8 } from '@pillar/contract/s8'
import type { Page } from '@playwright/test'
import { addPerson } from './install.ts'
import { RUNNING, signInAs } from './people.ts'

/** A campaign of the demo network. */
const CAMPAIGN = '0192d3b0-0002-7000-8000-000000000003'
const SETTINGS = Array.from({ length: 9 }, (_, tab) => `/settings?tab=${tab}`)

/** Who opens each route of the portal, and at which addresses; the first ones are the screens, `more` what they show on request. */
export interface Opened {
  person: string
  addresses: readonly string[]
  more?: readonly string[]
}

/** The addresses of every route, by its path in the route tree. */
export async function openedOf(page: Page): Promise<Record<string, Opened>> {
  const head = await signInAs(page)
  const { pharmacies } = await head<ReplyOf<typeof financials.initInfo>>('enterprise-init-info', RUNNING)
  const controlled = await signInAs(page, 'controlled')
  const { results } = await controlled<ReplyOf<typeof s8.stats>>('s8/stats/list', { page: 1, name: '' })
  // Head office has not agreed to anything yet: another test does that.
  const signed = `signed-${Date.now()}`
  await addPerson('Saltbush Pharmacy Group', 'AU', signed, false, ['sixty_day_signup'])
  await (await signInAs(page, signed))('user/confirm-portal-eula', {})
  const pharmacy = `/financials/pharmacy/${pharmacies[0]!.pharmacy_id}`
  const register = `/s8management?pharmacy=${results[0]!.location.uuid}`
  const dialogs = (await import('../../apps/web/src/frame/dialog-address.ts')).DIALOG_NAMES
  return {
    '/': { person: 'headoffice', addresses: ['/'] },
    '/financials': {
      person: 'headoffice',
      addresses: ['/financials'],
      more: ['/financials?view=chart', '/financials?statistic=adherence'],
    },
    '/financials/pharmacy/$id': {
      person: 'headoffice',
      addresses: [pharmacy],
      more: ['patients', 'persistence', 'campaigns', 'uploads'].map((tab) => `${pharmacy}?tab=${tab}`),
    },
    '/campaigns': {
      person: 'headoffice',
      addresses: ['/campaigns'],
      more: dialogs.map(
        (name) => `/campaigns?dialog=${name}${name === 'edit-campaign' ? `&campaign=${CAMPAIGN}` : ''}`,
      ),
    },
    '/campaigns/$id': {
      person: 'headoffice',
      addresses: [`/campaigns/${CAMPAIGN}`],
      more: ['messages', 'set-up'].map((tab) => `/campaigns/${CAMPAIGN}?tab=${tab}`),
    },
    '/activity': { person: 'headoffice', addresses: ['/activity'] },
    '/outbox': { person: 'support', addresses: ['/outbox'] },
    '/settings': { person: 'support', addresses: SETTINGS, more: [] },
    '/sixtydd': { person: signed, addresses: ['/sixtydd'] },
    '/guildsixtydd': { person: 'guild', addresses: ['/guildsixtydd'] },
    '/s8management': {
      person: 'controlled',
      addresses: ['/s8management', register],
      more: ['/s8management?view=attention', `${register}&view=drug`],
    },
    '/analytics': { person: 'supplier', addresses: ['/analytics'] },
    '/referrals': { person: 'trials', addresses: ['/referrals'] },
  }
}
