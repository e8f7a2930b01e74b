import { createHmac } from 'node:crypto'
import { Webhook } from 'standardwebhooks'
import { describe, expect, test } from 'vitest'

import { createTimeline } from '../../../demo/sandbox/index.ts'
import { Secret } from '../../../server/config/secret.ts'
import { createTraceHeaders } from '../../../server/http/exchange.ts'
import { isUnanswered } from '../../../server/outbox/deliver.ts'
import { deliverToHandler } from '../../../server/outbox/handler.ts'
import { verifyWebhook, WebhookError } from '../../../server/outbox/verify-webhook.ts'
import { deliverToWebhook } from '../../../server/outbox/webhook.ts'
import { DOWN, RELIABLE } from '../../support/worlds/network.ts'
import { HOUR } from '../../support/worlds/observed.ts'
import { shopWithCheckout } from '../../support/worlds/shop-with-order.ts'
import { createWorld, START } from '../../support/worlds/world.ts'

import type { FetchAnswer, FetchInit } from '../../../server/http/exchange.ts'
import type { OnEvent } from '../../../server/outbox/handler.ts'
import type { StoredEvent } from '../../../server/store/events.ts'

const DAY = 24 * 3_600_000
const BODY = '{"type":"checkout.paid","timestamp":"2026-11-21T09:00:00.000Z","data":{"order":"Ä-1"}}'
const TRACE_ID = '4bf92f3577b34da6a3ce929d0e0e4736'
const EVENT: StoredEvent = {
  sequence: 1,
  id: 'evt_1',
  trace_id: TRACE_ID,
  transaction_id: 'a',
  type: 'checkout.paid',
  about: '',
  body: BODY,
  created_at: START,
  failures: 0,
  finish: null,
  due_at: START,
  last_status: null,
  last_answer: null,
}
const secret = (text: string) => `whsec_${Buffer.from(text.padEnd(32)).toString('base64')}`

async function delivered(
  make: (clock: ReturnType<typeof createTimeline>) => Promise<unknown>,
): Promise<string> {
  const clock = createTimeline({ wall: null, start: START })
  const outcome = make(clock).then(
    () => 'taken',
    (error: unknown) =>
      `${error instanceof Error ? error.message : 'an error'}${isUnanswered(error) ? ' (no answer)' : ''}`,
  )
  for (let turn = 0; turn < 5; turn++) {
    await clock.advance(0)
  }

  await clock.advance(60_000)
  return outcome
}

describe('a webhook', () => {
  const sent: { url: string; init: FetchInit }[] = []
  const post = (answer: () => FetchAnswer | Promise<FetchAnswer>, secrets = [secret('new')]) =>
    delivered((clock) => {
      const fetch = (url: string, init: FetchInit) => {
        sent.push({ url, init })
        return answer()
      }

      const traceHeaders = createTraceHeaders({ fraction: () => 0.5 })
      const options = { url: 'https://shop.example/events', fetch, clock, traceHeaders }
      return deliverToWebhook({ ...options, secrets: secrets.map((text) => new Secret(text)) })(EVENT)
    })
  const status = (code: number) => () => new Response(null, { status: code, headers: { location: '/login' } })

  test.each([200, 201, 202, 204, 301, 302, 400, 401, 404, 429, 500, 503])(
    'a webhook accepts an event with HTTP 2xx alone: %i',
    async (code) => {
      const said = code === 301 || code === 302 ? 'redirects' : 'responds'
      const target = said === 'redirects' ? ' to https://shop.example/login, which is not followed' : ''
      const refused = `The merchant's webhook ${said} with HTTP ${code}${target}`
      const result = await post(status(code))
      expect(code < 300 ? result : result.replace(/[.:][^:/]*$/, '')).toBe(code < 300 ? 'taken' : refused)
      const init = { method: 'POST', body: BODY }
      expect(sent.at(-1)).toMatchObject({ url: 'https://shop.example/events', init })
    },
  )

  test.each([
    [
      401,
      0,
      /^[^:]*401: it probably has another MERCHANT_WEBHOOK_SECRET .* the text of the secret .* The webhook's clock is right\.$/,
    ],
    [403, 299_000, /403: it probably has another MERCHANT_WEBHOOK_SECRET/],
    [401, null, /MERCHANT_WEBHOOK_SECRET than this server, .* or its clock is wrong\.$/],
    [401, -420_000, /401: its clock is 7 minutes behind this server's/],
    [403, 86_400_000, /its clock is 1440 minutes ahead of this server's/],
    [500, 420_000, /HTTP 500: its log says why\.$/],
    [302, 0, /which is not followed: set MERCHANT_WEBHOOK_URL to where it leads, unless that is a login\.$/],
  ])(
    'a webhook that responds with HTTP %i and a clock ahead by %s ms is told of with the cause',
    async (code, ahead, why) => {
      const date = ahead === null ? 'today' : new Date(START + ahead).toUTCString()
      const headers = { date, location: '/login' }
      expect(await post(() => new Response(null, { status: code, headers }))).toMatch(why)
    },
  )

  test.each([
    ['Django', 403, '\n<!DOCTYPE html>\n<html lang="en"><h1>Forbidden</h1><p>CSRF verification failed.'],
    ['Laravel', 419, '<!DOCTYPE html>\n<html lang="en"><title>Page Expired</title>'],
    [
      'Flask',
      400,
      '<!doctype html>\n<html lang=en>\n<title>400 Bad Request</title>\n<p>The CSRF token is missing.',
    ],
    ['Rails', 422, '<!doctype html>\n<html lang="en"><title>The change you wanted was rejected</title>'],
  ])(
    'a webhook that %s keeps from its handler, by a CSRF check, is told to exempt it: HTTP %i',
    async (framework, code, page) => {
      const said = await post(() => new Response(page, { status: code }))
      expect(said).toMatch(
        new RegExp(`HTTP ${code} and a page: a check before the handler has probably refused it`),
      )
      expect(said).toMatch(new RegExp(` in ${framework}[,.]`))
      expect(said).not.toContain('MERCHANT_WEBHOOK_SECRET')
    },
  )

  test('a webhook that refuses with a page as its handler, with 401, has another secret', async () => {
    const page = '<!doctype html><title>401 Unauthorized</title>'
    expect(await post(() => new Response(page, { status: 401 }))).toContain('another MERCHANT_WEBHOOK_SECRET')
  })

  test.each<[RegExp, () => FetchAnswer | Promise<FetchAnswer>]>([
    [/did not respond within 15 seconds. Answer first, and .*\. \(no answer\)$/, () => new Promise(() => {})],
    [
      /responds with HTTP 200, but does not end within 15 seconds. Answer first, .*\.$/,
      () => new Response(new ReadableStream()),
    ],
    [
      /responds with HTTP 500, but does not end within 15 seconds: its log says why\.$/,
      () => new Response(new ReadableStream(), { status: 500 }),
    ],
    [
      /responds with HTTP 200, but the answer cannot be read \(cut off\)\.$/,
      () => new Response(new ReadableStream({ pull: () => Promise.reject(new Error('cut off')) })),
    ],
    [
      /cannot be reached at \S+ \(fetch failed\)\. \(no answer\)$/,
      () => Promise.reject(new TypeError('fetch failed')),
    ],
    [
      /responds with HTTP 200 and more than 64 kB\. An event that is handled .*\.$/,
      () => new Response('-'.repeat(64_001)),
    ],
    [
      /responds with HTTP 500 and more than 64 kB: its log says why\.$/,
      () => new Response('-'.repeat(64_001), { status: 500 }),
    ],
  ])('a webhook without a complete response does not accept the event: %s', async (why, answer) => {
    expect(await post(answer)).toMatch(why)
  })

  test.each([
    '',
    ' \r\n',
    'ok',
    'OK\n',
    '\ufeffOK',
    'Created',
    'Webhook Handled',
    'Thanks, that was evt_1!',
    'Reçu, merci.',
    '1',
    'null',
    '"<received>"',
    '{"ok":true}',
    '\ufeff{\n  "received": true\n}\n',
  ])('a webhook that responds with %j and HTTP 200 accepts the event', async (text) => {
    const headers = { 'content-type': 'text/html; charset=UTF-8' }
    expect(await post(() => new Response(text, { headers }))).toBe('taken')
  })

  test.each([
    ['a page', '<!DOCTYPE html><title>Shop</title>'],
    ['a page behind blanks', `${' '.repeat(1_100)}<html lang="en"><title>Sign in</title>`],
    ['a page behind a comment', '<!-- cached --><!doctype html><title>Sign in</title>'],
    ['a page behind a declaration', '<?xml version="1.0"?><!DOCTYPE html><title>Sign in</title>'],
    ['a page without a beginning', '<title>Sign in</title><form method=post>'],
    ['a challenge', '<script>location="/login"</script>'],
    ['a page in UTF-16', Buffer.from('\ufeff<!doctype html><title>Sign in</title>', 'utf16le')],
    ['markup after a word', 'OK <html>'],
    ['a fatal error', '<br />\n<b>Fatal error</b>:  Uncaught PDOException in /shop/events.php'],
    ['a warning alone', '<br />\n<b>Warning</b>:  Undefined array key in /shop/events.php'],
    ['a fatal error after a warning', '<br />\n<b>Warning</b>: x<br />\n<br />\n<b>Fatal error</b>: y'],
    ['a fatal error as text', 'PHP Fatal error:  Uncaught PDOException in /shop/events.php'],
    ['a fatal error as text after a notice', '\nNotice: x in y on line 1\n\nFatal error: Uncaught z'],
    ['a fatal error after JSON', '{"ok":true}<br />\n<b>Fatal error</b>: Uncaught PDOException'],
    ['a table of Xdebug', "<br />\n<font size='1'><table class='xdebug-error'><tr><th>( ! ) Fatal error"],
    ['a traceback', 'Traceback (most recent call last):\n  File "events.py"'],
    ['an exception in one line', 'Uncaught Exception: no database'],
    ['JSON that breaks off', '{"ok":tr'],
    ['two lines', 'OK\nOK'],
    ['a long line', 'ok '.repeat(34)],
  ])('a webhook that responds with %s and HTTP 200 does not accept the event', async (_, body) => {
    expect(await post(() => new Response(body))).toMatch(
      /responded with HTTP 200 and a body that accepts nothing: .* display_errors=Off/,
    )
  })
})

describe('a handler in the same process', () => {
  const handle = (onEvent: OnEvent) => delivered((clock) => deliverToHandler(onEvent, clock)(EVENT))

  test('a handler in the same process gets the event with its id', async () => {
    const heard: unknown[] = []
    expect(await handle((event) => void heard.push(event))).toBe('taken')
    expect(heard).toEqual([{ id: 'evt_1', trace_id: TRACE_ID, ...JSON.parse(BODY) }])
  })

  test('a handler in the same process that throws, rejects or hangs did not accept the event', async () => {
    const fail = () => {
      throw new Error('No room for it.')
    }

    expect(await handle(fail)).toBe('No room for it.')
    expect(await handle(async () => fail())).toBe('No room for it.')
    expect(await handle(() => new Promise(() => {}))).toMatch(
      /did not return within 30 seconds\. \(no answer\)$/,
    )
  })
})

test('after an outage of eight days, old events are given up and new ones delivered', async () => {
  const { shop, begun } = await shopWithCheckout()
  shop.network.reliability.merchant = DOWN
  await shop.pay(begun, 'approve')
  // An event is given up after 170 failures, and not within five days.
  await shop.later(60 * 60_000)
  shop.bffClock.aheadMs = 8 * DAY
  await shop.later(60_000)
  expect(shop.logged.filter(({ message }) => message.includes('given up'))).toHaveLength(1)
  shop.network.reliability.merchant = RELIABLE
  await shop.pay(begun, 'refund')
  // The worker sleeps for a day, because nothing was due when the clock jumped.
  await shop.later(DAY)
  expect(shop.types()).toEqual(['checkout.refunded'])
})

test('what was refused first in an outage follows the first event that is accepted', async () => {
  let isAway = false
  const shop = await createWorld({ backend: () => new Response(null, { status: isAway ? 500 : 204 }) })

  const pay = async (order: string) => {
    shop.order(order)
    await shop.pay(await shop.start(order), 'approve')
    await shop.later(5_000)
  }

  await pay('A-1')
  isAway = true
  await pay('A-2')
  await shop.later(170 * 60_000)
  isAway = false
  await pay('A-3')
  await shop.later(30_000)
  expect(shop.delivered.map(({ data }) => data.order)).toEqual(expect.arrayContaining(['A-1', 'A-2', 'A-3']))
})

const NOW = Date.UTC(2026, 10, 21, 9)
const SECRET = secret('new')
const OLD = secret('old')
const clock = { now: () => NOW }

function signed(body = BODY, secret = SECRET, at = NOW): Record<string, string> {
  return {
    'Webhook-Id': 'evt_1',
    'webhook-timestamp': String(at / 1000),
    'webhook-signature': `v1,other ${new Webhook(secret).sign('evt_1', new Date(at), body)}`,
    traceparent: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`,
  }
}

/** Signs as anybody can who guesses the secret, of any length. */
function forged(secret: string): Record<string, string> {
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64')
  const signature = createHmac('sha256', key)
    .update(`evt_1.${NOW / 1000}.${BODY}`)
    .digest('base64')
  return { ...signed(), 'webhook-signature': `v1,${signature}` }
}

test('a webhook of this server is its event', () => {
  const event = { ...JSON.parse(BODY), id: 'evt_1', trace_id: 'a'.repeat(32) }
  for (const body of [BODY, Buffer.from(BODY)]) {
    for (const headers of [signed(), new Headers(signed())]) {
      expect(verifyWebhook({ body, headers, secret: SECRET, clock })).toEqual(event)
    }
  }

  const rotated = { body: BODY, headers: signed(BODY, OLD), secret: [SECRET, OLD], clock }
  expect(verifyWebhook(rotated)).toEqual(event)
})

test.each([
  ['another secret', { headers: signed(BODY, OLD) }, /signature/],
  ['another body', { body: BODY.replace('Ä-1', 'A-2') }, /signature/],
  ['an old time', { headers: signed(BODY, SECRET, NOW - 301_000) }, /five minutes/],
  ['a later time', { headers: signed(BODY, SECRET, NOW + 301_000) }, /five minutes/],
  ['no time', { headers: { ...signed(), 'webhook-timestamp': '' } }, /are required/],
  ['a body that is no event', { body: '[]', headers: signed('[]') }, /not an event/],
])('a webhook with %s is refused', (_, changed, message) => {
  const verify = () => verifyWebhook({ body: BODY, headers: signed(), secret: SECRET, clock, ...changed })
  expect(verify).toThrow(WebhookError)
  expect(verify).toThrow(message)
})

test.each(['whsec_', 'undefined', 'whsec_changeme', `whsec_${Buffer.alloc(23).toString('base64')}`])(
  'a webhook that is signed with the guessable secret %s is refused',
  (secret) => {
    const verify = () => verifyWebhook({ body: BODY, headers: forged(secret), secret, clock })
    expect(verify).toThrow(new WebhookError('The secret has fewer than 24 bytes, so anybody could sign.'))
  },
)

test('an outage of an hour costs no event, however often it was tried', async () => {
  const { shop, begun } = await shopWithCheckout()
  shop.network.reliability.merchant = DOWN
  await shop.pay(begun, 'approve')
  await shop.later(HOUR)
  expect(shop.logged.filter(({ message }) => message.includes('given up'))).toEqual([])
  shop.network.reliability.merchant = RELIABLE
  await shop.later(HOUR)
  expect(shop.types()).toEqual(['checkout.paid'])
})
