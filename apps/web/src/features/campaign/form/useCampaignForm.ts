import { useForm } from '@mantine/form'
import { campaign as calls } from '@pillar/contract/campaign/campaign'
import { listOf } from '@pillar/domain/text/sentence'
import { type RefObject, useState } from 'react'
import { mayBeOwn, send, useSend } from '../../../api/client.ts'
import { attemptsSoFar } from '../../../api/send-once.ts'
import { useKeptWork } from '../../../kit/dialog/unsaved/useKeptWork.ts'
import { useUnsaved } from '../../../kit/dialog/unsaved/useUnsaved.ts'
import { toast } from '../../../kit/display/toast.tsx'
import { putErrors } from '../../../kit/form/field.ts'
import { type Checked, focusFirst, problemsIn } from '../../../kit/form/problems.ts'
import { useCountry } from '../../../session/session.ts'
import { RefusedError } from '../../../shared/refused.ts'
import { todayOf } from '../../../shared/today.ts'
import {
  type CampaignDraft,
  type CampaignStart,
  type DraftField,
  draftOfCampaign,
  draftOfStart,
  draftProblems,
  draftWithLatest,
  FIELD_WORDS,
  wireOf,
} from './campaign-draft.ts'
import { useCampaignSave } from './useCampaignSave.ts'

/** The campaign form's state and acts. */
export function useCampaignForm(
  start: CampaignStart,
  onDone: (id: string, activated: boolean) => void,
  box: RefObject<HTMLElement | null>,
) {
  const [opened, setOpened] = useState(start)
  const today = todayOf(useCountry())
  const form = useForm<CampaignDraft>({ initialValues: draftOfStart(start, today) })
  const [error, setError] = useState<string | null>(null)
  const [conflict, setConflict] = useState(false)
  const [activating, setActivating] = useState(false)
  const sendNow = useSend()
  const draft = form.getValues()
  const edited = opened.kind === 'edit' ? opened.campaign : null
  const recommendation = opened.kind === 'recommended' ? opened.recommendation.campaign_recommendation_id : null
  useKeptWork<CampaignDraft>(`campaign ${start.kind} ${JSON.stringify(draftOfStart(start, today))}`, {
    values: draft,
    dirty: form.isDirty(),
    restore: (typed) => form.setValues(typed),
  })
  const fresh = { ...wireOf(draft), campaign_recommendation_id: recommendation }
  const [before] = useState(attemptsSoFar)
  const unsaved = useUnsaved(form.isDirty(), edited ? 'this campaign' : 'the new campaign', () =>
    edited
      ? mayBeOwn(calls.edit, { ...fresh, id: edited.campaign_id, version: edited.version }, before)
      : mayBeOwn(calls.create, fresh, before),
  )
  const { ready, problems, said } = useProblems(draft, { today, savedStart: edited?.start_date ?? '' }, box)

  const failed = (thrown: unknown) => {
    setConflict(edited !== null && thrown instanceof RefusedError && thrown.code === 'conflict')
    setError(putErrors(form, thrown))
    focusFirst(box.current, thrown instanceof RefusedError ? Object.keys(thrown.errors) : [])
  }
  const done = (id: string, activated: boolean) => unsaved.done(() => onDone(id, activated))
  const saving = useCampaignSave(edited, fresh, { done: (id) => done(id, false), failed })
  /** Whether it may be sent. Hides the message of an earlier attempt. */
  const asked = () => {
    setError(null)
    form.clearErrors()
    return ready()
  }
  /** After a conflict: loads what somebody else saved, and keeps the changes made here. */
  const openNewest = async () => {
    if (!edited) return
    try {
      const campaign = await send(calls.info, { id: edited.campaign_id })
      const { draft: merged, both } = draftWithLatest(draft, draftOfCampaign(edited), draftOfCampaign(campaign))
      setOpened({ kind: 'edit', campaign })
      form.setInitialValues(draftOfCampaign(campaign))
      form.setValues(merged)
      setConflict(false)
      const fields = listOf(both.map((field) => FIELD_WORDS[field]))
      setError(
        both.length > 0 ? `Somebody else also changed ${fields}. Yours is shown, and saving replaces theirs.` : null,
      )
      toast('Latest version loaded, with your changes')
    } catch (thrown) {
      failed(thrown)
    }
  }
  return {
    draft,
    change: (part: Partial<CampaignDraft>) => form.setValues(part),
    problems: { ...form.errors, ...problems } as Partial<Record<DraftField, string>>,
    /** Above the foot: what is missing, or the server's message. */
    said: said ?? error,
    conflict,
    busy: saving.busy,
    edited,
    today,
    leave: unsaved.leave,
    activating,
    activate: () => asked() && setActivating(true),
    stopActivating: () => setActivating(false),
    save: () => asked() && void saving.save(),
    createActive: async (grant: string, expected: number) => {
      const { id } = await sendNow(calls.create, { ...fresh, active: true, expected_messages: expected }, grant)
      toast('Campaign activated')
      setActivating(false)
      done(id, true)
    },
    openNewest,
  }
}

/** What is wrong with the draft once somebody tries to save: beside each field until it is fixed, and joined above the foot. */
function useProblems(
  draft: CampaignDraft,
  context: Parameters<typeof draftProblems>[1],
  box: RefObject<HTMLElement | null>,
) {
  const [tried, setTried] = useState(false)
  const find = (): Checked | null =>
    problemsIn(draft, (values) => draftProblems(values, context), calls.create.input, wireOf(draft))
  const shown = tried ? find() : null
  return {
    problems: shown?.errors,
    said: shown?.sentence ?? null,
    /** Whether it may be sent; if not, focuses the first wrong field. */
    ready: () => {
      setTried(true)
      const found = find()
      if (found) focusFirst(box.current, Object.keys(found.errors))
      return found === null
    },
  }
}
