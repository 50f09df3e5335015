import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { promisify } from 'node:util'
import type { Flag } from '@pillar/domain/access/permission'
import { openPools } from '../../apps/server/src/db/database.ts'
import { runningEmbedded } from '../../apps/server/src/db/embedded/embedded.ts'
import { ensureCompany } from '../../apps/server/src/features/location/location.queries.ts'
import { createLogin } from '../../apps/server/src/features/session/login.queries.ts'
import { PASSWORD } from './people.ts'

const run = promisify(execFile)

/** Runs a Pillar command against the server under test. @returns its output and exit code */
async function command(name: 'pharmacy' | 'upload', args: readonly string[]): Promise<{ out: string; code: number }> {
  const env = { ...process.env, DATA_DIR: dataDir() }
  const ran = run(process.execPath, [`apps/server/src/cli/${name}.ts`, ...args], { env })
  return ran.then(
    ({ stdout }) => ({ out: stdout, code: 0 }),
    ({ stdout = '', stderr = '', code }) => ({ out: `${stdout}${stderr}`, code: Number(code) }),
  )
}

/** Uploads a folder as the command line does, and waits until it is loaded. @returns the output; code 1 is an ERROR */
export function upload(key: string, source: string, folder: string, ...more: string[]) {
  return command('upload', ['--key', key, '--source', source, '--url', serverUrl(), ...more, folder])
}

/** Answers upload requests as `--watch` does, until stopped. @returns a function that stops it and returns its output */
export function watchRequests(key: string, source: string, folder: string): () => Promise<string> {
  const args = ['--key', key, '--source', source, '--url', serverUrl(), '--watch', '--every', '1', folder]
  const child = spawn(process.execPath, ['apps/server/src/cli/upload.ts', ...args])
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (said += String(text)))
  return async () => {
    child.kill('SIGTERM')
    if (child.exitCode === null) await once(child, 'exit')
    return said
  }
}

/** Gives a pharmacy the module whose uploads are monitored. */
export async function giveStrongPro(pharmacy: string): Promise<void> {
  const url = await runningEmbedded(dataDir())
  if (!url) throw new Error('The database of the server under test is not running.')
  const pools = openPools(url, () => {}, 1)
  try {
    await pools.system
      .insertInto('location_module')
      .columns(['location_id', 'company_id', 'module_id'])
      .expression((eb) =>
        eb
          .selectFrom(['location as l', 'module as m'])
          .select(['l.id', 'l.company_id', 'm.id as module_id'])
          .where('l.name', '=', pharmacy)
          .where('m.name', '=', 'strong_pro'),
      )
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  } finally {
    await pools.close()
  }
}

/** Adds a pharmacy as the command line does. @returns its upload key */
export async function addPharmacy(company: string, name: string, postcode: string, ...more: string[]): Promise<string> {
  const args = ['add', '--company', company, '--name', name, '--postcode', postcode, ...more]
  const { out } = await command('pharmacy', args)
  const key = /Key[^:]*: (\S+)/.exec(out)?.[1]
  if (!key) throw new Error(`No key was printed:\n${out}`)
  return key
}

/** Adds a login to a company; without flags it belongs to the head office. */
export async function addPerson(
  company: string,
  country: 'AU' | 'GB' | 'US',
  username: string,
  mustChangePassword = false,
  flags: readonly Flag[] = ['data_analytics'],
): Promise<void> {
  const url = await runningEmbedded(dataDir())
  if (!url) throw new Error('The database of the server under test is not running.')
  const pools = openPools(url, () => {}, 1)
  try {
    const { id } = await ensureCompany(pools.system, { name: company, country })
    await createLogin(pools.system, {
      companyId: id,
      username,
      email: `${username}@e2e.example`,
      first_name: 'Test',
      last_name: 'Person',
      flags,
      password: PASSWORD,
      mustChangePassword,
    })
  } finally {
    await pools.close()
  }
}

function dataDir(): string {
  const folder = process.env.E2E_DATA_DIR
  if (!folder) throw new Error('E2E_DATA_DIR is not set: run the tests with "npm run e2e".')
  return folder
}

const serverUrl = () => process.env.E2E_URL ?? `http://localhost:${process.env.E2E_PORT ?? 4173}`
