/**
 * Declares `/callbacks/{chapter}/{token}`, which receives the gateway's callbacks, and answers tests of their addresses.
 * `chapter` is what the callback is about, for example `payouts`. `token` is the secret part of the callback's URL
 * (`transactions/callback-address.ts`); `transactions/callbacks.ts` then looks up what the callback is about. [spec: Events]
 */

import { z } from 'zod'

import { refuse, refuseWithReason } from '../api/refusal.ts'
import { field, text } from '../contract/openapi-field.ts'
import { parseJson, withLongNumbersAsText } from '../contract/parse.ts'
import { firstCharacters } from '../contract/text.ts'
import { ProblemError } from './problem.ts'
import { readWholeText } from './request-body.ts'
import { json, route } from './route.ts'

import type { Refusal } from '../api/refusal.ts'
import type { NotStored } from '../transactions/callbacks.ts'
import type { Needs } from './route.ts'
import type { Context, Hono } from 'hono'

export function declareCallbacks(
  app: Hono,
  deps: Needs<'config' | 'callbacks' | 'clock' | 'limiter' | 'clientNetwork'>,
): void {
  const { callbackBasicAuth: pairs } = deps.config
  const params = z.object({
    chapter: text('What the callback is about.').meta({ enum: deps.callbacks.chapters }),
    token: text(
      'The unguessable part of the callback_url, or of the address in the merchant portal.',
      '7f9c2ba4-e88f-427d-9161-9b2b4a5c1e07.pZ0R4uXbTn2vM8kQwY6sLg',
    ),
  })

  route(app, 'POST', '/callbacks/:chapter/:token', {
    id: 'receiveCallback',
    tag: 'Callbacks',
    summary: 'Receive a callback of the gateway',
    description:
      'The body changes no state: the specification shows no signature, so the gateway is queried. Any body of at most 1,000,000 bytes is accepted, and a repeated callback does no harm.',
    params,
    answers: [json(200, 'The callback is stored.', Received)],
    problems: [
      'unauthorized',
      'unknown_callback',
      'too_large',
      'invalid_request',
      'store_unavailable',
      'too_many_requests',
    ],
    handle: async ({ c, params: { chapter, token } }) => {
      checkCredentials(c)
      const readBody = async () =>
        parseJson(withLongNumbersAsText(await readWholeText(c, deps.clock, MAX_BODY_BYTES)))
      const result = await deps.callbacks.receive(chapter, token, readBody)
      if (result === 'accepted') {
        return c.json(RECEIVED)
      }
      // The address of what is not stored is right: the gateway may have sent it.
      throw result === 'forged' ? forged(c, UNKNOWN) : new ProblemError(refuseNotStored(result))
    },
  })

  // [assumed] A merchant portal may test an address before it registers it.
  for (const [method, id] of [
    ['GET', 'testCallbackAddress'],
    ['OPTIONS', 'testCallbackAddressByOptions'],
  ] as const) {
    route(app, method, '/callbacks/:chapter/:token', {
      id,
      tag: 'Callbacks',
      summary: 'Test the address of a callback',
      description: 'Judged like a callback, without reading a body or changing anything.',
      params,
      answers: [{ status: 200, description: 'Callbacks to this address are accepted. Without a body.' }],
      problems: ['unauthorized', 'unknown_callback', 'store_unavailable', 'too_many_requests'],
      handle: ({ c, params: { chapter, token } }) => {
        checkCredentials(c)
        if (!deps.callbacks.isAddress(chapter, token)) {
          throw forged(c, UNKNOWN)
        }
        return c.body(null, 200, { allow: 'GET, HEAD, OPTIONS, POST', 'cache-control': 'no-store' })
      },
    })
  }

  function checkCredentials(c: Context): void {
    if (pairs && !pairs.some((pair) => pair.equals(basicCredentialsOf(c)))) {
      // Some clients send credentials only when they are asked for them.
      c.header('www-authenticate', 'Basic')
      throw forged(c, refuse('unauthorized', 'This callback needs the credentials registered for it.'))
    }
  }

  /**
   * Returns the problem of a callback that the gateway has not sent: the refusal, or `too_many_requests` after too many
   * such callbacks from the same network. Genuine callbacks are never limited.
   */
  function forged(c: Context, refusal: Refusal): ProblemError {
    return new ProblemError(deps.limiter.take('callbacks', deps.clientNetwork(c)) ?? refusal)
  }
}

const UNKNOWN = refuse('unknown_callback', 'No transaction has this callback address.')
/**
 * The maximum number of bytes of a callback to a registered address, as of the answer to a status query. What is larger,
 * or not whole, is refused, so that the gateway delivers it again: only its body names the transaction.
 */
const MAX_BODY_BYTES = 1_000_000
/** The maximum number of characters of a reference in the log. */
const MAX_CHARACTERS = 100

/** Money that comes after a record was deleted must not vanish silently: the log has what names each transaction. */
function refuseNotStored(missing: readonly NotStored[]): Refusal {
  const names = missing.map(nameOf).join(', ')
  return refuseWithReason(
    UNKNOWN.code,
    UNKNOWN.detail,
    `The gateway called back about a transaction that is not stored (${names}): it was deleted after RETENTION_DAYS, the store was restored, or another program sent it. Look it up in the portal of the gateway: there may be money.`,
  )
}

function nameOf({ reference, charge_request_id }: NotStored): string {
  const name = `reference ${JSON.stringify(firstCharacters(reference, MAX_CHARACTERS))}`
  return charge_request_id === null ? name : `${name}, charge_request_id ${charge_request_id}`
}

/**
 * Returns the `user:password` pair of a request. [assumed] Some gateways send HTTP Basic credentials with callbacks;
 * the specification shows none.
 */
function basicCredentialsOf(c: Context): string {
  const encoded = /^basic +(.+)$/i.exec(c.req.header('authorization') ?? '')?.[1]
  return Buffer.from(encoded ?? '', 'base64').toString()
}

/**
 * The answer to a callback. The gateway reads only the status 200. [assumed] Gateways of an older generation read
 * `acknowledgement_code`, where 900 means accepted.
 */
const RECEIVED = { received: true, acknowledgement_code: '900' } as const

const Received = z
  .object({
    received: field(z.literal(true), 'The callback is stored.'),
    acknowledgement_code: field(
      z.literal('900'),
      'Accepted, for gateways of an older generation, which do not read the HTTP status.',
    ),
  })
  .meta({ id: 'ReceivedCallback', description: 'The answer to a callback.' })
