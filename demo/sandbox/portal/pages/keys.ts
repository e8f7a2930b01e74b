import { DEVELOPERS } from '../../accounts/roles.ts'
import { code, link, notice, tag, when } from '../card.ts'
import { line, ticked } from '../fields.ts'
import { itemOf, listOf } from '../list.ts'
import { form, item, pathIn, refused } from '../page.ts'
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
    ['State', 'state', stateOf],
    ['Last used', 'when', ({ lastUsedAt }) => (lastUsedAt === null ? 'Never' : when(lastUsedAt))],
  ],
}

export const keys: Content = {
  show: (visit) => [
    notice(`Keys of ${visit.simulation.environment}: the other environment has keys of its own.`),
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
        const { key, secret } = world.keys.create(name)
        const of = key.consumerKey
        return {
          to: pathIn('/keys', of),
          notice: `The key ${name} was created.`,
          secret: { of, value: secret },
        }
      },
    ),
  },
}

export const key = item<ApiKey>({
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

function stateOf({ revokedAt }: ApiKey) {
  return tag(revokedAt === null ? { label: 'Active', tone: 'good' } : { label: 'Revoked', tone: 'plain' })
}
