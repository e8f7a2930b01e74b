import { parseJson } from '../../server/contract/parse.ts'
import { readView } from '../../widget/bff/answer.ts'
import { readAnswer } from '../../widget/bff/bff-client.ts'
import { paceMs } from '../../widget/bff/polling.ts'
import { transition } from '../../widget/checkout/session-transition.ts'
import { payUrl, stateOf } from '../../widget/state/state.ts'
import { ENGLISH, formatMoney } from '../../widget/words.ts'
import { describeSession } from '../../widget/words/sentence-choice.ts'
import { openStockedServer } from './instant-server.ts'
import { attackParser } from './parser.ts'
import { textNear } from './text.ts'

import type { CheckoutView } from '../../server/api/view.ts'

const { server, views } = await openStockedServer()
await server.close()
const PAID = {
  outcome: 'paid',
  status: 801,
  settled: true,
  amount_paid: '500',
  payments: [{ status: 700, outcome: 'paid', amount: '500', currency: 'KES', method: null, paid_at: null }],
}
const VIEWS = views.flatMap((view) => [
  view,
  { ...view, ...PAID },
  { ...view, outcome: 'partial', amount_paid: '200', settled: true },
])
const PROBLEM = {
  type: 'https://pay.shop.example/docs#invalid_request',
  code: 'invalid_request',
  title: 'Invalid',
  status: 422,
  detail: 'payer_name is required.',
  retryable: false,
  errors: [{ path: 'payer_name', message: 'is required' }],
}

attackParser({
  name: 'view',
  near: {
    examples: VIEWS,
    values: { outcome: ['paid', 'review', 'unpaid', 'new'], discrepancy: ['excess', 'short'] },
  },
  parse(text) {
    const view = readView(parseJson(text))
    return view && shown(view)
  },
})

attackParser({
  name: 'response of the server, and event of the stream',
  near: { examples: [...VIEWS, PROBLEM] },
  async parse(text, luck) {
    const headers = luck.happens(0.5)
      ? {
          'retry-after': textNear(luck, ['3', '0', 'Wed, 21 Oct 2026 07:28:00 GMT']).replaceAll(
            /[^\u0020-\u007e]/g,
            '',
          ),
        }
      : {}
    const answer = await readAnswer(
      new Response(text, { status: luck.pick([200, 200, 201, 404, 422, 503]), headers }),
      '',
    )
    const ms = paceMs(answer.retryAfterMs, 'failure' in answer ? 1 : 0, luck.fraction())
    if (!(ms >= 1_000 && ms <= 60_000)) {
      throw new Error(`The pause is ${ms} ms.`)
    }
    return 'view' in answer ? shown(answer.view) : null
  },
})

/** Returns what the element shows of a view. */
function shown(view: CheckoutView): unknown {
  const starting = {
    at: 'starting',
    payer: { payer_name: '', payer_email: '', payer_msisdn: '' },
    page: 'open',
    operator: null,
  } as const
  const session = transition(transition(starting, { type: 'view', view }), { type: 'view', view })
  if (/^(?!https?:)/i.test(payUrl(view) ?? 'https:')) {
    throw new Error('The hosted page is no web page.')
  }

  return [
    stateOf(session),
    sentence(describeSession(session, ENGLISH, 0)),
    formatMoney(view.amount, view.currency, 'sw'),
  ]
}

/** Returns a title and a detail as the templates read them. */
function sentence([title, detail]: readonly string[]): unknown {
  return { title, detail }
}
