import { readAirtime } from '../../server/airtime/record.ts'
import { airtimeOf } from '../../server/airtime/view.ts'
import { readCharge } from '../../server/charges/record.ts'
import { chargeOf } from '../../server/charges/view.ts'
import { readCheckout } from '../../server/checkouts/record.ts'
import { viewOf } from '../../server/checkouts/view.ts'
import { compare, sum } from '../../server/contract/decimal.ts'
import { readPayout } from '../../server/payouts/record.ts'
import { payoutOf } from '../../server/payouts/view.ts'
import { withPersonal } from '../../server/privacy/personal.ts'
import { subjectOf } from './backend.ts'
import { findImbalances } from './books.ts'
import { sealer } from './freshness.ts'

import type { Transaction } from '../../server/store/transactions.ts'
import type { AcceptedEvent } from './backend.ts'
import type { Day } from './day.ts'

const AFTER_PAID = ['paid', 'succeeded', 'reversed', 'refunded', 'review', 'needs_attention']
const REPORTED_ONCE = ['paid', 'reversed', 'refunded', 'succeeded']
const SILENT = ['waiting', 'pending', 'sending']
const FAILED = [603, 701, 803, 820]
const SURFACED = ['needs_attention', 'jammed', 'review']

interface Item {
  name: string
  outcome: string
  settled: boolean
  status: number | null
  discrepancy?: string | null
}

export function createInvariants(day: Day) {
  const { gateway, story, backend, evidence } = day
  const before = new Map<string, string>()
  const sequences = new Map<string, number>()
  let lastSequence = 0
  let store = day.store
  /** Whether the store was restored, and has forgotten what happened since its backup. */
  let isRestored = false

  return { afterStep, halfAnHourLater, aDayLater }

  async function afterStep(): Promise<void> {
    if (store !== day.store) {
      forget()
    }

    const rows = await readRows()
    for (const row of rows) {
      const was = before.get(row.id)
      // An airtime outcome combines all recipients, and may change after some of them succeeded.
      const wasPaid = row.kind !== 'airtime' && (was === 'paid' || was === 'succeeded')
      if (wasPaid && !AFTER_PAID.includes(row.outcome)) {
        story.violation(`${row.reference} was ${was} and became ${row.outcome}.`)
      }

      before.set(row.id, row.outcome)
    }

    checkSessions(rows)
    for (const imbalance of findImbalances(gateway.world)) {
      story.violation(imbalance)
    }

    await checkOrder()
  }

  function forget(): void {
    store = day.store
    isRestored = true
    lastSequence = 0
    before.clear()
    sequences.clear()
  }

  function checkSessions(rows: readonly Transaction[]): void {
    const groups = new Map(rows.map((row) => [row.reference, row.group]))
    const live = new Map<string, string>()
    for (const [reference, session] of gateway.world.sessions) {
      const order = groups.get(reference)
      if (order === undefined && !isRestored) {
        story.violation(`${reference} is at the gateway and in no store.`)
      }
      if (order === undefined || (session.instruction.kind === 'charge' && reference.startsWith('C-'))) {
        continue
      }
      // Nobody pays on a page of which nobody has the address.
      const { isPrompt, isAnswered } = evidence.of(reference)
      const isUnseen = session.instruction.kind === 'charge' && !isPrompt && !isAnswered
      if (isUnseen || !gateway.isPayable(reference)) {
        continue
      }

      const other = live.get(order)
      if (other !== undefined) {
        story.violation(`Order ${order} has two live sessions: ${other} and ${reference}.`)
      }

      live.set(order, reference)
    }
  }

  async function checkOrder(): Promise<void> {
    for (const { id, sequence } of await store.listEvents(day.account, lastSequence, 1_000)) {
      sequences.set(id, sequence)
      lastSequence = sequence
    }

    const last = new Map<string, number>()
    const told = new Set<string>()
    for (const event of backend.accepted.values()) {
      const subject = subjectOf(event)
      const sequence = sequences.get(event.id)
      if (sequence === undefined && isRestored) {
        continue
      }
      if (sequence === undefined) {
        story.violation(`${event.type} of ${subject} was told and is not stored.`)
      } else if (sequence < (last.get(subject) ?? 0)) {
        story.violation(`${event.type} of ${subject} was told out of order.`)
      } else {
        last.set(subject, sequence)
      }

      const outcome = outcomeIn(event)
      const name = `${subject} ${outcome}`
      if (REPORTED_ONCE.includes(outcome) && told.has(name)) {
        story.violation(`${name} was told under two ids.`)
      }
      if (outcome === 'succeeded' && told.has(`${subject} failed`) && !event.type.startsWith('charge')) {
        story.violation(`${subject} succeeded after it had failed, and no person was asked.`)
      }

      told.add(name)
    }
  }

  async function halfAnHourLater(): Promise<void> {
    for (const row of await readRows()) {
      if (row.kind !== 'payout') {
        for (const { name, outcome, status } of itemsOf(row)) {
          if (
            outcome === 'sending' ||
            (row.kind === 'checkout' && status === null && outcome === 'waiting')
          ) {
            story.violation(`${name} is still ${outcome} half an hour after the gateway is back.`)
          }
        }
      }
    }
  }

  async function aDayLater(): Promise<void> {
    const rows = await readRows()
    const told = [...backend.accepted.values()]
    for (const row of rows) {
      for (const item of itemsOf(row)) {
        const own = told.filter((event) => subjectOf(event) === item.name)
        checkItem(item, own.map(outcomeIn))
        checkBooks(row, item)
      }
    }

    for (const event of await store.listEvents(day.account, 0, 1_000)) {
      if (event.finish !== 'delivered') {
        story.violation(`${event.type} (${event.id}) was never delivered.`)
      }
    }

    checkLedger(rows)
    for (const { merchant, ledger } of gateway.otherWorlds) {
      if (ledger.entries().length > merchant.accounts.length) {
        story.violation(`Money of ${merchant.name} has moved.`)
      }
    }
  }

  function checkItem({ name, outcome, settled, status, discrepancy }: Item, types: readonly string[]): void {
    if (!settled && !SURFACED.includes(outcome)) {
      story.violation(`${name} never settled: it is ${outcome}.`)
    }

    // Without a status, a prompt is under review because its response was lost.
    const isLost = outcome === 'review' && status === null
    const expected = outcome === 'jammed' || isLost ? 'needs_attention' : outcome
    // No event reports a checkout that the gateway never received.
    const isSilent = SILENT.includes(expected) || (expected === 'expired' && status === null)
    if (!isSilent && !types.includes(expected)) {
      story.violation(
        `${name} ended as ${outcome}, and the merchant was told ${types.join(', ') || 'nothing'}.`,
      )
    }
    if (
      outcome === 'paid' &&
      discrepancy === 'excess' &&
      !types.includes('overpaid') &&
      !name.startsWith('C-')
    ) {
      story.violation(`${name} was overpaid, and the merchant was not told.`)
    }
  }

  function checkBooks(row: Transaction, { name, status, outcome }: Item): void {
    const truth = statusAtGateway(row, name)
    const received = gateway.payload(row.reference)?.amount ?? '0'
    if (/unpaid|expired/.test(outcome) && Number(received) !== 0) {
      story.violation(`${name} ended as ${outcome}, and the gateway reports ${received}.`)
    }
    // An order with splits is given up whose answer was lost: nobody has the address of its page.
    const isUnseen = outcome === 'expired' && status === null && (truth === 803 || truth === 820)
    // A person resolves a discrepancy. Both statuses are `null` if the gateway does not know the transaction.
    if (truth === status || isUnseen || SURFACED.includes(outcome) || isRejected(row)) {
      return
    }

    story.violation(`${name} is ${status} (${outcome}) here and ${truth} at the gateway.`)
  }

  function statusAtGateway(row: Transaction, name: string): number | null {
    if (row.kind === 'payout') {
      return gateway.payoutStatus(row.reference)
    }
    if (row.kind !== 'airtime') {
      return gateway.payload(row.reference)?.status ?? null
    }
    return gateway.airtimeStatus(row.reference, name.split('/')[1] ?? '')
  }

  function checkLedger(rows: readonly Transaction[]): void {
    const entries = gateway.world.ledger.entries()
    for (const row of rows) {
      const own = entries.filter(({ reference }) => reference.split('/')[0] === row.reference)
      const reserved = own.filter(({ what }) => what.endsWith('reserved'))
      if (reserved.length > 1) {
        story.violation(`${row.reference} was reserved ${reserved.length} times.`)
      }
      if (row.kind !== 'payout') {
        continue
      }

      const payout = payoutOf(readPayout(row))
      const lines = own
        .flatMap((entry) => entry.lines)
        .filter(({ account }) => /^(operators|banks)\//.test(account))
      const delivered = sum(lines.map(({ amount }) => amount))
      const isExpected = compare(delivered, payout.outcome === 'succeeded' ? payout.amount : '0') === 0
      if (!isExpected && !SURFACED.includes(payout.outcome) && !isRejected(row)) {
        story.violation(`${row.reference} ${payout.outcome}, and the ledger has ${delivered}.`)
      }
    }
  }

  // All callbacks may be lost that show that the gateway has what it rejected. What has failed there is no
  // contradiction.
  function isRejected({ reference }: Transaction): boolean {
    const statuses = [...evidence.of(reference).reported].map((status) => Number.parseInt(status))
    return gateway.rejected.has(reference) && statuses.every((status) => FAILED.includes(status))
  }

  async function readRows(): Promise<Transaction[]> {
    const whole = withPersonal(store, sealer)
    const rows = await Promise.all(day.inserted.map((id) => whole.find(id)))
    return rows.filter((row) => row !== null)
  }

  function itemsOf(row: Transaction): Item[] {
    switch (row.kind) {
      case 'checkout':
        return [{ name: row.reference, ...viewOf(readCheckout(row), day.timeline.now()) }]
      case 'charge':
        return [{ name: row.reference, ...chargeOf(readCharge(row)) }]
      case 'payout': {
        const payout = payoutOf(readPayout(row))
        return [{ name: row.reference, ...payout, status: payout.payment_status }]
      }
      case 'airtime':
        return airtimeOf([readAirtime(row)]).recipients.map((recipient) => ({
          ...recipient,
          name: `${row.reference}/${recipient.phone_number}`,
          status: recipient.service_status,
        }))
    }
  }
}

function outcomeIn({ type }: AcceptedEvent): string {
  return type.split('.')[1]?.replace('paid_late', 'paid') ?? ''
}
