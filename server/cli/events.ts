/** The commands `events list`, `events replay`, `events ping` and `events trigger`. */

import { EVENT_TYPES, SUBJECTS } from '../api/kind-table.ts'
import { eventAbout, sampleOf } from '../api/sample-event.ts'
import { ADDRESS_RULE, isAddress } from '../config/address.ts'
import { readConfig } from '../config/config.ts'
import { isKeyOf } from '../contract/parse.ts'
import { printable } from '../log/printable.ts'
import { DeliveryError } from '../outbox/deliver.ts'
import { deliverToWebhook } from '../outbox/webhook.ts'
import { ListedEvent } from '../routes/api/events.ts'
import { pageOf } from '../routes/listing.ts'
import { systemRandomness } from '../work/randomness.ts'
import { callApi, refusalOf } from './api.ts'
import { askInProduction, command, JSON_OPTION, wrongUsage, YES_OPTION } from './command.ts'
import { CommandFailure, EXIT } from './shell.ts'

import type { Config } from '../config/config.ts'
import type { DeliveryAnswer } from '../store/events.ts'
import type { Format, Shell } from './shell.ts'

/** Prints one page. For people, writes to stderr how to get the next page, or that the list is empty. */
export const list = command({
  text: "list the merchant's events and their deliveries, oldest first",
  options: { ...JSON_OPTION, cursor: { type: 'string', text: 'continue after the previous page' } },
  examples: [''],
  async run(shell, { json, cursor }) {
    const query = new URLSearchParams(cursor === undefined ? {} : { cursor })
    const { body, problem } = await callApi(shell, 'GET', `/api/events?${query.toString()}`)
    if (problem) {
      throw refusalOf(problem)
    }

    const { items, next_cursor } = pageOf(ListedEvent).parse(body)
    if (!json && items.length === 0) {
      return shell.inform('The list is empty.')
    }

    shell.show({ json }, body, () => items.map(lineOf).join('\n'))
    if (!json && next_cursor !== null) {
      shell.inform(`Next page: --cursor ${next_cursor}`)
    }
  },
})

function lineOf(event: ListedEvent): string {
  const { timestamp, type, data, delivery, failures, last_status, last_answer, next_try_at, id } = event
  const [subject = ''] = type.split('.')
  // An event of a newer version may have a subject that is unknown here.
  const names = isKeyOf(SUBJECTS)(subject) ? SUBJECTS[subject].identifiedBy : []
  const references = names.map((name) => data[name]).filter((value) => typeof value === 'string')
  const nextTry = next_try_at !== null && failures > 0 ? `next try ${next_try_at}` : null
  return [timestamp, type, ...references, delivery, last_status, last_answer, nextTry, id]
    .filter((field) => field !== null)
    .map(printable)
    .join('  ')
}

/** Marks the event as due. A running server with the same store delivers the event. */
export const replay = command({
  text: 'deliver an event again',
  takes: '<id>',
  options: JSON_OPTION,
  examples: ['evt_…'],
  async run(shell, options, id) {
    const { body, problem } = await callApi(shell, 'POST', `/api/events/${encodeURIComponent(id)}/replay`)
    if (problem) {
      throw refusalOf(problem)
    }

    const text = 'Queued. The server delivers the event within a second, or when it runs again.'
    shell.show(options, body, () => text)
  },
})

const SEND_OPTIONS = {
  ...JSON_OPTION,
  to: { type: 'string', text: 'the address; default: MERCHANT_WEBHOOK_URL' },
} as const

export const ping = command({
  text: 'ask whether a webhook accepts signed events',
  options: SEND_OPTIONS,
  examples: [''],
  run: (shell, options) =>
    send(shell, readWithWebhook(shell, options), eventAbout('ping', {}, shell.clock.now()), options),
})

export const trigger = command({
  text: 'send an event about an order, payout, charge or recipient that may not exist: a backend that does not look it up fulfils it',
  takes: '<type>',
  options: { ...SEND_OPTIONS, ...YES_OPTION },
  examples: ['checkout.paid --to http://127.0.0.1:3000/webhooks'],
  async run(shell, options, word) {
    const type = EVENT_TYPES.find((each) => each === word)
    if (!type) {
      throw wrongUsage(`The type must be one of ${EVENT_TYPES.join(', ')}.`)
    }

    const config = readWithWebhook(shell, options)
    await askInProduction(shell, `Sends ${type} to ${config.webhook.url}, signed,`, options, config)
    const data = sampleOf(type, `TRIGGERED-${systemRandomness.token().slice(-6)}`)
    await send(shell, config, eventAbout(type, data, shell.clock.now()), options)
  },
})

type WebhookConfig = Config & { webhook: NonNullable<Config['webhook']> }

/** @throws {CommandFailure} if neither `--to` nor MERCHANT_WEBHOOK_URL has an address. */
function readWithWebhook(shell: Shell, { to }: { to?: string | undefined }): WebhookConfig {
  if (to !== undefined && !isAddress(to)) {
    throw wrongUsage(`--to must be ${ADDRESS_RULE}.`)
  }

  const config = readConfig({ ...shell.env, ...(to !== undefined && { MERCHANT_WEBHOOK_URL: to }) })
  const { webhook } = config
  if (webhook) {
    return { ...config, webhook }
  }
  throw new CommandFailure(EXIT.config, 'Set MERCHANT_WEBHOOK_URL, or pass --to with the address.')
}

/** Sends a signed event, and shows whether it was accepted. */
async function send(shell: Shell, config: WebhookConfig, body: string, format: Format) {
  const { reason, ...answer } = await deliver(shell, config, body)
  const { accepted, status, text, id } = answer
  if (reason !== null) {
    shell.inform(reason)
  }

  const verdict = accepted ? `Accepted with HTTP ${status}.` : `Not accepted: ${status ?? 'no response'}.`
  const lines = [verdict, text === null ? [] : printable(text), `webhook-id: ${id}`].flat()
  shell.show(format, { ...answer, url: config.webhook.url }, () => lines.join('\n'))
  shell.exitCode = accepted ? EXIT.ok : EXIT.refused
}

/** `reason` says why the event was not accepted. */
type Attempt = DeliveryAnswer & { id: string; accepted: boolean; reason: string | null }

/** Sends a signed event once, as the server does. */
export async function deliver(shell: Shell, config: WebhookConfig, body: string): Promise<Attempt> {
  const { clock } = shell
  const id = `evt_triggered_${systemRandomness.token()}`
  const sink = deliverToWebhook({
    ...config.webhook,
    fetch: shell.fetchFor(config),
    clock,
    traceHeaders: () => ({}),
  })
  try {
    return { id, accepted: true, status: await sink({ id, body, trace_id: null }), text: null, reason: null }
  } catch (error) {
    if (!(error instanceof DeliveryError)) {
      throw error
    }
    return { id, accepted: false, ...error.answer, reason: error.message }
  }
}
