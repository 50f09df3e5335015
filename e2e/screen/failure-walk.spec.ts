import { expect, type Page, test } from '@playwright/test'
import { type Opened, openedOf } from '../support/addresses.ts'
import { ANY_READ, callOf, FAULTS, hold } from '../support/faults.ts'
import { signInAs } from '../support/people.ts'

/** Reads whose failure the screen itself need not report, and why. */
const QUIET: Readonly<Record<string, string>> = {
  'portal-info': 'asked for again by itself; until then the product has its own name',
  'get-pharmacies': 'the list of pharmacies to choose from says so once it is opened',
  'molecule-list': 'Refine Cohort says so',
  'support/people': 'the dialog that assigns a pharmacy says so',
  'enterprise-group-list-names': 'Refine Cohort and the starter drafts say so',
}

/** How a screen says that something could not be read. */
const SAID = /Broken\.|The server did not answer|could(n't| not) (be loaded|load|count)/i
const isSaid = async (page: Page) => {
  const counts = page.frames().map((frame) => frame.getByText(SAID).filter({ visible: true }).count())
  return (await Promise.all(counts)).some((count) => count > 0)
}

const loading = (page: Page) =>
  page
    .locator('[aria-busy=true], [data-loading=true], .mantine-Loader-root')
    .or(page.getByRole('status').filter({ hasText: /(\.\.\.|…)$/ }))
    .filter({ visible: true })

/** A screen that could not read something says so, has stopped loading, and reports no success. */
async function expectSaid(page: Page, state: string): Promise<void> {
  await expect.soft
    .poll(() => isSaid(page), { message: `${state}: says so`, intervals: [50, 100], timeout: 5_000 })
    .toBe(true)
  await expect.soft(loading(page), `${state}: stops loading`).toHaveCount(0, { timeout: 5_000 })
  // Counted once: waiting for none would wait until it has faded.
  const successes = await page.locator('.mantine-Notification-root[role=status]').count()
  expect.soft(successes, `${state}: reports no success`).toBe(0)
}

/** The paths of the routes in the page's own router. */
const routesOf = (page: Page) =>
  page.evaluate(() => {
    const { routesByPath } = (window as unknown as { __TSR_ROUTER__: { routesByPath: object } }).__TSR_ROUTER__
    return Object.keys(routesByPath)
  })

/** Visits every route as the person who may see it. @returns their paths */
async function walk(page: Page, visit: (opened: Opened) => Promise<void>): Promise<string[]> {
  const routes = await openedOf(page)
  for (const opened of Object.values(routes)) {
    await signInAs(page, opened.person)
    await visit(opened)
  }
  return Object.keys(routes)
}

/** Opens every screen while each of its reads fails. */
function walkFailing(page: Page, fault: keyof typeof FAULTS): Promise<string[]> {
  return walk(page, async ({ addresses }) => {
    await page.route(ANY_READ, FAULTS[fault])
    for (const address of addresses) {
      await page.goto(address)
      await expectSaid(page, `${address}, ${fault}`)
    }
    await page.unrouteAll({ behavior: 'ignoreErrors' })
  })
}

/** Opens an address. @returns the calls it makes */
async function callsAt(page: Page, address: string): Promise<Set<string>> {
  const calls = new Set<string>()
  const hear = (request: { url: () => string }) => {
    if (ANY_READ.test(request.url())) calls.add(callOf(request.url()))
  }
  page.on('request', hear)
  await page.goto(address)
  await page.waitForLoadState('networkidle')
  page.off('request', hear)
  return calls
}

test('every screen says so when its reads fail', async ({ page }) => {
  test.setTimeout(120_000)
  const walked = await walkFailing(page, 'the server fails')
  // A new route needs an address in `openedOf`.
  expect((await routesOf(page)).sort()).toEqual(walked.sort())
})

test.describe('in other ways', () => {
  test('every screen says so when its reads are refused', async ({ page }) => {
    test.setTimeout(180_000)
    await walkFailing(page, 'it is refused')
  })

  test('every screen says so when nothing answers', async ({ page }) => {
    test.setTimeout(240_000)
    await walkFailing(page, 'nothing answers')
  })

  test('every screen says that it is loading, and stops', async ({ page }) => {
    test.setTimeout(180_000)
    await walk(page, async ({ addresses }) => {
      for (const address of addresses) {
        const release = await hold(page, ANY_READ)
        await page.goto(address)
        await expect.soft(loading(page).first(), `${address}: says that it is loading`).toBeVisible()
        release()
        await expect.soft(loading(page), `${address}: stops loading`).toHaveCount(0)
        await page.unrouteAll({ behavior: 'ignoreErrors' })
      }
    })
  })

  test('a read that fails alone is reported where a route first makes it', async ({ page }) => {
    test.setTimeout(600_000)
    const faults = Object.entries(FAULTS)
    await walk(page, async ({ addresses, more = [] }) => {
      const known = new Set(Object.keys(QUIET))
      for (const address of [...addresses, ...more]) {
        for (const call of (await callsAt(page, address)).difference(known)) {
          known.add(call)
          const [how, fault] = faults[known.size % faults.length]!
          await page.route((url) => ANY_READ.test(url.href) && callOf(url.href) === call, fault)
          await page.goto(address)
          await expectSaid(page, `${address}, ${call}, ${how}`)
          await page.unrouteAll({ behavior: 'ignoreErrors' })
        }
      }
    })
  })
})
