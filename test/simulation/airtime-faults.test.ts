import { expect, test } from 'vitest'
import type { TrackedRecipient } from '../../server/api/airtime.ts'
import { compare, sum } from '../../server/contract/decimal.ts'
import { readAirtime } from '../../server/airtime/record.ts'
import { trackedOf } from '../../server/airtime/tracked.ts'
import { createWorld } from '../support/world.ts'
import { calm, eventTypes, FAULTS, ledger, strike } from './faults.ts'
import type { Entry } from './faults.ts'

const DAY = 24 * 60 * 60_000

/** Requests for each fault, of a few recipients each. */
const LISTS = process.env.FULL ? 100 : 6
const RECIPIENTS = 8

/** Most succeed; the others fail, are reversed or settle late. */
const ENDS = ['0001', '0001', '0001', '9007', '9009', '9010', '9101', '9113']
const NEVER_ARRIVED =
  'It was sent once, its answer was lost, and the gateway does not know it. It is not sent again.'

test.each(FAULTS)(
  `with $fault at 30 %, ${LISTS * RECIPIENTS} recipients settle once and the merchant's records equal the ledger`,
  { timeout: LISTS * 20_000 },
  async (fault) => {
    const shop = await createWorld({ seed: 7 })
    const { random } = shop
    await strike(shop, fault)

    for (let list = 0; list < LISTS; list++) {
      const recipients = Array.from({ length: RECIPIENTS }, (_, index) => ({
        phone_number: `2547${index}000${random.pick(ENDS)}`,
        amount: `${random.between(10, 500)}.50`,
      }))
      const answer = await shop.api('/airtime', { reference: `A-${list}`, recipients })
      expect(answer.status).toBe(201)
      await shop.later(random.between(0, 10_000))
    }
    await calm(shop)
    await shop.later(3 * DAY)

    const rows = (await shop.rows()).map(readAirtime)
    const recipients = rows.flatMap((row) => trackedOf([row]).recipients)
    expect(recipients).toHaveLength(LISTS * RECIPIENTS)
    const { accounts, entries } = await ledger(shop)
    expect(accounts.find(({ account }) => account === 'reserved/ACC-001/KES')?.balance ?? '0.00').toBe('0.00')
    for (const recipient of recipients) {
      expect([recipient, inLedger(entries, recipient)]).toEqual([recipient, expected(recipient)])
      const { external_reference, phone_number, outcome } = recipient
      const events = eventTypes(
        shop,
        (data) =>
          'external_reference' in data &&
          'phone_number' in data &&
          data.external_reference === external_reference &&
          data.phone_number === phone_number,
      )
      expect([recipient, events]).toEqual([recipient, [...new Set(events)]])
      expect(events).toContain(`airtime.${outcome}`)
    }
  },
)

/** How often the gateway took the request, and delivered to this recipient, and what the phone still has of it. */
function inLedger(entries: Entry[], { external_reference, phone_number, amount }: TrackedRecipient) {
  const own = entries.filter(({ reference }) => reference === `${external_reference}/${phone_number}`)
  const loaded = sum(
    own.flatMap(({ lines }) =>
      lines.flatMap((line) => (line.account === 'operators/KES' ? [line.amount] : [])),
    ),
  )
  return {
    taken: entries.filter(({ reference }) => reference === external_reference).length,
    delivered: own.filter(({ what }) => what === 'airtime delivered').length,
    hasAll: compare(loaded, amount ?? '0') === 0,
    hasNothing: compare(loaded, '0') === 0,
  }
}

/** What the merchant's records say: nobody was sent to twice, and only a success is on a phone. */
function expected({ outcome, service_status, attention }: TrackedRecipient) {
  const hasAll = outcome === 'succeeded'
  const delivered = ['succeeded', 'reversed', 'refunded'].includes(outcome) ? 1 : 0
  // What never arrived needs a person, and what was rejected has failed: the gateway has none of either.
  const isUnknown = attention === NEVER_ARRIVED || service_status === null
  return { taken: isUnknown ? 0 : 1, delivered, hasAll, hasNothing: !hasAll }
}
