import { type Call, partsOf, subjectOf } from '@pillar/contract'
import fc from 'fast-check'
import { z } from 'zod'

/** The part of JSON Schema that zod writes for the contract. */
export interface Schema {
  type?: string
  anyOf?: Schema[]
  enum?: unknown[]
  const?: unknown
  default?: unknown
  properties?: Record<string, Schema>
  required?: string[]
  additionalProperties?: Schema | boolean
  items?: Schema
  format?: string
  minimum?: number
  maximum?: number
  minLength?: number
  minItems?: number
}

export const inputSchema = (call: Call): Schema =>
  z.toJSONSchema(call.input, { io: 'input', unrepresentable: 'any' }) as Schema
export const outputSchema = (call: Call): Schema =>
  z.toJSONSchema(call.output, { io: 'output', unrepresentable: 'any' }) as Schema

/** Values that satisfy rules a schema does not spell out. */
const KNOWN: Record<string, unknown> = {
  year: 2026,
  category: 'Drug Type',
  subcategory: 'Other',
  name: 'someone',
  week: [null, null, null, null, null, null, null],
}

/** A value the schema accepts, with every required field and, for uuids, the given one. */
export function valid(schema: Schema, uuid: string, name = ''): unknown {
  if (name in KNOWN) return KNOWN[name]
  if (schema.const !== undefined) return schema.const
  if (schema.enum) return schema.enum[0]
  if (schema.anyOf) return valid(schema.anyOf[0]!, uuid, name)
  // zod writes a nullable boolean as a list of types.
  if (Array.isArray(schema.type)) return valid({ ...schema, type: (schema.type as string[])[0]! }, uuid, name)
  if (schema.format === 'uuid') return uuid
  if (schema.format === 'date') return '2026-10-01'
  if (schema.type === 'array') return schema.items ? [valid(schema.items, uuid)] : []
  if (schema.type === 'object') {
    const required = Object.entries(schema.properties ?? {}).filter(([key]) => schema.required?.includes(key))
    return Object.fromEntries(required.map(([key, field]) => [key, valid(field, uuid, key)]))
  }
  if (schema.type === 'number' || schema.type === 'integer') return schema.minimum ?? 1
  if (schema.type === 'boolean') return true
  return 'x'.repeat(Math.max(1, schema.minLength ?? 1))
}

/** A body a call accepts: what its schema requires, and for a bulk call one id. */
export function bodyFor(call: Call, uuid: string): unknown {
  const schema = inputSchema(call)
  const body = valid(schema, uuid)
  const ids = ['template_ids', 'campaign_ids', 'id'].find(
    (name) => schema.properties?.[name] && schema.properties.filter,
  )
  return ids ? { ...(body as object), [ids]: [uuid] } : body
}

/** The path of a call with its `{id}` parts filled from the body, and the object a grant for it must name. */
export function placeOf(call: Call, body: unknown): { path: string; object: string | null } {
  const of = (key: string) => {
    const value = (body as Record<string, unknown> | null)?.[key]
    return (
      (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''))
        .replaceAll('\0', '')
        .slice(0, 150)
        .toWellFormed() || 'x'
    )
  }
  const path = call.path.replaceAll(/\{(\w+)\}/g, (_, key: string) => encodeURIComponent(of(key)))
  const places = Object.fromEntries(partsOf(call.path).map((part) => [part, of(part)]))
  const input = call.input.safeParse({ ...(body as object), ...places })
  return { path, object: input.success ? subjectOf(call, input.data) : null }
}

/** Required fields of the body itself, without those in the path. */
export const requiredOf = (call: Call): string[] =>
  (inputSchema(call).required ?? []).filter((key) => !call.path.includes(`{${key}}`))

const NASTY = ['', ' ', '\0', "'; drop table login; --", '__proto__', '=1+1', '￿', '\ud800', '‮', 'x'.repeat(5000)]
const NUMBERS = [0, -1, 1.5, 2 ** 31, 2 ** 53, -(2 ** 63), 1e308, -0]

const junk = fc.oneof(
  fc.constantFrom<unknown>(...NASTY, ...NUMBERS, null, true, [], {}, [[]], [null], { __proto__: null }),
  fc.string({ unit: 'binary', maxLength: 50 }),
  fc.jsonValue({ maxDepth: 3 }),
)

/** Values near what the schema accepts: mostly right in shape, often wrong in one place. */
export function around(schema: Schema, uuids: readonly string[]): fc.Arbitrary<unknown> {
  return fc.oneof({ weight: 5, arbitrary: fitting(schema, uuids) }, { weight: 1, arbitrary: junk })
}

function fitting(schema: Schema, uuids: readonly string[]): fc.Arbitrary<unknown> {
  if (schema.enum) return fc.constantFrom(...schema.enum)
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map((one) => around(one, uuids)))
  if (schema.format === 'uuid') return fc.constantFrom<unknown>(...uuids)
  if (schema.type === 'array') return fc.array(around(schema.items ?? {}, uuids), { maxLength: 5 })
  if (schema.type === 'object') {
    const fields = Object.entries(schema.properties ?? {}).map(([key, field]) => [
      key,
      key in KNOWN ? fc.oneof(fc.constant(KNOWN[key]), around(field, uuids)) : around(field, uuids),
    ])
    return fc.record(Object.fromEntries(fields) as Record<string, fc.Arbitrary<unknown>>, { requiredKeys: [] })
  }
  if (schema.type === 'integer') return fc.integer()
  if (schema.type === 'number') return fc.oneof(fc.integer({ min: 0, max: 3000 }), fc.double({ noNaN: true }))
  if (schema.type === 'boolean') return fc.boolean()
  return fc.oneof(fc.string({ maxLength: 60 }), fc.constantFrom(...NASTY))
}

/** Paths of an answer that its schema does not declare. */
export function undeclared(schema: Schema, value: unknown, path = ''): string[] {
  // The type allows every value.
  if (Object.keys(schema).length === 0) return []
  if (schema.anyOf) {
    const tries = schema.anyOf.map((one) => undeclared(one, value, path))
    return tries.toSorted((a, b) => a.length - b.length)[0]!
  }
  if (Array.isArray(value))
    return value.flatMap((one, index) => undeclared(schema.items ?? {}, one, `${path}[${index}]`))
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, field]) => {
    const declared = schema.properties?.[key]
    if (declared) return undeclared(declared, field, `${path}.${key}`)
    const others = schema.additionalProperties
    return typeof others === 'object' ? undeclared(others, field, `${path}.${key}`) : [`${path}.${key}`]
  })
}
