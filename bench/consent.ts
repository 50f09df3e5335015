import { type Browser, type CDPSession, chromium, type Page } from '@playwright/test'
import { patientLinks } from '../e2e/support/patients.ts'
import { invitedPatient } from '../e2e/support/trial.ts'
import { BROWSER_FLAGS, findBrowser } from '../tools/browser.ts'
import { type Figure, quantile } from './figure.ts'
import { startServer } from './server.ts'
import type { Bench } from './suite.ts'

const suite = 'consent'
const RUNS = 7
/** Lighthouse's "slow 4G": 1.6 Mbit/s down, 0.75 up, 150 ms; and a processor at a quarter of this machine's speed. */
const NETWORK = {
  offline: false,
  latency: 150,
  downloadThroughput: (1.6 * 1024 * 1024) / 8,
  uploadThroughput: (0.75 * 1024 * 1024) / 8,
}
const CPU_RATE = 4

/** Pages of patients and visitors as a phone gets them: bytes until the form is shown, and the time of the largest paint. */
export async function consent(bench: Bench): Promise<Figure[]> {
  const folder = await bench.folder('consent')
  const server = await startServer(folder)
  const browser = await chromium.launch({ executablePath: findBrowser(), args: BROWSER_FLAGS })
  try {
    const { consent: path, unsubscribe } = await patientLinks({ dataDir: folder })
    const plain = await load(browser, server.url + path, false)
    const other = await load(browser, server.url + unsubscribe, false)
    const { path: trialPath } = await invitedPatient({ dataDir: folder })
    const trial = await load(browser, server.url + trialPath, false)
    const signup = await load(browser, `${server.url}/calculator`, false)
    const slow = await slowPaints(browser, server.url + path)
    const slowTrial = await slowPaints(browser, server.url + trialPath)
    const slowSignup = await slowPaints(browser, `${server.url}/calculator`)
    const kb = (name: string, bytes: number, note: string): Figure => {
      return { suite, name, unit: 'KB', measured: bytes / 1024, target: { most: 80 }, note }
    }
    const paint = (name: string, samples: number[]): Figure => ({
      ...{ suite, name, unit: 's', measured: quantile(samples, 0.5), target: { most: 1.5 }, samples },
      note: 'slow 4G (150 ms, 1.6 Mbit/s), processor slowed 4 times, an empty cache each run',
    })
    return [
      kb('Consent page, everything over the wire', plain.bytes, plain.note),
      kb('Unsubscribe page, everything over the wire', other.bytes, other.note),
      kb('Page of a clinical trial, everything over the wire', trial.bytes, trial.note),
      kb('Sign-up page, everything over the wire', signup.bytes, signup.note),
      paint('Consent page, largest paint on a slow phone, median', slow),
      paint('Page of a clinical trial, largest paint on a slow phone, median', slowTrial),
      paint('Sign-up page, largest paint on a slow phone, median', slowSignup),
    ]
  } finally {
    await browser.close()
    await server.stop()
  }
}

/** Seconds to the largest paint, for each run. */
async function slowPaints(browser: Browser, url: string): Promise<number[]> {
  const seconds: number[] = []
  for (let run = 0; run < RUNS; run++) seconds.push((await load(browser, url, true)).largestMs / 1000)
  return seconds
}

interface Loaded {
  /** Encoded bytes of every answer, headers included, until the network is quiet. */
  bytes: number
  note: string
  /** Largest contentful paint, from the start of the navigation. */
  largestMs: number
}

async function load(browser: Browser, url: string, slow: boolean): Promise<Loaded> {
  const context = await browser.newContext({ viewport: { width: 390, height: 844 }, locale: 'en-AU' })
  try {
    const page = await context.newPage()
    const devtools = await context.newCDPSession(page)
    const files = await watchBytes(devtools)
    if (slow) {
      await devtools.send('Network.emulateNetworkConditions', NETWORK)
      await devtools.send('Emulation.setCPUThrottlingRate', { rate: CPU_RATE })
    }
    await page.goto(url)
    await page.getByRole('checkbox', { name: 'I am a person' }).waitFor()
    await page.waitForLoadState('networkidle')
    const bytes = [...files.values()].reduce((sum, size) => sum + size, 0)
    const note = [...files].map(([name, size]) => `${name} ${size}`).join(', ')
    return { bytes, note, largestMs: await largestPaint(page) }
  } finally {
    await context.close()
  }
}

async function watchBytes(devtools: CDPSession): Promise<Map<string, number>> {
  const names = new Map<string, string>()
  const files = new Map<string, number>()
  devtools.on('Network.responseReceived', ({ requestId, response }) => {
    names.set(requestId, new URL(response.url).pathname.replace(/[\w.-]{20,}(?=\/|$)/, '…'))
  })
  devtools.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    const name = names.get(requestId)
    if (name) files.set(name, (files.get(name) ?? 0) + encodedDataLength)
  })
  await devtools.send('Network.enable')
  return files
}

const largestPaint = (page: Page) =>
  page.evaluate(
    () =>
      new Promise<number>((done) => {
        new PerformanceObserver((list) => done(list.getEntries().at(-1)?.startTime ?? Number.NaN)).observe({
          type: 'largest-contentful-paint',
          buffered: true,
        })
      }),
  )
