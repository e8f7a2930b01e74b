import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { createServer, createServerModuleRunner } from 'vite'

import type { Mishap, Shares } from './mishaps.ts'
import type { Report } from './simulate.ts'
import type { Plugin } from 'vite'

interface Simulation {
  simulate: (seed: number, shares?: Shares) => Promise<Report>
  simulateThreeCurrencies: (seed: number, shares?: Shares) => Promise<Report>
}

interface Patch {
  file: string
  from: string
  to: string
}

const COMMITS = 'server/transactions/commits.ts'
const SENDER = 'server/transactions/sender.ts'
const SUBMISSION = 'server/transactions/submission.ts'
const EVENTS = 'server/store/sql/events.ts'
const OUTBOX = 'server/outbox/deliver.ts'
const PAYOUT = 'server/payouts/record.ts'
const PAYOUT_TRANSITION = 'server/payouts/transition.ts'
const PAY_IN = 'server/payins/outcome.ts'
const REPORTED_MONEY = 'server/payins/reported-money.ts'
const SUCCESSION = 'server/payins/succession.ts'
const INITIATE = 'server/checkouts/initiate.ts'
const SUBMIT_CHECKOUT = 'server/checkouts/submit.ts'
const ALARM = 'server/transactions/alarm.ts'
const REPORTED_STATUS = 'server/money-out/reported-status.ts'

const patch = (file: string, from: string, to: string): Patch => ({ file, from, to })

/** For each mishap, a variant that fails on days on which it happens. */
export const FAILS_ON: Readonly<Record<Mishap, string>> = {
  renamed: 'takes another host name as another merchant',
  restored: 'forgets what a restore may have lost',
  late: 'opens a page beside late money',
  stopped: 'sends a request however late it is',
  rejected: 'forgets that it said failed',
  odd: 'takes money that it cannot read as none',
  dead: 'stops all queries for one endpoint',
  clock: 'waits for a time that a clock has left',
}

export const VARIANTS: Readonly<Record<string, readonly Patch[]>> = {
  'trusts the body of a callback': [
    patch(
      'server/transactions/callbacks.ts',
      "import { CHAPTERS } from '../api/kind-table.ts'",
      `import { CHAPTERS } from '../api/kind-table.ts'
      import { checkoutKind } from '../checkouts/kind.ts'
      import { CheckoutPayload } from '../contract/checkout.ts'`,
    ),
    patch(
      'server/transactions/callbacks.ts',
      'if (address.reference !== null) {',
      `if (address.reference !== null) {
        const payload = CheckoutPayload.safeParse(await readBody()).data
        const found = await this.#find(address.chapter, address.reference)
        if (payload && found) {
          await this.#deps.synchronizer.applyWithoutQuery(checkoutKind, found.id, { kind: 'status', payload, at: null })
        }`,
    ),
  ],
  'forgets the outbox': [patch(EVENTS, 'AS locked WHERE t.id = $1`', 'AS locked WHERE t.id = $1 AND 1 = 0`')],
  'sends before it stores': [
    patch(
      SENDER,
      'const sent_at = isSentNow ? clock.now() : null',
      `const sent_at = isSentNow ? clock.now() : null
      const unsent = { ...insertedRow(row), updated_at: 0 }
      await this.#kindOf(unsent).send(this.#kindOf(unsent).read(unsent), this.#deps)`,
    ),
  ],
  'sends a payout again after the first 723': [
    patch(
      SUBMISSION,
      'const SEND_AGAIN = { queries: 3, ms: 2 * MINUTE }',
      'const SEND_AGAIN = { queries: 1, ms: 0 }',
    ),
  ],
  'publishes events before the commit': [
    patch(
      COMMITS,
      'const saved = await store.commit(row.id, row.revision, this.#changeOf(row, decided, now))',
      `const change = this.#changeOf(row, decided, now)
      const { at, events = [] } = change
      const told = events.length > 0 ? await store.commit(row.id, row.revision, { at, events }) : row
      const saved = told && (await store.commit(row.id, told.revision, { ...change, events: [] }))`,
    ),
  ],
  'claims events without a lease': [
    patch(
      EVENTS,
      'SET due_at = $4, lease_until = $4 WHERE sequence IN',
      'SET due_at = $3 + 2000 + 0 * $4 WHERE sequence IN',
    ),
  ],
  'ignores the environment of a row': [
    patch('server/store/sql/fragments.ts', "const ACCOUNT = 'account =", "const ACCOUNT = '$1 ="),
    patch('server/transactions/find.ts', 'row?.account === account ? row', 'row ? row'),
    patch(SENDER, 'const isOwn = row.account === account', 'const isOwn = true'),
  ],
  'takes a pending payout as failed': [
    patch(PAYOUT, "[pending]: { outcome: 'pending'", "[pending]: { outcome: 'failed'"),
  ],
  'shows an unpaid session as ended': [
    patch(PAY_IN, 'if (hasEnded(reported, terms)) {', 'if (reported.payments.length > 0) {'),
  ],
  'gives every delivery an id of its own': [
    patch('server/outbox/webhook.ts', "'webhook-id': id,", "'webhook-id': `${id}.${now.getTime()}`,"),
  ],
  'loses the second event of a change': [
    patch(COMMITS, 'events: events.map((event) => ({', 'events: events.slice(0, 1).map((event) => ({'),
  ],
  'accepts less money than requested': [patch(PAY_IN, "return 'short'", "return 'excess'")],
  'accepts another currency': [
    patch(PAY_IN, 'if (contradicts(reported.currency, requested.currency)) {', 'if (false as boolean) {'),
    patch(
      PAY_IN,
      'if (received.some((payment) => contradicts(payment.currency_code, requested.currency))) {',
      'if (false as boolean) {',
    ),
  ],
  "accepts another order's payment": [
    patch(
      PAY_IN,
      'received.some((payment) => contradicts(payment.external_reference, requested.reference))',
      'false as boolean',
    ),
  ],
  'takes 723 after an acknowledgement as a failure': [
    patch(
      PAYOUT_TRANSITION,
      'return alarmIfMissing(record, determineOutcome(record).settled, askedAt, why)',
      `return {
        record: { phase: 'rejected', ...keptOf(record), response_description: '', error_code: null, rejected_at: askedAt, is_doubtful: false },
        historyEntry: 'It failed.',
      }`,
    ),
  ],
  'takes a lost answer as a refused charge': [
    patch(
      'server/payins/send-error.ts',
      'if (!(error instanceof GatewayRefusal)) {',
      `if (!(error instanceof GatewayRefusal)) {
      return { kind: 'refused', why: 'It failed.', refusal: null as never }`,
    ),
  ],
  'starts a second session while one is live': [
    patch('server/checkouts/plan.ts', 'isPayable(attempt) || holdsMoney(attempt)', 'holdsMoney(attempt)'),
  ],
  'starts a session without the last answer': [
    patch(
      INITIATE,
      '!(isCreated && isFresh(attempt, startedAt, now))',
      '!isCreated && !isFresh(attempt, startedAt, now)',
    ),
    patch(
      PAY_IN,
      '(in_flight ? LONGEST_IN_FLIGHT_MS : REPORT_LAG_MS)',
      '(in_flight ? LONGEST_IN_FLIGHT_MS : -4 * REPORT_LAG_MS)',
    ),
  ],
  'does not store that it sends': [
    patch(SENDER, 'if (!(await store.insert({ ...row, sent_at }))) {', 'if (!(await store.insert(row))) {'),
    patch(COMMITS, 'return isMarked ? { sent_at: now } : null', 'return null'),
  ],
  'retries a charge': [
    patch(
      'server/contract/endpoints.ts',
      'response: ChargeResponse,\n    retryable: false,',
      'response: ChargeResponse,\n    retryable: true,',
    ),
  ],
  'sends a prompt again': [
    patch(
      'server/checkouts/transition.ts',
      `    case 'prompt':
      return 'once'`,
      `    case 'prompt':
      return 'idempotent'`,
    ),
    patch(SUBMISSION, 'return sent_at !== null', 'return false'),
  ],
  'confirms a service with a second decision': [
    patch(
      'server/payins/service-confirmation.ts',
      "return each.stage === 'open' || isRefused",
      "return each.stage !== 'decided' || isRefused",
    ),
  ],
  'delivers events out of order': [
    patch(EVENTS, "THEN NULL ELSE 'events' END", "THEN 'events' ELSE 'events' END"),
  ],
  'loses the due time after a failed query': [
    patch('server/transactions/schedule.ts', 'return askedAt + pause', 'return null'),
  ],
  'gives an event up at the first failure': [
    patch(OUTBOX, 'const isGivenUp = failures >= MAX_FAILURES &&', 'const isGivenUp = failures > 0 ||'),
  ],
  'handles a webhook before the page and after': [
    patch(
      COMMITS,
      'const saved = await store.commit(row.id, row.revision, this.#changeOf(row, decided, now))',
      `const change = this.#changeOf(row, decided, now)
      const saved =
        (await store.commit(row.id, row.revision, change)) ??
        (await store.commit(row.id, (await store.find(row.id))?.revision ?? 0, change))`,
    ),
  ],
  'stores a stale response over a fresher one': [
    patch(COMMITS, 'row.version !== asked.version && change.record !== undefined', 'false'),
  ],
  'ignores a refund': [
    patch(
      SUCCESSION,
      '[partial, unpaid, expired, jammed, pending],',
      '[partial, unpaid, expired, 841, jammed, pending],',
    ),
  ],
  [FAILS_ON.renamed]: [
    patch(
      'server/store/merchant.ts',
      'return config.isRehearsal &&',
      "return config.gateway.baseUrl.includes('localhost') ? 'rehearsal' : config.isRehearsal &&",
    ),
  ],
  [FAILS_ON.restored]: [
    patch(
      SUBMIT_CHECKOUT,
      'const [reference] = deriveReferences(fingerprints, origin, attempt)',
      'const reference = deps.randomness.uuid()',
    ),
  ],
  [FAILS_ON.late]: [
    patch('server/checkouts/plan.ts', 'isPayable(attempt) || holdsMoney(attempt)', 'isPayable(attempt)'),
  ],
  [FAILS_ON.stopped]: [
    patch(
      'server/gateway/transport.ts',
      'if (sentAt === null || Math.abs(clock.now() - sentAt) <= SEND_WITHIN_MS) {',
      'if (clock) {',
    ),
  ],
  [FAILS_ON.rejected]: [
    patch(ALARM, 'return isReturned ? null : alarm', 'return null'),
    patch(REPORTED_STATUS, 'alarm?.why ?? differs ?? (isLate ? LATE[outcome] : null)', 'alarm?.why ?? null'),
  ],
  [FAILS_ON.odd]: [patch(REPORTED_MONEY, 'unreadable: reported.unreadable > 0 ||', 'unreadable: false &&')],
  [FAILS_ON.dead]: [
    patch(
      'server/gateway/query-queue.ts',
      'return (this.#families[family] ??= new FamilyState())',
      'return (Object.values(this.#families)[0] ?? (this.#families[family] = new FamilyState()))',
    ),
  ],
  [FAILS_ON.clock]: [
    patch(
      'server/transactions/reconciliation.ts',
      'correctTimes: () => store.correctFutureTimes(account, clock.now(), clock.now() + LEASE_MS)',
      'correctTimes: async () => {}',
    ),
  ],
}

/** Returns the patches of a variant. Throws unless each patched line occurs exactly once in its file. */
export function patchesOf(name: string): readonly Patch[] {
  const patches = VARIANTS[name]
  if (!patches) {
    throw new Error(`There is no variant "${name}". The variants are:\n${Object.keys(VARIANTS).join('\n')}`)
  }

  for (const { file, from } of patches) {
    const found = readFileSync(file, 'utf8').split(from).length - 1
    if (found !== 1) {
      throw new Error(`"${name}": ${file} has ${found} times: ${from}`)
    }
  }

  return patches
}

let applied: readonly Patch[] = []
let opened: ReturnType<typeof open> | undefined

/**
 * Loads the simulation with a broken variant of the server, or with the unchanged server if `name` is `null`. All
 * variants share what Vite makes of the files that they do not patch.
 */
export async function loadSimulation(name: string | null): Promise<Simulation> {
  const { runner, environment } = await (opened ??= open())
  const patches = name === null ? [] : patchesOf(name)
  for (const { file } of [...applied, ...patches]) {
    environment.moduleGraph.onFileChange(resolve(file))
  }

  applied = patches
  runner.clearCache()
  return runner.import(resolve('test/simulation/simulate.ts'))
}

async function open() {
  const server = await createServer({
    configFile: false,
    logLevel: 'error',
    server: { middlewareMode: true, hmr: false, ws: false, watch: null },
    optimizeDeps: { noDiscovery: true },
    resolve: { alias: { 'gateway-checkout/words': resolve('widget/words.ts') } },
    plugins: [PATCHING],
  })
  const environment = server.environments.ssr
  return { environment, runner: createServerModuleRunner(environment, { hmr: false }) }
}

const PATCHING: Plugin = {
  name: 'variant',
  enforce: 'pre',
  transform(code, id) {
    const own = applied.filter(({ file }) => id.split('?')[0] === resolve(file))
    return own.length > 0 ? own.reduce((text, { from, to }) => text.replace(from, () => to), code) : null
  },
}
