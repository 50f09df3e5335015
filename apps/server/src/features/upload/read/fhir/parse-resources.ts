import { once } from 'node:events'
import type { Writable } from 'node:stream'
import { dayIn } from '@pillar/domain/time/zone'
import { fileNameOf } from '@pillar/domain/upload/upload-file'
import { columnsOf, type UploadSet } from '@pillar/domain/upload/upload-format'
import { idColumn } from '../../load/stage.ts'
import { checkOf, copyText, NULL } from '../check.ts'
import { addFault, addUnread, countOf, noteLost } from '../fault.ts'
import { plainBytes, utf8Bytes } from '../plain-file.ts'
import { faultyRow, type ParseInput, type ReadFile, removedRow, rowWriter, type Slot } from '../row.ts'
import { isMade } from '../source-profile.ts'
import { removalOf } from './dispense.ts'
import { isObject, JsonFault, type JsonObject, otherThanJson, parseJson } from './line/json.ts'
import { readNdjson } from './line/ndjson.ts'
import { REMOVED, type Values } from './medication.ts'
import { notesOf } from './notes.ts'
import { DEATH_DATE_UNKNOWN } from './patient.ts'
import { objectAt, PathFault, refuseModified, textAt } from './resource.ts'
import { type FhirContext, stateOf } from './state.ts'

const BATCH = 64 * 1024
const MAX_ID = 200

/**
 * Reads one NDJSON file of FHIR resources for one set and writes the rows to `copy` as COPY text, in constant memory and at the database's
 * pace. An unusable line goes to the findings with its place in the resource; if its id is readable, only the id is staged.
 * @returns the canonical columns that FHIR has, and how many lines the file has
 * @throws UploadFault if the file as a whole cannot be used
 */
export async function parseResources(input: ParseInput, copy: Writable): Promise<ReadFile> {
  const { file, feed, findings, context: checks } = input
  const name = fileNameOf(file.name)
  countOf(findings, file.name)
  const context: FhirContext = { today: checks.today, timeZone: checks.timeZone, state: stateOf(findings) }
  const read = input.feed.removes ? removalsOf(input, context) : rowsOf(input, context)
  let batch = ''
  let lines = 0
  await readNdjson(utf8Bytes(plainBytes(input.open, name), name, noteLost(findings, name)), {
    line(text, line) {
      lines = line
      batch += rowsOrFault(read, { text, line, input })
    },
    async pause() {
      if (batch.length < BATCH) return
      const room = copy.write(batch)
      batch = ''
      if (!room) await once(copy, 'drain')
    },
  })
  if (batch !== '') copy.write(batch)
  findings.notes.push(...notesOf(name, feed, context.state.report()))
  return { columns: new Set(Object.keys(feed.columns)), lines }
}

const isNoSupply = (values: Values) => values.reversed === '1' || values.deferred === '1'

/** Turns a resource into COPY text; null if it makes no row. @throws PathFault */
type ReadResource = (resource: JsonObject, line: number) => string | null

function rowsOf(input: ParseInput, context: FhirContext): ReadResource {
  const slots = slotsOf(input)
  const toText = rowWriter(slots, input)
  const { set } = input.feed
  const fits = (values: Values) =>
    slots.every(({ column, check }) => typeof check((values[column] ?? '').trim()) === 'string')
  return (resource, line) => {
    const mapped = input.feed.map?.(resource, context) ?? null
    if (mapped === null) return null
    const values = isNoSupply(mapped) && !fits(mapped) ? removalOf(mapped.script_id ?? '', context) : mapped
    // A product described in its uses is as new as the upload: no use says when the product was changed.
    const version = input.feed.implied ? NULL : versionOf(resource, context)
    if (values[REMOVED])
      return removedRow(set, line + (input.lineBase ?? 0), copyText(values[idColumn(set)] ?? ''), {
        version,
        listed: false,
      })
    return toText(
      slots.map(({ column }) => values[column] ?? ''),
      line,
      version,
      values[DEATH_DATE_UNKNOWN] === '1',
    )
  }
}

function removalsOf({ feed, lineBase = 0 }: ParseInput, context: FhirContext): ReadResource {
  return (resource, line) => {
    const version = versionOf(resource, context)
    return (feed.removes?.(resource, context) ?? [])
      .map(({ script_id = '' }) =>
        removedRow('scripts', line + lineBase, copyText(script_id), { version, listed: true }),
      )
      .join('')
  }
}

/** The COPY text of a line; for an unusable one at most its id, and a fault. Counts the line. */
function rowsOrFault(
  read: ReadResource,
  { text, line, input }: { text: string | null; line: number; input: ParseInput },
): string {
  const { file, feed, findings } = input
  const count = countOf(findings, file.name)
  let resource: JsonObject | null = null
  try {
    resource = resourceOf(text, feed.removes ? 'Bundle' : file.name, fileNameOf(file.name))
    refuseModified(resource)
    const row = read(resource, line)
    if (row !== null && !feed.implied) count.rows++
    return row ?? ''
  } catch (error) {
    const fault = untold(feed.set, faultOf(error, text))
    // A line may feed two sets; its fault is listed once, under the set it is meant for.
    if (feed.implied) return ''
    count.rows++
    addFault(findings, { file: file.name, line, ...fault })
    const id = typeof resource?.id === 'string' ? resource.id.trim() : ''
    // A deletion that cannot be read hides no script.
    if (feed.removes) return ''
    if (id !== '' && id.length <= MAX_ID) return faultyRow(feed.set, line + (input.lineBase ?? 0), copyText(id))
    addUnread(findings, feed.set)
    return ''
  }
}

/** The same without the patient's name, days, contacts and address, or without anything about the patient, as in `UNTOLD_CELLS`. */
function untold<F extends { column: string; value: string }>(set: UploadSet, fault: F): F {
  return set === 'patients' && UNTOLD.test(fault.column) ? { ...fault, value: '' } : fault
}

const UNTOLD = /^(telecom|address|contact|name|birthDate|deceased|$)/

/** Where and why a line cannot be used. Rethrows errors that are not the line's fault. */
function faultOf(error: unknown, text: string | null): { column: string; value: string; reason: string } {
  if (error instanceof PathFault) return { column: error.path, value: error.value, reason: error.message }
  if (error instanceof JsonFault && text !== null)
    return { column: '', value: text, reason: otherThanJson(text) ?? `is not JSON to read: it ${error.message}` }
  throw error
}

const TOO_LONG =
  'is longer than 1 MB: NDJSON has one resource on each line; leave out a photo or document inside the resource'

/** One resource of the right type with an id. @throws JsonFault, PathFault */
function resourceOf(text: string | null, type: string, name: string): JsonObject {
  if (text === null) throw new PathFault('', '', TOO_LONG)
  const value = parseJson(text)
  if (!isObject(value))
    throw new PathFault('', text, 'is not a resource: NDJSON has one resource on each line, as {"resourceType": …}')
  const found = textAt(value, 'resourceType')
  if (found !== type)
    throw new PathFault(
      'resourceType',
      found,
      found === 'Bundle'
        ? `is a Bundle; send its resources of ${type} one a line, each a whole resource`
        : `${found === '' ? 'is missing' : 'is another type'}; ${name} holds resources of ${type} only`,
    )
  if (type !== 'Bundle' && textAt(value, 'id') === '')
    throw new PathFault('id', '', 'is missing: by its id a resource is recognised again')
  return value
}

const INSTANT = /^\d{4}-\d{2}-\d{2}[Tt]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?([Zz]|[+-]\d{2}:\d{2})?$/

/** meta.lastUpdated as COPY text. @throws PathFault if it is not an instant, or in the future */
function versionOf(resource: JsonObject, { today, timeZone }: FhirContext): string {
  const meta = objectAt(resource, 'meta')
  const text = meta ? textAt(meta, 'lastUpdated', 'meta.lastUpdated') : ''
  if (text === '') return NULL
  const at = new Date(text.toUpperCase())
  const zone = INSTANT.exec(text)?.[1]
  if (zone === undefined || Number.isNaN(at.getTime()))
    throw new PathFault(
      'meta.lastUpdated',
      text,
      'is not an instant with its zone, such as 2026-07-31T14:05:00+10:00: versions cannot be put in order without',
    )
  // A clock may be wrong by hours; a time a year ahead would win over every later version.
  if (dayIn(timeZone, at) > today + 1)
    throw new PathFault(
      'meta.lastUpdated',
      text,
      'is more than a day in the future, so no later version could replace this one: correct the clock or the value',
    )
  return at.toISOString()
}

/** Every column of the set; for those that FHIR has, the value at that place. */
function slotsOf({ feed, context }: ParseInput): Slot[] {
  return columnsOf(feed.set).map(([column, rule], at) => {
    const path = feed.columns[column]
    const label = path && !isMade(path) ? path[0] : undefined
    return { column, read: path ? at : null, check: checkOf(column, rule, context), ...(label ? { label } : {}) }
  })
}
