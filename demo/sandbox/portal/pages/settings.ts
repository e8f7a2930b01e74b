// API keys, services and callback URLs. [spec: What the service does, 3]

import { z } from 'zod'
import { DEVELOPERS } from '../../accounts/roles.ts'
import { findAccount } from '../../merchant.ts'
import { display } from '../../money/amounts.ts'
import { serviceOf } from '../../seeded-merchants.ts'
import { callbackAddressProblem } from '../../wire/addresses.ts'
import { card, code, link, notice, tagOf } from '../card.ts'
import { account, choice, line, LOOKS, ticked } from '../fields.ts'
import { itemOf, listOf } from '../list.ts'
import { form, itemPage, pathIn, refused } from '../page.ts'
import type { ServiceEntry, ServiceUse } from '../../merchant.ts'
import type { ApiKey } from '../../wire/api-keys.ts'
import type { List } from '../list.ts'
import type { Content } from '../page.ts'

// Revoked keys count, too: they stay in the list.
const MOST_KEYS = 100

const KEYS: List<ApiKey> = {
  empty: 'There is no key yet. Create the first one below.',
  all: ({ world }) => world.keys.list().toReversed(),
  columns: [
    ['Name', 'name', ({ consumerKey, name }) => link(pathIn('/keys', consumerKey), name)],
    ['Consumer key', 'with', ({ consumerKey }) => code(consumerKey)],
    ['State', 'state', ({ revokedAt }) => tagOf(revokedAt === null, 'Active', 'Revoked')],
    ['Last used', 'when', ({ lastUsedAt: at }, { zone }) => (at === null ? 'Never' : zone.when(at))],
  ],
}

export const keys: Content = {
  show: (visit) => [
    notice(`Keys of ${visit.world.environment}: the other environment has keys of its own.`),
    listOf(KEYS, visit),
    visit.form('create'),
  ],
  forms: {
    create: form(
      DEVELOPERS,
      ['Create the key', 'You see the consumer secret once.'],
      { name: line('Name', 60, 'What uses the key, such as “shop server”.') },
      ({ world }, { name }) => {
        if (world.keys.list().length >= MOST_KEYS)
          return refused('name', `Name: there are ${MOST_KEYS} keys already, and no more can be created.`)
        const { key, secret: value } = world.keys.create(name)
        const secret = { owner: key.consumerKey, value }
        return { to: pathIn('/keys', key.consumerKey), notice: `The key ${name} was created.`, secret }
      },
    ),
  },
}

export const key = itemPage<ApiKey>({
  find: ({ world, params }) => world.keys.find(params['key'] ?? ''),
  show: (key, visit) => [
    visit.secret(key.consumerKey, 'Consumer secret'),
    itemOf(KEYS, key, visit),
    key.revokedAt === null ? visit.form('revoke') : null,
  ],
  forms: {
    revoke: form(
      DEVELOPERS,
      ['Revoke the key', 'The key and its tokens are refused at once. This cannot be undone.', 'danger'],
      { sure: ticked('Revoke this key') },
      ({ world }, _, key: ApiKey) => {
        if (key.revokedAt !== null) return refused('key', 'Key: it was revoked before.')
        world.keys.revoke(key)
        return { to: '/keys', notice: `The key ${key.name} was revoked.` }
      },
    ),
  },
})

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
    ['State', 'state', ({ isActive }) => tagOf(isActive, 'On', 'Off')],
    ['Account', 'when', ({ service }) => code(service.accountNumber)],
    ['Fee', 'balance', ({ service }) => display(service.fee, service.currency)],
  ],
}

// As the seeded codes, and short enough for a list.
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
      { code: CODE.register(LOOKS, { label: 'Service code' }), use: choice('What it may do', USES), account },
      ({ world: { services, merchant } }, typed) => {
        if (services.entry(typed.code)) return refused('code', `Service code ${typed.code} exists already.`)
        if (services.list().length >= MOST_SERVICES)
          return refused('code', `Service code: there are ${MOST_SERVICES} services already.`)
        const account = findAccount(merchant, typed.account)
        if (!account) return refused('account', 'Account is not one of yours.')
        services.add(serviceOf(account, typed.use, typed.code))
        return { notice: `${typed.code} was added and is on.` }
      },
    ),
  },
}

export const service = itemPage<ServiceEntry>({
  find: ({ world, params }) => world.services.entry(params['code'] ?? ''),
  show: (entry, visit) => [
    itemOf(SERVICES, entry, visit),
    visit.form(`switch-${entry.isActive ? 'off' : 'on'}`),
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

/** The results for which a merchant sets a callback URL. [spec: What the service does, 3; Events] */
const TYPES = {
  b2c_callback_url: address('B2C notifications', 'Results of payouts whose request has no callback_url.'),
  airtime_callback_url: address('Airtime', 'Results of airtime, one callback for each recipient.'),
  charge_callback_url: address('Charges', 'Results of charges.'),
}

function address(label: string, hint: string) {
  return z
    .string()
    .trim()
    .max(500, `${label} must have at most 500 characters.`)
    .transform((url) => url || null)
    .register(LOOKS, { label, hint, type: 'url', isOptional: true })
}

export const callbacks: Content = {
  show(visit) {
    const saved: Readonly<Record<string, string | null>> = { ...visit.world.portal.addresses() }
    return [
      notice('For what names no callback_url of its own. Without an address, no callback is sent.'),
      visit.form('save', { values: saved }) ??
        card({
          facts: Object.entries(TYPES).map(([name, type]) => [LOOKS.get(type)?.label, saved[name] ?? 'None']),
        }),
    ]
  },
  forms: {
    save: form(DEVELOPERS, ['Save the addresses'], TYPES, ({ world }, typed) => {
      for (const [name, url] of Object.entries(typed)) {
        const problem = url && callbackAddressProblem(url, world.callbackHosts, 'The address')
        if (problem) return refused(name, problem.message)
      }
      world.portal.set(typed)
      return { notice: 'The callback URLs were saved.' }
    }),
  },
}
