import { expect, test } from '@playwright/test'
import { dialog } from '../support/dialog.ts'
import { open, signInAs } from '../support/people.ts'
import { find, row, unique, write } from '../support/settings.ts'

const LAPTOP = { width: 1280, height: 800 }
const PHONE = { width: 390, height: 844 }
const WORD = 'Donaudampfschifffahrtselektrizitaetenhauptbetriebswerkbauunterbeamtengesellschaft'

test('a name of one long word leaves acts in view, and on a phone the other columns and a dialog’s close button', async ({
  page,
}) => {
  await page.setViewportSize(LAPTOP)
  const company_name = unique(WORD)
  const stamp = Date.now()
  const ask = await signInAs(page, 'support')
  const person = { email: `otto${stamp}@mail.example`, first_name: 'Otto', last_name: 'Au' }
  const flags = { sixty_day_signup: true, cloud_ecdr: true, ad_dashboard: true, supplier_dashboard: true }
  await write(ask, 'company/create', { company_name, username: `otto${stamp}`, ...person, ...flags }, null)
  await page.goto('/settings')
  await find(page, 'Find a company', company_name)
  const edit = page.getByRole('button', { name: `Edit ${company_name}` })
  await expect(edit).toBeInViewport({ ratio: 1 })

  await page.setViewportSize(PHONE)
  const name = row(page, company_name).getByRole('rowheader')
  await edit.scrollIntoViewIfNeeded()
  await expect(edit).toBeInViewport({ ratio: 1 })
  expect((await name.boundingBox())!.width).toBeLessThan(PHONE.width / 2)

  await page.getByRole('button', { name: `More about ${company_name}` }).click()
  await page.getByRole('menuitem', { name: 'Sending rules' }).click()
  const rules = dialog(page, `Sending rules: ${company_name}`)
  await expect(rules.getByRole('button', { name: 'Close', exact: true })).toBeInViewport({ ratio: 1 })
})

test('on a phone long names leave a form its width', async ({ page }) => {
  const ask = await open(page, '/settings', 'support')
  const title = unique(WORD)
  const body = 'Hi {First Name}, {Pharmacy Name} has news.'
  const template_recommendations: string[] = []
  for (const name of [`${title} 1`, `${title} 2`, `${title} 3`]) {
    const template = { name, body, sms_template: true }
    const { id } = await write<{ id: string }>(ask, 'template-recommendation/admin/create', template, null)
    template_recommendations.push(id)
  }
  const goal = { goal_type: 'scripts', measure_by: 'target', goal: 10 }
  await write(
    ask,
    'campaign-recommendation/admin/create',
    { name: title, description: 'News', ...goal, template_recommendations },
    null,
  )
  await page.setViewportSize(PHONE)
  await page.goto(`/settings?tab=3&find=${encodeURIComponent(title)}`)
  await page.getByRole('button', { name: `Edit ${title}` }).click()
  const form = dialog(page, 'Edit recommended campaign')
  await expect(form.getByLabel('Campaign name')).toHaveValue(title)
  await expect(form.getByText('+ 1 more')).toBeInViewport({ ratio: 1 })
})

test('on a phone the open tab is in view', async ({ page }) => {
  await page.setViewportSize(PHONE)
  await open(page, '/settings?tab=7&list=events', 'support')
  const tabs = page.getByRole('navigation', { name: 'Settings' })
  await expect(tabs.getByRole('link', { name: 'Sequences' })).toBeInViewport({ ratio: 0.9 })
  await expect(tabs.getByRole('link', { name: 'Companies' })).not.toBeInViewport()
  await page.goto('/settings')
  await expect(tabs.getByRole('link', { name: 'Companies' })).toBeInViewport({ ratio: 0.9 })
})

test('on a phone an ordinary address keeps its row as low as the others', async ({ page }) => {
  await page.setViewportSize(PHONE)
  await open(page, '/settings?tab=1&find=helen.kowalski', 'support')
  const line = row(page, 'Helen Kowalski')
  await expect(line).toBeVisible()
  expect((await line.boundingBox())!.height).toBeLessThan(64)
})
