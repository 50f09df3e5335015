import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { asOwner } from '../people.ts'
import { startTestServer, type TestServer } from '../server.ts'

/** Everything the console's role may read; a new table is not included by default. */
const SEEN = `
  access_token
  audit
  audit_check
  authenticator_app
  campaign
  campaign_approval
  campaign_day
  campaign_location
  campaign_recommendation
  campaign_recommendation_template
  campaign_result
  campaign_template
  company
  dashboard
  follow_up
  gateway_pace
  link
  location
  location_key
  location_messaging
  location_module
  login
  login_location
  mail
  message_batch
  message_run
  messaging_setting
  module
  onboarding_notification
  passkey
  recovery_code
  recruiter_provider
  remembered_browser
  report_request
  sequence
  sequence_event
  sequence_recommendation
  sequence_recommendation_template
  session
  signup
  staff_contact
  step_up
  template
  template_recommendation
  trial
  trial_consent_form
  trial_ethics_approval
  trial_location
  trial_status_change
  trial_template
  upload
  upload_file
  upload_work
`
  .trim()
  .split(/\s+/)

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

test('the role of the console reads only these tables, without secrets or message texts', async () => {
  const readable = await asOwner<{ name: string }>(
    server,
    `select distinct table_name as name from information_schema.column_privileges
     where grantee = 'pillar_staff' and privilege_type = 'SELECT' and table_schema = 'public' order by 1`,
  )
  expect(readable.map((row) => row.name)).toEqual(SEEN)
  const columns = [
    ...['login.password_hash', 'location_key.key_hash', 'message_batch.body', 'message_batch.subject'],
    ...['session.secret_hash', 'session.challenge', 'access_token.token_hash', 'step_up.token_hash', 'mail.body'],
    ...['mail.recipient', 'mail.subject', 'link.token_hash', 'signup.password_hash'],
    ...['authenticator_app.sealed', 'passkey.public_key', 'recovery_code.code_hash', 'remembered_browser.token_hash'],
    'login.password_hash',
    'location_key.key_hash',
    'location_key.sealed',
    'message_batch.body',
    'message_batch.subject',
  ]
  for (const column of columns) {
    const [table, name] = column.split('.')
    const [row] = await asOwner(server, `select has_column_privilege('pillar_staff', $1, $2, 'select') as may`, [
      table,
      name,
    ])
    expect([column, row?.may]).toEqual([column, false])
  }
})

test('a function with its owner’s rights finds the database’s tables, never a caller’s temporary ones', async () => {
  const open = await asOwner(
    server,
    `select oid::regprocedure::text as name, proconfig from pg_proc
     where prosecdef and pronamespace = 'public'::regnamespace
       and not coalesce('search_path=public, pg_temp' = any (proconfig), false) order by 1`,
  )
  expect(open).toEqual([])
  const client = new pg.Client({ connectionString: server.servingUrl })
  await client.connect()
  try {
    await client.query('set role pillar_app')
    await client.query('create temporary table step_up as select false as used_at limit 0')
    await client.query('grant all on step_up to public')
    // The real table has the requested columns, the temporary one does not.
    const spent = await client.query(
      `select * from spend_step_up('\\x00', '01980000-0000-7000-8000-000000000001', 'save', null, now())`,
    )
    expect(spent.rows).toEqual([])
  } finally {
    await client.end()
  }
})
