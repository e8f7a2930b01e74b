import { sum } from '../../../server/contract/decimal.ts'
import { CHARGE_DIALECTS } from '../spec/charge-dialects.ts'
import { CHARGE } from './chargeable.ts'
import { createWorld } from './world.ts'

import type { TrackedCharge } from '../../../server/api/charge.ts'
import type { DeliveredEvent, WorldOptions } from './world.ts'

interface Entry {
  what: string
  reference: string
  lines: { account: string; amount: string }[]
}

export async function createChargeWorld(options: WorldOptions = {}) {
  const world = await createWorld(options)
  const chargePath = CHARGE_DIALECTS[options.charges ?? 'spec'].path

  const biller = {
    ...world,

    async charge(fields: object = {}): Promise<TrackedCharge> {
      const answer = await world.api('/charges', { ...CHARGE, ...fields })
      if (!answer.ok) {
        throw new Error(`${answer.status} ${await answer.text()}`)
      }
      return answer.json()
    },

    async read(reference = 'C-1'): Promise<TrackedCharge> {
      return (await world.api(`/charges/${reference}`)).json()
    },

    async acknowledge(status: string, reference = 'C-1', narration = 'Said in a test') {
      const answer = await world.api(`/charges/${reference}/acknowledge`, { status, narration })
      return { status: answer.status, body: await answer.json() }
    },

    play: (scenario: string, reference = 'C-1') =>
      world.pay({ merchant_transaction_id: reference }, scenario),

    confirmations: (): string[] =>
      world
        .gatewayExchanges()
        .filter(({ path }) => path === '/transactions/acknowledge')
        .map(({ body }) => JSON.parse(body).status),

    posts: () => world.gatewayRequests().filter((request) => request === `POST ${chargePath}`).length,

    async ledger(reference = 'C-1'): Promise<Entry[]> {
      const answer = await world.sandbox.app.request(`/_sandbox/ledger?reference=${reference}`)
      return (await answer.json()).entries
    },

    // Keys are account names without the currency.
    async shares(reference = 'C-1'): Promise<Record<string, string>> {
      const lines = (await biller.ledger(reference)).flatMap((entry) => entry.lines)
      const accounts = [...new Set(lines.map(({ account }) => account))]
      const totalOf = (account: string) =>
        sum(lines.filter((line) => line.account === account).map(({ amount }) => amount))
      const totals = accounts.map((account) => [
        account.replace(/\/KES$/, ''),
        String(Number(totalOf(account))),
      ])
      return Object.fromEntries(totals.filter(([, total]) => total !== '0'))
    },
  }
  return biller
}

export const SHARED = {
  'partner/PARTNER-001': '600',
  'partner/PARTNER-002': '150.5',
  'partner/PARTNER-FEES': '25',
  'float/ACC-001': '224.5',
}

export function createReluctantBackend() {
  const backend = {
    isWilling: false,
    asked: [] as DeliveredEvent[],
    answer: (event: DeliveredEvent): Response => {
      backend.asked.push(event)
      return new Response(null, { status: backend.isWilling ? 204 : 503 })
    },
  }
  return backend
}

export interface ToldPayment {
  payment_status: number
  /** Absent if the gateway states none. */
  amount?: string | undefined
  /** Absent while the gateway names no payment. */
  transaction_id?: string | undefined
  charge_request_id?: string
  payer_transaction_id?: string
  payment_method_code?: string
  payment_date?: string
}

export const paying = (
  payment_status: number,
  amount: string | undefined,
  transaction_id?: string,
): ToldPayment => ({
  payment_status,
  amount,
  transaction_id,
})

/** The payment changed last at this minute of the day, which gateways may also state of its distribution or return. */
export const changedAt = (minute: number, payment: ToldPayment): ToldPayment => ({
  ...payment,
  payment_date: new Date(Date.UTC(2026, 10, 21, 9, minute)).toISOString(),
})

/**
 * A gateway that reports of a charge or a checkout what it is told to say, and that takes or does not answer service confirmations.
 * Everything else is answered by the sandbox.
 */
export function createToldGateway() {
  const reports = new Map<string, object>()
  const taken: string[] = []
  let isAnswering = true
  let refused: readonly string[] = []
  return {
    /** The service confirmations that it has taken: status and payment. */
    taken,
    falls: (isSilent: boolean) => void (isAnswering = !isSilent),
    /** Refuses the service confirmations of these payments from now on. */
    refuses: (...payment_ids: string[]) => void (refused = payment_ids),

    /** @param total What it states as received; `null` if it states none. By default, what is listed as paid. */
    says(status: number, payments: readonly ToldPayment[] = [], reference = 'C-1', total?: string | null) {
      const received = payments.filter((each) => each.payment_status === 700)
      const listed = sum(received.map((each) => each.amount ?? '0'))
      const amount = total === undefined ? listed : (total ?? undefined)
      reports.set(reference, {
        merchant_transaction_id: reference,
        currency: 'KES',
        status,
        amount,
        payments,
      })
    },

    /** Reports a charge as a single payment, which is not in a list. */
    saysFlat: (payment: ToldPayment, reference = 'C-1') =>
      void reports.set(reference, { external_reference: reference, ...payment }),

    answer: (url: string, { method, body = '' }: { method: string; body?: string }): Response | undefined => {
      if (url.endsWith('/transactions/acknowledge')) {
        if (!isAnswering) {
          return new Response(null, { status: 503 })
        }

        const { payment_id, status } = JSON.parse(body)
        if (refused.includes(payment_id)) {
          const refusal = { status_code: 174, status_description: 'Generic failure', message: 'Closed' }
          return Response.json(refusal, { status: 400 })
        }

        taken.push(`${status} ${payment_id}`)
        return Response.json({ payment_id, message: 'Taken.' })
      }

      const [, charge, checkout] = /charges\/([^/]+)\/status$|checkout\/status\/([^/]+)$/.exec(url) ?? []
      const reference = charge ?? checkout ?? ''
      const report = method === 'GET' ? reports.get(reference) : undefined
      return report && Response.json(report)
    },
  }
}
