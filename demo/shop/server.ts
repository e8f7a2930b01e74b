// The server of the demo shop: its pages, and the backend that the payment server notifies.

import { ENGLISH, loadWords } from 'gateway-checkout/words'
import { Hono } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { getCookie, setCookie } from 'hono/cookie'
import { NONCE, secureHeaders } from 'hono/secure-headers'
import { streamSSE } from 'hono/streaming'
import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'

import { verifyWebhook, WebhookError } from '../../server/index.ts'
import { createFulfilment } from './fulfilment.ts'
import { orderPage, orderReference, priceOf } from './goods.ts'
import { renderPlayground } from './playground.tsx'
import { addressOf, readSettings } from './settings.ts'
import { renderNotFound, renderStorefront } from './storefront.tsx'
import { PLAYGROUND, STOREFRONT } from './style.ts'

import type { SecureHeadersVariables } from 'hono/secure-headers'

export interface ShopOptions {
  /** The origin of the payment server. */
  bff: string
  /** The secret that signs events: `whsec_`, followed by base64. */
  webhookSecret: string
  /** The folder of the built scripts. */
  assets: URL
  clock: { now(): number }
  /** Asks the payment server. Default: the global `fetch`. */
  fetch?: (url: string, init: RequestInit) => Promise<Response>
  /** Makes the end of an order's reference. By default, it is random. */
  token?: () => string
}

type Env = { Variables: SecureHeadersVariables }

// A reference is the end of an address: with a hyphen there, a link in a message may lose it.
const randomToken = () => randomBytes(12).toString('hex')

const SCRIPTS = ['bench.js', 'playground.js']
const STYLES: Record<string, string> = { 'storefront.css': STOREFRONT, 'playground.css': PLAYGROUND }

/** The cookie with the settings and the order of the page that this browser has seen last. */
const LAST_ORDER = 'last-order'

const LARGEST_NOTIFICATION_BYTES = 64 * 1024

export function createShop(options: ShopOptions): Hono<Env> {
  const { bff, webhookSecret, assets, clock, fetch = globalThis.fetch, token = randomToken } = options
  const fulfilment = createFulfilment()
  const shop = new Hono<Env>()

  shop.use(headersFor(bff))

  shop.get('/', async (c) => {
    const { search, searchParams } = new URL(c.req.url)
    // Without scripts, a shopper returns from a payment to "/": to the order that may be paid, not to a new one.
    const query = search === '' ? new URLSearchParams(getCookie(c, LAST_ORDER)) : searchParams
    const settings = readSettings(query)
    const order = query.get('order') ?? ''
    if (priceOf(order) !== String(settings.amount)) {
      return c.redirect(addressOf(settings, orderReference(settings.amount, token())), 303)
    }
    if (search === '') {
      return c.redirect(addressOf(settings, order), 303)
    }

    setCookie(c, LAST_ORDER, addressOf(settings, order).slice('/?'.length), {
      httpOnly: true,
      sameSite: 'Lax',
    })
    c.header('Cache-Control', 'no-cache')
    const words = (await loadWords(settings.lang)) ?? ENGLISH
    const isPaid = fulfilment.orders().some((each) => each.order === order && each.standing === 'fulfilled')
    const isStartable = !isPaid && (await maySell(orderPage(bff, order), fetch))
    const nonce = c.get('secureHeadersNonce') ?? ''
    return c.html(renderStorefront({ bff, order, isPaid, isStartable, settings, words, nonce }))
  })

  shop.get('/playground', (c) => c.html(renderPlayground({ bff }), 200, { 'Cache-Control': 'no-cache' }))

  shop.get('/assets/:name', async (c) => {
    const name = c.req.param('name')
    const style = STYLES[name]
    if (style === undefined && !SCRIPTS.includes(name)) {
      return c.notFound()
    }

    const type = `text/${style === undefined ? 'javascript' : 'css'}; charset=utf-8`
    return c.body(style ?? (await readFile(new URL(name, assets), 'utf8')), 200, { 'Content-Type': type })
  })

  shop.post('/webhooks', bodyLimit({ maxSize: LARGEST_NOTIFICATION_BYTES }), async (c) => {
    const webhook = { body: await c.req.text(), headers: c.req.raw.headers, secret: webhookSecret, clock }
    try {
      fulfilment.apply(verifyWebhook(webhook))
      return c.body(null, 204)
    } catch (error) {
      if (error instanceof WebhookError) {
        return c.text(error.message, 401)
      }
      throw error
    }
  })

  shop.notFound((c) =>
    c.req.header('accept')?.includes('text/html')
      ? c.html(renderNotFound(), 404, { 'Cache-Control': 'no-cache' })
      : c.json({ status: 404, title: 'Not found' }, 404),
  )

  shop.get('/fulfilled', (c) => c.json(fulfilment.orders()))

  shop.get('/fulfilled/stream', (c) =>
    streamSSE(c, async (stream) => {
      const write = () =>
        void stream.writeSSE({ event: 'fulfilled', data: JSON.stringify(fulfilment.orders()) })
      const unwatch = fulfilment.watch(write)
      write()
      await new Promise<void>((resolve) => stream.onAbort(resolve))
      unwatch()
    }),
  )

  return shop
}

function headersFor(bff: string) {
  return secureHeaders({
    contentSecurityPolicy: {
      defaultSrc: ["'none'"],
      scriptSrc: ["'self'", bff, NONCE],
      styleSrc: ["'self'", NONCE],
      imgSrc: ["'self'", 'data:'],
      connectSrc: ["'self'", bff],
      baseUri: ["'none'"],
      frameAncestors: ["'none'"],
    },
    // The BFF checks the Origin header of the form for browsers without scripts.
    referrerPolicy: 'strict-origin-when-cross-origin',
    // With an opener policy, the pop-up with the hosted page would look closed to the tag.
    crossOriginOpenerPolicy: false,
  })
}

/** Milliseconds until the page of the shop is shown without knowing whether the order can be started. */
const LONGEST_QUESTION_MS = 2_000

/**
 * Resolves with whether the payment server would start a payment of an order: the page of the order then has the tag,
 * and otherwise says how the payment stands. Without an answer, a start is offered: the payment server decides anyway.
 *
 * @param address The address of the page of the order.
 */
async function maySell(address: string, fetch: NonNullable<ShopOptions['fetch']>): Promise<boolean> {
  const init = { headers: { accept: 'text/html' }, signal: AbortSignal.timeout(LONGEST_QUESTION_MS) }
  try {
    return (await (await fetch(address, init)).text()).includes('<gateway-checkout')
  } catch {
    return true
  }
}
