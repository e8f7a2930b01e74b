import { createHmac } from 'node:crypto'
import { verified } from '../../demo/shop/notification.ts'
import { readAirtime } from '../../server/airtime/record.ts'
import { trackedOf as trackedAirtime } from '../../server/airtime/kind.ts'
import { readCharge } from '../../server/charges/record.ts'
import { trackedOf as trackedCharge } from '../../server/charges/kind.ts'
import { readCheckout } from '../../server/checkouts/record.ts'
import { createSealer } from '../../server/payins/payer.ts'
import { viewOf } from '../../server/checkouts/view.ts'
import { printable, printableJson } from '../../server/printable.ts'
import { parseJson } from '../../server/json.ts'
import { readPayout } from '../../server/payouts/record.ts'
import { trackedOf as trackedPayout } from '../../server/payouts/kind.ts'
import { Secret } from '../../server/config/secret.ts'
import { RecordError } from '../../server/transactions/record.ts'
import { createSeededRandom } from '../support/seeded-random.ts'
import { localPayout } from '../support/spec-payouts.ts'
import { initiateRequest } from '../support/spec-shapes.ts'
import { START } from '../support/world.ts'
import { VALUES } from './gateway-answers.ts'
import { attackParser } from './parser.ts'
import { openStockedServer, rowsOf } from './stocked-server.ts'
import { textNear } from './text.ts'

attackParser({
  name: 'text for a terminal',
  near: { examples: [localPayout] },
  parse(text) {
    const shown = printableJson(text)
    if (/[\p{Cc}\p{Cf}]/u.test(printable(text) + shown.replaceAll('\n', '')))
      throw new Error('has control characters')
    return JSON.stringify(parseJson(shown)) === JSON.stringify(parseJson(text)) ? shown : null
  },
})

attackParser({
  name: 'signed webhook',
  near: {
    examples: [
      {
        type: 'checkout.paid',
        timestamp: '2026-11-21T09:00:00Z',
        data: { order: 'A-1', amount_paid: '500', currency: 'KES' },
      },
    ],
  },
  parse(text, luck) {
    const key = 'MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
    const [id, time] = ['evt_1', String(START / 1_000)]
    const signature = `v1,${createHmac('sha256', Buffer.from(key, 'base64')).update(`${id}.${time}.${text}`).digest('base64')}`
    const hostile = (value: string) =>
      luck.happens(0.9) ? value : textNear(luck, [value]).replaceAll(/[^\u0020-\u007e]/g, '')
    const headers = new Headers({
      'webhook-id': hostile(id),
      'webhook-timestamp': hostile(time),
      'webhook-signature': hostile(signature),
    })
    return verified(key, headers, text, START)
  },
})

const { server } = await openStockedServer()
const rows = await rowsOf(server)
await server.close()
const SHOW = {
  checkout: (row: (typeof rows)[number]) => viewOf(readCheckout(row), START),
  payout: (row: (typeof rows)[number]) => trackedPayout(readPayout(row)),
  charge: (row: (typeof rows)[number]) => trackedCharge(readCharge(row)),
  airtime: (row: (typeof rows)[number]) => trackedAirtime([readAirtime(row)]),
}
for (const kind of ['checkout', 'payout', 'charge', 'airtime'] as const) {
  const stored = rows.filter((row) => row.kind === kind)
  attackParser({
    name: `stored record of kind ${kind}`,
    near: { examples: stored.map(({ record }) => record), values: VALUES, most: 20_000 },
    parse: (text) => stored[0] && SHOW[kind]({ ...stored[0], record: parseJson(text) }),
    refusals: [RecordError],
  })
}

const sealer = createSealer([new Secret('a secret')], createSeededRandom(1))
attackParser({
  name: 'sealed payer details',
  near: [sealer.seal({ variant: 'standard', request: initiateRequest })],
  parse: (text) => sealer.open(text),
})
