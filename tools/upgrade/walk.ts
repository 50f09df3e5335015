import { type BrowserContext, chromium } from '@playwright/test'
import { BROWSER_FLAGS, findTestBrowser } from '../browser.ts'
import type { Door } from './door.ts'
import { JOURNEYS, type Journey, loading, PASSKEY, type Step } from './journey.ts'

/** The time a step of a journey may take. */
const PATIENCE_MS = 20_000

/** The ports of the version before and of this one. */
export interface Ports {
  old: number
  young: number
}

/**
 * Goes every journey twice, once begun with each version, and switches to the other one before each further step. Then loads pages whose files
 * come from both. Both versions must serve.
 * @param mixed whether the version before keeps its files for others; otherwise what needs them is left out
 * @returns a sentence for each journey that did not end well, and how many did
 */
export async function goJourneys(door: Door, { old, young }: Ports, mixed: boolean) {
  const browser = await chromium.launch({ executablePath: findTestBrowser(), args: BROWSER_FLAGS })
  const problems: string[] = []
  let well = 0
  const go = async (name: string, journey: Journey, turns: readonly number[][]) => {
    const context = await browser.newContext({ baseURL: door.url, locale: 'en-AU', reducedMotion: 'reduce' })
    try {
      await walk(context, await journey(), door, turns)
      well++
    } catch (error) {
      problems.push(`${name}: ${(error as Error).message.split('\n').slice(0, 4).join(' ')}`)
    }
    await context.close()
  }
  try {
    for (const [name, journey] of Object.entries(JOURNEYS)) {
      if (name === PASSKEY && !mixed) continue
      await go(`${name}, begun with the version before`, journey, [[old], [young]])
      await go(`${name}, begun with this version`, journey, [[young], [old]])
    }
    if (mixed) await go('pages of which both versions deliver parts', loading, [[old, young]])
  } finally {
    await browser.close()
  }
  return { well, problems }
}

async function walk(context: BrowserContext, steps: readonly Step[], door: Door, turns: readonly number[][]) {
  const page = await context.newPage()
  page.setDefaultTimeout(PATIENCE_MS)
  for (const [at, step] of steps.entries()) {
    door.lead(...turns[at % turns.length]!)
    await step(page).catch((error: Error) => {
      throw new Error(`step ${at + 1}: ${error.message}`)
    })
  }
}
