// The callbacks of the merchant, each with its attempts, which a developer can send again.

import { z } from 'zod'

import { parseJson } from '../../../../server/contract/parse.ts'
import { AIRTIME_STATUS, CHECKOUT_STATUS, PAYOUT_STATUS } from '../../../../server/contract/status.ts'
import { display } from '../../money/amounts.ts'
import { DEVELOPERS } from '../../users/roles.ts'
import { card, columns, link, small, tag, text, timeline } from '../card.ts'
import { byBadge, itemOf } from '../list.ts'
import { declareForm, done, itemContent, pathIn } from '../page.ts'
import { attemptMoments, badgesOf, transactionLink } from '../transactions/every-kind.ts'

import type { Delivery } from '../../callbacks/deliveries.ts'
import type { World } from '../../world.ts'
import type { Badge } from '../card.ts'
import type { List } from '../list.ts'
import type { Visit } from '../page.ts'

const STATES = {
  scheduled: { label: 'Scheduled', tone: 'wait', about: 'The callback is being sent.' },
  held: { label: 'Held', tone: 'wait', about: 'A simulated fault holds the callback until it is released.' },
  delivered: {
    label: 'Acknowledged',
    tone: 'good',
    about: 'Your server acknowledged the callback with status 200.',
  },
  given_up: {
    label: 'Given up',
    tone: 'bad',
    about: 'Your server answered none of the attempts with status 200.',
  },
  blocked: {
    label: 'Blocked',
    tone: 'warn',
    about: 'The sandbox sends no callback to this host, unless --callback-host allows it.',
  },
  dropped: { label: 'Dropped', tone: 'warn', about: 'A simulated fault discarded the callback.' },
  retried: { label: 'Retried', tone: 'warn', about: 'Your server has not acknowledged the callback yet.' },
  replaced: {
    label: 'Sent again',
    tone: 'plain',
    about: 'The callback did not arrive, and was sent again later.',
  },
} as const satisfies Readonly<Record<Delivery['state'] | 'retried' | 'replaced', State>>

type State = Badge & { readonly about: string }

/** The states in which a delivery has not arrived and nothing replaces it. */
export const TROUBLES = Object.values(STATES).filter(({ tone }) => tone === 'bad' || tone === 'warn')

function stateOf({ id, state, attempts, url, body }: Delivery, { world }: Visit): State {
  if (state === 'scheduled') {
    return attempts.length > 0 ? STATES.retried : STATES.scheduled
  }
  if (state === 'delivered') {
    return STATES.delivered
  }

  const last = world.deliveries.list().findLast((each) => each.body === body && each.url === url)
  return last && last.id !== id ? STATES.replaced : STATES[state]
}

/** What a callback reports of a payment, of a payout or of airtime. */
const Body = z.object({
  status: z.number().optional(),
  payment_status: z.number().optional(),
  data: z.object({ payment_status: z.number() }).optional(),
  service_status: z.number().optional(),
  phone_number: z.string().optional(),
})

/** Returns the amount of the transaction that a callback is about, and the state that the callback reports. */
function newsIn({ reference, body }: Delivery, { sessions, payouts, airtime }: World) {
  // A simulated fault may have truncated the body: then, the kind is all that it says.
  const reported = Body.safeParse(parseJson(body)).data ?? {}
  const session = sessions.get(reference)
  if (session) {
    const kind = session.instruction.kind === 'charge' ? 'Charge' : 'Checkout'
    const what = newsOf(kind, CHECKOUT_STATUS, reported.status)
    return { amount: display(session.amount, session.service.currency), what }
  }

  const payout = payouts.get(reference)
  if (payout) {
    const { amount, currency } = payout.funds
    const what = newsOf('Payout', PAYOUT_STATUS, reported.payment_status ?? reported.data?.payment_status)
    return { amount: display(amount, currency), what }
  }

  const recipient = airtime.get(reference)?.recipients.get(reported.phone_number ?? '')
  const { amount, currency } = recipient?.funds.delivered ?? {}
  const what = newsOf('Airtime', AIRTIME_STATUS, reported.service_status)
  return { amount: amount && currency ? display(amount, currency) : 'Amount not known', what }
}

/** Returns the words for a reported state, such as "Checkout paid". */
function newsOf(
  kind: string,
  statuses: Readonly<Record<string, number>>,
  status: number | undefined,
): string {
  const badge = badgesOf(statuses).find(({ code }) => code === status)
  return badge ? `${kind} ${badge.label.toLowerCase()}` : kind
}

const attemptsOf = (count: number) => ['Not sent', 'Sent once', 'Sent twice'][count] ?? `Sent ${count} times`

export const DELIVERIES: List<Delivery> = {
  empty: 'A delivery appears here when a result is sent to a callback URL.',
  all: ({ world }) => world.deliveries.list().toReversed(),
  columns: [
    ['Amount', 'top', (each, { world }) => link(pathIn('/deliveries', each.id), newsIn(each, world).amount)],
    ['Result', 'middle', (each, { world }) => newsIn(each, world).what],
    ['State', 'middle-end', (delivery, visit) => tag(stateOf(delivery, visit))],
    ['Created', 'bottom', ({ created_at }, { zone }) => zone.when(created_at)],
    ['Attempts', 'top-end', ({ attempts }) => attemptsOf(attempts.length)],
    ['Reference', 'below', ({ reference, url }) => [text(reference), small(url)]],
  ],
  search: {
    hint: 'Reference, address or body',
    textsOf: ({ id, reference, url, body }) => [id, reference, url, body],
    timeOf: ({ created_at }) => created_at,
    status: byBadge(Object.values(STATES), stateOf),
  },
}

export const delivery = itemContent<Delivery>({
  find: ({ world, params }) => world.deliveries.find(params['id'] ?? ''),
  show(delivery, visit) {
    const { reference, body, next_attempt_at } = delivery
    const shown = stateOf(delivery, visit)
    const { amount, what } = newsIn(delivery, visit.world)
    // A simulated fault may have truncated the body.
    const parsed = parseJson(body)
    const next = next_attempt_at && ['Next attempt: ', visit.zone.when(next_attempt_at)]
    return columns(
      [
        card({
          title: what,
          tag: tag(shown),
          text: [[amount, ' · ', transactionLink(visit.world, reference)], next ?? shown.about],
          content: timeline(attemptMoments(delivery), visit.zone),
        }),
        card({ title: 'Body', pre: parsed === undefined ? body : JSON.stringify(parsed, null, 2) }),
      ],
      [visit.showForm('replay'), itemOf(DELIVERIES, delivery, visit)],
    )
  },
  forms: {
    replay: declareForm({
      roles: DEVELOPERS,
      submit: 'Replay',
      about: 'Your server receives the same callback once more, and has to recognize it.',
      button: 'quiet',
      fields: {},
      send({ world }, _, { id }: Delivery) {
        const copy = world.deliveries.replay(id)
        if (!copy) {
          return null
        }

        const notice = copy.state === 'blocked' ? STATES.blocked.about : 'The callback is being sent again.'
        return done(notice, { to: pathIn('/deliveries', copy.id) })
      },
    }),
  },
})
