import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { readEnv } from '../apps/server/src/env.ts'
import { isHostless, NEEDED, settingNames, settingOf } from './setting-names.ts'

interface Service {
  image: string
  environment?: Record<string, string>
  secrets?: string[]
  volumes?: string[]
  tmpfs?: string[]
  networks: string[]
  ports?: string[]
  read_only?: boolean
  cap_drop?: string[]
  security_opt?: string[]
  restart: string
  healthcheck?: { test: string[] }
  depends_on?: Record<string, { condition: string }>
}
interface Compose {
  services: Record<'web' | 'worker' | 'migrate' | 'database' | 'mail', Service>
  secrets: Record<string, { file: string }>
  networks: Record<string, { internal?: boolean; ipam?: { config: { gateway: string }[] } }>
}

const { services, secrets, networks } = parse(readFileSync('deploy/compose/compose.yaml', 'utf8'), {
  merge: true,
}) as Compose
const example = parseEnv(readFileSync('deploy/compose/settings.example.env', 'utf8'))
const OURS = ['web', 'worker', 'migrate'] as const

let folder: string
const prepare = (...words: string[]) => spawnSync('sh', [join(folder, 'prepare.sh'), ...words], { encoding: 'utf8' })
const made = (name: string) => readFileSync(join(folder, 'secrets', name), 'utf8')

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'pillar-compose-'))
  for (const file of ['prepare.sh', 'settings.example.env']) cpSync(`deploy/compose/${file}`, join(folder, file))
})
afterAll(() => rmSync(folder, { recursive: true }))

/** What one of our services is started with, its secrets read from where prepare.sh put them. */
function settingsOf(name: (typeof OURS)[number]): Record<string, string> {
  const own = Object.entries(services[name].environment ?? {})
  const moved = own.map(([key, value]) => [key, String(value).replace('/run/secrets', join(folder, 'secrets'))])
  return { DATA_DIR: '/var/lib/pillar/data', ...example, ...Object.fromEntries(moved) }
}

describe('prepare.sh', () => {
  it('asks where emails go', () => {
    expect(prepare().status).toBe(2)
    expect(prepare('mail.example.com').stderr).toContain('Say where emails go')
  })

  it('makes every secret once, in a folder nobody else may enter', () => {
    expect(prepare('try').status).toBe(0)
    expect(statSync(join(folder, 'secrets')).mode & 0o777).toBe(0o700)
    const first = Object.keys(secrets).map(made)
    expect(new Set(first).size).toBe(first.length)
    expect(Object.values(secrets).map(({ file }) => file)).toEqual(
      Object.keys(secrets).map((name) => `./secrets/${name}`),
    )
    expect(made('secret')).toHaveLength(64)
    expect(prepare('try').status).toBe(0)
    // What is there stays, so another mail server would be ignored: it says so.
    const other = prepare('smtp://other.example:25')
    expect([other.status, other.stderr]).toEqual([1, expect.stringContaining('names another mail server')])
    expect(Object.keys(secrets).map(made)).toEqual(first)
  })
})

describe('compose.yaml', () => {
  it.each(OURS)('sets only settings that exist for %s, and every one it needs', (name) => {
    const given = settingsOf(name)
    for (const key of Object.keys(given)) expect([...settingNames(), 'TMPDIR'], key).toContain(settingOf(key))
    const env = readEnv(given)
    if (name === 'migrate') {
      expect(env.DATABASE_OWNER_URL).toBe(
        `postgres://pillar_owner:${made('owner_password')}@database:5432/pillar?sslmode=disable`,
      )
      return
    }
    expect([...NEEDED].filter((key) => env[key] === undefined)).toEqual([])
    expect(env).toMatchObject({ ROLE: name, MIGRATE: 'off', DEMO: 'none' })
    expect(env.DATABASE_URL).toBe(
      `postgres://pillar_server:${made('server_password')}@database:5432/pillar?sslmode=disable`,
    )
    expect(env.PROXIES).toEqual([networks.outside?.ipam?.config[0]?.gateway])
  })

  it('writes long files to the disk, not into the memory of the service', () => {
    for (const { environment, volumes, tmpfs } of [services.web, services.worker]) {
      expect(tmpfs).toEqual(['/tmp'])
      expect(volumes!.map((one) => one.split(':')[1])).toContain(environment!.TMPDIR)
    }
  })

  it('mounts the secrets that settings read, and no others', () => {
    for (const name of OURS) {
      const read = Object.values(services[name].environment ?? {})
        .filter((value) => String(value).startsWith('/run/secrets/'))
        .map((value) => String(value).slice('/run/secrets/'.length))
      expect(services[name].secrets?.toSorted(), name).toEqual(read.toSorted())
    }
    expect(services.web.secrets).not.toContain('database_owner_url')
    expect(Object.keys(secrets).toSorted()).toEqual(
      [...new Set(Object.values(services).flatMap((service) => service.secrets ?? []))].toSorted(),
    )
  })

  it('starts in order: database, migrations, then what serves', () => {
    expect(services.migrate.depends_on).toEqual({ database: { condition: 'service_healthy' } })
    for (const name of ['web', 'worker'] as const)
      expect(services[name].depends_on?.migrate?.condition).toBe('service_completed_successfully')
  })

  it('reports a database without its logins as unhealthy, as a first start that broke off leaves it', () => {
    const database = readFileSync('deploy/compose/make-logins.sh', 'utf8').match(/create database (\w+)/)![1]!
    const probe = services.database.healthcheck!.test.join(' ')
    expect(probe).toMatch(/psql .*--host 127\.0\.0\.1 /)
    expect(probe).toContain(`--dbname ${database} `)
  })

  it('makes logins without passing a password as an argument, and none if a password is missing', () => {
    const logins = mkdtempSync(join(tmpdir(), 'pillar-logins-'))
    try {
      writeFileSync(join(logins, 'psql'), '#!/bin/sh\necho "$@"\n', { mode: 0o755 })
      writeFileSync(join(logins, 'owner_password'), 'hunter2')
      const make = () => {
        const env = { PATH: `${logins}:${process.env.PATH}`, SECRETS: logins }
        const { status, stdout } = spawnSync('/bin/sh', ['deploy/compose/make-logins.sh'], { env, encoding: 'utf8' })
        return [status, stdout]
      }
      expect(make()).toEqual([1, ''])
      writeFileSync(join(logins, 'server_password'), 'hunter3')
      expect(make()).toEqual([0, '--set ON_ERROR_STOP=1 --username postgres --dbname postgres\n'])
    } finally {
      rmSync(logins, { recursive: true })
    }
  })

  it('runs Pillar without rights, and lets it write only to its volume', () => {
    for (const name of OURS) {
      expect(services[name]).toMatchObject({ read_only: true, cap_drop: ['ALL'] })
      expect(services[name].security_opt).toEqual(['no-new-privileges:true'])
    }
  })

  it('opens no port to other machines, and the database to nobody outside', () => {
    for (const service of Object.values(services))
      for (const port of service.ports ?? []) expect(port).toMatch(/^127\.0\.0\.1:/)
    expect(services.database.networks).toEqual(['inside'])
    expect(networks.inside?.internal).toBe(true)
  })

  it('names images without a registry', () => {
    for (const { image } of Object.values(services))
      expect(isHostless(image.replace(/^\$\{\w+:-(.*)\}$/, '$1')), image).toBe(true)
  })
})
