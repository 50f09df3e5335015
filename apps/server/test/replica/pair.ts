import { execFileSync } from 'node:child_process'
import { chownSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { findProgram, type PostgresProgram, runToEnd } from '../../src/db/embedded/postgres-program.ts'
import { type Postmaster, runPostmaster } from '../../src/db/embedded/postmaster.ts'
import { migrate } from '../../src/db/migrate.ts'

/** A real primary and a real standby that streams from it, on separate sockets. */
export interface Replicated {
  ownerUrl: string
  servingUrl: string
  replicaUrl: string
  /** Runs SQL as the superuser of one of the two. */
  on: <T = Record<string, unknown>>(which: 'primary' | 'replica', statement: string) => Promise<T[]>
  /** Stops the standby from showing anything newer, or lets it catch up. */
  pause: () => Promise<void>
  resume: () => Promise<void>
  /** Waits until the standby shows everything the primary has. */
  caughtUp: () => Promise<void>
  stopReplica: () => Promise<void>
  startReplica: () => Promise<void>
  /** Saves the primary's present state; it is away meanwhile. */
  keepPrimary: () => Promise<void>
  /** Replaces the primary with the saved one, as a restore or a failover does: on a new timeline. */
  failOver: () => Promise<void>
  /** Sends a signal to the standby's postmaster and all its processes, such as SIGSTOP. */
  signalReplica: (signal: NodeJS.Signals) => void
  close: () => Promise<void>
}

const SETTINGS = {
  ...{ wal_level: 'replica', max_wal_senders: '4', wal_keep_size: '256MB', hot_standby: 'on', max_connections: '60' },
  ...{
    fsync: 'off',
    full_page_writes: 'off',
    shared_buffers: '64MB',
    jit: 'off',
    timezone: 'UTC',
    listen_addresses: '',
  },
  // Replay does not wait long for reads.
  max_standby_streaming_delay: '100ms',
}

/** Starts both, with Pillar's two logins and a migrated database. */
export async function startReplicated(): Promise<Replicated> {
  const program = await findProgram()
  const folder = mkdtempSync(join(tmpdir(), 'pillar-pair-'))
  const own = (path: string) => program.as && chownSync(path, program.as.uid, program.as.gid)
  const socketOf = (which: string) => join(folder, `s-${which}`)
  for (const path of [folder, socketOf('primary'), socketOf('replica')]) {
    mkdirSync(path, { recursive: true })
    own(path)
  }
  const dataOf = (which: string) => join(folder, which)
  const url = (which: string, user: string, database = 'pillar') =>
    `postgres://${user}@127.0.0.1:5432/${database}?host=${encodeURIComponent(socketOf(which))}`
  const query = async <T>(which: string, statement: string, database?: string) => {
    const client = new pg.Client({ connectionString: url(which, 'postgres', database) })
    await client.connect()
    try {
      return (await client.query(statement)).rows as T[]
    } finally {
      await client.end()
    }
  }
  await runToEnd(program, program.initdb, [
    `--pgdata=${dataOf('primary')}`,
    ...['--username=postgres', '--auth=trust', '--encoding=UTF8', '--no-sync'],
    ...['--locale-provider=builtin', '--locale=C.UTF-8'],
  ])
  let primary = await start(program, dataOf('primary'), socketOf('primary'))
  for (const statement of [
    'create role pillar_owner login createrole bypassrls',
    'create role pillar_server login noinherit',
    'create database pillar owner pillar_owner',
  ])
    await query('primary', statement, 'postgres')
  await migrate(url('primary', 'pillar_owner'), () => {}, url('primary', 'pillar_server'))
  const label = await copyCluster(url('primary', 'postgres'), dataOf('primary'), dataOf('replica'))
  const write = (which: string, files: Record<string, string>) => {
    for (const [name, text] of Object.entries(files)) {
      writeFileSync(join(dataOf(which), name), text)
      own(join(dataOf(which), name))
    }
  }
  write('replica', {
    backup_label: label,
    'standby.signal': '',
    'postgresql.auto.conf': `primary_conninfo = 'host=${socketOf('primary')} user=postgres'\n`,
  })
  let replica = await start(program, dataOf('replica'), socketOf('replica'))
  return {
    ownerUrl: url('primary', 'pillar_owner'),
    servingUrl: url('primary', 'pillar_server'),
    replicaUrl: url('replica', 'pillar_server'),
    on: query,
    async pause() {
      await query('replica', 'select pg_wal_replay_pause()')
    },
    async resume() {
      await query('replica', 'select pg_wal_replay_resume()')
    },
    async caughtUp() {
      const [row] = await query<{ at: string }>('primary', 'select pg_current_wal_flush_lsn()::text as at')
      for (let waited = 0; waited < 30_000; waited += 20) {
        const [now] = await query<{ there: boolean }>(
          'replica',
          `select pg_last_wal_replay_lsn() >= '${row!.at}' as there`,
        )
        if (now!.there) return
        await new Promise((done) => setTimeout(done, 20))
      }
      throw new Error('The standby did not catch up within 30 s.')
    },
    stopReplica: () => replica.stop(),
    async startReplica() {
      replica = await start(program, dataOf('replica'), socketOf('replica'))
    },
    async keepPrimary() {
      await primary.stop()
      execFileSync('cp', ['-a', dataOf('primary'), dataOf('kept')])
      primary = await start(program, dataOf('primary'), socketOf('primary'))
    },
    async failOver() {
      await primary.stop()
      write('kept', { 'recovery.signal': '' })
      primary = await start(program, dataOf('kept'), socketOf('primary'), { restore_command: 'false' })
    },
    signalReplica(signal) {
      const [pid] = readFileSync(join(dataOf('replica'), 'postmaster.pid'), 'utf8').split('\n')
      const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ')
      for (const one of [Number(pid), ...children.map(Number)]) {
        try {
          process.kill(one, signal)
        } catch {
          // A process of a connection closed meanwhile.
        }
      }
    },
    async close() {
      await replica.stop()
      await primary.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

function start(
  program: PostgresProgram,
  dir: string,
  socket: string,
  more: Record<string, string> = {},
): Promise<Postmaster> {
  const settings = Object.entries({
    ...SETTINGS,
    ...more,
    unix_socket_directories: socket,
    unix_socket_permissions: '0700',
  })
  return runPostmaster(
    program,
    dir,
    settings.flatMap(([name, value]) => ['-c', `${name}=${value}`]),
    () => {},
  )
}

/**
 * A base backup by the server's own functions, because the PostgreSQL that Pillar brings has no pg_basebackup.
 * @returns the content for the copy's backup_label
 */
async function copyCluster(url: string, from: string, to: string): Promise<string> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(`select pg_backup_start('a test', true)`)
    execFileSync('cp', ['-a', from, to])
    await rm(join(to, 'postmaster.pid'))
    const { rows } = await client.query<{ labelfile: string }>('select labelfile from pg_backup_stop(false)')
    return rows[0]!.labelfile
  } finally {
    await client.end()
  }
}
