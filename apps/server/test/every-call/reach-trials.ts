import { type Call, partsOf, read, write } from '@pillar/contract'
import { everyCall } from '@pillar/contract/every-call'
import { sql } from 'kysely'
import { z } from 'zod'
import type { Tx } from '../../src/db/database.ts'
import { asOwner } from '../people.ts'
import type { TestServer } from '../server.ts'

/** Accepts any answer. */
export const anything = z.looseObject({})

/** Calls not in the contract, to test what they would do. */
export const trials = {
  look: read({
    path: '/probe/company/{id}/patients',
    needs: 'sr_login',
    reach: { company: (input: { id: string }) => input.id, reason: (input: { reason: string }) => input.reason },
    about: 'Patients of one company.',
    example: { id: 'x', reason: 'x' },
    input: z.object({ id: z.uuid(), reason: z.string() }),
    output: anything,
  }),
  lookInOne: read({
    path: '/probe/location/{id}/patients',
    needs: 'sr_login',
    reach: { location: (input: { id: string }) => input.id, reason: (input: { reason: string }) => input.reason },
    about: 'Patients of one pharmacy.',
    example: { id: 'x', reason: 'x' },
    input: z.object({ id: z.uuid(), reason: z.string() }),
    output: anything,
  }),
  unlink: write({
    method: 'DELETE',
    path: '/probe/key/{key}/module/{module}',
    needs: 'sr_login',
    reach: 'platform',
    secret: ['key'],
    stepUp: 'delete',
    about: 'Removes a module of a pharmacy.',
    example: { key: 'x', module: 'x' },
    input: z.object({ key: z.string(), module: z.string() }),
    output: anything,
  }),
}

/** The calls of support. */
export const support = everyCall.filter(({ call }) => call.reach !== undefined)

/** Whether a call makes something that has no id yet. */
export const isNew = (call: Call) => call.kind === 'write' && !call.subject && partsOf(call.path).length === 0

export const patientsSeen = async (tx: Tx) =>
  (await sql<{ name: string }>`select first_name as name from patient`.execute(tx)).rows.map((row) => row.name)

export const addPatient = (server: TestServer, locationId: number, name: string) =>
  asOwner(
    server,
    `insert into patient (location_id, source, source_id, first_name) values ($1, 'canonical', '1', $2)`,
    [locationId, name],
  )
