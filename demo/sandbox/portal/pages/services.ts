import { z } from 'zod'
import { DEVELOPERS } from '../../accounts/roles.ts'
import { findAccount } from '../../merchant.ts'
import { display } from '../../money/amounts.ts'
import { serviceOf } from '../../seeded-merchants.ts'
import { code, link, tag } from '../card.ts'
import { account, choice } from '../fields.ts'
import { itemOf, listOf } from '../list.ts'
import { field, form, item, pathIn, refused } from '../page.ts'
import type { ServiceUse } from '../../merchant.ts'
import type { ServiceEntry } from '../../services.ts'
import type { List } from '../list.ts'
import type { Content } from '../page.ts'

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
    ['Fee', 'balance', ({ service }) => display(service.fee, service.currency)],
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
      ['Add the service', 'Requests name the service by its code, in the field service_code.'],
      { code: field('Service code', CODE), use: choice('What it may do', USES), account },
      ({ world: { services, merchant } }, typed) => {
        if (services.entry(typed.code)) return refused('code', `Service code ${typed.code} exists already.`)
        if (services.list().length >= MOST_SERVICES)
          return refused('code', `Service code: there are ${MOST_SERVICES} services already.`)
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
  show: (entry, visit) => [
    itemOf(SERVICES, entry, visit),
    visit.form(entry.isActive ? 'switch-off' : 'switch-on'),
  ],
  forms: {
    'switch-on': switchForm('on', 'New requests are refused until it is on.'),
    'switch-off': switchForm('off', 'New requests are refused. What is open goes on to its end.'),
  },
})

function switchForm(to: 'on' | 'off', about: string) {
  return form(DEVELOPERS, [`Switch ${to}`, about, 'quiet'], {}, (_, __, entry: ServiceEntry) => {
    entry.isActive = to === 'on'
    return { notice: `${entry.service.code} is ${to}.` }
  })
}

function stateOf({ isActive }: ServiceEntry) {
  return tag(isActive ? { label: 'On', tone: 'good' } : { label: 'Off', tone: 'plain' })
}
