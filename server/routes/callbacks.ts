/** `POST /callbacks/{checkout|payouts|b2b|airtime}/{token}`. [spec: Events] */

import type { Receive } from '../callbacks/receive.ts'
import { Hono } from 'hono'
import { readText } from '../exchange.ts'
import { parseJson } from '../json.ts'
import { ProblemError } from './problem.ts'
import { isSameSecret } from './secret.ts'

const MAX_HINT_BYTES = 32_000

interface CallbackRoutes {
  /** By the part of the address that names the chapter of the spec. */
  receive: Readonly<Record<string, Receive>>
  /** `user:password`, when the gateway was told to send them. */
  basicAuth: readonly string[] | null
}

export function callbackRoutes({ receive, basicAuth }: CallbackRoutes): Hono {
  const app = new Hono()
  const expected = basicAuth?.map((pair) => `Basic ${Buffer.from(pair).toString('base64')}`)

  app.post('/:chapter/:token', async (c) => {
    // [assumed] An older generation of such gateways sent HTTP Basic credentials; the spec shows none.
    const given = c.req.header('authorization') ?? ''
    if (expected && !expected.some((one) => isSameSecret(given, one))) {
      throw new ProblemError('unauthorized', 'This callback needs the credentials registered for it.')
    }
    const { chapter, token } = c.req.param()
    const take = Object.hasOwn(receive, chapter) ? receive[chapter] : undefined
    const receipt = await take?.(token, () => readHint(c.req.raw.body))
    if (receipt === 'noted') return c.json({ received: true })
    throw new ProblemError('unknown_callback', 'No transaction has this callback address.')
  })

  return app
}

/** Whatever cannot be read hints at nothing. */
async function readHint(body: ReadableStream<Uint8Array> | null): Promise<unknown> {
  return parseJson((await readText(body, MAX_HINT_BYTES)) ?? '')
}
