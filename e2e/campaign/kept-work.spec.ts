import { expect, test } from '@playwright/test'
import { dialog } from '../support/dialog.ts'
import { makeNetwork, texted } from '../support/messaging.ts'
import { fillIn, open, PASSWORD } from '../support/people.ts'

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

test('a start date that cannot be read stays as it was typed and stops the campaign, and Pillar’s own way of writing one is read', async ({
  page,
}) => {
  test.slow()
  const network = await makeNetwork({ people: [texted()], campaign: 'Winter' })
  await open(page, '/campaigns?dialog=campaigns', network.username)
  await dialog(page, 'Campaigns').getByRole('button', { name: 'Copy', exact: true }).click()
  const form = dialog(page, 'Copy campaign')
  await form.getByLabel('Campaign name').fill('Spring')
  const start = form.getByLabel('Start date')
  await start.fill('31/2/2099')
  await form.getByRole('button', { name: 'Activate…' }).click()
  await expect(form.getByRole('alert')).toHaveText('Please enter a start date.')
  await expect(start).toHaveValue('31/2/2099')
  await expect(form.getByText('There is no such date. Write it as dd/mm/yyyy, or pick it.')).toBeVisible()
  await start.fill('3 Dec 2099')
  await start.press('Tab')
  await expect(start).toHaveValue('03/12/2099')
  await form.getByRole('button', { name: 'Activate…' }).click()
  const sure = dialog(page, 'Send “Spring”?')
  await expect(sure).toContainText('3 Dec 2099')
  await sure.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await sure.getByRole('button', { name: /^Send 1 text/ }).click()
  // Its messages are planned from that day: the server would refuse another one, after the password.
  await dialog(page, 'Campaigns').getByRole('button', { name: 'Edit', exact: true }).click()
  const edit = dialog(page, 'Edit campaign')
  await expect(edit.getByLabel('Start date')).toHaveValue('03/12/2099')
  await expect(edit.getByLabel('Start date')).toBeDisabled()
  await expect(edit.getByText('To change it, deactivate the campaign first')).toBeVisible()
})

test('what was typed when a session ended is back once the same person has signed in again', async ({ page }) => {
  test.slow()
  const network = await makeNetwork({ people: [texted()], campaign: 'Winter' })
  const endSession = () =>
    network.sql('update session set ended_at = now() where login_id = (select id from login where username = $1)', [
      network.username,
    ])
  const signInAgain = async () => {
    await expect(page.getByText('Your session has expired. Please sign in again.')).toBeVisible()
    await fillIn(page, network.username, PASSWORD)
  }
  const back = page.getByText('What you typed before you were signed out is back.')
  await open(page, '/campaigns?dialog=campaigns', network.username)
  await dialog(page, 'Campaigns').getByRole('button', { name: 'Copy', exact: true }).click()
  const form = dialog(page, 'Copy campaign')
  await form.getByLabel('Campaign name').fill('Summer')
  await form.getByLabel('Note').fill('Typed for an hour')
  await expect(form.getByText(/will receive this/)).toBeVisible()
  await endSession()
  await form.getByRole('button', { name: 'Save as inactive' }).click()
  const sure = dialog(page, 'Save “Summer” as inactive?')
  await sure.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await sure.getByRole('button', { name: 'Save as inactive' }).click()
  await signInAgain()
  await expect(form.getByLabel('Campaign name')).toHaveValue('Summer')
  await expect(form.getByLabel('Note')).toHaveValue('Typed for an hour')
  await expect(back).toBeVisible()

  await form.getByRole('button', { name: 'Cancel' }).click()
  await dialog(page, 'Leave without saving?').getByRole('button', { name: 'Leave without saving' }).click()
  await page.goto('/campaigns?dialog=new-template')
  await page.getByLabel('Template name').fill('Long letter')
  await page.getByRole('textbox', { name: 'Message' }).fill('Hi, ready at {Pharmacy Name}')
  await endSession()
  await page.getByRole('button', { name: 'Activate', exact: true }).click()
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.getByRole('button', { name: 'Activate template' }).click()
  await signInAgain()
  await expect(page.getByLabel('Template name')).toHaveValue('Long letter')
  await expect(page.getByRole('textbox', { name: 'Message' })).toContainText('Hi, ready at')
  await expect(back).toBeVisible()
})
