/** The command `prove`, which sends sequences of events to the merchant's webhook, and reports what it does wrong. */

import { ADDRESS_RULE, isAddress } from '../config/address.ts'
import { readConfig } from '../config/config.ts'
import { isDecimal } from '../contract/decimal.ts'
import { systemRandomness } from '../work/randomness.ts'
import { command, confirm, JSON_OPTION, wrongUsage, YES_OPTION } from './command.ts'
import { CommandFailure, EXIT } from './shell.ts'
import { countVerdicts, JUNIT_OPTION, printVerdict, writeJunit } from './verdicts.ts'

/** Variables that are required and that this command does not use: a backend is tested before there is a gateway. */
const UNUSED_VARIABLES = {
  GATEWAY_ENVIRONMENT: 'sandbox',
  GATEWAY_BASE_URL: 'http://127.0.0.1:4010',
  GATEWAY_CONSUMER_KEY: 'sandbox-key',
  GATEWAY_CONSUMER_SECRET: 'sandbox-secret',
  GATEWAY_SERVICE_CODE: 'CHECKOUT-KES',
  GATEWAY_ACCOUNT_NUMBER: 'ACC-001',
  PUBLIC_URL: 'http://127.0.0.1:8080',
}

export const prove = command({
  text: 'test your webhook with good, forged, repeated and late events, signed with MERCHANT_WEBHOOK_SECRET: marks orders as paid, so not for a live shop',
  takes: '<url>',
  options: {
    create: {
      type: 'string',
      text: 'makes an order: a URL to POST to, or a command. It answers a new reference each time: A-1, {"order": "A-1"}, or location: /order/A-1',
    },
    cancel: {
      type: 'string',
      text: 'cancels an order, if your shop does that: a URL with {order} to POST to, or a command with $ORDER',
    },
    state: {
      type: 'string',
      text: 'tells the state of an order: a URL with {order}, or a command with $ORDER. It answers any JSON or text: whether it is paid, how often it was fulfilled, as a number, and what a person has to look at',
    },
    amount: {
      type: 'string',
      default: '1500',
      text: 'what each of these orders costs (default: 1500), as in the event {"type": "checkout.paid", "timestamp": …, "data": {"order": "A-1", "amount": "1500", "currency": "KES", "merchant_transaction_id": …, …}}',
    },
    currency: { type: 'string', default: 'KES', text: 'in which currency (default: KES)' },
    ...JUNIT_OPTION,
    ...JSON_OPTION,
    ...YES_OPTION,
  },
  examples: [
    'http://127.0.0.1:3000/events',
    "http://127.0.0.1:3000/events --create http://127.0.0.1:3000/order --state 'cat orders/$ORDER.*'",
  ],
  async run(shell, { amount, currency, create, cancel, state, junit, json, yes }, url) {
    if (!isDecimal(amount)) {
      throw wrongUsage('--amount must be an amount such as 1500 or 12.50.')
    }
    for (const [option, source] of Object.entries({ '--cancel': cancel, '--state': state })) {
      if (source && /^https?:/.test(source) && !source.includes('{order}')) {
        throw wrongUsage(`${option} must contain {order}.`)
      }
    }

    if (!isAddress(url)) {
      throw wrongUsage(`<url> must be ${ADDRESS_RULE}.`)
    }

    const config = readConfig({ ...UNUSED_VARIABLES, ...shell.env, MERCHANT_WEBHOOK_URL: url })
    const { webhook } = config
    if (!webhook) {
      throw new CommandFailure(EXIT.config, 'Set MERCHANT_WEBHOOK_SECRET, which your webhook verifies with.')
    }

    const action = `Sends signed events, also of paid orders, to ${url}`
    // Where only the secret of the webhook is set, nothing says whether the shop is live.
    const isSandbox = shell.env['GATEWAY_ENVIRONMENT'] === 'sandbox'
    if (!isSandbox) {
      await confirm(shell, action, { yes })
    }

    const { prove } = await import('../prove/prove.ts')
    const { cancelOrder, createOrders, readState } = await import('../prove/shop.ts')
    const access = { fetch: shell.fetchFor(config), clock: shell.clock, env: shell.env }
    const verdicts = await prove(
      {
        ...access,
        ...webhook,
        randomness: systemRandomness,
        terms: { amount, currency },
        create: create === undefined ? null : createOrders(create, access),
        cancel: cancel === undefined ? null : (order) => cancelOrder(cancel, order, access),
        read: state === undefined ? null : (order) => readState(state, order, access),
      },
      (verdict) => json || printVerdict(shell, verdict),
    )
    const counts = countVerdicts(verdicts, ['passed', 'failed', 'not proven'])
    shell.show({ json }, { url, verdicts }, () => `\n${counts}.`)
    // The exit code if the file of verdicts cannot be written.
    shell.exitCode = EXIT.cannotWrite
    try {
      await writeJunit(junit, 'prove', verdicts)
      shell.exitCode = verdicts.every(({ verdict }) => verdict === 'passed') ? EXIT.ok : EXIT.refused
    } finally {
      // A sequence that is not over would go on, and send more events. The process ends when all is printed.
      shell.runtime.stdout.write('', () => shell.runtime.exit(shell.exitCode))
    }
  },
})
