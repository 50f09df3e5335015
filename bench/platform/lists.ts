import {
  ACTS,
  type Asked,
  BATCHES,
  BY_PERSON,
  CAMPAIGNS,
  COMPANIES,
  late,
  list,
  PERSON,
  page,
  paged,
  searched,
  some,
  TEMPLATES,
  TERMS,
  term,
  USERS,
} from './asked.ts'
import type { Things } from './platform.queries.ts'

/** Companies, users and what belongs to them. */
function people(things: Things): Asked[] {
  const companies = list('company/search')
  const users = list('get-users')
  const company = some(things.company)
  return [
    companies('Companies, a page', (n) => ({ page: page(n) }), paged(COMPANIES)),
    companies(
      'Companies, a search (the look-up of every form)',
      (n) => ({ name: term(n) }),
      searched(COMPANIES, 'name'),
    ),
    companies('Companies, most pharmacies first', (n) => ({
      page: page(n),
      sort_field: 'locations',
      sort_order: 'desc',
    })),
    companies('Companies, most users first', (n) => ({ page: page(n), sort_field: 'logins', sort_order: 'desc' })),
    companies('Companies, newest first', (n) => ({ page: page(n), sort_field: 'created_at', sort_order: 'desc' })),
    list('company/list')('Companies, all names', () => ({})),
    list('company/{id}/locations')('A company, its pharmacies', (n) => ({ id: company(n) })),
    list('company/{id}/users')('A company, its users', (n) => ({ id: company(n) })),
    list('company/{id}/login-locations')('A company, its links', (n) => ({ id: company(n) })),
    list('company/{id}/strongpro-onboarding-notifications')('A company, its welcome letters', (n) => ({
      id: company(n),
    })),
    users('Users, a page', (n) => ({ page: page(n) }), paged(USERS)),
    users('Users, a late page', (n) => ({ page: late(20_000)(n) }), paged(USERS, late(20_000))),
    users('Users, a search', (n) => ({ name: term(n) }), searched(USERS, PERSON)),
    users(
      'Users by email',
      (n) => ({ page: page(n), sort_field: 'email' }),
      paged({ ...USERS, order: 'lower(u.email), u.id' }),
    ),
    users(
      'Users, newest first',
      (n) => ({ page: page(n), sort_field: 'created_at', sort_order: 'desc' }),
      paged({ ...USERS, order: 'u.created_at desc, u.id desc' }),
    ),
    users(
      'Users by company',
      (n) => ({ page: page(n), sort_field: 'company' }),
      paged({ ...USERS, order: 'lower(c.name), u.id' }),
    ),
    users(
      'Users without a pharmacy',
      (n) => ({ page: page(n), show: 'unlinked' }),
      paged({
        ...USERS,
        where: `${USERS.where} and not exists (select from login_location x where x.login_id = u.id)`,
      }),
    ),
    users('Users who have no password yet', (n) => ({ page: page(n), show: 'waiting' })),
    users('Users of a company', (n) => ({ company_id: company(n) })),
    list('user/{id}/locations')('A user, the pharmacies', (n) => ({ id: some(things.user)(n) })),
  ]
}

/** The lists of templates and campaigns, and the requests of Select All Matching. */
function texts(things: Things): Asked[] {
  const templates = list('template/admin/search')
  const company = some(things.company)
  const newest = { sort_field: 'updated_at', sort_order: 'desc' }
  const recommended = list('template-recommendation/admin/search')
  const campaigns = list('campaign/admin/search')
  const offered = list('campaign-recommendation/admin/search')
  return [
    templates('Templates, a page', (n) => ({ page: page(n), global_template: false }), paged(TEMPLATES)),
    templates(
      'Templates, a late page',
      (n) => ({ page: late(98_000)(n), global_template: false }),
      paged(TEMPLATES, late(98_000)),
    ),
    templates(
      'Templates, a search',
      (n) => ({ search_term: term(n), global_template: false }),
      searched(TEMPLATES, 't.name', 't.body'),
    ),
    templates('Templates, a search of two letters', (n) => ({
      search_term: term(n).slice(0, 2),
      global_template: false,
    })),
    templates(
      'Templates, newest first',
      (n) => ({ page: page(n), global_template: false, ...newest }),
      paged({ ...TEMPLATES, order: 't.updated_at desc, t.id desc' }),
    ),
    templates(
      'Templates by company',
      (n) => ({ page: page(n), global_template: false, sort_field: 'company' }),
      paged({ ...TEMPLATES, order: 'lower(c.name), t.id' }),
    ),
    templates('Templates by type', (n) => ({ page: page(n), global_template: false, sort_field: 'type' })),
    templates('Templates, active ones first', (n) => ({
      page: page(n),
      global_template: false,
      sort_field: 'active',
      sort_order: 'desc',
    })),
    templates('Templates of companies named so', (n) => ({
      company: term(n),
      global_template: false,
      sort_field: 'company',
    })),
    templates('Templates of a company', (n) => ({ company: company(n), global_template: false })),
    templates('Templates, active texts of pharmacies', (n) => ({
      page: page(n),
      global_template: false,
      active: true,
      type: 'sms',
      enterprise_template: false,
    })),
    templates('Global templates, a page', (n) => ({ page: page(n), global_template: true })),
    templates('Global templates, a search', (n) => ({ search_term: term(n), global_template: true })),
    recommended('Recommended templates, a page', (n) => ({ page: page(n) })),
    recommended('Recommended templates, a search', (n) => ({ search_term: term(n) })),
    recommended('Recommended templates, newest first', (n) => ({
      page: page(n),
      sort_field: 'published_at',
      sort_order: 'desc',
    })),
    campaigns('Campaigns, a page', (n) => ({ page: page(n) }), paged(CAMPAIGNS)),
    campaigns('Campaigns, a late page', (n) => ({ page: late(5_000)(n) }), paged(CAMPAIGNS, late(5_000))),
    campaigns('Campaigns, a search', (n) => ({ search_term: term(n) }), searched(CAMPAIGNS, 'k.name', 'c.name')),
    campaigns('Campaigns, newest first', (n) => ({ page: page(n), sort_field: 'created_at', sort_order: 'desc' })),
    campaigns('Campaigns by company', (n) => ({ page: page(n), sort_field: 'company' })),
    campaigns('Campaigns, active ones by start', (n) => ({ page: page(n), active: true, sort_field: 'start_date' })),
    offered('Recommended campaigns, a page', (n) => ({ page: 1 + (n % 20) })),
    offered('Recommended campaigns, a search', (n) => ({ search_term: term(n) })),
  ]
}

/** The requests of Select All Matching: how many match and what the act would affect. */
function matching(things: Things): Asked[] {
  const company = some(things.company)
  // A filter without matches is refused, so every word here matches something.
  const filter = (n: number) => ({ filter: { search_term: TERMS[n % 3]! } })
  const templates = list('template/admin/affected-campaigns')
  const recommended = list('template-recommendation/admin/affected')
  const campaigns = list('campaign/admin/affected-templates')
  const offered = list('campaign-recommendation/admin/affected')
  return [
    templates('Select All Matching, templates by a search', filter),
    templates('Select All Matching, templates of a company', (n) => ({
      filter: { company: company(n), global_template: false },
    })),
    recommended('Select All Matching, recommended templates', filter),
    campaigns('Select All Matching, campaigns by a search', (n) => ({ ...filter(n), active: n % 2 === 0 })),
    offered('Select All Matching, recommended campaigns', filter),
  ]
}

/** Uploads, messages and the audit. */
function traces(things: Things): Asked[] {
  const batches = list('admin/messaging-info')
  const acts = list('audit/admin/search')
  const faulty = { module: 'strong_pro', filters: { show_no_uploads: true, business_days: 4 } }
  const uploads = (name: string, input: Asked['input']): Asked => ({
    ...list('support/get-faulty-etl-pharmacies')(name, (n) => ({ ...faulty, ...input(n) })),
    most: 150,
  })
  const day = (n: number) => new Date(Date.now() - (n + 1) * 86_400_000 * 3).toISOString().slice(0, 10)
  return [
    uploads('Faulty uploads', (n) => ({ page: page(n) })),
    uploads('Faulty uploads, a search', (n) => ({ search_term: term(n) })),
    uploads('Faulty uploads, silent the longest first', () => ({
      sort_field: 'last_successful_upload_on',
      sort_order: 'asc',
      per_page: 50,
    })),
    list('support/view-etl-queue-items')('Upload history of a pharmacy', (n) => ({ id: [some(things.pharmacy)(n)] })),
    batches('Message batches, a page', (n) => ({ page: page(n) }), paged(BATCHES)),
    batches('Message batches, a late page', (n) => ({ page: late(200_000)(n) }), paged(BATCHES, late(200_000))),
    batches(
      'Message batches, a search',
      (n) => ({ search_term: term(n) }),
      searched(BATCHES, 'l.name', 'c.name', 'k.name', 'b.template_name'),
    ),
    batches('Message batches between two days', (n) => ({ start_date: day(n + 3), end_date: day(n) })),
    batches('Message batches of a pharmacy', (n) => ({ location_id: some(things.pharmacy)(n) })),
    batches('Message batches of a campaign', (n) => ({ campaign_id: some(things.campaign)(n) })),
    acts(
      'Audit, a page',
      (n) => ({ page: page(n) }),
      ACTS('not a.copy', () => null),
    ),
    acts('Audit, a late page', (n) => ({ page: 480 + (n % 15) })),
    acts(
      'Audit, a person',
      (n) => ({ search_term: term(n) }),
      ACTS(BY_PERSON, (n) => `%${term(n)}%`),
    ),
    acts('Audit, a company', (n) => ({ company: some(things.company)(n) })),
    acts('Audit, an object', (n) => ({ search_term: some(things.act)(n) })),
    acts('Audit, sign-ins', (n) => ({ page: page(n), kind: 'sign-in' })),
    acts('Audit, changes between two days', (n) => ({ kind: 'change', from: day(n + 20), to: day(n) })),
  ]
}

/** Trials, sequences, dashboards, and Ctrl+K. */
function others(things: Things): Asked[] {
  const trials = list('clinical-trial/admin/search')
  const sequences = list('sequence/admin/search')
  const dashboards = list('dashboard/admin/search')
  const recruiters = list('recruiter-provider/admin/search')
  const places = list('clinical-trial/admin/{trial_id}/location-info')
  const trial = some(things.trial)
  return [
    trials('Clinical trials, a page', (n) => ({ page: 1 + (n % 10) })),
    trials('Clinical trials, a search', (n) => ({ name: term(n) })),
    places('A clinical trial, its pharmacies', (n) => ({ trial_id: trial(n), page: page(n) })),
    places('A clinical trial, its pharmacies by a search', (n) => ({ trial_id: trial(n), search_term: term(n) })),
    recruiters('Recruiters, a page', (n) => ({ page: 1 + (n % 15) })),
    recruiters('Recruiters, a search', (n) => ({ name: term(n) })),
    dashboards('Dashboards, a page', (n) => ({ page: page(n) })),
    dashboards('Dashboards, a search', (n) => ({ name: term(n) })),
    sequences('Sequences, a page', (n) => ({ page: page(n) })),
    sequences('Sequences, a late page', (n) => ({ page: late(10_000)(n) })),
    sequences('Sequences, a search', (n) => ({ search_term: term(n) })),
    sequences('Sequences by company', (n) => ({ page: page(n), sort_field: 'company' })),
    list('sequence-recommendation/admin/list')('Recommended sequences, a page', (n) => ({ page: 1 + (n % 5) })),
    list('sequence-event/admin/list')('Sequence events', () => ({})),
    { ...list('find/admin')('Ctrl+K', (n) => ({ term: term(n) })), most: 80 },
    {
      ...list('find/admin')('Ctrl+K, the beginning of an id', (n) => ({ term: some(things.template)(n).slice(0, 9) })),
      most: 80,
    },
  ]
}

/** Every list, search and Select All Matching of the console. */
export const listsOf = (things: Things): Asked[] =>
  [people, texts, matching, traces, others].flatMap((family) => family(things))
