import { Button } from '@mantine/core'
import { type ComponentType, lazy, Suspense } from 'react'
import {
  DIALOG_NAMES,
  type DialogName,
  type DialogProps,
  type DialogSearch,
  useDialogs,
} from '../../frame/dialog-address.ts'
import { Dialog } from '../../kit/dialog/Dialog.tsx'

/** A dialog that is downloaded when it is first opened. */
function fetched<N extends string>(load: () => Promise<Record<N, ComponentType<DialogProps>>>, name: N) {
  return lazy(async () => ({ default: (await load().catch(() => null))?.[name] ?? NotFetched }))
}

/** Stands for a dialog that could not be downloaded. The address keeps its name, so loading the page again opens it. */
function NotFetched({ close }: DialogProps) {
  return (
    <Dialog
      opened
      onClose={close}
      title="This part of the page did not load"
      foot={
        <Button variant="filled" onClick={() => window.location.reload()}>
          Load the page again
        </Button>
      }
    >
      Nothing was changed. Check your connection, then load the page again.
    </Dialog>
  )
}

/** Each dialog is its own download. A dialog is added here when its component is. */
const DIALOGS: Record<DialogName, ComponentType<DialogProps>> = {
  campaigns: fetched(() => import('../campaign/CampaignsDialog.tsx'), 'CampaignsDialog'),
  'new-campaign': fetched(() => import('../campaign/form/CampaignFormDialog.tsx'), 'NewCampaignDialog'),
  'edit-campaign': fetched(() => import('../campaign/form/CampaignFormDialog.tsx'), 'EditCampaignDialog'),
  templates: fetched(() => import('../template/TemplatesDialog.tsx'), 'TemplatesDialog'),
  'new-template': fetched(() => import('../template/TemplateRoutes.tsx'), 'NewTemplateDialog'),
  'edit-template': fetched(() => import('../template/TemplateRoutes.tsx'), 'EditTemplateDialog'),
  recommendations: fetched(() => import('../recommendation/RecommendationsDialog.tsx'), 'RecommendationsDialog'),
  replies: fetched(() => import('../inbound/RepliesDialog.tsx'), 'RepliesDialog'),
  'ai-help': fetched(() => import('../template/draft/AiHelpDialog.tsx'), 'AiHelpDialog'),
  'sending-rules': fetched(() => import('../sending/SendingRulesDialog.tsx'), 'SendingRulesDialog'),
  'sms-cost': fetched(() => import('../sending/SmsCostDialog.tsx'), 'SmsCostDialog'),
}

/** The dialog the address bar names, if any. */
export function Dialogs({ search }: { search: DialogSearch }) {
  const { open, close } = useDialogs()
  const name = DIALOG_NAMES.find((each) => each === search.dialog)
  const Named = name && DIALOGS[name]
  if (!Named) return null
  return (
    <Suspense fallback={null}>
      <Named search={search} open={open} close={close} />
    </Suspense>
  )
}
