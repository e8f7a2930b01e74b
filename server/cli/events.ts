/** The commands `events list`, `events replay`, `events ping` and `events trigger`. */

import type { Command } from 'commander'
import type { EventType, SENT_BY_HAND } from '../api/events.ts'
import type { Config } from '../config/config.ts'
import type { ApiClient } from './api.ts'
import type { ConfirmOptions, ResultOptions } from './command.ts'
import type { DeliveryAnswer } from '../store/store.ts'
import type { Shell } from './shell.ts'
import { Argument } from 'commander'
import { EVENT_TYPES } from '../api/events.ts'
import { isSubject, splitType, SUBJECTS } from '../api/kinds.ts'
import { readConfig } from '../config/config.ts'
import { CHECKOUT_STATUS } from '../contract/status.ts'
import { DeliveryError } from '../outbox/backend-answer.ts'
import { deliverToWebhook } from '../outbox/webhook.ts'
import { printable } from '../log/printable.ts'
import { systemRandomness } from '../work/randomness.ts'
import { ListedEvent } from '../routes/api/events.ts'
import { pageOf } from '../routes/listing.ts'
import { exampleOf } from '../routes/openapi.ts'
import { refusalOf, withApi } from './api.ts'
import { addQuery, addYes, confirmInProduction, showResult } from './command.ts'
import { CommandFailure, EXIT } from './exit-code.ts'

/** The pause between two looks for new events, in milliseconds. */
const FOLLOW_PAUSE_MS = 1_000
/** The number of earlier events that `--follow` shows first. */
const EARLIER = 10

interface ListOptions extends ResultOptions {
  cursor?: string
  follow?: boolean
}

interface SendOptions extends ResultOptions {
  to?: string
}

export function addEvents(program: Command, shell: Shell): void {
  const events = program.command('events').description("list, replay and try the merchant's events")
  addQuery(events, 'list', 'list events, oldest first', 'events list --follow')
    .option('--cursor <cursor>', 'continue after the previous page')
    .option('--follow', 'show events and their deliveries as they happen, until Ctrl-C')
    .action((options: ListOptions) => (options.follow ? follow(shell, options) : list(shell, options)))
  addQuery(events, 'replay', 'deliver an event again', 'events replay evt_…')
    .argument('<id>', 'the event id')
    .action((id: string, options: ResultOptions) => replay(shell, id, options))
  addTo(addQuery(events, 'ping', 'ask whether a webhook accepts signed events', 'events ping')).action(
    (options: SendOptions) => ping(shell, options),
  )
  const trigger = addQuery(
    events,
    'trigger',
    'send an event about an order, payout, charge or recipient that may not exist: a backend that does not look it up fulfils it',
    'events trigger checkout.paid --to http://127.0.0.1:3000/webhooks',
  )
  addTo(addYes(trigger))
    .addArgument(new Argument('<type>', 'the type of the event').choices(EVENT_TYPES))
    .action((type: EventType, options: SendOptions & ConfirmOptions) => triggerEvent(shell, type, options))
}

/** Prints one page. Writes to stderr how to get the next page, or that the list is empty. */
async function list(shell: Shell, options: ListOptions): Promise<void> {
  const { body, page } = await withApi(shell, (request) => readPage(request, options.cursor))
  const { items, next_cursor } = page
  if (!options.json && items.length === 0) return shell.inform('The list is empty.')
  showResult(shell, options, body, () => items.map(lineOf).join('\n'))
  if (!options.json && next_cursor !== null) shell.inform(`Next page: --cursor ${next_cursor}`)
}

/** @throws {CommandFailure} if the server refuses the request, such as one with an invalid cursor. */
async function readPage(request: ApiClient, cursor: string | undefined) {
  const query = new URLSearchParams(cursor === undefined ? {} : { cursor })
  const { body, problem } = await request('GET', `/api/events?${query.toString()}`)
  if (problem) throw refusalOf(problem)
  return { body, page: pageOf(ListedEvent).parse(body) }
}

/** Marks the event as due. A running server with the same store delivers the event. */
async function replay(shell: Shell, id: string, options: ResultOptions): Promise<void> {
  const path = `/api/events/${encodeURIComponent(id)}/replay`
  const { body, problem } = await withApi(shell, (request) => request('POST', path))
  if (problem) throw refusalOf(problem)
  const text = 'Queued. The server delivers the event within a second, or when it runs again.'
  showResult(shell, options, body, () => text)
}

/** Prints an event when it appears, and again when a delivery has changed it. */
async function follow(shell: Shell, { json, cursor }: ListOptions): Promise<void> {
  const stop = shell.stopSignal('SIGINT', 'SIGTERM')
  await withApi(shell, async (request) => {
    const shown = new Map<string, string>()
    let from = cursor
    let isFirst = true
    while (!stop.aborted) {
      const page = await lastPages(request, from)
      from = page.cursor
      const changed = page.events.filter((event) => {
        const state = `${event.delivery} ${event.failures} ${event.next_try_at}`
        const isNew = shown.get(event.id) !== state
        shown.set(event.id, state)
        return isNew
      })
      for (const event of isFirst ? changed.slice(-EARLIER) : changed)
        shell.print(json ? JSON.stringify(event) : lineOf(event))
      isFirst = false
      await shell.clock.sleep(FOLLOW_PAUSE_MS, stop).catch(() => {})
    }
  })
}

/** Resolves with the events of the last page, and of those before it since `cursor`, and with the last page's cursor. */
async function lastPages(request: ApiClient, cursor: string | undefined) {
  const events: ListedEvent[] = []
  for (let from = cursor; ;) {
    const { page } = await readPage(request, from)
    events.push(...page.items)
    if (page.next_cursor === null) return { events, cursor: from }
    from = page.next_cursor
  }
}

function lineOf(event: ListedEvent): string {
  const { timestamp, type, data, delivery, last_status, last_answer, next_try_at, id } = event
  const [subject = ''] = type.split('.')
  const names = isSubject(subject) ? SUBJECTS[subject].names : []
  const references = names.map((name) => data[name]).filter((value) => typeof value === 'string')
  const reference = references.join(' ') || null
  const next = next_try_at !== null && event.failures > 0 ? `next try ${next_try_at}` : null
  return [timestamp, type, reference, delivery, last_status, last_answer, next, id]
    .filter((part) => part !== null)
    .map(printable)
    .join('  ')
}

function addTo(command: Command): Command {
  return command.option('--to <url>', 'the address; default: MERCHANT_WEBHOOK_URL')
}

/** A configuration with a webhook. */
type Notifying = Config & { webhook: NonNullable<Config['webhook']> }

/** @throws {CommandFailure} if no address is given. */
function readNotifying(shell: Shell, { to }: SendOptions): Notifying {
  const config = readConfig({ ...shell.env, ...(to !== undefined && { MERCHANT_WEBHOOK_URL: to }) })
  const { webhook } = config
  if (webhook) return { ...config, webhook }
  throw new CommandFailure(EXIT.usage, 'Pass --to with the address, or set MERCHANT_WEBHOOK_URL.')
}

async function ping(shell: Shell, options: SendOptions): Promise<void> {
  const config = readNotifying(shell, options)
  const sending = send(shell, config, pingEvent(shell))
  showSent(shell, options, config, await shell.waitFor('Sending ping', sending))
}

/** The body of an event that is about nothing, and therefore fulfilled by no backend. */
export function pingEvent({ clock }: Shell): string {
  const type: keyof typeof SENT_BY_HAND = 'ping'
  return JSON.stringify({ type, timestamp: new Date(clock.now()).toISOString(), data: {} })
}

async function triggerEvent(shell: Shell, type: EventType, options: SendOptions & ConfirmOptions) {
  const config = readNotifying(shell, options)
  await confirmInProduction(shell, `Sends ${type} to ${config.webhook.url}, signed,`, options, config)
  const reference = `TRIGGERED-${systemRandomness.token().slice(-6)}`
  const body = sampleEvent(type, reference, new Date(shell.clock.now()).toISOString())
  showSent(shell, options, config, await shell.waitFor(`Sending ${type}`, send(shell, config, body)))
}

type Sent = DeliveryAnswer & { id: string } & ({ accepted: true } | { accepted: false; reason: string })

/** Sends a signed event once, as the server does. */
export async function send(shell: Shell, config: Notifying, body: string): Promise<Sent> {
  const { clock } = shell
  const id = `evt_triggered_${systemRandomness.token()}`
  const deliver = deliverToWebhook({
    ...config.webhook,
    fetch: shell.fetchFor(config),
    clock,
    log: { warn: (_, message) => shell.inform(message) },
    traceHeaders: () => ({}),
  })
  try {
    return { id, accepted: true, status: await deliver({ id, body, trace_id: null }), text: null }
  } catch (error) {
    if (!(error instanceof DeliveryError)) throw error
    return { id, accepted: false, ...error.answer, reason: error.message }
  }
}

function showSent(shell: Shell, options: ResultOptions, { webhook }: Notifying, sent: Sent): void {
  const { id, accepted, status, text } = sent
  if (!accepted) shell.inform(sent.reason)
  showResult(shell, options, { id, url: webhook.url, accepted, status, text }, () =>
    [
      accepted ? `Accepted with HTTP ${status}.` : `Not accepted: ${status ?? 'no response'}.`,
      ...(text === null ? [] : [printable(text)]),
      `webhook-id: ${id}`,
    ].join('\n'),
  )
  shell.exitCode = accepted ? EXIT.ok : EXIT.refused
}

/** The fields that identify what an event is about. Their values can belong to nothing that exists. */
const REFERENCES = /^(order|checkout_id|merchant_transaction_id|(payout_|external_)?reference)$/

/** The end of an event type where the outcome has another name. */
const OUTCOMES: Readonly<Record<string, string>> = {
  paid_late: 'paid',
  overpaid: 'paid',
  needs_attention: 'jammed',
}
const STATUSES: Readonly<Record<string, number>> = { ...CHECKOUT_STATUS, review: CHECKOUT_STATUS.paid }

/** Makes up the body of an event, with which a merchant tries a webhook. Returns it as JSON text. */
function sampleEvent(type: EventType, reference: string, timestamp: string): string {
  const [subject, end] = splitType(type)
  const outcome = subject === 'checkout' ? (OUTCOMES[end] ?? end) : end
  const given: Readonly<Record<string, unknown>> = {
    outcome,
    settled: end !== 'needs_attention',
    environment: 'sandbox',
    ...(subject === 'checkout' && { status: STATUSES[outcome] ?? null }),
  }
  const data = Object.entries(Object(exampleOf(SUBJECTS[subject].data))).map(([name, value]) => [
    name,
    REFERENCES.test(name) ? reference : name in given ? given[name] : value,
  ])
  return JSON.stringify({ type, timestamp, data: Object.fromEntries(data) })
}
