// The callbacks of the merchant, each with its attempts, which a developer can send again.

import { parseJson } from '../../../../server/contract/parse.ts'
import { DEVELOPERS } from '../../users/roles.ts'
import { card, columns, link, tag, text, timeline } from '../card.ts'
import { byBadge, itemOf } from '../list.ts'
import { declareForm, done, itemContent, pathIn } from '../page.ts'
import { attemptMoments, referenceLink } from '../transactions/every-kind.ts'

import type { Delivery } from '../../callbacks/deliveries.ts'
import type { Badge } from '../card.ts'
import type { List } from '../list.ts'
import type { Visit } from '../page.ts'

const STATES = {
  scheduled: { label: 'Scheduled', tone: 'wait', about: 'It is being sent.' },
  held: { label: 'Held', tone: 'wait', about: 'A simulated fault holds it until it is released.' },
  delivered: { label: 'Acknowledged', tone: 'good', about: 'Your server acknowledged it with status 200.' },
  given_up: { label: 'Given up', tone: 'bad', about: 'Your server answered 200 to no attempt.' },
  blocked: { label: 'Blocked', tone: 'warn', about: 'The option callbackHosts does not allow its host.' },
  dropped: { label: 'Dropped', tone: 'warn', about: 'A simulated fault discarded it.' },
  retried: { label: 'Retried', tone: 'warn', about: 'Your server has not acknowledged it yet.' },
  replaced: { label: 'Sent again', tone: 'plain', about: 'It did not arrive, and was sent again later.' },
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

export const DELIVERIES: List<Delivery> = {
  empty: 'A delivery appears here when a result is sent to a callback URL.',
  all: ({ world }) => world.deliveries.list().toReversed(),
  columns: [
    ['About', 'top', ({ id, reference }) => link(pathIn('/deliveries', id), text(reference))],
    ['Sent to', 'middle', ({ url }) => url],
    ['State', 'middle-end', (delivery, visit) => tag(stateOf(delivery, visit))],
    ['Created', 'bottom', ({ created_at }, { zone }) => zone.when(created_at)],
    ['Attempts', 'top-end', ({ attempts }) => attempts.length],
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
    // A simulated fault may have truncated the body.
    const parsed = parseJson(body)
    const next = next_attempt_at && ['Next attempt: ', visit.zone.when(next_attempt_at)]
    return columns(
      [
        card({
          title: referenceLink(visit.world, reference),
          tag: tag(shown),
          text: [next ?? shown.about],
          content: timeline(attemptMoments(delivery), visit.zone),
        }),
        card({ title: 'Body', pre: parsed === undefined ? body : JSON.stringify(parsed, null, 2) }),
      ],
      [visit.showForm('resend'), itemOf(DELIVERIES, delivery, visit)],
    )
  },
  forms: {
    resend: declareForm({
      roles: DEVELOPERS,
      submit: 'Resend',
      about: 'Your server receives the same bytes once more, and has to recognize them.',
      button: 'quiet',
      fields: {},
      send({ world }, _, { id }: Delivery) {
        const copy = world.deliveries.resend(id)
        if (!copy) {
          return null
        }

        const notice =
          copy.state === 'blocked' ? STATES.blocked.about : 'The same bytes are being sent again.'
        return done(notice, { to: pathIn('/deliveries', copy.id) })
      },
    }),
  },
})
