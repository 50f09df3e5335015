import { lazyRouteComponent } from '@tanstack/react-router'
import { Suspense } from 'react'
import type { OpenDialog } from '../../frame/dialog-address.ts'
import { Loading, NothingYet } from '../../kit/display/states.tsx'
import styles from '../template/Template.module.css'
import { RecommendTemplate } from './RecommendTemplate.tsx'
import type { Recommended } from './recommended.ts'

const CampaignForm = lazyRouteComponent(() => import('../campaign/form/CampaignForm.tsx'), 'CampaignForm')

interface RecommendDetailProps {
  recommended: Recommended
  open: OpenDialog
  close: () => void
}

/** The right side of Recommendations: its purpose, and the form that adopts it. */
export function RecommendDetail({ recommended, open, close }: RecommendDetailProps) {
  const { type } = recommended
  if (type !== 'campaign' && type !== 'template') return <NothingYet title="Invalid recommendation type" />
  return (
    <div className={styles.fill}>
      <div className={styles.for}>
        <h2>{recommended.name}</h2>
        <p>{recommended.description}</p>
        {recommended.adopted ? (
          <p className={styles.note}>Your company already uses it. Activating it creates another copy.</p>
        ) : null}
      </div>
      {type === 'template' ? (
        <RecommendTemplate
          recommended={recommended}
          onCancel={close}
          onDone={(id) => open('templates', { template: id })}
        />
      ) : (
        <Suspense fallback={<Loading rows={6} />}>
          <CampaignForm
            start={{ kind: 'recommended', recommendation: recommended }}
            onCancel={close}
            onDone={(id: string) => open('campaigns', { campaign: id })}
          />
        </Suspense>
      )}
    </div>
  )
}
