import { Button } from '@mantine/core'
import type { PharmacyAttention as Item } from '@pillar/contract/pharmacy'
import type { Country } from '@pillar/domain/time/locale'
import { Link } from '@tanstack/react-router'
import { CircleCheck, CircleX, Repeat, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { Icon } from '../../../kit/display/Icon.tsx'
import styles from './Pharmacy.module.css'
import { attentionWords, type PharmacyReply } from './pharmacy-words.ts'

const ICONS = { bad: CircleX, caution: TriangleAlert, info: Repeat } as const

/** What is wrong now, worst first, each with its next step. */
export function PharmacyAttention({ reply, country }: { reply: PharmacyReply; country: Country }) {
  const { attention } = reply
  const title = attention.length === 1 ? '1 thing needs attention' : `${attention.length} things need attention`
  return (
    <section className={styles.attention} aria-label="What needs attention">
      <h2>{attention.length === 0 ? 'Nothing needs attention' : title}</h2>
      {attention.length === 0 ? (
        <p className={styles.fine}>
          <Icon of={CircleCheck} /> Uploads are up to date and no drug type’s adherence fell by 3 points or more.
        </p>
      ) : (
        <ul>
          {attention.map((item) => {
            const { tone, title: what, detail } = attentionWords(item, reply, country)
            return (
              <li key={`${item.kind} ${item.name ?? ''}`}>
                <span className={styles[tone]}>
                  <Icon of={ICONS[tone]} size={18} />
                </span>
                <span className={styles.what}>
                  <b>{what}</b>
                  <small>{detail}</small>
                </span>
                <NextStep item={item} reply={reply} />
              </li>
            )
          })}
        </ul>
      )}
    </section>
  )
}

function NextStep({ item: { kind }, reply }: { item: Item; reply: PharmacyReply }) {
  const step = (to: string, search: object, words: ReactNode) => (
    <Button size="xs" variant="default" component={Link} to={to} search={search as never}>
      {words}
    </Button>
  )
  if (kind === 'counts_overdue') return step('/s8management', { pharmacy: reply.pharmacy_id }, 'Open register')
  if (kind === 'repeats_due' || kind === 'adherence_fell') {
    return step('/campaigns', { dialog: 'new-campaign', pharmacy: reply.pharmacy_id }, 'New campaign')
  }
  if (kind === 'upload_failed') return step('.', { tab: 'uploads' }, 'See uploads')
  return reply.phone_number ? (
    <Button size="xs" variant="default" component="a" href={`tel:${reply.phone_number.replaceAll(/[^\d+]/g, '')}`}>
      Call
    </Button>
  ) : (
    step('.', { tab: 'uploads' }, 'See uploads')
  )
}
