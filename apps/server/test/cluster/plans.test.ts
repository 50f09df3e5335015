import { describe, expect, it } from 'vitest'
import { fansOut, planOf } from './plans.ts'

/** A plan as a cluster explains it: this many shards get this query. */
const plan = (shards: number, query: string, more: object = {}) =>
  planOf('select', [
    { Plan: { 'Distributed Query': { Job: { 'Task Count': shards, Tasks: [{ Query: query }], ...more } } } },
  ])

describe('a plan on a cluster fans out', () => {
  it('if rows of many shards are joined by anything but the pharmacy', () => {
    const query = 'SELECT FROM script_102008 s JOIN prescription_102012 r ON s.patient_id = r.patient_id'
    expect(fansOut(plan(4, query))).toBe(true)
    expect(fansOut(plan(1, query))).toBe(false)
  })

  it('but not if each shard joins its own pharmacies', () => {
    const on = 'ON (s.location_id) = (r.location_id) AND s.prescription_id = r.id'
    expect(fansOut(plan(4, `SELECT FROM script_102008 s JOIN prescription_102012 r ${on}`))).toBe(false)
    expect(fansOut(plan(4, 'SELECT sum(scripts) FROM metric_cell_102016 c'))).toBe(false)
  })

  it('if rows travel between workers to be joined', () => {
    expect(fansOut(plan(4, 'SELECT', { 'Depended Jobs': [{ 'Map Task Count': 4 }] }))).toBe(true)
  })
})
