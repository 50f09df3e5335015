import { createReadStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { columnsOf } from '@pillar/domain/upload/upload-format'
import pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { inParallel } from './company.ts'

const TABLE = 'bench_copy'

/**
 * Loads script files into a plain table of the same PostgreSQL by COPY alone: columns as text, logged, no index. The table is created in a
 * separate transaction, so that its rows are written to the log like any others.
 * @returns rows and seconds, not counting the table's creation
 */
export async function bareCopy(
  databaseUrl: string,
  files: readonly string[],
  connections: number,
): Promise<{ rows: number; seconds: number }> {
  const clients = Array.from({ length: connections }, () => new pg.Client({ connectionString: databaseUrl }))
  await Promise.all(clients.map((client) => client.connect()))
  const first = clients[0]
  if (!first) throw new RangeError('At least one connection is needed.')
  try {
    const columns = columnsOf('scripts').map(([name]) => `${name} text`)
    await first.query(`drop table if exists ${TABLE}`)
    await first.query(`create table ${TABLE} (${columns.join(', ')})`)
    await first.query('checkpoint')
    const began = performance.now()
    const idle = [...clients]
    await inParallel(files, connections, async (file) => {
      const client = idle.pop()
      if (!client) throw new Error('No connection is free.')
      const copy = client.query(copyFrom(`copy ${TABLE} from stdin with (format csv, header)`))
      await pipeline(createReadStream(file, { highWaterMark: 128 * 1024 }), copy)
      idle.push(client)
    })
    const seconds = (performance.now() - began) / 1000
    const counted = await first.query<{ rows: number }>(`select count(*)::int as rows from ${TABLE}`)
    return { rows: counted.rows[0]?.rows ?? 0, seconds }
  } finally {
    await first.query(`drop table if exists ${TABLE}`)
    await Promise.all(clients.map((client) => client.end()))
  }
}
