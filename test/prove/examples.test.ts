/** The webhooks that the packages show: each passes every sequence. */

import { once } from 'node:events'
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { Agent, fetch } from 'undici'
import { beforeAll, expect, test } from 'vitest'

import { Secret } from '../../server/config/secret.ts'
import { prove } from '../../server/prove/prove.ts'
import { needsCancel } from '../../server/prove/run.ts'
import { SEQUENCES } from '../../server/prove/sequences.ts'
import { systemClock } from '../../server/work/clock.ts'
import { systemRandomness } from '../../server/work/randomness.ts'
import { run } from '../create/shop.ts'
import { installLanguages } from '../examples/languages.ts'
import { serveCgi } from '../examples/listeners.ts'
import { onPath, searchPath } from '../support/debian.ts'
import { newFolder } from '../support/folder.ts'
import { freePort } from '../support/free-port.ts'
import { SECRET } from './faulty-shop.ts'

import type { FetchInit } from '../../server/http/exchange.ts'
import type { Sequence } from '../../server/prove/sequences.ts'
import type { Clock } from '../../server/work/clock.ts'
import type { TestContext } from 'vitest'

const TIMEOUT_MS = 300_000
const LONGEST_PAUSE_MS = 1_000
const LISTENER = `
  import { createServer } from 'node:http'
  import { text } from 'node:stream/consumers'
  import { verifyWebhook } from '${resolve('server/dist/index.js')}'
  import { createOrder, onEvent } from './orders.mjs'
  const secret = process.env.MERCHANT_WEBHOOK_SECRET
  createServer(async (request, response) => {
    if (request.url === '/order') return response.writeHead(303, { location: '/order/' + createOrder() }).end()
    try {
      onEvent(verifyWebhook({ body: await text(request), headers: request.headers, secret }))
      response.writeHead(204).end()
    } catch (error) {
      response.writeHead(error.code === 'webhook_invalid' ? 401 : 500).end()
    }
  }).listen(process.env.PORT, '127.0.0.1')`

/** For each webhook, the command that starts it, and what is written into its folder. An entry is that of an order. */
const WEBHOOKS = {
  'the example in JavaScript': {
    from: 'examples/javascript',
    start: 'node webhook.mjs',
    entry: "['A-1042', { amount: '1500.00', currency: 'KES' }],",
  },
  'the example in PHP': {
    from: 'examples/php',
    start: 'php -S HOST webhook.php',
    entry: "'A-1042' => TERMS,",
  },
  'the example in Python': {
    from: 'examples/python',
    start: 'python3 webhook.py',
    entry: '"A-1042": TERMS,',
  },
  'the example in sh': { from: 'examples/curl', start: 'cgi webhook.sh', entry: 'A-1042 |' },
  'the example in Go': {
    from: 'examples/go',
    start: 'go run webhook.go',
    entry: '"A-1042": {"1500.00", "KES"},',
  },
  'the template php': { from: '../demo/create/templates/php', start: 'php -S HOST shop.php', entry: null },
  'the template python': { from: '../demo/create/templates/python', start: 'python3 shop.py', entry: null },
  'the orders of the other templates': {
    from: '../demo/create/templates/one-process',
    start: 'node listener.mjs',
    entry: null,
  },
} as const
// Go is not installed for the tests.
const NAMES = (Object.keys(WEBHOOKS) as (keyof typeof WEBHOOKS)[]).filter(
  (name) => onPath('go') || !WEBHOOKS[name].start.startsWith('go '),
)

beforeAll(installLanguages, TIMEOUT_MS)

/** A webhook closes a connection that is idle for five seconds, in which a busy machine may send the next event. */
const alone = new Agent({ pipelining: 0 })

/** The time of this clock is that of its pauses, however busy the machine is. No deadline comes. */
function createPatientClock(): Clock {
  let now = systemClock.now()
  return {
    now: () => now,
    async sleep(ms, signal) {
      if (signal && ms > LONGEST_PAUSE_MS) {
        await once(signal, 'abort')
        throw signal.reason
      }
      const at = now + ms
      await systemClock.sleep(ms, signal)
      now = Math.max(now, at)
    },
  }
}

const EVERY_FOURTH = Object.fromEntries(Object.entries(SEQUENCES).filter((_, index) => index % 4 === 0))
/** Without FULL, the program that starts twenty processes for an event gets fewer of them. */
const PROOFS = NAMES.map((name) => {
  const isSlow = name === 'the example in sh' && !process.env.FULL
  return isSlow
    ? { name, which: 'every fourth', sequences: EVERY_FOURTH }
    : { name, which: 'every', sequences: SEQUENCES }
})

test.concurrent.for(PROOFS)(
  '$name passes $which sequence',
  { timeout: TIMEOUT_MS },
  async ({ name, sequences }, context) => {
    const verdicts = await judge(name, context, { sequences })
    const hasFiles = WEBHOOKS[name].entry === null
    const sent = Object.values(sequences).filter((sequence) => hasFiles || !needsCancel(sequence))
    expect(verdicts).toHaveLength(sent.length)
    expect(verdicts.filter(({ verdict }) => verdict !== 'passed')).toEqual([])
  },
)

/** Faults of the examples: what replaces what, and the sequence that is meant for it. */
const [PHP, PYTHON] = ['the example in PHP', 'the example in Python'] as const
const FAULTS = [
  [PHP, '|| abs(time() - (int) $time) > OLDEST_SECONDS', '', 'replayed'],
  [
    PHP,
    "explode(' ', $_SERVER['HTTP_WEBHOOK_SIGNATURE'] ?? '')",
    "[$_SERVER['HTTP_WEBHOOK_SIGNATURE'] ?? '']",
    'rotated secret',
  ],
  [PHP, '"$id.$time.$body"', '"$id.$time." . json_encode(json_decode($body))', 'in pieces'],
  [PHP, "['checkout.paid', 'checkout.paid_late']", "['checkout.paid']", 'paid_late alone'],
  [PHP, 'if (keep($mark, $payment)) {', 'if (keep("$id.json", $body)) {', 'same payment, new id'],
  [PHP, 'if ($paid !== $now) {', "if ($now === 'unknown') {", 'another currency'],
  [PHP, 'ORDERS[$order] ?? null', 'ORDERS[$order] ?? $data', 'unknown order'],
  [PYTHON, ' or abs(time.time() - int(moment)) > OLDEST_SECONDS', '', 'from the future'],
  [
    PYTHON,
    'in ("checkout.paid", "checkout.paid_late")',
    'in ("checkout.paid", "checkout.paid_late", "checkout.partial")',
    'partial',
  ],
  [PYTHON, 'if keep(mark, payment.encode()):', 'if True:', 'duplicate'],
  [PYTHON, 'if paid != now:', 'if now == "unknown":', 'wrong amount'],
  [PYTHON, 'ORDERS.get(order)', 'ORDERS.get(order, data)', 'unknown order'],
  [PYTHON, 'if status == 204:', 'if len(body) > 0:', 'wrong secret'],
] as const

test.each(FAULTS)('%s has %s, which a fault replaces', (name, from) => {
  const program = WEBHOOKS[name].start.split(' ').at(-1)
  expect(readFileSync(`server/${WEBHOOKS[name].from}/${program}`, 'utf8')).toContain(from)
})

test.runIf(process.env.FULL).concurrent.for(FAULTS)(
  '%s without %s is caught',
  { timeout: TIMEOUT_MS },
  async (fault, context) => {
    const [name, from, to, meant] = fault
    const change = (text: string) => text.replace(from, () => to)
    const verdicts = await judge(name, context, { change })
    expect(verdicts).toContainEqual(expect.objectContaining({ name: meant, verdict: 'failed' }))
  },
)

/** Starts a webhook, perhaps with a fault, and proves it. */
async function judge(
  name: keyof typeof WEBHOOKS,
  { onTestFinished }: Pick<TestContext, 'onTestFinished'>,
  { change = (text: string) => text, sequences = SEQUENCES as Readonly<Record<string, Sequence>> } = {},
) {
  const { from, start, entry } = WEBHOOKS[name]
  const folder = newFolder(onTestFinished)
  const [host, orders] = [
    `127.0.0.1:${await freePort()}`,
    Array.from({ length: 90 }, (_, index) => `B-${1000 + index}`),
  ]
  cpSync(join('server', from), folder, { recursive: true })
  cpSync('demo/create/templates/page', folder, { recursive: true })
  writeFileSync(join(folder, 'listener.mjs'), LISTENER)
  mkdirSync(join(folder, 'inbox'))
  mkdirSync(join(folder, 'orders'), { recursive: true })
  const program = join(folder, start.split(' ').at(-1) ?? '')
  const text = change(readFileSync(program, 'utf8'))
  if (entry !== null) {
    writeFileSync(program, text.replace(entry, orders.map((each) => entry.replace('A-1042', each)).join(' ')))
  }
  const env = {
    PATH: searchPath(),
    PORT: host.split(':')[1] ?? '',
    INBOX: join(folder, 'inbox'),
    MERCHANT_WEBHOOK_SECRET: SECRET,
    ORDERS_URL: `http://${host}/orders`,
    ORDERS_TOKEN: 'a token for tests',
    PUBLIC_URL: `http://${host}`,
  }
  const cgi = start.startsWith('cgi ') ? await serveCgi(program, env) : null
  const running = cgi ?? run(folder, `exec ${start.replace('HOST', host)} > said 2>&1`, env)
  onTestFinished(() => ('stop' in running ? running.stop() : running.close()))
  const url = cgi?.url ?? `http://${host}/events`
  const said = cgi?.said ?? (() => readFileSync(join(folder, 'said'), 'utf8'))
  await expect
    .poll(
      () =>
        fetch(url, { method: 'POST' }).then(
          () => true,
          () => false,
        ),
      { timeout: 120_000 },
    )
    .toBe(true)

  async function create(): Promise<string> {
    if (entry !== null) {
      return orders.shift() ?? 'no order is left'
    }
    const { headers } = await fetch(`http://${host}/order`, { method: 'POST', redirect: 'manual' })
    return String(headers.get('location')).replace('/order/', '')
  }

  /** Where each order is a file, one that is cancelled is there no more. The orders of the others stand in the program. */
  const cancel = entry === null ? async (order: string) => rmSync(join(folder, `orders/${order}.json`)) : null

  /** By its path, the file of each event that a person has to look at. */
  const reviews = new Map<string, string>()

  /** What is said about an order, and how often; and, from files alone, what a person has to look at. */
  async function read(order: string): Promise<string> {
    const done = said()
      .split('\n')
      .filter((line) => line.includes(order) && !line.includes('look at'))
      .map((line) => line.replace(/^\[[^\]]*\] |: [\d.]+ [A-Z]+$/g, ''))
    const kept = ['inbox/', 'orders/'].flatMap((place) =>
      readdirSync(join(folder, place)).flatMap((file) =>
        /^evt_.*\.(json|review)$/.test(file) ? [place + file] : [],
      ),
    )
    // The file of an event does not change, once it is written.
    for (const path of kept.filter((each) => !reviews.get(each))) {
      reviews.set(path, readFileSync(join(folder, path), 'utf8'))
    }
    const looks = [...reviews].flatMap(([path, text]) => (text.includes(order) ? [`look at ${path}`] : []))
    const counts = [...new Set(done)].map((line) => `${line}: ${done.filter((each) => each === line).length}`)
    return [...looks, ...counts].join('\n')
  }

  const means = {
    fetch: (address: string, init: FetchInit) => fetch(address, { ...init, dispatcher: alone }),
    clock: createPatientClock(),
    randomness: systemRandomness,
    secrets: [new Secret(SECRET)],
  }
  const proof = {
    url,
    terms: { amount: '1500', currency: 'KES' },
    create,
    cancel,
    read,
    ...means,
  }
  return prove(proof, () => {}, sequences)
}
