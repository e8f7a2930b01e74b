import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { beforeAll, expect, test, vi } from 'vitest'

import { EXIT } from '../../server/cli/shell.ts'
import { installWithApt, onPath } from '../support/debian.ts'

const UNIT = 'server/deployment/gateway-checkout.service'
/** From 0 (the service may do nothing) to 10 (the service may do everything), times 10. systemd calls up to 2.0 OK. */
const MAX_EXPOSURE = 20
/** Seconds in which the server ends after SIGTERM. */
const STOP_S = 8
const isFull = Boolean(process.env.FULL)
vi.setConfig({ hookTimeout: 600_000 })

const lines = readFileSync(UNIT, 'utf8').split('\n')
const valueOf = (name: string) => lines.find((line) => line.startsWith(`${name}=`))?.slice(name.length + 1)

test('the unit starts the program of the package, and ends it as the server needs', () => {
  const { bin } = JSON.parse(readFileSync('server/package.json', 'utf8'))
  const program = bin['gateway-checkout-server'].replace('./', '')
  const modules = '/opt/gateway-checkout/node_modules'
  expect(valueOf('ExecStart')).toBe(`/usr/bin/node ${modules}/gateway-checkout-server/${program} serve`)
  expect(Number(valueOf('TimeoutStopSec'))).toBeGreaterThan(STOP_S)
  expect(valueOf('RestartPreventExitStatus')).toBe(String(EXIT.config))
  // Without an end, also while the database is away for hours.
  expect([valueOf('Restart'), valueOf('StartLimitIntervalSec')]).toEqual(['always', '0'])
})

test('the command in the comment of the unit is whole: its program, its variables and its store', () => {
  const from = lines.findIndex((line) => line.startsWith('#   systemd-run'))
  const to = lines.findIndex((line, index) => index >= from && !line.endsWith('\\'))
  const command = lines
    .slice(from, to + 1)
    .map((line) => line.slice(1).replace(/\\$/, '').trim())
    .join(' ')
  const [start = ''] = String(valueOf('ExecStart')).split(' serve')
  expect(command.endsWith(`${start} events list`)).toBe(true)
  expect(command).toContain(`EnvironmentFile=${valueOf('EnvironmentFile')}`)
  expect(command).toContain('STORE_URL=sqlite:/var/lib/gateway-checkout/')
  expect(lines.join('\n')).not.toContain('…')
})

test('the unit passes the secret of the gateway as a file', () => {
  const [name = '', path] = String(valueOf('LoadCredential')).split(':')
  expect(path).toMatch(/^\/etc\/gateway-checkout\//)
  expect(valueOf('Environment')).toContain(`GATEWAY_CONSUMER_SECRET_FILE=%d/${name}`)
})

test('every line of the unit is a section, a comment or a setting, and no setting is given twice but the filter', () => {
  const settings = lines.filter((line) => line !== '' && !/^(#|\[(Unit|Service|Install)\]$)/.test(line))
  expect(settings.filter((line) => !/^[A-Z]\w+=/.test(line))).toEqual([])
  const names = settings.map((line) => line.slice(0, line.indexOf('=')))
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual(['SystemCallFilter'])
})

beforeAll(() => {
  if (isFull && !onPath('systemd-analyze')) {
    installWithApt(['systemd'])
  }
})

test.runIf(isFull)('systemd accepts the unit, and finds the service hardly exposed', () => {
  const analyze = (...words: string[]) => {
    const { status, stdout, stderr } = spawnSync('systemd-analyze', words, { encoding: 'utf8' })
    return { status, said: stdout + stderr }
  }

  // The program is not installed on the machine of the test.
  const { said } = analyze('verify', UNIT)
  expect(said.split('\n').filter((line) => line !== '' && !line.includes('/usr/bin/node'))).toEqual([])
  expect(analyze('security', '--offline=true', `--threshold=${MAX_EXPOSURE}`, UNIT)).toMatchObject({
    status: 0,
  })
})
