import { z } from 'zod'
import { Facts, Tag } from '../details.tsx'
import { Form } from '../form.tsx'
import { addressOf } from '../layout.tsx'
import { form, refused } from '../page.ts'
import { DEVELOPERS, EVERYONE } from '../../accounts/roles.ts'
import { pathOfReference } from '../transactions/references.ts'
import { deliveryBadge } from './deliveries.tsx'
import { When } from '../when.tsx'
import type { Delivery } from '../../callbacks/deliveries.ts'
import type { AttemptOutcome } from '../../callbacks/post.ts'
import type { Page, Visit } from '../page.ts'
import type { Fact } from '../transactions/kind.ts'

export const delivery: Page = {
  path: '/deliveries/:id',
  title: 'Callback delivery',
  roles: EVERYONE,
  show(visit) {
    const found = find(visit)
    return found ? <DeliveryDetails found={found} visit={visit} /> : null
  },
  forms: {
    resend: form(DEVELOPERS, z.object({}), ({ world, params }) => {
      const copy = world.deliveries.resend(params['id'] ?? '')
      if (!copy) return refused('id', 'The delivery is not kept any more.')
      const notice =
        copy.state === 'blocked'
          ? 'Its address may not receive callbacks.'
          : 'The same bytes are being sent again.'
      return { to: `/deliveries/${copy.id}`, notice }
    }),
  },
}

function find({ world, params }: Pick<Visit, 'world' | 'params'>): Delivery | undefined {
  return world.deliveries.list().find(({ id }) => id === params['id'])
}

function DeliveryDetails({ found, visit }: { found: Delivery; visit: Visit }) {
  const path = pathOfReference(visit.world, found.reference)
  const { attempts } = found
  return (
    <div class="columns">
      <div class="stack" data-live={found.next_attempt_at === null ? undefined : ''}>
        <section class="card">
          <div class="head">
            <h2>
              <bdi>{found.reference}</bdi>
            </h2>
            <Tag badge={deliveryBadge(found)} />
          </div>
          <Explanation {...found} />
          {path === null ? null : (
            <p>
              <a href={addressOf(path)}>Open the transaction</a>
            </p>
          )}
        </section>
        <section class="card">
          <h2>Attempts</h2>
          {attempts.length === 0 ? <p class="empty">It was not sent yet.</p> : null}
          <ol class="timeline">
            {attempts.map(({ at, took_ms, outcome }) => (
              <li class={isAcknowledged(outcome) ? 'good' : 'bad'}>
                <When at={at} />
                <strong>{'status' in outcome ? `Answered ${outcome.status}` : 'No answer'}</strong>
                <p class="quiet-text">{`after ${took_ms} ms`}</p>
                <Answer outcome={outcome} />
              </li>
            ))}
          </ol>
        </section>
      </div>
      <div class="stack">
        {visit.may(DEVELOPERS) ? (
          <section class="card">
            <h2>Send it again</h2>
            <p>Your server receives the same bytes once more, and has to recognize them.</p>
            <Form of={visit.form('resend')} submit="Resend" button="quiet" />
          </section>
        ) : null}
        <section class="card">
          <h2>Details</h2>
          <Facts facts={factsOf(found)} />
        </section>
        <section class="card">
          <h2>Body</h2>
          <pre>{indented(found.body)}</pre>
        </section>
      </div>
    </div>
  )
}

function Explanation({ state, next_attempt_at }: Delivery) {
  switch (state) {
    case 'scheduled':
      return next_attempt_at === null ? (
        <p>It is being sent.</p>
      ) : (
        <p>
          Next attempt: <When at={next_attempt_at} />
        </p>
      )
    case 'delivered':
      return <p>Your server acknowledged it with status 200.</p>
    case 'given_up':
      return <p>Your server did not answer 200 to any attempt. Query the status, or send it again.</p>
    case 'blocked':
      return (
        <p>The sandbox sends callbacks to this machine only, and to hosts of its option callbackHosts.</p>
      )
    case 'dropped':
      return <p>A simulated fault discarded it.</p>
  }
}

function Answer({ outcome }: { outcome: AttemptOutcome }) {
  const text = 'status' in outcome ? outcome.answer : outcome.error
  return text === '' ? null : <pre>{text}</pre>
}

function isAcknowledged(outcome: AttemptOutcome): boolean {
  return 'status' in outcome && outcome.status === 200
}

function factsOf({ id, url, created_at }: Delivery): Fact[] {
  return [
    { label: 'Id', value: id, as: 'code' },
    { label: 'Sent to', value: url, as: 'code' },
    { label: 'Created', value: String(Date.parse(created_at)), as: 'time' },
  ]
}

// A simulated fault may have truncated the body.
function indented(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2)
  } catch {
    return body
  }
}
