import { Button } from '@mantine/core'
import { mail } from '@pillar/contract/mail'
import { RotateCw } from 'lucide-react'
import { usePortalInfo } from '../../frame/title.ts'
import { momentOf } from '../../kit/display/dates.ts'
import { Icon } from '../../kit/display/Icon.tsx'
import { Page } from '../../kit/display/Page.tsx'
import { NothingYet } from '../../kit/display/states.tsx'
import { ListPage } from '../../kit/list/ListPage.tsx'
import { type RowOf, useList } from '../../kit/list/useList.ts'
import { useCountry } from '../../session/session.ts'
import { linkedParts } from '../../shared/linked-parts.ts'
import styles from './Outbox.module.css'

type Letter = RowOf<typeof mail.list>

/** The Outbox for signed-in people; on an installation without one, it says where mail goes. */
export function OutboxPage() {
  const info = usePortalInfo().data
  if (info && !info.outbox) {
    return (
      <Page title="Outbox">
        <NothingYet title="This installation has no outbox">
          {info.sends_email === false
            ? 'It has no mail server either: emails reach nobody. Whoever runs it sets SMTP_URL to send them, or OUTBOX=on to read them here.'
            : 'Its mail server sends emails, and none are kept here.'}
        </NothingYet>
      </Page>
    )
  }
  return <Letters />
}

/** Mail an installation without a mail server would have sent, newest first. */
function Letters() {
  const country = useCountry()
  const list = useList(mail.list, { id: 'id', one: 'letter', many: 'letters', find: null, sort: null })
  return (
    <ListPage
      title="Outbox"
      list={list}
      columns={[
        { label: 'Subject', cell: ({ subject }) => subject },
        { label: 'To', cell: ({ to }) => to },
        {
          label: 'Sent',
          num: true,
          cell: ({ sent_at }) => <time dateTime={sent_at}>{momentOf(country, sent_at)}</time>,
        },
      ]}
      tabs={
        <p className={styles.banner}>This installation has no mail server. Mail it would have sent is kept here.</p>
      }
      empty="A link to reset a password, for instance, would appear here."
      actions={
        <Button leftSection={<Icon of={RotateCw} />} onClick={list.retry}>
          Refresh
        </Button>
      }
      expand={(letter) => <LetterText letter={letter} />}
    />
  )
}

/** A letter's text, with links for its addresses. */
function LetterText({ letter }: { letter: Letter }) {
  return (
    <article className={styles.text} aria-label={letter.subject}>
      {linkedParts(letter.text).map(({ at, text, href }) =>
        href ? (
          <a key={at} href={href}>
            {text}
          </a>
        ) : (
          text
        ),
      )}
    </article>
  )
}
