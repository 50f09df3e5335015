import { Button } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { type ComponentType, lazy, Suspense, useCallback } from 'react'
import { Dialog } from '../../kit/dialog/Dialog.tsx'
import { type CampaignsSearch, DIALOG_NAMES, type DialogName, type DialogSearch, dialogSearch } from './search.ts'

/** What every dialog of the screen gets. It draws its own frame, opened as long as it is there. */
export interface DialogProps {
  /** What the dialog is about, out of the address bar. */
  search: DialogSearch
  close: () => void
  /** Goes to another dialog, or to another item of the same one. */
  open: OpenDialog
}
export type OpenDialog = (name: DialogName, about?: Omit<DialogSearch, 'dialog'>) => void

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
  campaigns: fetched(() => import('./CampaignsDialog.tsx'), 'CampaignsDialog'),
  'new-campaign': fetched(() => import('./CampaignFormDialog.tsx'), 'NewCampaignDialog'),
  'edit-campaign': fetched(() => import('./CampaignFormDialog.tsx'), 'EditCampaignDialog'),
  templates: fetched(() => import('./TemplatesDialog.tsx'), 'TemplatesDialog'),
  'new-template': fetched(() => import('./TemplateRoutes.tsx'), 'NewTemplateDialog'),
  'edit-template': fetched(() => import('./TemplateRoutes.tsx'), 'EditTemplateDialog'),
  recommendations: fetched(() => import('./RecommendationsDialog.tsx'), 'RecommendationsDialog'),
  replies: fetched(() => import('./RepliesDialog.tsx'), 'RepliesDialog'),
  'ai-help': fetched(() => import('./AiHelpDialog.tsx'), 'AiHelpDialog'),
  'sending-rules': fetched(() => import('./SendingRulesDialog.tsx'), 'SendingRulesDialog'),
  'sms-cost': fetched(() => import('./SmsCostDialog.tsx'), 'SmsCostDialog'),
}

/** Opens and closes dialogs through the address bar, so that a link leads to them and Back closes them. */
export function useDialogs(): { open: OpenDialog; close: () => void } {
  const navigate = useNavigate()
  const go = useCallback(
    (name: DialogName | null, about?: Omit<DialogSearch, 'dialog'>) => {
      const make = (current: object) => dialogSearch(current as CampaignsSearch, name, about)
      void navigate({ to: '.', search: make as never, resetScroll: false })
    },
    [navigate],
  )
  const open = useCallback<OpenDialog>((name, about) => go(name, about), [go])
  const close = useCallback(() => go(null), [go])
  return { open, close }
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
