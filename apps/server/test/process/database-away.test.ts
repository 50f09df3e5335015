import { createServer } from 'node:net'
import { expect, inject, it } from 'vitest'
import { refuseAway } from '../../src/db/away.ts'
import { openPool } from '../../src/db/database.ts'
import { freePort } from '../running-pillar.ts'

const DATABASE_URL = inject('ownerUrl')

it('lets a start continue when the database accepts both the serving and the migrating login', async () => {
  await expect(refuseAway({ DATABASE_URL, DATABASE_OWNER_URL: DATABASE_URL, MIGRATE: 'on' })).resolves.toBeUndefined()
})

it.each(['127.0.0.1', 'localhost'])(
  'names the setting and the place of a database that is away, on %s',
  async (host) => {
    const port = await freePort()
    const url = `postgres://somebody:hidden@${host}:${port}/pillar`
    const said = (setting: string) =>
      new RegExp(
        `^Pillar cannot enter the database that ${setting} names \\(pillar at ${host}:${port}\\): connect ECONNREFUSED .*:${port}\\.$`,
      )
    await expect(refuseAway({ DATABASE_URL: url, DATABASE_OWNER_URL: undefined, MIGRATE: 'on' })).rejects.toThrow(
      said('DATABASE_URL'),
    )
    const owner = { DATABASE_URL, DATABASE_OWNER_URL: url }
    await expect(refuseAway({ ...owner, MIGRATE: 'on' })).rejects.toThrow(said('DATABASE_OWNER_URL'))
    await expect(refuseAway({ ...owner, MIGRATE: 'off' })).resolves.toBeUndefined()
  },
)

it('repeats the reason of a database that refuses the connection', async () => {
  const url = new URL(DATABASE_URL)
  url.pathname = '/nowhere'
  const refused = refuseAway({ DATABASE_URL: url.href, DATABASE_OWNER_URL: undefined, MIGRATE: 'off' })
  await expect(refused).rejects.toThrow(/DATABASE_URL names \(nowhere at .*\): database "nowhere" does not exist\.$/)
})

it('does not wait for a database that does not answer', async () => {
  const mute = createServer(() => {}).listen(0, '127.0.0.1')
  await new Promise((listening) => mute.once('listening', listening))
  const { port } = mute.address() as { port: number }
  const url = `postgres://a:b@127.0.0.1:${port}/pillar`
  const refused = refuseAway({ DATABASE_URL: url, DATABASE_OWNER_URL: undefined, MIGRATE: 'off' }, 300)
  await expect(refused).rejects.toThrow(/names \(pillar at 127\.0\.0\.1:\d+\): timeout expired\.$/)
  mute.close()
})

it('PostgreSQL is set to drop the connection of a vanished machine within a minute', async () => {
  const pool = openPool(inject('servingUrl'), 'pillar_app', 1, () => {})
  // The requested values; on a local socket, where no peer vanishes, they have no effect.
  const { rows } = await pool.query(`select name, reset_val from pg_settings where name ~ '^tcp_keepalives' order by 1`)
  await pool.end()
  const asked = Object.fromEntries(rows.map(({ name, reset_val }) => [name, Number(reset_val)]))
  const { tcp_keepalives_idle: idle, tcp_keepalives_interval: interval, tcp_keepalives_count: count } = asked
  expect(idle).toBeGreaterThan(0)
  expect(idle! + interval! * count!).toBeLessThanOrEqual(60)
})
