import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { en } from '../../widget/locales/en.ts'
import { blocksOf } from './follow.ts'

const GUIDES = readdirSync('server/guides').map((name) => `server/guides/${name}`)
const TEMPLATES = ['node', 'express', 'next', 'php', 'python']
const TOLD = [
  ...TEMPLATES.map((name) => `demo/create/templates/${name}/README.md`),
  'README.md',
  'server/llms.txt',
]

test.each([...GUIDES, ...TOLD])('%s names each button that the shopper presses', (path) => {
  const texts = readFileSync(path, 'utf8').split(/\n\n/)
  for (const text of texts.filter((each) => each.includes('"Pay KES 1,500"')))
    expect(text.slice(0, text.indexOf('"Pay KES'))).toContain(`"${en.next}"`)
})

test.each(['node', 'php', 'python'])(
  'the guide %s keeps secrets, packages and the store out of git',
  (name) => {
    const folder = mkdtempSync(join(tmpdir(), 'gitignore-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    execFileSync('git', ['init', '--quiet'], { cwd: folder })
    const lines = blocksOf(`server/guides/${name}.md`)
      .flatMap(({ text }) => text.split('\n'))
      .filter((line) => line.endsWith('.gitignore'))
    execFileSync('sh', ['-c', lines.join('\n')], { cwd: folder })
    for (const path of ['.env', 'node_modules/x', 'gateway-checkout.sqlite-wal', 'A-1042-x7Kp.paid'])
      expect([path, spawnSync('git', ['check-ignore', path], { cwd: folder }).status]).toEqual([path, 0])
  },
)
