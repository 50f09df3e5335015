import './api/no-eval.ts'
import './tokens.css'
import './base.css'
import './frame/opening.css'
import './theme/mantine.css'
import './theme/controls.css'
import './theme/overlays.css'
import './theme/print.css'
import './theme/scroll.css'
import { MantineProvider } from '@mantine/core'
import { Notifications } from '@mantine/notifications'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { createQueries } from './api/client.ts'
import { watchFiles } from './api/missing-files.ts'
import { router } from './routes.tsx'
import { reportError, watchErrors } from './shared/report-error.ts'
import { useScheme, watchScheme } from './shared/scheme.ts'
import { theme, variables } from './theme/theme.ts'

watchErrors()
watchFiles()
watchScheme()
const queries = createQueries()

function Portal() {
  const scheme = useScheme()
  return (
    <MantineProvider theme={theme} cssVariablesResolver={variables} forceColorScheme={scheme}>
      <QueryClientProvider client={queries}>
        <RouterProvider router={router} />
        <Notifications position="bottom-left" limit={4} />
      </QueryClientProvider>
    </MantineProvider>
  )
}

createRoot(document.getElementById('root')!, { onCaughtError: reportError }).render(
  <StrictMode>
    <Portal />
  </StrictMode>,
)
