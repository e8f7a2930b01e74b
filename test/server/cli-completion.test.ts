import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { onPath } from '../support/debian.ts'
import { createTerminal } from '../support/terminal.ts'

test('bash completes commands, their subcommands and their options', async () => {
  const { run, newPath } = createTerminal()
  const path = newPath('sh')
  writeFileSync(path, (await run('completion bash')).out)
  const complete = (...words: string[]) => {
    const all = ['gateway-checkout-server', ...words].map((word) => `'${word}'`).join(' ')
    const script = `. '${path}'; COMP_WORDS=(${all}); COMP_CWORD=${words.length}; _gateway_checkout_server; echo "\${COMPREPLY[*]}"`
    return execFileSync('bash', ['-c', script], { encoding: 'utf8' }).trim()
  }
  expect(complete('pa')).toBe('payouts')
  expect(complete('')).toContain('serve sandbox check')
  expect(complete('events', 't')).toBe('trigger')
  expect(complete('events', 'list', '--f')).toBe('--follow')
  expect(complete('payouts', 'send', 'wages.json', '--t')).toBe('--type')
  expect(complete('sandbox', '--ch')).toBe('--charges')
  expect(complete('payouts', 'send', '')).not.toContain('status')
})

test('the scripts for zsh and fish have every command, and those shells can read them', async () => {
  const { run, newPath } = createTerminal()
  for (const shell of ['zsh', 'fish']) {
    const { code, out } = await run(`completion ${shell}`)
    expect([code, out]).toEqual([0, expect.stringContaining('acknowledge')])
    const path = newPath(shell)
    writeFileSync(path, out)
    if (onPath(shell)) execFileSync(shell, ['-n', path])
  }
  expect((await run('completion fish')).out).toContain(
    "complete -c gateway-checkout-server -n '__fish_seen_subcommand_from events; and __fish_seen_subcommand_from list' -l follow",
  )
  expect(await run('completion csh')).toMatchObject({ code: 2, out: '' })
})

test('on a terminal, check colours its marks and failures are red, unless NO_COLOR is set', async () => {
  const { run } = createTerminal()
  const watched = { isWatched: true, isShown: true }
  expect((await run('check', watched)).out).toContain('\u001b[31m✗ environment:')
  expect((await run('payouts send /none.json', watched)).err).toContain(
    '\u001b[31m/none.json cannot be read.',
  )
  const env = { NO_COLOR: '1' }
  expect((await run('check', { ...watched, env })).out).not.toContain('\u001b')
  expect((await run('payouts send /none.json', { ...watched, env })).err).not.toContain('\u001b[31m')
})

test('airtime send completes national numbers by DEFAULT_COUNTRY', async () => {
  const { run, file, delivered } = createTerminal()
  const path = file('phone_number,amount\n0720000001,10\n+254 720 000 002,10\n256772000003,10\n', 'csv')
  expect(await run(['airtime', 'send', path])).toMatchObject({ code: 65, out: '' })
  const env = { DEFAULT_COUNTRY: 'KE' }
  expect((await run(['airtime', 'send', path], { env })).code).toBe(0)
  expect((await delivered()).toSorted()).toEqual(['254720000001', '254720000002', '256772000003'])
  const twice = file('phone_number,amount\n0720000001,10\n254720000001,10\n', 'csv')
  const refused = await run(['airtime', 'send', twice], { env })
  expect(refused).toMatchObject({ code: 65, err: expect.stringContaining('is the same as on line 2') })
})
