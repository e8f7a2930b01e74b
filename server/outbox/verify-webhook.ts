/** Verifies a webhook in the merchant's backend: whether this server has sent it, and recently. */

import { createHmac, timingSafeEqual } from 'node:crypto'
import { z } from 'zod'

import { parseJson } from '../contract/parse.ts'
import { readTraceId, TRACEPARENT } from '../http/exchange.ts'
import { systemClock } from '../work/clock.ts'

import type { Clock } from '../work/clock.ts'
import type { MerchantEvent } from './handler.ts'

/** The largest difference between the time of the delivery and the time of the verification, in milliseconds. */
export const TOLERANCE_MS = 5 * 60_000

export interface WebhookToVerify {
  /** The body exactly as it arrived: text or bytes, never parsed JSON. */
  body: string | Uint8Array
  /** The headers of the request: those of Node, or of the Fetch API. */
  headers: Headers | Readonly<Record<string, string | string[] | undefined>>
  /** MERCHANT_WEBHOOK_SECRET. During rotation, the new and the previous secret. */
  secret: string | readonly string[]
  /** Default: the system clock. */
  clock?: Pick<Clock, 'now'>
}

/** Thrown by {@link verifyWebhook}. Answer the request with 401. */
export class WebhookError extends Error {
  override readonly name = 'WebhookError'
  readonly code = 'webhook_invalid'
}

/** Only the frame of an event, because a newer server may send types and fields that this version does not know. */
const Event = z.custom<MerchantEvent>(
  (value) =>
    z.object({ type: z.string(), timestamp: z.string(), data: z.looseObject({}) }).safeParse(value).success,
)

/**
 * Returns the event of a webhook that this server has signed (Standard Webhooks). Handle each event `id` once.
 *
 * @throws {WebhookError} if the signature is wrong, the webhook is older than five minutes, or a header is missing.
 * @example
 * const event = verifyWebhook({ body: await request.text(), headers: request.headers, secret })
 */
export function verifyWebhook({
  body,
  headers,
  secret,
  clock = systemClock,
}: WebhookToVerify): MerchantEvent {
  const id = headerOf(headers, 'webhook-id')
  const time = headerOf(headers, 'webhook-timestamp')
  const signatures = headerOf(headers, 'webhook-signature')
  if (!id || !time || !signatures) {
    throw new WebhookError('webhook-id, webhook-timestamp and webhook-signature are required.')
  }
  const isTime = /^\d{1,12}$/.test(time)
  if (!isTime || Math.abs(clock.now() - Number(time) * 1000) > TOLERANCE_MS) {
    throw new WebhookError('The webhook was sent more than five minutes ago, or the clocks differ.')
  }

  const text = typeof body === 'string' ? body : new TextDecoder().decode(body)
  const received = signatures.split(' ')
  const expected = [secret].flat().map((each) => signatureOf(each, `${id}.${time}.${text}`))
  const isSigned = expected.some((signature) => received.some((each) => isEqual(signature, each)))
  if (!isSigned) {
    throw new WebhookError('The signature is not that of MERCHANT_WEBHOOK_SECRET.')
  }

  const { success, data } = Event.safeParse(parseJson(text))
  if (!success) {
    throw new WebhookError('The body is not an event.')
  }
  return { ...data, id, trace_id: readTraceId(headerOf(headers, TRACEPARENT)) }
}

function headerOf(headers: WebhookToVerify['headers'], name: string): string | undefined {
  if (headers instanceof Headers) {
    return headers.get(name) ?? undefined
  }

  const value = Object.entries(headers).find(([each]) => each.toLowerCase() === name)?.[1]
  return typeof value === 'string' ? value : value?.[0]
}

function signatureOf(secret: string, content: string): string {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
  // Standard Webhooks asks for 24 bytes or more. Text that is no base64, such as "undefined", decodes to few bytes.
  if (key.length < 24) {
    throw new WebhookError('The secret has fewer than 24 bytes, so anybody could sign.')
  }
  return `v1,${createHmac('sha256', key).update(content).digest('base64')}`
}

function isEqual(one: string, other: string): boolean {
  const first = Buffer.from(one)
  const second = Buffer.from(other)
  return first.length === second.length && timingSafeEqual(first, second)
}
