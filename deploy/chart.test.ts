import { spawnSync } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { isHostless, NEEDED, settingNames, settingOf } from './setting-names.ts'

const CHART = 'deploy/chart'
const SETTINGS = { PUBLIC_URL: 'https://pillar.example', MAIL_FROM: 'Pillar <no-reply@pillar.example>' }
const values = parse(readFileSync(`${CHART}/values.yaml`, 'utf8')) as Record<string, unknown> & {
  settings: Record<string, string>
  secret: { keys: string[]; ownerKeys: string[] }
  image: { repository: string }
}
const templates = globSync(`${CHART}/templates/*`).map((file) => ({
  name: basename(file),
  text: readFileSync(file, 'utf8').replace(/\{\{-? *\/\*.*?\*\/ *-?\}\}/gs, ''),
}))
const all = templates.map(({ text }) => text).join('\n')
const found = (pattern: RegExp) => [...new Set([...all.matchAll(pattern)].map(([, name]) => name!))]

/** Names of environment variables that a template gives its containers. */
const envOf = (name: string) => {
  const { text } = templates.find((template) => template.name === name)!
  return [...text.matchAll(/- \{ name: ([A-Z_]+), value:/g)].map(([, variable]) => variable!)
}

describe('the chart', () => {
  it('uses only values that exist, and every one of them', () => {
    const used = found(/\.Values\.([\w.]+)/g)
    const known = (path: string) =>
      path.split('.').reduce<unknown>((at, key) => (at as Record<string, unknown> | undefined)?.[key], values)
    for (const path of used) expect(known(path), path).toBeDefined()
    const leaves = (at: unknown, path: string): string[] =>
      at !== null && typeof at === 'object' && !Array.isArray(at) && Object.keys(at).length > 0
        ? Object.entries(at).flatMap(([key, value]) => leaves(value, path === '' ? key : `${path}.${key}`))
        : [path]
    for (const leaf of leaves(values, ''))
      expect(
        used.some((path) => leaf === path || leaf.startsWith(`${path}.`)),
        leaf,
      ).toBe(true)
  })

  it('includes only definitions that exist, and closes what it opens', () => {
    expect(found(/include "([^"]+)"/g).toSorted()).toEqual(found(/define "([^"]+)"/g).toSorted())
    for (const { name, text } of templates) {
      const opened = text.match(/\{\{-? *(?:if|range|with|define)\b/g)?.length ?? 0
      expect(text.match(/\{\{-? *end\b/g)?.length ?? 0, name).toBe(opened)
    }
  })

  it('sets only settings that exist, and every one that is needed', () => {
    const given = [...Object.keys(values.settings), ...values.secret.keys, ...values.secret.ownerKeys]
    for (const name of [...given, ...envOf('web.yaml'), ...envOf('worker.yaml'), ...envOf('migrate.yaml')])
      expect(settingNames(), name).toContain(settingOf(name))
    for (const part of ['web', 'worker']) {
      const own = [...Object.keys(values.settings), ...values.secret.keys, ...envOf(`${part}.yaml`)]
      expect(
        NEEDED.filter((name) => !own.includes(name)),
        part,
      ).toEqual([])
    }
    expect(values.settings.DEMO).toBe('none')
    expect(envOf('worker.yaml')).toContain('HEALTH_PORT')
  })

  it('holds no secret and no registry', () => {
    expect(all).not.toMatch(/kind: Secret\b/)
    expect(isHostless(`${values.image.repository}:1`)).toBe(true)
    for (const name of values.secret.keys) expect(Object.keys(values.settings)).not.toContain(name)
  })
})

const helm = spawnSync('helm', ['version', '--short'], { encoding: 'utf8' }).status === 0

/** The parts of a manifest that are looked at below. */
interface Manifest {
  kind: string
  metadata: { name: string }
  data?: Record<string, string>
  spec: {
    template?: {
      metadata: { labels: Record<string, string> }
      spec: {
        securityContext: Record<string, unknown>
        automountServiceAccountToken: boolean
        containers: {
          securityContext: Record<string, unknown>
          resources: { requests: unknown; limits: unknown }
          livenessProbe?: unknown
          volumeMounts: { name: string }[]
        }[]
        volumes: { name: string }[]
      }
    }
  }
}

describe.skipIf(!helm)('the chart as helm renders it (skipped where helm is not installed)', () => {
  const set = Object.entries(SETTINGS).flatMap(([name, value]) => ['--set-string', `settings.${name}=${value}`])
  const words = ['template', 'pillar', CHART, ...set, '--set-string', 'ingress.host=pillar.example']
  const render = (...more: string[]) => {
    const { stdout, stderr, status } = spawnSync('helm', [...words, ...more], { encoding: 'utf8' })
    expect([stderr, status]).toEqual(['', 0])
    return parseAllDocuments(stdout).flatMap((document) => {
      expect(document.errors).toEqual([])
      const manifest = document.toJS() as Manifest | null
      return manifest ? [manifest] : []
    })
  }

  it('makes web, worker and migrations that run without rights', () => {
    const manifests = render()
    expect(manifests.map(({ kind }) => kind).toSorted()).toEqual([
      ...['ConfigMap', 'Deployment', 'Deployment', 'Ingress', 'Job', 'NetworkPolicy', 'NetworkPolicy', 'NetworkPolicy'],
      ...['PersistentVolumeClaim', 'PodDisruptionBudget', 'PodDisruptionBudget', 'Service'],
    ])
    for (const { kind, metadata, spec } of manifests) {
      if (!spec?.template) continue
      const pod = spec.template.spec
      expect(pod.securityContext, metadata.name).toMatchObject({ runAsNonRoot: true, runAsUser: 10001 })
      expect(pod.automountServiceAccountToken).toBe(false)
      for (const container of pod.containers) {
        expect(container.securityContext).toEqual({
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ['ALL'] },
        })
        expect(container.resources.limits && container.resources.requests).toBeTruthy()
        if (kind === 'Deployment') expect(container.livenessProbe).toBeDefined()
        const volumes = pod.volumes.map(({ name }) => name).toSorted()
        expect(container.volumeMounts.map(({ name }) => name).toSorted()).toEqual(volumes)
      }
    }
    expect(manifests.find(({ kind }) => kind === 'ConfigMap')?.data).toEqual({ DEMO: 'none', ...SETTINGS })
  })

  it('lets nothing out where no ports outside are listed, since a rule without ports allows them all', () => {
    const policies = (...more: string[]) =>
      render(...more).flatMap(({ kind, metadata }) => (kind === 'NetworkPolicy' ? [metadata.name] : []))
    expect(policies()).toContain('pillar-outside')
    expect(policies('--set-json', 'network.outsidePorts=[]')).toEqual(['pillar', 'pillar-web'])
  })

  it('lets nobody ask workers for metrics but those who are named', () => {
    const named = '[{"namespaceSelector":{"matchLabels":{"kubernetes.io/metadata.name":"observe"}}}]'
    const rule = (...more: string[]) =>
      render(...more).find(({ kind, metadata }) => kind === 'NetworkPolicy' && metadata.name === 'pillar-metrics')?.spec
    expect(rule()).toBeUndefined()
    expect(rule('--set-json', `network.metricsFrom=${named}`)).toMatchObject({
      podSelector: { matchLabels: { 'app.kubernetes.io/component': 'worker' } },
      ingress: [{ from: JSON.parse(named), ports: [{ port: 'health', protocol: 'TCP' }] }],
    })
  })
})
