import { landingRoute, matchRoute, mayOpen } from '@pillar/domain/access/permission'
import { listOf } from '@pillar/domain/text/sentence'
import { COUNTRY_NAMES } from '@pillar/domain/time/locale'
import { Link, Outlet, useRouterState } from '@tanstack/react-router'
import { Page } from '../kit/display/Page.tsx'
import { NothingYet } from '../kit/display/states.tsx'
import { useSession } from '../session/session.ts'
import { withoutBase } from '../shared/paths.ts'

/** The screen for the address. People who follow a link to a screen they may not open see no data and no buttons. */
export function Screen() {
  const session = useSession()
  const { country } = session.company
  const path = useRouterState({ select: (state) => state.location.pathname })
  const route = matchRoute(withoutBase(path))
  if (!route || mayOpen(route, session, country)) return <Outlet />
  const landing = landingRoute(session, country)
  const { title, countries } = route
  const abroad = countries && !countries.includes(country)
  return (
    <Page title={title}>
      <NothingYet
        title={
          abroad
            ? `${title} is for ${listOf(countries.map((one) => COUNTRY_NAMES[one]))} only`
            : `You don’t have access to ${title}`
        }
      >
        {abroad
          ? 'Your company is in another country.'
          : 'Ask whoever manages the users of your company to give you access.'}{' '}
        {landing ? <Link to={landing.path}>Open {landing.title}</Link> : null}
      </NothingYet>
    </Page>
  )
}
