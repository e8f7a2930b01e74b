import { z } from 'zod'
import { compare } from '../../../../server/contract/decimal.ts'
import { notPayableReason, openPaymentOf, receivedBy } from '../../sessions/session.ts'
import { ticked } from '../fields.ts'
import { Form, Tick } from '../form.tsx'
import { form, refused } from '../page.ts'
import { DEVELOPERS, EVERYONE } from '../../accounts/roles.ts'
import { pathOf, ServiceState, USES } from './services.tsx'
import type { CheckoutSession } from '../../sessions/session.ts'
import type { ServiceEntry } from '../../services.ts'
import type { World } from '../../world.ts'
import type { Outcome, Page, Visit } from '../page.ts'

export const service: Page = {
  path: '/services/:code',
  title: 'Service',
  roles: EVERYONE,
  show: showService,
  forms: {
    'switch-on': form(DEVELOPERS, z.object({}), (visit) => switchTo(visit, true)),
    'switch-off': form(DEVELOPERS, z.object({}), (visit) => switchTo(visit, false)),
    remove: form(DEVELOPERS, z.object({ sure: ticked('Remove this service: tick the box first.') }), remove),
  },
}

function showService(visit: Visit) {
  const entry = entryOf(visit)
  if (!entry) return null
  const { code, use, currency, accountNumber, fee } = entry.service
  const open = openUsesOf(visit.world, code, visit.now)
  const facts = {
    'May do': USES[use],
    Currency: currency,
    Account: accountNumber,
    Fee: `${currency} ${fee}`,
    Open: open,
  }
  return (
    <>
      <section class="card">
        <div class="head">
          <h2>{code}</h2>
          <ServiceState {...entry} />
        </div>
        <dl class="facts">
          {Object.entries(facts).map(([name, value]) => (
            <div>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      </section>
      {visit.may(DEVELOPERS) ? <Changes visit={visit} entry={entry} /> : null}
    </>
  )
}

function Changes({ visit, entry }: { visit: Visit; entry: ServiceEntry }) {
  const removal = visit.form('remove')
  return (
    <>
      <section class="card">
        <h2>{entry.isActive ? 'Switch off' : 'Switch on'}</h2>
        <p>
          {entry.isActive
            ? 'New requests are refused. What is open goes on to its end.'
            : 'New requests are refused until it is on.'}
        </p>
        {entry.isActive ? (
          <Form of={visit.form('switch-off')} submit="Switch off" button="quiet" />
        ) : (
          <Form of={visit.form('switch-on')} submit="Switch on" button="quiet" />
        )}
      </section>
      <section class="card">
        <h2>Remove</h2>
        <p>Only a service without open transactions can be removed. This cannot be undone.</p>
        <Form of={removal} submit="Remove the service" button="danger">
          <Tick of={removal} name="sure" label="Remove this service" />
        </Form>
      </section>
    </>
  )
}

const UNKNOWN = refused('code', 'Service code: there is no such service any more.')

function switchTo(visit: Visit, isActive: boolean): Outcome {
  const entry = entryOf(visit)
  if (!entry) return UNKNOWN
  entry.isActive = isActive
  return { to: pathOf(entry.service.code), notice: `${entry.service.code} is ${isActive ? 'on' : 'off'}.` }
}

function remove(visit: Visit): Outcome {
  const entry = entryOf(visit)
  if (!entry) return UNKNOWN
  const { code } = entry.service
  const open = openUsesOf(visit.world, code, visit.now)
  if (open > 0)
    return refused(
      'code',
      `Service code ${code} has ${open} open transactions. Switch it off, and remove it later.`,
    )
  visit.world.services.remove(code)
  return { to: '/services', notice: `${code} was removed.` }
}

function entryOf({ world, params }: Visit): ServiceEntry | undefined {
  return world.services.entry(params['code'] ?? '')
}

/** Returns the number of transactions of a service whose money may still move by themselves. */
function openUsesOf(world: World, code: string, now: number): number {
  const sessions = [...world.sessions.values()].filter(
    (session) => session.service.code === code && isOpen(session, now),
  )
  const payouts = [...world.payouts.values()].filter(
    ({ instruction, state }) =>
      instruction.request.service_code === code && (state.kind === 'pending' || state.kind === 'jammed'),
  )
  return sessions.length + payouts.length
}

function isOpen(session: CheckoutSession, now: number): boolean {
  const isUnconfirmed = session.custody === 'held' && compare(receivedBy(session), '0') > 0
  return isUnconfirmed || openPaymentOf(session) !== undefined || notPayableReason(session, now) === null
}
