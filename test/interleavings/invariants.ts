/** What has to hold after every run, in whatever order its tasks went on. */

import { FOR_A_PERSON } from '../../server/store/transactions.ts'
import { airtime } from '../support/spec/airtime.ts'

import type { World } from './world.ts'

/** The outcomes that the merchant sees while the gateway reports a status. */
const PAY_IN: Record<number, readonly string[]> = {
  801: ['paid', 'succeeded'],
  802: ['partial', 'pending'],
  803: ['waiting', 'unpaid', 'pending', 'failed'],
  840: ['reversed'],
  841: ['refunded'],
  851: ['pending'],
}
const OUTCOMES: Record<string, Record<number, readonly string[]>> = {
  checkout: PAY_IN,
  charge: PAY_IN,
  payout: { 700: ['succeeded'], 701: ['failed'], 702: ['reversed'], 703: ['pending'] },
  airtime: { 601: ['pending'], 602: ['succeeded'], 603: ['failed'] },
}

/** The outcomes of which the merchant is told in any case: money came, or went back. */
const WITH_MONEY: readonly string[] = ['paid', 'succeeded', 'partial', 'reversed', 'refunded', 'jammed']

/** What a scenario expects besides what always holds. */
export interface Expected {
  /** Whether the state at the gateway has to be stored: then it is not enough that a person is told. */
  isPersonEnough: boolean
  /** The time within which the stored state is that of the gateway, in milliseconds. */
  withinMs: number
  /** Whether the gateway's truth does not change while the tasks run. */
  isSettled: boolean
  /** Whether the merchant has to accept an event about the payment, which confirms the service. */
  confirms: boolean
  /** Whether the seller has to be told of a payment. */
  tells: boolean
}

/** The time within which a query follows a callback, in milliseconds. */
const CALLBACK_MS = 5_000

/** Ends a run: the workers of all replicas run, and time passes. Returns what is wrong. */
export async function checkWorld(world: World, expected: Expected): Promise<string[]> {
  const { scheduler } = world
  const problems = [...sendProblems(world, expected), ...answerProblems(world)]
  if (scheduler.isUnfinished) {
    problems.push(`${scheduler.unfinished.join(' and ')} never ended.`)
  }

  await scheduler.finish()
  for (const replica of world.replicas) {
    void world.work(replica)
  }

  await world.later(CALLBACK_MS)
  problems.push(...callbackProblems(world))
  await world.later(expected.withinMs - CALLBACK_MS)
  problems.push(
    ...sendProblems(world, expected),
    ...orderProblems(world),
    ...(await paymentProblems(world)),
    ...(await stateProblems(world, expected)),
    ...(await eventProblems(world)),
    ...confirmationProblems(world, expected),
    ...noticeProblems(world, expected),
  )
  return [...new Set(problems)]
}

/** What is sent once is sent once; what may be sent again is sent again with the same bytes. */
function sendProblems({ gateway: { sends } }: World, { isSettled }: Expected): string[] {
  const problems: string[] = []
  for (const [index, send] of sends.entries()) {
    const { name, reference, isIdempotent, body, statusBefore } = send
    const earlier = sends.slice(0, index).find((each) => each.name === name && each.reference === reference)
    if (isSettled && statusBefore !== null && statusBefore !== 803) {
      problems.push(`A ${name} was sent again while the gateway had it as ${statusBefore}.`)
    }
    if (!earlier) {
      continue
    }
    if (!isIdempotent) {
      problems.push(`A ${name} was sent twice.`)
    } else if (earlier.body !== body) {
      problems.push(`A ${name} was sent again with other bytes.`)
    }
  }

  return problems
}

/** An order has at most one checkout or charge that can be paid or holds money. */
function orderProblems({ gateway }: World): string[] {
  const payable = gateway.payable()
  const isOfTwoOrders = gateway.payment !== null
  if (payable.length <= 1 || isOfTwoOrders) {
    return []
  }

  return [
    `The order can be paid, or is paid, in ${payable.length} ways: ${payable.map(({ name, status }) => `${name} ${status}`).join(', ')}.`,
  ]
}

/** A payment that is reported for several orders pays one of them. */
async function paymentProblems(world: World): Promise<string[]> {
  const { gateway } = world
  if (gateway.payment === null) {
    return []
  }

  const paid = (await world.rows()).filter(({ outcome }) => outcome === 'paid')
  const told = world.delivered.filter(({ type }) => type === 'checkout.paid')
  const isOne = paid.length === 1 && new Set(told.map(({ id }) => id)).size === 1
  return isOne ? [] : [`One payment paid ${paid.length} orders, and ${told.length} events said so.`]
}

/** No request fails by a fault of the server, and no start gets a checkout that another start has given up. */
function answerProblems({ answers }: World): string[] {
  return answers.flatMap(({ task, status, body }) => {
    const isDead = status === 201 && JSON.parse(body).outcome === 'expired'
    const words = isDead ? 'a checkout that was given up' : String(status)
    return status === 500 || isDead ? [`${task} was answered with ${words}: ${body.slice(0, 200)}`] : []
  })
}

/** Returns the numbers of the callbacks after which no query has begun. */
export function unansweredCallbacks({ gateway: { sights } }: World): number[] {
  const callbacks = sights.filter((sight) => sight.kind === 'callback' && sight.isAccepted)
  return callbacks.flatMap((callback, number) => {
    const later = sights.slice(sights.indexOf(callback))
    const isAnswered = later.some(
      ({ kind, reference }) => kind === 'query' && reference === callback.reference,
    )
    return isAnswered ? [] : [number]
  })
}

/** A query that began after a callback follows the callback. */
function callbackProblems(world: World): string[] {
  return unansweredCallbacks(world).length > 0
    ? [`No query followed a callback within ${CALLBACK_MS / 1_000} s.`]
    : []
}

/** The stored state is that of the gateway, and never went back to an earlier one. */
async function stateProblems(world: World, { isPersonEnough, withinMs }: Expected): Promise<string[]> {
  const problems: string[] = []
  for (const row of await world.rows()) {
    const { kind, reference } = row
    const entry = world.gateway.entries.get(reference)
    const isForPerson = FOR_A_PERSON.some((each) => each === row.outcome)
    if (entry && !OUTCOMES[kind]?.[entry.status]?.includes(row.outcome) && !(isForPerson && isPersonEnough)) {
      problems.push(
        `The ${kind} is ${row.outcome} ${withinMs / 1_000} s later, and ${entry.status} at the gateway.`,
      )
    }

    problems.push(...backwardProblems(world, row.id, kind, reference))
  }

  return problems
}

function backwardProblems(
  { gateway, commits }: World,
  id: string,
  kind: string,
  reference: string,
): string[] {
  const truths = gateway.sights.flatMap((sight) =>
    sight.kind === 'truth' && sight.reference === reference ? [sight.status] : [],
  )
  const stages = truths.map((status) => OUTCOMES[kind]?.[status] ?? [])
  let reached = -1
  for (const { row } of commits) {
    if (row.id !== id) {
      continue
    }

    const stage = stages.findLastIndex((outcomes) => outcomes.includes(row.outcome))
    const isForPerson = FOR_A_PERSON.some((each) => each === row.outcome)
    if (stage < reached && !isForPerson) {
      return [`The ${kind} went back to ${row.outcome}.`]
    }

    reached = Math.max(reached, stage)
  }

  return []
}

/** Each fact has one event, and the merchant was told the last one. */
async function eventProblems(world: World): Promise<string[]> {
  const problems: string[] = []
  for (const row of await world.rows()) {
    const events = await world.events(row.id)
    const types = events.map(({ type }) => type)
    // Each recipient of airtime has an event of its own.
    const most = row.kind === 'airtime' ? airtime.recipients.length : 1
    for (const type of new Set(types)) {
      const count = types.filter((each) => each === type).length
      if (!type.endsWith('needs_attention') && count > most) {
        problems.push(`${type} has ${count} ids.`)
      }
    }

    const isTold = types.some((type) => type.split('.')[1]?.startsWith(row.outcome))
    const isFact = WITH_MONEY.includes(row.outcome)
    if (isFact && !isTold && row.kind !== 'airtime') {
      problems.push(`The merchant was not told ${row.kind} ${row.outcome}.`)
    }

    for (const { id, type, finish } of events) {
      if (finish === null || !world.delivered.some((each) => each.id === id)) {
        problems.push(`${type} was not delivered.`)
      }
    }
  }

  return problems
}

/** An accepted event confirms the service, and no payment is confirmed in two ways. */
function confirmationProblems({ gateway, delivered, commits }: World, { confirms }: Expected): string[] {
  const { confirmations } = gateway
  const problems: string[] = []
  for (const { payment_id, status } of confirmations) {
    if (confirmations.some((other) => other.payment_id === payment_id && other.status !== status)) {
      problems.push('A payment was confirmed as SUCCESSFUL and as FAILED.')
    }
  }

  const isAccepted = delivered.some(({ type }) => type === 'charge.succeeded' || type === 'checkout.paid')
  const isForPerson = commits.some(({ row }) => FOR_A_PERSON.some((each) => each === row.outcome))
  const isGone = gateway.payable().length === 0
  if (confirms && isAccepted && confirmations.length === 0 && !isForPerson && !isGone) {
    problems.push('The merchant accepted the payment, and nothing was confirmed.')
  }
  return problems
}

/** The seller was told of the payment, in messages of one id. */
function noticeProblems({ told, gateway }: World, { tells }: Expected): string[] {
  const ids = new Set(told)
  const isPaid = gateway.payable().some(({ status }) => status === 801)
  return tells && isPaid && ids.size !== 1 ? [`The seller was told in ${ids.size} messages.`] : []
}
