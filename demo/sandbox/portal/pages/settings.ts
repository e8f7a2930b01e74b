// API keys, services and callback URLs. [spec: What the service does, 3]

import { z } from 'zod'

import { LONGEST_URL } from '../../callbacks/portal-addresses.ts'
import { findAccount } from '../../merchants/merchant.ts'
import { serviceOf } from '../../merchants/seeded-merchants.ts'
import { display } from '../../money/amounts.ts'
import { DEVELOPERS } from '../../users/roles.ts'
import { card, code, link, notice, tagOf } from '../card.ts'
import { account, choice, line, LOOKS, SHORT, ticked } from '../fields.ts'
import { itemOf, listOf, MAX_ITEMS } from '../list.ts'
import { declareForm, done, itemContent, pathIn, refused } from '../page.ts'

import type { PortalSettings } from '../../callbacks/portal-addresses.ts'
import type { ApiKey } from '../../credentials/api-keys.ts'
import type { ServiceEntry, ServiceUse } from '../../merchants/merchant.ts'
import type { List } from '../list.ts'
import type { Content } from '../page.ts'

const KEYS: List<ApiKey> = {
  empty: 'There is no key yet. Create the first one below.',
  all: ({ world }) => world.keys.list().toReversed(),
  columns: [
    ['Name', 'top', ({ consumerKey, name }) => link(pathIn('/keys', consumerKey), name)],
    ['Consumer key', 'middle', ({ consumerKey }) => code(consumerKey)],
    ['State', 'middle-end', ({ revokedAt }) => tagOf(revokedAt === null, 'Active', 'Revoked')],
    [
      'Last use',
      'bottom',
      ({ lastUsedAt: at }, { zone }) => (at === null ? 'Never used' : ['Used ', zone.when(at)]),
    ],
  ],
}

export const keys: Content = {
  show: (visit) => [
    notice(`These keys are valid in the ${visit.world.environment} environment only.`),
    listOf(KEYS, visit),
    visit.showForm('create'),
  ],
  forms: {
    create: declareForm({
      roles: DEVELOPERS,
      submit: 'Create the key',
      about: 'The consumer secret is shown only once.',
      fields: { name: line('Name', SHORT, 'Name the program that uses the key, such as “shop server”.') },
      send({ world }, { name }) {
        // Revoked keys count, too: they stay in the list.
        if (world.keys.list().length >= MAX_ITEMS) {
          return refused('name', `Name: there are ${MAX_ITEMS} keys already, and no more can be created.`)
        }

        const { key, secret: value } = world.keys.create(name)
        const secret = { owner: key.consumerKey, value }
        return done(`The key ${name} was created.`, { to: pathIn('/keys', key.consumerKey), secret })
      },
    }),
  },
}

export const key = itemContent<ApiKey>({
  find: ({ world, params }) => world.keys.find(params['key'] ?? ''),
  show: (key, visit) => [
    visit.showSecret(key.consumerKey, 'Consumer secret'),
    itemOf(KEYS, key, visit),
    key.revokedAt === null ? visit.showForm('revoke') : null,
  ],
  forms: {
    revoke: declareForm({
      roles: DEVELOPERS,
      submit: 'Revoke the key',
      about: 'The key and its tokens are refused at once. This cannot be undone.',
      button: 'danger',
      fields: { sure: ticked('Yes, nobody uses it') },
      send({ world }, _, key: ApiKey) {
        if (key.revokedAt !== null) {
          return refused('key', 'Key: it was revoked already.')
        }

        world.keys.revoke(key)
        return done(`The key ${key.name} was revoked.`, { to: '/keys' })
      },
    }),
  },
})

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
    ['Service code', 'top', ({ service }) => link(pathIn('/services', service.code), service.code)],
    ['Use', 'middle', ({ service }) => USES[service.use]],
    ['State', 'middle-end', ({ isActive }) => tagOf(isActive, 'On', 'Off')],
    ['Account', 'bottom', ({ service }) => code(service.accountNumber)],
    ['Fee', 'bottom-end', ({ service }) => display(service.fee, service.currency)],
  ],
}

// As the seeded codes, with the length of service_code. [spec: Limits]
const CODE = z
  .string()
  .trim()
  .toUpperCase()
  .regex(/^[A-Z0-9]+(-[A-Z0-9]+)*$/, 'Service code must be like CHECKOUT-KES.')
  .max(32, 'Service code must have at most 32 characters.')

export const services: Content = {
  show: (visit) => [listOf(SERVICES, visit), visit.showForm('add')],
  forms: {
    add: declareForm({
      roles: DEVELOPERS,
      submit: 'Add the service',
      about: 'Requests name the service by its code, in the field service_code.',
      fields: {
        code: CODE.register(LOOKS, { label: 'Service code' }),
        use: choice('Use', USES),
        account,
      },
      send({ world: { services, merchant } }, typed) {
        if (services.entry(typed.code)) {
          return refused('code', `Service code ${typed.code} exists already.`)
        }
        if (services.list().length >= MAX_ITEMS) {
          return refused('code', `Service code: there are ${MAX_ITEMS} services already.`)
        }

        const target = findAccount(merchant, typed.account)
        if (!target) {
          return refused('account', 'Account is not one of yours.')
        }

        services.add(serviceOf(target, typed.use, typed.code))
        return done(`${typed.code} was added and is on.`)
      },
    }),
  },
}

export const service = itemContent<ServiceEntry>({
  find: ({ world, params }) => world.services.entry(params['code'] ?? ''),
  show: (entry, visit) => [
    itemOf(SERVICES, entry, visit),
    visit.showForm(`switch-${entry.isActive ? 'off' : 'on'}`),
  ],
  forms: {
    'switch-on': switchForm('on', 'New requests are refused until then.'),
    'switch-off': switchForm('off', 'New requests will be refused. Open transactions will continue.'),
  },
})

function switchForm(to: 'on' | 'off', about: string) {
  return declareForm({
    roles: DEVELOPERS,
    submit: `Switch ${to}`,
    about,
    button: 'quiet',
    fields: {},
    send({ world }, _, entry: ServiceEntry) {
      world.services.switch(entry, to)
      return done(`${entry.service.code} is ${to}.`)
    },
  })
}

/** By the result for which a merchant sets a callback URL. [spec: What the service does, 3; Events] */
const URL_FIELDS = {
  b2c_callback_url: address(
    'B2C notifications',
    'Receives the results of payouts whose request has no callback_url.',
  ),
  airtime_callback_url: address(
    'Airtime',
    'Receives the results of airtime, one callback for each recipient.',
  ),
  charge_callback_url: address('Charges', 'Receives the results of charges.'),
} satisfies Record<keyof PortalSettings, z.ZodType>

function address(label: string, hint: string) {
  return z
    .string()
    .trim()
    .max(LONGEST_URL, `${label} must have at most ${LONGEST_URL} characters.`)
    .transform((url) => url || null)
    .register(LOOKS, { label, hint, type: 'url', isOptional: true })
}

export const callbacks: Content = {
  show(visit) {
    const saved: Readonly<Record<string, string | null>> = { ...visit.world.portal.addresses() }
    const factOf = (id: string, type: z.ZodType) => [LOOKS.get(type)?.label, saved[id] ?? 'None'] as const
    return [
      notice('The gateway sends results to these addresses if the request has no callback_url.'),
      // A user who may not save sees the addresses.
      visit.showForm('save', { values: saved }) ??
        card({ facts: Object.entries(URL_FIELDS).map(([id, type]) => factOf(id, type)) }),
    ]
  },
  forms: {
    save: declareForm({
      roles: DEVELOPERS,
      submit: 'Save the addresses',
      fields: URL_FIELDS,
      send({ world }, typed) {
        const problem = world.portal.set(typed, () => 'The address')
        return problem
          ? refused(problem.field, problem.failure.message)
          : done('The callback URLs were saved.')
      },
    }),
  },
}
