import { lazyRouteComponent } from '@tanstack/react-router'
import { Suspense } from 'react'
import { Loading, NothingYet } from '../../kit/display/states.tsx'
import type { OpenDialog } from './dialogs.tsx'
import { RecommendTemplate } from './RecommendTemplate.tsx'
import type { Recommended } from './recommended.ts'
import styles from './Template.module.css'

const CampaignForm = lazyRouteComponent(() => import('./CampaignForm.tsx'), 'CampaignForm')

interface RecommendDetailProps {
  recommended: Recommended
  open: OpenDialog
  close: () => void
}

/** The right side of Recommendations: what it is for, and the form that makes it one's own. */
export function RecommendDetail({ recommended, open, close }: RecommendDetailProps) {
  const { type } = recommended
  if (type !== 'campaign' && type !== 'template') return <NothingYet title="Invalid recommendation type" />
  return (
    <div className={styles.fill}>
      <div className={styles.for}>
        <h2>{recommended.name}</h2>
        <p>{recommended.description}</p>
        {recommended.adopted ? (
          <p className={styles.note}>Your company uses it already. Activating it makes another one.</p>
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
