/** Checks of airtime: the request, and how each recipient settles. */

import { randomUUID } from 'node:crypto'

import { PAYOUT_ERROR_CODES } from '../../contract/payout.ts'
import { expectAccepted, expectRefused, fieldChecks, fieldsOf, number, statusChecks, text } from '../check.ts'
import { needsCallbacks, needsControl } from '../checkout.ts'
import { expect } from '../expect.ts'
import { withPortal } from '../gateway.ts'

import type { Check, Sample, TestedRequest, Ways } from '../check.ts'
import type { Json } from '../connection.ts'
import type { Gateway } from '../gateway.ts'

const HOUR = 3_600_000

const SEND_AIRTIME = '/v1/gw/airtime/send'

// [spec: Airtime request]
function airtimeRequest({ credentials }: Gateway, changes: object = {}): Json {
  const recipients = [{ phone_number: credentials.msisdn, amount: '10' }]
  return { reference: randomUUID(), recipients, ...changes }
}

// A field named `recipients[].NAME` replaces the field NAME of the first recipient.
const testedAirtime: TestedRequest = {
  section: 'Airtime request',
  send(gateway, changes) {
    const request = airtimeRequest(gateway)
    for (const [name, value] of Object.entries(changes)) {
      const field = name.replace('recipients[].', '')
      if (field === name) {
        request[name] = value
      } else {
        request.recipients[0][field] = value
      }
    }

    return gateway.post(SEND_AIRTIME, request)
  },
  assertAccepted: ({ body, text }) => expect(body?.response_code, text).toBe(720),
  assertRefused: ({ body, text }) => {
    expect(body?.response_code, text).toBe(721)
    expect(body.response_description).toMatch(/\S/)
    expect(PAYOUT_ERROR_CODES).toContain(body.error_code)
  },
}

const STATUSES: Ways = {
  600: ['just accepted'],
  601: ['in progress', 'slow'],
  602: ['delivered', 'success'],
  603: ['failed', 'failed'],
  604: ['stuck at the provider', 'jam'],
  605: ['reversed', 'success', 'reverse'],
  606: ['refunded', 'success', 'refund'],
  607: ['to be tried again', 'reprocess'],
}

export const airtimeChecks: Check[] = [
  ...fieldChecks(testedAirtime, {
    recipients: ['all of them', [], ['254700000001']],
    'recipients[].phone_number': ['not a number', '0700000001'],
    'recipients[].amount': ['ten', '-10', '0'],
  }),
  {
    rows: ['Limits / Airtime recipients per request', 'Airtime request / recipients'],
    fact: '1 and 1000 recipients are accepted, 0 and 1001 are refused',
    async run(gateway) {
      const recipients = (count: number) =>
        phoneNumbers(gateway, count).map((phone_number) => ({ phone_number, amount: '1' }))
      await expectAccepted(testedAirtime, gateway, { recipients: recipients(1) })
      await expectAccepted(testedAirtime, gateway, { recipients: recipients(1000) })
      await expectRefused(testedAirtime, gateway, { recipients: recipients(1001) })
      await expectRefused(testedAirtime, gateway, { recipients: recipients(0) })
    },
  },
  {
    rows: ['Airtime request / reference'],
    fact: 'a reference is unique: a second request with it sends no airtime',
    async run(gateway) {
      const { sent } = await sendAirtime(gateway)
      const [phone_number] = phoneNumbers(gateway, 1)
      await gateway.post(SEND_AIRTIME, { ...sent, recipients: [{ phone_number, amount: '1' }] })
      const entries = await entriesOf(gateway, sent)
      expect(entries.map((entry) => entry.phone_number)).toEqual([gateway.credentials.msisdn])
    },
  },
  {
    rows: [`Endpoints / POST ${SEND_AIRTIME}`, 'Endpoints / 5 / 720', 'Payout acknowledgement codes / 720'],
    fact: 'airtime is acknowledged with 720 and its reference',
    async run(gateway) {
      const { sent, got } = await sendAirtime(gateway)
      expect(got).toMatchObject({
        reference: sent.reference,
        response_code: 720,
        response_description: expect.matching(/\S/),
      })
    },
  },
  {
    rows: ['Endpoints / 5 / 721', 'Payout acknowledgement codes / 721'],
    fact: 'reference and recipients of airtime are validated: 721, and nothing is sent',
    async run(gateway) {
      await sendAirtime(gateway)
      const [phone_number] = phoneNumbers(gateway, 1)
      const recipients = [
        { phone_number, amount: '1' },
        { phone_number: 'none', amount: '1' },
      ]
      const sent = airtimeRequest(gateway, { recipients })
      const { body } = await gateway.post(SEND_AIRTIME, sent)
      expect(body).toMatchObject({ reference: sent.reference, response_code: 721 })
      const { body: status } = await gateway.get(`/v1/gw/airtime/${sent.reference}/status`)
      expect(Array.isArray(status) ? status : []).toEqual([])
    },
  },
  {
    rows: [
      'What the service does / Bulk airtime purchase for one or more phone numbers per request',
      'Endpoints / GET /v1/gw/airtime/<reference>/status',
      'Endpoints / 7',
    ],
    fact: 'the status of airtime is a list with one entry for each recipient',
    async run(gateway) {
      const numbers = phoneNumbers(gateway, 3)
      const recipients = numbers.map((phone_number, index) => ({ phone_number, amount: `${index + 1}` }))
      const { sent } = await sendAirtime(gateway, { recipients })
      const entries = await entriesOf(gateway, sent)
      expect(entries.map(({ phone_number, amount }) => [phone_number, amount])).toEqual([
        [numbers[0], 1],
        [numbers[1], 2],
        [numbers[2], 3],
      ])
    },
  },
  ...fieldsOf('Airtime callback and status entry', entry, {
    phone_number: (value, sent) => expect(value).toBe(sent.recipients[0].phone_number),
    amount: (value, sent) => {
      number(value, sent)
      expect(value).toBe(Number(sent.recipients[0].amount))
    },
    service_status: number,
    external_reference: (value, sent) => expect(value).toBe(sent.reference),
    provider_reference: (value) => expect(value === null || typeof value === 'string').toBe(true),
    correlation_id: text,
    message: text,
  }),
  {
    ...needsControl,
    rows: ['Airtime callback and status entry / provider_reference'],
    fact: 'provider_reference is null at first, and text once airtime is delivered',
    async run(gateway) {
      const { sent } = await sendAirtime(gateway)
      expect((await entriesOf(gateway, sent))[0].provider_reference).toBe(null)
      await simulateResult(gateway, sent, 'success')
      text((await entriesOf(gateway, sent))[0].provider_reference, sent)
    },
  },
  ...statusChecks('Airtime service_status', 'airtime', STATUSES, async (gateway, scenarios) => {
    const { sent } = await sendAirtime(gateway)
    for (const scenario of scenarios) {
      await simulateResult(gateway, sent, scenario)
    }

    const [{ service_status, message }] = await entriesOf(gateway, sent)
    expect(message).toMatch(/\S/)
    return service_status
  }),
  {
    ...needsControl,
    rows: ['Airtime service_status / not final', 'Endpoints / 7'],
    fact: 'airtime in progress and jammed airtime are not final: both can still be delivered',
    async run(gateway) {
      const { sent: slow } = await sendAirtime(gateway)
      const { sent: jammed } = await sendAirtime(gateway)
      await simulateResult(gateway, slow, 'slow')
      await simulateResult(gateway, jammed, 'jam')
      await gateway.advanceClock(HOUR)
      expect((await entriesOf(gateway, slow))[0].service_status).toBe(602)
      expect((await entriesOf(gateway, jammed))[0].service_status).toBe(604)
      await simulateResult(gateway, jammed, 'success')
      expect((await entriesOf(gateway, jammed))[0].service_status).toBe(602)
    },
  },
  {
    ...needsCallbacks,
    rows: ['Events / Airtime recipient result', 'Events / 3 / key'],
    fact: 'the address of the portal gets one callback for each recipient, with reference and phone number',
    run: (gateway) =>
      withPortal(gateway, 'airtime_callback_url', async (mailbox) => {
        const recipients = phoneNumbers(gateway, 3).map((phone_number) => ({ phone_number, amount: '1' }))
        const { sent } = await sendAirtime(gateway, { recipients })
        await gateway.advanceClock(48 * HOUR)
        const callbacks = mailbox.received
          .map(({ body }) => body)
          .filter(({ external_reference }) => external_reference === sent.reference)
        const entries = await entriesOf(gateway, sent)
        expect(callbacks).toHaveLength(entries.length)
        const byNumber = (list: Json[]) => list.toSorted((a, b) => (a.phone_number < b.phone_number ? -1 : 1))
        expect(byNumber(callbacks)).toEqual(byNumber(entries))
      }),
  },
  {
    ...needsCallbacks,
    rows: ['Events / 3 / acknowledged', 'Events / 3 / key'],
    fact: 'an airtime callback is repeated with the same key until it is acknowledged',
    run: (gateway) =>
      withPortal(gateway, 'airtime_callback_url', async (mailbox) => {
        mailbox.answers = 500
        const { sent } = await sendAirtime(gateway)
        await simulateResult(gateway, sent, 'success')
        mailbox.answers = 200
        await gateway.advanceClock(48 * HOUR)
        const { length } = mailbox.received
        expect(length).toBeGreaterThanOrEqual(1)
        const [{ phone_number }] = sent.recipients
        for (const { body } of mailbox.received) {
          expect(body).toMatchObject({ external_reference: sent.reference, phone_number })
        }

        await gateway.advanceClock(48 * HOUR)
        expect(mailbox.received).toHaveLength(length)
      }),
  },
]

function entry(gateway: Gateway): Promise<Sample> {
  return gateway.remember('an airtime entry', async () => {
    const { sent } = await sendAirtime(gateway)
    return { sent, got: (await entriesOf(gateway, sent))[0] }
  })
}

async function sendAirtime(gateway: Gateway, changes: object = {}): Promise<Sample> {
  const sent = airtimeRequest(gateway, changes)
  const answer = await gateway.post(SEND_AIRTIME, sent)
  testedAirtime.assertAccepted(answer)
  return { sent, got: answer.body }
}

const entriesOf = (gateway: Gateway, { reference }: Json): Promise<Json[]> =>
  gateway.read(`/v1/gw/airtime/${reference}/status`)

/** Makes the network of a sandbox settle the first recipient by a scenario, such as `success` or `jam`. */
function simulateResult(gateway: Gateway, { reference, recipients }: Json, scenario: string): Promise<void> {
  const [{ phone_number }] = recipients
  return gateway.simulate(`/airtime/${reference}/${phone_number}/play`, { scenario })
}

function phoneNumbers({ credentials }: Gateway, count: number): string[] {
  const country = credentials.msisdn.slice(0, -9)
  return Array.from({ length: count }, (_, index) => `${country}${710_000_000 + index * 10 + 5}`)
}
