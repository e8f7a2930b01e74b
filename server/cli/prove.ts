/** The command `prove`, which sends sequences of events to the merchant's webhook and says what it does wrong. */

import type { Verdict } from '../prove/prove.ts'
import type { Colour } from '../log/colours.ts'
import { writeFile } from 'node:fs/promises'
import { readConfig } from '../config/config.ts'
import { isDecimal } from '../contract/decimal.ts'
import { printable } from '../log/printable.ts'
import { systemRandomness } from '../work/randomness.ts'
import { askInProduction, command, JSON_OPTION, wrongUsage, YES_OPTION } from './command.ts'
import { CommandFailure, EXIT } from './shell.ts'

const MARKS: Readonly<Record<Verdict['verdict'], [mark: string, colour: Colour]>> = {
  passed: ['✓', 'green'],
  failed: ['✗', 'red'],
  'not proven': ['?', 'yellow'],
}

/** What the configuration requires and this command does not use: a backend is proven before there is a gateway. */
const UNUSED = {
  GATEWAY_ENVIRONMENT: 'sandbox',
  GATEWAY_BASE_URL: 'http://127.0.0.1:4010',
  GATEWAY_CONSUMER_KEY: 'sandbox-key',
  GATEWAY_CONSUMER_SECRET: 'sandbox-secret',
  GATEWAY_SERVICE_CODE: 'CHECKOUT-KES',
  GATEWAY_ACCOUNT_NUMBER: 'ACC-001',
  PUBLIC_URL: 'http://127.0.0.1:8080',
}

export const prove = command({
  text: "send a webhook what happens to events, and say what it does wrong: pays the shop's orders without money",
  takes: '<url>',
  options: {
    create: {
      type: 'string',
      text: 'makes an order: a URL to POST to, or a command, that answers the reference',
    },
    state: { type: 'string', text: "tells an order's state: a URL with {order}, or a command with $ORDER" },
    amount: { type: 'string', default: '1500', text: 'what each of these orders costs (default: 1500)' },
    currency: { type: 'string', default: 'KES', text: 'in which currency (default: KES)' },
    junit: { type: 'string', text: 'a file for the verdicts, as JUnit XML' },
    ...JSON_OPTION,
    ...YES_OPTION,
  },
  examples: [
    'http://127.0.0.1:3000/events',
    "http://127.0.0.1:3000/events --create http://127.0.0.1:3000/order --state 'cat orders/$ORDER.*'",
  ],
  async run(shell, { amount, currency, create, state, junit, json, yes }, url) {
    if (!isDecimal(amount)) throw wrongUsage('--amount must be an amount such as 1500 or 12.50.')
    const config = readConfig({ ...UNUSED, ...shell.env, MERCHANT_WEBHOOK_URL: url })
    const { webhook } = config
    if (!webhook)
      throw new CommandFailure(EXIT.usage, 'Set MERCHANT_WEBHOOK_SECRET, which your webhook verifies with.')
    await askInProduction(shell, `Sends signed events, also of paid orders, to ${url}`, { yes }, config)
    const { prove } = await import('../prove/prove.ts')
    const { createOrder, readState } = await import('../prove/shop.ts')
    const means = { fetch: shell.fetchFor(config), clock: shell.clock, env: shell.env }
    const verdicts = await prove(
      {
        ...means,
        ...webhook,
        randomness: systemRandomness,
        terms: { amount, currency },
        create: create === undefined ? null : (proposed) => createOrder(create, proposed, means),
        read: state === undefined ? null : (order) => readState(state, order, means),
      },
      (verdict) => json || shell.print(lineOf(verdict), MARKS[verdict.verdict][1]),
    )
    const counts = Object.keys(MARKS).map((verdict) => `${countOf(verdicts, verdict)} ${verdict}`)
    shell.show({ json }, { url, verdicts }, () => `\n${counts.join(', ')}.`)
    if (junit !== undefined)
      await writeFile(junit, junitOf(verdicts)).catch((cause: unknown) => {
        throw new CommandFailure(EXIT.unavailable, `${junit} cannot be written.`, { cause })
      })
    shell.exitCode = countOf(verdicts, 'passed') === verdicts.length ? EXIT.ok : EXIT.refused
  },
})

function lineOf({ name, verdict, reason, advice }: Verdict): string {
  return `${MARKS[verdict][0]} ${name}: ${printable(reason)}${advice === null ? '' : `\n    ${advice}`}`
}

function junitOf(verdicts: readonly Verdict[]): string {
  const cases = verdicts.map(({ name, verdict, reason, advice, ms }) => {
    const tag = { passed: null, failed: 'failure', 'not proven': 'skipped' }[verdict]
    const inside = tag === null ? '' : `<${tag} message="${xml([reason, advice ?? ''].join(' ').trim())}"/>`
    return `  <testcase classname="prove" name="${xml(name)}" time="${ms / 1000}">${inside}</testcase>\n`
  })
  const [failures, skipped] = ['failed', 'not proven'].map((wanted) => countOf(verdicts, wanted))
  const counts = `tests="${verdicts.length}" failures="${failures}" skipped="${skipped}"`
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuite name="prove" ${counts}>\n${cases.join('')}</testsuite>\n`
}

function countOf(verdicts: readonly Verdict[], wanted: string): number {
  return verdicts.filter(({ verdict }) => verdict === wanted).length
}

function xml(text: string): string {
  return printable(text).replaceAll(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`)
}
