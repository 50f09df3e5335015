import { expect, test } from '@playwright/test'
import { dialog } from '../support/dialog.ts'
import { makeNetwork, texted } from '../support/messaging.ts'
import { open, PASSWORD } from '../support/people.ts'

test('without a connection saving says so at once, and what was typed is saved once it is back', async ({ page }) => {
  const network = await makeNetwork({ people: [texted()], campaign: 'Winter' })
  await open(page, '/campaigns?dialog=campaigns', network.username)
  await dialog(page, 'Campaigns').getByRole('button', { name: 'Copy', exact: true }).click()
  const form = dialog(page, 'Copy campaign')
  await form.getByLabel('Campaign name').fill('Summer')
  await form.getByLabel('Note').fill('Typed before the line went')
  await expect(form.getByText(/will receive this/)).toBeVisible()
  await page.context().setOffline(true)
  await form.getByRole('button', { name: 'Save as inactive' }).click()
  const sure = dialog(page, 'Save “Summer” as inactive?')
  await sure.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await sure.getByRole('button', { name: 'Save as inactive' }).click()
  await expect(sure.getByRole('alert')).toContainText('The server did not answer.')
  await page.context().setOffline(false)
  await sure.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await sure.getByRole('button', { name: 'Save as inactive' }).click()
  await expect(page.getByText('Campaign saved as inactive')).toBeVisible()
  await dialog(page, 'Campaigns')
    .getByRole('button', { name: /1 note/ })
    .click()
  await expect(page.getByText('Typed before the line went')).toBeVisible()
})

test('of one campaign edited in two tabs, the second keeps its changes in what the first has saved', async ({
  page,
}) => {
  test.slow()
  const network = await makeNetwork({ people: [texted()], campaign: 'Winter' })
  await open(page, '/campaigns?dialog=campaigns', network.username)
  await dialog(page, 'Campaigns').getByRole('button', { name: 'Edit', exact: true }).click()
  const other = await page.context().newPage()
  await other.goto(page.url())
  const save = async (tab: typeof page) => {
    await dialog(tab, 'Edit campaign').getByRole('button', { name: 'Save', exact: true }).click()
    await tab.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await tab.getByRole('button', { name: 'Save Changes' }).click()
  }
  await dialog(other, 'Edit campaign').getByLabel('Note').fill('Of the second tab')
  await dialog(page, 'Edit campaign').getByLabel('Campaign name').fill('Winter, renamed')
  await save(page)
  await expect(page.getByText('Campaign saved')).toBeVisible()
  await save(other)
  const form = dialog(other, 'Edit campaign')
  await form.getByRole('button', { name: 'Load the latest version, keep my changes' }).click()
  await expect(form.getByLabel('Campaign name')).toHaveValue('Winter, renamed')
  await expect(form.getByLabel('Note')).toHaveValue('Of the second tab')
  await save(other)
  await expect(other.getByText('Campaign saved')).toBeVisible()
})
