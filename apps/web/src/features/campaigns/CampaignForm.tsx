import { Button } from '@mantine/core'
import type { Campaign } from '@pillar/contract/campaign'
import type { CampaignRecommendation } from '@pillar/contract/campaign-recommendation'
import { CircleAlert } from 'lucide-react'
import { useRef } from 'react'
import frame from '../../kit/dialog/Dialog.module.css'
import { Icon } from '../../kit/display/Icon.tsx'
import { ActivateDialog, sentWithWords } from './ActivateDialog.tsx'
import styles from './CampaignForm.module.css'
import { CampaignFormCohort } from './CampaignFormCohort.tsx'
import { CampaignFormFields } from './CampaignFormFields.tsx'
import { TemplatePicker } from './TemplatePicker.tsx'
import { useCampaignForm } from './useCampaignForm.ts'

/** What the form opens with: nothing, a recommendation to make one's own, or a saved campaign. */
export type CampaignStart =
  | { kind: 'new' }
  | { kind: 'recommended'; recommendation: CampaignRecommendation }
  | { kind: 'edit'; campaign: Campaign }

export interface CampaignFormProps {
  start: CampaignStart
  /** It is saved: its id, and whether it was activated. */
  onDone: (id: string, activated: boolean) => void
  onCancel: () => void
}

/**
 * Writes a campaign: fields left, templates right, buttons at the foot. Fills the height it is given; asks before anything
 * unsaved is left. Give it a key, so that another start opens another form.
 */
export function CampaignForm({ start, onDone, onCancel }: CampaignFormProps) {
  const box = useRef<HTMLDivElement>(null)
  const form = useCampaignForm(start, onDone, box)
  const { draft, change, problems, said, error, busy, edited } = form
  const templates = draft.templates.map(({ template_name }) => template_name)
  return (
    <div className={styles.form} ref={box}>
      <div className={styles.panes}>
        <div className={styles.fields}>
          <CampaignFormFields draft={draft} change={change} problems={problems} today={form.today} />
          <CampaignFormCohort
            draft={draft}
            change={change}
            problem={problems.filters}
            campaignId={edited?.campaign_id}
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
      {said || error ? (
        <div className={`${frame.error} ${styles.error}`} role="alert">
          <Icon of={CircleAlert} />
          <span>
            {said ?? error}{' '}
            {form.conflict ? (
              <button type="button" className={styles.again} onClick={form.openNewest}>
                Open the newest
              </button>
            ) : null}
          </span>
        </div>
      ) : null}
      <div className={frame.foot}>
        <div className={frame.left}>
          <Button variant="subtle" onClick={() => form.leave(onCancel)} disabled={busy}>
            Cancel
          </Button>
        </div>
        {edited ? (
          <Button variant="filled" loading={busy} onClick={() => void form.save()}>
            Save
          </Button>
        ) : (
          <>
            <Button loading={busy} onClick={() => void form.save()}>
              Save as inactive
            </Button>
            <Button variant="filled" disabled={busy} onClick={form.activate}>
              Activate…
            </Button>
          </>
        )}
      </div>
      {form.activating ? (
        <ActivateDialog
          name={draft.name.trim()}
          object={null}
          ask={{
            filters: draft.filters,
            pharmacies: draft.locations,
            templates: draft.templates,
            campaign_id: null,
            start_date: draft.start_date || null,
            end_date: draft.end_date || null,
          }}
          also={<p>{sentWithWords(templates)}</p>}
          act={form.createActive}
          onClose={form.stopActivating}
        />
      ) : null}
    </div>
  )
}
