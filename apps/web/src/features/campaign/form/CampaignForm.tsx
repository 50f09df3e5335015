import { Button } from '@mantine/core'
import { sending } from '@pillar/contract/message/sending'
import { filtersSet } from '@pillar/domain/cohort/cohort'
import { CircleAlert } from 'lucide-react'
import { useRef } from 'react'
import { useRead } from '../../../api/client.ts'
import frame from '../../../kit/dialog/Dialog.module.css'
import { Icon } from '../../../kit/display/Icon.tsx'
import { notLoaded } from '../../../kit/display/Loaded.tsx'
import { useCountry } from '../../../session/session.ts'
import { sizeWords } from '../../cohort/forecast-words.ts'
import { type CohortAnswer, useCohort } from '../../cohort/useCohort.ts'
import { TemplatePicker } from '../../template/TemplatePicker.tsx'
import { ActivateDialog } from '../ActivateDialog.tsx'
import { askOfDraft } from '../campaign-ask.ts'
import { sentWithWords } from '../campaign-words.ts'
import styles from './CampaignForm.module.css'
import { CampaignFormCohort } from './CampaignFormCohort.tsx'
import { CampaignFormFields } from './CampaignFormFields.tsx'
import type { CampaignStart } from './campaign-draft.ts'
import { useCampaignForm } from './useCampaignForm.ts'

export interface CampaignFormProps {
  start: CampaignStart
  /** Called after saving, with its id and whether it was activated. */
  onDone: (id: string, activated: boolean) => void
  onCancel: () => void
}

/**
 * Form for writing a campaign: fields on the left, templates on the right, buttons at the foot. Fills the given height, and asks before unsaved
 * work is left. Give it a key, so that another start opens another form.
 */
export function CampaignForm({ start, onDone, onCancel }: CampaignFormProps) {
  const box = useRef<HTMLDivElement>(null)
  const form = useCampaignForm(start, onDone, box)
  const { draft, change, problems, edited } = form
  const ask = askOfDraft(draft, edited?.campaign_id ?? null)
  const answer = useCohort(ask)
  return (
    <div className={styles.form} ref={box}>
      <div className={styles.panes}>
        <div className={styles.fields}>
          <CampaignFormFields {...{ draft, change, problems }} today={form.today} active={edited?.active ?? false} />
          <CampaignFormCohort
            draft={draft}
            change={change}
            problem={problems.filters}
            ask={ask}
            active={edited?.active ?? false}
            answer={answer}
          />
        </div>
        <div className={styles.templates} data-field="templates">
          <TemplatePicker
            value={draft.templates}
            error={problems.templates}
            onChange={(picked) => change({ templates: picked })}
          />
        </div>
      </div>
      <Said form={form} />
      <Foot form={form} answer={answer} onCancel={onCancel} />
      {form.activating ? (
        <ActivateDialog
          name={draft.name.trim()}
          object={null}
          ask={ask}
          also={<p>{sentWithWords(draft.templates)}</p>}
          act={form.createActive}
          onClose={form.stopActivating}
        />
      ) : null}
    </div>
  )
}

type Form = ReturnType<typeof useCampaignForm>

/** What is missing, or the server's message, with the next step after somebody else's change. */
function Said({ form }: { form: Form }) {
  if (!form.said) return null
  return (
    <div className={`${frame.error} ${styles.error}`} role="alert">
      <Icon of={CircleAlert} />
      <span>
        {form.said}{' '}
        {form.conflict ? (
          <button type="button" className={styles.again} onClick={form.openNewest}>
            Load the latest version, keep my changes
          </button>
        ) : null}
      </span>
    </div>
  )
}

function Foot({ form, answer, onCancel }: { form: Form; answer: CohortAnswer; onCancel: () => void }) {
  const country = useCountry()
  const { draft, busy } = form
  // Nobody has approved a campaign that is not saved yet.
  const rules = useRead(sending.rules, {})
  const needsApproval = rules.data?.approval === true
  const unknown = notLoaded('whether it needs approval', rules)
  const counted = answer.ledger && draft.templates.length > 0 && filtersSet(draft.filters) > 0
  const size =
    answer.ledger && counted ? (
      <span className={styles.size} aria-busy={answer.counting}>
        {sizeWords(answer.ledger, country)}
      </span>
    ) : null
  return (
    <div className={frame.foot}>
      <div className={frame.left}>
        <Button variant="subtle" onClick={() => form.leave(onCancel)} disabled={busy}>
          Cancel
        </Button>
      </div>
      {form.edited ? (
        <Button variant="filled" loading={busy} onClick={form.save}>
          Save
        </Button>
      ) : (
        <>
          {needsApproval ? (
            <>
              {size}
              <span className={styles.size}>Save it, then ask a second person to approve it.</span>
            </>
          ) : null}
          <Button loading={busy} variant={needsApproval ? 'filled' : 'default'} onClick={form.save}>
            Save as inactive
          </Button>
          {needsApproval ? null : (
            <>
              {unknown ? <span className={styles.size}>{unknown}</span> : size}
              <Button variant="filled" disabled={busy || !rules.data} onClick={form.activate}>
                Activate…
              </Button>
            </>
          )}
        </>
      )}
    </div>
  )
}
