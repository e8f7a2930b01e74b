import { createTimeline } from '../../demo/sandbox/index.ts'
import { readConfig } from '../../server/config/config.ts'
import { createApp } from '../../server/every-feature.ts'
import { accountOf } from '../../server/store/merchant.ts'
import { openStore } from '../../server/store/open.ts'
import { createPortalAddress } from '../../server/transactions/callback-address.ts'
import { routes } from '../support/described.ts'
import { createSeededRandom } from '../support/seeded-random.ts'
import { API_KEY, BFF, ENVIRONMENT, SHOP } from '../support/worlds/environment.ts'
import { posted } from '../support/worlds/sandbox-line.ts'
import { PAYER, START } from '../support/worlds/world.ts'
import { ORDER, answersTo, hostileAnswer, reply } from './gateway-answers.ts'
import { jsonNear } from './json.ts'

import type { CheckoutView } from '../../server/api/view.ts'
import type { FetchAnswer, FetchInit } from '../../server/http/exchange.ts'
import type { Movement } from '../../server/store/movements.ts'
import type { Transaction } from '../../server/store/transactions.ts'
import type { Clock } from '../../server/work/clock.ts'

export type InstantServer = ReturnType<typeof openInstantServer>

/** The turns of the event loop that a request may take before time moves, and before the request counts as hanging. */
const STEP_MS = 500
const TURNS = { patience: 12, most: 100_000 }

/**
 * Opens a server whose gateway answers at once: as the specification says, or in a hostile way. Time moves only while a
 * request waits.
 */
export function openInstantServer() {
  const timeline = createTimeline({ wall: null, start: START })
  let sleeping = 0
  const clock: Clock = {
    now: () => timeline.now(),
    sleep(ms, signal) {
      sleeping += 1
      return timeline.sleep(ms, signal).finally(() => (sleeping -= 1))
    },
  }
  const config = readConfig({
    ...ENVIRONMENT,
    TIME_ZONE: 'Africa/Nairobi',
    TRUSTED_PROXIES: '127.0.0.1',
    RETURN_URLS: SHOP,
  })
  const store = openStore('sqlite::memory:')
  /** The exceptions that were logged. */
  const logged: string[] = []
  const portal = ['payouts', 'charges', 'airtime'] as const
  const tokens = portal.map((chapter) => createPortalAddress(chapter, config).url.split('/').at(-1) ?? '')
  let luck = createSeededRandom(0)
  let isHostile = false
  const app = createApp({
    config,
    store,
    clock,
    randomness: createSeededRandom(1, 'instant server'),
    fetch: answer,
    orders: findOrder,
    log: {
      debug: () => {},
      info: () => {},
      warn: () => {},
      // Without an exception, an error asks for a person: this gateway may contradict itself for days.
      error(facts, text) {
        const { err } = Object(facts)
        if (err !== undefined) {
          logged.push(`${text} ${String(Object(err).stack)}`)
        }
      },
    },
  })

  function answer(url: string, { method, body }: FetchInit): FetchAnswer {
    const [, token] = /\/callbacks\/\w+\/([^"]+)"/.exec(body ?? '') ?? []
    if (!isHostile && token) {
      tokens.push(decodeURIComponent(token))
    }

    const answers = answersTo(method, new URL(url), body, clock.now())
    return isHostile ? hostileAnswer(luck, answers) : reply(200, JSON.stringify(answers[0]))
  }

  function findOrder(order: string) {
    if (order.startsWith('nobody')) {
      return null
    }

    const found = { ...ORDER, order }
    return !isHostile || luck.happens(0.7) ? found : JSON.parse(orNull(jsonNear(luck, { examples: [found] })))
  }

  return {
    app,
    logged,
    store,
    account: accountOf(config),
    /** The tokens of callback addresses that the gateway was given before it turned hostile. */
    tokens,
    /** Makes the gateway and the merchant's function for orders answer in a hostile way from now on. */
    turnHostile: () => void (isHostile = true),

    /** Resolves with what `work` resolves with, and moves time while it waits. */
    async wait<Result>(seed: number, work: () => Result | Promise<Result>): Promise<Result> {
      luck = createSeededRandom(seed, 'luck')
      await timeline.advance(luck.between(0, 5_000))
      let isOver = false
      const over = () => void (isOver = true)
      const working = Promise.resolve(work())
      working.then(over, over)
      for (let turn = 1; !isOver; turn++) {
        if (turn > TURNS.most) {
          throw new Error('The request hangs.')
        }

        await new Promise((resolve) => setImmediate(resolve))
        if (!isOver && turn % TURNS.patience === 0) {
          await timeline.advance(STEP_MS)
        }
      }

      return working
    },
    /** Closes the store. Throws if the server still waits for something. */
    async close(): Promise<void> {
      for (let turn = 0; turn < TURNS.patience; turn++) {
        await timeline.advance(600_000)
      }

      await store.close()
      if (sleeping > 0) {
        throw new Error('The server keeps a timer.')
      }
    },
  }
}

function orNull(text: string): string {
  try {
    JSON.parse(text)
    return text
  } catch {
    return 'null'
  }
}

/** The routes that create a transaction or a link of the API, with their examples. */
export const BEGUN = routes.flatMap(({ path, body, needsKey }) =>
  body && needsKey && !path.includes(':') ? [{ path, example: body.example }] : [],
)
export const ORDERS = ['A-1', 'A-2', 'nobody']
/** The reference of a stored checkout. */
export const KNOWN = 'known'

/** Opens a server with a transaction of each kind. After that, its gateway turns hostile. */
export async function openStockedServer() {
  const server = openInstantServer()
  for (const { path, example } of BEGUN) {
    await ask(server, path, example)
    const [reference] = referencesIn(example)
    // A link has none.
    if (reference !== undefined) {
      await ask(server, `${path.replace(/\/(imt|b2b)$/, '')}/${reference}`)
    }
  }

  const views: CheckoutView[] = []
  for (const order of ORDERS.slice(0, 2)) {
    views.push(await ask(server, '/checkout/initiate', { order, ...PAYER }))
  }

  await alarm(server)
  const { items } = await ask(server, '/api/events')
  const events: { id: string }[] = items
  const links: { id: string }[] = (await ask(server, '/api/links')).items
  const names = await Promise.all(links.map(({ id }) => nameOf(server, id)))
  server.turnHostile()
  return { server, views, events, links, names }
}

/** Resolves with the name of the order that the page of a link carries. */
async function nameOf({ app }: InstantServer, id: string): Promise<string> {
  const page = await (await app.request(`${BFF}/link/${id}`, { headers: { accept: 'text/html' } })).text()
  const [, name = ''] = /name="order" value="([^"]+)"/.exec(page) ?? []
  return name
}

/** A movement of money, by which the row is found. */
const PAID: Movement = {
  part: '',
  moved: 'paid',
  at: START,
  amount: '100',
  currency: 'KES',
  service: 'CHECKOUT',
  operator: 'MOMO_KEN',
  receipt: 'SKL4XR7M2P',
  isFound: true,
  phone: null,
  ends: null,
  key: null,
}

/** Lets a person have to look at what was stored, so that it can be resolved. */
async function alarm(server: InstantServer): Promise<void> {
  const looked = { alarm: { why: 'A person has to look.', until: 'returned' } }
  for (const row of await rowsOf(server)) {
    const { revision, version: _, requested_revision: __, ...kept } = row
    const { id, kind, group, updated_at, record } = kept
    const { recipients = null, ...stored } = Object(record)
    const alarmed = recipients
      ? { ...stored, recipients: recipients.map((recipient: object) => ({ ...recipient, ...looked })) }
      : { ...stored, ...looked }
    await server.store.commit(id, revision, { at: updated_at, record: alarmed, movements: [PAID] })
    // The reference of a checkout is made of the store's random number, so a copy has one that is known.
    if (kind === 'checkout' && group === ORDERS[0]) {
      await server.store.insert({ ...kept, id: `${id}-known`, reference: KNOWN, attempt: 9, record: alarmed })
    }
  }
}

/** Resolves with the rows that the server has stored. */
export async function rowsOf({ store, account }: InstantServer): Promise<Transaction[]> {
  const kinds = ['checkout', 'payout', 'charge', 'airtime'] as const
  return (await Promise.all(kinds.map((kind) => store.search(account, kind, { limit: 100 })))).flat()
}

export function referencesIn(example: object): string[] {
  return Object.entries(example).flatMap(([name, value]) =>
    name.endsWith('reference') ? [String(value)] : [],
  )
}

function ask(server: InstantServer, path: string, body?: object) {
  const headers = { accept: 'application/json', authorization: `Bearer ${API_KEY}` }
  const init = body ? posted(body, headers) : { headers }
  return server.wait(1, async () => {
    const response = await server.app.request(`${BFF}${path}`, init)
    if (!response.ok) {
      throw new Error(`${path}: ${await response.text()}`)
    }
    return response.json()
  })
}
