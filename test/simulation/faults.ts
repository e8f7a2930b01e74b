/** The sandbox's faults, its ledger, and the events that the merchant received. */

import type { Heard, World } from '../support/world.ts'

export const FAULTS = [
  { fault: 'latency', ms: 20_000 },
  { fault: 'status', status: 500 },
  { fault: 'reset' },
  { fault: 'truncate' },
  { fault: 'html' },
  { fault: 'answer_lost' },
  { fault: 'token_expired' },
  { fault: 'callback_drop' },
  { fault: 'callback_delay', ms: 90_000 },
  { fault: 'callback_duplicate' },
  { fault: 'callback_reorder' },
  { fault: 'callback_corrupt' },
]
export type Fault = (typeof FAULTS)[number]

type Controlled = Pick<World, 'control' | 'sandbox'>

/** Makes the fault happen to 30 % of requests and callbacks. */
export async function strike(shop: Controlled, fault: Fault): Promise<void> {
  await shop.control('/faults', { route: '*', ...fault, probability: 0.3, seed: 11 })
}

export async function calm(shop: Controlled): Promise<void> {
  await shop.sandbox.app.request('/_sandbox/faults', { method: 'DELETE' })
}

export interface Line {
  account: string
  amount: string
}

export interface Entry {
  what: string
  reference: string
  lines: Line[]
}

export async function ledger(
  shop: Controlled,
): Promise<{ accounts: { account: string; balance: string }[]; entries: Entry[] }> {
  return (await shop.sandbox.app.request('/_sandbox/ledger')).json()
}

/** An amount without trailing zeros. */
export function plain(amount: string): string {
  return String(Number(amount))
}

/** The types of the events whose data match, one for each event id: a repeated delivery is not counted. */
export function eventTypes(shop: { heard: Heard[] }, isAbout: (data: object) => boolean): string[] {
  const received = shop.heard.filter(({ data }) => isAbout(data))
  return [...new Map(received.map(({ id, type }) => [id, type])).values()]
}
