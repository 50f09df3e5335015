import { signal } from '../shared/signal.ts'
import '../tokens.css'
import '../base.css'
import '../theme/mantine.css'
import '../theme/controls.css'
import '../theme/overlays.css'
import '../theme/print.css'
import { MantineProvider } from '@mantine/core'
import { Notifications } from '@mantine/notifications'
import { StrictMode, useState, useSyncExternalStore } from 'react'
import { createRoot } from 'react-dom/client'
import { theme, variables } from '../theme/theme.ts'
import { Board } from './Board.tsx'
import { listenToParent } from './port.ts'

type Mode = 'default' | 'dark' | 'system'
/** What the embedding page has sent so far; kept outside React, so that nothing is lost before the first paint. */
const fromParent = { token: '', mode: 'system' as Mode }
const { subscribe, announce } = signal()
const change = (more: Partial<typeof fromParent>) => {
  Object.assign(fromParent, more)
  announce()
}
const tell = listenToParent({ onToken: (token) => change({ token }), onTheme: (mode) => change({ mode }) })
/** Always the same functions: a new one would make the board read again with every change of theme. */
const tokenOf = () => fromParent.token
const tellHeight = (height: number) => tell({ height })
const system = window.matchMedia('(prefers-color-scheme: dark)')
system.addEventListener('change', () => change({}))
const schemeNow = () => {
  if (fromParent.mode === 'system') return system.matches ? 'dark' : 'light'
  return fromParent.mode === 'dark' ? 'dark' : 'light'
}

function Embedded() {
  const ready = useSyncExternalStore(subscribe, () => fromParent.token !== '')
  const scheme = useSyncExternalStore(subscribe, schemeNow)
  if (document.documentElement.dataset.theme !== scheme) document.documentElement.dataset.theme = scheme
  const [asked, setAsked] = useState(() => new URLSearchParams(window.location.search).get('drug_class'))
  const onAsk = (drugClass: string) => {
    setAsked(drugClass)
    tell({ drug_class: drugClass })
  }
  return (
    <MantineProvider theme={theme} cssVariablesResolver={variables} forceColorScheme={scheme}>
      {window.parent === window ? (
        <p style={{ padding: '1.5rem' }}>This board is shown inside Pillar, under Analytics.</p>
      ) : ready ? (
        <Board tokenOf={tokenOf} asked={asked} onAsk={onAsk} onHeight={tellHeight} />
      ) : (
        <p style={{ padding: '1.5rem' }}>Loading Analytics...</p>
      )}
      <Notifications position="bottom-left" limit={4} />
    </MantineProvider>
  )
}

createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <Embedded />
  </StrictMode>,
)
