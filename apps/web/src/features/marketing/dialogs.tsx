import type { ComponentType } from 'react'
import {
  DIALOG_NAMES,
  type DialogName,
  type DialogProps,
  type DialogSearch,
  useDialogs,
} from '../../frame/dialog-address.ts'
import { fetched } from '../../kit/dialog/fetched.tsx'
import { InAddress } from '../../kit/dialog/useBackCloses.ts'

/** Each dialog is a separate download, and is added here together with its component. */
const DIALOGS: Record<DialogName, ComponentType<DialogProps>> = {
  campaigns: fetched(async () => (await import('../campaign/CampaignsDialog.tsx')).CampaignsDialog),
  'new-campaign': fetched(async () => (await import('../campaign/form/CampaignFormDialog.tsx')).NewCampaignDialog),
  'edit-campaign': fetched(async () => (await import('../campaign/form/CampaignFormDialog.tsx')).EditCampaignDialog),
  templates: fetched(async () => (await import('../template/TemplatesDialog.tsx')).TemplatesDialog),
  'new-template': fetched(async () => (await import('../template/TemplateRoutes.tsx')).NewTemplateDialog),
  'edit-template': fetched(async () => (await import('../template/TemplateRoutes.tsx')).EditTemplateDialog),
  recommendations: fetched(
    async () => (await import('../recommendation/RecommendationsDialog.tsx')).RecommendationsDialog,
  ),
  replies: fetched(async () => (await import('../inbound/RepliesDialog.tsx')).RepliesDialog),
  'ai-help': fetched(async () => (await import('../template/draft/AiHelpDialog.tsx')).AiHelpDialog),
  'sending-rules': fetched(async () => (await import('../sending/SendingRulesDialog.tsx')).SendingRulesDialog),
  'sms-cost': fetched(async () => (await import('../sending/SmsCostDialog.tsx')).SmsCostDialog),
}

/** The dialog named in the address bar, if any. */
export function Dialogs({ search }: { search: DialogSearch }) {
  const { open, close } = useDialogs()
  const name = DIALOG_NAMES.find((each) => each === search.dialog)
  const Named = name && DIALOGS[name]
  if (!Named) return null
  return (
    <InAddress value>
      <Named search={search} open={open} close={close} />
    </InAddress>
  )
}
