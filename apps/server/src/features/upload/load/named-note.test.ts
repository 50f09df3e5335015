import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startUploadServer, type TestPharmacy, type UploadServer } from '../../../../test/upload.ts'

let server: UploadServer
beforeAll(async () => {
  server = await startUploadServer()
})
afterAll(() => server.close())

const DAY_MS = 86_400_000
/** The patients of a pharmacy who count as dead, with the day. */
async function dead({ id }: TestPharmacy) {
  const { rows } = await sql<{ number: string; day: string }>`
    select source_id as number, deceased_on::text as day from patient where location_id = ${id} and deceased_on is not null
    order by source_id`.execute(server.owner)
  return Object.fromEntries(rows.map(({ number, day }) => [number, day]))
}

it('a patient whose name says that they have died counts as dead, from the day that was first read', async () => {
  const pharmacy = await server.pharmacy()
  const stated = 'patient_id,first_name,last_name,deceased_on\n1,John,Li,\n2,Ann,Li,\n3,Kim,Vale,2026-03-04\n'
  await pharmacy.load({ patients: stated })
  expect(await dead(pharmacy)).toEqual({ 3: '2026-03-04' })
  const noted = await pharmacy.load({
    patients: 'patient_id,first_name,last_name\n1,JOHN (DECEASED),Li\n2,Ann,Li\n3,Kim,Vale\n',
  })
  expect(noted.notes).toContain(
    'Patients whose name says that they have died, who count as dead from the day that was first read: 1.',
  )
  const first = await dead(pharmacy)
  expect(first).toEqual({ 1: expect.any(String), 3: '2026-03-04' })
  server.clock.offsetMs = 3 * DAY_MS
  await pharmacy.load({ patients: 'patient_id,first_name,last_name\n1,John,Li DEC’D\n2,Anna,Li\n' })
  expect(await dead(pharmacy)).toEqual(first)
  await pharmacy.load({ patients: stated.replace('Ann', 'Anne') })
  expect(await dead(pharmacy)).toEqual({ 3: '2026-03-04' })
})

it('only words that say so count', async () => {
  const pharmacy = await server.pharmacy()
  const gone = [
    'DECEASED',
    "Dec'd",
    'John DECD',
    '*dec*',
    'Ann (R.I.P.)',
    'Ann [Late]',
    'Estate of J',
    'Passed away 3/3',
  ]
  const here = ['Declan', 'Dec', 'Rip', 'Decdon Deceasedson', 'Ann (dec 2025)', 'Lateisha', 'Kim (LATER)', 'Estate']
  const rows = [...gone, ...here].map((name, at) => `${at < gone.length ? 'gone' : 'here'}${at},"${name}"`)
  await pharmacy.load({ patients: `patient_id,last_name\n${rows.join('\n')}\n` })
  expect(Object.keys(await dead(pharmacy)).sort()).toEqual(gone.map((_, at) => `gone${at}`).sort())
})

it('a name that says no to texts, emails or both is an opt-out, which only the pharmacy’s own column takes back', async () => {
  const pharmacy = await server.pharmacy()
  const out = async () => {
    const { rows } = await sql<{ number: string; sms: boolean | null; email: boolean | null }>`
      select source_id as number, sms_opt_out as sms, email_opt_out as email from patient where location_id = ${pharmacy.id}`.execute(
      server.owner,
    )
    return Object.fromEntries(rows.map(({ number, sms, email }) => [number, [sms === true, email === true]]))
  }
  const texts = ['Ann (NO SMS)', 'Ann - do not text', "Ann DON'T TXT", 'Ann no texts'].map((name, at) => [
    `t${at}`,
    name,
  ])
  const both = ['Ann DNC', 'Ann *do not contact*', 'Ann opted out', 'Ann no marketing'].map((name, at) => [
    `b${at}`,
    name,
  ])
  const rest = [
    ['e', 'Ann no e-mail'],
    ...['Ann Smsith', 'Noel Textor', 'Dncan', 'Otto Optouti'].map((name, at) => [`n${at}`, name]),
  ]
  const named = (rows: readonly (readonly string[])[]) => rows.map(([number, name]) => `${number},${name}`).join('\n')
  await pharmacy.load({ patients: `patient_id,last_name,sms_opt_out\nkept,Li,1\n` })
  const { notes } = await pharmacy.load({
    patients: `patient_id,last_name\nkept,Lim\n${named([...texts, ...both, ...rest])}\n`,
  })
  expect(notes).toContain('that they want no texts, who get none: ')
  const expected = {
    kept: [true, false],
    ...Object.fromEntries(texts.map(([number]) => [number, [true, false]])),
    ...Object.fromEntries(both.map(([number]) => [number, [true, true]])),
    ...{ e: [false, true], n0: [false, false], n1: [false, false], n2: [false, false], n3: [false, false] },
  }
  expect(await out()).toEqual(expected)
  await pharmacy.load({ patients: 'patient_id,last_name\nt0,Ann\n' })
  expect((await out()).t0).toEqual([true, false])
  await pharmacy.load({ patients: 'patient_id,sms_opt_out,email_opt_out\nt1,0,0\nb1,0,0\n' })
  expect(await out()).toMatchObject({ t1: [true, false], b1: [true, true] })
  await pharmacy.load({ patients: 'patient_id,last_name,sms_opt_out\nt0,Anna,0\n' })
  expect((await out()).t0).toEqual([false, false])
})

it('an animal and an account for many people are left out as those in care facilities are, and people with such surnames are not', async () => {
  const pharmacy = await server.pharmacy()
  const others = [
    'Rex (DOG),Smith',
    'Minka,Smith *Cat*',
    'Bella,Canine',
    'CASH,SALE',
    'Sale,Cash',
    ',CASH CUSTOMERS',
    'Walk-in,Patient',
  ]
  others.push(',OVER THE COUNTER', 'Doctor’s,Bag', 'BAG,DRS', ',DOCTORS BAG', 'Imprest,Ward 3', ',"SALES, OTC"')
  const people = [
    'Johnny,Cash',
    'Ann,Sale',
    'Mary,Ward',
    'Dr,Bagg',
    'Cat,Stevens',
    'Dog,Ma',
    'Ann (catheter),Li',
    'Ann (VET),Li',
    'Kim,Counter',
  ]
  const rows = [...others, ...people].map((name, at) => `${at < others.length ? 'other' : 'person'}${at},${name}`)
  const { notes } = await pharmacy.load({ patients: `patient_id,first_name,last_name\n${rows.join('\n')}\n` })
  expect(notes).toContain(
    `Patients whose name says that they are an animal or an account for many people, which are left out of adherence and of messages: ${others.length}.`,
  )
  const { rows: found } = await sql<{ number: string }>`
    select source_id as number from patient where location_id = ${pharmacy.id} and facility order by id`.execute(
    server.owner,
  )
  expect(found.map(({ number }) => number)).toEqual(others.map((_, at) => `other${at}`))
})
