import { landingRoute, mayOpen, routeOf } from '@pillar/domain/access/permission'
import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  redirect,
} from '@tanstack/react-router'
import { activitySearch } from './features/audit/act-search.ts'
import { boardSearch } from './features/board/board-search.ts'
import { campaignSearch } from './features/campaign/page/campaign-search.ts'
import { pharmacySearch } from './features/financials/pharmacy/pharmacy-search.ts'
import { financialsSearch } from './features/financials/search.ts'
import { outboxSearch } from './features/mail/outbox-search.ts'
import { campaignsSearch } from './features/marketing/search.ts'
import { referralSearch } from './features/referral/referral-search.ts'
import { s8Search } from './features/s8/s8-search.ts'
import { settingsSearch } from './features/settings/settings-search.ts'
import { sixtyDaySearch } from './features/sixty-day/search.ts'
import { Frame } from './frame/Frame.tsx'
import { NotFound } from './frame/NotFound.tsx'
import { OpenFailed, Opening } from './frame/Opening.tsx'
import { isLeaving, openSession } from './session/session.ts'
import { hasMarker } from './shared/marker.ts'
import { basePathOf, keepWanted } from './shared/paths.ts'

const root = createRootRoute({ component: Outlet, notFoundComponent: NotFound })

/** The parent of every screen that needs a sign-in: no marker cookie, no screen. */
const signedIn = createRoute({
  getParentRoute: () => root,
  id: 'signed-in',
  beforeLoad: async ({ matches }) => {
    if (!hasMarker()) {
      // During sign-out nothing may be requested; a link under the pointer is preloaded and comes through here too.
      if (!isLeaving()) {
        keepWanted(window.location)
        window.location.replace(`${basePathOf(window.location.pathname)}/login`)
      }
      // The page is about to be left, and must not draw anything until then.
      await new Promise(() => {})
    }
    // The screen's files load while the session opens.
    const screen = matches.at(-1)
    if (screen) void router.routesById[screen.routeId].options.component?.preload?.()
    await openSession()
  },
  component: Frame,
  pendingComponent: Opening,
  // Space for the frame is there from the first moment, and disappears as soon as the frame appears.
  pendingMs: 0,
  pendingMinMs: 0,
  errorComponent: OpenFailed,
})

const FinancialsPage = lazyRouteComponent(() => import('./features/financials/FinancialsPage.tsx'), 'FinancialsPage')

const financials = createRoute({
  getParentRoute: () => signedIn,
  path: '/financials',
  validateSearch: financialsSearch,
  component: FinancialsPage,
})

const pharmacy = createRoute({
  getParentRoute: () => signedIn,
  path: '/financials/pharmacy/$id',
  validateSearch: pharmacySearch,
  component: lazyRouteComponent(() => import('./features/financials/pharmacy/PharmacyPage.tsx'), 'PharmacyPage'),
})

/** '/' is the same screen under another name; who may not see it starts on the first screen they may. */
const home = createRoute({
  getParentRoute: () => signedIn,
  path: '/',
  validateSearch: financialsSearch,
  beforeLoad: async () => {
    const session = await openSession()
    const { country } = session.company
    const landing = landingRoute(session, country)
    if (landing && !mayOpen(routeOf('financials'), session, country))
      throw redirect({ to: landing.path, replace: true })
  },
  component: FinancialsPage,
})

const campaigns = createRoute({
  getParentRoute: () => signedIn,
  path: '/campaigns',
  validateSearch: campaignsSearch,
  component: lazyRouteComponent(() => import('./features/marketing/CampaignsPage.tsx'), 'CampaignsPage'),
})

const oneCampaign = createRoute({
  getParentRoute: () => signedIn,
  path: '/campaigns/$id',
  validateSearch: campaignSearch,
  component: lazyRouteComponent(() => import('./features/campaign/page/CampaignPage.tsx'), 'CampaignPage'),
})

const settings = createRoute({
  getParentRoute: () => signedIn,
  path: '/settings',
  validateSearch: settingsSearch,
  component: lazyRouteComponent(() => import('./features/settings/SettingsPage.tsx'), 'SettingsPage'),
})

const sixtyDay = createRoute({
  getParentRoute: () => signedIn,
  path: '/sixtydd',
  validateSearch: sixtyDaySearch,
  component: lazyRouteComponent(() => import('./features/sixty-day/SixtyDayPage.tsx'), 'SixtyDayPage'),
})

const guildSixtyDay = createRoute({
  getParentRoute: () => signedIn,
  path: '/guildsixtydd',
  validateSearch: sixtyDaySearch,
  component: lazyRouteComponent(() => import('./features/sixty-day/GuildSixtyDayPage.tsx'), 'GuildSixtyDayPage'),
})

const analytics = createRoute({
  getParentRoute: () => signedIn,
  path: '/analytics',
  validateSearch: boardSearch,
  component: lazyRouteComponent(() => import('./features/board/AnalyticsPage.tsx'), 'AnalyticsPage'),
})

const activity = createRoute({
  getParentRoute: () => signedIn,
  path: '/activity',
  validateSearch: activitySearch,
  component: lazyRouteComponent(() => import('./features/audit/ActivityPage.tsx'), 'ActivityPage'),
})

const referrals = createRoute({
  getParentRoute: () => signedIn,
  path: '/referrals',
  validateSearch: referralSearch,
  component: lazyRouteComponent(() => import('./features/referral/ReferralsPage.tsx'), 'ReferralsPage'),
})

const s8 = createRoute({
  getParentRoute: () => signedIn,
  path: '/s8management',
  validateSearch: s8Search,
  component: lazyRouteComponent(() => import('./features/s8/S8Page.tsx'), 'S8Page'),
})

/** Visitors who are not signed in get `public/OutboxPage`; the server chooses. */
const outbox = createRoute({
  getParentRoute: () => signedIn,
  path: '/outbox',
  validateSearch: outboxSearch,
  component: lazyRouteComponent(() => import('./features/mail/OutboxPage.tsx'), 'OutboxPage'),
})

export const router = createRouter({
  routeTree: root.addChildren([
    signedIn.addChildren([
      financials,
      pharmacy,
      home,
      campaigns,
      oneCampaign,
      sixtyDay,
      guildSixtyDay,
      settings,
      s8,
      analytics,
      referrals,
      activity,
      outbox,
    ]),
  ]),
  basepath: basePathOf(window.location.pathname) || '/',
  // The page of another item starts afresh: nothing opened or typed for the previous one stays.
  defaultRemountDeps: ({ params }) => params,
  defaultPreload: 'intent',
  defaultPendingMs: 200,
  scrollRestoration: true,
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
