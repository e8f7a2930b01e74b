/** The checks of what the merchant provides: orders, a backend that receives events, and people who are notified. */

import { eventAbout } from '../../api/sample-event.ts'
import { describeHeld } from '../../config/charges.ts'
import { Secret } from '../../config/secret.ts'
import { isSuccess } from '../../http/exchange.ts'
import { trialOf } from '../../notices/message.ts'
import { NoticeError } from '../../notices/tell.ts'
import { tellersOf } from '../../notices/tellers.ts'
import { addressOfOrder, cureOf } from '../../orders/sources.ts'
import { REFUSES_FORGED } from '../../outbox/webhook.ts'
import { systemRandomness } from '../../work/randomness.ts'
import { deliver } from '../events.ts'

import type { Context } from './context.ts'

/** Checks whether ORDERS_URL accepts ORDERS_TOKEN. A backend that does responds with 404 about an unknown reference. */
export async function checkOrders({
  config: { orders },
  askBackend,
  fine,
  note,
  problem,
}: Context): Promise<void> {
  if (!orders) {
    return note(
      'None of ORDERS_URL, ORDER_SIGNING_KEY and ORDER_PUBLIC_KEYS is set: "serve" takes payments of reusable links only. A server of your own may pass the function "orders" to embed, start or createApp.',
    )
  }
  if (orders.kind === 'signed') {
    return fine('Orders are signed.')
  }

  const headers = { accept: 'application/json', authorization: `Bearer ${orders.token.reveal()}` }
  const address = addressOfOrder(orders.url, `check-${systemRandomness.uuid()}`)
  const answer = await askBackend('GET', address, headers)
  const { status, summary } = answer

  if (answer.kind !== 'answer' && status === null) {
    return problem(`ORDERS_URL ${summary}, from this machine.`)
  }

  if (status === 404) {
    return fine('ORDERS_URL was asked about an order that does not exist: HTTP 404.')
  }

  if (isSuccess(status) || status === 409) {
    return problem(`ORDERS_URL ${summary}, and must respond with 404, about an order that does not exist.`)
  }

  problem(`ORDERS_URL ${summary}${cureOf(answer, address)}`)
}

/**
 * Checks whether MERCHANT_WEBHOOK_URL refuses an event that is signed with another secret, and accepts a genuine one.
 */
export async function checkWebhook({ shell, config, fine, note, problem }: Context): Promise<void> {
  const { webhook } = config
  if (!webhook) {
    const audience = config.notices
      ? 'tells people of a payment, and no program'
      : 'tells nobody of a payment'
    const held = describeHeld(config)
    return note(
      `MERCHANT_WEBHOOK_URL is not set: "serve" ${audience}. Only onEvent, in a server of your own, receives events without it.${held === null ? '' : ` ${held}`}`,
    )
  }

  const forgedSecret = new Secret(`whsec_${Buffer.from(systemRandomness.token()).toString('base64')}`)
  // The server sends no event of this type, so a backend that accepts it fulfils nothing.
  const body = eventAbout('check.forged', {}, shell.clock.now())
  const forged = await deliver(shell, { ...config, webhook: { ...webhook, secrets: [forgedSecret] } }, body)
  const { status, reason } = forged
  if (isSuccess(status)) {
    return problem(
      `MERCHANT_WEBHOOK_URL accepted a forged event with HTTP ${status}: anybody can tell it that an order is paid, or it is another page. Verify the signature.`,
    )
  }
  if (status === null || !REFUSES_FORGED.has(status)) {
    return problem(`MERCHANT_WEBHOOK_URL must respond to a forged event with 401. ${reason}`)
  }

  const sent = await deliver(shell, { ...config, webhook }, eventAbout('ping', {}, shell.clock.now()))
  if (sent.accepted) {
    return fine(`MERCHANT_WEBHOOK_URL refuses a forged event with HTTP ${status}, and accepts a signed one.`)
  }

  problem(
    `MERCHANT_WEBHOOK_URL does not accept a signed event, "ping", which it must, as any of a type that it does not know. ${sent.reason}`,
  )
}

/** Checks whether people are told of payments, by telling them that this is a test. */
export async function checkNotices({ shell, config, fine, problem }: Context): Promise<unknown> {
  const tellers = tellersOf(config, { fetch: shell.fetchFor(config), clock: shell.clock })
  const checks = tellers.flatMap(({ way, readers, tell }) => {
    const what = `notices by ${way}`
    return readers.map(async (reader) => {
      try {
        await tell(trialOf(`ntc_${systemRandomness.token()}`), reader)
        const to = reader === '' ? '' : ` to ${reader}`
        fine(`A test was sent${to}: see whether it has arrived, and not as spam.`, what)
      } catch (error) {
        if (!(error instanceof NoticeError)) {
          throw error
        }

        problem(error.message, what)
      }
    })
  })
  return Promise.all(checks)
}
