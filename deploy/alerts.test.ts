import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { parse } from 'yaml'

const FOLDER = 'deploy/observe'
const promtool = spawnSync('promtool', ['--version']).status === 0

it('every alert is tried with figures over time', () => {
  const { groups } = parse(readFileSync(`${FOLDER}/alerts.yaml`, 'utf8')) as {
    groups: { rules: { alert: string }[] }[]
  }
  const tried = readFileSync(`${FOLDER}/alerts.test.yaml`, 'utf8')
  for (const { alert } of groups.flatMap(({ rules }) => rules)) expect(tried).toContain(`alertname="${alert}"`)
})

it.skipIf(!promtool)('alerts fire when they must, and only then (skipped where promtool is not installed)', () => {
  const { stdout, stderr, status } = spawnSync('promtool', ['test', 'rules', 'alerts.test.yaml'], {
    cwd: FOLDER,
    encoding: 'utf8',
  })
  expect([status, `${stdout}${stderr}`]).toEqual([0, expect.stringContaining('SUCCESS')])
})
