import type { Country } from '@pillar/domain/time/locale'
import { formatMoment, zoneOf } from '@pillar/domain/time/zone'
import { useCallback, useEffect, useState } from 'react'
import { linkedParts } from '../shared/linked-parts.ts'
import { Mark } from '../shared/Mark.tsx'
import { basePathOf } from '../shared/paths.ts'
import { type Letter, type PortalInfo, readOutbox } from './calls.ts'

type Read =
  | { state: 'loading' }
  | { state: 'failed'; message: string }
  | { state: 'here'; letters: Letter[]; page: number; pages: number }

/** Mail an installation without a mail server would have sent, newest first. */
export function OutboxPage({ info }: { info: PortalInfo }) {
  const [read, setRead] = useState<Read>({ state: 'loading' })
  const load = useCallback((page: number) => {
    setRead({ state: 'loading' })
    readOutbox({ page }).then(
      (answer) =>
        setRead({
          state: 'here',
          letters: answer.messages,
          page: answer.current_page,
          pages: Math.max(1, answer.page_count),
        }),
      (error: Error) => setRead({ state: 'failed', message: error.message }),
    )
  }, [])
  useEffect(() => {
    document.title = `Outbox - ${info.product_name}`
    load(1)
  }, [info, load])
  return (
    <main className="outbox">
      <header>
        <a className="brand" href={`${basePathOf(window.location.pathname)}/login`}>
          <Mark size={24} />
          <b>{info.product_name}</b>
        </a>
        <h1>Outbox</h1>
      </header>
      <p className="banner">This installation has no mail server. Mail it would have sent is kept here.</p>
      <Letters read={read} country={info.country} onLoad={load} />
    </main>
  )
}

function Letters({ read, country, onLoad }: { read: Read; country: Country; onLoad: (page: number) => void }) {
  if (read.state === 'loading') {
    return (
      <p className="muted" role="status">
        Loading records, please wait...
      </p>
    )
  }
  if (read.state === 'failed') {
    return (
      <div role="alert" className="failed">
        <p>Could not load the outbox. {read.message}</p>
        <button type="button" className="secondary" onClick={() => onLoad(1)}>
          Try again
        </button>
      </div>
    )
  }
  if (read.letters.length === 0) {
    return <p className="muted">No mail yet. A link to reset a password, for instance, would appear here.</p>
  }
  return (
    <>
      <ul className="letters">
        {read.letters.map((letter) => (
          <LetterItem key={letter.id} letter={letter} country={country} />
        ))}
      </ul>
      {read.pages > 1 ? <Pages page={read.page} pages={read.pages} onLoad={onLoad} /> : null}
    </>
  )
}

function LetterItem({ letter, country }: { letter: Letter; country: Country }) {
  const sent = formatMoment(country, zoneOf(country, null), new Date(letter.sent_at))
  return (
    <li>
      <article>
        <header>
          <h2>{letter.subject}</h2>
          <p className="muted">
            To {letter.to} · <time dateTime={letter.sent_at}>{sent}</time>
          </p>
        </header>
        <p className="text">
          {linkedParts(letter.text).map((part) =>
            part.href ? (
              <a key={part.at} href={part.href}>
                {part.text}
              </a>
            ) : (
              part.text
            ),
          )}
        </p>
      </article>
    </li>
  )
}

function Pages({ page, pages, onLoad }: { page: number; pages: number; onLoad: (page: number) => void }) {
  return (
    <nav className="pager" aria-label="Pages">
      <button type="button" className="secondary" disabled={page <= 1} onClick={() => onLoad(page - 1)}>
        Back
      </button>
      <span>
        Page {page} of {pages}
      </span>
      <button type="button" className="secondary" disabled={page >= pages} onClick={() => onLoad(page + 1)}>
        Next
      </button>
    </nav>
  )
}
