import { randomBytes } from 'node:crypto'
import { parseArgs } from 'node:util'
import { FLAGS, type Flag } from '@pillar/contract'
import { loginProblems } from '@pillar/domain/access/user'
import { problemSentence } from '@pillar/domain/text/sentence'
import { isTaken } from '../db/taken.ts'
import { findCompanyId } from '../features/location/location.queries.ts'
import { createLogin } from '../features/session/login.queries.ts'
import { asSystem, command } from './command.ts'

const USAGE = `npm run person -- add --company NAME --username NAME --email ADDRESS --first NAME --last NAME --may FLAG [--may FLAG …]
Creates someone who can sign in, and prints a first password, to be replaced at the first sign-in. The company must exist (npm run pharmacy creates it).
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
      `Give a company, a username, an email address, both names and what the person may open.\n\n${USAGE}`,
    )
  }
  const problems = loginProblems({ username, email, first_name: first, last_name: last })
  if (problems.length > 0) throw new Error(problemSentence(problems))
  const wrong = may.find((flag) => !FLAGS.includes(flag as Flag))
  if (wrong) throw new Error(`--may is one of ${FLAGS.join(', ')}, not ${wrong}.`)
  return { company: company.trim(), username: username.trim(), email: email.trim(), first, last, flags: may as Flag[] }
}

await command(USAGE, async () => {
  const given = options()
  await asSystem(async (system) => {
    const companyId = await findCompanyId(system, given.company)
    if (companyId === undefined) throw new Error(`There is no company named ${given.company}.`)
    const password = randomBytes(18).toString('base64url')
    const { company: _name, first, last, ...login } = given
    const person = {
      ...login,
      companyId,
      first_name: first,
      last_name: last,
      password,
      mustChangePassword: true,
    }
    await createLogin(system, person).catch((error: unknown) => {
      throw isTaken(error) ? new Error('Someone already has that username or email address.') : error
    })
    process.stdout.write(
      `${given.username} of ${given.company} may now sign in.\nPassword (shown once): ${password}\n` +
        'At the first sign-in they choose one of their own.\n',
    )
  })
})
