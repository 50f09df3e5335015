import { expect, type Page, test } from '@playwright/test'
import { open, signInAs } from '../support/people.ts'

/** The focused element: its role or tag, and its words. */
const focused = (page: Page) =>
  page.evaluate(() => {
    const one = document.activeElement!
    return `${one.getAttribute('role') ?? one.tagName.toLowerCase()} ${one.getAttribute('aria-label') ?? one.textContent}`
  })

for (const [name, first] of [
  ['campaigns', 'Find a campaign'],
  ['templates', 'Find a template'],
  ['recommendations', 'Find a recommended campaign'],
] as const) {
  test(`the dialog of ${name} opens with the focus in its list, not on its ×`, async ({ page }) => {
    await open(page, `/campaigns?dialog=${name}`)
    await expect(page.getByRole('searchbox', { name: first })).toBeFocused()
  })
}

test('on a phone such a dialog opens with the focus in its list, on nothing that brings up the keyboard', async ({
  page,
}) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await open(page, '/campaigns?dialog=templates')
  await expect(page.getByRole('dialog', { name: 'Templates' })).toBeVisible()
  await expect.poll(() => focused(page)).toMatch(/^button (?!Close)/)
})

test('while the session opens the space for the rail is there at once, and the screen begins beside it', async ({
  page,
}) => {
  let release = () => {}
  const held = new Promise<void>((done) => {
    release = done
  })
  await signInAs(page)
  await page.route('**/api/refresh', async (route) => {
    await held
    await route.continue()
  })
  await page.goto('/financials')
  const words = page.getByText('Opening your session...')
  await expect(words).toBeVisible()
  const left = (await words.boundingBox())!.x
  expect(left).toBeGreaterThanOrEqual(56)
  await expect(
    page
      .locator('#root > div')
      .filter({ has: page.locator('svg') })
      .last(),
  ).toHaveCSS('width', '56px')
  release()
  await expect(page.getByRole('navigation', { name: 'Main' })).toBeVisible()
  await expect(words).toHaveCount(0)
})

test('the screen stays in its frame while another one opens', async ({ page }) => {
  await open(page)
  await expect(page.getByRole('navigation', { name: 'Main' })).toBeVisible()
  const gone = page.evaluate(
    () =>
      new Promise<boolean>((done) => {
        const rail = document.querySelector('nav#rail')
        new MutationObserver(() => rail?.isConnected || done(true)).observe(document.body, {
          ...{ childList: true, subtree: true },
        })
        setTimeout(() => done(false), 3000)
      }),
  )
  const rail = page.getByRole('navigation', { name: 'Main' })
  await rail.hover()
  await rail.getByRole('link', { name: 'Campaigns' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Campaigns' })).toBeVisible()
  expect(await gone).toBe(false)
})

for (const colorScheme of ['light', 'dark'] as const) {
  test(`before the scripts run the window shows the space for the rail and the head: ${colorScheme}`, async ({
    page,
  }) => {
    await page.emulateMedia({ colorScheme })
    await page.route(/\/assets\/(?!scheme)[^/]+\.js$/, (route) => route.abort())
    await page.goto('/financials')
    const places = await page.evaluate(() =>
      ['::before', '::after'].map((part) => {
        const { content, width, height, backgroundColor } = getComputedStyle(document.querySelector('#root')!, part)
        return { content, width, height, backgroundColor }
      }),
    )
    const canvas = colorScheme === 'light' ? 'rgb(244, 247, 247)' : 'rgb(13, 18, 20)'
    expect(places[0]).toEqual({ content: '""', width: '56px', height: '900px', backgroundColor: canvas })
    expect(places[1]).toMatchObject({ content: '""', width: '1384px', height: '60px' })
  })
}

test('a question opens with the focus on the answer that changes nothing, not on its ×', async ({ page }) => {
  await open(page, '/campaigns?dialog=new-campaign')
  await page.getByLabel('Campaign name').fill('A')
  await page.keyboard.press('Escape')
  const question = page.getByRole('dialog', { name: 'Leave without saving?' })
  await expect(question.getByRole('button', { name: 'Back' })).toBeFocused()
})

test('a dialog with only text that is longer than it scrolls by keyboard', async ({ page }) => {
  await open(page)
  await page.getByRole('button', { name: 'Targets', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: /^Targets/ })
  await expect(dialog.getByText('No targets are set')).toBeVisible()
  const words = dialog.getByRole('group', { name: 'Content' })
  await expect(words).toHaveCount(0)
  await page.setViewportSize({ width: 320, height: 190 })
  await words.focus()
  await page.keyboard.press('End')
  await expect.poll(() => words.evaluate((one) => one.scrollTop)).toBeGreaterThan(0)
})

test('a list with a choice of rows per page starts with as many as it will have', async ({ page }) => {
  let release = () => {}
  const held = new Promise<void>((done) => {
    release = done
  })
  await page.route('**/api/support/get-faulty-etl-pharmacies', async (route) => {
    await held
    await route.continue()
  })
  await open(page, '/settings?tab=4', 'support')
  const rows = page.getByRole('combobox', { name: 'Rows a page' })
  await expect(rows).toHaveValue('10')
  release()
  await expect(page.getByRole('row').nth(1)).toBeVisible()
  await expect(rows).toHaveValue('10')
})

test('while the sequences are loading, nothing claims that none match', async ({ page }) => {
  let release = () => {}
  const held = new Promise<void>((done) => {
    release = done
  })
  await page.route('**/api/sequence/admin/search', async (route) => {
    await held
    await route.continue()
  })
  await open(page, '/settings?tab=7&list=pharmacy', 'support')
  await expect(page.getByRole('searchbox', { name: 'Find a sequence' })).toBeVisible()
  await expect(page.getByText('Loading records, please wait...')).toBeVisible()
  expect(await page.getByText(/pharmac(y|ies) match/).count()).toBe(0)
  release()
  await expect(page.getByRole('region', { name: 'Sequence', exact: true })).toContainText(/\d/)
})

test('no screen tries what its security policy forbids', { tag: '@main' }, async ({ page }) => {
  const forbidden: string[] = []
  await page.exposeFunction('forbid', (what: string) => forbidden.push(what))
  await page.addInitScript(() => {
    const { forbid } = window as unknown as { forbid: (what: string) => void }
    document.addEventListener('securitypolicyviolation', (event) =>
      forbid(`${event.violatedDirective}: ${event.blockedURI}`),
    )
  })
  for (const [path, name] of [
    ['/financials', 'headoffice'],
    ['/campaigns?dialog=templates', 'headoffice'],
    ['/settings', 'support'],
  ] as const) {
    await open(page, path, name)
    await expect(page.locator('[aria-busy=true]')).toHaveCount(0)
  }
  expect(forbidden).toEqual([])
})
