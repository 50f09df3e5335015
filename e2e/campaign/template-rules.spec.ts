import { expect, type Page, test } from '@playwright/test'
import { dialog } from '../support/dialog.ts'
import { makeNetwork, texted } from '../support/messaging.ts'
import { open, PASSWORD, signInAs } from '../support/people.ts'

const message = (page: Page) => page.getByRole('textbox', { name: 'Message' })

test('pasted text becomes plain text; a wrong password saves nothing', async ({ page, context }) => {
  test.setTimeout(120_000)
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const network = await makeNetwork()
  await open(page, '/campaigns?dialog=new-template', network.username)
  await page.getByLabel('Template name').fill('Pasted')
  await message(page).click()
  // As a word processor copies it: markup beside the text, curly quotes, a long dash.
  await page.evaluate(async () => {
    const parts = {
      'text/html': '<p style="color:red"><b>It’s</b> “ready” – at {Pharmacy Name}</p>',
      'text/plain': 'It’s “ready” – at {Pharmacy Name}',
    }
    const blobs = Object.entries(parts).map(([type, text]) => [type, new Blob([text], { type })])
    await navigator.clipboard.write([new ClipboardItem(Object.fromEntries(blobs))])
  })
  await page.keyboard.press('Control+V')
  await expect(page.locator('.cm-chip')).toHaveCount(1)
  await expect(message(page)).toContainText(`It's "ready" - at`)
  await expect(page.getByText('1 part, 12c a text')).toBeVisible()

  const saved = () =>
    network.sql(`select body from template where company_id = $1 and name = 'Pasted'`, [network.company.id])
  await page.getByRole('button', { name: 'Save as inactive' }).click()
  const sure = dialog(page, 'Save “Pasted”?')
  await sure.getByLabel('Password', { exact: true }).fill('not the password')
  await sure.getByRole('button', { name: 'Save as inactive' }).click()
  await expect(sure.getByRole('alert')).toContainText(/password/i)
  expect(await saved()).toEqual([])
  await sure.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await sure.getByRole('button', { name: 'Save as inactive' }).click()
  await expect(dialog(page, 'Templates').getByRole('heading', { name: 'Pasted', level: 2 })).toBeVisible()
  expect(await saved()).toEqual([{ body: `It's "ready" - at {Pharmacy Name}` }])
})

test('the second person to save sees both versions, and continues with the saved one', async ({ page, context }) => {
  test.setTimeout(180_000)
  const network = await makeNetwork()
  await open(page, '/campaigns?dialog=templates', network.username)
  const other = await context.newPage()
  await other.goto('/campaigns?dialog=templates')
  const edit = async (on: Page, words: string) => {
    await dialog(on, 'Templates').getByRole('button', { name: 'Edit' }).click()
    await write(on, words)
  }
  const write = async (on: Page, words: string) => {
    await message(on).click()
    await on.keyboard.press('Control+End')
    await on.keyboard.type(words)
  }
  const save = async (on: Page) => {
    await dialog(on, 'Edit Template').getByRole('button', { name: 'Save', exact: true }).click()
    const sure = dialog(on, `Save “${network.template}”?`)
    await sure.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await sure.getByRole('button', { name: 'Update this template' }).click()
  }
  await edit(page, ' Second.')
  await edit(other, ' First.')
  await save(other)
  await expect(dialog(other, 'Edit Template')).toHaveCount(0)
  await save(page)
  const both = dialog(page, 'Edit Template').getByRole('alert')
  await expect(both).toContainText('Someone else saved this while you were editing.')
  await expect(both.getByRole('row', { name: /^Message/ })).toContainText(/First\..*Second\./s)
  const [kept] = await network.sql<{ body: string }>('select body from template where company_id = $1', [
    network.company.id,
  ])
  expect(kept?.body).toMatch(/ First\.$/)
  await dialog(page, 'Edit Template').getByRole('button', { name: 'Use the saved version' }).click()
  await expect(message(page)).toContainText('First.')
  await write(page, ' Second.')
  await save(page)
  await expect(dialog(page, 'Templates')).toContainText('First. Second.')
})

test('deactivating a template first names the campaigns that use it', async ({ page }) => {
  test.setTimeout(120_000)
  const network = await makeNetwork({ campaign: 'Repeats due' })
  await network.sql(`update campaign set active = true, start_day = current_date where company_id = $1`, [
    network.company.id,
  ])
  await open(page, '/campaigns?dialog=templates', network.username)
  const templates = dialog(page, 'Templates')
  await expect(templates.getByRole('list', { name: 'Campaigns' })).toHaveText('Repeats due')
  await templates.getByRole('button', { name: 'Deactivate…' }).click()
  await expect(dialog(page, `Deactivate “${network.template}”?`)).toContainText('Repeats due')
  await page.keyboard.press('Escape')
  await templates.getByRole('button', { name: 'Delete…' }).click()
  await expect(dialog(page, `Delete “${network.template}”?`)).toContainText('Repeats due')
  await page.keyboard.press('Escape')
  await expect(templates.getByRole('button', { name: 'Deactivate…' })).toBeVisible()
})

test('a template that was deactivated after its campaign was opened is named and activated with it', async ({
  page,
}) => {
  test.setTimeout(120_000)
  const network = await makeNetwork({ people: [texted()], campaign: 'Repeats due' })
  await open(page, '/campaigns?dialog=campaigns', network.username)
  const campaigns = dialog(page, 'Campaigns')
  await expect(campaigns.getByRole('button', { name: 'Activate…' })).toBeEnabled()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Templates', exact: true }).click()
  await dialog(page, 'Templates').getByRole('button', { name: 'Deactivate…' }).click()
  const off = dialog(page, `Deactivate “${network.template}”?`)
  await off.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await off.getByRole('button', { name: 'Deactivate template' }).click()
  await expect(dialog(page, 'Templates').getByRole('button', { name: 'Activate…' })).toBeVisible()
  await page.keyboard.press('Escape')

  await page.getByRole('button', { name: 'All campaigns' }).click()
  await campaigns.getByRole('button', { name: 'Activate…' }).click()
  const sure = dialog(page, 'Send “Repeats due”?')
  await expect(sure).toContainText(`1 template will be activated: ${network.template}.`)
  await sure.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await sure.getByRole('button', { name: /^Send 1 text/ }).click()
  await expect(campaigns.getByRole('button', { name: 'Deactivate…' })).toBeVisible()
})

test('a demo template and a demo campaign can be read but not changed', async ({ page }) => {
  const ask = await signInAs(page)
  const { templates } = await ask<{ templates: { template_id: string; demo: boolean }[] }>(
    'template/list/enterprise',
    {},
  )
  const template = templates.find(({ demo }) => demo)!.template_id
  await page.goto(`/campaigns?dialog=templates&template=${template}`)
  await expect(page.getByText('Demo templates cannot be edited or deleted.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Delete…' })).toHaveCount(0)
  await page.goto(`/campaigns?dialog=edit-template&template=${template}`)
  await expect(page.getByText('Demo templates cannot be edited', { exact: true })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Save', exact: true })).toHaveCount(0)

  const { campaigns } = await ask<{ campaigns: { campaign_id: string; demo: boolean }[] }>('campaign/enterprise/list', {
    search_term: '',
  })
  const campaign = campaigns.find(({ demo }) => demo)!.campaign_id
  await page.goto(`/campaigns?dialog=campaigns&campaign=${campaign}`)
  await expect(page.getByText('Demo campaigns cannot be edited or deleted.')).toBeVisible()
  await page.goto(`/campaigns?dialog=edit-campaign&campaign=${campaign}`)
  await expect(page.getByText('Demo campaigns cannot be edited', { exact: true })).toBeVisible()
})
