import { z } from 'zod'
import { line } from '../fields.ts'
import { Form, TextField } from '../form.tsx'
import { addressOf } from '../layout.tsx'
import { form, refused } from '../page.ts'
import { DEVELOPERS } from '../../accounts/roles.ts'
import { When } from '../when.tsx'
import { PlainTable } from '../tables.tsx'
import type { ApiKey } from '../../wire/api-keys.ts'
import type { Page, Visit } from '../page.ts'

// Revoked keys count, too: they stay in the list.
const MOST_KEYS = 100

export const keys: Page = {
  path: '/keys',
  title: 'API keys',
  entry: { group: 'Settings', label: 'API keys' },
  roles: DEVELOPERS,
  show: (visit) => (
    <>
      <p class="notice">
        These are the keys of {visit.simulation.environment}. The other environment has other keys, tokens and
        addresses.
      </p>
      <List {...visit} />
      <Create {...visit} />
    </>
  ),
  forms: {
    create: form(DEVELOPERS, z.object({ name: line('Name', 60) }), ({ world }, { name }) => {
      if (world.keys.list().length >= MOST_KEYS)
        return refused('name', `Name: there are ${MOST_KEYS} keys already, and no more can be created.`)
      const { key, secret } = world.keys.create(name)
      return {
        to: pathOf(key.consumerKey),
        notice: `The key ${name} was created.`,
        secret: { of: key.consumerKey, value: secret },
      }
    }),
  },
}

export function pathOf(consumerKey: string): string {
  return `/keys/${encodeURIComponent(consumerKey)}`
}

function List({ world }: Visit) {
  const all = world.keys.list().toReversed()
  if (all.length === 0)
    return <section class="card empty">There is no key yet. Create the first one below.</section>
  return (
    <section class="card">
      <PlainTable label="API keys" heads={['Name', 'Consumer key', 'State', 'Last used']}>
        {all.map((key) => (
          <tr>
            <th scope="row">
              <a href={addressOf(pathOf(key.consumerKey))}>{key.name}</a>
            </th>
            <td>
              <code>{key.consumerKey}</code>
            </td>
            <td>
              <KeyState {...key} />
            </td>
            <td>{key.lastUsedAt === null ? 'Never' : <When at={key.lastUsedAt} />}</td>
          </tr>
        ))}
      </PlainTable>
    </section>
  )
}

export function KeyState({ revokedAt }: ApiKey) {
  return revokedAt === null ? <span class="tag good">Active</span> : <span class="tag">Revoked</span>
}

function Create(visit: Visit) {
  const create = visit.form('create')
  return (
    <section class="card">
      <h2>Create a key</h2>
      <p>You see the consumer secret once, on the next page.</p>
      <Form of={create} submit="Create the key">
        <TextField of={create} name="name" label="Name" hint="What uses the key, such as “shop server”." />
      </Form>
    </section>
  )
}
