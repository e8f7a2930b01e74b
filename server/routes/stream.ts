/**
 * `GET /checkout/status/{checkout_id}/stream`: the view as server-sent events, whenever it changes.
 *
 * `id:` is the view's version, so a page that reconnects with Last-Event-ID is not told again what it knows.
 */

import type { Clock } from '../clock.ts'
import type { Store, Transaction } from '../store.ts'
import type { Door } from '../transactions/door.ts'
import { Hono } from 'hono'
import { readCheckout } from '../checkouts/record.ts'
import { freshForMs } from '../checkouts/schedule.ts'
import { viewOf } from '../checkouts/view.ts'
import { follow } from '../transactions/live.ts'
import { ProblemError } from './problem.ts'

export interface StreamRoutes {
  store: Store
  door: Door
  clock: Clock
}

const MOST_STREAMS = 2_000
/** Proxies cut what is silent; a page notices a dead stream by the missing beat. */
const HEARTBEAT_MS = 15_000
/** A stream ends after this, and a page that still watches opens another. */
const LONGEST_STREAM_MS = 15 * 60_000

export function streamRoutes({ store, door, clock }: StreamRoutes): Hono {
  const app = new Hono()
  let open = 0

  app.get('/status/:checkout_id/stream', async (c) => {
    const id = c.req.param('checkout_id')
    if (!(await store.find(id))) throw new ProblemError('unknown_checkout', 'No checkout has this id.')
    if (open >= MOST_STREAMS) {
      throw new ProblemError('too_many_streams', 'Ask for the status instead, as Retry-After says.')
    }
    open += 1
    const known = Number(c.req.header('last-event-id') ?? 0)
    const over = new AbortController()
    const pauseMs = (row: Transaction) => freshForMs(readCheckout(row), clock.now())

    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        const encoder = new TextEncoder()
        const write = (text: string) => controller.enqueue(encoder.encode(text))
        const show = (row: Transaction) => {
          const view = viewOf(readCheckout(row), clock.now())
          if (view.version > known) {
            write(`event: status\nid: ${view.version}\ndata: ${JSON.stringify(view)}\n\n`)
          }
          if (view.settled) over.abort()
        }
        write('retry: 2000\n\n')
        void follow({ store, clock, door, pauseMs }, id, show, over.signal)
        void beat(clock, over.signal, () => write(': \n\n'))
        void clock.sleep(LONGEST_STREAM_MS, over.signal).then(
          () => over.abort(),
          () => {},
        )
        over.signal.addEventListener('abort', () => {
          open -= 1
          controller.close()
        })
      },
      cancel: () => over.abort(),
    })
    return c.body(body, 200, {
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-cache, no-transform',
      'x-accel-buffering': 'no',
    })
  })

  return app
}

async function beat(clock: Clock, signal: AbortSignal, write: () => void): Promise<void> {
  while (!signal.aborted) {
    await clock.sleep(HEARTBEAT_MS, signal).catch(() => {})
    if (!signal.aborted) write()
  }
}
