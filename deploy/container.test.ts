import { existsSync, globSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { isHostless, settingNames } from './setting-names.ts'

/** Instructions of the container file, continued lines joined. */
const steps = readFileSync('deploy/Containerfile', 'utf8')
  .replace(/^#.*\n/gm, '')
  .replace(/\\\n\s*/g, '')
  .split('\n')
  .filter((line) => line.trim() !== '')
  .map((line) => ({ word: line.split(' ')[0]!, rest: line.slice(line.indexOf(' ') + 1) }))
const last = steps.slice(steps.findLastIndex(({ word }) => word === 'FROM'))
const restOf = (word: string) => last.filter((step) => step.word === word).map(({ rest }) => rest)
const copied = steps
  .filter(({ word, rest }) => word === 'COPY' && !rest.startsWith('--from'))
  .flatMap(({ rest }) => rest.split(' ').slice(0, -1))

describe('the container file', () => {
  it('begins with images that name no registry', () => {
    const base = steps.find(({ word }) => word === 'ARG')!.rest.split('=')[1]!
    expect(isHostless(base)).toBe(true)
    const stages = steps.filter(({ word }) => word === 'FROM').map(({ rest }) => rest.split(' ')[0])
    expect(new Set(stages)).toEqual(new Set([`\${NODE_IMAGE}`, 'manifests']))
    expect(base).toContain(readFileSync('package.json', 'utf8').match(/"node": "(\d+)\./)![1])
  })

  it('runs under an init as a user without rights, and can be asked how it is', () => {
    expect(restOf('USER')).toEqual(['10001:10001'])
    expect(restOf('ENTRYPOINT')).toEqual(['["/usr/bin/tini", "--"]'])
    const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: { start: string } }
    expect(restOf('CMD').map((list) => JSON.parse(list))).toEqual([scripts.start.split(' ')])
    expect(restOf('HEALTHCHECK')[0]).toContain('/readyz')
  })

  it('copies what is there and what .dockerignore lets through', () => {
    const through = readFileSync('.dockerignore', 'utf8')
      .match(/^!(.*)$/gm)!
      .map((line) => line.slice(1))
    for (const path of copied) {
      expect(existsSync(path), path).toBe(true)
      expect(
        through.some((one) => path === one || path.startsWith(`${one}/`)),
        path,
      ).toBe(true)
    }
    for (const one of through) expect(existsSync(one), one).toBe(true)
  })

  it('installs every workspace from its manifest', () => {
    const { workspaces } = JSON.parse(readFileSync('package.json', 'utf8')) as { workspaces: string[] }
    for (const manifest of globSync(workspaces.map((folder) => `${folder}/package.json`)))
      expect(copied).toContain(manifest)
  })

  it('sets only settings that exist', () => {
    for (const [, name] of restOf('ENV')
      .join(' ')
      .matchAll(/(\w+)=/g))
      expect(['NODE_ENV', ...settingNames()]).toContain(name)
    expect(restOf('ENV')[0]).toMatch(/HOST=0\.0\.0\.0 .*DATA_DIR=\/var\/lib\/pillar\/data .*DEMO=none/)
  })
})
