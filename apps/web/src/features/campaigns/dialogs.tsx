import { lazyRouteComponent, useNavigate } from '@tanstack/react-router'
import { type ComponentType, Suspense, useCallback } from 'react'
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

/** Each dialog is its own download. A dialog is added here when its component is. */
const DIALOGS: Partial<Record<DialogName, ComponentType<DialogProps>>> = {
  campaigns: lazyRouteComponent(() => import('./CampaignsDialog.tsx'), 'CampaignsDialog'),
  'new-campaign': lazyRouteComponent(() => import('./CampaignFormDialog.tsx'), 'NewCampaignDialog'),
  'edit-campaign': lazyRouteComponent(() => import('./CampaignFormDialog.tsx'), 'EditCampaignDialog'),
  templates: lazyRouteComponent(() => import('./TemplatesDialog.tsx'), 'TemplatesDialog'),
  'new-template': lazyRouteComponent(() => import('./TemplateRoutes.tsx'), 'NewTemplateDialog'),
  'edit-template': lazyRouteComponent(() => import('./TemplateRoutes.tsx'), 'EditTemplateDialog'),
  recommendations: lazyRouteComponent(() => import('./RecommendationsDialog.tsx'), 'RecommendationsDialog'),
  'ai-help': lazyRouteComponent(() => import('./AiHelpDialog.tsx'), 'AiHelpDialog'),
  'sending-rules': lazyRouteComponent(() => import('./SendingRulesDialog.tsx'), 'SendingRulesDialog'),
  'sms-cost': lazyRouteComponent(() => import('./SmsCostDialog.tsx'), 'SmsCostDialog'),
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
