import { describe, expect, it } from 'vitest'
import { dashboardAddress, dashboardProblem, productNames } from './dashboard.ts'

const HOSTS = ['analytics.pillar.example', 'bi.pillar.example']
const GOOD = {
  name: 'Category sales',
  company_id: '01980000-0000-7000-8000-000000000001',
  dashboard_id: '01980000-0000-7000-8000-000000000002',
  dashboard_type: 'Supplier',
  domain_url: 'https://analytics.pillar.example',
  production: true,
  products: [],
} as const

describe('a dashboard draft', () => {
  it('names everything that is missing in one sentence', () => {
    const nothing = {
      name: ' ',
      company_id: '',
      dashboard_id: '',
      dashboard_type: null,
      domain_url: '',
      production: null,
      products: [],
    }
    expect(dashboardProblem(nothing, HOSTS)).toBe(
      'Please enter a dashboard name, select a company, select a dashboard type, enter a dashboard ID, enter a domain URL, and select a production status.',
    )
    expect(dashboardProblem(GOOD, HOSTS)).toBe('')
  })

  it('is refused with another host or an invalid uuid', () => {
    expect(dashboardProblem({ ...GOOD, domain_url: 'https://evil.example', dashboard_id: '12' }, HOSTS)).toBe(
      'Please enter the dashboard ID as a UUID and enter a domain URL that begins with https://analytics.pillar.example or https://bi.pillar.example.',
    )
  })
})

describe('the address of an analytics server', () => {
  it('is stored as the browser reads it', () => {
    expect(dashboardAddress(' HTTPS://Analytics.Pillar.Example/ ', HOSTS)).toBe('https://analytics.pillar.example')
    expect(dashboardAddress('https://bi.pillar.example:443/super_set/', HOSTS)).toBe(
      'https://bi.pillar.example/super_set',
    )
  })

  it.each([
    'http://analytics.pillar.example',
    '//analytics.pillar.example',
    'analytics.pillar.example',
    'javascript:alert(1)//https://analytics.pillar.example',
    'https://analytics.pillar.example.evil.example',
    'https://evil.example/analytics.pillar.example',
    'https://analytics.pillar.example@evil.example',
    'https://evil.example\\@analytics.pillar.example',
    'https://user:secret@analytics.pillar.example',
    'https://analytics.pillar.example:8443',
    'https://analytics.pillar.example/?next=https://evil.example',
    'https://analytics.pillar.example/#x',
    'https://analytics.pillar.example//evil.example',
    'https://analytics.pillar.example/%2f%2fevil.example',
    'https://sub.analytics.pillar.example',
    'https://analytics.pillar.example.',
    'https://2130706433',
    'https://0x7f.0.0.1',
    'https://[::ffff:127.0.0.1]',
    'https://169.254.169.254/latest/meta-data',
    'https://',
    '',
  ])('%s is refused', (text) => {
    expect(dashboardAddress(text, HOSTS)).toBe(null)
  })
})

describe('a supplier’s own products', () => {
  it('are read one per line or separated by commas, each once', () => {
    expect(productNames(' Cardaxa \nTorvaxa,  cardaxa,\n\nCardaxa  Duo')).toEqual(['Cardaxa', 'Torvaxa', 'Cardaxa Duo'])
  })

  it('are at most 50, of at most 60 characters each', () => {
    const words = 'Please name at most 50 products, each in at most 60 characters.'
    const hosts = ['analytics.pillar.example']
    expect(dashboardProblem({ ...GOOD, products: ['x'.repeat(61)] }, hosts)).toBe(words)
    expect(dashboardProblem({ ...GOOD, products: Array.from({ length: 51 }, (_, at) => `P${at}`) }, hosts)).toBe(words)
    expect(dashboardProblem({ ...GOOD, products: ['x'.repeat(60)] }, hosts)).toBe('')
  })
})
