import { expect, test } from 'vitest'

import { ENVIRONMENT } from '../../support/worlds/environment.ts'
import { keepInSqlite } from '../../support/worlds/kept-store.ts'
import { runHere } from '../../support/worlds/terminal.ts'
import { createWorld } from '../../support/worlds/world.ts'

test('a payment is found with one command, in words that can be read out, or that there is none', async () => {
  const kept = keepInSqlite()
  const world = await createWorld({ store: kept.open() })
  world.order('A-1', '1500')
  await world.pay(await world.start('A-1'), 'approve', { msisdn: '254700000123' })
  await world.later(60_000)
  const find = (...args: string[]) =>
    runHere(['find', ...args], { ...ENVIRONMENT, STORE_URL: kept.url, TIME_ZONE: 'Africa/Nairobi' })

  const { code, out } = await find('--phone-ends', '0123', '--amount', '1500', '--day', '2026-11-21')
  expect(code).toBe(0)
  expect(out).toMatch(
    /^KES 1,500(\.00)? paid: A-1, Two kangas\n {2}2026-11-21T12:00:\d\d\+03:00 {2}checkout \S+: paid\n/,
  )
  expect(out).toMatch(/\n {2}receipt \w{10}, by \w+\n {2}\S+ {2}your backend: checkout\.paid, delivered/)
  expect(out).not.toContain('254700000123')
  const [, receipt = ''] = /receipt (\w+)/.exec(out) ?? []
  expect(JSON.parse((await find('--receipt', receipt, '--json')).out).items).toMatchObject([{ order: 'A-1' }])

  const none = await find('--receipt', 'SKL4XR7M2P')
  expect(none).toMatchObject({ code: 1, out: '' })
  expect(none.err).toMatch(/^No such payment: none with this receipt/)
  for (const [args, message] of [
    [['--phone', '0700'], '--phone must be a whole phone number'],
    [['--amount', '4,500'], '--amount must be a decimal number'],
    [['--day', '30.11.2026'], '--day must be a date such as 2026-11-21'],
    [[], 'The options must name one or several of receipt'],
  ] as const) {
    expect(await find(...args)).toMatchObject({ code: 2, out: '', err: expect.stringContaining(message) })
  }

  await world.store.close()
})

test('of a payment of which people are told in messages, it says what became of them, and nothing of a backend', async () => {
  const kept = keepInSqlite()
  const service = 'https://sms.example/send'
  const env = {
    MERCHANT_WEBHOOK_URL: '',
    MERCHANT_WEBHOOK_SECRET: '',
    NOTIFY_URL: service,
    NOTIFY_BODY: '{"message":"{text}"}',
  }
  let isAway = true
  const world = await createWorld({
    store: kept.open(),
    env,
    gateway: (url) => (url === service ? new Response('', { status: isAway ? 503 : 200 }) : undefined),
  })
  world.order('A-1', '1500')
  await world.pay(await world.start('A-1'), 'approve')
  await world.later(5_000)
  const find = async () =>
    (await runHere(['find', '--order', 'A-1'], { ...ENVIRONMENT, STORE_URL: kept.url })).out
  const waiting = await find()
  expect(waiting).toMatch(
    /\n {2}\S+ {2}message by NOTIFY_URL: checkout\.paid, not told yet, attempts so far: \d/,
  )
  expect(waiting).not.toContain('your backend')
  isAway = false
  await world.later(60_000)
  expect(await find()).toMatch(/\n {2}\S+ {2}message by NOTIFY_URL: checkout\.paid, told\n*$/)
  await world.store.close()
})
