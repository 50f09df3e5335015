import { Button } from '@mantine/core'
import type { Campaign } from '@pillar/contract/campaign/campaign'
import type { OpenDialog } from '../../../frame/dialog-address.ts'
import { Dialog } from '../../../kit/dialog/Dialog.tsx'
import { NothingYet } from '../../../kit/display/states.tsx'
import { TemplateTags } from '../../template/TemplateTags.tsx'
import { typeWords } from '../../template/template-words.ts'
import styles from './CampaignDetail.module.css'

interface AttachmentsDialogProps {
  campaign: Campaign
  open: OpenDialog
  onClose: () => void
}

/** Campaign Attachments: its templates and the note. */
export function AttachmentsDialog({ campaign, open, onClose }: AttachmentsDialogProps) {
  return (
    <Dialog opened onClose={onClose} title="Campaign Attachments" size="confirm">
      {campaign.templates.length === 0 ? (
        <NothingYet title="No templates">Edit the campaign to choose what it sends.</NothingYet>
      ) : (
        <ul className={styles.attached} aria-label="Templates">
          {campaign.templates.map((template) => (
            <li key={template.template_id}>
              <Button
                variant="subtle"
                size="xs"
                onClick={() => open('templates', { template: template.template_id })}
                title="Open the template"
              >
                {template.template_name}
              </Button>
              <span className="muted">{typeWords(template)}</span>
              <TemplateTags active={template.active} recommended={false} />
            </li>
          ))}
        </ul>
      )}
      <h3 className={styles.noteHead}>Note</h3>
      {campaign.note ? <p className={styles.note}>{campaign.note}</p> : <p className="muted">No note</p>}
    </Dialog>
  )
}
