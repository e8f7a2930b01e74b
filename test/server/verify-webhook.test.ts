import { verifyWebhook, WebhookError } from '../../server/outbox/verify-webhook.ts'
import { createHmac } from 'node:crypto'
import { Webhook } from 'standardwebhooks'
import { expect, test } from 'vitest'

const NOW = Date.UTC(2026, 10, 21, 9)
const secretOf = (text: string) => `whsec_${Buffer.from(text.padEnd(32)).toString('base64')}`
const [SECRET, OLD] = [secretOf('new'), secretOf('old')]
const BODY = '{"type":"checkout.paid","timestamp":"2026-11-21T09:00:00.000Z","data":{"order":"Ä-1"}}'
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
  for (const body of [BODY, Buffer.from(BODY)])
    for (const headers of [signed(), new Headers(signed())])
      expect(verifyWebhook({ body, headers, secret: SECRET, clock })).toEqual(event)
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
