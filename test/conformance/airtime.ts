/** Airtime as a merchant sends and follows it, and as networks deliver it. */

import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import type { RequestTable, Sample } from './check.ts'
import type { Gateway } from './gateway.ts'
import type { Json } from './json.ts'

export const SEND = '/v1/gw/airtime/send'

/** [spec: Airtime request] A merchant's own; what is undefined is left out. */
export function airtimeRequest({ credentials }: Gateway, fields: object = {}): Json {
  const recipients = [{ phone_number: credentials.msisdn, amount: '10' }]
  return { reference: randomUUID(), recipients, ...fields }
}

/** A field of a recipient is named as the specification names it: `recipients[].amount`. */
export const airtimeTable: RequestTable = {
  section: 'Airtime request',
  send(gateway, fields) {
    const request = airtimeRequest(gateway)
    for (const [name, value] of Object.entries(fields)) {
      const own = name.replace('recipients[].', '')
      if (own === name) request[name] = value
      else request.recipients[0][own] = value
    }
    return gateway.post(SEND, request)
  },
  accepts: ({ body, text }) => expect(body?.response_code, text).toBe(720),
  refuses: ({ body, text }) => {
    expect(body?.response_code, text).toBe(721)
    expect(body.response_description).toMatch(/\S/)
  },
}

/** Sends airtime that must be accepted: `got` is the acknowledgement. */
export async function send(gateway: Gateway, fields: object = {}): Promise<Sample> {
  const sent = airtimeRequest(gateway, fields)
  const answer = await gateway.post(SEND, sent)
  airtimeTable.accepts(answer)
  return { sent, got: answer.body }
}

/** One entry for each recipient. */
export async function entriesOf(gateway: Gateway, { reference }: Json): Promise<Json[]> {
  const answer = await gateway.get(`/v1/gw/airtime/${reference}/status`)
  expect(answer.status, answer.text).toBe(200)
  return answer.body
}

/** What the network does for the first recipient. Needs control. */
export async function play(
  gateway: Gateway,
  { reference, recipients }: Json,
  scenario: string,
): Promise<void> {
  await gateway.control(`/airtime/${reference}/${recipients[0].phone_number}/play`, { scenario })
  await gateway.later(1_000)
}

/** That many numbers of the country, none of them the customer's. */
export function phoneNumbers({ credentials }: Gateway, count: number): string[] {
  const country = credentials.msisdn.slice(0, -9)
  return Array.from({ length: count }, (_, index) => `${country}${710_000_000 + index * 10 + 5}`)
}
