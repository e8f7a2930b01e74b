import { z } from 'zod'
import { compare } from '../../../../server/contract/decimal.ts'
import { DEVELOPERS } from '../../accounts/roles.ts'
import { findAccount } from '../../merchant.ts'
import { serviceOf } from '../../seeded-merchants.ts'
import { notPayableReason, openPaymentOf, receivedBy } from '../../sessions/session.ts'
import { card, code, link, tag } from '../card.ts'
import { account, choice, ticked } from '../fields.ts'
import { listOf } from '../list.ts'
import { field, form, item, pathIn, refused } from '../page.ts'
import type { ServiceUse } from '../../merchant.ts'
import type { ServiceEntry } from '../../services.ts'
import type { List } from '../list.ts'
import type { Content, Visit } from '../page.ts'

const MOST_SERVICES = 100

const USES = {
  checkout: 'Checkouts and charges',
  local: 'Local payouts',
  transfer: 'International transfers',
  b2b: 'Payouts to businesses',
} as const satisfies Record<ServiceUse, string>

const SERVICES: List<ServiceEntry> = {
  empty: 'There is no service yet.',
  all: ({ world }) => world.services.list(),
  columns: [
    ['Service code', 'name', ({ service }) => link(pathIn('/services', service.code), service.code)],
    ['May do', 'with', ({ service }) => USES[service.use]],
    ['State', 'state', stateOf],
    ['Account', 'when', ({ service }) => code(service.accountNumber)],
    ['Currency', 'balance', ({ service }) => service.currency],
  ],
}

const CODE = z
  .string()
  .trim()
  .toUpperCase()
  .regex(/^[A-Z0-9]+(-[A-Z0-9]+)*$/, 'Service code must be like CHECKOUT-KES.')
  .max(32, 'Service code must have at most 32 characters.')

export const services: Content = {
  show: (visit) => [listOf(SERVICES, visit), visit.form('add')],
  forms: {
    add: form(
      DEVELOPERS,
      {
        title: 'Add a service',
        about: 'Requests name the service by its code, in the field service_code.',
        submit: 'Add the service',
      },
      { code: field('Service code', CODE), use: choice('What it may do', USES), account },
      ({ world: { services, merchant } }, typed) => {
        if (services.entry(typed.code)) return refused('code', `Service code ${typed.code} exists already.`)
        if (services.list().length >= MOST_SERVICES)
          return refused(
            'code',
            `Service code: there are ${MOST_SERVICES} services already. Remove one first.`,
          )
        const found = findAccount(merchant, typed.account)
        const service = found && serviceOf(found, typed.use, typed.code)
        if (!service) return refused('account', 'Account is not one of yours.')
        services.add(service)
        return { notice: `${typed.code} was added and is on.` }
      },
    ),
  },
}

export const service = item<ServiceEntry>({
  find: ({ world, params }) => world.services.entry(params['code'] ?? ''),
  show(entry, visit) {
    const { code: own, use, currency, accountNumber, fee } = entry.service
    const facts = [
      ['May do', USES[use]],
      ['Account', code(accountNumber)],
      ['Fee', `${currency} ${fee}`],
      ['Open', openUsesOf(entry, visit)],
    ] as const
    return [
      card({ title: own, tag: stateOf(entry), facts }),
      visit.form(entry.isActive ? 'switch-off' : 'switch-on'),
      visit.form('remove'),
    ]
  },
  forms: {
    'switch-on': switchForm('on', 'New requests are refused until it is on.'),
    'switch-off': switchForm('off', 'New requests are refused. What is open goes on to its end.'),
    remove: form(
      DEVELOPERS,
      {
        title: 'Remove',
        about: 'Only a service without open transactions can be removed. This cannot be undone.',
        submit: 'Remove the service',
        button: 'danger',
      },
      { sure: ticked('Remove this service') },
      (visit, _, entry: ServiceEntry) => {
        const { code: own } = entry.service
        const open = openUsesOf(entry, visit)
        if (open > 0)
          return refused(
            'code',
            `Service code ${own} has ${open} open transactions. Switch it off, and remove it later.`,
          )
        visit.world.services.remove(own)
        return { to: '/services', notice: `${own} was removed.` }
      },
    ),
  },
})

function switchForm(to: 'on' | 'off', about: string) {
  const title = `Switch ${to}`
  return form(
    DEVELOPERS,
    { title, about, submit: title, button: 'quiet' },
    {},
    (_, __, entry: ServiceEntry) => {
      entry.isActive = to === 'on'
      return { notice: `${entry.service.code} is ${to}.` }
    },
  )
}

function stateOf({ isActive }: ServiceEntry) {
  return tag(isActive ? { label: 'On', tone: 'good' } : { label: 'Off', tone: 'plain' })
}

/** Returns the number of transactions of a service whose money may still move by themselves. */
function openUsesOf({ service: { code } }: ServiceEntry, { world, now }: Visit): number {
  const sessions = [...world.sessions.values()].filter((session) => {
    const isUnconfirmed = session.custody === 'held' && compare(receivedBy(session), '0') > 0
    const isOpen = isUnconfirmed || openPaymentOf(session) || notPayableReason(session, now) === null
    return session.service.code === code && isOpen
  })
  const payouts = [...world.payouts.values()].filter(
    ({ instruction, state }) =>
      instruction.request.service_code === code && (state.kind === 'pending' || state.kind === 'jammed'),
  )
  return sessions.length + payouts.length
}
