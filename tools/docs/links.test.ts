import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'

const tracked = (...patterns: string[]) =>
  execFileSync('git', ['ls-files', ...patterns], { encoding: 'utf8' })
    .trim()
    .split('\n')
    .filter(existsSync)

const headingsOf = (page: string) =>
  [...readFileSync(page, 'utf8').matchAll(/^#+ (.+)$/gm)].map(([, title]) => title ?? '')

/** The anchor that GitHub gives a heading. */
const anchorOf = (title: string) =>
  title
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-')

it('every link between the pages of documentation leads to a file and a heading that exist', () => {
  const dead = tracked('*.md').flatMap((page) =>
    [...readFileSync(page, 'utf8').matchAll(/\]\((?!\w+:)([^)#\s]*)(?:#([^)\s]+))?\)/g)].flatMap(
      ([link, path, anchor]) => {
        const target = path ? join(dirname(page), path) : page
        const leads = existsSync(target) && (!anchor || headingsOf(target).map(anchorOf).includes(anchor))
        return leads ? [] : [`${page}: ${link}`]
      },
    ),
  )
  expect(dead).toEqual([])
})

it('every section of docs/operations.md that a message or comment names exists', () => {
  const named = tracked('*.ts', '*.yaml', '*.sh', '*.env', ':!tools/docs').flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/docs\/operations\.md, ["“]?([A-Z][\w ]+)/g)].map(
      ([, title]) => title?.trim() ?? '',
    ),
  )
  expect(named.length).toBeGreaterThan(10)
  expect(named.filter((title) => !headingsOf('docs/operations.md').includes(title))).toEqual([])
})
