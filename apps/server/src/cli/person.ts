import { randomBytes } from 'node:crypto'
import { parseArgs } from 'node:util'
import { FLAGS, type Flag } from '@pillar/contract'
import { openPools } from '../db/database.ts'
import { runningEmbedded } from '../db/embedded.ts'
import { readEnv } from '../env.ts'
import { createLogin } from '../features/session/login.queries.ts'

const USAGE = `npm run person -- add --company NAME --username NAME --email ADDRESS --first NAME --last NAME --may FLAG [--may FLAG …]
Creates someone who can sign in, and prints a first password. The company must exist (npm run pharmacy creates it).
FLAG is one of ${FLAGS.join(', ')}.
The database is DATABASE_URL, else the one of the Pillar running from DATA_DIR.`

function options() {
  const text = { type: 'string' } as const
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      company: text,
      username: text,
      email: text,
      first: text,
      last: text,
      may: { type: 'string', multiple: true },
    },
  })
  const { company, username, email, first, last, may = [] } = values
  if (positionals[0] !== 'add' || !company || !username || !email || !first || !last || may.length === 0) {
    throw new Error(
      `Give a company, a username, an e-mail address, both names and what the person may open.\n\n${USAGE}`,
    )
  }
  const wrong = may.find((flag) => !FLAGS.includes(flag as Flag))
  if (wrong) throw new Error(`--may is one of ${FLAGS.join(', ')}, not ${wrong}.`)
  return { company: company.trim(), username: username.trim(), email: email.trim(), first, last, flags: may as Flag[] }
}

async function main(): Promise<void> {
  const given = options()
  const env = readEnv(process.env)
  const url = env.DATABASE_URL ?? (await runningEmbedded(env.DATA_DIR))
  if (!url) throw new Error('No database found: start Pillar first ("npm start"), or set DATABASE_URL or DATA_DIR.')
  const pools = openPools(url, () => {}, 1)
  try {
    const company = await pools.gate
      .selectFrom('company')
      .select('id')
      .where('name', '=', given.company)
      .executeTakeFirst()
    if (!company) throw new Error(`There is no company named ${given.company}.`)
    const password = randomBytes(18).toString('base64url')
    await createLogin(pools.gate, {
      companyId: company.id,
      username: given.username,
      email: given.email,
      first_name: given.first,
      last_name: given.last,
      flags: given.flags,
      password,
    })
    process.stdout.write(`${given.username} of ${given.company} may now sign in.\nPassword (shown once): ${password}\n`)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== '23505') throw error
    throw new Error('Someone already has that username or e-mail address.')
  } finally {
    await pools.close()
  }
}

try {
  await main()
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`)
  process.exitCode = 2
}
