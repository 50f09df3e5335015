import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { type FoundAddress, type FoundPlace, findPlaces, openPlace, type PageInfo } from './signup-calls.ts'

/** The pause in typing before a look-up. */
const WAIT_MS = 250
const LEAST = 2

/** Finds an address in Australia as somebody types, by keyboard or pointer. The selected one fills the fields, which stay editable. */
export function AddressSearch({
  info,
  onChoose,
}: {
  info: PageInfo | null
  onChoose: (address: FoundAddress) => void
}) {
  const { term, setTerm, found, close, session } = usePlaces()
  const [at, setAt] = useState(-1)
  const [failed, setFailed] = useState(false)
  const choose = async (place: FoundPlace) => {
    setTerm(place.label, false)
    close()
    setAt(-1)
    setFailed(false)
    try {
      const address = place.address ?? (await openPlace({ place_id: place.place_id ?? '', session: session() }))
      onChoose(address)
    } catch {
      setFailed(true)
    }
  }
  const press = (event: KeyboardEvent) => {
    if (event.key === 'Escape') close()
    if (found.length === 0) return
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault()
      setAt((at + (event.key === 'ArrowDown' ? 1 : at < 0 ? 0 : -1) + found.length) % found.length)
    }
    const chosen = found[at]
    if (event.key === 'Enter' && chosen) {
      event.preventDefault()
      void choose(chosen)
    }
  }
  const google = info?.places === 'google'
  return (
    <div className="line search">
      <label htmlFor="search">{google ? 'Find your address' : 'Find your suburb or postcode'}</label>
      <p className="hint" id="search-hint">
        {info?.places_credit ?? 'Or fill in the fields below.'}
      </p>
      <input
        id="search"
        className="entry"
        role="combobox"
        aria-expanded={found.length > 0}
        aria-controls="found"
        aria-autocomplete="list"
        aria-activedescendant={found[at] ? `found-${at}` : undefined}
        aria-describedby="search-hint"
        autoComplete="off"
        maxLength={200}
        value={term}
        onChange={(event) => {
          setTerm(event.currentTarget.value, true)
          setAt(-1)
        }}
        onKeyDown={press}
        onBlur={close}
      />
      <div id="found" role="listbox" aria-label="Addresses" className={found.length > 0 ? 'found' : undefined}>
        {found.map((place, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the keys belong to the input, which keeps the focus.
          <div
            key={`${place.label} ${place.place_id}`}
            id={`found-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === at}
            // Before the input loses the focus, which would close the list.
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => void choose(place)}
          >
            {place.label}
          </div>
        ))}
      </div>
      <p className="hint" role="status">
        {failed ? 'This address could not be read. Please fill in the fields below.' : ''}
      </p>
    </div>
  )
}

/** The typed text and its matches; the answer for an older text never replaces that for a newer one. */
function usePlaces() {
  const [typed, setTyped] = useState({ text: '', ask: false })
  const [found, setFound] = useState<readonly FoundPlace[]>([])
  const token = useRef<string | null>(null)
  const session = () => {
    const now = token.current ?? crypto.randomUUID?.() ?? null
    token.current = null
    return now
  }
  useEffect(() => {
    if (!typed.ask || typed.text.trim().length < LEAST) {
      setFound([])
      return
    }
    let stale = false
    const timer = setTimeout(() => {
      token.current ??= crypto.randomUUID?.() ?? null
      findPlaces({ search_term: typed.text, session: token.current }).then(
        ({ data }) => stale || setFound(data),
        // The fields below also work without it.
        () => stale || setFound([]),
      )
    }, WAIT_MS)
    return () => {
      stale = true
      clearTimeout(timer)
    }
  }, [typed])
  const setTerm = (text: string, ask: boolean) => setTyped({ text, ask })
  /** Also drops the answer on its way: the list would open over the fields below, where the person is typing by then. */
  const close = () => setTyped(({ text }) => ({ text, ask: false }))
  return { term: typed.text, setTerm, found, close, session }
}
