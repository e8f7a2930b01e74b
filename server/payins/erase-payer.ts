/** Erases what a record of a pay-in keeps of its payer. Pure. */

import { withoutPayers } from './reported-state.ts'

import type { Concerns, Erased } from '../transactions/kind.ts'
import type { Resolution } from '../transactions/resolution.ts'
import type { ReportedState } from './reported-state.ts'

/**
 * What a record of a pay-in has of its payer. `call` is the request, until the gateway has accepted or refused it;
 * `visit` is where the shopper of a checkout returns to, whose address may contain anything; `link.answer` is what the
 * payer of a link answered.
 */
interface ErasableRecord {
  people: readonly string[] | null
  reported?: ReportedState | null
  call?: { request: unknown }
  visit?: { return_url: string | null; links: readonly string[] }
  link?: { answer?: string | null }
  resolution: Resolution | null
}

/**
 * Erases the payer's fingerprints and receipts, the answer to a question, and the addresses to which the payer returns:
 * the only data of a payer that a record keeps once the gateway has accepted or refused the payment. Until then, the
 * payer's details are needed to send it, unless a person has resolved it. Who has paid may be somebody else: the data of
 * both go.
 */
export function erasePayer<Kept extends ErasableRecord>(
  { record }: { record: Kept },
  concerns: Concerns,
): Erased | string | null {
  const { people, reported = null, call, visit, link, resolution } = record
  if (people === null) {
    return null
  }

  const payers = reported?.payments.flatMap(({ payer }) => payer?.phone ?? []) ?? []
  const urls = visit ? [...visit.links, ...(visit.return_url === null ? [] : [visit.return_url])] : []
  const hasReceipt = reported?.payments.some(({ receipt }) => receipt !== null) ?? false
  const isEmpty = people.length + payers.length + urls.length === 0 && !hasReceipt
  if (isEmpty || !concerns([...people, ...payers])) {
    return null
  }
  if (call !== undefined && resolution === null) {
    return 'the gateway has not accepted or refused it yet'
  }

  const erased = {
    ...record,
    people: null,
    ...(reported && { reported: withoutPayers(reported) }),
    ...(visit && { visit: { ...visit, return_url: null, links: [] } }),
    ...(link?.answer !== undefined && { link: { ...link, answer: null } }),
  }
  return { record: erased, parts: [] }
}
