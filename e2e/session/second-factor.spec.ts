import { expect, type Page, test } from '@playwright/test'
import { codeAt } from '../../apps/server/test/authenticator.ts'
import { expectAccessibleInBoth } from '../support/axe.ts'
import { addPerson } from '../support/install.ts'
import { makeNetwork } from '../support/messaging.ts'
import { fillIn, loseCookies, PASSWORD } from '../support/people.ts'

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const code = (page: Page) => page.getByLabel('Code', { exact: true })
const seconds = () => Date.now() / 1000

/** A person in a separate company, outside the demo network. */
async function person(flags: Parameters<typeof addPerson>[4]): Promise<string> {
  const name = `factor-${Date.now()}-${test.info().parallelIndex}`
  await addPerson(`Company of ${name}`, 'AU', name, false, flags)
  return name
}

test('support sets up an authenticator app before anything else, and signs in with its code', { tag: '@main' }, async ({
  page,
}) => {
  test.setTimeout(120_000)
  const name = await person(['sr_login'])
  await page.goto('/login')
  await fillIn(page, name, PASSWORD)
  await expect(page).toHaveURL('/second-factor')
  await expect(page.getByText('To continue, set up a second factor')).toBeVisible()
  await page.goto('/settings')
  await expect(page).toHaveURL('/second-factor')

  await page.getByRole('button', { name: 'Set up' }).click()
  await expect(page.getByRole('img', { name: 'QR code' })).toBeVisible()
  const secret = (await page.locator('code').textContent())!.replaceAll(' ', '')
  await code(page).fill('000000')
  await button(page, 'Switch it on').click()
  await expect(page.getByRole('alert')).toContainText('That code is not right')
  await expectAccessibleInBoth(page, 'second factor')
  await code(page).fill(codeAt(secret, seconds()))
  await button(page, 'Switch it on').click()
  await expect(page.getByRole('listitem').filter({ hasText: /^[2-9A-Z]{5}-[2-9A-Z]{5}$/ })).toHaveCount(10)
  await expect(page.getByRole('heading', { name: 'Recovery codes' })).toBeFocused()
  const recovery = (await page.getByRole('listitem').first().textContent())!
  await expect(button(page, 'Continue')).toBeDisabled()
  await page.getByLabel('I have saved them').check()
  await button(page, 'Continue').click()
  await expectAccessibleInBoth(page, 'second factor')
  await button(page, 'Continue to the portal').click()
  await expect(page).toHaveURL(/settings/)

  await loseCookies(page)
  await page.goto('/login')
  await fillIn(page, name, PASSWORD)
  await expect(page).toHaveURL('/second-factor')
  await expect(code(page)).toBeFocused()
  await button(page, 'Continue').click()
  await expect(page.getByRole('alert')).toHaveText('Please enter the code.')
  // The code used to switch it on is used up.
  await code(page).fill(codeAt(secret, seconds() + 30))
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/settings/)

  await loseCookies(page)
  await page.goto('/login')
  await fillIn(page, name, PASSWORD)
  await button(page, 'Use a recovery code').click()
  await expect(page.getByLabel('Recovery code', { exact: true })).toBeFocused()
  await page.getByLabel('Recovery code', { exact: true }).fill(recovery.toLowerCase())
  await page.getByLabel('Don’t ask again on this browser for 30 days').check()
  await button(page, 'Continue').click()
  await expect(page).toHaveURL(/settings/)

  await page.getByRole('button', { name: /Test Person/ }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await fillIn(page, name, PASSWORD)
  await expect(page).toHaveURL(/settings/)

  // One code is used; ten new ones take the place of those that are left.
  await page.goto('/second-factor')
  await expect(page.getByText('9 left')).toBeVisible()
  await button(page, 'Get new codes').click()
  await expect(page.getByText('The 9 codes you have now will stop working')).toBeVisible()
  await button(page, 'Back').click()
  await expect(page.getByText('9 left')).toBeVisible()
  await button(page, 'Get new codes').click()
  await button(page, 'Get new codes').click()
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await button(page, 'Get new codes').click()
  await page.getByLabel('I have saved them').check()
  await button(page, 'Continue').click()
  await expect(page.getByText('10 left')).toBeVisible()
  // A login of support must have one, so the only one cannot be removed.
  await expect(button(page, 'Remove')).toBeDisabled()
  await expect(page.getByText('Add another one before you remove it.')).toBeVisible()
})

test('an authenticator app is set up long after signing in, with the password asked for once', async ({ page }) => {
  const { username, sql } = await makeNetwork()
  await page.goto('/login')
  await fillIn(page, username, PASSWORD)
  await expect(page).toHaveURL(/financials/)
  const older = `update session set created_at = created_at - interval '10 minutes'
    where login_id = (select id from login where username = $1)`
  await sql(older, [username])
  await page.goto('/second-factor')
  await button(page, 'Set up').click()
  await page.getByLabel('Password', { exact: true }).fill('wrong')
  await button(page, 'Continue').click()
  await expect(page.getByRole('alert')).toContainText('Incorrect username or password.')
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await button(page, 'Continue').click()
  await expect(page.getByRole('img', { name: 'QR code' })).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Authenticator app' })).toBeFocused()
  const secret = (await page.locator('code').textContent())!.replaceAll(' ', '')
  await code(page).fill(codeAt(secret, seconds()))
  await button(page, 'Switch it on').click()
  await expect(page.getByRole('heading', { name: 'Recovery codes' })).toBeFocused()
})

test('a passkey is added from the profile menu, and signs in', async ({ page }) => {
  const name = await person(['data_analytics'])
  const cdp = await page.context().newCDPSession(page)
  await cdp.send('WebAuthn.enable')
  await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: { protocol: 'ctap2', transport: 'internal', hasUserVerification: true, isUserVerified: true },
  })
  await page.goto('/login')
  await fillIn(page, name, PASSWORD)
  await page.getByRole('button', { name: /Test Person/ }).click()
  await page.getByRole('menuitem', { name: 'Second factor' }).click()
  await button(page, 'Add a passkey').click()
  await page.getByLabel('Name').fill('Work laptop')
  await button(page, 'Add the passkey').click()
  await page.getByLabel('I have saved them').check()
  await button(page, 'Continue').click()
  await expect(page.getByText('Work laptop')).toBeVisible()

  await loseCookies(page)
  await page.goto('/login')
  await fillIn(page, name, PASSWORD)
  await button(page, 'Use a passkey').click()
  await expect(page).not.toHaveURL('/second-factor')

  await page.goto('/second-factor')
  await button(page, 'Remove Work laptop').click()
  await expect(page.getByText('You then sign in with your password alone.')).toBeVisible()
  await page.getByLabel('Password', { exact: true }).fill('wrong')
  await button(page, 'Remove').click()
  await expect(page.getByRole('alert')).toContainText('Incorrect username or password.')
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await button(page, 'Remove').click()
  await expect(page.getByText('Work laptop')).toHaveCount(0)
  await expect(page.getByRole('heading', { name: 'Second factor' })).toBeFocused()
})

test('a missing passkey, or one already added, gives exactly that message', async ({ page }) => {
  const name = await person(['data_analytics'])
  await page.goto('/login')
  await fillIn(page, name, PASSWORD)
  await page.getByRole('button', { name: /Test Person/ }).click()
  await page.getByRole('menuitem', { name: 'Second factor' }).click()
  await button(page, 'Add a passkey').click()
  for (const [why, words] of [
    ['NotAllowedError', 'No passkey was used: the request was cancelled or took too long. Please try again.'],
    ['InvalidStateError', 'This device already has a passkey for this login.'],
  ] as const) {
    await page.evaluate((error) => {
      navigator.credentials.create = () => Promise.reject(new DOMException('', error))
    }, why)
    await button(page, 'Add the passkey').click()
    await expect(page.getByRole('alert')).toHaveText(words)
  }
  // It belongs to the passkey, not to the page behind.
  await button(page, 'Back').click()
  await expect(page.getByRole('alert')).toBeEmpty()
})

test('a session that ends at the second factor leads to the sign-in page', async ({ page }) => {
  const name = await person(['data_analytics'])
  await page.goto('/login')
  await fillIn(page, name, PASSWORD)
  await expect(page).not.toHaveURL(/login/)
  await page.goto('/second-factor')
  await expect(button(page, 'Set up')).toBeVisible()
  await page.context().clearCookies({ name: /^(?!pillar_signed_in)/ })
  await button(page, 'Set up').click()
  await expect(page).toHaveURL('/login')
  await expect(page.getByText('Your session has expired. Please sign in again.')).toBeVisible()
})

test('whoever signs in with one of the last recovery codes is told to get new ones', async ({ page }) => {
  const name = await person(['sr_login'])
  await page.goto('/login')
  await fillIn(page, name, PASSWORD)
  await button(page, 'Set up').click()
  const secret = (await page.locator('code').textContent())!.replaceAll(' ', '')
  await code(page).fill(codeAt(secret, seconds()))
  await button(page, 'Switch it on').click()
  await expect(page.locator('.codes li')).toHaveCount(10)
  const codes = await page.locator('.codes li').allTextContents()
  for (const recovery_code of codes.slice(0, -1)) {
    const answer = await page.request.post('/api/enterprise-login', { data: { name, password: PASSWORD } })
    const headers = { authorization: `Bearer ${((await answer.json()) as { access_token: string }).access_token}` }
    await page.request.post('/api/second-factor/verify', { headers, data: { recovery_code } })
  }
  await loseCookies(page)
  await page.goto('/login')
  await fillIn(page, name, PASSWORD)
  await button(page, 'Use a recovery code').click()
  await page.getByLabel('Recovery code', { exact: true }).fill(codes.at(-1)!)
  await button(page, 'Continue').click()
  await expect(page.getByText('None left. Get new codes now')).toBeVisible()
  await expect(page).toHaveURL('/second-factor')
  await button(page, 'Get new codes').click()
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await button(page, 'Continue').click()
  await expect(page.getByText('Codes you got earlier no longer work.')).toBeVisible()
  await page.getByLabel('I have saved them').check()
  await button(page, 'Continue').click()
  await expect(page.getByText('10 left')).toBeVisible()
  await button(page, 'Continue to the portal').click()
  await expect(page).toHaveURL(/settings/)
})

test('a passkey cancelled after the password was asked for keeps its name and is tried again without another', async ({
  page,
}) => {
  const { username, sql } = await makeNetwork()
  const cdp = await page.context().newCDPSession(page)
  await cdp.send('WebAuthn.enable')
  await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: { protocol: 'ctap2', transport: 'internal', hasUserVerification: true, isUserVerified: true },
  })
  await page.goto('/login')
  await fillIn(page, username, PASSWORD)
  await expect(page).toHaveURL(/financials/)
  const older = `update session set created_at = created_at - interval '10 minutes'
    where login_id = (select id from login where username = $1)`
  await sql(older, [username])
  await page.goto('/second-factor')
  await page.evaluate(() => {
    const real = navigator.credentials.create.bind(navigator.credentials)
    let times = 0
    navigator.credentials.create = (options) =>
      times++ === 0 ? Promise.reject(new DOMException('', 'NotAllowedError')) : real(options)
  })
  await button(page, 'Add a passkey').click()
  await page.getByLabel('Name').fill('Work laptop')
  await button(page, 'Add the passkey').click()
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await button(page, 'Continue').click()
  await expect(page.getByRole('alert')).toContainText('No passkey was used: the request was cancelled')
  await expect(page.getByRole('heading', { name: 'Add a passkey' })).toBeFocused()
  await expect(page.getByLabel('Name')).toHaveValue('Work laptop')
  await button(page, 'Add the passkey').click()
  await page.getByLabel('I have saved them').check()
  await button(page, 'Continue').click()
  await expect(page.getByText('Work laptop')).toBeVisible()
})

test('a second factor that was added and cannot be read again says so, and tries again', async ({ page }) => {
  const name = await person(['data_analytics'])
  const cdp = await page.context().newCDPSession(page)
  await cdp.send('WebAuthn.enable')
  await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: { protocol: 'ctap2', transport: 'internal', hasUserVerification: true, isUserVerified: true },
  })
  await page.goto('/login')
  await fillIn(page, name, PASSWORD)
  await page.getByRole('button', { name: /Test Person/ }).click()
  await page.getByRole('menuitem', { name: 'Second factor' }).click()
  await button(page, 'Add a passkey').click()
  await page.getByLabel('Name').fill('Work laptop')
  await page.route('**/api/second-factor/status', (route) =>
    route.fulfill({ status: 500, json: { code: 'internal', message: 'Broken.' } }),
  )
  await button(page, 'Add the passkey').click()
  await page.getByLabel('I have saved them').check()
  await button(page, 'Continue').click()
  await expect(page.getByText('What is shown here could not be read again. Broken.')).toBeVisible()
  await page.unroute('**/api/second-factor/status')
  await button(page, 'Try again').click()
  await expect(page.getByText('Work laptop')).toBeVisible()
  await expect(button(page, 'Try again')).toHaveCount(0)
})
