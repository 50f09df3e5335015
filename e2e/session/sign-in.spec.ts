import { expect, type Page, test } from '@playwright/test'
import { settled } from '../support/grid.ts'
import { addPerson, addPharmacy, upload } from '../support/install.ts'
import { fillIn, open, PASSWORD } from '../support/people.ts'
import { writeRecord } from '../support/record.ts'

const form = 'Username or email'

test.describe('the form', () => {
  test('says what is missing, then what is wrong and how many attempts remain', { tag: '@main' }, async ({ page }) => {
    await page.goto('/login')
    await expect(page).toHaveTitle('Sign in - Pillar')
    await page.getByRole('button', { name: 'Sign in' }).click()
    await expect(page.getByRole('alert')).toHaveText('Username and password are required.')
    await expect(page.getByLabel(form)).toBeFocused()
    await expect(page.getByLabel(form)).toHaveAttribute('aria-invalid', 'true')
    await expect(page.getByLabel('Password', { exact: true })).toHaveAttribute('aria-invalid', 'true')
    await page.getByLabel(form).fill('headoffice')
    await expect(page.getByLabel(form)).not.toHaveAttribute('aria-invalid')

    // Names are counted whether they exist or not, so a fresh one always starts at five.
    const unknown = `nobody-${Date.now()}`
    await fillIn(page, unknown, 'not the password')
    await expect(page.getByRole('alert')).toHaveText('Incorrect username or password.')
    await expect(page.getByText('4 attempts remaining')).toBeVisible()
    await fillIn(page, unknown, 'not the password either')
    await expect(page.getByText('3 attempts remaining')).toBeVisible()
    await expect(page).toHaveURL('/login')
  })

  test('shows the password only on demand', async ({ page }) => {
    await page.goto('/login')
    const password = page.getByLabel('Password', { exact: true })
    await password.fill('abc')
    await expect(password).toHaveAttribute('type', 'password')
    await page.getByRole('button', { name: 'Show password' }).click()
    await expect(password).toHaveAttribute('type', 'text')
  })

  test('remembers the username if asked to, and only then', async ({ page }) => {
    await page.goto('/login')
    await page.getByLabel('Remember username').check()
    await fillIn(page, 'headoffice', PASSWORD)
    await expect(page).toHaveURL('/financials')
    await signOut(page)
    await expect(page.getByLabel(form)).toHaveValue('headoffice')
    await expect(page.getByLabel('Password', { exact: true })).toHaveValue('')
    await expect(page.getByLabel('Password', { exact: true })).toBeFocused()

    await page.getByLabel('Remember username').uncheck()
    await fillIn(page, 'headoffice', PASSWORD)
    await expect(page).toHaveURL('/financials')
    await signOut(page)
    await expect(page.getByLabel(form)).toHaveValue('')
  })
})

const LANDINGS = [
  ['headoffice', '/financials'],
  ['guild', '/guildsixtydd'],
  ['supplier', '/analytics'],
  ['advertiser', '/analytics'],
  ['trials', '/referrals'],
  ['controlled', '/s8management'],
  ['support', '/settings'],
] as const

for (const [name, path] of LANDINGS) {
  test(`${name} lands on ${path}`, { tag: name === 'headoffice' || name === 'support' ? '@main' : [] }, async ({
    page,
  }) => {
    await page.goto('/login')
    await fillIn(page, name, PASSWORD)
    await expect(page).toHaveURL(path)
  })
}

test('whoever blocks cookies is told why they are not signed in', async ({ page }) => {
  await page.route('**/api/enterprise-login', async (route) => {
    const answer = await route.fetch()
    const { 'set-cookie': _, ...headers } = answer.headers()
    // Playwright has kept the cookie by now.
    await page.context().clearCookies()
    await route.fulfill({ response: answer, headers })
  })
  await page.goto('/login')
  await fillIn(page, 'headoffice', PASSWORD)
  await expect(page.getByRole('alert')).toHaveText(
    'Your browser refused the cookie that keeps you signed in. Allow cookies for this site, then sign in again.',
  )
  await expect(page.getByRole('button', { name: 'Sign in' })).toHaveAttribute('aria-disabled', 'false')
})

test('an unknown address says so, and offers to sign out', async ({ page }) => {
  await open(page, '/s8registers', 'controlled')
  await expect(page.getByText('Check the address for typing mistakes')).toBeVisible()
  await page.getByRole('button', { name: 'Sign out' }).click()
  await expect(page).toHaveURL('/login')
})

test('a visitor is sent to the login, and afterwards back to their page', async ({ page }) => {
  await page.goto('/financials')
  await expect(page).toHaveURL('/login')
  await fillIn(page, 'headoffice', PASSWORD)
  await expect(page).toHaveURL('/financials')
  await page.getByRole('radio', { name: 'Loyalty' }).click()
  await expect(page).toHaveURL('/financials?statistic=loyalty')
  await signOut(page)

  await page.goto('/financials')
  await expect(page).toHaveURL('/login')
  await fillIn(page, 'headoffice', PASSWORD)
  await expect(page).toHaveURL('/financials?statistic=loyalty')
  await expect(page.getByRole('radio', { name: 'Loyalty' })).toBeChecked()
  await signOut(page)

  // Somebody else on this browser does not get the first person's path, whatever the pointer rested on while signing out.
  await fillIn(page, 'rival', PASSWORD)
  await expect(page).toHaveURL('/financials')
})

test('a pasted link survives the sign-in', async ({ page }) => {
  await page.goto('/campaigns?find=harbour')
  await expect(page).toHaveURL('/login')
  await fillIn(page, 'headoffice', PASSWORD)
  await expect(page).toHaveURL('/campaigns?find=harbour')
  await signOut(page)
  await page.goto('/en_gb/financials?statistic=loyalty')
  await expect(page).toHaveURL('/en_gb/login')
  // The company's country decides the path, the link decides the page.
  await fillIn(page, 'headoffice', PASSWORD)
  await expect(page).toHaveURL('/financials?statistic=loyalty')
})

test('signing out ends the session here and on the server', async ({ page }) => {
  await open(page)
  await expect(page.getByRole('heading', { name: 'Financials' })).toBeVisible()
  const cookie = (await page.context().cookies()).find(({ name }) => name === 'pillar_session')
  await signOut(page)
  expect((await page.context().cookies()).filter(({ name }) => name.includes('pillar'))).toEqual([])
  await page.goBack()
  await expect(page).toHaveURL('/login')

  const stolen = { headers: { cookie: `${cookie?.name}=${cookie?.value}` }, data: {} }
  expect((await page.request.post('/api/refresh', stolen)).status()).toBe(401)
})

test('an unknown address has a title, a sentence and a link to sign in', async ({ page }) => {
  await page.goto('/no-such-page')
  await expect(page).toHaveTitle('Page not found - Pillar')
  await expect(page.getByRole('heading', { name: 'Page not found' })).toBeVisible()
  await page.getByRole('link', { name: 'Sign in' }).click()
  await expect(page).toHaveURL('/login')
})

test('the rail shows the existing screens, and opens by pointer and by keyboard', async ({ page }) => {
  await open(page)
  await expect(page).toHaveTitle('Financials - Pillar')
  const rail = page.getByRole('navigation', { name: 'Main' })
  await expect(rail.getByRole('link')).toHaveText([
    ...['Pillar', 'Financials', 'Campaigns and Marketing', 'Sixty Day Dispensing', 'Outbox'],
  ])
  await expect(rail).toHaveCSS('width', '56px')
  await rail.hover()
  await expect(rail).toHaveCSS('width', '240px')
  await page.mouse.move(700, 30)
  await expect(rail).toHaveCSS('width', '56px')
  await page.keyboard.press('Tab')
  await expect(page.getByRole('link', { name: 'Skip to content' })).toBeFocused()
  await page.keyboard.press('Tab')
  await expect(rail).toHaveCSS('width', '240px')
  await rail.getByRole('link', { name: 'Financials' }).press('Enter')
  await expect(page).toHaveURL('/financials')
  await rail.hover()
  await rail.getByRole('link', { name: 'Campaigns and Marketing' }).click()
  await expect(page).toHaveURL('/campaigns')
  const clipped = await rail
    .locator('span')
    .evaluateAll((words) => words.filter((one) => one.scrollWidth > one.clientWidth).map((one) => one.textContent))
  expect(clipped).toEqual([])
})

test('a company sees only its own pharmacies', { tag: '@main' }, async ({ page }) => {
  await open(page, '/financials', 'rival')
  const rows = page.getByRole('grid').getByRole('rowheader')
  await expect(rows.filter({ hasText: 'Wattle & Co' }).first()).toBeVisible()
  await expect(page.getByText('Saltbush')).toHaveCount(0)
  const pharmacies = (await rows.allTextContents()).filter(
    (text) => !/^(TOTAL|Pillar average|Selected average)/.test(text),
  )
  expect(pharmacies.filter((text) => !text.startsWith('Wattle & Co'))).toEqual([])
  expect(pharmacies.length).toBeGreaterThan(0)
})

test('Great Britain has its own path, and pounds', { tag: '@main' }, async ({ page }) => {
  const company = `Harrow Chemists ${Date.now()}`
  const name = `harrow-${Date.now()}`
  const key = await addPharmacy(company, 'Harrow Road Pharmacy', 'W2 5ES', '--country', 'GB')
  await addPerson(company, 'GB', name)
  const record = await writeRecord([{ script: '1', patient: 'A', paid: '7.70' }])
  expect(await upload(key, 'canonical', record, '--initial')).toMatchObject({ code: 0 })
  await page.goto('/en_gb/financials')
  await expect(page).toHaveURL('/en_gb/login')
  await fillIn(page, name, PASSWORD)
  await expect(page).toHaveURL('/en_gb/financials')
  await expect(page.getByRole('heading', { name: 'Financials' })).toBeVisible()
  await settled(page)
  await expect(page.getByRole('region', { name: 'Revenue', exact: true })).toContainText('£')
  await expect(page.getByRole('button', { name: /1 Apr/ })).toBeVisible()
  await expect(page.getByText('$')).toHaveCount(0)
  await signOut(page)
  await expect(page).toHaveURL('/en_gb/login')
})

async function signOut(page: Page): Promise<void> {
  const rail = page.getByRole('navigation', { name: 'Main' })
  await rail.locator('[aria-haspopup="menu"]').click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await expect(page).toHaveURL(/\/login$/)
}
