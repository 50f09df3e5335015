import { once } from 'node:events'
import type { Writable } from 'node:stream'
import { fileNameOf } from '@pillar/domain/upload/upload-file'
import { columnsOf } from '@pillar/domain/upload/upload-format'
import { checkOf, copyText, NULL } from '../check.ts'
import { addFault, countOf } from '../fault.ts'
import { plainBytes, utf8Bytes } from '../plain-file.ts'
import { faultyRow, type ParseInput, type ReadFile, rowWriter, type Slot } from '../row.ts'
import { isMade } from '../source-profile.ts'
import { isObject, JsonFault, type JsonObject, parseJson } from './json.ts'
import { readNdjson } from './ndjson.ts'
import { notesOf } from './notes.ts'
import { objectAt, PathFault, refuseModified, textAt } from './resource.ts'
import { type FhirContext, stateOf } from './state.ts'

const BATCH = 64 * 1024
const MAX_ID = 200

/**
 * Reads one NDJSON file of FHIR resources for one set and writes the rows to `copy` as COPY text, in flat memory and at
 * the database's pace. A line that cannot be used goes to the findings with its place in the resource; when its id is
 * readable, only the id is staged.
 * @returns the canonical columns that FHIR has, and how many lines the file has
 * @throws UploadFault when the file as a whole cannot be used
 */
export async function parseResources(input: ParseInput, copy: Writable): Promise<ReadFile> {
  const { file, feed, findings, context: checks } = input
  const name = fileNameOf(file.name)
  const count = countOf(findings, file.name)
  const context: FhirContext = { today: checks.today, timeZone: checks.timeZone, state: stateOf(findings) }
  const slots = slotsOf(input)
  const toText = rowWriter(slots, input)
  let batch = ''
  let lines = 0
  const fault = (
    line: number,
    { column, value, reason }: { column: string; value: string; reason: string },
    id = '',
  ): void => {
    if (feed.implied) return
    addFault(findings, { file: file.name, line, column, value, reason })
    if (id !== '' && id.length <= MAX_ID) batch += faultyRow(feed.set, line + (input.lineBase ?? 0), copyText(id))
  }
  const take = (text: string, line: number): void => {
    lines = line
    let resource: JsonObject | null = null
    try {
      resource = resourceOf(text, file.name)
      refuseModified(resource)
      const values = feed.map?.(resource, context) ?? null
      if (values === null) return
      const version = versionOf(resource)
      if (!feed.implied) count.rows++
      batch += toText(
        slots.map(({ column }) => values[column] ?? ''),
        line,
        version,
      )
    } catch (error) {
      if (!feed.implied) count.rows++
      if (error instanceof PathFault)
        fault(line, { column: error.path, value: error.value, reason: error.message }, idOf(resource))
      else if (error instanceof JsonFault)
        fault(line, { column: '', value: text, reason: `is not JSON to read: it ${error.message}` })
      else throw error
    }
  }
  await readNdjson(utf8Bytes(plainBytes(input.path, name), name), name, {
    line: take,
    async pause() {
      if (batch.length < BATCH) return
      const room = copy.write(batch)
      batch = ''
      if (!room) await once(copy, 'drain')
    },
  })
  if (batch !== '') copy.write(batch)
  findings.notes.push(...notesOf(name, feed, context.state.told()))
  return { columns: new Set(Object.keys(feed.columns)), lines }
}

/** One resource of the right type with an id. @throws JsonFault, PathFault */
function resourceOf(text: string, type: string): JsonObject {
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
        : `${found === '' ? 'is missing' : 'is another type'}; ${type}.ndjson holds resources of ${type} only`,
    )
  if (textAt(value, 'id') === '') throw new PathFault('id', '', 'is missing: by its id a resource is recognised again')
  return value
}

const idOf = (resource: JsonObject | null): string => (typeof resource?.id === 'string' ? resource.id.trim() : '')

/** meta.lastUpdated as COPY text. @throws PathFault when it is not an instant */
function versionOf(resource: JsonObject): string {
  const meta = objectAt(resource, 'meta')
  const text = meta ? textAt(meta, 'lastUpdated', 'meta.lastUpdated') : ''
  if (text === '') return NULL
  const at = new Date(text)
  if (!/^\d{4}-\d{2}-\d{2}[Tt]/.test(text) || Number.isNaN(at.getTime()))
    throw new PathFault('meta.lastUpdated', text, 'is not an instant such as 2026-07-31T14:05:00+10:00')
  return at.toISOString()
}

/** Every column of the set; of those that FHIR has, the value at that place. */
function slotsOf({ feed, context }: ParseInput): Slot[] {
  return columnsOf(feed.set).map(([column, rule], at) => {
    const path = feed.columns[column]
    const label = path && !isMade(path) ? path[0] : undefined
    return { column, read: path ? at : null, check: checkOf(column, rule, context), ...(label ? { label } : {}) }
  })
}
