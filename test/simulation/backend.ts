import type { Timeline } from '../../demo/sandbox/index.ts'
import type { FetchInit } from '../../server/http/exchange.ts'
import type { SeededRandom } from '../support/seeded-random.ts'
import type { Evidence } from './evidence.ts'
import type { Story } from './story.ts'

export interface AcceptedEvent {
  id: string
  type: string
  data: Record<string, unknown>
  body: string
}

export type Backend = ReturnType<typeof createBackend>

/**
 * The possible behaviours of the merchant's backend. `away` never responds, `erratic` refuses half of the events, and
 * `slow` responds after 1 to 14 seconds.
 */
export const BEHAVIOURS = ['accepts', 'accepts', 'refuses', 'away', 'slow', 'erratic'] as const

interface BackendDeps {
  timeline: Timeline
  random: SeededRandom
  story: Story
  evidence: Evidence
}

export function createBackend({ timeline, random, story, evidence }: BackendDeps) {
  const accepted = new Map<string, AcceptedEvent>()

  return {
    behaviour: 'accepts' as (typeof BEHAVIOURS)[number],
    accepted,

    async receive(init: FetchInit): Promise<Response> {
      const { behaviour } = this
      if (behaviour === 'away') {
        return new Promise<never>(() => {})
      }
      if (behaviour === 'slow') {
        await timeline.sleep(random.between(1_000, 14_000))
      }
      if (behaviour === 'refuses' || (behaviour === 'erratic' && random.happens(0.5))) {
        return new Response(null, { status: 500 })
      }

      const body = init.body ?? ''
      accept({ id: init.headers['webhook-id'] ?? '', ...JSON.parse(body), body })
      return new Response(null, { status: 204 })
    },
  }

  function accept(event: AcceptedEvent): void {
    const before = accepted.get(event.id)
    if (before) {
      if (before.body !== event.body) {
        story.violation(`Event ${event.id} was delivered with two bodies.`)
      }
      return
    }

    accepted.set(event.id, event)
    story.tell(`The merchant accepts ${event.type} of ${subjectOf(event)}`)
    const missing = evidence.missingFor(event)
    if (missing !== null) {
      story.violation(`${event.type} of ${subjectOf(event)} was told, and ${missing}.`)
    }
  }
}

/**
 * Returns the reference of the transaction that an event is about. For airtime, appends `/` and the recipient's phone
 * number.
 */
export function subjectOf({ data }: Pick<AcceptedEvent, 'data'>): string {
  const reference = data['merchant_transaction_id'] ?? data['payout_reference'] ?? data['external_reference']
  return 'phone_number' in data ? `${String(reference)}/${String(data['phone_number'])}` : String(reference)
}
