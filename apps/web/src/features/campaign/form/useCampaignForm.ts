import { campaign as calls } from '@pillar/contract/campaign'
import type { Day } from '@pillar/domain/time/day'
import type { Country } from '@pillar/domain/time/locale'
import { dayIn, zoneOf } from '@pillar/domain/time/zone'
import { type RefObject, useState } from 'react'
import { send, useSend } from '../../../api/client.ts'
import { verify } from '../../../kit/dialog/question.ts'
import { useUnsaved } from '../../../kit/dialog/useUnsaved.ts'
import { toast } from '../../../kit/display/toast.tsx'
import { useCountry } from '../../../session/session.ts'
import { RefusedError, wordsOf } from '../../../shared/refused.ts'
import type { CampaignStart } from './campaign-draft.ts'
import {
  type CampaignDraft,
  changed,
  DRAFT_FIELDS,
  type DraftContext,
  draftOfCampaign,
  draftOfRecommendation,
  draftProblem,
  EMPTY_DRAFT,
  fieldProblems,
  wireOf,
} from './campaign-draft.ts'

/** Today by the company's calendar, as the server has it. */
export function todayOf(country: Country): Day {
  return dayIn(zoneOf(country, null), new Date())
}

function draftOfStart(start: CampaignStart): CampaignDraft {
  if (start.kind === 'edit') return draftOfCampaign(start.campaign)
  return start.kind === 'recommended' ? draftOfRecommendation(start.recommendation) : EMPTY_DRAFT
}

/** State and acts of the campaign form. */
export function useCampaignForm(
  start: CampaignStart,
  onDone: (id: string, activated: boolean) => void,
  box: RefObject<HTMLElement | null>,
) {
  const [opened, setOpened] = useState(start)
  const [from, setFrom] = useState(() => draftOfStart(start))
  const [draft, setDraft] = useState(from)
  const [tried, setTried] = useState(false)
  const [error, setError] = useState<string | null>(null)
  const [conflict, setConflict] = useState(false)
  const [activating, setActivating] = useState(false)
  const [busy, setBusy] = useState(false)
  const sendNow = useSend()
  const country = useCountry()
  const edited = opened.kind === 'edit' ? opened.campaign : null
  const unsaved = useUnsaved(changed(draft, from), edited ? 'this campaign' : 'the new campaign')
  const recommendation = opened.kind === 'recommended' ? opened.recommendation.campaign_recommendation_id : null
  const context: DraftContext = {
    recommended: recommendation !== null || edited?.campaign_recommendation_id != null,
    today: todayOf(country),
    ...(edited?.start_date ? { savedStart: edited.start_date } : {}),
  }
  const problem = draftProblem(draft, context)
  const problems = tried ? fieldProblems(draft, context) : {}

  /** Whether it may be sent; otherwise says why and puts the focus on the first wrong field. */
  const ready = () => {
    setTried(true)
    setError(null)
    const wrong = fieldProblems(draft, context)
    const first = DRAFT_FIELDS.find((field) => wrong[field])
    if (!first) return true
    const place = box.current?.querySelector(`[data-field="${first}"]`)
    place?.querySelector<HTMLElement>('input, button:not([tabindex="-1"]), [tabindex="0"]')?.focus()
    return false
  }
  const failed = (thrown: unknown) => {
    setConflict(edited !== null && thrown instanceof RefusedError && thrown.code === 'conflict')
    setError(wordsOf(thrown))
  }
  const done = (id: string, activated: boolean) => unsaved.done(() => onDone(id, activated))
  const fresh = { ...wireOf(draft), campaign_recommendation_id: recommendation }

  const save = async () => {
    if (!ready()) return
    let id = edited?.campaign_id ?? null
    setBusy(true)
    try {
      const granted = await verify({
        title: edited ? `Save “${draft.name.trim()}”?` : `Save “${draft.name.trim()}” as inactive?`,
        consequence: edited
          ? edited.active
            ? 'Messages already queued won’t change. Your changes apply to later messages.'
            : 'Nothing is sent until the campaign is activated.'
          : 'Nothing is sent until you activate it.',
        action: 'save',
        object: id,
        button: edited ? 'Save Changes' : 'Save as inactive',
        ...(edited ? { saveAs: { noun: 'Campaign' as const, name: `${draft.name.trim()} (copy)` } } : {}),
        act: async ({ as, name, grant }) => {
          const made = { ...fresh, name: name ?? fresh.name, active: false }
          if (edited && as === 'changes') {
            const changes = { id: edited.campaign_id, version: edited.version, ...wireOf(draft) }
            await sendNow(calls.edit, changes, grant)
          } else id = (await sendNow(calls.create, made, grant)).id
        },
      })
      if (!granted || id === null) return
      toast(edited && granted.as === 'changes' ? 'Campaign saved' : 'Campaign saved as inactive')
      done(id, false)
    } catch (thrown) {
      failed(thrown)
    } finally {
      setBusy(false)
    }
  }

  return {
    draft,
    change: (part: Partial<CampaignDraft>) => setDraft((old) => ({ ...old, ...part })),
    problems,
    /** The joined sentence, once somebody tried to save. */
    said: tried && problem ? problem : null,
    error,
    conflict,
    busy,
    edited,
    today: context.today,
    leave: unsaved.leave,
    activating,
    activate: () => ready() && setActivating(true),
    stopActivating: () => setActivating(false),
    save,
    createActive: async (grant: string, expected: number) => {
      const input = { ...fresh, active: true, expected_messages: expected }
      const { id } = await sendNow(calls.create, input, grant)
      setActivating(false)
      done(id, true)
    },
    /** After a conflict: what somebody else saved takes the place of what was written here. */
    openNewest: async () => {
      if (!edited) return
      try {
        const campaign = await send(calls.info, { id: edited.campaign_id })
        setOpened({ kind: 'edit', campaign })
        setFrom(draftOfCampaign(campaign))
        setDraft(draftOfCampaign(campaign))
        setConflict(false)
        setError(null)
      } catch (thrown) {
        failed(thrown)
      }
    },
  }
}
