import { type contract, Refusal } from '@pillar/contract'
import { canonicalFields, MERGE_FIELDS } from '@pillar/domain/message/merge-field'
import { startersFor } from '@pillar/domain/message/starter-search'
import { IDENTIFIER_WORDS, identifiersIn, possibleNames } from '@pillar/domain/text/identifier'
import { plainText } from '@pillar/domain/text/plain-text'
import { listOf } from '@pillar/domain/text/sentence'
import { recordAudit } from '../../../api/audit.ts'
import { type Context, callerOf, type HandlersOf } from '../../../api/context.ts'
import { inScope } from '../../../db/scope.ts'
import { type Ai, AiFailure } from '../../../gateways/ai.ts'
import { findPatientName } from '../patient-name.queries.ts'
import { countHourly } from './hourly-limit.ts'

type Draft = HandlersOf<typeof contract.template>['draft']
type Asked = Parameters<Draft>[0]

/** Waits for the AI service if there is one, so it runs outside any transaction (contract: `waits`). */
export const draftHandlers: { draft: Draft } = {
  async draft(asked, context) {
    const { ai } = context.services
    if (ai) return aiDraft(ai, asked, context)
    const subcategory = asked.subcategory_name ?? null
    const { country } = callerOf(context)
    const [best, ...others] = startersFor({ prompt: asked.prompt, subcategory, country, kind: asked.message_kind })
    return {
      template_text: best!.text,
      source: 'starter',
      drafts: [best!, ...others].map(({ title, text }) => ({ title, text })),
    }
  },
}

async function aiDraft(ai: Ai, asked: Asked, context: Context): ReturnType<Draft> {
  const { services } = context
  const caller = callerOf(context)
  if (asked.prompt.trim() === '') throw new Refusal('invalid', 'Please describe the message you would like.')
  await refusePeople(asked, context)
  await countHourly(services, 'draft', caller.loginId)
  const detail = { model: ai.model, prompt_characters: asked.prompt.length }
  await inScope(services.pools.app, caller.scope, (tx) =>
    recordAudit(tx, { caller, action: 'template.draft', object: null, detail }),
  )
  const shown = context.grow && showing(context.grow)
  const watch = { gone: context.gone, onText: shown?.onText ?? null }
  try {
    const text = cleaned(await ai.write(instructionFor(asked, caller.country), questionOf(asked), watch))
    if (text === '') throw new AiFailure('its answer was empty')
    return { template_text: text, source: 'ai', drafts: [] }
  } catch (error) {
    if (!(error instanceof AiFailure)) throw error
    if (!context.gone.aborted) services.log.warn({ reason: error.message }, 'the AI service gave no draft')
    throw new Refusal(
      'unavailable',
      `The AI service gave no draft: ${error.message}. Please try again, or write the text yourself.`,
    )
  } finally {
    shown?.end()
  }
}

/** Refuses anything that identifies a person before it is sent. Names are looked up among the company's patients. */
async function refusePeople(asked: Asked, { services, caller }: Context): Promise<void> {
  const leaving = questionOf(asked)
  const kinds = identifiersIn(leaving)
  const name = await inScope(services.pools.app, caller!.scope, (tx) => findPatientName(tx, possibleNames(leaving)))
  const parts = kinds.map((kind) => IDENTIFIER_WORDS[kind])
  if (name !== null) parts.push(`names of patients ("${name}")`)
  if (parts.length === 0) return
  throw new Refusal('invalid', `Please leave out ${listOf(parts)}. Nothing was sent to the AI service.`)
}

/** All of the request that is sent out. */
function questionOf({ prompt, category_name, subcategory_name }: Asked): string {
  const about = [category_name, subcategory_name].filter(Boolean).join(': ')
  return about === '' ? prompt : `About: ${about}\n${prompt}`
}

const ENGLISH = { AU: 'Australian', GB: 'British', US: 'American' } as const

function instructionFor({ communication_type }: Asked, country: keyof typeof ENGLISH): string {
  const fields = [MERGE_FIELDS.first_name, MERGE_FIELDS.pharmacy_name, MERGE_FIELDS.pharmacy_number]
  const length =
    communication_type === 'email'
      ? 'Write an email of at most 120 words, without a subject line.'
      : 'Write a text message of at most 90 characters beside its fields, in plain characters without emoji.'
  return [
    `You write messages from a community pharmacy to its patients, in friendly and plain ${ENGLISH[country]} English.`,
    length,
    `Use only these fields, spelled exactly so: ${listOf(fields)}. ${MERGE_FIELDS.pharmacy_name} must be in the message.`,
    'Remind or invite only. Make no claims about health, give no medical advice, mention no prices and add no web addresses.',
    'Answer with the message alone: no title, no quotation marks, no explanation.',
  ].join('\n')
}

const SHOW_EVERY_MS = 50

/** Sends the draft so far, no faster than anybody can follow: soon after each piece, and the last one before a silence too. */
function showing(grow: NonNullable<Context['grow']>): { onText: (soFar: string) => void; end: () => void } {
  let [latest, shown] = ['', '']
  let timer: NodeJS.Timeout | undefined
  const show = () => {
    timer = undefined
    const text = cleaned(begun(latest))
    if (text === shown || text === '') return
    shown = text
    grow({ template_text: text })
  }
  return {
    onText: (soFar) => {
      latest = soFar
      timer ??= setTimeout(show, SHOW_EVERY_MS)
    },
    end: () => clearTimeout(timer),
  }
}

/** An unfinished answer, without a thought, a field or wrapping of which only the beginning has arrived. */
function begun(soFar: string): string {
  return soFar
    .replace(/<(?:think>(?![\s\S]*<\/think>)[\s\S]*|t?h?i?n?k?)$/, '')
    .replace(/\{[^{}]*$/, '')
    .replace(/^\s*```\w*$|`+$/, '')
}

/** A model's answer in plain characters, without the wrapping models like to add. */
function cleaned(answer: string): string {
  const bare = answer
    .replaceAll(/<think>[\s\S]*?<\/think>/g, '')
    .trim()
    .replaceAll(/^```\w*\n?|\n?```$/g, '')
  return canonicalFields(plainText(bare))
    .trim()
    .replaceAll(/^"([\s\S]*)"$/g, '$1')
    .slice(0, 5_000)
    .trim()
}
