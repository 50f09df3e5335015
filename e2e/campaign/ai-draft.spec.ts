import { expect, type Page, test } from '@playwright/test'
import { type AiPeer, startAiPeer } from '../../apps/server/test/outside/ai-peer.ts'
import { type AiServer, startAiServer } from '../support/ai-server.ts'
import { expectAccessible, OPENED } from '../support/axe.ts'
import { open } from '../support/people.ts'

let peer: AiPeer
let server: AiServer
let page: Page

test.beforeAll(async ({ browser }) => {
  peer = await startAiPeer()
  server = await startAiServer(peer.url)
  const context = await browser.newContext({
    baseURL: server.url,
    viewport: { width: 1440, height: 900 },
    locale: 'en-AU',
  })
  page = await context.newPage()
})
test.afterAll(async () => {
  await page.context().close()
  await server.close()
  peer.close()
})

const answer = () => page.getByRole('region', { name: 'Answer' })
const button = (name: string) => page.getByRole('button', { name, exact: true })

async function openPrompt(): Promise<void> {
  await open(page, '/campaigns?dialog=new-template')
  await page.getByRole('tab', { name: 'Ask AI' }).click()
  await page.getByLabel('What should the message say?').fill('Invite to the flu vaccine, friendly')
}

/** Collects everything that live regions announce from now on; an empty one announces nothing. */
async function listen(): Promise<() => Promise<string[]>> {
  await page.evaluate(() => {
    const said: string[] = []
    const live = (node: Node | null): Element | null =>
      (node instanceof Element ? node : node?.parentElement)?.closest(
        '[role=status],[role=alert],[aria-live=polite],[aria-live=assertive]',
      ) ?? null
    new MutationObserver((changes) => {
      for (const { target, addedNodes } of changes) {
        for (const node of [target, ...addedNodes]) {
          const text = live(node)?.textContent?.trim()
          if (text && said.at(-1) !== text) said.push(text)
        }
      }
    }).observe(document.body, { subtree: true, childList: true, characterData: true })
    Object.assign(window, { said })
  })
  return () => page.evaluate(() => (window as unknown as { said: string[] }).said)
}

test('a draft grows on the screen, is announced once, and is inserted into the message', async () => {
  await openPrompt()
  const [more, end] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  peer.steps = ['Hi {First Name}, ', more.promise, 'the flu vaccine ', 'is here. {Pharmacy Name}', end.promise]
  const said = await listen()
  await button('Ask AI').click()
  await expect(answer()).toContainText('Hi')
  await expect(answer()).toHaveAttribute('aria-busy', 'true')
  await expect(button('Stop')).toBeVisible()
  await expect(button('Use this text')).toBeHidden()
  expect(await answer().textContent()).not.toContain('vaccine')
  more.resolve()
  await expect(answer()).toContainText('the flu vaccine is here.')
  await expect(answer()).toHaveAttribute('aria-busy', 'true')
  end.resolve()
  await expect(button('Use this text')).toBeVisible()
  await expect(button('Stop')).toBeHidden()
  expect(await said()).toEqual(['The draft is ready.'])
  await expectAccessible(page, 'a draft by AI', OPENED)
  await page.screenshot({ path: test.info().outputPath('written.png') })
  await button('Use this text').click()
  await expect(page.getByRole('textbox', { name: 'Message' })).toContainText('the flu vaccine is here.')
})

test('Stop ends it here and at the service, and keeps the text so far', async () => {
  await openPrompt()
  Object.assign(peer, { steps: ['Hi {First Name}, ', 10, 'the flu', 30_000, 'never'], left: 0 })
  const said = await listen()
  await button('Ask AI').click()
  await expect(answer()).toContainText('the flu')
  await page.screenshot({ path: test.info().outputPath('writing.png') })
  await button('Stop').focus()
  await page.keyboard.press('Enter')
  await expect(button('Ask again')).toBeFocused()
  await expect.poll(() => peer.left).toBe(1)
  await expect(answer()).toContainText('Stopped before the text was finished.')
  await expect(button('Use the unfinished text')).toBeVisible()
  expect(await said()).toEqual(['Stopped before the text was finished.'])
  // Leaving the screen also stops it.
  await button('Ask again').click()
  await expect(button('Stop')).toBeVisible()
  await expect(answer()).toContainText('the flu')
  await page.getByRole('tab', { name: 'Write' }).click()
  await expect.poll(() => peer.left).toBe(2)
})

test('a failed draft shows an error, before it starts and halfway through', async () => {
  await openPrompt()
  const before = peer.heard.length
  await page.getByLabel('What should the message say?').fill('call 0412 345 678')
  await button('Ask AI').click()
  await expect(page.getByRole('alert')).toContainText('Please leave out phone numbers and other long numbers.')
  expect(peer.heard.length).toBe(before)
  await page.getByLabel('What should the message say?').fill('flu')
  peer.steps = ['Hi {First Name}, your', 400, 'DIE']
  await button('Ask again').click()
  await expect(page.getByRole('alert')).toContainText('The text was not finished')
  await expect(page.getByRole('alert')).toContainText('its answer broke off')
  await expect(answer()).toContainText('your')
  peer.steps = ['Hello from {Pharmacy Name}']
  await button('Ask again').click()
  await expect(answer()).toContainText('Hello from')
  await expect(page.getByRole('alert')).toBeHidden()
})
