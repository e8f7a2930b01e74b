import { afterEach, describe, expect, test, vi } from 'vitest'

import { checkouts } from '../../../server/features/checkouts.ts'
import { openStore } from '../../../server/store/open.ts'
import { openMailbox } from '../../support/worlds/mailbox.ts'
import { DAY, HOUR } from '../../support/worlds/observed.ts'
import { formOf, createWorld } from '../../support/worlds/world.ts'

import type { DayOfPayments, FoundPayment } from '../../../server/api/payments.ts'
import type { FetchInit } from '../../../server/http/exchange.ts'
import type { World, WorldOptions } from '../../support/worlds/world.ts'

const MINUTE = 60_000
const WAIT = { timeout: 20_000 }
const SERVICE = 'https://sms.example/send?key=the-key-of-the-seller-at-the-service'
const TEXTS = { NOTIFY_URL: SERVICE, NOTIFY_BODY: '{"to":"+254711","message":"{text}"}' }

const cleanups: (() => Promise<void>)[] = []
afterEach(async () => {
  await Promise.all(cleanups.splice(0).map((cleanup) => cleanup()))
})

/** A world whose seller is told by a service for SMS. `answer` is the service's. */
async function openShop(
  { env, ...options }: WorldOptions = {},
  answer: (message: string) => Response | Promise<Response> = () => new Response('queued'),
) {
  const messages: { id: string; message: string }[] = []
  /** Each request, whatever the answer. */
  const requests: { id: string; message: string; at: number }[] = []
  const world = await createWorld({
    ...options,
    env: { ...TEXTS, ...env },
    gateway: (url, init) => (url === SERVICE ? receive(init) : undefined),
  })
  return { world, messages, requests, texts: () => messages.map(({ message }) => message), pay }

  async function receive({ headers, body = '' }: FetchInit): Promise<Response> {
    const { message } = JSON.parse(body)
    const id = headers['idempotency-key'] ?? ''
    requests.push({ id, message, at: world.timeline.now() })
    const given = await answer(message)
    if (given.ok) {
      messages.push({ id, message })
    }
    return given
  }

  /** Pays an order, on the phone of this number. */
  async function pay(order: string, phone = '0700000001', scenario = 'approve', fields: object = {}) {
    world.order(order)
    const view = await (await world.ask('/checkout/initiate', formOf(order, { payer_msisdn: phone }))).json()
    await world.pay(view, scenario, fields)
    await world.later(MINUTE)
    return view
  }
}

test('who has paid, for what, with which receipt, is told in words, and never the whole number', async () => {
  const { world, messages, pay } = await openShop()
  const { checkout_id } = await pay('A-1', '0712345678')
  const { payments } = await world.status(checkout_id)
  expect(messages).toEqual([
    {
      id: expect.stringMatching(/^ntc_[\w-]{22,}$/),
      message: [
        'TEST Paid: 500 KES, order A-1',
        'For: Two kangas',
        `Receipt: ${payments[0]!.receipt}`,
        'Phone number ends in: 5678',
        'No real money has moved.',
      ].join('\n'),
    },
  ])
  expect(JSON.stringify([messages, world.logged])).not.toMatch(/712345678/)
})

test('a mailbox has a message for each of three payers', async () => {
  const mailbox = await openMailbox()
  cleanups.push(mailbox.close)
  const env = { NOTIFY_SMTP_URL: mailbox.url(), NOTIFY_TO: 'owner@shop.example' }
  const { pay } = await openShop({ env: { ...env, NOTIFY_URL: '', NOTIFY_BODY: '' } })
  for (const [order, phone] of [
    ['A-1', '0700000001'],
    ['A-2', '0700000002'],
    ['A-3', '0700000003'],
  ] as const) {
    await pay(order, phone)
    await vi.waitFor(() => expect(mailbox.mails.at(-1)?.subject).toContain(order), { timeout: 20_000 })
  }

  expect(mailbox.mails.map(({ subject }) => subject)).toEqual([
    'TEST Paid: 500 KES, order A-1',
    'TEST Paid: 500 KES, order A-2',
    'TEST Paid: 500 KES, order A-3',
  ])
  expect(mailbox.mails.map(({ text }) => /ends in: (\d+)/.exec(text)?.[1])).toEqual(['0001', '0002', '0003'])
  expect(new Set(mailbox.mails.map(({ messageId }) => messageId)).size).toBe(3)
})

describe('a notice that is not taken', () => {
  test('a notice that is not taken is sent again under its id until it is, and holds up no other and no event', async () => {
    let isAway = true
    const { world, messages, texts, pay } = await openShop({}, (message) =>
      isAway && message.includes('A-1') ? new Response('busy', { status: 503 }) : new Response('queued'),
    )
    await pay('A-1')
    await pay('A-2')
    expect(world.types()).toEqual(['checkout.paid', 'checkout.paid'])
    expect(texts()).toEqual([expect.stringContaining('order A-2')])
    isAway = false
    await world.later(HOUR)
    expect(texts()).toEqual([expect.stringContaining('order A-2'), expect.stringContaining('order A-1')])
    expect(new Set(messages.map(({ id }) => id)).size).toBe(2)
    expect(world.logged).toContainEqual({
      level: 'warn',
      facts: expect.objectContaining({
        way: 'http',
        type: 'checkout.paid',
        err: {
          type: 'NoticeError',
          message: 'The service at NOTIFY_URL (https://sms.example) responds with HTTP 503: busy',
        },
      }),
      message: 'Nobody could be told of a payment; this is retried.',
    })
  })

  test('a notice that is not taken is given up after five days, and leaves nothing behind', async () => {
    const { world, texts, pay } = await openShop({}, () => new Response('gone', { status: 410 }))
    await pay('A-1')
    await world.later(6 * DAY)
    const errors = world.logged.filter(({ message }) => /given up/.test(message))
    expect(errors).toMatchObject([{ level: 'error', facts: { type: 'checkout.paid' } }])
    expect(await world.store.nextNoticeDue('sandbox', 'http')).toBe(null)
    expect(texts()).toEqual([])
  })
})

test('a service that answers too late gets few copies of a message, all under one id', async () => {
  const { world, requests, pay } = await openShop({}, async () => {
    await world.timeline.sleep(2 * MINUTE)
    return new Response('queued')
  })
  await pay('A-1')
  await world.later(HOUR)
  expect(requests.length).toBeLessThanOrEqual(4)
  await world.later(6 * DAY)
  expect(requests).toHaveLength(6)
  expect(new Set(requests.map(({ id }) => id)).size).toBe(1)
  const ends = world.logged.filter(({ message }) => /nobody said whether it was taken/.test(message))
  expect(ends).toMatchObject([{ level: 'error', facts: { type: 'checkout.paid' } }])
  expect(await world.store.nextNoticeDue('sandbox', 'http')).toBe(null)
})

describe('a message that its service refuses', () => {
  test('a message that its service refuses keeps nobody from hearing of the others', async () => {
    const { world, texts, requests, pay } = await openShop({}, (message) =>
      message.includes('A-1')
        ? new Response('no such number', { status: 422 })
        : new Response('queued', { status: 202 }),
    )
    await pay('A-1')
    await pay('A-2')
    await world.later(DAY)
    await pay('A-3')
    expect(texts()).toEqual([expect.stringContaining('order A-2'), expect.stringContaining('order A-3')])
    const refused = requests.filter(({ message }) => message.includes('A-1'))
    expect(refused.length).toBeGreaterThan(20)
    expect(refused.length).toBeLessThan(60)
  })

  test('a message that its service refuses because of the key, with 401 or 403, is sent with another', async () => {
    const statuses = [401, 403]
    let isWrong = true
    const { world, texts, requests, pay } = await openShop({}, () =>
      isWrong
        ? new Response('no such account', { status: statuses[requests.length % 2]! })
        : new Response('queued'),
    )
    await pay('A-1')
    await world.later(4 * DAY)
    isWrong = false
    await world.later(HOUR)
    expect(texts()).toEqual([expect.stringContaining('order A-1')])
    for (const status of statuses) {
      expect(world.logged).toContainEqual({
        level: 'warn',
        facts: expect.objectContaining({
          err: {
            type: 'NoticeError',
            message: `The service at NOTIFY_URL (https://sms.example) responds with HTTP ${status}, and probably refuses the key of NOTIFY_HEADERS or NOTIFY_URL: no such account`,
          },
        }),
        message: 'Nobody could be told of a payment; this is retried.',
      })
    }
  })

  test('a message that the server of one reader refuses is sent to that one again, and to no other', async () => {
    const refused = ['aunt@shop.example']
    const mailbox = await openMailbox({ refused })
    cleanups.push(mailbox.close)
    const env = { NOTIFY_SMTP_URL: mailbox.url(), NOTIFY_TO: 'owner@shop.example,aunt@shop.example' }
    const from = { NOTIFY_FROM: 'shop@shop.example', NOTIFY_URL: '', NOTIFY_BODY: '' }
    const { world, pay } = await openShop({ env: { ...env, ...from } })
    await pay('A-1')
    await vi.waitFor(() => expect(mailbox.mails).toMatchObject([{ to: ['owner@shop.example'] }]), WAIT)
    await vi.waitFor(() => expect(JSON.stringify(world.logged)).toContain('refuses aunt@shop.example'), WAIT)
    refused.pop()
    await world.settle()
    const due = await world.store.nextNoticeDue('sandbox', 'email')
    await world.later(due! - world.timeline.now())
    await vi.waitFor(() => expect(mailbox.mails).toHaveLength(2), WAIT)
    expect(mailbox.mails[1]).toMatchObject({ to: ['aunt@shop.example'] })
  })
})

describe('a service that takes nothing', () => {
  test('a service that takes nothing is sent one message a minute at most, and everything when it is back', async () => {
    let isAway = true
    const { world, texts, requests, pay } = await openShop(
      {},
      () => new Response('', { status: isAway ? 503 : 200 }),
    )
    const orders = Array.from({ length: 12 }, (_, index) => `A-${index + 1}`)
    for (const order of orders) {
      await pay(order)
    }

    const before = requests.length
    await world.later(20 * MINUTE)
    expect(requests.length - before).toBeLessThanOrEqual(21)
    isAway = false
    await world.later(HOUR)
    expect(new Set(texts().map((text) => /order (A-\d+)/.exec(text)?.[1]))).toEqual(new Set(orders))
    expect(texts()).toHaveLength(12)
  })

  test.each([429, 503])(
    'a service that takes nothing is left alone as long as it asks: %i',
    async (status) => {
      let isBusy = true
      const { world, texts, requests, pay } = await openShop({}, () =>
        isBusy ? new Response('', { status, headers: { 'retry-after': '3000' } }) : new Response('queued'),
      )
      await pay('A-1')
      await world.later(45 * MINUTE)
      expect(requests).toHaveLength(1)
      isBusy = false
      await world.later(15 * MINUTE)
      expect(texts()).toEqual([expect.stringContaining('order A-1')])
    },
  )

  test('a service that takes nothing is sent no other message while it asks to wait', async () => {
    let isBusy = true
    const { world, texts, requests } = await openShop({}, () => {
      const answer = isBusy
        ? new Response('', { status: 429, headers: { 'retry-after': '3600' } })
        : new Response('queued')
      isBusy = false
      return answer
    })
    for (const order of ['A-1', 'A-2']) {
      world.order(order)
      await world.pay(await world.start(order), 'approve')
      await world.later(10_000)
    }

    expect(requests).toHaveLength(1)
    expect(world.types()).toEqual(['checkout.paid', 'checkout.paid'])
    await world.later(2 * HOUR)
    expect(texts()).toHaveLength(2)
    const [first, second] = requests
    expect(second!.at - first!.at).toBeGreaterThanOrEqual(MINUTE)
  })
})

test('a reader who was taken out of the configuration is not told any more', async () => {
  const store = openStore('sqlite::memory:')
  const refused = ['aunt@shop.example']
  const mailbox = await openMailbox({ refused })
  cleanups.push(mailbox.close)
  const off = { NOTIFY_URL: '', NOTIFY_BODY: '', NOTIFY_FROM: 'shop@shop.example' }
  const env = { ...off, NOTIFY_SMTP_URL: mailbox.url(), NOTIFY_TO: 'aunt@shop.example' }
  const { world, pay } = await openShop({ store, env })
  await pay('A-1')
  await vi.waitFor(() => expect(JSON.stringify(world.logged)).toContain('refuses aunt@shop.example'), WAIT)
  refused.pop()
  const other = await createWorld({ store, env: { ...env, NOTIFY_TO: 'owner@shop.example' } })
  await other.later(DAY)
  await vi.waitFor(async () => expect(await store.nextNoticeDue('sandbox', 'email')).toBe(null), WAIT)
  expect(mailbox.mails).toEqual([])
})

test('a server that dies between the payment and the message sends it when it is back', async () => {
  let isAway = true
  const { world, messages, pay } = await openShop({}, () => new Response('', { status: isAway ? 503 : 200 }))
  await pay('A-1')
  const due = await world.store.claimNotices('sandbox', 'http', Number.MAX_SAFE_INTEGER, 0, 9)
  expect(due).toHaveLength(1)
  isAway = false
  await world.restart()
  await world.later(HOUR)
  expect(messages).toEqual([{ id: due[0]!.id, message: expect.stringContaining('order A-1') }])
})

test('a notice is no acceptance: without a backend, the event has no receiver, and no service is confirmed', async () => {
  const env = { MERCHANT_WEBHOOK_URL: '', MERCHANT_WEBHOOK_SECRET: '' }
  const { world, texts } = await openShop({ env })
  world.order('A-1', '500', { splits: [{ account: 'PARTNER-001', amount: 100, reason: 'The weaver' }] })
  const view = await world.start('A-1')
  await world.pay(view, 'approve')
  await world.later(MINUTE)
  expect(texts()).toHaveLength(1)
  const events = await world.store.listEvents('sandbox', 0, 9)
  expect(events).toMatchObject([{ type: 'checkout.paid', finish: 'no_receiver' }])
  expect(await world.rows()).toMatchObject([{ record: { confirmation: { payments: [{ stage: 'open' }] } } }])
})

describe('without a backend, the day of a seller who is told in messages', () => {
  const WITHOUT_BACKEND = {
    MERCHANT_WEBHOOK_URL: '',
    MERCHANT_WEBHOOK_SECRET: '',
    TIME_ZONE: 'Africa/Nairobi',
  }

  async function judge(world: World) {
    const { items } = await (await world.api('/payments?order=A-1')).json()
    const [{ paid_at, notices }] = items as [FoundPayment]
    const { disagreements }: DayOfPayments = await (await world.api(`/days/${paid_at.slice(0, 10)}`)).json()
    return { notices, why: disagreements.flatMap(({ why }) => why) }
  }

  test('agrees once the message was taken', async () => {
    const { world, pay } = await openShop({ env: WITHOUT_BACKEND })
    await pay('A-1')
    expect(await judge(world)).toEqual({
      notices: [
        { type: 'checkout.paid', at: expect.any(String), way: 'http', delivery: 'told', failures: 0 },
      ],
      why: [],
    })
  })

  test('does not agree while the message is not taken, and after it was given up', async () => {
    const { world, pay } = await openShop(
      { env: WITHOUT_BACKEND },
      () => new Response('no credit', { status: 402 }),
    )
    await pay('A-1')
    const waiting = await judge(world)
    expect(waiting.notices).toMatchObject([{ delivery: 'waiting', failures: 1 }])
    expect(waiting.why).toMatchObject([
      { code: 'unreceived', detail: expect.stringContaining('not taken; attempts so far: 1') },
    ])
    await world.later(6 * DAY)
    const ended = await judge(world)
    expect(ended.notices).toMatchObject([{ delivery: 'given_up' }])
    expect(ended.why).toEqual([
      { code: 'unreceived', detail: 'checkout.paid: the message about it was given up.' },
    ])
  })

  test('agrees if one of two readers was told', async () => {
    const mailbox = await openMailbox({ refused: ['aunt@shop.example'] })
    cleanups.push(mailbox.close)
    const mail = {
      NOTIFY_URL: '',
      NOTIFY_BODY: '',
      NOTIFY_SMTP_URL: mailbox.url(),
      NOTIFY_TO: 'owner@shop.example, aunt@shop.example',
    }
    const { world, pay } = await openShop({ env: { ...WITHOUT_BACKEND, ...mail } })
    await pay('A-1')
    await vi.waitFor(async () => expect((await judge(world)).why).toEqual([]), WAIT)
  })
})

test('money that went back is told, and what is old news is said to be', async () => {
  let isAway = true
  const { world, texts, pay } = await openShop({}, () => new Response('', { status: isAway ? 503 : 200 }))
  const view = await pay('A-1')
  await world.pay(view, 'reverse')
  await world.later(2 * HOUR)
  isAway = false
  await world.later(HOUR)
  const [reversed, paid] = texts().toSorted((one, other) => one.indexOf('Paid') - other.indexOf('Paid'))
  expect(reversed).toMatch(/^TEST Reversed: 500 KES, order A-1\nMoney went back to the payer\.\n/)
  expect(paid).toMatch(/^TEST Paid: 500 KES, order A-1\nMeanwhile it is reversed\.\n/)
})

describe('a message tells the money of its event', () => {
  /** What each message says of the money, and no other line. */
  const sums = (texts: string[]) =>
    texts.map((text) => text.split('\n').filter((line) => !/^(For|Receipt|Phone|No real)/.test(line)))

  const PART = [
    'TEST Paid in part: 250 KES, order A-1',
    'Less was paid than was asked for.',
    'Asked for: 500 KES',
  ]

  test('a message tells the money of its event: a part, and the rest', async () => {
    const { world, texts, pay } = await openShop()
    const view = await pay('A-1', '0700000001', 'partial')
    await world.pay(view, 'approve')
    await world.later(MINUTE)
    expect(sums(texts())).toEqual([PART, ['TEST Rest paid: 250 KES, order A-1', 'Paid in all: 500 KES']])
  })

  test('a message tells the money of its event: a part that nothing follows', async () => {
    const { world, texts, pay } = await openShop()
    await pay('A-1', '0700000001', 'partial')
    await world.later(2 * DAY)
    const [, ...advice] = PART
    expect(sums(texts())).toEqual([PART, ['TEST Ended, and paid in part: 250 KES, order A-1', ...advice]])
  })

  test('a message tells the money of its event: too much, in one message', async () => {
    const { world, texts, pay } = await openShop()
    await pay('A-1', '0700000001', 'overpay')
    expect(world.types()).toEqual(['checkout.paid', 'checkout.overpaid'])
    const excess = 'More was paid than was asked for.'
    expect(sums(texts())).toEqual([['TEST Paid: 550 KES, order A-1', excess, 'Asked for: 500 KES']])
  })

  /** Reports this total and status of the checkout from now on, with another payment if `isTwice`. */
  async function report(
    world: World,
    { status, amount, isTwice = false }: { status: number; amount: string; isTwice?: boolean },
  ): Promise<void> {
    world.alterAnswers((text) => {
      if (!text.includes('"payments"')) {
        return text
      }

      const body = JSON.parse(text)
      const [payment] = body.payments
      const other = { ...payment, transaction_id: 'another', payer_transaction_id: 'ANOTHER1' }
      return JSON.stringify({ ...body, status, amount, payments: isTwice ? [payment, other] : [payment] })
    })
    await world.later(2 * DAY)
  }

  test('a message tells the money of its event: what was paid again, and went back', async () => {
    const { world, texts, pay } = await openShop()
    await pay('A-1')
    await report(world, { status: 801, amount: '1000.00', isTwice: true })
    await report(world, { status: 841, amount: '500.00', isTwice: true })
    expect(sums(texts())).toEqual([
      ['TEST Paid: 500 KES, order A-1'],
      [
        'TEST Paid again: 500 KES, order A-1',
        'More was paid than was asked for.',
        'Paid in all: 1000 KES',
        'Asked for: 500 KES',
      ],
      ['TEST Went back: 500 KES, order A-1', 'Money went back to the payer.', 'Still paid: 500 KES'],
    ])
  })

  test('a message tells the money of its event: what went back of an order, part by part', async () => {
    const { world, texts, pay } = await openShop()
    await pay('A-1')
    await report(world, { status: 840, amount: '300.50' })
    await report(world, { status: 840, amount: '100.25' })
    const back = 'Money went back to the payer.'
    expect(sums(texts())).toEqual([
      ['TEST Paid: 500 KES, order A-1'],
      ['TEST Reversed: 199.5 KES, order A-1', back, 'Still paid: 300.5 KES', 'Asked for: 500 KES'],
      ['TEST Reversed: 200.25 KES, order A-1', back, 'Still paid: 100.25 KES', 'Asked for: 500 KES'],
    ])
  })

  test('a message tells the money of its event: what came and went between two looks', async () => {
    const { world, texts } = await openShop()
    world.order('A-1')
    const view = await world.start('A-1')
    world.alterAnswers((text) =>
      text.replace('"status":801', '"status":840').replace('"payment_status":700', '"payment_status":702'),
    )
    await world.pay(view, 'approve')
    await world.later(HOUR)
    expect(sums(texts())).toEqual([['TEST Reversed: 500 KES, order A-1', 'Money went back to the payer.']])
  })

  test('a message tells the money of its event, and what came later, when it is late', async () => {
    let isAway = true
    const { world, texts, pay } = await openShop({}, () => new Response('', { status: isAway ? 503 : 200 }))
    const view = await pay('A-1', '0700000001', 'partial')
    await world.pay(view, 'partial')
    await world.later(MINUTE)
    isAway = false
    await world.later(10 * MINUTE)
    const [, less, asked] = PART
    const told = sums(texts())
    expect(told).toHaveLength(2)
    expect(told).toContainEqual([PART[0], less, 'Meanwhile, in all: 375 KES', asked])
    expect(told).toContainEqual([
      'TEST Paid in part: 125 KES, order A-1',
      less,
      'Paid in all: 375 KES',
      asked,
    ])
  })
})

test('what was erased before it was told is not told', async () => {
  let isAway = true
  const { world, texts, pay } = await openShop({}, () => new Response('', { status: isAway ? 503 : 200 }))
  await pay('A-1', '0712345678')
  const [row] = await world.rows()
  const notices = await world.store.claimNotices('sandbox', 'http', Number.MAX_SAFE_INTEGER, 0, 9)
  expect(JSON.stringify(notices)).not.toMatch(/5678|kangas/)
  const record = JSON.parse(JSON.stringify(row!.record))
  record.requested.narration = null
  for (const payment of record.reported.payments) {
    Object.assign(payment, { payer: null, receipt: null })
  }

  expect(
    await world.store.erase(row!.id, row!.revision, { record, personal: null, movements: [] }, [], []),
  ).toBe('erased')
  isAway = false
  await world.later(HOUR)
  expect(texts()).toEqual(['TEST Paid: 500 KES, order A-1\nNo real money has moved.'])
})

test('a server without the feature stores no notices', async () => {
  const world = await createWorld({
    features: [checkouts],
    env: { GATEWAY_CHARGE_PATH: '', PARTNER_ACCOUNTS_DYNAMIC: '' },
  })
  world.order('A-1')
  await world.pay(await world.start('A-1'), 'approve')
  await world.later(HOUR)
  expect(world.types()).toEqual(['checkout.paid'])
  expect(await world.store.nextNoticeDue('sandbox', 'email')).toBe(null)
  expect(await world.store.nextNoticeDue('sandbox', 'http')).toBe(null)
})
