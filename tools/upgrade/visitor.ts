/** The password of the demo network's logins. */
const PASSWORD = 'Pillar-demo-2026'
const NAME = 'headoffice'

export interface Visit {
  /** The part of the pages that must be the same whichever version answers. */
  figures: string
  asked: number
  slowestMs: number
  /** Answers that were not 2xx, as path and status. */
  faults: string[]
}

/** Signs in to one version and goes through its pages: Financials, templates, campaigns and their people. */
export async function openVisitor(url: string): Promise<{ visit: (save?: boolean) => Promise<Visit> }> {
  let token = ''
  let visit: Visit = emptyVisit()
  const ask = async <T>(path: string, body: object, headers: Record<string, string> = {}): Promise<T> => {
    const began = performance.now()
    visit.asked++
    const answer = await fetch(`${url}${path}`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...(token ? { authorization: `Bearer ${token}` } : {}),
        ...headers,
      },
      body: JSON.stringify(body),
    })
    const text = await answer.text()
    visit.slowestMs = Math.max(visit.slowestMs, performance.now() - began)
    if (!answer.ok) visit.faults.push(`${path} ${answer.status} ${text.slice(0, 200)}`)
    return JSON.parse(text)
  }
  const signIn = async () => {
    const answer = await ask<{ access_token: string }>('/api/enterprise-login', { name: NAME, password: PASSWORD })
    token = answer.access_token
  }
  await signIn()
  return {
    async visit(save = false) {
      const before = visit
      visit = { ...emptyVisit(), faults: before.asked === 1 ? before.faults : [] }
      const { templates, ids, ...read } = await readAll(ask)
      visit.figures = JSON.stringify(read, ownAlone)
      if (save) await saveCampaign(ask, templates, ids)
      return visit
    },
  }
}

const emptyVisit = (): Visit => ({ figures: '', asked: 0, slowestMs: 0, faults: [] })

type Ask = <T>(path: string, body: object, headers?: Record<string, string>) => Promise<T>

/** Other companies' pharmacies make up the product average: the rehearsal's uploads change it, and everything compared with it. */
const ownAlone = (key: string, value: unknown) =>
  /average|baseline|performance|_categories/.test(key) ? undefined : value

async function readAll(ask: Ask) {
  const lastMonth = new Date()
  lastMonth.setUTCDate(0)
  const period = { year: lastMonth.getUTCFullYear(), month: lastMonth.getUTCMonth() + 1 }
  const { pharmacies } = await ask<{ pharmacies: { pharmacy_id: string }[] }>('/api/enterprise-init-info', period)
  const ids = pharmacies.map((one) => one.pharmacy_id)
  const stats = await ask('/api/enterprise-pharmacy-stats', { pharmacy_ids: ids, ...period })
  const table = await ask('/api/enterprise-pharmacy-table', { category: 'Drug Type', pharmacies: ids, ...period })
  const { templates } = await ask<{ templates: { template_id: string }[] }>('/api/template/list/enterprise', {
    active: true,
  })
  await ask('/api/campaign/enterprise/list', {})
  return { ids, templates, stats, table }
}

/** Verifies the password, as the dialog does, and saves a campaign that sends nothing. */
async function saveCampaign(
  ask: Ask,
  templates: readonly { template_id: string }[],
  locations: readonly string[],
): Promise<void> {
  const { grant } = await ask<{ grant: string }>('/api/confirm-enterprise-login', {
    name: NAME,
    password: PASSWORD,
    action: 'save',
  })
  const draft = {
    name: `Side by side ${crypto.randomUUID()}`,
    filters: { adherence: [1, 2, 3] },
    ...{ goal_type: 'scripts', measure_by: 'value', goal: 5 },
    templates: templates.slice(0, 1).map(({ template_id }) => template_id),
    locations,
  }
  await ask('/api/campaign/create/enterprise', draft, { 'x-step-up-grant': grant })
}
