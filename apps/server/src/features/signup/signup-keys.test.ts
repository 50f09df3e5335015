import { contract } from '@pillar/contract'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { solvedCaptcha } from '../../../test/consent.ts'
import { asOwner, dump, fresh } from '../../../test/people.ts'
import { startTestServer, type TestServer } from '../../../test/server.ts'
import { makeSupport, type Support } from '../../../test/support.ts'
import { openKeys } from '../../db/field/key-ring.ts'
import { rotate } from '../../db/field/rotation.ts'
import { sweepFields } from '../../db/field/sweep.ts'

const { search } = contract.signupAdmin

let server: TestServer
let support: Support
beforeAll(async () => {
  server = await startTestServer()
  support = await makeSupport(server)
})
afterAll(() => server.close())

const visitor = (phone?: string) => {
  const username = fresh('jo')
  return {
    ...{ username, email: `${username}@saltbush.example`, first_name: 'Jo', last_name: 'Marsh' },
    ...{ pharmacy_name: fresh('Saltbush Pharmacy'), pharmacy_phone: '03 5550 1234', sources: ['fred'] },
    ...{ street_address: '12 Sturt Street', town: 'Ballarat', region: 'VIC', postcode: '3350' },
    ...{ privacy_statement: true, email_marketing: false },
    ...(phone ? { phone } : {}),
  }
}
const send = async (body: object) => server.call('/api/signup', { ...body, captcha: await solvedCaptcha(server) })

it('an address has one sign-up even while keys are rotated, and it is found under the old key and the new', async () => {
  const [again, once] = [visitor('0412 345 678'), visitor()]
  await send(again)
  await send(once)
  const everything = await dump(server)
  for (const plain of [again.email, once.email, '0412 345 678']) expect(everything).not.toContain(plain)
  const { services } = server
  await rotate(services.env, services.pools.system)
  await asOwner(server, `update data_key set writes_from = now() - interval '1 second' where writes_from > now()`)
  services.keys = await openKeys(services.env, services.pools.system)
  await send({ ...again, email: again.email.toUpperCase() })
  const found = async (email: string) => (await support.ask(search, { search_term: email })).body
  expect((await found(again.email)).results).toMatchObject([
    { email: again.email.toUpperCase(), phone: '0412 345 678' },
  ])
  expect((await found(once.email)).results).toMatchObject([{ email: once.email, phone: null }])
  const heads = `select distinct substring(email_index for 4) from signup where state = 'unconfirmed'`
  expect(await asOwner(server, heads)).toHaveLength(2)
  await sweepFields(services.pools, services.keys)
  expect(await asOwner(server, heads)).toHaveLength(1)
  expect((await found(again.email)).total).toBe(1)
  expect((await found(once.email)).total).toBe(1)
})
