/** `POST /callbacks/{checkout|payouts|b2b}/{token}`. [spec: Events] */

import type { Receipt, Receive } from '../callbacks/receive.ts'
import type { Log } from '../log.ts'
import { Hono } from 'hono'
import { readText } from '../exchange.ts'
import { ProblemError } from './problem.ts'
import { isSameSecret } from './secret.ts'

const MAX_HINT_BYTES = 32_000

export interface CallbackRoutes {
  /** By the part of the address that names the chapter of the spec. */
  receive: Readonly<Record<string, Receive>>
  /** `user:password`, when the gateway was told to send them. */
  basicAuth: readonly string[] | null
  log: Log
}

export function callbackRoutes({ receive, basicAuth, log }: CallbackRoutes): Hono {
  const app = new Hono()
  const expected = basicAuth?.map((pair) => `Basic ${Buffer.from(pair).toString('base64')}`)

  app.post('/:chapter/:token', async (c) => {
    // [assumed] An older generation of such gateways sent HTTP Basic credentials; the spec shows none.
    const given = c.req.header('authorization') ?? ''
    if (expected && !expected.some((one) => isSameSecret(given, one))) {
      throw new ProblemError('unauthorized', 'This callback needs the credentials registered for it.')
    }
    switch (await note(c.req.param('chapter'), c.req.param('token'), () => readHint(c.req.raw.body))) {
      case 'noted':
        return c.json({ received: true })
      case 'unknown':
        throw new ProblemError('unknown_callback', 'No transaction has this callback address.')
    }
  })

  return app

  async function note(chapter: string, token: string, readBody: () => Promise<unknown>): Promise<Receipt> {
    try {
      return Object.hasOwn(receive, chapter)
        ? ((await receive[chapter]?.(token, readBody)) ?? 'unknown')
        : 'unknown'
    } catch (error) {
      log.error({ err: error }, 'A callback could not be noted.')
      throw new ProblemError('store_unavailable', 'The callback could not be noted. Deliver it again.')
    }
  }
}

/** Whatever cannot be read hints at nothing. */
async function readHint(body: ReadableStream<Uint8Array> | null): Promise<unknown> {
  const text = await readText(body, MAX_HINT_BYTES)
  try {
    return JSON.parse(text ?? '')
  } catch {
    return undefined
  }
}
