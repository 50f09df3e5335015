import { expect, test } from '@playwright/test'
import { open } from '../support/people.ts'
import { find, row, unique, write } from '../support/settings.ts'

const LAPTOP = { width: 1280, height: 800 }
const PHONE = { width: 390, height: 844 }
const WORD = 'Donaudampfschifffahrtselektrizitaetenhauptbetriebswerkbauunterbeamtengesellschaft'

test('a name of one long word leaves the acts of its row in view, and on a phone the other columns', async ({
  page,
}) => {
  await page.setViewportSize(LAPTOP)
  const company_name = unique(WORD)
  const stamp = Date.now()
  const ask = await open(page, '/settings', 'support')
  const person = { email: `otto${stamp}@mail.example`, first_name: 'Otto', last_name: 'Au' }
  const flags = { sixty_day_signup: true, cloud_ecdr: true, ad_dashboard: true, supplier_dashboard: true }
  await write(ask, 'company/create', { company_name, username: `otto${stamp}`, ...person, ...flags }, null)
  await page.reload()
  await find(page, 'Find a company', company_name)
  const edit = page.getByRole('button', { name: `Edit ${company_name}` })
  await expect(edit).toBeInViewport({ ratio: 1 })

  await page.setViewportSize(PHONE)
  const name = row(page, company_name).getByRole('rowheader')
  await edit.scrollIntoViewIfNeeded()
  await expect(edit).toBeInViewport({ ratio: 1 })
  expect((await name.boundingBox())!.width).toBeLessThan(PHONE.width / 2)
})

test('on a phone the tab that is open is in view', async ({ page }) => {
  await page.setViewportSize(PHONE)
  await open(page, '/settings?tab=7&list=events', 'support')
  const tabs = page.getByRole('navigation', { name: 'Settings' })
  await expect(tabs.getByRole('link', { name: 'Sequences' })).toBeInViewport({ ratio: 0.9 })
  await expect(tabs.getByRole('link', { name: 'Companies' })).not.toBeInViewport()
  await page.goto('/settings')
  await expect(tabs.getByRole('link', { name: 'Companies' })).toBeInViewport({ ratio: 0.9 })
})
