import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { parseArgs } from 'node:util'
import { day, parseDay } from '@pillar/domain/time/day'
import { fileNameOf } from '@pillar/domain/upload/upload-file'
import { uploadKeyProblem } from '@pillar/domain/upload/upload-key'
import { endOnSignals, outliveReader } from '../api/ending.ts'
import { newestDay } from './send/newest-day.ts'
import { type SentUpload, sendUpload, type UploadRequest } from './send-upload.ts'
import { watchRequests } from './watch/watch-requests.ts'

const USAGE = `npm run upload -- --key KEY --source SOURCE [options] DIR
  --key KEY            the pharmacy's key, as "npm run pharmacy -- add" printed it; an older key that begins with a
                       dash is written --key=KEY
  --source SOURCE      canonical, omop, fhir, or a dispensing system (docs/upload-format.md)
  --initial            DIR holds the whole record of its dates: what is not in it is deleted
  --from, --to DATE    first and last day the files cover
  --shift-to DATE      move all dates so that the newest becomes DATE (omop only)
  --watch              stay and answer each upload that support requests, with its time range
  --every SECONDS      how often --watch asks for requests, default 30
  --export COMMAND     run before each answer of --watch, to fill DIR for PILLAR_FROM and PILLAR_TO; without it --watch
                       sends what lies in DIR once, and again when it has changed
  --answer UUID        send this folder as the answer to one request
  --url URL            where Pillar is, default http://localhost:3000
  DIR                  folder of .csv or .csv.gz files; with fhir, of .ndjson or .ndjson.gz`

function options() {
  const text = { type: 'string' } as const
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      key: text,
      source: text,
      from: text,
      to: text,
      'shift-to': text,
      url: text,
      every: text,
      export: text,
      answer: text,
      watch: { type: 'boolean' },
      initial: { type: 'boolean' },
      help: { type: 'boolean', short: 'h' },
    },
  })
  if (values.help) {
    process.stdout.write(`${USAGE}\n`)
    process.exit(0)
  }
  const folder = positionals[0]
  if (!values.key || !values.source || !folder || positionals.length > 1)
    throw new Error(`Give a key, a source and one folder.\n\n${USAGE}`)
  const wrong = uploadKeyProblem(values.key)
  if (wrong) throw new Error(wrong)
  for (const name of ['from', 'to', 'shift-to'] as const) {
    const given = values[name]
    if (given !== undefined && parseDay(given) === null)
      throw new Error(`--${name} is not a date such as 2026-07-31: ${given}`)
  }
  const { url } = values
  if (url !== undefined && !/^https?:$/.test(URL.parse(url)?.protocol ?? ''))
    throw new Error(`--url is an address such as https://pillar.example.com, not "${url}".`)
  const every = values.every === undefined ? undefined : Number(values.every)
  if (every !== undefined && !(every >= 1)) throw new Error(`--every is a number of seconds from 1 on: ${values.every}`)
  return { ...values, every, key: values.key, source: values.source, folder, shiftTo: values['shift-to'] }
}

async function main(): Promise<number> {
  const given = options()
  if (given.watch) return watch(given)
  endOnSignals('Pillar keeps what has arrived: the same command goes on from there.')
  const { key, source, folder, from, to, shiftTo, initial, url, answer } = given
  const shiftDays = shiftTo ? day(shiftTo) - (await newestDay(folder)) : undefined
  const began = performance.now()
  const bar = progress()
  const result = await sendUpload({
    url: url ?? URL_DEFAULT,
    key,
    source,
    folder,
    uuid: answer,
    initial: initial ?? false,
    from,
    to,
    shiftDays,
    onProgress: bar.show,
    onRetry: (reason, seconds) => bar.line(`Not sent yet (${reason}); going on in ${Math.ceil(seconds)} s.`),
    onSetback: (note) => bar.line(`Not loaded yet. ${note}`),
    onSkipped: (entries) => bar.line(notRead(entries)),
  })
  bar.end()
  report(result, (performance.now() - began) / 1000)
  return result.etl_state === 'COMPLETED' ? 0 : 1
}

/** Answers requests until Ctrl+C; a second one ends it at once. */
async function watch(given: ReturnType<typeof options>): Promise<number> {
  const { key, source, folder, url, every } = given
  const stop = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => {
      process.once(signal, () => process.exit(1))
      say('Stopping after what is being sent.')
      stop.abort()
    })
  }
  await watchRequests({
    ...{ key, source, folder, every, say, url: url ?? URL_DEFAULT, stop: stop.signal, onSent: report },
    ...(given.export ? { prepare: exporter(given.export, folder) } : {}),
    onRetry: (reason, seconds) => say(`Not sent yet (${reason}); going on in ${Math.ceil(seconds)} s.`),
    onSetback: (note) => say(`Not loaded yet. ${note}`),
    onSkipped: (entries) => say(notRead(entries)),
  })
  return 0
}

/** Runs the command that fills the folder for a request. @returns a function that throws when the command fails */
const exporter =
  (command: string, folder: string) =>
  async ({ from, to, initial_upload }: UploadRequest): Promise<void> => {
    const range = { PILLAR_FROM: from ?? '', PILLAR_TO: to ?? '', PILLAR_INITIAL: String(initial_upload) }
    const child = spawn(command, {
      shell: true,
      stdio: 'inherit',
      env: { ...process.env, ...range, PILLAR_FOLDER: folder },
    })
    const [code] = (await once(child, 'exit')) as [number | null]
    if (code !== 0) throw new Error(`The command of --export ended with ${code}.`)
  }

const notRead = (entries: readonly string[]) => `Not sent, because Pillar does not read them: ${entries.join(', ')}.`

const URL_DEFAULT = 'http://localhost:3000'
const BAR = 30
const mega = (bytes: number) => (bytes / 1024 ** 2).toFixed(1)

/** A progress bar on one line of a terminal; without a terminal only whole lines are written. */
function progress() {
  const live = process.stderr.isTTY
  let shown = -1
  return {
    show(sent: number, total: number): void {
      const part = total === 0 ? 1 : sent / total
      const filled = Math.round(part * BAR)
      if (!live || (filled === shown && sent < total)) return
      shown = filled
      process.stderr.write(`\r${'█'.repeat(filled)}${'░'.repeat(BAR - filled)} ${mega(sent)} of ${mega(total)} MB `)
      if (sent >= total) process.stderr.write(' loading…')
    },
    line: (text: string): void => void process.stderr.write(`${live ? '\n' : ''}${text}\n`),
    end: (): void => void (live && process.stderr.write('\n')),
  }
}

const SHOWN_FAULTS = 20

const say = (line: string) => void process.stdout.write(`${line}\n`)

function report(result: SentUpload, seconds: number): void {
  const again = result.repeated ? ' (this content was sent before; nothing was loaded again)' : ''
  say(`${result.etl_state} in ${seconds.toFixed(1)} s${again}`)
  for (const file of result.files)
    say(
      `  ${file.file_type.padEnd(18)} ${String(file.rows ?? 0).padStart(9)} rows, ${file.loaded ?? 0} loaded, ${file.faulty ?? 0} faulty`,
    )
  if (result.notes) say(`  ${result.notes}`)
  for (const fault of result.faults.slice(0, SHOWN_FAULTS))
    say(
      `  ${fileNameOf(fault.file_type)} line ${fault.line}: ${[fault.column, fault.value && `"${fault.value}"`, fault.reason].filter(Boolean).join(' ')}`,
    )
  if (result.fault_count > SHOWN_FAULTS) say(`  and ${result.fault_count - SHOWN_FAULTS} more faulty rows`)
  say(`  upload ${result.uuid}`)
}

outliveReader()
try {
  process.exitCode = await main()
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`)
  process.exitCode = 2
}
