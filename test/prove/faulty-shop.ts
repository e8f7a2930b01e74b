/** A shop whose webhook is right, but for one fault. */

import { createHmac, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'

import { listen } from '../support/free-port.ts'

import type { SkippingClock } from './skipping-clock.ts'
import type { IncomingMessage, ServerResponse } from 'node:http'

export const SECRET = `whsec_${Buffer.from('the secret of a merchant in proofs').toString('base64')}`
const KEY = Buffer.from(SECRET.replace('whsec_', ''), 'base64')

/** The faults, each with the sequence that is meant for it. */
export const FAULTS = {
  'takes the text of the secret for the key': 'ping',
  'has a CSRF check before it': 'ping',
  'verifies nothing': 'wrong secret',
  'verifies payments alone': 'forged reversal',
  'takes what has no signature': 'no signature',
  'takes an empty signature': 'empty signature',
  'compares as many characters as are given': 'part of a signature',
  'fulfils before it verifies': 'forged body',
  'takes old events': 'replayed',
  'takes events from the future': 'from the future',
  'compares the first signature': 'new secret first',
  'compares the whole header': 'rotated secret',
  'answers 500 to a wrong signature': 'clear refusal',
  'decodes each piece of a body': 'in pieces',
  'remembers half an event': 'half a connection',
  'falls over a huge body': 'huge body',
  'takes short events': 'long event',
  'knows its fields': 'new field',
  'refuses unknown types': 'ping',
  'refuses unknown types of orders': 'unknown event',
  'takes unknown types for paid': 'unknown event',
  'expects an order': 'event without an order',
  'falls over an unknown order': 'odd reference',
  'makes an order that it never had': 'unknown order',
  'answers before the work': '2xx before the work',
  'answers after 16 seconds': 'slow answer',
  redirects: 'a redirect',
  'answers with a page': 'a page',
  'displays a warning of PHP': 'a page',
  'knows no payment': 'paid',
  'fulfils each time': 'duplicate',
  'gives up when nobody waits': 'crash before 2xx',
  'knows events alone': 'same payment, new id',
  'knows payments alone': 'paid twice',
  'looks, waits and fulfils': 'at once',
  'keeps no second payment': 'second payment',
  'keeps no late second payment': 'second payment, late',
  'fulfils a late second payment': 'second payment, late',
  'keeps no excess': 'too much money',
  'keeps no other terms': 'money for other terms',
  'fulfils what it has cancelled': 'paid after the shop has cancelled it',
  'keeps no money for what it has cancelled': 'paid after the shop has cancelled it',
  'takes overpaid for paid': 'overpaid',
  'takes attention for paid': 'attention after paid',
  'takes partial for paid': 'partial',
  'takes unpaid for paid': 'unpaid',
  'takes expired for paid': 'expired',
  'takes review for paid': 'review',
  'takes reversed for paid': 'reversal alone',
  'knows no late payment': 'paid_late alone',
  'ends an order that expires': 'expired, then paid_late',
  'ends an order at a failure': 'unpaid, then paid',
  'ends an order at a part': 'partial, then paid',
  'loses the mark when it is paid again': 'same payment, new id',
  'writes overpaid over the mark': 'overpaid',
  'lets another checkout undo the mark': 'another checkout ends',
  'takes its status from any event': 'another checkout ends',
  'refuses what happened long ago': 'paid five days ago',
  'compares no amount': 'wrong amount',
  'compares the amount once': 'wrong amount',
  'compares no late amount': 'wrong amount, paid late',
  'compares no late currency': 'another currency, paid late',
  'answers 500 to another amount': 'answer to a wrong amount',
  'compares no currency': 'another currency',
  'keeps no reversal': 'reversal after paid',
  'keeps no refund': 'refund after paid',
  'takes back each time': 'reversal twice',
  'pays what was reversed': 'old paid after a reversal',
} as const
export type Fault = keyof typeof FAULTS

interface Order {
  status: string
  fulfilled: number
  taken_back: number
  payment: string | null
  look: string[]
}

/** @param clock The clock of those who send events to the shop. */
export async function openShop(fault: Fault | null, { working, pause }: SkippingClock) {
  const has = (...faults: Fault[]) => faults.some((each) => each === fault)
  const orders = new Map<string, Order>()
  const events = new Set<string>()
  /** What has been told of each order, right or not. */
  const told = new Map<string, { type: string; outcome: string }[]>()
  const server = createServer((request, response) => {
    working(() => receive(request, response)).catch(() => void response.writeHead(500).end())
  })
  const url = `${await listen(server)}/events`
  return { url, create, cancel, read, told, close }

  async function read(order: string) {
    return JSON.stringify(orders.get(order) ?? null)
  }

  function close() {
    server.close()
    server.closeAllConnections()
  }

  async function create(order: string = randomUUID()) {
    return newOrder(order)
  }

  async function cancel(order: string) {
    const found = orders.get(order)
    if (found) {
      found.status = 'cancelled'
    }
  }

  function newOrder(order: string): string {
    orders.set(order, { status: 'open', fulfilled: 0, taken_back: 0, payment: null, look: [] })
    return order
  }

  async function receive(request: IncomingMessage, response: ServerResponse): Promise<unknown> {
    const [, first, order, action] = String(request.url).split('/')
    if (first === 'other') {
      return response.end()
    }
    if (first === 'orders' && order && action === 'cancel') {
      await cancel(order)
      return response.writeHead(204).end()
    }
    if (first === 'orders') {
      return response.end(order ? await read(order) : await create())
    }
    if (has('has a CSRF check before it')) {
      return response.writeHead(403).end('<!doctype html>')
    }
    if (has('redirects')) {
      return response.writeHead(307, { location: '/other' }).end()
    }
    if (has('answers after 16 seconds')) {
      await pause(16_000)
    }

    const body = await bodyOf(request)
    if (body === null) {
      return response.writeHead(413, { connection: 'close' }).end()
    }

    const id = String(request.headers['webhook-id'])
    if (has('fulfils before it verifies')) {
      await take(id, body, response)
    }
    if (!isGenuine(request, body)) {
      return response.writeHead(has('answers 500 to a wrong signature') ? 500 : 401).end()
    }
    if (has('answers before the work')) {
      response.writeHead(204).end()
    }
    if (has('answers before the work')) {
      await pause(200)
    }

    const isTaken = await take(id, body, response)
    if (response.headersSent) {
      return null
    }
    response.writeHead(isTaken ? 200 : 400)
    if (has('answers with a page')) {
      response.write('<!doctype html>')
    }
    if (has('displays a warning of PHP')) {
      response.write('<br />\n<b>Warning</b>: Undefined array key "order"')
    }
    return response.end()
  }

  async function bodyOf(request: IncomingMessage): Promise<string | null> {
    const pieces: Buffer[] = []
    let length = 0
    try {
      for await (const piece of request) {
        length += pieces[pieces.push(piece) - 1]?.length ?? 0
        if (length <= (has('takes short events') ? 10_000 : 1_000_000)) {
          continue
        }
        if (has('falls over a huge body')) {
          close()
        }
        return null
      }
    } catch {
      if (has('remembers half an event')) {
        events.add(String(request.headers['webhook-id']))
      }
    }

    return has('decodes each piece of a body')
      ? pieces.map(String).join('')
      : Buffer.concat(pieces).toString()
  }

  function isGenuine({ headers }: IncomingMessage, body: string): boolean {
    const [id, time, given = ''] = ['id', 'timestamp', 'signature'].map((name) =>
      headers[`webhook-${name}`]?.toString(),
    )
    if (has('verifies nothing') || (has('verifies payments alone') && !body.includes('.paid"'))) {
      return true
    }
    if (given === '' && has('takes what has no signature')) {
      return true
    }
    if (given === 'v1,' && has('takes an empty signature')) {
      return true
    }

    const seconds = Number(time) - Date.now() / 1000
    if (seconds < (has('takes old events') ? -3_000 : -300)) {
      return false
    }
    if (seconds > (has('takes events from the future') ? 3_000 : 300)) {
      return false
    }

    const key = has('takes the text of the secret for the key') ? SECRET : KEY
    const expected = `v1,${createHmac('sha256', key).update(`${id}.${time}.${body}`).digest('base64')}`
    const signatures = given.split(' ')
    if (has('compares the first signature')) {
      return signatures[0] === expected
    }
    if (has('compares the whole header')) {
      return given === expected
    }
    if (has('compares as many characters as are given')) {
      return given.length > 3 && expected.startsWith(given)
    }
    return signatures.includes(expected)
  }

  /** Returns whether the event is taken. */
  async function take(id: string, body: string, response: ServerResponse): Promise<boolean> {
    const { type, timestamp, data } = JSON.parse(body)
    if (Date.now() - Date.parse(timestamp) > 86_400_000 && has('refuses what happened long ago')) {
      return false
    }
    if ('sketched' in data && has('knows its fields')) {
      return false
    }
    if (type === 'ping') {
      return !has('refuses unknown types')
    }
    if (type === 'checkout.sketched' && has('refuses unknown types of orders')) {
      return false
    }
    if (events.has(id) && has('remembers half an event', 'knows events alone')) {
      return true
    }
    if (!orders.has(data.order) && has('makes an order that it never had')) {
      newOrder(data.order)
    }

    const order = orders.get(data.order)
    if (!order) {
      if (has('expects an order') && !type.startsWith('checkout.')) {
        return false
      }
      if (has('falls over an unknown order') && type === 'checkout.paid') {
        response.destroy()
      }
      return true
    }

    const isKnown = events.has(id)
    if (!isKnown) {
      told.set(data.order, [...(told.get(data.order) ?? []), { type, outcome: data.outcome }])
    }

    events.add(id)
    if (type === 'checkout.paid' && has('knows no payment')) {
      return true
    }
    if (has('gives up when nobody waits')) {
      await Promise.race([once(response, 'close'), pause(500)])
      if (isKnown || response.destroyed) {
        return true
      }
    }
    if (isPaying(type)) {
      return pay(order, type, data, isKnown)
    }
    if (type === 'checkout.reversed' && (!isKnown || has('takes back each time'))) {
      order.taken_back += 1
    }
    if (type === 'checkout.reversed' && has('keeps no reversal')) {
      order.taken_back = 0
    }
    if (type === 'checkout.refunded' && has('keeps no refund')) {
      return true
    }
    if (type === 'checkout.reversed' && !has('keeps no reversal')) {
      order.status = 'reversed'
    }
    if (type === 'checkout.expired' && has('ends an order that expires')) {
      order.status = 'ended'
    }
    if (type === 'checkout.unpaid' && has('ends an order at a failure')) {
      order.status = 'ended'
    }
    if (type === 'checkout.partial' && has('ends an order at a part')) {
      order.status = 'ended'
    }
    if (type === 'checkout.overpaid' && has('writes overpaid over the mark')) {
      order.status = 'overpaid'
    }

    const isUndone = ['checkout.unpaid', 'checkout.expired'].includes(type)
    if (isUndone && has('lets another checkout undo the mark')) {
      Object.assign(order, { status: 'open', payment: null })
    }
    if (has('takes its status from any event')) {
      order.status = data.outcome
    }
    if (type === 'checkout.overpaid' && has('keeps no excess')) {
      return true
    }
    if (type !== 'checkout.reversed' && !isKnown) {
      order.look.push(type)
    }
    return true
  }

  function isPaying(type: string): boolean {
    if (has('knows no payment')) {
      return false
    }
    if (type === 'checkout.sketched') {
      return has('takes unknown types for paid')
    }
    if (type === 'checkout.paid_late') {
      return !has('knows no late payment')
    }

    const also: Fault[] = [
      'takes overpaid for paid',
      'takes attention for paid',
      'takes partial for paid',
      'takes unpaid for paid',
      'takes expired for paid',
      'takes review for paid',
      'takes reversed for paid',
    ]
    return (
      type === 'checkout.paid' || also.some((each) => has(each) && type.includes(each.split(' ')[1] ?? ''))
    )
  }

  async function pay(
    order: Order,
    type: string,
    data: Record<string, string>,
    isKnown: boolean,
  ): Promise<boolean> {
    const { amount, currency, merchant_transaction_id: payment = '' } = data
    const isLate = type === 'checkout.paid_late'
    const comparesAmount =
      !has('compares no amount') &&
      !(isKnown && has('compares the amount once')) &&
      !(isLate && has('compares no late amount'))
    const comparesCurrency = !has('compares no currency') && !(isLate && has('compares no late currency'))
    const isRight = (amount === '1500' || !comparesAmount) && (currency === 'KES' || !comparesCurrency)
    if (!isRight && has('answers 500 to another amount')) {
      throw new Error('another amount')
    }
    if (!isRight && !has('keeps no other terms')) {
      order.look.push(`other terms: ${amount} ${currency}`)
    }
    if (!isRight || order.status === 'ended') {
      return true
    }
    if (order.status === 'cancelled' && !has('fulfils what it has cancelled')) {
      if (!has('keeps no money for what it has cancelled')) {
        order.look.push('paid after it was cancelled')
      }
      return true
    }
    if (has('pays what was reversed') && order.status === 'reversed') {
      order.status = 'paid'
    }

    const isFirst = order.payment === null
    if (!isFirst && has('loses the mark when it is paid again')) {
      order.status = 'open'
    }
    if (has('looks, waits and fulfils')) {
      await pause(300)
    }

    const isOther = has('knows events alone')
      ? !isKnown
      : has('knows payments alone') && order.payment !== payment
    const isAgain =
      (isLate && has('fulfils a late second payment')) ||
      has('fulfils each time', 'takes overpaid for paid', 'takes attention for paid')
    order.payment ??= payment
    if (isFirst || isOther || isAgain) {
      order.fulfilled += 1
      order.status = 'paid'
    } else if (
      order.payment !== payment &&
      !has(isLate ? 'keeps no late second payment' : 'keeps no second payment')
    ) {
      order.look.push(`paid again by ${payment}`)
    }
    return true
  }
}
